/* Recorded loops of a kernel that is being recorded. */
#include "eval/drive_names.h"
#include "eval/facts.h"

#include <stdio.h>

typedef struct Range {
    PtsSym start, stop, step;
    bool upwards; /* is the step positive? */
} Range;

static bool read_range(Eval *eval, const Arguments *arguments, Range *range)
{
    uint32_t count = arguments->positional;
    Value zero = value_int(0), one = value_int(1);
    if ((count < 1 || count > 3) && !arguments->open) {
        eval->drive->node = arguments->call;
        drive_refuse(eval, EVAL_CALL, PTS_TYPE_ERROR, 0xF00001,
                     "loop() takes 1 to 3 bounds, not %u", count);
    }
    if (count < 1 || count > 3) {
        return false;
    }
    Value start = count == 1 ? zero : arguments->values[0];
    Value stop = arguments->values[count == 1 ? 0 : 1];
    Value step = drive_plain(eval, count == 3 ? arguments->values[2] : one);
    for (uint32_t i = 0; i < count; i++) {
        drive_check_integer(eval, arguments->values[i],
                            "loop(): bounds are integers and symbolic scalars");
    }
    if (step.kind == VALUE_INT && step.as.integer == 0) {
        drive_refuse(eval, EVAL_SHAPE, PTS_VALUE_ERROR, 0xF00002, "loop(): the step must not be 0");
    }
    range->start = drive_sym_or_new(eval, start);
    range->stop = drive_sym_or_new(eval, stop);
    range->step = drive_sym(eval, step);
    range->upwards = step.kind == VALUE_INT && step.as.integer > 0;
    bool known = step.kind == VALUE_INT && step.as.integer != 0;
    if (range->stop == PTS_SYM_NONE && stop.kind == VALUE_UNKNOWN) {
        range->stop = drive_unknown(eval);
    }
    return range->start != PTS_SYM_NONE && range->stop != PTS_SYM_NONE &&
           range->step != PTS_SYM_NONE && known;
}

static PtsSym symbolic(Eval *eval, PtsSymOp op, PtsSym a, PtsSym b)
{
    PtsError error;
    return pts_sym_binary(eval->drive->context, op, a, b, &error);
}

static PtsSym number(Eval *eval, int64_t value)
{
    PtsError error;
    return pts_sym_constant(eval->drive->context, value, &error);
}

enum { MAX_FACTORS = 8, MAX_FACTOR = 64 };

/* The factors of unroll_list, the largest first, with 1; 0: not known. */
static int read_factors(Eval *eval, const Value *list, int64_t *factors)
{
    int count = 0;
    bool is_set =
        list != NULL && list->kind == VALUE_TUPLE && list->flag && list->as.sequence->open;
    if (list != NULL && (list->kind == VALUE_INT || list->kind == VALUE_FLOAT)) {
        drive_refuse(eval, EVAL_DTYPE, PTS_TYPE_ERROR, 0xF00001,
                     "loop(): 'unroll_list' must be an iterable of integers, not %s",
                     value_type(*list));
    }
    is_set = is_set || (list != NULL && list->kind == VALUE_SET && !list->as.sequence->lost);
    if (list != NULL && !value_has_items(*list) && !is_set) {
        return 0;
    }
    uint32_t given = list == NULL ? 0 : list->as.sequence->count;
    for (uint32_t i = 0; i <= given; i++) {
        Value item = i == given ? value_int(1) : drive_plain(eval, list->as.sequence->items[i]);
        bool other = item.kind == VALUE_FLOAT || item.kind == VALUE_STR ||
                     item.kind == VALUE_NONE || value_is_sequence(item);
        if (other || (item.kind == VALUE_INT && item.as.integer < 1)) {
            drive_refuse(eval, EVAL_SHAPE, PTS_VALUE_ERROR, 0xF00002,
                         "loop(): 'unroll_list' has positive integers only");
        }
        if (item.kind != VALUE_INT || item.as.integer < 1 || item.as.integer > MAX_FACTOR ||
            count == MAX_FACTORS) {
            return 0;
        }
        int place = 0;
        while (place < count && factors[place] > item.as.integer) {
            place++;
        }
        if (place < count && factors[place] == item.as.integer) {
            continue;
        }
        memmove(factors + place + 1, factors + place, sizeof *factors * (size_t)(count - place));
        factors[place] = item.as.integer;
        count++;
    }
    return count;
}

typedef struct OpenLoop {
    NodeId node;
    const Arguments *arguments;
    bool yields_factor, unrolls;
    CarriedNames carried;
} OpenLoop;

static bool flag_of(const Arguments *arguments, const char *name)
{
    const Value *value = drive_argument(arguments, name, UINT32_MAX);
    return value != NULL && value->kind == VALUE_BOOL && value->as.integer != 0;
}

/* A name option, for messages; NULL if it is not given or not known. */
static const char *name_of(Eval *eval, const Arguments *arguments, const char *name)
{
    const Value *value = drive_argument(arguments, name, UINT32_MAX);
    bool is_text = value != NULL && value->kind == VALUE_STR;
    return is_text ? str_dup(eval->arena, *value->as.text) : NULL;
}

/* Pushes the conditions for the first and the last iteration of an index, for a loop in pieces. */
static void push_edge(Eval *eval, const Range *whole, PtsSym index, PtsSym stride, bool first,
                      bool last)
{
    PtsSym never = number(eval, 0);
    DriveEdge edge = {
        index, first ? symbolic(eval, PTS_SYM_EQ, index, whole->start) : never,
        last ? symbolic(eval, PTS_SYM_GE, index, symbolic(eval, PTS_SYM_SUB, whole->stop, stride))
             : never};
    VEC_PUSH(eval->arena, &eval->drive->edges, edge);
}

static void walk_turns(Eval *eval, OpenLoop *open, const Range *whole, PtsSym index, int64_t factor)
{
    NodeId target = node_child(eval->module, open->node, ROLE_TARGET);
    uint32_t edges = eval->drive->edges.count;
    int64_t copies = open->yields_factor ? 1 : factor;
    for (int64_t i = 0; i < copies && !eval->stopped; i++) {
        PtsSym one = i == 0 ? index
                            : symbolic(eval, PTS_SYM_ADD, index,
                                       symbolic(eval, PTS_SYM_MUL, number(eval, i), whole->step));
        Value item = drive_symbol_value(eval, one);
        if (open->yields_factor) {
            push_edge(eval, whole, one,
                      symbolic(eval, PTS_SYM_MUL, whole->step, number(eval, factor)), true, true);
            Value pair = value_sequence(eval->arena, VALUE_TUPLE, 2);
            sequence_add(eval->arena, pair.as.sequence, item);
            sequence_add(eval->arena, pair.as.sequence, value_int(factor));
            item = pair;
        } else if (open->unrolls) {
            bool down = !whole->upwards; /* then the simulator asks each copy */
            push_edge(eval, whole, one, whole->step, down || i == 0, down || i == factor - 1);
        }
        eval_assign(eval, target, item);
        Flow flow = eval_body(eval, open->node, ROLE_BODY);
        if (flow != FLOW_NEXT) {
            drive_end(eval);
        }
        drive_names_end_turn(eval, &open->carried);
    }
    drive_names_end_path(eval, &open->carried);
    eval->drive->edges.count = edges;
}

/* The statement of that line among the nodes from `first` to `end`; `end` if there is none. */
static NodeId statement_at(const Module *module, NodeId first, NodeId end, int line)
{
    for (NodeId node = first; node < end; node++) {
        Role role = (Role)node_at(module, node)->role;
        if ((role == ROLE_BODY || role == ROLE_ORELSE) &&
            node_line(module, node) == (unsigned)line) {
            return node;
        }
    }
    return end;
}

/* The statement to blame for an error that shows only at the end of the loop: in the loop, or in a
 * function of the file that the loop calls. */
static NodeId statement_of(Eval *eval, NodeId loop, const PtsError *error)
{
    const Module *module = eval->module;
    if (error->site.file != eval->drive->file || eval->unit != 0) {
        return loop;
    }
    NodeId end = node_at(module, loop)->subtree_end;
    NodeId found = statement_at(module, loop, end, error->site.line);
    if (found == end) {
        end = module->node_count;
        found = statement_at(module, 0, end, error->site.line);
    }
    return found == end ? loop : found;
}

/* Ends the loop. It refuses only now: reads on paths that may never be taken, then the rest. */
static void end_loop(Eval *eval, const OpenLoop *open)
{
    Drive *drive = eval->drive;
    PtsError error;
    while (!eval->stopped && pts_loop_doubt(drive->program, &error)) {
        drive->node = statement_of(eval, open->node, &error);
        (void)drive_keep_read(eval, &error); /* its operations are recorded already */
    }
    drive->node = open->node;
    if (!eval->stopped && !pts_loop_end(drive->program, &error)) {
        drive->node = statement_of(eval, open->node, &error);
        if (!drive_keep_read(eval, &error)) {
            drive_refused(eval, drive_rule(PTS_OP_NOP, &error), &error);
        }
    }
}

/* Walks one recorded loop: the whole, or one of the pieces that unrolling makes. */
static void walk_piece(Eval *eval, OpenLoop *open, const Range *whole, const Range *piece,
                       int64_t factor, bool submit)
{
    enum { MOST_PATHS = 256 };
    Drive *drive = eval->drive;
    PtsError error;
    PtsSym index = PTS_SYM_NONE;
    PtsLoop loop = {.start = piece->start,
                    .stop = piece->stop,
                    .step = piece->step,
                    .name = name_of(eval, open->arguments, "name"),
                    .index_name = name_of(eval, open->arguments, "idx_name"),
                    .parallel = flag_of(open->arguments, "parallel"),
                    .submit_before = submit,
                    .site = drive_site(eval, open->node)};
    if (!drive_may_record(eval)) {
        return;
    }
    drive->node = open->arguments->call;
    if (!pts_loop_begin(drive->program, &loop, &index, &error)) {
        drive_refused(eval, EVAL_SHAPE, &error);
        drive_end(eval);
        return;
    }
    uint64_t seed = drive->seed = drive_mix(drive->seed, open->node + (uint64_t)factor);
    size_t learned = pts_learned(drive->context);
    DriveLoop inner = {drive->loop, whole->start, whole->stop,
                       whole->step, index,        drive->edges.count};
    drive->loop = &inner;
    bool carried = drive->carried, lost = false; /* on some path */
    for (uint32_t paths = 0; !eval->stopped && pts_loop_next_path(drive->program); paths++) {
        drive->seed = seed;
        drive->many_paths = drive->many_paths || paths >= DRIVE_APART;
        drive->carried = drive->doubtful ? carried : drive->carried;
        pts_unlearn(drive->context, learned);
        if (paths >= MOST_PATHS) {
            facts_limit(eval, EVAL_LIMIT_PATHS);
            drive_end(eval);
            break;
        }
        drive_names_start(eval, &open->carried);
        walk_turns(eval, open, whole, index, factor);
        lost = lost || drive->carried;
    }
    drive->loop = inner.outer;
    drive->carried = drive->carried || lost;
    drive->seed = drive_mix(seed, 7);
    pts_unlearn(drive->context, learned);
    end_loop(eval, open);
    advice_take(eval);
}

/* The distance from start to stop, positive if the range has iterations. */
static PtsSym way_of(Eval *eval, const Range *range)
{
    return range->upwards ? symbolic(eval, PTS_SYM_SUB, range->stop, range->start)
                          : symbolic(eval, PTS_SYM_SUB, range->start, range->stop);
}

/* The absolute value of the step. */
static PtsSym length_of(Eval *eval, const Range *range)
{
    return range->upwards ? range->step : symbolic(eval, PTS_SYM_SUB, number(eval, 0), range->step);
}

/* Where the last whole stride of the range ends. */
static PtsSym end_of_strides(Eval *eval, const Range *range)
{
    PtsSym way = symbolic(eval, PTS_SYM_MAX, way_of(eval, range), number(eval, 0));
    PtsSym rest = symbolic(eval, PTS_SYM_MOD, way, length_of(eval, range));
    return symbolic(eval, range->upwards ? PTS_SYM_SUB : PTS_SYM_ADD, range->stop, rest);
}

/* Is there exactly one iteration? `*most`: is there at most one? */
static bool has_one_turn(Eval *eval, const Range *range, bool *most)
{
    int64_t distance = 0, rest = 0;
    PtsSym way = way_of(eval, range);
    PtsSym last = symbolic(eval, PTS_SYM_SUB, way, length_of(eval, range));
    *most = pts_sym_value(eval->drive->context, last, &rest) && rest <= 0;
    return *most && pts_sym_value(eval->drive->context, way, &distance) && distance > 0;
}

/* Gives advice about names that iterations compute from their own previous value. */
static void advise_carried(Eval *eval, const OpenLoop *open, bool once)
{
    for (uint32_t i = 0; i < open->carried.names.count; i++) {
        const Carried *one = &open->carried.names.items[i];
        if (one->read_first && !one->is_new) {
            advice_carried(eval, open->node, one->name, one->value, !once);
        }
    }
}

/* Checks the target of the loop: pypto.loop yields a single index. */
static void check_target(Eval *eval, const OpenLoop *open)
{
    NodeId target = node_child(eval->module, open->node, ROLE_TARGET);
    bool several =
        node_is(eval->module, target, NODE_TUPLE) || node_is(eval->module, target, NODE_LIST);
    if (several && !open->yields_factor) {
        drive_refuse(eval, EVAL_VALUE, PTS_TYPE_ERROR, 0xF00001,
                     "cannot unpack non-iterable SymbolicScalar object");
    }
}

Flow drive_for(Eval *eval, NodeId node, Value loop)
{
    const Value *list = drive_argument(loop.as.loop, "unroll_list", UINT32_MAX);
    OpenLoop open = {.node = node,
                     .arguments = loop.as.loop,
                     .yields_factor = loop.flag,
                     .unrolls = loop.flag || (list != NULL && list->kind != VALUE_NONE)};
    eval->drive->node = loop.as.loop->call;
    check_target(eval, &open);
    Range whole;
    int64_t factors[MAX_FACTORS + 1] = {1};
    bool submit = flag_of(loop.as.loop, "submit_before_loop");
    int count = open.unrolls ? read_factors(eval, list, factors) : 1;
    if (count == 0 || loop.as.loop->open || !read_range(eval, loop.as.loop, &whole)) {
        drive_end(eval);
        return FLOW_NEXT;
    }
    bool most;
    bool once = has_one_turn(eval, &whole, &most);
    drive_collect_names(eval, node, once, &open.carried);
    advise_carried(eval, &open, most);
    Range piece = whole;
    for (int i = 0; i < count && !eval->stopped; i++) {
        if (open.unrolls) {
            piece.step = symbolic(eval, PTS_SYM_MUL, whole.step, number(eval, factors[i]));
            piece.stop = whole.stop;
            if (factors[i] != 1) {
                piece.stop = end_of_strides(eval, &piece);
            }
        }
        walk_piece(eval, &open, &whole, &piece, factors[i], submit || i > 0);
        piece.start = piece.stop;
    }
    if (!eval->stopped) {
        drive_names_behind(eval, &open.carried);
    }
    return FLOW_NEXT;
}

/* Is it an index of the loop, a copy made by unrolling included? */
static bool is_index(const Drive *drive, const DriveLoop *loop, uint32_t end, PtsSym sym)
{
    bool found = loop->index == sym;
    for (uint32_t i = loop->edges; i < end && !found; i++) {
        found = drive->edges.items[i].index == sym;
    }
    return found;
}

/* 9.2 compares any number with the range of the innermost loop. */
static Value edge_of_innermost(Eval *eval, PtsSym sym, bool last)
{
    Drive *drive = eval->drive;
    const DriveLoop *loop = drive->loop;
    const char *name = last ? "is_loop_end" : "is_loop_begin";
    if (loop == NULL) {
        drive_refuse(eval, EVAL_VALUE, PTS_INDEX_ERROR, 0xF00008,
                     "%s() is possible in a pypto.loop only", name);
        return value_unknown();
    }
    uint32_t end = loop->edges;
    for (const DriveLoop *outer = loop->outer; outer != NULL; outer = outer->outer) {
        if (is_index(drive, outer, end, sym)) {
            drive->newer = drive_may_record(eval); /* 9.1 takes it */
            drive_refuse(
                eval, EVAL_VALUE, PTS_VALUE_ERROR, 0xF00002,
                "%s() gets the index of an outer loop: PyPTO 9.2 silently compares it with "
                "the inner loop's bounds",
                name);
            return value_unknown();
        }
        end = outer->edges;
    }
    bool other = eval_newer(eval) == NEWER_DOUBTFUL && !pts_sym_is_unknown(drive->context, sym);
    if (other && drive_may_record(eval)) {
        advice_edge(eval, name);
    }
    return drive_symbol_value(
        eval,
        last ? symbolic(eval, PTS_SYM_GE, symbolic(eval, PTS_SYM_ADD, sym, loop->step), loop->stop)
             : symbolic(eval, PTS_SYM_EQ, sym, loop->start));
}

/* The index of a loop never cancels against its bounds, so the edge is symbolic even if they are
 * unknown. */
static Value surely_symbol(Value index, Value edge)
{
    if (index.kind == VALUE_SYMBOL && edge.kind == VALUE_NUMBER && edge.handle > 0) {
        edge.kind = VALUE_SYMBOL;
        edge.as.atoms = UINT64_MAX;
        edge.flag = true;
    }
    return edge;
}

Value drive_edge(Eval *eval, Value index, bool last)
{
    Drive *drive = eval->drive;
    PtsError error;
    PtsSym sym = drive_sym(eval, index);
    if (sym == PTS_SYM_NONE) {
        return drive_symbol_value(eval, sym);
    }
    bool own = drive->loop != NULL && is_index(drive, drive->loop, drive->edges.count, sym);
    if (!own && drive_carry(eval) == CARRY_NEW) {
        return edge_of_innermost(eval, sym, last);
    }
    for (uint32_t i = drive->edges.count; i-- > 0;) {
        if (drive->edges.items[i].index == sym) {
            PtsSym edge = last ? drive->edges.items[i].last : drive->edges.items[i].first;
            return surely_symbol(index, drive_symbol_value(eval, edge));
        }
    }
    if (!drive_may_record(eval)) {
        return value_unknown();
    }
    PtsSym edge = pts_loop_edge(drive->program, sym, last, &error);
    if (edge == PTS_SYM_NONE) {
        drive_refused(eval, EVAL_VALUE, &error);
    }
    return surely_symbol(index, drive_symbol_value(eval, edge));
}

/* A name gets a value: symbols of known value become ints, tensors are given the name. */
void drive_bound(Eval *eval, Str name, Value *value)
{
    char text[96];
    PtsSlotInfo info;
    *value = drive_plain(eval, *value);
    if (drive_info(eval, *value, &info) && !info.is_parameter && !eval->drive->ended) {
        snprintf(text, sizeof text, "%.*s", STR_ARG(name));
        pts_slot_set_name(eval->drive->program, value->handle - 1, text);
    }
}
