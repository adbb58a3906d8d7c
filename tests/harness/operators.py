"""Small operators whose kernels run in milliseconds in the simulator and pass the linter.

duet: two modules; the second has two outputs, one of them transcendental. trio: three modules of one
output each. ladder: one module with a state carried from step to step, for inspection.
"""

HEADER = ("# Derived from module_interfaces.yaml — do not hand-edit. "
          "On YAML changes, regenerate.\n")

IMPLEMENTATION = '''"""Phase {suffix} of {op}."""

import pypto
import torch

ROW_BLOCK = 16
ROW_TILE = 16
COL_TILE = 16


def view_rows(source, row_start, valid_rows, col_count):
    return pypto.view(
        source, [ROW_BLOCK, col_count], [row_start, 0], valid_shape=[valid_rows, col_count]
    )


def {op}_kernel_impl({names}, row_start, valid_rows, col_count):
    pypto.set_vec_tile_shapes(ROW_TILE, COL_TILE)
{views}
{body}
{stores}


@pypto.frontend.jit
def {op}_module{suffix}_kernel(
{parameters}
):
    row_count = x.shape[0]
    col_count = x.shape[1]
    block_count = (row_count + ROW_BLOCK - 1) // ROW_BLOCK
    for block in pypto.loop(block_count, name="row_blocks", idx_name="block"):
        row_start = block * ROW_BLOCK
        valid_rows = pypto.min(row_count - row_start, ROW_BLOCK)
        {op}_kernel_impl({names}, row_start, valid_rows, col_count)


def {op}_module{suffix}_wrapper({arguments}):
{allocations}
    {op}_module{suffix}_kernel({calls})
    return {returned}
'''

GOLDEN = HEADER + '''"""Reference of phase {suffix} of {op}."""

import torch


def {op}_module{suffix}_golden({arguments}):
{body}
    return ({returned},)
'''

INPUTS = '''"""Inputs for the suite of {op}."""

import os

import torch

DEVICE = torch.device("npu:" + os.environ.get("TILE_FWK_DEVICE_ID", "0"))
PRIMARY_INPUT_ORDER = ["x", "y"]


def make_inputs(case):
    """Return a dict with one tensor for each parameter of the golden."""
    rows, cols = case["shape"]["R"], case["shape"]["C"]
    torch.manual_seed(case.get("seed", 42))
    return {{
        "x": torch.rand(rows, cols, device=DEVICE) + 0.5,
        "y": torch.rand(rows, cols, device=DEVICE) + 0.5,
    }}
'''

INTERFACES = '''schema_version: 1
op: {op}

primary_inputs:
  - {{name: x, shape: "[R, C]", dtype: float32}}
  - {{name: y, shape: "[R, C]", dtype: float32}}

modules:
{modules}
final_outputs:
{finals}
composition_verification:
  atol: 0.0001
  rtol: 0.0001
  seeds: [0, 1, 2]
  shapes:
    - {{R: 16, C: 16}}
    - {{R: 20, C: 16}}
'''


def implementation(op, suffix, outputs, body):
    """Source of a phase: `outputs` are the parameters that the kernel writes, `body` computes
    them as <name>_tile from x_tile and y_tile."""
    tensors = ["x", "y"] + outputs
    row = "    %s: pypto.Tensor([pypto.DYNAMIC, 16], pypto.DT_FP32),"
    return IMPLEMENTATION.format(
        op=op, suffix=suffix, names=", ".join(tensors), arguments="x, y",
        views="\n".join("    %s_tile = view_rows(%s, row_start, valid_rows, col_count)" % (n, n)
                        for n in ("x", "y")),
        body="\n".join("    " + line for line in body),
        stores="\n".join("    pypto.assemble(%s_tile, [row_start, 0], %s)" % (n, n)
                         for n in outputs),
        parameters="\n".join(row % n for n in tensors),
        allocations="\n".join("    %s = torch.empty_like(x)" % n for n in outputs),
        calls=", ".join(tensors), returned=", ".join(outputs))


def golden(op, suffix, outputs, body):
    """Source of a phase's reference."""
    return GOLDEN.format(op=op, suffix=suffix, arguments="x, y", returned=", ".join(outputs),
                         body="\n".join("    " + line for line in body))


def final_golden(op, outputs, body):
    """Source of the user's reference of the whole operator."""
    return golden(op, "", outputs, body).replace(HEADER, "").replace("_module_golden", "_golden")


def case(identity, level, rows=16, **more):
    """A case of the suite."""
    made = {"id": identity, "level": level, "shape": {"R": rows, "C": 16}, "dtype": "float32"}
    made.update(more)
    return made


DUET_CASES = [
    case("L1_canonical", "L1", precision=False),
    case("L1_tail", "1", 20, precision=False),
    case("L2_canonical", "L2", atol=1e-4, rtol=1e-4),
    case("L2_tail", 2, 20, atol=1e-4, rtol=1e-4),
]

KERNELS = {
    "duet": {
        "1": (["s"], ["s_tile = pypto.add(x_tile, pypto.mul(y_tile, 2.0))"]),
        "12": (["p", "q"], ["s_tile = pypto.add(x_tile, pypto.mul(y_tile, 2.0))",
                            "p_tile = pypto.mul(s_tile, y_tile)",
                            "q_tile = pypto.exp(pypto.mul(s_tile, 0.25))"]),
    },
    "trio": {
        "1": (["a"], ["a_tile = pypto.add(pypto.mul(x_tile, 3.0), y_tile)"]),
        "12": (["b"], ["a_tile = pypto.add(pypto.mul(x_tile, 3.0), y_tile)",
                       "b_tile = pypto.mul(a_tile, y_tile)"]),
        "123": (["c"], ["a_tile = pypto.add(pypto.mul(x_tile, 3.0), y_tile)",
                        "b_tile = pypto.mul(a_tile, y_tile)",
                        "c_tile = pypto.sigmoid(b_tile)"]),
    },
}
GOLDENS = {
    "duet": {
        "1": (["s"], ["s = x + y * 2.0"]),
        "12": (["p", "q"], ["s = x + y * 2.0", "p = s * y", "q = torch.exp(s * 0.25)"]),
    },
    "trio": {
        "1": (["a"], ["a = x * 3.0 + y"]),
        "12": (["b"], ["b = (x * 3.0 + y) * y"]),
        "123": (["c"], ["c = torch.sigmoid((x * 3.0 + y) * y)"]),
    },
}
MODULES = {
    "duet": '''  - id: 1
    name: shift
    description: x plus twice y
    inputs:
      - {name: x, source: primary}
      - {name: y, source: primary}
    outputs:
      - {name: s, shape: "[R, C]", dtype: float32}
  - id: 2
    name: spread
    description: product with y, and the exponential
    inputs:
      - {name: s, source: module_1}
      - {name: y, source: primary}
    outputs:
      - {name: p, shape: "[R, C]", dtype: float32}
      - {name: q, shape: "[R, C]", dtype: float32}
''',
    "trio": '''  - id: 1
    name: triple
    description: three times x, plus y
    inputs:
      - {name: x, source: primary}
      - {name: y, source: primary}
    outputs:
      - {name: a, shape: "[R, C]", dtype: float32}
  - id: 2
    name: weigh
    description: times y
    inputs:
      - {name: a, source: module_1}
      - {name: y, source: primary}
    outputs:
      - {name: b, shape: "[R, C]", dtype: float32}
  - id: 3
    name: squash
    description: the logistic function
    inputs:
      - {name: b, source: module_2}
    outputs:
      - {name: c, shape: "[R, C]", dtype: float32}
''',
}
FINALS = {"duet": [("p", 2), ("q", 2)], "trio": [("c", 3)]}


def interfaces(op):
    """The contract of the modules."""
    return INTERFACES.format(
        op=op, modules=MODULES[op],
        finals="\n".join("  - {name: %s, source: module_%d}" % row for row in FINALS[op]) + "\n")


# The state of step t is the sum of the inputs up to t; x is [B, H, NT, C].
LADDER_IMPLEMENTATION = '''"""Phase 1 of ladder."""

import pypto
import torch

STEP_ROWS = 8
COL_TILE = 16


@pypto.frontend.jit
def ladder_module1_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, 16], pypto.DT_FP32),
    states: pypto.Tensor([pypto.DYNAMIC, 16], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(STEP_ROWS, COL_TILE)
    step_count = x.shape[0] // STEP_ROWS
    carried = pypto.tensor([STEP_ROWS, 16], pypto.DT_FP32, "carried")
    for step in pypto.loop(step_count, name="steps", idx_name="step"):
        row_start = step * STEP_ROWS
        x_tile = pypto.view(x, [STEP_ROWS, 16], [row_start, 0])
        if pypto.is_loop_begin(step):
            carried[:] = pypto.mul(x_tile, 1.0)
        else:
            carried[:] = pypto.add(carried, x_tile)
        pypto.assemble(pypto.mul(carried, 1.0), [row_start, 0], states)


def ladder_module1_wrapper(x, **buffers):
    steps = x.shape[2]
    flat = x.permute(2, 0, 1, 3, 4).reshape(steps * STEP_ROWS, 16).contiguous()
    states = torch.empty_like(flat)
    ladder_module1_kernel(flat, states)
    shaped = states.reshape(steps, 1, 1, STEP_ROWS, 16).permute(1, 2, 0, 3, 4)
    if "inspection_state" in buffers:
        buffers["inspection_state"].copy_(shaped)
    return shaped[0, 0, -1].contiguous()
'''
LADDER_GOLDEN = HEADER + '''"""Reference of phase 1 of ladder."""

import torch


def ladder_module1_golden(x):
    return (torch.sum(x[0, 0], dim=0),)


def module_1_inspect(x):
    return {"state": torch.cumsum(x, dim=2)}
'''
LADDER_INPUTS = '''"""Inputs for the suite of ladder."""

import os

import torch

DEVICE = torch.device("npu:" + os.environ.get("TILE_FWK_DEVICE_ID", "0"))
PRIMARY_INPUT_ORDER = ["x"]


def make_inputs(case):
    """Return a dict with one tensor for each parameter of the golden."""
    torch.manual_seed(case.get("seed", 42))
    return {"x": torch.rand(1, 1, case["shape"]["NT"], 8, 16, device=DEVICE)}
'''
LADDER_INTERFACES = '''schema_version: 1
op: ladder

primary_inputs:
  - {name: x, shape: "[B, H, NT, 8, 16]", dtype: float32}

modules:
  - id: 1
    name: climb
    description: sum over the steps
    inputs:
      - {name: x, source: primary}
    outputs:
      - {name: state, shape: "[8, 16]", dtype: float32}

final_outputs:
  - {name: state, source: module_1}

composition_verification:
  atol: 0.0001
  rtol: 0.0001
  seeds: [0]
  shapes:
    - {B: 1, H: 1, NT: 6}
'''


def ladder_files():
    """Relative path -> text."""
    return {
        "modules/ladder_module1_impl.py": LADDER_IMPLEMENTATION,
        "modules/ladder_module1_golden.py": LADDER_GOLDEN,
        "ladder_golden.py": LADDER_GOLDEN.replace(HEADER, "").replace("_module1", ""),
        "eval/test_inputs.py": LADDER_INPUTS,
        "eval/module_interfaces.yaml": LADDER_INTERFACES,
    }


def operator_files(op):
    """Relative path -> text of an operator of KERNELS."""
    files = {"eval/test_inputs.py": INPUTS.format(op=op),
             "eval/module_interfaces.yaml": interfaces(op)}
    for suffix, (outputs, body) in KERNELS[op].items():
        files["modules/%s_module%s_impl.py" % (op, suffix)] = implementation(
            op, suffix, outputs, body)
    for suffix, (outputs, body) in GOLDENS[op].items():
        files["modules/%s_module%s_golden.py" % (op, suffix)] = golden(op, suffix, outputs, body)
        files["%s_golden.py" % op] = final_golden(op, outputs, body)
    return files
