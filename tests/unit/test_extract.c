/* Tests of dtypes, tolerances, shapes, identifiers of DESIGN.md, and facts about functions. */
#include "operator/extract.h"
#include "operator/front_matter.h"
#include "operator/python_facts.h"
#include "operator/text.h"

#include "arena_fixture.h"

static void assert_str(Str actual, const char *expected)
{
    assert_string_equal(str_dup(&arena, actual), expected);
}

static Str joined(Strs list)
{
    Buf out = {.arena = &arena};
    buf_add(&out, STR(""));
    for (uint32_t i = 0; i < list.count; i++) {
        buf_addf(&out, "%s%.*s", i == 0 ? "" : " ", STR_ARG(list.items[i]));
    }
    return buf_str(&out);
}

static Str shown_shapes(const ShapeSet *set)
{
    Buf out = {.arena = &arena};
    buf_add(&out, STR(""));
    for (uint32_t i = 0; i < set->shapes.count; i++) {
        buf_add(&out, i == 0 ? STR("") : STR(" "));
        buf_add(&out, shape_show(&arena, set->shapes.items[i]));
    }
    return buf_str(&out);
}

static void test_dtypes(void **state)
{
    (void)state;
    assert_int_equal(dtype_parse(STR(" DT_BF16 ")), DTYPE_BF16);
    assert_int_equal(dtype_parse(STR("torch.Float32")), DTYPE_FP32);
    assert_int_equal(dtype_parse(STR("fp16")), DTYPE_FP16);
    assert_int_equal(dtype_parse(STR("half")), DTYPE_UNKNOWN);
    assert_string_equal(dtype_name(DTYPE_BF16), "bfloat16");
    assert_int_equal(dtypes_mentioned(STR("# torch.BFloat16")), 1u << DTYPE_BF16);
    assert_int_equal(dtypes_mentioned(STR("bfloat16 x_fp16")), 1u << DTYPE_BF16 | 1u << DTYPE_FP16);
    assert_int_equal(dtypes_mentioned(STR("bfloat16 float16")),
                     1u << DTYPE_BF16 | 1u << DTYPE_FP16);
    assert_int_equal(dtypes_mentioned(STR("float32, DT_FP16")),
                     1u << DTYPE_FP32 | 1u << DTYPE_FP16);
    assert_int_equal(dtypes_mentioned(STR("int8")), 0);
}

static void assert_uses(const char *text, const char *expected)
{
    ToleranceUses uses = tolerance_uses(&arena, str_from(text), "atol");
    Buf out = {.arena = &arena};
    buf_add(&out, STR(""));
    for (uint32_t i = 0; i < uses.count; i++) {
        const ToleranceUse *use = &uses.items[i];
        buf_addf(&out, "%s%g", i == 0 ? "" : " ", use->value);
        assert_int_equal(use->end - use->start, use->text.length);
    }
    assert_str(buf_str(&out), expected);
}

static void test_tolerances(void **state)
{
    (void)state;
    assert_uses("f(atol=1e-3, rtol=2)", "0.001");
    assert_uses("ATOL : 5\nmy_atol=0.5", "5 0.5");
    assert_uses("**atol** 3 **atol**: 4 **atol**=5.", "3 4 5");
    assert_uses("atol=.5 atol=-1 'atol': 1 atol==1 atol=x atol 1", "");
    assert_uses("atol=1_0 atol=2e atol=3e+2", "1 2 300");
    assert_uses("atol =\n  7", "7");
    ToleranceUses uses = tolerance_uses(&arena, STR("x atol=0.25)"), "atol");
    assert_int_equal(uses.items[0].start, 7);
    assert_int_equal(uses.items[0].end, 11);
}

static void assert_p0(const char *yaml, const char *shapes, uint32_t short_shapes)
{
    Str text = str_format(&arena, "---\np0_shapes: %s\n---\n", yaml);
    FrontMatter front = front_matter_read(&arena, text);
    P0Shapes found = p0_shapes_read(&arena, value_get(front.metadata, "p0_shapes"));
    assert_str(shown_shapes(&found.shapes), shapes);
    assert_int_equal(found.short_shapes, short_shapes);
}

static void test_p0_shapes(void **state)
{
    (void)state;
    assert_p0("[[1024, 128], [1024, 256], [1024, 128]]", "[1024, 128] [1024, 256]", 0);
    assert_p0("[{x: [8, 64], scale: [8, 1], n: [4], k: 3}]", "[8, 64] [8, 1]", 1);
    assert_p0("[[[8, 64], [64, 32], [5], [[1, 2]], x]]", "[8, 64] [64, 32]", 1);
    assert_p0("[1024, 128]", "", 0);
    assert_p0("[{B: 4, H: 8}]", "", 0);
    assert_p0("[[1024]]", "", 1);
    assert_p0("[[]]", "", 0);
    assert_p0("[[\"8\", 16.0, true]]", "[8, 16, 1]", 0);
    assert_p0("[[8, N]]", "", 0);
    assert_p0("x", "", 0);
}

static void assert_covered(const char *text, const char *expected)
{
    PyFile file;
    pyfile_init(&file, &arena, STR("test_x.py"), str_from(text));
    assert_int_equal(file.parsed.status, PARSE_OK);
    ShapeSet set = covered_shapes(&arena, &file);
    assert_str(shown_shapes(&set), expected);
}

static void test_covered_shapes(void **state)
{
    (void)state;
    assert_covered("S = [[96, 320], (8 ,\n 16)]  # [1,2,3]\n", "[96, 320] [8, 16] [1, 2, 3]");
    assert_covered("S = [[ 96, 320], (8, 16,), [8,16 ], (a, 2), [-1, 2]]\n", "");
    assert_covered("_run_and_check('c', 96, 320, 1)\nx._run_and_check('c', 1, 2)\n", "[96, 320]");
    assert_covered("torch.randn(2, 8, 16, dtype=t)\n", "[2, 8]");
    assert_covered("torch.zeros([2, 8, n])\ntorch.rand([3, 9, n])\nt.zeros([4, 9, n])\n", "[2, 8]");
    assert_covered("torch.zeros(8, 16, dtype=d)\ntorch.randn(n, m)\n", "");
    assert_covered("torch.full((7, 9, k), 0)\n", "[7, 9]");
    ShapeSet set = {0};
    shapes_in_text(&arena, STR("[1,2]"), &set);
    int64_t sizes[] = {1, 2, 3};
    assert_true(shape_set_has(&set, (Shape){sizes, 2, 0}));
    assert_false(shape_set_has(&set, (Shape){sizes, 3, 0}));
    assert_false(shape_set_has(&(ShapeSet){0}, (Shape){sizes, 2, 0}));
}

static void test_design_identifiers(void **state)
{
    (void)state;
    assert_str(joined(design_identifiers(
                   &arena, STR("row_max outside\n```python\nrow_max = prob_tile + x1\n```\n"))),
               "prob_tile row_max");
    assert_str(joined(design_identifiers(
                   &arena, STR("`row_sum` and `output` and `abc` and `abcdef` `Xtmp_var`"))),
               "abcdef row_sum");
    assert_str(
        joined(design_identifiers(&arena, STR("`中tmp_var` `（tmp_var）` `tmp_var2` `1tmp_var`"))),
        "tmp_var tmp_var2");
    /* Another info string: no fence, but the backticks pair up as they come. */
    assert_str(joined(design_identifiers(&arena, STR("```c++\nrow_max\n```\n"))), "");
    assert_str(joined(design_identifiers(&arena, STR("`a\nrow_max`"))), "");
    assert_str(joined(design_identifiers(&arena, STR("```\nrow_max\n"))), "");
    Strs names = design_identifiers(&arena, STR("`b_b a_a c_c`"));
    assert_true(strs_sorted_have(&names, STR("c_c")));
    assert_false(strs_sorted_have(&names, STR("d_d")));
}

static void test_python_facts(void **state)
{
    (void)state;
    PyFile file;
    pyfile_init(
        &file, &arena, STR("x.py"),
        STR("class C:\n    def f(self): pass\nif 1:\n    def f(a): pass\nasync def f(a): pass\n"
            "def f(a, b, c=1, *, d, e=2, **k): pass\ndef f(a): pass\n"
            "def g(self, a): pass\ndef h(a, b=1, /, c=2): pass\ndef z(self=1): pass\n"
            "getattr(lib, 'assert_allclose')(1)\n"));
    const Module *module = pyfile_module(&file);
    NodeId f = top_level_function(&file, STR("f"));
    assert_int_equal(node_line(module, f), 6);
    assert_int_equal(required_parameters(module, f), 2);
    assert_str(joined(parameter_names(module, &arena, f)), "a b c d e");
    assert_int_equal(required_parameters(module, top_level_function(&file, STR("g"))), 1);
    assert_int_equal(required_parameters(module, top_level_function(&file, STR("h"))), -1);
    assert_str(joined(parameter_names(module, &arena, top_level_function(&file, STR("h")))),
               "a b c");
    assert_int_equal(required_parameters(module, top_level_function(&file, STR("z"))), 0);
    assert_int_equal(top_level_function(&file, STR("none")), NO_NODE);
    NodeList calls = module_nodes(module, NODE_CALL);
    assert_int_equal(calls.count, 2);
    assert_true(callee_mentions(&file, calls.ids[0], "assert_allclose", false));
    assert_false(callee_mentions(&file, calls.ids[1], "assert_allclose", false));
}

static void test_text(void **state)
{
    (void)state;
    assert_str(text_trim(STR("\xe3\x80\x80 a b\xc2\xa0\n")), "a b");
    assert_str(text_trim(STR(" \t")), "");
    assert_true(code_point_is_word(0x4e2d));
    assert_false(code_point_is_word(0xff0c)); /* fullwidth comma */
    assert_true(text_contains_folded(STR("xTiLing"), STR("tiling")));
    int64_t number;
    assert_true(text_to_int(STR(" -1_0 "), &number));
    assert_int_equal(number, -10);
    assert_false(text_to_int(STR("1__0"), &number));
    double real;
    assert_true(text_to_real(STR("1e-3"), &real));
    assert_true(real > 0.00099 && real < 0.00101);
    assert_false(text_to_real(STR("0x10"), &real));
    assert_false(text_to_real(STR(""), &real));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dtypes),
        cmocka_unit_test(test_tolerances),
        cmocka_unit_test(test_p0_shapes),
        cmocka_unit_test(test_covered_shapes),
        cmocka_unit_test(test_design_identifiers),
        cmocka_unit_test(test_python_facts),
        cmocka_unit_test(test_text),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
