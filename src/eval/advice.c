/* Collects and reports advice; see advice.h. */
#include "eval/advice.h"

#include "eval/drive.h"
#include "eval/model_zh.h"

/* --- warnings of the recorder */

typedef struct Known {
    const char *id;
    EvalRule rule;
    const char *hint_en, *hint_zh;
} Known;

/* Warnings with other ids concern a launch or a version and do not become findings here. */
static const Known known[] = {
    {"alignment", EVAL_ADVICE,
     "Let the last entry of the vector tile fill whole blocks of 32 bytes.",
     "让 vector tile 的最后一维占满整数个 32 字节块。"},
    {"many-tiles", EVAL_ADVICE, "Take larger tiles, or views of the tensor in a loop.",
     "增大 tile，或在循环中取 view 分块处理。"},
    {"reduction-tile", EVAL_ADVICE, "Take a smaller tile.", "减小 tile。"},
    {"ub-documented", EVAL_ADVICE, "Take a smaller tile.", "减小 tile。"},
    {"ub-widened", EVAL_ADVICE, "Take a smaller tile.", "减小 tile。"},
    {"cube-capacity", EVAL_ADVICE, "Take a smaller cube tile.", "减小 cube tile。"},
    {"bias-table", EVAL_ADVICE, "Take a smaller n in the cube tile.", "减小 cube tile 的 n。"},
    {"fixpipe-buffer", EVAL_ADVICE, "Take a smaller n in the cube tile.", "减小 cube tile 的 n。"},
    {"matmul-dtypes", EVAL_ADVICE, NULL, NULL},
    {"topk-columns", EVAL_ADVICE, "Take a smaller tile.", "减小 tile。"},
    {"concat-valid", EVAL_ADVICE, "Join views of the valid parts.", "只拼接有效部分的 view。"},
    {"reshape-gaps", EVAL_ADVICE, "Give valid_shape= to pypto.reshape.",
     "给 pypto.reshape 加上 valid_shape=。"},
    {"reshape-output", EVAL_ADVICE, NULL, NULL},
    {"reshape-count", EVAL_ADVICE, NULL, NULL},
    {"view-extent", EVAL_ADVICE, "Give a valid_shape within the source.",
     "valid_shape 不要超出源 tensor。"},
    {"loop-local", EVAL_ADVICE, "Make the tensor before the loop and write it with name[:] = ….",
     "在循环之前创建该 tensor，循环内用 name[:] = … 写入。"},
    {"conv-tile", EVAL_ADVICE, NULL, NULL},
    {"sibling-loops", EVAL_CARRIED, "Give submit_before_loop=True to the loop that reads.",
     "给读取的那个循环加上 submit_before_loop=True。"},
    {"parallel-accumulation", EVAL_CARRIED,
     "Drop parallel=True, or give each iteration a tensor of its own.",
     "去掉 parallel=True，或让每次迭代使用各自的 tensor。"},
    {"no-output", EVAL_STATE, "Write the result: out[:] = value, or assemble it.",
     "写出结果：out[:] = value，或使用 assemble。"},
    {"never-written", EVAL_STATE, "Remove the parameter, or write it: out[:] = value.",
     "删除该参数，或写入它：out[:] = value。"},
};

static const Known *find_known(const char *id)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i].id, id) == 0) {
            return &known[i];
        }
    }
    return NULL;
}

static void keep(Eval *eval, const Advice *advice)
{
    Drive *drive = eval->drive;
    if (drive->decided > 0) {
        return; /* under an assumption, which may be wrong */
    }
    for (uint32_t i = 0; i < drive->advice.count; i++) {
        const Advice *other = &drive->advice.items[i];
        if (other->node == advice->node && other->rule == advice->rule) {
            return;
        }
    }
    VEC_PUSH(eval->arena, &drive->advice, *advice);
}

static Str text_or_none(Arena *arena, const char *text)
{
    return text == NULL ? STR("") : str_copy(arena, str_from(text));
}

void advice_take(Eval *eval)
{
    Drive *drive = eval->drive;
    size_t count = pts_diagnostic_count(drive->program);
    for (; drive->told < count; drive->told++) {
        const PtsDiagnostic *told = pts_diagnostic(drive->program, drive->told);
        const Known *row = find_known(told->id);
        bool carried = strcmp(told->id, "loop-local") == 0 && eval_newer(eval) != NEWER_WRONG;
        if (row == NULL || carried) {
            continue; /* or 9.2 carries it over */
        }
        NodeId node = eval->unit == 0 ? drive->node : eval->outer_call;
        Str text = str_copy(eval->arena, str_from(told->message));
        Str code =
            told->code == 0 ? STR("") : str_format(eval->arena, " (F%05X)", told->code & 0xFFFFFU);
        Advice advice = {.rule = row->rule,
                         .node = node,
                         .en = str_format(eval->arena, "%.*s%.*s", STR_ARG(text), STR_ARG(code)),
                         .zh = str_format(eval->arena, "%.*s%.*s",
                                          STR_ARG(model_zh(eval->arena, text)), STR_ARG(code)),
                         .hint_en = text_or_none(eval->arena, row->hint_en),
                         .hint_zh = text_or_none(eval->arena, row->hint_zh)};
        keep(eval, &advice);
    }
}

/* --- state that does not last */

/* The statement in the loop that computes the name from its own previous value, or NO_NODE. */
static NodeId own_update(const Module *module, NodeId loop, Str name)
{
    NodeList names = nodes_in(module, loop, NODE_NAME);
    NodeId body = node_child(module, loop, ROLE_BODY);
    for (uint32_t i = 0; i < names.count; i++) {
        NodeId target = names.ids[i];
        if (target < body || !str_equal(node_name(module, target), name)) {
            continue;
        }
        while (node_at(module, target)->role == ROLE_ELT) {
            target = node_at(module, target)->parent;
        }
        NodeId statement = node_at(module, target)->parent;
        if (node_at(module, target)->role != ROLE_TARGET) {
            continue;
        }
        if (node_is(module, statement, NODE_AUG_ASSIGN)) {
            return statement;
        }
        NodeId value = node_is(module, statement, NODE_ASSIGN)
                           ? node_child(module, statement, ROLE_VALUE)
                           : NO_NODE;
        NodeList read = value == NO_NODE ? (NodeList){NULL, 0} : nodes_in(module, value, NODE_NAME);
        for (uint32_t k = 0; k < read.count; k++) {
            if (str_equal(node_name(module, read.ids[k]), name)) {
                return statement;
            }
        }
    }
    return NO_NODE;
}

static bool may_carry(Eval *eval, Value before)
{
    PtsSlotInfo info;
    bool number = value_is_int(before) || before.kind == VALUE_FLOAT ||
                  before.kind == VALUE_SYMBOL || before.kind == VALUE_NUMBER;
    bool local =
        before.kind == VALUE_TENSOR && drive_info(eval, before, &info) && !info.is_parameter;
    return number || local;
}

void advice_carried(Eval *eval, NodeId loop, Str name, Value before, bool many)
{
    Newer newer = eval_newer(eval);
    NodeId at = many && newer != NEWER_FINE && eval->unit == 0 && eval->assumed == 0 &&
                        may_carry(eval, before)
                    ? own_update(eval->module, loop, name)
                    : NO_NODE;
    if (at == NO_NODE) {
        return;
    }
    Arena *arena = eval->arena;
    bool tensor = before.kind == VALUE_TENSOR;
    bool doubtful = newer == NEWER_DOUBTFUL;
    const char *en = tensor
                         ? "'%.*s' gets a new tensor in each iteration of a recorded loop, and the "
                           "next iteration does not see it%s"
                         : "'%.*s' is computed once, when the loop is recorded, and does not "
                           "advance from iteration to iteration%s";
    const char *zh = tensor ? "'%.*s' 在录制循环的每次迭代中绑定到新的 tensor，下一次迭代看不到它%s"
                            : "'%.*s' 只在录制循环时计算一次，不会逐次迭代变化%s";
    Advice advice = {
        .rule = EVAL_CARRIED,
        .node = at,
        .en = str_format(arena, en, STR_ARG(name), doubtful ? " before PyPTO 9.2" : ""),
        .zh = str_format(arena, zh, STR_ARG(name), doubtful ? "（PyPTO 9.2 之前）" : "")};
    if (tensor) {
        advice.hint_en =
            str_format(arena, "Write '%.*s[:] = …', which carries the value over.", STR_ARG(name));
        advice.hint_zh =
            str_format(arena, "改写为 '%.*s[:] = …'，这样值会带到下一次迭代。", STR_ARG(name));
    } else {
        advice.hint_en = str_format(arena, "Compute it from the loop's index.");
        advice.hint_zh = str_format(arena, "改为由循环下标计算。");
    }
    keep(eval, &advice);
}

void advice_edge(Eval *eval, const char *name)
{
    Arena *arena = eval->arena;
    Advice advice = {
        .rule = EVAL_VALUE,
        .node = eval->unit == 0 ? eval->drive->node : eval->outer_call,
        .en = str_format(arena, "%s(): not loop index, which PyPTO before 9.2 refuses (F00002)",
                         name),
        .zh = str_format(arena, "%s()：参数不是循环下标，PyPTO 9.2 之前会拒绝（F00002）", name),
        .hint_en = STR("Compare the number itself, or give the index of the loop."),
        .hint_zh = STR("直接比较该数值，或传入循环下标。")};
    keep(eval, &advice);
}

void advice_loop_options(Eval *eval, const Arguments *arguments)
{
    static const char *const options[] = {
        "start",    "stop",     "step",        "name",
        "idx_name", "parallel", "unroll_list", "submit_before_loop"};
    for (uint32_t i = 0; i < arguments->keywords; i++) {
        if (STR_IS_ANY(arguments->names[i], options)) {
            continue;
        }
        EvalFinding *finding =
            eval_report(eval, EVAL_ADVICE, arguments->call,
                        "the loop has no option '%.*s': the product ignores it",
                        "循环没有选项 '%.*s'，产品会忽略它", STR_ARG(arguments->names[i]));
        if (finding == NULL) {
            continue;
        }
        finding->note = true;
        finding->name = str_copy(eval->result, arguments->names[i]);
        for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
            VEC_PUSH(eval->result, &finding->near, str_from(options[k]));
        }
    }
}

/* --- asserts */

/* "rows = 48, TILE = 32": the names in the expression whose values are known. */
static Str values_of(Eval *eval, NodeId expression)
{
    const Module *module = eval->module;
    Buf text = {.arena = eval->arena};
    NodeList names = nodes_in(module, expression, NODE_NAME);
    Strs seen = {0};
    buf_add(&text, STR(""));
    for (uint32_t i = 0; i < names.count; i++) {
        Str name = node_name(module, names.ids[i]);
        bool again = false;
        for (uint32_t k = 0; k < seen.count; k++) {
            again = again || str_equal(seen.items[k], name);
        }
        const Value *value = NULL;
        for (Scope *scope = eval->frame->scope; scope != NULL && value == NULL;
             scope = scope->parent) {
            value = scope_get(scope, name);
        }
        Buf one = {.arena = eval->arena};
        if (again || value == NULL) {
            continue;
        }
        VEC_PUSH(eval->arena, &seen, name);
        Value shape = value->kind == VALUE_TENSOR ? drive_shape(eval, *value, false) : *value;
        if (value_repr(&one, shape, 0)) {
            Str shown = buf_str(&one);
            buf_addf(&text, "%s%.*s%s = %.*s", text.length > 0 ? ", " : "", STR_ARG(name),
                     value->kind == VALUE_TENSOR ? ".shape" : "", STR_ARG(shown));
        }
    }
    return buf_str(&text);
}

/* The first line of a node's source, cut if it is long. */
static Str shown_text(Eval *eval, NodeId node)
{
    Str text = node_text(eval->module, node);
    size_t end = str_find(text, STR("\n"), 0);
    return str_slice(text, 0, end < 100 ? end : 100);
}

uint32_t advice_code(Eval *eval, NodeId raise)
{
    static const struct {
        const char *name;
        uint32_t code;
    } codes[] = {{"TypeError", 0xF00001},           {"ValueError", 0xF00002},
                 {"RuntimeError", 0xF00003},        {"NameError", 0xF00004},
                 {"NotImplementedError", 0xF00005}, {"KeyError", 0xF00006},
                 {"IndexError", 0xF00008}};
    const Module *module = eval->module;
    NodeId raised = node_first(module, raise);
    bool call = raised != NO_NODE && node_is(module, raised, NODE_CALL);
    NodeId name = call ? call_func(module, raised) : raised;
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        if (name != NO_NODE && node_is_name(module, name, str_from(codes[i].name))) {
            return codes[i].code;
        }
    }
    return 0xF0FFFF;
}

void advice_raised(Eval *eval, NodeId statement, NodeId test)
{
    Drive *drive = eval->drive;
    if (drive == NULL || drive->ended || eval->assumed > 0) {
        return;
    }
    drive->node = statement;
    Str text = shown_text(eval, test == NO_NODE ? statement : test);
    if (test == NO_NODE) {
        bool refused = eval->frame->is_graph && eval_newer(eval) != NEWER_FINE; /* as a statement */
        uint32_t code = refused ? 0xF00005 : advice_code(eval, statement);
        drive_refuse(eval, EVAL_RAISED, PTS_RUNTIME_ERROR, code, "the kernel surely reaches '%.*s'",
                     STR_ARG(text));
        return;
    }
    Str values = values_of(eval, test);
    drive_refuse(eval, EVAL_RAISED, PTS_RUNTIME_ERROR, 0xF0FFFF, "assert '%.*s' fails%s%.*s",
                 STR_ARG(text), values.length > 0 ? ": " : "", STR_ARG(values));
}

/* --- findings */

static void report(Eval *eval, const Advice *one, Scope *scope)
{
    Frame frame = {.scope = scope};
    eval->frame = &frame;
    eval->reporting = true;
    eval->assumed = 1; /* never certain */
    EvalFinding *finding =
        eval_report(eval, one->rule, one->node, "%.*s", "%.*s", STR_ARG(one->en));
    if (finding != NULL) {
        finding->zh = str_copy(eval->result, one->zh);
        finding->note = one->rule == EVAL_ADVICE;
    }
    if (finding != NULL && one->hint_en.length > 0) {
        finding->hint_en = str_copy(eval->result, one->hint_en);
        finding->hint_zh = str_copy(eval->result, one->hint_zh);
    }
    eval->reporting = false;
    eval->assumed = 0;
    eval->frame = NULL;
}

/* Advice about a kernel's parameters, kept until all walks are done: a factory may make one kernel
 * that uses all of them and one that does not. */
struct LateAdvice {
    VEC(struct Late {
        Advice advice;
        const KernelSite *site;
        uint32_t walks;
    })
    items;
    VEC(struct Walked {
        NodeId kernel;
        uint32_t walks;
    })
    kernels;
};

static void keep_late(Eval *eval, const Advice *advice, const KernelSite *site)
{
    struct LateAdvice *late = eval->late;
    for (uint32_t i = 0; i < late->items.count; i++) {
        struct Late *one = &late->items.items[i];
        if (one->site->node == site->node && str_equal(one->advice.en, advice->en)) {
            one->walks++;
            return;
        }
    }
    VEC_PUSH(eval->arena, &late->items, ((struct Late){*advice, site, 1}));
}

static void count_walk(Eval *eval, NodeId kernel)
{
    struct LateAdvice *late = eval->late;
    for (uint32_t i = 0; i < late->kernels.count; i++) {
        if (late->kernels.items[i].kernel == kernel) {
            late->kernels.items[i].walks++;
            return;
        }
    }
    VEC_PUSH(eval->arena, &late->kernels, ((struct Walked){kernel, 1}));
}

void advice_report(Eval *eval, const Advices *advice, const KernelSite *site, bool whole)
{
    if (eval->late == NULL) {
        eval->late = ARENA_NEW(eval->arena, struct LateAdvice);
    }
    count_walk(eval, site->node);
    eval->found = 0;
    for (uint32_t i = 0; i < advice->count; i++) {
        const Advice *one = &advice->items[i];
        if (one->rule != EVAL_STATE) {
            report(eval, one, site->scope);
        } else if (whole) { /* otherwise something that was not recorded may have written it */
            keep_late(eval, one, site);
        }
    }
}

void advice_report_common(Eval *eval)
{
    const struct LateAdvice *late = eval->late;
    eval->found = 0;
    for (uint32_t i = 0; late != NULL && i < late->items.count; i++) {
        const struct Late *one = &late->items.items[i];
        for (uint32_t k = 0; k < late->kernels.count; k++) {
            const struct Walked *kernel = &late->kernels.items[k];
            if (kernel->kernel == one->site->node && kernel->walks == one->walks) {
                report(eval, &one->advice, one->site->scope);
            }
        }
    }
}
