/* Finds repairs. Each proposal has been tried by another walk; see repair.h. */
#include "eval/drive.h"

enum { MOST_TRIES = 16, MOST_REPAIRS = 6, LEAST_LAST = 16, CUBE_BLOCK = 16 };

typedef struct Repair {
    Eval *eval;
    EvalFinding *finding;
    const Refusal *refusal;
    const KernelSite *site;
    const Launch *launch;
    NodeId node; /* the refused operation */
    int tries;
} Repair;

/* Does the operation accept the change? */
static bool fits(Repair *repair, const Patch *patch)
{
    Eval *eval = repair->eval;
    if (repair->tries++ >= MOST_TRIES) {
        return false;
    }
    eval->patch = patch;
    DriveSet set = {0};
    const Drive *drive = drive_on(eval, repair->site, repair->launch, chip_first(eval), &set);
    eval->patch = NULL;
    bool refused = false;
    for (uint32_t i = 0; i < drive->findings.count; i++) {
        refused = refused || drive->findings.items[i].node == repair->node;
    }
    return drive->is_patched && !refused;
}

static Patch patch_of(const Repair *repair)
{
    return (Patch){.node = repair->node, .op = repair->refusal->op};
}

static void hint(Repair *repair, Str en, Str zh)
{
    repair->finding->hint_en = str_copy(repair->eval->result, en);
    repair->finding->hint_zh = str_copy(repair->eval->result, zh);
}

static void edit(Repair *repair, uint32_t start, uint32_t end, Str text)
{
    EvalEdit one = {start, end, str_copy(repair->eval->result, text)};
    VEC_PUSH(repair->eval->result, &repair->finding->edits, one);
}

/* --- casts */

/* The only place in the refused expression that names the operand, or NO_NODE. */
static NodeId operand_node(const Repair *repair, Str name)
{
    const Module *module = repair->eval->module;
    NodeList names = nodes_in(module, repair->node, NODE_NAME);
    NodeId found = NO_NODE;
    for (uint32_t i = 0; i < names.count; i++) {
        bool direct = node_at(module, names.ids[i])->parent == repair->node;
        if (direct && str_equal(node_name(module, names.ids[i]), name)) {
            if (found != NO_NODE) {
                return NO_NODE;
            }
            found = names.ids[i];
        }
    }
    return found;
}

/* A cast needs a vector tile, which a kernel of matrix products need not have set. */
static bool sets_vector_tile(const Repair *repair)
{
    return str_contains(repair->eval->module->source->text, STR("set_vec_tile_shapes"));
}

static void propose_cast(Repair *repair, uint32_t operand, PtsDtype dtype)
{
    Arena *arena = repair->eval->arena;
    Str name = repair->refusal->operands[operand].name;
    Str what = name.length > 0 ? name : STR("…");
    Str call =
        str_format(arena, "pypto.cast(%.*s, pypto.%s)", STR_ARG(what), pts_dtype_name(dtype));
    Str en = str_format(arena, "Cast operand %u: %.*s.", operand + 1, STR_ARG(call));
    Str zh = str_format(arena, "转换第 %u 个操作数的类型：%.*s。", operand + 1, STR_ARG(call));
    NodeId node = name.length > 0 ? operand_node(repair, name) : NO_NODE;
    hint(repair, en, zh);
    if (node != NO_NODE && sets_vector_tile(repair)) {
        const Node *place = eval_node(repair->eval, node);
        edit(repair, place->start, place->end, call);
    }
}

/* Does the operation write to the operand, so that a cast copy would be written instead? */
static bool is_written(const Refusal *refusal, uint32_t operand)
{
    switch (refusal->op) {
    case PTS_OP_ASSEMBLE:
    case PTS_OP_ATOMIC_ADD:
    case PTS_OP_MOVE:
    case PTS_OP_ELEMENT_WRITE:
        return operand == 1;
    case PTS_OP_SCATTER_UPDATE:
        return operand == 0;
    default:
        return false;
    }
}

static bool try_cast(Repair *repair, uint32_t operand, PtsDtype dtype, bool to_wider)
{
    PtsDtype own = (PtsDtype)repair->refusal->operands[operand].dtype;
    bool wider = pts_dtype_bytes(dtype) >= pts_dtype_bytes(own);
    Patch patch = patch_of(repair);
    patch.kind = PATCH_CAST;
    patch.operand = operand;
    patch.dtype = dtype;
    if (own == dtype || wider != to_wider || !fits(repair, &patch)) {
        return false;
    }
    propose_cast(repair, operand, dtype);
    return true;
}

/* Tries the types of other operands first, and wider types before narrower ones. */
static bool try_casts(Repair *repair)
{
    static const PtsDtype common[] = {PTS_FP32, PTS_FP16, PTS_BF16, PTS_INT32};
    const Refusal *refusal = repair->refusal;
    for (int round = 0; round < 4; round++) {
        size_t choices = round < 2 ? refusal->count : sizeof common / sizeof *common;
        for (uint32_t i = 0; i < refusal->count; i++) {
            if (!refusal->operands[i].is_tensor || is_written(refusal, i)) {
                continue;
            }
            for (size_t k = 0; k < choices; k++) {
                bool tensor = round >= 2 || refusal->operands[k].is_tensor;
                PtsDtype dtype = round >= 2 ? common[k]
                                 : tensor   ? (PtsDtype)refusal->operands[k].dtype
                                            : PTS_BOTTOM;
                if (tensor && try_cast(repair, i, dtype, round % 2 == 0)) {
                    return true;
                }
            }
        }
    }
    return false;
}

/* --- transposition flags */

static void edit_flag(Repair *repair, const char *name, bool value)
{
    Eval *eval = repair->eval;
    const Module *module = eval->module;
    if (!node_is(module, repair->node, NODE_CALL)) {
        return;
    }
    NodeId given = call_keyword_value(module, repair->node, name);
    if (given != NO_NODE) {
        const Node *place = eval_node(eval, given);
        edit(repair, place->start, place->end, value ? STR("True") : STR("False"));
        return;
    }
    uint32_t end = eval_node(eval, repair->node)->end - 1;
    Str before =
        str_trim(str_slice(module->source->text, eval_node(eval, repair->node)->start, end));
    if (!str_ends(before, STR(","))) {
        edit(repair, end, end, str_format(eval->arena, ", %s=%s", name, value ? "True" : "False"));
    }
}

static bool try_flags(Repair *repair)
{
    const Refusal *refusal = repair->refusal;
    Patch patch = patch_of(repair);
    patch.kind = PATCH_FLAGS;
    for (int i = 0; i < 2; i++) {
        patch.a_trans = refusal->a_trans != (i == 1);
        patch.b_trans = refusal->b_trans != (i == 0);
        if (!fits(repair, &patch)) {
            continue;
        }
        const char *name = i == 0 ? "b_trans" : "a_trans";
        bool value = i == 0 ? patch.b_trans : patch.a_trans;
        Str text = str_format(repair->eval->arena, "%s=%s", name, value ? "True" : "False");
        if (!node_is(repair->eval->module, repair->node, NODE_CALL)) { /* a @ b */
            text = str_format(repair->eval->arena, "pypto.matmul(…, %.*s)", STR_ARG(text));
        }
        hint(repair,
             str_format(repair->eval->arena, "With %.*s the operands match.", STR_ARG(text)),
             str_format(repair->eval->arena, "使用 %.*s 时两个操作数匹配。", STR_ARG(text)));
        edit_flag(repair, name, value);
        return true;
    }
    return false;
}

/* --- vector tiles */

/* A tile to begin with: the present entries, and whole axes where there are none. */
static int first_tile(const Refusal *refusal, int64_t *tile)
{
    int rank = 0;
    uint32_t widest = 0;
    for (uint32_t i = 0; i < refusal->count; i++) {
        if (refusal->operands[i].is_tensor && refusal->operands[i].rank > rank) {
            rank = refusal->operands[i].rank;
            widest = i;
        }
    }
    for (int i = 0; i < rank; i++) {
        int64_t extent = refusal->operands[widest].extent[i];
        tile[i] = i < refusal->tile_count && refusal->tile[i] > 0 ? refusal->tile[i]
                  : extent > 0                                    ? extent
                                                                  : 1;
    }
    return rank;
}

/* Halves the largest entry before the last one, or else the last one. False for the smallest
 * tile. */
static bool shrink(int64_t *tile, int count)
{
    int largest = -1;
    for (int i = 0; i + 1 < count; i++) {
        largest = tile[i] > 1 && (largest < 0 || tile[i] > tile[largest]) ? i : largest;
    }
    if (largest < 0 && tile[count - 1] > LEAST_LAST) {
        int64_t half = (tile[count - 1] + 1) / 2;
        tile[count - 1] = (half + LEAST_LAST - 1) / LEAST_LAST * LEAST_LAST;
        return true;
    }
    if (largest >= 0) {
        tile[largest] = (tile[largest] + 1) / 2;
    }
    return largest >= 0;
}

static bool try_vector_tiles(Repair *repair)
{
    Arena *arena = repair->eval->arena;
    Patch patch = patch_of(repair);
    patch.kind = PATCH_VECTOR_TILE;
    patch.count = first_tile(repair->refusal, patch.tile);
    if (patch.count == 0) {
        return false;
    }
    while (!fits(repair, &patch)) {
        if (repair->tries >= MOST_TRIES || !shrink(patch.tile, patch.count)) {
            return false;
        }
    }
    Buf list = {.arena = arena};
    for (int i = 0; i < patch.count; i++) {
        buf_addf(&list, "%s%lld", i == 0 ? "" : ", ", (long long)patch.tile[i]);
    }
    hint(repair, str_format(arena, "pypto.set_vec_tile_shapes(%s) fits this operation.", list.at),
         str_format(arena, "该操作可用 pypto.set_vec_tile_shapes(%s)。", list.at));
    return true;
}

/* --- cube tiles */

static int64_t blocks(int64_t value, int64_t most)
{
    int64_t whole = (value + CUBE_BLOCK - 1) / CUBE_BLOCK * CUBE_BLOCK;
    return whole < CUBE_BLOCK ? CUBE_BLOCK : whole > most ? most : whole;
}

static void set_cube(PtsCubeTile *cube, const int64_t *mkn)
{
    cube->set = true;
    cube->m[0] = cube->m[1] = mkn[0];
    cube->k[0] = cube->k[1] = cube->k[2] = mkn[1];
    cube->n[0] = cube->n[1] = mkn[2];
}

static bool try_cube_tiles(Repair *repair)
{
    enum { MOST_ENTRY = 128 };
    const Refusal *refusal = repair->refusal;
    Arena *arena = repair->eval->arena;
    Patch patch = patch_of(repair);
    int rank = refusal->operands[0].rank;
    if (refusal->count < 2 || rank < 2 || refusal->operands[1].rank != rank) {
        return false;
    }
    const int64_t *a = refusal->operands[0].extent + rank - 2;
    const int64_t *b = refusal->operands[1].extent + rank - 2;
    bool set = refusal->cube.set;
    int64_t mkn[] = {set ? refusal->cube.m[0] : a[refusal->a_trans],
                     set ? refusal->cube.k[0] : a[!refusal->a_trans],
                     set ? refusal->cube.n[0] : b[!refusal->b_trans]};
    for (int i = 0; i < 3; i++) {
        if (mkn[i] == PTS_TILE_UNKNOWN) {
            return false;
        }
        mkn[i] = blocks(mkn[i], set ? 1024 : MOST_ENTRY);
    }
    patch.kind = PATCH_CUBE_TILE;
    patch.cube = refusal->cube;
    for (;;) {
        set_cube(&patch.cube, mkn);
        if (fits(repair, &patch)) {
            break;
        }
        int largest = mkn[0] >= mkn[1] && mkn[0] >= mkn[2] ? 0 : mkn[1] >= mkn[2] ? 1 : 2;
        if (mkn[largest] <= CUBE_BLOCK || repair->tries >= MOST_TRIES) {
            return false;
        }
        mkn[largest] = blocks(mkn[largest] / 2, 1024);
    }
    Str call =
        str_format(arena, "pypto.set_cube_tile_shapes([%lld, %lld], [%lld, %lld], [%lld, %lld])",
                   (long long)mkn[0], (long long)mkn[0], (long long)mkn[1], (long long)mkn[1],
                   (long long)mkn[2], (long long)mkn[2]);
    hint(repair, str_format(arena, "%.*s fits this product.", STR_ARG(call)),
         str_format(arena, "该矩阵乘可用 %.*s。", STR_ARG(call)));
    return true;
}

/* --- shapes */

static void tell_range(Repair *repair)
{
    int rank = repair->refusal->operands[0].rank;
    hint(repair,
         str_format(repair->eval->arena, "The axes are 0 to %d, or -%d to -1 from the end.",
                    rank - 1, rank),
         str_format(repair->eval->arena, "轴的取值为 0 到 %d，或从末尾算起 -%d 到 -1。", rank - 1,
                    rank));
}

/* Says which axis of two operands does not match. */
static void tell_axis(Repair *repair)
{
    const Refusal *refusal = repair->refusal;
    Arena *arena = repair->eval->arena;
    if (refusal->count < 2 || !refusal->operands[0].is_tensor || !refusal->operands[1].is_tensor ||
        refusal->operands[0].rank != refusal->operands[1].rank || refusal->op == PTS_OP_CONCAT) {
        return;
    }
    for (int i = 0; i < refusal->operands[0].rank; i++) {
        long long a = refusal->operands[0].extent[i], b = refusal->operands[1].extent[i];
        if (a > 1 && b > 1 && a != b) {
            hint(repair,
                 str_format(arena,
                            "Axis %d does not fit: %lld against %lld. Take a view of the longer "
                            "one, or let one of them be 1.",
                            i, a, b),
                 str_format(
                     arena,
                     "第 %d 轴不匹配：%lld 与 %lld。请对较长的一方取 view，或让其中一方为 1。", i,
                     a, b));
            return;
        }
    }
}

void repair_propose(Eval *eval, EvalFinding *finding, const DriveFinding *found,
                    const KernelSite *site, const Launch *launch)
{
    Repair repair = {.eval = eval,
                     .finding = finding,
                     .refusal = found->refusal,
                     .site = site,
                     .launch = launch,
                     .node = found->node};
    if (found->refusal == NULL || eval->repairs >= MOST_REPAIRS) {
        return;
    }
    eval->repairs++;
    if (strstr(found->error.message, "is out of range for a tensor of") != NULL) {
        tell_range(&repair);
        return;
    }
    eval->probing = true;
    switch (finding->rule) {
    case EVAL_DTYPE:
    case EVAL_INDEXED:
    case EVAL_WINDOW:
        try_casts(&repair);
        break;
    case EVAL_MATMUL:
        if (!try_flags(&repair)) {
            try_casts(&repair);
        }
        break;
    case EVAL_VECTOR_TILE:
        try_vector_tiles(&repair);
        break;
    case EVAL_CUBE_TILE:
        try_cube_tiles(&repair);
        break;
    case EVAL_SHAPE:
        tell_axis(&repair);
        break;
    default:
        break;
    }
    eval->probing = false;
}
