/* Bridge files; see bridge.h. */
#include "operator/bridge.h"

#include "base/path.h"

#define BRIDGE_END "_pypto_impl.py"

static bool is_bridge_name(Str op, Str basename)
{
    size_t end = sizeof BRIDGE_END - 1;
    return basename.length == op.length + end && str_starts(basename, op) &&
           str_ends(basename, STR(BRIDGE_END));
}

/* `import pypto.op`, `from pypto import …`; a relative import is of another package. */
static bool is_import_of_package(const Module *module, NodeId alias)
{
    NodeId statement = node_at(module, alias)->parent;
    bool relative =
        node_is(module, statement, NODE_IMPORT_FROM) && node_at(module, statement)->extra > 0;
    return !relative && is_pypto_module(alias_module(module, alias));
}

/* `importlib.import_module("pypto")`, `__import__("pypto")`. */
static bool is_call_for_package(const Module *module, Arena *arena, NodeId call)
{
    Str name = call_name(module, call), package;
    name = name.length > 0 ? name : call_attribute(module, call);
    return (str_is(name, "import_module") || str_is(name, "__import__")) &&
           node_string(module, call_arg(module, call, 0), arena, &package) &&
           is_pypto_module(package);
}

static bool imports_package(const Module *module, Arena *arena)
{
    NodeList aliases = module_nodes(module, NODE_ALIAS);
    for (uint32_t i = 0; i < aliases.count; i++) {
        if (is_import_of_package(module, aliases.ids[i])) {
            return true;
        }
    }
    NodeList calls = module_nodes(module, NODE_CALL);
    for (uint32_t i = 0; i < calls.count; i++) {
        if (is_call_for_package(module, arena, calls.ids[i])) {
            return true;
        }
    }
    return false;
}

bool operator_is_bridge(Operator *op)
{
    if (op->scope != SCOPE_FILE || op->loose ||
        !is_bridge_name(op->name, path_basename(op->file))) {
        return false;
    }
    const Module *module = pyfile_module(operator_python(op, op->file));
    return module != NULL && !imports_package(module, op->arena);
}
