/* Tiles of the cube unit: values, alignment and capacity. What the product's compiler refuses is an
 * error; what only its documentation asks for is a warning. */
#include "model/infer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct Cube {
    PtsEmit *emit;
    int64_t m, k, n; /* of the matrices */
    int64_t ml0, ml1, kl0, kl1a, kl1b, nl0, nl1;
    int64_t size_a, size_b; /* bytes of an element; 1 when two share a byte */
    int64_t packed;         /* elements in such a byte: 2 for DT_FP4, else 1 */
} Cube;

__attribute__((format(printf, 2, 3))) static bool fail_tile(const Cube *cube, const char *format,
                                                            ...)
{
    char message[256];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return emit_limit(cube->emit, "cube-tile", PTS_CODE_TILE, "INVALID_TILE", "%s", message);
}

static bool is_open(int64_t tile)
{
    return tile == PTS_TILE_UNKNOWN;
}

/* The limit is far beyond any memory and far from overflowing. */
static bool is_sane(int64_t tile)
{
    return (tile > 0 && tile <= INT32_MAX) || is_open(tile);
}

static bool check_values(const Cube *cube)
{
    if (is_sane(cube->ml0) && is_sane(cube->ml1) && is_sane(cube->kl0) && is_sane(cube->kl1a) &&
        is_sane(cube->kl1b) && is_sane(cube->nl0) && is_sane(cube->nl1)) {
        return true;
    }
    return emit_fail(cube->emit, PTS_E_TILE,
                     "Invalid tile values: kL0=%lld, kL1a=%lld, kL1b=%lld, mL0=%lld, mL1=%lld, "
                     "nL0=%lld, nL1=%lld",
                     (long long)cube->kl0, (long long)cube->kl1a, (long long)cube->kl1b,
                     (long long)cube->ml0, (long long)cube->ml1, (long long)cube->nl0,
                     (long long)cube->nl1);
}

static bool is_multiple(int64_t outer, int64_t inner)
{
    return is_open(outer) || is_open(inner) || (outer >= inner && outer % inner == 0);
}

/* A tile's bytes are not whole blocks. */
static bool is_odd(int64_t tile, int64_t size)
{
    return !is_open(tile) && tile * size % 32 != 0;
}

static bool check_relations(const Cube *cube)
{
    if (cube->kl0 % 16 != 0 || cube->nl0 % 16 != 0) { /* PTS_TILE_UNKNOWN is a multiple of 16 */
        return fail_tile(cube, "kL0(%lld) and nL0(%lld) must be aligned to 16 elements",
                         (long long)cube->kl0, (long long)cube->nl0);
    }
    if (!is_multiple(cube->kl1a, cube->kl0) || !is_multiple(cube->kl1b, cube->kl0) ||
        !is_multiple(cube->nl1, cube->nl0) || !is_multiple(cube->ml1, cube->ml0)) {
        return fail_tile(cube,
                         "Invalid L1/L0 relation: kL0=%lld, kL1a=%lld, kL1b=%lld, mL0=%lld, "
                         "mL1=%lld, nL0=%lld, nL1=%lld; L1 values must be multiples of L0 values",
                         (long long)cube->kl0, (long long)cube->kl1a, (long long)cube->kl1b,
                         (long long)cube->ml0, (long long)cube->ml1, (long long)cube->nl0,
                         (long long)cube->nl1);
    }
    if (is_odd(cube->kl0, cube->size_a) || is_odd(cube->nl0, cube->size_b)) {
        return fail_tile(cube, "kL0(%lld) and nL0(%lld) must be aligned to 32 bytes",
                         (long long)cube->kl0, (long long)cube->nl0);
    }
    int64_t least = cube->kl1a < cube->kl1b ? cube->kl1a : cube->kl1b;
    int64_t most = cube->kl1a > cube->kl1b ? cube->kl1a : cube->kl1b;
    if (!is_open(least) && most < cube->k && most % least != 0) {
        return fail_tile(cube,
                         "kL1a(%lld) and kL1b(%lld): one must be a multiple of the other, "
                         "or reach K",
                         (long long)cube->kl1a, (long long)cube->kl1b);
    }
    return true;
}

/* Axes and tiles of one operand: `rows` × `columns` as stored. */
static bool check_layout(const Cube *cube, int index, int64_t outer_tile, int64_t inner_tile)
{
    PtsEmit *emit = cube->emit;
    const PtsSlotState *tensor = emit->tensor[index];
    int64_t size = index == 0 ? cube->size_a : cube->size_b;
    int64_t last = emit_extent(emit, tensor->shape[tensor->rank - 1]);
    int64_t other = emit_extent(emit, tensor->shape[tensor->rank - 2]);
    bool is_nz = tensor->format == PTS_NZ;
    bool knows_last = !emit_is_unknown(emit, tensor->shape[tensor->rank - 1]);
    bool knows_other = !emit_is_unknown(emit, tensor->shape[tensor->rank - 2]);
    bool bad_last = is_nz ? last * size % 32 != 0 : last < 1 || last > 65535;
    bool bad_other = is_nz ? other % 16 != 0 : other >= INT64_C(1) << 31;
    bool bad = (knows_last && bad_last) || (knows_other && bad_other);
    if (bad) {
        return emit_limit(emit, "layout", PTS_CODE_SHAPE, "INVALID_SHAPE",
                          "matmul: operand %d %s: %s", index + 1,
                          pts_record_shape(emit->program, tensor->rank, tensor->shape),
                          is_nz ? "the last axis must be a multiple of 32 bytes, the other of 16"
                                : "the last axis must be 1 to 65535, the other below 2^31");
    }
    if (is_nz &&
        (tensor->dtype == PTS_FP32 || tensor->dtype == PTS_FP8E5M2 || tensor->dtype == PTS_HF8)) {
        return emit_fail(emit, PTS_CORE_ERROR, 0xF0000D, "INVALID_FORMAT",
                         "matmul: %s tensors cannot be in TILEOP_NZ",
                         pts_dtype_name(tensor->dtype));
    }
    if (is_nz && is_odd(inner_tile, size)) {
        return fail_tile(cube, "the length must be aligned to 32 bytes: tile %lld of operand %d",
                         (long long)inner_tile, index + 1);
    }
    if (is_nz && outer_tile % 16 != 0) {
        return fail_tile(cube,
                         "the length must be aligned to 16 elements: tile %lld of operand "
                         "%d",
                         (long long)outer_tile, index + 1);
    }
    return true;
}

static bool check_layouts(const Cube *cube)
{
    const PtsAttributes *attributes = &cube->emit->attributes;
    bool a_trans = attributes->a_trans, b_trans = attributes->b_trans;
    if (a_trans && cube->emit->tensor[0]->format == PTS_ND && is_odd(cube->ml0, cube->size_a)) {
        return fail_tile(cube, "mL0(%lld) must be aligned to 32 bytes when a_trans is set",
                         (long long)cube->ml0);
    }
    return check_layout(cube, 0, a_trans ? cube->kl0 : cube->ml0,
                        a_trans ? cube->ml0 : cube->kl0) &&
           check_layout(cube, 1, b_trans ? cube->nl0 : cube->kl0, b_trans ? cube->kl0 : cube->nl0);
}

/* ---- capacity ---- */

typedef struct Memory {
    const char *name, *id;
    PtsCoreMemory memory;
    int64_t (*size)(const PtsSoc *); /* bytes; 0 = not known */
    int64_t asks;                    /* by the documented formula */
} Memory;

static int64_t l0a_of(const PtsSoc *soc)
{
    return soc->l0a;
}

static int64_t l0b_of(const PtsSoc *soc)
{
    return soc->l0b;
}

static int64_t l0c_of(const PtsSoc *soc)
{
    return soc->l0c;
}

static int64_t l1_of(const PtsSoc *soc)
{
    return soc->l1;
}

static int64_t ceil_to(int64_t value, int64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Bytes of a tile a × b, at least where something is not known; values are limited so that products
 * cannot overflow. */
static int64_t tile_bytes(int64_t a, int64_t b, int64_t size)
{
    a = a < 1 ? 1 : a;
    b = b < 1 ? 1 : b;
    int64_t unit = size == 1 ? 32 : 16, most = INT64_C(1) << 26;
    return ceil_to(smaller(a, most), unit) * ceil_to(smaller(b, most), unit) * size;
}

/* `taken`: what is really allocated for the operands, or for the sum. */
static bool check_memory(const Cube *cube, const Memory *memory, const int64_t taken[2])
{
    PtsEmit *emit = cube->emit;
    int64_t size = memory->size(pts_context_soc(emit->context));
    int64_t needs = taken[0] + taken[1];
    char parts[96] = "", others[160];
    emit->program->recorder->needs[memory->memory] = needs;
    if (size > 0 && needs > size) {
        if (taken[1] > 0) {
            snprintf(parts, sizeof parts, " The tiles of A take %lld, those of B %lld.",
                     (long long)taken[0], (long long)taken[1]);
        }
        emit_other_hardware(emit, memory->size, (double)needs, others, sizeof others);
        return emit_limit(emit, memory->id, 0xF40005, "MEMORY_ALLOCATION",
                          "OP %s[%u] in/output total size [%lld] exceeds %s size [%lld]!%s%s",
                          emit->opcode, emit->program->recorder->op_count, (long long)needs,
                          memory->name, (long long)size, parts, others);
    }
    return size <= 0 || memory->asks <= size ||
           pts_record_warn(emit->program, 0xF40005, "cube-capacity", emit->site,
                           "matmul: the tiles take %lld bytes of %s by the documented formula, "
                           "which has %lld",
                           (long long)memory->asks, memory->name, (long long)size);
}

/* What a tile takes in each memory: that of A, or all of it, and that of B. */
static void find_parts(const Cube *cube, int64_t parts[PTS_CORE_MEMORIES][2])
{
    int64_t m = smaller(cube->ml0, cube->m), k = smaller(cube->kl0, cube->k);
    int64_t n = smaller(cube->nl0, cube->n), a = cube->size_a, b = cube->size_b;
    int64_t packed = cube->packed;
    memset(parts, 0, sizeof(int64_t[PTS_CORE_MEMORIES][2]));
    parts[PTS_CORE_L0A][0] = tile_bytes(m, k, a) / packed;
    parts[PTS_CORE_L0B][0] = tile_bytes(n, k, b) / packed;
    parts[PTS_CORE_L0C][0] = tile_bytes(m, n, 4);
    parts[PTS_CORE_L1][0] = tile_bytes(m, smaller(cube->kl1a, cube->k), a) / packed;
    parts[PTS_CORE_L1][1] = tile_bytes(n, smaller(cube->kl1b, cube->k), b) / packed;
}

static bool check_capacity(const Cube *cube)
{
    int64_t parts[PTS_CORE_MEMORIES][2], a = cube->size_a, b = cube->size_b, packed = cube->packed;
    find_parts(cube, parts);
    const Memory memories[] = {
        {"MEM_L0A", "l0a-capacity", PTS_CORE_L0A, l0a_of,
         tile_bytes(cube->ml0, cube->kl0, a) / packed},
        {"MEM_L0B", "l0b-capacity", PTS_CORE_L0B, l0b_of,
         tile_bytes(cube->nl0, cube->kl0, b) / packed},
        {"MEM_L0C", "l0c-capacity", PTS_CORE_L0C, l0c_of, tile_bytes(cube->ml0, cube->nl0, 4)},
        {"MEM_L1", "l1-capacity", PTS_CORE_L1, l1_of,
         (tile_bytes(cube->ml1, cube->kl1a, a) + tile_bytes(cube->nl1, cube->kl1b, b)) / packed},
    };
    bool ok = true;
    for (size_t i = 0; i < sizeof memories / sizeof *memories && ok; i++) {
        ok = check_memory(cube, &memories[i], parts[memories[i].memory]);
    }
    return ok;
}

/* Bias and scale rows of one tile. */
static bool check_rows(const Cube *cube)
{
    PtsEmit *emit = cube->emit;
    const PtsSoc *soc = pts_context_soc(emit->context);
    bool has_bias = emit->operand_count > 2 && emit->tensor[2] != NULL;
    bool has_scale = emit->operand_count > 3 && emit->tensor[3] != NULL;
    emit->program->recorder->needs[PTS_CORE_BT] =
        has_bias && !is_open(cube->nl0) ? 4 * cube->nl0 : 0;
    if (has_bias && soc->bt > 0 && cube->nl0 > soc->bt / 4 &&
        !pts_record_warn(emit->program, PTS_CODE_TILE, "bias-table", emit->site,
                         "matmul: a bias tile of %lld elements exceeds the bias table of %lld "
                         "bytes",
                         (long long)cube->nl0, (long long)soc->bt)) {
        return false;
    }
    return !has_scale || soc->fb0 == 0 || cube->nl0 <= soc->fb0 / 8 ||
           pts_record_warn(emit->program, PTS_CODE_TILE, "fixpipe-buffer", emit->site,
                           "matmul: a scale tile of %lld elements exceeds the fixpipe buffer of "
                           "%lld bytes",
                           (long long)cube->nl0, (long long)soc->fb0);
}

static Cube cube_of(PtsEmit *emit, const PtsCubeTile *tile, int64_t m, int64_t k, int64_t n)
{
    PtsDtype first = emit->tensor[0]->dtype;
    bool is_fp4 = first == PTS_FP4_E2M1X2 || first == PTS_FP4_E1M2X2;
    return (Cube){.emit = emit,
                  .packed = is_fp4 ? 2 : 1,
                  .m = m,
                  .k = k,
                  .n = n,
                  .ml0 = tile->m[0],
                  .ml1 = tile->m[1],
                  .kl0 = tile->k[0],
                  .kl1a = tile->k[1],
                  .kl1b = tile->k[2],
                  .nl0 = tile->n[0],
                  .nl1 = tile->n[1],
                  .size_a = (int64_t)pts_dtype_bytes(emit->tensor[0]->dtype),
                  .size_b = (int64_t)pts_dtype_bytes(emit->tensor[1]->dtype)};
}

void pts_cube_needs(PtsEmit *emit, const PtsCubeTile *tile, int64_t m, int64_t k, int64_t n,
                    int64_t needs[PTS_CORE_MEMORIES])
{
    int64_t parts[PTS_CORE_MEMORIES][2];
    const Cube cube = cube_of(emit, tile, m, k, n);
    find_parts(&cube, parts);
    for (int i = 0; i < PTS_CORE_MEMORIES; i++) {
        needs[i] = parts[i][0] + parts[i][1];
    }
}

bool pts_check_cube(PtsEmit *emit, int64_t m, int64_t k, int64_t n)
{
    const Cube cube = cube_of(emit, &emit->scope->cube_tile, m, k, n);
    bool ok = check_values(&cube) && check_relations(&cube) && check_layouts(&cube);
    if (ok) {
        pts_watch_cube_tile(emit, m, k, n);
    }
    return ok && check_capacity(&cube) && check_rows(&cube);
}
