/* The public functions over the symbol table. Those that make symbols set a guard, so that memory
 * running out is an error value. */
#include "model/partial.h"
#include "model/sym_table.h"

typedef struct SymCall {
    PtsSymTable *table;
    PtsSymOp op;
    PtsSym a, b, result;
    int64_t value, low, high;
    const char *name;
    bool is_unknown;
    PtsError *error;
} SymCall;

static void call_constant(void *argument)
{
    SymCall *call = argument;
    call->result = sym_constant(call->table, call->value);
}

static void call_atom(void *argument)
{
    SymCall *call = argument;
    call->result = sym_atom(call->table, call->name, call->low, call->high, call->is_unknown);
}

static void call_binary(void *argument)
{
    SymCall *call = argument;
    call->result = sym_binary(call->table, call->op, call->a, call->b, call->error);
}

static void call_not(void *argument)
{
    SymCall *call = argument;
    call->result = sym_not(call->table, call->a, call->error);
}

static PtsSym run_call(void (*function)(void *), SymCall *call)
{
    call->result = PTS_SYM_NONE;
    if (!arena_try(&call->table->arena, function, call)) {
        pts_fail_memory(call->error);
        return PTS_SYM_NONE;
    }
    return call->result;
}

PtsSym pts_sym_new_atom(PtsSymTable *table, const char *name, PtsError *error)
{
    return pts_sym_new_bounded_atom(table, name, INT64_MIN, INT64_MAX, error);
}

PtsSym pts_sym_new_bounded_atom(PtsSymTable *table, const char *name, int64_t low, int64_t high,
                                PtsError *error)
{
    SymCall call = {.table = table, .name = name, .low = low, .high = high, .error = error};
    return run_call(call_atom, &call);
}

PtsSym pts_sym_new_unknown(PtsSymTable *table, int64_t low, int64_t high, PtsError *error)
{
    SymCall call = {
        .table = table, .name = "?", .low = low, .high = high, .is_unknown = true, .error = error};
    return run_call(call_atom, &call);
}

PtsSym pts_sym_nothing(PtsSymTable *table, PtsError *error)
{
    if (table->nothing == PTS_SYM_NONE) {
        table->nothing = pts_sym_new_unknown(table, INT64_MIN, INT64_MAX, error);
    }
    return table->nothing;
}

bool pts_sym_is_unknown(const PtsContext *context, PtsSym a)
{
    const PtsSymTable *table = pts_context_symbols(context);
    return a < table->nodes.count && sym_node(table, a)->is_unknown;
}

typedef struct DifferenceCall {
    PtsSymTable *table;
    PtsSym a, b;
    int64_t difference;
    bool is_known;
} DifferenceCall;

static void call_difference(void *argument)
{
    DifferenceCall *call = argument;
    call->is_known = sym_known_difference(call->table, call->a, call->b, &call->difference);
}

bool pts_sym_difference(PtsSymTable *table, PtsSym a, PtsSym b, int64_t *difference)
{
    DifferenceCall call = {.table = table, .a = a, .b = b};
    bool ok = a < table->nodes.count && b < table->nodes.count && a != table->nothing &&
              b != table->nothing && arena_try(&table->arena, call_difference, &call);
    *difference = call.difference;
    return ok && call.is_known;
}

PtsSym pts_sym_constant(PtsContext *context, int64_t value, PtsError *error)
{
    SymCall call = {.table = pts_context_symbols(context), .value = value, .error = error};
    return run_call(call_constant, &call);
}

static bool is_symbol(const PtsSymTable *table, PtsSym a, PtsError *error)
{
    if (a < table->nodes.count) {
        return true;
    }
    return pts_fail(error, PTS_E_VALUE, "not a symbolic scalar");
}

PtsSym pts_sym_binary(PtsContext *context, PtsSymOp op, PtsSym a, PtsSym b, PtsError *error)
{
    PtsSymTable *table = pts_context_symbols(context);
    if (!is_symbol(table, a, error) || !is_symbol(table, b, error)) {
        return PTS_SYM_NONE;
    }
    if (a == table->nothing || b == table->nothing) {
        return table->nothing;
    }
    if ((unsigned)op > PTS_SYM_GE) {
        pts_fail(error, PTS_E_VALUE, "unknown symbolic operation");
        return PTS_SYM_NONE;
    }
    SymCall call = {.table = table, .op = op, .a = a, .b = b, .error = error};
    return run_call(call_binary, &call);
}

PtsSym pts_sym_negate(PtsContext *context, PtsSym a, PtsError *error)
{
    PtsSym zero = pts_sym_constant(context, 0, error);
    return zero == PTS_SYM_NONE ? zero : pts_sym_binary(context, PTS_SYM_SUB, zero, a, error);
}

PtsSym pts_sym_not(PtsContext *context, PtsSym a, PtsError *error)
{
    PtsSymTable *table = pts_context_symbols(context);
    if (!is_symbol(table, a, error)) {
        return PTS_SYM_NONE;
    }
    if (a == table->nothing) {
        return a;
    }
    SymCall call = {.table = table, .a = a, .error = error};
    return run_call(call_not, &call);
}

bool pts_sym_is_valid(const PtsContext *context, PtsSym a)
{
    return a < pts_context_symbols(context)->nodes.count;
}

PtsSymKind pts_sym_kind(const PtsContext *context, PtsSym a)
{
    const PtsSymTable *table = pts_context_symbols(context);
    if (a >= table->nodes.count || sym_node(table, a)->kind == SYM_NODE_CONSTANT) {
        return PTS_SYM_CONSTANT;
    }
    return sym_node(table, a)->kind == SYM_NODE_ATOM ? PTS_SYM_SYMBOL : PTS_SYM_EXPRESSION;
}

bool pts_sym_value(const PtsContext *context, PtsSym a, int64_t *value)
{
    PtsSymTable *table = pts_context_symbols(context);
    a = pts_sym_resolve(table, a);
    if (a >= table->nodes.count || sym_node(table, a)->kind != SYM_NODE_CONSTANT) {
        return false;
    }
    *value = sym_node(table, a)->value;
    return true;
}

bool pts_sym_is_atom(const PtsSymTable *table, PtsSym a, PtsAtom *atom)
{
    if (a >= table->nodes.count || sym_node(table, a)->kind != SYM_NODE_ATOM) {
        return false;
    }
    *atom = sym_node(table, a)->atom.number;
    return true;
}

size_t pts_sym_atom_count(const PtsSymTable *table)
{
    return table->atom_count;
}

bool pts_sym_bounds(const PtsSymTable *table, PtsSym a, int64_t *low, int64_t *high)
{
    if (a >= table->nodes.count) {
        return false;
    }
    *low = sym_node(table, a)->low;
    *high = sym_node(table, a)->high;
    return true;
}
