/* Host code: attributes and methods of tensors. */
#include "eval/host.h"

/* --- attributes */

Value host_tensor_attribute(Eval *eval, Value owner, Str name)
{
    const HostTensor *tensor = owner.as.host;
    if (str_is(name, "shape")) {
        return host_shape(eval, tensor);
    }
    if (str_is(name, "dtype")) {
        return tensor->dtype < 0 ? value_unknown() : host_dtype_value(eval, tensor->dtype);
    }
    if (str_is(name, "ndim")) {
        return tensor->rank < 0 ? value_number() : value_int(tensor->rank);
    }
    if (str_is(name, "device")) {
        Value device = value_text(eval->arena, STR("torch.device"));
        device.kind = VALUE_OUTSIDE;
        device.dtype = tensor->device == DEVICE_UNKNOWN ? 0 : (uint8_t)(1 + tensor->device);
        return device;
    }
    if (str_is(name, "data")) {
        return owner;
    }
    if (str_is(name, "T") && tensor->rank == 2) {
        Arguments none = {.positional = 0};
        return host_method(eval, &none, owner, STR("t"));
    }
    static const char *const other[] = {"grad", "requires_grad", "is_npu", "T", "mT"};
    return STR_IS_ANY(name, other) ? value_unknown() : eval_method_value(eval, owner, name);
}

Value host_length(Value tensor)
{
    const HostTensor *host = tensor.as.host;
    return host->rank > 0 && host->size[0] >= 0 ? value_int(host->size[0]) : value_number();
}

/* --- methods */

static Value of_dtype(Eval *eval, const HostTensor *from, int dtype)
{
    HostTensor tensor = dtype == from->dtype && dtype >= 0 ? *from : host_copied(*from);
    tensor.dtype = dtype;
    return host_value(eval, tensor);
}

/* The tensor on a device: the same if it is already there, else a copy of unknown strides. */
static Value on_device(Eval *eval, HostTensor tensor, HostDevice device)
{
    if (device == DEVICE_UNKNOWN || tensor.device != device) {
        tensor.gaps = tensor.sparse = false;
    }
    tensor.device = (uint8_t)device;
    return host_value(eval, tensor);
}

/* x.to(dtype), x.to(device), x.to(device, dtype); x.type(dtype) also takes "torch.HalfTensor". */
static Value to(Eval *eval, const Arguments *arguments, const HostTensor *from, bool type)
{
    if (type && arguments->values[0].kind == VALUE_STR) {
        return on_device(eval, *of_dtype(eval, from, -1).as.host, DEVICE_UNKNOWN);
    }
    int dtype = from->dtype;
    HostDevice device = (HostDevice)from->device;
    for (uint32_t i = 0; i < arguments->positional + arguments->keywords; i++) {
        Value value = arguments->values[i];
        bool named = i >= arguments->positional;
        Str name = named ? arguments->names[i - arguments->positional] : STR("");
        int given = host_dtype(value);
        bool places = host_device(value) != DEVICE_UNKNOWN;
        bool plain = value.kind == VALUE_STR || (value.kind == VALUE_INT && !named) || places;
        bool flag = named && (str_is(name, "non_blocking") || str_is(name, "copy"));
        if (given < 0 && !flag) {
            device = plain || named ? (HostDevice)host_device(value) : DEVICE_UNKNOWN;
        }
        if (given >= 0) {
            dtype = given;
        } else if (named ? str_is(name, "dtype")
                         : value.kind != VALUE_STR && value.kind != VALUE_BOOL && !places &&
                               !(value.kind == VALUE_OUTSIDE &&
                                 str_contains(*value.as.text, STR("device")))) {
            dtype = -1; /* a device, or a dtype */
        }
    }
    Value cast = of_dtype(eval, from, arguments->open ? -1 : dtype);
    return on_device(eval, *cast.as.host, arguments->open ? DEVICE_UNKNOWN : device);
}

/* Its form is changed in place: from now on nothing is known about it, under any name. */
static void forget(const HostTensor *tensor)
{
    HostTensor *made = (HostTensor *)(uintptr_t)tensor; /* ours, made by host_value */
    *made = host_unknown();
}

void host_write_out(Value out, Value made)
{
    if (out.kind != VALUE_HOST) {
        return;
    }
    const HostTensor *to = out.as.host;
    bool same = made.kind == VALUE_HOST && made.as.host->rank == to->rank && to->rank >= 0;
    for (int axis = 0; same && axis < to->rank; axis++) {
        same = to->size[axis] >= 0 && to->size[axis] == made.as.host->size[axis];
    }
    if (!same) {
        forget(to);
    }
}

void host_set_data(Value tensor)
{
    forget(tensor.as.host);
}

static Value size_method(Eval *eval, const Arguments *arguments, const HostTensor *tensor)
{
    int axis;
    if (arguments->positional == 0 && arguments->keywords == 0) {
        return host_shape(eval, tensor);
    }
    bool known = host_axis(arguments, 0, "dim", tensor->rank, &axis);
    return known && tensor->size[axis] >= 0 ? value_int(tensor->size[axis]) : value_number();
}

/* Does the method return the tensor itself? */
static bool gives_itself(Str name)
{
    static const char *const names[] = {
        "detach",     "requires_grad_", "zero_", "fill_", "copy_",  "normal_", "uniform_",
        "pin_memory", "add_",           "sub_",  "mul_",  "div_",   "clamp_",  "random_",
        "exp_",       "masked_fill_",   "abs_",  "neg_",  "round_", "scatter_"};
    return STR_IS_ANY(name, names);
}

/* The number of elements; an unknown number if a size is unknown. */
static Value count_elements(const HostTensor *tensor)
{
    int64_t total = tensor->rank < 0 ? -1 : 1;
    for (int i = 0; i < tensor->rank; i++) {
        if (total < 0 || tensor->size[i] < 0 ||
            __builtin_mul_overflow(total, tensor->size[i], &total)) {
            return value_number();
        }
    }
    return total < 0 ? value_number() : value_int(total);
}

/* x.new_zeros(…): as torch.zeros, with the data type of x. */
static Value made_like(Eval *eval, const Arguments *arguments, const HostTensor *tensor, Str name)
{
    static const char *const factories[] = {"zeros", "ones", "empty", "full"};
    bool found = STR_IS_ANY(name, factories);
    Value made = found ? host_factory(eval, arguments, name, &found) : value_unknown();
    if (made.kind != VALUE_HOST) {
        lose_arguments(eval, arguments);
        return value_unknown();
    }
    HostTensor on = *made.as.host;
    on.device = host_keyword(arguments, "device").kind == VALUE_NONE ? tensor->device : on.device;
    return of_dtype(eval, &on, host_dtype_argument(arguments, tensor->dtype));
}

/* matmul and outer with another tensor; false for other methods. */
static bool product(Eval *eval, const Arguments *arguments, const HostTensor *tensor, Str name,
                    Value *result)
{
    static const char *const names[] = {"matmul", "mm", "bmm"};
    bool outer = str_is(name, "outer");
    if ((!outer && !STR_IS_ANY(name, names)) || arguments->positional != 1 ||
        arguments->values[0].kind != VALUE_HOST) {
        return false;
    }
    const HostTensor *other = arguments->values[0].as.host;
    *result = outer ? host_outer(eval, tensor, other) : host_matmul(eval, tensor, other);
    return true;
}

static Value own_method(Eval *eval, const Arguments *arguments, Value self, Str name)
{
    static const char *const reforming[] = {"resize_",    "t_",        "transpose_",
                                            "unsqueeze_", "squeeze_",  "set_",
                                            "swapaxes_",  "swapdims_", "resize_as_"};
    const HostTensor *tensor = self.as.host;
    HostTensor plain = *tensor;
    Value result;
    plain.gaps = plain.sparse = false;
    int dtype = arguments->positional + arguments->keywords == 0 ? host_dtype_named(name) : -1;
    if (dtype >= 0) {
        return of_dtype(eval, tensor, dtype);
    }
    if (STR_IS_ANY(name, reforming)) {
        forget(tensor);
        return self;
    }
    if (str_is(name, "contiguous") || str_is(name, "clone")) {
        return host_value(eval, str_is(name, "clone") ? host_copied(*tensor) : plain);
    }
    if (str_is(name, "npu") || str_is(name, "cpu") || str_is(name, "cuda")) {
        return on_device(eval, *tensor,
                         str_is(name, "npu")   ? DEVICE_NPU
                         : str_is(name, "cpu") ? DEVICE_CPU
                                               : DEVICE_UNKNOWN);
    }
    if (gives_itself(name)) {
        return self;
    }
    if (str_is(name, "to") || (str_is(name, "type") && arguments->positional == 1)) {
        return to(eval, arguments, tensor, str_is(name, "type"));
    }
    if (str_is(name, "size")) {
        return size_method(eval, arguments, tensor);
    }
    if (str_is(name, "dim")) {
        return tensor->rank < 0 ? value_number() : value_int(tensor->rank);
    }
    if (str_is(name, "numel")) {
        return count_elements(tensor);
    }
    if (host_reform(eval, arguments, tensor, name, &result) ||
        host_parts(eval, arguments, tensor, name, &result) ||
        host_pairs(eval, arguments, tensor, name, &result) ||
        host_reduce(eval, arguments, tensor, name, &result)) {
        return result;
    }
    if (product(eval, arguments, tensor, name, &result)) {
        return result;
    }
    if (str_starts(name, STR("new_"))) {
        return made_like(eval, arguments, tensor, str_slice(name, 4, name.length));
    }
    if (host_two_operands(eval, arguments, self, name, &result)) {
        return result;
    }
    if (host_keeps_shape(name)) {
        return host_same_shape(eval, arguments, tensor, name);
    }
    lose_arguments(eval, arguments);
    return value_unknown();
}

Value host_method(Eval *eval, const Arguments *arguments, Value self, Str name)
{
    if (eval_is_replaced(eval, name)) { /* torch.Tensor.npu = … */
        lose_arguments(eval, arguments);
        return value_unknown();
    }
    return own_method(eval, arguments, self, name);
}
