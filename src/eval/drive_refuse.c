/* What the recorder refuses becomes a finding: each mistake once, under the rule that it breaks. */
#include "eval/drive_names.h"

#include "model/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Is the error about the walk or the recorder itself, not about the kernel? */
static bool is_own_error(const PtsError *error)
{
    return error->kind == PTS_NOT_IMPLEMENTED || error->kind == PTS_MEMORY_ERROR ||
           strstr(error->message, "not deterministic") != NULL ||
           strstr(error->message, "was left before") != NULL ||
           strstr(error->message, "operations are recorded inside") != NULL ||
           strstr(error->message, "walked to its end") != NULL;
}

bool drive_is_same_read(const DriveFinding *a, const DriveFinding *b)
{
    return a->error.code == PTS_CODE_UNWRITTEN && b->error.code == PTS_CODE_UNWRITTEN &&
           a->error.site.line == b->error.site.line &&
           strcmp(a->error.message, b->error.message) == 0;
}

/* The finding about the same mistake, or NULL. A missing tile is reported once, wherever it is
 * needed. An unwritten tensor is reported once, again only if this read is certain and the other
 * was not; two reads in one line are the same, because the end of a loop blames the statement. */
static DriveFinding *known_as(const Drive *drive, const DriveFinding *finding)
{
    bool no_tile = strstr(finding->error.message, "tile shape not set") != NULL;
    for (uint32_t i = 0; i < drive->findings.count; i++) {
        DriveFinding *one = &drive->findings.items[i];
        bool same = one->rule == finding->rule && one->error.code == finding->error.code;
        bool read = one->error.code == PTS_CODE_UNWRITTEN && one->certain >= finding->certain &&
                    strcmp(one->error.message, finding->error.message) == 0;
        if (same &&
            (one->node == finding->node || no_tile || read || drive_is_same_read(one, finding))) {
            return one;
        }
    }
    return NULL;
}

/* Does every run have the error, if the assumptions are right? 9.2 does not refuse a name without a
 * value: it reads memory that nothing has written, where the path is taken. */
static bool is_certain(const Eval *eval, const PtsError *error)
{
    bool silent = error->code == 0xF00004 && drive_carry(eval) == CARRY_NEW;
    return pts_surely_shows(eval->drive->program, silent ? PTS_CODE_UNWRITTEN : error->code);
}

bool drive_keep(Eval *eval, EvalRule rule, const PtsError *error)
{
    Drive *drive = eval->drive;
    bool of_writes = rule == EVAL_STATE && error->code != 0xF00002 && error->code != 0xF00004;
    DriveFinding one = {.rule = rule,
                        .node = eval->unit == 0 ? drive->node : eval->outer_call,
                        .error = *error,
                        .certain = is_certain(eval, error),
                        .assumed = drive->decided > 0,
                        .newer = drive->newer,
                        .refusal = drive->refusal};
    drive->refusal = NULL;
    drive->newer = false;
    bool counts = !drive->ended && !is_own_error(error);
    bool unsure = of_writes && drive->carried; /* who knows what was written */
    DriveFinding *known = counts && !unsure ? known_as(drive, &one) : NULL;
    if (known != NULL) {
        known->certain = known->certain || (one.certain && known->assumed == one.assumed);
    } else if (counts && !unsure) {
        VEC_PUSH(eval->arena, &drive->findings, one);
        drive->doubtful = drive->doubtful || (of_writes && !one.certain);
    }
    drive->doubtful = drive->doubtful && (known == NULL || !known->certain);
    if (rule == EVAL_VECTOR_TILE) {
        pts_config_lose_vector_tile(drive->context);
    } else if (rule == EVAL_CUBE_TILE) {
        pts_config_lose_cube_tile(drive->context);
    }
    if (pts_program_failed(drive->program) || drive->findings.count >= EVAL_FINDINGS) {
        drive_end(eval);
    }
    return one.certain;
}

void drive_refused(Eval *eval, EvalRule rule, const PtsError *error)
{
    drive_keep(eval, rule, error);
    eval->drive->outputs_open = true;
    eval->drive->carried = true;
}

bool drive_keep_read(Eval *eval, const PtsError *error)
{
    Drive *drive = eval->drive;
    if (drive->ended || error->code != PTS_CODE_UNWRITTEN) {
        return false;
    }
    bool certain = drive_keep(eval, EVAL_STATE, error);
    drive->outputs_open = drive->outputs_open || certain; /* the kernel fails anyway */
    return !drive->ended;
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
    if (op == PTS_OP_CONV && error->code == 0xF00003) {
        return EVAL_CUBE_TILE; /* it has no tiles */
    }
    if (op == PTS_OP_NOP && error->code == 0xF74006) {
        return EVAL_WINDOW; /* told at the end of a loop */
    }
    switch (error->code) {
    case 0xF0000A:
    case 0xF21008:
        return EVAL_DYNAMIC;
    case PTS_CODE_UNWRITTEN:
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
