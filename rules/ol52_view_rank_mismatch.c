/* OL52: list arguments of `pypto.view` with different lengths.
 *
 * A view keeps the rank. Looks at every pypto.view call of a file and compares the number of
 * elements of `shape` with that of `offsets` and of `valid_shape`, where they are list or tuple
 * literals. */
#include "rules/common.h"

/* The argument at a position, else by keyword; NO_NODE when there is none. */
static NodeId view_argument(const Module *module, NodeId call, uint32_t position, const char *name)
{
    NodeId argument = call_arg(module, call, position);
    return argument != NO_NODE ? argument : call_keyword_value(module, call, name);
}

/* Number of elements of a list or tuple literal; false for anything else. */
static bool literal_length(const Module *module, NodeId id, uint32_t *length)
{
    if (!node_is(module, id, NODE_LIST) && !node_is(module, id, NODE_TUPLE)) {
        return false;
    }
    *length = node_count(module, id, ROLE_ELT);
    return true;
}

/* Gives a list that is too short the elements that it lacks: 0, or those of the shape. */
static void lengthen(RuleRun *run, const PyFile *file, Finding *finding, NodeId list, NodeId shape,
                     bool is_offset)
{
    const Module *module = pyfile_module(file);
    uint32_t rank = node_count(module, shape, ROLE_ELT),
             length = node_count(module, list, ROLE_ELT);
    NodeId last = length == 0 ? NO_NODE : node_nth(module, list, ROLE_ELT, length - 1);
    if (length == 0 || length >= rank || nodes_in(module, list, NODE_STARRED).count > 0 ||
        nodes_in(module, shape, NODE_STARRED).count > 0 || node_at(module, last)->parenthesized) {
        return;
    }
    Buf more = {.arena = run->arena};
    for (uint32_t i = length; i < rank; i++) {
        Str one = is_offset ? STR("0") : node_text(module, node_nth(module, shape, ROLE_ELT, i));
        buf_addf(&more, ", %.*s", STR_ARG(one));
    }
    uint32_t at = node_at(module, last)->end;
    finding_edit(run, finding, FIX_SUGGEST, at, at, buf_str(&more));
}

static void check_call(RuleRun *run, const PyFile *file, NodeId call)
{
    const Module *module = pyfile_module(file);
    uint32_t rank, length;
    NodeId shape = view_argument(module, call, 1, "shape");
    if (!literal_length(module, shape, &rank)) {
        return;
    }
    NodeId offsets = view_argument(module, call, 2, "offsets");
    if (literal_length(module, offsets, &length) && length != rank) {
        Finding *finding = report(run, STATUS_FAIL, at_focus(file, call, offsets),
                                  "pypto.view: shape has length %u but offsets has length %u",
                                  "pypto.view：shape 长度为 %u，offsets 长度为 %u", rank, length);
        lengthen(run, file, finding, offsets, shape, true);
    }
    NodeId valid = view_argument(module, call, 3, "valid_shape");
    if (literal_length(module, valid, &length) && length != rank && length > 0) {
        Finding *finding =
            report(run, STATUS_FAIL, at_focus(file, call, valid),
                   "pypto.view: shape has length %u but valid_shape has length %u",
                   "pypto.view：shape 长度为 %u，valid_shape 长度为 %u", rank, length);
        lengthen(run, file, finding, valid, shape, false);
    }
}

static void check_file(RuleRun *run, const PyFile *file)
{
    NodeList calls = module_nodes(pyfile_module(file), NODE_CALL);
    for (uint32_t i = 0; i < calls.count; i++) {
        if (str_is(pypto_call(file, calls.ids[i]), "view")) {
            check_call(run, file, calls.ids[i]);
        }
    }
}

const Rule ol52 = {
    .id = "OL52",
    .name = "view-length-mismatch",
    .order = 49,
    .severity = S1,
    .dimension = D1,
    .effort = E1,
    .stages = STAGE(5) | STAGE(6) | STAGE(7),
    .target = TARGET_IMPL,
    .sets = IN(SET_KERNEL),
    .fix = FIX_SUGGEST,
    .needs = NEEDS_FILES,
    .hint =
        {"Give all lists the rank of the tensor: pad the shape with 1 and the offsets with 0; use "
         "pypto.reshape on the result if a lower rank is wanted.",
         "各列表的长度都应等于 tensor 的秩：shape 用 1 补齐，offsets 用 0 "
         "补齐；如需更低的秩，再对结果使用 pypto.reshape。"},
    .check_file = check_file,
};
