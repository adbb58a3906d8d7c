"""One small edit of a sample operator for each rule, after which that rule and no other objects.

A break is (rule, sample, how it is run, status, edits). An edit is (file, old, new): the old text
occurs exactly once and is replaced; with the old text "" the new text is appended; with the new
text None the file is deleted.

Those of the linter's own rules lie with their fixtures: tests/fixtures/KSnn/break.json.
"""

import json
import pathlib
import textwrap

SOFTMAX = "softmax"
NORM = "gated_rmsnorm"
MODULE1 = "modules/gated_rmsnorm_module1_impl.py"
IMPL = "softmax_impl.py"
TEST = "test_softmax.py"
STATE = ".orchestrator_state.json"
CONTRACT = "eval/module_interfaces.yaml"

X = "    x: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_FP32),\n"
Y = "    y: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_FP32),\n"
ROWS = "    row_count = x.shape[0]\n"
LOOP = '    for block in pypto.loop(block_count, name="row_blocks", idx_name="block"):\n'
BODY = """        row_start = block * ROW_BLOCK
        valid_rows = pypto.min(row_count - row_start, ROW_BLOCK)
"""
STEP = "        softmax_kernel_impl(x, y, row_start, valid_rows, col_count)\n"
LAUNCH = "    softmax_kernel(x, y)\n"
TILE = "    pypto.set_vec_tile_shapes(ROW_TILE, COL_TILE)\n"
RMS_STEP = """\
        rms_norm_kernel_impl(x, weight, normed, row_start, valid_rows, col_count, inv_width)
"""

SECOND_KERNEL = f"""

@pypto.frontend.jit
def softmax_one_block(
{X}{Y}):
    for block in pypto.loop(1):
        softmax_kernel_impl(x, y, block, ROW_BLOCK, COL_TILE)
"""


def one_level_out(code):
    return textwrap.indent(textwrap.dedent(code), "    ")


HELPER = f"""def all_rows(x, y, row_count, col_count, block_count):
{LOOP}{BODY}{STEP}
"""

TEST_KERNEL = f"""

@pypto.frontend.jit
def copy_kernel(
{X}{Y}):
    y[:] = x
"""

BREAKS = [
    # Specification, API report, golden, design: stages 1 to 4.
    ("OL09", SOFTMAX, "stage 1", "FAIL",
     [("SPEC.md", "## 4. 精度要求 (precision)", "## 4. Tolerance")]),
    ("OL10", SOFTMAX, "stage 1", "FAIL", [("API_REPORT.md", "API 映射 (API mapping)", "Functions used")]),
    ("OL11", SOFTMAX, "stage 2", "FAIL",
     [("softmax_golden.py", "import torch\n", "import torch\nimport torch.missing\n")]),
    ("OL59", SOFTMAX, "stage 2", "FAIL", [("GOLDEN_PERF_REPORT.md", "", None)]),
    ("OL12", SOFTMAX, "stage 3", "FAIL", [("DESIGN.md", "验证方案 (verification plan)", "Tests")]),
    ("OL12", NORM, "stage 4", "FAIL",
     [("DESIGN.md", "数据切分 (splitting and tiling)", "Splitting")]),
    ("OL15", SOFTMAX, "stage 3", "FAIL",
     [("softmax_golden.py", "import torch\n", "import pypto\nimport torch\n")]),
    ("OL55", SOFTMAX, "stage 4", "FAIL", [("DESIGN.md", "pypto.amax(", "pypto.row_max(")]),
    ("OL56", SOFTMAX, "stage 4", "FAIL",
     [("DESIGN.md", 'pypto.loop(block_count, name="row_blocks")',
       'pypto.loop(block_count, name="row_blocks", unroll_list=[8, 4])')]),
    # Progress of the workflow.
    ("OL24", SOFTMAX, "stage 1", "FAIL",
     [(STATE, '"rollback_history": []', '"rollback_history": {}')]),
    ("OL24", SOFTMAX, "stage 5", "WARN", [(STATE, '  "max_stage": 7,\n', "")]),
    ("OL13", SOFTMAX, "stage 5", "FAIL", [("README.md", "", None)]),
    ("OL14", SOFTMAX, "stage 6", "FAIL", [(STATE, '"5": "completed"', '"5": "in_progress"')]),
    ("OL44", NORM, "stage 5", "FAIL", [("modules/gated_rmsnorm_module12_golden.py", "", None)]),
    ("OL53", SOFTMAX, "stage 5", "FAIL",
     [("MEMORY.md", "`pypto_row_softmax` | ✅ |\n\n", "`pypto_row_softmax` | TODO |\n\n")]),
    ("OL54", NORM, "phase M1", "FAIL",
     [("MEMORY.md", "- [x] inventory rows 1 to 4", "- [ ] inventory rows 1 to 4")]),
    ("OL61", SOFTMAX, "stage 5", "FAIL",
     [("MEMORY.md", "- [x] [S0] the tile shape", "- [-] [S0] the tile shape")]),
    # Documents against code.
    ("OL30", SOFTMAX, "stage 5", "FAIL",
     [("SPEC.md", "dtypes: [float32]", "dtypes: [float32, float16]")]),
    ("OL31", NORM, "stage 5", "FAIL",  # a plain pypto.Tensor: OL29 looks past it
     [(MODULE1, "x: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_BF16)",
       "x: pypto.Tensor"),
      (MODULE1, "weight: pypto.Tensor([1, pypto.STATIC], pypto.DT_BF16)", "weight: pypto.Tensor"),
      (MODULE1, "normed: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_FP32)",
       "normed: pypto.Tensor")]),
    ("OL32", SOFTMAX, "stage 5", "WARN", [(TEST, "ATOL = 0.00001", "ATOL = 0.0001")]),
    ("OL33", SOFTMAX, "stage 5", "WARN",
     [("softmax_golden.py", "(x: torch.Tensor)", "(x: torch.Tensor, dim: int)")]),
    ("OL34", SOFTMAX, "stage 5", "WARN",
     [("SPEC.md", "p0_shapes: [[64, 512],", "p0_shapes: [[65, 512],")]),
    ("OL37", SOFTMAX, "stage 5", "INFO",
     [(IMPL, f"{ROWS}    col_count = x.shape[1]\n    block_count = (row_count +",
       "    rows, cols = x.shape\n    blocks = (rows +"),
      (IMPL, LOOP, LOOP.replace("block_count", "blocks")),
      (IMPL, BODY, BODY.replace("row_start", "first").replace("valid_rows", "valid")
       .replace("row_count", "rows")),
      (IMPL, STEP, "        softmax_kernel_impl(x, y, first, valid, cols)\n")]),
    ("OL39", SOFTMAX, "stage 5", "FAIL",
     [("API_REPORT.md", "---\nschema_version", "--- \nschema_version")]),
    ("OL40", SOFTMAX, "stage 5", "FAIL", [("API_REPORT.md", "op_name: softmax\n", "")]),
    ("OL41", SOFTMAX, "stage 5", "FAIL",
     [("README.md", "", "\n[pypto-op-lint] all rules pass\n")]),
    ("OL43", NORM, "stage 5", "FAIL",
     [(MODULE1, LOOP + BODY + RMS_STEP, "    block = 0\n" + one_level_out(BODY + RMS_STEP))]),
    ("OL50", SOFTMAX, "stage 5", "FAIL",
     [(CONTRACT, "\nmodules:\n", "  - {name: scale}\n\nmodules:\n")]),
    ("OL51", SOFTMAX, "stage 5", "FAIL",
     [(CONTRACT, "  - {name: y, source: module_1}\n",
       "  - {name: y, source: module_1}\n  - {name: peak, source: module_1}\n")]),
    # The kernel file.
    ("OL01", SOFTMAX, "stage 5", "FAIL", [(IMPL, "", SECOND_KERNEL)]),
    ("OL02", SOFTMAX, "stage 5", "FAIL", [(IMPL, ROWS, "    x = pypto.mul(x, 1.0)\n" + ROWS)]),
    ("OL03", SOFTMAX, "stage 5", "FAIL", [(IMPL, STEP, STEP + "    return\n")]),
    ("OL04", SOFTMAX, "stage 5", "FAIL", [(IMPL, TILE, "")]),
    ("OL05", SOFTMAX, "stage 5", "FAIL", [(IMPL, Y, "    y,\n")]),
    ("OL06", SOFTMAX, "stage 5", "FAIL", [(IMPL, "pypto.min(", "min(")]),
    ("OL07", SOFTMAX, "stage 5", "FAIL",
     [(IMPL, "import pypto\n", "import pypto\nfrom pypto import view\n")]),
    ("OL08", NORM, "phase M1", "FAIL",
     [(MODULE1, "def gated_rmsnorm_module1_wrapper", "async def gated_rmsnorm_module1_wrapper")]),
    ("OL16", SOFTMAX, "stage 5", "FAIL",
     [(IMPL, "import torch\n", "import torch\n\nfrom softmax_golden import softmax_golden\n")]),
    ("OL23", SOFTMAX, "stage 5", "WARN",  # the loop moves into a helper
     [(IMPL, LOOP + BODY + STEP, "    all_rows(x, y, row_count, col_count, block_count)\n"),
      (IMPL, "# J: JIT entry\n", HELPER)]),
    ("OL25", SOFTMAX, "stage 5", "FAIL",
     [(IMPL, Y, "    y: pypto.Tensor([], pypto.DT_FP32),\n")]),
    ("OL26", SOFTMAX, "stage 5", "FAIL", [(IMPL, X + Y, X + "    count: int,\n" + Y)]),
    ("OL28", NORM, "stage 5", "WARN",
     [("gated_rmsnorm_impl.py", ROWS, "    pypto.sigmoid(x)\n" + ROWS)]),
    ("OL29", NORM, "phase M1", "WARN",
     [(MODULE1, "x: pypto.Tensor([pypto.DYNAMIC, pypto", "x: pypto.Tensor([256, pypto"),
      (MODULE1, "normed: pypto.Tensor([pypto.DYNAMIC, pypto",
       "normed: pypto.Tensor([256, pypto")]),
    ("OL45", SOFTMAX, "stage 5", "FAIL",
     [(IMPL, LAUNCH, "    for _ in range(2):\n    " + LAUNCH)]),
    ("OL46", SOFTMAX, "stage 5", "WARN",
     [(IMPL, "    pypto.assemble(prob_tile, [row_start, 0], y)\n",
       "    for _ in pypto.loop(1):\n        for _ in pypto.loop(2):\n"
       "            pypto.assemble(prob_tile, [row_start, 0], y)\n")]),
    ("OL47", NORM, "stage 5", "INFO",
     [("gated_rmsnorm_impl.py", "    x_tile = view_rows(x,",
       TILE + "    x_tile = view_rows(x,")]),
    ("OL48", SOFTMAX, "stage 5", "FAIL",
     [(IMPL, ROWS, ROWS + "    pypto.set_vec_tile_shapes(row_count, 512)\n")]),
    ("OL49", SOFTMAX, "stage 5", "FAIL",
     [(IMPL, 'idx_name="block"):\n', 'idx_name="block", unroll_list=[2]):\n'),
      (IMPL, STEP, "        for _ in pypto.loop(2):\n    " + STEP)]),
    ("OL52", SOFTMAX, "stage 5", "FAIL",
     [(IMPL, "[row_start, 0], valid_shape", "[row_start], valid_shape")]),
    ("OL55", SOFTMAX, "stage 5", "FAIL", [(IMPL, "pypto.amax(", "pypto.row_max(")]),
    ("OL56", SOFTMAX, "stage 6", "FAIL",
     [(IMPL, 'idx_name="block"):\n', 'idx_name="block", unroll_list=[8, 4]):\n')]),
    ("OL57", SOFTMAX, "stage 5", "FAIL", [(IMPL, STEP, "        for _ in (0, 1):\n    " + STEP)]),
    ("OL58", SOFTMAX, "stage 5", "FAIL",
     [(IMPL, "torch.empty_like(x)", "pypto.zeros(*x.shape, dtype=pypto.DT_FP32)")]),
    ("OL62", SOFTMAX, "stage 5", "FAIL",
     [(IMPL, "    x = x.contiguous()\n", "    x = torch.abs(x)\n")]),
    ("OL62", SOFTMAX, "stage 7", "FAIL",
     [(IMPL, "    x = x.contiguous()\n", "    x = x.softmax(-1)\n")]),
    # The test.
    ("OL17", SOFTMAX, "stage 5", "FAIL",
     [(TEST, "import torch\n", "import torch\nimport pypto\n"), (TEST, "", TEST_KERNEL)]),
    ("OL18", SOFTMAX, "stage 5", "FAIL",
     [(TEST, "from softmax_golden import", "from reference import")]),
    ("OL19", SOFTMAX, "stage 5", "FAIL",
     [(TEST, "np.testing.assert_allclose(", "np.testing.assert_almost_equal(")]),
    ("OL20", SOFTMAX, "stage 5", "FAIL", [(TEST, "TILE_FWK_DEVICE_ID", "DEVICE")]),
    ("OL21", SOFTMAX, "stage 5", "FAIL",
     [(TEST, "def test_softmax_l1", "def test_softmax_large")]),
    ("OL22", SOFTMAX, "stage 5", "WARN", [(TEST, "    torch.manual_seed(SEED)\n", "")]),
    ("OL42", SOFTMAX, "stage 5", "FAIL", [(TEST, 'default="all"', 'default="sim"')]),
    ("OL60", SOFTMAX, "stage 5", "FAIL",
     [(IMPL, LAUNCH, "    launcher = softmax_kernel\n    launcher(x, y)\n")]),
    ("OL60", NORM, "stage 7", "FAIL",
     [("gated_rmsnorm_impl.py", "    gated_rmsnorm_kernel(\n", "    print(\n")]),
    ("OL63", SOFTMAX, "stage 7", "FAIL",
     [(STATE, '  "max_stage": 7,\n', '  "max_stage": 7,\n  "stage7_tuning_mode": "panko",\n')]),
]


def with_fixtures():
    """The breaks that lie in the folders of fixtures."""
    for path in sorted(pathlib.Path(__file__).resolve().parents[1].glob("fixtures/*/break.json")):
        entry = json.loads(path.read_text(encoding="utf-8"))
        edits = [(edit["file"], edit["old"], edit["new"]) for edit in entry["edits"]]
        yield path.parent.name, entry["sample"], entry["how"], entry["status"], edits


BREAKS += with_fixtures()

# Rules that cannot be broken alone: what else changes, to which status.
ENTANGLED = {
    # The expression that a parameter is bound to, and softmax of one, compute on its dynamic axis.
    "OL02": {"KS11": "FAIL"},
    "OL05": {"KS18": "FAIL"},  # a launch must not give a tensor to a parameter that is none
    "OL28": {"KS11": "FAIL", "KS08": "FAIL"},  # and no tile is set at that place
    # The tests launch the kernel with other sizes than the one that is written now.
    "OL29": {"KS17": "FAIL"},
    # The launch has no argument for the parameter that came between.
    "OL26": {"KS17": "FAIL"},
    # OL39 has two cases. A document that is missing or empty: that is OL40's first case, too. Empty
    # metadata: then every required field is missing, and each of the three documents requires
    # schema_version, so OL40 has a schema error. Both run in the same stages (5 and 6), over the
    # same three documents, and the same switch leaves both out: no run shows one without the other.
    "OL39": {"OL40": "FAIL"},
    # No other rule fails: OL23 only warns, and it has to. OL43 needs a file whose first kernel has
    # neither a `for` nor a `while`, nor a call that OL23 would take for a loop: the forms are the
    # same. If that kernel is the only one of the file it is primary, whether a wrapper calls it or
    # not, and OL23 warns. If there is a second kernel, OL01 fails instead. And where OL23 skips
    # (no file of the scan set with a kernel), OL43 skips.
    "OL43": {"OL23": "WARN"},
}
