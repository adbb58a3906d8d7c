/* OL46: `pypto.loop(1)` beside real loops in a Layer I function.
 *
 * A one-iteration loop only makes sense in a kernel that has no other loop. Looks at every
 * pypto.loop call below a Layer I function, whatever the nesting. Fix: a call that stands as a
 * statement is deleted (safe); a `for` over it is unwrapped (suggested). */
#include "rules/common.h"

/* Is the iteration count of this pypto.loop call the literal 1? */
static bool has_count_one(const Module *module, NodeId call)
{
    NodeId count = call_arg(module, call, 0);
    int64_t value = 0;
    return count != NO_NODE && node_int(module, count, false, &value) && value == 1;
}

/* Is the statement nothing but a `pypto.loop(1)` call? */
static bool is_one_iteration_statement(const PyFile *file, NodeId statement)
{
    const Module *module = pyfile_module(file);
    NodeId call = statement + 1;
    return node_is(module, statement, NODE_EXPR) && is_loop_call(file, call) &&
           has_count_one(module, call);
}

/* The statement before this one in its block, or NO_NODE. */
static NodeId previous_statement(const Module *module, NodeId statement)
{
    const Node *node = node_at(module, statement);
    NodeId id = statement - 1;
    if (id == node->parent) {
        return NO_NODE;
    }
    while (node_at(module, id)->parent != node->parent) {
        id = node_at(module, id)->parent;
    }
    return node_at(module, id)->role == node->role ? id : NO_NODE;
}

static bool is_blank(Str text)
{
    return str_trim(text).length == 0;
}

/* Does the statement stand alone on its lines? A comment may follow it. */
static bool has_own_lines(const Source *source, const Node *statement)
{
    uint32_t line = source_line(source, statement->start);
    uint32_t last = source_line(source, statement->end);
    Str before = source_slice(source, source->line_starts[line - 1], statement->start);
    Str last_text = source_line_text(source, last);
    Str rest =
        str_slice(last_text, statement->end - source->line_starts[last - 1], last_text.length);
    Str after = str_trim(rest);
    bool continues = line > 1 && str_ends(source_line_text(source, line - 1), STR("\\"));
    return is_blank(before) && (after.length == 0 || after.at[0] == '#') && !continues;
}

/* Deletes the statement's lines; where that could leave an empty block, or the statement shares its
 * line with others, `pass` takes its place. */
static void fix_statement(RuleRun *run, const PyFile *file, Finding *finding, NodeId statement)
{
    const Module *module = pyfile_module(file);
    const Source *source = module->source;
    const Node *node = node_at(module, statement);
    NodeId previous = previous_statement(module, statement), next = node_next(module, statement);
    if (previous == NO_NODE && next == NO_NODE) {
        finding_edit(run, finding, FIX_SUGGEST, node->start, node->end, STR("pass"));
        return;
    }
    bool keeps_block = (previous != NO_NODE && !is_one_iteration_statement(file, previous)) ||
                       (next != NO_NODE && !is_one_iteration_statement(file, next));
    uint32_t last = source_line(source, node->end);
    if (!keeps_block || !has_own_lines(source, node) || last == source->line_count) {
        finding_edit(run, finding, FIX_SAFE, node->start, node->end, STR("pass"));
        return;
    }
    uint32_t first = source_line(source, node->start);
    finding_edit(run, finding, FIX_SAFE, source->line_starts[first - 1], source->line_starts[last],
                 STR(""));
}

/* Does a string below `root` extend over several lines, so that they cannot be indented anew? */
static bool has_long_string(const Module *module, NodeId root)
{
    static const NodeKind kinds[] = {NODE_CONSTANT, NODE_JOINED_STR};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        NodeList strings = nodes_in(module, root, kinds[k]);
        for (uint32_t i = 0; i < strings.count; i++) {
            Str text = node_text(module, strings.ids[i]);
            if (memchr(text.at, '\n', text.length) != NULL ||
                memchr(text.at, '\r', text.length) != NULL) {
                return true;
            }
        }
    }
    return false;
}

static bool uses_name(const Module *module, NodeId loop, NodeId target)
{
    NodeList names = nodes_in(module, loop, NODE_NAME);
    for (uint32_t i = 0; i < names.count; i++) {
        if (names.ids[i] != target &&
            node_is_name(module, names.ids[i], node_name(module, target))) {
            return true;
        }
    }
    return false;
}

/* Can the body of this `for` stand in its place, moved to the left? */
static bool can_unwrap(const Module *module, NodeId loop)
{
    const Source *source = module->source;
    const Node *node = node_at(module, loop);
    NodeId body = node_child(module, loop, ROLE_BODY);
    return node_is(module, node_child(module, loop, ROLE_TARGET), NODE_NAME) &&
           node_child(module, loop, ROLE_ORELSE) == NO_NODE &&
           source_line(source, node_at(module, body)->start) > source_line(source, node->extra) &&
           nodes_in(module, loop, NODE_BREAK).count == 0 &&
           nodes_in(module, loop, NODE_CONTINUE).count == 0 && !has_long_string(module, loop);
}

/* Replaces the header by an assignment, or deletes it when the loop variable is not used, and moves
 * the lines of the body to the left. */
static void unwrap(RuleRun *run, const PyFile *file, Finding *finding, NodeId loop)
{
    const Module *module = pyfile_module(file);
    const Source *source = module->source;
    const Node *node = node_at(module, loop);
    NodeId target = node_child(module, loop, ROLE_TARGET);
    uint32_t line = source_line(source, node->extra);
    uint32_t start = source->line_starts[source_line(source, node->start) - 1];
    if (uses_name(module, loop, target)) {
        Str text = str_format(run->arena, "%.*s = 0", STR_ARG(node_name(module, target)));
        finding_edit(run, finding, FIX_SUGGEST, node->start, node->extra, text);
    } else {
        finding_edit(run, finding, FIX_SUGGEST, start, source->line_starts[line], STR(""));
    }
    const Node *body = node_at(module, node_child(module, loop, ROLE_BODY));
    uint32_t body_start = source->line_starts[source_line(source, body->start) - 1];
    Str old = source_slice(source, body_start, body->start);
    uint32_t width = node->start - start, last = source_line(source, node->end);
    for (line++; line <= last; line++) {
        uint32_t at = source->line_starts[line - 1];
        if (str_starts(source_line_text(source, line), old) && old.length > width) {
            finding_edit(run, finding, FIX_SUGGEST, at + width, at + (uint32_t)old.length, STR(""));
        }
    }
}

static void report_call(RuleRun *run, const PyFile *file, NodeId function, NodeId call,
                        NodeId other)
{
    const Module *module = pyfile_module(file);
    unsigned line = node_line(module, other);
    Finding *finding =
        report(run, STATUS_WARN, at_node(file, call),
               "'%.*s' has another loop at line %u, so this one-iteration pypto.loop is redundant",
               "'%.*s' 在第 %u 行已有其他循环，此处只迭代一次的 pypto.loop 是多余的",
               STR_ARG(node_name(module, function)), line);
    finding_related(run, finding, at_node(file, other), "another loop of the function",
                    "该函数中的另一个循环");
    NodeId statement = node_at(module, call)->parent;
    if (node_is(module, statement, NODE_EXPR)) {
        fix_statement(run, file, finding, statement);
    } else if (loop_statement_call(file, statement) == call && can_unwrap(module, statement)) {
        unwrap(run, file, finding, statement);
    }
}

static void check_function(RuleRun *run, const PyFile *file, NodeId function)
{
    const Module *module = pyfile_module(file);
    NodeList calls = nodes_in(module, function, NODE_CALL);
    NodeId other = NO_NODE;
    for (uint32_t i = 0; i < calls.count && other == NO_NODE; i++) {
        if (is_loop_call(file, calls.ids[i]) && !has_count_one(module, calls.ids[i])) {
            other = calls.ids[i];
        }
    }
    for (uint32_t i = 0; i < calls.count && other != NO_NODE; i++) {
        if (is_loop_call(file, calls.ids[i]) && has_count_one(module, calls.ids[i])) {
            report_call(run, file, function, calls.ids[i], other);
        }
    }
}

/* Only outermost Layer I functions: what fires in a nested one fires there too. */
static void check_file(RuleRun *run, const PyFile *file)
{
    const Module *module = pyfile_module(file);
    NodeList functions = layer_i_functions(file, run->arena);
    NodeId end = 0;
    for (uint32_t i = 0; i < functions.count; i++) {
        if (functions.ids[i] >= end) {
            check_function(run, file, functions.ids[i]);
            end = node_at(module, functions.ids[i])->subtree_end;
        }
    }
}

const Rule ol46 = {
    .id = "OL46",
    .name = "single-iteration-loop",
    .order = 42,
    .severity = S2,
    .dimension = D1,
    .effort = E1,
    .stages = STAGE(5) | STAGE(6),
    .target = TARGET_IMPL,
    .fix = FIX_SAFE,
    .needs = NEEDS_FILES,
    .hint = {"Remove the one-iteration loop and keep its body in its place.",
             "去掉只迭代一次的循环，保留其循环体。"},
    .check_file = check_file,
};
