"""Kernels that the tests of the server edit."""

# OL48 (S0) at the tile: the first axis is known on the device only.
FIXED = "pypto.Tensor([64, 128], pypto.DT_FP32)"
HEAD = f"""import pypto


@pypto.frontend.jit
def scale(x: {FIXED}, y: pypto.Tensor([pypto.DYNAMIC], pypto.DT_FP32), out: {FIXED}):
"""
BODY = """    rows = y.shape[0]
    pypto.set_vec_tile_shapes(rows, 128)
    for i in pypto.loop(4, name="LOOP", idx_name="i"):
        part = pypto.view(x, [16, 128], [i * 16, 0])
        pypto.assemble(pypto.mul(part, 2.0), [i * 16, 0], out)
"""
KERNEL = HEAD + BODY
# Where OL48 is: `rows` in the call.
TILE_LINE = KERNEL.split("\n").index("    pypto.set_vec_tile_shapes(rows, 128)")
TILE = (TILE_LINE, 30, TILE_LINE, 34)


def rule(items, code):
    """The one diagnostic of a rule."""
    found = [item for item in items if item["code"] == code]
    assert len(found) == 1, (code, items)
    return found[0]


def codes(items):
    return sorted(item["code"] for item in items)


def place(item):
    start, end = item["range"]["start"], item["range"]["end"]
    return start["line"], start["character"], end["line"], end["character"]
