/* What the sanitizer costs: the same kernels without and with it, turn about in one process.
 * Usage: sim_sanitizer_bench FILE.soc */
#include "sim/ptosim.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TILE = 16, ITERATIONS = 200000, ROUNDS = 7, WINDOWS = 64, ROWS = WINDOWS * TILE };

typedef struct Bench {
    PtsContext *context;
    PtsProgram *program;
    PtsError error;
} Bench;

static const PtsSite site = {"bench", 1};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void check(const Bench *bench, bool ok)
{
    if (!ok) {
        fprintf(stderr, "sim_sanitizer_bench: %s\n", bench->error.message);
        exit(1);
    }
}

static PtsSym number(Bench *bench, int64_t value)
{
    return pts_sym_constant(bench->context, value, &bench->error);
}

static PtsSlot tensor(Bench *bench, const char *name, bool is_parameter)
{
    PtsSym shape[2] = {number(bench, ROWS), number(bench, TILE)};
    PtsSlot slot =
        is_parameter
            ? pts_parameter(bench->program, PTS_FP32, 2, shape, PTS_ND, name, site, &bench->error)
            : pts_declare(bench->program, PTS_FP32, 2, shape, PTS_ND, name, site, &bench->error);
    check(bench, slot != PTS_SLOT_NONE);
    return slot;
}

static PtsSlot emit(Bench *bench, PtsOp op, const PtsAttributes *attributes, PtsSlot a, PtsSlot b)
{
    PtsOperand operands[2] = {{.kind = PTS_OPERAND_SLOT, .slot = a},
                              {.kind = PTS_OPERAND_SLOT, .slot = b}};
    PtsSlot results[PTS_MAX_RESULTS] = {PTS_SLOT_NONE};
    int count = 0;
    check(bench, pts_emit(bench->program, op, b == PTS_SLOT_NONE ? 1 : 2, operands, attributes,
                          site, results, &count, &bench->error));
    return results[0];
}

/* A window of TILE rows, of which `valid` hold data, that goes round with the index. */
static PtsAttributes window(Bench *bench, PtsSym index, int64_t valid)
{
    PtsSym turn =
        pts_sym_binary(bench->context, PTS_SYM_MOD, index, number(bench, WINDOWS), &bench->error);
    PtsAttributes at = PTS_ATTRIBUTES;
    at.shape_rank = at.offset_rank = at.valid_rank = 2;
    at.shape[0] = at.shape[1] = number(bench, TILE);
    at.offsets[0] =
        pts_sym_binary(bench->context, PTS_SYM_MUL, turn, number(bench, TILE), &bench->error);
    at.offsets[1] = number(bench, 0);
    at.valid[0] = number(bench, valid);
    at.valid[1] = number(bench, TILE);
    return at;
}

/* y[window] = (x[window] + x[window]) with `valid` rows of each window. */
static void body(Bench *bench, PtsSlot x, PtsSlot y, int64_t valid, int64_t count, bool parallel)
{
    PtsLoop loop = {.start = number(bench, 0),
                    .stop = number(bench, count),
                    .step = number(bench, 1),
                    .parallel = parallel,
                    .site = site};
    PtsSym index = PTS_SYM_NONE;
    check(bench, pts_loop_begin(bench->program, &loop, &index, &bench->error));
    while (pts_loop_next_path(bench->program)) {
        PtsAttributes at = window(bench, index, valid);
        PtsSlot part = emit(bench, PTS_OP_VIEW, &at, x, PTS_SLOT_NONE);
        PtsSlot sum = emit(bench, PTS_OP_ADD, NULL, part, part);
        at.shape_rank = at.valid_rank = 0;
        emit(bench, PTS_OP_ASSEMBLE, &at, sum, y);
    }
    check(bench, pts_loop_end(bench->program, &bench->error));
}

typedef enum Kind { PLAIN, TAILS, LOCAL, PARALLEL, KINDS } Kind;

static void record(Bench *bench, Kind kind)
{
    bench->program = pts_program_begin(bench->context, "bench", site, &bench->error);
    check(bench, bench->program != NULL);
    PtsSlot x = tensor(bench, "x", true);
    PtsSlot y = tensor(bench, "y", true);
    while (pts_program_next_path(bench->program)) {
        int64_t valid = kind == TAILS ? TILE - 3 : TILE;
        PtsSlot to = kind == LOCAL ? tensor(bench, "local", false) : y;
        body(bench, x, to, valid, kind == PARALLEL ? WINDOWS : ITERATIONS, kind == PARALLEL);
        if (kind == LOCAL) {
            body(bench, to, y, valid, WINDOWS, false);
        }
    }
    check(bench, pts_program_end(bench->program, &bench->error));
}

static double run(Bench *bench, Kind kind, float *in, float *out)
{
    PtsArgument arguments[2] = {{in, PTS_FP32, 2, {ROWS, TILE}, NULL},
                                {out, PTS_FP32, 2, {ROWS, TILE}, NULL}};
    double start = now();
    for (int i = 0; i < (kind == PARALLEL ? ITERATIONS / WINDOWS : 1); i++) {
        check(bench, pts_run(bench->program, 2, arguments, 1, NULL, &bench->error));
    }
    return now() - start;
}

static void open(Bench *bench, const PtsSoc *soc, unsigned sanitize)
{
    PtsOptions options = {.sanitize = sanitize};
    int64_t tile[2] = {TILE, TILE};
    bench->context = pts_context_new(soc, &options);
    check(bench, bench->context != NULL &&
                     pts_config_set_vector_tile(bench->context, 2, tile, &bench->error));
}

int main(int argc, char **argv)
{
    static const char *const names[KINDS] = {
        [PLAIN] = "view, add, assemble of 16x16 F32",
        [TAILS] = "the same with 13 valid rows",
        [LOCAL] = "the same by way of a local tensor",
        [PARALLEL] = "the same in parallel loops of 64",
    };
    static float in[ROWS * TILE], out[ROWS * TILE];
    Bench benches[2] = {{.context = NULL}, {.context = NULL}};
    PtsSoc soc;
    if (argc != 2 || !pts_soc_load(argv[1], &soc, &benches[0].error)) {
        fprintf(stderr, "usage: sim_sanitizer_bench FILE.soc\n");
        return 2;
    }
    open(&benches[0], &soc, 0);
    open(&benches[1], &soc, PTS_SANITIZE_ALL);
    for (Kind kind = PLAIN; kind < KINDS; kind++) {
        double best[2] = {1e9, 1e9};
        record(&benches[0], kind);
        record(&benches[1], kind);
        for (int round = 0; round < 2 * ROUNDS; round++) {
            double seconds = run(&benches[round % 2], kind, in, out);
            best[round % 2] = seconds < best[round % 2] ? seconds : best[round % 2];
        }
        printf("%-36s %7.3f s %7.3f s  x %.2f\n", names[kind], best[0], best[1], best[1] / best[0]);
        pts_program_free(benches[0].program);
        pts_program_free(benches[1].program);
    }
    pts_context_free(benches[0].context);
    pts_context_free(benches[1].context);
    return 0;
}
