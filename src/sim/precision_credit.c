/* Whose error it is. Every tensor carries its error in parts, each with the row in which it began:
 * an operation passes on the parts of its operands, enlarged or reduced as the comparison with the
 * twin says, and adds its own. So a sum in a loop collects what each turn adds, an error that
 * later operations make small stays small, and one that they make large is not called theirs. */
#include "sim/precision.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A difference that is so much smaller than its operands has lost that many times in precision. */
static const double CANCELLATION = 16;
/* So many rounded additions into one value, or terms of a sum, are an accumulation. */
enum { ACCUMULATION_TIMES = 4, ACCUMULATION_TERMS = 16 };

bool precision_is_additive(PtsOp op)
{
    return op == PTS_OP_ADD || op == PTS_OP_SUB || op == PTS_OP_AXPY_ || op == PTS_OP_ATOMIC_ADD ||
           op == PTS_OP_INDEX_ADD_ || op == PTS_OP_SUM || op == PTS_OP_CUMSUM;
}

static bool is_16_bit(PtsDtype dtype)
{
    return dtype == PTS_FP16 || dtype == PTS_BF16;
}

static PrecisionCredit *smallest_credit(PrecisionState *state)
{
    PrecisionCredit *least = &state->credits[0];
    for (int i = 1; i < state->count; i++) {
        least = state->credits[i].amount < least->amount ? &state->credits[i] : least;
    }
    return least;
}

/* The credit of a row; a new one of amount 0 when it has none (in place of the smallest). */
static PrecisionCredit *credit_of(PrecisionState *state, uint32_t row)
{
    for (int i = 0; i < state->count; i++) {
        if (state->credits[i].row == row) {
            return &state->credits[i];
        }
    }
    PrecisionCredit *credit =
        state->count < PRECISION_CREDITS ? &state->credits[state->count++] : smallest_credit(state);
    *credit = (PrecisionCredit){.row = row};
    return credit;
}

static void join_credit(PrecisionState *state, const PrecisionCredit *other)
{
    for (int i = 0; i < state->count; i++) {
        PrecisionCredit *credit = &state->credits[i];
        if (credit->row == other->row) {
            credit->amount = fmax(credit->amount, other->amount);
            credit->times = credit->times > other->times ? credit->times : other->times;
            return;
        }
    }
    if (state->count < PRECISION_CREDITS) {
        state->credits[state->count++] = *other;
    } else if (smallest_credit(state)->amount < other->amount) {
        *smallest_credit(state) = *other;
    }
}

void precision_join(PrecisionState *state, const PrecisionState *other)
{
    if (other->single > state->single) {
        state->single = other->single;
        state->suspect = other->suspect;
        state->suspect_flag = other->suspect_flag;
    }
    state->total = fmax(state->total, other->total);
    state->scale = fmax(state->scale, other->scale);
    for (int i = 0; i < other->count; i++) {
        join_credit(state, &other->credits[i]);
    }
}

static double sum_of_credits(const PrecisionState *state)
{
    double sum = 0;
    for (int i = 0; i < state->count; i++) {
        sum += state->credits[i].amount;
    }
    return sum;
}

static void scale_credits(PrecisionState *state, double factor)
{
    for (int i = 0; i < state->count; i++) {
        state->credits[i].amount = fmin(state->credits[i].amount * factor, PRECISION_CAP);
    }
}

static void add_credit(PrecisionState *state, uint32_t row, double amount)
{
    PrecisionCredit *credit = credit_of(state, row);
    credit->amount = fmin(credit->amount + amount, PRECISION_CAP);
    credit->times++;
}

/* ---- one execution ---- */

typedef struct Account {
    PtsPrecision *precision;
    const PrecisionEvent *event;
    double tolerance;
    double before; /* the largest error among the operands */
    double total, own;
    unsigned flags, possible;
} Account;

static bool cancels(const Account *account, const PrecisionState *operands)
{
    const PrecisionEvent *event = account->event;
    return precision_is_additive(event->instruction->op) &&
           event->total.scale * CANCELLATION < operands->scale &&
           account->before * CANCELLATION < account->total;
}

static void find_flags(Account *account, const PrecisionState *operands)
{
    const PrecisionEvent *event = account->event;
    bool is_wrong = account->own > account->tolerance;
    if (event->own.infinite > 0 || event->overflows_in_double) {
        account->possible |= PTS_PRECISION_OVERFLOW;
    }
    if (is_wrong && event->own.zeroed > 0) {
        account->possible |= PTS_PRECISION_UNDERFLOW;
    }
    if (event->clipped > 0 || (is_wrong && event->instruction->op == PTS_OP_CAST &&
                               event->own.largest > 0 && event->own.infinite == 0)) {
        account->flags |= PTS_PRECISION_SATURATION;
    }
    if (account->total > account->tolerance && cancels(account, operands)) {
        account->possible |= PTS_PRECISION_CANCELLATION;
    }
    if (event->terms > ACCUMULATION_TERMS && is_16_bit(event->dtype) && account->own > 0) {
        account->flags |= PTS_PRECISION_ACCUMULATION;
    }
}

/* What the operands bring is `rest`. Their credits are brought to that sum; an error that appears
 * out of small ones is the operation's where it cancels, and that of the row which lost single
 * elements where there is one. */
static void pass_on(Account *account, PrecisionState *state, double rest)
{
    double sum = sum_of_credits(state);
    uint32_t row = account->event->row;
    bool appears = account->total > account->tolerance && account->before <= account->tolerance;
    if (rest <= sum || sum > account->tolerance) {
        scale_credits(state, sum > 0 ? rest / sum : 0);
    } else if ((account->possible & PTS_PRECISION_CANCELLATION) != 0) {
        add_credit(state, row, rest - sum);
    } else if (appears && state->suspect != PRECISION_NO_ROW && state->suspect != row &&
               state->single >= 0.5 * fmin(rest, 1.0)) {
        add_credit(state, state->suspect, rest - sum);
        account->precision->rows[state->suspect].possible |= state->suspect_flag;
    } else if (sum > 0) {
        scale_credits(state, rest / sum);
    } else {
        add_credit(state, row, rest);
    }
}

/* The state's single elements are those of the result from now on. */
static void note_single(const Account *account, PrecisionState *state)
{
    const PrecisionEvent *event = account->event;
    double single = event->total.single;
    unsigned flag = 0;
    if (event->own.infinite > 0) {
        flag = PTS_PRECISION_OVERFLOW;
    } else if (event->own.zeroed > 0 && event->own.single >= 1) {
        flag = PTS_PRECISION_UNDERFLOW;
    } else if (precision_is_additive(event->instruction->op) && single > account->tolerance &&
               single > CANCELLATION * state->single) {
        flag = PTS_PRECISION_CANCELLATION;
    }
    if (flag != 0) {
        state->suspect = event->row;
        state->suspect_flag = flag;
    }
    state->single = single;
}

static void note_accumulation(Account *account, const PrecisionState *state)
{
    const PrecisionEvent *event = account->event;
    if (!precision_is_additive(event->instruction->op) || !is_16_bit(event->dtype)) {
        return;
    }
    for (int i = 0; i < state->count; i++) {
        if (state->credits[i].row == event->row && state->credits[i].times >= ACCUMULATION_TIMES) {
            account->flags |= PTS_PRECISION_ACCUMULATION;
        }
    }
}

static void note_row(const Account *account)
{
    PtsPrecision *precision = account->precision;
    const PrecisionEvent *event = account->event;
    PrecisionRow *row = &precision->rows[event->row];
    row->seen.executions++;
    row->seen.flags |= account->flags;
    row->possible |= account->possible;
    double inherited = fmax(account->total - account->own, 0);
    if (row->worst < account->total || row->seen.executions == 1) {
        row->worst = account->total;
        row->seen.in_loop = event->in_loop;
        row->seen.iteration = event->iteration;
        row->seen.inherited = inherited;
    }
    row->seen.added = fmax(row->seen.added, account->own);
    row->seen.tolerance = account->tolerance;
    if (account->total > account->tolerance && !precision->has_beyond) {
        precision->has_beyond = true;
        precision->beyond = event->row;
        precision->beyond_in_loop = event->in_loop;
        precision->beyond_iteration = event->iteration;
    }
}

void precision_account(PtsPrecision *precision, const PrecisionEvent *event, PrecisionState *state)
{
    Account account = {
        .precision = precision,
        .event = event,
        .tolerance = precision_tolerance(precision, event->dtype),
        .before = state->total,
        .own = event->own.error,
        .total = fmax(event->total.error, event->overflows_in_double ? PRECISION_CAP : 0)};
    if (event->overflows_in_double) {
        account.own = PRECISION_CAP;
    }
    /* What is not a number on both sides has not become right. */
    if (event->total.both_not_finite > 0 && account.before >= PRECISION_CAP) {
        account.total = PRECISION_CAP;
    }
    find_flags(&account, state);
    pass_on(&account, state, fmax(account.total - account.own, 0));
    if (account.own > 0) {
        add_credit(state, event->row, fmin(account.own, account.total));
        note_accumulation(&account, state);
    }
    note_single(&account, state);
    state->total = account.total;
    state->scale = event->total.scale;
    note_row(&account);
}

void precision_arrive(PtsPrecision *precision, const PrecisionState *state, PtsDtype dtype)
{
    PtsPrecisionSummary *summary = &precision->summary;
    summary->output_error = fmax(summary->output_error, state->total);
    summary->output_is_wrong =
        summary->output_is_wrong || state->total > precision_tolerance(precision, dtype);
    for (int i = 0; i < state->count; i++) {
        PtsPrecisionRow *row = &precision->rows[state->credits[i].row].seen;
        row->share = fmax(row->share, state->credits[i].amount);
    }
}
