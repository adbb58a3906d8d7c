"""Pieces that gen_operator puts into tests, kernels, MEMORY.md and the state file."""

INVENTORY = "## Golden function inventory"
STATUSES = ["\u2705", "\u274c", "", "TODO", "todo", "Todo", "\u672a\u5b9e\u73b0", "WIP", "wip",
            "...", "L.51", "\u274c later", "n/a \u2705", "---", "TODO later", "pending"]
ROWS = ["| a | b | %s |", "| %s | b |  |", "| a | \u274c | %s |", "| a | b | %s", "a | b | %s |",
        "  | a | %s |  ", "|%s|", "| --- | :-: | --- |", "| %s |||", "||||", "|| %s ||",
        "| a | \u4e2d | %s |"]
INVENTORY_TITLES = [INVENTORY, "##  golden FUNCTION Inventory (M1)",
                    "### Golden function inventory",
                    "# Golden function inventory", "  ## Golden\tfunction inventory x",
                    "## Golden function  inventory", "## Golden\nfunction inventory",
                    "##Golden function inventory", "## Goldenfunction inventory",
                    "## The Golden function inventory", "## Golden function inventories"]
AFTER = ["## Next", "### Sub", "# Top", "  ## Indented", "##Next", "text", "",
         "| x | y |\n| - | - |"]
REVIEW_TITLES = ["## Phase %s self-review", "##  phase %s  SELF-review (second)",
                 "### Phase %s self-review", "## Phase %s review", "## Phase M_k self-review",
                 "  ## Phase %s self-review", "## Phase%s self-review", "# Phase %s self-review"]
ITEMS = ["- [x] wrapper signature equals", "- [X] every output written", "* [\u2713] VIEW calls",
         "- [x] inventory rows", "- [x] no `for ... in range` here",
         "- [x] JIT entry called exactly once"]
ITEM_MARKS = ["[x]", "[X]", "[\u2713]", "[ ]", "[\u2717]", "[\u274c]", "[\u2705]", "[xx]", "[]",
              "[-]", "[x ]"]
LINT = ["[pypto-op-lint]", "[PYPTO-op-lint] x", "\u4ea4\u4ed8\u95e8\u7981\u963b\u65ad",
        "\u4ee5\u4e0b\u89c4\u5219\u8fdd\u89c4", "fix_hints:", "Blocking_Rules: OL05",
        "docs_ref: x fix_hints:", "blocking_rules :", "[pypto-op-lint parse-result]", "fix_hints",
        "fix_hints: docs_ref: fix_hints:"]
TEST_EDITS = [
    ("TILE_FWK_DEVICE_ID", "DEVICE"), ("set_device", "use"), ("manual_seed", "seed"),
    ("assert_allclose", "check_close"), ("np.testing.assert_allclose", "assert_allclose"),
    ("np.testing.assert_allclose", "my_detailed_tensor_compare_2"),
    ("np.testing.assert_allclose", "torch.testing.assert_close"),
    ("np.testing.assert_allclose", "getattr(np.testing, 'assert_allclose')"),
    ("np.testing.assert_allclose(", "run(np.testing.assert_allclose, "),
    ("_l0", "_small"), ("_l1", "_big"), ("_l0", "_L0"), ("_l1", "_LEVEL1"), ("_l1", "_l10"),
    ("_l0():", "_l0(x):"), ("def test", "async def test"), ("_l1", "_perf_p0"),
    ("float32", "float16"), ("float32", "bfloat16"), ("float32", "FP16"), ("bfloat16", "float16"),
    ("float32", "f32"), ("bfloat16", "half"), ("float16", "int8"),
    ("0.00001", "0.05"), ("ATOL = 0.01", "ATOL = 0.03"), ("ATOL = 0.01", "atol: 0.031"),
    ("RTOL = 0.01", "rtol =\n    2"), ("RTOL", "rtol"), ("ATOL =", "ATOL =="), ("RTOL =", "RTOL:"),
    ("rtol=RTOL", "rtol=1e-1"), ("atol=ATOL", "atol = 3e-3"), ("atol=ATOL", "atol=.5"),
    ("atol=ATOL", "atol=1_0"), ("atol=ATOL", "**{'atol': 1}"), ("[64, 512]", "(64,512)"),
    ("[64, 512]", "[ 64, 512]"), ("[64, 512]", "[64, 512,]"), ("[64, 512]", "[64,\n        512]"),
    ("[64, 1024]", "[64, width]"), ("[1000, 512]", "[1000, 513]"), ("[300, 1024]", "(300, 1024]"),
    ("[300, 1024]", "[300 , 1024]"), ("torch.randn(shape", "torch.randn(64, 512"),
    ("torch.randn(shape", "torch.empty((96, 320, 2)"), ("torch.randn(shape", "torch.rand(64, 512"),
    ("check(shape)", "_run_and_check(shape, 64, 512)"), ("check(shape)", "_run_and_check(64, 512)"),
    ("check(shape)", "torch.zeros(8, 16)"), ("check(shape)", "torch.full((8, 16), 1.0)"),
    ("check(shape)", "torch.ones([8 , 16 ])"), ("check(shape)", "x.randn(8, 16)"),
    ('default="all"', 'default="sim"'), ('default="all"', "run_mode = 'sim\""),
    ('default="all"', "'run_mode': 'sim'"), ('default="all"', "default='SIM'"),
    ("# Tolerances", "# default='sim'"), ("import os\n", "import os  # run_mode='sim'\n"),
    ("def main", "def broken(:\n\ndef main")]
TEST_LINES = [
    "assert (a - b).abs().max() < 0.01", "assert torch.allclose(a, b)", "assert (a == b).all()",
    "assert a == b", "assert not (x >= y), 'm'", "def f():\n    assert a.all()\n", "# manual_seed",
    "# atol: 5", "'''**rtol** 0.9 **atol**=7'''", "# **atol** : 0.5, my_rtol=9", "# func_p0",
    "'perf_p0'", "# \u529f\u80fd_p0 \u6027\u80fd_P0", "SHAPE = (96, 320)", "# [8, 16] (5,64]",
    "x = torch.randn(8, 16)", "x = np.random.rand(3)", "x = torch.normal(0, 1)", "# TORCH.FLOAT16",
    "# bfloat16 only", "# x_fp16", "# DT_bf16", "# fp32", "y = torch.randn(2, 8, 16)",
    "run_mode='sim'", "p.add(my_default =\"sim')", "def test_p0(): pass", "default = \\\n 'sim'",
    "@assert_allclose(1)\ndef g(): pass", "detailed_tensor_compare",
    "from x import assert_allclose",
    "set_device", "# TILE_FWK_DEVICE_ID", "atol=0.3;atol=0.4", "mare_matrix = 7",
    "# rmse_matrix: 8e0",
    "x.randint(3)", "sample = torch.rand(4).all()"]
IMPL_EDITS = [
    ("pypto.DYNAMIC", "pypto.DYN"), ("pypto.DYNAMIC", "64"), ("pypto.DYNAMIC", "DYNAMIC"),
    ("pypto.DYNAMIC", "cfg.DYNAMIC"), ("pypto.DYNAMIC", "_N"), ("pypto.DYNAMIC", "(pypto.DYN + 1)"),
    ("import pypto\n", "import pypto as pt\n"),
    ("import pypto\n", "import pypto\n_N = pypto.DYN\n"),
    ("pypto.loop(", "range("), ("pypto.loop(", "my_loop("), ("pypto.loop(", "pypto.loop_unroll("),
    ("pypto.loop(", "blocks("), ("for block in pypto.loop(", "x = [block for block in blocks("),
    ("pypto.Tensor([", "pypto.Tensor(shape=["), ("@pypto.frontend.jit", "@pypto.frontend.jit()"),
    ("@pypto.frontend.jit\n", "\n"), ("_wrapper(", "_entry("), ("_wrapper(", "_wrapper(*, "),
    ("def $OP_wrapper", "async def $OP_wrapper"), ("def $OP_wrapper", "def host_wrapper"),
    ("x: torch.Tensor", "x: torch.Tensor, debug"), ("x: torch.Tensor", "x: torch.Tensor, debug=1"),
    ("x: torch.Tensor", "x: torch.Tensor, /"), ("x: torch.Tensor", "self, x: torch.Tensor"),
    ("x: torch.Tensor", "z: torch.Tensor"), ("x: torch.Tensor", "x: torch.Tensor = None"),
    ("pypto.assemble(", "pypto.write("), ("row_max", "a1"), ("row_sum", "a2"), ("row_", "r"),
    ("_tile", "tl"), ("col_count", "cc"), ("pypto.loop(", "obj.getattr('loop')("),
    ("name=", "unroll_list="), ("$OP_kernel", "run_kernel"), ("pypto.", "pt.")]
STATE_VALUES = [None, True, 0, 5, "5", "", "completed", "Completed", [], {}, ["M1"],
                {"phase_status": {}},
                {"active_phase": "M1"}, {"phase_status": None}, "M2", "M3", "M0", "m1", "Mx", "M1 ",
                "M10", 3, {"5": "completed"}, {"5": "in_progress"}, {"5": None}, {"5": True},
                {"05": "completed"}, 2 ** 70, -2 ** 64, float("inf"), float("nan"), "\ud800", "a\0b",
                {"a\0": 1, "5": "completed"}, "M130", "M999", "M1000"]
STATE_KEYS = ["operator_name", "current_stage", "stage_status", "max_stage", "stage5_phases",
              "rollback_history", "artifact_hashes", "extra"]
BROKEN_STATES = ["", "{", "[]", "3", "null", '"text"', "{}", "{'a': 1}", '{"a": 1,}', "\ufeff{}",
                 '{"a": 1} x', "// c\n{}", '{"a": tru}', '{"a": "x\ty"}', '{"a": 01}',
                 "{\n\"a\" 1}",
                 '{"current_stage": 1, "operator_name": "a"}', "[1, 2", '{"a": "\\q"}', "  \n",
                 '{"a": nan}', '{"a": 1.e5}', '{"a": +1}', '{"a": -Inf}', '{"a": "\\ud8"}',
                 '{"a": 1,\r\r"b"}', '{"operator_name": "a", "current_stage": 1e999, "stage_status": '
                 '{"5": "completed"},\r"max_stage": 1' + 30 * "0" + ',\r"artifact_hashes": NaN}']
