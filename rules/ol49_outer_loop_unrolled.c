/* OL49: `unroll_list` on a loop that contains another loop.
 *
 * Each unroll factor of an outer loop multiplies the paths of the inner ones. Looks at the
 * `for … in pypto.loop(…)` statements of every kernel. Fix: the keyword is deleted (safe). */
#include "base/search.h"
#include "rules/common.h"

/* The first loop statement in the body or `else` part of a loop, or NO_NODE. Expressions contain no
 * statements, so all `for` nodes below the loop are in those two. */
static NodeId first_inner_loop(const PyFile *file, NodeId loop)
{
    NodeList loops = nodes_in(pyfile_module(file), loop, NODE_FOR);
    for (uint32_t i = 0; i < loops.count; i++) {
        if (loops.ids[i] != loop && loop_statement_call(file, loops.ids[i]) != NO_NODE) {
            return loops.ids[i];
        }
    }
    return NO_NODE;
}

static bool is_gap(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

static bool in_comment(const PyFile *file, uint32_t offset)
{
    const Comments *comments = &file->parsed.comments;
    uint32_t low;
    LOWER_BOUND(low, comments->count, comments->items[low].end <= offset);
    return low < comments->count && comments->items[low].start <= offset;
}

/* Deletes a keyword argument with the comma before it, or else the one after it. With a comment
 * between the comma and the keyword the comma stays, as one may stand before the `)`. */
static void delete_keyword(RuleRun *run, const PyFile *file, Finding *finding, NodeId keyword)
{
    const Module *module = pyfile_module(file);
    Str text = module->source->text;
    uint32_t start = node_at(module, keyword)->start, end = node_at(module, keyword)->end;
    uint32_t before = start;
    while (before > 0 && is_gap(text.at[before - 1])) {
        before--;
    }
    if (before > 0 && text.at[before - 1] == ',' && !in_comment(file, before - 1)) {
        finding_edit(run, finding, FIX_SAFE, before - 1, end, STR(""));
        return;
    }
    uint32_t after = end;
    while (after < text.length && is_gap(text.at[after])) {
        after++;
    }
    if (after < text.length && text.at[after] == ',') {
        end = after + 1;
        while (end < text.length && (text.at[end] == ' ' || text.at[end] == '\t')) {
            end++;
        }
    }
    finding_edit(run, finding, FIX_SAFE, start, end, STR(""));
}

/* "'rows' " when the loop has a literal name, else nothing. */
static Str loop_name(RuleRun *run, const Module *module, NodeId call)
{
    Str name;
    if (!node_string(module, call_keyword_value(module, call, "name"), run->arena, &name)) {
        return STR("");
    }
    for (size_t i = 0; i < name.length; i++) {
        if ((unsigned char)name.at[i] < ' ') {
            return STR("");
        }
    }
    return str_format(run->arena, "'%.*s' ", STR_ARG(name));
}

static void check_loop(RuleRun *run, const PyFile *file, NodeId loop)
{
    const Module *module = pyfile_module(file);
    NodeId call = loop_statement_call(file, loop);
    NodeId keyword = call == NO_NODE ? NO_NODE : call_keyword(module, call, "unroll_list");
    NodeId kernel = keyword == NO_NODE ? NO_NODE : kernel_around(file, loop);
    NodeId inner = kernel == NO_NODE ? NO_NODE : first_inner_loop(file, loop);
    if (inner == NO_NODE) {
        return;
    }
    unsigned line = node_line(module, inner);
    Finding *finding = report(
        run, STATUS_FAIL, at_focus(file, call, keyword),
        "unroll_list on a loop %.*sof kernel '%.*s' that is not innermost: it contains the loop on line %u",
        "unroll_list 写在了非最内层循环 %.*s上（kernel '%.*s'）：第 %u 行还有内层循环",
        STR_ARG(loop_name(run, module, call)), STR_ARG(node_name(module, kernel)), line);
    finding_related(run, finding, at_node(file, inner), "the inner loop", "内层循环");
    delete_keyword(run, file, finding, keyword);
}

static void check_file(RuleRun *run, const PyFile *file)
{
    NodeList loops = module_nodes(pyfile_module(file), NODE_FOR);
    for (uint32_t i = 0; i < loops.count; i++) {
        check_loop(run, file, loops.ids[i]);
    }
}

const Rule ol49 = {
    .id = "OL49",
    .name = "unroll-list-on-outer-loop",
    .order = 45,
    .severity = S1,
    .dimension = D1,
    .effort = E2,
    .stages = STAGE(5) | STAGE(6) | STAGE(7),
    .target = TARGET_IMPL,
    .sets = IN(SET_IMPL),
    .fix = FIX_SAFE,
    .needs = NEEDS_FILES | NEEDS_KERNEL,
    .hint = {"Put unroll_list on the innermost pypto.loop, or drop it.",
             "把 unroll_list 移到最内层的 pypto.loop 上，或直接删除。"},
    .check_file = check_file,
};
