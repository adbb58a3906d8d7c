/* Methods that a class of the program inherits from torch.nn.Module. */
#include "eval/host.h"

enum { MOST_NESTED = 8 };

/* What x.to(…) and the like change of a module's tensors. Which of them are parameters, and so
 * change, is not known. */
typedef struct Change {
    bool device, dtype;
} Change;

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
            HostTensor tensor = *value.as.host;
            tensor.device = change.device ? DEVICE_UNKNOWN : tensor.device;
            tensor.gaps = tensor.sparse = false;
            tensor.dtype = change.dtype ? -1 : tensor.dtype;
            instance_set(eval, module, names->items[i].name, host_value(eval, tensor));
        }
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
