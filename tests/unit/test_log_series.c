/* Tests of reports that have a line for each block of a result. */
#include "diagnose/log_series.h"
#include "operator/text.h"

#include "log_fixture.h"

/* The shape of the last series in the text. */
static SeriesShape shape_of(const char *text)
{
    LogSeries series = {0}, ended = {0};
    SeriesShape last = SERIES_NONE;
    uint64_t number = 0;
    Str lines = str_from(text), line;
    for (size_t at = 0; text_next_line(lines, &at, &line);) {
        number++;
        SeriesShape shape = log_series_line(&series, line, number, number, &ended);
        last = shape == SERIES_NONE ? last : shape;
    }
    SeriesShape open = log_series_shape(&series);
    return open == SERIES_NONE ? last : open;
}

static void test_shapes(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        SeriesShape shape;
    } rows[] = {
        {"", SERIES_NONE},
        /* By words, by numbers, and by both; ranges in brackets are no numbers. */
        {"rows 0..63 ok\nrows 64..127 ok\nrows 128..140 BAD", SERIES_LAST},
        {"block 0: mismatches 0\nblock 1: mismatches 0\nblock 2: mismatches 0\n"
         "block 3: mismatches 26112\ndone",
         SERIES_LAST},
        {"[0, 64) err 1e-7\n[64, 128) err 2e-7\n[128, 192) err 1e-7\n[192, 200) err 0.8",
         SERIES_LAST},
        {"b 0 err 1e-7 ok\nb 1 err 1e-7 ok\nb 2 err 0.1 FAIL (all 0)", SERIES_LAST},
        {"it 0: 1e-7\nit 1: 1e-7\nit 2: 1e-7\nit 3: 0.5\nit 4: 0.7", SERIES_FROM},
        {"b 0 BAD\nb 1 ok\nb 2 ok", SERIES_FIRST},
        {"run 1: bad=0 PASS\nrun 2: bad=3 FAIL\nrun 3: bad=0 PASS", SERIES_MIXED},
        {"[0,0]  0.5 1.0 0.5\n[0,1]  0.25 0.5 0.5\n[0,2]  2.0 4.0 0.5", SERIES_RATIO},
        {"K=128: max_rel 2e-3 ok\nK=1024: max_rel 9e-3 ok\nK=8192: max_rel 7e-2 FAIL",
         SERIES_GROWS},
        {"K=128: max_rel 9e-3 ok\nK=1024: max_rel 2e-3 ok\nK=8192: max_rel 7e-2 FAIL", SERIES_NONE},
        /* All right, one in the middle, growing slowly, too short, counts of nothing. */
        {"b 0 ok\nb 1 ok\nb 2 ok", SERIES_NONE},
        {"run 1 PASS\nrun 2 PASS\nrun 3 PASS", SERIES_NONE},
        {"b 0 ok\nb 1 BAD\nb 2 ok", SERIES_NONE},
        {"step 1 loss 0.9\nstep 2 loss 1.1\nstep 3 loss 1.2\nstep 4 loss 2.0", SERIES_NONE},
        {"b 0 ok\nb 1 BAD", SERIES_NONE},
        /* Training steps, each with its own data. */
        {"epoch 1 loss 0.001 ok\nepoch 2 loss 0.002 ok\nepoch 3 loss 0.9 FAIL", SERIES_NONE},
        {"Step: 1 ok\nStep: 2 ok\nStep: 3 BAD", SERIES_NONE},
        {"[r0] iter 1 loss 0.1\n[r0] iter 2 loss 0.1\n[r0] iter 3 loss 0.1\n"
         "[r0] iter 4 loss 90\n[r0] iter 5 loss 99",
         SERIES_NONE},
        {"b 0 failed: 0\nb 1 failed: 0\nb 2 failed: 0", SERIES_NONE},
        /* A line without the number that those before it have, and numbers beyond all types. */
        {"K 1 ok\nK ok\nK 3 BAD", SERIES_NONE},
        {"0.5 1.0 1e300\n0.6 1.0 1e300\n0.7 1.0 1e300", SERIES_NONE},
        {"b 1e999 ok\nb 99999999999999999999 ok\nb 1e-999 ok", SERIES_NONE},
        {"1.0 2.0 3.0\n2.0 3.0 3.5\n4.0 4.0 3.0", SERIES_NONE},
    };
    CHECK_ROWS(rows, shape_of(rows[i].line) == rows[i].shape);
}

/* The first wrong line is kept, with its number. */
static void test_place(void **state)
{
    (void)state;
    LogSeries series = {0}, ended = {0};
    static const char *const lines[] = {"b 0 ok", "b 1 ok", "  b 2 BAD", "b 3 BAD", "end"};
    for (uint64_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        log_series_line(&series, str_from(lines[i]), i + 1, i + 1, &ended);
    }
    assert_int_equal(ended.line, 3);
    assert_string_equal(ended.text, "b 2 BAD");
}

int main(void)
{
    const struct CMUnitTest tests[] = {LOG_TEST(test_shapes), LOG_TEST(test_place)};
    return RUN_LOG_TESTS(tests);
}
