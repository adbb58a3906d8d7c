/* The recorder: bounds, nesting and ends of loops, elements that are read, wrong use. */
#include "record_fixture.h"

static uint32_t begin_error(Fixture *f, PtsLoop loop)
{
    PtsSym index;
    return pts_loop_begin(f->program, &loop, &index, &f->error) ? 0 : f->error.code;
}

static void loops_are_checked(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        Fixture f;
        fixture_open(&f, "910B1", PTS_PROFILE_DEVICE);
        parameter(&f, PTS_FP32, "out", 16, 16, -1);
        PtsLoop outer = {.start = number(&f, 0),
                         .stop = number(&f, 4),
                         .step = number(&f, 1),
                         .index_name = "i",
                         .parallel = true};
        PtsSym index;
        while (next_path(&f)) {
            assert_true(pts_loop_begin(f.program, &outer, &index, &f.error));
            while (next_loop_path(&f)) {
                PtsLoop inner = outer;
                inner.parallel = kind == 1;
                inner.index_name = kind == 0 ? "i" : "j";
                inner.step = number(&f, kind != 2);
                inner.stop = kind == 3 ? 99999999 : inner.stop;
                assert_int_equal(begin_error(&f, inner), kind == 3 ? 0xF00001 : 0xF00002);
            }
        }
        fixture_close(&f);
    }
}

static void loops_nest_62_deep(void **state)
{
    Fixture f;
    (void)state;
    fixture_open(&f, "910B1", PTS_PROFILE_DEVICE);
    parameter(&f, PTS_FP32, "out", 16, 16, -1);
    assert_true(next_path(&f));
    PtsLoop one = {.start = number(&f, 0), .stop = number(&f, 2), .step = number(&f, 1)};
    PtsSym index;
    for (int depth = 1; depth <= 62; depth++) {
        assert_true(pts_loop_begin(f.program, &one, &index, &f.error));
        assert_true(next_loop_path(&f));
    }
    assert_false(pts_loop_begin(f.program, &one, &index, &f.error));
    assert_int_equal(f.error.code, 0xF0FFFF);
    fixture_close(&f);
}

static void edges_of_loops(void **state)
{
    Fixture f;
    (void)state;
    fixture_open(&f, "910B1", PTS_PROFILE_DEVICE);
    parameter(&f, PTS_FP32, "out", 16, 16, -1);
    PtsSym n = pts_sym_symbol(f.context, "n", &f.error);
    char text[64];
    while (next_path(&f)) {
        PtsSym i = loop(&f, number(&f, 2), n, 3);
        while (next_loop_path(&f)) {
            pts_sym_text(f.context, pts_loop_edge(f.program, i, false, &f.error), text,
                         sizeof text);
            assert_string_equal(text, "loop_idx_0 == 2");
            pts_sym_text(f.context, pts_loop_edge(f.program, i, true, &f.error), text, sizeof text);
            assert_string_equal(text, "(n - 3) <= loop_idx_0");
            assert_int_equal(pts_loop_edge(f.program, n, true, &f.error), PTS_SYM_NONE);
            assert_string_equal(f.error.message, "not loop index");
        }
    }
    fixture_close(&f);
}

static void a_loop_that_is_left_early_is_an_error(void **state)
{
    Fixture f;
    (void)state;
    fixture_open(&f, "910B1", PTS_PROFILE_DEVICE);
    parameter(&f, PTS_FP32, "out", 16, 16, -1);
    while (next_path(&f)) {
        loop(&f, number(&f, 0), number(&f, 4), 1);
        assert_true(next_loop_path(&f));
    }
    assert_false(pts_program_end(f.program, &f.error));
    assert_int_equal(f.error.code, 0xF00003);
    fixture_close(&f);
}

static void element_reads_are_symbols(void **state)
{
    Fixture f;
    (void)state;
    fixture_open(&f, "910B1", PTS_PROFILE_DEVICE);
    PtsSlot table = parameter(&f, PTS_INT32, "table", 4, 8, -1);
    PtsSlot lengths = parameter(&f, PTS_INT64, "lengths", 4, -1);
    PtsSlot data = parameter(&f, PTS_FP32, "data", 16, 16, -1);
    int path = 0;
    PtsSym first[2];
    while (next_path(&f)) {
        PtsSym index[2] = {number(&f, 1), number(&f, 2)};
        first[path] = pts_element_read(f.program, table, 2, index, here(4), &f.error);
        assert_int_not_equal(first[path], PTS_SYM_NONE);
        assert_int_not_equal(pts_element_read(f.program, lengths, 1, index, here(5), &f.error),
                             PTS_SYM_NONE);
        pts_condition(f.program, first[path], here(6), &f.error);
        if (path++ == 1) {
            assert_int_equal(pts_element_read(f.program, data, 2, index, here(7), &f.error),
                             PTS_SYM_NONE);
            assert_int_equal(f.error.code, 0xF00001);
        }
    }
    assert_int_equal(first[0], first[1]);
    fixture_close(&f);
}

static void wrong_use_is_an_error_value(void **state)
{
    Fixture f;
    (void)state;
    fixture_open(&f, "910B1", PTS_PROFILE_DEVICE);
    PtsSlot results[PTS_MAX_RESULTS];
    int count;
    assert_null(pts_program_begin(f.context, "second", here(1), &f.error));
    PtsSlot a = parameter(&f, PTS_FP32, "a", 16, 16, -1);
    PtsOperand operand = slot(a);
    /* before the first path */
    assert_false(
        pts_emit(f.program, PTS_OP_EXP, 1, &operand, NULL, here(3), results, &count, &f.error));
    assert_int_equal(f.error.code, 0xF00003);
    again(&f);
    a = parameter(&f, PTS_FP32, "a", 16, 16, -1);
    while (next_path(&f)) {
        assert_int_equal(emit_error(&f, PTS_OP_EXP, NULL, 1, slot(77)), 0xF00002);
    }
    again(&f);
    a = parameter(&f, PTS_FP32, "a", 16, 16, -1);
    while (next_path(&f)) {
        assert_int_equal(emit_error(&f, PTS_OP_COUNT, NULL, 1, slot(a)), 0xF00002);
        /* the first error stays */
        assert_int_equal(emit_error(&f, PTS_OP_EXP, NULL, 1, slot(a)), 0xF00002);
    }
    assert_false(pts_program_end(f.program, &f.error));
    assert_false(pts_program_end(f.program, &f.error));
    pts_program_free(f.program);
    f.program = pts_program_begin(f.context, "third", here(1), &f.error);
    assert_non_null(f.program);
    pts_program_abandon(f.program);
    assert_false(next_path(&f));
    assert_false(pts_program_end(f.program, &f.error));
    PtsSlotInfo info;
    assert_false(pts_slot_info(f.program, 5, &info, &f.error));
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_are_checked),
        cmocka_unit_test(loops_nest_62_deep),
        cmocka_unit_test(edges_of_loops),
        cmocka_unit_test(a_loop_that_is_left_early_is_an_error),
        cmocka_unit_test(element_reads_are_symbols),
        cmocka_unit_test(wrong_use_is_an_error_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
