/* Tests of summaries of cases, and of answers to `echo $?`. */
#include "diagnose/log_status.h"
#include "diagnose/log_sum.h"

#include "log_fixture.h"

static void test_sums(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        LogSumKind kind;
    } rows[] = {
        {"14 passed, 0 failed", LOG_SUM_GOOD},
        {"smoke: 4/4 checks passed", LOG_SUM_GOOD},
        {"passed: 12/12", LOG_SUM_GOOD},
        {"SUMMARY: total=5 pass=4 skip=1 fail=0", LOG_SUM_GOOD},
        {"Tests run: 12, Failures: 0, Errors: 0, Skipped: 1", LOG_SUM_GOOD},
        {"All softmax tests passed!", LOG_SUM_GOOD},
        {"all 2 tests passed (1 retried)", LOG_SUM_GOOD},
        {"共 3 个用例，通过 3，失败 0", LOG_SUM_GOOD},
        {"全部用例通过", LOG_SUM_GOOD},
        {"9 passed, 2 failed", LOG_SUM_BAD},
        {"total=5 pass=3 skip=0 fail=2", LOG_SUM_BAD},
        {"测试完成：20 个通过，10 个失败", LOG_SUM_BAD},
        {"Ran 5 tests: 3 failed, 0 errors", LOG_SUM_BAD},
        {"smoke: 3/4 checks passed", LOG_SUM_SHORT},
        {"main - 3 failed, 5 passed", LOG_SUM_BAD},
        {"10:00:31 64/64 requests succeeded, 0 failed", LOG_SUM_GOOD},
        {"12/12 softmax PASS", LOG_SUM_NONE}, /* perhaps the last step of a list */
        {"main - 3 passed, 0 failed", LOG_SUM_GOOD},
        {"2025-11-03 failed, 5 passed", LOG_SUM_NONE},
        {"通过 2/3 个用例", LOG_SUM_SHORT},
        {"Results: 7 of 9 cases passed", LOG_SUM_SHORT},
        {"9 of 9 cases passed", LOG_SUM_GOOD},
        {"3/3 cases OK, 0 unexpected errors", LOG_SUM_GOOD},
        {"3/3 cases OK, 1 unexpected error", LOG_SUM_BAD},
        {"2/3 cases OK, 0 unexpected errors", LOG_SUM_SHORT},
        {"ALL PASS (3/3)", LOG_SUM_GOOD},
        {"passed: 2/3", LOG_SUM_SHORT},
        {"PASS (2/3)", LOG_SUM_NONE},
        {"running pass 3/20 ReshapeFusion", LOG_SUM_NONE},
        {"attempt 2 of 3", LOG_SUM_NONE},
        /* Steps, single cases, empty or contradictory summaries. */
        {"[3/10] compile ok", LOG_SUM_NONE},
        {" 1/4 Test  #1: error_codes ......   Passed    0.03 sec", LOG_SUM_NONE},
        {"tests: 0 failed", LOG_SUM_NONE},
        {"0/0 tests passed", LOG_SUM_NONE},
        {"0 passed, 0 failed", LOG_SUM_NONE},
        {"4/4 checks passed, then the upload failed", LOG_SUM_NONE},
        {"all tests passed: False", LOG_SUM_NONE},
        {"not all tests passed", LOG_SUM_NONE},
        {"所有用例未通过", LOG_SUM_NONE},
        {"version 2.5.1 passed", LOG_SUM_NONE},
        {"fp16 passed", LOG_SUM_NONE},
        {"", LOG_SUM_NONE},
    };
    CHECK_ROWS(rows, log_sum(str_from(rows[i].line)).kind == rows[i].kind);
    assert_true(log_sum(STR("12/48 cases passed")).key == log_sum(STR("48/48 cases passed")).key);
    assert_true(log_sum(STR("3/3 cases passed")).key != log_sum(STR("3/3 checks passed")).key);
}

static void test_status(void **state)
{
    (void)state;
    static const struct {
        const char *command, *line;
        int status;
    } rows[] = {
        {"echo $?", "0", 0},
        {"echo rc=$?", "rc=0", 0},
        {"echo \"exit status: $?\"", "exit status: 139", 139},
        {"echo done $? now", "done 2 now", 2},
        {"echo $?", "0 errors", -1},
        {"echo rc=$?", "0", -1},
        {"echo $?", "", -1},
        {"echo $?", "1234", -1},
    };
    LogStatusForm form;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        log_status_form(&form, str_from(rows[i].command));
        assert_int_equal(log_status_of(&form, str_from(rows[i].line)), rows[i].status);
    }
    assert_true(log_asks_status(STR("echo \"rc=$?\"")));
    assert_false(log_asks_status(STR("python3 a.py; echo $?")));
    assert_false(log_asks_status(STR("echo $? | tee log")));
    assert_false(log_asks_status(STR("echo done")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sums), cmocka_unit_test(test_status)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
