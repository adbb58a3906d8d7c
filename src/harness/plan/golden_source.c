/* Golden source: the reference and its parameters; see golden_source.h. */
#include "harness/plan/golden_source.h"

#include "base/file.h"
#include "operator/artifact.h"
#include "operator/operator.h"
#include "operator/python_facts.h"

enum { GOLDEN_MAX_BYTES = 4 * 1024 * 1024 };

/* --- parameters */

static Str scalar_of_annotation(const Module *module, NodeId parameter)
{
    static const char *const scalars[] = {"int", "float", "bool"};
    NodeId annotation = node_child(module, parameter, ROLE_ANNOTATION);
    if (node_is(module, annotation, NODE_NAME) &&
        STR_IS_ANY(node_name(module, annotation), scalars)) {
        return node_name(module, annotation);
    }
    return STR("");
}

/* The kind of a default that is a number, True or False. */
static Str scalar_of_default(const Module *module, NodeId value)
{
    NodeId number =
        node_is(module, value, NODE_UNARY_OP) ? node_child(module, value, ROLE_OPERAND) : value;
    if (!node_is(module, number, NODE_CONSTANT)) {
        return STR("");
    }
    switch ((ConstantKind)node_at(module, number)->op) {
    case CONSTANT_INT:
        return STR("int");
    case CONSTANT_FLOAT:
        return STR("float");
    case CONSTANT_TRUE:
    case CONSTANT_FALSE:
        return STR("bool");
    default:
        return STR("");
    }
}

/* Reads the ordinary parameters. The defaults belong to the last of them. */
static void read_parameters(Arena *arena, const Module *module, NodeId function,
                            GoldenSource *golden)
{
    NodeId arguments = function_arguments(module, function);
    uint32_t only = node_count(module, arguments, ROLE_POSONLYARG);
    uint32_t count = only + node_count(module, arguments, ROLE_PARAM);
    uint32_t defaults = node_count(module, arguments, ROLE_DEFAULT);
    for (uint32_t i = 0; i < count; i++) {
        NodeId parameter = i < only ? node_nth(module, arguments, ROLE_POSONLYARG, i)
                                    : node_nth(module, arguments, ROLE_PARAM, i - only);
        GoldenParameter made = {node_name(module, parameter),
                                scalar_of_annotation(module, parameter), STR("")};
        NodeId value = i + defaults < count
                           ? NO_NODE
                           : node_nth(module, arguments, ROLE_DEFAULT, i + defaults - count);
        Str kind = value == NO_NODE ? STR("") : scalar_of_default(module, value);
        if (kind.length > 0) {
            made.scalar = made.scalar.length > 0 ? made.scalar : kind;
            made.value = node_text(module, value);
        }
        VEC_PUSH(arena, &golden->parameters, made);
    }
    golden->variadic = node_count(module, arguments, ROLE_VARARG) > 0 ||
                       node_count(module, arguments, ROLE_KWARG) > 0;
}

/* --- outputs */

/* The returned tuple, also when a name is returned to which a tuple is assigned; NO_NODE if there
 * is none. */
static NodeId returned_tuple(const Module *module, NodeId function, NodeId value)
{
    if (!node_is(module, value, NODE_NAME)) {
        return node_is(module, value, NODE_TUPLE) ? value : NO_NODE;
    }
    NodeList assigned = nodes_in(module, function, NODE_ASSIGN);
    NodeId found = NO_NODE;
    for (uint32_t i = 0; i < assigned.count; i++) {
        NodeId target = node_child(module, assigned.ids[i], ROLE_TARGET);
        if (node_function(module, assigned.ids[i]) == function &&
            node_is(module, target, NODE_NAME) &&
            str_equal(node_name(module, target), node_name(module, value))) {
            found = node_child(module, assigned.ids[i], ROLE_VALUE);
        }
    }
    return node_is(module, found, NODE_TUPLE) ? found : NO_NODE;
}

/* The number of outputs in `-> tuple[Tensor, Tensor]`; 1 if the annotation does not say. */
static uint32_t annotated_outputs(const Module *module, NodeId function)
{
    NodeId annotation = node_child(module, function, ROLE_RETURNS);
    NodeId slice = node_is(module, annotation, NODE_SUBSCRIPT)
                       ? node_child(module, annotation, ROLE_SLICE)
                       : NO_NODE;
    NodeId type = slice == NO_NODE ? NO_NODE : node_child(module, annotation, ROLE_VALUE);
    Str name = node_is(module, type, NODE_NAME) || node_is(module, type, NODE_ATTRIBUTE)
                   ? node_name(module, type)
                   : STR("");
    bool is_tuple = str_is(name, "tuple") || str_is(name, "Tuple");
    uint32_t count =
        is_tuple && node_is(module, slice, NODE_TUPLE) ? node_count(module, slice, ROLE_ELT) : 0;
    for (uint32_t i = 0; i < count; i++) { /* tuple[Tensor, ...] has no number */
        NodeId item = node_nth(module, slice, ROLE_ELT, i);
        if (node_is(module, item, NODE_CONSTANT) &&
            (ConstantKind)node_at(module, item)->op == CONSTANT_ELLIPSIS) {
            count = 0;
        }
    }
    return count > 0 ? count : 1;
}

static bool has_star(const Module *module, NodeId tuple)
{
    for (uint32_t i = 0; i < node_count(module, tuple, ROLE_ELT); i++) {
        if (node_is(module, node_nth(module, tuple, ROLE_ELT, i), NODE_STARRED)) {
            return true;
        }
    }
    return false;
}

static void take_tuple(Arena *arena, const Module *module, NodeId tuple, GoldenOutputs *outputs)
{
    uint32_t count = node_count(module, tuple, ROLE_ELT);
    outputs->count = count;
    outputs->names = (Strs){0};
    for (uint32_t i = 0; count > 1 && i < count && i < GOLDEN_MAX_OUTPUTS; i++) {
        NodeId item = node_nth(module, tuple, ROLE_ELT, i);
        VEC_PUSH(arena, &outputs->names,
                 node_is(module, item, NODE_NAME) ? node_name(module, item) : STR(""));
    }
}

/* From the return statements, or if these do not show it from the annotation. */
static GoldenOutputs read_outputs(Arena *arena, const Module *module, NodeId function)
{
    GoldenOutputs outputs = {.count = 0};
    NodeList returns = nodes_in(module, function, NODE_RETURN);
    for (uint32_t i = 0; i < returns.count; i++) {
        NodeId value = node_child(module, returns.ids[i], ROLE_VALUE);
        if (value == NO_NODE || node_function(module, returns.ids[i]) != function) {
            continue;
        }
        NodeId tuple = returned_tuple(module, function, value);
        uint32_t count = tuple == NO_NODE ? 0 : node_count(module, tuple, ROLE_ELT);
        if (count == 0 || has_star(module, tuple)) {
            continue;
        }
        outputs.differs = outputs.differs || (outputs.count > 0 && outputs.count != count);
        if (count >= outputs.count) {
            take_tuple(arena, module, tuple, &outputs);
        }
    }
    outputs.count = outputs.count > 0 ? outputs.count : annotated_outputs(module, function);
    outputs.count = outputs.count < GOLDEN_MAX_OUTPUTS ? outputs.count : GOLDEN_MAX_OUTPUTS;
    return outputs;
}

/* --- the function */

static NodeId find_reference(const PyFile *file, Str stem)
{
    const Module *module = pyfile_module(file);
    NodeId named = top_level_function(file, stem);
    for (NodeId id = node_child(module, 0, ROLE_BODY); id != NO_NODE && named == NO_NODE;
         id = node_next(module, id)) {
        bool ends = node_is(module, id, NODE_FUNCTION_DEF) &&
                    str_ends(node_name(module, id), STR("_golden"));
        named = ends ? id : NO_NODE;
    }
    return named;
}

static bool read_text(Arena *arena, Str path, Str *text, Str *error)
{
    Str reason = STR("");
    FileStatus status = artifact_read(arena, path, GOLDEN_MAX_BYTES, text, &reason);
    if (status == FILE_OK) {
        return true;
    }
    if (status == FILE_MISSING) {
        reason = STR("no such file");
    }
    *error = str_format(arena, "%.*s: %.*s", STR_ARG(path), STR_ARG(reason));
    return false;
}

bool golden_source_read(Arena *arena, Str path, GoldenSource *golden, Str *error)
{
    *golden = (GoldenSource){.function = STR("")};
    Str text;
    if (!read_text(arena, path, &text, error)) {
        return false;
    }
    PyFile *file = ARENA_NEW(arena, PyFile);
    pyfile_init(file, arena, path, text);
    const Module *module = pyfile_module(file);
    if (module == NULL && file->parsed.errors.count > 0) {
        *error = str_format(arena, "%.*s:%u: no valid Python", STR_ARG(path),
                            source_line(&file->parsed.source, file->parsed.errors.items[0].start));
        return false;
    }
    Str base = path_basename(path);
    Str stem = str_slice(base, 0, base.length - (str_ends(base, STR(".py")) ? 3 : 0));
    NodeId function = module == NULL ? NO_NODE : find_reference(file, stem);
    if (function == NO_NODE || !str_ends(node_name(module, function), STR("_golden"))) {
        *error = str_format(arena, "%.*s: no function ends in _golden", STR_ARG(path));
        return false;
    }
    golden->function = node_name(module, function);
    read_parameters(arena, module, function, golden);
    golden->outputs = read_outputs(arena, module, function);
    golden->pairs = golden_pairs(arena, file);
    return true;
}
