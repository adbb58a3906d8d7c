/* Vector tiles: does what one tile of an operation needs fit into the unified buffer, are tiles
 * aligned, are there not too many of them? */
#include "model/infer.h"

#include <stdio.h>

/* Beyond this many, compiling takes long and tasks run out. */
static const double MANY_TILES = 18000;
/* What documentation allows the tile of a reduction. */
static const double REDUCTION_TILE = 65536;

enum { BLOCK = 32 };

/* ---- advice ---- */

static bool advise_alignment(PtsEmit *emit, int rank, const PtsSym *shape, PtsDtype dtype)
{
    if (rank > emit->scope->vector_tile_count) {
        return true;
    }
    int64_t last = emit_tile(emit, rank - 1);
    bool open = last < 0 || dtype == PTS_BOTTOM || emit_is_unknown(emit, shape[rank - 1]);
    if (open || last >= emit_extent(emit, shape[rank - 1])) {
        return true;
    }
    long long bytes = last * (long long)pts_dtype_bytes(dtype);
    if (bytes % BLOCK == 0) {
        return true;
    }
    if (emit->info->tile_aligned) {
        return emit_limit(emit, "tile-aligned", 0xFC1001, "CONFIG_ALIGNMENT",
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
        if (emit_tile(emit, i) < 0 || emit_is_unknown(emit, shape[i])) {
            continue; /* at least one */
        }
        tiles *= pts_align(extent, (double)emit->scope->vector_tile[i]) /
                 (double)emit->scope->vector_tile[i];
    }
    return tiles <= MANY_TILES ||
           pts_record_warn(emit->program, 0, "many-tiles", emit->site,
                           "%s: %.0f tiles and operands of them; above %.0f compiling takes long "
                           "and may fail",
                           emit->opcode, tiles, MANY_TILES);
}

static bool advise_reduction(PtsEmit *emit, const PtsBuffers *buffers)
{
    return emit->info->kind != PTS_CLASS_REDUCE || buffers->inputs <= REDUCTION_TILE ||
           pts_record_warn(emit->program, 0xFC1000, "reduction-tile", emit->site,
                           "%s: a tile has %.0f bytes; the documentation allows %.0f", emit->opcode,
                           buffers->inputs, REDUCTION_TILE);
}

/* ---- capacity ---- */

static int64_t ub_of(const PtsSoc *soc)
{
    return soc->ub;
}

static double sum(const PtsBuffers *buffers)
{
    return buffers->inputs + buffers->results + buffers->scratch;
}

/* "input 65536 + result 16384 + scratch 65536 = 147456 of 131072" */
static void describe(const PtsBuffers *buffers, int64_t size, char *text, size_t room)
{
    const char *const names[] = {"input", "result", "scratch", "documented scratch"};
    const double bytes[] = {buffers->inputs, buffers->results, buffers->scratch,
                            buffers->documented};
    size_t used = 0;
    for (int i = 0; i < 4; i++) {
        if (bytes[i] > 0) {
            used += (size_t)snprintf(text + used, room - used, "%s%s %.0f", used == 0 ? "" : " + ",
                                     names[i], bytes[i]);
        }
    }
    snprintf(text + used, room - used, " = %.0f of %lld", sum(buffers) + buffers->documented,
             (long long)size);
}

static bool check_capacity(PtsEmit *emit, const PtsBuffers *buffers)
{
    int64_t size = pts_context_soc(emit->context)->ub;
    PtsBuffers hard = *buffers;
    char parts[160], others[160];
    hard.documented = 0;
    if (size <= 0) {
        return true;
    }
    if (sum(&hard) > (double)size) {
        describe(&hard, size, parts, sizeof parts);
        emit_other_hardware(emit, ub_of, sum(&hard), others, sizeof others);
        return emit_limit(emit, "ub-capacity", 0xF40005, "MEMORY_ALLOCATION",
                          "OP %s[%u] in/output total size [%.0f] exceeds MEM_UB size [%lld]! One "
                          "tile holds %s%s",
                          emit->opcode, emit->program->recorder->op_count, sum(&hard),
                          (long long)size, parts, others);
    }
    if (buffers->documented > 0 && sum(buffers) + buffers->documented > (double)size) {
        describe(buffers, size, parts, sizeof parts);
        return pts_record_warn(emit->program, 0xF40005, "ub-documented", emit->site,
                               "%s: by the documentation one tile takes more than MEM_UB has: %s",
                               emit->opcode, parts);
    }
    return true;
}

/* Chains of 16-bit operations hold F32 tiles; that sum was only checked with the 16-bit sizes. */
static bool advise_widened(PtsEmit *emit, int whole)
{
    int64_t size = pts_context_soc(emit->context)->ub;
    char parts[160];
    if (size <= 0 || !pts_stays_wide(emit)) {
        return true;
    }
    PtsBuffers buffers = pts_buffers_in_f32(emit, whole);
    buffers.documented = 0;
    if (sum(&buffers) <= (double)size) {
        return true;
    }
    describe(&buffers, size, parts, sizeof parts);
    return pts_record_warn(emit->program, 0xF40005, "ub-widened", emit->site,
                           "%s is computed in F32 on the device; its tiles may then exceed "
                           "MEM_UB: %s",
                           emit->opcode, parts);
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
    PtsBuffers buffers = pts_buffers_of(emit, whole);
    emit->program->recorder->needs[PTS_CORE_UB] = (int64_t)sum(&buffers);
    pts_watch_vector_tile(emit, whole);
    return check_capacity(emit, &buffers) && advise_widened(emit, whole) &&
           advise_reduction(emit, &buffers) && advise_alignment(emit, rank, shape, dtype) &&
           advise_count(emit, rank, shape);
}
