/* Arena: memory with one lifetime (a run, a file), freed as a whole.
 *
 * Nothing is freed one by one, so rules and parsers need no clean-up code. When memory runs out, or
 * an arena passes its budget, control returns to the guard that the owner set with OOM_GUARD: code
 * between the guard and the allocation must hold nothing but arena memory (else see arena_try). */
#ifndef PYPTO_LINT_BASE_ARENA_H
#define PYPTO_LINT_BASE_ARENA_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ArenaBlock ArenaBlock;

typedef struct Arena {
    ArenaBlock *block; /* newest block */
    char *at, *end;    /* free part of it */
    size_t used;       /* bytes taken from the system */
    size_t budget;     /* most bytes it may take; 0 = no limit */
    bool over_budget;  /* the last failure was the budget's, not the system's */
    jmp_buf *guard;    /* where to go when memory runs out; NULL = abort with a message */
} Arena;

/* True at first. When an allocation fails later, control returns to this place and it is false.
 * Usage: `if (!OOM_GUARD(&arena, env)) { report; arena_free(&arena); return …; }`. */
#define OOM_GUARD(arena, env) ((arena)->guard = &(env), setjmp(env) == 0)

/* An empty arena that may take up to `budget` bytes (0 = no limit). Takes nothing yet. */
void arena_init(Arena *arena, size_t budget);

/* Gives everything back. The arena can be used again. */
void arena_free(Arena *arena);

/* Gives the system the blocks that this thread keeps for its next arenas; at the end of a
 * thread. */
void arena_drop_cache(void);

/* `size` bytes aligned for any type, content undefined. Never NULL: goes to the guard on
 * failure. */
void *arena_alloc(Arena *arena, size_t size);

/* As arena_alloc, filled with zeros. */
void *arena_zalloc(Arena *arena, size_t size);

/* A larger place for `old` (of `old_size` bytes, may be NULL), content kept. The old place is
 * lost. */
void *arena_grow(Arena *arena, void *old, size_t old_size, size_t new_size);

/* Goes to the arena's guard as if an allocation had failed. */
_Noreturn void arena_fail(Arena *arena);

/* Calls function(argument) under a guard of its own; false when the arena failed in it. The guard
 * is the caller's again when this returns. For code that holds more than arena memory (an open
 * file, a parser's tree): give that back, then pass a failure on with arena_fail. */
bool arena_try(Arena *arena, void (*function)(void *argument), void *argument);

/* Lets the nth allocation from the system in this thread fail, counted from now (1 = the next),
 * once; 0 = none. For tests. */
void arena_inject_failure(unsigned long nth);

#define ARENA_NEW(arena, Type)          ((Type *)arena_zalloc((arena), sizeof(Type)))
#define ARENA_ARRAY(arena, Type, count) ((Type *)arena_zalloc((arena), sizeof(Type) * (count)))

#endif
