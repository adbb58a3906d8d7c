/* Operations that move elements: small cases by hand, permutations and joins against indexing. */
#include "kernel_fixture.h"

#include "sim/threads.h"

#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static void number(PtsTensor *tensor)
{
    for (int64_t i = 0; i < tensor_elements(tensor); i++) {
        pts_store_integer((char *)tensor->data + (size_t)i * pts_dtype_bytes(tensor->dtype),
                          tensor->dtype, i);
    }
}

static int64_t value_at(const PtsTensor *tensor, const int64_t *index)
{
    int64_t offset = 0;
    for (int i = 0; i < tensor->rank; i++) {
        offset += index[i] * tensor->stride[i];
    }
    return pts_load_integer((char *)tensor->data + offset * (int64_t)pts_dtype_bytes(tensor->dtype),
                            tensor->dtype);
}

/* Are the elements those of the operand with permuted subscripts? */
static void check_permutation(const PtsTensor *result, const PtsTensor *operand, const int *axes)
{
    int rank = result->rank;
    for (int64_t e = 0; e < tensor_elements(result); e++) {
        int64_t to[PTS_MAX_RANK];
        int64_t from[PTS_MAX_RANK];
        for (int i = 0; i < rank; i++) {
            to[i] = e / result->stride[i] % result->shape[i];
            from[axes[i]] = to[i];
        }
        assert_int_equal(value_at(result, to), value_at(operand, from));
    }
}

static void permutations_of_all_ranks(void **unused)
{
    static const PtsDtype dtypes[] = {PTS_INT8, PTS_INT16, PTS_INT32, PTS_INT64};
    (void)unused;
    for (int round = 0; round < 2000; round++) {
        int rank = 1 + (int)(next_random() % 5);
        PtsDtype dtype = dtypes[round % 4];
        int64_t shape[PTS_MAX_RANK];
        int64_t permuted[PTS_MAX_RANK];
        int axes[PTS_MAX_RANK] = {0, 1, 2, 3, 4};
        PtsKernelAttributes attributes = {.shape_rank = rank};
        for (int i = rank - 1; i > 0; i--) {
            int other = (int)(next_random() % (uint32_t)(i + 1));
            int axis = axes[i];
            axes[i] = axes[other];
            axes[other] = axis;
        }
        for (int i = 0; i < rank; i++) {
            shape[i] = 1 + next_random() % (rank < 3 ? 70 : 7);
        }
        for (int i = 0; i < rank; i++) {
            permuted[i] = shape[axes[i]];
            attributes.shape[i] = round % 2 == 0 ? axes[i] : axes[i] - rank;
        }
        PtsTensor a = tensor_new(dtype, rank, shape);
        PtsTensor c = tensor_new(dtype, rank, permuted);
        number(&a);
        RUN(PTS_OP_PERMUTE, &attributes, &c, &a);
        check_permutation(&c, &a, axes);
        tensor_free(&a);
        tensor_free(&c);
    }
}

static void transposition(void **unused)
{
    PtsTensor a = NEW(PTS_INT32, 3, 100, 65);
    PtsTensor c = NEW(PTS_INT32, 3, 65, 100);
    PtsKernelAttributes attributes = {.dim = 1, .dim1 = 2};
    (void)unused;
    number(&a);
    RUN(PTS_OP_TRANSPOSE, &attributes, &c, &a);
    check_permutation(&c, &a, (const int[]){0, 2, 1});
    tensor_free(&a);
    tensor_free(&c);
}

static void joining(void **unused)
{
    int16_t x[] = {1, 2, 3, 4};
    int16_t y[] = {5, 6};
    int16_t out[6];
    PtsTensor a = OVER(x, PTS_INT16, 2, 2);
    PtsTensor b = OVER(y, PTS_INT16, 2, 1);
    PtsTensor c = OVER(out, PTS_INT16, 2, 3);
    PtsKernelAttributes columns = {.dim = 1};
    (void)unused;
    RUN(PTS_OP_CONCAT, &columns, &c, &a, &b);
    const int16_t expected[] = {1, 2, 5, 3, 4, 6};
    assert_memory_equal(out, expected, sizeof out);
    PtsTensor row = OVER(y, PTS_INT16, 1, 2);
    PtsTensor d = OVER(out, PTS_INT16, 3, 2);
    RUN(PTS_OP_CONCAT, NULL, &d, &row, &a);
    const int16_t rows[] = {5, 6, 1, 2, 3, 4};
    assert_memory_equal(out, rows, sizeof out);
}

static void expansion(void **unused)
{
    uint8_t x[] = {1, 2};
    uint8_t out[6];
    PtsTensor a = OVER(x, PTS_UINT8, 2, 1);
    PtsTensor c = OVER(out, PTS_UINT8, 2, 3);
    (void)unused;
    RUN(PTS_OP_EXPAND_CLONE, NULL, &c, &a);
    const uint8_t expected[] = {1, 1, 1, 2, 2, 2};
    assert_memory_equal(out, expected, sizeof out);
}

static void padding_fills_what_is_not_valid(void **unused)
{
    float x[] = {1, 2, 3, 4};
    float out[6];
    PtsError error;
    PtsTensor a = OVER(x, PTS_FP32, 2, 2);
    PtsTensor c = OVER(out, PTS_FP32, 2, 3);
    (void)unused;
    a.valid[0] = 1;
    PtsKernelOperand operands[2] = {operand(&a), real_operand(PTS_FP32, 9)};
    assert_true(run_kernel(PTS_OP_PAD, NULL, 2, operands, &c, NULL, &error));
    const float expected[] = {1, 2, 9, 9, 9, 9};
    assert_memory_equal(out, expected, sizeof out);
    c = OVER(out, PTS_FP32, 2, 2);
    assert_true(run_kernel(PTS_OP_FILLPAD, NULL, 2, operands, &c, NULL, &error));
    const float filled[] = {1, 2, 9, 9};
    assert_memory_equal(out, filled, sizeof filled);
}

static void triangles(void **unused)
{
    (void)unused;
    for (int64_t diagonal = -6; diagonal <= 6; diagonal++) {
        for (int lower = 0; lower < 2; lower++) {
            PtsTensor a = NEW(PTS_INT32, 2, 4, 5);
            PtsTensor c = NEW(PTS_INT32, 2, 4, 5);
            number(&a);
            PtsKernelAttributes attributes = {.diagonal = diagonal};
            RUN(lower ? PTS_OP_TRIL : PTS_OP_TRIU, &attributes, &c, &a);
            for (int64_t e = 0; e < 40; e++) {
                int64_t off = e % 5 - e / 5 % 4;
                bool is_kept = lower ? off <= diagonal : off >= diagonal;
                assert_int_equal(((int32_t *)c.data)[e], is_kept ? e : 0);
            }
            tensor_free(&a);
            tensor_free(&c);
        }
    }
}

static void constants(void **unused)
{
    uint16_t out[4];
    uint8_t truths[2];
    int32_t whole[2];
    PtsError error;
    PtsTensor c = OVER(out, PTS_FP16, 2, 2);
    PtsTensor t = OVER(truths, PTS_BOOL, 2);
    PtsTensor w = OVER(whole, PTS_INT32, 2);
    (void)unused;
    memset(out, 0, sizeof out);
    c.valid[1] = 1;
    PtsKernelOperand value = real_operand(PTS_FP16, 1.5);
    assert_true(run_kernel(PTS_OP_FULL, NULL, 1, &value, &c, NULL, &error));
    const uint16_t halves[] = {0x3E00, 0, 0x3E00, 0};
    assert_memory_equal(out, halves, sizeof out);
    value = integer_operand(PTS_INT32, 7);
    assert_true(run_kernel(PTS_OP_FULL, NULL, 1, &value, &t, NULL, &error));
    assert_true(truths[0] == 1 && truths[1] == 1);
    value = real_operand(PTS_FP32, -2.75);
    assert_true(run_kernel(PTS_OP_FULL, NULL, 1, &value, &w, NULL, &error));
    assert_int_equal(whole[1], -2);
}

static void progressions(void **unused)
{
    int32_t whole[3];
    float real[4];
    PtsError error;
    PtsTensor w = OVER(whole, PTS_INT32, 3);
    PtsTensor r = OVER(real, PTS_FP32, 4);
    (void)unused;
    PtsKernelOperand steps[3] = {integer_operand(PTS_INT32, 7), integer_operand(PTS_INT32, 1),
                                 integer_operand(PTS_INT32, -2)};
    assert_true(run_kernel(PTS_OP_ARANGE, NULL, 3, steps, &w, NULL, &error));
    assert_true(whole[0] == 7 && whole[1] == 5 && whole[2] == 3);
    PtsKernelOperand end[3] = {
        {.is_given = false}, integer_operand(PTS_INT32, 3), {.is_given = false}};
    assert_true(run_kernel(PTS_OP_ARANGE, NULL, 3, end, &w, NULL, &error));
    assert_true(whole[0] == 0 && whole[2] == 2);
    PtsKernelOperand two[3] = {integer_operand(PTS_INT32, 5), integer_operand(PTS_INT32, 8),
                               integer_operand(PTS_INT32, 100)}; /* not an operand of the call */
    assert_true(run_kernel(PTS_OP_ARANGE, NULL, 2, two, &w, NULL, &error));
    assert_true(whole[0] == 5 && whole[1] == 6 && whole[2] == 7);
    PtsKernelOperand floats[3] = {real_operand(PTS_FP32, 1), real_operand(PTS_FP32, 2),
                                  real_operand(PTS_FP32, 0.25)};
    assert_true(run_kernel(PTS_OP_ARANGE, NULL, 3, floats, &r, NULL, &error));
    assert_true(real[0] == 1 && real[3] == 1.75F);
}

static void interleaving(void **unused)
{
    int8_t x[] = {1, 2, 3, 4};
    int8_t y[] = {5, 6, 7, 8};
    int8_t first[4];
    int8_t second[4];
    PtsError error;
    PtsTensor a = OVER(x, PTS_INT8, 1, 4);
    PtsTensor b = OVER(y, PTS_INT8, 1, 4);
    PtsTensor c = OVER(first, PTS_INT8, 1, 4);
    PtsTensor d = OVER(second, PTS_INT8, 1, 4);
    (void)unused;
    PtsKernelOperand both[2] = {operand(&a), operand(&b)};
    assert_true(run_kernel(PTS_OP_INTERLEAVE, NULL, 2, both, &c, &d, &error));
    assert_memory_equal(first, ((int8_t[]){1, 5, 2, 6}), 4);
    assert_memory_equal(second, ((int8_t[]){3, 7, 4, 8}), 4);
    PtsKernelOperand merged[2] = {operand(&c), operand(&d)};
    assert_true(run_kernel(PTS_OP_DEINTERLEAVE, NULL, 2, merged, &a, &b, &error));
    assert_memory_equal(x, ((int8_t[]){1, 2, 3, 4}), 4);
    assert_memory_equal(y, ((int8_t[]){5, 6, 7, 8}), 4);
    PtsTensor half_a = OVER(x, PTS_INT8, 1, 2);
    PtsTensor half_b = OVER(y, PTS_INT8, 1, 2);
    assert_true(run_kernel(PTS_OP_DEINTERLEAVE, NULL, 1, merged, &half_a, &half_b, &error));
    assert_true(x[0] == 1 && x[1] == 2 && y[0] == 5 && y[1] == 6);
}

static void masks(void **unused)
{
    static const struct {
        int mode, count;
        int16_t expected[8];
    } cases[] = {{1, 4, {0, 2, 4, 6}},
                 {2, 4, {1, 3, 5, 7}},
                 {3, 2, {0, 4}},
                 {4, 2, {1, 5}},
                 {5, 2, {2, 6}},
                 {6, 2, {3, 7}},
                 {7, 8, {0, 1, 2, 3, 4, 5, 6, 7}}};
    int16_t x[] = {0, 1, 2, 3, 4, 5, 6, 7};
    int16_t out[8];
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        PtsTensor a = OVER(x, PTS_INT16, 1, 8);
        PtsTensor c = OVER(out, PTS_INT16, 1, cases[i].count);
        PtsKernelAttributes attributes = {.mode = cases[i].mode};
        RUN(PTS_OP_GATHERMASK, &attributes, &c, &a);
        assert_memory_equal(out, cases[i].expected, (size_t)cases[i].count * 2);
    }
}

static void adding_into_a_window(void **unused)
{
    float x[] = {1, 2, 3, 4};
    float out[9] = {0};
    PtsError error;
    PtsTensor a = OVER(x, PTS_FP32, 2, 2);
    PtsTensor c = OVER(out, PTS_FP32, 3, 3);
    PtsKernelAttributes attributes = {.offset_rank = 2, .offsets = {1, 1}};
    PtsKernelOperand operands[2] = {operand(&a), operand(&c)};
    (void)unused;
    assert_true(run_kernel(PTS_OP_ATOMIC_ADD, &attributes, 2, operands, &c, NULL, &error));
    assert_true(run_kernel(PTS_OP_ATOMIC_ADD, &attributes, 2, operands, &c, NULL, &error));
    const float expected[] = {0, 0, 0, 0, 2, 4, 0, 6, 8};
    assert_memory_equal(out, expected, sizeof out);
    attributes.offsets[1] = 2;
    assert_false(run_kernel(PTS_OP_ATOMIC_ADD, &attributes, 2, operands, &c, NULL, &error));
    assert_int_equal(error.code, 0xF74006);
}

static void unknown_operations(void **unused)
{
    PtsError error;
    float x = 1;
    PtsTensor a = OVER(&x, PTS_FP32, 1);
    PtsKernelOperand in = operand(&a);
    (void)unused;
    assert_true(pts_kernel_exists(PTS_OP_ADD));
    assert_false(pts_kernel_exists(PTS_OP_VERIFY));
    assert_false(pts_kernel_exists((PtsOp)-1));
    assert_false(pts_kernel_exists(PTS_OP_COUNT));
    assert_false(run_kernel(PTS_OP_VERIFY, NULL, 1, &in, &a, NULL, &error));
    assert_int_equal(error.kind, PTS_NOT_IMPLEMENTED);
}

/* ---- the thread pool ---- */

enum { ITEMS = 100000 };

static void count_item(void *context, int64_t from, int64_t to, int worker)
{
    atomic_uchar *seen = context;
    assert_in_range(worker, 0, PTS_MAX_THREADS - 1);
    for (int64_t i = from; i < to; i++) {
        atomic_fetch_add(&seen[i], 1);
    }
}

static void nested(void *context, int64_t from, int64_t to, int worker)
{
    (void)worker;
    for (int64_t i = from; i < to; i++) {
        pts_parallel(4, ITEMS / 10, count_item, (atomic_uchar *)context + i * (ITEMS / 10));
    }
}

static void check_all_seen_once(atomic_uchar *seen)
{
    for (int i = 0; i < ITEMS; i++) {
        if (seen[i] != 1) {
            fail_msg("item %d was seen %d times", i, seen[i]);
        }
        seen[i] = 0;
    }
}

static void every_item_is_done_once(void **unused)
{
    static atomic_uchar seen[ITEMS];
    (void)unused;
    for (int threads = 0; threads < 9; threads++) {
        pts_parallel(threads, ITEMS, count_item, seen);
        check_all_seen_once(seen);
    }
    for (int round = 0; round < 500; round++) {
        pts_parallel(3, 2, count_item, seen);
        assert_true(seen[0] == 1 && seen[1] == 1 && seen[2] == 0);
        seen[0] = seen[1] = 0;
    }
    pts_parallel(3, 10, nested, seen);
    check_all_seen_once(seen);
    pts_parallel(3, 0, count_item, seen);
    assert_true(seen[0] == 0);
}

static void a_child_process_has_its_own_helpers(void **unused)
{
    static atomic_uchar seen[ITEMS];
    (void)unused;
    pts_parallel(3, ITEMS, count_item, seen);
    check_all_seen_once(seen);
    pid_t child = fork();
    if (child == 0) {
        alarm(20);
        pts_parallel(3, ITEMS, count_item, seen);
        for (int i = 0; i < ITEMS; i++) {
            if (seen[i] != 1) {
                _exit(1);
            }
        }
        _exit(0);
    }
    int status;
    assert_true(waitpid(child, &status, 0) == child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(permutations_of_all_ranks),
        cmocka_unit_test(transposition),
        cmocka_unit_test(joining),
        cmocka_unit_test(expansion),
        cmocka_unit_test(padding_fills_what_is_not_valid),
        cmocka_unit_test(triangles),
        cmocka_unit_test(constants),
        cmocka_unit_test(progressions),
        cmocka_unit_test(interleaving),
        cmocka_unit_test(masks),
        cmocka_unit_test(adding_into_a_window),
        cmocka_unit_test(unknown_operations),
        cmocka_unit_test(every_item_is_done_once),
        cmocka_unit_test(a_child_process_has_its_own_helpers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
