/* Operations that move references or memory and compute nothing: view, reshape, move, assemble,
 * single elements, and writes through to a cache (docs/simulator.md, "What a tensor is"). */
#include "sim/error.h"
#include "sim/vm.h"

#include <string.h>

static const char *slot_name(const Vm *vm, PtsSlot slot)
{
    const char *name = vm->program->slots[slot].name;
    return name == NULL || *name == '\0' ? "a tensor" : name;
}

static bool is_parameter(const Vm *vm, PtsSlot slot)
{
    return slot < (PtsSlot)vm->program->parameter_count;
}

RtValue *vm_read(Vm *vm, PtsSlot slot, PtsError *error)
{
    RtValue *value = &vm->slots[slot];
    if (value->buffer == NULL) {
        const PtsSlotRecord *record = &vm->program->slots[slot];
        pts_fail(error, PTS_CORE_ERROR, 0xF74007, "WORKSPACE_ITER_INVALID",
                 "%s is read before anything was written to it (declared at %s:%d)",
                 slot_name(vm, slot), record->site.file == NULL ? "?" : record->site.file,
                 record->site.line);
        return NULL;
    }
    return value;
}

RtValue *vm_write(Vm *vm, PtsSlot slot, PtsError *error)
{
    RtValue *value = &vm->slots[slot];
    if (value->buffer != NULL) {
        return rt_value_make_unique(&vm->pool, value, error) ? value : NULL;
    }
    PtsSlot declared = value->declared == PTS_SLOT_NONE ? slot : value->declared;
    const PtsSlotRecord *record = &vm->program->slots[declared];
    int64_t shape[PTS_MAX_RANK];
    for (int i = 0; i < record->rank; i++) {
        if (!vm_evaluate(vm, record->shape[i], &shape[i], error)) {
            return NULL;
        }
    }
    if (!rt_value_new(&vm->pool, record->dtype, record->rank, shape, shape, true, value, error)) {
        return NULL;
    }
    value->declared = declared;
    return value;
}

void vm_set(Vm *vm, PtsSlot slot, RtValue value)
{
    RtValue old = vm->slots[slot];
    vm->slots[slot] = value;
    rt_value_release(&vm->pool, &old);
}

/* The slot holds another rank or dtype than it had when the operation was recorded: an iteration,
 * or another path, left it so. The recorder finds most of these; here none may reach the memory. */
static bool fail_changed(const Vm *vm, PtsSlot slot, PtsError *error)
{
    return pts_fail(error, PTS_CORE_ERROR, 0xF21008, "DYNAMIC_SHAPE_COMPUTE_UNSUPPORTED",
                    "the shape or data type of %s depends on the path: it is not what it was when "
                    "this operation was recorded",
                    slot_name(vm, slot));
}

/* ---- view and reshape ---- */

/* Does the window leave the source, so that its memory cannot be shared? */
static bool window_fits(const PtsTensor *source, const int64_t *offset, const int64_t *shape)
{
    for (int i = 0; i < source->rank; i++) {
        if (offset[i] < 0 || shape[i] > source->shape[i] - offset[i]) {
            return false;
        }
    }
    return true;
}

/* Valid data of a window must lie inside the source. */
static bool check_window(const PtsTensor *source, const int64_t *offset, const VmResult *result,
                         PtsError *error)
{
    int64_t count;
    if (rt_element_count(source->rank, result->valid, &count) && count == 0) {
        return true;
    }
    for (int i = 0; i < source->rank; i++) {
        if (offset[i] < 0 || result->valid[i] > source->shape[i] - offset[i]) {
            return pts_fail(error, PTS_CORE_ERROR, 0xF74006, "ADDRESS_OUT_OF_RANGE",
                            "view: on axis %d the valid part, %lld elements from %lld on, leaves "
                            "the source, which has %lld elements",
                            i, (long long)result->valid[i], (long long)offset[i],
                            (long long)source->shape[i]);
        }
    }
    return true;
}

static int64_t clamp(int64_t value, int64_t least, int64_t most)
{
    return value < least ? least : value > most ? most : value;
}

/* A window that reaches over the edge: its valid part is copied; ops that address the memory
 * behind it (gather_in_ub …) still find the original. */
static bool copy_window(Vm *vm, RtValue *source, const int64_t *offset, const VmResult *result,
                        RtValue *view, PtsError *error)
{
    const PtsTensor from = rt_tensor(source);
    if (!rt_value_new(&vm->pool, from.dtype, from.rank, result->shape, result->valid, true, view,
                      error)) {
        return false;
    }
    PtsTensor start = from;
    int64_t inside = 0;
    for (int i = 0; i < from.rank; i++) {
        inside += clamp(offset[i], 0, from.shape[i] > 0 ? from.shape[i] - 1 : 0) * from.stride[i];
    }
    int64_t bytes = inside * (int64_t)pts_dtype_bytes(from.dtype);
    start.data = (char *)from.data + bytes;
    PtsTensor to = rt_tensor(view);
    rt_copy_region(&start, &to, view->tensor.valid);
    RtBuffer *behind = source->behind != NULL ? source->behind : source->buffer;
    behind->references++;
    view->behind = behind;
    view->behind_origin = (source->behind != NULL ? source->behind_origin : source->origin) + bytes;
    return true;
}

static bool run_view(Vm *vm, const PtsInstruction *instruction, PtsError *error)
{
    RtValue *source = vm_read(vm, instruction->operands[0].slot, error);
    if (source == NULL) {
        return false;
    }
    const int64_t *offset = instruction->code->attributes.offsets;
    const VmResult *result = &instruction->code->results[0];
    const PtsResult *recorded = &instruction->results[0];
    if (source->tensor.rank != recorded->rank || source->tensor.dtype != recorded->dtype) {
        return fail_changed(vm, instruction->operands[0].slot, error);
    }
    if (!check_window(&source->tensor, offset, result, error)) {
        return false;
    }
    RtValue view;
    if (window_fits(&source->tensor, offset, result->shape)) {
        view = rt_value_share(source);
        int64_t elements = 0;
        for (int i = 0; i < view.tensor.rank; i++) {
            elements += offset[i] * view.tensor.stride[i];
            view.tensor.shape[i] = result->shape[i];
            view.tensor.valid[i] = clamp(result->valid[i], 0, result->shape[i]);
        }
        int64_t bytes = elements * (int64_t)pts_dtype_bytes(view.tensor.dtype);
        view.origin += bytes;
        view.behind_origin += bytes;
    } else if (!copy_window(vm, source, offset, result, &view, error)) {
        return false;
    }
    view.declared = PTS_SLOT_NONE;
    vm_set(vm, instruction->results[0].slot, view);
    return true;
}

/* A dense value with the same elements at the same places. */
static bool make_dense(Vm *vm, const RtValue *source, RtValue *dense, PtsError *error)
{
    if (rt_is_dense(&source->tensor)) {
        *dense = rt_value_share(source);
        return true;
    }
    const PtsTensor from = rt_tensor(source);
    if (!rt_value_new(&vm->pool, from.dtype, from.rank, from.shape, from.valid, true, dense,
                      error)) {
        return false;
    }
    PtsTensor to = rt_tensor(dense);
    rt_copy_region(&from, &to, dense->tensor.valid);
    return true;
}

/* Gives a dense value another shape (and dtype) over the same memory. */
static void relabel(RtValue *value, PtsDtype dtype, int rank, const VmResult *result)
{
    PtsTensor *tensor = &value->tensor;
    tensor->dtype = dtype;
    tensor->rank = rank;
    for (int i = 0; i < rank; i++) {
        tensor->shape[i] = result->shape[i];
        tensor->valid[i] = clamp(result->valid[i], 0, result->shape[i]);
    }
    rt_dense_strides(rank, tensor->shape, tensor->stride);
    value->declared = PTS_SLOT_NONE;
}

/* The valid elements, read in row-major order, become the valid elements of the result. */
static bool reshape_compact(Vm *vm, const RtValue *source, int rank, const VmResult *result,
                            int64_t count, RtValue *reshaped, PtsError *error)
{
    const PtsTensor from = rt_tensor(source);
    if (!rt_value_new(&vm->pool, from.dtype, rank, result->shape, result->valid, true, reshaped,
                      error)) {
        return false;
    }
    PtsTensor to = rt_tensor(reshaped);
    rt_copy_flat(&from, source->tensor.valid, &to, reshaped->tensor.valid, count);
    return true;
}

static bool run_reshape(Vm *vm, const PtsInstruction *instruction, PtsError *error)
{
    RtValue *source = vm_read(vm, instruction->operands[0].slot, error);
    if (source == NULL) {
        return false;
    }
    if (source->tensor.dtype != instruction->results[0].dtype) {
        return fail_changed(vm, instruction->operands[0].slot, error);
    }
    const VmResult *result = &instruction->code->results[0];
    int rank = instruction->results[0].rank;
    int64_t have;
    int64_t want;
    int64_t all_have;
    int64_t all_want;
    if (!rt_element_count(source->tensor.rank, source->tensor.valid, &have) ||
        !rt_element_count(rank, result->valid, &want) ||
        !rt_element_count(source->tensor.rank, source->tensor.shape, &all_have) ||
        !rt_element_count(rank, result->shape, &all_want) || all_have != all_want) {
        return pts_fail(error, PTS_CORE_ERROR, 0xF21003, "INVALID_VAL",
                        "reshape: the element counts of source and target differ");
    }
    bool by_place = (rt_is_fully_valid(&source->tensor) && have == want) ||
                    (have != want && instruction->attributes->valid_rank == 0);
    RtValue reshaped;
    if (by_place) {
        if (!make_dense(vm, source, &reshaped, error)) {
            return false;
        }
        relabel(&reshaped, source->tensor.dtype, rank, result);
    } else if (!reshape_compact(vm, source, rank, result, have < want ? have : want, &reshaped,
                                error)) {
        return false;
    }
    vm_set(vm, instruction->results[0].slot, reshaped);
    return true;
}

static bool run_view_type(Vm *vm, const PtsInstruction *instruction, PtsError *error)
{
    RtValue *source = vm_read(vm, instruction->operands[0].slot, error);
    RtValue view;
    if (source == NULL || !make_dense(vm, source, &view, error)) {
        return false;
    }
    const PtsResult *result = &instruction->results[0];
    const PtsTensor from = rt_tensor(&view);
    int64_t have = 0;
    int64_t want = 0;
    if (!rt_element_count(from.rank, from.shape, &have) ||
        !rt_element_count(result->rank, instruction->code->results[0].shape, &want) ||
        have * (int64_t)pts_dtype_bytes(from.dtype) !=
            want * (int64_t)pts_dtype_bytes(result->dtype)) {
        rt_value_release(&vm->pool, &view);
        return fail_changed(vm, instruction->operands[0].slot, error);
    }
    relabel(&view, result->dtype, result->rank, &instruction->code->results[0]);
    vm_set(vm, result->slot, view);
    return true;
}

/* ---- writing through ---- */

/* Before the caller's memory of a parameter is written: who still views it keeps what it sees. */
static bool claim_parameter(Vm *vm, PtsSlot slot, PtsError *error)
{
    RtBuffer *memory = vm->parameters[slot];
    RtValue *value = &vm->slots[slot];
    bool is_bound = value->buffer == memory && value->origin == 0;
    if (memory->references == (is_bound ? 2U : 1U)) {
        return true;
    }
    RtBuffer *own = rt_buffer_leave_memory(&vm->pool, memory, error);
    if (own == NULL) {
        return false;
    }
    vm->parameters[slot] = own;
    if (is_bound) {
        value->buffer = own;
        own->references++;
        rt_buffer_release(&vm->pool, memory);
    }
    rt_buffer_release(&vm->pool, memory); /* the run's own reference */
    return true;
}

static bool find_poison(Vm *vm, const PtsInstruction *instruction, PtsSlot slot,
                        const PtsTensor *written, PtsError *error)
{
    const PtsTensor whole = rt_tensor(&vm->slots[slot]);
    written = written != NULL ? written : &whole;
    if (!rt_has_poison(written, written->valid)) {
        return true;
    }
    pts_diagnose(vm->program, vm->strict ? PTS_FINDING_ERROR : PTS_WARNING, 0xF74007,
                 "undefined-output", instruction->site,
                 "%s received elements that no operation has written: a valid_shape is missing, "
                 "or a tensor was read in part before it was written whole",
                 slot_name(vm, slot));
    return !vm->strict ||
           pts_fail(error, PTS_CORE_ERROR, 0xF74007, "WORKSPACE_ITER_INVALID",
                    "%s received elements that no operation has written", slot_name(vm, slot));
}

/* A value of another shape than the parameter's: its leading part arrives. */
static bool copy_leading_part(Vm *vm, PtsSlot slot, PtsError *error)
{
    RtValue dense;
    if (!claim_parameter(vm, slot, error) || !make_dense(vm, &vm->slots[slot], &dense, error)) {
        return false;
    }
    int64_t count = 0;
    rt_element_count(dense.tensor.rank, dense.tensor.shape, &count);
    int64_t bytes = count * (int64_t)pts_dtype_bytes(dense.tensor.dtype);
    int64_t room = vm->parameters[slot]->bytes;
    bytes = bytes < room ? bytes : room;
    if (bytes > 0) {
        memcpy(vm->parameters[slot]->data, dense.buffer->data + dense.origin, (size_t)bytes);
    }
    rt_value_release(&vm->pool, &dense);
    return true;
}

bool vm_flush_parameter(Vm *vm, const PtsInstruction *instruction, PtsSlot slot,
                        const PtsTensor *written, PtsError *error)
{
    if (!is_parameter(vm, slot) || vm->slots[slot].buffer == NULL) {
        return true;
    }
    if (!find_poison(vm, instruction, slot, written, error)) {
        return false;
    }
    const RtValue *value = &vm->slots[slot];
    bool is_bound = value->buffer == vm->parameters[slot] && value->origin == 0;
    return is_bound || copy_leading_part(vm, slot, error);
}

static bool same_extents(const PtsTensor *tensor, const PtsArgument *argument)
{
    if (tensor->rank != argument->rank || tensor->dtype != argument->dtype) {
        return false;
    }
    return memcmp(tensor->shape, argument->shape, (size_t)tensor->rank * sizeof(int64_t)) == 0;
}

/* Copies a value of the parameter's own shape into its memory and leaves the slot bound to it. */
static bool move_into_parameter(Vm *vm, PtsSlot slot, const RtValue *source, PtsError *error)
{
    RtValue from_value = rt_value_share(source);
    vm_set(vm, slot, (RtValue){.declared = PTS_SLOT_NONE});
    bool in_place = from_value.buffer == vm->parameters[slot] && from_value.origin == 0 &&
                    rt_is_dense(&from_value.tensor);
    if (!in_place && !claim_parameter(vm, slot, error)) {
        rt_value_release(&vm->pool, &from_value);
        return false;
    }
    RtValue own = {
        .buffer = vm->parameters[slot], .tensor = from_value.tensor, .declared = PTS_SLOT_NONE};
    own.buffer->references++;
    rt_dense_strides(own.tensor.rank, own.tensor.shape, own.tensor.stride);
    if (!in_place) {
        PtsTensor from = rt_tensor(&from_value);
        PtsTensor to = rt_tensor(&own);
        rt_copy_region(&from, &to, own.tensor.valid);
    }
    rt_value_release(&vm->pool, &from_value);
    vm_set(vm, slot, own);
    return true;
}

/* A parameter receives a value of another shape or dtype than its own. The product allows it; more
 * often than not it is a slip. */
static bool tell_other_form(Vm *vm, const PtsInstruction *instruction, const PtsTensor *value,
                            PtsError *error)
{
    static const char text[] = "%s gets a value of another shape or data type (%d axes of %s) than "
                               "its own: its memory receives the leading bytes as they are";
    const char *name = slot_name(vm, instruction->written);
    const char *dtype = pts_dtype_name(value->dtype);
    pts_diagnose(vm->program, vm->strict ? PTS_FINDING_ERROR : PTS_WARNING, 0, "output-form",
                 instruction->site, text, name, value->rank, dtype);
    return !vm->strict || pts_fail(error, PTS_VALUE_ERROR, 0xF00002, "INVALID_VAL", text, name,
                                   value->rank, dtype);
}

static bool run_move(Vm *vm, const PtsInstruction *instruction, PtsError *error)
{
    PtsSlot from = instruction->operands[0].slot;
    PtsSlot to = instruction->written;
    const RtValue *source = &vm->slots[from];
    if (source->buffer == NULL) { /* an unwritten tensor: the target becomes one, too */
        PtsSlot declared = source->declared == PTS_SLOT_NONE ? from : source->declared;
        vm_set(vm, to, (RtValue){.declared = declared});
        return true;
    }
    if (from == to) {
        return true;
    }
    if (is_parameter(vm, to) && same_extents(&source->tensor, &vm->arguments[to])) {
        return move_into_parameter(vm, to, source, error) &&
               vm_flush_parameter(vm, instruction, to, NULL, error);
    }
    if (is_parameter(vm, to) && !tell_other_form(vm, instruction, &source->tensor, error)) {
        return false;
    }
    RtValue value = rt_value_share(source);
    value.declared = to;
    /* Views share what scatter_update changes; a tensor that was moved has a value of its own. */
    if (vm->program->writes_through && !rt_value_make_unique(&vm->pool, &value, error)) {
        rt_value_release(&vm->pool, &value);
        return false;
    }
    vm_set(vm, to, value);
    return vm_flush_parameter(vm, instruction, to, NULL, error);
}

/* The value that an op writes in part, alone with its memory. */
static RtValue *write_target(Vm *vm, PtsSlot slot, PtsError *error)
{
    if (is_parameter(vm, slot) && vm->slots[slot].buffer == vm->parameters[slot]) {
        return claim_parameter(vm, slot, error) ? &vm->slots[slot] : NULL;
    }
    return vm_write(vm, slot, error);
}

static bool run_assemble(Vm *vm, const PtsInstruction *instruction, PtsError *error)
{
    PtsSlot slot = instruction->written;
    if (vm_read(vm, instruction->operands[0].slot, error) == NULL) {
        return false;
    }
    RtValue source = rt_value_share(&vm->slots[instruction->operands[0].slot]);
    RtValue *target = write_target(vm, slot, error);
    bool ok = target != NULL;
    if (ok && (source.tensor.rank != target->tensor.rank ||
               source.tensor.dtype != target->tensor.dtype)) {
        ok = fail_changed(vm, slot, error);
    }
    const int64_t *offset = instruction->code->attributes.offsets;
    int64_t inside = 0;
    int64_t count = 0;
    if (ok) {
        rt_element_count(source.tensor.rank, source.tensor.valid, &count);
    }
    for (int i = 0; ok && count > 0 && i < source.tensor.rank; i++) {
        if (offset[i] < 0 || source.tensor.valid[i] > target->tensor.shape[i] - offset[i]) {
            ok = pts_fail(error, PTS_CORE_ERROR, 0xF74006, "ADDRESS_OUT_OF_RANGE",
                          "assemble: on axis %d the window, %lld elements from %lld on, leaves "
                          "%s, which has %lld elements",
                          i, (long long)source.tensor.valid[i], (long long)offset[i],
                          slot_name(vm, slot), (long long)target->tensor.shape[i]);
        } else {
            inside += offset[i] * target->tensor.stride[i];
        }
    }
    PtsTensor to = {.rank = 0}; /* the window, once it is written */
    if (ok && count > 0) {
        PtsTensor from = rt_tensor(&source);
        to = rt_tensor(target);
        to.data = (char *)to.data + inside * (int64_t)pts_dtype_bytes(to.dtype);
        rt_copy_region(&from, &to, source.tensor.valid);
        memcpy(to.valid, source.tensor.valid, sizeof to.valid);
        vm->stats.bytes += 2 * count * (int64_t)pts_dtype_bytes(to.dtype);
    }
    rt_value_release(&vm->pool, &source);
    return ok && vm_flush_parameter(vm, instruction, slot, &to, error);
}

/* ---- single elements ---- */

static bool element_offset(const PtsTensor *tensor, const int64_t *index, const char *what,
                           int64_t *bytes, PtsError *error)
{
    int64_t elements = 0;
    for (int i = 0; i < tensor->rank; i++) {
        if (index[i] < 0 || index[i] >= tensor->shape[i]) {
            return pts_fail(error, PTS_CORE_ERROR, 0xF74006, "ADDRESS_OUT_OF_RANGE",
                            "%s: index %lld on axis %d of a tensor with %lld elements there", what,
                            (long long)index[i], i, (long long)tensor->shape[i]);
        }
        elements += index[i] * tensor->stride[i];
    }
    *bytes = elements * (int64_t)pts_dtype_bytes(tensor->dtype);
    return true;
}

bool vm_run_read(Vm *vm, const PtsInstruction *instruction, PtsError *error)
{
    RtValue *value = vm_read(vm, instruction->operands[0].slot, error);
    int64_t bytes;
    if (value == NULL) {
        return false;
    }
    PtsTensor tensor = rt_tensor(value);
    if (tensor.rank != instruction->code->attributes.offset_rank) {
        return fail_changed(vm, instruction->operands[0].slot, error);
    }
    const int64_t *index = instruction->code->attributes.offsets;
    if (!element_offset(&tensor, index, "element read", &bytes, error)) {
        return false;
    }
    for (int i = 0; i < tensor.rank; i++) {
        if (index[i] >= tensor.valid[i]) {
            pts_diagnose(vm->program, PTS_WARNING, 0, "undefined-element", instruction->site,
                         "an element outside the valid part of %s is read",
                         slot_name(vm, instruction->operands[0].slot));
            break;
        }
    }
    vm->values.of_atom[instruction->atom] =
        pts_load_integer((char *)tensor.data + bytes, tensor.dtype);
    return true;
}

static bool run_element_write(Vm *vm, const PtsInstruction *instruction, PtsError *error)
{
    const PtsOperand *operand = &instruction->operands[0];
    int64_t number = operand->element.integer;
    if (operand->kind == PTS_OPERAND_SYM && !vm_evaluate(vm, operand->sym, &number, error)) {
        return false;
    }
    RtValue *target = write_target(vm, instruction->written, error);
    int64_t bytes;
    if (target == NULL) {
        return false;
    }
    PtsTensor tensor = rt_tensor(target);
    if (tensor.rank != instruction->code->attributes.offset_rank || tensor.dtype != PTS_INT32) {
        return fail_changed(vm, instruction->written, error);
    }
    if (!element_offset(&tensor, instruction->code->attributes.offsets, "element write", &bytes,
                        error)) {
        return false;
    }
    pts_store_integer((char *)tensor.data + bytes, tensor.dtype, number);
    static const PtsTensor no_poison = {.rank = 0}; /* a number is data, whatever its bits */
    return vm_flush_parameter(vm, instruction, instruction->written, &no_poison, error);
}

typedef bool (*DataOp)(Vm *vm, const PtsInstruction *instruction, PtsError *error);

static const DataOp data_ops[PTS_OP_COUNT] = {
    [PTS_OP_VIEW] = run_view,
    [PTS_OP_VIEW_TYPE] = run_view_type,
    [PTS_OP_RESHAPE] = run_reshape,
    [PTS_OP_UNSQUEEZE] = run_reshape,
    [PTS_OP_MOVE] = run_move,
    [PTS_OP_ASSEMBLE] = run_assemble,
    [PTS_OP_ELEMENT_WRITE] = run_element_write,
};

bool vm_is_data_op(PtsOp op)
{
    return (unsigned)op < PTS_OP_COUNT && data_ops[op] != NULL;
}

bool vm_run_data_op(Vm *vm, const PtsInstruction *instruction, PtsError *error)
{
    return data_ops[instruction->op](vm, instruction, error);
}
