/* Similar: is a name a misspelling of another? Chance likeness is worse than no suggestion. */
#ifndef PYPTO_LINT_RULES_SIMILAR_H
#define PYPTO_LINT_RULES_SIMILAR_H

#include "base/str.h"

/* How many edits turn `wanted`, which does not exist, into `candidate`, when that is a misspelling:
 * 0 when they differ in case and underscores only. SIMILAR_NOT for anything else. The words between
 * the underscores are compared one by one. A word may differ by one edit from four letters on and
 * by two from ten on, never in its first letter nor in its digits: so no opposite (unsqueeze for
 * squeeze, and for nand, set_… for get_…) and no other size (FP16 for FP64) comes out. */
enum { SIMILAR_NOT = 99 };
unsigned similar_edits(Str candidate, Str wanted);

enum { SYNONYM_NAMES = 3 };

/* What to write for a name that people bring along from torch, NumPy or other tile languages: a row
 * of rules/data/synonyms.def. */
typedef struct Synonym {
    const char *missing, *names[SYNONYM_NAMES]; /* NULL after the last name */
    const char *recipe;                         /* code, or NULL when the names alone say it */
    bool is_rename;                             /* the name takes the same arguments */
} Synonym;
extern const Synonym synonyms[];
extern const size_t synonym_count;

/* The entry of that name, or NULL. */
const Synonym *synonym_find(Str missing);

#endif
