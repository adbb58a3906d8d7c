/* How fast the simulator's numeric kernels are: small tiles, matrix products, conversions.
 * Usage: sim_kernels_bench [-c] [ISA]; prints one line per case, the best of several rounds. */
#include "sim/kernels.h"
#include "sim/kernels/loops.h"
#include "sim/threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 7, THREADS = 2 };

/* Wall-clock time, or with -c the processor time of all threads (for busy machines). */
static clockid_t clock_used = CLOCK_MONOTONIC;

static double now(void)
{
    struct timespec time;
    clock_gettime(clock_used, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static PtsTensor tensor_new(PtsDtype dtype, int64_t rows, int64_t columns)
{
    PtsTensor tensor = {.dtype = dtype,
                        .rank = 2,
                        .shape = {rows, columns},
                        .valid = {rows, columns},
                        .stride = {columns, 1}};
    size_t bytes = pts_dtype_bytes(dtype);
    tensor.data = malloc((size_t)(rows * columns) * bytes);
    if (tensor.data == NULL) {
        exit(1);
    }
    for (int64_t i = 0; i < rows * columns; i++) {
        pts_store_real((char *)tensor.data + (size_t)i * bytes, dtype,
                       (double)(i * 7919 % 101) / 50.0 - 1.0);
    }
    return tensor;
}

typedef struct Case {
    const char *name;
    PtsOp op;
    PtsDtype dtype, result;
    int64_t m, n, k; /* k > 0: matmul */
    int operands, threads, calls;
    int dim;
    bool b_trans;
} Case;

static const Case cases[] = {
    {"add 16x16 F32", PTS_OP_ADD, PTS_FP32, PTS_FP32, 16, 16, 0, 2, 1, 200000, 0, false},
    {"add 16x16 BF16", PTS_OP_ADD, PTS_BF16, PTS_BF16, 16, 16, 0, 2, 1, 100000, 0, false},
    {"exp 16x16 F32", PTS_OP_EXP, PTS_FP32, PTS_FP32, 16, 16, 0, 1, 1, 50000, 0, false},
    {"sum 16x16 F32, rows", PTS_OP_SUM, PTS_FP32, PTS_FP32, 16, 16, 0, 1, 1, 100000, 1, false},
    {"sum 16x16 F32, columns", PTS_OP_SUM, PTS_FP32, PTS_FP32, 16, 16, 0, 1, 1, 100000, 0, false},
    {"amax 16x16 F32, rows", PTS_OP_AMAX, PTS_FP32, PTS_FP32, 16, 16, 0, 1, 1, 100000, 1, false},
    {"cast 16x16 F32 to BF16", PTS_OP_CAST, PTS_FP32, PTS_BF16, 16, 16, 0, 1, 1, 100000, 0, false},
    {"transpose 16x16 F32", PTS_OP_TRANSPOSE, PTS_FP32, PTS_FP32, 16, 16, 0, 1, 1, 100000, 0,
     false},
    {"add 1024x1024 F32", PTS_OP_ADD, PTS_FP32, PTS_FP32, 1024, 1024, 0, 2, 1, 50, 0, false},
    {"add 1024x1024 BF16", PTS_OP_ADD, PTS_BF16, PTS_BF16, 1024, 1024, 0, 2, 1, 20, 0, false},
    {"exp 1024x1024 F32", PTS_OP_EXP, PTS_FP32, PTS_FP32, 1024, 1024, 0, 1, 1, 2, 0, false},
    {"exp 1024x1024 F32, threads", PTS_OP_EXP, PTS_FP32, PTS_FP32, 1024, 1024, 0, 1, THREADS, 2, 0,
     false},
    {"sum 1024x1024 F32, rows", PTS_OP_SUM, PTS_FP32, PTS_FP32, 1024, 1024, 0, 1, 1, 10, 1, false},
    {"transpose 1024x1024 F32", PTS_OP_TRANSPOSE, PTS_FP32, PTS_FP32, 1024, 1024, 0, 1, 1, 10, 0,
     false},
    {"matmul 16x16x16 F32", PTS_OP_MATMUL, PTS_FP32, PTS_FP32, 16, 16, 16, 2, 1, 20000, 0, false},
    {"matmul 128^3 F32", PTS_OP_MATMUL, PTS_FP32, PTS_FP32, 128, 128, 128, 2, 1, 200, 0, false},
    {"matmul 1024^3 F32", PTS_OP_MATMUL, PTS_FP32, PTS_FP32, 1024, 1024, 1024, 2, 1, 1, 0, false},
    {"matmul 1024^3 F32, threads", PTS_OP_MATMUL, PTS_FP32, PTS_FP32, 1024, 1024, 1024, 2, THREADS,
     1, 0, false},
    {"matmul 1024^3 F32 b_trans, threads", PTS_OP_MATMUL, PTS_FP32, PTS_FP32, 1024, 1024, 1024, 2,
     THREADS, 1, 0, true},
    {"matmul 1024^3 BF16, threads", PTS_OP_MATMUL, PTS_BF16, PTS_BF16, 1024, 1024, 1024, 2, THREADS,
     1, 0, false},
    {"matmul 1024^3 I8, threads", PTS_OP_MATMUL, PTS_INT8, PTS_INT32, 1024, 1024, 1024, 2, THREADS,
     1, 0, false},
    {"matmul 1024x4096x64 F32, threads", PTS_OP_MATMUL, PTS_FP32, PTS_FP32, 1024, 64, 4096, 2,
     THREADS, 1, 0, false},
};

static double measure(const Case *c, PtsKernelCall *call)
{
    double best = 1e9;
    PtsError error;
    for (int round = 0; round < ROUNDS; round++) {
        double start = now();
        for (int i = 0; i < c->calls; i++) {
            if (!pts_kernel_run(call, &error)) {
                fprintf(stderr, "%s: %s\n", c->name, error.message);
                exit(1);
            }
        }
        double seconds = (now() - start) / c->calls;
        best = seconds < best ? seconds : best;
    }
    return best;
}

static void run_case(const Case *c)
{
    PtsTensor a = tensor_new(c->dtype, c->m, c->k > 0 ? c->k : c->n);
    PtsTensor b = c->k == 0    ? tensor_new(c->dtype, c->m, c->n)
                  : c->b_trans ? tensor_new(c->dtype, c->n, c->k)
                               : tensor_new(c->dtype, c->k, c->n);
    PtsTensor result = tensor_new(c->result, c->m, c->n);
    if (c->op == PTS_OP_SUM || c->op == PTS_OP_AMAX) {
        result.shape[c->dim] = result.valid[c->dim] = 1;
    }
    PtsKernelOperand operands[2] = {{.tensor = &a, .is_given = true},
                                    {.tensor = &b, .is_given = true}};
    PtsKernelAttributes attributes = {
        .dim = c->dim, .dim1 = 1, .saturation = 1, .keepdim = true, .b_trans = c->b_trans};
    PtsKernelCall call = {.op = c->op,
                          .operand_count = c->operands,
                          .operands = operands,
                          .attributes = &attributes,
                          .result_count = 1,
                          .results = {&result},
                          .threads = c->threads};
    size_t scratch = pts_kernel_scratch(&call);
    call.scratch = malloc(scratch + 1);
    double seconds = measure(c, &call);
    if (c->k > 0) {
        printf("%-36s %10.3f us  %8.1f GFLOP/s\n", c->name, seconds * 1e6,
               2e-9 * (double)(c->m * c->n * c->k) / seconds);
    } else {
        printf("%-36s %10.3f us  %8.3f ns/element\n", c->name, seconds * 1e6,
               seconds * 1e9 / (double)(c->m * c->n));
    }
    free(call.scratch);
    free(a.data);
    free(b.data);
    free(result.data);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "-c") == 0) {
        clock_used = CLOCK_PROCESS_CPUTIME_ID;
        argv++;
        argc--;
    }
    if (argc > 1 && !pts_loops_select(argv[1])) {
        fprintf(stderr, "no such instruction set here: %s\n", argv[1]);
        return 2;
    }
    printf("instruction set: %s\n", pts_loops()->name);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_case(&cases[i]);
    }
    return 0;
}
