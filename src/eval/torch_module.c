/* Methods that a class of the program inherits from torch.nn.Module. */
#include "eval/host.h"

enum { MOST_NESTED = 8 };

/* What x.to(…) and the like change of a module's tensors. Which of them are parameters, and so
 * change, is not known. */
typedef struct Change {
    bool device, dtype;
} Change;

/* In place, since other names may have the same tensor. */
static void change_tensor(const HostTensor *tensor, Change change)
{
    HostTensor *made = (HostTensor *)(uintptr_t)tensor; /* ours, made by host_value */
    made->device = change.device ? DEVICE_UNKNOWN : made->device;
    made->gaps = made->sparse = false;
    made->dtype = change.dtype ? -1 : made->dtype;
}

static void change_tensors(Eval *eval, Value module, Change change, int depth)
{
    const Bindings *names = &module.as.instance->names->bindings;
    for (uint32_t i = 0; i < names->count && eval_step(eval); i++) {
        Value value = names->items[i].value;
        bool nested = value.kind == VALUE_INSTANCE && value.as.instance->class->is_module;
        if (nested && depth < MOST_NESTED) {
            change_tensors(eval, value, change, depth + 1);
        } else if (nested) {
            value_lose(eval, value);
        } else if (value.kind == VALUE_HOST) {
            change_tensor(value.as.host, change);
        }
    }
}

void torch_module_lose_tensor(const HostTensor *tensor)
{
    change_tensor(tensor, (Change){.device = true, .dtype = true});
}

/* Methods and attributes of torch.nn.Module and its layers through which nothing changes but
 * tensors. */
static bool gives_tensors(Str name)
{
    static const char *const names[] = {
        "parameters",      "named_parameters", "buffers",       "named_buffers", "state_dict",
        "load_state_dict", "modules",          "named_modules", "children",      "named_children"};
    return STR_IS_ANY(name, names);
}

static bool is_harmless(Str name)
{
    static const char *const names[] = {"training",      "zero_grad",        "bias",
                                        "in_features",   "out_features",     "num_embeddings",
                                        "embedding_dim", "normalized_shape", "eps"};
    return STR_IS_ANY(name, names);
}

void torch_module_other(Eval *eval, Value module, Str name)
{
    if (is_harmless(name)) {
        return;
    }
    change_tensors(eval, module, (Change){.device = true, .dtype = true}, 0);
    if (!gives_tensors(name)) {
        value_lose(eval, module);
    }
}

/* The arguments of module.to(…). */
static Change read_to(const Arguments *arguments)
{
    Change change = {.device = true};
    for (uint32_t i = 0; i < arguments->positional + arguments->keywords; i++) {
        Value value = arguments->values[i];
        bool device = value.kind == VALUE_STR || value.kind == VALUE_INT ||
                      (value.kind == VALUE_OUTSIDE && str_is(*value.as.text, "torch.device"));
        change.dtype = change.dtype || !device;
    }
    change.dtype = change.dtype || arguments->open;
    return change;
}

/* register_buffer(name, tensor), register_parameter(name, tensor) */
static bool register_tensor(Eval *eval, const Arguments *arguments, Value self, Str name)
{
    bool registers = str_is(name, "register_buffer") || str_is(name, "register_parameter");
    if (!registers || arguments->open || arguments->positional < 2 ||
        arguments->values[0].kind != VALUE_STR) {
        return false;
    }
    instance_set(eval, self, *arguments->values[0].as.text, arguments->values[1]);
    return true;
}

/* Is it a keyword that leaves the shape of the weight as it is? */
static bool keeps_weight(Str keyword, bool norm)
{
    static const char *const names[] = {"dtype", "device", "bias"};
    return STR_IS_ANY(keyword, names) || (norm && str_is(keyword, "eps"));
}

/* The weight of a layer of torch: Linear(in, out), Embedding(number, width), LayerNorm(width). */
bool torch_module_new(Eval *eval, const Arguments *arguments, Str name, Value *result)
{
    static const char *const norms[] = {"torch.nn.LayerNorm", "torch.nn.RMSNorm"};
    bool linear = str_is(name, "torch.nn.Linear"), norm = STR_IS_ANY(name, norms);
    uint32_t wanted = norm ? 1 : 2;
    bool known = (linear || norm || str_is(name, "torch.nn.Embedding")) && !arguments->open &&
                 arguments->positional == wanted;
    for (uint32_t i = 0; known && i < wanted; i++) {
        known = arguments->values[i].kind == VALUE_INT && arguments->values[i].as.integer >= 0;
    }
    for (uint32_t i = 0; known && i < arguments->keywords; i++) {
        known = keeps_weight(arguments->names[i], norm);
    }
    if (!known) {
        return false;
    }
    HostTensor weight = host_unknown();
    weight.rank = (int)wanted;
    for (uint32_t i = 0; i < wanted; i++) {
        weight.size[i] = arguments->values[linear ? 1 - i : i].as.integer;
    }
    Class *class = ARENA_NEW(eval->arena, Class);
    *class = (Class){.name = name, .is_module = true, .has_others = true, .birth = eval->clock};
    class->scope = scope_new(eval, NULL, NO_NODE);
    *result = instance_new(eval, class);
    weight.dtype = host_dtype_argument(arguments, PTS_FP32);
    scope_set(eval, result->as.instance->names, STR("weight"), host_value(eval, weight));
    Value bias = host_keyword(arguments, "bias");
    if (bias.kind == VALUE_BOOL && bias.as.integer == 0) {
        scope_set(eval, result->as.instance->names, STR("bias"), value_none());
    }
    return true;
}

bool torch_module_has(Str name)
{
    static const char *const names[] = {"to",
                                        "npu",
                                        "cpu",
                                        "cuda",
                                        "eval",
                                        "train",
                                        "half",
                                        "float",
                                        "bfloat16",
                                        "double",
                                        "requires_grad_",
                                        "register_buffer",
                                        "register_parameter"};
    return STR_IS_ANY(name, names);
}

bool torch_module_method(Eval *eval, const Arguments *arguments, Value self, Str name,
                         Value *result)
{
    static const char *const modes[] = {"eval", "train", "requires_grad_"};
    static const char *const devices[] = {"npu", "cpu", "cuda"};
    if (self.kind != VALUE_INSTANCE || !self.as.instance->class->is_module ||
        self.as.instance->lost || !torch_module_has(name)) {
        return false;
    }
    *result = self;
    if (STR_IS_ANY(name, modes)) {
        return true;
    }
    if (str_starts(name, STR("register_"))) {
        *result = value_none();
        return register_tensor(eval, arguments, self, name);
    }
    Change change = str_is(name, "to")          ? read_to(arguments)
                    : STR_IS_ANY(name, devices) ? (Change){.device = true}
                                                : (Change){.dtype = true};
    change_tensors(eval, self, change, 0);
    return true;
}
