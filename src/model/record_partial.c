/* Partial programs: what their callers do not know. */
#include "model/partial.h"
#include "model/record.h"

#include <stdio.h>

/* ---- assumptions, the end ---- */

void pts_assume(PtsProgram *program)
{
    if (program->recorder != NULL) {
        program->recorder->assumed = true;
    }
}

bool pts_program_failed(const PtsProgram *program)
{
    return program->recorder == NULL || program->recorder->failed;
}

bool pts_record_fatal(PtsProgram *program)
{
    program->recorder->fatal = true;
    return false;
}

/* ---- integers ---- */

bool pts_sym_is_nothing(const PtsContext *context, PtsSym a)
{
    return pts_sym_is_unknown(context, a) &&
           a == pts_sym_nothing(pts_context_symbols(context), NULL);
}

static PtsSym new_unknown(PtsProgram *program, int64_t least, int64_t most)
{
    return pts_sym_new_unknown(pts_context_symbols(program->context), least, most,
                               &program->recorder->failure);
}

static PtsSym unknown(PtsProgram *program, PtsSite site, int64_t least, int64_t most)
{
    PtsEvent *due;
    if (program->recorder->depth == 0) {
        return new_unknown(program, least, most);
    }
    if (!pts_record_on_path(program) || !pts_record_due(program, &due)) {
        return PTS_SYM_NONE;
    }
    if (due != NULL) {
        if (due->instruction == NULL || due->instruction->kind != PTS_INSTRUCTION_UNKNOWN) {
            pts_record_differs(program, site, "a number that is not known");
            return PTS_SYM_NONE;
        }
        pts_record_top(program->recorder)->event++;
        return due->instruction->symbol;
    }
    PtsInstruction *instruction = ARENA_NEW(&program->arena, PtsInstruction);
    *instruction = (PtsInstruction){.kind = PTS_INSTRUCTION_UNKNOWN,
                                    .written = PTS_SLOT_NONE,
                                    .label = pts_context_scope(program->context)->label,
                                    .symbol = new_unknown(program, least, most),
                                    .site = site};
    pts_record_add(program, instruction, PTS_SLOT_NONE);
    return instruction->symbol;
}

PtsSym pts_unknown(PtsProgram *program, PtsSite site, int64_t least, int64_t most, PtsError *error)
{
    PTS_RECORD_ENTER(program, error, PTS_SYM_NONE);
    PtsSym symbol = unknown(program, site, least, most);
    pts_record_close(program, symbol != PTS_SYM_NONE, error);
    return symbol;
}

/* ---- tensors ---- */

PtsSlot pts_declare_partial(PtsProgram *program, PtsDtype dtype, int rank, const PtsSym *shape,
                            PtsFormat format, const char *name, PtsSite site, PtsError *error)
{
    PtsSym extents[PTS_MAX_RANK];
    PtsSym nothing = pts_sym_nothing(pts_context_symbols(program->context), error);
    for (int i = 0; i < rank && i < PTS_MAX_RANK; i++) {
        extents[i] = shape[i] == PTS_SYM_NONE ? nothing : shape[i];
    }
    PtsSlot slot = nothing == PTS_SYM_NONE
                       ? PTS_SLOT_NONE
                       : pts_declare(program, dtype, rank, extents, format, name, site, error);
    if (slot != PTS_SLOT_NONE) {
        PtsSlotState *state = &program->recorder->states.items[slot];
        state->written = PTS_WRITTEN;
        state->is_vague = true;
        state->level = state->form_level = (uint32_t)program->recorder->depth - 1;
        program->recorder->tracks.items[slot].written_ever = true;
        program->recorder->tracks.items[slot].shares = true;
    }
    return slot;
}

static void lose(PtsProgram *program, PtsSlot slot)
{
    PtsRecorder *recorder = program->recorder;
    PtsSlotState *state = pts_record_change(program, slot);
    state->is_lost = true;
    state->written = PTS_WRITTEN;
    state->wide = NULL;
    state->level = state->form_level = (uint32_t)recorder->depth - 1;
    recorder->integer_writes++;
    recorder->tracks.items[slot].read_segment = 0;
    recorder->tracks.items[slot].written_ever = recorder->tracks.items[slot].read_ever = true;
}

bool pts_slot_lose(PtsProgram *program, PtsSlot slot, PtsError *error)
{
    PTS_RECORD_ENTER(program, error, false);
    bool ok = slot < program->slot_count && program->recorder->depth > 0;
    if (ok) {
        PtsSlot root = pts_slot_root(program, slot); /* a write arrives there, too */
        lose(program, slot);
        if (root != slot) {
            lose(program, root);
        }
    }
    pts_record_close(program, true, error);
    return ok;
}

void pts_trust_reads(PtsProgram *program, bool trust)
{
    if (program->recorder != NULL) {
        program->recorder->trusts_reads = trust;
    }
}

/* ---- tiles ---- */

void pts_config_lose_vector_tile(PtsContext *context)
{
    pts_context_scope(context)->vector_tile_count = -1;
}

void pts_config_lose_cube_tile(PtsContext *context)
{
    const int64_t none = PTS_TILE_UNKNOWN;
    pts_context_scope(context)->cube_tile =
        (PtsCubeTile){.set = true, .m = {none, none}, .k = {none, none, none}, .n = {none, none}};
}
