/* Tests of lines that report how a program, a job or a script ended. */
#include "diagnose/log_ending.h"

#include "log_fixture.h"

static void test_endings(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        LogEnding ending;
    } rows[] = {
        {"", ENDING_NONE},
        {"+ exit 0", ENDING_SCRIPT},
        {"  + exit 0 ", ENDING_SCRIPT},
        {"++ exit 0", ENDING_NONE}, /* a subshell */
        {"+ exit 1", ENDING_NONE},
        {"+ exit 01", ENDING_NONE},
        {"+ echo exit 0", ENDING_NONE},
        {"Finished: SUCCESS", ENDING_JOB},
        {"Finished: FAILURE", ENDING_NONE},
        {"Job succeeded", ENDING_JOB},
        {"Job succeeded in parts", ENDING_NONE},
        {"make: [Makefile:31: tidy] Error 1 (ignored)", ENDING_IGNORED},
        {"make: *** [Makefile:31: all] Error 1", ENDING_NONE},
        {"...ignoring", ENDING_IGNORED},
        {"not ...ignoring", ENDING_NONE},
        {"Job docs failed (allowed to fail)", ENDING_IGNORED},
        {"mypy is informational (continue-on-error)", ENDING_IGNORED},
        {"PLAY RECAP *********", ENDING_RECAP},
        {"n1   : ok=5  changed=2  unreachable=0 failed=0 skipped=0", ENDING_HOST},
        {"n1   : ok=5  changed=2  unreachable=0 failed=1 skipped=0", ENDING_HOST_FAILED},
        {"n1   : ok=5  changed=2  unreachable=1 failed=0 skipped=0", ENDING_HOST_FAILED},
        {"Pipeline #88121 passed with warnings", ENDING_JOB},
        {"Pipeline #88121 failed", ENDING_NONE},
        {"Pipeline parallel self-check passed", ENDING_NONE},
        {"train-0   0/1   Completed   0   120m", ENDING_POD},
        {"Pipeline #88121 not passed", ENDING_NONE},
        {"Successfully tagged a:1", ENDING_IMAGE},
        {"#11 naming to docker.io/library/a:1 done", ENDING_IMAGE},
        {"#11 naming to docker.io/library/a:1", ENDING_NONE},
        {"[elastic] SUCCEEDED after 1 restart", ENDING_WELL},
        {"[elastic] all 8 workers exited with code 0", ENDING_STATUS},
        {"helper exited with code 0", ENDING_NONE},
        {"[tune] done, exit code 0", ENDING_STATUS},
        {"INFO a.py:80 result OK, exit code 0", ENDING_STATUS},
        {"[exit code: 0]", ENDING_STATUS},
        {"[  PASSED  ] 3 tests.", ENDING_TESTS},
        {"[  PASSED  ] 0 tests.", ENDING_NONE},
        {"[  PASSED  ] ", ENDING_NONE},
        {"worker group successfully finished.", ENDING_WELL},
        {"[drill] verdict: PASSED", ENDING_DRILL},
        {"verdict: FAIL", ENDING_NONE},
        /* The status of the program itself, at the end of the line. */
        {"exit code: 0", ENDING_STATUS},
        {"train exit status 0.", ENDING_STATUS},
        {"cleanup: exit code: 0", ENDING_NONE},
        {"cleanup exit code: 0", ENDING_NONE},
        {"docker run2 exit code 0", ENDING_NONE},
        {"exit code: 0x7f", ENDING_NONE},
        {"exit code: 0, wanted 3", ENDING_NONE},
        {"exit code: 10", ENDING_NONE},
    };
    CHECK_ROWS(rows, log_ending(str_from(rows[i].line)) == rows[i].ending);
}

static void test_pods(void **state)
{
    (void)state;
    assert_true(log_pod_succeeded(STR("Status:           Succeeded")));
    assert_true(log_pod_succeeded(STR("Phase: Succeeded  ")));
    assert_false(log_pod_succeeded(STR("Status: Failed")));
    assert_false(log_pod_succeeded(STR("The Status: Succeeded")));
    assert_true(log_is_pod_warning(STR("  Warning  BackOff  3m  kubelet")));
    assert_false(log_is_pod_warning(STR("Warning: x")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_endings), cmocka_unit_test(test_pods)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
