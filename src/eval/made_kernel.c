/* Kernels that a call makes; see made_kernel.h. */
#include "eval/made_kernel.h"

/* `new_ir=` of the call; pypto.jit without it means the newer front end. */
static NewIr new_ir_of(const Arguments *arguments, bool newer)
{
    for (uint32_t i = 0; i < arguments->keywords; i++) {
        Value value = arguments->values[arguments->positional + i];
        if (str_is(arguments->names[i], "new_ir")) {
            return value.kind != VALUE_BOOL ? NEW_IR_UNSAID
                   : value.as.integer != 0  ? NEW_IR_TRUE
                                            : NEW_IR_FALSE;
        }
    }
    return newer ? NEW_IR_TRUE : NEW_IR_UNSAID;
}

/* Is it a function as it was defined, which jit takes? One that a test defines for itself may be
 * wrong on purpose, and helpers of tests that expect an error have many names. */
static bool is_plain(const Eval *eval, Value value)
{
    const Function *function = value.kind == VALUE_FUNCTION ? value.as.function : NULL;
    if (function == NULL || function->owner != NULL || function->is_graph || function->is_manager) {
        return false;
    }
    const Module *module = eval->units.items[function->unit]->module;
    NodeId around = node_function(module, function->node);
    bool of_test = around != NO_NODE && node_is(module, around, NODE_FUNCTION_DEF) &&
                   str_starts(node_name(module, around), STR("test"));
    return !of_test && node_is(module, function->node, NODE_FUNCTION_DEF);
}

Value made_kernel(Eval *eval, const Arguments *arguments, Value jit)
{
    if (arguments->positional == 0 && !arguments->open && eval->drive == NULL) {
        Arguments with = arguments_with(eval, arguments, jit);
        return partial_new(eval, &with);
    }
    bool meant = eval->drive == NULL && eval->no_launch == 0; /* not to fail, as a test may mean */
    if (arguments->positional != 1 || arguments->open || !meant ||
        !is_plain(eval, arguments->values[0])) {
        for (uint32_t i = 0; i < arguments->positional; i++) {
            value_lose(eval, arguments->values[i]);
        }
        return value_unknown();
    }
    const Function *function = arguments->values[0].as.function;
    KernelSite site = {.node = function->node,
                       .scope = function->scope,
                       .assumed = eval->assumed > 0,
                       .unit = function->unit,
                       .new_ir = (uint8_t)new_ir_of(arguments, jit.kind == VALUE_API)};
    if (eval->unit == function->unit) {
        Arguments *options = ARENA_NEW(eval->arena, Arguments);
        *options = *arguments;
        site.options = options;
    }
    VEC_PUSH(eval->arena, &eval->kernels, site);
    return (Value){.kind = VALUE_KERNEL, .as.integer = eval->kernels.count - 1};
}

bool is_made_kernel(const Eval *eval, NodeId function)
{
    for (uint32_t i = 0; i < eval->kernels.count; i++) {
        if (eval->kernels.items[i].node == function && eval->kernels.items[i].unit == eval->unit) {
            return true;
        }
    }
    return false;
}
