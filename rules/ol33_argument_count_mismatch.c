/* OL33: golden and wrapper take a different number of inputs.
 *
 * Test harnesses call both with the same inputs. Looks at `<op>_golden` in `<op>_golden.py` and
 * `<op>_wrapper` in `<op>_impl.py`, both directly in the module; parameters with a default do not
 * count. */
#include "operator/python_facts.h"
#include "rules/common.h"

/* The names of the parameters that must be given, for a message: "(x, g)". */
static Str required_names(RuleRun *run, const Module *module, NodeId function)
{
    enum { MAX_NAMES = 8 };
    NodeId arguments = function_arguments(module, function);
    uint32_t params = node_count(module, arguments, ROLE_PARAM);
    int wanted = required_parameters(module, function);
    Buf buf = {.arena = run->arena};
    buf_add_char(&buf, '(');
    NodeId id = node_child(module, arguments, ROLE_PARAM);
    bool bound = params > 0 &&
                 (str_is(node_name(module, id), "self") || str_is(node_name(module, id), "cls"));
    if (bound) {
        id = node_next(module, id);
    }
    for (int i = 0; i < wanted && id != NO_NODE; i++, id = node_next(module, id)) {
        if (i == MAX_NAMES) {
            buf_add(&buf, STR(", …"));
            break;
        }
        Str name = node_name(module, id);
        buf_addf(&buf, "%s%.*s", i == 0 ? "" : ", ", STR_ARG(name));
    }
    buf_add_char(&buf, ')');
    return buf_str(&buf);
}

static void compare(RuleRun *run, const PyFile *golden, NodeId reference, const PyFile *impl,
                    NodeId wrapper)
{
    const Module *golden_module = pyfile_module(golden), *module = pyfile_module(impl);
    int wanted = required_parameters(golden_module, reference);
    int found = required_parameters(module, wrapper);
    if (wanted == found) {
        return;
    }
    Str op = run->op->name;
    Str names = required_names(run, module, wrapper);
    Str golden_names = required_names(run, golden_module, reference);
    Place place = at_focus(impl, wrapper, function_arguments(module, wrapper));
    Finding *finding =
        report(run, STATUS_WARN, place,
               "%.*s: '%.*s_wrapper' requires %d argument(s) %.*s, but '%.*s_golden' requires %d "
               "%.*s",
               "%.*s：'%.*s_wrapper' 需要 %d 个参数 %.*s，而 '%.*s_golden' 需要 %d 个 %.*s",
               STR_ARG(pyfile_path(impl)), STR_ARG(op), found, STR_ARG(names), STR_ARG(op), wanted,
               STR_ARG(golden_names));
    finding_hint(run, finding,
                 "Let the wrapper require exactly the inputs of the golden %.*s; give the others a "
                 "default.",
                 "让 wrapper 只要求 golden 的输入 %.*s；其余参数给出默认值。",
                 STR_ARG(golden_names));
    finding_related(run, finding, at_node(golden, reference), "the golden", "golden 函数");
}

/* The top-level function, or NO_NODE and the rule is SKIP. */
static NodeId find_function(RuleRun *run, const PyFile *file, Str name)
{
    NodeId function = top_level_function(file, name);
    if (function == NO_NODE) {
        rule_skip(run, "%.*s has no top-level function '%.*s'", "%.*s 没有顶层函数 '%.*s'",
                  STR_ARG(pyfile_path(file)), STR_ARG(name));
    }
    return function;
}

static void check(RuleRun *run)
{
    const PyFile *impl = operator_python(run->op, operator_artifact(run->op, KIND_IMPL));
    const PyFile *golden = operator_python(run->op, operator_artifact(run->op, KIND_GOLDEN));
    if (report_unparsable(run, impl) || skip_unparsed(run, golden) || skip_unparsed(run, impl)) {
        return;
    }
    NodeId reference =
        find_function(run, golden, artifact_name(run->arena, KIND_GOLDEN, run->op->name));
    if (reference == NO_NODE) {
        run->notable = true; /* no other rule misses it */
        return;
    }
    NodeId wrapper =
        find_function(run, impl, str_format(run->arena, "%.*s_wrapper", STR_ARG(run->op->name)));
    if (wrapper != NO_NODE) {
        compare(run, golden, reference, impl, wrapper);
    }
}

const Rule ol33 = {
    .id = "OL33",
    .name = "argument-count-mismatch",
    .order = 32,
    .severity = S2,
    .dimension = D5,
    .effort = E2,
    .stages = STAGE(5) | STAGE(6),
    .target = TARGET_GATE,
    .sets = IN(SET_CONSISTENCY),
    .fix = FIX_NONE,
    .hint = {"Let the wrapper require exactly the golden's inputs.",
             "让 wrapper 只要求 golden 的输入。"},
    .check = check,
};
