/* The recorder: what shape and dtype tensors have in and after loops whose iterations change them,
 * by whole and by partial writes. */
#include "record_fixture.h"

/* A loop in which `body` is called on every path; gives the code of the error of its end, or 0. */
typedef void (*Body)(Fixture *f, PtsSlot carried, PtsSym first);

static uint32_t loop_error(Body body, bool written_before, int64_t trips, bool reads_after)
{
    Fixture f;
    fixture_open(&f, "910B1", PTS_PROFILE_DEVICE);
    parameter(&f, PTS_FP32, "out", 16, 16, -1);
    uint32_t code = 0;
    while (next_path(&f)) {
        PtsSlot carried = declare(&f, PTS_FP32, 16, 16, -1);
        if (written_before) {
            move(&f, full(&f, PTS_FP32, 0, 16, 16), carried);
        }
        PtsSym stop = trips < 0 ? pts_sym_symbol(f.context, "n", &f.error) : number(&f, trips);
        PtsSym i = loop(&f, number(&f, 0), stop, 1);
        while (next_loop_path(&f)) {
            body(&f, carried, pts_loop_edge(f.program, i, false, &f.error));
        }
        PtsOperand operand = slot(carried);
        PtsSlot results[PTS_MAX_RESULTS];
        int count;
        if (!pts_loop_end(f.program, &f.error) ||
            (reads_after && !pts_emit(f.program, PTS_OP_EXP, 1, &operand, NULL, here(30), results,
                                      &count, &f.error))) {
            code = f.error.code;
        }
    }
    fixture_close(&f);
    return code;
}

static void changes_shape(Fixture *f, PtsSlot carried, PtsSym first)
{
    (void)first;
    move(f, full(f, PTS_FP32, 1, 8, 16), carried);
}

static void changes_shape_on_a_path(Fixture *f, PtsSlot carried, PtsSym first)
{
    if (pts_condition(f->program, first, here(6), &f->error) == 1) {
        move(f, full(f, PTS_FP32, 1, 8, 16), carried);
    } else {
        move(f, full(f, PTS_FP32, 1, 16, 16), carried);
    }
}

static void carries_another_shape(Fixture *f, PtsSlot carried, PtsSym first)
{
    if (pts_condition(f->program, first, here(6), &f->error) == 1) {
        move(f, full(f, PTS_FP32, 1, 8, 16), carried);
    } else {
        emit(f, PTS_OP_EXP, NULL, 1, slot(carried));
    }
}

static void starts_then_adds(Fixture *f, PtsSlot carried, PtsSym first)
{
    PtsSlot one = full(f, PTS_FP32, 1, 16, 16);
    if (pts_condition(f->program, first, here(6), &f->error) == 1) {
        move(f, one, carried);
    } else {
        move(f, emit(f, PTS_OP_ADD, NULL, 2, slot(carried), slot(one)), carried);
    }
}

static void reads_only(Fixture *f, PtsSlot carried, PtsSym first)
{
    (void)first;
    emit(f, PTS_OP_EXP, NULL, 1, slot(carried));
}

static void shapes_after_a_loop_do_not_depend_on_the_path(void **state)
{
    (void)state;
    assert_int_equal(loop_error(changes_shape, false, 3, true), 0);
    assert_int_equal(loop_error(changes_shape, true, 3, true), 0);
    assert_int_equal(loop_error(changes_shape, true, -1, false), 0);
    assert_int_equal(loop_error(changes_shape, true, -1, true), 0xF21008); /* maybe no iteration */
    assert_int_equal(loop_error(changes_shape_on_a_path, false, 3, false), 0);
    assert_int_equal(loop_error(changes_shape_on_a_path, false, 3, true), 0xF21008);
    assert_int_equal(loop_error(carries_another_shape, false, 3, false), 0xF21008);
    assert_int_equal(loop_error(starts_then_adds, false, 3, true), 0);
    assert_int_equal(loop_error(starts_then_adds, true, -1, true), 0);
}

/* ---- partial writes need the form that the tensor had before ---- */

static void assembles_then_changes_dtype(Fixture *f, PtsSlot carried, PtsSym first)
{
    (void)first;
    assemble(f, full(f, PTS_FP32, 1, 8, 8), carried, number(f, 0), number(f, 0));
    move(f, full(f, PTS_BF16, 1, 16, 16), carried);
}

static void assembles_then_changes_shape(Fixture *f, PtsSlot carried, PtsSym first)
{
    (void)first;
    assemble(f, full(f, PTS_FP32, 1, 8, 8), carried, number(f, 0), number(f, 0));
    move(f, full(f, PTS_FP32, 1, 8, 8), carried);
}

static void assembles_on_a_path(Fixture *f, PtsSlot carried, PtsSym first)
{
    if (pts_condition(f->program, first, here(6), &f->error) == 1) {
        move(f, full(f, PTS_BF16, 1, 16, 16), carried);
    } else {
        assemble(f, full(f, PTS_FP32, 1, 8, 8), carried, number(f, 0), number(f, 0));
    }
}

static void assembles_then_takes_a_declared(Fixture *f, PtsSlot carried, PtsSym first)
{
    (void)first;
    PtsSlot other = declare(f, PTS_BF16, 16, 16, -1);
    assemble(f, full(f, PTS_FP32, 1, 8, 8), carried, number(f, 0), number(f, 0));
    move(f, other, carried);
}

/* In the second iteration the inner loop may not run: the form is the first one's last. */
static void reads_after_a_loop_that_may_not_run(Fixture *f, PtsSlot carried, PtsSym first)
{
    (void)first;
    loop(f, number(f, 0), pts_sym_symbol(f->context, "m", &f->error), 1);
    while (next_loop_path(f)) {
        move(f, full(f, PTS_FP32, 1, 16, 16), carried);
    }
    end_loop(f);
    emit(f, PTS_OP_EXP, NULL, 1, slot(carried));
    move(f, full(f, PTS_FP32, 1, 8, 8), carried);
}

static void writes_in_a_loop_that_may_not_run(Fixture *f, PtsSlot carried, PtsSym first)
{
    (void)first;
    loop(f, number(f, 0), pts_sym_symbol(f->context, "m", &f->error), 1);
    while (next_loop_path(f)) {
        move(f, full(f, PTS_FP32, 1, 16, 16), carried);
    }
    end_loop(f);
    emit(f, PTS_OP_EXP, NULL, 1, slot(carried));
}

/* The writer and the change are in loops of their own inside the loop that carries. */
static void assembles_in_an_inner_loop(Fixture *f, PtsSlot carried, PtsSym first)
{
    (void)first;
    loop(f, number(f, 0), number(f, 2), 1);
    while (next_loop_path(f)) {
        assemble(f, full(f, PTS_FP32, 1, 8, 8), carried, number(f, 0), number(f, 0));
    }
    end_loop(f);
    move(f, full(f, PTS_FP32, 1, 8, 8), carried);
}

static void changes_form_then_assembles(Fixture *f, PtsSlot carried, PtsSym first)
{
    (void)first;
    move(f, full(f, PTS_BF16, 1, 8, 8), carried);
    assemble(f, full(f, PTS_BF16, 1, 4, 4), carried, number(f, 0), number(f, 0));
}

static void assembles_only(Fixture *f, PtsSlot carried, PtsSym first)
{
    (void)first;
    assemble(f, full(f, PTS_FP32, 1, 8, 8), carried, number(f, 0), number(f, 0));
}

static void assembles_into_its_own(Fixture *f, PtsSlot carried, PtsSym first)
{
    (void)first;
    (void)carried;
    PtsSlot local = declare(f, PTS_FP32, 16, 16, -1);
    assemble(f, full(f, PTS_FP32, 1, 8, 8), local, number(f, 0), number(f, 0));
    move(f, full(f, PTS_BF16, 1, 8, 8), local);
}

static void a_partial_write_needs_the_form_of_before(void **state)
{
    static const Body wrong[] = {
        assembles_then_changes_dtype,    assembles_then_changes_shape, assembles_on_a_path,
        assembles_then_takes_a_declared, assembles_in_an_inner_loop,
    };
    static const Body right[] = {writes_in_a_loop_that_may_not_run, changes_form_then_assembles,
                                 assembles_only, assembles_into_its_own};
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(loop_error(wrong[i], false, 3, false), 0xF21008);
        assert_int_equal(loop_error(wrong[i], true, 3, false), 0xF21008);
        assert_int_equal(loop_error(wrong[i], true, -1, false), 0xF21008);
    }
    assert_int_equal(loop_error(reads_after_a_loop_that_may_not_run, false, 3, false), 0xF21008);
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        assert_int_equal(loop_error(right[i], false, 3, false), 0);
        assert_int_equal(loop_error(right[i], true, -1, false), 0);
    }
}

static void an_element_write_needs_the_form_of_before(void **state)
{
    (void)state;
    for (int changes = 0; changes < 2; changes++) {
        Fixture f;
        fixture_open(&f, "910B1", PTS_PROFILE_DEVICE);
        parameter(&f, PTS_FP32, "out", 16, 16, -1);
        PtsAttributes attributes = {.offset_rank = 2};
        attributes.offsets[0] = attributes.offsets[1] = number(&f, 3);
        assert_true(next_path(&f));
        PtsSlot counts = declare(&f, PTS_INT32, 16, 16, -1);
        loop(&f, number(&f, 0), number(&f, 3), 1);
        while (next_loop_path(&f)) {
            emit(&f, PTS_OP_ELEMENT_WRITE, &attributes, 2, integer(1), slot(counts));
            move(&f, full(&f, PTS_INT32, 1, changes ? 2 : 16, 16), counts);
        }
        assert_int_equal(pts_loop_end(f.program, &f.error), !changes);
        assert_true(!changes || f.error.code == 0xF21008);
        fixture_close(&f);
    }
}

/* What an iteration only writes is no accumulation, however it writes. */
static void partial_writes_of_a_parallel_loop_are_silent(void **state)
{
    Fixture f;
    (void)state;
    fixture_open(&f, "910B1", PTS_PROFILE_DEVICE);
    PtsSlot out = parameter(&f, PTS_FP32, "out", 16, 16, -1);
    while (next_path(&f)) {
        PtsSlot local = declare(&f, PTS_FP32, 16, 16, -1);
        PtsLoop parallel = {.start = number(&f, 0),
                            .stop = number(&f, 2),
                            .step = number(&f, 1),
                            .parallel = true,
                            .site = here(4)};
        PtsSym index;
        assert_true(pts_loop_begin(f.program, &parallel, &index, &f.error));
        while (next_loop_path(&f)) {
            assemble(&f, full(&f, PTS_FP32, 1, 8, 16), local, times(&f, index, 8), number(&f, 0));
        }
        end_loop(&f);
        move(&f, local, out);
    }
    end(&f);
    assert_int_equal(pts_diagnostic_count(f.program), 0);
    fixture_close(&f);
}

static void what_nothing_writes_is_not_read(void **state)
{
    (void)state;
    assert_int_equal(loop_error(reads_only, false, 3, false), 0xF74007);
    assert_int_equal(loop_error(reads_only, true, 3, true), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_after_a_loop_do_not_depend_on_the_path),
        cmocka_unit_test(a_partial_write_needs_the_form_of_before),
        cmocka_unit_test(an_element_write_needs_the_form_of_before),
        cmocka_unit_test(partial_writes_of_a_parallel_loop_are_silent),
        cmocka_unit_test(what_nothing_writes_is_not_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
