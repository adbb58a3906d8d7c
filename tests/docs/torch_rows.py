"""The rows of torch-to-pypto.md, run: the torch code on the host and the PyPTO code in a kernel give
the same. check_author_pages.py starts it in the simulator.

    pypto-lint run torch_rows.py ROWS.json      ROWS.json: [[torch code, PyPTO code], …]

Prints a line for each row that differs; the exit status says whether there is one.
"""
import json
import linecache
import sys

import pypto
import torch

DTYPES = {torch.float32: pypto.DT_FP32, torch.float16: pypto.DT_FP16, torch.bool: pypto.DT_BOOL,
          torch.int32: pypto.DT_INT32}


def tensors():
    """What the names of the page are here."""
    torch.manual_seed(3)
    x, y = torch.rand(16, 64) + 0.5, torch.rand(16, 64) + 0.5
    return {"x": x, "y": y, "mask": x > y, "other": x > 1.0, "a": torch.randn(32, 32),
            "b": torch.randn(32, 32), "bias": torch.randn(1, 32),
            "index": torch.stack([torch.randperm(64) for _ in range(16)]), "rows": torch.tensor([3, 1, 7]),
            "values": torch.rand(3, 64)}


NUMBERS = {"lowest": 0.7, "highest": 1.2, "columns": 64, "shape": [16, 64], "k": 8, "n": 5, "i": 8}


def as_on_device(value):
    """The first of several results, and 32-bit indexes, as PyPTO has them."""
    value = value[0] if isinstance(value, tuple) else value
    return value.to(torch.int32) if value.dtype is torch.int64 else value


def source_of(code, given, want, several):
    """A kernel that writes what the code gives into its last parameter."""
    parameters = [f"{name}: pypto.Tensor({list(value.shape)}, {DTYPES[value.dtype]})"
                  for name, value in given.items()]
    parameters.append(f"out: pypto.Tensor({list(want.shape)}, {DTYPES[want.dtype]})")
    tile = ", ".join(["8"] * max(want.dim() - 1, 1) + ["64"])
    return "\n".join([
        "@pypto.frontend.jit", f"def row_kernel({', '.join(parameters)}):",
        f"    pypto.set_vec_tile_shapes({tile})",
        "    pypto.set_cube_tile_shapes([16, 32], [16, 32], [16, 32])",
        f"    out[:] = ({code}){'[0]' if several else ''}", ""])


def check(torch_code, pypto_code):
    values = tensors()
    result = eval(torch_code, {"torch": torch, **NUMBERS, **values})
    want = as_on_device(result)
    used = compile(pypto_code, "row", "eval").co_names
    given = {name: as_on_device(value) for name, value in values.items() if name in used}
    given = given or {"x": values["x"]}
    source = source_of(pypto_code, given, want, isinstance(result, tuple)).replace("DataType.", "pypto.")
    name = f"<{pypto_code}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)  # the front end reads it
    space = {"pypto": pypto, **NUMBERS}
    exec(compile(source, name, "exec"), space)
    out = torch.empty(want.shape, dtype=want.dtype)
    space["row_kernel"](*given.values(), out)
    torch.testing.assert_close(out, want, rtol=1e-3, atol=1e-4)


def main():
    failed = 0
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = json.load(file)
    for torch_code, pypto_code in rows:
        try:
            check(torch_code, pypto_code)
        except Exception as error:  # a row that is wrong in any way is reported
            failed += 1
            print(f"{torch_code} is not {pypto_code}: {type(error).__name__}: {error}")
    print(f"{len(rows)} rows, {failed} differ")
    sys.exit(1 if failed or not rows else 0)


if __name__ == "__main__":
    main()
