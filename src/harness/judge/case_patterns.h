/* Case patterns: what all cases with wrong values have in common, and no case with right ones: a
 * tail, a row of zeros. One case alone cannot show this. */
#ifndef PYPTO_LINT_HARNESS_JUDGE_CASE_PATTERNS_H
#define PYPTO_LINT_HARNESS_JUDGE_CASE_PATTERNS_H

#include "harness/judge/case_result.h"

typedef enum PatternKind {
    PATTERN_TAIL,     /* the extent of an axis is not a multiple of `divisor` */
    PATTERN_ZERO_ROW, /* an input has a row of zeros */
} PatternKind;

typedef struct CasePattern {
    PatternKind kind;
    Str input;
    uint32_t axis;         /* PATTERN_TAIL */
    int64_t divisor;       /* PATTERN_TAIL: of the extents in all cases with right values */
    uint32_t wrong, right; /* numbers of cases */
} CasePattern;
typedef VEC(CasePattern) CasePatterns;

/* "tail", "zero_row". */
const char *case_pattern_name(PatternKind kind);
/* Appends a sentence and what to look at, without a line end. */
void case_pattern_add(Buf *out, const CasePattern *pattern, Lang lang);

/* One case: its facts, its outputs (NULL = unknown), and whether its values are wrong. */
typedef struct PatternCase {
    const InputFacts *inputs;
    const Leaves *leaves;
    bool is_wrong;
} PatternCase;

/* Patterns of these cases, at most PATTERNS_MOST; none with fewer than two right ones. */
enum { PATTERNS_MOST = 4 };
CasePatterns case_patterns_find(Arena *arena, const PatternCase *cases, size_t count);

#endif
