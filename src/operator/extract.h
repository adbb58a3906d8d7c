/* Extract: small readings that rules share: dtypes, tolerances and shapes of SPEC.md and of a test,
 * identifiers of DESIGN.md. Every function takes text or a parsed file and is linear in it. */
#ifndef PYPTO_LINT_OPERATOR_EXTRACT_H
#define PYPTO_LINT_OPERATOR_EXTRACT_H

#include "base/map.h"
#include "kernel/kernel.h"
#include "operator/value.h"

/* --- dtypes */

typedef enum Dtype {
    DTYPE_FP32,
    DTYPE_FP16,
    DTYPE_BF16,
    DTYPE_COUNT,
    DTYPE_UNKNOWN = DTYPE_COUNT
} Dtype;

/* The dtype that an alias names (any case, trimmed), or DTYPE_UNKNOWN. */
Dtype dtype_parse(Str text);
/* "float32", "float16", "bfloat16". */
const char *dtype_name(Dtype dtype);
/* Bit 1u << dtype for every dtype that `text` mentions by any alias; "float16" right after a `b` is
 * not one. */
unsigned dtypes_mentioned(Str text);

/* --- tolerances */

typedef struct ToleranceUse {
    double value;
    Str text;          /* of the number */
    size_t start, end; /* of the number, bytes of the text searched */
} ToleranceUse;
typedef VEC(ToleranceUse) ToleranceUses;

/* Every number that `text` gives for `key` (`atol=1e-3`, `atol: 1`, `**atol** 1`), any case. */
ToleranceUses tolerance_uses(Arena *arena, Str text, const char *key);

/* --- shapes */

typedef struct Shape {
    const int64_t *sizes;
    uint32_t count;
    uint32_t line; /* in SPEC.md; 0 in a test */
} Shape;

/* A set of shapes in the order of first appearance. */
typedef struct ShapeSet {
    VEC(Shape) shapes;
    Map known; /* their sizes */
} ShapeSet;

bool shape_set_has(const ShapeSet *set, Shape shape);
/* "[1024, 128]", in the arena. */
Str shape_show(Arena *arena, Shape shape);

typedef struct P0Shapes {
    ShapeSet shapes;       /* integer lists of two or more elements, each once */
    uint32_t short_shapes; /* how many integer lists of one element were declared: not compared */
} P0Shapes;

/* What the value of `p0_shapes` declares (NULL or no list: nothing). */
P0Shapes p0_shapes_read(Arena *arena, const Value *p0_shapes);

/* All shapes that a test writes as literals, in its text or in calls that make tensors. */
ShapeSet covered_shapes(Arena *arena, const PyFile *test);
/* Only the part that reads the text. */
void shapes_in_text(Arena *arena, Str text, ShapeSet *set);

/* --- DESIGN.md */

/* Identifiers in code of DESIGN.md (fences and `spans`), each once, sorted by code point. */
Strs design_identifiers(Arena *arena, Str text);

#endif
