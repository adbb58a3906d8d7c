/* The sanitizer: races, word for word. Expected texts are worked out by hand. */
#include "sanitize_kernel.h"

/* y[step · i …] = 2 · x[4 · i …], four rows each, three iterations. */
static void windows_in_a_loop(Kernel *k, bool parallel, int64_t step)
{
    PtsLoop rows = {.start = number(&k->f, 0),
                    .stop = number(&k->f, 3),
                    .step = number(&k->f, 1),
                    .index_name = "i",
                    .parallel = parallel,
                    .site = here(20)};
    while (next_path(&k->f)) {
        PtsSym i;
        assert_true(pts_loop_begin(k->f.program, &rows, &i, &k->f.error));
        while (next_loop_path(&k->f)) {
            PtsSlot part = view(&k->f, k->in, 4, COLUMNS, times(&k->f, i, 4), number(&k->f, 0));
            assemble(&k->f, doubled(k, part), k->out, times(&k->f, i, step), number(&k->f, 0));
        }
        end_loop(&k->f);
    }
}

static void iterations_overlap(void **unused)
{
    (void)unused;
    Kernel k;
    open_kernel(&k, PTS_SANITIZE_ALL);
    windows_in_a_loop(&k, true, 3);
    expect(
        &k, "race",
        "y row 3 (of 0..11): line 10 (i = 0) writes, line 10 (i = 1) writes; iterations of a parallel "
        "loop have no order\n");
    open_kernel(&k, PTS_SANITIZE_ALL);
    windows_in_a_loop(&k, true, 4); /* beside each other */
    expect(&k, "race", "");
    open_kernel(&k, PTS_SANITIZE_ALL);
    windows_in_a_loop(&k, false, 3); /* in order */
    expect(&k, "race", "");
    open_kernel(&k, PTS_SANITIZE_INIT | PTS_SANITIZE_BOUNDS);
    windows_in_a_loop(&k, true, 3); /* not asked for */
    expect(&k, "race", "");
    open_kernel(&k, PTS_SANITIZE_ALL);
    memset(k.x, 0, sizeof k.x);
    windows_in_a_loop(&k, true, 3); /* the same bits, whichever comes first */
    expect(&k, "race", "");
}

/* One line adds to or writes row 0, another one in the same body. */
static void additions_have_no_order_with_writes(void **unused)
{
    (void)unused;
    /* i = 0 makes 0 + 2x and writes 2x; i = 1 makes 4x and would write 2x over it. */
    static const char *const texts[] = {
        "",
        "y row 0 (of 0..11): line 10 (i = 0) writes, line 10 (i = 1) adds; iterations of a parallel "
        "loop have no order\n"
        "y row 0 (of 0..11): line 10 (i = 0) writes, line 10 (i = 1) writes; iterations of a "
        "parallel loop have no order\n"
        "y row 0 (of 0..11): line 10 (i = 0) adds, line 10 (i = 1) writes; iterations of a parallel "
        "loop have no order\n"};
    for (int writes = 0; writes < 2; writes++) {
        Kernel k;
        open_kernel(&k, PTS_SANITIZE_RACES);
        PtsLoop loop_ = {.start = number(&k.f, 0),
                         .stop = number(&k.f, 2),
                         .step = number(&k.f, 1),
                         .index_name = "i",
                         .parallel = true,
                         .site = here(20)};
        PtsAttributes at = PTS_ATTRIBUTES;
        at.offset_rank = 2;
        at.offsets[0] = at.offsets[1] = number(&k.f, 0);
        while (next_path(&k.f)) {
            PtsSym i;
            assert_true(pts_loop_begin(k.f.program, &loop_, &i, &k.f.error));
            while (next_loop_path(&k.f)) {
                PtsSlot row = doubled(&k, rows_of(&k, k.in, 1, 1));
                emit(&k.f, PTS_OP_ATOMIC_ADD, &at, 2, slot(row), slot(k.out));
                if (writes) {
                    write_rows(&k, row, k.out, 0);
                }
            }
            end_loop(&k.f);
        }
        expect(&k, "race", texts[writes]);
    }
}

/* What is added comes from a local tensor, once all written, once with a row that is not. */
static void what_is_added_to_a_local_tensor_may_be_undefined(void **unused)
{
    (void)unused;
    for (int missing = 0; missing < 2; missing++) {
        Kernel k;
        open_kernel(&k, PTS_SANITIZE_ALL);
        PtsAttributes at = PTS_ATTRIBUTES;
        at.offset_rank = 2;
        at.offsets[0] = at.offsets[1] = number(&k.f, 0);
        while (next_path(&k.f)) {
            PtsSlot sum = declare(&k.f, PTS_FP32, ROWS, COLUMNS, -1);
            PtsSlot part = declare(&k.f, PTS_FP32, ROWS, COLUMNS, -1);
            write_rows(&k, rows_of(&k, k.in, ROWS, 0), sum, 0);
            write_rows(&k, rows_of(&k, k.in, ROWS - missing, 0), part, 0);
            emit(&k.f, PTS_OP_ATOMIC_ADD, &at, 2, slot(rows_of(&k, part, 1, ROWS - 1)), slot(sum));
            move(&k.f, doubled(&k, sum), k.out);
        }
        expect(&k, "unwritten-read",
               missing == 0
                   ? ""
                   : "local row 11 (of 0..11) was never written; the last write was line 10, "
                     "rows 0-10; what is computed from them reaches y\n");
    }
}

/* Each iteration reads what the one before it wrote into a local tensor. */
static void iterations_hand_over(void **unused)
{
    (void)unused;
    Kernel k;
    open_kernel(&k, PTS_SANITIZE_RACES);
    PtsLoop loop_ = {.start = number(&k.f, 0),
                     .stop = number(&k.f, 2),
                     .step = number(&k.f, 1),
                     .index_name = "i",
                     .parallel = true,
                     .site = here(20)};
    while (next_path(&k.f)) {
        PtsSym i;
        PtsSlot sum = full(&k.f, PTS_FP32, 0, 4, COLUMNS);
        assert_true(pts_slot_set_name(k.f.program, sum, "sum"));
        assert_true(pts_loop_begin(k.f.program, &loop_, &i, &k.f.error));
        while (next_loop_path(&k.f)) {
            PtsSlot part = rows_of(&k, k.in, 4, 0);
            move(&k.f, emit(&k.f, PTS_OP_ADD, NULL, 2, slot(sum), slot(part)), sum);
        }
        end_loop(&k.f);
        write_rows(&k, sum, k.out, 0);
    }
    expect(&k, "race",
           "sum: line 10 (i = 0) sets it, line 10 (i = 1) reads it; iterations of a parallel loop "
           "have no order\n"
           "sum is used here: line 10 (i = 0) and line 10 (i = 1) give it different values, and "
           "iterations of a parallel loop have no order\n");
}

/* A tensor of the outer body is filled in one inner loop and read in the next one. */
static void siblings(Kernel *k, bool submit)
{
    PtsLoop outer = {.start = number(&k->f, 0),
                     .stop = number(&k->f, 2),
                     .step = number(&k->f, 1),
                     .index_name = "o",
                     .site = here(20)};
    PtsLoop inner = outer;
    inner.stop = number(&k->f, 1);
    inner.index_name = "a";
    while (next_path(&k->f)) {
        PtsSym o, a;
        assert_true(pts_loop_begin(k->f.program, &outer, &o, &k->f.error));
        while (next_loop_path(&k->f)) {
            PtsSlot local = declare(&k->f, PTS_FP32, 4, COLUMNS, -1);
            assert_true(pts_loop_begin(k->f.program, &inner, &a, &k->f.error));
            while (next_loop_path(&k->f)) {
                write_rows(k, rows_of(k, k->in, 4, 0), local, 0);
            }
            end_loop(&k->f);
            inner.submit_before = submit;
            assert_true(pts_loop_begin(k->f.program, &inner, &a, &k->f.error));
            while (next_loop_path(&k->f)) {
                assemble(&k->f, doubled(k, local), k->out, times(&k->f, o, 4), number(&k->f, 0));
            }
            end_loop(&k->f);
            inner.submit_before = false;
        }
        end_loop(&k->f);
    }
}

static void inner_loops_overlap(void **unused)
{
    (void)unused;
    Kernel k;
    open_kernel(&k, PTS_SANITIZE_ALL);
    siblings(&k, false);
    expect(&k, "race",
           "local rows 0-3 of 4: line 10 (o = 0) reads, line 10 (o = 1) writes; iterations of the "
           "loop around may overlap on the device: the loop that reads needs "
           "submit_before_loop=True\n");
    open_kernel(&k, PTS_SANITIZE_ALL);
    siblings(&k, true);
    expect(&k, "race", "");
}

/* Two assembles of one body into rows 0 to 3 and 2 to 5. */
static void assembles_overlap(void **unused)
{
    (void)unused;
    static const char *const texts[] = {
        "",
        "y rows 2-3 of 12: line 10 writes, line 10 writes; assembles with parallel=True have no "
        "order\n",
        "y rows 2-3 of 12: line 10 writes, line 10 writes; PyPTO 9.1 gives assembles of one body "
        "no order\n"};
    for (int how = 0; how < 3; how++) {
        Kernel k;
        open_with(&k, &(PtsOptions){.sanitize = PTS_SANITIZE_ALL, .is_9_1 = how == 2});
        PtsAttributes at = PTS_ATTRIBUTES;
        at.offset_rank = 2;
        at.parallel = how == 1;
        at.offsets[1] = number(&k.f, 0);
        while (next_path(&k.f)) {
            PtsSlot part = doubled(&k, rows_of(&k, k.in, 4, 0));
            for (int i = 0; i < 2; i++) {
                at.offsets[0] = number(&k.f, 2 * i);
                emit(&k.f, PTS_OP_ASSEMBLE, &at, 2, slot(part), slot(k.out));
            }
        }
        expect(&k, "race", texts[how]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(iterations_overlap),
        cmocka_unit_test(additions_have_no_order_with_writes),
        cmocka_unit_test(what_is_added_to_a_local_tensor_may_be_undefined),
        cmocka_unit_test(iterations_hand_over),
        cmocka_unit_test(inner_loops_overlap),
        cmocka_unit_test(assembles_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
