/* When a tensor is used for the last time: its memory goes back at once, so that a long body needs
 * the memory of few tensors and small ones stay in the cache.
 *
 * Only slots are looked at that were made in the body they are used in and that one block alone
 * uses; all others are emptied when their body's iteration ends. */
#include "sim/vm.h"

#include <stdlib.h>

#define UNUSED UINT32_MAX
#define SHARED (UINT32_MAX - 1)

typedef struct Liveness {
    PtsProgram *program;
    uint32_t *body_of_block;
    uint32_t *block_of_slot; /* UNUSED, SHARED, or the only block that uses it */
    PtsInstruction **last_use;
    uint32_t *stack; /* blocks to visit */
} Liveness;

static void give_back(Liveness *live)
{
    free(live->body_of_block);
    free(live->block_of_slot);
    free(live->last_use);
    free(live->stack);
}

static bool take(Liveness *live)
{
    size_t blocks = (size_t)live->program->block_count + 1;
    size_t slots = (size_t)live->program->slot_count + 1;
    live->body_of_block = calloc(blocks, sizeof *live->body_of_block);
    live->stack = calloc(blocks, sizeof *live->stack);
    live->block_of_slot = calloc(slots, sizeof *live->block_of_slot);
    live->last_use = calloc(slots, sizeof(PtsInstruction *));
    return live->body_of_block != NULL && live->stack != NULL && live->block_of_slot != NULL &&
           live->last_use != NULL;
}

/* Says of each block to which body it belongs, by walking the bodies' decision trees. */
static void find_bodies(Liveness *live)
{
    const PtsProgram *program = live->program;
    for (uint32_t body = 0; body < program->body_count; body++) {
        size_t depth = 0;
        live->stack[depth++] = program->bodies[body].root;
        while (depth > 0) {
            uint32_t block = live->stack[--depth];
            live->body_of_block[block] = body;
            const PtsBlock *b = &program->blocks[block];
            if (b->condition != PTS_SYM_NONE && b->if_true != PTS_NO_BLOCK) {
                live->stack[depth++] = b->if_true;
            }
            if (b->condition != PTS_SYM_NONE && b->if_false != PTS_NO_BLOCK) {
                live->stack[depth++] = b->if_false;
            }
        }
    }
}

/* One step deep: a base has no base. NOLINTNEXTLINE(misc-no-recursion) */
static void note_use(Liveness *live, PtsSlot slot, uint32_t block, PtsInstruction *instruction)
{
    if (slot >= live->program->slot_count) {
        return;
    }
    bool is_own = live->program->slots[slot].parameter < 0 &&
                  live->program->slots[slot].body == live->body_of_block[block];
    uint32_t *seen = &live->block_of_slot[slot];
    *seen = is_own && (*seen == UNUSED || *seen == block) ? block : SHARED;
    live->last_use[slot] = instruction;
    if (live->program->slots[slot].base != PTS_SLOT_NONE) { /* the memory that it describes */
        note_use(live, live->program->slots[slot].base, block, instruction);
    }
}

static void note_uses(Liveness *live, uint32_t block, PtsInstruction *instruction)
{
    for (int i = 0; i < instruction->operand_count; i++) {
        if (instruction->operands[i].kind == PTS_OPERAND_SLOT) {
            note_use(live, instruction->operands[i].slot, block, instruction);
        }
    }
    for (int i = 0; i < instruction->result_count; i++) {
        note_use(live, instruction->results[i].slot, block, instruction);
    }
    if (instruction->written != PTS_SLOT_NONE) {
        note_use(live, instruction->written, block, instruction);
    }
}

/* Lists the slots that each instruction uses last. */
static void list_last_uses(Liveness *live)
{
    Arena *arena = &live->program->arena;
    for (PtsSlot slot = 0; slot < live->program->slot_count; slot++) {
        if (live->block_of_slot[slot] == UNUSED || live->block_of_slot[slot] == SHARED) {
            continue;
        }
        VmCode *code = live->last_use[slot]->code;
        VmLastUse *use = ARENA_NEW(arena, VmLastUse);
        *use = (VmLastUse){.slot = slot, .next = code->last_uses};
        code->last_uses = use;
    }
}

static void run(void *argument)
{
    list_last_uses(argument);
}

bool vm_find_last_uses(PtsProgram *program)
{
    Liveness live = {.program = program};
    bool ok = take(&live);
    if (ok) {
        find_bodies(&live);
        for (uint32_t slot = 0; slot < program->slot_count; slot++) {
            live.block_of_slot[slot] = UNUSED;
        }
        for (uint32_t block = 0; block < program->block_count; block++) {
            const PtsBlock *b = &program->blocks[block];
            for (uint32_t i = 0; i < b->count; i++) {
                note_uses(&live, block, b->instructions[i]);
            }
        }
        ok = arena_try(&program->arena, run, &live);
    }
    give_back(&live);
    return ok;
}
