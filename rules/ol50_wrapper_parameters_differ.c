/* OL50: the parameters of a wrapper are not the primary inputs of the module contract.
 *
 * Looks at eval/module_interfaces.yaml and at the wrapper of each implementation file: names and
 * order must be equal; `*args` and `**kwargs` do not count. Also reports module files whose suffix
 * is not cumulative, and files without wrapper. */
#include "operator/interfaces.h"
#include "operator/python_facts.h"
#include "rules/common.h"
#include "rules/names.h"

/* Names shown of a parameter list. */
enum { MAX_SHOWN = 24, MAX_EXAMPLE = 32 };

typedef struct Contract {
    const Interfaces *interfaces;
    NameList primary; /* of the integrated file */
} Contract;

/* "(x, gate)" */
static Str show_list(RuleRun *run, Strs names)
{
    Buf buf = {.arena = run->arena};
    buf_add_char(&buf, '(');
    for (uint32_t i = 0; i < names.count; i++) {
        if (i == MAX_SHOWN) {
            buf_add(&buf, STR(", …"));
            break;
        }
        buf_addf(&buf, "%s%.*s", i == 0 ? "" : ", ", STR_ARG(names.items[i]));
    }
    buf_add_char(&buf, ')');
    return buf_str(&buf);
}

/* Names of `list` that `other` does not have. */
static Strs missing_in(RuleRun *run, Strs list, Strs other)
{
    NameTable table = {.arena = run->arena};
    Strs result = {0};
    for (uint32_t i = 0; i < other.count; i++) {
        name_table_add(&table, other.items[i]);
    }
    for (uint32_t i = 0; i < list.count; i++) {
        if (name_table_find(&table, list.items[i]) == NULL) {
            VEC_PUSH(run->arena, &result, list.items[i]);
        }
    }
    return result;
}

/* --- suffix */

/* Number of modules that an invalid suffix was probably meant for, or 0: those who do not know the
 * rule write "2" or "13" for phases 2 and 3. */
static unsigned intended_modules(Str suffix)
{
    bool rising = true;
    for (size_t i = 1; i < suffix.length && rising; i++) {
        rising = suffix.at[i] > suffix.at[i - 1];
    }
    if (rising) {
        return (unsigned)(suffix.at[suffix.length - 1] - '0');
    }
    unsigned number = 0;
    for (size_t i = 0; i < suffix.length && number <= MAX_EXAMPLE; i++) {
        number = number * 10 + (unsigned)(suffix.at[i] - '0');
    }
    return number <= MAX_EXAMPLE ? number : 0;
}

static void report_suffix(RuleRun *run, const PyFile *file, Str suffix)
{
    Str path = pyfile_path(file), name = run->op->name, advice = STR("");
    unsigned modules = intended_modules(suffix);
    if (modules > 0) {
        Str cumulative = phase_suffix(run->arena, (int)modules);
        advice = str_format(run->arena,
                            run->lang == LANG_ZH ? "应为 %.*s_module%.*s_impl.py；"
                                                 : "probably %.*s_module%.*s_impl.py; ",
                            STR_ARG(name), STR_ARG(cumulative));
    }
    Finding *finding = report(
        run, STATUS_FAIL, at_file(path),
        "%.*s: '%.*s' is not a cumulative suffix: the file of phase k is named after the modules 1 to "
        "k (module1, module12, module123)",
        "%.*s 的后缀 '%.*s' 不符合累积命名规则：阶段 k 的文件以模块 1 到 k "
        "命名（module1、module12、module123）",
        STR_ARG(path), STR_ARG(suffix));
    finding_hint(run, finding,
                 "Rename the file: %.*sa standalone module belongs in the top-level %.*s_impl.py.",
                 "修正方式：重命名该文件；%.*s独立（standalone）模块应放到顶层的 %.*s_impl.py。",
                 STR_ARG(advice), STR_ARG(name));
}

/* --- wrapper */

/* The first name in breadth-first order that starts with launch_ or run_; of several functions with
 * it the last. */
static NodeId find_launcher(RuleRun *run, const PyFile *file)
{
    const Module *module = pyfile_module(file);
    NodeList functions = nodes_level_order(module, run->arena, file->functions);
    for (uint32_t i = 0; i < functions.count; i++) {
        Str name = node_name(module, functions.ids[i]);
        if (str_starts(name, STR("launch_")) || str_starts(name, STR("run_"))) {
            return graph_find(file, file->functions_n, name);
        }
    }
    return NO_NODE;
}

static NodeId find_wrapper(RuleRun *run, const PyFile *file, Str suffix)
{
    Str op = run->op->name;
    if (suffix.length > 0) {
        Str name = str_format(run->arena, "%.*s_module%.*s_wrapper", STR_ARG(op), STR_ARG(suffix));
        return graph_find(file, file->functions_n, name);
    }
    NodeId wrapper = graph_find(file, file->functions_n, STR("host_wrapper"));
    if (wrapper == NO_NODE) {
        Str name = str_format(run->arena, "%.*s_wrapper", STR_ARG(op));
        wrapper = graph_find(file, file->functions_n, name);
    }
    return wrapper != NO_NODE ? wrapper : find_launcher(run, file);
}

static void report_no_wrapper(RuleRun *run, const PyFile *file, Str suffix, Strs expected)
{
    Str path = pyfile_path(file), op = run->op->name, list = show_list(run, expected), wanted;
    if (suffix.length > 0) {
        wanted = str_format(run->arena, "'%.*s_module%.*s_wrapper'", STR_ARG(op), STR_ARG(suffix));
    } else {
        wanted = str_format(run->arena, "'host_wrapper', '%.*s_wrapper', 'launch_…', 'run_…'",
                            STR_ARG(op));
    }
    Finding *finding =
        report(run, STATUS_FAIL, at_file(path),
               "%.*s has no wrapper (%.*s) whose parameters could be the primary_inputs %.*s",
               "%.*s 没有 wrapper（%.*s），无法与 primary_inputs %.*s 对应", STR_ARG(path),
               STR_ARG(wanted), STR_ARG(list));
    finding_hint(
        run, finding,
        "Define the function %.*s with exactly the explicit parameters %.*s; debugging goes "
        "through **kwargs or a file below _debug/.",
        "定义函数 %.*s，显式参数正好是 %.*s；调试走 **kwargs 或 _debug/ 下的文件。",
        STR_ARG(wanted), STR_ARG(list));
}

/* The clause about the first position that differs and the names on one side only. */
static Str show_difference(RuleRun *run, const Contract *contract, Strs expected, Strs actual)
{
    bool zh = run->lang == LANG_ZH;
    Buf buf = {.arena = run->arena};
    uint32_t at = 0;
    while (at < expected.count && at < actual.count &&
           str_equal(expected.items[at], actual.items[at])) {
        at++;
    }
    if (at >= expected.count) {
        buf_addf(&buf,
                 zh ? "第 %u 个参数 '%.*s' 多余" : "parameter %u, '%.*s', is not in the contract",
                 at + 1, STR_ARG(actual.items[at]));
    } else if (at >= actual.count) {
        buf_addf(&buf, zh ? "缺少第 %u 个参数 '%.*s'" : "parameter %u, '%.*s', is missing", at + 1,
                 STR_ARG(expected.items[at]));
    } else {
        buf_addf(&buf,
                 zh ? "第 %u 个参数为 '%.*s'，应为 '%.*s'" : "parameter %u is '%.*s', not '%.*s'",
                 at + 1, STR_ARG(actual.items[at]), STR_ARG(expected.items[at]));
    }
    Strs extra = missing_in(run, actual, expected), missing = missing_in(run, expected, actual);
    if (extra.count > 0) {
        Str list = show_list(run, extra);
        buf_addf(&buf, zh ? "；多余：%.*s" : "; superfluous: %.*s", STR_ARG(list));
    }
    if (missing.count > 0) {
        Str list = show_list(run, missing);
        buf_addf(&buf, zh ? "；缺少：%.*s" : "; missing: %.*s", STR_ARG(list));
    }
    if (value_get(contract->interfaces->root, "primary_inputs") == NULL) {
        buf_add(&buf, zh ? STR("；契约没有 primary_inputs 键，source: primary 不能代替它")
                         : STR("; the contract has no key primary_inputs, and source: primary does "
                               "not replace it"));
    }
    return buf_str(&buf);
}

static void check_wrapper(RuleRun *run, const Contract *contract, const PyFile *file, Str suffix,
                          Strs expected)
{
    const Module *module = pyfile_module(file);
    NodeId wrapper = find_wrapper(run, file, suffix);
    if (wrapper == NO_NODE) {
        report_no_wrapper(run, file, suffix, expected);
        return;
    }
    Strs actual = parameter_names(module, run->arena, wrapper);
    bool equal = actual.count == expected.count;
    for (uint32_t i = 0; i < actual.count && equal; i++) {
        equal = str_equal(actual.items[i], expected.items[i]);
    }
    if (equal) {
        return;
    }
    Str path = pyfile_path(file), name = node_name(module, wrapper);
    Str takes = show_list(run, actual), wanted = show_list(run, expected);
    Str difference = show_difference(run, contract, expected, actual);
    report(run, STATUS_FAIL, at_focus(file, wrapper, function_arguments(module, wrapper)),
           "wrapper '%.*s' in %.*s takes %.*s, but the primary_inputs of the contract are %.*s: "
           "%.*s",
           "wrapper '%.*s'（%.*s）的参数为 %.*s，而契约的 primary_inputs 为 %.*s：%.*s",
           STR_ARG(name), STR_ARG(path), STR_ARG(takes), STR_ARG(wanted), STR_ARG(difference));
}

static void check_parsed(RuleRun *run, const Contract *contract, const PyFile *file)
{
    Str suffix = implementation_suffix(run->op->name, pyfile_path(file));
    NameList expected = contract->primary;
    if (suffix.length > 0) {
        uint32_t modules = suffix_module_count(suffix);
        if (modules == 0) {
            report_suffix(run, file, suffix);
            return;
        }
        expected = interfaces_module_inputs(run->arena, contract->interfaces, modules);
    }
    if (expected.judged) {
        check_wrapper(run, contract, file, suffix, expected.names);
    }
}

static void check(RuleRun *run)
{
    Interfaces interfaces;
    if (skip_without_contract(run, &interfaces)) {
        return;
    }
    const PyFiles *scan = &run->op->scan;
    Contract contract = {&interfaces, interfaces_primary_inputs(run->arena, &interfaces)};
    for (uint32_t i = 0; i < scan->count; i++) {
        if (pyfile_module(scan->items[i]) != NULL) {
            check_parsed(run, &contract, scan->items[i]);
        }
    }
}

const Rule ol50 = {
    .id = "OL50",
    .name = "wrapper-parameters-differ",
    .order = 50,
    .severity = S1,
    .dimension = D5,
    .effort = E2,
    .stages = STAGE(5) | STAGE(6) | STAGE(7),
    .target = TARGET_IMPL,
    .sets = IN(SET_PARAMETERS),
    .fix = FIX_NONE,
    .needs = NEEDS_OPERATOR,
    .hint =
        {"The production ABI: the explicit parameters of the wrapper equal the primary_inputs of "
         "eval/module_interfaces.yaml, in that order; debugging goes through **kwargs or a file "
         "below _debug/.",
         "生产 ABI：wrapper 的显式参数与 eval/module_interfaces.yaml 的 primary_inputs "
         "完全一致（含顺序）；调试走 **kwargs 或 _debug/ 下的文件。"},
    .check = check,
};
