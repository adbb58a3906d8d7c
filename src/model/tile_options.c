/* Which tiles an operation could have instead of its own: those that fit, ranked by the cost model
 * of traces. For watchers (pts_program_watch_tiles), never for checks. */
#include "model/infer.h"

#include <string.h>

enum {
    MOST_CHOICES = 14,  /* of an axis: powers of two, the extent, the present tile */
    MOST_TRIED = 20000, /* combinations for an operation */
    BLOCK = 32,         /* bytes that the last axis is rounded up to */
    FRACTAL = 16,       /* edge of what the cube takes at once */
    LARGEST_CUBE = 256, /* of an L0 axis */
    MOST_MULTIPLE = 4,  /* k in L1 ÷ k in L0 */
};
/* As in the cost model of traces (sim/trace.c). */
static const double LATENCY = 10, REPEAT = 256;

void pts_program_watch_tiles(PtsProgram *program, PtsTileWatcher *watcher, void *context)
{
    program->recorder->watcher = watcher;
    program->recorder->watching = context;
}

static bool is_watched(const PtsEmit *emit)
{
    return emit->program->recorder->watcher != NULL;
}

/* How many tiles an extent has, the last one maybe smaller. */
static double pieces(int64_t extent, int64_t tile)
{
    int64_t count = (extent + tile - 1) / tile;
    return (double)count;
}

static bool is_cheaper(const PtsTileOption *one, const PtsTileOption *other)
{
    return one->cycles < other->cycles ||
           (one->cycles <= other->cycles && one->loads < other->loads);
}

/* Keeps the cheapest ones, in order; of equally cheap ones those with fewer transactions, then the
 * smaller ones. */
static void offer(PtsTileOption *best, int *count, const PtsTileOption *option)
{
    int at = *count;
    while (at > 0 && is_cheaper(option, &best[at - 1])) {
        at--;
    }
    if (at == PTS_TILE_OPTIONS) {
        return;
    }
    int last = *count < PTS_TILE_OPTIONS ? (*count)++ : PTS_TILE_OPTIONS - 1;
    memmove(&best[at + 1], &best[at], sizeof *best * (size_t)(last - at));
    best[at] = *option;
}

static void tell(PtsEmit *emit, const PtsTileOption *now, const PtsTileOption *best, int count)
{
    emit->program->recorder->watcher(emit->program->recorder->watching, emit->site, emit->op, now,
                                     best, count);
}

/* ---- vector tiles ---- */

/* The widest tensor of the operation, whose axes the entries of the tile are for. */
typedef struct Widest {
    int rank;
    int64_t extent[PTS_MAX_RANK];
    double element; /* bytes */
    double out;     /* bytes of the result */
    double loads;   /* transactions for one tile: its tensor operands */
    double loaded;  /* bytes of them all */
} Widest;

static bool read_extents(const PtsEmit *emit, int rank, const PtsSym *shape, int64_t *extent)
{
    for (int i = 0; i < rank; i++) {
        extent[i] = emit_is_unknown(emit, shape[i]) ? -1 : emit_extent(emit, shape[i]);
        if (extent[i] < 1) {
            return false;
        }
    }
    return true;
}

/* What is loaded; bytes only of operands whose extents are known. */
static void add_operands(const PtsEmit *emit, Widest *widest)
{
    for (int i = 0; i < emit->operand_count; i++) {
        const PtsSlotState *tensor = emit->tensor[i];
        int64_t extent[PTS_MAX_RANK];
        if (tensor == NULL || i == emit->written) {
            continue;
        }
        widest->loads++;
        if (tensor->dtype == PTS_BOTTOM ||
            !read_extents(emit, tensor->rank, tensor->shape, extent)) {
            continue;
        }
        double bytes = (double)pts_dtype_bytes(tensor->dtype);
        for (int k = 0; k < tensor->rank; k++) {
            bytes *= (double)extent[k];
        }
        widest->loaded += bytes;
    }
}

/* False when an extent or a data type is not known, or an axis is dynamic. */
static bool find_widest(const PtsEmit *emit, int whole, Widest *widest)
{
    const PtsResult *result = emit->result_count > 0 ? &emit->results[0] : NULL;
    const PtsSlotState *input = emit->first;
    bool by_input = input != NULL && input->rank == whole;
    PtsDtype dtype = by_input ? input->dtype : result != NULL ? result->dtype : PTS_BOTTOM;
    widest->rank = whole;
    if (dtype == PTS_BOTTOM || whole < 1 || emit->scope->vector_tile_count < whole ||
        (!by_input && (result == NULL || result->rank != whole))) {
        return false;
    }
    widest->element = (double)pts_dtype_bytes(dtype);
    widest->out = widest->element;
    add_operands(emit, widest);
    if (!read_extents(emit, whole, by_input ? input->shape : result->shape, widest->extent)) {
        return false;
    }
    for (int i = 0; i < whole; i++) {
        widest->out *= (double)widest->extent[i];
        if (emit->scope->vector_tile[i] == PTS_TILE_UNKNOWN) {
            return false;
        }
    }
    return true;
}

/* What this tile takes, how many there are and what they cost. */
static PtsTileOption weigh(const PtsEmit *emit, int whole, const Widest *widest,
                           const int64_t *tile)
{
    PtsScope scope = *emit->scope;
    PtsEmit other = *emit;
    PtsTileOption option = {.count = emit->scope->vector_tile_count, .tiles = 1, .rank = whole};
    memcpy(option.extent, widest->extent, sizeof *option.extent * (size_t)whole);
    memcpy(option.tile, emit->scope->vector_tile, sizeof option.tile);
    memcpy(option.tile, tile, sizeof *tile * (size_t)whole);
    memcpy(scope.vector_tile, option.tile, sizeof scope.vector_tile);
    other.scope = &scope;
    PtsBuffers buffers = pts_buffers_of(&other, whole);
    option.needs[PTS_CORE_UB] = (int64_t)(buffers.inputs + buffers.results + buffers.scratch);
    for (int i = 0; i < whole; i++) {
        option.tiles *= pieces(widest->extent[i], tile[i]);
    }
    int64_t last =
        tile[whole - 1] < widest->extent[whole - 1] ? tile[whole - 1] : widest->extent[whole - 1];
    double row = (double)last * widest->element;
    double waste = pts_align(row, BLOCK) / row; /* what is padded is computed as well */
    option.loads = option.tiles * widest->loads;
    option.loaded = widest->loaded;
    option.cycles = option.tiles * LATENCY + widest->out * waste / REPEAT;
    return option;
}

static int choices_of(int64_t extent, int64_t now, int64_t *choices)
{
    int count = 0;
    for (int64_t size = 1; size < extent && count < MOST_CHOICES - 2; size *= 2) {
        choices[count++] = size;
    }
    choices[count++] = extent;
    if (now < extent) {
        choices[count++] = now;
    }
    return count;
}

/* The next combination; false after the last. */
static bool advance(int *at, const int *counts, int rank)
{
    for (int i = rank - 1; i >= 0; i--) {
        if (++at[i] < counts[i]) {
            return true;
        }
        at[i] = 0;
    }
    return false;
}

void pts_watch_vector_tile(PtsEmit *emit, int whole)
{
    Widest widest;
    if (!is_watched(emit) || whole > PTS_MAX_TILE || !find_widest(emit, whole, &widest)) {
        return;
    }
    int64_t choices[PTS_MAX_TILE][MOST_CHOICES], size = pts_context_soc(emit->context)->ub;
    int counts[PTS_MAX_TILE], at[PTS_MAX_TILE] = {0}, count = 0;
    for (int i = 0; i < whole; i++) {
        counts[i] = choices_of(widest.extent[i], emit->scope->vector_tile[i], choices[i]);
    }
    PtsTileOption best[PTS_TILE_OPTIONS];
    PtsTileOption now = weigh(emit, whole, &widest, emit->scope->vector_tile);
    int tried = 0;
    do {
        int64_t tile[PTS_MAX_TILE];
        for (int i = 0; i < whole; i++) {
            tile[i] = choices[i][at[i]];
        }
        bool aligned = tile[whole - 1] >= widest.extent[whole - 1] ||
                       (int64_t)((double)tile[whole - 1] * widest.element) % BLOCK == 0;
        bool same = memcmp(tile, emit->scope->vector_tile, sizeof *tile * (size_t)whole) == 0;
        if (aligned && !same) {
            PtsTileOption option = weigh(emit, whole, &widest, tile);
            if (size <= 0 || option.needs[PTS_CORE_UB] <= size) {
                offer(best, &count, &option);
            }
        }
    } while (++tried < MOST_TRIED && advance(at, counts, whole));
    tell(emit, &now, best, count);
}

/* ---- cube tiles ---- */

/* Each block of A is loaded once for each column of blocks of the result, each of B once for each
 * row; the cube takes a fractal of 32 bytes of k a cycle. */
static PtsTileOption weigh_cube(PtsEmit *emit, const PtsCubeTile *tile, int64_t m, int64_t k,
                                int64_t n)
{
    const PtsSoc *soc = pts_context_soc(emit->context);
    double a = (double)pts_dtype_bytes(emit->tensor[0]->dtype);
    double b = (double)pts_dtype_bytes(emit->tensor[1]->dtype);
    PtsTileOption option = {.cube = *tile, .rank = 3, .extent = {m, k, n}};
    pts_cube_needs(emit, tile, m, k, n, option.needs);
    double rows = pieces(m, tile->m[1]), columns = pieces(n, tile->n[1]);
    option.tiles = pieces(m, tile->m[0]) * pieces(n, tile->n[0]) * pieces(k, tile->k[0]);
    double moved = (double)m * (double)k * a * columns + (double)k * (double)n * b * rows;
    double computed =
        pieces(m, FRACTAL) * pieces(n, FRACTAL) * pts_align((double)k * a, BLOCK) / BLOCK;
    double loaded = soc->rate_ddr > 0 ? moved / soc->rate_ddr : 0;
    option.loads = rows * columns * (pieces(k, tile->k[1]) + pieces(k, tile->k[2]));
    option.loaded = moved;
    option.cycles = (loaded > computed ? loaded : computed) + option.tiles * LATENCY;
    return option;
}

static bool fits(const PtsEmit *emit, const PtsTileOption *option)
{
    const PtsSoc *soc = pts_context_soc(emit->context);
    const int64_t sizes[PTS_CORE_MEMORIES] = {[PTS_CORE_L1] = soc->l1,
                                              [PTS_CORE_L0A] = soc->l0a,
                                              [PTS_CORE_L0B] = soc->l0b,
                                              [PTS_CORE_L0C] = soc->l0c};
    for (int i = 0; i < PTS_CORE_MEMORIES; i++) {
        if (sizes[i] > 0 && option->needs[i] > sizes[i]) {
            return false;
        }
    }
    return true;
}

/* Sizes of an L0 axis: powers of two of fractals that the extent needs. */
static int cube_choices(int64_t extent, int64_t *choices)
{
    int count = 0;
    for (int64_t size = FRACTAL; size <= LARGEST_CUBE; size *= 2) {
        choices[count++] = size;
        if (size >= extent) {
            break;
        }
    }
    return count;
}

static bool is_open(const PtsCubeTile *tile)
{
    const int64_t all[] = {tile->m[0], tile->m[1], tile->k[0], tile->k[1],
                           tile->k[2], tile->n[0], tile->n[1]};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i] == PTS_TILE_UNKNOWN || all[i] < 1) {
            return true;
        }
    }
    return false;
}

/* Sizes in L1: multiples of those in L0, as far as the extents need them. */
typedef struct Multiples {
    int64_t m, k, n;
} Multiples;

/* The next combination of 1 and 2 along m and n, of 1, 2 and 4 along k; false after the last. */
static bool advance_multiples(Multiples *times)
{
    if ((times->k *= 2) <= MOST_MULTIPLE) {
        return true;
    }
    times->k = 1;
    if ((times->n *= 2) <= 2) {
        return true;
    }
    times->n = 1;
    return (times->m *= 2) <= 2;
}

/* Is the size in L1 no more than one step beyond the extent? */
static bool is_needed(int64_t size, int64_t times, int64_t extent)
{
    return times == 1 || size * times < 2 * extent;
}

/* Offers the tile with these sizes in L0 and all of its multiples in L1. */
static void offer_cube(PtsEmit *emit, const int64_t *sizes, const int64_t *extents,
                       PtsTileOption *best, int *count)
{
    const PtsCubeTile *tile = &emit->scope->cube_tile;
    Multiples times = {1, 1, 1};
    do {
        if (!is_needed(sizes[0], times.m, extents[0]) ||
            !is_needed(sizes[1], times.k, extents[1]) ||
            !is_needed(sizes[2], times.n, extents[2])) {
            continue;
        }
        int64_t deep = sizes[1] * times.k;
        PtsCubeTile other = {.set = true,
                             .m = {sizes[0], sizes[0] * times.m},
                             .k = {sizes[1], deep, deep},
                             .n = {sizes[2], sizes[2] * times.n},
                             .split_k = tile->split_k};
        PtsTileOption option = weigh_cube(emit, &other, extents[0], extents[1], extents[2]);
        bool same = memcmp(other.m, tile->m, sizeof other.m) == 0 &&
                    memcmp(other.k, tile->k, sizeof other.k) == 0 &&
                    memcmp(other.n, tile->n, sizeof other.n) == 0;
        if (!same && fits(emit, &option)) {
            offer(best, count, &option);
        }
    } while (advance_multiples(&times));
}

void pts_watch_cube_tile(PtsEmit *emit, int64_t m, int64_t k, int64_t n)
{
    const PtsCubeTile *tile = &emit->scope->cube_tile;
    if (!is_watched(emit) || m < 1 || k < 1 || n < 1 || is_open(tile) ||
        emit->tensor[0]->dtype == PTS_BOTTOM || emit->tensor[1]->dtype == PTS_BOTTOM) {
        return;
    }
    PtsTileOption best[PTS_TILE_OPTIONS], now = weigh_cube(emit, tile, m, k, n);
    int64_t choices[3][MOST_CHOICES];
    int counts[3] = {cube_choices(m, choices[0]), cube_choices(k, choices[1]),
                     cube_choices(n, choices[2])};
    int at[3] = {0}, count = 0;
    const int64_t extents[] = {m, k, n};
    do {
        int64_t sizes[] = {choices[0][at[0]], choices[1][at[1]], choices[2][at[2]]};
        offer_cube(emit, sizes, extents, best, &count);
    } while (advance(at, counts, 3));
    tell(emit, &now, best, count);
}
