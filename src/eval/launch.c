/* Launches of kernels: finding them in host code, judging them. */
#include "eval/launch.h"

#include "model/ptosim_model.h"

#include <stdlib.h>

/* --- annotations */

bool axis_is(Value axis, const char *name)
{
    bool fact = axis.kind == VALUE_MEMBER || axis.kind == VALUE_API;
    return fact && strcmp(axis.as.fact->name, name) == 0;
}

static int dtype_of_member(Value value)
{
    for (int i = 0; value.kind == VALUE_MEMBER && i < PTS_DTYPE_COUNT; i++) {
        if (strcmp(pts_dtype_name((PtsDtype)i), value.as.fact->name) == 0) {
            return i;
        }
    }
    return -1;
}

/* A list with STATIC, DYNAMIC or `...` and integers beside them at most is a lower bound. */
static void read_axes(Eval *eval, NodeId list, Value shape, ParameterSpec *spec)
{
    const Module *module = eval->module;
    bool all_int = true, plain = true;
    uint32_t count = shape.as.sequence->count;
    if (count > sizeof spec->axes / sizeof *spec->axes) {
        spec->is_known = spec->is_open = false;
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        bool display = node_is(module, list, NODE_LIST) || node_is(module, list, NODE_TUPLE);
        NodeId entry = display ? node_nth(module, list, ROLE_ELT, i) : NO_NODE;
        if (node_is(module, entry, NODE_CONSTANT) &&
            eval_node(eval, entry)->op == CONSTANT_ELLIPSIS) {
            spec->lower_bound = true;
            spec->count = i;
            spec->has_shape = true;
            return;
        }
        Value axis = shape.as.sequence->items[i];
        bool status = axis_is(axis, "STATIC") || axis_is(axis, "DYNAMIC") || axis_is(axis, "DYN");
        bool known = axis.kind == VALUE_INT || axis.kind == VALUE_NAMED || status;
        spec->is_known = spec->is_known && known;
        all_int = all_int && axis.kind == VALUE_INT;
        plain = plain && (axis.kind == VALUE_INT || status);
        spec->axes[i] = axis;
    }
    spec->count = count;
    spec->has_shape = count > 0;
    spec->lower_bound = count > 0 && !all_int && plain;
}

ParameterSpec parameter_spec(Eval *eval, NodeId arg)
{
    const Module *module = eval->module;
    TensorAnnotation annotation = annotation_read(eval->file, arg);
    ParameterSpec spec = {.dtype = -1, .is_known = true, .is_open = true};
    spec.is_tensor = annotation_is_tensor(annotation);
    if (!spec.is_tensor) {
        return spec;
    }
    NodeId whole = parameter_annotation(module, arg);
    bool call = annotation.form == ANNOTATION_CALL;
    NodeId shape = annotation.shape, dtype = annotation.dtype, format = NO_NODE;
    if (annotation.form == ANNOTATION_BRACKET || annotation.count > 3) {
        spec.is_known = spec.is_open = false; /* entries are told apart by their types */
        return spec;
    }
    if (call) {
        shape = shape == NO_NODE ? call_keyword_value(module, whole, "shape") : shape;
        dtype = dtype == NO_NODE ? call_keyword_value(module, whole, "dtype") : dtype;
        format = call_keyword_value(module, whole, "format");
    }
    if (shape != NO_NODE) {
        Value value = eval_expression(eval, shape);
        if (value_has_items(value)) {
            read_axes(eval, shape, value, &spec);
        } else {
            spec.is_known = value.kind == VALUE_NONE;
        }
    }
    if (dtype != NO_NODE) {
        spec.dtype = dtype_of_member(eval_expression(eval, dtype));
        spec.is_known = spec.is_known && spec.dtype >= 0;
    }
    if (format != NO_NODE) {
        Value value = eval_expression(eval, format);
        spec.is_nz = value.kind == VALUE_MEMBER && value.handle == 2;
        spec.is_open = spec.is_open && value.kind == VALUE_MEMBER && value.handle > 0;
        spec.is_known = spec.is_known && spec.is_open;
    }
    return spec;
}

/* --- finding launches */

static uint32_t knowledge(const Value *values, uint32_t count)
{
    uint32_t known = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (values[i].kind == VALUE_HOST) {
            const HostTensor *tensor = values[i].as.host;
            known += (tensor->dtype >= 0 ? 2U : 0U) + (tensor->rank >= 0 ? 2U : 0U);
            for (int axis = 0; axis < tensor->rank; axis++) {
                known += tensor->size[axis] >= 0 ? 1U : 0U;
            }
        } else {
            known += values[i].kind != VALUE_UNKNOWN && values[i].kind != VALUE_NUMBER;
        }
    }
    return known;
}

static bool same_argument(Value a, Value b)
{
    if (a.kind != VALUE_HOST || b.kind != VALUE_HOST) {
        return value_same(a, b);
    }
    const HostTensor *x = a.as.host, *y = b.as.host;
    return x->dtype == y->dtype && x->rank == y->rank && x->gaps == y->gaps &&
           memcmp(x->size, y->size, sizeof x->size) == 0;
}

static bool same_launch(const Launch *a, const Launch *b)
{
    bool same = a->site == b->site && a->count == b->count;
    for (uint32_t i = 0; same && i < a->count; i++) {
        same = same_argument(a->values[i], b->values[i]);
    }
    return same;
}

static void add_launch(Eval *eval, const Launch *launch)
{
    uint32_t of_kernel = 0, least = UINT32_MAX;
    for (uint32_t i = 0; i < eval->launches->items.count; i++) {
        Launch *other = &eval->launches->items.items[i];
        if (same_launch(other, launch)) {
            other->certain = other->certain || launch->certain;
            return;
        }
        if (other->site == launch->site) {
            of_kernel++;
            bool worse =
                least == UINT32_MAX || other->known < eval->launches->items.items[least].known;
            least = worse ? i : least;
        }
    }
    if (of_kernel < LAUNCHES_OF_KERNEL) {
        VEC_PUSH(eval->arena, &eval->launches->items, *launch);
    } else if (eval->launches->items.items[least].known < launch->known) {
        eval->launches->items.items[least] = *launch;
    }
}

/* The value of each parameter: given, or its default. */
static bool bind(Eval *eval, const Arguments *arguments, NodeId kernel, Launch *launch)
{
    const Module *module = eval->module;
    NodeId list = function_arguments(module, kernel);
    uint32_t count = node_count(module, list, ROLE_PARAM);
    uint32_t defaults = node_count(module, list, ROLE_DEFAULT), at = 0;
    if (arguments->open || arguments->positional > count || count > LAUNCH_TENSORS) {
        return false;
    }
    launch->values = ARENA_ARRAY(eval->arena, Value, count + 1);
    launch->count = count;
    for (NodeId arg = node_child(module, list, ROLE_PARAM); arg != NO_NODE;
         arg = node_next(module, arg), at++) {
        const Value *given = at < arguments->positional ? &arguments->values[at] : NULL;
        for (uint32_t i = 0; i < arguments->keywords && given == NULL; i++) {
            if (str_equal(arguments->names[i], node_name(module, arg))) {
                given = &arguments->values[arguments->positional + i];
            }
        }
        if (given != NULL) {
            launch->values[at] = *given;
        } else if (at + defaults >= count) {
            NodeId value = node_nth(module, list, ROLE_DEFAULT, at + defaults - count);
            bool constant = node_is(module, value, NODE_CONSTANT);
            launch->values[at] = constant ? eval_expression(eval, value) : value_unknown();
        } else {
            return false;
        }
    }
    return true;
}

Value launch_call(Eval *eval, const Arguments *arguments, Value kernel)
{
    uint32_t site = (uint32_t)kernel.as.integer;
    lose_arguments(eval, arguments);
    if (eval->launches == NULL || eval->drive != NULL || eval->no_launch > 0 || eval->reporting ||
        site >= eval->kernels.count) {
        return value_unknown();
    }
    Launch launch = {.site = site,
                     .node = arguments->call,
                     .unit = eval->unit,
                     .certain = eval->assumed == 0 && eval->silent == 0};
    uint32_t home = unit_switch(eval, eval->kernels.items[site].unit);
    bool fits = bind(eval, arguments, eval->kernels.items[site].node, &launch);
    unit_switch(eval, home);
    if (fits) {
        launch.known = knowledge(launch.values, launch.count);
        add_launch(eval, &launch);
    }
    return value_none();
}
/* --- judging */

/* May an argument of dtype `given` be declared `wanted`? */
static bool launch_dtype_fits(int given, int wanted)
{
    if (given < 0 || wanted < 0 || given == wanted) {
        return true;
    }
    if (given == PTS_UINT8) {
        return wanted >= PTS_FP8; /* memory of bytes may be declared as any small type */
    }
    return (given == PTS_INT16 && wanted == PTS_UINT16) ||
           (given == PTS_INT32 && wanted == PTS_UINT32) ||
           (given == PTS_INT64 && wanted == PTS_UINT64);
}

static EvalFinding *misfit(Eval *eval, const Launch *launch, EvalRule rule, Str name,
                           const char *en, const char *zh)
{
    eval->reporting = launch->unit == 0; /* the other file may be edited next */
    eval->assumed = launch->certain ? 0 : 1;
    eval->found = 0;
    EvalFinding *finding = eval_report(eval, rule, launch->node, "argument '%.*s': %s",
                                       "参数 '%.*s'：%s", STR_ARG(name), en);
    if (finding != NULL) {
        finding->zh = str_format(eval->result, "参数 '%.*s'：%s", STR_ARG(name), zh);
    }
    eval->reporting = false;
    eval->assumed = 0;
    return finding;
}

static bool rank_fits(const ParameterSpec *spec, int rank)
{
    return !spec->has_shape ||
           (spec->lower_bound ? rank >= (int)spec->count : rank == (int)spec->count);
}

/* The first of the named axes with that name, among the parameters before. */
typedef struct Named {
    Str name;
    int64_t size;
} Named;

typedef struct Judge {
    Eval *eval;
    const Launch *launch;
    Str name; /* of the parameter */
    VEC(Named) named;
} Judge;

static bool judge_axis(Judge *judge, Value axis, int64_t size, int place)
{
    Eval *eval = judge->eval;
    if (axis.kind == VALUE_INT && axis.as.integer >= 0 && axis.as.integer != size) {
        misfit(eval, judge->launch, EVAL_LAUNCH, judge->name,
               str_format(eval->result, "axis %d is %lld, the annotation says %lld (F00002)", place,
                          (long long)size, (long long)axis.as.integer)
                   .at,
               str_format(eval->result, "第 %d 维是 %lld，注解为 %lld（F00002）", place,
                          (long long)size, (long long)axis.as.integer)
                   .at);
        return false;
    }
    if (axis.kind != VALUE_NAMED) {
        return true;
    }
    for (uint32_t i = 0; i < judge->named.count; i++) {
        const Named *other = &judge->named.items[i];
        if (str_equal(other->name, *axis.as.text) && other->size != size) {
            misfit(eval, judge->launch, EVAL_LAUNCH, judge->name,
                   str_format(eval->result, "axis '%.*s' is %lld here and %lld before (F00002)",
                              STR_ARG(other->name), (long long)size, (long long)other->size)
                       .at,
                   str_format(eval->result, "轴 '%.*s' 此处为 %lld，此前为 %lld（F00002）",
                              STR_ARG(other->name), (long long)size, (long long)other->size)
                       .at);
            return false;
        }
    }
    Named one = {*axis.as.text, size};
    VEC_PUSH(eval->arena, &judge->named, one);
    return true;
}

static bool judge_sizes(Judge *judge, const ParameterSpec *spec, const HostTensor *tensor)
{
    Eval *eval = judge->eval;
    int rank = tensor->rank == 0 ? 1 : tensor->rank;
    if (tensor->rank < 0) {
        return true;
    }
    if (!rank_fits(spec, rank)) {
        misfit(eval, judge->launch, EVAL_LAUNCH, judge->name,
               str_format(eval->result, "it has %d axes, the annotation %s%u (F00002)", rank,
                          spec->lower_bound ? "at least " : "", spec->count)
                   .at,
               str_format(eval->result, "它有 %d 维，注解为%s %u 维（F00002）", rank,
                          spec->lower_bound ? "至少" : "", spec->count)
                   .at);
        return false;
    }
    for (int i = 0; i < tensor->rank && (uint32_t)i < spec->count; i++) {
        if (tensor->size[i] >= 0 && !judge_axis(judge, spec->axes[i], tensor->size[i], i)) {
            return false;
        }
    }
    return true;
}

static bool judge_tensor(Judge *judge, const ParameterSpec *spec, Value value)
{
    Eval *eval = judge->eval;
    bool plain = value.kind >= VALUE_NONE && value.kind <= VALUE_DICT;
    if (plain) {
        misfit(eval, judge->launch, EVAL_ARGUMENT, judge->name,
               "the parameter is a tensor, the argument is none (F00003)",
               "该参数是 tensor，实参不是（F00003）");
        return false;
    }
    if (value.kind != VALUE_HOST) {
        return true;
    }
    const HostTensor *tensor = value.as.host;
    if (tensor->gaps) {
        EvalFinding *finding =
            misfit(eval, judge->launch, EVAL_ARGUMENT, judge->name,
                   "the tensor is not contiguous (F00003)", "tensor 不连续（F00003）");
        eval_hint(eval, finding, "Write .contiguous() behind it.", "请在其后加 .contiguous()。");
        return false;
    }
    if (!launch_dtype_fits(tensor->dtype, spec->dtype)) {
        const char *given = pts_dtype_name((PtsDtype)tensor->dtype);
        const char *wanted = pts_dtype_name((PtsDtype)spec->dtype);
        misfit(
            eval, judge->launch, EVAL_LAUNCH, judge->name,
            str_format(eval->result, "it is %s, the annotation says %s (F00002)", given, wanted).at,
            str_format(eval->result, "它是 %s，注解为 %s（F00002）", given, wanted).at);
        return false;
    }
    return judge_sizes(judge, spec, tensor);
}

bool launch_fits(Eval *eval, const Launch *launch)
{
    const Module *module = eval->module;
    const KernelSite *site = &eval->kernels.items[launch->site];
    NodeId list = function_arguments(module, site->node);
    Judge judge = {.eval = eval, .launch = launch};
    Frame frame = {.scope = site->scope};
    eval->frame = &frame;
    eval->steps = EVAL_STEPS_KERNEL;
    eval->stopped = false;
    bool fits = true;
    uint32_t at = 0;
    for (NodeId arg = node_child(module, list, ROLE_PARAM); arg != NO_NODE && fits;
         arg = node_next(module, arg), at++) {
        ParameterSpec spec = parameter_spec(eval, arg);
        judge.name = node_name(module, arg);
        fits = !spec.is_tensor || !spec.is_known || judge_tensor(&judge, &spec, launch->values[at]);
    }
    eval->frame = NULL;
    return fits;
}

/* --- entry points */

static bool is_called(const Eval *eval, NodeId function)
{
    const Module *module = eval->module;
    NodeList names = module_nodes(module, NODE_NAME);
    for (uint32_t i = 0; i < names.count; i++) {
        NodeId id = names.ids[i];
        bool inside = node_within(module, id, function);
        if (!inside && node_at(module, id)->role == ROLE_FUNC &&
            str_equal(node_name(module, id), node_name(module, function))) {
            return true;
        }
    }
    return false;
}

/* Is the function, or what calls it, marked as one that is meant to fail, or not run? */
static bool is_expected_to_fail(const Eval *eval, NodeId function)
{
    const Module *module = eval->module;
    for (NodeId decorator = node_child(module, function, ROLE_DECORATOR); decorator != NO_NODE;
         decorator = node_next(module, decorator)) {
        Str text = node_text(module, decorator);
        if (str_contains(text, STR("xfail")) || str_contains(text, STR("skip"))) {
            return true;
        }
    }
    return false;
}

static void walk_entry(Eval *eval, NodeId function)
{
    const Module *module = eval->module;
    Frame frame = {.scope = scope_new(eval, eval->globals, function), .function = function};
    const Strs *names = eval_locals(eval, function);
    eval->frame = &frame;
    eval->stopped = false;
    eval->steps = EVAL_STEPS_KERNEL;
    for (uint32_t i = 0; i < names->count; i++) {
        if (function_parameter(module, function, names->items[i]) != NO_NODE) {
            scope_set(eval, frame.scope, names->items[i], value_unknown());
        }
    }
    eval->assumed = 0;
    eval_body(eval, function, ROLE_BODY);
    eval->frame = NULL;
}

/* The functions of a file that nothing calls, and its tests. */
static void walk_functions(Eval *eval)
{
    const Module *module = eval->module;
    NodeList functions = module_nodes(module, NODE_FUNCTION_DEF);
    for (uint32_t i = 0; i < functions.count; i++) {
        NodeId id = functions.ids[i];
        NodeId parent = node_at(module, id)->parent;
        bool method = node_is(module, parent, NODE_CLASS_DEF);
        bool top = node_is(module, parent, NODE_MODULE) ||
                   (method && str_starts(node_name(module, id), STR("test")));
        bool test = str_starts(node_name(module, id), STR("test"));
        if (top && !is_kernel(eval->file, id) && (test || !is_called(eval, id)) &&
            !is_expected_to_fail(eval, id)) {
            walk_entry(eval, id);
        }
    }
}

/* Tests of the file: their own statements, and their test functions. */
static void walk_tests(Eval *eval)
{
    const EvalFinder *finder = eval->finder;
    for (uint32_t i = 0; finder != NULL && i < finder->test_count; i++) {
        const PyFile *file = finder->find(finder->context, finder->tests[i]);
        if (file == NULL || pyfile_module(file) == NULL) {
            continue;
        }
        uint32_t number = unit_add(eval, file, finder->tests[i]);
        eval->stopped = false;
        eval->steps = EVAL_STEPS_KERNEL;
        unit_walk(eval, number);
        uint32_t home = unit_switch(eval, number);
        walk_functions(eval);
        unit_switch(eval, home);
    }
}

static bool every_kernel_is_launched(const Eval *eval)
{
    for (uint32_t i = 0; i < eval->kernels.count; i++) {
        bool launched = eval->kernels.items[i].unit != 0;
        for (uint32_t k = 0; k < eval->launches->items.count && !launched; k++) {
            launched = eval->launches->items.items[k].site == i;
        }
        if (!launched) {
            return false;
        }
    }
    return true;
}

void launch_walk_entries(Eval *eval)
{
    walk_tests(eval);
    if (!every_kernel_is_launched(eval)) {
        walk_functions(eval);
    }
}
