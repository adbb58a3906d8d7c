/* Host code: tensors made by torch, and the arguments that give their sizes. */
#include "eval/host.h"

/* --- values */

Value host_value(Eval *eval, HostTensor tensor)
{
    HostTensor *copy = ARENA_NEW(eval->arena, HostTensor);
    *copy = tensor;
    return (Value){.kind = VALUE_HOST, .as.host = copy};
}

HostTensor host_unknown(void)
{
    HostTensor tensor = {.dtype = -1, .rank = -1};
    for (int i = 0; i < HOST_RANK; i++) {
        tensor.size[i] = -1;
    }
    return tensor;
}

Value host_join(Eval *eval, const HostTensor *a, const HostTensor *b)
{
    HostTensor tensor = host_unknown();
    tensor.dtype = a->dtype == b->dtype ? a->dtype : -1;
    tensor.rank = a->rank == b->rank ? a->rank : -1;
    for (int i = 0; i < tensor.rank; i++) {
        tensor.size[i] = a->size[i] == b->size[i] ? a->size[i] : -1;
    }
    tensor.gaps = a->gaps && b->gaps;
    tensor.sparse = a->sparse || b->sparse;
    tensor.device = a->device == b->device ? a->device : DEVICE_UNKNOWN;
    return host_value(eval, tensor);
}

HostTensor host_copied(HostTensor tensor)
{
    tensor.gaps = tensor.gaps && !tensor.sparse;
    tensor.sparse = false;
    return tensor;
}

/* --- devices */

uint8_t host_device_begins(Str text)
{
    return str_starts(text, STR("npu:")) ? 1 + DEVICE_NPU : 0;
}

int host_device(Value value)
{
    if (value.kind == VALUE_UNKNOWN || value.kind == VALUE_OUTSIDE) {
        return value.dtype > 0 ? value.dtype - 1 : DEVICE_UNKNOWN;
    }
    Str text = value.kind == VALUE_STR ? *value.as.text : STR("");
    bool number = value.kind == VALUE_INT; /* of the accelerator */
    return str_is(text, "cpu")                      ? DEVICE_CPU
           : number || str_starts(text, STR("npu")) ? DEVICE_NPU
                                                    : DEVICE_UNKNOWN;
}

static void search_defaults(HostDefaults *set, Str text)
{
    bool both = str_contains(text, STR("set_default_tensor_type"));
    set->device = set->device || both || str_contains(text, STR("set_default_device")) ||
                  str_contains(text, STR("with torch.device"));
    set->dtype = set->dtype || both || str_contains(text, STR("set_default_dtype"));
}

/* The text of each file is searched once for them, since a test may make thousands of tensors. A
 * default applies to all files; pytest reads conftest.py before any test. */
static const HostDefaults *defaults_of(Eval *eval)
{
    HostDefaults *set = &eval->host_defaults;
    if (set->searched == 0 && eval->finder != NULL) {
        const PyFile *file = eval->finder->find(eval->finder->context, STR("conftest"));
        if (file != NULL && pyfile_module(file) != NULL) {
            search_defaults(set, pyfile_module(file)->source->text);
        }
    }
    for (; set->searched < eval->units.count; set->searched++) {
        search_defaults(set, eval->units.items[set->searched]->module->source->text);
    }
    return set;
}

/* `device=`; `none` when it is left out. */
static uint8_t device_argument(Eval *eval, const Arguments *arguments, uint8_t none)
{
    Value device = host_keyword(arguments, "device");
    if (device.kind != VALUE_NONE || arguments->open) {
        return arguments->open ? DEVICE_UNKNOWN : (uint8_t)host_device(device);
    }
    return none == DEVICE_CPU && defaults_of(eval)->device ? DEVICE_UNKNOWN : none;
}

/* --- arguments */

Value host_keyword(const Arguments *arguments, const char *name)
{
    for (uint32_t i = 0; i < arguments->keywords; i++) {
        if (str_is(arguments->names[i], name)) {
            return arguments->values[arguments->positional + i];
        }
    }
    return value_none();
}

Value host_argument(const Arguments *arguments, uint32_t place, const char *name)
{
    return place < arguments->positional ? arguments->values[place] : host_keyword(arguments, name);
}

void host_sizes(const Arguments *arguments, uint32_t from, HostTensor *tensor)
{
    const Value *items = arguments->values + from;
    uint32_t count = arguments->positional > from ? arguments->positional - from : 0;
    Value size = host_keyword(arguments, "size");
    const Value *list = count == 1 && value_is_sequence(items[0]) ? &items[0]
                        : count == 0 && value_is_sequence(size)   ? &size
                                                                  : NULL;
    tensor->rank = -1;
    if (arguments->open || (list == NULL && count == 0)) {
        return;
    }
    if (list != NULL) {
        if (!value_has_items(*list)) {
            return;
        }
        items = list->as.sequence->items;
        count = list->as.sequence->count;
    }
    if (count > HOST_RANK) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        bool number = items[i].kind == VALUE_INT || items[i].kind == VALUE_NUMBER;
        if (!number && (items[i].kind != VALUE_UNKNOWN || (list == NULL && count == 1))) {
            return; /* a single unknown argument may be a list of sizes */
        }
        tensor->size[i] = items[i].kind == VALUE_INT ? items[i].as.integer : -1;
    }
    tensor->rank = (int)count;
}

int host_dtype_argument(const Arguments *arguments, int none)
{
    Value dtype = host_keyword(arguments, "dtype");
    return arguments->open ? -1 : dtype.kind == VALUE_NONE ? none : host_dtype(dtype);
}

/* The data type of a tensor of floats when the call names none. */
static int default_float(Eval *eval)
{
    return defaults_of(eval)->dtype ? -1 : PTS_FP32;
}

/* --- factories */

/* arange(end), arange(start, end, step), also with keywords. */
static Value arange(Eval *eval, const Arguments *arguments)
{
    HostTensor tensor = host_unknown();
    bool only_end = arguments->positional == 1 && host_keyword(arguments, "end").kind == VALUE_NONE;
    Value start = only_end ? value_none() : host_argument(arguments, 0, "start");
    Value end = only_end ? arguments->values[0] : host_argument(arguments, 1, "end");
    Value step = host_argument(arguments, 2, "step");
    start = start.kind == VALUE_NONE ? value_int(0) : start;
    step = step.kind == VALUE_NONE ? value_int(1) : step;
    bool ints = start.kind == VALUE_INT && end.kind == VALUE_INT && step.kind == VALUE_INT &&
                !arguments->open;
    int64_t length;
    tensor.rank = 1;
    tensor.dtype = host_dtype_argument(arguments, ints ? PTS_INT64 : -1);
    if (ints && step.as.integer > 0 &&
        !__builtin_sub_overflow(end.as.integer, start.as.integer, &length)) {
        tensor.size[0] = length > 0 ? (length - 1) / step.as.integer + 1 : 0;
    }
    return host_value(eval, tensor);
}

/* randint(high, size), randint(low, high, size), also with keywords. */
static Value randint(Eval *eval, const Arguments *arguments)
{
    HostTensor tensor = host_unknown();
    bool named = host_keyword(arguments, "size").kind != VALUE_NONE;
    bool two = arguments->positional == 2 && host_keyword(arguments, "high").kind == VALUE_NONE;
    Arguments sizes = *arguments;
    if (named) {
        sizes.values += sizes.positional;
        sizes.positional = 0;
    }
    if (named || two || arguments->positional == 3) {
        host_sizes(&sizes, named ? 0 : two ? 1 : 2, &tensor);
    }
    tensor.dtype = host_dtype_argument(arguments, PTS_INT64);
    return host_value(eval, tensor);
}

/* The dtype that torch.tensor takes for numbers `depth` lists deep; -1: not known. */
static int dtype_of_numbers(Eval *eval, const Value *value, int depth)
{
    bool all_int = true, all_bool = true, any_float = false;
    const Value *items = value;
    uint32_t count = 1;
    if (depth > 1) {
        return -1;
    }
    if (depth == 1) {
        items = value->as.sequence->items;
        count = value->as.sequence->count;
    }
    for (uint32_t i = 0; i < count; i++) {
        bool number = value_is_int(items[i]) || items[i].kind == VALUE_FLOAT;
        if (!number) {
            return -1;
        }
        all_int = all_int && items[i].kind == VALUE_INT;
        all_bool = all_bool && items[i].kind == VALUE_BOOL;
        any_float = any_float || items[i].kind == VALUE_FLOAT;
    }
    return any_float ? default_float(eval) : all_int ? PTS_INT64 : all_bool ? PTS_BOOL : -1;
}

/* The shape of nested lists of known lengths, as torch.tensor takes it. */
static Value from_list(Eval *eval, const Arguments *arguments)
{
    HostTensor tensor = host_unknown();
    Value value = arguments->positional > 0 ? arguments->values[0] : value_unknown();
    int rank = 0;
    while (value_has_items(value) && value.as.sequence->count > 0 && rank < HOST_RANK) {
        tensor.size[rank++] = value.as.sequence->count;
        value = value.as.sequence->items[0];
    }
    bool number = value_is_int(value) || value.kind == VALUE_FLOAT;
    tensor.rank = number ? rank : -1;
    tensor.dtype = host_dtype_argument(arguments, dtype_of_numbers(eval, arguments->values, rank));
    return host_value(eval, tensor);
}

static Value eye(Eval *eval, const Arguments *arguments)
{
    HostTensor tensor = host_unknown();
    uint32_t count = arguments->positional;
    tensor.rank = 2;
    for (int i = 0; i < 2 && count > 0; i++) {
        const Value *size = &arguments->values[i < (int)count ? i : 0];
        bool named = count < 2 && i == 1 && host_keyword(arguments, "m").kind != VALUE_NONE;
        tensor.size[i] = size->kind == VALUE_INT && !named ? size->as.integer : -1;
    }
    tensor.dtype = host_dtype_argument(arguments, default_float(eval));
    return host_value(eval, tensor);
}

static Value like(Eval *eval, const Arguments *arguments)
{
    HostTensor tensor = host_unknown();
    if (arguments->positional > 0 && arguments->values[0].kind == VALUE_HOST) {
        tensor = *arguments->values[0].as.host;
        tensor.gaps = tensor.sparse = false;
    }
    tensor.dtype = host_dtype_argument(arguments, tensor.dtype);
    return host_value(eval, tensor);
}

static Value make(Eval *eval, const Arguments *arguments, Str name, bool *found)
{
    HostTensor tensor = host_unknown();
    *found = true;
    static const char *const plain[] = {"zeros", "ones", "empty", "rand", "randn"};
    static const char *const likes[] = {"zeros_like", "ones_like",  "empty_like",
                                        "rand_like",  "randn_like", "full_like"};
    if (STR_IS_ANY(name, plain)) {
        host_sizes(arguments, 0, &tensor);
        tensor.dtype = host_dtype_argument(arguments, default_float(eval));
        return host_value(eval, tensor);
    }
    if (str_is(name, "full")) {
        Arguments sizes = *arguments;
        sizes.positional = sizes.positional > 0 ? 1 : 0;
        host_sizes(&sizes, 0, &tensor);
        Value fill = arguments->positional > 1 ? arguments->values[1] : value_unknown();
        int none = fill.kind == VALUE_FLOAT ? default_float(eval)
                   : fill.kind == VALUE_INT ? PTS_INT64
                                            : -1;
        tensor.dtype = host_dtype_argument(arguments, none);
        return host_value(eval, tensor);
    }
    if (str_is(name, "randint")) {
        return randint(eval, arguments);
    }
    if (str_is(name, "randperm") && arguments->positional == 1) {
        tensor.rank = 1;
        tensor.size[0] =
            arguments->values[0].kind == VALUE_INT ? arguments->values[0].as.integer : -1;
        tensor.dtype = host_dtype_argument(arguments, PTS_INT64);
        return host_value(eval, tensor);
    }
    if (STR_IS_ANY(name, likes)) {
        return like(eval, arguments);
    }
    if (str_is(name, "eye")) {
        return eye(eval, arguments);
    }
    if (str_is(name, "arange")) {
        return arange(eval, arguments);
    }
    if (str_is(name, "tensor")) {
        return from_list(eval, arguments);
    }
    *found = false;
    return value_unknown();
}

Value host_factory(Eval *eval, const Arguments *arguments, Str name, bool *found)
{
    Value value = make(eval, arguments, name, found);
    if (value.kind != VALUE_HOST) {
        return value;
    }
    HostTensor tensor = *value.as.host;
    bool like = str_ends(name, STR("_like"));
    tensor.device = device_argument(eval, arguments, like ? tensor.device : DEVICE_CPU);
    return host_value(eval, tensor);
}
