/* Collects facts; see facts.h. */
#include "eval/facts.h"

#include "eval/drive.h"

/* --- how much is known */

void facts_limit(Eval *eval, EvalLimit limit)
{
    eval->limit = eval->limit == EVAL_NO_LIMIT && !eval->probing ? limit : eval->limit;
}

/* Is every extent a number or a symbol of the kernel? */
static bool has_extents(const Eval *eval, const PtsSlotInfo *info)
{
    for (int i = 0; i < info->rank; i++) {
        if (info->shape[i] == PTS_SYM_NONE ||
            pts_sym_is_unknown(eval->drive->context, info->shape[i])) {
            return false;
        }
    }
    return true;
}

void facts_operation(Eval *eval, uint32_t count, const Value *operands)
{
    bool dtype = true, rank = true, shape = true;
    for (uint32_t i = 0; i < count; i++) {
        PtsSlotInfo info;
        if (operands[i].kind != VALUE_TENSOR && operands[i].kind != VALUE_UNKNOWN) {
            continue;
        }
        bool known = drive_info(eval, operands[i], &info);
        dtype = dtype && known && info.dtype != PTS_BOTTOM;
        rank = rank && known;
        shape = shape && known && has_extents(eval, &info);
    }
    eval->drive->seen++;
    eval->drive->dtype_known += dtype;
    eval->drive->rank_known += rank;
    eval->drive->shape_known += shape;
}

/* Does the kernel use a name that is bound nowhere? `at`: where. */
static bool has_unbound(const Eval *eval, NodeId kernel, NodeId *at)
{
    NodeId end = node_at(eval->module, kernel)->subtree_end;
    for (uint32_t i = 0; i < eval->out.findings.count; i++) {
        const EvalFinding *one = &eval->out.findings.items[i];
        if (one->rule == EVAL_UNBOUND && one->unit == 0 && one->node > kernel && one->node < end) {
            *at = one->node;
            return true;
        }
    }
    return false;
}

/* Each call of the function around a kernel makes another kernel. Are only kernels of other calls
 * launched? Then values of this one are unknown. */
static bool is_launched_otherwise(const Eval *eval, const KernelSite *site)
{
    bool otherwise = false;
    for (uint32_t i = 0; i < eval->kernels.count && site->launches == 0; i++) {
        const KernelSite *other = &eval->kernels.items[i];
        otherwise = otherwise ||
                    (other->node == site->node && other->unit == site->unit && other->launches > 0);
    }
    return otherwise;
}

/* Adds each kernel once. MOST bounds the comparisons in a file with very many kernels. */
static void add_unfinished(Eval *eval, EvalUnfinished one)
{
    enum { MOST = 1000 };
    bool adds = eval->out.unfinished.count < MOST;
    for (uint32_t i = 0; i < eval->out.unfinished.count && adds; i++) {
        adds = eval->out.unfinished.items[i].kernel != one.kernel;
    }
    if (adds) {
        VEC_PUSH(eval->result, &eval->out.unfinished, one);
    }
}

void facts_left_out(Eval *eval, const KernelSite *site, EvalLimit limit)
{
    add_unfinished(eval, (EvalUnfinished){site->node, site->node, limit});
}

void facts_walked(Eval *eval, const KernelSite *site, const Drive *drive)
{
    if (is_launched_otherwise(eval, site)) {
        eval->limit = EVAL_NO_LIMIT;
        return;
    }
    eval->out.operations += drive->seen;
    eval->out.dtype_known += drive->dtype_known;
    eval->out.rank_known += drive->rank_known;
    eval->out.shape_known += drive->shape_known;
    EvalLimit limit = eval->limit;
    eval->limit = EVAL_NO_LIMIT;
    bool refused = drive->raised || drive->findings.count > 0;
    if (!drive->ended || (refused && limit == EVAL_NO_LIMIT)) {
        return;
    }
    EvalUnfinished one = {site->node, drive->node, limit};
    if (has_unbound(eval, site->node, &one.at)) {
        one.limit = EVAL_LIMIT_UNBOUND;
    }
    add_unfinished(eval, one);
}

/* --- what is known of a value */

/* The extents as text: "[8, n]", with "?" for unknown ones. */
static Str shape_text(Eval *eval, const PtsSlotInfo *info)
{
    Buf text = {.arena = eval->result};
    buf_add_char(&text, '[');
    for (int i = 0; i < info->rank; i++) {
        char extent[64] = "?";
        if (info->shape[i] != PTS_SYM_NONE &&
            !pts_sym_is_unknown(eval->drive->context, info->shape[i])) {
            pts_sym_text(eval->drive->context, info->shape[i], extent, sizeof extent);
        }
        buf_addf(&text, "%s%s", i == 0 ? "" : ", ", extent);
    }
    buf_add_char(&text, ']');
    return buf_str(&text);
}

static Str plain_text(Eval *eval, Value value)
{
    enum { MOST = 120 };
    Buf text = {.arena = eval->result};
    if (!value_repr(&text, value, 0) || text.length > MOST) {
        return STR("");
    }
    return buf_str(&text);
}

static void describe(Eval *eval, Value value, EvalFact *fact)
{
    PtsSlotInfo info;
    fact->kind = value_word(value);
    if (value.kind == VALUE_TENSOR) {
        if (drive_info(eval, value, &info)) {
            fact->shape = shape_text(eval, &info);
            fact->dtype = info.dtype == PTS_BOTTOM ? STR("") : str_from(pts_dtype_name(info.dtype));
        }
        return;
    }
    PtsSym sym = value.kind == VALUE_SYMBOL ? drive_sym(eval, value) : PTS_SYM_NONE;
    if (sym != PTS_SYM_NONE) {
        char text[128];
        pts_sym_text(eval->drive->context, sym, text, sizeof text);
        fact->value = str_copy(eval->result, str_from(text));
        return;
    }
    fact->value = plain_text(eval, value);
}

/* "[8, ?, 64]" */
static void add_entries(Buf *text, const int64_t *entries, int count)
{
    for (int i = 0; i < count; i++) {
        buf_add(text, i == 0 ? STR("[") : STR(", "));
        if (entries[i] == PTS_TILE_UNKNOWN) {
            buf_add_char(text, '?');
        } else {
            buf_addf(text, "%lld", (long long)entries[i]);
        }
    }
    buf_add(text, count > 0 ? STR("]") : STR(""));
}

/* The tile that applies to the operation of a call, and the bytes of one tile in UB. */
static void describe_tile(Eval *eval, NodeId call, EvalFact *fact)
{
    const Drive *drive = eval->drive;
    Buf text = {.arena = eval->result};
    if (drive->last_node != call) {
        return;
    }
    if (pts_op_table[drive->last_op].is_vector) {
        int64_t tile[PTS_MAX_TILE];
        add_entries(&text, tile, pts_config_vector_tile(drive->context, tile));
        fact->ub = pts_tile_bytes(drive->program);
    } else if (drive_is_matmul(drive->last_op)) {
        PtsCubeTile tile = pts_config_cube_tile(drive->context);
        if (tile.set) {
            buf_add(&text, STR("m "));
            add_entries(&text, tile.m, 2);
            buf_add(&text, STR(", k "));
            add_entries(&text, tile.k, 3);
            buf_add(&text, STR(", n "));
            add_entries(&text, tile.n, 2);
        }
    }
    fact->tile = buf_str(&text);
}

/* --- keeping */

/* "a | b": adds what it is on another path, in another iteration or for another launch. */
static void add_other(Eval *eval, Str *all, Str one)
{
    enum { MOST = 160 };
    Str left = *all;
    if (str_equal(left, one) || str_ends(left, STR("| …"))) {
        return;
    }
    while (left.length > 0) {
        size_t end = str_find(left, STR(" | "), 0);
        if (str_equal(str_slice(left, 0, end), one)) {
            return;
        }
        left = end == SIZE_MAX ? STR("") : str_slice(left, end + 3, left.length);
    }
    Str shown = one.length > 0 ? one : STR("?");
    *all = all->length == 0 ? str_format(eval->result, "? | %.*s", STR_ARG(shown))
           : all->length + shown.length > MOST
               ? str_format(eval->result, "%.*s | …", STR_ARG(*all))
               : str_format(eval->result, "%.*s | %.*s", STR_ARG(*all), STR_ARG(shown));
}

static void keep(Eval *eval, const EvalFact *fact)
{
    Evaluation *out = &eval->out;
    if (eval->fact_at == NULL) {
        eval->fact_at = ARENA_ARRAY(eval->arena, uint32_t, eval->module->node_count);
    }
    uint32_t *at = &eval->fact_at[fact->node];
    if (*at == 0) {
        VEC_PUSH(eval->result, &out->facts, *fact);
        *at = out->facts.count;
        return;
    }
    EvalFact *known = &out->facts.items[*at - 1];
    if (strcmp(known->kind, fact->kind) != 0) {
        bool first = strcmp(known->kind, "unknown") == 0;
        known->kind = first ? fact->kind : known->kind;
    }
    add_other(eval, &known->shape, fact->shape);
    add_other(eval, &known->dtype, fact->dtype);
    add_other(eval, &known->value, fact->value);
    add_other(eval, &known->tile, fact->tile);
    known->ub = fact->ub > known->ub ? fact->ub : known->ub;
}

static bool wanted(const Eval *eval)
{
    return eval->wants_facts && !eval->probing && eval->drive != NULL && eval->unit == 0;
}

static EvalFact fact_of(Eval *eval, NodeId node)
{
    const Node *place = eval_node(eval, node);
    return (EvalFact){.node = node,
                      .start = place->start,
                      .end = place->end,
                      .name = STR(""),
                      .shape = STR(""),
                      .dtype = STR(""),
                      .value = STR(""),
                      .tile = STR(""),
                      .ub = 0};
}

void facts_assigned(Eval *eval, NodeId name, Value value)
{
    if (!wanted(eval)) {
        return;
    }
    EvalFact fact = fact_of(eval, name);
    fact.name = node_name(eval->module, name);
    describe(eval, value, &fact);
    keep(eval, &fact);
}

void facts_called(Eval *eval, NodeId call, Value result)
{
    if (!wanted(eval)) {
        return;
    }
    EvalFact fact = fact_of(eval, call);
    describe(eval, result, &fact);
    describe_tile(eval, call, &fact);
    keep(eval, &fact);
}

const EvalFact *eval_fact_at(const Evaluation *evaluation, uint32_t offset)
{
    const EvalFact *best = NULL;
    for (uint32_t i = 0; i < evaluation->facts.count; i++) {
        const EvalFact *fact = &evaluation->facts.items[i];
        if (fact->start <= offset && offset < fact->end &&
            (best == NULL || fact->end - fact->start < best->end - best->start)) {
            best = fact;
        }
    }
    return best;
}
