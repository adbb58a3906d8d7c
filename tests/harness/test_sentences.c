/* Tests of the summaries of failures in both languages: numbers, names and places are the same, and
 * nothing of the Chinese one is English prose. */
#include "harness/judge/case_sentences.h"
#include "harness/report/warning_text.h"

#include "arena_fixture.h"

#include <signal.h>

static const CaseContext on_sim = {.mode = MODE_SIM, .timeout_ms = 90000, .memory = 512u << 20};

static void check(Sentence sentence, const char *en, const char *zh)
{
    assert_string_equal(str_dup(&arena, sentence.en), en);
    assert_string_equal(str_dup(&arena, sentence.zh), zh);
}

static void test_values(void **unused)
{
    (void)unused;
    SuiteCase source = {.atol = 0.001, .rtol = 0.01};
    CaseContext context = on_sim;
    context.source = &source;
    Leaf leaf = {.name = STR("out0"),
                 .output = STR("y"),
                 .elements = 77,
                 .out_of_tolerance = 13,
                 .never = STR("never written: rows 64–76 of 77"),
                 .never_zh = STR("从未写入：第 64–76 行（共 77）"),
                 .nonfinite = 2,
                 .max_abs_diff = {.known = true, .value = 0.5}};
    check(sentence_of_values(&arena, &context, &leaf),
          "y (out0) differs on sim: never written: rows 64–76 of 77; 13 of 77 elements are out of "
          "tolerance (atol 0.001, rtol 0.01), max_abs_diff 0.5, 2 are not finite",
          "sim 上 y (out0) 与参考不符：从未写入：第 64–76 行（共 77）；13 / 77 个元素超出容差"
          "（atol 0.001，rtol 0.01），max_abs_diff 0.5，2 个非有限值");
    leaf = (Leaf){.name = STR("out0"), .max_rel_diff = {.known = true, .value = 1e12}};
    check(sentence_of_values(&arena, &on_sim, &leaf), "out0 differs on sim",
          "sim 上 out0 与参考不符");
    InspectionStep step = {.iter = 3, .max_rel_diff = {.known = true, .value = 0.25}};
    check(sentence_of_drift(&arena, &on_sim, STR("state"), &step),
          "the inspection buffer state drifts from iteration 3 on, on sim, max_rel_diff 0.25",
          "检查缓冲区 state 从迭代 3 起偏离（sim），max_rel_diff 0.25");
}

static void test_never_written(void **unused)
{
    (void)unused;
    OutputOrigin output = {.elements = 77 * 16, .never_written = 26};
    AxisBounds rows = {64, 76, 77}, columns = {14, 15, 16};
    VEC_PUSH(&arena, &output.never, rows);
    VEC_PUSH(&arena, &output.never, columns);
    assert_string_equal(str_dup(&arena, provenance_never(&arena, &output, LANG_EN)),
                        "never written: rows 64–76 of 77, columns 14–15 of 16");
    assert_string_equal(str_dup(&arena, provenance_never(&arena, &output, LANG_ZH)),
                        "从未写入：第 64–76 行（共 77）、第 14–15 列（共 16）");
    output.never_written = 20;
    assert_string_equal(
        str_dup(&arena, provenance_never(&arena, &output, LANG_EN)),
        "never written: rows 64–76 of 77, columns 14–15 of 16 (20 of 26 elements there)");
    assert_string_equal(
        str_dup(&arena, provenance_never(&arena, &output, LANG_ZH)),
        "从未写入：第 64–76 行（共 77）、第 14–15 列（共 16）（其中 20 / 26 个元素）");
}

static void test_structure(void **unused)
{
    (void)unused;
    int64_t is[] = {8, 16}, should[] = {8, 32};
    Leaf leaf = {.name = STR("out1"),
                 .structure = STR("shape"),
                 .shape = {is, 2, true},
                 .expected_shape = {should, 2, true},
                 .dtype = STR("float16"),
                 .expected_dtype = STR("float32")};
    check(sentence_of_structure(&arena, &on_sim, &leaf),
          "out1 has shape [8, 16] on sim, the reference has [8, 32]",
          "out1 的 shape 为 [8, 16]（sim），参考实现为 [8, 32]");
    leaf.structure = STR("dtype");
    check(sentence_of_structure(&arena, &on_sim, &leaf),
          "out1 has dtype float16 on sim, the reference has float32",
          "out1 的 dtype 为 float16（sim），参考实现为 float32");
    leaf.structure = STR("missing");
    check(sentence_of_structure(&arena, &on_sim, &leaf),
          "the output out1 is missing on sim: fewer outputs than the reference has",
          "输出 out1 在 sim 上缺失：输出比参考实现少");
    leaf.structure = STR("extra");
    check(sentence_of_structure(&arena, &on_sim, &leaf),
          "the output out1 on sim is one that the reference does not have",
          "输出 out1（sim）是参考实现所没有的");
}

static void test_raised(void **unused)
{
    (void)unused;
    WorkerResult result = {.end = RESULT_RAISED,
                           .stage = STAGE_WRAPPER,
                           .type = STR("FeError"),
                           .code = STR("F74006"),
                           .raised_at = {STR("modules/x_impl.py"), 31},
                           .own = true,
                           .message = STR("F74006 at 3")};
    check(
        sentence_of_raised(&arena, &on_sim, &result),
        "the wrapper raised FeError on sim at modules/x_impl.py:31, F74006: an element or window "
        "lies outside its tensor: F74006 at 3",
        "封装函数抛出 FeError（sim，modules/x_impl.py:31），F74006：元素或窗口超出张量范围：F74006 at 3");
    result = (WorkerResult){.end = RESULT_RAISED, .stage = STAGE_GOLDEN, .kind = STR("memory")};
    check(
        sentence_of_raised(&arena, &on_sim, &result),
        "the reference raised an exception on sim; an allocation failed under the memory limit of "
        "512 MiB: raise --mem-limit, or make the case smaller",
        "参考实现抛出异常（sim）；内存分配失败（内存限制 512 MiB）：请提高 --mem-limit 或减小用例");
}

static void test_deaths(void **unused)
{
    (void)unused;
    WorkerResult result = {.end = RESULT_NONE, .stage = STAGE_WRAPPER};
    WorkerOutcome late = {.end = PROCESS_LATE};
    check(sentence_of_death(&arena, &on_sim, &late, &result, ROUTE_TIMEOUT),
          "the process did not end within the time limit of 90 s in the wrapper on sim; raise "
          "--timeout, or make the case smaller",
          "进程没有结束（时限 90 秒）（封装函数中，sim）；请提高 --timeout 或减小用例");
    WorkerOutcome crash = {.end = PROCESS_KILLED, .value = SIGSEGV};
    check(sentence_of_death(&arena, &on_sim, &crash, &result, ROUTE_HOST_CRASH),
          "the process was ended by SIGSEGV in the wrapper on sim",
          "进程被终止：SIGSEGV（封装函数中，sim）");
    WorkerOutcome end = {.end = PROCESS_EXITED, .value = 7};
    check(sentence_of_death(&arena, &on_sim, &end, &result, ROUTE_OTHER),
          "the process ended with status 7 without a result in the wrapper on sim",
          "进程以状态码 7 结束，没有给出结果（封装函数中，sim）");
}

/* A summary that has no Chinese form of its own is looked up in the table. */
static void test_lookup(void **unused)
{
    (void)unused;
    CaseResult own = {.summary = STR("en"), .summary_zh = STR("zh")};
    assert_string_equal(str_dup(&arena, summary_text(&arena, LANG_ZH, &own)), "zh");
    assert_string_equal(str_dup(&arena, summary_text(&arena, LANG_EN, &own)), "en");
    CaseResult table = {
        .summary = STR("no kernel was launched: on sim the outputs were computed without one")};
    assert_string_equal(str_dup(&arena, summary_text(&arena, LANG_ZH, &table)),
                        "没有启动任何 kernel：sim 上的输出不是由 kernel 算出的");
    FirstFailure first = {.present = true, .summary = STR("no requested mode could run: sim: off")};
    assert_string_equal(str_dup(&arena, first_summary_text(&arena, LANG_ZH, &first)),
                        "所要求的模式都无法运行：sim: off");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),    cmocka_unit_test(test_never_written),
        cmocka_unit_test(test_structure), cmocka_unit_test(test_raised),
        cmocka_unit_test(test_deaths),    cmocka_unit_test(test_lookup),
    };
    return cmocka_run_group_tests_name("sentences", tests, set_up, tear_down);
}
