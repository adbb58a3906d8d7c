/* Sums: polynomials with 64-bit coefficients over atoms and over operations that are not sums. */
#include "model/sym_table.h"

#include <string.h>

static PtsSym fail_overflow(PtsError *error)
{
    pts_fail(error, PTS_E_VALUE, "symbolic expression overflows 64 bits");
    return PTS_SYM_NONE;
}

static PtsSym fail_size(PtsError *error)
{
    pts_fail(error, PTS_E_MEMORY, "symbolic expression too large (more than %d terms or factors)",
             SYM_MAX_TERMS);
    return PTS_SYM_NONE;
}

/* a + factor · b by merging their terms; false on overflow. */
static bool merge(Arena *arena, SymSum a, SymSum b, int64_t factor, SymSum *result)
{
    SymTerm *terms = arena_alloc(arena, sizeof *terms * ((size_t)a.count + b.count + 1));
    uint32_t count = 0;
    for (uint32_t i = 0, j = 0; i < a.count || j < b.count;) {
        SymTerm term = {0};
        bool take_a = j == b.count || (i < a.count && a.terms[i].monomial <= b.terms[j].monomial);
        bool take_b = i == a.count || (j < b.count && b.terms[j].monomial <= a.terms[i].monomial);
        if (take_b) {
            term.monomial = b.terms[j].monomial;
            if (__builtin_mul_overflow(b.terms[j++].coefficient, factor, &term.coefficient)) {
                return false;
            }
        }
        if (take_a) {
            term.monomial = a.terms[i].monomial;
            if (__builtin_add_overflow(term.coefficient, a.terms[i++].coefficient,
                                       &term.coefficient)) {
                return false;
            }
        }
        if (term.coefficient != 0) {
            terms[count++] = term;
        }
    }
    *result = (SymSum){terms, count};
    return true;
}

PtsSym sym_add_scaled(PtsSymTable *table, PtsSym a, PtsSym b, int64_t factor, PtsError *error)
{
    SymTerm own[2];
    SymSum x = sym_as_sum(table, a, &own[0]), y = sym_as_sum(table, b, &own[1]), sum;
    if (!merge(&table->arena, x, y, factor, &sum)) {
        return fail_overflow(error);
    }
    return sum.count > SYM_MAX_TERMS ? fail_size(error) : sym_from_sum(table, sum);
}

/* a · one term, as a sum of its own. Terms must be sorted again: products do not keep the order. */
static bool scale(PtsSymTable *table, SymSum a, SymTerm by, SymSum *result, bool *overflow)
{
    SymTerm *terms = arena_alloc(&table->arena, sizeof *terms * ((size_t)a.count + 1));
    for (uint32_t i = 0; i < a.count; i++) {
        SymTerm term;
        if (!sym_monomial_product(table, a.terms[i].monomial, by.monomial, &term.monomial)) {
            return false;
        }
        if (__builtin_mul_overflow(a.terms[i].coefficient, by.coefficient, &term.coefficient)) {
            *overflow = true;
            return false;
        }
        uint32_t at = i;
        while (at > 0 && terms[at - 1].monomial > term.monomial) {
            terms[at] = terms[at - 1];
            at--;
        }
        terms[at] = term;
    }
    *result = (SymSum){terms, a.count};
    return true;
}

PtsSym sym_multiply(PtsSymTable *table, PtsSym a, PtsSym b, PtsError *error)
{
    SymTerm own[2];
    SymSum x = sym_as_sum(table, a, &own[0]), y = sym_as_sum(table, b, &own[1]), sum = {0};
    if ((uint64_t)x.count * y.count > SYM_MAX_TERMS) {
        return fail_size(error);
    }
    for (uint32_t j = 0; j < y.count; j++) {
        SymSum part;
        bool overflow = false;
        if (!scale(table, x, y.terms[j], &part, &overflow)) {
            return overflow ? fail_overflow(error) : fail_size(error);
        }
        if (!merge(&table->arena, sum, part, 1, &sum)) {
            return fail_overflow(error);
        }
    }
    return sym_from_sum(table, sum);
}

bool sym_known_difference(PtsSymTable *table, PtsSym a, PtsSym b, int64_t *difference)
{
    SymTerm own[2];
    a = sym_resolve(table, a);
    b = sym_resolve(table, b);
    SymSum x = sym_as_sum(table, a, &own[0]), y = sym_as_sum(table, b, &own[1]);
    int64_t of_x = 0, of_y = 0;
    uint32_t i = 0, j = 0;
    if (x.count > 0 && x.terms[0].monomial == SYM_UNIT_MONOMIAL) {
        of_x = x.terms[i++].coefficient;
    }
    if (y.count > 0 && y.terms[0].monomial == SYM_UNIT_MONOMIAL) {
        of_y = y.terms[j++].coefficient;
    }
    if (x.count - i != y.count - j) {
        return false;
    }
    for (; i < x.count; i++, j++) {
        if (x.terms[i].monomial != y.terms[j].monomial ||
            x.terms[i].coefficient != y.terms[j].coefficient) {
            return false;
        }
    }
    return !__builtin_sub_overflow(of_x, of_y, difference);
}

bool sym_divide_exactly(PtsSymTable *table, PtsSym a, int64_t divisor, PtsSym *quotient)
{
    if (divisor == 0 || divisor == -1) { /* −1: INT64_MIN has no counterpart */
        return false;
    }
    SymTerm own;
    SymSum sum = sym_as_sum(table, a, &own);
    for (uint32_t i = 0; i < sum.count; i++) {
        if (sum.terms[i].coefficient % divisor != 0) {
            return false;
        }
    }
    SymTerm *terms = arena_alloc(&table->arena, sizeof *terms * ((size_t)sum.count + 1));
    for (uint32_t i = 0; i < sum.count; i++) {
        terms[i] = sum.terms[i];
        terms[i].coefficient /= divisor;
    }
    *quotient = sym_from_sum(table, (SymSum){terms, sum.count});
    return true;
}

bool sym_remainder(PtsSymTable *table, PtsSym a, int64_t divisor, int64_t *rest)
{
    SymTerm own;
    SymSum sum = sym_as_sum(table, a, &own);
    *rest = 0;
    for (uint32_t i = 0; i < sum.count; i++) {
        int64_t left = sum.terms[i].coefficient % divisor;
        if (sum.terms[i].monomial == SYM_UNIT_MONOMIAL) {
            *rest = left < 0 ? left + divisor : left;
        } else if (left != 0) {
            return false;
        }
    }
    return true;
}
