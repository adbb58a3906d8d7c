/* What launches write of their parameters, and what they leave unwritten. */
#include "model/error.h"
#include "sim/sanitize.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- before ---- */

/* Does the instruction read the parameter? Descriptions of its memory and the destinations of
 * writes do not count. */
static bool reads(const PtsProgram *program, const PtsInstruction *instruction, PtsSlot parameter)
{
    for (int i = 0; i < instruction->operand_count; i++) {
        const PtsOperand *operand = &instruction->operands[i];
        bool is_description = instruction->op == PTS_OP_RESHAPE && instruction->result_count > 0 &&
                              program->slots[instruction->results[0].slot].base != PTS_SLOT_NONE;
        if (operand->kind == PTS_OPERAND_SLOT && operand->slot != instruction->written &&
            !is_description && pts_slot_root(program, operand->slot) == parameter) {
            return true;
        }
    }
    return false;
}

static bool is_read(const PtsProgram *program, PtsSlot parameter)
{
    for (uint32_t block = 0; block < program->block_count; block++) {
        for (uint32_t i = 0; i < program->blocks[block].count; i++) {
            const PtsInstruction *instruction = program->blocks[block].instructions[i];
            if (instruction->kind != PTS_INSTRUCTION_LOOP &&
                reads(program, instruction, parameter)) {
                return true;
            }
        }
    }
    return false;
}

Output *sanitize_begin_outputs(PtsProgram *program)
{
    bool is_new = program->outputs == NULL;
    if (is_new) {
        program->outputs = calloc((size_t)program->parameter_count + 1, sizeof(Output));
    }
    for (int i = 0; program->outputs != NULL && i < program->parameter_count; i++) {
        Output *output = &program->outputs[i];
        ranges_free(&output->written);
        bool known = is_new ? is_read(program, (PtsSlot)i) : output->is_read;
        *output = (Output){.is_read = known};
    }
    return program->outputs;
}

void sanitize_forget_outputs(PtsProgram *program)
{
    for (int i = 0; program->outputs != NULL && i < program->parameter_count; i++) {
        ranges_free(&program->outputs[i].written);
    }
    free(program->outputs);
    program->outputs = NULL;
}

/* ---- writes ---- */

void sanitize_note_last(Shadow *shadow, const PtsInstruction *instruction, const PtsTensor *region,
                        const void *base)
{
    int64_t first = 0;
    int64_t last = 0;
    for (int i = 0; i < region->rank; i++) {
        if (region->valid[i] <= 0) {
            return;
        }
        last += (region->valid[i] - 1) * region->stride[i];
    }
    int64_t size = (int64_t)pts_dtype_bytes(region->dtype);
    first = (const char *)region->data - (const char *)base;
    last = first + last * size;
    Box low = shadow_box(shadow, first, first + size);
    Box high = shadow_box(shadow, last, last + size);
    for (int i = 0; i < shadow->rank; i++) { /* corners: exact where the axes are the same */
        shadow->last.first[i] = low.first[i] < high.first[i] ? low.first[i] : high.first[i];
        shadow->last.last[i] = low.last[i] > high.last[i] ? low.last[i] : high.last[i];
    }
    shadow->last_site = instruction->site;
}

static Output *output_of(const Vm *vm, const RtBuffer *memory)
{
    for (int i = 0; memory->is_parameter && i < vm->program->parameter_count; i++) {
        if (vm->parameters[i] == memory) {
            return &vm->sanitizer->outputs[i];
        }
    }
    return NULL;
}

static bool add_run(void *context, int64_t begin, int64_t bytes)
{
    Ranges *ranges = context;
    return ranges_add(ranges, begin, begin + bytes, 0);
}

/* The region of a parameter's memory was written by this launch. */
bool sanitize_note_output(const Vm *vm, const PtsInstruction *instruction, const RtBuffer *memory,
                          const PtsTensor *region)
{
    Output *output = output_of(vm, memory);
    int64_t count;
    if (output == NULL || (vm->sanitizer->kinds & PTS_SANITIZE_INIT) == 0 ||
        !rt_element_count(region->rank, region->valid, &count) || count == 0) {
        return true;
    }
    if (!output->has_writes) {
        const PtsArgument *argument = &vm->arguments[output - vm->sanitizer->outputs];
        ranges_init(&output->written, memory->bytes);
        output->has_writes = true;
        output->form.rank = argument->rank;
        output->form.dtype = argument->dtype;
        memcpy(output->form.shape, argument->shape, sizeof output->form.shape);
    }
    sanitize_note_last(&output->form, instruction, region, memory->data);
    int64_t rows = output->form.last.last[0] - output->form.last.first[0] + 1;
    output->rows = rows > output->rows ? rows : output->rows;
    return shadow_runs(region, region->valid, memory->data, add_run, &output->written);
}

/* ---- after ---- */

/* What the stand-in for torch_npu fills memory with that the program has not initialised
 * (runtime/torch_npu/_routes.py); false for dtypes in which it may be data. */
static bool unset_pattern(PtsDtype dtype, uint64_t *pattern)
{
    switch (dtype) {
    case PTS_FP16:
        *pattern = 0x7E5C;
        return true;
    case PTS_BF16:
        *pattern = 0x7FDC;
        return true;
    case PTS_FP32:
        *pattern = 0x7FDC3C3C;
        return true;
    case PTS_DOUBLE:
        *pattern = 0x7FFBDC3C3C3C3C3C;
        return true;
    case PTS_INT32:
        *pattern = INT32_MAX - 0x25;
        return true;
    case PTS_INT64:
        *pattern = INT64_MAX - 0x25;
        return true;
    default:
        return false;
    }
}

/* Unwritten elements of an output. */
typedef struct Rest {
    Box box;
    bool any;
    int64_t count, begin, end;
} Rest;

static void add_rest(Rest *rest, const Shadow *form, int64_t begin, int64_t end)
{
    int64_t row = (int64_t)pts_dtype_bytes(form->dtype) * form->shape[form->rank - 1];
    for (int64_t at = begin; at < end && row > 0;) {
        int64_t stop = (at / row + 1) * row;
        stop = stop < end ? stop : end;
        Box box = shadow_box(form, at, stop);
        shadow_join(form->rank, &rest->box, &box, &rest->any);
        at = stop;
    }
    rest->begin = rest->count == 0 ? begin : rest->begin;
    rest->end = end;
    rest->count += (end - begin) / (int64_t)pts_dtype_bytes(form->dtype);
}

/* Looks through what is not written; with `memory`, only for elements that hold the pattern. */
static Rest rest_of(const Output *output, const char *memory, uint64_t pattern)
{
    Rest rest = {.any = false};
    int64_t size = (int64_t)pts_dtype_bytes(output->form.dtype);
    Range found = {0, 0, 0};
    for (int64_t at = 0; at < output->written.size; at = found.end) {
        bool more = ranges_find(&output->written, at, output->written.size, &found);
        int64_t end = more ? found.begin : output->written.size;
        for (int64_t from = at; from < end && memory != NULL; from += size) {
            if (memcmp(memory + from, &pattern, (size_t)size) == 0) {
                add_rest(&rest, &output->form, from, from + size);
            }
        }
        if (memory == NULL && end > at) {
            add_rest(&rest, &output->form, at, end);
        }
        found.end = more ? found.end : output->written.size;
    }
    return rest;
}

/* Are these the last rows, fewer than the windows have that fill all before them? */
static bool is_tail(const Output *output, const Rest *rest)
{
    const Shadow *form = &output->form;
    int64_t total = form->shape[0];
    int64_t left = rest->box.last[0] - rest->box.first[0] + 1;
    int64_t row = 1;
    for (int i = 1; i < form->rank; i++) {
        row *= form->shape[i];
    }
    int64_t written = total - left;
    return !output->is_read && rest->box.last[0] == total - 1 && rest->count == left * row &&
           left < output->rows && written % output->rows == 0 && written / output->rows >= 2;
}

static void say_left(const Vm *vm, Output *output, const Rest *rest)
{
    PtsSlot slot = (PtsSlot)(output - vm->sanitizer->outputs);
    const Shadow *form = &output->form;
    char where[160], last[160];
    bool is_one, is_last_one;
    sanitize_box_text(form, &rest->box, true, where, sizeof where, &is_one);
    sanitize_box_text(form, &form->last, false, last, sizeof last, &is_last_one);
    int64_t box = 1;
    for (int i = 0; i < form->rank; i++) {
        box *= rest->box.last[i] - rest->box.first[i] + 1;
    }
    char some[48] = "";
    if (rest->count < box) {
        snprintf(some, sizeof some, "%lld element%s of ", (long long)rest->count,
                 rest->count == 1 ? "" : "s");
        is_one = rest->count == 1;
    }
    snprintf(output->text, sizeof output->text,
             "%s%s %s %s never written; the last write was line %d, %s", some,
             pts_slot_name(vm->program, slot), where, is_one ? "was" : "were", form->last_site.line,
             last);
    output->is_left = true;
    output->begin = rest->begin;
    output->end = rest->end;
}

bool sanitize_outputs(Vm *vm, PtsError *error)
{
    for (int i = 0; i < vm->program->parameter_count; i++) {
        Output *output = &vm->sanitizer->outputs[i];
        uint64_t pattern;
        if (!output->has_writes || output->form.rank < 1) {
            continue;
        }
        Rest rest = {.any = false};
        if (unset_pattern(output->form.dtype, &pattern)) {
            rest = rest_of(output, vm->parameters[i]->data, pattern);
        }
        output->is_unset = rest.any;
        if (!rest.any) {
            rest = rest_of(output, NULL, 0);
            rest.any = rest.any && is_tail(output, &rest);
        }
        if (rest.any) {
            say_left(vm, output, &rest);
        }
        if (rest.any && vm->strict) {
            pts_fail(error, PTS_E_UNWRITTEN, "%s [unwritten-output]", output->text);
            pts_error_at(error, output->form.last_site);
            return false;
        }
    }
    return true;
}

/* ---- what callers ask ---- */

bool pts_unwritten(const PtsProgram *program, size_t index, PtsUnwritten *unwritten)
{
    for (int i = 0; program->outputs != NULL && i < program->parameter_count; i++) {
        const Output *output = &program->outputs[i];
        if (!output->is_left || index-- > 0) {
            continue;
        }
        *unwritten = (PtsUnwritten){i,           output->is_unset,       output->begin,
                                    output->end, output->form.last_site, output->text};
        return true;
    }
    return false;
}

bool pts_wrote(const PtsProgram *program, int parameter, int64_t begin, int64_t end)
{
    Range found;
    return program->outputs != NULL && parameter >= 0 && parameter < program->parameter_count &&
           ranges_find(&program->outputs[parameter].written, begin, end, &found);
}
