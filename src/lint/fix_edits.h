/* Edits of one file: choosing those that go together, and the text that they make. Private to
 * src/lint. */
#ifndef PYPTO_LINT_LINT_FIX_EDITS_H
#define PYPTO_LINT_LINT_FIX_EDITS_H

#include "lint/rule.h"

/* One replacement in a text: bytes `start` to `end` by `text`. */
typedef struct Splice {
    uint32_t start, end;
    Str text;
    uint32_t order; /* of its making: settles what two insertions at one place do */
} Splice;
typedef VEC(Splice) Splices;

/* The edits that are to be applied to `text`. */
typedef struct EditPlan {
    Arena *arena;
    Str text;
    uint8_t *taken; /* for each offset, the end included */
    Splices splices;
} EditPlan;

void edit_plan_init(EditPlan *plan, Arena *arena, Str text);
/* Adds all of `splices` and true; or none and false: one lies outside of the text, touches another
 * one of them, or touches what is in the plan. Touching means that both change the same byte, that
 * one inserts within the other, or that both insert at one place (allowed within `splices`). */
bool edit_plan_add(EditPlan *plan, const Splices *splices);
/* The text with the edits applied. In a text with CR LF line ends what they insert has these,
 * too. */
Str edit_plan_text(EditPlan *plan);

#endif
