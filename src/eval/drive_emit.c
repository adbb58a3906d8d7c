/* Recording one operation: values of the evaluator into operands of the recorder. */
#include "eval/drive.h"

#include <math.h>
#include <stdio.h>

/* --- tensors */

Value drive_tensor(PtsSlot slot)
{
    Value value = value_tensor();
    value.handle = slot == PTS_SLOT_NONE ? 0 : slot + 1;
    return value;
}

bool drive_has_slot(const Eval *eval, Value value)
{
    const Drive *drive = eval->drive;
    if (value.kind != VALUE_TENSOR || value.handle == 0) {
        return false;
    }
    PtsSlot slot = value.handle - 1;
    return slot >= drive->opaque.count || !drive->opaque.items[slot];
}

bool drive_info(Eval *eval, Value tensor, PtsSlotInfo *info)
{
    PtsError error;
    return drive_has_slot(eval, tensor) &&
           pts_slot_info(eval->drive->program, tensor.handle - 1, info, &error);
}

void drive_lose(Eval *eval, Value tensor)
{
    Drive *drive = eval->drive;
    if (tensor.kind == VALUE_UNKNOWN) {
        drive_end(eval); /* it may be any tensor */
    }
    if (tensor.kind != VALUE_TENSOR) {
        return;
    }
    if (eval->assumed > 0) {
        drive_end(eval);
    }
    drive->carried = true;
    while (tensor.handle > 0 && drive->opaque.count < tensor.handle) {
        VEC_PUSH(eval->arena, &drive->opaque, false);
    }
    if (tensor.handle > 0) {
        drive->opaque.items[tensor.handle - 1] = true;
    }
}

Value drive_shape(Eval *eval, Value tensor, bool valid)
{
    PtsSlotInfo info;
    if (!drive_info(eval, tensor, &info)) {
        return value_unknown();
    }
    Value list = value_sequence(eval->arena, VALUE_LIST, (uint32_t)info.rank);
    list.as.sequence->birth = eval->clock;
    for (int i = 0; i < info.rank; i++) {
        Value extent = drive_symbol_value(eval, valid ? info.valid[i] : info.shape[i]);
        sequence_add(eval->arena, list.as.sequence, valid ? extent : drive_plain(eval, extent));
    }
    return list;
}

int drive_dtype(Value value)
{
    if (value.kind != VALUE_MEMBER || strncmp(value.as.fact->name, "DT_", 3) != 0) {
        return -1;
    }
    for (int i = 0; i < PTS_DTYPE_COUNT; i++) {
        if (strcmp(pts_dtype_name((PtsDtype)i), value.as.fact->name) == 0) {
            return i;
        }
    }
    return -1;
}

Value drive_dtype_value(int dtype)
{
    const ApiFact *fact = api_fact_find(str_from(pts_dtype_name((PtsDtype)dtype)));
    return fact == NULL ? value_unknown() : (Value){.kind = VALUE_MEMBER, .as.fact = fact};
}

/* --- operands */

/* False: not known. */
static bool operand_of(Eval *eval, Value value, PtsOperand *operand)
{
    *operand = (PtsOperand){.kind = PTS_OPERAND_NONE,
                            .slot = PTS_SLOT_NONE,
                            .sym = PTS_SYM_NONE,
                            .element = {.dtype = PTS_BOTTOM}};
    switch ((ValueKind)value.kind) {
    case VALUE_NONE:
        return true;
    case VALUE_TENSOR:
        operand->kind = PTS_OPERAND_SLOT;
        operand->slot = value.handle - 1;
        return drive_has_slot(eval, value);
    case VALUE_INT:
    case VALUE_BOOL:
        operand->kind = PTS_OPERAND_INT;
        operand->element.integer = value.as.integer;
        return true;
    case VALUE_FLOAT:
        operand->kind = PTS_OPERAND_FLOAT;
        operand->element.real = value.as.number;
        return true;
    case VALUE_ELEMENT:
        operand->kind = PTS_OPERAND_ELEMENT;
        operand->element.dtype = (PtsDtype)(value.handle - 1);
        operand->element.real = value.flag ? value.as.number : (double)value.as.integer;
        operand->element.integer = value.flag ? (int64_t)value.as.number : value.as.integer;
        return value.handle > 0;
    case VALUE_SYMBOL:
    case VALUE_NAMED:
        operand->kind = PTS_OPERAND_SYM;
        operand->sym = drive_sym(eval, value);
        return operand->sym != PTS_SYM_NONE;
    default:
        return false;
    }
}

/* Which operand does it write? -1 = none. */
static int written_operand(PtsOp op)
{
    switch (op) {
    case PTS_OP_ASSEMBLE:
    case PTS_OP_ATOMIC_ADD:
    case PTS_OP_MOVE:
    case PTS_OP_ELEMENT_WRITE:
        return 1;
    case PTS_OP_SCATTER_UPDATE:
        return 0;
    default:
        return -1;
    }
}

/* What is not recorded: the written tensor is not known any more. */
static Value not_recorded(Eval *eval, PtsOp op, uint32_t count, const Value *operands)
{
    int written = written_operand(op);
    eval->drive->carried = true;
    eval->drive->open_at = eval->drive->skipped == 0 ? eval->drive->node : eval->drive->open_at;
    eval->drive->skipped++;
    if (written >= 0 && (uint32_t)written < count) {
        drive_lose(eval, operands[written]);
        return op == PTS_OP_SCATTER_UPDATE ? value_tensor() : value_none();
    }
    static const PtsOp several[] = {
        PTS_OP_TOPK,         PTS_OP_ARGSORT,  PTS_OP_SORT32,         PTS_OP_INTERLEAVE,
        PTS_OP_DEINTERLEAVE, PTS_OP_QUANT_MX, PTS_OP_ONLINE_SOFTMAX, PTS_OP_ONLINE_SOFTMAX_UPDATE};
    for (size_t i = 0; i < sizeof several / sizeof *several; i++) {
        if (several[i] == op) {
            return value_unknown();
        }
    }
    return value_tensor();
}

bool drive_is_matmul(PtsOp op)
{
    PtsOpClass kind = pts_op_table[op].kind;
    return kind == PTS_CLASS_MATMUL || kind == PTS_CLASS_BATCH_MATMUL ||
           kind == PTS_CLASS_SCALED_MM;
}

static bool tile_is_known(const Eval *eval, PtsOp op)
{
    bool cube = drive_is_matmul(op);
    return !(cube && eval->drive->cube_unknown) &&
           !(!cube && pts_op_table[op].is_vector && eval->drive->vector_unknown);
}

/* A number that is not known beside a tensor of floats: whatever it is, the operation takes it. */
static Value any_number(Eval *eval, PtsOp op, Value tensor)
{
    PtsSlotInfo info;
    bool fits = op == PTS_OP_ADD || op == PTS_OP_SUB || op == PTS_OP_MUL || op == PTS_OP_DIV ||
                op == PTS_OP_MAXIMUM || op == PTS_OP_MINIMUM;
    bool floats = fits && drive_info(eval, tensor, &info) &&
                  (info.dtype == PTS_FP32 || info.dtype == PTS_FP16 || info.dtype == PTS_BF16);
    return floats ? value_float(1.0) : value_unknown();
}

static PtsSite current_site(const Eval *eval)
{
    const Drive *drive = eval->drive;
    return (PtsSite){eval->drive->file, (int)node_line(eval->module, drive->node)};
}

Value drive_emit(Eval *eval, PtsOp op, uint32_t count, const Value *operands,
                 const PtsAttributes *attributes)
{
    Drive *drive = eval->drive;
    PtsOperand given[PTS_MAX_OPERANDS];
    PtsSlot results[PTS_MAX_RESULTS];
    int result_count = 0;
    PtsError error;
    if (!drive_may_record(eval)) {
        return value_unknown();
    }
    Value changed[PTS_MAX_OPERANDS];
    PtsAttributes flags;
    if (count <= PTS_MAX_OPERANDS) {
        operands = repair_operands(eval, op, count, operands, changed);
    }
    attributes = repair_attributes(eval, op, attributes, &flags);
    facts_operation(eval, count, operands);
    bool known = attributes != NULL && count <= PTS_MAX_OPERANDS && tile_is_known(eval, op);
    for (uint32_t i = 0; known && i < count; i++) {
        bool number = i == 1 && operands[i].kind == VALUE_NUMBER;
        known =
            operand_of(eval, number ? any_number(eval, op, operands[0]) : operands[i], &given[i]);
    }
    if (!known) {
        return not_recorded(eval, op, count, operands);
    }
    if (!pts_emit(drive->program, op, (int)count, given, attributes, current_site(eval), results,
                  &result_count, &error)) {
        repair_refused(eval, op, count, operands, attributes);
        drive_refused(eval, drive_rule(op, &error), &error);
        return value_unknown();
    }
    advice_take(eval);
    for (int i = 0; i < result_count; i++) {
        repair_made(eval, results[i], op);
    }
    drive->last_op = op;
    drive->last_node = drive->node;
    if (result_count == 1) {
        return drive_tensor(results[0]);
    }
    if (result_count == 0) {
        return value_none();
    }
    Value tuple = value_sequence(eval->arena, VALUE_TUPLE, (uint32_t)result_count);
    for (int i = 0; i < result_count; i++) {
        sequence_add(eval->arena, tuple.as.sequence, drive_tensor(results[i]));
    }
    return tuple;
}

/* --- those that others are made of */

void drive_move(Eval *eval, Value destination, Value source)
{
    if (destination.kind == VALUE_TENSOR && source.kind == VALUE_TENSOR &&
        destination.handle == source.handle && source.handle > 0) {
        return;
    }
    if (source.kind != VALUE_TENSOR && source.kind != VALUE_UNKNOWN) {
        drive_refuse(eval, EVAL_DTYPE, PTS_TYPE_ERROR, 0xF00001,
                     "only a tensor can be moved into a tensor");
        return;
    }
    const Value operands[] = {source, destination};
    drive_emit(eval, PTS_OP_MOVE, 2, operands, &PTS_ATTRIBUTES);
}

Value drive_unary(Eval *eval, PtsOp op, Value operand)
{
    return drive_emit(eval, op, 1, &operand, &PTS_ATTRIBUTES);
}

Value drive_binary(Eval *eval, PtsOp op, Value left, Value right)
{
    const Value operands[] = {left, right};
    return drive_emit(eval, op, 2, operands, &PTS_ATTRIBUTES);
}

Value drive_cast(Eval *eval, Value tensor, int dtype, int mode, int saturation)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    PtsSlotInfo info;
    if (dtype < 0 || mode < 0 || saturation < 0 || !drive_info(eval, tensor, &info)) {
        return drive_emit(eval, PTS_OP_CAST, 1, &tensor, NULL);
    }
    if ((int)info.dtype == dtype && mode <= 1) {
        return tensor;
    }
    attributes.dtype = (PtsDtype)dtype;
    attributes.mode = mode;
    attributes.saturation = saturation;
    return drive_emit(eval, PTS_OP_CAST, 1, &tensor, &attributes);
}

Value drive_full(Eval *eval, Value size, Value fill, int dtype, Value valid)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    SymList shape = drive_list(eval, size, false);
    SymList extents = drive_list(eval, valid, false);
    bool has_valid = valid.kind != VALUE_NONE;
    bool known = dtype >= 0 && shape.known && shape.fits && shape.fixed &&
                 (!has_valid || (extents.known && extents.fits));
    fill = fill.kind == VALUE_BOOL ? value_int(fill.as.integer) : fill;
    if (!known) {
        return drive_emit(eval, PTS_OP_FULL, 1, &fill, NULL);
    }
    attributes.dtype = (PtsDtype)dtype;
    attributes.shape_rank = shape.count;
    memcpy(attributes.shape, shape.items, sizeof attributes.shape);
    if (has_valid) {
        attributes.valid_rank = extents.count;
        memcpy(attributes.valid, extents.items, sizeof attributes.valid);
    }
    return drive_emit(eval, PTS_OP_FULL, 1, &fill, &attributes);
}
