/* Tests of numbers in lines of logs. */
#include "diagnose/log_number.h"

#include "log_fixture.h"

static void test_reading(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        size_t end;
        double number;
    } rows[] = {
        {"", 0, -1},
        {"x", 0, -1},
        {"-5", 0, -1},
        {".5", 0, -1},
        {"0", 1, 0},
        {"31 GB", 2, 31},
        {"0.5,", 3, 0.5},
        {"1e-6)", 4, 1e-6},
        {"2.5E+3", 6, 2500},
        {"1e", 1, 1},
        {"3.", 1, 3},
        {"4.x", 1, 4},
        {"0x10", 1, 0},
        {"7e5e", 3, 700000},
        {"12345678901234567", 17, 12345678901234567.0},
        {"1234567890123456789012345678901234567890", 31, 1234567890123456789012345678901.0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double number = -1;
        size_t end = log_number_read(str_from(rows[i].line), 0, &number);
        if (end != rows[i].end || number != rows[i].number) {
            fail_msg("%s: %g, %zu", rows[i].line, number, end);
        }
    }
}

static void test_finding(void **state)
{
    (void)state;
    static const char *const words[] = {"max_rel", "eps=", "id"};
    static const struct {
        const char *line;
        double number;
    } rows[] = {
        {"", -1},
        {"max_rel", -1},
        {"max_rel: 0.5", 0.5},
        {"MAX_REL = '7'", 7},
        {"max_rel unknown, max_rel 3", 3},
        {"max_rel of all rows 3", -1},
        {"id 4, eps=2", 2},
        /* Words that only contain one of the words. */
        {"steps=2", -1},
        {"grid 4", -1},
        {"idle 4", -1},
        {"max_relative 4", -1},
        {"token_id 4", 4},
    };
    CHECK_ROWS(rows, log_number_after(str_from(rows[i].line), words, 3) == rows[i].number);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reading),
                                       cmocka_unit_test(test_finding)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
