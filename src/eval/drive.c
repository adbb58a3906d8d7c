/* Begins and ends recordings and reports what they found; see drive.h. */
#include "eval/drive_names.h"
#include "eval/fault.h"
#include "eval/model_zh.h"
#include "eval/tiles.h"

#include <stdio.h>

enum {
    DRIVE_OPERATIONS = 32000, /* over all paths: 0.1 s. The largest kernel shipped has 20,400. */
    DRIVE_PATHS = 256,
};

/* --- ending */

void drive_end(Eval *eval)
{
    Drive *drive = eval->drive;
    if (!drive->ended) {
        drive->ended_at = eval->unit == 0 ? drive->node : eval->outer_call;
    }
    drive->ended = true;
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
    if (drive->carried && !drive->doubtful) {
        pts_program_lenient(drive->program);
    }
    return !drive->ended;
}

void drive_lose_tiles(Eval *eval)
{
    pts_config_lose_vector_tile(eval->drive->context);
    pts_config_lose_cube_tile(eval->drive->context);
    eval->drive->has_conv_tiles = true;
}

/* --- the walk */

PtsSite drive_site(const Eval *eval, NodeId node)
{
    return (PtsSite){eval->drive->file, (int)node_line(eval->module, node)};
}

/* Under 9.2 the value that a parameter's name has at the end of the kernel is its result. */
static void write_result(Eval *eval, const KernelSite *site, Value parameter, const Value *end)
{
    Drive *drive = eval->drive;
    bool tensor = parameter.kind == VALUE_TENSOR;
    bool rebound = end != NULL && tensor && end->kind == VALUE_TENSOR;
    if (rebound && drive_has_slot(eval, parameter) && drive_has_slot(eval, *end) &&
        eval_newer(eval) != NEWER_WRONG && !eval->as_old && !eval->stopped) {
        Value arguments[] = {parameter, *end};
        drive->node = node_child(eval->module, site->node, ROLE_BODY);
        for (NodeId next = drive->node; next != NO_NODE; next = node_next(eval->module, next)) {
            drive->node = next;
        }
        if (end->handle != parameter.handle) {
            drive_cook(eval, "move", 2, arguments);
        }
        return;
    }
    drive->outputs_open = drive->outputs_open || end == NULL ||
                          (tensor && (!rebound || end->handle != parameter.handle));
}

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
    eval->drive->scope = scope;
    eval->epoch = 0; /* the same names for what is not known on each path */
    eval->frame = &frame;
    Flow flow = eval_body(eval, site->node, ROLE_BODY);
    eval->drive->raised = eval->drive->raised || flow == FLOW_RAISE;
    if (flow == FLOW_RAISE || frame.may_return) {
        drive_end(eval);
    }
    at = 0;
    for (NodeId arg = node_child(module, list, ROLE_PARAM); arg != NO_NODE;
         arg = node_next(module, arg), at++) {
        write_result(eval, site, values[at], scope_get(scope, node_name(module, arg)));
    }
}

static void record(Eval *eval, const KernelSite *site, const Launch *launch)
{
    Drive *drive = eval->drive;
    PtsError error;
    char name[96];
    snprintf(name, sizeof name, "%.*s", STR_ARG(node_name(eval->module, site->node)));
    if (eval->tiles_outside || (launch != NULL && launch->tiles_set)) {
        drive_lose_tiles(eval);
    }
    drive->program = pts_program_begin(drive->context, name, drive_site(eval, site->node), &error);
    if (drive->program == NULL) {
        return;
    }
    tiles_watch(eval, name);
    Frame outside = {.scope = site->scope};
    eval->frame = &outside;
    const Value *values = drive_parameters(eval, site, launch);
    for (uint32_t paths = 0; !eval->stopped && pts_program_next_path(drive->program); paths++) {
        if (paths >= DRIVE_PATHS) {
            facts_limit(eval, EVAL_LIMIT_PATHS);
            drive_end(eval);
            break;
        }
        drive->many_paths = drive->many_paths || paths >= DRIVE_APART;
        drive->carried = drive->carried && !drive->doubtful;
        pts_unlearn(drive->context, 0);
        walk_path(eval, site, values);
    }
    if (!eval->stopped && !drive->ended && !pts_program_end(drive->program, &error)) {
        drive->node = site->node;
        drive_refused(eval, EVAL_STATE, &error);
    }
    NodeId last = drive->ended ? drive->ended_at : drive->node;
    drive->node = site->node;
    advice_take(eval);
    drive->node = drive->ended || eval->stopped ? last : site->node;
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

/* Walks on one chip and returns the drive; its context is freed. */
Drive *drive_on(Eval *eval, const KernelSite *site, const Launch *launch, const char *chip,
                DriveSet *set)
{
    PtsOptions options = {.partial = true, .is_9_1 = eval->product->version == PRODUCT_9_1};
    const PtsSoc *soc = chip_named(eval, chip);
    Drive *drive = ARENA_NEW(eval->arena, Drive);
    drive->node = site->node;
    drive->set = set;
    drive->context = soc == NULL ? NULL : pts_context_new(soc, &options);
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
    drive->ended = drive->ended || eval->stopped; /* by a limit of the walk */
    drive_free(drive);
    eval->drive = NULL;
    eval->silent = 0;
    eval->stopped = false;
    eval->frame = NULL;
    return drive;
}

/* The error code in the version that was named: in 9.2 three codes moved by one. */
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

static void report_drive(Eval *eval, const DriveFinding *found, const KernelSite *site,
                         const Launch *launch, const char *only_on, const char *runs_on)
{
    const PtsError *error = &found->error;
    bool everywhere = runs_on == NULL;
    bool certain =
        found->certain && everywhere && !site->assumed && (launch == NULL || launch->certain);
    bool foreign = everywhere && !drive_is_unbound(found) && launch_is_foreign(launch);
    if (!eval_drop_weaker(eval, found->rule, found->node, error, certain, foreign)) {
        return;
    }
    Frame frame = {.scope = site->scope};
    eval->frame = &frame;
    eval->reporting = true;
    eval->assumed = certain ? 0 : 1;
    Str where =
        everywhere ? STR("") : str_format(eval->arena, ", on %s; runs on %s", only_on, runs_on);
    EvalFinding *finding =
        eval_report(eval, found->rule, found->node, "%s (F%05X%.*s)", "%s（F%05X%.*s）",
                    error->message, shown_code(eval, error), STR_ARG(where));
    if (finding != NULL) {
        finding->code = error->code;
        Str zh = model_zh(eval->arena, str_from(error->message));
        Str place = everywhere
                        ? STR("")
                        : str_format(eval->arena, "，在 %s 上；在 %s 上可以运行", only_on, runs_on);
        finding->zh = str_format(eval->result, "记录 kernel 时会被拒绝：%.*s（F%05X%.*s）",
                                 STR_ARG(zh), shown_code(eval, error), STR_ARG(place));
    }
    if (finding != NULL && drive_is_unbound(found)) {
        drive_unbound_hint(eval, finding);
    } else if (finding != NULL && !everywhere) {
        finding->one_chip = true;
        eval_hint(eval, finding, "Name the hardware in .pypto-lint.yaml: soc: %s, or soc: %s.",
                  "请在 .pypto-lint.yaml 中写明硬件：soc: %s 或 soc: %s。", only_on, runs_on);
    } else if (finding != NULL && launch != NULL) {
        finding->foreign = foreign;
        const Unit *unit = eval->units.items[launch->unit];
        unsigned line = node_line(unit->module, launch->node);
        Str file = pyfile_path(unit->file);
        eval_hint(eval, finding, "Sizes and dtypes are those of the launch in line %u of %.*s.",
                  "尺寸和数据类型来自第 %u 行的调用（%.*s）。", line, STR_ARG(file));
    }
    if (finding != NULL) {
        eval->reporting = false;
        repair_describe(eval, finding, found, launch);
        EvalFinding copy = *finding; /* trying moves nothing, but walks anew */
        repair_propose(eval, &copy, found, site, launch);
        eval->out.findings.items[eval->out.findings.count - 1] = copy;
    }
    eval->reporting = false;
    eval->assumed = 0;
    eval->frame = NULL;
}

/* The launch that a finding depends on, or NULL when the annotations alone lead to it, so that no
 * other file is involved. `alone`: the walk without a launch, made on demand. */
static const Launch *needed_launch(Eval *eval, const DriveFinding *found, const KernelSite *site,
                                   const Launch *launch, const Drive **alone)
{
    if (!launch_is_foreign(launch)) {
        return launch;
    }
    if (*alone == NULL) {
        uint32_t so_far = eval->found;
        eval->probing = true;
        *alone = drive_all_sets(eval, site, NULL, chip_first(eval), drive_on);
        eval->probing = false;
        eval->found = so_far;
    }
    return drive_is_as_sure(*alone, found) ? NULL : launch;
}

/* Reports what one chip refuses; `other`: the walk for the other chip, or NULL. */
static void report_all(Eval *eval, const Drive *drive, const KernelSite *site, const Launch *launch,
                       const Drive *other, const char *chip, const char *other_chip)
{
    const Drive *alone = NULL;
    for (uint32_t i = 0; i < drive->findings.count; i++) {
        const DriveFinding *one = &drive->findings.items[i];
        bool everywhere = other == NULL || drive_has_finding(other, one);
        report_drive(eval, one, site, needed_launch(eval, one, site, launch, &alone), chip,
                     everywhere ? NULL : other_chip);
    }
}

/* Reports what only the other chip refuses, in a kernel that asks which chip it runs on. */
static void report_others(Eval *eval, const Drive *other, const KernelSite *site,
                          const Launch *launch, const Drive *drive, const char *chip,
                          const char *fine_on)
{
    for (uint32_t i = 0; i < other->findings.count; i++) {
        if (!drive_has_finding(drive, &other->findings.items[i])) {
            report_drive(eval, &other->findings.items[i], site, launch, chip, fine_on);
        }
    }
}

/* Does a walk for 9.1 refuse the same, or need not? */
static bool refuses_too(const Eval *eval, const Drive *old, const DriveFinding *found)
{
    bool same = found->newer || drive_has_finding(old, found);
    for (uint32_t i = 0; i < old->findings.count && !same; i++) {
        same = drive_is_old_form(eval, &old->findings.items[i], found);
    }
    return same;
}

/* When the version is not named and a loop binds names, keeps only those findings of 9.2 that 9.1
 * has as well. */
static void keep_of_both(Eval *eval, Drive *drive, const KernelSite *site, const Launch *launch,
                         const char *chip)
{
    bool probing = eval->probing;
    uint32_t kept = 0;
    if (!drive->rebinds || drive->findings.count == 0 || eval_newer(eval) != NEWER_DOUBTFUL) {
        return;
    }
    eval->probing = eval->as_old = true;
    const Drive *old = drive_all_sets(eval, site, launch, chip, drive_on);
    eval->probing = probing;
    eval->as_old = false;
    for (uint32_t i = 0; i < drive->findings.count; i++) {
        if (refuses_too(eval, old, &drive->findings.items[i])) {
            drive->findings.items[kept++] = drive->findings.items[i];
        }
    }
    drive->findings.count = kept;
}

bool drive_kernel(Eval *eval, const KernelSite *site, const Launch *launch)
{
    const char *first = chip_first(eval), *second = chip_second(eval);
    eval->limit = EVAL_NO_LIMIT; /* the walk for mistakes of form may have set it */
    eval->drive_sure = !site->assumed && (launch == NULL || launch->certain);
    eval->drive_foreign = launch_is_foreign(launch);
    Drive *drive = drive_all_sets(eval, site, launch, first, drive_on);
    bool whole = !drive->ended || drive->raised || drive->findings.count > 0;
    eval->out.contexts++;
    eval->out.whole += whole;
    eval->out.recorded += drive->operations - drive->skipped;
    eval->out.open += drive->skipped;
    eval->out.open_at = drive->skipped > 0 ? drive->open_at : eval->out.open_at;
    eval->out.stopped_at = whole ? eval->out.stopped_at : drive->node;
    facts_walked(eval, site, drive);
    keep_of_both(eval, drive, site, launch, first);
    advice_report(eval, &drive->advice, site,
                  !drive->ended && !drive->carried && !drive->outputs_open);
    const Drive *other = NULL;
    if (second != NULL && (drive->findings.count > 0 || drive->asked_chip)) {
        eval->probing = true;
        Drive *walked = drive_all_sets(eval, site, launch, second, drive_on);
        keep_of_both(eval, walked, site, launch, second);
        other = walked;
        eval->probing = false;
    }
    eval->found = 0;
    report_all(eval, drive, site, launch, other, first, second);
    if (other != NULL && drive->asked_chip) {
        report_others(eval, other, site, launch, drive, second, first);
    }
    return whole;
}
