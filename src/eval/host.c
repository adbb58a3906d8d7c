/* Host code: names of other packages and calls of them. */
#include "eval/host.h"
#include "eval/builtin.h"
#include "eval/made_kernel.h"

#include <math.h>

/* --- names */

static Value outside(Eval *eval, Str name)
{
    Value value = value_text(eval->arena, name);
    value.kind = VALUE_OUTSIDE;
    return value;
}

Value host_module(Eval *eval, bool from, Str source, Str name, Str as)
{
    static const char *const known[] = {
        "torch",     "torch_npu",   "math",        "os",       "sys",       "numpy",
        "random",    "time",        "pytest",      "logging",  "copy",      "itertools",
        "argparse",  "dataclasses", "collections", "enum",     "typing",    "types",
        "functools", "operator",    "abc",         "unittest", "contextlib"};
    Str top = from ? source : name;
    Str first = str_slice(top, 0, str_find(top, STR("."), 0));
    if (!STR_IS_ANY(first, known) || (from && str_is(name, "*"))) {
        return value_unknown();
    }
    if (from) { /* a name is what an attribute of the module would be */
        return host_attribute(eval, NO_NODE, outside(eval, source), name);
    }
    return outside(eval, as.length > 0 ? name : first);
}

/* "module.name". Host code is full of these, and a format would cost ten times as much. */
static Str dotted(Arena *arena, Str module, Str name)
{
    Buf text = {.arena = arena};
    buf_add(&text, module);
    buf_add(&text, STR("."));
    buf_add(&text, name);
    return buf_str(&text);
}

Value host_attribute(Eval *eval, NodeId node, Value owner, Str name)
{
    (void)node;
    if (owner.kind == VALUE_HOST) {
        return host_tensor_attribute(eval, owner, name);
    }
    static const char *const not_known[] = {"os.environ", "sys.argv"};
    Str module = *owner.as.text;
    if (module.length > 100) {
        return value_unknown();
    }
    Str full = dotted(eval->arena, module, name);
    if (eval_is_replaced(eval, name)) {
        return value_unknown();
    }
    int dtype = str_is(module, "torch") ? host_dtype_named(name) : -1;
    if (str_starts(module, STR("torch.finfo:"))) {
        return host_limit(str_slice(module, 12, module.length), name);
    }
    if (str_is(full, "math.pi") || str_is(full, "math.inf")) {
        return value_float(str_is(full, "math.pi") ? M_PI : (double)INFINITY);
    }
    return STR_IS_ANY(full, not_known) ? value_unknown()
           : dtype >= 0                ? host_dtype_value(eval, dtype)
                                       : outside(eval, full);
}

/* --- math, operator, functools */

static int64_t greatest_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

static Value of_two_ints(Str name, int64_t a, int64_t b)
{
    int64_t divisor = greatest_divisor(a, b), product;
    if (a < 0 || b < 0) {
        return value_number();
    }
    if (str_is(name, "math.gcd")) {
        return value_int(divisor);
    }
    bool fits = divisor > 0 && !__builtin_mul_overflow(a / divisor, b, &product);
    return str_is(name, "math.lcm") && fits ? value_int(product) : value_number();
}

static Value product_of(Eval *eval, Value value)
{
    const Sequence *items = eval_items(eval, NO_NODE, value);
    int64_t product = 1;
    for (uint32_t i = 0; items != NULL && i < items->count; i++) {
        if (!value_is_int(items->items[i]) ||
            __builtin_mul_overflow(product, items->items[i].as.integer, &product)) {
            return value_number();
        }
    }
    return items == NULL ? value_number() : value_int(product);
}

/* Functions whose result is the same on every machine. */
static Value of_one_number(Str name, Value value)
{
    bool exact = value_is_int(value) && value.as.integer < (INT64_C(1) << 52) &&
                 value.as.integer > -(INT64_C(1) << 52);
    if (!exact && value.kind != VALUE_FLOAT) {
        return value_number();
    }
    double number = exact ? (double)value.as.integer : value.as.number;
    bool fits = fabs(number) < 1e15;
    if (str_is(name, "math.sqrt") && number >= 0) {
        return value_float(sqrt(number));
    }
    if (str_is(name, "math.isqrt") && exact && number >= 0) {
        return value_int((int64_t)floor(sqrt(number)));
    }
    if (str_is(name, "math.log2") && exact && number > 0 &&
        (value.as.integer & (value.as.integer - 1)) == 0) {
        return value_float((double)__builtin_ctzll((unsigned long long)value.as.integer));
    }
    if (str_is(name, "math.ceil") && fits) {
        return value_int((int64_t)ceil(number));
    }
    return str_is(name, "math.floor") && fits ? value_int((int64_t)floor(number)) : value_number();
}

static Value of_math(Eval *eval, const Arguments *arguments, Str name)
{
    for (uint32_t i = 0; i < arguments->positional; i++) {
        const char *en = str_format(eval->arena, "%.*s()", STR_ARG(name)).at;
        const char *zh = str_format(eval->arena, "%.*s() ", STR_ARG(name)).at;
        if (eval_needs_value(eval, arguments->nodes[i], arguments->values[i],
                             (Where){en, zh, false})) {
            return value_number();
        }
    }
    if (arguments->open || arguments->keywords > 0) {
        return value_number();
    }
    if (arguments->positional == 2 && value_is_int(arguments->values[0]) &&
        value_is_int(arguments->values[1])) {
        return of_two_ints(name, arguments->values[0].as.integer, arguments->values[1].as.integer);
    }
    if (arguments->positional != 1) {
        return value_number();
    }
    return str_is(name, "math.prod") ? product_of(eval, arguments->values[0])
                                     : of_one_number(name, arguments->values[0]);
}

/* operator.add and the like; false for other functions. */
static bool of_operator(Eval *eval, const Arguments *arguments, Str name, Value *result)
{
    static const struct {
        const char *name;
        ExprOperator op;
    } table[] = {{"operator.add", OPERATOR_ADD},     {"operator.sub", OPERATOR_SUB},
                 {"operator.mul", OPERATOR_MULT},    {"operator.floordiv", OPERATOR_FLOOR_DIV},
                 {"operator.truediv", OPERATOR_DIV}, {"operator.mod", OPERATOR_MOD}};
    bool plain = arguments->positional == 2 && arguments->keywords == 0 && !arguments->open;
    for (size_t i = 0; plain && i < sizeof table / sizeof *table; i++) {
        if (str_is(name, table[i].name)) {
            *result = eval_operator(eval, arguments->call, table[i].op, arguments->values[0],
                                    arguments->values[1]);
            return true;
        }
    }
    return false;
}

/* reduce(f, items[, first]) */
static Value reduce(Eval *eval, const Arguments *arguments)
{
    uint32_t count = arguments->positional;
    const Sequence *items =
        count >= 2 && count <= 3 ? eval_items(eval, NO_NODE, arguments->values[1]) : NULL;
    Value callee = count > 0 ? arguments->values[0] : value_unknown();
    bool possible = callee.kind == VALUE_FUNCTION || callee.kind == VALUE_OUTSIDE;
    uint32_t from = count == 2 ? 1 : 0;
    if (items == NULL || !possible || (count == 2 && items->count == 0) ||
        items->count > EVAL_UNROLLED) {
        lose_arguments(eval, arguments);
        return value_unknown();
    }
    Value total = count == 3 ? arguments->values[2] : items->items[0];
    uint32_t length = items->count;
    for (uint32_t i = from; i < length && i < items->count && eval_step(eval); i++) {
        Value both[3] = {total, items->items[i]};
        NodeId nodes[3] = {arguments->call, arguments->call};
        Str names[1];
        Arguments pair = {.call = arguments->call,
                          .values = both,
                          .nodes = nodes,
                          .names = names,
                          .positional = 2};
        total = callee.kind == VALUE_FUNCTION ? function_call(eval, &pair, callee.as.function)
                                              : host_call(eval, &pair, callee);
    }
    return total;
}

/* --- torch */

static bool is_tensor_function(Str name)
{
    static const char *const names[] = {
        "transpose", "permute", "reshape", "unsqueeze", "squeeze", "flatten", "t",       "matmul",
        "mm",        "bmm",     "sum",     "mean",      "amax",    "amin",    "add",     "argmax",
        "argmin",    "sub",     "mul",     "div",       "clone",   "maximum", "minimum", "numel",
        "chunk",     "split",   "outer",   "pow",       "eq",      "ne",      "gt",      "ge",
        "lt",        "le",      "max",     "min",       "sort",    "topk"};
    return host_keeps_shape(name) || STR_IS_ANY(name, names);
}

static Value of_torch(Eval *eval, const Arguments *arguments, Str name)
{
    bool found = false;
    Value made;
    if (host_from_array(eval, arguments, name, &made)) {
        return made;
    }
    made = host_factory(eval, arguments, name, &found);
    if (found) {
        return made;
    }
    if (str_is(name, "where")) {
        return host_where(eval, arguments);
    }
    if (str_is(name, "einsum")) {
        return host_einsum(eval, arguments);
    }
    if (str_is(name, "cat") || str_is(name, "concat") || str_is(name, "stack")) {
        return host_concat(eval, arguments, str_is(name, "stack"));
    }
    if ((str_is(name, "finfo") || str_is(name, "iinfo")) && arguments->positional == 1 &&
        host_is_dtype(arguments->values[0])) {
        Str dtype = *arguments->values[0].as.text; /* "torch.float16" */
        return outside(eval, str_format(eval->arena, "torch.finfo:%.*s",
                                        STR_ARG(str_slice(dtype, 6, dtype.length))));
    }
    bool same = str_is(name, "nn.Parameter") || str_is(name, "nn.parameter.Parameter");
    if (same && arguments->positional > 0 && arguments->values[0].kind == VALUE_HOST) {
        return arguments->values[0];
    }
    if (str_is(name, "nn.functional.pad") && host_pad(eval, arguments, &made)) {
        return made;
    }
    if (str_starts(name, STR("nn.functional."))) {
        name = str_slice(name, 14, name.length);
        name = host_keeps_shape(name) ? name : STR("");
    }
    if (is_tensor_function(name) && arguments->positional > 0 &&
        arguments->values[0].kind == VALUE_HOST) {
        Arguments rest = *arguments;
        rest.values++;
        rest.nodes++;
        rest.positional--;
        return host_method(eval, &rest, arguments->values[0], name);
    }
    lose_arguments(eval, arguments);
    return value_unknown();
}

/* Reports torch.exp(…) and the like on a kernel's tensor while the kernel is recorded. */
static void fault_torch(Eval *eval, const Arguments *arguments, Str name)
{
    bool computes = arguments->positional > 0 && is_tensor_function(name);
    if (computes) {
        eval_needs_value(eval, arguments->nodes[0], arguments->values[0],
                         (Where){str_format(eval->arena, "torch.%.*s()", STR_ARG(name)).at,
                                 str_format(eval->arena, "torch.%.*s() ", STR_ARG(name)).at, true});
    }
}

/* npu_format_cast(x, format), which keeps all that is known, and npu_dtype_cast(x, dtype). */
static Value of_npu(Eval *eval, const Arguments *arguments, Str name)
{
    bool tensor = arguments->positional == 2 && arguments->values[0].kind == VALUE_HOST;
    if (tensor && str_is(name, "npu_format_cast")) {
        return arguments->values[0];
    }
    if (tensor && str_is(name, "npu_dtype_cast")) {
        HostTensor made = *arguments->values[0].as.host;
        made.dtype = host_dtype(arguments->values[1]);
        return host_value(eval, made);
    }
    lose_arguments(eval, arguments);
    return value_unknown();
}

/* --- the standard library */

static Value make_namespace(Eval *eval, const Arguments *arguments)
{
    Class *class = ARENA_NEW(eval->arena, Class);
    *class = (Class){.name = STR("SimpleNamespace"), .form = CLASS_NAMESPACE};
    class->birth = eval->clock;
    class->scope = scope_new(eval, NULL, NO_NODE);
    return class_call(eval, arguments, class);
}

/* pytest.param(1, 2): the values for the parameters of a test; unknown if it has marks. */
static Value row_of(Eval *eval, const Arguments *arguments)
{
    for (uint32_t i = 0; i < arguments->keywords; i++) {
        if (!str_is(arguments->names[i], "id")) {
            return value_unknown();
        }
    }
    if (arguments->positional == 1) {
        return arguments->values[0];
    }
    Value row = value_sequence(eval->arena, VALUE_TUPLE, arguments->positional);
    for (uint32_t i = 0; i < arguments->positional; i++) {
        sequence_add(eval->arena, row.as.sequence, eval_kept(eval, arguments->values[i]));
    }
    return row;
}

/* False for other functions. */
static bool of_library(Eval *eval, const Arguments *arguments, Str name, Value *result)
{
    Value first = arguments->positional > 0 ? arguments->values[0] : value_unknown();
    if (str_is(name, "types.SimpleNamespace") || str_is(name, "argparse.Namespace")) {
        *result = make_namespace(eval, arguments);
    } else if (str_is(name, "collections.namedtuple")) {
        *result = class_named_tuple(eval, arguments);
    } else if (str_is(name, "enum.auto")) {
        *result = outside(eval, name);
    } else if (str_is(name, "object.__init__")) {
        *result = value_none();
    } else if (str_is(name, "object.__setattr__") && first.kind == VALUE_INSTANCE &&
               arguments->positional == 3 && arguments->values[1].kind == VALUE_STR) {
        instance_write(eval, first, *arguments->values[1].as.text, arguments->values[2]);
        *result = value_none();
    } else if (str_is(name, "importlib.import_module") && first.kind == VALUE_STR &&
               arguments->positional == 1 && eval->drive == NULL) {
        return unit_module(eval, *first.as.text, result);
    } else if (str_is(name, "typing.cast") && arguments->positional == 2) {
        *result = arguments->values[1];
    } else if (str_is(name, "dataclasses.replace") && first.kind == VALUE_INSTANCE) {
        *result = instance_replace(eval, arguments, first);
    } else if (str_is(name, "dataclasses.asdict") && first.kind == VALUE_INSTANCE) {
        *result = instance_dict(eval, first);
    } else if (str_is(name, "collections.OrderedDict")) {
        *result = call_builtin(eval, arguments, STR("dict"));
    } else if (str_starts(name, STR("itertools.")) &&
               library_iterator(eval, arguments, name, result)) {
        return true;
    } else if (str_is(name, "functools.partial")) {
        *result = partial_new(eval, arguments);
    } else if (str_is(name, "functools.reduce")) {
        *result = reduce(eval, arguments);
    } else if (str_is(name, "pytest.param") && !arguments->open) {
        *result = row_of(eval, arguments);
    } else {
        return of_operator(eval, arguments, name, result);
    }
    return true;
}

/* Does it compare what it gets, and change nothing? Unless a whole folder is checked, such
 * statements of a test are not even parsed (python/skim_lines.c), so what is known after them must
 * not depend on them. */
static bool compares(Str name)
{
    bool testing = str_starts(name, STR("numpy.testing.assert_")) ||
                   str_starts(name, STR("torch.testing.assert_"));
    return testing && !str_contains(name, STR("_raises")) && !str_contains(name, STR("_warns"));
}

/* --- calls */

/* `out=` takes the shape of what is written into it. The call returns it. */
static Value of_torch_into(Eval *eval, const Arguments *arguments, Str name)
{
    Value out = host_keyword(arguments, "out");
    if (out.kind == VALUE_NONE) {
        return of_torch(eval, arguments, name);
    }
    Arguments rest = *arguments;
    rest.keywords = 0; /* other keywords may change what it computes */
    Value made = arguments->keywords == 1 ? of_torch(eval, &rest, name) : value_unknown();
    const Sequence *parts = value_is_sequence(out) ? out.as.sequence : NULL;
    for (uint32_t i = 0; parts != NULL && i < parts->count; i++) {
        host_write_out(parts->items[i], value_unknown());
    }
    host_write_out(out, made);
    return out;
}

Value host_call(Eval *eval, const Arguments *arguments, Value callee)
{
    Str name = *callee.as.text;
    Value result;
    if (str_is(name, "pypto.frontend.dynamic")) {
        bool text = arguments->positional == 1 && arguments->values[0].kind == VALUE_STR;
        Value named = text ? arguments->values[0] : value_unknown();
        named.kind = text ? VALUE_NAMED : VALUE_UNKNOWN;
        return named;
    }
    if (str_is(name, "torch.device")) {
        Value first = arguments->positional > 0 ? arguments->values[0] : value_unknown();
        callee.dtype = (uint8_t)(host_device(first) == DEVICE_UNKNOWN ? 0 : 1 + host_device(first));
        return callee;
    }
    if (str_is(name, "pypto.frontend.jit")) {
        return made_kernel(eval, arguments, callee);
    }
    if (compares(name)) {
        return value_none();
    }
    if (str_starts(name, STR("math."))) {
        return of_math(eval, arguments, name);
    }
    if (of_library(eval, arguments, name, &result) ||
        torch_module_new(eval, arguments, name, &result) ||
        torch_library_call(eval, arguments, name, &result)) {
        return result;
    }
    if (eval->drive == NULL && str_starts(name, STR("numpy.")) &&
        host_array(eval, arguments, str_slice(name, 6, name.length), &result)) {
        return result;
    }
    if (eval->drive == NULL && str_starts(name, STR("torch."))) {
        return of_torch_into(eval, arguments, str_slice(name, 6, name.length));
    }
    if (eval->drive != NULL && str_starts(name, STR("torch."))) {
        fault_torch(eval, arguments, str_slice(name, 6, name.length));
    }
    if (eval->drive == NULL && str_starts(name, STR("torch_npu."))) {
        return of_npu(eval, arguments, str_slice(name, 10, name.length));
    }
    lose_arguments(eval, arguments);
    return value_unknown();
}
