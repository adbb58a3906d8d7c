/* OL51: an output of the contract that the implementation does not write, or writes only with an
 * input or a new buffer as it is, so that nothing is computed.
 *
 * Looks at the outputs in eval/module_interfaces.yaml and, in each implementation file, at the
 * names that are written anywhere (sub-check a) and at what each kernel, with the functions it
 * reaches, writes into its output parameters (sub-check b). */
#include "operator/interfaces.h"
#include "rules/bindings.h"
#include "rules/common.h"
#include "rules/output_writes.h"
#include "rules/reach.h"

#include <stdlib.h>

enum {
    MAX_VISITED = 9, /* functions read for one kernel, the kernel included */
    MAX_STEPS = 4,   /* local names looked through for one source */
    MAX_RELATED = 8,
};

typedef struct OutputCheck {
    RuleRun *run;
    const PyFile *file;
    const Strs *outputs;     /* names in the contract */
    FunctionWrites **writes; /* by place in file->functions; made on first use */
} OutputCheck;

/* A kernel with what decides about its outputs. */
typedef struct KernelCheck {
    OutputCheck *check;
    NodeId kernel;
    NameTable inputs;
    Bindings locals; /* plain assignments in the kernel */
    NameSet modified;
    const FunctionWrites *visited[MAX_VISITED];
    uint32_t visited_count;
} KernelCheck;

/* --- the functions of a kernel */

static const FunctionWrites *writes_of(OutputCheck *check, NodeId function)
{
    FunctionWrites **slot = &check->writes[function_place(check->file, function)];
    if (*slot == NULL) {
        *slot = ARENA_NEW(check->run->arena, FunctionWrites);
        **slot = function_writes(check->file, check->run->arena, function);
    }
    return *slot;
}

/* Depth first, the last call first; every name once. */
static void visit_functions(KernelCheck *kernel)
{
    const Module *module = pyfile_module(kernel->check->file);
    NodeId stack[MAX_VISITED * MAX_FOLLOWED + 1];
    Str names[MAX_VISITED];
    uint32_t depth = 0;
    stack[depth++] = kernel->kernel;
    while (depth > 0 && kernel->visited_count < MAX_VISITED) {
        NodeId function = stack[--depth];
        Str name = node_name(module, function);
        bool seen = false;
        for (uint32_t i = 0; i < kernel->visited_count && !seen; i++) {
            seen = str_equal(names[i], name);
        }
        if (seen) {
            continue;
        }
        const FunctionWrites *writes = writes_of(kernel->check, function);
        names[kernel->visited_count] = name;
        kernel->visited[kernel->visited_count++] = writes;
        for (uint32_t i = writes->callee_count; i-- > 0;) {
            stack[depth++] = writes->callees[i];
        }
    }
}

static void collect_locals(KernelCheck *kernel)
{
    const PyFile *file = kernel->check->file;
    const Module *module = pyfile_module(file);
    Arena *arena = kernel->check->run->arena;
    NodeList statements = nodes_in(module, kernel->kernel, NODE_ASSIGN);
    for (uint32_t i = 0; i < statements.count; i++) {
        Str name;
        NodeId value;
        if (plain_assignment(module, statements.ids[i], &name, &value)) {
            bindings_add(&kernel->locals, arena, module, name, 0, statements.ids[i], value);
        }
    }
    bindings_sort(&kernel->locals);
    modified_names(&kernel->modified, file, kernel->kernel);
}

/* --- trivial sources */

/* Is a value of this origin an input or a new buffer as it is? `*final` becomes what it is in the
 * end. */
static bool is_trivial(const KernelCheck *kernel, Origin origin, Origin *final)
{
    const Module *module = pyfile_module(kernel->check->file);
    for (int step = 0;; step++) {
        *final = origin;
        if (origin.kind <= ORIGIN_COMPUTED || origin.kind == ORIGIN_BUFFER) {
            return origin.kind == ORIGIN_BUFFER;
        }
        if (name_table_find(&kernel->inputs, origin.name) != NULL) {
            return true;
        }
        if (origin.kind != ORIGIN_NAME || step == MAX_STEPS ||
            name_table_find(&kernel->modified.table, origin.name) != NULL) {
            return false;
        }
        const Binding *local = bindings_last(&kernel->locals, origin.name, UINT32_MAX);
        if (local == NULL) {
            return false;
        }
        origin = origin_of(module, local->node);
    }
}

static Str describe(RuleRun *run, Origin origin)
{
    bool zh = run->lang == LANG_ZH;
    switch (origin.kind) {
    case ORIGIN_PART:
        return str_format(run->arena, zh ? "输入 '%.*s' 的一部分" : "a part of the input '%.*s'",
                          STR_ARG(origin.name));
    case ORIGIN_LAYOUT:
        return str_format(run->arena,
                          zh ? "只改变形状或复制的输入 '%.*s'"
                             : "the input '%.*s' in another shape or as a copy",
                          STR_ARG(origin.name));
    case ORIGIN_BUFFER:
        return zh ? STR("新分配的缓冲区") : STR("a new buffer");
    default:
        return str_format(run->arena, zh ? "原样的输入 '%.*s'" : "the input '%.*s' as it is",
                          STR_ARG(origin.name));
    }
}

/* --- the outputs of a kernel */

static int compare_places(const void *left, const void *right)
{
    const Write *a = *(const Write *const *)left, *b = *(const Write *const *)right;
    return (a->place > b->place) - (a->place < b->place);
}

static void add_related(KernelCheck *kernel, Finding *finding, Str parameter, const Write *first)
{
    RuleRun *run = kernel->check->run;
    const Write *others[MAX_RELATED];
    uint32_t count = 0;
    for (uint32_t f = 0; f < kernel->visited_count; f++) {
        const FunctionWrites *writes = kernel->visited[f];
        uint32_t i = writes_find(writes, parameter);
        for (; i < writes->count && count < MAX_RELATED; i++) {
            if (!str_equal(writes->items[i].target, parameter)) {
                break;
            }
            if (writes->items[i].place != first->place) {
                others[count++] = &writes->items[i];
            }
        }
    }
    if (count > 1) {
        qsort(others, count, sizeof *others, compare_places);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || others[i]->place != others[i - 1]->place) {
            finding_related(run, finding, at_node(kernel->check->file, others[i]->place),
                            "written here, too", "此处也有写回");
        }
    }
}

static void report_trivial(KernelCheck *kernel, Str parameter, Str output, const Write *first)
{
    RuleRun *run = kernel->check->run;
    const PyFile *file = kernel->check->file;
    Origin final;
    is_trivial(kernel, first->origin, &final);
    Str source = excerpt(run, file, first->source), kind = describe(run, final);
    Str name = node_name(pyfile_module(file), kernel->kernel), path = pyfile_path(file);
    Str contract = str_equal(parameter, output)
                       ? STR("")
                       : str_format(run->arena, " (outputs: '%.*s')", STR_ARG(output));
    Finding *finding =
        report(run, STATUS_FAIL, at_node(file, first->place),
               "OL51.b: kernel '%.*s' in %.*s writes its output '%.*s'%.*s only from '%.*s', %.*s: "
               "nothing is computed",
               "OL51.b：kernel '%.*s'（%.*s）的输出 '%.*s'%.*s 只由 '%.*s' 写入（%.*s），"
               "没有任何计算",
               STR_ARG(name), STR_ARG(path), STR_ARG(parameter), STR_ARG(contract), STR_ARG(source),
               STR_ARG(kind));
    add_related(kernel, finding, parameter, first);
}

/* One output: reports it when it is written and every source is trivial. */
static void check_output(KernelCheck *kernel, Str parameter, Str output)
{
    const Write *first = NULL;
    for (uint32_t f = 0; f < kernel->visited_count; f++) {
        const FunctionWrites *writes = kernel->visited[f];
        const Write *first_here = NULL;
        uint32_t i = writes_find(writes, parameter);
        for (; i < writes->count; i = writes->items[i].next) {
            const Write *write = &writes->items[i];
            Origin final;
            if (!str_equal(write->target, parameter)) {
                break;
            }
            if (!is_trivial(kernel, write->origin, &final)) {
                return;
            }
            if (first_here == NULL || write->level < first_here->level) {
                first_here = write;
            }
        }
        first = first == NULL ? first_here : first;
    }
    if (first != NULL) {
        report_trivial(kernel, parameter, output, first);
    }
}

static void check_kernel(OutputCheck *check, NodeId id)
{
    const Module *module = pyfile_module(check->file);
    Arena *arena = check->run->arena;
    NodeId arguments = function_arguments(module, id);
    const Strs *outputs = check->outputs;
    Strs parameters = {0}, targets = {0};
    NameTable known = {.arena = arena}, written = {.arena = arena};
    NodeId arg = node_child(module, arguments, ROLE_PARAM);
    for (; arg != NO_NODE; arg = node_next(module, arg)) {
        VEC_PUSH(arena, &parameters, node_name(module, arg));
        name_table_add(&known, node_name(module, arg));
    }
    if (parameters.count < outputs->count) {
        return;
    }
    bool by_name = true;
    for (uint32_t i = 0; i < outputs->count && by_name; i++) {
        by_name = name_table_find(&known, outputs->items[i]) != NULL;
    }
    for (uint32_t i = 0; i < outputs->count; i++) {
        Str last = parameters.items[parameters.count - outputs->count + i];
        VEC_PUSH(arena, &targets, by_name ? outputs->items[i] : last);
        name_table_add(&written, targets.items[i]);
    }
    KernelCheck kernel = {.check = check, .kernel = id};
    kernel.inputs.arena = kernel.modified.table.arena = arena;
    for (uint32_t i = 0; i < parameters.count; i++) {
        if (name_table_find(&written, parameters.items[i]) == NULL) {
            name_table_add(&kernel.inputs, parameters.items[i]);
        }
    }
    collect_locals(&kernel);
    visit_functions(&kernel);
    for (uint32_t i = 0; i < targets.count; i++) {
        check_output(&kernel, targets.items[i], outputs->items[i]);
    }
}

/* --- files */

static bool report_too_few(OutputCheck *check)
{
    RuleRun *run = check->run;
    const PyFile *file = check->file;
    NameSet written = {.table = {.arena = run->arena}};
    written_names(&written, pyfile_module(file), 0);
    if (written.order.count >= check->outputs->count) {
        return false;
    }
    Str path = pyfile_path(file);
    Str expected = quoted_names(run, *check->outputs), found = quoted_names(run, written.order);
    Place place = file->kernels.count > 0 ? at_node(file, file->kernels.ids[0]) : at_file(path);
    report(run, STATUS_FAIL, place,
           "OL51.a: %.*s writes %u name(s) (%.*s), but the contract declares %u output(s) (%.*s): "
           "an output that is not written stays all zero",
           "OL51.a：%.*s 只检测到 %u 个写回点（%.*s），而契约声明了 %u 个输出（%.*s）："
           "未写回的输出将全为零",
           STR_ARG(path), written.order.count, STR_ARG(found), check->outputs->count,
           STR_ARG(expected));
    return true;
}

static void check_parsed(RuleRun *run, const Interfaces *interfaces, const NameList *final_outputs,
                         const PyFile *file)
{
    NameList outputs = *final_outputs;
    Str suffix = implementation_suffix(run->op->name, pyfile_path(file));
    if (suffix.length > 0) {
        uint32_t modules = suffix_module_count(suffix);
        if (modules == 0) {
            return;
        }
        outputs = interfaces_module_outputs(run->arena, interfaces, modules);
    }
    if (!outputs.judged || outputs.names.count == 0) {
        return;
    }
    OutputCheck check = {.run = run, .file = file, .outputs = &outputs.names};
    if (report_too_few(&check)) {
        return;
    }
    check.writes = ARENA_ARRAY(run->arena, FunctionWrites *, file->functions.count + 1);
    for (uint32_t i = 0; i < file->kernels.count; i++) {
        check_kernel(&check, file->kernels.ids[i]);
    }
}

static void check(RuleRun *run)
{
    Interfaces interfaces;
    if (skip_without_contract(run, &interfaces)) {
        return;
    }
    const PyFiles *scan = &run->op->scan;
    NameList final_outputs = interfaces_final_outputs(run->arena, &interfaces);
    for (uint32_t i = 0; i < scan->count; i++) {
        if (pyfile_module(scan->items[i]) != NULL) {
            check_parsed(run, &interfaces, &final_outputs, scan->items[i]);
        }
    }
}

const Rule ol51 = {
    .id = "OL51",
    .name = "output-not-written",
    .order = 51,
    .severity = S1,
    .dimension = D5,
    .effort = E2,
    .stages = STAGE(5) | STAGE(6) | STAGE(7),
    .target = TARGET_IMPL,
    .fix = FIX_NONE,
    .needs = NEEDS_OPERATOR,
    .hint =
        {"Write every output in the kernel with pypto.assemble(result, offsets, name), "
         "'name[:] = result' or name.move(result), where the result comes from a compute "
         "operator. A tensor for debugging is not an output: it goes through **kwargs or a file "
         "below _debug/.",
         "在 kernel 中用 pypto.assemble(result, offsets, name)、'name[:] = result' 或 "
         "name.move(result) 写回每个输出，result 必须来自计算算子。中间张量的调试输出走 **kwargs 或 "
         "_debug/ 下的文件，不要作为额外输出。"},
    .check = check,
};
