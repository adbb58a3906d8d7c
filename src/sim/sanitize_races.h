/* Races: accesses to one memory that the product may make at the same time. Part of the sanitizer.
 *
 * Three things have no order: iterations of a loop with parallel=True; assembles with parallel=True
 * into one tensor (before 9.2: all assembles of one body); and an iteration that reads a tensor of
 * an outer loop's body with the next one, which writes it in another inner loop, unless the loop
 * that reads has submit_before_loop=True. For everything else the product's dependencies give an
 * order, or it is not known: then there is no finding. */
#ifndef PTOSIM_SANITIZE_RACES_H
#define PTOSIM_SANITIZE_RACES_H

#include "sim/sanitize.h"

/* One operation's access. Its number in the table, from `base` on, is what elements refer to. */
typedef struct Access {
    const PtsInstruction *instruction;
    const PtsRecordedLoop *loop; /* whose iteration it was; NULL = of none */
    int64_t index;               /* of that iteration */
    uint32_t turn;               /* accesses of one turn are ordered */
    uint32_t body; /* siblings: the inner loop's; assembles: that of the instruction */
    bool parallel; /* assemble(parallel=True) */
} Access;

typedef enum AccessKind { ACCESS_READ, ACCESS_WRITE, ACCESS_ADD, ACCESS_KINDS } AccessKind;

/* Who accessed each element of a memory last; of reads and additions, for which it is not enough to
 * know the last one, two of different turns. Numbers up to `base` are of no account any more. */
typedef struct ElementLog {
    int64_t count, size;
    uint32_t base;
    uint32_t *last[ACCESS_KINDS], *other[ACCESS_KINDS];
} ElementLog;

typedef enum RaceRule { RACE_PARALLEL, RACE_SIBLINGS, RACE_ASSEMBLES, RACE_RULES } RaceRule;

typedef struct SlotRaces {
    PtsSlot slot;
    Shadow form; /* rank, shape and dtype of its memory */
    ElementLog logs[RACE_RULES];
    bool is_tracked; /* by the parallel loop that runs */
    /* In a parallel loop: the last move to it, and one of another turn that moved another value. */
    uint32_t mover, earlier;
    Access unsettled[2]; /* after that loop: two such moves; instruction NULL = none */
} SlotRaces;

typedef struct Told {
    PtsSlot slot;
    const PtsInstruction *first, *second;
} Told;

/* What is known of a program before it runs (races_facts.c); it belongs to the program. */
typedef struct RaceFacts {
    bool any;         /* can there be races at all? */
    bool uses_memory; /* some operation addresses the memory behind a view */
    bool any_siblings;
    bool *has_siblings;    /* of each slot: inner loops of its body write it, others read it */
    PtsSlot *seen_through; /* of each slot: the one whose memory it is a window of, or itself */
    PtsSlot **written;     /* of each parallel body: slots from outside that it writes, then NONE */
} RaceFacts;

typedef struct Races {
    const PtsProgram *program;
    bool unordered; /* assembles of one body, without parallel=True */
    const RaceFacts *facts;
    SlotRaces **slots; /* of each slot; NULL until it is looked at */
    Access *accesses;  /* number - 1 - table_base */
    uint32_t access_count, access_capacity, table_base;
    bool is_full;   /* the table has no room: nothing is looked at any more */
    bool keeps;     /* numbers are needed beyond the parallel loop */
    uint32_t turns; /* iterations of all loops so far */
    int depth;      /* of the frame of the parallel loop that runs, + 1; 0 = none does */
    bool any_unsettled;
    Told *told;
    size_t told_count, told_capacity;
} Races;

/* NULL when memory ran out. */
Races *races_new(PtsProgram *program, bool unordered);
void races_free(Races *races);
/* The facts about a program, found once; NULL when memory ran out. */
const RaceFacts *races_facts(PtsProgram *program, bool unordered);
void races_forget_facts(PtsProgram *program);
/* Of a slot; NULL when memory ran out. */
SlotRaces *races_of(Races *races, PtsSlot slot);
/* The loop of a body, or around it, that is directly inside `outer`; PTS_NO_BODY = none. */
uint32_t races_inner_loop(const PtsProgram *program, uint32_t body, uint32_t outer);

/* ---- between races_log.c and races_loop.c ---- */

/* Puts an access into the table; its number, 0 when there is no room. */
uint32_t races_note(Races *races, const Access *access);
/* Notes an access in a log of the slot whose memory the value is, and tells of its conflicts. */
bool races_check(Vm *vm, RaceRule rule, AccessKind kind, const Access *access, const RtValue *value,
                 const PtsTensor *region, const PtsTensor *from, PtsError *error);
/* Was a race between the two told? From now on it was. */
bool races_is_told(Races *races, PtsSlot slot, const PtsInstruction *first,
                   const PtsInstruction *second);

/* ---- what the interpreter tells; false with an error as in sanitize.h ---- */

/* The innermost frame's loop begins, starts an iteration, has ended (before the frame goes). */
bool races_enter(Vm *vm, PtsError *error);
void races_turn(Vm *vm);
void races_leave(Vm *vm);
/* The slot has other memory than before. */
void races_bind(Vm *vm, PtsSlot slot);
/* The operands of an instruction that is about to run. */
bool races_use(Vm *vm, const PtsInstruction *instruction, PtsError *error);
/* It reads a region (its valid part) of a value's memory. */
bool races_read(Vm *vm, const PtsInstruction *instruction, const RtValue *value,
                const PtsTensor *region, PtsError *error);
/* It is about to write a region of the slot's memory, or to add to it; `from` = what, where that is
 * known. */
bool races_write(Vm *vm, const PtsInstruction *instruction, const RtValue *target, AccessKind kind,
                 const PtsTensor *region, const PtsTensor *from, PtsError *error);
/* It is about to move a value to the slot, which is not a parameter. */
bool races_move(Vm *vm, const PtsInstruction *instruction, const RtValue *value, PtsError *error);

#endif
