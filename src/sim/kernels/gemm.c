/* Matrix products: blocks that fit the caches, packed into panels, and divided among threads. Which
 * thread computes a block, and how large blocks are, changes no result: every element is the sum of
 * its products in order of k. */
#include "sim/kernels/gemm.h"

#include "sim/kernels/half.h"

#include <string.h>

enum {
    DEPTH = 256,     /* products per visit of a tile */
    MOST_ROWS = 528, /* of a block: its packed part of `a` stays in the second-level cache */
    MOST_COLUMNS = 1024,
    /* 8-bit products are at most 2^14, so sums of 1024 of them are exact in F32. */
    EXACT_DEPTH = 1024,
    SMALL_PRODUCTS = 32 * 1024, /* below, one thread is faster */
};

typedef struct Plan {
    GemmShape tile;
    PtsGemmTile *multiply;
    size_t bytes; /* of an accumulator */
    int64_t block_rows, block_columns, depth;
    int64_t row_blocks, column_blocks, batches;
    int64_t piece;
    bool has_pieces; /* partial sums are added up in `totals` */
    int workers;
    size_t a_bytes, b_bytes, tile_bytes, row_bytes, line_bytes; /* parts of a worker's scratch */
    size_t worker_bytes;
} Plan;

typedef struct Job {
    const Gemm *gemm;
    Plan plan;
    char *scratch;
} Job;

static int64_t round_up(int64_t value, int64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

static int64_t divide_up(int64_t value, int64_t unit)
{
    return (value + unit - 1) / unit;
}

/* Parts of the scratch memory begin at multiples of a cache line. */
static size_t part_bytes(int64_t elements, size_t bytes)
{
    return (size_t)round_up(elements * (int64_t)bytes, 64);
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static Plan make_plan(const Gemm *gemm, int threads)
{
    const PtsLoops *loops = pts_loops();
    bool is_double = gemm->sum == GEMM_F64;
    Plan plan = {.tile = is_double ? loops->tile_f64 : loops->tile_f32,
                 .multiply = is_double ? loops->gemm_f64 : loops->gemm_f32,
                 .bytes = is_double ? sizeof(double) : sizeof(float)};
    plan.batches = pts_product(GEMM_MAX_BATCH_RANK, gemm->batch);
    plan.piece = gemm->piece > 0 && gemm->piece < gemm->k ? gemm->piece : gemm->k;
    if (gemm->sum == GEMM_I32) {
        plan.piece = least(plan.piece, EXACT_DEPTH);
    }
    plan.has_pieces = plan.piece < gemm->k || gemm->sum == GEMM_I32;
    plan.depth = least(plan.piece, DEPTH);
    bool is_small = gemm->m * gemm->n * plan.batches < SMALL_PRODUCTS / 16 ||
                    gemm->m * gemm->n * plan.batches * gemm->k < SMALL_PRODUCTS * 8;
    plan.workers = is_small ? 1 : threads;
    plan.column_blocks = divide_up(gemm->n, MOST_COLUMNS);
    plan.block_columns = round_up(divide_up(gemm->n, plan.column_blocks), plan.tile.columns);
    plan.row_blocks = divide_up(gemm->m, MOST_ROWS);
    int64_t others = plan.column_blocks * plan.batches;
    if (others % plan.workers != 0) {
        /* Equal shares for all workers, as far as there are rows. */
        plan.row_blocks =
            least(round_up(plan.row_blocks, plan.workers), divide_up(gemm->m, plan.tile.rows));
    }
    plan.block_rows = round_up(divide_up(gemm->m, plan.row_blocks), plan.tile.rows);
    plan.row_blocks = divide_up(gemm->m, plan.block_rows);
    plan.column_blocks = divide_up(gemm->n, plan.block_columns);
    plan.a_bytes = part_bytes(plan.block_rows * plan.depth, plan.bytes);
    plan.b_bytes = part_bytes(plan.block_columns * plan.depth, plan.bytes);
    plan.tile_bytes = part_bytes(plan.block_rows * plan.block_columns, plan.bytes);
    plan.row_bytes = part_bytes(plan.block_columns, sizeof(float));
    plan.line_bytes = part_bytes(plan.depth, sizeof(double));
    plan.worker_bytes = plan.a_bytes + plan.b_bytes + (plan.has_pieces ? 2 : 1) * plan.tile_bytes +
                        2 * plan.row_bytes + 2 * plan.line_bytes;
    return plan;
}

size_t gemm_scratch(const Gemm *gemm, int threads)
{
    if (gemm->m <= 0 || gemm->n <= 0 || gemm->k <= 0) {
        return 0;
    }
    Plan plan = make_plan(gemm, threads);
    return plan.worker_bytes * (size_t)plan.workers + 64;
}

/* ---- packing ---- */

/* One panel: `width` lanes side by side for every k. Lane l, element k lies at
 * from + bytes · (l·lane_stride + k·depth_stride). */
typedef struct Panel {
    const char *from;
    int64_t lane_stride, depth_stride; /* in elements */
    int64_t lanes, width, depth;
} Panel;

typedef struct Packing {
    Conversion conversion; /* to the accumulator's type */
    size_t from_bytes, to_bytes;
    int tf32;
    char *line, *gathered; /* room for `depth` elements each */
} Packing;

/* Lanes run along k: line by line, converted, then spread. */
static void pack_lines(const Packing *packing, const Panel *panel, char *to)
{
    size_t from_bytes = packing->from_bytes;
    for (int64_t lane = 0; lane < panel->lanes; lane++) {
        const char *from = panel->from + lane * panel->lane_stride * (int64_t)from_bytes;
        const void *line = from;
        if (panel->depth_stride != 1) {
            pts_copy_strided(packing->gathered, (int64_t)from_bytes, from,
                             panel->depth_stride * (int64_t)from_bytes, panel->depth, from_bytes);
            line = packing->gathered;
        }
        if (!packing->conversion.is_same) {
            pts_convert_run(&packing->conversion, (size_t)panel->depth, packing->line, line);
            line = packing->line;
        }
        pts_copy_strided(to + lane * (int64_t)packing->to_bytes,
                         panel->width * (int64_t)packing->to_bytes, line,
                         (int64_t)packing->to_bytes, panel->depth, packing->to_bytes);
    }
}

/* Lanes are neighbours in memory: k by k. */
static void pack_rows(const Packing *packing, const Panel *panel, char *to)
{
    for (int64_t k = 0; k < panel->depth; k++) {
        pts_convert_run(&packing->conversion, (size_t)panel->lanes,
                        to + k * panel->width * (int64_t)packing->to_bytes,
                        panel->from + k * panel->depth_stride * (int64_t)packing->from_bytes);
    }
}

/* TF32 keeps ten bits of the fraction. */
static void round_to_tf32(float *at, int64_t count, int mode)
{
    for (int64_t i = 0; i < count; i++) {
        uint32_t bits = bits_of_float(at[i]);
        uint32_t half = mode == 2 ? 0x1000U : 0x0FFFU + ((bits >> 13) & 1U);
        bool is_number = (bits & 0x7F800000U) != 0x7F800000U;
        at[i] = is_number ? float_of_bits((bits + half) & 0xFFFFE000U) : at[i];
    }
}

/* Packs `lanes` lanes into panels of `width`, the last one filled up with zeros. */
static void pack(const Packing *packing, Panel panel, char *to)
{
    int64_t lanes = panel.lanes;
    size_t panel_bytes = (size_t)(panel.width * panel.depth) * packing->to_bytes;
    for (int64_t first = 0; first < lanes; first += panel.width) {
        panel.lanes = least(panel.width, lanes - first);
        if (panel.lanes < panel.width) {
            memset(to, 0, panel_bytes);
        }
        if (panel.lane_stride == 1 && panel.lanes > 1) {
            pack_rows(packing, &panel, to);
        } else {
            pack_lines(packing, &panel, to);
        }
        if (packing->tf32 != 0) {
            round_to_tf32((float *)(void *)to, panel.width * panel.depth, packing->tf32);
        }
        panel.from += panel.width * panel.lane_stride * (int64_t)packing->from_bytes;
        to += panel_bytes;
    }
}

static Packing packing_of(const Gemm *gemm, const Plan *plan, const GemmMatrix *matrix, char *lines)
{
    PtsDtype computed = gemm->sum == GEMM_F64 ? PTS_DOUBLE : PTS_FP32;
    return (Packing){.conversion = pts_conversion(matrix->dtype, computed),
                     .from_bytes = pts_dtype_bytes(matrix->dtype),
                     .to_bytes = plan->bytes,
                     .tf32 = matrix->dtype == PTS_FP32 ? gemm->tf32 : 0,
                     .line = lines,
                     .gathered = lines + plan->line_bytes};
}

/* ---- blocks ---- */

/* A worker's scratch memory. */
typedef struct Room {
    char *a, *b, *sums, *totals, *lines;
    float *bias_row, *scale_row;
} Room;

static Room room_of(const Job *job, int worker)
{
    const Plan *plan = &job->plan;
    char *at = job->scratch + (size_t)worker * plan->worker_bytes;
    Room room = {.a = at};
    room.b = room.a + plan->a_bytes;
    room.sums = room.b + plan->b_bytes;
    room.totals = room.sums + plan->tile_bytes;
    room.lines = room.totals + (plan->has_pieces ? plan->tile_bytes : 0);
    room.bias_row = (float *)(void *)(room.lines + 2 * plan->line_bytes);
    room.scale_row = room.bias_row + plan->row_bytes / sizeof(float);
    return room;
}

/* Adds a piece's sums to the totals. */
static void add_piece(const Gemm *gemm, const Room *room, int64_t count, bool is_first)
{
    const float *sums = (const float *)(const void *)room->sums;
    if (gemm->sum == GEMM_I32) {
        uint32_t *totals = (uint32_t *)(void *)room->totals;
        for (int64_t i = 0; i < count; i++) {
            totals[i] = (is_first ? 0 : totals[i]) + (uint32_t)(int32_t)sums[i];
        }
    } else if (gemm->sum == GEMM_F64) {
        const double *wide = (const double *)(const void *)room->sums;
        double *totals = (double *)(void *)room->totals;
        for (int64_t i = 0; i < count; i++) {
            totals[i] = is_first ? wide[i] : totals[i] + wide[i];
        }
    } else {
        float *totals = (float *)(void *)room->totals;
        for (int64_t i = 0; i < count; i++) {
            totals[i] = is_first ? sums[i] : totals[i] + sums[i];
        }
    }
}

/* Multiplies all packed panels of a block. Tiles are stored column panel by column panel. */
static void multiply_panels(const Plan *plan, const Room *room, int64_t rows, int64_t columns,
                            int64_t depth)
{
    int64_t row_panels = divide_up(rows, plan->tile.rows);
    int64_t column_panels = divide_up(columns, plan->tile.columns);
    size_t a_step = (size_t)(plan->tile.rows * depth) * plan->bytes;
    size_t b_step = (size_t)(plan->tile.columns * depth) * plan->bytes;
    size_t c_step = (size_t)(plan->tile.rows * plan->tile.columns) * plan->bytes;
    char *c = room->sums;
    for (int64_t j = 0; j < column_panels; j++) {
        const char *b = room->b + (size_t)j * b_step;
        const char *a = room->a;
        for (int64_t i = 0; i < row_panels; i++) {
            plan->multiply((size_t)depth, a, b, c);
            a += a_step;
            c += c_step;
        }
    }
}

/* Sums up a block of c; the batch's matrices begin at `a` and `b`. */
static void sum_block(const Job *job, const Room *room, const GemmBlock *block, const char *a,
                      const char *b)
{
    const Gemm *gemm = job->gemm;
    const Plan *plan = &job->plan;
    Packing a_packing = packing_of(gemm, plan, &gemm->a, room->lines);
    Packing b_packing = packing_of(gemm, plan, &gemm->b, room->lines);
    int64_t tile_rows = round_up(block->rows, plan->tile.rows);
    int64_t tile_columns = round_up(block->columns, plan->tile.columns);
    int64_t count = tile_rows * tile_columns;
    Panel a_panel = {.lane_stride = gemm->a.row_stride,
                     .depth_stride = gemm->a.column_stride,
                     .lanes = block->rows,
                     .width = plan->tile.rows};
    Panel b_panel = {.lane_stride = gemm->b.column_stride,
                     .depth_stride = gemm->b.row_stride,
                     .lanes = block->columns,
                     .width = plan->tile.columns};
    a += block->row * gemm->a.row_stride * (int64_t)a_packing.from_bytes;
    b += block->column * gemm->b.column_stride * (int64_t)b_packing.from_bytes;
    for (int64_t start = 0; start < gemm->k; start += plan->piece) {
        int64_t end = least(start + plan->piece, gemm->k);
        memset(room->sums, 0, (size_t)count * plan->bytes);
        for (int64_t k = start; k < end; k += plan->depth) {
            int64_t depth = least(plan->depth, end - k);
            a_panel.from = a + k * gemm->a.column_stride * (int64_t)a_packing.from_bytes;
            b_panel.from = b + k * gemm->b.row_stride * (int64_t)b_packing.from_bytes;
            a_panel.depth = b_panel.depth = depth;
            pack(&a_packing, a_panel, room->a);
            pack(&b_packing, b_panel, room->b);
            multiply_panels(plan, room, block->rows, block->columns, depth);
        }
        if (plan->has_pieces) {
            add_piece(gemm, room, count, start == 0);
        }
    }
}

static void run_block(const Job *job, int64_t number, int worker)
{
    const Gemm *gemm = job->gemm;
    const Plan *plan = &job->plan;
    int64_t column_block = number % plan->column_blocks;
    int64_t row_block = number / plan->column_blocks % plan->row_blocks;
    int64_t batch = number / plan->column_blocks / plan->row_blocks;
    int64_t outer = batch / gemm->batch[1];
    int64_t inner = batch % gemm->batch[1];
    Room room = room_of(job, worker);
    GemmBlock block = {.row = row_block * plan->block_rows,
                       .column = column_block * plan->block_columns,
                       .tile = plan->tile,
                       .sums = plan->has_pieces ? room.totals : room.sums,
                       .bias_row = room.bias_row,
                       .scale_row = room.scale_row};
    block.rows = least(plan->block_rows, gemm->m - block.row);
    block.columns = least(plan->block_columns, gemm->n - block.column);
    int64_t a_offset = outer * gemm->a_batch[0] + inner * gemm->a_batch[1];
    int64_t b_offset = outer * gemm->b_batch[0] + inner * gemm->b_batch[1];
    int64_t c_offset = outer * gemm->c_batch[0] + inner * gemm->c_batch[1];
    block.bias_offset = outer * gemm->end.bias_batch[0] + inner * gemm->end.bias_batch[1];
    block.scale_offset = outer * gemm->end.scale_batch[0] + inner * gemm->end.scale_batch[1];
    block.c = gemm->c.data + c_offset * (int64_t)pts_dtype_bytes(gemm->c.dtype);
    sum_block(job, &room, &block, gemm->a.data + a_offset * (int64_t)pts_dtype_bytes(gemm->a.dtype),
              gemm->b.data + b_offset * (int64_t)pts_dtype_bytes(gemm->b.dtype));
    gemm_finish(gemm, &block);
}

static void run_share(void *context, int64_t from, int64_t to, int worker)
{
    const Job *job = context;
    for (int64_t number = from; number < to; number++) {
        run_block(job, number, worker);
    }
}

void gemm_run(const Gemm *gemm, int threads, void *scratch)
{
    if (gemm->m <= 0 || gemm->n <= 0 || gemm->k <= 0) {
        return;
    }
    Job job = {.gemm = gemm, .plan = make_plan(gemm, threads)};
    size_t misaligned = (size_t)((uintptr_t)scratch % 64);
    job.scratch = (char *)scratch + (misaligned != 0 ? 64 - misaligned : 0);
    int64_t blocks = job.plan.batches * job.plan.row_blocks * job.plan.column_blocks;
    pts_parallel(job.plan.workers, blocks, run_share, &job);
}
