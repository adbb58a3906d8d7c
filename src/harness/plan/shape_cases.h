/* Shape cases: sizes for scaffolded tests and suites, from the P0 shapes of SPEC.md and the
 * contract, and variations of them that keep all dimensions whole numbers. */
#ifndef PYPTO_LINT_HARNESS_PLAN_SHAPE_CASES_H
#define PYPTO_LINT_HARNESS_PLAN_SHAPE_CASES_H

#include "harness/plan/contract.h"
#include "harness/plan/spec_facts.h"

enum {
    SHAPE_SMALL = 16,  /* the largest size of level 0 */
    SHAPE_UNKNOWN = 16 /* the size of a dimension about which nothing is known */
};

typedef struct ShapeCase {
    Variables sizes; /* of all dimensions of the contract, in their order */
    Strs declared;   /* for each input its shape in SPEC.md ("[64, 1024]"), or empty */
} ShapeCase;
typedef VEC(ShapeCase) ShapeCases;

/* One for each P0 shape, else for each shape of composition_verification, at least one. Guesses and
 * contradictions are added to `notes`, a sentence each. */
ShapeCases shape_cases(Arena *arena, const Contract *contract, const SpecFacts *spec, Strs *notes);

/* The sizes with the largest input, of equal ones the first. There must be a case. */
const Variables *shape_largest(const Contract *contract, const ShapeCases *cases);

/* Every size at most SHAPE_SMALL. */
Variables shape_capped(Arena *arena, const Variables *sizes);

typedef enum ShapeVariation {
    SHAPE_HALVED,
    SHAPE_ODD,
    SHAPE_DOUBLED,
    SHAPE_LARGE,      /* four times; twice, or once, if that is too large */
    SHAPE_LARGE_TAIL, /* and one step more */
    /* These vary dynamic axes only. ZERO: the first of them becomes 0, the others SHAPE_SINGLE. */
    SHAPE_ZERO,
    SHAPE_SINGLE, /* one step: 1, or the divisor of the dimension */
    SHAPE_BEFORE, /* one step below a multiple of SHAPE_TILE */
    SHAPE_AFTER,  /* one step above it */
} ShapeVariation;

enum { SHAPE_TILE = 16 }; /* on all hardware the rows of a tile are a multiple of it */

/* Varies the dynamic axes of SPEC.md, or all dimensions if there are none. Divisors are kept, and
 * dividends remain multiples. */
Variables shape_varied(Arena *arena, const Contract *contract, const SpecFacts *spec,
                       const Variables *sizes, ShapeVariation variation);

/* `"R": 64, "C": 1024`, or without the quotes. */
Str variables_text(Arena *arena, const Variables *variables, const char *quote);
bool variables_equal(const Variables *a, const Variables *b);

/* The sizes of the input of that name and number in an item of p0_shapes, or NULL. The item is a
 * mapping by name, a list of lists by number, or a list of numbers for all inputs. */
const Value *p0_input_shape(const Value *item, Str name, uint32_t number);

#endif
