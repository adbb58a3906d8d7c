#!/usr/bin/env python3
"""The same mistake has the same code and the same words in a run and in the linter.

    words.py PYPTO_LINT EVAL_DRIVE [--pypto 9.1|9.2] [--list]

Each mistake is one statement of a kernel in which everything is known: the simulator must refuse it, and the
linter's first finding must name its code and say its message.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

from fixtures import MOVED
from verdicts import refusals

KERNEL = """import pypto
import torch


@pypto.frontend.jit
def words_kernel(x: pypto.Tensor([16, 32], pypto.DT_FP32), h: pypto.Tensor([16, 32], pypto.DT_FP16),
                 i: pypto.Tensor([16, 32], pypto.DT_INT32), u: pypto.Tensor([60], pypto.DT_UINT8),
                 y: pypto.Tensor([16, 32], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 32)
    pypto.set_cube_tile_shapes([16, 16], [16, 16], [16, 16])
    pypto.set_conv_tile_shapes(pypto.pypto_impl.TileL1Info(1, 1, 16, 16))
    m = pypto.tensor([1, 16, 8, 8], pypto.DT_FP16)
    w = pypto.tensor([16, 16, 3, 3], pypto.DT_FP16)
    for step in pypto.loop(2, name="steps", idx_name="step"):
        t = pypto.tensor([16, 32], pypto.DT_FP32)
        t[:] = x
        %s
    y[:] = x


def test_words():
    words_kernel(torch.zeros(16, 32), torch.zeros(16, 32, dtype=torch.float16),
                 torch.zeros(16, 32, dtype=torch.int32), torch.zeros(60, dtype=torch.uint8),
                 torch.zeros(16, 32))


if __name__ == "__main__":
    test_words()
"""
# Functions of the package, by what is wrong: a kind of argument, a number, a list, a form.
MISTAKES = """
pypto.view(1, [8, 32], [0, 0])
pypto.view(x, [8, 32])
pypto.view(x, [8, 32], [0, 0], dtype=pypto.DT_FP16)
pypto.view(x, 8, [0, 0])
pypto.view(x, [8, 32.0], [0, 0])
pypto.view(x, [8, True], [0, 0])
pypto.view(x, [step, 32], [0, 0])
pypto.view(x, [8, 32], [0, "0"])
pypto.view(x, [8, 32], [0, 0], valid_shape=[8, None])
pypto.view(x, [1, 1, 1, 1, 1, 1], [0, 0])
pypto.view(x, [8, 32], [0])
pypto.view(x, [8, 32], [12, 0], valid_shape=[8, 32])
pypto.view(x, [8, 32], [8 + step * 8, 0], valid_shape=[pypto.min(16 - step, 8), 32])
pypto.view(x, dtype=16)
pypto.assemble(x, [0, 0], 3)
pypto.assemble(2.5, [0, 0], t)
pypto.assemble([(x, [0, 0]), x], t)
pypto.assemble([(x, [0, 0], 1)], t)
pypto.assemble(x, [0, 0], t, parallel="yes")
pypto.assemble(x, 0, t)
pypto.assemble(h, [0, 0], t)
pypto.assemble(x, [step * 8, 0], y)
pypto.assemble(pypto.full([8, 8], 0.0, pypto.DT_FP32), [8, 24 + step * 4], y)
pypto.reshape(x, [32.0, 16])
pypto.reshape(x, 512)
pypto.reshape(x, [step, 16])
pypto.reshape(x, [16, 32], inplace=2.0)
pypto.reshape(x, [16, 33])
pypto.concat(x, 0)
pypto.concat([x], 0)
pypto.concat([x, 1.0], 0)
pypto.concat([x, x], 1.0)
pypto.concat([x, x], 5)
pypto.cast(x, 16)
pypto.cast(x, pypto.DT_FP16, 1)
pypto.cast(x, pypto.DT_FP16, pypto.CastMode.CAST_RINT, True)
pypto.cast(1.0, pypto.DT_FP16)
pypto.full([16, 32], None, pypto.DT_FP32)
pypto.full([16, 32], "0", pypto.DT_FP32)
pypto.full(16, 0.0, pypto.DT_FP32)
pypto.full([16, 32], 0.0, "float")
pypto.full([step, 32], 0.0, pypto.DT_FP32)
pypto.zeros(dtype=pypto.DT_FP32)
pypto.zeros(16, "32")
pypto.ones([16, 32], dtype=7)
pypto.arange("16")
pypto.arange(0, x)
pypto.arange(0.0, 1e999)
x.fill_("0")
t.fill_(x)
t.tril_(0.5)
t.triu_("0")
pypto.uniform([16, 32], 1, [0, 0], [1], pypto.DT_FP32)
pypto.uniform([16, 32], [1], [0], [1], pypto.DT_FP32)
pypto.normal([16, 32], [1], [0, 0], [2], pypto.DT_FP32)
pypto.axpy_(t, 2.0)
pypto.axpy_(t, x, "2")
pypto.clip(2, 0.0, 1.0)
pypto.clip(x, "0", 1.0)
pypto.scatter(x, 0, 1, x)
pypto.scatter(x, "0", i, x)
pypto.scatter(x, 0, i, x, reduce="mean")
pypto.scatter_(t, 0, i, x, reduce=1)
pypto.scatter(x, 0, i, [1.0])
pypto.index_add(x, 0, i, 1.0)
pypto.index_add_(t, 0.5, i, x)
pypto.index_add(x, 0, i, x, alpha=None)
pypto.index_put_(t, i, x)
pypto.index_put_(t, [1], x)
pypto.index_put_(t, (i,), 1.0)
pypto.index_put_(t, (i,), x, accumulate="no")
pypto.quant_mx(1.0)
pypto.quant_mx(h, 1)
pypto.quant_mx(h, pypto.DT_FP8E4M3, 1)
pypto.quant_mx(h, axis=0.5)
pypto.quant_mx(h, performance_mode="fast")
pypto.var(1.0)
pypto.var(x, "0")
pypto.var(x, [0, 1.0])
pypto.var(x, 0, "1")
pypto.var(x, 0, 1, "yes")
pypto.var(x, 7)
pypto.conv(1, w, pypto.DT_FP16, [1, 1], [1, 1, 1, 1], [1, 1])
pypto.conv(m, w, "half", [1, 1], [1, 1, 1, 1], [1, 1])
pypto.conv(m, w, pypto.DT_FP16, [1], [1, 1, 1, 1], [1, 1])
pypto.conv(m, w, pypto.DT_FP16, "ab", [1, 1, 1, 1], [1, 1])
pypto.conv(m, w, pypto.DT_FP16, [1.5, 1], [1, 1, 1, 1], [1, 1])
pypto.conv(m, w, pypto.DT_FP16, [1, 2000], [1, 1, 1, 1], [1, 1])
pypto.conv(m, w, pypto.DT_FP16, [1, 1], [1, -1, 1, 1], [1, 1])
pypto.conv(m, w, pypto.DT_FP16, [1, 1], [1, 1, 1], [1, 1])
pypto.conv(m, w, pypto.DT_FP16, [1, 1], [1, 1], [1, 1], transposed=True)
pypto.conv(m, w, pypto.DT_FP16, [1, 1], [1, 1], [1, 1], output_paddings=[1, 1])
pypto.conv(m, w, pypto.DT_FP16, [1, 1], [1, 1], [1, 1], groups=1.5)
pypto.conv(m, w, pypto.DT_FP16, [1, 1], [1, 1], [1, 1], extend_params=3)
pypto.conv(m, w, pypto.DT_FP16, [1, 1], [1, 1], [1, 1], extend_params={"bias_tensor": 3})
pypto.matmul(x, 1, pypto.DT_FP32)
pypto.matmul(1, x, pypto.DT_FP32)
pypto.matmul(x, x, "float", b_trans=True)
pypto.matmul(x, x, pypto.DT_FP32, b_trans="yes")
pypto.matmul(x, x, pypto.DT_FP32, c_matrix_nz=0.5)
pypto.matmul(x, x, pypto.DT_FP32, b_trans=True, extend_params=[1])
pypto.matmul(x, x, pypto.DT_FP32, b_trans=True, extend_params={"scale": "1"})
pypto.matmul(x, x, pypto.DT_FP32, b_trans=True, extend_params={"relu_type": 1})
pypto.matmul(x, x, pypto.DT_FP32, b_trans=True, extend_params={"bias_tensor": 1})
pypto.matmul(x, x, pypto.DT_FP32)
pypto.scaled_mm(x, x, pypto.DT_FP32, 1.0, x)
x @ x
pypto.sigmoid(1.0)
pypto.sigmoid(i > 1.0)
pypto.softmax(2, 0)
pypto.softmax(x, "0")
pypto.softmax(x, 7)
pypto.rms_norm(i)
pypto.rms_norm(x, 1.0)
pypto.rms_norm(x, None, "1e-6")
pypto.experimental.nop(x)
pypto.experimental.nop([x, 1])
t.move(1.0)
t[:] = 1.0
t[...] = [1.0]
x[0:step]
x[0:8:2]
x[0:1.5]
x["0":]
x[0, 0, 0]
x[..., ..., 0]
x[1.5]
x[None]
x[True]
x["a":i]
t[0:8] = 1.0
t[0:8, 0] = x
t[0:8, 0:32:2] = x
t[0, 0] = 1.5
t[0, 0] = 1
i[0, 0] = 1.5
t[0:8] = i
t[1.5] = x
t[0, 0, 0] = x
2.0 // i
2.0 - pypto.gt(x, 0.0)
x[0:8].view([8, 32])
h.softmax(None)
pypto.exp(1.0)
pypto.add(1.0, x)
pypto.add(x, "1")
pypto.add(x, [1])
pypto.add(x, None)
x + h
x * i
pypto.ceil_div(i, 1.5)
pypto.ceil_div(1, i)
pypto.fmod("x", 1.0)
pypto.gcd(1, i)
pypto.maximum(1.0, 2.0)
pypto.minimum("a", x)
pypto.remainder(1.0, 2.0)
pypto.div(x, 2.0, precision_type=1)
pypto.pow(2.0, x)
pypto.hypot(x, 1.0)
pypto.gt(x, 1)
pypto.eq(1.0, x)
x > 1
pypto.where(x, x, x)
pypto.where(1, x, x)
pypto.where(x > 0.0, "a", x)
pypto.bitwise_and(i, 1.0)
pypto.bitwise_or(True, i)
pypto.bitwise_left_shift(1, 2)
pypto.sum("x", 0)
pypto.sum(x, 0.5)
pypto.sum(x, None)
pypto.sum(x, 0, keepdim="yes")
pypto.sum(x, 0, keepdim=0.5)
pypto.amax(x, [0])
pypto.argmax(x, "0")
pypto.cumsum(x, x)
pypto.unsqueeze(x, 0.0)
pypto.transpose(x, 0, None)
pypto.permute(x, 1)
pypto.permute(x, [0, 1.0])
pypto.permute(x, [0, step])
pypto.expand_clone(x, 16)
pypto.expand_clone(x, [step, 32])
pypto.expand_clone(x, [16, 32], valid_shape=16)
pypto.round(x, "0")
pypto.lrelu(x, "0")
pypto.prelu(x, 1.0)
pypto.pad(x, 4)
pypto.pad(x, [0, 4], mode="reflect")
pypto.pad(x, [0, 4], value=None)
pypto.fillpad(x, "edge")
pypto.tril(x, 0.5)
pypto.triu(x, "0")
pypto.interleave(x, 1.0)
pypto.topk(x, 2.0)
pypto.topk(x, 2, largest="yes")
pypto.topk(x, 2, algo=1)
pypto.topk(x, 2, dim=0.5)
pypto.argsort(x, dim="0")
pypto.argsort(x, descending=None)
pypto.one_hot(i, 4.0)
pypto.gather(x, 0, 1)
pypto.gather(x, None, i)
pypto.index_select(x, 0, [1])
pypto.scatter_update(x, 0, i, 1.0)
pypto.quantize(x, 1.0, pypto.DT_INT8, 0)
pypto.quantize(x, x, 1, 0)
pypto.dequantize(x, x, pypto.DT_FP32, None)
pypto.atomic_add(x, 0, t)
pypto.atomic_add(x, [0, 0], 1)
pypto.logical_and(x, 1.0)
pypto.logical_not(1)
pypto.clone([x])
"""


# The same in 9.2, which has more functions and refuses more.
MISTAKES_9_2 = """
pypto.pack(1)
pypto.pack(pypto.gt(x, 0.0))
pypto.unpack(x, pypto.DT_FP16)
pypto.unpack(u, 1)
pypto.unpack(u, pypto.DT_INT64)
pypto.where(x > 0.0, x, h)
pypto.where(x > 0.0, h, 1.5)
pypto.fmod(x, 1e999)
pypto.full([16, 32], -1, pypto.DT_UINT8)
pypto.full([16, 32], -0.1, pypto.DT_UINT8)
pypto.full([16, 32], -1.5e-07, pypto.DT_UINT16)
pypto.full([16, 32], -12345678901234567890.0, pypto.DT_UINT32)
pypto.full([16, 32], pypto.Element(pypto.DT_INT8, -3), pypto.DT_UINT8)
"""


def mistakes(version):
    """The statements."""
    return (MISTAKES + (MISTAKES_9_2 if version == "9.2" else "")).split("\n")[1:-1]


def run(binary, folder, names, version):
    """{name: (code, message) of what the simulator refuses, or None}"""
    found = {}
    for name, (code, text) in refusals(binary, folder, names, version).items():
        errors = re.findall(r"ErrCode: (F[0-9A-Z]{5})(?:, \w+: |! Enum: \w*\n)(.*)", text)
        found[name] = errors[-1] if code is not None and errors else None
    return found


def lint(drive, folder, names):
    """{name: [(code, message, is certain)]} of the linter."""
    done = subprocess.run([drive, *[str(folder / (name + ".py")) for name in names]],
                          stdout=subprocess.PIPE, encoding="utf-8", check=True)
    found, current = {}, None
    for line in done.stdout.splitlines():
        head = re.match(r"\S*/(\w+)\.py: \d+ kernels", line)
        one = re.match(r"  \d+: KS\d\d (certain|likely) (.*?) \((F[0-9A-Z]{5})\)", line)
        if head:
            current = found.setdefault(head.group(1), [])
        elif one and current is not None:
            current.append((one.group(3), one.group(2), one.group(1) == "certain"))
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("drive")
    parser.add_argument("--pypto", default="9.2")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    statements = [one for one in mistakes(options.pypto) if one]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        names = [f"w{i:03}" for i in range(len(statements))]
        for one, statement in zip(names, statements):
            (folder / (one + ".py")).write_text(KERNEL % statement, encoding="utf-8")
        refused = run(options.binary, folder, names, options.pypto)
        found = lint(options.drive, folder, names)
    wrong, codes = 0, MOVED if options.pypto == "9.2" else {}  # eval_drive says the older ones
    for one, statement in zip(names, statements):
        said = [entry[:2] for entry in found.get(one, ()) if entry[2]]
        if options.list:
            print(f"{statement}\n    {refused[one]}")
        if refused[one] is None:
            wrong += 1
            print(f"{statement}: the simulator accepts it, or has no words\n    linter: {said}")
        elif [(codes.get(code, code), text) for code, text in said[:1]] != [refused[one]]:
            wrong += 1
            print(f"{statement}:\n    run:    {refused[one]}\n    linter: {said}")
    print(f"{len(statements)} mistakes, {wrong} that are not the same")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
