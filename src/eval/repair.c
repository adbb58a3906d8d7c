/* What was known about a refused operation; see repair.h. */
#include "eval/drive.h"

/* --- where tensors come from */

static Maker *maker_of(Eval *eval, PtsSlot slot)
{
    Drive *drive = eval->drive;
    while (drive->makers.count <= slot) {
        VEC_PUSH(eval->arena, &drive->makers, (Maker){0});
    }
    return &drive->makers.items[slot];
}

void repair_made(Eval *eval, PtsSlot slot, PtsOp op)
{
    NodeId node = eval->unit == 0 ? eval->drive->node : eval->outer_call;
    *maker_of(eval, slot) = (Maker){node, op, false};
}

void repair_parameter(Eval *eval, PtsSlot slot, NodeId node, bool by_launch)
{
    *maker_of(eval, slot) = (Maker){node, PTS_OP_NOP, by_launch};
}

/* --- the refused operation */

static Str shape_text(Eval *eval, const PtsSlotInfo *info)
{
    Buf text = {.arena = eval->arena};
    for (int i = 0; i < info->rank; i++) {
        char extent[64] = "?";
        if (info->shape[i] != PTS_SYM_NONE &&
            !pts_sym_is_unknown(eval->drive->context, info->shape[i])) {
            pts_sym_text(eval->drive->context, info->shape[i], extent, sizeof extent);
        }
        buf_addf(&text, "%s%s", i == 0 ? "[" : ", ", extent);
    }
    buf_addf(&text, "%s]", info->rank == 0 ? "[" : "");
    return buf_str(&text);
}

static void take_tensor(Eval *eval, Refusal *refusal, uint32_t at, Value value)
{
    PtsSlotInfo info;
    if (!drive_info(eval, value, &info)) {
        return;
    }
    Arena *arena = eval->arena;
    Maker maker = *maker_of(eval, value.handle - 1);
    unsigned line = maker.node == 0 ? 0 : node_line(eval->units.items[0]->module, maker.node);
    Str name = str_copy(arena, str_from(info.name));
    Str shown = name.length > 0 ? str_format(arena, "%.*s", STR_ARG(name))
                                : str_format(arena, "operand %u", at + 1);
    Str shown_zh = name.length > 0 ? shown : str_format(arena, "第 %u 个操作数", at + 1);
    Str shape = shape_text(eval, &info);
    bool typed = info.dtype != PTS_BOTTOM;
    const char *dtype = typed ? pts_dtype_name(info.dtype) : "of unknown dtype";
    const char *dtype_zh = typed ? dtype : "（dtype 未知）";
    const char *from = !info.is_parameter ? pts_op_name(maker.op)
                       : maker.by_launch  ? "annotation and launch"
                                          : "annotation";
    const char *from_zh = !info.is_parameter ? pts_op_name(maker.op)
                          : maker.by_launch  ? "注解与调用"
                                             : "注解";
    refusal->operands[at].is_tensor = true;
    refusal->operands[at].dtype = (int)info.dtype;
    refusal->operands[at].rank = info.rank;
    refusal->operands[at].name = name;
    refusal->operands[at].node = maker.node;
    Str en = str_format(arena, "%.*s is %.*s %s", STR_ARG(shown), STR_ARG(shape), dtype);
    Str zh = str_format(arena, "%.*s 为 %.*s %s", STR_ARG(shown_zh), STR_ARG(shape), dtype_zh);
    if (maker.node != 0) {
        en = str_format(arena, "%.*s (%s, line %u)", STR_ARG(en), from, line);
        zh = str_format(arena, "%.*s（%s，第 %u 行）", STR_ARG(zh), from_zh, line);
    }
    refusal->operands[at].en = en;
    refusal->operands[at].zh = zh;
    for (int i = 0; i < info.rank; i++) {
        int64_t extent;
        bool known = info.shape[i] != PTS_SYM_NONE &&
                     pts_sym_value(eval->drive->context, info.shape[i], &extent);
        refusal->operands[at].extent[i] = known ? extent : -1;
    }
}

void repair_refused(Eval *eval, PtsOp op, uint32_t count, const Value *operands,
                    const PtsAttributes *attributes)
{
    Drive *drive = eval->drive;
    Refusal *refusal = ARENA_NEW(eval->arena, Refusal);
    refusal->is_known = true;
    refusal->op = op;
    refusal->count = count < PTS_MAX_OPERANDS ? count : PTS_MAX_OPERANDS;
    for (uint32_t i = 0; i < refusal->count; i++) {
        take_tensor(eval, refusal, i, operands[i]);
    }
    if (attributes != NULL) {
        refusal->a_trans = attributes->a_trans;
        refusal->b_trans = attributes->b_trans;
    }
    refusal->tile_count = pts_config_vector_tile(drive->context, refusal->tile);
    refusal->cube = pts_config_cube_tile(drive->context);
    drive->refusal = refusal;
}

/* --- trying a change */

static bool is_patched(const Eval *eval, PtsOp op)
{
    return eval->patch != NULL && eval->unit == 0 && eval->patch->node == eval->drive->node &&
           eval->patch->op == op;
}

/* A cast with a tile of its own, so that a missing tile does not fail it. */
static Value cast_apart(Eval *eval, Value tensor, PtsDtype dtype)
{
    const Patch *patch = eval->patch;
    PtsError error;
    PtsSlotInfo info;
    int64_t tile[PTS_MAX_TILE];
    int depth = pts_scope_depth(eval->drive->context);
    if (!drive_info(eval, tensor, &info) || !pts_scope_push(eval->drive->context, &error)) {
        return tensor;
    }
    for (int i = 0; i < info.rank; i++) {
        tile[i] = 16;
    }
    pts_config_set_vector_tile(eval->drive->context, info.rank, tile, &error);
    eval->patch = NULL;
    Value arguments[] = {tensor, drive_dtype_value((int)dtype)};
    Value result = drive_cook(eval, "cast", 2, arguments);
    eval->patch = patch;
    pts_scope_unwind(eval->drive->context, depth);
    return result;
}

const Value *repair_operands(Eval *eval, PtsOp op, uint32_t count, const Value *operands,
                             Value *room)
{
    PtsError error;
    const Patch *patch = eval->patch;
    if (!is_patched(eval, op)) {
        return operands;
    }
    eval->drive->is_patched = true;
    if (patch->kind == PATCH_VECTOR_TILE) {
        pts_config_set_vector_tile(eval->drive->context, patch->count, patch->tile, &error);
    } else if (patch->kind == PATCH_CUBE_TILE) {
        pts_config_set_cube_tile(eval->drive->context, &patch->cube, &error);
    } else if (patch->kind == PATCH_CAST && patch->operand < count) {
        memcpy(room, operands, sizeof *room * count);
        room[patch->operand] = cast_apart(eval, operands[patch->operand], patch->dtype);
        return room;
    }
    return operands;
}

const PtsAttributes *repair_attributes(Eval *eval, PtsOp op, const PtsAttributes *attributes,
                                       PtsAttributes *room)
{
    if (attributes == NULL || !is_patched(eval, op) || eval->patch->kind != PATCH_FLAGS) {
        return attributes;
    }
    *room = *attributes;
    room->a_trans = eval->patch->a_trans;
    room->b_trans = eval->patch->b_trans;
    return room;
}

/* --- what was known */

static void add_related(Eval *eval, EvalFinding *finding, const PyFile *file, NodeId node, Str en,
                        Str zh)
{
    EvalRelated related = {file, node, str_copy(eval->result, en), str_copy(eval->result, zh)};
    VEC_PUSH(eval->result, &finding->related, related);
}

void repair_describe(Eval *eval, EvalFinding *finding, const DriveFinding *found,
                     const Launch *launch)
{
    const Refusal *refusal = found->refusal;
    Str en = finding->en, zh = finding->zh;
    for (uint32_t i = 0; refusal != NULL && i < refusal->count; i++) {
        bool again = false;
        for (uint32_t k = 0; k < i; k++) {
            again = again || str_equal(refusal->operands[k].en, refusal->operands[i].en);
        }
        if (!refusal->operands[i].is_tensor || again) {
            continue;
        }
        en = str_format(eval->result, "%.*s; %.*s", STR_ARG(en), STR_ARG(refusal->operands[i].en));
        zh = str_format(eval->result, "%.*s；%.*s", STR_ARG(zh), STR_ARG(refusal->operands[i].zh));
        if (refusal->operands[i].node != 0) {
            Str name = refusal->operands[i].name;
            Str what = name.length > 0 ? name : STR("it");
            add_related(eval, finding, NULL, refusal->operands[i].node,
                        str_format(eval->arena, "where %.*s comes from", STR_ARG(what)),
                        str_format(eval->arena, "%.*s 来自此处", STR_ARG(name)));
        }
    }
    if (launch != NULL) {
        const Unit *unit = eval->units.items[launch->unit];
        add_related(eval, finding, launch->unit == 0 ? NULL : unit->file, launch->node,
                    STR("the launch that brings sizes and data types"),
                    STR("尺寸和数据类型来自此处的调用"));
    }
    finding->en = en;
    finding->zh = zh;
}
