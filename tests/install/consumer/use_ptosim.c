/* Records y = x + 1.5 for 2×16 numbers and runs it; the argument names a hardware description. */
#include <ptosim/ptosim.h>

#include <stdio.h>

enum { ROWS = 2, COLUMNS = 16 };

static bool record(PtsContext *context, PtsProgram *program, PtsError *error)
{
    const PtsSite site = {"use_ptosim.c", 1};
    PtsSym shape[2] = {pts_sym_constant(context, ROWS, error),
                       pts_sym_constant(context, COLUMNS, error)};
    PtsSlot x = pts_parameter(program, PTS_FP32, 2, shape, PTS_ND, "x", site, error);
    PtsSlot y = pts_parameter(program, PTS_FP32, 2, shape, PTS_ND, "y", site, error);
    PtsSlot results[PTS_MAX_RESULTS];
    int count = 0;
    while (pts_program_next_path(program)) {
        const PtsOperand terms[] = {{.kind = PTS_OPERAND_SLOT, .slot = x},
                                    {.kind = PTS_OPERAND_FLOAT, .element = {.real = 1.5}}};
        pts_emit(program, PTS_OP_ADD, 2, terms, NULL, site, results, &count, error);
        const PtsOperand move[] = {{.kind = PTS_OPERAND_SLOT, .slot = results[0]},
                                   {.kind = PTS_OPERAND_SLOT, .slot = y}};
        pts_emit(program, PTS_OP_MOVE, 2, move, NULL, site, results, &count, error);
    }
    return pts_program_end(program, error);
}

static bool run(PtsContext *context, float *x, float *y, PtsError *error)
{
    const int64_t tile[] = {ROWS, COLUMNS};
    if (!pts_config_set_vector_tile(context, 2, tile, error)) {
        return false;
    }
    PtsProgram *program = pts_program_begin(context, "add", (PtsSite){"use_ptosim.c", 1}, error);
    const PtsArgument arguments[] = {
        {.data = x, .dtype = PTS_FP32, .rank = 2, .shape = {ROWS, COLUMNS}},
        {.data = y, .dtype = PTS_FP32, .rank = 2, .shape = {ROWS, COLUMNS}}};
    bool ok = program != NULL && record(context, program, error) &&
              pts_run(program, 2, arguments, 1, NULL, error);
    pts_program_free(program);
    return ok;
}

int main(int argc, char **argv)
{
    float x[ROWS * COLUMNS], y[ROWS * COLUMNS] = {0};
    PtsSoc soc;
    PtsError error = {.message = "usage: use_ptosim SOC"};
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        x[i] = (float)i;
    }
    PtsContext *context =
        argc == 2 && pts_soc_load(argv[1], &soc, &error) ? pts_context_new(&soc, NULL) : NULL;
    if (context == NULL || !run(context, x, y, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    pts_context_free(context);
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        if (y[i] != (float)i + 1.5F) {
            fprintf(stderr, "y[%d] is %g\n", i, (double)y[i]);
            return 1;
        }
    }
    printf("x + 1.5\n");
    return 0;
}
