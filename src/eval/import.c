/* Imports: names of the package, of other packages, of other files of the operator. */
#include "eval/state.h"

static Value fact_value(const ApiFact *fact)
{
    ValueKind kind = fact->kind == API_FACT_CONSTANT ? VALUE_MEMBER : VALUE_API;
    return (Value){.kind = (uint8_t)kind, .as.fact = fact};
}

/* `from source import name` */
static Value imported_name(Eval *eval, NodeId node, Str source, Str name)
{
    bool relative = eval_node(eval, node)->extra > 0;
    Value value = host_module(eval, true, source, name, STR(""));
    if (str_is(source, "pypto") && !relative) {
        const ApiFact *fact = api_fact_find(name);
        return fact == NULL ? value_unknown() : fact_value(fact);
    }
    if (str_starts(source, STR("pypto.")) && !relative) {
        Str full = str_format(eval->arena, "%.*s.%.*s",
                              STR_ARG(str_slice(source, 6, source.length)), STR_ARG(name));
        const ApiFact *fact = api_fact_find(full);
        return fact == NULL ? value_unknown() : fact_value(fact);
    }
    if (value.kind != VALUE_UNKNOWN || str_is(name, "*")) {
        return value;
    }
    if (source.length == 0) { /* from . import sibling */
        return unit_module(eval, name, &value) ? value : value_unknown();
    }
    if (!unit_import(eval, source, name, &value)) {
        return unit_module(eval, name, &value) ? value : value_unknown(); /* a folder's file */
    }
    return value;
}

/* `import name`, `import name as alias` */
static Value imported_module(Eval *eval, Str name, Str as)
{
    bool dotted = str_contains(name, STR("."));
    if (str_is(name, "pypto") || (as.length == 0 && str_starts(name, STR("pypto.")))) {
        return (Value){.kind = VALUE_PACKAGE};
    }
    if (str_starts(name, STR("pypto."))) {
        const ApiFact *fact = api_fact_find(str_slice(name, 6, name.length));
        return fact == NULL ? value_unknown() : fact_value(fact);
    }
    Value value = host_module(eval, false, STR(""), name, as);
    if (value.kind == VALUE_UNKNOWN && (as.length > 0 || !dotted)) {
        unit_module(eval, name, &value); /* `import a.b` binds a, about which nothing is known */
    }
    return value;
}

/* --- names that do not exist */

static bool is_guarded(const Module *module, NodeId node)
{
    for (NodeId at = node; at != 0; at = node_at(module, at)->parent) {
        if (node_is(module, at, NODE_TRY) || node_is(module, at, NODE_WITH)) {
            return true;
        }
    }
    return false;
}

/* Reports imported names that pypto, or a module of the program, does not have. Such an import
 * fails anywhere, so it is also reported outside kernels. */
static void check_imported(Eval *eval, NodeId alias, Str source, Str name)
{
    bool special = name.length == 0 || name.at[0] == '_' || str_is(name, "*");
    if (special || eval->unit != 0 || eval->drive != NULL || eval->assumed > 0 ||
        is_guarded(eval->module, alias)) {
        return;
    }
    bool reporting = eval->reporting, of_package = str_is(source, "pypto");
    const Strs *names = NULL;
    if (of_package ? api_fact_find(name) != NULL
                   : (names = unit_without(eval, source, name)) == NULL) {
        return;
    }
    eval->reporting = true;
    EvalFinding *finding =
        of_package ? eval_report(eval, EVAL_NAME, alias, "pypto has no name '%.*s' (ImportError)",
                                 "pypto 中没有名称 '%.*s'（ImportError）", STR_ARG(name))
                   : eval_report(eval, EVAL_UNBOUND, alias,
                                 "module '%.*s' binds no name '%.*s' (ImportError)",
                                 "模块 '%.*s' 中没有名称 '%.*s'（ImportError）", STR_ARG(source),
                                 STR_ARG(name));
    eval->reporting = reporting;
    if (finding == NULL) {
        return;
    }
    finding->name = str_copy(eval->result, name);
    finding->foreign = !of_package; /* the other file may be the next to be edited */
    for (size_t i = 0; of_package && i < api_fact_count; i++) {
        VEC_PUSH(eval->result, &finding->near, str_from(api_facts[i].name));
    }
    for (uint32_t i = 0; names != NULL && i < names->count; i++) {
        VEC_PUSH(eval->result, &finding->near, str_copy(eval->result, names->items[i]));
    }
}

void eval_import(Eval *eval, NodeId node)
{
    const Module *module = eval->module;
    bool from = node_is(module, node, NODE_IMPORT_FROM);
    Str source = from ? node_name(module, node) : STR("");
    for (NodeId alias = node_child(module, node, ROLE_NAME); alias != NO_NODE;
         alias = node_next(module, alias)) {
        Str name = node_name(module, alias);
        Str as = alias_asname(module, alias);
        Str bound = as.length > 0 ? as : str_slice(name, 0, str_find(name, STR("."), 0));
        Value value =
            from ? imported_name(eval, node, source, name) : imported_module(eval, name, as);
        bool relative = eval_node(eval, node)->extra > 0;
        bool ours = from && source.length > 0 && value.kind == VALUE_UNKNOWN &&
                    (relative ? !str_is(source, "pypto") : !str_contains(source, STR(".")));
        if (ours) {
            check_imported(eval, alias, source, name);
        }
        eval->star_import = eval->star_import || str_is(name, "*");
        if (from && str_is(name, "*")) {
            unit_import_all(eval, source);
        } else {
            eval_bind(eval, bound, value);
        }
    }
}

/* The present value of a name of another file. */
Value module_attribute(Eval *eval, NodeId node, Value owner, Str name)
{
    (void)node;
    uint32_t number = (uint32_t)owner.as.integer;
    if (number >= eval->units.count) {
        return value_unknown();
    }
    uint32_t home = unit_switch(eval, number);
    bool changes = eval_is_global(eval, name);
    unit_switch(eval, home);
    const Value *found = scope_get(eval->units.items[number]->globals, name);
    return found == NULL || changes ? value_unknown() : *found;
}
