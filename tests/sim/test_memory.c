/* Running out of memory at any point of a recording is an error value. */
#include "record_fixture.h"

#include "base/arena.h"

#include <stdio.h>

/* Records a kernel with everything that allocates; false when something failed, with the error. */
static bool record_all(PtsError *error)
{
    PtsSoc soc = {.arch = 2201, .ub = 196608};
    PtsContext *context = pts_context_new(&soc, NULL);
    if (context == NULL) {
        *error = (PtsError){.kind = PTS_MEMORY_ERROR};
        return false;
    }
    PtsProgram *program = pts_program_begin(context, "kernel", here(1), error);
    bool ok = program != NULL;
    int64_t tile[2] = {16, 16};
    ok = ok && pts_config_set_vector_tile(context, 2, tile, error);
    PtsSym shape[2];
    shape[0] = ok ? pts_parameter_dim(program, 0, 0, "n", error) : PTS_SYM_NONE;
    shape[1] = ok && shape[0] != PTS_SYM_NONE ? pts_sym_constant(context, 16, error) : PTS_SYM_NONE;
    ok = ok && shape[1] != PTS_SYM_NONE;
    PtsSlot a = ok ? pts_parameter(program, PTS_FP32, 2, shape, PTS_ND, "a", here(2), error)
                   : PTS_SLOT_NONE;
    ok = ok && a != PTS_SLOT_NONE;
    while (ok && pts_program_next_path(program)) {
        PtsSym zero = pts_sym_constant(context, 0, error), index;
        PtsSym one = pts_sym_constant(context, 1, error);
        PtsLoop loop = {.start = zero, .stop = shape[0], .step = one, .site = here(3)};
        ok = zero != PTS_SYM_NONE && one != PTS_SYM_NONE &&
             pts_loop_begin(program, &loop, &index, error);
        while (ok && pts_loop_next_path(program)) {
            for (int k = 0; k < 40 && ok; k++) {
                PtsSym at = pts_sym_constant(context, 1000 + k, error);
                PtsSym offset = at == PTS_SYM_NONE
                                    ? at
                                    : pts_sym_binary(context, PTS_SYM_MUL, index, at, error);
                PtsAttributes view = PTS_ATTRIBUTES;
                view.shape_rank = view.offset_rank = 2;
                view.shape[0] = view.shape[1] = shape[1];
                view.offsets[0] = offset;
                view.offsets[1] = zero;
                PtsOperand operand = slot(a);
                PtsSlot results[PTS_MAX_RESULTS];
                int count;
                ok = offset != PTS_SYM_NONE && pts_emit(program, PTS_OP_VIEW, 1, &operand, &view,
                                                        here(4 + k), results, &count, error);
                operand = slot(results[0]);
                ok = ok && pts_emit(program, PTS_OP_EXP, 1, &operand, NULL, here(5), results,
                                    &count, error);
                PtsSym edge = ok ? pts_loop_edge(program, index, k % 2 == 0, error) : PTS_SYM_NONE;
                ok =
                    ok && edge != PTS_SYM_NONE && pts_condition(program, edge, here(6), error) >= 0;
            }
        }
        ok = ok && pts_loop_end(program, error);
    }
    ok = program != NULL && pts_program_end(program, ok ? error : NULL) && ok;
    pts_program_free(program);
    pts_context_free(context);
    return ok;
}

static void every_failing_allocation_is_reported(void **state)
{
    PtsError error = {0};
    (void)state;
    assert_true(record_all(&error));
    unsigned long nth = 1;
    for (; nth < 1000; nth++) {
        arena_drop_cache();
        arena_inject_failure(nth);
        error = (PtsError){0};
        bool ok = record_all(&error);
        arena_inject_failure(0);
        if (ok) {
            break; /* it takes fewer allocations */
        }
        if (error.kind != PTS_MEMORY_ERROR) {
            fail_msg("allocation %lu: kind %d, %s", nth, (int)error.kind, error.message);
        }
    }
    assert_in_range(nth, 8, 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
