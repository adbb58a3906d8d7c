/* The recorder: programs, paths, replay, the state of tensors. */
#include "record_fixture.h"

#include <stdio.h>

static void adds_rows_of_a_dynamic_tensor(void **state)
{
    Fixture f;
    (void)state;
    fixture_open(&f, "910B1", PTS_PROFILE_DEVICE);
    PtsSym rows = pts_parameter_dim(f.program, 0, 0, "rows", &f.error);
    PtsSym shape[2] = {rows, number(&f, 16)};
    PtsSlot a = pts_parameter(f.program, PTS_FP32, 2, shape, PTS_ND, "a", here(2), &f.error);
    assert_int_equal(pts_parameter_dim(f.program, 1, 0, "rows", &f.error), rows);
    PtsSlot out = pts_parameter(f.program, PTS_FP32, 2, shape, PTS_ND, "out", here(2), &f.error);
    int paths = 0;
    while (next_path(&f)) {
        paths++;
        PtsSym tiles =
            pts_sym_binary(f.context, PTS_SYM_DIV, add(&f, rows, 3), number(&f, 4), &f.error);
        PtsSym i = loop(&f, number(&f, 0), tiles, 1);
        while (next_loop_path(&f)) {
            PtsSlot part = view(&f, a, 4, 16, times(&f, i, 4), number(&f, 0));
            assert_string_equal(describe(&f, part),
                                "DT_FP32 [4, 16] valid [min(max(rows - 4*loop_idx_0, 0), 4), 16]");
            PtsSlot sum = emit(&f, PTS_OP_ADD, NULL, 2, slot(part), real(1.5));
            assemble(&f, sum, out, times(&f, i, 4), number(&f, 0));
        }
        end_loop(&f);
    }
    assert_int_equal(paths, 1);
    end(&f);
    assert_int_equal(pts_diagnostic_count(f.program), 0);

    enum { ROWS = 6 };
    float x[ROWS * 16], y[ROWS * 16] = {0};
    for (int k = 0; k < ROWS * 16; k++) {
        x[k] = (float)k;
    }
    PtsArgument arguments[2] = {{.data = x, .dtype = PTS_FP32, .rank = 2, .shape = {ROWS, 16}},
                                {.data = y, .dtype = PTS_FP32, .rank = 2, .shape = {ROWS, 16}}};
    if (!pts_run(f.program, 2, arguments, 1, NULL, &f.error)) {
        fail_msg("%s", f.error.message);
    }
    for (int k = 0; k < ROWS * 16; k++) {
        assert_true(y[k] == (float)k + 1.5f);
    }
    fixture_close(&f);
}

/* ---- paths ---- */

static void conditions_double_the_paths(void **state)
{
    Fixture f;
    (void)state;
    fixture_open(&f, "910B1", PTS_PROFILE_DEVICE);
    PtsSlot out = parameter(&f, PTS_FP32, "out", 16, 16, -1);
    PtsSym n = pts_sym_symbol(f.context, "n", &f.error);
    PtsSym is_one = pts_sym_binary(f.context, PTS_SYM_EQ, n, number(&f, 1), &f.error);
    PtsSym is_two = pts_sym_binary(f.context, PTS_SYM_EQ, n, number(&f, 2), &f.error);
    int paths = 0, answers[4][2];
    while (next_path(&f)) {
        PtsSlot common = full(&f, PTS_FP32, 1, 16, 16);
        answers[paths][0] = pts_condition(f.program, is_one, here(5), &f.error);
        answers[paths][1] = pts_condition(f.program, is_two, here(6), &f.error);
        /* asked again, and asked for its opposite: no further path */
        assert_int_equal(pts_condition(f.program, is_one, here(7), &f.error), answers[paths][0]);
        PtsSym not_two = pts_sym_not(f.context, is_two, &f.error);
        assert_int_equal(pts_condition(f.program, not_two, here(8), &f.error), !answers[paths][1]);
        assert_int_equal(pts_condition(f.program, number(&f, 3), here(9), &f.error), 1);
        /* paths of the kernel itself may end with different shapes */
        move(&f, answers[paths][0] ? common : full(&f, PTS_FP32, 1, 8, 8), out);
        paths++;
    }
    assert_int_equal(paths, 4);
    const int expected[4][2] = {{1, 1}, {1, 0}, {0, 1}, {0, 0}};
    assert_memory_equal(answers, expected, sizeof expected);
    end(&f);
    char text[1000];
    pts_program_text(f.program, text, sizeof text);
    assert_string_equal(text, "kernel kernel\n"
                              "  parameter %0:out DT_FP32[16, 16]\n"
                              "  %1 DT_FP32[16, 16] = full 1 shape [16, 16]\n"
                              "  if n == 1\n"
                              "    if n == 2\n"
                              "      move %1, %0:out\n"
                              "    else\n"
                              "      move %1, %0:out\n"
                              "  else\n"
                              "    if n == 2\n"
                              "      %2 DT_FP32[8, 8] = full 1 shape [8, 8]\n"
                              "      move %2, %0:out\n"
                              "    else\n"
                              "      %3 DT_FP32[8, 8] = full 1 shape [8, 8]\n"
                              "      move %3, %0:out\n");
    fixture_close(&f);
}

static void slots_of_the_shared_prefix_are_the_same(void **state)
{
    Fixture f;
    (void)state;
    fixture_open(&f, "910B1", PTS_PROFILE_DEVICE);
    PtsSlot out = parameter(&f, PTS_FP32, "out", 16, 16, -1);
    PtsSym n = pts_sym_symbol(f.context, "n", &f.error);
    PtsSlot prefix[2], branch[2], inner[2][2];
    int paths = 0, inner_paths = 0;
    while (next_path(&f)) {
        prefix[paths] = declare(&f, PTS_FP32, 16, 16, -1);
        PtsSym i = loop(&f, number(&f, 0), number(&f, 4), 1);
        inner_paths = 0;
        PtsSym begins = pts_loop_edge(f.program, i, false, &f.error);
        while (next_loop_path(&f)) {
            pts_condition(f.program, begins, here(6), &f.error);
            inner[paths][inner_paths++] = full(&f, PTS_FP32, 1, 16, 16);
            move(&f, inner[paths][inner_paths - 1], prefix[paths]);
        }
        end_loop(&f);
        assert_int_equal(inner_paths, 2);
        pts_condition(f.program, n, here(7), &f.error);
        branch[paths] = emit(&f, PTS_OP_EXP, NULL, 1, slot(prefix[paths]));
        move(&f, branch[paths], out);
        paths++;
    }
    assert_int_equal(paths, 2);
    assert_int_equal(prefix[0], prefix[1]);
    assert_memory_equal(inner[0], inner[1], sizeof inner[0]);
    assert_int_not_equal(inner[0][0], inner[0][1]);
    assert_int_not_equal(branch[0], branch[1]);
    end(&f);
    fixture_close(&f);
}

static void a_body_that_differs_is_refused(void **state)
{
    Fixture f;
    (void)state;
    fixture_open(&f, "910B1", PTS_PROFILE_DEVICE);
    PtsSym n = pts_sym_symbol(f.context, "n", &f.error);
    parameter(&f, PTS_FP32, "out", 16, 16, -1);
    int path = 0;
    while (next_path(&f)) {
        if (path++ == 0) {
            full(&f, PTS_FP32, 1, 16, 16);
        } else {
            PtsAttributes attributes = PTS_ATTRIBUTES;
            attributes.dtype = PTS_FP32;
            attributes.shape_rank = 1;
            attributes.shape[0] = number(&f, 16);
            assert_int_equal(emit_error(&f, PTS_OP_FULL, &attributes, 1, real(2)), 0xF00003);
            assert_non_null(strstr(f.error.message, "not deterministic"));
        }
        pts_condition(f.program, n, here(5), &f.error);
    }
    assert_int_equal(path, 2);
    assert_false(pts_program_end(f.program, &f.error)); /* the error is still there */
    assert_non_null(strstr(f.error.message, "not deterministic"));

    again(&f); /* the second path ends earlier */
    parameter(&f, PTS_FP32, "out", 16, 16, -1);
    for (path = 0; next_path(&f); path++) {
        if (path == 0) {
            pts_condition(f.program, n, here(5), &f.error);
        }
    }
    assert_false(pts_program_end(f.program, &f.error));
    fixture_close(&f);
}

/* A clone, then on the other path one that differs in a single attribute. */
static void expect_difference(const char *name, PtsAttributes other)
{
    Fixture f;
    fixture_open(&f, "910B1", PTS_PROFILE_DEVICE);
    PtsSym n = pts_sym_symbol(f.context, "n", &f.error);
    PtsSlot input = parameter(&f, PTS_FP32, "x", 16, 16, -1);
    int path = 0;
    while (next_path(&f)) {
        if (path++ == 0) {
            emit(&f, PTS_OP_CLONE, NULL, 1, slot(input));
        } else if (emit_error(&f, PTS_OP_CLONE, &other, 1, slot(input)) != 0xF00003) {
            fail_msg("%s is not compared", name);
        }
        pts_condition(f.program, n, here(5), &f.error);
    }
    assert_int_equal(path, 2);
    fixture_close(&f);
}

#define OTHER_INT(field)   ((field) + 1)
#define OTHER_BOOL(field)  (!(field))
#define OTHER_REAL(field)  ((field) + 0.5)
#define OTHER_DTYPE(field) PTS_INT8
#define EXPECT_SCALAR(kind, type, name, none)                                                      \
    {                                                                                              \
        PtsAttributes other = PTS_ATTRIBUTES;                                                      \
        other.name = OTHER_##kind(other.name);                                                     \
        expect_difference(#name, other);                                                           \
    }
#define EXPECT_LIST(kind, rank, list)                                                              \
    {                                                                                              \
        PtsAttributes other = PTS_ATTRIBUTES;                                                      \
        other.rank = 1;                                                                            \
        expect_difference(#list, other);                                                           \
    }

static void bodies_may_not_differ_in_any_attribute(void **state)
{
    (void)state;
    PTS_SCALAR_ATTRIBUTES(EXPECT_SCALAR)
    PTS_LIST_ATTRIBUTES(EXPECT_LIST)
    PtsAttributes other = PTS_ATTRIBUTES;
    other.diagonal = 0;
    expect_difference("diagonal", other);
}

static void settings_do_not_leak_out_of_bodies(void **state)
{
    Fixture f;
    (void)state;
    fixture_open(&f, "910B1", PTS_PROFILE_DEVICE);
    PtsSlot out = parameter(&f, PTS_FP32, "out", 16, 16, -1);
    int64_t tile[PTS_MAX_TILE + 1] = {0};
    while (next_path(&f)) {
        const int64_t two[2] = {8, 8};
        assert_true(pts_config_set_vector_tile(f.context, 2, two, &f.error));
        loop(&f, number(&f, 0), number(&f, 2), 1);
        while (next_loop_path(&f)) {
            assert_int_equal(pts_config_vector_tile(f.context, tile), 2);
            const int64_t three[3] = {4, 4, 4};
            assert_true(pts_config_set_vector_tile(f.context, 3, three, &f.error));
        }
        end_loop(&f);
        assert_int_equal(pts_config_vector_tile(f.context, tile), 2);
        move(&f, full(&f, PTS_FP32, 1, 16, 16), out);
    }
    end(&f);
    assert_int_equal(pts_config_vector_tile(f.context, tile), 4);
    assert_int_equal(pts_scope_depth(f.context), 0);
    const int64_t bad[1] = {0};
    assert_false(pts_config_set_vector_tile(f.context, 1, bad, &f.error));
    assert_false(pts_config_set_vector_tile(f.context, PTS_MAX_TILE + 1, tile, &f.error));
    fixture_close(&f);
}

static void paths_are_limited(void **state)
{
    Fixture f;
    (void)state;
    fixture_open(&f, "910B1", PTS_PROFILE_DEVICE);
    parameter(&f, PTS_FP32, "out", 16, 16, -1);
    int paths = 0;
    while (next_path(&f)) {
        paths++;
        for (int k = 0; k < 20; k++) {
            char name[8];
            snprintf(name, sizeof name, "n%d", k);
            pts_condition(f.program, pts_sym_symbol(f.context, name, &f.error), here(5), &f.error);
        }
    }
    assert_int_equal(paths, 4096);
    assert_false(pts_program_end(f.program, &f.error));
    assert_int_equal(f.error.kind, PTS_MEMORY_ERROR);
    fixture_close(&f);
}

/* ---- state ---- */

static void a_move_rebinds_shape_and_dtype(void **state)
{
    Fixture f;
    (void)state;
    fixture_open(&f, "910B1", PTS_PROFILE_DEVICE);
    PtsSlot out = parameter(&f, PTS_FP32, "out", 128, 16, -1);
    while (next_path(&f)) {
        PtsSlot local = declare(&f, PTS_FP16, 4, 4, -1);
        PtsSlot small = full(&f, PTS_FP32, 1, 16, 16);
        move(&f, small, local);
        assert_string_equal(describe(&f, local), "DT_FP32 [16, 16]");
        move(&f, small, out); /* another shape than the parameter's is legal */
        assert_string_equal(describe(&f, out), "DT_FP32 [16, 16]");
        PtsSlotInfo info;
        PtsSlot empty = declare(&f, PTS_FP32, 16, 16, -1);
        move(&f, empty, local); /* empty again */
        assert_true(pts_slot_info(f.program, local, &info, &f.error));
        assert_false(info.is_written);
        assert_int_equal(emit_error(&f, PTS_OP_EXP, NULL, 1, slot(local)), 0xF74007);
    }
    assert_false(pts_program_end(f.program, &f.error));
    assert_int_equal(f.error.code, 0xF74007);
    fixture_close(&f);
}

static void every_path_starts_with_the_bindings_before_it(void **state)
{
    Fixture f;
    (void)state;
    fixture_open(&f, "910B1", PTS_PROFILE_DEVICE);
    PtsSlot out = parameter(&f, PTS_FP32, "out", 16, 16, -1);
    while (next_path(&f)) {
        PtsSlot t = declare(&f, PTS_FP32, 16, 16, -1);
        move(&f, full(&f, PTS_FP32, 0, 16, 16), t);
        PtsSym i = loop(&f, number(&f, 0), number(&f, 3), 1);
        while (next_loop_path(&f)) {
            assert_string_equal(describe(&f, t), "DT_FP32 [16, 16]");
            PtsSym begins = pts_loop_edge(f.program, i, false, &f.error);
            PtsSlot local = declare(&f, PTS_FP32, 16, 16, -1);
            if (pts_condition(f.program, begins, here(6), &f.error) == 1) {
                move(&f, full(&f, PTS_FP32, 0, 8, 8), local);
                assert_string_equal(describe(&f, local), "DT_FP32 [8, 8]");
            } else {
                assert_string_equal(describe(&f, local), "DT_FP32 [16, 16]");
            }
        }
        end_loop(&f);
        move(&f, t, out);
    }
    end(&f);
    fixture_close(&f);
}

static void tensors_of_loops_live_after_them_those_of_paths_do_not(void **state)
{
    Fixture f;
    (void)state;
    fixture_open(&f, "910B1", PTS_PROFILE_DEVICE);
    parameter(&f, PTS_FP32, "out", 16, 16, -1);
    PtsSlot inner = PTS_SLOT_NONE;
    while (next_path(&f)) {
        loop(&f, number(&f, 0), number(&f, 3), 1);
        while (next_loop_path(&f)) {
            inner = full(&f, PTS_FP32, 1, 16, 16);
        }
        end_loop(&f);
        assert_int_equal(emit_error(&f, PTS_OP_EXP, NULL, 1, slot(inner)), 0);
    }
    again(&f);
    parameter(&f, PTS_FP32, "out", 16, 16, -1);
    PtsSym n = pts_sym_symbol(f.context, "n", &f.error);
    PtsSlot of_path = PTS_SLOT_NONE;
    while (next_path(&f)) {
        if (pts_condition(f.program, n, here(5), &f.error) == 1) {
            of_path = full(&f, PTS_FP32, 1, 16, 16);
        } else {
            assert_int_equal(emit_error(&f, PTS_OP_EXP, NULL, 1, slot(of_path)), 0xF74007);
            assert_non_null(strstr(f.error.message, "another control path"));
        }
    }
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adds_rows_of_a_dynamic_tensor),
        cmocka_unit_test(conditions_double_the_paths),
        cmocka_unit_test(slots_of_the_shared_prefix_are_the_same),
        cmocka_unit_test(a_body_that_differs_is_refused),
        cmocka_unit_test(bodies_may_not_differ_in_any_attribute),
        cmocka_unit_test(settings_do_not_leak_out_of_bodies),
        cmocka_unit_test(paths_are_limited),
        cmocka_unit_test(a_move_rebinds_shape_and_dtype),
        cmocka_unit_test(every_path_starts_with_the_bindings_before_it),
        cmocka_unit_test(tensors_of_loops_live_after_them_those_of_paths_do_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
