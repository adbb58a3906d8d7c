/* Readers of what earlier runs and workers left: reports, results of watching, tables of runs. Any
 * bytes may come. */
#include "base/path.h"
#include "harness/blame/snapshots.h"
#include "harness/report/verification_log.h"

#include "arena_fixture.h"

#include <stdlib.h>
#include <unistd.h>

static Arena arena;
static char folder[] = "run-readers-XXXXXX";

/* --- reports */

static const char earlier[] =
    "{\"op_name\":\"duet\",\"up_to_module\":2,\"checks\":["
    "{\"id\":\"a\",\"per_mode_status\":{\"sim\":\"PASS\",\"npu\":\"SKIPPED\"},\"max_abs_diff\":0.5},"
    "{\"id\":\"b\",\"per_mode_status\":{\"sim\":\"FAIL\"},\"max_abs_diff\":null},"
    "{\"id\":\"a\",\"per_mode_status\":7}],"
    "\"timing\":{\"workers\":[{\"case\":\"b\",\"mode\":\"sim\",\"wrapper\":0.25},"
    "{\"case\":\"none\",\"mode\":\"sim\",\"wrapper\":1},{\"case\":\"b\",\"mode\":\"gpu\"}]}}";

static void test_report(void **unused)
{
    (void)unused;
    RunRecord record;
    Str error;
    assert_true(run_record_read(&arena, str_from(earlier), &record, &error));
    assert_true(str_is(record.op_name, "duet"));
    assert_int_equal(record.module, 2);
    assert_int_equal(record.cases.count, 2); /* a name that comes twice is one case */
    assert_int_equal(record.cases.items[1].verdicts[MODE_SIM], VERDICT_FAIL);
    assert_false(record.cases.items[1].max_abs_diff.known);
    assert_true(record.cases.items[1].seconds[MODE_SIM].known);
    assert_int_equal(record.hashes.kernel.length, 0);
}

/* Every beginning of a report is a broken one. */
static void test_cut_reports(void **unused)
{
    (void)unused;
    for (size_t length = 0; length < sizeof earlier - 1; length++) {
        RunRecord record;
        Str error = STR("");
        Str part = {str_dup(&arena, (Str){earlier, length}), length};
        assert_false(run_record_read(&arena, part, &record, &error));
        assert_true(error.length > 0);
    }
}

static RunRecord read_report(const char *text)
{
    RunRecord record;
    Str error;
    assert_true(run_record_read(&arena, str_from(text), &record, &error));
    return record;
}

#define ONE(verdict, error)                                                                        \
    "{\"op_name\":\"x\",\"checks\":[{\"id\":\"a\",\"per_mode_status\":{\"sim\":\"" verdict         \
    "\"},\"max_abs_diff\":" error "}],\"hashes\":{\"kernel\":\"k\",\"suite\":\"s\"}}"

static void test_differences(void **unused)
{
    (void)unused;
    const struct {
        const char *before, *now;
        ChangeKind kind;
        uint32_t count;
    } rows[] = {
        {ONE("PASS", "1.0"), ONE("FAIL", "1.0"), CHANGE_BROKE, 1},
        {ONE("ERROR", "1.0"), ONE("PASS", "1.0"), CHANGE_FIXED, 1},
        {ONE("FAIL", "1.0"), ONE("ERROR", "1.0"), CHANGE_BROKE, 0},
        {ONE("PASS", "1.0"), ONE("SKIPPED", "1.0"), CHANGE_NOT_RUN, 1},
        {ONE("SKIPPED", "1.0"), ONE("FAIL", "1.0"), CHANGE_BROKE, 0},
        {ONE("PASS", "1.0"), ONE("PASS", "1.2"), CHANGE_ERROR_GREW, 1},
        {ONE("PASS", "1.0"), ONE("PASS", "1.05"), CHANGE_ERROR_GREW, 0},
        {ONE("PASS", "1.2"), ONE("PASS", "1.0"), CHANGE_ERROR_SHRANK, 1},
        {ONE("PASS", "null"), ONE("PASS", "1.0"), CHANGE_ERROR_GREW, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        RunRecord before = read_report(rows[i].before), now = read_report(rows[i].now);
        RunDiff diff = run_diff(&arena, &before, &now, false);
        assert_int_equal(diff.counts[rows[i].kind], rows[i].count);
        assert_int_equal(diff.changes.count, rows[i].count);
        assert_true(diff.same_kernel && diff.same_suite);
        bool flaky = rows[i].count > 0 && rows[i].kind != CHANGE_NOT_RUN;
        assert_int_equal(run_diff_is_flaky(&diff), flaky);
    }
}

static void test_vanished(void **unused)
{
    (void)unused;
    RunRecord none = read_report("{\"op_name\":\"x\",\"checks\":[]}");
    RunRecord passed = read_report(ONE("PASS", "1.0")), failed = read_report(ONE("FAIL", "1.0"));
    RunDiff diff = run_diff(&arena, &passed, &none, false);
    assert_int_equal(diff.counts[CHANGE_VANISHED], 1);
    assert_true(run_diff_lost_cases(&diff));
    diff = run_diff(&arena, &passed, &none, true);
    assert_int_equal(diff.changes.count, 0);
    diff = run_diff(&arena, &failed, &none, false);
    assert_false(run_diff_lost_cases(&diff));
    diff = run_diff(&arena, &none, &failed, false);
    assert_int_equal(diff.counts[CHANGE_NEW], 1);
}

/* --- watching */

static const char watched[] =
    "{\"at\": \"golden\"}\n{\"end\":\"compared\",\"bisect\":{\"axis\":\"t\",\"first\":1,\"watches\":["
    "{\"name\":\"a\",\"line\":4,\"iterations\":1,\"steps\":[{\"iter\":0,\"all_close\":true}]},"
    "{\"name\":\"b\",\"pattern\":\"from\",\"onset_iter\":7,\"loop_carried\":true,\"steps\":"
    "[{\"iter\":7,\"all_close\":false,\"relative_error\":0.5}]},"
    "{\"name\":\"c\",\"why\":\"shape\"},{\"name\":\"d\"},7]}}";

static void test_watching(void **unused)
{
    (void)unused;
    Bisection made;
    assert_true(bisection_read(&arena, str_from(watched), &made));
    assert_int_equal(made.drifts.count, 5);
    assert_int_equal(made.drifting, 1);
    assert_int_equal(made.not_compared, 3); /* what has no steps was not compared */
    assert_true(str_is(made.first->name, "b"));
    assert_int_equal(made.first->onset, 7);
    assert_true(made.first->handing_known && made.first->handed_on);
    const char *const broken[] = {
        "",
        "{",
        "[]",
        "{\"bisect\":7}",
        "{\"bisect\":{}}",
        "{\"bisect\":{\"watches\":[]}}",
        "{\"bisect\":{\"watches\":[{\"pattern\":\"all\",\"steps\":[{}]}],\"first\":9}}",
        "{\"bisect\":{\"watches\":[{\"steps\":[{}]}],\"first\":0}}",
    };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        assert_false(bisection_read(&arena, str_from(broken[i]), &made));
    }
}

/* --- tables of runs */

static void write_memory(const char *text)
{
    Str error, path = path_join(&arena, str_from(folder), STR(MEMORY_PATH));
    assert_true(file_write_atomic(&arena, path.at, str_from(text), &error));
}

static void test_tables(void **unused)
{
    (void)unused;
    const struct {
        const char *text;
        bool found;
        uint32_t rows;
    } documents[] = {
        {"", false, 0},
        {"## Verification log\n| Status |\n|---|\n", true, 0},
        {"## Verification log\n| Status |\n|---|\n| a\\|b |\n| c |\n\n| d |\n", true, 2},
        {"## Verification log\n| Status |\n| x |\n", false, 0},
        {"## Verification log\n| Status |\n|---", true, 0},
        {"## Verification log\n|\n||\n|||\n", false, 0},
        {"## Other\n| Status |\n|---|\n| a |\n", false, 0},
        {"## Verification log\n\n## Next\n| Status |\n|---|\n", false, 0},
        {"## Verification log\r\n| Status |\r\n|---|\r\n| a \\|\r\n| b |", true, 2},
    };
    VerificationLog log;
    Str error = STR("");
    assert_non_null(mkdtemp(folder));
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
        write_memory(documents[i].text);
        assert_true(verification_log_read(&arena, str_from(folder), &log, &error));
        assert_int_equal(log.found, documents[i].found);
        assert_int_equal(log.rows.count, documents[i].rows);
        assert_true(verification_log_check(&arena, str_from(folder),
                                           &error)); /* a file without a table gets one */
    }
    write_memory("## Verification log\n| Who |\n|---|\n");
    assert_false(verification_log_check(&arena, str_from(folder), &error));
    write_memory(documents[2].text);
    assert_true(verification_log_read(&arena, str_from(folder), &log, &error));
    assert_true(str_is(log.rows.items[0].cells.items[0], "a|b"));
    Str path = path_join(&arena, str_from(folder), STR(MEMORY_PATH));
    assert_int_equal(unlink(path.at), 0);
    assert_false(verification_log_read(&arena, str_from(folder), &log, &error));
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_report, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_cut_reports, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_differences, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_vanished, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_watching, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_tables, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
