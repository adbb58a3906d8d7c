/* Recording t[i, j]: an integer that is known only when the program runs. */
#include "model/infer.h"

#include <stdio.h>
#include <string.h>

static bool check_element_read(PtsProgram *program, PtsSlot slot, int rank, const PtsSym *index,
                               PtsSite site)
{
    PtsRecorder *recorder = program->recorder;
    if (!pts_record_visible(program, slot, site) || !pts_record_clear(program, slot, site)) {
        return false;
    }
    const PtsSlotState *state = &recorder->states.items[slot];
    bool is_parameter = program->slots[slot].parameter >= 0;
    bool integer = pts_dtype_is_integer(state->dtype) && state->dtype != PTS_INT4;
    is_parameter = is_parameter || program->slots[pts_slot_root(program, slot)].parameter >= 0;
    bool open = state->dtype == PTS_BOTTOM; /* partial programs */
    if (!open && !(is_parameter ? integer : state->dtype == PTS_INT32)) {
        return pts_fail(&recorder->failure, PTS_E_TYPE,
                        "single elements can be read from %s tensors only, not from %s",
                        is_parameter ? "integer" : "DT_INT32", pts_dtype_name(state->dtype));
    }
    if (rank != state->rank || rank > PTS_MAX_INDEX_RANK) {
        return pts_fail(&recorder->failure, PTS_E_VALUE, "%d subscripts for a tensor of %d axes",
                        rank, state->rank);
    }
    for (int i = 0; i < rank; i++) {
        if (!pts_sym_is_valid(program->context, index[i])) {
            return pts_fail(&recorder->failure, PTS_E_VALUE,
                            "subscript %d is not a symbolic scalar", i);
        }
    }
    return pts_record_read(program, slot, site, false);
}

static PtsInstruction *new_read(PtsProgram *program, PtsSlot slot, int rank, const PtsSym *index,
                                PtsSite site)
{
    Arena *arena = &program->arena;
    char name[64];
    snprintf(name, sizeof name, "%.40s[...]", pts_slot_name(program, slot));
    PtsSym symbol =
        pts_sym_new_atom(pts_context_symbols(program->context), name, &program->recorder->failure);
    if (symbol == PTS_SYM_NONE) {
        return NULL;
    }
    PtsInstruction *instruction = ARENA_NEW(arena, PtsInstruction);
    PtsOperand *operand = ARENA_NEW(arena, PtsOperand);
    PtsAttributes *attributes = ARENA_NEW(arena, PtsAttributes);
    *operand = (PtsOperand){.kind = PTS_OPERAND_SLOT, .slot = slot, .sym = PTS_SYM_NONE};
    *attributes = PTS_ATTRIBUTES;
    attributes->offset_rank = rank;
    memcpy(attributes->offsets, index, sizeof *index * (size_t)rank);
    *instruction = (PtsInstruction){.kind = PTS_INSTRUCTION_READ,
                                    .operand_count = 1,
                                    .operands = operand,
                                    .attributes = attributes,
                                    .written = PTS_SLOT_NONE,
                                    .label = pts_context_scope(program->context)->label,
                                    .symbol = symbol,
                                    .site = site};
    pts_sym_is_atom(pts_context_symbols(program->context), symbol, &instruction->atom);
    return instruction;
}

static bool is_read_at(const PtsInstruction *read, int rank, const PtsSym *index)
{
    return read->attributes->offset_rank == rank &&
           memcmp(read->attributes->offsets, index, sizeof *index * (size_t)rank) == 0;
}

/* The same element, read before on this path with no write to an integer tensor since: the same
 * number, so that the length of t[b[i] : b[i] + 1] is known. */
static PtsSym read_again(PtsProgram *program, PtsSlot slot, int rank, const PtsSym *index)
{
    PtsRecorder *recorder = program->recorder;
    uint32_t path = pts_record_top(recorder)->serial, count = recorder->element_read_count;
    for (uint32_t back = 1; back <= PTS_RECENT_READS && back <= count; back++) {
        const PtsElementRead *read = &recorder->element_reads[(count - back) % PTS_RECENT_READS];
        if (read->path == path && read->writes == recorder->integer_writes &&
            read->instruction->operands[0].slot == slot &&
            is_read_at(read->instruction, rank, index)) {
            return read->instruction->symbol;
        }
    }
    return PTS_SYM_NONE;
}

static PtsSym remember_read(PtsRecorder *recorder, const PtsInstruction *instruction)
{
    recorder->element_reads[recorder->element_read_count++ % PTS_RECENT_READS] =
        (PtsElementRead){instruction, pts_record_top(recorder)->serial, recorder->integer_writes};
    return instruction->symbol;
}

static PtsSym element_read(PtsProgram *program, PtsSlot slot, int rank, const PtsSym *index,
                           PtsSite site)
{
    PtsEvent *due;
    if (!pts_record_on_path(program) || !check_element_read(program, slot, rank, index, site)) {
        return PTS_SYM_NONE;
    }
    PtsSym known = read_again(program, slot, rank, index);
    if (known != PTS_SYM_NONE || !pts_record_due(program, &due)) {
        return known;
    }
    if (due == NULL) {
        PtsInstruction *instruction = new_read(program, slot, rank, index, site);
        if (instruction == NULL) {
            return PTS_SYM_NONE;
        }
        pts_record_add(program, instruction, PTS_SLOT_NONE);
        return remember_read(program->recorder, instruction);
    }
    const PtsInstruction *old = due->instruction;
    if (old == NULL || old->kind != PTS_INSTRUCTION_READ || old->operands[0].slot != slot ||
        !is_read_at(old, rank, index)) {
        pts_record_differs(program, site, "the read of an element");
        return PTS_SYM_NONE;
    }
    pts_record_top(program->recorder)->event++;
    return remember_read(program->recorder, old);
}

PtsSym pts_element_read(PtsProgram *program, PtsSlot slot, int rank, const PtsSym *index,
                        PtsSite site, PtsError *error)
{
    PTS_RECORD_ENTER(program, error, PTS_SYM_NONE);
    PtsSym symbol = element_read(program, slot, rank, index, site);
    if (symbol == PTS_SYM_NONE) {
        pts_error_at(&program->recorder->failure, site);
    }
    pts_record_close(program, symbol != PTS_SYM_NONE, error);
    return symbol;
}
