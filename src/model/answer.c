/* Comparisons where something is not known. */
#include "model/answer.h"

#include "model/infer.h"
#include "model/partial.h"

/* Do guards say that they are never the same? 16 · n is not 24. */
static bool never_equal(PtsContext *context, PtsSym a, PtsSym b)
{
    PtsError error;
    if (pts_learned(context) == 0) {
        return false;
    }
    PtsSym difference = pts_sym_binary(context, PTS_SYM_SUB, a, b, &error);
    return difference != PTS_SYM_NONE && !pts_sym_is_nothing(context, difference) &&
           pts_sym_is_never_zero(pts_context_symbols(context), difference);
}

PtsAnswer pts_partial_equal(PtsContext *context, PtsSym a, PtsSym b)
{
    bool unknown = pts_sym_is_unknown(context, a) || pts_sym_is_unknown(context, b);
    int64_t difference, low_a, high_a, low_b, high_b;
    if (a == b) {
        return unknown && pts_sym_is_nothing(context, a) ? PTS_MAYBE : PTS_YES;
    }
    if (!unknown) {
        return PTS_NO;
    }
    PtsSymTable *table = pts_context_symbols(context);
    if (pts_sym_difference(table, a, b, &difference)) {
        return difference == 0 ? PTS_YES : PTS_NO;
    }
    bool apart = pts_sym_bounds(table, a, &low_a, &high_a) &&
                 pts_sym_bounds(table, b, &low_b, &high_b) && (high_a < low_b || high_b < low_a);
    return apart || never_equal(context, a, b) ? PTS_NO : PTS_MAYBE;
}

/* ---- extents of an operation ---- */

PtsAnswer emit_at_most(const PtsEmit *emit, PtsSym a, PtsSym b)
{
    PtsSymTable *table = pts_context_symbols(emit->context);
    int64_t low_a, high_a, low_b, high_b;
    if (!pts_sym_bounds(table, a, &low_a, &high_a) || !pts_sym_bounds(table, b, &low_b, &high_b)) {
        return PTS_MAYBE;
    }
    return low_a > high_b    ? PTS_NO
           : high_a <= low_b ? PTS_YES
                             : pts_two_valued("at_most", PTS_MAYBE);
}

PtsAnswer emit_is(const PtsEmit *emit, PtsSym extent, int64_t value)
{
    PtsError error;
    int64_t known, low, high;
    if (pts_sym_value(emit->context, extent, &known)) {
        return known == value ? PTS_YES : PTS_NO;
    }
    if (!pts_sym_is_unknown(emit->context, extent)) {
        return PTS_NO;
    }
    bool apart = pts_sym_bounds(pts_context_symbols(emit->context), extent, &low, &high) &&
                 (value < low || value > high);
    apart = apart || (pts_learned(emit->context) > 0 &&
                      pts_partial_equal(emit->context, extent,
                                        pts_sym_constant(emit->context, value, &error)) == PTS_NO);
    return apart ? PTS_NO : pts_two_valued("is", PTS_MAYBE);
}

/* Does it divide an integer that is not known, by what guards say? */
static PtsAnswer remainder_of(const PtsEmit *emit, int64_t divisor, PtsSym extent)
{
    PtsError error;
    int64_t rest;
    if (pts_learned(emit->context) == 0) {
        return PTS_MAYBE;
    }
    PtsSym by = pts_sym_constant(emit->context, divisor, &error);
    PtsSym left = pts_sym_binary(emit->context, PTS_SYM_MOD, extent, by, &error);
    bool known = left != PTS_SYM_NONE && pts_sym_value(emit->context, left, &rest);
    return !known ? PTS_MAYBE : rest == 0 ? PTS_YES : PTS_NO;
}

PtsAnswer emit_divides(const PtsEmit *emit, int64_t divisor, PtsSym extent)
{
    int64_t known;
    if (!pts_sym_value(emit->context, extent, &known)) {
        if (pts_sym_is_unknown(emit->context, extent)) {
            return pts_two_valued("divides", remainder_of(emit, divisor, extent));
        }
        known = -1; /* symbolic */
    }
    return known % divisor == 0 ? PTS_YES : PTS_NO;
}

bool emit_any_unknown(const PtsEmit *emit, int count, const PtsSym *list)
{
    bool unknown = false;
    for (int i = 0; i < count && emit->is_partial && !unknown; i++) {
        unknown = emit_is_unknown(emit, list[i]);
    }
    return unknown;
}

PtsSym emit_nothing(PtsEmit *emit)
{
    return pts_sym_nothing(pts_context_symbols(emit->context), emit->error);
}

PtsSym emit_known_of(const PtsEmit *emit, PtsSym a, PtsSym b)
{
    return emit_is_unknown(emit, a) && !emit_is_unknown(emit, b) ? b : a;
}

/* ---- forms of tensors ---- */

PtsAnswer pts_record_same_form(const PtsProgram *program, const PtsSlotState *a,
                               const PtsSlotState *b)
{
    PtsAnswer same = PTS_YES;
    if (a->is_lost || b->is_lost) {
        return PTS_MAYBE;
    }
    if (a->dtype != b->dtype) {
        same = a->dtype == PTS_BOTTOM || b->dtype == PTS_BOTTOM ? PTS_MAYBE : PTS_NO;
    } else if (a->dtype == PTS_BOTTOM) {
        same = PTS_MAYBE;
    }
    same = a->rank == b->rank ? same : PTS_NO;
    for (int i = 0; i < a->rank && same != PTS_NO; i++) {
        same = pts_both(same, pts_equal(program->context, a->shape[i], b->shape[i]));
    }
    return pts_two_valued("form", same);
}

void pts_record_join_form(PtsProgram *program, PtsSlotState *state, const PtsSlotState *other)
{
    PtsSymTable *table = pts_context_symbols(program->context);
    state->is_lost = state->is_lost || other->is_lost;
    state->dtype = state->dtype == other->dtype ? state->dtype : PTS_BOTTOM;
    for (int i = 0; i < state->rank && !state->is_lost; i++) {
        if (state->shape[i] != other->shape[i]) {
            state->shape[i] = pts_sym_nothing(table, &program->recorder->failure);
        }
        if (state->valid[i] != other->valid[i]) {
            state->valid[i] = pts_sym_nothing(table, &program->recorder->failure);
        }
    }
}
