/* Collects the tiles of operations; see tiles.h. */
#include "eval/tiles.h"

#include "eval/drive.h"

_Static_assert((int)EVAL_MEMORIES == (int)PTS_CORE_MEMORIES, "a place for each memory");
_Static_assert((int)EVAL_TILE_CHOICES == (int)PTS_TILE_OPTIONS, "a place for each option");

/* "[64, 128]" */
static void add_axis(Buf *text, const int64_t *sizes, int count)
{
    for (int i = 0; i < count; i++) {
        buf_addf(text, "%s%lld", i == 0 ? "[" : ", ", (long long)sizes[i]);
    }
    buf_add_char(text, ']');
}

/* The call that sets the tile; k has a third entry only if A and B differ in L1. */
static Str call_of(Arena *arena, const PtsTileOption *option)
{
    Buf text = {.arena = arena};
    if (option->count > 0) {
        buf_add(&text, STR("pypto.set_vec_tile_shapes("));
        for (int i = 0; i < option->count; i++) {
            buf_addf(&text, "%s%lld", i == 0 ? "" : ", ", (long long)option->tile[i]);
        }
    } else {
        const PtsCubeTile *cube = &option->cube;
        buf_add(&text, STR("pypto.set_cube_tile_shapes("));
        add_axis(&text, cube->m, 2);
        buf_add(&text, STR(", "));
        add_axis(&text, cube->k, cube->k[2] != cube->k[1] ? 3 : 2);
        buf_add(&text, STR(", "));
        add_axis(&text, cube->n, 2);
    }
    buf_add_char(&text, ')');
    return buf_str(&text);
}

static void add_change(Buf *text, const char *axis, int64_t now, int64_t then)
{
    if (now != then) {
        buf_addf(text, "%s%s%s%lld → %lld", text->length > 0 ? ", " : "", axis,
                 *axis == '\0' ? "" : " ", (long long)now, (long long)then);
    }
}

/* An axis of a product: one entry where L0 and L1 are alike, before and after. */
static void add_cube_change(Buf *text, const char *const names[3], const int64_t *now,
                            const int64_t *then)
{
    if (now[0] == now[1] && then[0] == then[1]) {
        add_change(text, names[0], now[0], then[0]);
    } else {
        add_change(text, names[1], now[0], then[0]);
        add_change(text, names[2], now[1], then[1]);
    }
}

/* The entries that differ from the tile in force: "m 16 → 64, kL1 64 → 128". */
static Str change_of(Arena *arena, const PtsTileOption *now, const PtsTileOption *then)
{
    static const char *const m[] = {"m", "mL0", "mL1"}, *const k[] = {"k", "kL0", "kL1"},
                             *const n[] = {"n", "nL0", "nL1"};
    Buf text = {.arena = arena};
    buf_add(&text, STR(""));
    for (int i = 0; i < then->count; i++) {
        add_change(&text, "", now->tile[i], then->tile[i]);
    }
    if (then->count == 0) {
        const PtsCubeTile *from = &now->cube, *to = &then->cube;
        add_cube_change(&text, m, from->m, to->m);
        add_cube_change(&text, k, from->k, to->k);
        if (from->k[2] != from->k[1] || to->k[2] != to->k[1]) {
            add_change(&text, "kL1 of B", from->k[2], to->k[2]);
        }
        add_cube_change(&text, n, from->n, to->n);
    }
    return buf_str(&text);
}

static EvalTile tile_of(Arena *arena, const PtsTileOption *now, const PtsTileOption *option)
{
    EvalTile tile = {.call = call_of(arena, option),
                     .tiles = option->tiles,
                     .cycles = option->cycles,
                     .loads = option->loads,
                     .loaded = option->loaded,
                     .change = change_of(arena, now, option)};
    memcpy(tile.needs, option->needs, sizeof tile.needs);
    return tile;
}

/* Is the call already known, from another launch or iteration, with the same tile and sizes? */
static bool is_known(const Eval *eval, NodeId node, PtsOp op, const EvalTile *now, Str sizes)
{
    for (uint32_t i = 0; i < eval->out.tilings.count; i++) {
        const EvalTiling *known = &eval->out.tilings.items[i];
        if (known->node == node && strcmp(known->operation, pts_op_name(op)) == 0 &&
            str_equal(known->now.call, now->call) && str_equal(known->sizes, sizes)) {
            return true;
        }
    }
    return false;
}

static void take_capacity(const Eval *eval, EvalTiling *tiling)
{
    const PtsSoc *soc = pts_context_soc(eval->drive->context);
    tiling->capacity[PTS_CORE_UB] = soc->ub;
    tiling->capacity[PTS_CORE_L1] = soc->l1;
    tiling->capacity[PTS_CORE_L0A] = soc->l0a;
    tiling->capacity[PTS_CORE_L0B] = soc->l0b;
    tiling->capacity[PTS_CORE_L0C] = soc->l0c;
    tiling->capacity[PTS_CORE_BT] = soc->bt;
}

static void note(void *context, PtsSite site, PtsOp op, const PtsTileOption *now,
                 const PtsTileOption *options, int count)
{
    Eval *eval = context;
    (void)site;
    /* A call in another file has no place in this one. */
    if (eval->probing || eval->unit != 0 || eval->drive->is_patched ||
        eval->out.tilings.count >= EVAL_MOST_TILINGS) {
        return;
    }
    NodeId node = eval->drive->node;
    EvalTile tile = tile_of(eval->result, now, now);
    Buf sizes = {.arena = eval->result};
    add_axis(&sizes, now->extent, now->rank);
    if (is_known(eval, node, op, &tile, buf_str(&sizes))) {
        return;
    }
    const Node *place = eval_node(eval, node);
    EvalTiling tiling = {.node = node,
                         .sizes = buf_str(&sizes),
                         .start = place->start,
                         .end = place->end,
                         .kernel = eval->drive->kernel,
                         .operation = pts_op_name(op),
                         .now = tile,
                         .count = count};
    take_capacity(eval, &tiling);
    for (int i = 0; i < count; i++) {
        tiling.choices[i] = tile_of(eval->result, now, &options[i]);
    }
    VEC_PUSH(eval->result, &eval->out.tilings, tiling);
}

void tiles_watch(Eval *eval, const char *kernel)
{
    if (eval->wants_facts) {
        eval->drive->kernel = str_copy(eval->result, str_from(kernel));
        pts_program_watch_tiles(eval->drive->program, note, eval);
    }
}
