/* Does the point where the recorder is surely run, or may the loops around it have no iteration
 * that takes its path? A partial program may know a launch that is surely made; then conditions and
 * trip counts are evaluated with the sizes of that launch. */
#include "model/partial.h"
#include "model/record.h"

#include <limits.h>
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

/* Sets a loop's index to that of the iteration, or of the last one when there are fewer; negative
 * ones count from the end, -1 = the last. PTS_NO: the loop has no iteration. PTS_MAYBE: not known;
 * the index of iteration 0 is set if the start is. */
static PtsAnswer enter_iteration(Known *known, const PtsRecordedLoop *loop, int64_t iteration,
                                 int64_t *entered)
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
    iteration = iteration < 0 ? last + 1 + iteration : iteration;
    *entered = iteration < 0 ? 0 : iteration < last ? iteration : last;
    if (__builtin_mul_overflow(*entered, step, &index) ||
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
        int64_t entered;
        PtsAnswer enters = frame->loop == NULL
                               ? PTS_YES
                               : enter_iteration(&known, frame->loop, iteration, &entered);
        if (enters == PTS_NO || (enters == PTS_MAYBE && !trust) || !takes_path(&known, frame)) {
            return false;
        }
    }
    return true;
}

/* --- search for an iteration */

typedef struct Search {
    const PtsRecorder *recorder;
    Known known;
    PtsIterationCheck *check;
    void *context;
    int64_t at[PTS_MAX_DEPTH + 1]; /* the iteration of each level's loop */
} Search;

/* Enters the iteration of a level's loop; does it surely take the path? Levels without a loop or a
 * decision are always entered. */
static bool enters(Search *search, int level, int64_t iteration)
{
    const PtsFrame *frame = &search->recorder->frames[level];
    return (frame->loop == NULL || enter_iteration(&search->known, frame->loop, iteration,
                                                   &search->at[level]) == PTS_YES) &&
           takes_path(&search->known, frame);
}

/* Enters the iteration nearest to one end of the loop that takes the path. */
static bool enters_near(Search *search, int level, bool end)
{
    enum { MOST_STEPS = 4 };
    int steps = search->recorder->frames[level].decided > 0 ? MOST_STEPS : 1;
    bool found = false;
    for (int i = 0; i < steps && !found; i++) {
        found = enters(search, level, end ? -1 - i : i);
    }
    return found;
}

/* Does the check find something in the iterations at[0], at[1] …? */
static bool finds_at(Search *search)
{
    for (int level = 0; level < search->recorder->depth; level++) {
        if (!enters(search, level, search->at[level])) {
            return false;
        }
    }
    return search->check(search->context, &search->known);
}

/* The same in that iteration of all loops around. */
static bool finds_in(Search *search, int64_t iteration)
{
    for (int level = 0; level < search->recorder->depth; level++) {
        search->at[level] = iteration;
    }
    return finds_at(search);
}

/* The same near the ends of the loops: near the last iteration of those whose bit is set, the
 * innermost being bit 0, and near the first one of the others. */
static bool finds_near(Search *search, int loops, unsigned ends)
{
    for (int level = 0; level < search->recorder->depth; level++) {
        loops -= search->recorder->frames[level].loop != NULL;
        bool end = loops < 32 && (ends >> loops & 1) != 0;
        if (!enters_near(search, level, end)) {
            return false;
        }
    }
    return search->check(search->context, &search->known);
}

/* Goes back to the first iteration in which the check finds something: a run reports that one. */
static bool go_back(Search *search)
{
    for (int level = 0; level < search->recorder->depth; level++) {
        int64_t with = search->at[level], without = -1, kept[PTS_MAX_DEPTH + 1];
        memcpy(kept, search->at, sizeof kept);
        while (search->recorder->frames[level].loop != NULL && with - without > 1) {
            int64_t middle = without + (with - without) / 2;
            search->at[level] = middle;
            *(finds_at(search) ? &with : &without) = middle;
            memcpy(search->at, kept, sizeof kept);
        }
        search->at[level] = with;
    }
    return finds_at(search);
}

bool pts_record_finds(PtsProgram *program, PtsIterationCheck *check, void *context, bool *is_first)
{
    enum { MOST_LOOPS = 3 }; /* the innermost ones, whose ends are combined */
    const PtsRecorder *recorder = program->recorder;
    *is_first = false;
    if (!is_affordable(program)) {
        return false;
    }
    Search search = {recorder, launch_values(program), check, context, {0}};
    int loops = 0;
    bool decides = false; /* then the first and the last iteration may take other paths */
    for (int level = 0; level < recorder->depth; level++) {
        loops += recorder->frames[level].loop != NULL;
        decides = decides || recorder->frames[level].decided > 0;
    }
    *is_first = finds_in(&search, 0);
    if (*is_first || loops == 0) {
        return *is_first;
    }
    bool found =
        finds_in(&search, 1) || finds_near(&search, loops, UINT_MAX); /* all at their last */
    unsigned combinations = 1U << (loops < MOST_LOOPS ? loops : MOST_LOOPS);
    for (unsigned ends = decides ? 0 : 1; ends + 1 < combinations && !found; ends++) {
        found = finds_near(&search, loops, ends);
    }
    return found && go_back(&search);
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

static bool is_there(void *context, const PtsIteration *iteration)
{
    (void)context;
    (void)iteration;
    return true;
}

static void call_near(void *argument)
{
    ReachCall *call = argument;
    const PtsRecorder *recorder = call->program->recorder;
    Search search = {recorder, launch_values(call->program), is_there, NULL, {0}};
    call->reached =
        finds_near(&search, recorder->depth, 0) || finds_near(&search, recorder->depth, UINT_MAX);
}

/* Does an iteration near the first or the last one of all surrounding loops get here? */
static bool is_reached_near_ends(const PtsProgram *program)
{
    ReachCall call = {program, 0, false, false};
    return is_affordable(program) && arena_try(&program->recorder->arena, call_near, &call) &&
           call.reached;
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
           (!recorder->is_late_doubt &&
            (some_reaches(program, false) || is_reached_near_ends(program)));
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
