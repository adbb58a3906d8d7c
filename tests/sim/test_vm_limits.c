/* The interpreter: which arguments it takes, and limits of time, memory and what is undefined. */
#include "vm_kernel.h"

#include <math.h>
#include <sys/mman.h>

/* Replaces the fixture's context by one with other options. */
static void reopen(Fixture *f, const PtsOptions *options)
{
    pts_program_free(f->program);
    pts_context_free(f->context);
    f->context = pts_context_new(&f->soc, options);
    assert_non_null(f->context);
    int64_t tile[2] = {16, 16};
    assert_true(pts_config_set_vector_tile(f->context, 2, tile, &f->error));
    begin(f);
}

static void arguments_must_fit_the_recording(void **state)
{
    (void)state;
    Kernel k;
    open_kernel(&k, PTS_PROFILE_DEVICE);
    PtsSlot x, y;
    parameters(&k, &x, &y);
    assert_false(run(&k, NULL)); /* not finished */
    while (next_path(&k.f)) {
        move(&k.f, emit(&k.f, PTS_OP_NEG, NULL, 1, slot(x)), y);
    }
    end(&k.f);
    assert_false(pts_run(k.f.program, 1, k.arguments, 1, NULL, &k.f.error));
    k.arguments[0].shape[1] = COLUMNS - 1;
    assert_int_equal(run_badly(&k), 0xF77004);
    k.arguments[0].shape[1] = COLUMNS;
    k.arguments[0].dtype = PTS_INT32;
    assert_int_equal(run_badly(&k), 0xF00002);
    k.arguments[0].dtype = PTS_FP32;
    k.arguments[0].rank = 1;
    assert_int_equal(run_badly(&k), 0xF00002);
    k.arguments[0].rank = 2;
    k.arguments[0].data = NULL;
    assert_int_equal(run_badly(&k), 0xF00002);
    k.arguments[0].data = k.x;
    run_well(&k);
    fixture_close(&k.f);
}

static void an_output_in_read_only_memory_is_refused(void **state)
{
    (void)state;
    Kernel k;
    open_kernel(&k, PTS_PROFILE_DEVICE);
    PtsSlot x, y;
    parameters(&k, &x, &y);
    while (next_path(&k.f)) {
        move(&k.f, emit(&k.f, PTS_OP_NEG, NULL, 1, slot(x)), y);
    }
    end(&k.f);
    void *memory = mmap(NULL, sizeof k.y, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(memory != MAP_FAILED);
    k.arguments[1].data = memory;
    assert_int_equal(run_badly(&k), 0xF00003);
    assert_non_null(strstr(k.f.error.message, "read-only"));
    k.arguments[0].data = memory; /* an input may be */
    k.arguments[1].data = k.y;
    run_well(&k);
    assert_true(k.y[5] == 0.0f);
    munmap(memory, sizeof k.y);
    fixture_close(&k.f);
}

static void named_axes_must_agree(void **state)
{
    (void)state;
    Kernel k;
    open_kernel(&k, PTS_PROFILE_DEVICE);
    PtsSym shape[2] = {pts_parameter_dim(k.f.program, 0, 0, "n", &k.f.error),
                       number(&k.f, COLUMNS)};
    pts_parameter(k.f.program, PTS_FP32, 2, shape, PTS_ND, "x", here(2), &k.f.error);
    shape[0] = pts_parameter_dim(k.f.program, 1, 0, "n", &k.f.error);
    PtsSlot y = pts_parameter(k.f.program, PTS_FP32, 2, shape, PTS_ND, "y", here(2), &k.f.error);
    while (next_path(&k.f)) {
        assemble(&k.f, full(&k.f, PTS_FP32, 3, 1, COLUMNS), y, number(&k.f, 0), number(&k.f, 0));
    }
    end(&k.f);
    run_well(&k);
    k.arguments[0].shape[0] = 2;
    assert_int_equal(run_badly(&k), 0xF00002);
    assert_non_null(strstr(k.f.error.message, "has multiple concrete values: 2 and 4"));
    fixture_close(&k.f);
}

static void endless_loops_end(void **state)
{
    (void)state;
    Kernel k;
    open_kernel(&k, PTS_PROFILE_DEVICE);
    reopen(&k.f, &(PtsOptions){.max_trips = 1000});
    PtsSlot x, y;
    parameters(&k, &x, &y);
    while (next_path(&k.f)) {
        loop(&k.f, number(&k.f, 0), number(&k.f, 1001), 1);
        while (next_loop_path(&k.f)) {
            move(&k.f, emit(&k.f, PTS_OP_NEG, NULL, 1, slot(x)), y);
        }
        end_loop(&k.f);
    }
    end(&k.f);
    assert_int_equal(run_badly(&k), 0xF00003);
    fixture_close(&k.f);
}

/* 200 tensors of 4 MiB in a row within 16 MiB: each is given back after its last use. */
static void memory_goes_back_after_the_last_use(void **state)
{
    (void)state;
    enum { SIDE = 1024, STEPS = 200 };
    Fixture f;
    fixture_open(&f, "910B1", PTS_PROFILE_DEVICE);
    reopen(&f, &(PtsOptions){.max_bytes = 16 << 20});
    PtsSlot y = parameter(&f, PTS_FP32, "y", SIDE, SIDE, -1);
    while (next_path(&f)) {
        PtsSlot value = full(&f, PTS_FP32, 0, SIDE, SIDE);
        for (int i = 0; i < STEPS; i++) {
            value = emit(&f, PTS_OP_ADD, NULL, 2, slot(value), real(1));
        }
        move(&f, value, y);
    }
    end(&f);
    float *memory = calloc((size_t)SIDE * SIDE, sizeof *memory);
    assert_non_null(memory);
    PtsArgument argument = {.data = memory, .dtype = PTS_FP32, .rank = 2, .shape = {SIDE, SIDE}};
    if (!pts_run(f.program, 1, &argument, 1, NULL, &f.error)) {
        fail_msg("F%05X %s", f.error.code, f.error.message);
    }
    assert_true(memory[0] == STEPS && memory[SIDE * SIDE - 1] == STEPS);
    free(memory);
    fixture_close(&f);
}

/* Elements that nothing wrote reach an output: a finding, and an error in the strict profile. */
static void undefined_elements_are_noticed(void **state)
{
    (void)state;
    for (int strict = 0; strict < 2; strict++) {
        Kernel k;
        open_kernel(&k, strict ? PTS_PROFILE_STRICT : PTS_PROFILE_DEVICE);
        PtsSlot x, y;
        parameters(&k, &x, &y);
        while (next_path(&k.f)) {
            PtsSlot part = declare(&k.f, PTS_FP32, ROWS, COLUMNS, -1);
            assemble(&k.f, view(&k.f, x, 1, COLUMNS, number(&k.f, 0), number(&k.f, 0)), part,
                     number(&k.f, 1), number(&k.f, 0));
            move(&k.f, emit(&k.f, PTS_OP_ADD, NULL, 2, slot(part), real(1)), y);
        }
        bool ended = pts_program_end(k.f.program, &k.f.error);
        if (strict) {
            assert_true(!ended || run_badly(&k) == 0xF74007);
        } else {
            assert_true(ended);
            run_well(&k);
            assert_true(k.y[COLUMNS + 2] == 3.0f);
            assert_true(isnan(k.y[0]));
            bool found = false;
            for (size_t i = 0; i < pts_diagnostic_count(k.f.program); i++) {
                found =
                    found || strcmp(pts_diagnostic(k.f.program, i)->id, "undefined-output") == 0;
            }
            assert_true(found);
        }
        fixture_close(&k.f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments_must_fit_the_recording),
        cmocka_unit_test(an_output_in_read_only_memory_is_refused),
        cmocka_unit_test(named_axes_must_agree),
        cmocka_unit_test(endless_loops_end),
        cmocka_unit_test(memory_goes_back_after_the_last_use),
        cmocka_unit_test(undefined_elements_are_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
