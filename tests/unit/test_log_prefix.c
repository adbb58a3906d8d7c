/* Tests of the prefixes that launchers put before lines. */
#include "diagnose/log_prefix.h"

#include "log_fixture.h"

static void test_prefixes(void **state)
{
    (void)state;
    static const struct {
        const char *line, *rest;
        bool is_rank;
    } rows[] = {
        {"", "", false},
        {"RuntimeError: x", "RuntimeError: x", false},
        {"[1,3]<stderr>:RuntimeError: x", "RuntimeError: x", true},
        {"[1,3]<stdout>:", "", true},
        {"[1,3] is the index", "[1,3] is the index", false},
        {"[1,]<stderr>:x", "[1,]<stderr>:x", false},
        {"[rank3]: RuntimeError: x", "RuntimeError: x", true},
        {"[rank3]:[W a.cpp:3] x", "[W a.cpp:3] x", true},
        {"[rank3] x", "x", true},
        {"[rank3]x", "[rank3]x", false},
        {"[rank]: x", "[rank]: x", false},
        {"[default0]:x", "x", true},
        {"[pod/a-0/main] x", "x", false},
        {"[pod/a-0/main]x", "[pod/a-0/main]x", false},
        {"trainer-0  | x", "x", false},
        {"trainer_12 | x", "x", false},
        {"trainer  | x", "trainer  | x", false},
        {"3 | x", "3 | x", false},
        {"12-3 | x", "12-3 | x", false},
        {"trainer-0| x", "trainer-0| x", false},
        {"Nov 26 22:10:09 edge-03 pto-eval[2210]: x", "x", false},
        {"Nov  6 22:10:09 edge-03 kernel: x", "Nov  6 22:10:09 edge-03 kernel: x", false},
        {"Nov 26 edge-03 pto-eval[2210]: x", "Nov 26 edge-03 pto-eval[2210]: x", false},
        {"2026-11-20T08:14:21.8107755Z x", "x", false},
        {"2026-11-20T08:14:21.8107755Z", "", false},
        {"2026-11-20 08:14:21 E x", "2026-11-20 08:14:21 E x", false},
        {"2026-11-20T08:14:21 x", "2026-11-20T08:14:21 x", false},
        {"[2026-11-20 08:14:21] x", "x", false},
        {"[2026-11-20 08:14:21,003] [stderr] x", "x", false},
        {"[08:14:21] x", "x", false},
        {"[08:14:21] E x", "[08:14:21] E x", false},
        {"[2026-11-20T08:14:21.810Z] + make", "+ make", false},
        {"#16 2.118 x", "x", false},
        {"#16 2 x", "#16 2 x", false},
        {"#0  0x0000ffff in f ()", "#0  0x0000ffff in f ()", false},
        {"(Worker pid=12, ip=10.0.0.1) x", "x", false},
        {"(Worker pid=12", "(Worker pid=12", false},
        {"(see pid=12) x", "x", false},
        /* Several labels, at most four. */
        {"2026-11-20T08:14:21Z trainer-0  | [rank1]: x", "x", true},
        {"a-1 | a-1 | a-1 | a-1 | a-1 | x", "a-1 | x", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Str line = str_from(rows[i].line);
        LogPrefix prefix = log_prefix(line);
        bool same = str_is(str_slice(line, prefix.length, line.length), rows[i].rest);
        if (!same || prefix.is_rank != rows[i].is_rank) {
            fail_msg("%s", rows[i].line);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_prefixes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
