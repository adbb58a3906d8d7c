/* A kernel with two parameters of four rows, and its runs. */
#ifndef PTOSIM_TEST_VM_KERNEL_H
#define PTOSIM_TEST_VM_KERNEL_H

#include "record_fixture.h"

enum { ROWS = 4, COLUMNS = 8, COUNT = ROWS * COLUMNS };

typedef struct Kernel {
    Fixture f;
    float x[COUNT], y[COUNT];
    PtsArgument arguments[2];
} Kernel;

static inline void count_up(float *values)
{
    for (int i = 0; i < COUNT; i++) {
        values[i] = (float)i;
    }
}

static inline void open_kernel(Kernel *k, PtsProfile profile)
{
    fixture_open(&k->f, "910B1", profile);
    count_up(k->x);
    memset(k->y, 0, sizeof k->y);
    k->arguments[0] =
        (PtsArgument){.data = k->x, .dtype = PTS_FP32, .rank = 2, .shape = {ROWS, COLUMNS}};
    k->arguments[1] =
        (PtsArgument){.data = k->y, .dtype = PTS_FP32, .rank = 2, .shape = {ROWS, COLUMNS}};
}

/* The usual two parameters. */
static inline void parameters(Kernel *k, PtsSlot *x, PtsSlot *y)
{
    *x = parameter(&k->f, PTS_FP32, "x", ROWS, COLUMNS, -1);
    *y = parameter(&k->f, PTS_FP32, "y", ROWS, COLUMNS, -1);
}

static inline bool run(Kernel *k, PtsStats *stats)
{
    return pts_run(k->f.program, 2, k->arguments, 1, stats, &k->f.error);
}

static inline void run_well(Kernel *k)
{
    if (!run(k, NULL)) {
        fail_msg("F%05X %s", k->f.error.code, k->f.error.message);
    }
}

static inline uint32_t run_badly(Kernel *k)
{
    assert_false(run(k, NULL));
    return k->f.error.code;
}

#endif
