/* The interpreter: what slots hold over loops, who sees a write, run-time checks. Expected values
 * are worked out by hand. */
#include "vm_kernel.h"

#include <math.h>

static PtsAttributes extents(Fixture *f, int64_t rows, int64_t columns)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    attributes.shape_rank = 2;
    attributes.shape[0] = number(f, rows);
    attributes.shape[1] = number(f, columns);
    return attributes;
}

/* ---- state ---- */

static void carries_what_is_moved_and_not_what_is_rebound(void **state)
{
    (void)state;
    Kernel k;
    open_kernel(&k, PTS_PROFILE_DEVICE);
    PtsSlot x, y;
    parameters(&k, &x, &y);
    while (next_path(&k.f)) {
        PtsSlot carried = full(&k.f, PTS_FP32, 0, ROWS, COLUMNS);
        PtsSlot constant = full(&k.f, PTS_FP32, 100, ROWS, COLUMNS);
        loop(&k.f, number(&k.f, 0), number(&k.f, 5), 1);
        while (next_loop_path(&k.f)) {
            PtsSlot sum = emit(&k.f, PTS_OP_ADD, NULL, 2, slot(carried), slot(x));
            move(&k.f, sum, carried);
            emit(&k.f, PTS_OP_ADD, NULL, 2, slot(constant), slot(x)); /* lost, as in the product */
        }
        end_loop(&k.f);
        move(&k.f, emit(&k.f, PTS_OP_ADD, NULL, 2, slot(carried), slot(constant)), y);
    }
    end(&k.f);
    run_well(&k);
    for (int i = 0; i < COUNT; i++) {
        assert_true(k.y[i] == 5.0f * (float)i + 100.0f);
    }
    fixture_close(&k.f);
}

static void iterations_run_from_start_by_step(void **state)
{
    (void)state;
    Kernel k;
    open_kernel(&k, PTS_PROFILE_DEVICE);
    PtsSlot x, y;
    parameters(&k, &x, &y);
    while (next_path(&k.f)) {
        /* 7, 5, 3, 1 as rows 3, 2, 1, 0: (i − 1) / 2 */
        PtsSym i = loop(&k.f, number(&k.f, 7), number(&k.f, 0), -2);
        while (next_loop_path(&k.f)) {
            PtsSym row = pts_sym_binary(k.f.context, PTS_SYM_DIV, add(&k.f, i, -1), number(&k.f, 2),
                                        &k.f.error);
            PtsAttributes attributes = extents(&k.f, 1, COLUMNS);
            attributes.dtype = PTS_FP32;
            PtsSlot value = emit(&k.f, PTS_OP_FULL, &attributes, 1, symbol(i));
            assemble(&k.f, value, y, row, number(&k.f, 0));
        }
        end_loop(&k.f);
    }
    end(&k.f);
    PtsStats stats = {0};
    assert_true(run(&k, &stats));
    assert_int_equal(stats.iterations, 4);
    assert_int_equal(stats.ops, 8); /* full and assemble, four times */
    for (int i = 0; i < COUNT; i++) {
        assert_true(k.y[i] == (float)(2 * (i / COLUMNS) + 1));
    }
    fixture_close(&k.f);
}

/* Slots of an iteration are empty in the next: what iteration 0 wrote is gone in iteration 1. */
static void locals_of_a_body_do_not_survive_an_iteration(void **state)
{
    (void)state;
    Kernel k;
    open_kernel(&k, PTS_PROFILE_DEVICE);
    PtsSlot x, y;
    parameters(&k, &x, &y);
    while (next_path(&k.f)) {
        PtsSym i = loop(&k.f, number(&k.f, 0), number(&k.f, 2), 1);
        while (next_loop_path(&k.f)) {
            PtsSlot local = declare(&k.f, PTS_FP32, ROWS, COLUMNS, -1);
            PtsSym first = pts_loop_edge(k.f.program, i, false, &k.f.error);
            if (pts_condition(k.f.program, first, here(21), &k.f.error) == 1) {
                move(&k.f, x, local);
                move(&k.f, local, y);
            } else {
                move(&k.f, emit(&k.f, PTS_OP_NEG, NULL, 1, slot(x)), y);
            }
        }
        end_loop(&k.f);
    }
    end(&k.f);
    run_well(&k);
    for (int i = 0; i < COUNT; i++) {
        assert_true(k.y[i] == -(float)i);
    }
    fixture_close(&k.f);
}

static void a_tensor_moved_from_an_unwritten_one_is_unwritten(void **state)
{
    (void)state;
    Kernel k;
    open_kernel(&k, PTS_PROFILE_DEVICE);
    PtsSlot x, y;
    parameters(&k, &x, &y);
    while (next_path(&k.f)) {
        PtsSlot empty = declare(&k.f, PTS_FP32, ROWS, COLUMNS, -1);
        PtsSlot sum = declare(&k.f, PTS_FP32, ROWS, COLUMNS, -1);
        PtsSym i = loop(&k.f, number(&k.f, 0), number(&k.f, 3), 1);
        while (next_loop_path(&k.f)) {
            /* Written in iteration 0, read in 1, emptied there, read in 2. */
            PtsSym one = pts_sym_binary(k.f.context, PTS_SYM_EQ, i, number(&k.f, 0), &k.f.error);
            if (pts_condition(k.f.program, one, here(22), &k.f.error) == 1) {
                move(&k.f, x, sum);
            } else {
                move(&k.f, emit(&k.f, PTS_OP_ADD, NULL, 2, slot(sum), slot(x)), y);
                move(&k.f, empty, sum);
            }
        }
        end_loop(&k.f);
    }
    end(&k.f);
    assert_int_equal(run_badly(&k), 0xF74007);
    assert_true(k.y[1] == 2.0f); /* iteration 1 came through */
    fixture_close(&k.f);
}

/* ---- sharing ---- */

/* What was taken from a parameter before it is written keeps the old values. */
static void a_carried_view_keeps_what_it_saw(void **state)
{
    (void)state;
    Kernel k;
    open_kernel(&k, PTS_PROFILE_DEVICE);
    PtsSlot x, y;
    parameters(&k, &x, &y);
    while (next_path(&k.f)) {
        PtsSlot kept = declare(&k.f, PTS_FP32, ROWS, COLUMNS, -1);
        PtsSym zero = number(&k.f, 0);
        loop(&k.f, zero, number(&k.f, 1), 1);
        while (next_loop_path(&k.f)) {
            move(&k.f, view(&k.f, x, ROWS, COLUMNS, zero, zero), kept);
        }
        end_loop(&k.f);
        loop(&k.f, zero, number(&k.f, 1), 1);
        while (next_loop_path(&k.f)) {
            assemble(&k.f, full(&k.f, PTS_FP32, -1, 1, COLUMNS), x, number(&k.f, 2), zero);
        }
        end_loop(&k.f);
        move(&k.f, kept, y);
    }
    end(&k.f);
    run_well(&k);
    for (int i = 0; i < COUNT; i++) {
        assert_true(k.y[i] == (float)i);
        assert_true(k.x[i] == (i / COLUMNS == 2 ? -1.0f : (float)i));
    }
    fixture_close(&k.f);
}

/* Another shape than the parameter's: its memory receives the leading part, later reads see the
 * value with its own shape. */
static void a_smaller_value_fills_the_leading_part_of_a_parameter(void **state)
{
    (void)state;
    Kernel k;
    open_kernel(&k, PTS_PROFILE_DEVICE);
    PtsSlot x, y;
    parameters(&k, &x, &y);
    while (next_path(&k.f)) {
        PtsSym zero = number(&k.f, 0);
        PtsSlot half = view(&k.f, x, 2, COLUMNS, number(&k.f, 1), zero);
        move(&k.f, emit(&k.f, PTS_OP_MUL, NULL, 2, slot(half), real(2)), y);
        assert_string_equal(describe(&k.f, y), "DT_FP32 [2, 8]");
    }
    end(&k.f);
    run_well(&k);
    for (int i = 0; i < COUNT; i++) {
        assert_true(k.y[i] == (i < 2 * COLUMNS ? 2.0f * (float)(i + COLUMNS) : 0.0f));
    }
    assert_int_equal(pts_diagnostic_count(k.f.program), 1);
    assert_string_equal(pts_diagnostic(k.f.program, 0)->id, "output-form");
    fixture_close(&k.f);
}

/* ---- windows ---- */

static void windows_over_the_edge_hold_only_what_is_inside(void **state)
{
    (void)state;
    Kernel k;
    open_kernel(&k, PTS_PROFILE_DEVICE);
    PtsSlot x, y;
    parameters(&k, &x, &y);
    while (next_path(&k.f)) {
        PtsSlot window = view(&k.f, x, 4, 8, number(&k.f, 3), number(&k.f, 6));
        assert_string_equal(describe(&k.f, window), "DT_FP32 [4, 8] valid [1, 2]");
        assemble(&k.f, emit(&k.f, PTS_OP_NEG, NULL, 1, slot(window)), y, number(&k.f, 0),
                 number(&k.f, 0));
    }
    end(&k.f);
    run_well(&k);
    for (int i = 0; i < COUNT; i++) {
        assert_true(k.y[i] == (i < 2 ? -(float)(3 * COLUMNS + 6 + i) : 0.0f));
    }
    fixture_close(&k.f);
}

/* Rows to write are counted by the argument's extent, so only the run can see the error. */
static void writing_outside_is_an_error(void **state)
{
    (void)state;
    Kernel k;
    open_kernel(&k, PTS_PROFILE_DEVICE);
    PtsSlot x = dynamic_parameter(&k.f, PTS_FP32, "x", COLUMNS);
    PtsSlot y = parameter(&k.f, PTS_FP32, "y", ROWS, COLUMNS, -1);
    PtsSlotInfo info;
    assert_true(pts_slot_info(k.f.program, x, &info, &k.f.error));
    while (next_path(&k.f)) {
        PtsSlot row = view(&k.f, x, 1, COLUMNS, number(&k.f, 0), number(&k.f, 0));
        assemble(&k.f, emit(&k.f, PTS_OP_NEG, NULL, 1, slot(row)), y, info.shape[0],
                 number(&k.f, 0));
    }
    end(&k.f);
    k.arguments[0].shape[0] = 3;
    run_well(&k); /* row 3 of 4 */
    assert_true(k.y[3 * COLUMNS + 1] == -1.0f);
    k.arguments[0].shape[0] = 4;
    assert_int_equal(run_badly(&k), 0xF74006);
    fixture_close(&k.f);
}

/* An iteration leaves a tensor with another dtype or rank than the next one writes: an error,
 * of the recorder or of the run, and never a write beyond its memory. */
static void a_carried_change_of_form_is_an_error(void **state)
{
    (void)state;
    static const PtsDtype later[2] = {PTS_BF16, PTS_FP32};
    for (int i = 0; i < 2; i++) {
        Kernel k;
        open_kernel(&k, PTS_PROFILE_DEVICE);
        PtsSlot x, y;
        parameters(&k, &x, &y);
        while (next_path(&k.f)) {
            PtsSlot target = declare(&k.f, PTS_FP32, 64, 64, -1);
            PtsSlot ones = full(&k.f, PTS_FP32, 1, 64, 64);
            PtsSlot other = full(&k.f, later[i], 1, 64, 64);
            PtsAttributes flat = PTS_ATTRIBUTES;
            flat.shape_rank = 1;
            flat.shape[0] = number(&k.f, 64 * 64);
            PtsSlot flattened = emit(&k.f, PTS_OP_RESHAPE, &flat, 1, slot(other));
            loop(&k.f, number(&k.f, 0), number(&k.f, 2), 1);
            while (next_loop_path(&k.f)) {
                assemble(&k.f, ones, target, number(&k.f, 0), number(&k.f, 0));
                move(&k.f, i == 0 ? other : flattened, target);
            }
            pts_loop_end(k.f.program, &k.f.error); /* may already say so */
            if (k.f.error.code != 0) {
                break;
            }
            move(&k.f, x, y);
        }
        bool ended = pts_program_end(k.f.program, &k.f.error);
        assert_true(!ended || !run(&k, NULL));
        assert_int_equal(k.f.error.code, 0xF21008);
        fixture_close(&k.f);
    }
}

/* A window without data has no sum: what the result's memory held before must not show. */
static void a_sum_of_nothing_is_undefined(void **state)
{
    (void)state;
    Kernel k;
    open_kernel(&k, PTS_PROFILE_DEVICE);
    PtsSlot x, y;
    parameters(&k, &x, &y);
    while (next_path(&k.f)) {
        PtsAttributes along = PTS_ATTRIBUTES;
        along.dim = 0;
        along.has_dim = along.keepdim = true;
        PtsSlot earlier = full(&k.f, PTS_FP32, 7, 1, COLUMNS);
        emit(&k.f, PTS_OP_ADD, NULL, 2, slot(earlier), real(1)); /* given back at once */
        PtsSlot beyond = view(&k.f, x, ROWS, COLUMNS, number(&k.f, ROWS), number(&k.f, 0));
        PtsSlot sum = emit(&k.f, PTS_OP_SUM, &along, 1, slot(beyond));
        assemble(&k.f, sum, y, number(&k.f, 0), number(&k.f, 0));
    }
    end(&k.f);
    run_well(&k);
    for (int i = 0; i < COLUMNS; i++) {
        assert_true(isnan(k.y[i]));
    }
    assert_string_equal(pts_diagnostic(k.f.program, pts_diagnostic_count(k.f.program) - 1)->id,
                        "undefined-output");
    fixture_close(&k.f);
}

static void a_moved_value_does_not_see_later_writes_through(void **state)
{
    (void)state;
    Kernel k;
    open_kernel(&k, PTS_PROFILE_DEVICE);
    PtsSlot x, y;
    parameters(&k, &x, &y);
    while (next_path(&k.f)) {
        PtsSlot sum = full(&k.f, PTS_FP32, 100, ROWS, COLUMNS);
        PtsSlot kept = declare(&k.f, PTS_FP32, ROWS, COLUMNS, -1);
        move(&k.f, sum, kept);
        loop(&k.f, number(&k.f, 0), number(&k.f, 2), 1);
        while (next_loop_path(&k.f)) {
            PtsAttributes start = PTS_ATTRIBUTES;
            start.offset_rank = 2;
            start.offsets[0] = start.offsets[1] = number(&k.f, 0);
            emit(&k.f, PTS_OP_ATOMIC_ADD, &start, 2, slot(x), slot(sum));
        }
        end_loop(&k.f);
        move(&k.f, emit(&k.f, PTS_OP_SUB, NULL, 2, slot(sum), slot(kept)), y);
    }
    end(&k.f);
    run_well(&k);
    for (int i = 0; i < COUNT; i++) {
        assert_true(k.y[i] == 2.0f * (float)i); /* (100 + x + x) − 100 */
    }
    fixture_close(&k.f);
}

static void reshape_reads_the_valid_part_row_by_row(void **state)
{
    (void)state;
    Kernel k;
    open_kernel(&k, PTS_PROFILE_DEVICE);
    PtsSlot x, y;
    parameters(&k, &x, &y);
    while (next_path(&k.f)) {
        /* Valid 2×4 of 4×8; as 8×4 with 4×2 of it valid: elements 0 1 2 3 8 9 10 11 in pairs. */
        PtsAttributes window = extents(&k.f, ROWS, COLUMNS);
        window.offset_rank = window.valid_rank = 2;
        window.offsets[0] = window.offsets[1] = number(&k.f, 0);
        window.valid[0] = number(&k.f, 2);
        window.valid[1] = number(&k.f, 4);
        PtsSlot part = emit(&k.f, PTS_OP_VIEW, &window, 1, slot(x));
        PtsAttributes target = extents(&k.f, 8, 4);
        target.valid_rank = 2;
        target.valid[0] = number(&k.f, 4);
        target.valid[1] = number(&k.f, 2);
        PtsSlot reshaped = emit(&k.f, PTS_OP_RESHAPE, &target, 1, slot(part));
        assemble(&k.f, reshaped, y, number(&k.f, 0), number(&k.f, 0));
    }
    end(&k.f);
    run_well(&k);
    const float want[4][2] = {{0, 1}, {2, 3}, {8, 9}, {10, 11}};
    for (int row = 0; row < 4; row++) {
        assert_true(k.y[row * COLUMNS] == want[row][0]);
        assert_true(k.y[row * COLUMNS + 1] == want[row][1]);
        assert_true(k.y[row * COLUMNS + 2] == 0.0f);
    }
    fixture_close(&k.f);
}

/* ---- single elements ---- */

static void elements_steer_offsets(void **state)
{
    (void)state;
    Kernel k;
    open_kernel(&k, PTS_PROFILE_DEVICE);
    int32_t rows[2] = {3, 9};
    PtsSlot places = parameter(&k.f, PTS_INT32, "places", 2, -1);
    PtsSlot y = parameter(&k.f, PTS_FP32, "y", ROWS, COLUMNS, -1);
    k.arguments[0] = (PtsArgument){.data = rows, .dtype = PTS_INT32, .rank = 1, .shape = {2}};
    while (next_path(&k.f)) {
        PtsSym zero = number(&k.f, 0);
        PtsSym row = pts_element_read(k.f.program, places, 1, &zero, here(30), &k.f.error);
        assert_int_not_equal(row, PTS_SYM_NONE);
        assemble(&k.f, full(&k.f, PTS_FP32, 7, 1, COLUMNS), y, row, zero);
    }
    end(&k.f);
    run_well(&k);
    assert_true(k.y[3 * COLUMNS] == 7.0f && k.y[2 * COLUMNS] == 0.0f);
    rows[0] = 4;
    assert_int_equal(run_badly(&k), 0xF74006);
    fixture_close(&k.f);
}

static void a_condition_without_a_value_is_an_error(void **state)
{
    (void)state;
    Kernel k;
    open_kernel(&k, PTS_PROFILE_DEVICE);
    int32_t divisors[1] = {4};
    PtsSlot places = parameter(&k.f, PTS_INT32, "divisors", 1, -1);
    PtsSlot y = parameter(&k.f, PTS_FP32, "y", ROWS, COLUMNS, -1);
    k.arguments[0] = (PtsArgument){.data = divisors, .dtype = PTS_INT32, .rank = 1, .shape = {1}};
    while (next_path(&k.f)) {
        PtsSym zero = number(&k.f, 0);
        PtsSym divisor = pts_element_read(k.f.program, places, 1, &zero, here(30), &k.f.error);
        PtsSym part =
            pts_sym_binary(k.f.context, PTS_SYM_DIV, number(&k.f, 8), divisor, &k.f.error);
        int yes = pts_condition(k.f.program, part, here(31), &k.f.error);
        assemble(&k.f, full(&k.f, PTS_FP32, yes ? 7 : 5, 1, COLUMNS), y, zero, zero);
    }
    end(&k.f);
    run_well(&k);
    assert_true(k.y[0] == 7.0f);
    divisors[0] = 16;
    run_well(&k);
    assert_true(k.y[0] == 5.0f);
    divisors[0] = 0;
    assert_int_equal(run_badly(&k), 0xF00002);
    assert_non_null(strstr(k.f.error.message, "division by zero"));
    assert_int_equal(k.f.error.site.line, 31);
    fixture_close(&k.f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(carries_what_is_moved_and_not_what_is_rebound),
        cmocka_unit_test(iterations_run_from_start_by_step),
        cmocka_unit_test(locals_of_a_body_do_not_survive_an_iteration),
        cmocka_unit_test(a_tensor_moved_from_an_unwritten_one_is_unwritten),
        cmocka_unit_test(a_carried_view_keeps_what_it_saw),
        cmocka_unit_test(a_smaller_value_fills_the_leading_part_of_a_parameter),
        cmocka_unit_test(windows_over_the_edge_hold_only_what_is_inside),
        cmocka_unit_test(writing_outside_is_an_error),
        cmocka_unit_test(a_carried_change_of_form_is_an_error),
        cmocka_unit_test(a_sum_of_nothing_is_undefined),
        cmocka_unit_test(a_moved_value_does_not_see_later_writes_through),
        cmocka_unit_test(reshape_reads_the_valid_part_row_by_row),
        cmocka_unit_test(elements_steer_offsets),
        cmocka_unit_test(a_condition_without_a_value_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
