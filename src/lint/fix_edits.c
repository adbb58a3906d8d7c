/* Edits of one file; see fix_edits.h. What is taken is a map of the text's bytes, so the cost of an
 * edit is its length, however many there are. */
#include "lint/fix_edits.h"

#include <stdlib.h>

enum {
    TAKEN = 1,  /* the byte is replaced */
    INSIDE = 2, /* the place before the byte lies within a replaced range */
    POINT = 4,  /* something is inserted before the byte */
};

void edit_plan_init(EditPlan *plan, Arena *arena, Str text)
{
    *plan = (EditPlan){.arena = arena, .text = text};
    plan->taken = ARENA_ARRAY(arena, uint8_t, text.length + 1);
}

static bool fits(const EditPlan *plan, const Splice *splice)
{
    if (splice->start > splice->end || splice->end > plan->text.length) {
        return false;
    }
    if (splice->start == splice->end) {
        return (plan->taken[splice->start] & (INSIDE | POINT)) == 0;
    }
    for (uint32_t i = splice->start; i < splice->end; i++) {
        unsigned unwanted = i == splice->start ? TAKEN : TAKEN | POINT;
        if ((plan->taken[i] & unwanted) != 0) {
            return false;
        }
    }
    return true;
}

static void mark(EditPlan *plan, const Splice *splice)
{
    if (splice->start == splice->end) {
        plan->taken[splice->start] |= POINT;
        return;
    }
    for (uint32_t i = splice->start; i < splice->end; i++) {
        plan->taken[i] |= i == splice->start ? TAKEN : TAKEN | INSIDE;
    }
}

static int by_place(const void *a, const void *b)
{
    const Splice *x = a;
    const Splice *y = b;
    if (x->start != y->start) {
        return x->start < y->start ? -1 : 1;
    }
    if (x->end != y->end) {
        return x->end < y->end ? -1 : 1;
    }
    return x->order < y->order ? -1 : x->order > y->order;
}

static void sort(Splices *splices)
{
    if (splices->count > 1) {
        qsort(splices->items, splices->count, sizeof *splices->items, by_place);
    }
}

/* Sorted by place, the replaced ranges must follow each other, insertions may stand between. */
static bool are_disjoint(EditPlan *plan, const Splices *splices)
{
    Splices sorted = {0};
    for (uint32_t i = 0; i < splices->count; i++) {
        VEC_PUSH(plan->arena, &sorted, splices->items[i]);
    }
    sort(&sorted);
    for (uint32_t i = 1; i < sorted.count; i++) {
        if (sorted.items[i].start < sorted.items[i - 1].end) {
            return false;
        }
    }
    return true;
}

bool edit_plan_add(EditPlan *plan, const Splices *splices)
{
    for (uint32_t i = 0; i < splices->count; i++) {
        if (!fits(plan, &splices->items[i])) {
            return false;
        }
    }
    if (!are_disjoint(plan, splices)) {
        return false;
    }
    for (uint32_t i = 0; i < splices->count; i++) {
        Splice splice = splices->items[i];
        mark(plan, &splice);
        splice.order = plan->splices.count;
        VEC_PUSH(plan->arena, &plan->splices, splice);
    }
    return true;
}

/* Does the first line end with CR LF? */
static bool has_crlf(Str text)
{
    size_t newline = str_find(text, STR("\n"), 0);
    return newline != SIZE_MAX && newline > 0 && text.at[newline - 1] == '\r';
}

static void add_text(Buf *out, Str text, bool crlf)
{
    for (size_t i = 0; i < text.length; i++) {
        bool after_cr = out->length > 0 && out->at[out->length - 1] == '\r';
        if (crlf && text.at[i] == '\n' && !after_cr) {
            buf_add_char(out, '\r');
        }
        buf_add_char(out, text.at[i]);
    }
}

Str edit_plan_text(EditPlan *plan)
{
    bool crlf = has_crlf(plan->text);
    Buf out = {.arena = plan->arena};
    buf_add(&out, STR(""));
    sort(&plan->splices);
    size_t at = 0;
    for (uint32_t i = 0; i < plan->splices.count; i++) {
        const Splice *splice = &plan->splices.items[i];
        buf_add(&out, str_slice(plan->text, at, splice->start));
        add_text(&out, splice->text, crlf);
        at = splice->end;
    }
    buf_add(&out, str_slice(plan->text, at, plan->text.length));
    return buf_str(&out);
}
