"""Hand-derived expectations about documents, tests, state and contract.

One entry: rule, expected status and finding lines, files, run options; as in
`selftest.CASES`.  The operator is `rowscale`.
"""

IMPL, TEST, GOLDEN = "rowscale_impl.py", "test_rowscale.py", "rowscale_golden.py"
SPEC, DESIGN, API, MEMORY = "SPEC.md", "DESIGN.md", "API_REPORT.md", "MEMORY.md"
STATE, YAML = ".orchestrator_state.json", "eval/module_interfaces.yaml"
ONE, THREE, SIX = {"stage": 1}, {"stage": 3}, {"stage": 6}

FRONT = ("---\nschema_version: 1\nop_name: rowscale\nsupported_dtypes: [float16, DT_FP32]\n"
         "p0_shapes: [[8, 16], [32, 64]]\ntolerance: {atol: 1e-3, rtol: 0.01}\n---\n")
CHAPTERS = ("## 1. \u6570\u5b66\u516c\u5f0f\ny = x\n"          # line 8
            "### 2. \u8f93\u5165\u8f93\u51fa\u89c4\u683c x\nDTYPE and Shape\n"   # line 10
            "# \u7cbe\u5ea6\u8981\u6c42\nMARE\n")               # line 12
GOOD_SPEC = FRONT + CHAPTERS
AXES = "---\nschema_version: 1\nop_name: r\ndynamic_axes: %s\n---\n"
HEAD = "---\nschema_version: 1\nop_name: r\n---\n"
J = "@pypto.frontend.jit\n"
GOOD_TEST = ("import torch\nfloat32 = torch.float16\nS = [8, 16], (32,\n 64)\natol = 0.003\n"
             "rtol: int = 0.04\n")


def spec(old, new, text=GOOD_SPEC):
    assert old in text
    return {SPEC: text.replace(old, new)}


def both(files, test=GOOD_TEST):
    return dict(files, **{TEST: test})


DOCUMENTS = [
    # OL09
    ("OL09", "PASS", {SPEC: GOOD_SPEC}, ONE),
    ("OL09", "SKIP", {}, {"stage": 2}),
    ("OL09", "FAIL 0", {}, ONE),
    ("OL09", "FAIL 0 0 0 0 0 0 0 0", {SPEC: ""}, ONE),
    ("OL09", "FAIL 0", spec("op_name: rowscale", "op_name: row_scale"), ONE),
    ("OL09", "FAIL 0", spec("1. \u6570\u5b66\u516c\u5f0f", "\u6570\u5b66"), ONE),
    ("OL09", "FAIL 8", spec("y = x", "words \u3000"), ONE),
    ("OL09", "PASS", spec("y = x", "ground control"), ONE),
    ("OL09", "FAIL 8", spec("y = x", "Round"), ONE),
    ("OL09", "FAIL 8", spec("y = x", "text\n# comment\ny = x"), ONE),
    ("OL09", "FAIL 0 9", spec("## 1. \u6570\u5b66\u516c\u5f0f\ny = x",
                             "## \u6570\u5b66\n## \u57fa\u7840\u4fe1\u606f\ntext"), ONE),
    ("OL09", "FAIL 10", spec("DTYPE and", "type and"), ONE),
    ("OL09", "FAIL 8", spec("## 1. \u6570", "# \u7cbe\u5ea6\u8def\u7531\nno\n## 1. \u6570"), ONE),
    ("OL09", "FAIL 0 0", {SPEC: CHAPTERS}, ONE),            # name and front matter
    ("OL09", "FAIL 0", spec("---\ns", "---\n# rowscale\n---\ns"), ONE),
    ("OL09", "FAIL 0", spec("---\ns", "\ufeff---\ns"), ONE),
    ("OL09", "FAIL 4", spec("[float16, DT_FP32]", "float16"), ONE),
    ("OL09", "FAIL 4 4", spec("[float16, DT_FP32]", ""), ONE),
    ("OL09", "FAIL 1", spec("schema_version: 1\n", ""), ONE),
    ("OL09", "FAIL 6", spec("{atol: 1e-3, rtol: 0.01}", "{float16: {atol: 1, rtol: 1}}"), ONE),
    ("OL09", "FAIL 6 6", spec("{atol: 1e-3, rtol: 0.01}", "[]"), ONE),
    ("OL09", "PASS", spec("{atol: 1e-3, rtol: 0.01}", "'{\"atol\": 1, \"rtol\": 2}'"), ONE),
    ("OL09", "PASS", spec("{atol: 1e-3, rtol: 0.01}", "\n  atol: 1\n  rtol: 2"), ONE),
    # invalid YAML: read line by line, so the children of a mapping are lost
    ("OL09", "FAIL 6 6", spec("{atol: 1e-3, rtol: 0.01}", "\n  atol: 1\n  rtol: 2\nz: a: b"), ONE),
    ("OL09", "PASS", spec("---\n## 1", "z: a: b\n---\n## 1"), ONE),
    ("OL09", "PASS", spec("op_name: rowscale", "op_name: {rowscale}"), ONE),
    ("OL09", "FAIL 0", spec("\n---\n##", "\n--- \n##"), ONE),
    # heading forms
    ("OL10", "PASS", {API: "# 3. api \u6620\u5c04\u8868\n   ## \u7ea6\u675f\n######\ttiling #\n"},
     ONE),
    ("OL10", "FAIL 0 0 0", {API: "## API\u6620\u5c04\n    ## \u7ea6\u675f\n####### Tiling\n"}, ONE),
    ("OL10", "FAIL 0", {API: "#\nAPI \u6620\u5c04\n## \u7ea6\u675f\nTiling\n---\n"}, ONE),
    ("OL10", "FAIL 0 0", {API: "##\n\n## \u7ea6\u675f\n##Tiling\n"}, ONE),
    ("OL10", "FAIL 0", {}, ONE),
    ("OL10", "FAIL 0", {API + "/x": ""}, ONE),
    ("OL10", "FAIL 0 0 0", {API: ""}, ONE),
    ("OL10", "PASS", {API: "```\n# API \u6620\u5c04 \u7ea6\u675f Tiling\n```\n"}, ONE),
    ("OL10", "FAIL 0 0 0", {API: "---\n# API \u6620\u5c04 \u7ea6\u675f Tiling\n---\n"}, ONE),
    ("OL10", "PASS", {API: "---\r\n---\r\n# API \u6620\u5c04 \u7ea6\u675f Tiling"}, ONE),
    ("OL12", "PASS", {DESIGN: "# API \u6620\u5c04\n# \u6570\u636e\u5207\u5206\n"
                      "# \u9a8c\u8bc1\u65b9\u6848\n"}, THREE),
    ("OL12", "FAIL 0 0", {DESIGN: "# \u8ba1\u7b97\u56fe\n# \u9a8c\u8bc1\n"}, {"stage": 4}),
    ("OL12", "SKIP", {}, {}),
    ("OL13", "FAIL 0", {IMPL: "", TEST: ""}, {}),
    ("OL13", "FAIL 0 0", {"README.md/x": "", TEST: ""}, {}),
    ("OL59", "PASS", {"GOLDEN_PERF_REPORT.md": "x| op | count | mean_duration | total |y"},
     {"stage": 2}),
    ("OL59", "FAIL 0", {"GOLDEN_PERF_REPORT.md": "| Op | count | mean_duration | total |"},
     {"stage": 2}),
    ("OL59", "FAIL 0", {}, {"stage": 2}),
    ("OL11", "SKIP", {}, {"stage": 2}),
    # OL39, OL40: findings are ordered by file name
    ("OL39", "FAIL 0 1", {SPEC: "# x\n", API: HEAD}, {}),
    ("OL39", "PASS", {SPEC: HEAD, API: HEAD, DESIGN: HEAD}, {}),
    ("OL39", "FAIL 1", {SPEC: HEAD, API: HEAD, DESIGN: "---\n\n---\n"}, {}),
    ("OL39", "FAIL 1", {SPEC: HEAD, API: HEAD, DESIGN: "---\n{}\n---\n"}, {}),
    ("OL39", "PASS", {SPEC: HEAD, API: HEAD, DESIGN: "---\n- a: 1\n---\n"}, {}),
    ("OL39", "FAIL 1", {SPEC: HEAD, API: HEAD, DESIGN: "---\na: 1\n---"}, {}),
    ("OL40", "PASS", {SPEC: GOOD_SPEC, API: HEAD, DESIGN: AXES % "[]"}, {}),
    ("OL40", "FAIL 4 4", {SPEC: GOOD_SPEC, API: HEAD, DESIGN: AXES % "''"}, {}),
    ("OL40", "FAIL 1 1 4", {SPEC: GOOD_SPEC, API: "x", DESIGN: AXES % "N"}, {}),
    ("OL40", "PASS", {SPEC: GOOD_SPEC, API: "---\nschema_version: 0\nop_name: {}\n---\n",
                      DESIGN: AXES % "\n- N"}, {}),
    ("OL40", "FAIL 2 3", {SPEC: GOOD_SPEC, API: "---\nschema_version: ~\nop_name: []\n---\n",
                          DESIGN: AXES % "[N]"}, {}),
]

TESTS = [
    # OL19
    ("OL19", "PASS", {TEST: "a.my_assert_allclose_x(1)\n"}, {}),
    ("OL19", "PASS", {TEST: "getattr(lib, 'assert_allclose')(1)\n"}, {}),
    ("OL19", "PASS", {TEST: "@detailed_tensor_compare(1)\ndef f(): pass\n"}, {}),
    ("OL19", "FAIL 0", {TEST: "from x import assert_allclose as q\nq(1)\nrun(assert_allclose)\n"
                        "assert a == b\n"}, {}),
    ("OL19", "FAIL 2", {TEST: "assert a == b\nassert (a - b) < 1\nassert c.all()\n"}, {}),
    ("OL19", "SKIP", {TEST: "def f(:\n"}, {}),
    ("OL19", "SKIP", {TEST: "x\n"}, {"stage": 7}),
    # OL20, OL21, OL22
    ("OL20", "PASS", {TEST: "def f(: # set_device TILE_FWK_DEVICE_ID"}, {}),
    ("OL20", "FAIL 0 0", {TEST: "SET_DEVICE"}, SIX),
    ("OL20", "SKIP", {TEST: ""}, {}),
    ("OL21", "FAIL 0 0", {TEST: "class A:\n  def f_l0(self): pass\nasync def f_l1(): pass\n"}, {}),
    ("OL21", "PASS", {TEST: "def F_L0(): pass\ndef f_l1norm(): pass\n"}, {}),
    ("OL21", "PASS", {TEST: "def Level0_LEVEL1(): pass\n"}, {}),
    ("OL21", "PASS", {TEST: "# Func_P0\n'perf_p0'\n"}, {}),
    ("OL21", "FAIL 0", {TEST: "# \u6027\u80fd_P0 _l0\n"}, {}),
    ("OL22", "PASS", {TEST: "# manual_seed_all"}, {}),
    ("OL22", "WARN 2", {TEST: "import torch\nx = torch.randn(3)\ntorch.rand(1)\n"}, {}),
    ("OL22", "WARN 0", {TEST: "x = 1\n"}, {}),
    # OL30
    ("OL30", "PASS", both({SPEC: GOOD_SPEC}), {}),
    ("OL30", "SKIP", {TEST: "x"}, {}),
    ("OL30", "SKIP", {SPEC: GOOD_SPEC}, {}),
    ("OL30", "FAIL 1", spec("op_name: rowscale\n", ""), {}),
    ("OL30", "FAIL 0 0", both({SPEC: GOOD_SPEC}, "bfloat16 half int8"), {}),
    ("OL30", "PASS", both({SPEC: GOOD_SPEC}, "def f(: # x_fp16 Torch.Float32"), {}),
    ("OL30", "SKIP", both(spec("[float16, DT_FP32]", "[int8, half]")), {}),
    ("OL30", "PASS", both(spec("[float16, DT_FP32]", "[int8, 7, ' Torch.Float32 ']")), {}),
    # OL32
    ("OL32", "PASS", both({SPEC: GOOD_SPEC}, "atol=0.003 rtol = 3e-2"), {}),
    ("OL32", "WARN 5 6", both({SPEC: GOOD_SPEC}, "\n\n\n\nATOL:0.0031\nmy_rtol = 9.x\n"), {}),
    ("OL32", "WARN 2", both({SPEC: GOOD_SPEC}, "rtol =\n  1e2"), {}),
    ("OL32", "WARN 1 2", both({SPEC: GOOD_SPEC}, "**atol** 1\n**rtol**:1_0"), {}),
    ("OL32", "PASS", both({SPEC: GOOD_SPEC}, "atol=.5 rtol=-1 'atol': 1 atol==1 atol 1"), {}),
    ("OL32", "PASS", both(spec("{atol: 1e-3, rtol: 0.01}", "{atol: [1], rtol: loose}"),
                          "atol=9 rtol=9"), {}),
    ("OL32", "WARN 1", both(spec("{atol: 1e-3, rtol: 0.01}", "{atol: 0, rtol: yes}"),
                            "atol=1e-9 rtol=3"), {}),
    ("OL32", "WARN 1", both(spec("{atol: 1e-3, rtol: 0.01}", "{mare_matrix: '1e-1', "
                            "mere_matrix: 1, rmse_matrix: [2], atol: 0}"),
                            "mare_matrix=0.31 atol=9 rmse_matrix: 9"), {}),
    # OL33
    ("OL33", "WARN 2", {GOLDEN: "def rowscale_golden(x, g): pass\n",
                        IMPL: "@deco\ndef rowscale_wrapper(x, g, out): pass\n"}, {}),
    ("OL33", "PASS", {GOLDEN: "def rowscale_golden(x, g): pass\n",
                      IMPL: "def rowscale_wrapper(self, x, g, o=1, *a, k, **w): pass\n"}, {}),
    ("OL33", "PASS", {GOLDEN: "def rowscale_golden(p, /, x): pass\n",
                      IMPL: "def rowscale_wrapper(x): pass\ndef rowscale_wrapper(x, y): pass\n"},
     {}),
    ("OL33", "SKIP", {GOLDEN: "def rowscale_golden(x): pass\n",
                      IMPL: "async def rowscale_wrapper(): pass\ndef host_wrapper(): pass\n"}, {}),
    ("OL33", "SKIP", {GOLDEN: "def f(:\n", IMPL: "def rowscale_wrapper(x): pass\n"}, {}),
    ("OL33", "FAIL", {IMPL: "def f(:\n"}, {}),
    # OL34
    ("OL34", "PASS", both({SPEC: GOOD_SPEC}), {}),
    ("OL34", "SKIP", both({SPEC: GOOD_SPEC}, "def f(:"), {}),
    ("OL34", "WARN 0 0", both({SPEC: GOOD_SPEC}, "[ 8, 16]\n(8, 16,)\n[32, n]\n"), {}),
    ("OL34", "PASS", both({SPEC: GOOD_SPEC}, "# (8 , 16]\nf(torch.randn(32, 64, 2))\n"), {}),
    ("OL34", "PASS", both({SPEC: GOOD_SPEC}, "_run_and_check(f, 8, 16)\n"
                          "torch.empty([32, 64, n])\n"), {}),
    ("OL34", "WARN 0 0", both({SPEC: GOOD_SPEC}, "_run_and_check( 8, 16 )\ntorch.rand( 32, 64 )\n"
                              "x._run_and_check(f, 8, 16)\ntorch.zeros( 32, 64, d=1)\n"), {}),
    ("OL34", "FAIL 5", both(spec("[[8, 16], [32, 64]]", "[8, 16]")), {}),
    ("OL34", "FAIL 5", both(spec("[[8, 16], [32, 64]]", "[{B: 8, H: 16}, [[[8, 16]]], x]")), {}),
    ("OL34", "PASS", both(spec("[[8, 16], [32, 64]]", "[[7]]")), {}),
    ("OL34", "PASS", both(spec("[[8, 16], [32, 64]]", "[[[8], x], 4]")), {}),
    ("OL34", "PASS", both(spec("[[8, 16], [32, 64]]", "[{x: ['8', 16.5], w: [9]}]")), {}),
    ("OL34", "WARN 0", both(spec("[[8, 16], [32, 64]]", "[[[8, 16], [8, 1]]]")), {}),
    ("OL34", "PASS", both(spec("[[8, 16], [32, 64]]", "\n- - 8\n  - 16")), {}),
    # OL42
    ("OL42", "SKIP", {TEST: "default='sim'"}, {}),
    ("OL42", "FAIL 1 3", {TEST: "p(my_default = 'sim\")\n  # default='sim'\nx # run_mode=\"sim\"\n"
                          "'run_mode': 'sim'\ndefault='SIM'\ndefault='simulate'\n"}, {"npu": True}),
    ("OL42", "PASS", {TEST: "default=\n'sim'"}, {"npu": True}),
    # OL41: ordered by file name
    ("OL41", "FAIL 2 2 1 3", {"README.md": "\nFix_Hints: docs_ref:\nblocking_rules :\n",
                              "modules/x_golden.py": "[pypto-op-lint]", MEMORY: "fix_hints:",
                              "modules/x.py": "fix_hints:", TEST: "\n\n[PYPTO-OP-LINT] "}, {}),
    ("OL41", "PASS", {"README.md": "[pypto-op-lint parse-result]"}, {}),
]

FLOW = [
    # OL14, OL24, OL44
    ("OL14", "PASS", {STATE: '{"stage_status": {"5": "completed"}}'}, SIX),
    ("OL14", "FAIL 0", {STATE: '{"stage_status": {"5": "Completed"}}'}, SIX),
    ("OL14", "FAIL 0", {STATE: "[]"}, SIX),
    ("OL14", "FAIL 0", {}, SIX),
    ("OL14", "SKIP", {}, {}),
    ("OL24", "FAIL 0", {}, {"stage": 7}),
    ("OL24", "FAIL 1", {STATE: ""}, {}),
    ("OL24", "FAIL 1", {STATE: "\ufeff{}"}, {}),
    ("OL24", "FAIL 0", {STATE: "3"}, {}),
    ("OL24", "FAIL 0 0 0", {STATE: '{"stage5_phases": 3}'}, {}),
    ("OL24", "WARN 0", {STATE: '{"operator_name": null, "current_stage": [], "stage_status": 1,\n'
                        '"stage5_phases": null}'}, ONE),
    ("OL24", "FAIL 2 3 4", {STATE: '{"operator_name": 1, "current_stage": [], "stage_status": {},\n'
                            '"stage5_phases": {"a": {"phase_status": 1}},\n'
                            ' "rollback_history": null, "max_stage": null,\n'
                            '"artifact_hashes": []}'}, ONE),
    ("OL24", "PASS", {STATE: '{"operator_name": 1, "current_stage": [], "stage_status": {},\n'
                      '"max_stage": 9, "stage5_phases": {"phase_status": null}}'}, ONE),
    ("OL44", "SKIP", {}, {}),
    ("OL44", "FAIL 0", {STATE: "{"}, {}),
    ("OL44", "SKIP", {STATE: '{"stage5_phases": []}'}, {}),
    ("OL44", "SKIP", {STATE: '{"stage5_phases": {"active_phase": null}}'}, {}),
    ("OL44", "FAIL 0", {STATE: '{"stage5_phases": {"active_phase": 3}}'}, {}),
    ("OL44", "FAIL 0", {STATE: '{"stage5_phases": {"active_phase": "M0"}}'}, {}),
    ("OL44", "SKIP", {STATE: '{"stage5_phases": {"active_phase": "M0"}}',
                      MEMORY: "x module_count: 1"}, {}),
    ("OL44", "FAIL 0 0", {STATE: '{"stage5_phases": {"active_phase": "M2"}}',
                          MEMORY: "`module_count`: 1", "modules/rowscale_module12_impl.py": "",
                          "modules/rowscale_module2_golden.py": ""}, {}),
    ("OL44", "SKIP", {STATE: '{"stage5_phases": {"active_phase": "M2"}}',
                      DESIGN: "Decision\n module_count=1"}, {}),
    ("OL44", "FAIL 0 0 0", {STATE: '{"stage5_phases": {"active_phase": "M2"}}',
                            DESIGN: "Decision 2: module_count = 1", "modules/x": ""}, {}),
    # OL31
    ("OL31", "SKIP", {IMPL: J + "def k(): pass\n"}, {}),
    ("OL31", "FAIL 1", {DESIGN: HEAD}, {}),
    ("OL31", "PASS", {DESIGN: AXES % "[]", IMPL: J + "def k(): pass\n"}, {}),
    ("OL31", "SKIP", {DESIGN: AXES % "['']", IMPL: "x = 1\n"}, {}),
    ("OL31", "FAIL", {DESIGN: AXES % "[N]", IMPL: "def f(:\n"}, {}),
    ("OL31", "FAIL 2", {DESIGN: AXES % "[N]", IMPL: J + "def k(p: pypto.Tensor([DYN]), /, a: "
                        "pypto.Tensor(shape=[DYN]), *, q: pypto.Tensor([DYN])): pass\n"}, {}),
    ("OL31", "PASS", {DESIGN: AXES % "[N]", IMPL: "import pypto as pt\n_N = pt.DYN\n" + J
                      + "def k(a: Tensor[[f(_N), 8], t]): pass\n"}, {}),
    ("OL31", "FAIL 4", {DESIGN: AXES % "[N]", IMPL: J + "def d(a: Tensor([DYN])): pass\n" + J
                        + "def k(a: Tensor([c.DYN])): pass\ndef x_wrapper(): k()\n"}, {}),
    # OL37
    ("OL37", "INFO 0", {DESIGN: "`row_max` `row_sum` `tile`\n```py\nprob_tile\n```\n",
                        IMPL: J + "def k():\n    row_max = 1\n    row_sum += 1\n"
                        "    (prob_tile, b) = 1, 2\n"}, {}),
    ("OL37", "PASS", {DESIGN: "`row_max` `row_sum` prob_tile `alpha_x`\n",
                      IMPL: J + "def k():\n    a = row_max = 1\n    row_sum: int = 1\n"}, {}),
    ("OL37", "SKIP", {DESIGN: "`row_max` `Row_sum` \u4e2drow_sum `loop` `short` `longer`\n",
                      IMPL: J + "def k():\n    a = 1\n"}, {}),
    ("OL37", "SKIP", {DESIGN: "`aaaaaa bbbbbb cccccc`", IMPL: J + "def k():\n    tmp = 1\n"}, {}),
    # OL43
    ("OL43", "SKIP", {DESIGN: AXES % "[]" + "pypto.DYNAMIC", IMPL: J + "def k(): pass\n"}, {}),
    ("OL43", "FAIL 2", {DESIGN: "a Dynamic -- axis", IMPL: J + "def k(): '''pypto.loop(1)'''\n"},
     {}),
    ("OL43", "SKIP", {DESIGN: "dynamic axes, dynamic\naxis", IMPL: J + "def k(): pass\n"}, {}),
    ("OL43", "FAIL 2", {DESIGN: "---\ndynamic_axis: []\n---\n", IMPL: J + "def k(): pass\n"}, {}),
    ("OL43", "PASS", {DESIGN: AXES % "[N]", IMPL: J + "def k(): my_LOOPs()\n"}, {}),
    ("OL43", "PASS", {DESIGN: AXES % "[N]", IMPL: J + "def k(): pass\ndef h(): a.pypto.loop(1)\n"},
     {}),
    ("OL43", "FAIL 2", {DESIGN: AXES % "[N]", IMPL: J + "def k(): [i for i in x]\n" + J
                        + "def k2(): pt.loop(1)\n"}, {}),
    # OL53
    ("OL53", "FAIL 4 5 7", {MEMORY: "##  golden function Inventory x\n| h | s |\n|---|\n"
                            "| a | \u274c 1 |\n| WIP |  |\n| \u274c | wip |\n ||||\n| x |\n"
                            "### t\n## n\n| a | TODO |\n"}, {}),
    ("OL53", "SKIP", {MEMORY: "## Golden function inventory\n| TODO |\n| --- |\n"}, {}),
    ("OL53", "SKIP", {MEMORY: "### Golden function inventory\n| a |\n| TODO |\n"}, {}),
    ("OL53", "SKIP", {MEMORY: "## Golden\nfunction inventory\n| a |\n| TODO |\n"}, {}),
    ("OL53", "FAIL 3", {MEMORY: "## Golden function inventory\n| a |\n| TODO |\n|-|\n"}, {}),
    ("OL53", "SKIP", {MEMORY: "## Golden function inventory\n| a |\n| TODO |\n"}, {"phase": "M1"}),
    # OL54
    ("OL54", "SKIP", {}, {}),
    ("OL54", "FAIL 0", {}, {"phase": "M1"}),
    ("OL54", "FAIL 0", {MEMORY: "### Phase M1 self-review\n"}, {"phase": "M1"}),
    ("OL54", "FAIL 1 1 3 4", {MEMORY: "## phase m1 SELF-review x\n- [x] Signature, Output\n"
                                "- [ ] View\n- [\u2717] inventory\n* [ ] exactly\n"
                                "\n- [x] view\n## Phase M1 self-review\n- [x] exactly once\n"},
     {"phase": "M1"}),
    ("OL54", "PASS", {MEMORY: "## Phase M2 self-review\n- [x]\n signature output view\n### s\n"
                      "  * [X] inventory `for ... in range`\n-\t[\u2713] exactly ONCE"},
     {"phase": "M2"}),
]

CONTRACT = ("primary_inputs: [{name: x}, {name: g}]\nmodules:\n- {id: 1, inputs: [{name: x, "
            "source: primary}], outputs: [{name: t}]}\n- {id: 2, inputs: [{name: g, "
            "source: primary}, {name: t, source: module_1}], outputs: [{name: y}]}\n"
            "final_outputs: [{name: y}]\n")
M1, M12, M2 = ("modules/rowscale_module%s_impl.py" % s for s in ("1", "12", "2"))


def kernel(body, params="x, g, y", rest=""):
    return {YAML: CONTRACT, IMPL: J + "def k(%s):\n    %s\n%s" % (params, body, rest)}


INTERFACES = [
    ("OL50", "SKIP", {IMPL: "x = 1\n"}, {}),
    ("OL50", "SKIP", {IMPL: "x = 1\n", YAML: "a: b: c\n"}, {}),
    ("OL50", "SKIP", {YAML: CONTRACT}, {}),
    ("OL50", "PASS", {YAML: CONTRACT, IMPL: "class A:\n  async def run_k(x, /, *v, g=1, **w): 1\n"},
     {}),
    ("OL50", "FAIL 2", {YAML: CONTRACT, IMPL: "@d\ndef host_wrapper(g, x): pass\n"
                        "def rowscale_wrapper(x, g): pass\n"}, {}),
    ("OL50", "PASS", {YAML: CONTRACT, IMPL: "def host_wrapper(): pass\nif 1:\n"
                      "  def host_wrapper(x, g): pass\n"}, {}),
    ("OL50", "FAIL 0", {YAML: CONTRACT, IMPL: "def other_wrapper(x, g): pass\n"}, {}),
    ("OL50", "PASS", {YAML: CONTRACT, M1: "def rowscale_module1_wrapper(x): pass\n",
                      M12: "def rowscale_module12_wrapper(x, g): pass\n"}, {}),
    ("OL50", "FAIL 0 1 0", {YAML: CONTRACT, M1: "def rowscale_module1_wrapper(x, g): pass\n",
                            M12: "def rowscale_wrapper(x, g): pass\n",
                            M2: "def rowscale_module2_wrapper(g): pass\n"}, {}),
    ("OL50", "FAIL 1", {YAML: "modules: []\n", IMPL: "def host_wrapper(x): pass\n"}, {}),
    ("OL50", "PASS", {YAML: "primary_inputs:\n", IMPL: "def host_wrapper(x): pass\n"}, {}),
    ("OL50", "PASS", {YAML: "primary_inputs: [{name: no}, x, {nam: y}]",
                      IMPL: "def host_wrapper(): pass\n"}, {}),
    ("OL50", "PASS", {YAML: CONTRACT.replace("id: 1", "id: '1'"),
                      M1: "def rowscale_module1_wrapper(): pass\n"}, {}),
    # OL51 a
    ("OL51", "FAIL 2", kernel("y = pypto.exp(x)"), {}),
    ("OL51", "FAIL 0", {YAML: CONTRACT, IMPL: "y = 1\n"}, {}),
    ("OL51", "PASS", {YAML: CONTRACT, IMPL: "y.z, w = 1, 2\nshutil.move(1)\n"}, {"stage": 7}),
    ("OL51", "PASS", {YAML: "{}", IMPL: "y = 1\n"}, {}),
    ("OL51", "FAIL 2", kernel("pypto.assemble(x, y); self.o[0] = 1; y += 1; y.copy_(x)"), {}),
    ("OL51", "FAIL 2", kernel("pypto.index_put_(o.y, 1); y.index_put_(1); pypto.move(x)"), {}),
    ("OL51", "PASS", kernel("pypto.move(x, y)"), {}),
    ("OL51", "PASS", kernel("pypto.assemble(x, [0], out=y)"), {}),
    ("OL51", "PASS", kernel("a, q[0] = 1, 2", rest="z[1] += 1\n"), {}),
    # OL51 b
    ("OL51", "FAIL 3", kernel("y[:] = x"), {}),
    ("OL51", "FAIL 3", kernel("z = pypto.zeros([8]); pypto.assemble(z, [0], y)"), {}),
    ("OL51", "PASS", kernel("y[:] = x; y[1] = pypto.exp(x)"), {}),
    ("OL51", "PASS", kernel("y[:] = x; pypto.axpy_(y, x)"), {}),
    ("OL51", "PASS", kernel("y[:] = x; y.index_put_(x)"), {}),
    ("OL51", "FAIL 4", kernel("pass\n    y[:] += g[0]"), {}),
    ("OL51", "FAIL 3", kernel("pypto.assemble([(x, 1), [g.view(1)], ()], y)"), {}),
    ("OL51", "PASS", kernel("pypto.assemble([(x, 1), (-x, 2)], y)"), {}),
    ("OL51", "PASS", kernel("pypto.assemble([(x, 1)], y, q)"), {}),
    ("OL51", "FAIL 3", kernel("a = x; b = a; c = b; d = c; y.move(d)"), {}),
    ("OL51", "PASS", kernel("a = x; b = a; c = b; d = c; e = d; y.move(e)"), {}),
    ("OL51", "PASS", kernel("b = pypto.tensor([8]); pypto.assemble(g2(x), [0], b); y[:] = b"), {}),
    ("OL51", "PASS", kernel("b = pypto.tensor([8]); b[0] = x; y[:] = b"), {}),
    ("OL51", "PASS", kernel("b = pypto.tensor([8]); h(b); y[:] = b", rest="def h(q): pass\n"), {}),
    ("OL51", "FAIL 3", kernel("b = pypto.tensor([8]); h(b); y[:] = b"), {}),
    ("OL51", "PASS", kernel("y[:] = x.clone().detach()"), {}),
    ("OL51", "PASS", kernel("y[:] = 0"), {}),
    ("OL51", "FAIL 5", kernel("h(x, y)", rest="def h(x, y):\n    y[:] = pypto.reshape(x, [8])\n"),
     {}),
    ("OL51", "PASS", kernel("h(x, y)", rest="def h(x, o):\n    o[:] = x\n"), {}),
    ("OL51", "FAIL 3", kernel("out[:] = x", "x, out"), {}),
    ("OL51", "FAIL 3", kernel("y[:] = out", "y, out"), {}),
    ("OL51", "PASS", {YAML: CONTRACT, M1: J + "def k(t, x):\n    q[0] = t\n"}, {"phase": "M1"}),
    ("OL51", "FAIL 3", {YAML: CONTRACT, M1: J + "def k(x, t):\n    t[0] = x\n"}, {"phase": "M1"}),
    ("OL51", "FAIL 3", kernel("y[:] = x", rest=J + "def k2(x, y):\n    y[:] = -x\n"), {}),
]

CASES = DOCUMENTS + TESTS + FLOW + INTERFACES
