/* OL43: DESIGN.md declares a dynamic axis, but a file with a kernel has no loop to run over it.
 *
 * Looks at the front matter of DESIGN.md, or at its text when the front matter says nothing, and in
 * each implementation file with a kernel for a call of pypto.loop anywhere, or for anything like a
 * loop in the file's first kernel. */
#include "operator/front_matter.h"
#include "operator/text.h"
#include "rules/common.h"

/* Code points between `dynamic` and `axis` in a prose declaration. */
enum { MAX_BETWEEN = 10 };

/* What declares the dynamic axis; `text` is empty when nothing does. */
typedef struct Declaration {
    Str text;
    uint32_t line;
} Declaration;

/* --- the declaration */

/* Offset of the first `dynamic`, a few characters, `axis` on one line, or SIZE_MAX. */
static size_t find_dynamic_axis(Str text)
{
    size_t at = text_find_folded(text, STR("dynamic"), 0);
    for (; at != SIZE_MAX; at = text_find_folded(text, STR("dynamic"), at + 1)) {
        size_t end = at + strlen("dynamic");
        for (int passed = 0; passed <= MAX_BETWEEN && end < text.length; passed++) {
            Str rest = str_slice(text, end, end + strlen("axis"));
            if (text_contains_folded(rest, STR("axis"))) {
                return at;
            }
            if (text.at[end] == '\n') {
                break;
            }
            end++;
            while (end < text.length && ((unsigned char)text.at[end] & 0xC0) == 0x80) {
                end++;
            }
        }
    }
    return SIZE_MAX;
}

static Declaration find_in_text(RuleRun *run, const Document *design)
{
    Str text = design->text;
    size_t places[] = {text_find_folded(text, STR("pypto.dyn"), 0),
                       str_find(text, STR("动态轴"), 0), find_dynamic_axis(text)};
    size_t first = SIZE_MAX;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        first = places[i] < first ? places[i] : first;
    }
    if (first == SIZE_MAX) {
        return (Declaration){.line = 0};
    }
    uint32_t line = source_line(&design->source, (uint32_t)first);
    Str text_of_line = str_trim(source_line_text(&design->source, line));
    return (Declaration){shorten(run, text_of_line), line};
}

static Declaration find_declaration(RuleRun *run, const Document *design)
{
    static const char *const keys[] = {"dynamic_axes", "dynamic_axis"};
    const FrontMatter *front = operator_front_matter(run->op, design->path);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const Value *value = value_get(front->metadata, keys[i]);
        if (value_truthy(value)) {
            Str shown = value_show(run->arena, value, 60);
            return (Declaration){str_format(run->arena, "%s: %.*s", keys[i], STR_ARG(shown)),
                                 front_matter_line(front, keys[i])};
        }
    }
    const Value *axes = value_get(front->metadata, keys[0]);
    if (value_is(axes, VALUE_LIST)) {
        return (Declaration){.line = 0}; /* explicitly none */
    }
    return find_in_text(run, design);
}

/* --- the loop */

/* A call whose callee ends in `pypto.loop`, anywhere in the file. */
static bool has_loop_call(const Module *module)
{
    NodeList calls = module_nodes(module, NODE_CALL);
    for (uint32_t i = 0; i < calls.count; i++) {
        if (!str_is(call_attribute(module, calls.ids[i]), "loop")) {
            continue;
        }
        NodeId owner = attribute_value(module, call_func(module, calls.ids[i]));
        bool named = node_is(module, owner, NODE_NAME) || node_is(module, owner, NODE_ATTRIBUTE);
        if (named && str_is(node_name(module, owner), "pypto")) {
            return true;
        }
    }
    return false;
}

static bool mentions_loop(const PyFile *file, NodeId id)
{
    const Module *module = pyfile_module(file);
    switch (node_kind(module, id)) {
    case NODE_NAME:
    case NODE_ATTRIBUTE:
    case NODE_KEYWORD:
        return text_contains_folded(node_name(module, id), STR("loop"));
    case NODE_CONSTANT:
        return expression_mentions(file, id, "loop", true);
    default:
        return false;
    }
}

static bool has_loop_keyword(const Module *module, NodeId call)
{
    return call_keyword(module, call, "unroll_list") != NO_NODE ||
           call_keyword(module, call, "submit_before_loop") != NO_NODE;
}

/* A loop statement, a call whose callee speaks of a loop, or one with a keyword for loops. One walk
 * in pre-order: `callee_end` is where the callees end that the walk is in. */
static bool has_loop_inside(const PyFile *file, NodeId kernel)
{
    const Module *module = pyfile_module(file);
    NodeId end = node_at(module, kernel)->subtree_end, callee_end = 0;
    for (NodeId id = kernel; id < end; id++) {
        switch (node_kind(module, id)) {
        case NODE_FOR:
        case NODE_ASYNC_FOR:
        case NODE_WHILE:
            return true;
        case NODE_CALL: {
            NodeId callee = node_at(module, call_func(module, id))->subtree_end;
            callee_end = callee > callee_end ? callee : callee_end;
            if (has_loop_keyword(module, id)) {
                return true;
            }
            break;
        }
        default:
            if (id < callee_end && mentions_loop(file, id)) {
                return true;
            }
        }
    }
    return false;
}

static void check_parsed(RuleRun *run, const Document *design, Declaration declared,
                         const PyFile *file)
{
    const Module *module = pyfile_module(file);
    NodeId first = file->kernels.ids[0];
    if (has_loop_call(module) || has_loop_inside(file, first)) {
        return;
    }
    Str path = pyfile_path(file), name = node_name(module, first);
    Finding *finding =
        report(run, STATUS_FAIL, at_node(file, first),
               "DESIGN.md declares a dynamic axis (line %u: %.*s), but %.*s has no pypto.loop, and "
               "its kernel '%.*s' no loop of any kind",
               "DESIGN.md 声明了动态轴（第 %u 行：%.*s），但 %.*s 没有 pypto.loop，"
               "其 kernel '%.*s' 中也没有任何循环",
               declared.line, STR_ARG(declared.text), STR_ARG(path), STR_ARG(name));
    finding_related(run, finding, at_document_line(design, declared.line), "declared here",
                    "在此处声明");
}

static void check(RuleRun *run)
{
    const Document *design = operator_document(run->op, STR("DESIGN.md"));
    if (!design->exists) {
        rule_skip(run, "DESIGN.md does not exist", "DESIGN.md 不存在");
        return;
    }
    Declaration declared = find_declaration(run, design);
    if (declared.text.length == 0) {
        rule_skip(run, "DESIGN.md declares no dynamic axis", "DESIGN.md 未声明动态轴");
        return;
    }
    const PyFiles *scan = &run->op->scan;
    bool kernel = false;
    for (uint32_t i = 0; i < scan->count; i++) {
        if (pyfile_module(scan->items[i]) != NULL && scan->items[i]->kernels.count > 0) {
            kernel = true;
            check_parsed(run, design, declared, scan->items[i]);
        }
    }
    if (!kernel) {
        rule_skip(run, "no implementation file with a @pypto.frontend.jit kernel to check",
                  "没有含 @pypto.frontend.jit kernel 的实现文件");
    }
}

const Rule ol43 = {
    .id = "OL43",
    .name = "dynamic-axis-without-loop",
    .order = 39,
    .severity = S1,
    .dimension = D5,
    .effort = E3,
    .stages = STAGE(5) | STAGE(6),
    .target = TARGET_GATE,
    .sets = IN(SET_CONSISTENCY),
    .fix = FIX_NONE,
    .hint =
        {"Run over the declared axis with 'for i in pypto.loop(n, name=...)' inside the "
         "kernel, even if a run on the device passes without; dynamic_axes: [] declares that "
         "there is none.",
         "在 kernel 内用 'for i in pypto.loop(n, name=...)' 遍历声明的动态轴，即使设备上不加循环"
         "也能运行；确无动态轴时写 dynamic_axes: []。"},
    .check = check,
};
