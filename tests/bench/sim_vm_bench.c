/* How fast the simulator records and interprets, without Python: a million additions of 16×16
 * tiles, the same with a window read and written in each iteration, and recording 500 operations.
 * Usage: sim_vm_bench FILE.soc */
#include "sim/ptosim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TILE = 16, ITERATIONS = 1000000, RECORDED = 500, ROUNDS = 5, WINDOWS = 64 };

typedef struct Bench {
    PtsContext *context;
    PtsProgram *program;
    PtsError error;
} Bench;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void check(const Bench *bench, bool ok)
{
    if (!ok) {
        fprintf(stderr, "sim_vm_bench: %s\n", bench->error.message);
        exit(1);
    }
}

static const PtsSite site = {"bench", 1};

static PtsSym number(Bench *bench, int64_t value)
{
    return pts_sym_constant(bench->context, value, &bench->error);
}

static PtsSlot parameter(Bench *bench, int64_t rows, const char *name)
{
    PtsSym shape[2] = {number(bench, rows), number(bench, TILE)};
    return pts_parameter(bench->program, PTS_FP32, 2, shape, PTS_ND, name, site, &bench->error);
}

static PtsSlot emit(Bench *bench, PtsOp op, const PtsAttributes *attributes, PtsSlot a, PtsSlot b)
{
    PtsOperand operands[2] = {{.kind = PTS_OPERAND_SLOT, .slot = a},
                              {.kind = PTS_OPERAND_SLOT, .slot = b}};
    PtsSlot results[PTS_MAX_RESULTS] = {PTS_SLOT_NONE};
    int count = 0;
    int operand_count = b == PTS_SLOT_NONE ? 1 : 2;
    check(bench, pts_emit(bench->program, op, operand_count, operands, attributes, site, results,
                          &count, &bench->error));
    return results[0];
}

static void begin(Bench *bench)
{
    bench->program = pts_program_begin(bench->context, "bench", site, &bench->error);
    check(bench, bench->program != NULL);
}

static void run(Bench *bench, const char *what, float *in, float *out, int64_t rows)
{
    PtsArgument arguments[2] = {{in, PTS_FP32, 2, {rows, TILE}}, {out, PTS_FP32, 2, {rows, TILE}}};
    double best = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        double start = now();
        check(bench, pts_run(bench->program, 2, arguments, 1, NULL, &bench->error));
        double seconds = now() - start;
        best = seconds < best ? seconds : best;
    }
    printf("%-52s %8.3f s\n", what, best);
    pts_program_free(bench->program);
}

static PtsSym open_loop(Bench *bench)
{
    PtsLoop loop = {.start = number(bench, 0),
                    .stop = number(bench, ITERATIONS),
                    .step = number(bench, 1),
                    .site = site};
    PtsSym index = PTS_SYM_NONE;
    check(bench, pts_loop_begin(bench->program, &loop, &index, &bench->error));
    return index;
}

/* t = x + x, and nothing else. */
static void bench_adds(Bench *bench, float *in, float *out)
{
    begin(bench);
    PtsSlot x = parameter(bench, TILE, "x");
    PtsSlot y = parameter(bench, TILE, "y");
    while (pts_program_next_path(bench->program)) {
        open_loop(bench);
        while (pts_loop_next_path(bench->program)) {
            emit(bench, PTS_OP_ADD, NULL, x, x);
        }
        check(bench, pts_loop_end(bench->program, &bench->error));
        emit(bench, PTS_OP_MOVE, NULL, x, y);
    }
    check(bench, pts_program_end(bench->program, &bench->error));
    run(bench, "10^6 iterations: add of 16x16 F32", in, out, TILE);
}

/* y[window of i] = x[window of i] + x[window of i]. */
static void bench_windows(Bench *bench, float *in, float *out)
{
    begin(bench);
    PtsSlot x = parameter(bench, (int64_t)WINDOWS * TILE, "x");
    PtsSlot y = parameter(bench, (int64_t)WINDOWS * TILE, "y");
    while (pts_program_next_path(bench->program)) {
        PtsSym index = open_loop(bench);
        while (pts_loop_next_path(bench->program)) {
            PtsSym window = pts_sym_binary(bench->context, PTS_SYM_MOD, index,
                                           number(bench, WINDOWS), &bench->error);
            PtsAttributes at = PTS_ATTRIBUTES;
            at.shape_rank = at.offset_rank = 2;
            at.shape[0] = at.shape[1] = number(bench, TILE);
            at.offsets[0] = pts_sym_binary(bench->context, PTS_SYM_MUL, window, number(bench, TILE),
                                           &bench->error);
            at.offsets[1] = number(bench, 0);
            PtsSlot part = emit(bench, PTS_OP_VIEW, &at, x, PTS_SLOT_NONE);
            PtsSlot sum = emit(bench, PTS_OP_ADD, NULL, part, part);
            at.shape_rank = 0;
            emit(bench, PTS_OP_ASSEMBLE, &at, sum, y);
        }
        check(bench, pts_loop_end(bench->program, &bench->error));
    }
    check(bench, pts_program_end(bench->program, &bench->error));
    run(bench, "10^6 iterations: view, add, assemble of 16x16 F32", in, out,
        (int64_t)WINDOWS * TILE);
}

static void bench_recording(Bench *bench)
{
    double best = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        double start = now();
        begin(bench);
        PtsSlot x = parameter(bench, TILE, "x");
        PtsSlot y = parameter(bench, TILE, "y");
        while (pts_program_next_path(bench->program)) {
            PtsSlot sum = x;
            for (int i = 0; i < RECORDED; i++) {
                sum = emit(bench, PTS_OP_ADD, NULL, sum, x);
            }
            emit(bench, PTS_OP_MOVE, NULL, sum, y);
        }
        check(bench, pts_program_end(bench->program, &bench->error));
        double seconds = now() - start;
        best = seconds < best ? seconds : best;
        pts_program_free(bench->program);
    }
    printf("%-52s %8.3f ms\n", "recording 500 operations", best * 1e3);
}

int main(int argc, char **argv)
{
    Bench bench = {NULL, NULL, {.kind = PTS_CORE_ERROR}};
    PtsSoc soc;
    if (argc != 2) {
        fprintf(stderr, "usage: sim_vm_bench FILE.soc\n");
        return 2;
    }
    check(&bench, pts_soc_load(argv[1], &soc, &bench.error));
    bench.context = pts_context_new(&soc, NULL);
    check(&bench, bench.context != NULL);
    int64_t tile[2] = {TILE, TILE};
    check(&bench, pts_config_set_vector_tile(bench.context, 2, tile, &bench.error));
    float *in = calloc((size_t)WINDOWS * TILE * TILE, sizeof *in);
    float *out = calloc((size_t)WINDOWS * TILE * TILE, sizeof *out);
    check(&bench, in != NULL && out != NULL);
    bench_adds(&bench, in, out);
    bench_windows(&bench, in, out);
    bench_recording(&bench);
    pts_context_free(bench.context);
    free(in);
    free(out);
    return 0;
}
