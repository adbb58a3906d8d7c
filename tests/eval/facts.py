#!/usr/bin/env python3
"""What a language server asks: the innermost fact at a byte of a kernel.

    facts.py EVAL_DRIVE
"""
import pathlib
import subprocess
import sys
import tempfile

PROGRAM = """import pypto


@pypto.frontend.jit
def kernel(x: pypto.Tensor([64, 48], pypto.DT_FP32), y: pypto.Tensor([64, 48], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 48)
    rows = x.shape[0]
    half = pypto.exp(pypto.view(x, [rows, 48], [0, 0]))
    y[:] = half
"""
# (text, occurrence of its first byte, what is known there)
EXPECTED = (("rows =", "int   64"), ("half =", "tensor [64, 48] DT_FP32"),
            ("pypto.exp", "tensor [64, 48] DT_FP32"), ("pypto.view", "tensor [64, 48] DT_FP32"),
            ("pypto.set_vec", "None   None"))


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "kernel_impl.py")
        path.write_text(PROGRAM, encoding="utf-8")
        out = subprocess.run([sys.argv[1], "--facts", str(path)], stdout=subprocess.PIPE, encoding="utf-8",
                             check=True).stdout
    found = dict(line.strip().split(": ", 1) for line in out.splitlines()[1:])
    wrong = [(text, found.get(str(PROGRAM.index(text)))) for text, known in EXPECTED
             if found.get(str(PROGRAM.index(text)), "").strip() != known]
    for text, got in wrong:
        print(f"{text}: {got}")
    # After the inner call the outer one counts again.
    if str(PROGRAM.index(", [rows") + len(", [rows, 48], [0, 0])")) not in found:
        wrong.append("the end of the inner call")
        print(out)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
