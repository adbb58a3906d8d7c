/* Symbolic integers: what must simplify, and random expressions against plain arithmetic. */
#include "record_fixture.h"

#include "model/sym.h"

#include <stdio.h>

typedef struct Syms {
    PtsContext *context;
    PtsSymTable *table;
    PtsSym i, t, n;
    PtsError error;
} Syms;

static int set_up(void **state)
{
    Syms *s = calloc(1, sizeof *s);
    s->context = pts_context_new(NULL, NULL);
    s->table = pts_context_symbols(s->context);
    s->i = pts_sym_new_atom(s->table, "i", &s->error);
    s->t = pts_sym_new_atom(s->table, "t", &s->error);
    s->n = pts_sym_new_atom(s->table, "n", &s->error);
    *state = s;
    return 0;
}

static int tear_down(void **state)
{
    Syms *s = *state;
    pts_context_free(s->context);
    free(s);
    return 0;
}

static PtsSym con(Syms *s, int64_t value)
{
    return pts_sym_constant(s->context, value, &s->error);
}

static PtsSym op(Syms *s, PtsSymOp op, PtsSym a, PtsSym b)
{
    PtsSym result = pts_sym_binary(s->context, op, a, b, &s->error);
    assert_int_not_equal(result, PTS_SYM_NONE);
    return result;
}

static void is_text(Syms *s, PtsSym a, const char *expected)
{
    char text[256];
    size_t length = pts_sym_text(s->context, a, text, sizeof text);
    assert_string_equal(text, expected);
    assert_int_equal(length, strlen(expected));
}

static void is_value(Syms *s, PtsSym a, int64_t expected)
{
    int64_t value;
    assert_true(pts_sym_value(s->context, a, &value));
    assert_int_equal(value, expected);
}

static void polynomials_are_canonical(void **state)
{
    Syms *s = *state;
    /* (i + 1)·t − i·t = t, for a symbolic t and for a number */
    PtsSym next = op(s, PTS_SYM_ADD, s->i, con(s, 1));
    PtsSym left = op(s, PTS_SYM_MUL, next, s->t), right = op(s, PTS_SYM_MUL, s->i, s->t);
    assert_int_equal(op(s, PTS_SYM_SUB, left, right), s->t);
    left = op(s, PTS_SYM_MUL, next, con(s, 64));
    right = op(s, PTS_SYM_MUL, s->i, con(s, 64));
    is_value(s, op(s, PTS_SYM_SUB, left, right), 64);
    /* (i + t)² = i² + 2·i·t + t² */
    PtsSym sum = op(s, PTS_SYM_ADD, s->i, s->t);
    PtsSym square = op(s, PTS_SYM_MUL, sum, sum);
    PtsSym parts = op(s, PTS_SYM_MUL, s->i, s->i);
    parts =
        op(s, PTS_SYM_ADD, parts, op(s, PTS_SYM_MUL, op(s, PTS_SYM_MUL, con(s, 2), s->t), s->i));
    parts = op(s, PTS_SYM_ADD, op(s, PTS_SYM_MUL, s->t, s->t), parts);
    assert_int_equal(square, parts);
    is_value(s, op(s, PTS_SYM_SUB, square, parts), 0);
    /* other than by sums, too: i/8·3 − 3·(i/8) */
    PtsSym eighth = op(s, PTS_SYM_DIV, s->i, con(s, 8));
    is_value(s,
             op(s, PTS_SYM_SUB, op(s, PTS_SYM_MUL, eighth, con(s, 3)),
                op(s, PTS_SYM_MUL, con(s, 3), eighth)),
             0);
    PtsSym rows = pts_sym_symbol(s->context, "rows", &s->error);
    assert_int_equal(pts_sym_symbol(s->context, "rows", &s->error), rows);
    assert_int_equal(pts_sym_kind(s->context, rows), PTS_SYM_SYMBOL);
}

static void quotients_and_extremes_fold(void **state)
{
    Syms *s = *state;
    is_value(s, op(s, PTS_SYM_DIV, con(s, -7), con(s, 2)), -3);
    is_value(s, op(s, PTS_SYM_MOD, con(s, -7), con(s, 2)), -1);
    PtsSym scaled = op(s, PTS_SYM_MUL, op(s, PTS_SYM_ADD, s->i, con(s, 2)), con(s, 16));
    assert_int_equal(op(s, PTS_SYM_DIV, scaled, con(s, 16)), op(s, PTS_SYM_ADD, s->i, con(s, 2)));
    is_value(s, op(s, PTS_SYM_MOD, scaled, con(s, 8)), 0);
    is_text(s, op(s, PTS_SYM_DIV, scaled, con(s, 3)), "(16*i + 32) / 3");
    /* min and max of expressions with a constant difference */
    PtsSym more = op(s, PTS_SYM_ADD, s->i, con(s, 3));
    assert_int_equal(op(s, PTS_SYM_MIN, more, s->i), s->i);
    assert_int_equal(op(s, PTS_SYM_MAX, s->i, more), more);
    PtsSym cut = op(s, PTS_SYM_MIN, s->i, con(s, 64));
    is_text(s, cut, "min(i, 64)");
    assert_int_equal(op(s, PTS_SYM_MIN, cut, con(s, 128)), cut);
    is_text(s, op(s, PTS_SYM_MIN, con(s, 32), cut), "min(i, 32)");
    assert_int_equal(op(s, PTS_SYM_MIN, con(s, 64), s->i), cut);
    /* 0 ≤ max(…, 0), so a second max with 0 changes nothing */
    PtsSym rest = op(s, PTS_SYM_MAX, op(s, PTS_SYM_SUB, s->n, s->i), con(s, 0));
    assert_int_equal(op(s, PTS_SYM_MAX, con(s, 0), rest), rest);
    PtsSym part = op(s, PTS_SYM_MIN, rest, con(s, 64));
    assert_int_equal(op(s, PTS_SYM_MAX, part, con(s, 0)), part);
}

static void comparisons_fold_and_negate(void **state)
{
    Syms *s = *state;
    is_value(s, op(s, PTS_SYM_LT, s->i, op(s, PTS_SYM_ADD, s->i, con(s, 1))), 1);
    is_value(s, op(s, PTS_SYM_NE, s->i, s->i), 0);
    PtsSym less = op(s, PTS_SYM_LT, s->i, s->n);
    assert_int_equal(op(s, PTS_SYM_GT, s->n, s->i), less);
    PtsSym negated = pts_sym_not(s->context, less, &s->error);
    assert_int_equal(negated, op(s, PTS_SYM_GE, s->i, s->n));
    assert_int_equal(pts_sym_not(s->context, negated, &s->error), less);
    is_text(s, pts_sym_not(s->context, s->i, &s->error), "i == 0");
    is_text(s, pts_sym_negate(s->context, s->i, &s->error), "-i");
}

static void errors_are_values(void **state)
{
    Syms *s = *state;
    assert_int_equal(pts_sym_binary(s->context, PTS_SYM_DIV, s->i, con(s, 0), &s->error),
                     PTS_SYM_NONE);
    assert_int_equal(s->error.code, 0xF00002);
    assert_int_equal(
        pts_sym_binary(s->context, PTS_SYM_ADD, con(s, INT64_MAX), con(s, 1), &s->error),
        PTS_SYM_NONE);
    assert_int_equal(pts_sym_binary(s->context, PTS_SYM_ADD, 123456789, s->i, &s->error),
                     PTS_SYM_NONE);
    assert_int_equal(s->error.kind, PTS_VALUE_ERROR);
    PtsSym power = s->i;
    for (int k = 0; k < 8 && power != PTS_SYM_NONE; k++) {
        power = pts_sym_binary(s->context, PTS_SYM_MUL, power, power, &s->error);
    }
    assert_int_equal(power, PTS_SYM_NONE); /* i to the power of 256 */
    int64_t values[3] = {0, 5, 0}, result;
    PtsSymValues atoms = {values, 3};
    PtsSym quotient = op(s, PTS_SYM_DIV, s->t, s->i);
    assert_false(pts_sym_evaluate(s->table, quotient, &atoms, &result, &s->error));
    assert_int_equal(s->error.code, 0xF00002);
    values[0] = INT64_MAX;
    PtsSym product = op(s, PTS_SYM_MUL, s->t, s->i);
    assert_false(pts_sym_evaluate(s->table, product, &atoms, &result, &s->error));
}

static void deep_expressions_stay_linear(void **state)
{
    Syms *s = *state;
    PtsSym a = s->i;
    for (int k = 0; k < 2000; k++) { /* as a tree this would have 2^2000 leaves */
        PtsSym twice = op(s, PTS_SYM_DIV, op(s, PTS_SYM_ADD, a, s->t), con(s, 2));
        a = op(s, PTS_SYM_MAX, op(s, PTS_SYM_MOD, twice, con(s, 1000)), twice);
    }
    int64_t values[3] = {77, 5, 0}, result;
    PtsSymValues atoms = {values, 3};
    assert_true(pts_sym_evaluate(s->table, a, &atoms, &result, &s->error));
    assert_int_equal(result, 5); /* the mean with 5 again and again ends at (5 + 5) / 2 or below */
    char text[64];
    assert_true(pts_sym_text(s->context, a, text, sizeof text) > 100);
    assert_int_equal(strlen(text), sizeof text - 1);
}

/* ---- random expressions ---- */

static uint32_t seed = 12345;

static uint32_t next_random(uint32_t below)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
}

enum { POOL = 60, ATOMS = 3, SAMPLES = 12 };

/* What the operation gives for numbers; false where it has no value. */
static bool plain(PtsSymOp op, int64_t a, int64_t b, int64_t *result)
{
    switch (op) {
    case PTS_SYM_ADD:
        return !__builtin_add_overflow(a, b, result);
    case PTS_SYM_SUB:
        return !__builtin_sub_overflow(a, b, result);
    case PTS_SYM_MUL:
        return !__builtin_mul_overflow(a, b, result);
    case PTS_SYM_DIV:
        *result = b == 0 ? 0 : a / b;
        return b != 0;
    case PTS_SYM_MOD:
        *result = b == 0 ? 0 : a % b;
        return b != 0;
    case PTS_SYM_MIN:
        *result = a < b ? a : b;
        return true;
    case PTS_SYM_MAX:
        *result = a > b ? a : b;
        return true;
    case PTS_SYM_EQ:
        *result = a == b;
        return true;
    case PTS_SYM_NE:
        *result = a != b;
        return true;
    case PTS_SYM_LT:
        *result = a < b;
        return true;
    case PTS_SYM_LE:
        *result = a <= b;
        return true;
    case PTS_SYM_GT:
        *result = a > b;
        return true;
    default:
        *result = a >= b;
        return true;
    }
}

typedef struct Pool {
    PtsSym sym[POOL];
    int64_t value[POOL][SAMPLES];
    bool known[POOL][SAMPLES]; /* false: some part of it has no value */
    int count;
} Pool;

static void put(Pool *pool, PtsSym sym, int64_t value, const int64_t (*atoms)[ATOMS], int atom)
{
    pool->sym[pool->count] = sym;
    for (int k = 0; k < SAMPLES; k++) {
        pool->value[pool->count][k] = atom < 0 ? value : atoms[k][atom];
        pool->known[pool->count][k] = true;
    }
    pool->count++;
}

static void check_bounds(Syms *s, const Pool *pool, int at)
{
    int64_t low, high;
    assert_true(pts_sym_bounds(s->table, pool->sym[at], &low, &high));
    for (int k = 0; k < SAMPLES; k++) {
        if (pool->known[at][k] && (pool->value[at][k] < low || pool->value[at][k] > high)) {
            fail_msg("%lld outside its bounds", (long long)pool->value[at][k]);
        }
    }
}

static void fail_different(Syms *s, const Pool *pool, PtsSymOp op, int a, int b, int at, int k,
                           int64_t result)
{
    char text[3][200];
    pts_sym_text(s->context, pool->sym[a], text[0], sizeof text[0]);
    pts_sym_text(s->context, pool->sym[b], text[1], sizeof text[1]);
    pts_sym_text(s->context, pool->sym[at], text[2], sizeof text[2]);
    fail_msg("operation %d of %s (%lld) and %s (%lld): %s gives %lld, not %lld", (int)op, text[0],
             (long long)pool->value[a][k], text[1], (long long)pool->value[b][k], text[2],
             (long long)result, (long long)pool->value[at][k]);
}

static void random_expressions_agree(void **state)
{
    Syms *s = *state;
    int compared = 0;
    for (int round = 0; round < 400; round++) {
        int64_t atoms[SAMPLES][ATOMS];
        Pool pool = {.count = 0};
        for (int k = 0; k < SAMPLES; k++) {
            for (int a = 0; a < ATOMS; a++) {
                atoms[k][a] = (int64_t)next_random(13) - 6;
            }
        }
        put(&pool, s->i, 0, (const int64_t(*)[ATOMS])atoms, 0);
        put(&pool, s->t, 0, (const int64_t(*)[ATOMS])atoms, 1);
        put(&pool, s->n, 0, (const int64_t(*)[ATOMS])atoms, 2);
        for (int value = -2; value < 4; value++) {
            put(&pool, con(s, value), value, (const int64_t(*)[ATOMS])atoms, -1);
        }
        while (pool.count < POOL) {
            int a = (int)next_random((uint32_t)pool.count),
                b = (int)next_random((uint32_t)pool.count);
            PtsSymOp op = (PtsSymOp)next_random(PTS_SYM_GE + 1);
            PtsSym sym = pts_sym_binary(s->context, op, pool.sym[a], pool.sym[b], &s->error);
            if (sym == PTS_SYM_NONE) {
                continue; /* division by the constant 0, too large */
            }
            int at = pool.count++;
            pool.sym[at] = sym;
            for (int k = 0; k < SAMPLES; k++) {
                PtsSymValues values = {atoms[k], ATOMS};
                int64_t result;
                pool.known[at][k] =
                    pool.known[a][k] && pool.known[b][k] &&
                    plain(op, pool.value[a][k], pool.value[b][k], &pool.value[at][k]);
                bool ok = pts_sym_evaluate(s->table, sym, &values, &result, &s->error);
                if (pool.known[at][k] && ok) {
                    if (result != pool.value[at][k]) {
                        fail_different(s, &pool, op, a, b, at, k, result);
                    }
                    compared++;
                } else if (pool.known[at][k]) {
                    /* sums are expanded, so a part may overflow that as written does not */
                    assert_non_null(strstr(s->error.message, "overflows"));
                }
            }
            check_bounds(s, &pool, at);
        }
    }
    assert_true(compared > 200000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(polynomials_are_canonical, set_up, tear_down),
        cmocka_unit_test_setup_teardown(quotients_and_extremes_fold, set_up, tear_down),
        cmocka_unit_test_setup_teardown(comparisons_fold_and_negate, set_up, tear_down),
        cmocka_unit_test_setup_teardown(errors_are_values, set_up, tear_down),
        cmocka_unit_test_setup_teardown(deep_expressions_stay_linear, set_up, tear_down),
        cmocka_unit_test_setup_teardown(random_expressions_agree, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
