/* The checks that every operation has: operands, dtypes, ranks, formats, tiles. */
#include "model/infer.h"

/* ---- before inference ---- */

/* Can the simulator compute with this data type? An error if not. */
static bool check_simulated(PtsEmit *emit, PtsDtype dtype)
{
    return pts_dtype_is_supported(dtype) || (emit->is_partial && dtype == PTS_BOTTOM) ||
           emit_fail(emit, PTS_E_PLANNED, "pypto.%s of %s is not simulated yet", emit->info->name,
                     pts_dtype_name(dtype));
}

static bool check_operand_kinds(PtsEmit *emit)
{
    int least = emit->info->min_operands, most = emit->info->max_operands;
    most = most == 255 ? PTS_MAX_OPERANDS : most;
    if (emit->operand_count < least || emit->operand_count > most) {
        return emit_fail(emit, PTS_E_TYPE, "%s: %d operands, %d to %d are possible",
                         emit->info->name, emit->operand_count, least, most);
    }
    for (int i = 0; i < emit->operand_count; i++) {
        PtsOperandKind last = emit->is_partial ? PTS_OPERAND_UNKNOWN : PTS_OPERAND_SYM;
        if ((unsigned)emit->operands[i].kind > last) {
            return emit_fail(emit, PTS_E_TYPE, "%s: operand %d is of an unknown kind",
                             emit->info->name, i + 1);
        }
        if (emit->operands[i].kind == PTS_OPERAND_ELEMENT &&
            !check_simulated(emit, emit->operands[i].element.dtype)) {
            return false;
        }
    }
    return true;
}

/* Which operands may have symbolic extents: those that are only addressed, not computed on. */
static bool may_be_dynamic(const PtsEmit *emit, int index)
{
    switch (emit->info->kind) {
    case PTS_CLASS_VIEW:
    case PTS_CLASS_MOVE:
    case PTS_CLASS_NOP:
        return true;
    case PTS_CLASS_RESHAPE:
        return emit->attributes.inplace;
    case PTS_CLASS_ASSEMBLE:
    case PTS_CLASS_ELEMENT_WRITE:
        return index == 1;
    case PTS_CLASS_SCATTER_UPDATE:
        return index == 0;
    case PTS_CLASS_GATHER_IN:
        return index == 0 || index == 2;
    default:
        return false;
    }
}

static bool check_static(PtsEmit *emit, int index)
{
    const PtsSlotState *tensor = emit->tensor[index];
    for (int i = 0; i < tensor->rank; i++) {
        int64_t extent;
        if (!pts_sym_value(emit->context, tensor->shape[i], &extent) &&
            !emit_is_unknown(emit, tensor->shape[i])) {
            return emit_fail(emit, PTS_E_DYNAMIC,
                             "%s cannot compute on %s, whose shape %s is dynamic; take views of "
                             "fixed shape in a pypto.loop",
                             emit->info->name,
                             pts_slot_name(emit->program, emit->operands[index].slot),
                             pts_record_shape(emit->program, tensor->rank, tensor->shape));
        }
    }
    return true;
}

static bool is_cube_class(PtsOpClass kind)
{
    return kind == PTS_CLASS_MATMUL || kind == PTS_CLASS_BATCH_MATMUL ||
           kind == PTS_CLASS_SCALED_MM;
}

static bool check_elements(PtsEmit *emit, int rank, const PtsSym *shape)
{
    int64_t count = 1;
    for (int i = 0; i < rank; i++) {
        int64_t extent = emit_extent(emit, shape[i]);
        if (extent < 0 && emit_is_unknown(emit, shape[i])) {
            continue; /* at least 1 */
        }
        if (extent < 0) {
            return true; /* symbolic */
        }
        extent = extent == 0 ? 1 : extent; /* the other axes are checked all the same */
        if (__builtin_mul_overflow(count, extent, &count) || count > INT32_MAX) {
            return emit_fail(emit, PTS_E_PARAMETER,
                             "%s: a tensor %s has more than 2^31 - 1 elements", emit->opcode,
                             pts_record_shape(emit->program, rank, shape));
        }
    }
    return true;
}

/* Dynamic extents, format, size and data type of every tensor; dtype and rank that the operation
 * accepts of the first one only. */
static bool check_tensors(PtsEmit *emit)
{
    for (int i = 0; i < emit->operand_count; i++) {
        const PtsSlotState *tensor = emit->tensor[i];
        if (tensor == NULL) {
            continue;
        }
        if (!may_be_dynamic(emit, i) && !check_static(emit, i)) {
            return false;
        }
        if (emit->info->is_vector && emit->info->kind != PTS_CLASS_GATHER_IN &&
            tensor->format == PTS_NZ) {
            return emit_fail(emit, PTS_E_PARAMETER,
                             "Tensor format TILEOP_NZ is not supported for op %s", emit->opcode);
        }
        bool computes = emit->info->is_vector || is_cube_class(emit->info->kind);
        if (!check_elements(emit, tensor->rank, tensor->shape) ||
            (computes && !check_simulated(emit, tensor->dtype))) {
            return false;
        }
    }
    if (emit->first == NULL || emit->info->kind == PTS_CLASS_WHERE ||
        emit->info->kind == PTS_CLASS_ELEMENT_WRITE) {
        return true; /* have checks of their own */
    }
    uint32_t allowed = emit_dtypes(emit);
    if (allowed == 0 && emit->info->dtypes950 != 0) {
        return emit_fail(emit, PTS_E_DTYPE, "%s exists on Ascend 950 only, not on %s", emit->opcode,
                         pts_context_soc(emit->context)->name);
    }
    if (emit_in(emit->first->dtype, allowed) == PTS_NO) {
        return emit_fail(emit, PTS_E_DTYPE, "%s does not support %s on %s", emit->opcode,
                         pts_dtype_name(emit->first->dtype), pts_context_soc(emit->context)->name);
    }
    if (emit->first->rank < emit->info->min_rank || emit->first->rank > emit->info->max_rank) {
        return emit_fail(emit, PTS_E_RANK, "The dims of tensor is out of range [%d, %d], %s: %d",
                         emit->info->min_rank, emit->info->max_rank, emit->opcode,
                         emit->first->rank);
    }
    return true;
}

/* The opcode's name depends on which operands are numbers. */
static void choose_opcode(PtsEmit *emit)
{
    const char *const *opcodes = emit->info->opcodes;
    emit->opcode = opcodes[0];
    bool first = emit->operand_count > 0 && emit->tensor[0] != NULL;
    bool second = emit->operand_count > 1 && emit->tensor[1] != NULL;
    bool pair = emit->operand_count == 2 && emit->info->max_operands == 2;
    if (pair && first && !second && opcodes[1] != NULL) {
        emit->opcode = opcodes[1];
    } else if (pair && !first && second && opcodes[1] != NULL) {
        emit->opcode = opcodes[2] != NULL ? opcodes[2] : opcodes[1];
    }
}

static bool check_tiles_set(PtsEmit *emit)
{
    bool vector = emit->info->is_vector && emit->op != PTS_OP_GATHER_IN_L1;
    emit->uses_vector_tile = vector;
    emit->uses_cube_tile = is_cube_class(emit->info->kind);
    bool set = (!vector || emit->scope->vector_tile_count != 0) &&
               (!emit->uses_cube_tile || emit->scope->cube_tile.set);
    return set || emit_fail(emit, PTS_E_INVALID, "op [%s]tile shape not set", emit->opcode);
}

bool pts_check_before(PtsEmit *emit)
{
    if (!emit->info->built) {
        return emit_fail(emit, PTS_E_PLANNED, "pypto.%s is not simulated yet", emit->info->name);
    }
    if (emit->info->infer == NULL) {
        return emit_fail(emit, PTS_E_PLANNED, "pypto.%s is not recorded as an operation",
                         emit->info->name);
    }
    choose_opcode(emit);
    if (!check_operand_kinds(emit)) {
        return false;
    }
    PtsOpClass kind = emit->info->kind;
    bool computes = kind != PTS_CLASS_FULL && kind != PTS_CLASS_ARANGE && kind != PTS_CLASS_RANDOM;
    if (computes && emit->first == NULL && emit->info->kind != PTS_CLASS_WHERE) {
        return emit_fail(emit, PTS_E_TYPE, "%s: one operand must be a tensor", emit->info->name);
    }
    return check_tensors(emit) && check_tiles_set(emit);
}

/* ---- after inference ---- */

static bool check_tile_rank(PtsEmit *emit, int rank)
{
    return emit->scope->vector_tile_count >= rank || emit->scope->vector_tile_count < 0 ||
           emit_limit(emit, "tile-rank", 0xF42003, "FUNCTION_EXPAND_FEATURE",
                      "Operation: %s. Tile shape size %d is not matched the output shape size %d.",
                      emit->opcode, emit->scope->vector_tile_count, rank);
}

bool pts_check_after(PtsEmit *emit)
{
    for (int i = 0; i < emit->result_count; i++) {
        const PtsResult *result = &emit->results[i];
        if (!check_elements(emit, result->rank, result->shape) ||
            ((emit->uses_vector_tile || emit->uses_cube_tile) &&
             !check_simulated(emit, result->dtype))) {
            return false;
        }
        if (emit->uses_vector_tile && emit->written < 0 && i == 0 && !emit->tile_is_free &&
            !check_tile_rank(emit, result->rank)) {
            return false;
        }
    }
    if (emit->uses_vector_tile && !check_tile_rank(emit, emit->tile_rank)) {
        return false;
    }
    return !emit->uses_vector_tile || pts_check_buffers(emit);
}
