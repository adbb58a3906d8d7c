/* Crash patterns: scalar first operand (F1), Element as operand (F2), cast that the hardware cannot
 * do in one step (F4), dtype taken for a size (F8). All look at calls `pypto.<name>(…)` of the
 * whole file. */
#include "rules/crash_patterns.h"

#include "rules/bindings.h"

enum { MAX_TARGETS = 6 };

/* Legal direct targets of pypto.cast by source dtype. */
static const struct CastRow {
    const char *source, *targets[MAX_TARGETS];
} cast_table[] = {
    {"DT_FP16", {"DT_FP32", "DT_INT32", "DT_INT16", "DT_INT8", "DT_UINT8", "DT_INT4"}},
    {"DT_BF16", {"DT_FP32", "DT_INT32"}},
    {"DT_FP32", {"DT_BF16", "DT_FP16", "DT_INT16", "DT_INT32", "DT_INT64"}},
    {"DT_INT32", {"DT_FP32", "DT_FP16", "DT_INT16", "DT_INT64"}},
    {"DT_INT16", {"DT_FP32", "DT_FP16"}},
    {"DT_INT64", {"DT_FP32", "DT_INT32"}},
    {"DT_INT8", {"DT_FP16"}},
    {"DT_UINT8", {"DT_FP16"}},
    {"DT_INT4", {"DT_FP16"}},
};

typedef struct Scan {
    RuleRun *run;
    const PyFile *file;
    bool has_dtypes;
    Bindings dtypes; /* kernel parameters; node = the dtype attribute of the annotation */
} Scan;

/* `<anything>.DT_…` */
static bool is_dtype(const Module *module, NodeId id)
{
    return node_is(module, id, NODE_ATTRIBUTE) && str_starts(node_name(module, id), STR("DT_"));
}

static Place place_of(const Scan *scan, NodeId call, NodeId focus)
{
    return at_focus(scan->file, call, focus);
}

/* --- F1: pypto.mul(2.0, x) */

static bool is_scalar(const Module *module, NodeId id)
{
    if (!node_is(module, id, NODE_CONSTANT)) {
        return false;
    }
    uint8_t kind = node_at(module, id)->op;
    return kind == CONSTANT_INT || kind == CONSTANT_FLOAT || kind == CONSTANT_TRUE ||
           kind == CONSTANT_FALSE;
}

static void offer_swap(Scan *scan, Finding *finding, NodeId first, NodeId second)
{
    const Module *module = pyfile_module(scan->file);
    if (second == NO_NODE || node_next(module, second) != NO_NODE || is_scalar(module, second) ||
        node_is(module, second, NODE_STARRED)) {
        return;
    }
    const Node *a = node_at(module, first), *b = node_at(module, second);
    finding_edit(scan->run, finding, FIX_SAFE, a->start, a->end, node_text(module, second));
    finding_edit(scan->run, finding, FIX_SAFE, b->start, b->end, node_text(module, first));
}

static void check_scalar_first(Scan *scan, NodeId call, Str api)
{
    static const char *const names[] = {"add", "sub", "mul", "div"};
    const Module *module = pyfile_module(scan->file);
    NodeId first = call_arg(module, call, 0);
    if (!is_scalar(module, first) || !str_is_any(api, names, 4)) {
        return;
    }
    Str text = excerpt(scan->run, scan->file, call), value = excerpt(scan->run, scan->file, first);
    Finding *finding = report(scan->run, STATUS_FAIL, place_of(scan, call, first),
                              "F1: first operand of pypto.%.*s is the Python number %.*s: %.*s",
                              "F1：pypto.%.*s 的第一个操作数是 Python 数值 %.*s：%.*s",
                              STR_ARG(api), STR_ARG(value), STR_ARG(text));
    finding_hint(scan->run, finding,
                 "Put the tensor first (add, mul), or make a tensor of the number with pypto.full.",
                 "把 tensor 放在第一个参数（add、mul），或用 pypto.full 把数值变成 tensor。");
    if (str_is(api, "add") || str_is(api, "mul")) {
        offer_swap(scan, finding, first, call_arg(module, call, 1));
    }
}

/* --- F2: pypto.mul(x, pypto.Element(…)) */

/* Replaces `pypto.Element(dtype, number)` by the number. */
static void offer_number(Scan *scan, Finding *finding, NodeId element)
{
    const Module *module = pyfile_module(scan->file);
    NodeId number = call_arg(module, element, 1);
    if (number == NO_NODE) {
        number = call_keyword_value(module, element, "data");
    }
    if (number == NO_NODE || node_is(module, number, NODE_STARRED)) {
        return;
    }
    const Node *node = node_at(module, element);
    finding_edit(scan->run, finding, FIX_SUGGEST, node->start, node->end,
                 node_text(module, number));
}

static void check_element(Scan *scan, NodeId call, Str api)
{
    const Module *module = pyfile_module(scan->file);
    bool is_full = str_is(api, "full");
    NodeId element = node_child(module, call, ROLE_ARG);
    for (int place = 0; element != NO_NODE; element = node_next(module, element), place++) {
        bool is_fill_value = is_full && place == 1;
        if (!is_fill_value && node_is(module, element, NODE_CALL) &&
            str_is(pypto_call(scan->file, element), "Element")) {
            break;
        }
    }
    if (element == NO_NODE) {
        return;
    }
    Str text = excerpt(scan->run, scan->file, element);
    Finding *finding = report(scan->run, STATUS_FAIL, place_of(scan, call, element),
                              "F2: pypto.%.*s gets %.*s as a positional argument",
                              "F2：pypto.%.*s 的位置参数是 %.*s", STR_ARG(api), STR_ARG(text));
    finding_hint(scan->run, finding, "Pass the Python number itself instead of pypto.Element(...).",
                 "直接传 Python 数值，不要传 pypto.Element(...)。");
    offer_number(scan, finding, element);
}

/* --- F4: pypto.cast(x, pypto.DT_…) */

/* The first argument of an annotation `A.Tensor(…)` or `A.Tensor[…]`, or NO_NODE. */
static NodeId first_annotation_argument(const PyFile *file, NodeId annotation)
{
    const Module *module = pyfile_module(file);
    if (node_is(module, annotation, NODE_CALL)) {
        bool is_tensor = str_is(pypto_call(file, annotation), "Tensor");
        return is_tensor ? node_child(module, annotation, ROLE_ARG) : NO_NODE;
    }
    if (!node_is(module, annotation, NODE_SUBSCRIPT) ||
        !str_is(pypto_attribute(file, node_child(module, annotation, ROLE_VALUE)), "Tensor")) {
        return NO_NODE;
    }
    NodeId index = node_child(module, annotation, ROLE_SLICE);
    return node_is(module, index, NODE_TUPLE) ? node_child(module, index, ROLE_ELT) : index;
}

static void collect_dtypes(Scan *scan)
{
    const PyFile *file = scan->file;
    const Module *module = pyfile_module(file);
    scan->has_dtypes = true;
    for (uint32_t i = 0; i < file->kernels.count; i++) {
        NodeId arguments = function_arguments(module, file->kernels.ids[i]);
        NodeId arg = arguments == NO_NODE ? NO_NODE : node_child(module, arguments, ROLE_PARAM);
        for (; arg != NO_NODE; arg = node_next(module, arg)) {
            NodeId dtype = first_annotation_argument(file, parameter_annotation(module, arg));
            while (dtype != NO_NODE && !is_dtype(module, dtype)) {
                dtype = node_next(module, dtype);
            }
            if (dtype != NO_NODE) {
                bindings_add(&scan->dtypes, scan->run->arena, module, node_name(module, arg), i,
                             arg, dtype);
            }
        }
    }
    bindings_sort(&scan->dtypes);
}

static const struct CastRow *cast_row(Str source)
{
    for (size_t i = 0; i < sizeof cast_table / sizeof *cast_table; i++) {
        if (str_is(source, cast_table[i].source)) {
            return &cast_table[i];
        }
    }
    return NULL;
}

static bool is_legal_cast(Str source, Str target)
{
    const struct CastRow *row = cast_row(source);
    return row != NULL && str_is_any(target, row->targets, MAX_TARGETS);
}

static Str legal_targets(Scan *scan, Str source)
{
    const struct CastRow *row = cast_row(source);
    if (row == NULL) {
        return scan->run->lang == LANG_ZH ? STR("无") : STR("none");
    }
    Buf buf = {.arena = scan->run->arena};
    for (size_t i = 0; i < MAX_TARGETS && row->targets[i] != NULL; i++) {
        buf_addf(&buf, "%s%s", i == 0 ? "" : ", ", row->targets[i]);
    }
    return buf_str(&buf);
}

/* Offers an intermediate cast, to a dtype that both steps allow, if there is one. */
static void offer_two_steps(Scan *scan, Finding *finding, NodeId call, Str source, Str target)
{
    static const char *const small[] = {"DT_INT8", "DT_UINT8", "DT_INT4"};
    const Module *module = pyfile_module(scan->file);
    bool is_small = str_is_any(source, small, 3) || str_is_any(target, small, 3);
    Str middle = is_small ? STR("DT_FP16") : STR("DT_FP32");
    if (str_equal(source, target) || !is_legal_cast(source, middle) ||
        !is_legal_cast(middle, target)) {
        return;
    }
    NodeId first = call_arg(module, call, 0);
    const Node *node = node_at(module, first);
    Str alias = node_text(module, attribute_value(module, call_func(module, call)));
    Str text = str_format(scan->run->arena, "%.*s.cast(%.*s, %.*s.%.*s)", STR_ARG(alias),
                          STR_ARG(node_name(module, first)), STR_ARG(alias), STR_ARG(middle));
    finding_edit(scan->run, finding, FIX_SUGGEST, node->start, node->end, text);
}

static void check_cast(Scan *scan, NodeId call)
{
    const Module *module = pyfile_module(scan->file);
    NodeId first = call_arg(module, call, 0);
    if (!node_is(module, first, NODE_NAME)) {
        return;
    }
    NodeId target = node_next(module, first);
    while (target != NO_NODE && !is_dtype(module, target)) {
        target = node_next(module, target);
    }
    if (target == NO_NODE) {
        return;
    }
    if (!scan->has_dtypes) {
        collect_dtypes(scan);
    }
    const Binding *parameter = bindings_last(&scan->dtypes, node_name(module, first), UINT32_MAX);
    if (parameter == NULL) {
        return;
    }
    Str from = node_name(module, parameter->node), to = node_name(module, target);
    if (is_legal_cast(from, to)) {
        return;
    }
    Str text = excerpt(scan->run, scan->file, call), legal = legal_targets(scan, from);
    Finding *finding = report(scan->run, STATUS_FAIL, place_of(scan, call, target),
                              "F4: no direct cast from %.*s to %.*s: %.*s; legal targets: %.*s",
                              "F4：不支持从 %.*s 直接转换到 %.*s：%.*s；合法目标：%.*s",
                              STR_ARG(from), STR_ARG(to), STR_ARG(text), STR_ARG(legal));
    finding_hint(
        scan->run, finding,
        "Cast in two steps, through DT_FP16 for 8 and 4 bit types, through DT_FP32 otherwise; "
        "leave out a cast to the same dtype.",
        "分两步转换：8/4 位类型经 DT_FP16，其余经 DT_FP32；同类型转换直接去掉。");
    finding_related(scan->run, finding, at_node(scan->file, parameter->node),
                    "dtype of the parameter", "参数的 dtype");
    offer_two_steps(scan, finding, call, from, to);
}

/* --- F8: pypto.zeros(8, 64, pypto.DT_FP32) */

static void check_dtype_as_size(Scan *scan, NodeId call, Str api)
{
    const Module *module = pyfile_module(scan->file);
    NodeId dtype = node_child(module, call, ROLE_ARG);
    while (dtype != NO_NODE && !is_dtype(module, dtype)) {
        dtype = node_next(module, dtype);
    }
    if (dtype == NO_NODE || call_keyword(module, call, "dtype") != NO_NODE) {
        return;
    }
    Str text = excerpt(scan->run, scan->file, call);
    Str name = excerpt(scan->run, scan->file, dtype);
    Finding *finding =
        report(scan->run, STATUS_FAIL, place_of(scan, call, dtype),
               "F8: pypto.%.*s takes the positional %.*s for a size, not for the dtype: %.*s",
               "F8：pypto.%.*s 会把位置参数 %.*s 当作尺寸而不是 dtype：%.*s", STR_ARG(api),
               STR_ARG(name), STR_ARG(text));
    finding_hint(scan->run, finding, "Write dtype=%.*s.", "写成 dtype=%.*s。", STR_ARG(name));
    const Node *node = node_at(module, dtype);
    if (node_next(module, dtype) == NO_NODE && !node->parenthesized) {
        finding_edit(scan->run, finding, FIX_SAFE, node->start, node->start, STR("dtype="));
    }
}

void crash_patterns_check(RuleRun *run, const PyFile *file)
{
    Scan scan = {.run = run, .file = file};
    NodeList calls = module_nodes(pyfile_module(file), NODE_CALL);
    for (uint32_t i = 0; i < calls.count; i++) {
        Str api = pypto_call(file, calls.ids[i]);
        if (api.length == 0) {
            continue;
        }
        check_scalar_first(&scan, calls.ids[i], api);
        check_element(&scan, calls.ids[i], api);
        if (str_is(api, "cast")) {
            check_cast(&scan, calls.ids[i]);
        } else if (str_is(api, "zeros") || str_is(api, "ones")) {
            check_dtype_as_size(&scan, calls.ids[i], api);
        }
    }
}
