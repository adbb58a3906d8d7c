/* Vector tiles: does what one tile of an operation needs fit into the unified buffer, are tiles
 * aligned, are there not too many of them? Extents of tiles are clipped to the tensor; the last
 * axis takes whole blocks of 32 bytes. */
#include "sim/infer.h"

/* Beyond this many, compiling takes long and tasks run out. */
static const double MANY_TILES = 18000;

enum { BLOCK = 32, MAX_BUFFERS = PTS_MAX_OPERANDS + PTS_MAX_RESULTS };

typedef struct Tile {
    int rank;
    double extent[PTS_MAX_RANK];
} Tile;

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static double align(double value, double unit)
{
    double units = value / unit;
    double whole = (double)(int64_t)units;
    return (whole < units ? whole + 1 : whole) * unit;
}

/* The tile of a tensor of `rank` axes in an operation whose widest tensor has `whole` axes. */
static Tile tile_of(const PtsEmit *emit, int rank, int whole, const PtsSym *shape)
{
    Tile tile = {.rank = rank};
    for (int i = 0; i < rank; i++) {
        int entry = i + whole - rank;
        double extent = (double)emit_extent(emit, shape[i]);
        extent = extent < 0 ? 0 : extent; /* dynamic: it stays in global memory */
        tile.extent[i] = entry < emit->scope->vector_tile_count
                             ? smaller(extent, (double)emit->scope->vector_tile[entry])
                             : extent;
    }
    return tile;
}

static double tile_bytes(const Tile *tile, double element)
{
    double bytes = tile->rank == 0 ? element : align(tile->extent[tile->rank - 1] * element, BLOCK);
    for (int i = 0; i < tile->rank - 1; i++) {
        bytes *= tile->extent[i];
    }
    return bytes;
}

static double tile_elements(const Tile *tile)
{
    double count = 1;
    for (int i = 0; i < tile->rank; i++) {
        count *= tile->extent[i];
    }
    return count;
}

/* ---- scratch ---- */

static double scratch_of_cast(const PtsEmit *emit, const Tile *tile)
{
    PtsDtype from = emit->first->dtype, to = emit->attributes.dtype;
    bool narrow = (from == PTS_FP32 && to == PTS_INT16) ||
                  (from == PTS_FP16 && (to == PTS_INT16 || to == PTS_INT8));
    if (!narrow || emit->attributes.saturation == 0) {
        return 0;
    }
    double columns = tile->extent[tile->rank - 1];
    double rows = columns > 0 ? tile_elements(tile) / columns : 0;
    return smaller(rows, 255) * align(columns + 64, 8) * 4;
}

static double scratch_of_logical_not(const PtsEmit *emit, const Tile *tile)
{
    size_t size = pts_dtype_bytes(emit->first->dtype);
    double kib = emit->first->dtype == PTS_FP32         ? 20.25
                 : !emit_is_integer(emit->first->dtype) ? 12.54
                 : size == 4                            ? 8
                 : size == 2                            ? 4
                                                        : 12.54;
    (void)tile;
    return kib * 1024;
}

static double scratch_of_transpose(const PtsEmit *emit, const Tile *tile)
{
    int last = emit->first->rank - 1;
    double size = (double)pts_dtype_bytes(emit->first->dtype);
    if (last < 1 || (emit->attributes.dim != last && emit->attributes.dim1 != last)) {
        return 0;
    }
    double bytes = align(tile->extent[last], BLOCK / size) * align(tile->extent[last - 1], 16);
    for (int i = 0; i < last - 1; i++) {
        bytes *= tile->extent[i];
    }
    return bytes * size;
}

static double scratch_of(const PtsEmit *emit, const Tile *tile)
{
    Tile words = *tile;
    double bytes = emit->info->tiles32 * tile_bytes(&words, 4);
    switch (emit->op) {
    case PTS_OP_CAST:
        return scratch_of_cast(emit, tile);
    case PTS_OP_LOGICAL_NOT:
        return scratch_of_logical_not(emit, tile);
    case PTS_OP_LOGICAL_AND:
        return 1.19 * 1024;
    case PTS_OP_TRANSPOSE:
        return scratch_of_transpose(emit, tile);
    case PTS_OP_TANH: /* twice as much for 16-bit types */
        return pts_dtype_bytes(emit->first->dtype) == 2 ? 2 * bytes : bytes;
    case PTS_OP_TOPK:
        return emit->attributes.mode == 1 ? 26 * align(tile->extent[tile->rank - 1], 128) : 0;
    default:
        return bytes;
    }
}

/* ---- the sum ---- */

/* Operands that stay in global memory, or are taken one after the other. */
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

static double sum_of_tiles(const PtsEmit *emit, int whole)
{
    double sum = 0;
    for (int i = 0; i < emit->operand_count; i++) {
        if (is_counted(emit, i)) {
            const PtsSlotState *tensor = emit->tensor[i];
            Tile tile = tile_of(emit, tensor->rank, whole, tensor->shape);
            sum += tile_bytes(&tile, (double)pts_dtype_bytes(tensor->dtype));
        }
    }
    bool once = emit->info->kind == PTS_CLASS_CONCAT;
    bool in_memory = emit->info->kind == PTS_CLASS_SCATTER_UPDATE;
    for (int i = 0; i < emit->result_count && !once && !in_memory; i++) {
        const PtsResult *result = &emit->results[i];
        int axes = emit->info->kind == PTS_CLASS_REDUCE ? result->rank : whole;
        Tile tile = tile_of(emit, result->rank, axes, result->shape);
        sum += tile_bytes(&tile, (double)pts_dtype_bytes(result->dtype));
    }
    return sum;
}

/* ---- advice ---- */

static bool advise_alignment(PtsEmit *emit, int rank, const PtsSym *shape, PtsDtype dtype)
{
    if (rank > emit->scope->vector_tile_count) {
        return true;
    }
    int64_t last = emit->scope->vector_tile[rank - 1];
    if (last >= emit_extent(emit, shape[rank - 1])) {
        return true;
    }
    long long bytes = last * (long long)pts_dtype_bytes(dtype);
    if (bytes % BLOCK == 0) {
        return true;
    }
    if (emit->info->tile_aligned) {
        return emit_fail(emit, PTS_CORE_ERROR, 0xFC1001, "CONFIG_ALIGNMENT",
                         "%s: the last tile axis must be a multiple of 32 bytes, it has %lld",
                         emit->opcode, bytes);
    }
    return pts_record_warn(emit->program, 0xFC1001, "alignment", emit->site,
                           "%s: the last tile axis should be a multiple of 32 bytes, it has %lld",
                           emit->opcode, bytes);
}

static bool advise_count(PtsEmit *emit, int rank, const PtsSym *shape)
{
    double tiles = 1 + emit->operand_count;
    for (int i = 0; i < rank && i < emit->scope->vector_tile_count; i++) {
        double extent = (double)emit_extent(emit, shape[i]);
        tiles *= align(extent, (double)emit->scope->vector_tile[i]) /
                 (double)emit->scope->vector_tile[i];
    }
    return tiles <= MANY_TILES ||
           pts_record_warn(emit->program, 0, "many-tiles", emit->site,
                           "%s: %.0f tiles and operands of them; above %.0f compiling takes long "
                           "and may fail",
                           emit->opcode, tiles, MANY_TILES);
}

bool pts_check_buffers(PtsEmit *emit)
{
    int whole = emit->tile_rank;
    const PtsSym *shape = emit->first == NULL ? NULL : emit->first->shape;
    int rank = emit->first == NULL ? 0 : emit->first->rank;
    PtsDtype dtype = emit->first == NULL ? PTS_FP32 : emit->first->dtype;
    for (int i = 0; i < emit->result_count; i++) {
        whole = emit->results[i].rank > whole ? emit->results[i].rank : whole;
    }
    if (emit->result_count > 0 && emit->tile_rank == 0) {
        shape = emit->results[0].shape;
        rank = emit->results[0].rank;
        dtype = emit->results[0].dtype;
    }
    if (rank == 0 || emit->info->kind == PTS_CLASS_SCATTER_UPDATE) {
        return true;
    }
    Tile tile = tile_of(emit, rank, whole, shape);
    double bytes = sum_of_tiles(emit, whole) + scratch_of(emit, &tile);
    const PtsSoc *soc = pts_context_soc(emit->context);
    if (soc->ub > 0 && bytes > (double)soc->ub) {
        return emit_fail(emit, PTS_CORE_ERROR, 0xF40005, "MEMORY_ALLOCATION",
                         "OP %s[%u] in/output total size [%.0f] exceeds MEM_UB size [%lld]!",
                         emit->opcode, emit->program->recorder->op_count, bytes,
                         (long long)soc->ub);
    }
    return advise_alignment(emit, rank, shape, dtype) && advise_count(emit, rank, shape);
}
