#!/usr/bin/env python3
"""Single statements in a kernel: the linter and the simulator agree about each of them.

    statements.py PYPTO_LINT --pypto 9.1|9.2

What the simulator refuses must have a finding that fails with the same code; what it takes must have
none. The kernel has two parameters, x and y, of 16 rows of 64 F32.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNNER = ROOT / "tests" / "runtime" / "example_mutants.py"
PROGRAM = """\
import torch
import torch_npu
import pypto


def helper(x):
    return x * 2.0


def smaller(i):
    return min(i, 2)


def on_one_side(x, i):
    if pypto.cond(i == 0):
        a = x * 2.0
    return a + 1.0


def leaves_loop(x):
    for i in pypto.loop(2):
        return x
    return x


def breaks_loop(x):
    for i in pypto.loop(2):
        x[:] = x + 1.0
        break


def continues_loop(x):
    for i in pypto.loop(2):
        x[:] = x + 1.0
        continue


def leaves_condition(x, i):
    if pypto.cond(i == 0):
        return x * 2.0
    return x


def leaves_known_condition(x):
    for i in pypto.loop(2):
        for j in range(3):
            if j == 1:
                break
            x[:] = x + 1.0
    return x


@pypto.frontend.jit
def kernel(x: pypto.Tensor([16, 64], pypto.DT_FP32), y: pypto.Tensor([16, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
%s
    y[:] = x + 1.0


kernel(torch.zeros(16, 64), torch.zeros(16, 64))
"""
STATEMENTS = {
    'while': 'while False:\n    pass',
    'break': 'for i in range(2):\n    break',
    'continue': 'for i in range(2):\n    continue',
    'def': 'def f(a):\n    return a',
    'asyncdef': 'async def f(a):\n    return a',
    'class': 'class A:\n    pass',
    'with': 'with pypto.options():\n    pass',
    'try': 'try:\n    pass\nexcept ValueError:\n    pass',
    'import': 'import math',
    'from': 'from math import pi',
    'global': 'global G\nG = 1',
    'match': 'match 1:\n    case 1:\n        pass',
    'walrus': 'z = (w := 3)',
    'return': 'return',
    'raise': 'raise ValueError("x")',
    'raiseT': 'raise TypeError("x")',
    'raiseN': 'raise NotImplementedError',
    'raiseR': 'raise RuntimeError("a")',
    'raisecond': 'if True:\n    raise KeyError("x")',
    'forelse': 'for i in range(2):\n    pass\nelse:\n    pass',
    'whileelse': 'while False:\n    pass\nelse:\n    pass',
    'breakloop': 'for i in pypto.loop(2):\n    break',
    'contloop': 'for i in pypto.loop(2):\n    continue',
    'lambda': 'f = lambda a: a',
    'comp': 'k = 3\nz = [k for i in range(2)]',
    'eval': 'z = eval("1")',
    'cls': 'z = x.__class__',
    'not': 'for i in pypto.loop(2):\n    if not i:\n        pass',
    'assertsym': 'for i in pypto.loop(2):\n    assert i',
    'whilesym': 'for i in pypto.loop(2):\n    while i:\n        pass',
    'rangesym': 'for i in pypto.loop(2):\n    for j in range(i):\n        pass',
    'iftensor': 'if x:\n    pass',
    'and': 'for i in pypto.loop(2):\n    if i > 0 and i < 1:\n        pass',
    'unbound': 'z = nothing + 1',
    'unbound2': 'z = nothing\ny[:] = z',
    'assertf': 'assert 1 == 2',
    'intsym': 'for i in pypto.loop(2):\n    z = int(i)',
    'lensym': 'for i in pypto.loop(2):\n    z = len(i)',
    'listidx': 'l = [1, 2]\nfor i in pypto.loop(2):\n    z = l[i]',
    'minsym': 'for i in pypto.loop(2):\n    z = min(i, 2, 3)',
    'fortensor': 'for t in x:\n    pass',
    'rebind': 'x = x + 1.0',
    'foremptylist': 'for t in []:\n    pass',
    'forenum': 'for i, t in enumerate([1]):\n    pass',
    'misattr': 'z = pypto.nothing(x)',
    'tattr': 'z = x.nothing()',
    'wrongargs': 'z = pypto.exp(x, foo=1)',
    'missing': 'z = pypto.topk(x)',
    'stride': 'z = x[::2, :]',
    'chain': 'for i in pypto.loop(2):\n    if 0 < i < 2:\n        pass',
    'retbranch': 'if False:\n    return',
    'yield': 'z = (yield 1)',
    'del': 'z = 1\ndel z',
    'starassign': 'a, *b = [1, 2, 3]',
    'nonlocal': 'pass',
    'condexpr': 'for i in pypto.loop(2):\n    z = 1 if i > 0 else 2',
    'boolsym': 'for i in pypto.loop(2):\n    z = bool(i)',
    'floatsym': 'for i in pypto.loop(2):\n    z = float(i)',
    'dictkey': 'd = {0: 1}\nfor i in pypto.loop(2):\n    z = d[i]',
    'inttensor': 'z = int(x)',
    'lent': 'z = len(x)',
    'rangef': 'for i in range(1.5):\n    pass',
    'loopf': 'for i in pypto.loop(1.5):\n    pass',
    'idxerr': 'z = [1][3]',
    'keyerr': 'z = {}[3]',
    'zerodiv': 'z = 1 // 0',
    'strplus': 'z = "a" + 1',
    'nonecall': 'z = None()',
    'attrint': 'z = (3).foo',
    'unpack': 'a, b = [1, 2, 3]',
    'nonsub': 'z = None[0]',
    'typoattr': 'z = x.shapes',
    'helperargs': 'z = helper(x, 3)',
    'helperkw': 'z = helper(y=x)',
    'viewf': 'z = pypto.view(x, [16 / 2, 64], [0, 0])',
    'viewoff': 'z = pypto.view(x, [8, 64], [16 / 2, 0])',
    'loopf_': 'for i in pypto.loop(x.shape[0] / 8):\n    z = x * 1.0',
    'loopf2': 'for i in pypto.loop(0, x.shape[0] / 8, 1):\n    z = x * 1.0',
    'rangef_': 'for i in range(x.shape[0] / 8):\n    z = x * 1.0',
    'tilef': 'pypto.set_vec_tile_shapes(16 / 2, 64)',
    'tilestr': 'pypto.set_vec_tile_shapes("a", 64)',
    'reshapef': 'z = pypto.reshape(x, [16 / 2, 128])',
    'fullf': 'z = pypto.full([16 / 2, 64], 0.0, pypto.DT_FP32)',
    'tensorf': 'z = pypto.tensor([16 / 2, 64], pypto.DT_FP32, "z")',
    'slicef': 'z = x[0:16 / 2, :]',
    'assef': 'z = x + 1.0\npypto.assemble(z, [0 / 2, 0], y)',
    'topkf': 'v, i = pypto.topk(x, 32 / 2, -1)',
    'sumf': 'z = pypto.sum(x, 1.0)',
    'cubef': 'pypto.set_cube_tile_shapes([16, 16], [32 / 2, 64], [16, 16])\n'
             'z = pypto.matmul(x, x, pypto.DT_FP32, b_trans=True)',
    'cube0': 'pypto.set_cube_tile_shapes([16, 16], [0, 64], [16, 16])',
    'listlen': 'z = pypto.view(x, [16], [0, 0])',
    'sliceneg': 'z = x[-4:, :]',
    'idx3': 'z = x[0, 0, 0]',
    'tiletup': 'pypto.set_vec_tile_shapes((16, 64))',
    'tilelist': 'pypto.set_vec_tile_shapes([16, 64])',
    'castname': 'z = pypto.cast(x, "fp16")',
    'castnone': 'z = pypto.cast(x)',
    'casttorch': 'z = pypto.cast(x, torch.float16)',
    'matnone': 'z = pypto.matmul(x, x)',
    'nest': 'z = pypto.exp(pypto.exp)',
    'tadd': 'z = x + [1.0]',
    'tnone': 'z = x + None',
    'tstr': 'z = x * "2"',
    'fdiv': 'z = x / 0',
    'pow': 'z = x ** 2',
    'neg': 'z = -x',
    'inv': 'z = ~x',
    'matop': 'z = x @ x',
    'shift': 'z = x << 2',
    'xor': 'z = x & x',
    'le': 'z = x <= 1',
    'eq': 'z = x == 1.0',
    'iadd': 'x += 1.0',
    'setitem': 'y[0, 0] = 1.0',
    'getitem': 'z = x[0, 0]',
    'setrow': 'y[0:1] = x[0:1]',
    'setmis': 'y[0:8, :] = x[0:4, :]',
    'setdt': 'y[0:8, :] = pypto.cast(x[0:8, :], pypto.DT_FP16)',
    'concatmis': 'z = pypto.concat([x, pypto.cast(x, pypto.DT_FP16)], 0)',
    'concatax': 'z = pypto.concat([x, x], 2)',
    'where': 'z = pypto.where(x, x, x)',
    'wherei': 'z = pypto.where(pypto.gt(x, 0), x, x)',
    'gatheri': 'z = pypto.gather(x, 1, x)',
    'transp': 'z = pypto.transpose(x, 0)',
    'permute': 'z = pypto.permute(x, [0])',
    'unsq': 'z = pypto.unsqueeze(x)',
    'expand': 'z = pypto.expand_clone(x, [16, 128])',
    'clip': 'z = pypto.clip(x, 1, 2)',
    'fullsym': 'for i in pypto.loop(2):\n    z = pypto.full([i, 64], 0.0, pypto.DT_FP32)',
    'viewsym': 'for i in pypto.loop(2):\n    z = pypto.view(x, [i, 64], [0, 0])',
    'negloop': 'for i in pypto.loop(-1):\n    z = x * 1.0',
    'step0': 'for i in pypto.loop(0, 4, 0):\n    z = x * 1.0',
    'idxname': 'for i in pypto.loop(2, idx_name="a"):\n    for j in pypto.loop(2, idx_name="a"):\n        z = x * 1.0',
    'par': 'for i in pypto.loop(2, parallel=True):\n    for j in pypto.loop(2, parallel=True):\n        z = x * 1.0',
    'unroll0': 'for i in pypto.loop(4, unroll_list=[0]):\n    z = x * 1.0',
    'unrollf': 'for i in pypto.loop(4, unroll_list=[1.5]):\n    z = x * 1.0',
    'unrollint': 'for i in pypto.loop(4, unroll_list=4):\n    z = x * 1.0',
    'onetarget': 'for i in pypto.loop_unroll(4, unroll_list=[2]):\n    z = x * 1.0',
    'twotarget': 'for i, j in pypto.loop(4):\n    z = x * 1.0',
    'notens': 'z = pypto.exp(1.0)',
    'elem': 'z = pypto.add(x, pypto.element(pypto.DT_INT32, 1))',
    'rebindold': 'y = x',
    'unwritten': 't = pypto.tensor([16, 64], pypto.DT_FP32, "t")\nz = t + 1.0',
    'condint': 'if pypto.cond(1):\n    z = x',
    'isbegin': 'if pypto.is_loop_begin(3):\n    z = x',
    'kwtile': 'pypto.set_vec_tile_shapes(m=16)',
    'opt': 'pypto.set_pass_options(foo=1)',
    'opt2': 'pypto.set_pass_options(cube_l1_reuse_setting=3)',
    'symslice': 'for i in pypto.loop(2):\n    z = x[i * 8:i * 8 + 9, :]',
    'symslice2': 'for i in pypto.loop(2):\n    z = x[0:i, :]',
    'oob': 'z = pypto.view(x, [16, 64], [8, 0])',
    'ass_oob': 'z = x + 1.0\npypto.assemble(z, [8, 0], y)',
    'rangesym_': 'for i in pypto.loop(2):\n    z = range(i)',
    'listidx_': 'for i in pypto.loop(2):\n    z = [1, 2][i]',
    'slice': 'for i in pypto.loop(2):\n    z = [1, 2][i:]',
    'dictkey_': 'for i in pypto.loop(2):\n    z = {0: 1}[i]',
    'dictmake': 'for i in pypto.loop(2):\n    z = {i: 1}',
    'iter': 'for i in pypto.loop(2):\n    for k in i:\n        pass',
    'not_': 'for i in pypto.loop(2):\n    z = not i',
    'listcall': 'for i in pypto.loop(2):\n    z = list(i)',
    'sum': 'for i in pypto.loop(2):\n    z = sum(i)',
    'setidx': 'for i in pypto.loop(2):\n    l = [1, 2]\n    l[i] = 3',
    'minh': 'for i in pypto.loop(2):\n    z = smaller(i)',
    'sorted': 'for i in pypto.loop(2):\n    z = sorted(i)',
    'str': 'for i in pypto.loop(2):\n    z = str(i)',
    'abs': 'for i in pypto.loop(2):\n    z = abs(i)',
    'fst': 'for i in pypto.loop(2):\n    z = f"{i:d}"',
    'round': 'for i in pypto.loop(2):\n    z = round(i)',
    'tup': 'for i in pypto.loop(2):\n    z = tuple(i)',
    'enum': 'for i in pypto.loop(2):\n    z = list(enumerate(i))',
    'strrep': 'for i in pypto.loop(2):\n    z = "a" * i',
    'listrep': 'for i in pypto.loop(2):\n    z = [1] * i',
    'inop': 'for i in pypto.loop(2):\n    z = i in [1, 2]',
    'isop': 'for i in pypto.loop(2):\n    z = i is None',
    'bitand': 'for i in pypto.loop(2):\n    z = i & 1',
    'pow_': 'for i in pypto.loop(2):\n    z = i ** 2',
    'strfmt': 'for i in pypto.loop(2):\n    z = "%d" % i',
    'ttint': 'for i in pypto.loop(2):\n    z = int(x)',
    'ttlen': 'for i in pypto.loop(2):\n    z = len(x)',
    'ttbool': 'for i in pypto.loop(2):\n    z = bool(x)',
    'ttrange': 'for i in pypto.loop(2):\n    z = range(x)',
    'ttidx': 'for i in pypto.loop(2):\n    z = [1][x]',
    'ttfloat': 'for i in pypto.loop(2):\n    z = float(x)',
    'ttif': 'for i in pypto.loop(2):\n    if x:\n        pass',
    'ttnot': 'for i in pypto.loop(2):\n    z = not x',
    'ttand': 'for i in pypto.loop(2):\n    z = x and 1',
    'titer': 'for i in pypto.loop(2):\n    for k in x:\n        pass',
    'tlist': 'for i in pypto.loop(2):\n    z = list(x)',
    'tcmp': 'for i in pypto.loop(2):\n    if x > 1.0:\n        pass',
    'tassert': 'for i in pypto.loop(2):\n    assert x',
    'tsum': 'for i in pypto.loop(2):\n    z = sum(x)',
    'tmax': 'for i in pypto.loop(2):\n    z = max(x, x)',
    'tminf': 'for i in pypto.loop(2):\n    z = min(x)',
    'titem': 'for i in pypto.loop(2):\n    z = x.item()',
    'tlen2': 'for i in pypto.loop(2):\n    z = x.size(0)',
    'tT': 'for i in pypto.loop(2):\n    z = x.T',
    # Names with a value on some paths only, then their right forms.
    'oneside': 'for i in pypto.loop(2):\n    if pypto.cond(i == 0):\n        a = x * 2.0\n    z = a + 1.0',
    'elseside': 'for i in pypto.loop(2):\n    if i == 0:\n        pass\n    else:\n        a = x * 2.0\n    z = a + 1.0',
    'sidebehind': 'for i in pypto.loop(2):\n    if i == 0:\n        a = x * 2.0\nz = a + 1.0',
    'sidetop': 'if x.shape[0] > 16:\n    a = x * 2.0\nz = a + 1.0',
    'sidesymbol': 'for i in pypto.loop(2):\n    if i == 0:\n        n = i + 1\n    z = pypto.view(x, [1, 64], [n, 0])',
    'sidehelper': 'for i in pypto.loop(2):\n    z = on_one_side(x, i)',
    'tooearly': 'z = a + 1.0\na = x * 2.0',
    'sameside': 'for i in pypto.loop(2):\n    if i == 0:\n        a = x * 2.0\n    if i == 0:\n        z = a + 1.0',
    'bothsides': 'for i in pypto.loop(2):\n    if i == 0:\n        a = x * 2.0\n    else:\n        a = x * 3.0\n    z = a + 1.0',
    'sidebefore': 'a = x * 3.0\nfor i in pypto.loop(2):\n    if i == 0:\n        a = x * 2.0\n    z = a + 1.0',
    'sideunused': 'for i in pypto.loop(2):\n    if i == 0:\n        a = x * 2.0\n    z = x + 1.0',
    'sideint': 'for i in pypto.loop(2):\n    if i == 0:\n        n = 8\n    else:\n        n = 8\n    z = pypto.view(x, [n, 64], [0, 0])',
    'outerindex': 'for i in pypto.loop(2):\n    for j in pypto.loop(2):\n        if pypto.is_loop_begin(i):\n            z = x + 1.0',
    'otherindex': 'for i in pypto.loop(2):\n    if pypto.is_loop_end(i * 2):\n        z = x + 1.0',
    'tndim': 'for i in pypto.loop(2):\n    z = x.ndim',
    'ndefwith': 'def f(a):\n    with pypto.options():\n        pass\nf(x)',
    'ndeftry': 'def f(a):\n    try:\n        pass\n    except ValueError:\n        pass\nf(x)',
    'ndefimport': 'def f(a):\n    import math\nf(x)',
    'ndefglobal': 'def f(a):\n    global G\nf(x)',
    'ndefclass': 'def f(a):\n    class A:\n        pass\nf(x)',
    'ndefmatch': 'def f(a):\n    match 1:\n        case 1:\n            pass\nf(x)',
    'ndefwalrus': 'def f(a):\n    b = (c := 1)\nf(x)',
    'ndefforelse': 'def f(a):\n    for i in range(2):\n        pass\n    else:\n        pass\nf(x)',
    'ndefwhileelse': 'def f(a):\n    while False:\n        pass\n    else:\n        pass\nf(x)',
    'ndefendless': 'def f(a):\n    while True:\n        pass\nf(x)',
    'ndefwhile': 'def f(a):\n    i = 0\n    while i < 2:\n        i += 1\nf(x)',
    'ndefdef': 'def f(a):\n    def g(b):\n        y[:] = b * 2.0\n    g(a)\nf(x)',
    'ndefdefwith': 'def f(a):\n    def g(b):\n        with pypto.options():\n            pass\n    g(a)\nf(x)',
    'ndefraise': 'def f(a):\n    if a.shape[0] != 16:\n        raise ValueError(a)\nf(x)',
    'ndefunbound': 'def f(a):\n    y[:] = a * 2.0\nfor i in pypto.loop(2):\n    if i == 0:\n        a = x * 2.0\n    f(a)',
    'ndefreturn': 'def f(a):\n    for i in pypto.loop(2):\n        return a\n    return a\nf(x)',
    'ndefside': 'def f(a, i):\n    if i == 0:\n        return a\n    return a\nfor i in pypto.loop(2):\n    f(x, i)',
    'breakside': 'for i in pypto.loop(2):\n    for j in range(2):\n        if i == 0:\n            break',
    'continueside': 'for i in pypto.loop(2):\n    for j in range(2):\n        if i == 0:\n            continue',
    'breakinside': 'for i in pypto.loop(2):\n    if i == 0:\n        for j in range(2):\n            break',
    'helperreturn': 'z = leaves_loop(x)',
    'helperbreak': 'breaks_loop(y)',
    'helpercontinue': 'continues_loop(y)',
    'helperside': 'for i in pypto.loop(2):\n    z = leaves_condition(x, i)',
    'msumaxis': 'z = x.sum(axis=1)',
    'msum': 'z = x.sum(-1, True)',
    'maddalpha': 'z = x.add(x, alpha=2)',
    'mtransposeone': 'z = x.transpose(0)',
    'mtranspose': 'z = x.transpose(0, 1)',
    'mpermute': 'z = x.permute([1, 0])',
    'munsqueeze': 'z = x.unsqueeze()',
    'mmaximum': 'z = x.maximum(x, x)',
    'mreshape': 'z = x.reshape([64, 16])',
    'mview': 'z = x.view([8, 64], [0, 0])',
    'mviewkeyword': 'z = x.view([8, 64], offsets=[8, 0], valid_shape=[8, 64])',
    'massemble': 'y.assemble(x * 1.0, [0, 0])',
    'mamaxkeep': 'z = x.amax(-1, keep=True)',
    'mexp': 'z = x.exp().log()',
    'powtext': "z = x ** '2'",
    'pownone': 'z = x ** None',
    'powlist': 'z = [2] ** x',
    'modtext': "z = x % '2'",
    'modlist': 'z = [2] % x',
    'modformat': "z = '%s' % x.dim",
    'modnumber': 'z = x % 2.0',
    'floordivtext': "z = x // '2'",
    'floordivnumber': 'z = x // 2.0',
    'matmultext': "z = x @ '2'",
    'powfloat': 'z = x ** 2.0',
    'unrolltext': "for k in pypto.loop(2, unroll_list=['2', '1']):\n    z = x + 1.0",
    'unrollnone': 'for k in pypto.loop(2, unroll_list=[None]):\n    z = x + 1.0',
    'unrolllist': 'for k in pypto.loop(2, unroll_list=[[2]]):\n    z = x + 1.0',
    'helperknown': 'z = leaves_known_condition(y)',
}
# What the linter does not look for yet, by version.
NOT_FOUND = {
    "9.1": set((
        'asyncdef bitand cls comp eval foremptylist iadd inop opt2 rebind rebindold starassign strfmt '
        'sidebehind').split()),  # only its last iteration shows it
    "9.2": set('inop opt2 strfmt'.split()),
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--pypto", default="9.2")
    options = parser.parse_args()
    names = [name for name in STATEMENTS if name not in NOT_FOUND[options.pypto]]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for one in names:
            body = "\n".join("    " + line for line in STATEMENTS[one].split("\n"))
            (folder / (one + ".py")).write_text(PROGRAM % body, encoding="utf-8")
        done = subprocess.run([options.binary, "run", "--pypto", options.pypto, str(RUNNER), name, *names],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False)
        if not (folder / "ends.json").exists():
            print(done.stdout[-2000:])
            return 77 if "torch" in done.stdout else 1  # no torch, no launches
        ends = json.loads((folder / "ends.json").read_text(encoding="utf-8"))
        done = subprocess.run([options.binary, "check", name, "--rules", "KS", "--pypto", options.pypto, "--format",
                               "json"], stdout=subprocess.PIPE, check=False)
    found = {}
    for one in json.loads(done.stdout)["findings"]:
        if one["status"] == "FAIL":
            found.setdefault(pathlib.Path(one["file"]).stem, []).append(one["message"])
    wrong = refused = 0
    for one in names:
        status, text = ends[one]
        codes = re.findall(r"ErrCode: (F[0-9A-Z]{5})", text)
        code = codes[-1] if codes else "" if status == 0 else "an error without a code"
        refused += bool(code)
        if (not code and one in found) or (code and not any(code in text for text in found.get(one, ()))):
            wrong += 1
            print("%s: the simulator says %s, the linter %s" % (one, code or "nothing", found.get(one, "nothing")))
    print("%d statements, %d refused, %d wrong" % (len(names), refused, wrong))
    return 1 if wrong or refused < 80 else 0


if __name__ == "__main__":
    sys.exit(main())
