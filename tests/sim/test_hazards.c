/* What the recorder finds doubtful in a kernel: cycles, loops without an order, symbols and outputs
 * that nothing sets, results of reshape. */
#include "record_fixture.h"

static void read_then_assemble_is_a_cycle(void **state)
{
    Fixture f;
    (void)state;
    fixture_open(&f, "910B1", PTS_PROFILE_DEVICE);
    PtsSlot out = parameter(&f, PTS_FP32, "out", 32, 16, -1);
    PtsAttributes at = PTS_ATTRIBUTES;
    at.offset_rank = 2;
    at.offsets[0] = at.offsets[1] = number(&f, 0);
    while (next_path(&f)) {
        PtsSlot part = view(&f, out, 16, 16, number(&f, 0), number(&f, 0));
        assert_int_equal(emit_error(&f, PTS_OP_ASSEMBLE, &at, 2, slot(part), slot(out)), 0xF21009);
    }
    again(&f); /* in two loops it is none, and after a move it is none */
    out = parameter(&f, PTS_FP32, "out", 32, 16, -1);
    while (next_path(&f)) {
        PtsSlot part = view(&f, out, 16, 16, number(&f, 0), number(&f, 0));
        PtsSlot copy = declare(&f, PTS_FP32, 16, 16, -1);
        move(&f, emit(&f, PTS_OP_EXP, NULL, 1, slot(part)), copy);
        loop(&f, number(&f, 0), number(&f, 1), 1);
        while (next_loop_path(&f)) {
            assemble(&f, copy, out, number(&f, 0), number(&f, 0));
            view(&f, out, 16, 16, number(&f, 0), number(&f, 0));
        }
        end_loop(&f);
    }
    end(&f);
    fixture_close(&f);
}

static const char *only_finding(const Fixture *f)
{
    size_t count = pts_diagnostic_count(f->program);
    return count == 0 ? "" : count == 1 ? pts_diagnostic(f->program, 0)->id : "several";
}

static void sibling_loops_are_told(void **state)
{
    (void)state;
    for (int submit = 0; submit < 2; submit++) {
        Fixture f;
        fixture_open(&f, "910B1", PTS_PROFILE_DEVICE);
        PtsSlot out = parameter(&f, PTS_FP32, "out", 16, 16, -1);
        while (next_path(&f)) {
            loop(&f, number(&f, 0), number(&f, 4), 1);
            while (next_loop_path(&f)) {
                PtsSlot t = declare(&f, PTS_FP32, 16, 16, -1);
                loop(&f, number(&f, 0), number(&f, 2), 1);
                while (next_loop_path(&f)) {
                    move(&f, full(&f, PTS_FP32, 1, 16, 16), t);
                }
                end_loop(&f);
                PtsLoop second = {.start = number(&f, 0),
                                  .stop = number(&f, 2),
                                  .step = number(&f, 1),
                                  .submit_before = submit == 1};
                PtsSym index;
                assert_true(pts_loop_begin(f.program, &second, &index, &f.error));
                while (next_loop_path(&f)) {
                    move(&f, emit(&f, PTS_OP_EXP, NULL, 1, slot(t)), out);
                }
                end_loop(&f);
            }
            end_loop(&f);
        }
        end(&f);
        assert_string_equal(only_finding(&f), submit == 1 ? "" : "sibling-loops");
        fixture_close(&f);
    }
}

static void parallel_accumulation_is_told(void **state)
{
    Fixture f;
    (void)state;
    fixture_open(&f, "910B1", PTS_PROFILE_DEVICE);
    PtsSlot out = parameter(&f, PTS_FP32, "out", 16, 16, -1);
    while (next_path(&f)) {
        PtsSlot sum = declare(&f, PTS_FP32, 16, 16, -1);
        move(&f, full(&f, PTS_FP32, 0, 16, 16), sum);
        PtsLoop parallel = {
            .start = number(&f, 0), .stop = number(&f, 4), .step = number(&f, 1), .parallel = true};
        PtsSym index;
        assert_true(pts_loop_begin(f.program, &parallel, &index, &f.error));
        while (next_loop_path(&f)) {
            move(&f, emit(&f, PTS_OP_ADD, NULL, 2, slot(sum), real(1)), sum);
        }
        end_loop(&f);
        move(&f, sum, out);
    }
    end(&f);
    assert_string_equal(only_finding(&f), "parallel-accumulation");
    fixture_close(&f);
}

static void unbound_symbols_are_told(void **state)
{
    (void)state;
    for (int used = 0; used < 2; used++) {
        Fixture f;
        fixture_open(&f, "910B1", PTS_PROFILE_DEVICE);
        PtsSym rows = pts_parameter_dim(f.program, 0, 0, "rows", &f.error);
        PtsSym shape[2] = {rows, number(&f, 16)};
        PtsSlot out =
            pts_parameter(f.program, PTS_FP32, 2, shape, PTS_ND, "out", here(2), &f.error);
        PtsSym other = pts_sym_symbol(f.context, "other", &f.error);
        while (next_path(&f)) {
            PtsSym stop =
                used == 1 ? pts_sym_binary(f.context, PTS_SYM_MAX, rows, other, &f.error) : rows;
            loop(&f, number(&f, 0), stop, 1);
            while (next_loop_path(&f)) {
                assemble(&f, full(&f, PTS_FP32, 1, 1, 16), out, number(&f, 0), number(&f, 0));
            }
            end_loop(&f);
        }
        end(&f);
        assert_string_equal(only_finding(&f), used == 1 ? "unbound-symbol" : "");
        fixture_close(&f);
    }
}

static void doubtful_results_are_told(void **state)
{
    Fixture f;
    (void)state;
    fixture_open(&f, "910B1", PTS_PROFILE_DEVICE);
    PtsSlot a = parameter(&f, PTS_FP32, "a", 16, 16, -1);
    PtsSlot out = parameter(&f, PTS_FP32, "out", 8, 32, -1);
    while (next_path(&f)) {
        PtsAttributes at = PTS_ATTRIBUTES;
        at.inplace = true;
        at.shape_rank = 2;
        at.shape[0] = number(&f, 8);
        at.shape[1] = number(&f, 32);
        move(&f, emit(&f, PTS_OP_RESHAPE, &at, 1, slot(a)), out);
    }
    end(&f);
    assert_string_equal(only_finding(&f), "reshape-output");
    again(&f);
    a = parameter(&f, PTS_FP32, "a", 16, 16, -1);
    out = parameter(&f, PTS_FP32, "out", 8, 32, -1);
    while (next_path(&f)) {
        PtsSlot part = view(&f, a, 8, 16, number(&f, 12), number(&f, 0)); /* 4 valid rows */
        PtsAttributes at = PTS_ATTRIBUTES;
        at.dim = 1;
        move(&f, emit(&f, PTS_OP_CONCAT, &at, 2, slot(part), slot(part)), out);
    }
    end(&f);
    assert_int_equal(pts_diagnostic_count(f.program), 2); /* for both tensors */
    assert_string_equal(pts_diagnostic(f.program, 0)->id, "concat-valid");
    again(&f);
    a = parameter(&f, PTS_FP32, "a", 16, 16, -1);
    while (next_path(&f)) {
        PtsSlot part = view(&f, a, 8, 16, number(&f, 12), number(&f, 0));
        PtsAttributes at = PTS_ATTRIBUTES;
        at.shape_rank = 1;
        at.shape[0] = number(&f, 128);
        move(&f, emit(&f, PTS_OP_RESHAPE, &at, 1, slot(part)), a);
    }
    end(&f);
    assert_string_equal(only_finding(&f), "reshape-gaps");
    fixture_close(&f);
}

static void unwritten_parameters_are_told(void **state)
{
    Fixture f;
    (void)state;
    fixture_open(&f, "910B1", PTS_PROFILE_DEVICE);
    PtsSlot a = parameter(&f, PTS_FP32, "a", 16, 16, -1);
    while (next_path(&f)) {
        emit(&f, PTS_OP_EXP, NULL, 1, slot(a));
    }
    end(&f);
    assert_string_equal(only_finding(&f), "no-output");
    again(&f);
    a = parameter(&f, PTS_FP32, "a", 16, 16, -1);
    parameter(&f, PTS_FP32, "y", 16, 16, -1);
    while (next_path(&f)) {
        move(&f, full(&f, PTS_FP32, 1, 16, 16), a);
    }
    end(&f);
    assert_string_equal(only_finding(&f), "never-written");
    fixture_close(&f);

    fixture_open(&f, "910B1", PTS_PROFILE_STRICT);
    parameter(&f, PTS_FP32, "a", 16, 16, -1);
    while (next_path(&f)) {
    }
    assert_false(pts_program_end(f.program, &f.error)); /* strict: an error */
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(read_then_assemble_is_a_cycle),
        cmocka_unit_test(sibling_loops_are_told),
        cmocka_unit_test(parallel_accumulation_is_told),
        cmocka_unit_test(doubtful_results_are_told),
        cmocka_unit_test(unbound_symbols_are_told),
        cmocka_unit_test(unwritten_parameters_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
