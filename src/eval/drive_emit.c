/* Records one operation: converts values of the evaluator to operands of the recorder. */
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
    PtsSlotInfo info;
    PtsError error;
    return value.kind == VALUE_TENSOR && value.handle > 0 &&
           pts_slot_info(eval->drive->program, value.handle - 1, &info, &error) && !info.is_lost;
}

bool drive_info(Eval *eval, Value tensor, PtsSlotInfo *info)
{
    PtsError error;
    return tensor.kind == VALUE_TENSOR && tensor.handle > 0 &&
           pts_slot_info(eval->drive->program, tensor.handle - 1, info, &error) && !info->is_lost;
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
    PtsError error;
    drive->carried = drive->carried || tensor.handle == 0; /* could be any tensor */
    drive->outputs_open = true;
    if (tensor.handle > 0 && !drive->ended) {
        pts_slot_lose(drive->program, tensor.handle - 1, &error);
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
    case VALUE_NUMBER:
        operand->kind = PTS_OPERAND_UNKNOWN;
        return true;
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
        operand->sym = drive_sym(eval, value);
        operand->kind = operand->sym == PTS_SYM_NONE ? PTS_OPERAND_UNKNOWN : PTS_OPERAND_SYM;
        return true;
    default:
        return false;
    }
}

/* The index of the operand that it writes; -1 = none. */
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

/* The result or results of an operation when nothing is known about them. */
static Value opaque_result(PtsOp op)
{
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

/* The result of an operation whose attributes determine its form whatever the operand is. `source`:
 * the first operand, whose data type views keep. */
static Value listed_result(Eval *eval, PtsOp op, Value source, const PtsAttributes *attributes)
{
    PtsSym shape[PTS_MAX_RANK];
    PtsError error;
    bool lists =
        op == PTS_OP_VIEW || op == PTS_OP_RESHAPE || op == PTS_OP_FULL || op == PTS_OP_EXPAND_CLONE;
    bool unequal =
        op == PTS_OP_VIEW && attributes != NULL &&
        attributes->offset_rank != attributes->shape_rank; /* no tensor has such a view */
    if (!lists || attributes == NULL || attributes->unknown != 0 || attributes->shape_rank < 1 ||
        unequal) {
        return opaque_result(op);
    }
    for (int i = 0; i < attributes->shape_rank; i++) {
        int64_t extent;
        bool open =
            pts_sym_value(eval->drive->context, attributes->shape[i], &extent) && extent < 0;
        shape[i] = open ? PTS_SYM_NONE : attributes->shape[i];
    }
    int dtype = op == PTS_OP_FULL ? (int)attributes->dtype : value_tensor_dtype(source);
    PtsSlot slot = pts_declare_partial(
        eval->drive->program, dtype < 0 ? PTS_BOTTOM : (PtsDtype)dtype, attributes->shape_rank,
        shape, PTS_ND, "", drive_site(eval, eval->drive->node), &error);
    return slot == PTS_SLOT_NONE ? value_tensor() : drive_tensor(slot);
}

bool drive_is_matmul(PtsOp op)
{
    PtsOpClass kind = pts_op_table[op].kind;
    return kind == PTS_CLASS_MATMUL || kind == PTS_CLASS_BATCH_MATMUL ||
           kind == PTS_CLASS_SCALED_MM;
}

/* For an operation that was not recorded: forgets what it writes, and returns its result. */
static Value lose_written(Eval *eval, PtsOp op, uint32_t count, const Value *operands)
{
    Drive *drive = eval->drive;
    drive->outputs_open = true; /* its reads are not recorded either */
    int written = written_operand(op);
    if (written < 0 || (uint32_t)written >= count) {
        drive->carried = drive->carried || pts_op_table[op].result == PTS_RESULT_NONE;
        return opaque_result(op);
    }
    drive_lose(eval, operands[written]);
    return op == PTS_OP_SCATTER_UPDATE ? value_tensor() : value_none();
}

/* A view whose lists differ in length is wrong for any tensor. */
static void check_lists(Eval *eval, PtsOp op, const PtsAttributes *attributes)
{
    bool lists = op == PTS_OP_VIEW && attributes != NULL &&
                 (attributes->unknown & PTS_UNKNOWN_LISTS) == 0 && attributes->shape_rank > 0 &&
                 attributes->offset_rank > 0;
    if (lists && attributes->shape_rank != attributes->offset_rank) {
        drive_refuse(eval, EVAL_WINDOW, PTS_CORE_ERROR, 0xF21003,
                     "view: %d entries in shape and %d in offsets", attributes->shape_rank,
                     attributes->offset_rank);
    }
}

static Value not_recorded(Eval *eval, PtsOp op, uint32_t count, const Value *operands,
                          const PtsAttributes *attributes)
{
    Drive *drive = eval->drive;
    check_lists(eval, op, attributes);
    drive->open_at = drive->skipped == 0 ? drive->node : drive->open_at;
    drive->skipped++;
    Value result = lose_written(eval, op, count, operands);
    return written_operand(op) >= 0 ? result : listed_result(eval, op, operands[0], attributes);
}

static Value results_of(Eval *eval, PtsOp op, const PtsSlot *results, int count)
{
    if (count == 0) {
        bool none = written_operand(op) >= 0 || pts_op_table[op].kind == PTS_CLASS_SAVE;
        return none ? value_none() : opaque_result(op);
    }
    if (count == 1) {
        return drive_tensor(results[0]);
    }
    Value tuple = value_sequence(eval->arena, VALUE_TUPLE, (uint32_t)count);
    for (int i = 0; i < count; i++) {
        sequence_add(eval->arena, tuple.as.sequence, drive_tensor(results[i]));
    }
    return tuple;
}

/* Records the operation all the same if only the read of an unwritten tensor is wrong: the rest of
 * the kernel does not depend on its value. */
static bool emit_again(Eval *eval, PtsOp op, uint32_t count, const PtsOperand *operands,
                       const PtsAttributes *attributes, PtsSlot *results, int *result_count,
                       PtsError *error)
{
    Drive *drive = eval->drive;
    if (!drive_keep_read(eval, error)) {
        return false;
    }
    pts_trust_reads(drive->program, true);
    bool ok = pts_emit(drive->program, op, (int)count, operands, attributes,
                       drive_site(eval, drive->node), results, result_count, error);
    pts_trust_reads(drive->program, false);
    return ok;
}

Value drive_emit(Eval *eval, PtsOp op, uint32_t count, const Value *operands,
                 const PtsAttributes *attributes)
{
    Drive *drive = eval->drive;
    PtsOperand given[PTS_MAX_OPERANDS];
    PtsSlot results[PTS_MAX_RESULTS];
    PtsAttributes open = PTS_ATTRIBUTES;
    int result_count = 0;
    PtsError error;
    if (!drive_may_record(eval)) {
        return value_unknown();
    }
    Value changed[PTS_MAX_OPERANDS];
    PtsAttributes flags;
    bool known = count <= PTS_MAX_OPERANDS;
    if (known) {
        operands = repair_operands(eval, op, count, operands, changed);
    }
    attributes = repair_attributes(eval, op, attributes, &flags);
    facts_operation(eval, count, operands);
    for (uint32_t i = 0; known && i < count; i++) {
        known = operand_of(eval, operands[i], &given[i]);
    }
    open.unknown = PTS_UNKNOWN_ALL;
    if (!known || (attributes == NULL && count == 0)) {
        return not_recorded(eval, op, count, operands, attributes);
    }
    const PtsAttributes *kept = attributes == NULL ? &open : attributes;
    if (!pts_emit(drive->program, op, (int)count, given, kept, drive_site(eval, drive->node),
                  results, &result_count, &error)) {
        repair_refused(eval, op, count, operands, attributes);
        if (!emit_again(eval, op, count, given, kept, results, &result_count, &error)) {
            drive_keep(eval, drive_rule(op, &error), &error);
            return lose_written(eval, op, count, operands);
        }
    }
    advice_take(eval);
    for (int i = 0; i < result_count; i++) {
        repair_made(eval, results[i], op);
    }
    drive->last_op = op;
    drive->last_node = drive->node;
    return results_of(eval, op, results, result_count);
}

/* --- unary and binary operations */

Value drive_unary(Eval *eval, PtsOp op, Value operand)
{
    return drive_emit(eval, op, 1, &operand, &PTS_ATTRIBUTES);
}

Value drive_binary(Eval *eval, PtsOp op, Value left, Value right)
{
    const Value operands[] = {left, right};
    return drive_emit(eval, op, 2, operands, &PTS_ATTRIBUTES);
}
