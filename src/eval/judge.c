/* Judges launches against the annotations of the kernel (KS17, KS18). */
#include "eval/launch.h"

#include "model/ptosim_model.h"

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

static EvalFinding *report(Eval *eval, const Launch *launch, EvalRule rule, Str en, Str zh)
{
    eval->reporting = true;
    eval->report_unit = launch->unit;
    eval->assumed = launch->certain ? 0 : 1;
    eval->found = 0;
    EvalFinding *finding = eval_report(eval, rule, launch->node, "%.*s", "%.*s", STR_ARG(en));
    if (finding != NULL) {
        finding->zh = str_copy(eval->result, zh);
        finding->foreign = launch_is_foreign(launch);
    }
    eval->reporting = false;
    eval->report_unit = 0;
    eval->assumed = 0;
    return finding;
}

static EvalFinding *misfit(Eval *eval, const Launch *launch, EvalRule rule, Str name,
                           const char *en, const char *zh)
{
    return report(eval, launch, rule,
                  str_format(eval->arena, "argument '%.*s': %s", STR_ARG(name), en),
                  str_format(eval->arena, "参数 '%.*s'：%s", STR_ARG(name), zh));
}

/* --- how many */

typedef struct Number {
    Eval *eval;
    const Launch *launch;
    NodeId list; /* of parameters */
    uint32_t tensors, all, defaults;
} Number;

static Number count_parameters(Eval *eval, const Launch *launch)
{
    const Module *module = eval->module;
    NodeId list = function_arguments(module, eval->kernels.items[launch->site].node);
    Number number = {.eval = eval, .launch = launch, .list = list};
    number.all = node_count(module, list, ROLE_PARAM);
    number.defaults = node_count(module, list, ROLE_DEFAULT);
    for (NodeId arg = node_child(module, list, ROLE_PARAM); arg != NO_NODE;
         arg = node_next(module, arg)) {
        number.tensors += annotation_is_tensor(annotation_read(eval->file, arg));
    }
    return number;
}

/* If tensors given by keyword follow the positional ones in order, makes the edits that remove the
 * keywords. */
static void drop_keywords(const Number *number, EvalFinding *finding)
{
    Eval *eval = number->eval;
    const Launch *launch = number->launch;
    const Module *module = eval->module;
    if (finding == NULL || eval->kernels.items[launch->site].unit != launch->unit ||
        !node_is(module, launch->node, NODE_CALL)) {
        return;
    }
    NodeId keyword = node_child(module, launch->node, ROLE_KEYWORD);
    uint32_t at = launch->positional;
    for (; keyword != NO_NODE && at < number->tensors; keyword = node_next(module, keyword), at++) {
        NodeId arg = node_nth(module, number->list, ROLE_PARAM, at);
        NodeId value = node_first(module, keyword);
        if (!str_equal(node_name(module, arg), node_name(module, keyword)) ||
            node_at(module, value)->parenthesized) {
            finding->edits.count = 0;
            return;
        }
        EvalEdit edit = {node_at(module, keyword)->start, node_at(module, value)->start, STR("")};
        VEC_PUSH(eval->result, &finding->edits, edit);
    }
    finding->edits.count = at == number->tensors ? finding->edits.count : 0;
}

/* Keywords must name parameters after the tensors, and no parameter may be given twice. */
static bool judge_keywords(const Number *number)
{
    Eval *eval = number->eval;
    const Launch *launch = number->launch;
    for (uint32_t i = 0; i < launch->keywords.count; i++) {
        Str keyword = launch->keywords.items[i];
        uint32_t at = 0;
        for (NodeId arg = node_child(eval->module, number->list, ROLE_PARAM);
             arg != NO_NODE && !str_equal(node_name(eval->module, arg), keyword);
             arg = node_next(eval->module, arg)) {
            at++;
        }
        bool unexpected = at == number->all || at < number->tensors;
        if (unexpected || at < launch->positional) {
            const char *en = unexpected ? "Unexpected keyword argument '%.*s' (F00003)"
                                        : "Multiple values for argument '%.*s' (F00003)";
            const char *zh = unexpected ? "没有关键字参数 '%.*s'（F00003）"
                                        : "参数 '%.*s' 给出了多个值（F00003）";
            EvalFinding *finding =
                report(eval, launch, EVAL_LAUNCH, str_format(eval->arena, en, STR_ARG(keyword)),
                       str_format(eval->arena, zh, STR_ARG(keyword)));
            drop_keywords(number, finding);
            return false;
        }
    }
    return true;
}

/* A parameter after the tensors that has no default and is not given. */
static bool judge_missing(const Number *number)
{
    Eval *eval = number->eval;
    const Launch *launch = number->launch;
    uint32_t at = 0;
    for (NodeId arg = node_child(eval->module, number->list, ROLE_PARAM); arg != NO_NODE;
         arg = node_next(eval->module, arg), at++) {
        Str name = node_name(eval->module, arg);
        bool given = at < launch->positional || at + number->defaults >= number->all;
        for (uint32_t i = 0; i < launch->keywords.count; i++) {
            given = given || str_equal(launch->keywords.items[i], name);
        }
        if (!given) {
            report(eval, launch, EVAL_LAUNCH,
                   str_format(eval->arena,
                              "Missing argument for non-tensor parameter '%.*s' (F00003)",
                              STR_ARG(name)),
                   str_format(eval->arena, "缺少非 tensor 参数 '%.*s'（F00003）", STR_ARG(name)));
            return false;
        }
    }
    return true;
}

static bool judge_number(const Number *number)
{
    Eval *eval = number->eval;
    const Launch *launch = number->launch;
    bool few = launch->positional < number->tensors;
    if (few || launch->positional > number->all) {
        const char *en = few ? "Expected at least %u tensor argument(s), got %u. (F00003)"
                             : "Expected at most %u argument(s), got %u. (F00003)";
        const char *zh = few ? "至少需要 %u 个 tensor 参数，实际给出 %u 个（F00003）"
                             : "最多接受 %u 个参数，实际给出 %u 个（F00003）";
        uint32_t wanted = few ? number->tensors : number->all;
        EvalFinding *finding = report(eval, launch, EVAL_LAUNCH,
                                      str_format(eval->arena, en, wanted, launch->positional),
                                      str_format(eval->arena, zh, wanted, launch->positional));
        if (few) {
            drop_keywords(number, finding);
        }
        return false;
    }
    return judge_keywords(number) && judge_missing(number);
}

/* Does it have parameters that no kernel can have? Then KS14 reports it, and its launches are not
 * judged. */
static bool is_refused(const Module *module, NodeId list)
{
    static const Role forbidden[] = {ROLE_VARARG, ROLE_KWARG, ROLE_KWONLYARG, ROLE_POSONLYARG};
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++) {
        if (node_child(module, list, forbidden[i]) != NO_NODE) {
            return true;
        }
    }
    return false;
}

bool launch_has_number(Eval *eval, const Launch *launch)
{
    const KernelSite *site = &eval->kernels.items[launch->site];
    uint32_t here = unit_switch(eval, site->unit);
    Number number = count_parameters(eval, launch);
    bool plain = !site->scope->is_class && /* `self` */
                 node_count(eval->module, site->node, ROLE_DECORATOR) == 1;
    Frame frame = {.scope = site->scope};
    eval->frame = &frame;
    eval->stopped = false;
    plain = plain && !is_refused(eval->module, number.list);
    bool has = plain ? judge_number(&number) : launch->positional <= number.all;
    eval->frame = NULL;
    unit_switch(eval, here);
    return has;
}

/* --- each of them */

static bool rank_fits(const ParameterSpec *spec, int rank)
{
    return !spec->has_shape ||
           (spec->lower_bound ? rank >= (int)spec->count : rank == (int)spec->count);
}

/* A named axis with the size that it first had. */
typedef struct Named {
    Str name;
    int64_t size;
} Named;

typedef struct Judge {
    Eval *eval;
    const Launch *launch;
    Str name; /* of the parameter */
    VEC(Named) named;
    Str on[DEVICE_NPU + 1]; /* the first parameter on each device */
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

/* Makes the edit that appends .contiguous() to the argument, if it is in the linted file. */
static void make_contiguous(Eval *eval, EvalFinding *finding, const Launch *launch, Str name)
{
    const Module *module = eval->module;
    if (finding == NULL || launch->unit != 0) {
        return;
    }
    NodeId list = function_arguments(module, eval->kernels.items[launch->site].node);
    NodeId value = call_keyword_value(module, launch->node, str_dup(eval->arena, name));
    uint32_t place = 0;
    for (NodeId arg = node_child(module, list, ROLE_PARAM); arg != NO_NODE && value == NO_NODE;
         arg = node_next(module, arg), place++) {
        if (str_equal(node_name(module, arg), name)) {
            value = node_nth(module, launch->node, ROLE_ARG, place);
        }
    }
    bool plain = value != NO_NODE &&
                 (node_is(module, value, NODE_NAME) || node_is(module, value, NODE_CALL) ||
                  node_is(module, value, NODE_SUBSCRIPT) || node_is(module, value, NODE_ATTRIBUTE));
    if (!plain) {
        return;
    }
    uint32_t end = eval_node(eval, value)->end;
    EvalEdit edit = {end, end, STR(".contiguous()")};
    VEC_PUSH(eval->result, &finding->edits, edit);
}

/* All tensors of a launch must be on one device. */
static bool judge_device(Judge *judge, const HostTensor *tensor)
{
    Eval *eval = judge->eval;
    Str other = judge->on[tensor->device == DEVICE_CPU ? DEVICE_NPU : DEVICE_CPU];
    if (tensor->device == DEVICE_UNKNOWN) {
        return true;
    }
    const char *here = tensor->device == DEVICE_CPU ? "cpu" : "npu";
    const char *there = tensor->device == DEVICE_CPU ? "npu" : "cpu";
    if (other.length > 0) {
        EvalFinding *finding =
            misfit(eval, judge->launch, EVAL_ARGUMENT, judge->name,
                   str_format(eval->result, "it is on '%s' and '%.*s' on '%s' (F00003)", here,
                              STR_ARG(other), there)
                       .at,
                   str_format(eval->result, "它在 '%s' 上，而 '%.*s' 在 '%s' 上（F00003）", here,
                              STR_ARG(other), there)
                       .at);
        eval_hint(eval, finding, "Put all tensors of the launch on one device.",
                  "请把这次调用的所有 tensor 放到同一设备上。");
        return false;
    }
    judge->on[tensor->device] = judge->name;
    return true;
}

/* A tensor must not be passed for a number. The annotation may be a name that means a tensor
 * type. */
static bool judge_plain(Judge *judge, NodeId arg, Value value)
{
    const Module *module = judge->eval->module;
    NodeId annotation = parameter_annotation(module, arg);
    static const char *const numbers[] = {"int", "float", "bool", "str"};
    bool sure = annotation == NO_NODE || (node_is(module, annotation, NODE_NAME) &&
                                          STR_IS_ANY(node_name(module, annotation), numbers));
    if (value.kind == VALUE_HOST && sure) {
        misfit(judge->eval, judge->launch, EVAL_ARGUMENT, judge->name,
               "it must not be a torch.Tensor: its parameter is not annotated with pypto.Tensor "
               "(F00003)",
               "不能是 torch.Tensor：该参数没有用 pypto.Tensor 注解（F00003）");
        return false;
    }
    return true;
}

static bool judge_tensor(Judge *judge, const ParameterSpec *spec, Value value)
{
    Eval *eval = judge->eval;
    bool plain = value.kind >= VALUE_NONE && value.kind <= VALUE_DICT;
    if (plain) {
        const char *kind = value_type(value);
        misfit(eval, judge->launch, EVAL_ARGUMENT, judge->name,
               str_format(eval->result, "it must be a torch.Tensor, not %s (F00003)", kind).at,
               str_format(eval->result, "必须是 torch.Tensor，而不是 %s（F00003）", kind).at);
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
        eval_hint(eval, finding, "Append .contiguous() to it.", "请在其后加 .contiguous()。");
        make_contiguous(eval, finding, judge->launch, judge->name);
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
    return judge_sizes(judge, spec, tensor) && judge_device(judge, tensor);
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
        fits = !spec.is_tensor  ? judge_plain(&judge, arg, launch->values[at])
               : !spec.is_known ? true
                                : judge_tensor(&judge, &spec, launch->values[at]);
    }
    eval->frame = NULL;
    return fits;
}
