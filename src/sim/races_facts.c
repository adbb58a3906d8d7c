/* What races_*.c need to know of a program: which slots a loop writes that are older than it, and
 * which ones are written in one inner loop of their body and read in another. */
#include "sim/sanitize_races.h"

#include <stdlib.h>
#include <string.h>

uint32_t races_inner_loop(const PtsProgram *program, uint32_t body, uint32_t outer)
{
    while (body != PTS_NO_BODY && program->bodies[body].parent != outer) {
        body = program->bodies[body].parent;
    }
    return body;
}

/* ---- walking ---- */

typedef bool Visit(void *context, const PtsInstruction *instruction, uint32_t body);

typedef struct Walk {
    uint32_t *blocks, *bodies; /* to visit, and of which body each is */
    size_t depth;
} Walk;

static void push(Walk *walk, uint32_t block, uint32_t body)
{
    if (block != PTS_NO_BLOCK) {
        walk->blocks[walk->depth] = block;
        walk->bodies[walk->depth++] = body;
    }
}

/* All instructions of a body and of the loops in it. False when memory ran out, or a call of
 * `visit` gave it. */
static bool visit_body(const PtsProgram *program, uint32_t body, Visit *visit, void *context)
{
    Walk walk = {.blocks = calloc((size_t)program->block_count + 1, sizeof(uint32_t)),
                 .bodies = calloc((size_t)program->block_count + 1, sizeof(uint32_t))};
    bool good = walk.blocks != NULL && walk.bodies != NULL;
    if (good) {
        push(&walk, program->bodies[body].root, body);
    }
    while (good && walk.depth > 0) {
        const PtsBlock *block = &program->blocks[walk.blocks[--walk.depth]];
        uint32_t in = walk.bodies[walk.depth];
        if (block->condition != PTS_SYM_NONE) {
            push(&walk, block->if_true, in);
            push(&walk, block->if_false, in);
        }
        for (uint32_t i = 0; good && i < block->count; i++) {
            const PtsInstruction *instruction = block->instructions[i];
            if (instruction->kind == PTS_INSTRUCTION_LOOP) {
                uint32_t inner = instruction->loop->body;
                push(&walk, program->bodies[inner].root, inner);
            } else {
                good = visit(context, instruction, in);
            }
        }
    }
    free(walk.blocks);
    free(walk.bodies);
    return good;
}

/* ---- what loops write ---- */

typedef struct Writes {
    const RaceFacts *facts;
    const PtsBody *body;
    PtsSlot *slots;
    size_t count, capacity;
} Writes;

static bool append(Writes *writes, PtsSlot slot)
{
    if (writes->count == writes->capacity) {
        size_t capacity = writes->capacity * 2 + 8;
        PtsSlot *slots = realloc(writes->slots, capacity * sizeof *slots);
        if (slots == NULL) {
            return false;
        }
        writes->slots = slots;
        writes->capacity = capacity;
    }
    writes->slots[writes->count++] = slot;
    return true;
}

static bool note_write(void *context, const PtsInstruction *instruction, uint32_t body)
{
    (void)body;
    Writes *writes = context;
    if (instruction->written == PTS_SLOT_NONE) {
        return true;
    }
    PtsSlot slot = writes->facts->seen_through[instruction->written];
    bool known = slot >= writes->body->first_slot && slot < writes->body->end_slot;
    for (size_t i = 0; i < writes->count && !known; i++) {
        known = writes->slots[i] == slot;
    }
    return known || append(writes, slot);
}

static bool find_written(const PtsProgram *program, const RaceFacts *facts, uint32_t body)
{
    Writes writes = {.facts = facts, .body = &program->bodies[body]};
    bool good = visit_body(program, body, note_write, &writes) && append(&writes, PTS_SLOT_NONE);
    facts->written[body] = writes.slots;
    return good;
}

/* ---- inner loops ---- */

/* Of a slot: one inner loop that writes it, one that reads it without waiting, and others. */
typedef struct Inner {
    uint32_t writer, reader;
    bool more_writers, more_readers;
} Inner;

typedef struct Siblings {
    const PtsProgram *program;
    Inner *inner;
} Siblings;

static void note_inner(uint32_t *one, bool *more, uint32_t body)
{
    *more = *more || (*one != PTS_NO_BODY && *one != body);
    *one = body;
}

static bool note_use(void *context, const PtsInstruction *instruction, uint32_t body)
{
    const Siblings *siblings = context;
    const PtsProgram *program = siblings->program;
    for (int i = 0; i < instruction->operand_count; i++) {
        if (instruction->operands[i].kind != PTS_OPERAND_SLOT) {
            continue;
        }
        PtsSlot slot = pts_slot_root(program, instruction->operands[i].slot);
        uint32_t own = program->slots[slot].body;
        if (program->slots[slot].parameter >= 0 || program->bodies[own].loop == NULL) {
            continue;
        }
        uint32_t loop = races_inner_loop(program, body, own);
        if (loop == PTS_NO_BODY) {
            continue;
        }
        Inner *inner = &siblings->inner[slot];
        if (instruction->written == instruction->operands[i].slot) {
            note_inner(&inner->writer, &inner->more_writers, loop);
        } else if (!program->bodies[loop].loop->loop.submit_before) {
            note_inner(&inner->reader, &inner->more_readers, loop);
        }
    }
    return true;
}

static bool find_siblings(const PtsProgram *program, RaceFacts *facts)
{
    Siblings siblings = {program, calloc((size_t)program->slot_count + 1, sizeof(Inner))};
    if (siblings.inner == NULL) {
        return false;
    }
    for (PtsSlot slot = 0; slot < program->slot_count; slot++) {
        siblings.inner[slot].writer = siblings.inner[slot].reader = PTS_NO_BODY;
    }
    bool good = visit_body(program, 0, note_use, &siblings);
    for (PtsSlot slot = 0; slot < program->slot_count; slot++) {
        const Inner *inner = &siblings.inner[slot];
        bool both = inner->writer != PTS_NO_BODY && inner->reader != PTS_NO_BODY;
        bool differ = inner->writer != inner->reader || inner->more_writers || inner->more_readers;
        facts->has_siblings[slot] = both && differ;
        facts->any_siblings = facts->any_siblings || (both && differ);
    }
    free(siblings.inner);
    return good;
}

/* ---- all facts ---- */

static bool note_window(void *context, const PtsInstruction *instruction, uint32_t body)
{
    (void)body;
    RaceFacts *facts = context;
    if (instruction->kind != PTS_INSTRUCTION_OP) {
        return true;
    }
    facts->uses_memory = facts->uses_memory || sanitize_reads_memory(instruction->op);
    facts->any =
        facts->any || (instruction->attributes != NULL && instruction->op == PTS_OP_ASSEMBLE &&
                       instruction->attributes->parallel);
    bool is_window =
        instruction->result_count == 1 &&
        (instruction->op == PTS_OP_VIEW || instruction->op == PTS_OP_RESHAPE ||
         instruction->op == PTS_OP_UNSQUEEZE || instruction->op == PTS_OP_SCATTER_UPDATE);
    if (is_window) {
        facts->seen_through[instruction->results[0].slot] = instruction->operands[0].slot;
    }
    return true;
}

static bool find_windows(const PtsProgram *program, RaceFacts *facts)
{
    for (PtsSlot slot = 0; slot < program->slot_count; slot++) {
        facts->seen_through[slot] = slot;
    }
    if (!visit_body(program, 0, note_window, facts)) {
        return false;
    }
    for (PtsSlot slot = 0; slot < program->slot_count; slot++) {
        PtsSlot source = facts->seen_through[slot];
        if (source < slot) { /* slots come before what is made of them: it was looked up */
            source = facts->seen_through[source];
        }
        facts->seen_through[slot] = pts_slot_root(program, source);
    }
    return true;
}

void races_forget_facts(PtsProgram *program)
{
    RaceFacts *facts = program->race_facts;
    if (facts == NULL) {
        return;
    }
    for (uint32_t body = 0; facts->written != NULL && body < program->body_count; body++) {
        free(facts->written[body]);
    }
    free(facts->written);
    free(facts->seen_through);
    free(facts->has_siblings);
    free(facts);
    program->race_facts = NULL;
}

static bool find_facts(const PtsProgram *program, RaceFacts *facts)
{
    facts->seen_through = calloc((size_t)program->slot_count + 1, sizeof(PtsSlot));
    facts->has_siblings = calloc((size_t)program->slot_count + 1, sizeof(bool));
    facts->written = calloc((size_t)program->body_count + 1, sizeof(PtsSlot *));
    if (facts->seen_through == NULL || facts->has_siblings == NULL || facts->written == NULL ||
        !find_windows(program, facts) || !find_siblings(program, facts)) {
        return false;
    }
    for (uint32_t body = 0; body < program->body_count; body++) {
        const PtsRecordedLoop *loop = program->bodies[body].loop;
        if (loop != NULL && loop->loop.parallel) {
            facts->any = true;
            if (!find_written(program, facts, body)) {
                return false;
            }
        }
    }
    facts->any = facts->any || facts->any_siblings;
    return true;
}

const RaceFacts *races_facts(PtsProgram *program, bool unordered)
{
    if (program->race_facts == NULL) {
        program->race_facts = calloc(1, sizeof(RaceFacts));
        if (program->race_facts == NULL || !find_facts(program, program->race_facts)) {
            races_forget_facts(program);
            return NULL;
        }
        program->race_facts->any = program->race_facts->any || unordered;
    }
    return program->race_facts;
}
