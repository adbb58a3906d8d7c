#!/usr/bin/env python3
"""What the evaluator knows of torch's tensors in host code, against torch itself.

    host.py LINTER

Each line of host_expressions.txt is an expression for a tensor, with which a kernel is launched. What the evaluator knows
about it must agree with torch; a launch of a kernel whose annotation is what torch says must have no finding. The evaluator
may know less than torch, but must know everything about at least `KNOWN` of the tensors.
"""
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

try:
    import numpy
    import torch
    import torch.nn.functional
except ImportError:
    sys.exit(77)

KNOWN = 420
EACH = 16  # in one file
SETUP = """
    x = torch.randn(4, 8, 16)
    h = torch.randn(4, 8, 16).half()
    m = torch.randn(8, 16)
    i = torch.randint(0, 9, (8, 16))
    i32 = torch.randint(0, 9, (8, 16), dtype=torch.int32)
    i8 = torch.ones(8, 16, dtype=torch.int8)
    u8 = torch.ones(8, 16, dtype=torch.uint8)
    b = torch.ones(8, 16, dtype=torch.bool)
    r = torch.randn(16)
    c = torch.randn(8, 1)
    s = [4, 8]
"""
IMPORTS = "import math\nimport numpy as np\nimport pypto\nimport torch\nimport torch.nn.functional as F\n"
# A kernel and its launch; `known = a` shows what is known about the parameter.
KERNEL = """
@pypto.frontend.jit
def kernel_%d(a: pypto.Tensor(%s), y: pypto.Tensor()):
    known = a
    y[:] = known


def test_%d():%s    kernel_%d(%s, torch.zeros(1))

"""
NAMES = {torch.float32: "FP32", torch.float16: "FP16", torch.bfloat16: "BF16", torch.float64: "DOUBLE",
         torch.int8: "INT8", torch.int16: "INT16", torch.int32: "INT32", torch.int64: "INT64",
         torch.uint8: "UINT8", torch.bool: "BOOL"}


def by_torch(expression):
    """The sizes and the data type of the tensor, or None where this torch does not have the function."""
    names = {"torch": torch, "np": numpy, "F": torch.nn.functional, "math": math}
    try:
        exec("if True:" + SETUP, names)
        tensor = eval(expression, names)
    except (RuntimeError, TypeError, AttributeError):
        return None
    return [str(size) for size in tensor.shape] or ["1"], "DT_" + NAMES[tensor.dtype]


def check(linter, expressions, annotations):
    """What the linter says of their launches, and the lines of `known = a`."""
    text, lines = IMPORTS, []
    for number, (expression, annotation) in enumerate(zip(expressions, annotations)):
        lines.append(text.count("\n") + 4)
        text += KERNEL % (number, annotation, number, SETUP, number, expression)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "kernel_impl.py")
        path.write_text(text, encoding="utf-8")
        command = [linter, "check", "--no-config", "--no-exec", "--show-types", "--rules", "KS17", str(path)]
        return subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8").stdout, lines


def by_evaluator(linter, expressions):
    """For each of them the sizes, or None, and the data type; `?` stands for what is not known."""
    out, lines = check(linter, expressions, [""] * len(expressions))
    facts = dict(re.findall(r":(\d+):\d+ known: tensor (.*)", out))
    for line in lines:
        sizes, dtype = re.match(r"(?:\[(.*?)\]|\?) (\w+|\?)", facts.get(str(line), "? ?")).groups()
        yield sizes if sizes is None else sizes.split(", "), dtype


def differs(known, real):
    sizes, dtype = known
    wrong = sizes is not None and (len(sizes) != len(real[0]) or
                                   any(one not in ("?", other) for one, other in zip(sizes, real[0])))
    return wrong or dtype not in ("?", real[1])


def main():
    warnings.simplefilter("ignore")
    text = pathlib.Path(__file__).with_name("host_expressions.txt").read_text(encoding="utf-8")
    real = {line: by_torch(line) for line in text.splitlines()}
    lines = [line for line in real if real[line] is not None]
    wrong = whole = 0
    for at in range(0, len(lines), EACH):
        part = lines[at:at + EACH]
        out, _ = check(sys.argv[1], part, ["[%s], pypto.%s" % (", ".join(real[line][0]), real[line][1]) for line in part])
        if "KS17" in out:
            wrong += 1
            print(out)
        for line, known in zip(part, by_evaluator(sys.argv[1], part)):
            whole += known == real[line]
            if differs(known, real[line]):
                wrong += 1
                print(f"{line}: known as {known}, but it is {real[line]}")
    print(f"{len(lines)} expressions, everything is known about {whole}")
    return 1 if wrong or whole < KNOWN else 0


if __name__ == "__main__":
    sys.exit(main())
