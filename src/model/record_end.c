/* The end of a recording: the checks over the whole program. */
#include "model/record.h"

/* ---- parameters ---- */

static bool check_parameters(PtsProgram *program)
{
    const PtsSlotTrack *tracks = program->recorder->tracks.items;
    bool any_written = program->parameter_count == 0;
    for (int i = 0; i < program->parameter_count; i++) {
        any_written = any_written || tracks[i].written_ever;
    }
    if (!any_written) {
        return pts_record_warn(program, 0, "no-output", program->site,
                               "no parameter is written: the kernel has no output");
    }
    for (int i = 0; i < program->parameter_count; i++) {
        if (!tracks[i].written_ever && !tracks[i].read_ever &&
            !pts_record_warn(program, 0, "never-written", program->slots[i].site,
                             "parameter %s is never written, and never read",
                             pts_slot_name(program, (PtsSlot)i))) {
            return false;
        }
    }
    return true;
}

/* ---- symbols that no run binds ---- */

static void mark_list(PtsSymTable *symbols, int count, const PtsSym *list)
{
    for (int i = 0; i < count; i++) {
        pts_sym_mark(symbols, list[i]);
    }
}

static void mark_instruction(PtsSymTable *symbols, const PtsInstruction *instruction)
{
    for (int i = 0; i < instruction->operand_count; i++) {
        if (instruction->operands[i].kind == PTS_OPERAND_SYM) {
            pts_sym_mark(symbols, instruction->operands[i].sym);
        }
    }
    const PtsAttributes *attributes = instruction->attributes;
    if (attributes != NULL) {
        mark_list(symbols, attributes->shape_rank, attributes->shape);
        mark_list(symbols, attributes->offset_rank, attributes->offsets);
        mark_list(symbols, attributes->valid_rank, attributes->valid);
        mark_list(symbols, 1, &attributes->diagonal);
    }
    if (instruction->loop != NULL) {
        const PtsLoop *loop = &instruction->loop->loop;
        const PtsSym bounds[3] = {loop->start, loop->stop, loop->step};
        mark_list(symbols, 3, bounds);
    }
}

static bool is_bound(const PtsProgram *program, PtsSym symbol)
{
    bool bound = false;
    for (uint32_t i = 0; i < program->dim_count && !bound; i++) {
        bound = program->dims[i].symbol == symbol;
    }
    return bound;
}

/* Symbols of the user's that stand for no axis are 0 in every run. */
static bool check_symbols(PtsProgram *program)
{
    PtsContext *context = program->context;
    PtsSymTable *symbols = pts_context_symbols(context);
    pts_sym_unmark_all(symbols);
    for (uint32_t i = 0; i < program->block_count; i++) {
        const PtsBlock *block = &program->blocks[i];
        pts_sym_mark(symbols, block->condition);
        for (uint32_t j = 0; j < block->count; j++) {
            mark_instruction(symbols, block->instructions[j]);
        }
    }
    for (uint32_t i = 0; i < context->names.count; i++) {
        const PtsName *name = &context->names.items[i];
        if (name->symbol != PTS_SYM_NONE && pts_sym_is_marked(symbols, name->symbol) &&
            !is_bound(program, name->symbol) &&
            !pts_record_warn(program, 0, "unbound-symbol", program->site,
                             "the symbol %s is bound to no axis of a parameter: it is 0",
                             name->text)) {
            return false;
        }
    }
    return true;
}

/* ---- end ---- */

static bool finish(PtsProgram *program)
{
    const PtsRecorder *recorder = program->recorder;
    if (recorder->depth != 1 || !recorder->frames[0].complete) {
        return pts_fail(&program->recorder->failure, PTS_E_RUNTIME,
                        "the body was not walked to its end");
    }
    program->bodies[0].end_slot = program->slot_count;
    program->final = ARENA_ARRAY(&program->arena, PtsSlotState, (size_t)program->slot_count + 1);
    for (uint32_t i = 0; i < program->slot_count; i++) {
        program->final[i] = recorder->states.items[i];
        program->final[i].wide = NULL;
        program->final[i].unclear = NULL;
    }
    return check_parameters(program) && check_symbols(program);
}

bool pts_program_end(PtsProgram *program, PtsError *error)
{
    jmp_buf *env = pts_record_open(program, error);
    if (env == NULL) {
        if (program != NULL) {
            pts_record_stop(program);
        }
        return false;
    }
    bool ok = setjmp(*env) == 0 ? pts_record_close(program, finish(program), error)
                                : pts_record_no_memory(program, error);
    program->finished = ok;
    pts_record_stop(program);
    return ok;
}
