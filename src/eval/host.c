/* Host code: what is known of torch tensors, without torch. */
#include "eval/launch.h"
#include "model/ptosim_model.h"

#include <math.h>

enum { HOST_RANK = 8 };

/* --- data types */

static const struct {
    const char *name;
    PtsDtype dtype;
} dtypes[] = {
    {"float32", PTS_FP32},  {"float", PTS_FP32},     {"float16", PTS_FP16},  {"half", PTS_FP16},
    {"bfloat16", PTS_BF16}, {"float64", PTS_DOUBLE}, {"double", PTS_DOUBLE}, {"int8", PTS_INT8},
    {"int16", PTS_INT16},   {"short", PTS_INT16},    {"int32", PTS_INT32},   {"int", PTS_INT32},
    {"int64", PTS_INT64},   {"long", PTS_INT64},     {"uint8", PTS_UINT8},   {"bool", PTS_BOOL},
    {"uint16", PTS_UINT16}, {"uint32", PTS_UINT32},  {"uint64", PTS_UINT64},
};

static int dtype_named(Str name)
{
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
        if (str_is(name, dtypes[i].name)) {
            return (int)dtypes[i].dtype;
        }
    }
    return -1;
}

/* The number of a dtype named "torch.float32", -1 for other names. */
static int host_dtype(Value value)
{
    bool torch = value.kind == VALUE_OUTSIDE && str_starts(*value.as.text, STR("torch."));
    return torch ? dtype_named(str_slice(*value.as.text, 6, value.as.text->length)) : -1;
}

static bool is_float(int dtype)
{
    return dtype == PTS_FP32 || dtype == PTS_FP16 || dtype == PTS_BF16 || dtype == PTS_DOUBLE;
}

/* --- values */

static Value outside(Eval *eval, Str name)
{
    Value value = value_text(eval->arena, name);
    value.kind = VALUE_OUTSIDE;
    return value;
}

Value host_module(Eval *eval, bool from, Str source, Str name, Str as)
{
    static const char *const known[] = {"torch",  "torch_npu", "math",   "os",
                                        "sys",    "numpy",     "random", "time",
                                        "pytest", "logging",   "copy",   "itertools"};
    Str top = from ? source : name;
    Str first = str_slice(top, 0, str_find(top, STR("."), 0));
    if (!STR_IS_ANY(first, known) || (from && str_is(name, "*"))) {
        return value_unknown();
    }
    if (from) {
        return outside(eval, str_format(eval->arena, "%.*s.%.*s", STR_ARG(source), STR_ARG(name)));
    }
    return outside(eval, as.length > 0 ? name : first);
}

static Value host_value(Eval *eval, HostTensor tensor)
{
    HostTensor *copy = ARENA_NEW(eval->arena, HostTensor);
    *copy = tensor;
    return (Value){.kind = VALUE_HOST, .as.host = copy};
}

static HostTensor nothing_known(void)
{
    HostTensor tensor = {.dtype = -1, .rank = -1};
    for (int i = 0; i < HOST_RANK; i++) {
        tensor.size[i] = -1;
    }
    return tensor;
}

/* --- arguments */

static Value keyword(const Arguments *arguments, const char *name)
{
    for (uint32_t i = 0; i < arguments->keywords; i++) {
        if (str_is(arguments->names[i], name)) {
            return arguments->values[arguments->positional + i];
        }
    }
    return value_none();
}

/* Sizes from a list of them, or from positional arguments from `from` on. */
static void take_sizes(const Arguments *arguments, uint32_t from, HostTensor *tensor)
{
    const Value *items = arguments->values + from;
    uint32_t count = arguments->positional > from ? arguments->positional - from : 0;
    Value size = keyword(arguments, "size");
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
        if (!number && (items[i].kind != VALUE_UNKNOWN || list == NULL)) {
            return; /* one that is not known may be a list of sizes */
        }
        tensor->size[i] = items[i].kind == VALUE_INT ? items[i].as.integer : -1;
    }
    tensor->rank = (int)count;
}

static int dtype_argument(const Arguments *arguments, int none)
{
    Value dtype = keyword(arguments, "dtype");
    return arguments->open ? -1 : dtype.kind == VALUE_NONE ? none : host_dtype(dtype);
}

/* --- factories */

static bool is_one_of(Str name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (str_is(name, names[i])) {
            return true;
        }
    }
    return false;
}
#define IS_ONE_OF(name, ...)                                                                       \
    is_one_of(name, (const char *const[]){__VA_ARGS__},                                            \
              sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static Value arange(Eval *eval, const Arguments *arguments)
{
    HostTensor tensor = nothing_known();
    bool ints = arguments->positional >= 1 && arguments->positional <= 2;
    for (uint32_t i = 0; i < arguments->positional; i++) {
        ints = ints && arguments->values[i].kind == VALUE_INT;
    }
    tensor.rank = 1;
    tensor.dtype = dtype_argument(arguments, ints ? PTS_INT64 : -1);
    if (ints) {
        int64_t start = arguments->positional == 2 ? arguments->values[0].as.integer : 0;
        int64_t end = arguments->values[arguments->positional - 1].as.integer;
        tensor.size[0] = end > start ? end - start : 0;
    }
    return host_value(eval, tensor);
}

/* The shape of nested lists of known lengths, as torch.tensor takes it. */
static Value from_list(Eval *eval, const Arguments *arguments)
{
    HostTensor tensor = nothing_known();
    Value value = arguments->positional > 0 ? arguments->values[0] : value_unknown();
    int rank = 0;
    while (value_has_items(value) && value.as.sequence->count > 0 && rank < HOST_RANK) {
        tensor.size[rank++] = value.as.sequence->count;
        value = value.as.sequence->items[0];
    }
    bool number = value_is_int(value) || value.kind == VALUE_FLOAT;
    tensor.rank = number ? rank : -1;
    int none = value.kind == VALUE_FLOAT ? PTS_FP32 : -1;
    tensor.dtype = dtype_argument(arguments, none);
    return host_value(eval, tensor);
}

static Value like(Eval *eval, const Arguments *arguments)
{
    HostTensor tensor = nothing_known();
    if (arguments->positional > 0 && arguments->values[0].kind == VALUE_HOST) {
        tensor = *arguments->values[0].as.host;
        tensor.gaps = false;
    }
    tensor.dtype = dtype_argument(arguments, tensor.dtype);
    return host_value(eval, tensor);
}

static Value factory(Eval *eval, const Arguments *arguments, Str name, bool *found)
{
    HostTensor tensor = nothing_known();
    *found = true;
    if (IS_ONE_OF(name, "zeros", "ones", "empty", "rand", "randn")) {
        take_sizes(arguments, 0, &tensor);
        tensor.dtype = dtype_argument(arguments, PTS_FP32);
        return host_value(eval, tensor);
    }
    if (str_is(name, "full")) {
        Arguments sizes = *arguments;
        sizes.positional = sizes.positional > 0 ? 1 : 0;
        take_sizes(&sizes, 0, &tensor);
        Value fill = arguments->positional > 1 ? arguments->values[1] : value_unknown();
        int none = fill.kind == VALUE_FLOAT ? PTS_FP32 : fill.kind == VALUE_INT ? PTS_INT64 : -1;
        tensor.dtype = dtype_argument(arguments, none);
        return host_value(eval, tensor);
    }
    if (str_is(name, "randint")) {
        bool has_low = arguments->positional == 3;
        take_sizes(arguments, has_low ? 2 : 1, &tensor);
        tensor.rank = arguments->positional >= 2 || keyword(arguments, "size").kind != VALUE_NONE
                          ? tensor.rank
                          : -1;
        tensor.dtype = dtype_argument(arguments, PTS_INT64);
        return host_value(eval, tensor);
    }
    if (str_is(name, "randperm") && arguments->positional == 1) {
        tensor.rank = 1;
        tensor.size[0] =
            arguments->values[0].kind == VALUE_INT ? arguments->values[0].as.integer : -1;
        tensor.dtype = dtype_argument(arguments, PTS_INT64);
        return host_value(eval, tensor);
    }
    if (IS_ONE_OF(name, "zeros_like", "ones_like", "empty_like", "rand_like", "randn_like",
                  "full_like")) {
        return like(eval, arguments);
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

/* --- calls of other packages */

/* Functions that every machine computes alike. */
static Value of_math(const Arguments *arguments, Str name)
{
    Value value = arguments->positional > 0 ? arguments->values[0] : value_unknown();
    bool exact = value_is_int(value) && value.as.integer < (INT64_C(1) << 52) &&
                 value.as.integer > -(INT64_C(1) << 52);
    if (arguments->positional != 1 || (!exact && value.kind != VALUE_FLOAT)) {
        return value_number();
    }
    double number = exact ? (double)value.as.integer : value.as.number;
    bool fits = fabs(number) < 1e15;
    if (str_is(name, "math.sqrt") && number >= 0) {
        return value_float(sqrt(number));
    }
    if (str_is(name, "math.ceil") && fits) {
        return value_int((int64_t)ceil(number));
    }
    return str_is(name, "math.floor") && fits ? value_int((int64_t)floor(number)) : value_number();
}

static bool is_shape_keeping(Str name)
{
    return IS_ONE_OF(name, "exp", "log", "sqrt", "rsqrt", "sigmoid", "tanh", "relu", "abs", "neg",
                     "sin", "cos", "square", "reciprocal", "floor", "ceil", "round", "clamp",
                     "softmax", "log_softmax", "erf", "silu", "gelu");
}

Value host_call(Eval *eval, const Arguments *arguments, Value callee)
{
    Str name = *callee.as.text;
    bool found = false;
    if (str_is(name, "pypto.frontend.dynamic")) {
        bool text = arguments->positional == 1 && arguments->values[0].kind == VALUE_STR;
        Value named = text ? arguments->values[0] : value_unknown();
        named.kind = text ? VALUE_NAMED : VALUE_UNKNOWN;
        return named;
    }
    if (str_is(name, "torch.device")) {
        return callee;
    }
    if (eval->drive == NULL && str_starts(name, STR("torch."))) {
        Str function = str_slice(name, 6, name.length);
        Value made = factory(eval, arguments, function, &found);
        if (found) {
            return made;
        }
        bool host = arguments->positional > 0 && arguments->values[0].kind == VALUE_HOST;
        if (host &&
            (is_shape_keeping(function) || IS_ONE_OF(function, "transpose", "permute", "reshape",
                                                     "unsqueeze", "squeeze", "flatten", "t"))) {
            Arguments rest = *arguments;
            rest.values++;
            rest.nodes++;
            rest.positional--;
            return host_method(eval, &rest, arguments->values[0], function);
        }
    }
    if (!str_starts(name, STR("math."))) {
        lose_arguments(eval, arguments);
    }
    return str_starts(name, STR("math.")) ? of_math(arguments, name) : value_unknown();
}

/* --- attributes and methods */

static Value method_value(Eval *eval, Value owner, Str name)
{
    Value *self = ARENA_NEW(eval->arena, Value);
    *self = owner;
    Method *method = ARENA_NEW(eval->arena, Method);
    *method = (Method){self, name};
    return (Value){.kind = VALUE_METHOD, .as.method = method};
}

static Value shape_of(Eval *eval, const HostTensor *tensor)
{
    if (tensor->rank < 0) {
        return value_unknown();
    }
    Value shape = value_sequence(eval->arena, VALUE_TUPLE, (uint32_t)tensor->rank);
    for (int i = 0; i < tensor->rank; i++) {
        Value size = tensor->size[i] < 0 ? value_number() : value_int(tensor->size[i]);
        sequence_add(eval->arena, shape.as.sequence, size);
    }
    return shape;
}

static Value torch_dtype(Eval *eval, int dtype)
{
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
        if ((int)dtypes[i].dtype == dtype) {
            return outside(eval, str_format(eval->arena, "torch.%s", dtypes[i].name));
        }
    }
    return value_unknown();
}

Value host_attribute(Eval *eval, NodeId node, Value owner, Str name)
{
    (void)node;
    if (owner.kind == VALUE_OUTSIDE) {
        static const char *const not_known[] = {"os.environ", "sys.argv"};
        if (owner.as.text->length > 100) {
            return value_unknown();
        }
        Str full = str_format(eval->arena, "%.*s.%.*s", STR_ARG(*owner.as.text), STR_ARG(name));
        int dtype = str_is(*owner.as.text, "torch") ? dtype_named(name) : -1;
        if (str_is(full, "math.pi") || str_is(full, "math.inf")) {
            return value_float(str_is(full, "math.pi") ? M_PI : (double)INFINITY);
        }
        return STR_IS_ANY(full, not_known) ? value_unknown()
               : dtype >= 0                ? torch_dtype(eval, dtype)
                                           : outside(eval, full);
    }
    const HostTensor *tensor = owner.as.host;
    if (str_is(name, "shape")) {
        return shape_of(eval, tensor);
    }
    if (str_is(name, "dtype")) {
        return tensor->dtype < 0 ? value_unknown() : torch_dtype(eval, tensor->dtype);
    }
    if (str_is(name, "ndim")) {
        return tensor->rank < 0 ? value_number() : value_int(tensor->rank);
    }
    if (str_is(name, "device")) {
        return outside(eval, STR("torch.device"));
    }
    static const char *const other[] = {"data", "grad", "requires_grad", "is_npu"};
    if (str_is(name, "T") || STR_IS_ANY(name, other)) {
        return value_unknown();
    }
    return method_value(eval, owner, name);
}

static bool axis_argument(const Arguments *arguments, uint32_t place, const char *name, int rank,
                          int *axis)
{
    Value value =
        place < arguments->positional ? arguments->values[place] : keyword(arguments, name);
    if (value.kind != VALUE_INT || rank < 0) {
        return false;
    }
    int64_t at = value.as.integer < 0 ? value.as.integer + rank : value.as.integer;
    *axis = (int)at;
    return at >= 0 && at < rank;
}

/* Is the order of axes other than before, as far as axes of one element do not hide it? */
static bool moves_axes(const HostTensor *tensor, const int *order)
{
    int before = -1;
    for (int i = 0; i < tensor->rank; i++) {
        int64_t size = tensor->size[order[i]];
        if (size < 0) {
            return false;
        }
        if (size > 1 && order[i] < before) {
            return true;
        }
        before = size > 1 ? order[i] : before;
    }
    return false;
}

static Value reorder(Eval *eval, const HostTensor *from, const int *order)
{
    HostTensor tensor = *from;
    for (int i = 0; i < from->rank; i++) {
        tensor.size[i] = from->size[order[i]];
        if (tensor.size[i] == 0) {
            return host_value(eval, nothing_known());
        }
    }
    tensor.gaps = !from->gaps && moves_axes(from, order);
    return host_value(eval, tensor);
}

static Value transpose(Eval *eval, const Arguments *arguments, const HostTensor *from)
{
    int a, b, order[HOST_RANK];
    HostTensor unknown = nothing_known();
    unknown.dtype = from->dtype;
    unknown.rank = from->rank;
    if (!axis_argument(arguments, 0, "dim0", from->rank, &a) ||
        !axis_argument(arguments, 1, "dim1", from->rank, &b)) {
        return host_value(eval, unknown);
    }
    for (int i = 0; i < from->rank; i++) {
        order[i] = i == a ? b : i == b ? a : i;
    }
    return reorder(eval, from, order);
}

static Value permute(Eval *eval, const Arguments *arguments, const HostTensor *from)
{
    int order[HOST_RANK];
    HostTensor sizes = nothing_known();
    HostTensor unknown = nothing_known();
    unknown.dtype = from->dtype;
    unknown.rank = from->rank;
    bool seen[HOST_RANK] = {false};
    take_sizes(arguments, 0, &sizes);
    if (sizes.rank != from->rank || from->rank < 0) {
        return host_value(eval, unknown);
    }
    for (int i = 0; i < from->rank; i++) {
        bool given =
            arguments->positional > 0; /* -1 in `sizes` is "not known", so no negative axes */
        if (!given || sizes.size[i] < 0 || sizes.size[i] >= from->rank || seen[sizes.size[i]]) {
            return host_value(eval, unknown);
        }
        order[i] = (int)sizes.size[i];
        seen[order[i]] = true;
    }
    return reorder(eval, from, order);
}

/* view and reshape: one entry may be -1. */
static Value reshape(Eval *eval, const Arguments *arguments, const HostTensor *from)
{
    HostTensor tensor = nothing_known();
    take_sizes(arguments, 0, &tensor);
    if (tensor.rank < 0) {
        return host_value(eval, tensor); /* view takes a data type, too */
    }
    tensor.dtype = from->dtype;
    int64_t total = from->rank < 0 ? -1 : 1, rest = 1;
    int open = -1, unknown = 0;
    for (int i = 0; i < from->rank; i++) {
        bool too_many =
            total < 0 || from->size[i] < 0 || __builtin_mul_overflow(total, from->size[i], &total);
        total = too_many ? -1 : total;
    }
    for (int i = 0; i < tensor.rank; i++) {
        if (tensor.size[i] < 0) {
            open = i;
            unknown++;
        } else if (__builtin_mul_overflow(rest, tensor.size[i], &rest)) {
            return host_value(eval, nothing_known());
        }
    }
    if (unknown == 1 && total >= 0 && rest > 0 && total % rest == 0) {
        tensor.size[open] = total / rest; /* -1, or not known: the same */
    }
    return host_value(eval, tensor);
}

static Value unsqueeze(Eval *eval, const Arguments *arguments, const HostTensor *from)
{
    HostTensor tensor = *from;
    int axis;
    if (from->rank < 0 || from->rank >= HOST_RANK ||
        !axis_argument(arguments, 0, "dim", from->rank + 1, &axis)) {
        tensor = nothing_known();
        tensor.dtype = from->dtype;
        return host_value(eval, tensor);
    }
    for (int i = from->rank; i > axis; i--) {
        tensor.size[i] = tensor.size[i - 1];
    }
    tensor.size[axis] = 1;
    tensor.rank++;
    return host_value(eval, tensor);
}

static Value flatten(Eval *eval, const Arguments *arguments, const HostTensor *from)
{
    HostTensor tensor = nothing_known();
    int first = 0, last = from->rank - 1;
    bool given = arguments->positional > 0 || arguments->keywords > 0;
    tensor.dtype = from->dtype;
    if (given && (!axis_argument(arguments, 0, "start_dim", from->rank, &first) ||
                  (arguments->positional > 1 &&
                   !axis_argument(arguments, 1, "end_dim", from->rank, &last)) ||
                  arguments->keywords > 0 || first > last)) {
        return host_value(eval, tensor);
    }
    tensor.rank = 0;
    int64_t product = 1;
    for (int i = 0; i < from->rank; i++) {
        if (i < first || i > last) {
            tensor.size[tensor.rank++] = from->size[i];
            continue;
        }
        bool open = product < 0 || from->size[i] < 0 ||
                    __builtin_mul_overflow(product, from->size[i], &product);
        product = open ? -1 : product;
        if (i == last) {
            tensor.size[tensor.rank++] = product;
        }
    }
    return host_value(eval, tensor);
}

static Value of_dtype(Eval *eval, const HostTensor *from, int dtype)
{
    HostTensor tensor = *from;
    tensor.dtype = dtype;
    return host_value(eval, tensor);
}

/* x.to(dtype), x.to(device), x.to(device, dtype). */
static Value to(Eval *eval, const Arguments *arguments, const HostTensor *from)
{
    int dtype = from->dtype;
    for (uint32_t i = 0; i < arguments->positional + arguments->keywords; i++) {
        Value value = arguments->values[i];
        bool named = i >= arguments->positional;
        Str name = named ? arguments->names[i - arguments->positional] : STR("");
        int given = host_dtype(value);
        if (given >= 0) {
            dtype = given;
        } else if (named ? str_is(name, "dtype")
                         : value.kind != VALUE_STR && value.kind != VALUE_BOOL &&
                               !(value.kind == VALUE_OUTSIDE &&
                                 str_contains(*value.as.text, STR("device")))) {
            dtype = -1; /* a device, or a dtype */
        }
    }
    return of_dtype(eval, from, arguments->open ? -1 : dtype);
}

/* Something changes its form in place: nothing is known of it from then on, by any name. */
static void forget(const HostTensor *tensor)
{
    HostTensor *made = (HostTensor *)(uintptr_t)tensor; /* ours, made by host_value */
    *made = nothing_known();
}

static Value size_method(Eval *eval, const Arguments *arguments, const HostTensor *tensor)
{
    int axis;
    if (arguments->positional == 0 && arguments->keywords == 0) {
        return shape_of(eval, tensor);
    }
    bool known = axis_argument(arguments, 0, "dim", tensor->rank, &axis);
    return known && tensor->size[axis] >= 0 ? value_int(tensor->size[axis]) : value_number();
}

Value host_method(Eval *eval, const Arguments *arguments, Value self, Str name)
{
    const HostTensor *tensor = self.as.host;
    HostTensor plain = *tensor;
    plain.gaps = false;
    int dtype = arguments->positional + arguments->keywords == 0 ? dtype_named(name) : -1;
    if (dtype >= 0) {
        return of_dtype(eval, tensor, dtype);
    }
    if (IS_ONE_OF(name, "resize_", "t_", "transpose_", "unsqueeze_", "squeeze_", "set_",
                  "swapaxes_", "swapdims_", "resize_as_")) {
        forget(tensor);
        return self;
    }
    if (IS_ONE_OF(name, "contiguous", "clone")) {
        return host_value(eval, str_is(name, "clone") ? *tensor : plain);
    }
    if (IS_ONE_OF(name, "cpu", "npu", "detach", "requires_grad_", "zero_", "fill_", "copy_",
                  "normal_", "uniform_", "pin_memory")) {
        return self;
    }
    if (str_is(name, "to")) {
        return to(eval, arguments, tensor);
    }
    if (str_is(name, "size")) {
        return size_method(eval, arguments, tensor);
    }
    if (str_is(name, "dim")) {
        return tensor->rank < 0 ? value_number() : value_int(tensor->rank);
    }
    if (IS_ONE_OF(name, "reshape", "view")) {
        return reshape(eval, arguments, tensor);
    }
    if (str_is(name, "transpose")) {
        return transpose(eval, arguments, tensor);
    }
    if (str_is(name, "flatten") && tensor->rank > 0) {
        return flatten(eval, arguments, tensor);
    }
    if (str_is(name, "permute")) {
        return permute(eval, arguments, tensor);
    }
    if (str_is(name, "unsqueeze")) {
        return unsqueeze(eval, arguments, tensor);
    }
    if (str_is(name, "t") && tensor->rank == 2) {
        static const int order[] = {1, 0};
        return reorder(eval, tensor, order);
    }
    if (is_shape_keeping(name)) {
        plain.dtype = is_float(plain.dtype) ? plain.dtype : -1;
        return host_value(eval, plain);
    }
    lose_arguments(eval, arguments);
    return value_unknown();
}

/* --- expressions */

/* Two tensors of other sizes: what is sure of the result. */
static HostTensor broadcast(const HostTensor *a, const HostTensor *b)
{
    HostTensor made = nothing_known();
    bool floats = is_float(a->dtype) && a->dtype == b->dtype;
    made.dtype = floats ? a->dtype : -1;
    if (a->rank < 0 || b->rank < 0) {
        return made;
    }
    made.rank = a->rank > b->rank ? a->rank : b->rank;
    for (int i = 1; i <= made.rank; i++) {
        int64_t x = i <= a->rank ? a->size[a->rank - i] : 1;
        int64_t y = i <= b->rank ? b->size[b->rank - i] : 1;
        made.size[made.rank - i] = x == 1             ? y
                                   : y == 1 || x == y ? x
                                   : x > 1 && y < 0   ? x
                                   : y > 1 && x < 0   ? y
                                                      : -1;
    }
    return made;
}

bool host_operator(Eval *eval, ExprOperator op, Value left, Value right, Value *result)
{
    if (left.kind != VALUE_HOST && right.kind != VALUE_HOST) {
        return false;
    }
    Value tensor = left.kind == VALUE_HOST ? left : right;
    Value other = left.kind == VALUE_HOST ? right : left;
    *result = value_unknown();
    bool scalar = value_is_int(other) || other.kind == VALUE_FLOAT;
    bool same = other.kind == VALUE_HOST && other.as.host->rank == tensor.as.host->rank &&
                other.as.host->dtype == tensor.as.host->dtype &&
                memcmp(other.as.host->size, tensor.as.host->size, sizeof tensor.as.host->size) == 0;
    bool exact = op == OPERATOR_ADD || op == OPERATOR_SUB || op == OPERATOR_MULT;
    bool arithmetic = exact || op == OPERATOR_DIV || op == OPERATOR_POW;
    if (arithmetic && !scalar && !same && left.kind == VALUE_HOST && right.kind == VALUE_HOST) {
        *result = host_value(eval, broadcast(left.as.host, right.as.host));
    } else if (arithmetic && (scalar || same)) {
        HostTensor made = *tensor.as.host;
        made.gaps = false;
        bool keeps = is_float(made.dtype) || (exact && (value_is_int(other) || same));
        made.dtype = keeps ? made.dtype : -1;
        *result = host_value(eval, made);
    }
    return true;
}

/* The extent of one bound of a slice, from 0 to `size`; -1: not known. */
static int64_t bound_of(Eval *eval, NodeId bound, int64_t size, int64_t none)
{
    if (bound == NO_NODE) {
        return none;
    }
    Value value = eval_expression(eval, bound);
    if (value.kind == VALUE_NONE) {
        return none;
    }
    if (value.kind != VALUE_INT || size < 0) {
        return -1;
    }
    int64_t at = value.as.integer < 0 ? value.as.integer + size : value.as.integer;
    return at < 0 ? 0 : at > size ? size : at;
}

static int64_t sliced(Eval *eval, NodeId slice, int64_t size)
{
    const Module *module = eval->module;
    NodeId lower = node_child(module, slice, ROLE_LOWER);
    NodeId upper = node_child(module, slice, ROLE_UPPER);
    if (node_child(module, slice, ROLE_STEP) != NO_NODE) {
        return -1;
    }
    int64_t start = bound_of(eval, lower, size, 0), stop = bound_of(eval, upper, size, size);
    return start < 0 || stop < 0 ? -1 : stop > start ? stop - start : 0;
}

typedef struct Subscript {
    const HostTensor *from;
    HostTensor made;
    int axis; /* the next one of `from` */
    bool known;
} Subscript;

static void take_entry(Eval *eval, Subscript *subscript, NodeId entry)
{
    const Module *module = eval->module;
    bool slice = node_is(module, entry, NODE_SLICE);
    Value value = slice ? value_none() : eval_expression(eval, entry);
    if (!slice && value.kind == VALUE_NONE && node_is(module, entry, NODE_CONSTANT) &&
        subscript->made.rank < HOST_RANK) {
        subscript->made.size[subscript->made.rank++] = 1;
        return;
    }
    if (subscript->axis >= subscript->from->rank || subscript->made.rank >= HOST_RANK ||
        (!slice && value.kind != VALUE_INT)) {
        subscript->known = false;
        return;
    }
    int64_t size = subscript->from->size[subscript->axis++];
    if (slice) {
        subscript->made.size[subscript->made.rank++] = sliced(eval, entry, size);
    }
}

static bool is_dots(Eval *eval, NodeId node)
{
    return node_is(eval->module, node, NODE_CONSTANT) &&
           eval_node(eval, node)->op == CONSTANT_ELLIPSIS;
}

/* x[0], x[:, 2:4], x[..., None]: what is not of these forms may give any shape. */
Value host_item(Eval *eval, NodeId node, Value owner)
{
    const Module *module = eval->module;
    NodeId index = node_child(module, node, ROLE_SLICE);
    bool tuple = node_is(module, index, NODE_TUPLE);
    Subscript subscript = {.from = owner.as.host, .made = nothing_known(), .known = true};
    subscript.known = subscript.from->rank >= 0;
    subscript.made.rank = 0;
    subscript.made.dtype = subscript.from->dtype;
    int entries = 0;
    for (NodeId item = tuple ? node_first(module, index) : index; item != NO_NODE;
         item = tuple ? node_sibling(module, item) : NO_NODE) {
        bool none =
            node_is(module, item, NODE_CONSTANT) && eval_node(eval, item)->op == CONSTANT_NONE;
        entries += !none && !is_dots(eval, item);
    }
    for (NodeId item = tuple ? node_first(module, index) : index; item != NO_NODE;
         item = tuple ? node_sibling(module, item) : NO_NODE) {
        if (!is_dots(eval, item)) {
            take_entry(eval, &subscript, item);
            continue;
        }
        int missing = subscript.from->rank - entries;
        for (int i = 0; i < missing && subscript.made.rank < HOST_RANK && subscript.known; i++) {
            subscript.made.size[subscript.made.rank++] = subscript.from->size[subscript.axis++];
        }
    }
    while (subscript.known && subscript.axis < subscript.from->rank &&
           subscript.made.rank < HOST_RANK) {
        subscript.made.size[subscript.made.rank++] = subscript.from->size[subscript.axis++];
    }
    HostTensor unknown = nothing_known();
    unknown.dtype = subscript.from->dtype;
    return host_value(eval, subscript.known ? subscript.made : unknown);
}
