/* Kernel model: aliases, JIT kernels, wrappers, primary kernels, function tables of one file. */
#include "kernel/kernel.h"

#include "base/search.h"
#include "base/utf8.h"
#include "kernel/graph.h"

#include <stdlib.h>

/* --- aliases and owners */

bool is_pypto_module(Str dotted)
{
    return str_is(dotted, "pypto") || str_starts(dotted, STR("pypto."));
}

static void add_alias(PyFile *file, Str name)
{
    VEC_PUSH(file->arena, &file->aliases, name);
}

static void collect_aliases(PyFile *file, const Module *module)
{
    add_alias(file, STR("pypto"));
    NodeList imports = module_nodes(module, NODE_IMPORT);
    for (uint32_t i = 0; i < imports.count; i++) {
        if (node_at(module, imports.ids[i])->parent != 0) {
            continue; /* only direct children of the module count */
        }
        for (NodeId alias = node_child(module, imports.ids[i], ROLE_NAME); alias != NO_NODE;
             alias = node_next(module, alias)) {
            if (is_pypto_module(node_name(module, alias))) {
                Str as = alias_asname(module, alias);
                add_alias(file, as.length > 0 ? as : STR("pypto"));
            }
        }
    }
    strs_sort_unique(&file->aliases);
}

bool is_pypto_alias(const PyFile *file, Str name)
{
    return strs_sorted_have(&file->aliases, name);
}

/* What an import bound the name to: "pypto.frontend"; empty for any other name. */
static Str imported_path(const PyFile *file, Str name)
{
    uint32_t low;
    LOWER_BOUND(low, file->imported.count, str_compare(file->imported.items[low].bound, name) < 0);
    return low < file->imported.count && str_compare(file->imported.items[low].bound, name) == 0
               ? file->imported.items[low].path
               : STR("");
}

Str pypto_attribute(const PyFile *file, NodeId expression)
{
    const Module *module = pyfile_module(file);
    if (!node_is(module, expression, NODE_ATTRIBUTE)) {
        return STR("");
    }
    NodeId owner = attribute_value(module, expression);
    if (!node_is(module, owner, NODE_NAME) || !is_pypto_alias(file, node_name(module, owner))) {
        return STR("");
    }
    return node_name(module, expression);
}

Str pypto_call(const PyFile *file, NodeId call)
{
    const Module *module = pyfile_module(file);
    if (!node_is(module, call, NODE_CALL)) {
        return STR("");
    }
    NodeId callee = call_func(module, call);
    if (file->imported.count > 0 && node_is(module, callee, NODE_NAME)) {
        Str path = imported_path(file, node_name(module, callee));
        Str name = str_slice(path, path.length < 6 ? path.length : 6, path.length);
        return str_contains(name, STR(".")) ? STR("") : name;
    }
    return pypto_attribute(file, callee);
}

/* --- JIT kernels and wrappers */

static bool is_jit_chain(const Module *module, NodeId id)
{
    if (!node_is(module, id, NODE_ATTRIBUTE) || !str_is(node_name(module, id), "jit")) {
        return false;
    }
    NodeId frontend = attribute_value(module, id);
    if (!node_is(module, frontend, NODE_ATTRIBUTE) ||
        !str_is(node_name(module, frontend), "frontend")) {
        return false;
    }
    return node_is_name(module, attribute_value(module, frontend), STR("pypto"));
}

/* pypto.jit: the same decorator, which PyPTO has since 9.2. */
static bool is_short_jit(const Module *module, NodeId id)
{
    return node_is(module, id, NODE_ATTRIBUTE) && str_is(node_name(module, id), "jit") &&
           node_is_name(module, attribute_value(module, id), STR("pypto"));
}

/* Is the chain the decorator of a kernel once its root is replaced by what an import bound it
 * to? */
static bool is_aliased_jit(const PyFile *file, NodeId chain)
{
    const Module *module = pyfile_module(file);
    Str rest = STR("");
    NodeId root = chain;
    if (node_is(module, root, NODE_ATTRIBUTE)) {
        rest = node_name(module, root);
        root = attribute_value(module, root);
    }
    bool through_frontend = false;
    if (node_is(module, root, NODE_ATTRIBUTE)) {
        through_frontend = str_is(node_name(module, root), "frontend");
        root = through_frontend ? attribute_value(module, root) : NO_NODE;
    }
    if (!node_is(module, root, NODE_NAME)) {
        return false;
    }
    Str path = imported_path(file, node_name(module, root));
    if (through_frontend) {
        return str_is(rest, "jit") && str_is(path, "pypto");
    }
    if (rest.length > 0) {
        return str_is(rest, "jit") && (str_is(path, "pypto") || str_is(path, "pypto.frontend"));
    }
    return str_is(path, "pypto.jit") || str_is(path, "pypto.frontend.jit");
}

bool pyfile_calls_jit(const PyFile *file)
{
    const Module *module = pyfile_module(file);
    NodeList calls = module_nodes(module, NODE_CALL);
    for (uint32_t i = 0; i < calls.count; i++) {
        NodeId callee = call_func(module, calls.ids[i]);
        bool named =
            (node_is(module, callee, NODE_ATTRIBUTE) || node_is(module, callee, NODE_NAME)) &&
            str_is(node_name(module, callee), "jit");
        if (named && node_at(module, calls.ids[i])->role != ROLE_DECORATOR &&
            (is_jit_chain(module, callee) || is_short_jit(module, callee) ||
             (file->imported.count > 0 && is_aliased_jit(file, callee)))) {
            return true;
        }
    }
    return false;
}

static bool has_jit_decorator(PyFile *file, NodeId function, bool *aliased)
{
    const Module *module = pyfile_module(file);
    *aliased = false;
    for (NodeId id = node_child(module, function, ROLE_DECORATOR); id != NO_NODE;
         id = node_next(module, id)) {
        NodeId chain = node_is(module, id, NODE_CALL) ? call_func(module, id) : id;
        if (is_jit_chain(module, chain)) {
            *aliased = false;
            return true;
        }
        bool is_short = is_short_jit(module, chain);
        file->has_short_jit = file->has_short_jit || is_short;
        *aliased = *aliased || (is_short && file->accepts_aliases) ||
                   (file->imported.count > 0 && is_aliased_jit(file, chain));
    }
    return *aliased;
}

typedef VEC(NodeId) Ids;

static NodeList as_list(Ids ids)
{
    return (NodeList){ids.items, ids.count};
}

static void collect_functions(PyFile *file, const Module *module)
{
    file->functions = module_functions(module, file->arena, 0);
    NodeList plain = module_nodes(module, NODE_FUNCTION_DEF);
    Ids kernels = {0};
    Ids wrappers = {0};
    for (uint32_t i = 0; i < plain.count; i++) {
        NodeId id = plain.ids[i];
        bool aliased;
        if (has_jit_decorator(file, id, &aliased)) {
            file->aliased += aliased;
            VEC_PUSH(file->arena, &kernels, id);
            VEC_PUSH(file->arena, &file->kernel_names, node_name(module, id));
        }
        if (node_at(module, id)->parent == 0 && str_ends(node_name(module, id), STR("_wrapper"))) {
            VEC_PUSH(file->arena, &wrappers, id);
        }
    }
    file->kernel_ids = as_list(kernels);
    file->kernels = nodes_level_order(module, file->arena, as_list(kernels));
    file->wrappers = as_list(wrappers);
    strs_sort_unique(&file->kernel_names);
}

/* By bisection: decorators come after the body, so looking for one again would cost the whole
 * body. */
bool is_kernel(const PyFile *file, NodeId function)
{
    uint32_t low;
    LOWER_BOUND(low, file->kernel_ids.count, file->kernel_ids.ids[low] < function);
    return low < file->kernel_ids.count && file->kernel_ids.ids[low] == function;
}

bool is_kernel_name(const PyFile *file, Str name)
{
    return strs_sorted_have(&file->kernel_names, name);
}

Str kernel_launched(const PyFile *file, NodeId call)
{
    const Module *module = pyfile_module(file);
    Str name = call_name(module, call);
    if (name.length == 0) {
        name = call_attribute(module, call);
    }
    return name.length > 0 && is_kernel_name(file, name) ? name : STR("");
}

NodeId kernel_around(const PyFile *file, NodeId id)
{
    const Module *module = pyfile_module(file);
    NodeId function = file->kernels.count == 0 ? NO_NODE : id;
    while (function != NO_NODE && !is_kernel(file, function)) {
        function = node_at(module, function)->parent;
    }
    return function;
}

static void collect_primary(PyFile *file, const Module *module)
{
    Strs names = {0};
    for (uint32_t i = 0; i < file->wrappers.count && file->kernels.count > 0; i++) {
        NodeList calls = nodes_in(module, file->wrappers.ids[i], NODE_CALL);
        for (uint32_t j = 0; j < calls.count; j++) {
            Str name = call_name(module, calls.ids[j]);
            if (name.length > 0 && is_kernel_name(file, name)) {
                VEC_PUSH(file->arena, &names, name);
            }
        }
    }
    strs_sort_unique(&names);
    Ids primary = {0};
    for (uint32_t i = 0; i < file->kernels.count; i++) {
        NodeId kernel = file->kernels.ids[i];
        if (names.count == 0 || strs_sorted_have(&names, node_name(module, kernel))) {
            VEC_PUSH(file->arena, &primary, kernel);
        }
    }
    file->primary = as_list(primary);
}

/* --- dynamic symbols */

static void collect_dynamic_symbols(PyFile *file, const Module *module)
{
    NodeList assigns = module_nodes(module, NODE_ASSIGN);
    for (uint32_t i = 0; i < assigns.count; i++) {
        NodeId id = assigns.ids[i];
        NodeId target = id + 1;
        NodeId value = node_child(module, id, ROLE_VALUE);
        if (node_at(module, id)->parent != 0 || !node_is(module, target, NODE_NAME) ||
            value != node_sibling(module, target)) {
            continue;
        }
        Str name = pypto_attribute(file, value);
        if (node_is(module, value, NODE_NAME)) {
            name = node_name(module, value);
        }
        if (str_is(name, "DYNAMIC") || str_is(name, "DYN")) {
            VEC_PUSH(file->arena, &file->dynamic_symbols, node_name(module, target));
        }
    }
    strs_sort_unique(&file->dynamic_symbols);
}

/* --- the pending-stub marker */

enum { STUB_WINDOW = 512 }; /* code points */

static bool has_stub_marker(Str text)
{
    if (utf8_first_error(text) != SIZE_MAX) {
        return false;
    }
    size_t offset = 0;
    for (int i = 0; i < STUB_WINDOW && offset < text.length; i++) {
        /* CR LF is one character once line ends are normalised. */
        if (text.at[offset] == '\r' && offset + 1 < text.length && text.at[offset + 1] == '\n') {
            offset++;
        }
        utf8_next(text, &offset);
    }
    return str_contains(str_slice(text, 0, offset), STR("PYPTO_PENDING_STUB"));
}

/* --- aliases of the decorator */

static int compare_imported(const void *left, const void *right)
{
    const ImportedName *a = left, *b = right;
    int order = str_compare(a->bound, b->bound);
    return order != 0 ? order : str_compare(a->path, b->path);
}

/* Wherever in the file it stands: a decorator can only use what some import bound. */
static void collect_imported(PyFile *file, const Module *module)
{
    NodeList aliases = module_nodes(module, NODE_ALIAS);
    for (uint32_t i = 0; i < aliases.count; i++) {
        NodeId alias = aliases.ids[i], statement = node_at(module, alias)->parent;
        Str name = node_name(module, alias), as = alias_asname(module, alias);
        bool from = node_is(module, statement, NODE_IMPORT_FROM);
        Str package = alias_module(module, alias);
        bool relative = from && node_at(module, statement)->extra > 0;
        if (relative || !is_pypto_module(package) || (!from && as.length == 0) ||
            str_is(name, "*")) {
            continue;
        }
        ImportedName imported = {as.length > 0 ? as : name, package};
        if (from) {
            imported.path = str_format(file->arena, "%.*s.%.*s", STR_ARG(package), STR_ARG(name));
        }
        VEC_PUSH(file->arena, &file->imported, imported);
    }
    if (file->imported.count > 1) {
        qsort(file->imported.items, file->imported.count, sizeof *file->imported.items,
              compare_imported);
    }
}

void pyfile_accept_aliases(PyFile *file)
{
    const Module *module = pyfile_module(file);
    if (module == NULL) {
        return;
    }
    file->accepts_aliases = true;
    collect_imported(file, module);
    if (file->imported.count == 0 && !file->has_short_jit) {
        return; /* nearly always */
    }
    file->kernel_names = (Strs){0};
    file->aliased = 0;
    collect_functions(file, module);
    collect_primary(file, module);
}

/* Fills the model of what has been parsed. */
static void fill(PyFile *file, Str text)
{
    file->is_stub = has_stub_marker(text);
    const Module *module = file->parsed.module;
    if (module == NULL) {
        return;
    }
    collect_aliases(file, module);
    collect_functions(file, module);
    collect_primary(file, module);
    collect_dynamic_symbols(file, module);
    graph_collect(file);
}

void pyfile_init(PyFile *file, Arena *arena, Str path, Str text)
{
    *file = (PyFile){.arena = arena};
    python_parse(&file->parsed, arena, path, text);
    fill(file, text);
}

void pyfile_skim(PyFile *file, Arena *arena, Str path, Str text)
{
    *file = (PyFile){.arena = arena};
    python_parse_skimmed(&file->parsed, arena, path, text);
    fill(file, text);
}
