/* OL47: one tile setting at the top of a Layer I function governs several sub-kernels.
 *
 * Looks at the direct statements of every Layer I function for a tile setting, and counts the calls
 * of `pypto_*` sub-kernels (Layer H) in its whole subtree. Advice only. */
#include "rules/common.h"

/* More names, or places, make a report longer, not clearer; they also bound the work. */
enum { MAX_NAMES = 8, MAX_RELATED = 20 };

static const RuleOption options[] = {
    {"calls",
     2,
     2,
     100,
     {"how many calls of sub-kernels under one setting are worth a note",
      "从多少次子 kernel 调用起提示"}},
    {0},
};

/* Is the statement a tile setting: an expression statement or plain assignment of such a call? */
static bool is_tile_setting(const PyFile *file, NodeId statement)
{
    const Module *module = pyfile_module(file);
    if (!node_is(module, statement, NODE_EXPR) && !node_is(module, statement, NODE_ASSIGN)) {
        return false;
    }
    NodeId value = node_child(module, statement, ROLE_VALUE);
    if (!node_is(module, value, NODE_CALL)) {
        return false;
    }
    Str name = pypto_call(file, value);
    return str_is(name, "set_vec_tile_shapes") || str_is(name, "set_cube_tile_shapes");
}

/* The next tile setting of the block at or after `statement`, or NO_NODE. */
static NodeId tile_setting_from(const PyFile *file, NodeId statement)
{
    while (statement != NO_NODE && !is_tile_setting(file, statement)) {
        statement = node_next(pyfile_module(file), statement);
    }
    return statement;
}

/* Sub-kernel calls of a function: how many, and the distinct names of the first few. */
typedef struct SubKernels {
    uint32_t count, name_count;
    Str names[MAX_NAMES];
    bool more; /* there are further names */
} SubKernels;

static void add_name(SubKernels *kernels, Str name)
{
    for (uint32_t i = 0; i < kernels->name_count; i++) {
        if (str_equal(kernels->names[i], name)) {
            return;
        }
    }
    if (kernels->name_count == MAX_NAMES) {
        kernels->more = true;
    } else {
        kernels->names[kernels->name_count++] = name;
    }
}

static SubKernels sub_kernels(const Module *module, NodeId function)
{
    SubKernels kernels = {0};
    NodeList calls = nodes_in(module, function, NODE_CALL);
    for (uint32_t i = 0; i < calls.count; i++) {
        if (is_layer_h_call(module, calls.ids[i])) {
            kernels.count++;
            add_name(&kernels, call_name(module, calls.ids[i]));
        }
    }
    return kernels;
}

static Str names_text(RuleRun *run, const SubKernels *kernels)
{
    Buf buf = {.arena = run->arena};
    for (uint32_t i = 0; i < kernels->name_count; i++) {
        buf_addf(&buf, "%s'%.*s'", i == 0 ? "" : ", ", STR_ARG(kernels->names[i]));
    }
    if (kernels->more) {
        buf_add(&buf, STR(", …"));
    }
    return buf_str(&buf);
}

static void add_related(RuleRun *run, const PyFile *file, Finding *finding, NodeId function,
                        NodeId setting)
{
    const Module *module = pyfile_module(file);
    uint32_t added = 0;
    NodeId next = tile_setting_from(file, node_next(module, setting));
    for (; next != NO_NODE && added < MAX_RELATED; added++) {
        finding_related(run, finding, at_node(file, next), "another tile setting",
                        "另一处 tile 设置");
        next = tile_setting_from(file, node_next(module, next));
    }
    NodeList calls = nodes_in(module, function, NODE_CALL);
    for (uint32_t i = 0; i < calls.count && added < MAX_RELATED; i++) {
        if (is_layer_h_call(module, calls.ids[i])) {
            finding_related(run, finding, at_node(file, calls.ids[i]), "call of a sub-kernel",
                            "调用子 kernel");
            added++;
        }
    }
}

static void check_function(RuleRun *run, const PyFile *file, NodeId function)
{
    const Module *module = pyfile_module(file);
    NodeId setting = tile_setting_from(file, node_child(module, function, ROLE_BODY));
    if (setting == NO_NODE) {
        return;
    }
    SubKernels kernels = sub_kernels(module, function);
    if (kernels.count < (uint32_t)rule_number(run, "calls")) {
        return;
    }
    Str names = names_text(run, &kernels);
    Finding *finding = report(run, STATUS_INFO, at_node(file, setting),
                              "one tile setting in '%.*s' applies to all of its %u calls of "
                              "sub-kernels (%.*s)",
                              "'%.*s' 中的一次 tile 设置作用于全部 %u 次子 kernel 调用（%.*s）",
                              STR_ARG(node_name(module, function)), kernels.count, STR_ARG(names));
    add_related(run, file, finding, function, setting);
}

static void check_file(RuleRun *run, const PyFile *file)
{
    NodeList functions = layer_i_functions(file, run->arena);
    for (uint32_t i = 0; i < functions.count; i++) {
        check_function(run, file, functions.ids[i]);
    }
}

const Rule ol47 = {
    .id = "OL47",
    .name = "shared-tile-setting",
    .order = 43,
    .severity = S3,
    .dimension = D1,
    .effort = E2,
    .stages = STAGE(5) | STAGE(6),
    .target = TARGET_IMPL,
    .sets = IN(SET_TILE),
    .fix = FIX_NONE,
    .needs = NEEDS_FILES,
    .hint = {"Set the tile shapes inside each pypto_* sub-kernel, as each stage needs them.",
             "在每个 pypto_* 子 kernel 内部按各自需要设置 tile shape。"},
    .options = options,
    .check_file = check_file,
};
