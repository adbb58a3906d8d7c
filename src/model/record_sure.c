/* Does the point where the recorder is surely run, or may the loops around it have no iteration
 * that takes its path? A partial program may know a launch that is surely made; then conditions and
 * trip counts are evaluated with the sizes of that launch. */
#include "model/partial.h"
#include "model/record.h"

#include <string.h>

/* Values of atoms; the others are not known. */
typedef struct PtsIteration {
    PtsSymTable *symbols;
    PtsSymValues values;
    bool *known;
} Known;

static void learn(Known *known, PtsSym symbol, int64_t value)
{
    PtsAtom atom;
    if (pts_sym_is_atom(known->symbols, symbol, &atom) && atom < known->values.count) {
        known->values.of_atom[atom] = value;
        known->known[atom] = true;
    }
}

/* One at a time: the next call uses the memory again. */
static Known launch_values(const PtsProgram *program)
{
    PtsRecorder *recorder = program->recorder;
    Known known = {.symbols = pts_context_symbols(program->context)};
    known.values.count = pts_sym_atom_count(known.symbols);
    if (known.values.count >= recorder->atom_capacity) {
        size_t capacity = 2 * (size_t)known.values.count + 1;
        recorder->atom_values = ARENA_ARRAY(&recorder->arena, int64_t, capacity);
        recorder->atoms_known = ARENA_ARRAY(&recorder->arena, bool, capacity);
        recorder->atom_capacity = capacity;
    }
    known.values.of_atom = recorder->atom_values;
    known.known = recorder->atoms_known;
    memset(known.known, 0, known.values.count);
    for (uint32_t i = 0; i < recorder->sizes.count; i++) {
        learn(&known, recorder->sizes.items[i].dim, recorder->sizes.items[i].size);
    }
    return known;
}

bool pts_iteration_value(const PtsIteration *known, PtsSym a, int64_t *value)
{
    return pts_sym_evaluate_known(known->symbols, a, &known->values, known->known, value);
}

/* Sets a loop's index to that of the iteration, or of the last one when there are fewer. PTS_NO:
 * the loop has no iteration. PTS_MAYBE: not known; the index of iteration 0 is set if the start
 * is. */
static PtsAnswer enter_iteration(Known *known, const PtsRecordedLoop *loop, int64_t iteration)
{
    int64_t start, stop, step, way, last, index;
    if (!pts_iteration_value(known, loop->loop.start, &start)) {
        return PTS_MAYBE;
    }
    if (iteration == 0) {
        learn(known, loop->symbol, start);
    }
    if (!pts_iteration_value(known, loop->loop.stop, &stop) ||
        !pts_iteration_value(known, loop->loop.step, &step) || step == 0 ||
        __builtin_sub_overflow(stop, start, &way) ||
        __builtin_sub_overflow(way, step > 0 ? 1 : -1, &last)) {
        return PTS_MAYBE;
    }
    if (step > 0 ? start >= stop : start <= stop) {
        return PTS_NO;
    }
    last /= step;
    if (__builtin_mul_overflow(iteration < last ? iteration : last, step, &index) ||
        __builtin_add_overflow(index, start, &index)) {
        return PTS_MAYBE;
    }
    learn(known, loop->symbol, index);
    return PTS_YES;
}

/* Are all decisions of the frame's path those that the values lead to? */
static bool takes_path(const Known *known, const PtsFrame *frame)
{
    for (uint32_t i = 0; i < frame->decided; i++) {
        int64_t value;
        if (!pts_iteration_value(known, frame->decisions.items[i].condition, &value) ||
            (value != 0) != frame->decisions.items[i].choice) {
            return false;
        }
    }
    return true;
}

/* Thousands of windows with expressions of thousands of nodes must not take the memory: beyond this
 * nothing is known of iterations. It is asked before a search, never during one, whose answers must
 * agree with each other. */
static bool is_affordable(const PtsProgram *program)
{
    enum { MOST_COST = 1 << 24 };
    return pts_sym_cost(pts_context_symbols(program->context)) < MOST_COST;
}

/* Does that iteration of all loops around surely come to this point? `trust`: assume that loops of
 * unknown length have it. */
static bool reaches(const PtsProgram *program, int64_t iteration, bool trust)
{
    const PtsRecorder *recorder = program->recorder;
    Known known = {0};
    for (int level = 0; level < recorder->depth; level++) {
        const PtsFrame *frame = &recorder->frames[level];
        bool surely = frame->decided == 0 &&
                      (frame->loop == NULL || pts_record_trips(program, &frame->loop->loop) >= 1);
        if (surely && recorder->sizes.count == 0) {
            continue;
        }
        known = known.symbols == NULL ? launch_values(program) : known;
        PtsAnswer enters =
            frame->loop == NULL ? PTS_YES : enter_iteration(&known, frame->loop, iteration);
        if (enters == PTS_NO || (enters == PTS_MAYBE && !trust) || !takes_path(&known, frame)) {
            return false;
        }
    }
    return true;
}

/* Does the check find something in that iteration of all loops around, and does it surely come to
 * this point? Levels without a loop or a decision are always entered. */
static bool finds_in(const PtsProgram *program, Known *known, int64_t iteration,
                     PtsIterationCheck *check, void *context)
{
    const PtsRecorder *recorder = program->recorder;
    for (int level = 0; level < recorder->depth; level++) {
        const PtsFrame *frame = &recorder->frames[level];
        if (frame->loop != NULL && enter_iteration(known, frame->loop, iteration) != PTS_YES) {
            return false;
        }
        if (!takes_path(known, frame)) {
            return false;
        }
    }
    return check(context, known);
}

bool pts_record_finds(PtsProgram *program, PtsIterationCheck *check, void *context, bool *is_first)
{
    const PtsRecorder *recorder = program->recorder;
    *is_first = false;
    if (!is_affordable(program)) {
        return false;
    }
    Known known = launch_values(program);
    bool has_loop = false;
    for (int level = 0; level < recorder->depth && !has_loop; level++) {
        has_loop = recorder->frames[level].loop != NULL;
    }
    *is_first = finds_in(program, &known, 0, check, context);
    if (*is_first) {
        return true;
    }
    if (!has_loop || (!finds_in(program, &known, 1, check, context) &&
                      !finds_in(program, &known, INT64_MAX, check, context))) {
        return false;
    }
    int64_t without = 0, with = 1; /* the first iteration that has it, as a run tells it */
    while (with < INT64_MAX && !finds_in(program, &known, with, check, context)) {
        without = with;
        with = with > INT64_MAX / 2 ? INT64_MAX : with * 2;
    }
    while (with - without > 1) {
        int64_t middle = without + (with - without) / 2;
        *(finds_in(program, &known, middle, check, context) ? &with : &without) = middle;
    }
    return finds_in(program, &known, with, check, context);
}

typedef struct ReachCall {
    const PtsProgram *program;
    int64_t iteration;
    bool trust, reached;
} ReachCall;

static void call_reach(void *argument)
{
    ReachCall *call = argument;
    call->reached = reaches(call->program, call->iteration, call->trust);
}

/* The same; false when memory runs out. */
static bool is_reached(const PtsProgram *program, int64_t iteration, bool trust)
{
    ReachCall call = {program, iteration, trust, false};
    return is_affordable(program) && arena_try(&program->recorder->arena, call_reach, &call) &&
           call.reached;
}

bool pts_record_may_be_passed(const PtsProgram *program)
{
    return !is_reached(program, 0, false);
}

/* Does some iteration come here? Where a check has failed it fails in any of them. */
static bool some_reaches(const PtsProgram *program, bool trust)
{
    return is_reached(program, 0, trust) || is_reached(program, 1, trust) ||
           is_reached(program, INT64_MAX, trust);
}

bool pts_record_is_on_its_way(const PtsProgram *program)
{
    return some_reaches(program, true);
}

bool pts_surely_shows(const PtsProgram *program, uint32_t code)
{
    const PtsRecorder *recorder = program->recorder;
    bool of_run = code == PTS_CODE_UNWRITTEN || code == 0xF74006;
    return recorder == NULL || !recorder->partial || !of_run ||
           (!recorder->is_late_doubt && some_reaches(program, false));
}

bool pts_is_certain(const PtsProgram *program, uint32_t code)
{
    const PtsRecorder *recorder = program->recorder;
    bool assumed = recorder != NULL && recorder->partial && recorder->assumed;
    return !assumed && pts_surely_shows(program, code);
}

static bool dim_is(PtsProgram *program, PtsSym dim, int64_t size)
{
    PtsRecorder *recorder = program->recorder;
    VEC_PUSH(&recorder->arena, &recorder->sizes, ((PtsKnownSize){dim, size}));
    return true;
}

bool pts_dim_is(PtsProgram *program, PtsSym dim, int64_t size, PtsError *error)
{
    PTS_RECORD_ENTER(program, error, false);
    return pts_record_close(program, dim_is(program, dim, size), error);
}
