/* Partial programs: what is not known fails no check, and what is known does. */
#include "record_fixture.h"

#include "model/partial.h"
#include "model/sym.h"

#include <stdio.h>

typedef struct Partial {
    Fixture f;
    PtsSym u, v; /* two extents that are not known */
} Partial;

static void opened(Partial *p)
{
    Fixture *f = &p->f;
    fixture_open(f, "910B1", PTS_PROFILE_DEVICE);
    fixture_close(f);
    PtsOptions options = {.partial = true};
    f->context = pts_context_new(&f->soc, &options);
    assert_non_null(f->context);
    int64_t tile[2] = {16, 16};
    PtsCubeTile cube = {.set = true, .m = {32, 32}, .k = {32, 32, 32}, .n = {32, 32}};
    assert_true(pts_config_set_vector_tile(f->context, 2, tile, &f->error));
    assert_true(pts_config_set_cube_tile(f->context, &cube, &f->error));
    begin(f);
    p->u = pts_unknown(f->program, here(1), 0, INT64_MAX, &f->error);
    p->v = pts_unknown(f->program, here(1), 0, INT64_MAX, &f->error);
}

static PtsSlot matrix(Partial *p, PtsDtype dtype, PtsSym rows, PtsSym columns)
{
    const PtsSym shape[2] = {rows, columns};
    Fixture *f = &p->f;
    PtsSlot made = pts_parameter(f->program, dtype, 2, shape, PTS_ND, "m", here(1), &f->error);
    assert_int_not_equal(made, PTS_SLOT_NONE);
    return made;
}

static PtsSlotInfo info_of(Partial *p, PtsSlot tensor)
{
    PtsSlotInfo info;
    assert_true(pts_slot_info(p->f.program, tensor, &info, &p->f.error));
    return info;
}

static int64_t value_of(Partial *p, PtsSym sym)
{
    int64_t value = -7;
    return pts_sym_value(p->f.context, sym, &value) ? value : -7;
}

#define RUN(name)                                                                                  \
    static void name(Partial *p);                                                                  \
    static void test_##name(void **state)                                                          \
    {                                                                                              \
        (void)state;                                                                               \
        Partial partial;                                                                           \
        opened(&partial);                                                                          \
        name(&partial);                                                                            \
        fixture_close(&partial.f);                                                                 \
    }                                                                                              \
    static void name(Partial *p)

/* ---- integers ---- */

RUN(identities_of_unknown_numbers_hold)
{
    Fixture *f = &p->f;
    PtsSym more = times(f, add(f, p->u, 1), 8), difference;
    difference = pts_sym_binary(f->context, PTS_SYM_SUB, more, times(f, p->u, 8), &f->error);
    assert_int_equal(value_of(p, difference), 8);
    assert_true(pts_sym_is_unknown(f->context, more));
    assert_false(pts_sym_is_unknown(f->context, number(f, 8)));
    assert_int_not_equal(p->u, p->v);
}

RUN(of_nothing_not_even_identity_is_known)
{
    Fixture *f = &p->f;
    const PtsSym open[2] = {PTS_SYM_NONE, PTS_SYM_NONE};
    assert_true(next_path(f));
    PtsSlot made =
        pts_declare_partial(f->program, PTS_BOTTOM, 2, open, PTS_ND, "", here(2), &f->error);
    PtsSlotInfo info = info_of(p, made);
    assert_true(pts_sym_is_nothing(f->context, info.shape[0]));
    assert_true(info.is_written);
    PtsSym difference =
        pts_sym_binary(f->context, PTS_SYM_SUB, info.shape[0], info.shape[0], &f->error);
    assert_int_equal(value_of(p, difference), -7);
}

RUN(a_number_is_the_same_on_each_path)
{
    Fixture *f = &p->f;
    PtsSym seen[2], condition = pts_sym_symbol(f->context, "s", &f->error);
    int paths = 0;
    while (next_path(f)) {
        seen[paths++] = pts_unknown(f->program, here(2), 0, 9, &f->error);
        assert_true(pts_condition(f->program, condition, here(3), &f->error) >= 0);
    }
    assert_int_equal(paths, 2);
    assert_int_equal(seen[0], seen[1]);
    assert_false(pts_program_failed(f->program));
}

RUN(another_event_at_its_place_ends_the_recording)
{
    Fixture *f = &p->f;
    PtsSym condition = pts_sym_symbol(f->context, "s", &f->error);
    for (int paths = 0; next_path(f); paths++) {
        if (paths == 0) {
            pts_unknown(f->program, here(2), 0, 9, &f->error);
        } else {
            const PtsSym shape[1] = {p->u};
            PtsSlot other =
                pts_declare(f->program, PTS_FP32, 1, shape, PTS_ND, "", here(2), &f->error);
            assert_int_equal(other, PTS_SLOT_NONE);
            break;
        }
        pts_condition(f->program, condition, here(3), &f->error);
    }
    assert_true(pts_program_failed(f->program));
}

/* ---- extents and data types ---- */

RUN(an_unknown_extent_broadcasts_to_a_known_one)
{
    Fixture *f = &p->f;
    PtsSlot a = matrix(p, PTS_FP32, p->u, number(f, 32));
    PtsSlot b = matrix(p, PTS_FP32, number(f, 16), number(f, 32));
    PtsSlot c = matrix(p, PTS_FP32, p->v, number(f, 32));
    PtsSlot d = matrix(p, PTS_FP32, number(f, 1), number(f, 32));
    assert_true(next_path(f));
    PtsSlot sum = emit(f, PTS_OP_ADD, NULL, 2, slot(a), slot(b));
    assert_int_equal(value_of(p, info_of(p, sum).shape[0]), 16);
    sum = emit(f, PTS_OP_ADD, NULL, 2, slot(a), slot(d));
    assert_int_equal(info_of(p, sum).shape[0], p->u);
    /* [u, 32] and [v, 32] are neither equal nor unequal. */
    sum = emit(f, PTS_OP_ADD, NULL, 2, slot(a), slot(c));
    assert_true(pts_sym_is_nothing(f->context, info_of(p, sum).shape[0]));
}

RUN(what_is_known_still_fails_and_the_recording_goes_on)
{
    Fixture *f = &p->f;
    PtsSlot a = matrix(p, PTS_FP32, p->u, number(f, 32));
    PtsSlot b = matrix(p, PTS_FP32, p->u, number(f, 33));
    assert_true(next_path(f));
    assert_int_equal(emit_error(f, PTS_OP_ADD, NULL, 2, slot(a), slot(b)), 0xFC0000);
    assert_int_equal(pts_diagnostic_count(f->program), 1);
    const PtsDiagnostic *found = pts_diagnostic(f->program, 0);
    assert_int_equal(found->severity, PTS_FINDING_ERROR);
    assert_true(found->certain);
    emit(f, PTS_OP_ADD, NULL, 2, slot(a), slot(a));
    assert_false(pts_program_failed(f->program));
}

RUN(extents_that_differ_by_a_constant_are_different)
{
    Fixture *f = &p->f;
    PtsSlot a = matrix(p, PTS_FP32, number(f, 16), p->u);
    PtsSlot b = matrix(p, PTS_FP32, add(f, p->u, 1), number(f, 16));
    PtsSlot c = matrix(p, PTS_FP32, p->v, number(f, 16));
    PtsAttributes at = PTS_ATTRIBUTES;
    at.dtype = PTS_FP32;
    assert_true(next_path(f));
    assert_int_equal(emit_error(f, PTS_OP_MATMUL, &at, 2, slot(a), slot(b)), 0xF0000B);
    PtsSlot product = emit(f, PTS_OP_MATMUL, &at, 2, slot(a), slot(c));
    assert_int_equal(value_of(p, info_of(p, product).shape[1]), 16);
}

RUN(a_bias_of_unknown_rows_may_be_a_row)
{
    Fixture *f = &p->f;
    PtsSlot a = matrix(p, PTS_FP32, number(f, 32), number(f, 32));
    PtsSlot open = matrix(p, PTS_FP32, p->u, number(f, 32));
    PtsSlot two = matrix(p, PTS_FP32, number(f, 2), number(f, 32));
    PtsAttributes at = PTS_ATTRIBUTES;
    at.dtype = PTS_FP32;
    assert_true(next_path(f));
    emit(f, PTS_OP_MATMUL, &at, 3, slot(a), slot(a), slot(open));
    assert_int_equal(emit_error(f, PTS_OP_MATMUL, &at, 3, slot(a), slot(a), slot(two)), 0xF0000B);
}

RUN(unknown_is_not_dynamic)
{
    Fixture *f = &p->f;
    PtsSlot a = matrix(p, PTS_FP32, p->u, number(f, 32));
    PtsSlot b = dynamic_parameter(f, PTS_FP32, "b", 32);
    assert_true(next_path(f));
    emit(f, PTS_OP_EXP, NULL, 1, slot(a));
    assert_int_equal(emit_error(f, PTS_OP_EXP, NULL, 1, slot(b)), 0xF0000A);
}

RUN(an_unknown_dtype_becomes_known_beside_another)
{
    Fixture *f = &p->f;
    PtsSlot a = matrix(p, PTS_BOTTOM, number(f, 16), number(f, 16));
    PtsSlot b = matrix(p, PTS_FP16, number(f, 16), number(f, 16));
    PtsSlot c = matrix(p, PTS_FP32, number(f, 16), number(f, 16));
    assert_true(next_path(f));
    PtsSlot sum = emit(f, PTS_OP_ADD, NULL, 2, slot(a), slot(b));
    assert_int_equal(info_of(p, sum).dtype, PTS_FP16);
    assert_int_equal(emit_error(f, PTS_OP_ADD, NULL, 2, slot(sum), slot(c)), 0xFC0001);
    assert_int_equal(info_of(p, emit(f, PTS_OP_EXP, NULL, 1, slot(a))).dtype, PTS_BOTTOM);
}

RUN(an_unknown_number_fits_every_dtype)
{
    Fixture *f = &p->f;
    PtsSlot a = matrix(p, PTS_INT32, number(f, 16), number(f, 16));
    PtsOperand unknown = {.kind = PTS_OPERAND_UNKNOWN};
    assert_true(next_path(f));
    assert_int_equal(emit_error(f, PTS_OP_ADD, NULL, 2, slot(a), real(1.5)), 0xF00001);
    emit(f, PTS_OP_ADD, NULL, 2, slot(a), unknown);
}

RUN(an_unknown_axis_leaves_the_rank)
{
    Fixture *f = &p->f;
    PtsSlot a = matrix(p, PTS_FP32, number(f, 16), number(f, 32));
    PtsAttributes at = PTS_ATTRIBUTES;
    at.unknown = PTS_UNKNOWN_DIM;
    at.keepdim = true;
    assert_true(next_path(f));
    PtsSlotInfo info = info_of(p, emit(f, PTS_OP_SUM, &at, 1, slot(a)));
    assert_int_equal(info.rank, 2);
    assert_true(pts_sym_is_nothing(f->context, info.shape[1]));
}

/* ---- tiles ---- */

RUN(an_unknown_extent_takes_one_row_of_the_buffer)
{
    Fixture *f = &p->f;
    PtsSlot a = matrix(p, PTS_FP32, p->u, number(f, 65536));
    PtsSlot b = matrix(p, PTS_FP32, p->u, number(f, 1024));
    int64_t tile[2] = {1, 65536}, rows[2] = {1024, 1024};
    assert_true(next_path(f));
    assert_true(pts_config_set_vector_tile(f->context, 2, tile, &f->error));
    /* One row of exp: 2 · 65536 · 4 bytes = 512 KiB of 192. */
    assert_int_equal(emit_error(f, PTS_OP_EXP, NULL, 1, slot(a)), 0xF40005);
    /* 1024 rows would be 8 MiB, but there may be one only. */
    assert_true(pts_config_set_vector_tile(f->context, 2, rows, &f->error));
    emit(f, PTS_OP_EXP, NULL, 1, slot(b));
}

RUN(a_tile_counts_though_its_entries_are_open)
{
    Fixture *f = &p->f;
    PtsSlot a = matrix(p, PTS_FP32, number(f, 1024), number(f, 1024));
    int64_t open[2] = {PTS_TILE_UNKNOWN, PTS_TILE_UNKNOWN};
    assert_true(next_path(f));
    assert_true(pts_config_set_vector_tile(f->context, 1, open, &f->error));
    assert_int_equal(emit_error(f, PTS_OP_EXP, NULL, 1, slot(a)), 0xF42003);
    assert_true(pts_config_set_vector_tile(f->context, 2, open, &f->error));
    emit(f, PTS_OP_EXP, NULL, 1, slot(a));
    pts_config_lose_vector_tile(f->context);
    emit(f, PTS_OP_EXP, NULL, 1, slot(a));
}

RUN(an_open_cube_tile_passes_and_a_wrong_entry_does_not)
{
    Fixture *f = &p->f;
    PtsSlot a = matrix(p, PTS_FP16, number(f, 64), number(f, 64));
    const int64_t open = PTS_TILE_UNKNOWN;
    PtsCubeTile tile = {.set = true, .m = {open, open}, .k = {24, open, open}, .n = {open, open}};
    PtsAttributes at = PTS_ATTRIBUTES;
    at.dtype = PTS_FP32;
    assert_true(next_path(f));
    pts_config_lose_cube_tile(f->context);
    emit(f, PTS_OP_MATMUL, &at, 2, slot(a), slot(a));
    assert_true(pts_config_set_cube_tile(f->context, &tile, &f->error));
    assert_int_equal(emit_error(f, PTS_OP_MATMUL, &at, 2, slot(a), slot(a)), 0xF0000C);
}

/* ---- tensors, paths, certainty ---- */

RUN(a_lost_tensor_is_lost_on_its_path)
{
    Fixture *f = &p->f;
    PtsSlot a = matrix(p, PTS_FP32, number(f, 16), number(f, 16));
    PtsSym condition = pts_sym_symbol(f->context, "s", &f->error);
    while (next_path(f)) {
        assert_false(info_of(p, a).is_lost);
        if (pts_condition(f->program, condition, here(3), &f->error) == 1) {
            assert_true(pts_slot_lose(f->program, a, &f->error));
            assert_true(info_of(p, a).is_lost);
        }
    }
    assert_false(pts_program_failed(f->program));
}

RUN(a_loop_that_leaves_two_unknown_forms_is_no_error)
{
    Fixture *f = &p->f;
    PtsSlot a = matrix(p, PTS_FP32, p->u, number(f, 16));
    PtsSlot b = matrix(p, PTS_FP32, number(f, 16), number(f, 16));
    PtsSlot c = matrix(p, PTS_FP32, number(f, 8), number(f, 16));
    assert_true(next_path(f));
    for (int turn = 0; turn < 2; turn++) {
        PtsSlot local = declare(f, PTS_FP32, 16, 16, -1);
        move(f, b, local);
        loop(f, number(f, 0), p->v, 1);
        while (next_loop_path(f)) {
            move(f, turn == 0 ? a : c, local);
        }
        end_loop(f);
        if (turn == 0) {
            PtsSlot result = emit(f, PTS_OP_EXP, NULL, 1, slot(local));
            assert_true(pts_sym_is_nothing(f->context, info_of(p, result).shape[0]));
        } else { /* [16, 16] before it, [8, 16] after a turn */
            assert_int_equal(emit_error(f, PTS_OP_EXP, NULL, 1, slot(local)), 0xF21008);
        }
    }
}

RUN(nothing_is_certain_under_an_assumption)
{
    Fixture *f = &p->f;
    PtsSlot a = matrix(p, PTS_FP32, number(f, 16), number(f, 32));
    PtsSlot b = matrix(p, PTS_FP32, number(f, 16), number(f, 33));
    assert_true(next_path(f));
    assert_true(pts_is_certain(f->program, 0xFC0000));
    loop(f, number(f, 0), p->u, 1);
    assert_true(next_loop_path(f));
    /* The loop may run no turn, and an address is only wrong when it is used. */
    assert_false(pts_is_certain(f->program, 0xF74006));
    assert_true(pts_is_certain(f->program, 0xFC0000));
    pts_assume(f->program);
    assert_int_equal(emit_error(f, PTS_OP_ADD, NULL, 2, slot(a), slot(b)), 0xFC0000);
    assert_false(pts_diagnostic(f->program, 0)->certain);
}

RUN(windows_of_long_expressions_cost_a_bounded_amount)
{
    const uint64_t most = 1 << 24;
    Fixture *f = &p->f;
    PtsSlot a = matrix(p, PTS_FP32, number(f, 64), number(f, 64));
    assert_true(next_path(f));
    PtsSym index = loop(f, number(f, 0), number(f, 4), 1), row = index;
    assert_true(next_loop_path(f));
    PtsAttributes window = PTS_ATTRIBUTES;
    window.shape_rank = window.offset_rank = window.valid_rank = 2;
    window.shape[0] = window.valid[0] = number(f, 1);
    window.shape[1] = number(f, 64);
    window.offsets[1] = number(f, 0);
    for (int i = 2; i < 1500; i++) { /* all of them together have a million nodes */
        row = pts_sym_binary(f->context, PTS_SYM_MOD, add(f, row, i), number(f, i), &f->error);
        row = pts_sym_binary(f->context, PTS_SYM_ADD, row, index, &f->error);
        window.valid[1] = window.offsets[0] = row;
        emit(f, PTS_OP_VIEW, &window, 1, slot(a));
    }
    uint64_t cost = pts_sym_cost(pts_context_symbols(f->context));
    assert_in_range(cost, most, most + (most >> 4));
    assert_false(pts_is_certain(f->program, 0xF74006)); /* nothing is known any more */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_identities_of_unknown_numbers_hold),
        cmocka_unit_test(test_of_nothing_not_even_identity_is_known),
        cmocka_unit_test(test_a_number_is_the_same_on_each_path),
        cmocka_unit_test(test_another_event_at_its_place_ends_the_recording),
        cmocka_unit_test(test_an_unknown_extent_broadcasts_to_a_known_one),
        cmocka_unit_test(test_what_is_known_still_fails_and_the_recording_goes_on),
        cmocka_unit_test(test_extents_that_differ_by_a_constant_are_different),
        cmocka_unit_test(test_a_bias_of_unknown_rows_may_be_a_row),
        cmocka_unit_test(test_unknown_is_not_dynamic),
        cmocka_unit_test(test_an_unknown_dtype_becomes_known_beside_another),
        cmocka_unit_test(test_an_unknown_number_fits_every_dtype),
        cmocka_unit_test(test_an_unknown_axis_leaves_the_rank),
        cmocka_unit_test(test_an_unknown_extent_takes_one_row_of_the_buffer),
        cmocka_unit_test(test_a_tile_counts_though_its_entries_are_open),
        cmocka_unit_test(test_an_open_cube_tile_passes_and_a_wrong_entry_does_not),
        cmocka_unit_test(test_a_lost_tensor_is_lost_on_its_path),
        cmocka_unit_test(test_a_loop_that_leaves_two_unknown_forms_is_no_error),
        cmocka_unit_test(test_nothing_is_certain_under_an_assumption),
        cmocka_unit_test(test_windows_of_long_expressions_cost_a_bounded_amount),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
