/* Recording one operation: checks, inference, comparison with what an earlier path recorded. */
#include "model/infer.h"

#include <math.h>
#include <string.h>

/* ---- what came in ---- */

static bool fill(PtsEmit *emit, PtsProgram *program, PtsOp op, int operand_count,
                 const PtsOperand *operands, const PtsAttributes *attributes, PtsSite site)
{
    PtsError *error = &program->recorder->failure;
    if ((unsigned)op >= PTS_OP_COUNT || operand_count < 0 || operand_count > PTS_MAX_OPERANDS) {
        pts_fail(error, PTS_E_VALUE, "unknown operation, or too many operands");
        pts_error_at(error, site);
        return false;
    }
    *emit = (PtsEmit){.program = program,
                      .context = program->context,
                      .op = op,
                      .info = &pts_op_table[op],
                      .opcode = pts_op_table[op].opcodes[0],
                      .is_950 = pts_context_soc(program->context)->arch == 3510,
                      .is_partial = program->recorder->partial,
                      .operand_count = operand_count,
                      .attributes = attributes == NULL ? PTS_ATTRIBUTES : *attributes,
                      .written = -1,
                      .scope = pts_context_scope(program->context),
                      .site = site,
                      .error = error};
    for (int i = 0; i < operand_count; i++) {
        emit->operands[i] = operands[i];
        if (operands[i].kind != PTS_OPERAND_SLOT) {
            emit->operands[i].slot = PTS_SLOT_NONE;
            continue;
        }
        if (!pts_record_visible(program, operands[i].slot, site)) {
            return false;
        }
        emit->tensor[i] = &program->recorder->states.items[operands[i].slot];
        bool replaced = emit->info->kind == PTS_CLASS_MOVE && i == 1;
        if (!replaced && !pts_record_clear(program, operands[i].slot, site)) {
            return false;
        }
        emit->first = emit->first == NULL ? emit->tensor[i] : emit->first;
    }
    const PtsAttributes *a = &emit->attributes;
    if (a->shape_rank < 0 || a->shape_rank > PTS_MAX_RANK || a->offset_rank < 0 ||
        a->offset_rank > PTS_MAX_RANK || a->valid_rank < 0 || a->valid_rank > PTS_MAX_RANK) {
        return emit_fail(emit, PTS_E_VALUE, "%s: more than %d axes", emit->info->name,
                         PTS_MAX_RANK);
    }
    return true;
}

/* ---- comparison on replay ---- */

static bool same_real(double a, double b)
{
    return a == b ? signbit(a) == signbit(b) : a != a && b != b;
}

static bool same_operand(const PtsOperand *a, const PtsOperand *b)
{
    if (a->kind != b->kind) {
        return false;
    }
    switch (a->kind) {
    case PTS_OPERAND_NONE:
        return true;
    case PTS_OPERAND_SLOT:
        return a->slot == b->slot;
    case PTS_OPERAND_SYM:
        return a->sym == b->sym;
    default:
        return a->element.dtype == b->element.dtype && a->element.integer == b->element.integer &&
               same_real(a->element.real, b->element.real);
    }
}

static bool same_list(int a_count, const PtsSym *a, int b_count, const PtsSym *b)
{
    return a_count == b_count && (a_count == 0 || memcmp(a, b, sizeof *a * (size_t)a_count) == 0);
}

#define SAME_INT(name)                      (a->name == b->name)
#define SAME_BOOL(name)                     SAME_INT(name)
#define SAME_DTYPE(name)                    SAME_INT(name)
#define SAME_REAL(name)                     same_real(a->name, b->name)
#define SAME_SCALAR(kind, type, name, none) &&SAME_##kind(name)
#define SAME_LIST(kind, rank, list)         &&same_list(a->rank, a->list, b->rank, b->list)

static bool same_attributes(const PtsAttributes *a, const PtsAttributes *b)
{
    return a->diagonal == b->diagonal && a->unknown == b->unknown PTS_SCALAR_ATTRIBUTES(SAME_SCALAR)
                                                           PTS_LIST_ATTRIBUTES(SAME_LIST);
}

static bool same_tiles(const PtsEmit *emit, const PtsInstruction *old)
{
    const PtsScope *scope = emit->scope;
    if (emit->uses_vector_tile) {
        bool same = old->vector_tile_count == scope->vector_tile_count;
        for (int i = 0; i < scope->vector_tile_count && same; i++) {
            same = old->vector_tile[i] == scope->vector_tile[i];
        }
        return same;
    }
    if (!emit->uses_cube_tile || old->cube_tile == NULL) {
        return true;
    }
    const PtsCubeTile *a = &scope->cube_tile, *b = old->cube_tile;
    return memcmp(a->m, b->m, sizeof a->m) == 0 && memcmp(a->k, b->k, sizeof a->k) == 0 &&
           memcmp(a->n, b->n, sizeof a->n) == 0 && a->split_k == b->split_k;
}

static bool is_same(const PtsEmit *emit, const PtsInstruction *old)
{
    if (old == NULL || old->kind != PTS_INSTRUCTION_OP || old->op != emit->op ||
        old->operand_count != emit->operand_count || old->result_count != emit->result_count) {
        return false;
    }
    for (int i = 0; i < emit->operand_count; i++) {
        if (!same_operand(&old->operands[i], &emit->operands[i])) {
            return false;
        }
    }
    return same_attributes(old->attributes == NULL ? &PTS_ATTRIBUTES : old->attributes,
                           &emit->attributes) &&
           same_tiles(emit, old);
}

/* ---- the instruction ---- */

static void take_tiles(const PtsEmit *emit, PtsInstruction *instruction)
{
    const PtsScope *scope = emit->scope;
    if (emit->uses_vector_tile) {
        instruction->vector_tile_count = scope->vector_tile_count;
        for (int i = 0; i < scope->vector_tile_count; i++) {
            instruction->vector_tile[i] = scope->vector_tile[i];
        }
    }
    if (emit->uses_cube_tile) {
        PtsCubeTile *tile = ARENA_NEW(&emit->program->arena, PtsCubeTile);
        *tile = scope->cube_tile;
        instruction->cube_tile = tile;
    }
}

/* Operands that come unrounded from other instructions, which then have to keep them so. */
static void take_wide_operands(const PtsEmit *emit, PtsInstruction *instruction)
{
    instruction->wide_operands = pts_wide_operands(emit);
    /* It may add several times to one element: its sums are F32 and rounded once. */
    instruction->keeps_wide = emit->op == PTS_OP_INDEX_ADD_ && pts_stays_wide(emit);
    for (int i = 0; i < emit->operand_count && i < 8; i++) {
        if ((instruction->wide_operands >> i & 1) != 0) {
            emit->tensor[i]->wide->keeps_wide = true;
        }
    }
}

static PtsInstruction *new_instruction(PtsEmit *emit)
{
    Arena *arena = &emit->program->arena;
    PtsInstruction *instruction = ARENA_NEW(arena, PtsInstruction);
    *instruction = (PtsInstruction){.kind = PTS_INSTRUCTION_OP,
                                    .op = emit->op,
                                    .operand_count = emit->operand_count,
                                    .result_count = emit->result_count,
                                    .written = PTS_SLOT_NONE,
                                    .label = emit->scope->label,
                                    .site = emit->site};
    if (emit->operand_count > 0) {
        PtsOperand *operands = ARENA_ARRAY(arena, PtsOperand, (size_t)emit->operand_count);
        memcpy(operands, emit->operands, sizeof *operands * (size_t)emit->operand_count);
        instruction->operands = operands;
    }
    PtsAttributes *attributes = ARENA_NEW(arena, PtsAttributes);
    *attributes = emit->attributes;
    instruction->attributes = attributes;
    take_tiles(emit, instruction);
    memcpy(instruction->needs, emit->program->recorder->needs, sizeof instruction->needs);
    take_wide_operands(emit, instruction);
    if (emit->written >= 0) {
        instruction->written = emit->operands[emit->written].slot;
    }
    PtsResult *results = ARENA_ARRAY(arena, PtsResult, (size_t)emit->result_count);
    for (int i = 0; i < emit->result_count; i++) {
        emit->results[i].slot =
            pts_record_new_slot(emit->program, &emit->results[i], "", emit->site, -1);
        emit->program->slots[emit->results[i].slot].is_result = true;
        results[i] = emit->results[i];
    }
    if (emit->op == PTS_OP_RESHAPE && emit->attributes.inplace) {
        emit->program->slots[results[0].slot].base =
            pts_slot_root(emit->program, emit->operands[0].slot);
    }
    instruction->results = results;
    return instruction;
}

/* ---- effects ---- */

static bool is_read(const PtsEmit *emit, int index)
{
    bool writes_only = emit->info->kind == PTS_CLASS_ASSEMBLE ||
                       emit->info->kind == PTS_CLASS_MOVE ||
                       emit->info->kind == PTS_CLASS_ELEMENT_WRITE;
    return emit->tensor[index] != NULL && !(writes_only && index == emit->written);
}

/* What a move leaves in its destination. */
static void apply_move(PtsEmit *emit)
{
    PtsRecorder *recorder = emit->program->recorder;
    PtsSlot from = emit->operands[0].slot, to = emit->operands[1].slot;
    PtsSlotState source = recorder->states.items[from];
    PtsSlotState *state = pts_record_change(emit->program, to);
    PtsFormat format = state->format;
    recorder->integer_writes +=
        pts_dtype_is_integer(state->dtype) || pts_dtype_is_integer(source.dtype);
    *state = source;
    state->format = format;
    state->wide = NULL; /* a move rounds */
    state->level = state->form_level = (uint32_t)recorder->depth - 1;
    recorder->tracks.items[to].read_segment = 0; /* another binding */
    recorder->tracks.items[to].written_ever = true;
    recorder->tracks.items[from].read_ever = true;
    recorder->tracks.items[to].shares |= recorder->tracks.items[from].shares;
    recorder->tracks.items[to].place = NULL;
    PtsSlot root = pts_slot_root(emit->program, to);
    if (root != to) { /* its memory is written */
        PtsSlotState *memory = pts_record_change(emit->program, root);
        memory->written = PTS_WRITTEN;
        memory->wide = NULL;
        memory->level = (uint32_t)recorder->depth - 1;
        recorder->tracks.items[root].written_ever = true;
    }
}

static bool apply_reads(PtsEmit *emit)
{
    PtsRecorder *recorder = emit->program->recorder;
    for (int i = 0; i < emit->operand_count; i++) {
        if (!is_read(emit, i)) {
            continue;
        }
        PtsSlot slot = emit->operands[i].slot;
        bool may_be_empty = emit->info->kind == PTS_CLASS_MOVE &&
                            recorder->states.items[slot].written == PTS_UNWRITTEN;
        bool describes = emit->op == PTS_OP_RESHAPE && emit->attributes.inplace; /* reads nothing */
        if (!may_be_empty && !describes &&
            !pts_record_read(emit->program, slot, emit->site, emit->info->kind != PTS_CLASS_SAVE)) {
            return false;
        }
    }
    return true;
}

static bool apply(PtsEmit *emit, PtsInstruction *instruction)
{
    const PtsResult *results = instruction->results;
    bool wide = pts_stays_wide(emit);
    PtsRecorder *recorder = emit->program->recorder;
    if (emit->info->kind == PTS_CLASS_MOVE) {
        apply_move(emit);
    } else if (emit->written >= 0 &&
               !pts_record_write_part(emit->program, emit->operands[emit->written].slot, emit->site,
                                      emit->info->kind == PTS_CLASS_ASSEMBLE)) {
        return false;
    }
    if (emit->written >= 0) { /* into memory of its own */
        recorder->tracks.items[emit->operands[emit->written].slot].place = NULL;
    }
    for (int i = 0; i < emit->result_count; i++) {
        const PtsResult *result = &results[i];
        pts_record_revive(emit->program, result->slot);
        PtsSlotState *state = pts_record_change(emit->program, result->slot);
        *state =
            (PtsSlotState){.dtype = result->dtype,
                           .format = result->format,
                           .rank = result->rank,
                           .written = PTS_WRITTEN,
                           .level = (uint32_t)recorder->depth - 1,
                           .form_level = (uint32_t)recorder->depth - 1,
                           .producer = emit->op,
                           .is_vague = emit->is_vague,
                           .is_relabelled = emit->op == PTS_OP_RESHAPE && emit->attributes.inplace};
        if (wide && (result->dtype == PTS_FP16 || result->dtype == PTS_BF16)) {
            state->wide = instruction;
            state->wide_segment = recorder->segment;
        }
        recorder->tracks.items[result->slot].shares = pts_result_shares(emit);
        recorder->tracks.items[result->slot].place = pts_view_place(emit);
        memcpy(state->shape, emit->results[i].shape, sizeof state->shape);
        memcpy(state->valid, emit->results[i].valid, sizeof state->valid);
    }
    return true;
}

/* Checks it, and describes its results. */
static bool infer(PtsEmit *emit)
{
    if (!pts_check_before(emit)) {
        return false;
    }
    for (int i = 0; i < emit->operand_count; i++) {
        emit->is_vague =
            emit->is_vague ||
            (emit->tensor[i] != NULL && (emit->tensor[i]->is_vague || emit->tensor[i]->is_lost));
    }
    if (emit->is_partial && !pts_is_inferable(emit)) {
        emit->is_vague = true;
        pts_infer_partial(emit);
        return true;
    }
    return emit->info->infer(emit) && pts_check_after(emit);
}

static bool emit_op(PtsEmit *emit, PtsSlot *results, int *result_count)
{
    PtsProgram *program = emit->program;
    PtsEvent *due;
    if (!infer(emit) || !apply_reads(emit) || !pts_record_due(program, &due)) {
        return false;
    }
    PtsInstruction *instruction;
    if (due == NULL) {
        instruction = new_instruction(emit);
        pts_record_add(program, instruction, PTS_SLOT_NONE);
        program->recorder->op_count++;
    } else {
        instruction = due->instruction;
        if (!is_same(emit, instruction)) {
            return pts_record_differs(program, emit->site, emit->info->name);
        }
        pts_record_top(program->recorder)->event++;
    }
    if (!apply(emit, instruction)) {
        return false;
    }
    *result_count = emit->result_count;
    for (int i = 0; i < emit->result_count; i++) {
        results[i] = instruction->results[i].slot;
    }
    return true;
}

/* NOLINTNEXTLINE(readability-function-size): the public interface */
bool pts_emit(PtsProgram *program, PtsOp op, int operand_count, const PtsOperand *operands,
              const PtsAttributes *attributes, PtsSite site, PtsSlot results[PTS_MAX_RESULTS],
              int *result_count, PtsError *error)
{
    *result_count = 0;
    for (int i = 0; i < PTS_MAX_RESULTS; i++) {
        results[i] = PTS_SLOT_NONE;
    }
    PTS_RECORD_ENTER(program, error, false);
    PtsEmit emit;
    memset(program->recorder->needs, 0, sizeof program->recorder->needs);
    bool ok = pts_record_on_path(program) &&
              fill(&emit, program, op, operand_count, operands, attributes, site) &&
              emit_op(&emit, results, result_count);
    if (!ok) {
        pts_error_at(&program->recorder->failure, site);
    }
    return pts_record_close(program, ok, error);
}

int64_t pts_tile_bytes(const PtsProgram *program)
{
    return program->recorder == NULL ? 0 : program->recorder->needs[PTS_CORE_UB];
}
