/* Host code: arrays of numpy, as far as they become tensors of torch. Only what keeps their form is
 * followed; an array has nothing else that is known. */
#include "eval/host.h"

/* --- data types */

/* numpy.float32, "float32"; names without their width mean other types than torch's. */
static int array_dtype(Value value)
{
    bool outside = value.kind == VALUE_OUTSIDE && str_starts(*value.as.text, STR("numpy."));
    Str name = outside                   ? str_slice(*value.as.text, 6, value.as.text->length)
               : value.kind == VALUE_STR ? *value.as.text
                                         : STR("");
    char last = name.length > 0 ? name.at[name.length - 1] : '\0';
    return last >= '0' && last <= '9' ? host_dtype_named(name) : -1;
}

/* `dtype=`, or the positional argument at `place`; `none` when both are left out. */
static int dtype_at(const Arguments *arguments, uint32_t place, int none)
{
    Value dtype = host_keyword(arguments, "dtype");
    if (dtype.kind == VALUE_NONE && arguments->positional > place) {
        dtype = arguments->values[place];
    }
    return arguments->open ? -1 : dtype.kind == VALUE_NONE ? none : array_dtype(dtype);
}

/* --- making arrays */

static Value array_value(Eval *eval, HostTensor tensor)
{
    Value value = host_value(eval, tensor);
    value.kind = VALUE_ARRAY;
    return value;
}

/* The shape is one argument: a number or a list. */
static void shape_argument(const Arguments *arguments, uint32_t place, HostTensor *tensor)
{
    Value shape = arguments->positional > place ? arguments->values[place] : value_unknown();
    if (arguments->open) {
        return;
    }
    if (shape.kind == VALUE_INT) {
        tensor->rank = 1;
        tensor->size[0] = shape.as.integer;
    } else if (value_has_items(shape)) {
        Arguments one = *arguments;
        one.values += place;
        one.positional = 1;
        one.keywords = 0;
        host_sizes(&one, 0, tensor);
    }
}

static int dtype_of_fill(Value fill)
{
    return fill.kind == VALUE_FLOAT  ? PTS_DOUBLE
           : fill.kind == VALUE_INT  ? PTS_INT64
           : fill.kind == VALUE_BOOL ? PTS_BOOL
                                     : -1;
}

/* random.rand(2, 3), random.randint(0, 9, size=(2, 3)) and the like. */
static bool random_array(Eval *eval, const Arguments *arguments, Str name, Value *result)
{
    static const char *const plain[] = {"rand", "randn"};
    static const char *const sized[] = {"uniform", "normal", "random", "randint"};
    HostTensor tensor = host_unknown();
    bool is_plain = STR_IS_ANY(name, plain);
    if (!is_plain && !STR_IS_ANY(name, sized)) {
        return false;
    }
    if (is_plain && arguments->positional > 0) {
        host_sizes(arguments, 0, &tensor);
    } else if (!is_plain && host_keyword(arguments, "size").kind != VALUE_NONE) {
        Arguments size = *arguments;
        size.values += size.positional; /* by its name alone */
        size.positional = 0;
        host_sizes(&size, 0, &tensor);
    }
    tensor.dtype =
        str_is(name, "randint") ? dtype_at(arguments, UINT32_MAX, PTS_INT64) : PTS_DOUBLE;
    *result = tensor.rank > 0 ? array_value(eval, tensor) : value_unknown();
    return true;
}

bool host_array(Eval *eval, const Arguments *arguments, Str name, Value *result)
{
    static const char *const filled[] = {"zeros", "ones", "empty"};
    static const char *const likes[] = {"zeros_like", "ones_like", "empty_like", "copy",
                                        "ascontiguousarray"};
    HostTensor tensor = host_unknown();
    Value first = arguments->positional > 0 ? arguments->values[0] : value_unknown();
    if (str_starts(name, STR("random."))) {
        return random_array(eval, arguments, str_slice(name, 7, name.length), result);
    }
    if (STR_IS_ANY(name, filled)) {
        shape_argument(arguments, 0, &tensor);
        tensor.dtype = dtype_at(arguments, 1, PTS_DOUBLE);
    } else if (str_is(name, "full")) {
        Value fill = arguments->positional > 1 ? arguments->values[1] : value_unknown();
        shape_argument(arguments, 0, &tensor);
        tensor.dtype = dtype_at(arguments, 2, dtype_of_fill(fill));
    } else if (STR_IS_ANY(name, likes) && first.kind == VALUE_ARRAY) {
        tensor = *first.as.host;
        tensor.dtype = dtype_at(arguments, 1, tensor.dtype);
    } else {
        return false;
    }
    *result = array_value(eval, tensor);
    return true;
}

/* --- what arrays have */

Value host_array_attribute(Eval *eval, Value owner, Str name)
{
    const HostTensor *array = owner.as.host;
    static const char *const kept[] = {"astype", "reshape", "copy"};
    if (str_is(name, "shape")) {
        return array->rank < 0 ? value_unknown() : host_shape(eval, array);
    }
    if (str_is(name, "ndim")) {
        return array->rank < 0 ? value_number() : value_int(array->rank);
    }
    return STR_IS_ANY(name, kept) ? eval_method_value(eval, owner, name) : value_unknown();
}

Value host_array_method(Eval *eval, const Arguments *arguments, Value self, Str name)
{
    HostTensor made = *self.as.host;
    Value result;
    if (str_is(name, "copy")) {
        return array_value(eval, made);
    }
    if (str_is(name, "astype")) {
        made.dtype = arguments->positional > 0 ? array_dtype(arguments->values[0]) : -1;
        return array_value(eval, made);
    }
    if (arguments->keywords == 0 && host_reform(eval, arguments, &made, name, &result) &&
        result.kind == VALUE_HOST) {
        return array_value(eval, *result.as.host);
    }
    return value_unknown();
}

/* from_numpy, as_tensor and tensor of an array; false for others. */
bool host_from_array(Eval *eval, const Arguments *arguments, Str name, Value *result)
{
    static const char *const makers[] = {"from_numpy", "as_tensor", "tensor"};
    if (!STR_IS_ANY(name, makers) || arguments->positional == 0 ||
        arguments->values[0].kind != VALUE_ARRAY) {
        return false;
    }
    HostTensor tensor = *arguments->values[0].as.host;
    tensor.dtype = host_dtype_argument(arguments, tensor.dtype);
    tensor.device = DEVICE_UNKNOWN;
    *result = host_value(eval, tensor);
    return true;
}
