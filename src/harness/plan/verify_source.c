/* Names in Python sources; see verify_source.h. */
#include "harness/plan/verify_source.h"

#include "base/utf8.h"
#include "operator/artifact.h"

static bool read_source(Arena *arena, Str path, Str *text, Parsed *parsed)
{
    if (artifact_read(arena, path, SOURCE_LIMIT, text, NULL) != FILE_OK) {
        return false;
    }
    python_parse(parsed, arena, path_basename(path), *text);
    return true;
}

/* Can this node define the name in another way than by `def`? */
static bool may_bind(const Module *module, NodeId id, Str name)
{
    const Node *node = node_at(module, id);
    switch (node->kind) {
    case NODE_ALIAS: {
        Str imported = node_name(module, id);
        Str as = alias_asname(module, id);
        return str_is(imported, "*") || str_equal(as.length > 0 ? as : imported, name);
    }
    case NODE_NAME:
        /* An assignment, or a function that defines names at run time. */
        return str_equal(node_name(module, id), name) || str_is(node_name(module, id), "globals") ||
               str_is(node_name(module, id), "exec") || str_is(node_name(module, id), "setattr");
    case NODE_CLASS_DEF:
        return str_equal(node_name(module, id), name);
    case NODE_FUNCTION_DEF:
        return str_is(node_name(module, id), "__getattr__");
    default:
        return false;
    }
}

/* Is it on the top level, perhaps inside `if` or `try`, but not in a function or class? */
static bool is_global(const Module *module, NodeId id)
{
    for (NodeId up = node_at(module, id)->parent; up != NO_NODE; up = node_at(module, up)->parent) {
        NodeKind kind = node_kind(module, up);
        if (kind == NODE_CLASS_DEF || kind == NODE_FUNCTION_DEF ||
            kind == NODE_ASYNC_FUNCTION_DEF) {
            return false;
        }
    }
    return true;
}

static Region name_region(const Module *module, NodeId function)
{
    const Source *source = module->source;
    uint32_t start = node_at(module, function)->extra;
    Region place = {.line = source_line(source, start), .column = source_column(source, start)};
    place.end_line = place.line;
    place.end_column = place.column + (uint32_t)utf8_count(node_name(module, function));
    return place;
}

static bool takes_inspection(const Module *module, NodeId function)
{
    NodeId arguments = function_arguments(module, function);
    NodeId end = arguments == NO_NODE ? 0 : node_at(module, arguments)->subtree_end;
    for (NodeId id = arguments; id < end; id++) {
        if (node_is(module, id, NODE_ARG) &&
            str_starts(node_name(module, id), STR("inspection_"))) {
            return true;
        }
    }
    return false;
}

SourceName source_find_name(Arena *arena, Str path, Str name)
{
    SourceName found = {.state = NAME_NO_FILE};
    Parsed *parsed = ARENA_NEW(arena, Parsed);
    if (!read_source(arena, path, &found.text, parsed)) {
        return found;
    }
    const Module *module = parsed->module;
    if (module == NULL) {
        found.state = parsed->status == PARSE_ABSENT ? NAME_ABSENT : NAME_MAYBE;
        return found;
    }
    found.state = NAME_ABSENT;
    NodeList functions = module_functions(module, arena, 0);
    for (uint32_t i = 0; i < functions.count; i++) {
        NodeId id = functions.ids[i];
        if (str_equal(node_name(module, id), name) && is_global(module, id)) {
            found.state = NAME_BOUND;
            found.place = name_region(module, id);
            found.start = node_at(module, id)->extra;
            found.inspectable = takes_inspection(module, id);
        }
    }
    for (NodeId id = 0; id < module->node_count && found.state == NAME_ABSENT; id++) {
        found.state = may_bind(module, id, name) ? NAME_MAYBE : NAME_ABSENT;
    }
    return found;
}

/* "L0" of a name that ends in `_l0`; empty without. */
static Str level_of(Arena *arena, Str name)
{
    size_t start = name.length;
    while (start > 0 && name.at[start - 1] >= '0' && name.at[start - 1] <= '9') {
        start--;
    }
    bool marked =
        start >= 2 && start < name.length && name.at[start - 1] == 'l' && name.at[start - 2] == '_';
    return marked ? str_format(arena, "L%.*s", STR_ARG(str_slice(name, start, name.length)))
                  : STR("");
}

static bool has_case(const SuiteCases *cases, Str id)
{
    for (uint32_t i = 0; i < cases->count; i++) {
        if (str_equal(cases->items[i].id, id)) {
            return true;
        }
    }
    return false;
}

bool source_tests(Arena *arena, Str path, SuiteCases *cases)
{
    Str text;
    Parsed *parsed = ARENA_NEW(arena, Parsed);
    if (!read_source(arena, path, &text, parsed) || parsed->status == PARSE_ERROR) {
        return false;
    }
    const Module *module = parsed->module;
    NodeId id = module == NULL ? NO_NODE : node_child(module, 0, ROLE_BODY);
    for (; id != NO_NODE && cases->count < SUITE_MOST_CASES; id = node_next(module, id)) {
        Str name = node_name(module, id);
        if (!node_is(module, id, NODE_FUNCTION_DEF) || !str_starts(name, STR("test_")) ||
            has_case(cases, name)) {
            continue;
        }
        SuiteCase read = {.id = name,
                          .level = level_of(arena, name),
                          .precision = true,
                          .atol = SUITE_DEFAULT_TOLERANCE,
                          .rtol = SUITE_DEFAULT_TOLERANCE,
                          .json = STR("{}")};
        VEC_PUSH(arena, cases, read);
    }
    return true;
}
