/* Evaluation of symbolic integers over the values of atoms. An expression is compiled once into
 * steps, one per distinct node, parts before wholes, so that evaluating takes no recursion and no
 * allocation. */
#include "model/sym_table.h"

#include <stdlib.h>

typedef struct SymStepTerm {
    int64_t coefficient;
    uint32_t count;
    const uint32_t *positions; /* of the factors' values */
} SymStepTerm;

typedef struct SymStep {
    SymNodeKind kind;
    PtsSymOp op;
    union {
        int64_t value;
        PtsAtom atom;
        struct {
            uint32_t a, b;
        } binary;
        struct {
            const SymStepTerm *terms;
            uint32_t count;
        } sum;
    };
} SymStep;

struct SymCode {
    uint32_t count;
    SymStep *steps;
};

typedef VEC(PtsSym) SymList;

static void reach(PtsSymTable *table, PtsSym a, SymList *list)
{
    SymNode *node = &table->nodes.items[a];
    if (node->stamp != table->stamp) {
        node->stamp = table->stamp;
        VEC_PUSH(&table->arena, list, a);
    }
}

static void reach_parts(PtsSymTable *table, PtsSym a, SymList *list)
{
    const SymNode *node = sym_node(table, a);
    if (node->kind == SYM_NODE_BINARY) {
        reach(table, node->binary.a, list);
        reach(table, node->binary.b, list);
    } else if (node->kind == SYM_NODE_SUM) {
        for (uint32_t i = 0; i < node->sum.count; i++) {
            const SymMonomial *monomial = &table->monomials.items[node->sum.terms[i].monomial];
            for (uint32_t j = 0; j < monomial->count; j++) {
                reach(table, monomial->factors[j], list);
            }
        }
    }
}

/* Appends all that the items are made of. */
static void reach_all(PtsSymTable *table, SymList *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        reach_parts(table, list->items[i], list);
    }
}

static int compare_handles(const void *a, const void *b)
{
    PtsSym x = *(const PtsSym *)a, y = *(const PtsSym *)b;
    return (x > y) - (x < y);
}

static SymStep step_of_sum(PtsSymTable *table, const SymNode *node)
{
    SymStepTerm *terms = ARENA_ARRAY(&table->arena, SymStepTerm, node->sum.count);
    for (uint32_t i = 0; i < node->sum.count; i++) {
        const SymMonomial *monomial = &table->monomials.items[node->sum.terms[i].monomial];
        uint32_t *positions = ARENA_ARRAY(&table->arena, uint32_t, monomial->count);
        for (uint32_t j = 0; j < monomial->count; j++) {
            positions[j] = sym_node(table, monomial->factors[j])->position;
        }
        terms[i] = (SymStepTerm){node->sum.terms[i].coefficient, monomial->count, positions};
    }
    return (SymStep){.kind = SYM_NODE_SUM, .sum = {terms, node->sum.count}};
}

static SymStep step_of(PtsSymTable *table, const SymNode *node)
{
    switch (node->kind) {
    case SYM_NODE_CONSTANT:
        return (SymStep){.kind = node->kind, .value = node->value};
    case SYM_NODE_ATOM:
        return (SymStep){.kind = node->kind, .atom = node->atom.number};
    case SYM_NODE_BINARY:
        return (SymStep){.kind = node->kind,
                         .op = node->op,
                         .binary = {sym_node(table, node->binary.a)->position,
                                    sym_node(table, node->binary.b)->position}};
    default:
        return step_of_sum(table, node);
    }
}

static const SymCode *compile(PtsSymTable *table, PtsSym a)
{
    SymList list = {0};
    table->stamp++;
    reach(table, a, &list);
    reach_all(table, &list);
    if (list.count > 1) {
        qsort(list.items, list.count, sizeof *list.items, compare_handles);
    }
    SymCode *code = ARENA_NEW(&table->arena, SymCode);
    code->count = list.count;
    code->steps = ARENA_ARRAY(&table->arena, SymStep, list.count);
    for (uint32_t i = 0; i < list.count; i++) {
        SymNode *node = &table->nodes.items[list.items[i]];
        node->position = i;
        code->steps[i] = step_of(table, node);
    }
    if (table->scratch_count < list.count) {
        size_t count = (size_t)list.count * 2;
        table->scratch = ARENA_ARRAY(&table->arena, int64_t, count);
        table->scratch_count = count;
    }
    return code;
}

/* ---- marks ---- */

typedef struct MarkCall {
    PtsSymTable *table;
    PtsSym a;
} MarkCall;

static void call_mark(void *argument)
{
    MarkCall *call = argument;
    SymList list = {0};
    reach(call->table, call->a, &list);
    reach_all(call->table, &list);
}

void pts_sym_unmark_all(PtsSymTable *table)
{
    table->stamp++;
}

void pts_sym_mark(PtsSymTable *table, PtsSym a)
{
    if (a < table->nodes.count && sym_node(table, a)->stamp != table->stamp) {
        MarkCall call = {table, a};
        arena_try(&table->arena, call_mark, &call);
    }
}

bool pts_sym_is_marked(const PtsSymTable *table, PtsSym a)
{
    return a < table->nodes.count && sym_node(table, a)->stamp == table->stamp;
}

/* ---- evaluation ---- */

typedef enum StepStatus { STEP_OK, STEP_OVERFLOW, STEP_DIVISION } StepStatus;

static StepStatus run_sum(const SymStep *step, const int64_t *values, int64_t *result)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < step->sum.count; i++) {
        const SymStepTerm *term = &step->sum.terms[i];
        int64_t product = term->coefficient;
        for (uint32_t j = 0; j < term->count; j++) {
            if (__builtin_mul_overflow(product, values[term->positions[j]], &product)) {
                return STEP_OVERFLOW;
            }
        }
        if (__builtin_add_overflow(sum, product, &sum)) {
            return STEP_OVERFLOW;
        }
    }
    *result = sum;
    return STEP_OK;
}

static StepStatus run_binary(PtsSymOp op, int64_t a, int64_t b, int64_t *result)
{
    switch (op) {
    case PTS_SYM_DIV:
    case PTS_SYM_MOD:
        if (b == 0) {
            return STEP_DIVISION;
        }
        if (b == -1) { /* INT64_MIN / −1 has no value */
            *result = 0;
            return op == PTS_SYM_DIV && __builtin_sub_overflow((int64_t)0, a, result)
                       ? STEP_OVERFLOW
                       : STEP_OK;
        }
        *result = op == PTS_SYM_DIV ? a / b : a % b;
        return STEP_OK;
    case PTS_SYM_MIN:
        *result = a < b ? a : b;
        return STEP_OK;
    case PTS_SYM_MAX:
        *result = a > b ? a : b;
        return STEP_OK;
    case PTS_SYM_EQ:
        *result = a == b;
        return STEP_OK;
    case PTS_SYM_NE:
        *result = a != b;
        return STEP_OK;
    case PTS_SYM_LT:
        *result = a < b;
        return STEP_OK;
    default:
        *result = a <= b;
        return STEP_OK;
    }
}

static StepStatus run(const SymCode *code, const PtsSymValues *atoms, int64_t *values)
{
    for (uint32_t i = 0; i < code->count; i++) {
        const SymStep *step = &code->steps[i];
        StepStatus status = STEP_OK;
        switch (step->kind) {
        case SYM_NODE_CONSTANT:
            values[i] = step->value;
            break;
        case SYM_NODE_ATOM:
            values[i] = step->atom < atoms->count ? atoms->of_atom[step->atom] : 0;
            break;
        case SYM_NODE_BINARY:
            status =
                run_binary(step->op, values[step->binary.a], values[step->binary.b], &values[i]);
            break;
        default:
            status = run_sum(step, values, &values[i]);
            break;
        }
        if (status != STEP_OK) {
            return status;
        }
    }
    return STEP_OK;
}

typedef struct CompileCall {
    PtsSymTable *table;
    PtsSym a;
} CompileCall;

static void call_compile(void *argument)
{
    CompileCall *call = argument;
    const SymCode *code = compile(call->table, call->a);
    call->table->nodes.items[call->a].code = code;
}

bool pts_sym_evaluate(PtsSymTable *table, PtsSym a, const PtsSymValues *values, int64_t *result,
                      PtsError *error)
{
    if (a >= table->nodes.count) {
        return pts_fail(error, PTS_E_VALUE, "not a symbolic scalar");
    }
    const SymNode *node = sym_node(table, a);
    if (node->kind == SYM_NODE_CONSTANT) {
        *result = node->value;
        return true;
    }
    if (node->kind == SYM_NODE_ATOM) {
        *result = node->atom.number < values->count ? values->of_atom[node->atom.number] : 0;
        return true;
    }
    if (node->code == NULL) {
        CompileCall call = {table, a};
        if (!arena_try(&table->arena, call_compile, &call)) {
            return pts_fail_memory(error);
        }
    }
    const SymCode *code = sym_node(table, a)->code;
    StepStatus status = run(code, values, table->scratch);
    if (status != STEP_OK) {
        return pts_fail(error, PTS_E_VALUE, "%s",
                        status == STEP_DIVISION ? "division by zero in a symbolic expression"
                                                : "symbolic expression overflows 64 bits");
    }
    *result = table->scratch[code->count - 1];
    return true;
}

/* Compiling a step takes about as long as that many evaluations of it. */
enum { COMPILING = 16 };

bool pts_sym_evaluate_known(PtsSymTable *table, PtsSym a, const PtsSymValues *values,
                            const bool *known, int64_t *result)
{
    PtsError error;
    PtsAtom atom;
    bool is_new = a < table->nodes.count && sym_node(table, a)->code == NULL;
    bool has_value = pts_sym_evaluate(table, a, values, result, &error);
    if (a < table->nodes.count && sym_node(table, a)->code != NULL) {
        table->cost += (uint64_t)sym_node(table, a)->code->count * (is_new ? COMPILING : 1);
    }
    if (!has_value) {
        return false;
    }
    if (pts_sym_is_atom(table, a, &atom)) {
        return atom < values->count && known[atom];
    }
    const SymCode *code = sym_node(table, a)->code;
    for (uint32_t i = 0; code != NULL && i < code->count; i++) {
        const SymStep *step = &code->steps[i];
        if (step->kind == SYM_NODE_ATOM && (step->atom >= values->count || !known[step->atom])) {
            return false;
        }
    }
    return true;
}

uint64_t pts_sym_cost(const PtsSymTable *table)
{
    return table->cost;
}
