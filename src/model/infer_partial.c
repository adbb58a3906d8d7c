/* Results of operations about which too little is known for the routine of their class: as much of
 * them as is known all the same. Such operations are not checked further. */
#include "model/infer.h"

/* Classes whose checks weigh so many numbers against each other that all must be known. */
static bool needs_all(PtsOpClass kind)
{
    switch (kind) {
    case PTS_CLASS_ONLINE_SOFTMAX:
    case PTS_CLASS_ONLINE_UPDATE:
    case PTS_CLASS_GATHER_IN:
        return true;
    default:
        return false;
    }
}

/* Classes whose lists say which axes are meant. */
static bool needs_lists(PtsOpClass kind)
{
    return kind == PTS_CLASS_PERMUTE || kind == PTS_CLASS_VAR || kind == PTS_CLASS_CONV ||
           needs_all(kind);
}

static bool has_open_operand(const PtsEmit *emit)
{
    bool open = false;
    for (int i = 0; i < emit->operand_count && !open; i++) {
        const PtsSlotState *tensor = emit->tensor[i];
        open = emit->operands[i].kind == PTS_OPERAND_UNKNOWN ||
               (tensor != NULL && (tensor->dtype == PTS_BOTTOM ||
                                   emit_any_unknown(emit, tensor->rank, tensor->shape) ||
                                   emit_any_unknown(emit, tensor->rank, tensor->valid)));
    }
    return open;
}

static bool has_open_tile(const PtsEmit *emit)
{
    const PtsScope *scope = emit->scope;
    bool open = scope->vector_tile_count < 0 || scope->cube_tile.k[0] == PTS_TILE_UNKNOWN;
    for (int i = 0; i < scope->vector_tile_count && !open; i++) {
        open = scope->vector_tile[i] == PTS_TILE_UNKNOWN;
    }
    return open;
}

bool pts_is_inferable(const PtsEmit *emit)
{
    const PtsAttributes *attributes = &emit->attributes;
    PtsOpClass kind = emit->info->kind;
    bool is_product = kind == PTS_CLASS_MATMUL || kind == PTS_CLASS_BATCH_MATMUL ||
                      kind == PTS_CLASS_SCALED_MM || kind == PTS_CLASS_CONV;
    if ((attributes->unknown & ~(is_product ? PTS_UNKNOWN_DTYPE : 0)) != 0) {
        return false;
    }
    if (needs_lists(kind) &&
        (emit_any_unknown(emit, attributes->shape_rank, attributes->shape) ||
         emit_any_unknown(emit, attributes->offset_rank, attributes->offsets))) {
        return false;
    }
    if (kind == PTS_CLASS_ARANGE && has_open_operand(emit)) {
        return false;
    }
    return !needs_all(kind) || !(has_open_operand(emit) || has_open_tile(emit));
}

/* ---- results ---- */

static PtsDtype dtype_of(const PtsEmit *emit)
{
    bool by_attribute = emit->info->result == PTS_RESULT_DTYPE;
    if (by_attribute && (emit->attributes.unknown & PTS_UNKNOWN_DTYPE) != 0) {
        return PTS_BOTTOM;
    }
    PtsDtype dtype = emit_result_dtype(emit, emit->first->dtype);
    return (unsigned)dtype < PTS_DTYPE_COUNT ? dtype : PTS_BOTTOM;
}

/* A result with `rank` unknown extents; none when a tensor cannot have that many axes. */
static void open_result(PtsEmit *emit, PtsDtype dtype, int rank)
{
    if (rank < 1 || rank > PTS_MAX_RANK) {
        return;
    }
    PtsResult *result = emit_result(emit, dtype, rank);
    for (int i = 0; i < rank; i++) {
        result->shape[i] = result->valid[i] = emit_nothing(emit);
    }
}

static void open_reduction(PtsEmit *emit)
{
    const PtsAttributes *attributes = &emit->attributes;
    if ((attributes->unknown & PTS_UNKNOWN_KEEPDIM) != 0) {
        return;
    }
    bool keeps = attributes->keepdim || emit->first->rank == 1;
    open_result(emit, dtype_of(emit), keeps ? emit->first->rank : emit->first->rank - 1);
}

static void open_topk(PtsEmit *emit)
{
    int last = emit->first->rank - 1;
    for (int i = 0; i < 2; i++) {
        PtsResult *result =
            emit_result_like(emit, emit->first, i == 0 ? emit->first->dtype : PTS_INT32);
        result->shape[last] = result->valid[last] = emit_nothing(emit);
    }
}

/* A result of the shape that the attributes list, of unknown data type. */
static void listed_result(PtsEmit *emit)
{
    const PtsAttributes *attributes = &emit->attributes;
    open_result(emit, PTS_BOTTOM, attributes->shape_rank);
    for (int i = 0; emit->result_count > 0 && i < attributes->shape_rank; i++) {
        int64_t extent;
        bool known = pts_sym_value(emit->context, attributes->shape[i], &extent);
        if (!known || extent >= 0) {
            emit->results[0].shape[i] = attributes->shape[i];
        }
    }
}

/* Results of operations whose first operand is a tensor. */
static void open_results(PtsEmit *emit)
{
    const PtsSlotState *first = emit->first;
    switch (emit->info->kind) {
    case PTS_CLASS_UNARY:
    case PTS_CLASS_SCAN:
    case PTS_CLASS_FILLPAD:
    case PTS_CLASS_PRELU:
        emit_result_like(emit, first, dtype_of(emit));
        break;
    case PTS_CLASS_CAST:
    case PTS_CLASS_QUANTIZE:
        emit_result_like(emit, first,
                         (emit->attributes.unknown & PTS_UNKNOWN_DTYPE) != 0
                             ? PTS_BOTTOM
                             : emit->attributes.dtype);
        break;
    case PTS_CLASS_VIEW_TYPE:
        open_result(emit, PTS_BOTTOM, first->rank);
        break;
    case PTS_CLASS_REDUCE:
        open_reduction(emit);
        break;
    case PTS_CLASS_VIEW:
    case PTS_CLASS_TRANSPOSE:
    case PTS_CLASS_PERMUTE:
    case PTS_CLASS_CONCAT:
        open_result(emit, first->dtype, first->rank);
        break;
    case PTS_CLASS_CONV:
    case PTS_CLASS_SCALED_MM:
        open_result(emit, dtype_of(emit), first->rank);
        break;
    case PTS_CLASS_SORT32:
    case PTS_CLASS_MRGSORT:
        open_result(emit, first->dtype, first->rank);
        break;
    case PTS_CLASS_TOPK:
        open_topk(emit);
        break;
    case PTS_CLASS_ONE_HOT:
        open_result(emit, PTS_INT64, first->rank + 1);
        break;
    case PTS_CLASS_UNSQUEEZE:
        open_result(emit, first->dtype, first->rank + 1);
        break;
    case PTS_CLASS_SCATTER_UPDATE:
        emit_result_like(emit, first, first->dtype);
        break;
    default:
        break;
    }
}

void pts_infer_partial(PtsEmit *emit)
{
    switch (emit->info->kind) {
    case PTS_CLASS_ASSEMBLE:
    case PTS_CLASS_MOVE:
    case PTS_CLASS_ELEMENT_WRITE:
        emit->written = emit->operand_count > 1 && emit->tensor[1] != NULL ? 1 : -1;
        return;
    case PTS_CLASS_SCATTER_UPDATE:
        emit->written = emit->tensor[0] != NULL ? 0 : -1;
        break;
    case PTS_CLASS_FULL:
        if (emit->attributes.unknown == PTS_UNKNOWN_DTYPE) {
            listed_result(emit);
        }
        return;
    case PTS_CLASS_ARANGE:
        open_result(emit, PTS_BOTTOM, 1);
        return;
    default:
        break;
    }
    if (emit->first != NULL && emit->tensor[0] == emit->first) {
        open_results(emit);
    }
}
