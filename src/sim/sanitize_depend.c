/* Which elements of a result depend on elements that hold no data: the operation runs again, a few
 * times, with other numbers in their place; what changes depends on them. So nothing has to be
 * known of what an operation computes. What a kernel does not write at all is found in the same
 * way: the memory of its results holds something else each time. */
#include "model/error.h"
#include "sim/sanitize.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES = 3 };

/* One operand with other numbers, and results of its own. */
typedef struct Trial {
    Vm *vm;
    const PtsInstruction *instruction;
    const Dependence *dependence;
    PtsKernelCall call;
    PtsKernelOperand *operands;
    PtsTensor *tensors;
    PtsTensor results[PTS_MAX_RESULTS];
    void *memory[TRIES][PTS_MAX_RESULTS];
    int64_t bytes[PTS_MAX_RESULTS];
    void **copies;   /* dense copies of whole operands; NULL = the operand itself */
    Shadow replaced; /* bytes of the copy that get other numbers: those with the tag */
} Trial;

static void end_trial(Trial *trial)
{
    for (int i = 0; i < TRIES; i++) {
        for (int j = 0; j < PTS_MAX_RESULTS; j++) {
            free(trial->memory[i][j]);
        }
    }
    for (int i = 0; trial->copies != NULL && i < trial->instruction->operand_count; i++) {
        free(trial->copies[i]);
    }
    ranges_free(&trial->replaced.undefined);
    free(trial->copies);
    free(trial->operands);
    free(trial->tensors);
}

static void *take(int64_t bytes)
{
    return aligned_alloc(64, ((size_t)(bytes > 0 ? bytes : 1) + 63) & ~(size_t)63);
}

/* ---- preparation ---- */

/* The operands as they are, without what is kept unrounded of them. */
static bool copy_call(Trial *trial)
{
    const PtsInstruction *instruction = trial->instruction;
    size_t count = (size_t)instruction->operand_count;
    trial->operands = calloc(count + 1, sizeof *trial->operands);
    trial->tensors = calloc(count + 1, sizeof *trial->tensors);
    trial->copies = calloc(count + 1, sizeof *trial->copies);
    if (trial->operands == NULL || trial->tensors == NULL || trial->copies == NULL) {
        return false;
    }
    memcpy(trial->operands, instruction->code->operands, count * sizeof *trial->operands);
    for (size_t i = 0; i < count; i++) {
        if (instruction->operands[i].kind == PTS_OPERAND_SLOT) {
            trial->tensors[i] = rt_tensor(&trial->vm->slots[instruction->operands[i].slot]);
            trial->operands[i].tensor = &trial->tensors[i];
        }
    }
    trial->call = (PtsKernelCall){.op = instruction->op,
                                  .operand_count = instruction->operand_count,
                                  .operands = trial->operands,
                                  .attributes = &instruction->code->attributes,
                                  .result_count = instruction->result_count,
                                  .threads = trial->vm->threads,
                                  .device_sums = trial->vm->device_sums};
    return true;
}

/* A positive number, a negative one, and what is more than any. */
static void store_other(void *at, PtsDtype dtype, int number)
{
    static const double reals[TRIES] = {1.5, -2.75, NAN};
    static const int64_t integers[TRIES] = {0, 1, 93};
    if (pts_dtype_is_float(dtype)) {
        pts_store_real(at, dtype, reals[number]);
    } else {
        pts_store_integer(at, dtype, dtype == PTS_BOOL ? number & 1 : integers[number]);
    }
}

/* Puts numbers where the set has the tag; `all`: whatever the tag. */
static void replace_elements(const Ranges *set, char *memory, PtsDtype dtype, bool all,
                             uint32_t tag, int number)
{
    int64_t size = (int64_t)pts_dtype_bytes(dtype);
    Range found;
    for (int64_t at = 0; ranges_find(set, at, set->size, &found); at = found.end) {
        bool chosen = all || found.tag == tag;
        for (int64_t byte = found.begin; chosen && byte + size <= found.end; byte += size) {
            store_other(memory + byte, dtype, number);
        }
    }
}

/* What of a dense copy holds no data: elements of the valid part, or all beyond it. */
static bool find_undefined(const RtValue *value, const PtsTensor *from, const PtsTensor *to,
                           bool beyond, Shadow *undefined)
{
    if (beyond) {
        return shadow_undefine(undefined, to, to->shape, to->data, 0) &&
               shadow_define(undefined, to, to->valid, to->data);
    }
    ShadowCopy copy = {value->buffer->shadow, value->buffer->data, undefined, to->data,
                       SHADOW_NEVER_WRITTEN};
    return shadow_copy(&copy, from, from->valid, to, to->valid);
}

/* Makes a dense copy of an operand, in which what holds no data has a number, lest it hide what is
 * looked for: a sum with NaN is NaN whatever is added. */
static bool copy_operand(Trial *trial, int number)
{
    const RtValue *value = &trial->vm->slots[trial->instruction->operands[number].slot];
    PtsTensor from = rt_tensor(value);
    PtsTensor *to = &trial->tensors[number];
    bool is_chosen = number == trial->dependence->operand;
    int64_t count = 0;
    rt_element_count(from.rank, from.shape, &count);
    int64_t bytes = count * (int64_t)pts_dtype_bytes(from.dtype);
    trial->copies[number] = take(bytes);
    if (trial->copies[number] == NULL) {
        return false;
    }
    to->data = trial->copies[number];
    to->storage = NULL;
    rt_dense_strides(to->rank, to->shape, to->stride);
    rt_copy_region(&from, to, from.shape);
    bool good = true;
    for (int beyond = 0; beyond < 2 && good; beyond++) {
        Shadow undefined = {.slot = PTS_SLOT_NONE};
        ranges_init(&undefined.undefined, bytes);
        good = find_undefined(value, &from, to, beyond != 0, &undefined);
        replace_elements(&undefined.undefined, to->data, to->dtype, true, 0, 0);
        bool is_kind = (beyond != 0) == (trial->dependence->kind == PTS_SANITIZE_BOUNDS);
        if (is_chosen && is_kind) {
            trial->replaced = undefined;
        } else {
            ranges_free(&undefined.undefined);
        }
    }
    return good;
}

static bool copy_operands(Trial *trial)
{
    for (int i = 0; i < trial->instruction->operand_count; i++) {
        if (trial->instruction->operands[i].kind != PTS_OPERAND_SLOT) {
            continue;
        }
        const RtValue *value = &trial->vm->slots[trial->instruction->operands[i].slot];
        bool is_clean = value->buffer->shadow == NULL && rt_is_fully_valid(&value->tensor);
        if ((i == trial->dependence->operand || !is_clean) && !copy_operand(trial, i)) {
            return false;
        }
    }
    return true;
}

static bool make_results(Trial *trial, const RtValue *results)
{
    for (int i = 0; i < trial->instruction->result_count; i++) {
        int64_t count = 0;
        trial->results[i] = rt_tensor(&results[i]);
        rt_element_count(trial->results[i].rank, trial->results[i].shape, &count);
        trial->bytes[i] = count * (int64_t)pts_dtype_bytes(trial->results[i].dtype);
        for (int t = 0; t < TRIES; t++) {
            trial->memory[t][i] = take(trial->bytes[i]);
            if (trial->memory[t][i] == NULL) {
                return false;
            }
        }
        trial->call.results[i] = &trial->results[i];
    }
    return true;
}

/* ---- running ---- */

/* False when the operation cannot do with such numbers: then nothing is known. */
static bool run_trial(Trial *trial, int number)
{
    static const unsigned char before[TRIES] = {0x11, 0x36, 0x63};
    const PtsTensor *chosen = &trial->tensors[trial->dependence->operand];
    replace_elements(&trial->replaced.undefined, chosen->data, chosen->dtype, false,
                     trial->dependence->tag, number);
    for (int i = 0; i < trial->instruction->result_count; i++) {
        trial->results[i].data = trial->results[i].storage = trial->memory[number][i];
        memset(trial->memory[number][i], before[number], (size_t)trial->bytes[i]);
    }
    trial->call.scratch = trial->vm->scratch;
    return pts_kernel_run(&trial->call, NULL);
}

/* ---- comparison ---- */

static bool is_nan(const void *at, PtsDtype dtype)
{
    return pts_dtype_is_float(dtype) && isnan(pts_load_real(at, dtype));
}

typedef struct Compared {
    const Trial *trial;
    int result;
    Shadow *shadow;
    uint32_t tag;
} Compared;

static bool differs(const Compared *compared, int64_t at, int64_t size)
{
    PtsDtype dtype = compared->trial->results[compared->result].dtype;
    const char *first = (const char *)compared->trial->memory[0][compared->result] + at;
    for (int t = 1; t < TRIES; t++) {
        const char *other = (const char *)compared->trial->memory[t][compared->result] + at;
        if (memcmp(first, other, (size_t)size) != 0 &&
            !(is_nan(first, dtype) && is_nan(other, dtype))) {
            return true;
        }
    }
    return false;
}

static bool compare_run(void *context, int64_t begin, int64_t bytes)
{
    const Compared *compared = context;
    int64_t size = (int64_t)pts_dtype_bytes(compared->trial->results[compared->result].dtype);
    for (int64_t at = begin; at < begin + bytes; at += size) {
        int64_t from = at;
        while (at < begin + bytes && differs(compared, at, size)) {
            at += size;
        }
        if (at > from && !ranges_add(&compared->shadow->undefined, from, at, compared->tag)) {
            return false;
        }
    }
    return true;
}

/* Results are dense and alone in their memory. */
static bool mark_results(const Trial *trial, RtValue *results)
{
    for (int i = 0; i < trial->instruction->result_count; i++) {
        RtBuffer *buffer = results[i].buffer;
        bool is_new = buffer->shadow == NULL;
        Shadow *shadow = is_new ? shadow_new(buffer->bytes) : buffer->shadow;
        if (shadow == NULL) {
            return false;
        }
        shadow->slot = trial->instruction->results[i].slot;
        shadow->dtype = results[i].tensor.dtype;
        shadow->rank = results[i].tensor.rank;
        memcpy(shadow->shape, results[i].tensor.shape, sizeof shadow->shape);
        Compared compared = {trial, i, shadow, trial->dependence->cause};
        PtsTensor tensor = trial->results[i];
        bool good = shadow_runs(&tensor, tensor.valid, tensor.data, compare_run, &compared);
        if (is_new && (!good || ranges_is_empty(&shadow->undefined))) {
            shadow_free(shadow);
            shadow = NULL;
        }
        buffer->shadow = shadow;
        if (!good) {
            return false;
        }
    }
    return true;
}

bool sanitize_depend(Vm *vm, const PtsInstruction *instruction, const Dependence *dependence,
                     RtValue *results, PtsError *error)
{
    Trial trial = {.vm = vm, .instruction = instruction, .dependence = dependence};
    bool good = copy_call(&trial) && copy_operands(&trial) && make_results(&trial, results);
    if (!good) {
        end_trial(&trial);
        return pts_fail_memory(error);
    }
    good = vm_reserve_scratch(vm, pts_kernel_scratch(&trial.call), error);
    bool known = good;
    for (int i = 0; i < TRIES && known; i++) {
        known = run_trial(&trial, i);
    }
    if (good && known && !mark_results(&trial, results)) {
        good = pts_fail_memory(error);
    }
    end_trial(&trial);
    return good;
}
