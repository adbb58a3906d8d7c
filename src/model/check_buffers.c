/* What one tile of an operation holds in the unified buffer. Tiles are clipped to their tensors;
 * the last axis takes whole blocks of 32 bytes. What stays in global memory does not count. */
#include "model/infer.h"

static const double BLOCK = 32, REPEAT = 256; /* bytes */

/* How tiles are measured: in an operation whose widest tensor has `whole` axes, 16-bit elements as
 * they are or as F32. */
typedef struct Measure {
    const PtsEmit *emit;
    int whole;
    bool in_f32;
} Measure;

double pts_align(double value, double unit)
{
    double units = value / unit;
    double whole = (double)(int64_t)units;
    return (whole < units ? whole + 1 : whole) * unit;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double size_of(const Measure *measure, PtsDtype dtype)
{
    bool widened = measure->in_f32 && (dtype == PTS_FP16 || dtype == PTS_BF16);
    return widened ? 4 : (double)pts_dtype_bytes(dtype);
}

/* The extent of a tile along one axis of a partial program: at least so much. */
static double least_extent(const PtsEmit *emit, double extent, PtsSym axis, int entry)
{
    int count = emit->scope->vector_tile_count;
    double most = entry < count ? (double)emit->scope->vector_tile[entry] : extent;
    if (emit_is_unknown(emit, axis)) {
        extent = pts_two_valued("bound", PTS_MAYBE) == PTS_MAYBE ? 1 : most;
    }
    bool open = most == (double)PTS_TILE_UNKNOWN || count < 0;
    extent = extent < 0 ? 0 : extent;
    double limit = open ? 1 : entry < count ? most : extent;
    return smaller(extent, limit);
}

/* The tile of a tensor of `rank` axes in an operation whose widest tensor has `whole` axes. */
static PtsTile tile_of(const PtsEmit *emit, int rank, int whole, const PtsSym *shape)
{
    PtsTile tile = {.rank = rank};
    for (int i = 0; i < rank; i++) {
        int entry = i + whole - rank;
        double extent = (double)emit_extent(emit, shape[i]);
        if (emit->is_partial) {
            tile.extent[i] = least_extent(emit, extent, shape[i], entry);
            continue;
        }
        extent = extent < 0 ? 0 : extent; /* dynamic: it stays in global memory */
        tile.extent[i] = entry < emit->scope->vector_tile_count
                             ? smaller(extent, (double)emit->scope->vector_tile[entry])
                             : extent;
    }
    return tile;
}

static double tile_bytes(const PtsTile *tile, double element)
{
    double bytes =
        tile->rank == 0 ? element : pts_align(tile->extent[tile->rank - 1] * element, BLOCK);
    for (int i = 0; i < tile->rank - 1; i++) {
        bytes *= tile->extent[i];
    }
    return bytes;
}

/* Product of the extents before the last `axes`. */
static double leading(const PtsTile *tile, int axes)
{
    double count = 1;
    for (int i = 0; i < tile->rank - axes; i++) {
        count *= tile->extent[i];
    }
    return count;
}

static PtsTile input_tile(const Measure *measure)
{
    const PtsSlotState *input = measure->emit->first;
    return tile_of(measure->emit, input->rank, input->rank, input->shape);
}

/* ---- the usual case: distinct operands, results, scratch ---- */

/* Does the operand's tile lie in the buffer together with the others? Not if it stays in global
 * memory or is taken after another. */
static bool is_counted(const PtsEmit *emit, int index)
{
    if (emit->tensor[index] == NULL) {
        return false;
    }
    for (int i = 0; i < index; i++) {
        if (emit->tensor[i] != NULL && emit->operands[i].slot == emit->operands[index].slot) {
            return false; /* the same tile once more */
        }
    }
    switch (emit->info->kind) {
    case PTS_CLASS_GATHER:
    case PTS_CLASS_INDEX_SELECT:
    case PTS_CLASS_SCATTER:
    case PTS_CLASS_SCATTER_UPDATE:
    case PTS_CLASS_INDEX_ADD:
    case PTS_CLASS_INDEX_PUT:
    case PTS_CLASS_GATHER_IN:
        return index > 0;
    case PTS_CLASS_CONCAT:
        return index == 0;
    default:
        return emit->op != PTS_OP_CLONE;
    }
}

/* Does the buffer hold the results? Not those that are written to global memory piece by piece. */
static bool holds_results(const PtsEmit *emit)
{
    return emit->info->kind != PTS_CLASS_CONCAT && emit->info->kind != PTS_CLASS_SCATTER_UPDATE &&
           emit->info->kind != PTS_CLASS_INDEX_PUT && emit->info->kind != PTS_CLASS_INDEX_ADD;
}

static double scratch_of_cast(const PtsEmit *emit, const PtsTile *tile)
{
    PtsDtype from = emit->first->dtype, to = emit->attributes.dtype;
    bool narrow = (from == PTS_FP32 && to == PTS_INT16) ||
                  (from == PTS_FP16 && (to == PTS_INT16 || to == PTS_INT8));
    if (!narrow || emit->attributes.saturation == 0) {
        return 0;
    }
    return smaller(leading(tile, 1), 255) * pts_align(tile->extent[tile->rank - 1] + 64, 8) * 4;
}

/* Memory that only the documentation of an operation states. */
static double documented_of(const PtsEmit *emit, const PtsTile *tile)
{
    size_t size = emit->first == NULL ? 4 : pts_dtype_bytes(emit->first->dtype);
    double bytes = emit->info->tiles32 * tile_bytes(tile, 4);
    switch (emit->op) {
    case PTS_OP_LOGICAL_NOT: {
        bool is_integer = pts_dtype_is_integer(emit->first->dtype);
        double kib = emit->first->dtype == PTS_FP32 ? 20.25
                     : is_integer && size == 4      ? 8
                     : is_integer && size == 2      ? 4
                                                    : 12.54;
        return kib * 1024;
    }
    case PTS_OP_LOGICAL_AND:
        return 1.19 * 1024;
    case PTS_OP_TANH: /* twice as much for 16-bit types */
        return size == 2 ? 2 * bytes : bytes;
    default:
        return bytes;
    }
}

/* The total for one tile that the documentation states since 9.2; 0 where it states none. */
static double documented_total(const PtsEmit *emit, double rows, double columns)
{
    double size = (double)pts_dtype_bytes(emit->first->dtype);
    switch (emit->op) {
    case PTS_OP_LOG1P:
        return 6 * rows * pts_align(columns, 8) * 4;
    case PTS_OP_ASIN:
    case PTS_OP_ACOS:
        return 6 * rows * pts_align(columns, 64) * 4;
    case PTS_OP_CBRT:
        return 4 * rows * pts_align(columns * size, BLOCK);
    default:
        return 0;
    }
}

/* The scratch memory that it states since 9.2; 0 where it states none. */
static double documented_scratch(const PtsEmit *emit, const PtsTile *tile)
{
    PtsDtype dtype = emit->first->dtype;
    double rows = leading(tile, 1), columns = tile->extent[tile->rank - 1];
    double height = tile->rank > 1 ? tile->extent[tile->rank - 2] : 1;
    switch (emit->op) {
    case PTS_OP_EXP2:
    case PTS_OP_POW:
        if (!pts_dtype_is_float(emit->results[0].dtype)) {
            return 0;
        }
        return 4 * rows * (emit->is_950 ? columns : 2 * columns + 3 * columns / 8);
    case PTS_OP_ISNAN:
        return 3 * height * pts_align(columns, 16) * 4 + BLOCK;
    case PTS_OP_SIGN:
        return dtype == PTS_INT8           ? height * pts_align(columns, 16) * 2
               : dtype == PTS_FP16         ? 2 * height * pts_align(columns, 16) * 2 + BLOCK
               : pts_dtype_is_float(dtype) ? 2 * height * pts_align(columns, 8) * 4 + BLOCK
                                           : 0;
    default:
        return 0;
    }
}

/* Adds what documentation states since 9.2. */
static void document_newer(const PtsEmit *emit, const PtsTile *tile, PtsBuffers *buffers)
{
    if (emit->first == NULL || tile->rank == 0 ||
        !pts_makes_check(&emit->context->options, PTS_CHECK_SCRATCH)) {
        return;
    }
    double total = documented_total(emit, leading(tile, 1), tile->extent[tile->rank - 1]);
    double rest = total - buffers->inputs - buffers->results;
    buffers->documented += documented_scratch(emit, tile) + larger(rest, 0);
}

static PtsBuffers usual(const Measure *measure)
{
    const PtsEmit *emit = measure->emit;
    PtsBuffers buffers = {0};
    for (int i = 0; i < emit->operand_count; i++) {
        if (is_counted(emit, i)) {
            const PtsSlotState *tensor = emit->tensor[i];
            bool is_values = emit->info->kind == PTS_CLASS_INDEX_PUT;
            int whole = is_values ? tensor->rank : measure->whole;
            PtsTile tile = tile_of(emit, tensor->rank, whole, tensor->shape);
            buffers.inputs += tile_bytes(&tile, size_of(measure, tensor->dtype));
        }
    }
    for (int i = 0; i < emit->result_count && holds_results(emit); i++) {
        const PtsResult *result = &emit->results[i];
        PtsTile tile = tile_of(emit, result->rank, measure->whole, result->shape);
        buffers.results += tile_bytes(&tile, size_of(measure, result->dtype));
    }
    PtsTile tile = {.rank = 0};
    if (emit->first != NULL) {
        tile = tile_of(emit, emit->first->rank, measure->whole, emit->first->shape);
    } else if (emit->result_count > 0) {
        tile = tile_of(emit, emit->results[0].rank, measure->whole, emit->results[0].shape);
    }
    buffers.scratch = emit->op == PTS_OP_CAST ? scratch_of_cast(emit, &tile) : 0;
    buffers.documented = documented_of(emit, &tile);
    document_newer(emit, &tile, &buffers);
    return buffers;
}

/* ---- reductions ---- */

static PtsBuffers reduction(const Measure *measure)
{
    const PtsEmit *emit = measure->emit;
    PtsTile tile = input_tile(measure), result = tile;
    int axis = emit->attributes.dim, last = tile.rank - 1;
    double size = size_of(measure, emit->first->dtype), lanes = REPEAT / size;
    double rows = last > 0 ? tile.extent[last - 1] : 1, columns = tile.extent[last];
    result.extent[axis] = 1;
    PtsBuffers buffers = {.inputs = tile_bytes(&tile, size), .results = tile_bytes(&result, size)};
    if (emit->op == PTS_OP_ARGMAX || emit->op == PTS_OP_ARGMIN) {
        buffers.results += tile_bytes(&result, 4); /* the value, and its index */
        PtsTile scratch = {2, {rows, columns}};
        buffers.scratch = axis == last ? tile_bytes(&scratch, size) : 0;
    } else if (axis == last) {
        PtsTile scratch = {2, {rows, lanes}};
        if (columns <= lanes) {
            scratch = (PtsTile){2, {1, BLOCK / size}};
        } else if (columns > 2 * lanes) {
            scratch.extent[1] = (double)(int64_t)(columns / (2 * lanes)) * lanes;
        }
        buffers.scratch = tile_bytes(&scratch, size);
    } else if (emit->op == PTS_OP_SUM) {
        PtsTile scratch = {2, {pts_align(tile.extent[axis], 2) / 2, columns}};
        buffers.scratch = tile_bytes(&scratch, size);
    }
    return buffers;
}

/* ---- topk ---- */

/* The columns that MERGE_SORT takes at once: at least those of the tile. */
static double sorted_columns(const Measure *measure, const PtsTile *tile)
{
    double axis = (double)emit_extent(measure->emit, measure->emit->first->shape[tile->rank - 1]);
    double given = pts_align(tile->extent[tile->rank - 1], 32), others = leading(tile, 1);
    if (axis <= 2 * given) {
        return given;
    }
    if (others * axis < 8192) {
        return pts_align(axis, 32);
    }
    int64_t share = (int64_t)(8192 / (others > 0 ? others : 1));
    double columns = (double)(share - share % 32);
    return larger(given, larger(columns, 32));
}

static PtsBuffers selection(const Measure *measure)
{
    const PtsEmit *emit = measure->emit;
    PtsTile tile = input_tile(measure);
    double rows = leading(&tile, 1);
    if (emit->attributes.mode == 1) { /* RADIX_SELECT */
        PtsBuffers buffers = usual(measure);
        buffers.scratch = 26 * pts_align(tile.extent[tile.rank - 1], 128);
        return buffers;
    }
    double columns = sorted_columns(measure, &tile);
    PtsBuffers sort = {rows * 4 * columns, rows * 8 * columns, 8 * columns, 0};
    PtsBuffers merge = {rows * 8 * columns, rows * 8 * emit->attributes.count, 8 * columns, 0};
    bool merges = merge.inputs + merge.results > sort.inputs + sort.results;
    return merges ? merge : sort;
}

/* ---- transpose ---- */

/* Swaps the last two axes of a tile: both tiles and scratch are in the buffer. */
static PtsBuffers swap_last(const PtsTile *tile, double size)
{
    PtsTile swapped = *tile, scratch = *tile;
    int last = tile->rank - 1;
    swapped.extent[last] = tile->extent[last - 1];
    swapped.extent[last - 1] = tile->extent[last];
    scratch.extent[last] = pts_align(tile->extent[last], BLOCK / size);
    scratch.extent[last - 1] = pts_align(tile->extent[last - 1], size == 1 ? 32 : 16);
    return (PtsBuffers){.inputs = tile_bytes(tile, size),
                        .results = tile_bytes(&swapped, size),
                        .scratch = tile_bytes(&scratch, size)};
}

static PtsBuffers transposition(const Measure *measure)
{
    const PtsEmit *emit = measure->emit;
    PtsTile tile = input_tile(measure);
    int a = emit->attributes.dim, b = emit->attributes.dim1, last = tile.rank - 1;
    double size = (double)pts_dtype_bytes(emit->first->dtype);
    PtsBuffers one = {.inputs = tile_bytes(&tile, size)};
    PtsAnswer ones =
        pts_both(emit_is(emit, emit->first->shape[a], 1), emit_is(emit, emit->first->shape[b], 1));
    bool changes_nothing = a == b || ones != PTS_NO;
    int other = a < b ? a : b;
    if (changes_nothing || (a != last && b != last)) {
        return one;
    }
    /* A farther axis comes next to the last one first, as a copy; then both are swapped. */
    double extent = tile.extent[last - 1];
    tile.extent[last - 1] = tile.extent[other];
    tile.extent[other] = extent;
    return swap_last(&tile, size);
}

/* ---- all of them ---- */

/* Does the class's formula fail to bound the memory because something is not known? */
static bool has_no_bound(const PtsEmit *emit)
{
    const PtsSlotState *input = emit->first;
    bool bounded = emit->info->kind != PTS_CLASS_REDUCE &&
                   emit->info->kind != PTS_CLASS_TRANSPOSE && emit->info->kind != PTS_CLASS_TOPK &&
                   emit->info->kind != PTS_CLASS_PERMUTE;
    if (bounded || input == NULL) {
        return false;
    }
    bool open = input->dtype == PTS_BOTTOM || emit->scope->vector_tile_count < 0;
    for (int i = 0; i < emit->scope->vector_tile_count && !open; i++) {
        open = emit->scope->vector_tile[i] == PTS_TILE_UNKNOWN;
    }
    return open || (emit->info->kind == PTS_CLASS_TOPK &&
                    emit_any_unknown(emit, input->rank, input->shape));
}

static PtsBuffers buffers_of(const Measure *measure)
{
    if (measure->emit->is_partial && has_no_bound(measure->emit)) {
        return (PtsBuffers){0};
    }
    switch (measure->emit->info->kind) {
    case PTS_CLASS_REDUCE:
        return reduction(measure);
    case PTS_CLASS_TOPK:
        return selection(measure);
    case PTS_CLASS_TRANSPOSE:
        return transposition(measure);
    case PTS_CLASS_PERMUTE: { /* a series of copies and swaps, which only the product knows */
        PtsTile tile = input_tile(measure);
        double size = (double)pts_dtype_bytes(measure->emit->first->dtype);
        return (PtsBuffers){.inputs = tile_bytes(&tile, size)};
    }
    default:
        return usual(measure);
    }
}

PtsBuffers pts_buffers_of(const PtsEmit *emit, int whole)
{
    Measure measure = {emit, whole, false};
    return buffers_of(&measure);
}

PtsBuffers pts_buffers_in_f32(const PtsEmit *emit, int whole)
{
    Measure measure = {emit, whole, true};
    return buffers_of(&measure);
}
