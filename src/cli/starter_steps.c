/* The steps of a function of torch and what PyPTO has for each; see starter_read.h. */
#include "cli/starter_read.h"

#include "rules/data/api_page.h"
#include "rules/similar.h"
#include "rules/torch_cast.h"

enum { MOST_STEPS = 64, LONGEST_STEP = 40 };

/* Does the text fit a cell of a table: short, without a bar or a line end? */
static bool fits_cell(Str text)
{
    return text.length <= LONGEST_STEP && !str_contains(text, STR("|")) &&
           !str_contains(text, STR("\n"));
}

static void add_step(Buf *out, const Starter *starter, Str step, Str code)
{
    buf_addf(out, "step %.*s | ", STR_ARG(step));
    if (code.length > 0) {
        buf_addf(out, "%.*s\n", STR_ARG(code));
    } else {
        buf_addf(out, "%s\n",
                 starter->lang == LANG_ZH ? FILL_IN_ZH "对应的 PyPTO 接口"
                                          : FILL_IN_EN " what PyPTO has for it");
    }
}

/* What PyPTO has for a function or method, or an empty Str when nobody knows. */
static Str code_of(Arena *arena, Str name)
{
    const ApiPage *page = api_page_find(name);
    const Synonym *synonym = synonym_find(name);
    bool is_type = synonym != NULL && str_starts(str_from(synonym->names[0]), STR("DT_"));
    if (synonym != NULL && synonym->recipe != NULL) {
        return str_from(synonym->recipe);
    }
    if (is_type || (page == NULL && synonym == NULL)) {
        return STR("");
    }
    return str_format(arena, "pypto.%s", synonym != NULL ? synonym->names[0] : page->name);
}

/* A call is known by the last part of its name, a conversion with what it converts to. */
static Str call_step(const Reading *reading, NodeId call, Str *code)
{
    const Module *module = reading->module;
    Str name = call_attribute(module, call);
    if (name.length == 0) {
        return name;
    }
    NodeId attribute = call_func(module, call);
    *code = torch_cast(reading->arena, module, attribute);
    if (code->length == 0) {
        *code = code_of(reading->arena, name);
        return name;
    }
    Str text = source_slice(module->source, attribute_token(module, attribute),
                            node_at(module, call)->end);
    return fits_cell(text) ? text : name;
}

/* Sizes and places are numbers, not tensors. */
static bool is_of_numbers(const Module *module, NodeId operation)
{
    static const char *const sizes[] = {"shape", "size", "dim", "ndim", "numel"};
    NodeList attributes = nodes_in(module, operation, NODE_ATTRIBUTE);
    for (uint32_t i = 0; i < attributes.count; i++) {
        Str name = node_name(module, attributes.ids[i]);
        if (STR_IS_ANY(name, sizes)) {
            return true;
        }
    }
    NodeId left = node_child(module, operation, ROLE_LEFT);
    NodeId right = node_child(module, operation, ROLE_RIGHT);
    return node_is(module, left, NODE_CONSTANT) && node_is(module, right, NODE_CONSTANT);
}

/* "x + residual"; of a long left side "* weight"; of two long sides the sign. */
static Str operator_step(const Reading *reading, NodeId operation, Str *code)
{
    static const char *const names[OPERATOR_COMPARE + 1] = {
        [OPERATOR_ADD] = "pypto.add",  [OPERATOR_SUB] = "pypto.sub",
        [OPERATOR_MULT] = "pypto.mul", [OPERATOR_MAT_MULT] = "pypto.matmul",
        [OPERATOR_DIV] = "pypto.div",  [OPERATOR_MOD] = "pypto.remainder",
        [OPERATOR_POW] = "pypto.pow",  [OPERATOR_FLOOR_DIV] = "pypto.floor_div",
    };
    const Module *module = reading->module;
    ExprOperator op = (ExprOperator)node_at(module, operation)->op;
    if (names[op] == NULL || is_of_numbers(module, operation)) {
        return STR("");
    }
    *code = str_from(names[op]);
    Str whole = node_text(module, operation);
    Str right = node_text(module, node_child(module, operation, ROLE_RIGHT));
    return fits_cell(whole) ? whole
           : fits_cell(right)
               ? str_format(reading->arena, "%s %.*s", operator_sign(op), STR_ARG(right))
               : str_from(operator_sign(op));
}

void starter_add_steps(Buf *out, const Reading *reading)
{
    const Module *module = reading->module;
    Strs seen = {0};
    NodeId end = node_at(module, reading->function)->subtree_end;
    /* Decorators and defaults are before the body. */
    uint32_t start = node_at(module, node_child(module, reading->function, ROLE_BODY))->start;
    for (NodeId id = reading->function; id < end && seen.count < MOST_STEPS; id++) {
        Str code = STR(""), step = STR("");
        if (node_at(module, id)->start < start) {
            continue;
        }
        if (node_is(module, id, NODE_CALL)) {
            step = call_step(reading, id, &code);
        } else if (node_is(module, id, NODE_BIN_OP)) {
            step = operator_step(reading, id, &code);
        }
        if (step.length > 0 && !strs_have(&seen, step)) {
            VEC_PUSH(reading->arena, &seen, step);
            add_step(out, reading->starter, step, code);
        }
    }
    if (seen.count == 0) {
        add_step(out, reading->starter, STR("…"), STR(""));
    }
}
