/* Shape cases: the sizes that scaffolded tests and suites use, from the P0 shapes of SPEC.md and
 * the contract, and variations of them that keep its dimensions whole. */
#ifndef PYPTO_LINT_HARNESS_SHAPE_CASES_H
#define PYPTO_LINT_HARNESS_SHAPE_CASES_H

#include "harness/contract.h"
#include "harness/spec_facts.h"

enum {
    SHAPE_SMALL = 16,  /* the largest size of level 0 */
    SHAPE_UNKNOWN = 16 /* the size of a dimension of which nothing is known */
};

typedef struct ShapeCase {
    Variables sizes; /* of all dimensions of the contract, in their order */
    Strs declared;   /* for each input what SPEC.md declares ("[64, 1024]"), else empty */
} ShapeCase;
typedef VEC(ShapeCase) ShapeCases;

/* One for each P0 shape, else for each shape of composition_verification, at least one. What was
 * guessed or contradicts is added to `notes`, a sentence each. */
ShapeCases shape_cases(Arena *arena, const Contract *contract, const SpecFacts *spec, Strs *notes);

/* Every size at most SHAPE_SMALL. */
Variables shape_capped(Arena *arena, const Variables *sizes);

typedef enum ShapeVariation {
    SHAPE_HALVED,
    SHAPE_ODD,
    SHAPE_DOUBLED,
    SHAPE_LARGE,      /* four times, twice where that is too much */
    SHAPE_LARGE_TAIL, /* and one more */
    SHAPE_ZERO,       /* of dynamic axes only, as the two below; the first of them is empty */
    SHAPE_SINGLE,     /* one step: 1, or what must divide the dimension */
    SHAPE_BEFORE,     /* one step below a multiple of SHAPE_TILE */
    SHAPE_AFTER,      /* one step above it */
} ShapeVariation;

enum { SHAPE_TILE = 16 }; /* on all hardware a tile has a multiple of so many rows */

/* Varied are the dynamic axes of SPEC.md, without any all dimensions. Those that others are divided
 * by stay; those that are divided stay multiples. */
Variables shape_varied(Arena *arena, const Contract *contract, const SpecFacts *spec,
                       const Variables *sizes, ShapeVariation variation);

/* `"R": 64, "C": 1024`, or without the quotes. */
Str variables_text(Arena *arena, const Variables *variables, const char *quote);
bool variables_equal(const Variables *a, const Variables *b);

/* The list of sizes that an item of p0_shapes declares for the input of that name and number, or
 * NULL: a mapping by name, a list of lists by number, a list of numbers for every input. */
const Value *p0_input_shape(const Value *item, Str name, uint32_t number);

#endif
