/* Parameters, tensor annotations and dynamic dimensions. */
#include "kernel/kernel.h"

#include "base/ascii.h"

NodeId function_arguments(const Module *module, NodeId function)
{
    return node_child(module, function, ROLE_ARGUMENTS);
}

NodeId parameter_annotation(const Module *module, NodeId arg)
{
    return node_child(module, arg, ROLE_ANNOTATION);
}

NodeId function_parameter(const Module *module, NodeId function, Str name)
{
    NodeId arguments = function_arguments(module, function);
    for (NodeId arg = node_child(module, arguments, ROLE_PARAM); arg != NO_NODE;
         arg = node_next(module, arg)) {
        if (str_equal(node_name(module, arg), name)) {
            return arg;
        }
    }
    return NO_NODE;
}

static bool is_tensor_name(const PyFile *file, NodeId id)
{
    return node_is_name(pyfile_module(file), id, STR("Tensor")) ||
           str_is(pypto_attribute(file, id), "Tensor");
}

/* The node whose children are the annotation's positional arguments and their role; for a bracket
 * form with one subscript that is the Subscript itself. */
static NodeId argument_holder(const Module *module, NodeId annotation, AnnotationForm form,
                              Role *role)
{
    *role = ROLE_ARG;
    if (form == ANNOTATION_CALL) {
        return annotation;
    }
    NodeId slice = node_child(module, annotation, ROLE_SLICE);
    *role = node_is(module, slice, NODE_TUPLE) ? ROLE_ELT : ROLE_SLICE;
    return *role == ROLE_ELT ? slice : annotation;
}

static AnnotationForm form_of(const PyFile *file, NodeId annotation)
{
    const Module *module = pyfile_module(file);
    if (annotation == NO_NODE) {
        return ANNOTATION_NONE;
    }
    if (is_tensor_name(file, annotation)) {
        return ANNOTATION_BARE;
    }
    if (node_is(module, annotation, NODE_CALL) &&
        is_tensor_name(file, call_func(module, annotation))) {
        return ANNOTATION_CALL;
    }
    if (node_is(module, annotation, NODE_SUBSCRIPT) && is_tensor_name(file, annotation + 1)) {
        return ANNOTATION_BRACKET;
    }
    return ANNOTATION_OTHER;
}

TensorAnnotation annotation_read(const PyFile *file, NodeId arg)
{
    const Module *module = pyfile_module(file);
    NodeId annotation = parameter_annotation(module, arg);
    TensorAnnotation result = {form_of(file, annotation), 0, NO_NODE, NO_NODE};
    if (annotation_has_arguments(result)) {
        Role role;
        NodeId holder = argument_holder(module, annotation, result.form, &role);
        result.count = node_count(module, holder, role);
        result.shape = node_nth(module, holder, role, 0);
        result.dtype = result.count > 1 ? node_nth(module, holder, role, 1) : NO_NODE;
    }
    return result;
}

static bool is_dynamic_name(const PyFile *file, Str name)
{
    return str_is(name, "DYNAMIC") || str_is(name, "DYN") ||
           strs_sorted_have(&file->dynamic_symbols, name);
}

bool is_dynamic_shape(const PyFile *file, NodeId expression)
{
    const Module *module = pyfile_module(file);
    if (expression == NO_NODE) {
        return false;
    }
    NodeId end = node_at(module, expression)->subtree_end;
    for (NodeId id = expression; id < end; id++) {
        if (node_is(module, id, NODE_NAME) && is_dynamic_name(file, node_name(module, id))) {
            return true;
        }
        Str attribute = pypto_attribute(file, id);
        if (str_is(attribute, "DYNAMIC") || str_is(attribute, "DYN")) {
            return true;
        }
    }
    return false;
}

/* --- text within an expression */

static bool contains_folded(Str text, const char *part)
{
    size_t length = strlen(part);
    for (size_t i = 0; i + length <= text.length; i++) {
        size_t j = 0;
        while (j < length && lower_case(text.at[i + j]) == part[j]) {
            j++;
        }
        if (j == length) {
            return true;
        }
    }
    return false;
}

static bool mentions(Str text, const char *part, bool fold)
{
    return fold ? contains_folded(text, part) : str_contains(text, str_from(part));
}

typedef struct Search {
    const Module *module;
    NodeId id;
    const char *text;
    bool fold, hit;
    Arena scratch; /* for the value of the string, which nobody needs afterwards */
} Search;

static void search_string(void *argument)
{
    Search *search = argument;
    Str value;
    search->hit = node_string(search->module, search->id, &search->scratch, &value) &&
                  mentions(value, search->text, search->fold);
}

static bool string_mentions(const PyFile *file, NodeId id, const char *text, bool fold)
{
    Search search = {pyfile_module(file), id, text, fold, false, {0}};
    arena_init(&search.scratch, 0);
    bool good = arena_try(&search.scratch, search_string, &search);
    arena_free(&search.scratch);
    if (!good) {
        arena_fail(file->arena);
    }
    return search.hit;
}

bool expression_mentions(const PyFile *file, NodeId expression, const char *text, bool fold)
{
    const Module *module = pyfile_module(file);
    if (expression == NO_NODE) {
        return false;
    }
    NodeId end = node_at(module, expression)->subtree_end;
    for (NodeId id = expression; id < end; id++) {
        const Node *node = node_at(module, id);
        bool named =
            node->kind == NODE_NAME || node->kind == NODE_ATTRIBUTE || node->kind == NODE_KEYWORD;
        if (named && mentions(node_name(module, id), text, fold)) {
            return true;
        }
        if (node->kind == NODE_CONSTANT && node->op == CONSTANT_STR &&
            string_mentions(file, id, text, fold)) {
            return true;
        }
    }
    return false;
}
