/* Drive: begin and end of a recording; see drive.h. */
#include "eval/drive.h"

#include <stdarg.h>
#include <stdio.h>

enum { DRIVE_OPERATIONS = 16000, DRIVE_PATHS = 256 };

/* --- ending */

void drive_end(Eval *eval)
{
    eval->drive->ended = true;
    eval->stopped = true;
}

bool drive_may_record(Eval *eval)
{
    Drive *drive = eval->drive;
    bool many = !drive->ended && eval->assumed == 0 && ++drive->operations > DRIVE_OPERATIONS;
    if (many) {
        facts_limit(eval, EVAL_LIMIT_OPERATIONS);
    }
    if (!drive->ended && (eval->assumed > 0 || many)) {
        drive_end(eval);
    }
    return !drive->ended;
}

/* What the recorder says of the walk or of itself, not of the kernel. */
static bool is_own_error(const PtsError *error)
{
    return error->kind == PTS_NOT_IMPLEMENTED || error->kind == PTS_MEMORY_ERROR ||
           strstr(error->message, "not deterministic") != NULL ||
           strstr(error->message, "was left before") != NULL ||
           strstr(error->message, "operations are recorded inside") != NULL ||
           strstr(error->message, "walked to its end") != NULL;
}

void drive_refused(Eval *eval, EvalRule rule, const PtsError *error)
{
    Drive *drive = eval->drive;
    bool unsure = rule == EVAL_STATE && drive->carried; /* who knows what was written */
    if (!drive->ended && !is_own_error(error) && !unsure) {
        drive->has_error = true;
        drive->rule = rule;
        drive->error = *error;
        drive->error_node = eval->unit == 0 ? drive->node : eval->outer_call;
    }
    drive_end(eval);
}

void drive_refuse(Eval *eval, EvalRule rule, PtsErrorKind kind, uint32_t code, const char *format,
                  ...)
{
    if (!drive_may_record(eval)) {
        return;
    }
    PtsError error = {.kind = kind, .code = code};
    va_list args;
    va_start(args, format);
    vsnprintf(error.message, sizeof error.message, format, args);
    va_end(args);
    drive_refused(eval, rule, &error);
}

static EvalRule class_rule(PtsOpClass kind)
{
    switch (kind) {
    case PTS_CLASS_MATMUL:
    case PTS_CLASS_BATCH_MATMUL:
    case PTS_CLASS_SCALED_MM:
        return EVAL_MATMUL;
    case PTS_CLASS_VIEW:
    case PTS_CLASS_VIEW_TYPE:
    case PTS_CLASS_ASSEMBLE:
    case PTS_CLASS_RESHAPE:
    case PTS_CLASS_MOVE:
    case PTS_CLASS_ELEMENT_WRITE:
        return EVAL_WINDOW;
    default:
        return EVAL_SHAPE;
    }
}

static bool is_index_operation(PtsOp op)
{
    return (op >= PTS_OP_TOPK && op <= PTS_OP_GATHER_IN_L1) ||
           (op >= PTS_OP_QUANTIZE && op <= PTS_OP_QUANT_MX);
}

EvalRule drive_rule(PtsOp op, const PtsError *error)
{
    EvalRule by_class = class_rule(pts_op_table[op].kind);
    bool is_cube = by_class == EVAL_MATMUL;
    bool of_tile = strstr(error->message, "ile") != NULL;
    switch (error->code) {
    case 0xF0000A:
    case 0xF21008:
        return EVAL_DYNAMIC;
    case 0xF74007:
    case 0xF21009:
        return EVAL_STATE;
    case 0xF0000C:
    case 0xF40005:
        return is_cube ? EVAL_CUBE_TILE : EVAL_VECTOR_TILE;
    case 0xF21003:
        return !of_tile ? by_class : is_cube ? EVAL_CUBE_TILE : EVAL_VECTOR_TILE;
    case 0xF42003:
    case 0xFC1000:
    case 0xFC1001:
        return EVAL_VECTOR_TILE;
    case 0xFC0001:
    case 0xF00001:
        return is_cube || by_class == EVAL_WINDOW ? by_class : EVAL_DTYPE;
    default:
        return is_index_operation(op) ? EVAL_INDEXED : by_class;
    }
}

/* --- parameters */

static PtsSite site_of(const Eval *eval, NodeId node)
{
    return (PtsSite){eval->drive->file, (int)node_line(eval->module, node)};
}

/* Bytes of blocks of an NZ tensor are whole in the kernel. */
static int64_t whole_blocks(int64_t size, int rank, int axis, int dtype)
{
    size_t bytes = pts_dtype_bytes((PtsDtype)dtype);
    int64_t unit = axis == rank - 1   ? (int64_t)(32 / (bytes == 0 ? 1 : bytes))
                   : axis == rank - 2 ? 16
                                      : 1;
    return (size + unit - 1) / unit * unit;
}

/* The dimension of an axis from annotation and argument; PTS_SYM_NONE when it is not known. */
static PtsSym parameter_axis(Eval *eval, const ParameterSpec *spec, const HostTensor *host,
                             int index, int axis, int dtype)
{
    Drive *drive = eval->drive;
    PtsError error;
    bool stated = spec->has_shape && (uint32_t)axis < spec->count;
    Value entry = stated ? spec->axes[axis] : value_unknown();
    bool open = !stated ? !spec->has_shape || spec->lower_bound : axis_is(entry, "STATIC");
    if (stated && entry.kind == VALUE_NAMED) {
        char name[96];
        snprintf(name, sizeof name, "%.*s", STR_ARG(*entry.as.text));
        return pts_parameter_dim(drive->program, index, axis, name, &error);
    }
    if (stated && (axis_is(entry, "DYNAMIC") || axis_is(entry, "DYN") ||
                   (entry.kind == VALUE_INT && entry.as.integer == -1))) {
        return pts_parameter_dim(drive->program, index, axis, NULL, &error);
    }
    int64_t size = entry.kind == VALUE_INT ? entry.as.integer : -1;
    if (open && host != NULL) {
        size = host->size[axis];
    }
    if (size < 0) {
        return PTS_SYM_NONE;
    }
    int rank = host != NULL ? host->rank : (int)spec->count;
    size = spec->is_nz ? whole_blocks(size, rank, axis, dtype) : size;
    return pts_sym_constant(drive->context, size, &error);
}

static int parameter_rank(const ParameterSpec *spec, const HostTensor *host)
{
    if (host != NULL && host->rank >= 0) {
        return host->rank;
    }
    return spec->has_shape && !spec->lower_bound ? (int)spec->count : -1;
}

/* Does the annotation state every extent? */
static bool is_stated(const ParameterSpec *spec)
{
    bool stated = spec->has_shape && !spec->lower_bound;
    for (uint32_t i = 0; i < spec->count; i++) {
        stated = stated && spec->axes[i].kind != VALUE_MEMBER;
    }
    return stated;
}

/* A parameter of the recorder, or a tensor without slot when it is not all known. */
static Value declare_parameter(Eval *eval, NodeId arg, const ParameterSpec *spec,
                               const HostTensor *host, int *index)
{
    Drive *drive = eval->drive;
    PtsSym shape[PTS_MAX_RANK];
    PtsError error;
    int rank = parameter_rank(spec, host);
    int dtype = spec->dtype >= 0 ? spec->dtype : host != NULL ? host->dtype : -1;
    host = host != NULL && host->rank == rank ? host : NULL;
    if (!spec->is_known || rank < 1 || rank > PTS_MAX_RANK || dtype < 0 ||
        strncmp(pts_dtype_name((PtsDtype)dtype), "DT_FP4", 6) == 0) {
        return value_tensor();
    }
    for (int axis = 0; axis < rank; axis++) {
        shape[axis] = parameter_axis(eval, spec, host, *index, axis, dtype);
        if (shape[axis] == PTS_SYM_NONE) {
            return value_tensor();
        }
    }
    char name[96];
    snprintf(name, sizeof name, "%.*s", STR_ARG(node_name(eval->module, arg)));
    PtsSlot slot = pts_parameter(drive->program, (PtsDtype)dtype, rank, shape,
                                 spec->is_nz ? PTS_NZ : PTS_ND, name, site_of(eval, arg), &error);
    if (slot == PTS_SLOT_NONE) {
        return value_tensor();
    }
    (*index)++;
    repair_parameter(eval, slot, arg, host != NULL && (spec->dtype < 0 || !is_stated(spec)));
    return drive_tensor(slot);
}

static Value *declare_parameters(Eval *eval, const KernelSite *site, const Launch *launch)
{
    Drive *drive = eval->drive;
    const Module *module = eval->module;
    NodeId list = function_arguments(module, site->node);
    uint32_t count = node_count(module, list, ROLE_PARAM);
    Value *values = ARENA_ARRAY(eval->arena, Value, count + 1);
    uint32_t at = 0;
    int index = 0;
    for (NodeId arg = node_child(module, list, ROLE_PARAM); arg != NO_NODE;
         arg = node_next(module, arg), at++) {
        ParameterSpec spec = parameter_spec(eval, arg);
        Value given = launch != NULL && at < launch->count ? launch->values[at] : value_unknown();
        if (!spec.is_tensor) {
            values[at] = given;
            bool any = given.kind == VALUE_UNKNOWN || given.kind == VALUE_HOST;
            drive->outputs_open = drive->outputs_open || any;
            continue;
        }
        const HostTensor *host = given.kind == VALUE_HOST ? given.as.host : NULL;
        values[at] = declare_parameter(eval, arg, &spec, host, &index);
        drive->outputs_open = drive->outputs_open || values[at].handle == 0;
    }
    return values;
}

/* --- the walk */

static void walk_path(Eval *eval, const KernelSite *site, const Value *values)
{
    const Module *module = eval->module;
    Scope *scope = scope_new(eval, site->scope, site->node);
    Frame frame = {.scope = scope, .is_graph = true, .function = site->node};
    NodeId list = function_arguments(module, site->node);
    uint32_t at = 0;
    for (NodeId arg = node_child(module, list, ROLE_PARAM); arg != NO_NODE;
         arg = node_next(module, arg)) {
        scope_set(eval, scope, node_name(module, arg), values[at++]);
    }
    eval->drive->seed = 1;
    eval->drive->vector_unknown = eval->drive->cube_unknown = false;
    eval->frame = &frame;
    Flow flow = eval_body(eval, site->node, ROLE_BODY);
    if (flow == FLOW_RAISE || frame.may_return) {
        drive_end(eval);
    }
    at = 0;
    for (NodeId arg = node_child(module, list, ROLE_PARAM); arg != NO_NODE;
         arg = node_next(module, arg), at++) {
        const Value *end = scope_get(scope, node_name(module, arg));
        eval->drive->outputs_open =
            eval->drive->outputs_open || end == NULL ||
            (values[at].kind == VALUE_TENSOR &&
             (end->kind != VALUE_TENSOR || end->handle != values[at].handle));
    }
}

static void record(Eval *eval, const KernelSite *site, const Launch *launch)
{
    Drive *drive = eval->drive;
    PtsError error;
    char name[96];
    snprintf(name, sizeof name, "%.*s", STR_ARG(node_name(eval->module, site->node)));
    drive->program = pts_program_begin(drive->context, name, site_of(eval, site->node), &error);
    if (drive->program == NULL) {
        return;
    }
    Frame outside = {.scope = site->scope};
    eval->frame = &outside;
    const Value *values = declare_parameters(eval, site, launch);
    for (uint32_t paths = 0; !eval->stopped && pts_program_next_path(drive->program); paths++) {
        if (paths >= DRIVE_PATHS) {
            facts_limit(eval, EVAL_LIMIT_PATHS);
            drive_end(eval);
            break;
        }
        walk_path(eval, site, values);
    }
    if (!eval->stopped && !drive->ended && !pts_program_end(drive->program, &error)) {
        drive->node = site->node;
        drive_refused(eval, EVAL_STATE, &error);
    }
    drive->node = site->node;
    advice_take(eval);
}

static void drive_free(Drive *drive)
{
    if (drive->program != NULL) {
        pts_program_free(drive->program);
    }
    if (drive->context != NULL) {
        pts_context_free(drive->context);
    }
    drive->program = NULL;
    drive->context = NULL;
}

void drive_drop(Eval *eval)
{
    if (eval->drive != NULL) {
        drive_free(eval->drive);
        eval->drive = NULL;
    }
}

/* The drive after the walk on one chip; its context is gone. */
Drive *drive_on(Eval *eval, const KernelSite *site, const Launch *launch, const char *chip)
{
    PtsSoc soc;
    Drive *drive = ARENA_NEW(eval->arena, Drive);
    drive->node = site->node;
    drive->context = chip_read(chip, &soc) ? pts_context_new(&soc, NULL) : NULL;
    if (drive->context == NULL) {
        return drive;
    }
    drive->file = pts_site_file(drive->context, str_dup(eval->arena, pyfile_path(eval->file)));
    eval->drive = drive;
    eval->steps = EVAL_STEPS_KERNEL;
    eval->stopped = false;
    eval->reporting = false;
    eval->silent = 1;
    eval->assumed = 0;
    eval->outer_call = site->node;
    eval->new_ir = (NewIr)site->new_ir;
    eval->region = ++eval->clock;
    record(eval, site, launch);
    drive_free(drive);
    eval->drive = NULL;
    eval->silent = 0;
    eval->stopped = false;
    eval->frame = NULL;
    return drive;
}

/* The number of the error in the version that somebody named: 9.2 has moved three of them by
 * one. */
static uint32_t shown_code(const Eval *eval, const PtsError *error)
{
    static const char *const moved[] = {"ADDRESS_OUT_OF_RANGE", "WORKSPACE_ITER_INVALID",
                                        "WORKSPACE_CAPACITY"};
    const Product *product = eval->product;
    uint32_t code = error->code & 0xFFFFFU;
    bool counts = product->version == PRODUCT_9_2 && product->source != PRODUCT_ASSUMED;
    return counts && error->symbol != NULL && STR_IS_ANY(str_from(error->symbol), moved) ? code + 1
                                                                                         : code;
}

static void report_drive(Eval *eval, const Drive *drive, const KernelSite *site,
                         const Launch *launch, const char *only_on, const char *runs_on)
{
    const PtsError *error = &drive->error;
    bool everywhere = runs_on == NULL;
    bool certain = everywhere && !site->assumed && (launch == NULL || launch->certain);
    Frame frame = {.scope = site->scope};
    eval->frame = &frame;
    eval->reporting = true;
    eval->assumed = certain ? 0 : 1;
    eval->found = 0;
    Str where =
        everywhere ? STR("") : str_format(eval->arena, ", on %s; runs on %s", only_on, runs_on);
    EvalFinding *finding = eval_report(eval, drive->rule, drive->error_node, "%s (F%05X%.*s)",
                                       "记录 kernel 时会被拒绝：%s（F%05X%.*s）", error->message,
                                       shown_code(eval, error), STR_ARG(where));
    if (finding != NULL && !everywhere) {
        finding->zh =
            str_format(eval->result, "在 %s 上记录 kernel 时会被拒绝，在 %s 上不会：%s（F%05X）",
                       only_on, runs_on, error->message, shown_code(eval, error));
        eval_hint(eval, finding, "Name the hardware in .pypto-lint.yaml: soc: %s, or soc: %s.",
                  "请在 .pypto-lint.yaml 中写明硬件：soc: %s 或 soc: %s。", only_on, runs_on);
    } else if (finding != NULL && launch != NULL) {
        finding->foreign = launch->unit != 0 || launch->entry != 0;
        const Unit *unit = eval->units.items[launch->unit];
        unsigned line = node_line(unit->module, launch->node);
        Str file = pyfile_path(unit->file);
        eval_hint(eval, finding, "Sizes and dtypes are those of the launch in line %u of %.*s.",
                  "尺寸和数据类型来自第 %u 行的调用（%.*s）。", line, STR_ARG(file));
    }
    if (finding != NULL) {
        eval->reporting = false;
        repair_describe(eval, finding, drive, launch);
        EvalFinding copy = *finding; /* trying moves nothing, but walks anew */
        repair_propose(eval, &copy, drive, site, launch);
        eval->out.findings.items[eval->out.findings.count - 1] = copy;
    }
    eval->reporting = false;
    eval->assumed = 0;
    eval->frame = NULL;
}

static bool same_refusal(const Drive *a, const Drive *b)
{
    return a->has_error && b->has_error && a->error_node == b->error_node &&
           a->error.code == b->error.code;
}

/* The launch that a refusal depends on; NULL when the annotations alone lead to it, so that nothing
 * of another file is to blame. */
static const Launch *needed_launch(Eval *eval, const Drive *drive, const KernelSite *site,
                                   const Launch *launch)
{
    bool foreign = launch != NULL && (launch->unit != 0 || launch->entry != 0);
    if (!foreign || !drive->has_error) {
        return launch;
    }
    eval->probing = true;
    bool alone = same_refusal(drive, drive_on(eval, site, NULL, chip_first(eval)));
    eval->probing = false;
    return alone ? NULL : launch;
}

bool drive_kernel(Eval *eval, const KernelSite *site, const Launch *launch)
{
    const char *first = chip_first(eval), *second = chip_second(eval);
    const Drive *drive = drive_on(eval, site, launch, first);
    eval->out.contexts++;
    eval->out.whole += drive->has_error || !drive->ended;
    eval->out.recorded += drive->operations - drive->skipped;
    eval->out.open += drive->skipped;
    eval->out.open_at = drive->skipped > 0 ? drive->open_at : eval->out.open_at;
    eval->out.stopped_at = drive->ended && !drive->has_error ? drive->node : eval->out.stopped_at;
    facts_walked(eval, site, drive);
    advice_report(eval, &drive->advice, site,
                  !drive->ended && !drive->carried && !drive->outputs_open);
    launch = needed_launch(eval, drive, site, launch);
    if (second == NULL || (!drive->has_error && !drive->asked_chip)) {
        if (drive->has_error) {
            report_drive(eval, drive, site, launch, first, NULL);
        }
        return drive->has_error || !drive->ended;
    }
    eval->probing = true;
    const Drive *other = drive_on(eval, site, launch, second);
    eval->probing = false;
    bool everywhere = same_refusal(drive, other);
    if (drive->has_error) {
        report_drive(eval, drive, site, launch, first, everywhere ? NULL : second);
    }
    if (other->has_error && drive->asked_chip && !everywhere) {
        report_drive(eval, other, site, launch, second, first);
    }
    return drive->has_error || !drive->ended;
}
