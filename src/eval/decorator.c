/* Checks a kernel's decorator and annotations, as Python evaluates them at the `def`: options out
 * of range, names that do not exist. */
#include "eval/state.h"

#include "kernel/kernel.h"
#include "model/options.h"

/* --- options of the decorator */

static void check_range(Eval *eval, NodeId option, Str group, Str name, Value value)
{
    for (const PtsOptionRange *range = pts_option_ranges; range->name != NULL; range++) {
        bool same = str_is(group, range->group) && str_is(name, range->name);
        bool outside = value.kind == VALUE_INT &&
                       (value.as.integer < range->least || value.as.integer > range->most);
        if (same && outside) {
            eval_report(eval, EVAL_SIGNATURE, option,
                        "%s: '%s' is %lld, and goes from %lld to %lld (F00002)",
                        "%s：'%s' 为 %lld，取值范围是 %lld 到 %lld（F00002）", range->group,
                        range->name, (long long)value.as.integer, (long long)range->least,
                        (long long)range->most);
        }
    }
}

static void check_run_mode(Eval *eval, NodeId option, Value value)
{
    bool number = value.kind == VALUE_INT && (value.as.integer < 0 || value.as.integer > 1);
    if (number || value.kind == VALUE_STR || value.kind == VALUE_NONE ||
        value.kind == VALUE_FLOAT) {
        eval_report(eval, EVAL_SIGNATURE, option,
                    "'run_mode' must be pypto.RunMode.NPU or pypto.RunMode.SIM (F00003)",
                    "'run_mode' 必须是 pypto.RunMode.NPU 或 pypto.RunMode.SIM（F00003）");
    }
}

/* One `group={…}` of the decorator. */
static void check_group(Eval *eval, NodeId option, Str group, Value options)
{
    if (options.kind != VALUE_DICT || options.as.dict->lost) {
        return;
    }
    for (uint32_t i = 0; i < options.as.dict->count; i++) {
        Value key = options.as.dict->keys[i], value = options.as.dict->values[i];
        if (key.kind != VALUE_STR) {
            continue;
        }
        if (str_is(group, "runtime_options") && str_is(*key.as.text, "run_mode")) {
            check_run_mode(eval, option, value);
        }
        check_range(eval, option, group, *key.as.text, value);
    }
}

void check_kernel_options(Eval *eval, const Arguments *arguments)
{
    for (uint32_t i = 0; i < arguments->keywords; i++) {
        uint32_t at = arguments->positional + i;
        check_group(eval, arguments->nodes[at], arguments->names[i], arguments->values[at]);
    }
}

/* jit(OPTIONS): what is decorated is a function, so anything else in its place is a mistake. */
static void check_decorated(Eval *eval, const Arguments *arguments)
{
    Value given = arguments->positional > 0 ? arguments->values[0] : value_unknown();
    bool plain = given.kind > VALUE_NONE && given.kind <= VALUE_DICT;
    const char *type = plain ? value_type(given) : NULL;
    if (type != NULL) {
        eval_report(
            eval, EVAL_SIGNATURE, arguments->nodes[0],
            "pypto.frontend.jit decorates plain functions only, not %s (F00001); options go "
            "by name: jit(runtime_options=…)",
            "pypto.frontend.jit 只能装饰普通函数，不能是 %s（F00001）；选项按名称传入："
            "jit(runtime_options=…)",
            type);
    }
}

/* Checks jit(…) without calling it, so that what is in the arguments stays known. */
static void check_decorator(Eval *eval, NodeId decorator)
{
    Value callee = eval_expression(eval, call_func(eval->module, decorator));
    Arguments arguments = eval_arguments(eval, decorator);
    if (callee.kind == VALUE_API) {
        Str shown = str_format(eval->arena, "pypto.%s", callee.as.fact->name);
        check_signature(eval, &arguments, shown, callee.as.fact->parameters);
    }
    check_decorated(eval, &arguments);
    check_kernel_options(eval, &arguments);
}

static void check_annotation(Eval *eval, NodeId annotation)
{
    const Module *module = eval->module;
    static const Role roles[] = {ROLE_ARG, ROLE_SLICE};
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
        for (NodeId entry = node_child(module, annotation, roles[i]); entry != NO_NODE;
             entry = node_next(module, entry)) {
            eval_expression(eval, entry);
        }
    }
    for (NodeId option = node_child(module, annotation, ROLE_KEYWORD); option != NO_NODE;
         option = node_next(module, option)) {
        eval_expression(eval, option + 1);
    }
}

void check_kernel_header(Eval *eval, NodeId kernel)
{
    const Module *module = eval->module;
    for (NodeId decorator = node_child(module, kernel, ROLE_DECORATOR); decorator != NO_NODE;
         decorator = node_next(module, decorator)) {
        if (node_is(module, decorator, NODE_CALL)) {
            check_decorator(eval, decorator);
        }
    }
    NodeId list = function_arguments(module, kernel);
    for (NodeId arg = node_child(module, list, ROLE_PARAM); arg != NO_NODE;
         arg = node_next(module, arg)) {
        NodeId annotation = parameter_annotation(module, arg);
        if (annotation != NO_NODE && annotation_is_tensor(annotation_read(eval->file, arg))) {
            check_annotation(eval, annotation);
        }
    }
}
