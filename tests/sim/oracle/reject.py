"""Kernels that must be rejected: a legal random kernel with one faulty statement put somewhere in
it. Each fault names its code (several where product versions differ)."""
from generate import Generator
from oracle import Kernel

T = "pypto.set_vec_tile_shapes(8, 32)\n"
A = T + "fa = pypto.full([4, 8], 1.0, pypto.DT_FP32)\n"
I = T + "fi = pypto.full([4, 8], 1, pypto.DT_INT32)\n"
H = T + "fh = pypto.full([4, 8], 1.0, pypto.DT_FP16)\n"
C = "pypto.set_cube_tile_shapes([32, 32], [32, 32], [32, 32])\n"
# (code, statements[, code of the front end of 9.2, None = legal there]); {n} is replaced by a dynamic parameter [?, 8] F32, {s} by a symbol
FAULTS = [
    ("FC0001", A + H + "fb = fa + fh"),
    ("FC0001", A + I + "fb = pypto.mul(fa, fi)"),
    ("FC0000", A + "fb = fa + pypto.full([4, 7], 1.0, pypto.DT_FP32)"),
    ("FC0000", A + "fb = fa * pypto.full([3, 8], 1.0, pypto.DT_FP32)"),
    ("FC0001", H + "fb = pypto.sum(fh, 0)"),
    ("FC0001", A + "fb = pypto.cast(fa, pypto.DT_INT8)"),
    ("FC0001", A + "fb = pypto.cast(fa, pypto.DT_FP32, pypto.CastMode.CAST_FLOOR)"),
    ("FC0001", H + "fb = pypto.cast(fh, pypto.DT_BF16)"),
    ("FC0001", T + "fb = pypto.cast(pypto.full([4, 8], 1, pypto.DT_BOOL), pypto.DT_FP16)"),
    ("F74007", T + "fa = pypto.tensor([4, 8], pypto.DT_FP32)\nfb = fa + 1.0"),
    ("F74007", T + "fa = pypto.tensor([4, 8], pypto.DT_FP32)\nfb = pypto.exp(fa)"),
    ("F21009", A + "fb = pypto.view(fa, [2, 8], [0, 0])\nfc = fb + 1.0\n"
     "pypto.assemble(fc, [2, 0], fa)"),
    ("F21009", A + "fa[0:2] += pypto.full([2, 8], 1.0, pypto.DT_FP32)"),
    ("F00001", I + "fb = fi + 1.5"),
    ("F00001", I + "fb = pypto.sub(fi, 0.5)"),
    ("F21003", A + "fb = pypto.view(fa, [4], [0])"),
    ("F21003", A + "fb = pypto.view(fa, [4, 8], [0])"),
    ("F00001", A + "fb = pypto.view(fa, [{s}, 8], [0, 0])"),
    ("F0FFFF", A + I + "pypto.assemble(fi, [0, 0], fa)"),
    ("F0FFFF", A + T + "pypto.assemble(pypto.full([4], 1.0, pypto.DT_FP32), [0], fa)"),
    (("F0000A", "F21008"), T + "fb = {n} + 1.0"),
    (("F0000A", "F21008"), T + "fb = pypto.exp({n})"),
    (("F0000A", "F21008"), T + "fb = pypto.sum({n}, 0)"),
    ("F42003", A + "pypto.set_vec_tile_shapes(8)\nfb = fa + 1.0"),
    ("F42003", A + "pypto.set_vec_tile_shapes(32)\nfb = pypto.full([4, 8], 1.0, pypto.DT_FP32)"),
    ("F00002", "fb = {s} > 0 and {s} < 3"),
    ("F00002", "fb = 1 if {s} > 0 else 2"),
    ("F00002", "fb = not {s}"),
    ("F00001", "for q in range({s}):\n    pass"),
    ("F00001", A + "if fa:\n    pass"),
    ("F00002", "if pypto.is_loop_begin({s} * 2):\n    pass", None),
    ("F00001", "fb = [1, 2, 3][{s}]"),
    ("F00005", "while True:\n    pass", "F00003"),
    ("F00005", "with open('x') as f:\n    pass", "F0FFFF"),
    ("F00002", "return", "F0FFFF"),
    ("F00005", "import os", "F0FFFF"),
    ("F00002", "{n} = 1", None),
    ("F00002", H + "fb = pypto.where(fh > 0.5, fh, 1.0)"),
    ("F0000B", A + C + "fb = pypto.matmul(fa, fa, pypto.DT_FP32)"),
    ("F00002", A + H + C + "fb = pypto.matmul(fa, fh, pypto.DT_FP32, b_trans=True)"),
    ("F00003", A + C + "pypto.set_vec_tile_shapes(8, 8, 32)\n"
     "fb = pypto.matmul(fa, pypto.full([1, 8, 4], 1.0, pypto.DT_FP32), pypto.DT_FP32)"),
    ("F0000C", A + "pypto.set_cube_tile_shapes([32, 32], [24, 48], [32, 32])\n"
     "fb = pypto.matmul(fa, fa, pypto.DT_FP32, b_trans=True)"),
    ("F0000C", A + "pypto.set_cube_tile_shapes([32, 32], [32, 32], [32, 48])\n"
     "fb = pypto.matmul(fa, fa, pypto.DT_FP32, b_trans=True)"),
    ("F0000C", A + "pypto.set_cube_tile_shapes([32, 16], [32, 32], [32, 32])\n"
     "fb = pypto.matmul(fa, fa, pypto.DT_FP32, b_trans=True)"),
    ("F00002", "pypto.set_cube_tile_shapes([32], [32, 32], [32, 32])"),
    ("FC0002", A + "fb = pypto.where(pypto.full([8], 1, pypto.DT_BOOL), fa, fa)"),
    (("FC0002", "F42003"), "pypto.set_vec_tile_shapes(1, 1, 2, 32)\n"
     "fb = pypto.full([1, 1, 1, 4, 8], 1.0, pypto.DT_FP32)"),
    ("F40005", "pypto.set_vec_tile_shapes(256, 256)\n"
     "fa = pypto.full([256, 256], 1.0, pypto.DT_FP32)\nfb = fa + fa"),
    ("F00001", T + "fa = pypto.tensor([4, 8], pypto.DT_FP32)\nfa[:] = 1.0"),
    ("F00001", A + "for q in fa:\n    pass"),
    ("F00001", "for q in pypto.loop(1.5):\n    pass"),
]
# only right where the kernel has set no tile before
BARE = [
    ("F21003", "fa = pypto.full([4, 8], 1.0, pypto.DT_FP32)"),
    ("F21003", "fb = {w} + 1.0"),
    ("F21003", "fb = pypto.exp({w})"),
    ("F21003", "fb = pypto.matmul({w}, {w}, pypto.DT_FP32, b_trans=True)"),
]


def blocks(statements, branches=1):
    """All statement lists a fault can be put into. Not under two conditions: they may contradict
    each other, and a path that cannot be taken need not be recorded."""
    result = [statements]
    for s in statements:
        if s[0] == "loop":
            result += blocks(s[6], branches)
        elif s[0] == "if" and branches:
            for side in s[2:]:
                result += blocks(side, branches - 1) if side else []
    return result


def rejected(seed, target):
    generator = Generator(seed, target)
    kernel = generator.kernel("rejected kernel %d" % seed)
    rng = generator.rng
    n = generator.parameter("n", "F32", (6, 8), (0,)).name
    w = generator.parameter("w", "F32", (6, 8)).name
    bare = rng.random() < 0.1
    code, text, *new = rng.choice([f for f in (BARE if bare else FAULTS)
                                   if not target.is_new or f[-1] is not None])
    code = new[0] if new and target.is_new else code
    text = text.replace("{n}", n).replace("{w}", w).replace("{s}", "%s.shape[0]" % n)
    statement = ["raw", text]
    body = kernel.body
    if bare:
        body.insert(0, statement)
    else:
        block = rng.choice(blocks(body))
        block.insert(rng.randint(0, len(block)), statement)
    return Kernel(kernel.name, kernel.parameters, body, code)
