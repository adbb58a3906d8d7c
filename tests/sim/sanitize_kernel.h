/* A kernel with two parameters of twelve rows under the sanitizer, and what it says. Operations are
 * in line 10 (record_fixture.c). */
#ifndef PTOSIM_TEST_SANITIZE_KERNEL_H
#define PTOSIM_TEST_SANITIZE_KERNEL_H

#include "record_fixture.h"

#include <stdio.h>

enum { ROWS = 12, COLUMNS = 8, COUNT = ROWS * COLUMNS };

typedef struct Kernel {
    Fixture f;
    float x[COUNT], y[COUNT];
    PtsArgument arguments[2];
    PtsSlot in, out;
} Kernel;

static inline void open_with(Kernel *k, const PtsOptions *options)
{
    fixture_open(&k->f, "910B1", PTS_PROFILE_DEVICE);
    pts_program_free(k->f.program);
    pts_context_free(k->f.context);
    k->f.context = pts_context_new(&k->f.soc, options);
    assert_non_null(k->f.context);
    int64_t tile[2] = {16, 16};
    assert_true(pts_config_set_vector_tile(k->f.context, 2, tile, &k->f.error));
    begin(&k->f);
    for (int i = 0; i < COUNT; i++) {
        k->x[i] = (float)i;
        k->y[i] = 0;
    }
    k->arguments[0] = (PtsArgument){k->x, PTS_FP32, 2, {ROWS, COLUMNS}, NULL};
    k->arguments[1] = (PtsArgument){k->y, PTS_FP32, 2, {ROWS, COLUMNS}, NULL};
    k->in = parameter(&k->f, PTS_FP32, "x", ROWS, COLUMNS, -1);
    k->out = parameter(&k->f, PTS_FP32, "y", ROWS, COLUMNS, -1);
}

static inline void open_kernel(Kernel *k, unsigned kinds)
{
    open_with(k, &(PtsOptions){.sanitize = kinds});
}

static inline bool run(Kernel *k)
{
    end(&k->f);
    return pts_run(k->f.program, 2, k->arguments, 1, NULL, &k->f.error);
}

/* The messages with that id, one a line. */
static const char *told(const Kernel *k, const char *id)
{
    static char text[2048];
    size_t length = 0;
    *text = '\0';
    for (size_t i = 0; i < pts_diagnostic_count(k->f.program); i++) {
        const PtsDiagnostic *item = pts_diagnostic(k->f.program, i);
        if (strcmp(item->id, id) == 0) {
            length += (size_t)snprintf(text + length, sizeof text - length, "%s\n", item->message);
            assert_true(length < sizeof text);
        }
    }
    return text;
}

static inline void expect(Kernel *k, const char *id, const char *text)
{
    if (!run(k)) {
        fail_msg("F%05X %s", k->f.error.code, k->f.error.message);
    }
    assert_string_equal(told(k, id), text);
    fixture_close(&k->f);
}

static inline PtsSlot doubled(Kernel *k, PtsSlot slot_)
{
    return emit(&k->f, PTS_OP_ADD, NULL, 2, slot(slot_), slot(slot_));
}

static inline PtsSlot rows_of(Kernel *k, PtsSlot source, int64_t rows, int64_t first)
{
    return view(&k->f, source, rows, COLUMNS, number(&k->f, first), number(&k->f, 0));
}

static inline void write_rows(Kernel *k, PtsSlot source, PtsSlot target, int64_t first)
{
    assemble(&k->f, source, target, number(&k->f, first), number(&k->f, 0));
}

#endif
