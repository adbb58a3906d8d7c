/* Who accessed which element: accesses, conflicts between them, and what is said of these. */
#include "model/error.h"
#include "sim/kernels/common.h"
#include "sim/sanitize_races.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_ACCESSES = 1 << 22,
    MOST_CONFLICTS = 4, /* instructions that one access conflicts with */
};
static const int64_t MOST_ELEMENTS = INT64_C(1) << 28; /* larger memory is not looked at */

/* ---- life ---- */

Races *races_new(PtsProgram *program, bool unordered)
{
    Races *races = calloc(1, sizeof *races);
    if (races == NULL) {
        return NULL;
    }
    races->program = program;
    races->unordered = unordered;
    races->facts = races_facts(program, unordered);
    races->slots = calloc((size_t)program->slot_count + 1, sizeof(SlotRaces *));
    if (races->slots == NULL || races->facts == NULL) {
        races_free(races);
        return NULL;
    }
    return races;
}

static void free_slot(SlotRaces *slot)
{
    for (int rule = 0; slot != NULL && rule < RACE_RULES; rule++) {
        ElementLog *log = &slot->logs[rule];
        for (int kind = 0; kind < ACCESS_KINDS; kind++) {
            free(log->last[kind]);
            free(log->other[kind]);
        }
    }
    free(slot);
}

void races_free(Races *races)
{
    if (races == NULL) {
        return;
    }
    for (PtsSlot slot = 0; races->slots != NULL && slot < races->program->slot_count; slot++) {
        free_slot(races->slots[slot]);
    }
    free(races->slots);
    free(races->accesses);
    free(races->told);
    free(races);
}

SlotRaces *races_of(Races *races, PtsSlot slot)
{
    if (races->slots[slot] == NULL) {
        races->slots[slot] = calloc(1, sizeof(SlotRaces));
        if (races->slots[slot] != NULL) {
            races->slots[slot]->slot = slot;
        }
    }
    return races->slots[slot];
}

/* ---- accesses ---- */

static const Access *access_of(const Races *races, uint32_t number)
{
    return &races->accesses[number - 1 - races->table_base];
}

uint32_t races_note(Races *races, const Access *access)
{
    if (races->access_count == races->access_capacity) {
        uint32_t capacity = races->access_capacity * 2 + 64;
        Access *accesses = races->access_count >= MOST_ACCESSES
                               ? NULL
                               : realloc(races->accesses, capacity * sizeof *accesses);
        if (accesses == NULL) {
            races->is_full = true;
            return 0;
        }
        races->accesses = accesses;
        races->access_capacity = capacity;
    }
    races->accesses[races->access_count++] = *access;
    return races->table_base + races->access_count;
}

/* ---- elements ---- */

/* The log is for memory of that many bytes; one for other memory starts anew. False when nothing
 * can be noted of it. */
static bool prepare(ElementLog *log, int64_t bytes, PtsDtype dtype)
{
    int64_t size = (int64_t)pts_dtype_bytes(dtype);
    int64_t count = size > 0 ? bytes / size : 0;
    if (count == 0 || count > MOST_ELEMENTS) {
        return false;
    }
    if (log->count != count || log->size != size) {
        for (int kind = 0; kind < ACCESS_KINDS; kind++) {
            free(log->last[kind]);
            free(log->other[kind]);
            log->last[kind] = log->other[kind] = NULL;
        }
        log->count = count;
        log->size = size;
    }
    return true;
}

static bool has_arrays(ElementLog *log, AccessKind kind)
{
    bool two = kind != ACCESS_WRITE;
    if (log->last[kind] == NULL) {
        log->last[kind] = calloc((size_t)log->count, sizeof(uint32_t));
    }
    if (two && log->other[kind] == NULL) {
        log->other[kind] = calloc((size_t)log->count, sizeof(uint32_t));
    }
    return log->last[kind] != NULL && (!two || log->other[kind] != NULL);
}

typedef struct Conflict {
    uint32_t earlier;
    AccessKind kind; /* of the earlier one */
    Box box;
    bool any;
} Conflict;

/* An access under way. */
typedef struct Check {
    const Races *races;
    SlotRaces *slot;
    ElementLog *log;
    RaceRule rule;
    AccessKind kind;
    uint32_t number;
    const Access *access;
    Conflict conflicts[MOST_CONFLICTS];
    int count;
} Check;

/* Do an earlier access and this one have no order? */
static bool is_unordered(const Check *check, uint32_t earlier)
{
    if (earlier <= check->log->base) {
        return false;
    }
    const Access *before = access_of(check->races, earlier);
    if (before->turn == check->access->turn) {
        return false;
    }
    switch (check->rule) {
    case RACE_SIBLINGS:
        return before->body != check->access->body;
    case RACE_ASSEMBLES:
        return (before->parallel && check->access->parallel) ||
               (check->races->unordered && before->body == check->access->body);
    default:
        return true;
    }
}

static void note_conflict(Check *check, uint32_t earlier, AccessKind kind, int64_t element)
{
    const PtsInstruction *instruction = access_of(check->races, earlier)->instruction;
    Conflict *conflict = NULL;
    for (int i = 0; i < check->count && conflict == NULL; i++) {
        const Access *known = access_of(check->races, check->conflicts[i].earlier);
        conflict = known->instruction == instruction ? &check->conflicts[i] : NULL;
    }
    if (conflict == NULL && check->count < MOST_CONFLICTS) {
        conflict = &check->conflicts[check->count++];
        *conflict = (Conflict){.earlier = earlier, .kind = kind};
    }
    if (conflict == NULL || conflict->earlier != earlier) {
        return;
    }
    int64_t size = check->log->size;
    Box box = shadow_box(&check->slot->form, element * size, (element + 1) * size);
    shadow_join(check->slot->form.rank, &conflict->box, &box, &conflict->any);
}

static void look_at(Check *check, AccessKind kind, int64_t element)
{
    const ElementLog *log = check->log;
    if (log->last[kind] == NULL) {
        return;
    }
    uint32_t last = log->last[kind][element];
    uint32_t other = log->other[kind] == NULL ? 0 : log->other[kind][element];
    if (is_unordered(check, last)) {
        note_conflict(check, last, kind, element);
    } else if (is_unordered(check, other)) {
        note_conflict(check, other, kind, element);
    }
}

static void enter_element(const Check *check, int64_t element)
{
    const ElementLog *log = check->log;
    uint32_t *last = &log->last[check->kind][element];
    if (log->other[check->kind] != NULL && *last > log->base &&
        access_of(check->races, *last)->turn != check->access->turn) {
        log->other[check->kind][element] = *last;
    }
    *last = check->number;
}

/* `same`: what is written is what is there. */
static void check_element(Check *check, int64_t element, bool same)
{
    if (element < 0 || element >= check->log->count) {
        return;
    }
    if (check->kind != ACCESS_WRITE || !same) {
        look_at(check, ACCESS_WRITE, element);
    }
    if (check->kind != ACCESS_ADD) {
        look_at(check, ACCESS_ADD, element);
    }
    if (check->kind != ACCESS_READ) {
        look_at(check, ACCESS_READ, element);
    }
    enter_element(check, element);
}

/* Nothing of what was noted of these elements counts: then they can be entered at once. */
static bool is_fresh(const ElementLog *log, int64_t first, int64_t count)
{
    for (int kind = 0; kind < ACCESS_KINDS; kind++) {
        const uint32_t *last = log->last[kind];
        bool counts = false;
        for (int64_t i = first; last != NULL && i < first + count; i++) {
            counts |= last[i] > log->base;
        }
        if (counts) {
            return false;
        }
    }
    return true;
}

/* A row of elements beside each other; false when they must be looked at one by one. */
static bool enter_row(const Check *check, const char *base, const char *at, int64_t count)
{
    const ElementLog *log = check->log;
    int64_t first = (at - base) / log->size;
    if (first < 0 || count > log->count - first || (at - base) % log->size != 0 ||
        !is_fresh(log, first, count)) {
        return false;
    }
    for (int64_t i = first; i < first + count; i++) {
        log->last[check->kind][i] = check->number;
    }
    return true;
}

static void check_region(Check *check, const char *base, const PtsTensor *region,
                         const PtsTensor *from)
{
    int64_t count;
    if (region->rank == 0 || !rt_element_count(region->rank, region->valid, &count) || count == 0) {
        return;
    }
    int64_t index[PTS_MAX_RANK] = {0};
    size_t size = pts_dtype_bytes(region->dtype);
    int end = region->rank - 1;
    bool has_rows = region->stride[end] == 1 && (int64_t)size == check->log->size;
    do {
        const char *at = pts_at(region, index, region->rank);
        if (has_rows && index[end] == 0 && enter_row(check, base, at, region->valid[end])) {
            index[end] = region->valid[end] - 1;
            continue;
        }
        bool same = from != NULL && memcmp(at, pts_at(from, index, from->rank), size) == 0;
        int64_t first = (at - base) / check->log->size;
        int64_t last = (at - base + (int64_t)size - 1) / check->log->size;
        for (int64_t element = first; element <= last; element++) {
            check_element(check, element, same);
        }
    } while (pts_next_index(region->rank, region->valid, index));
}

/* ---- words ---- */

static void say_access(const Access *access, AccessKind kind, char *text, size_t size)
{
    static const char *const verbs[ACCESS_KINDS] = {"reads", "writes", "adds"};
    int length = snprintf(text, size, "line %d", access->instruction->site.line);
    if (access->loop != NULL && length > 0) {
        length += snprintf(text + length, size - (size_t)length, " (%s = %lld)",
                           access->loop->loop.index_name, (long long)access->index);
    }
    snprintf(text + length, size - (size_t)length, " %s", verbs[kind]);
}

static const char *reason_of(const Check *check, const Access *before)
{
    switch (check->rule) {
    case RACE_SIBLINGS:
        return "iterations of the loop around may overlap on the device: the loop that reads needs "
               "submit_before_loop=True";
    case RACE_ASSEMBLES:
        return before->parallel && check->access->parallel
                   ? "assembles with parallel=True have no order"
                   : "PyPTO 9.1 gives assembles of one body no order";
    default:
        return "iterations of a parallel loop have no order";
    }
}

bool races_is_told(Races *races, PtsSlot slot, const PtsInstruction *first,
                   const PtsInstruction *second)
{
    for (size_t i = 0; i < races->told_count; i++) {
        const Told *told = &races->told[i];
        if (told->slot == slot && told->first == first && told->second == second) {
            return true;
        }
    }
    if (races->told_count == races->told_capacity) {
        size_t capacity = races->told_capacity * 2 + 8;
        Told *all = realloc(races->told, capacity * sizeof *all);
        if (all == NULL) {
            return true; /* rather silent than without end */
        }
        races->told = all;
        races->told_capacity = capacity;
    }
    races->told[races->told_count++] = (Told){slot, first, second};
    return false;
}

static bool tell(Vm *vm, const Check *check, const Conflict *conflict, PtsError *error)
{
    const Access *before = access_of(check->races, conflict->earlier);
    const Access *now = check->access;
    char where[160], first[96], second[96], text[512];
    bool is_one;
    if (races_is_told(vm->sanitizer->races, check->slot->slot, before->instruction,
                      now->instruction)) {
        return true;
    }
    sanitize_box_text(&check->slot->form, &conflict->box, true, where, sizeof where, &is_one);
    say_access(before, conflict->kind, first, sizeof first);
    say_access(now, check->kind, second, sizeof second);
    snprintf(text, sizeof text, "%s %s: %s, %s; %s", pts_slot_name(vm->program, check->slot->slot),
             where, first, second, reason_of(check, before));
    PtsSite site = now->instruction->site;
    pts_diagnose(vm->program, sanitize_severity(vm), 0, "race", site, "%s", text);
    return sanitize_found(vm, now->instruction, site, 0, "race", text, error);
}

/* ---- the check ---- */

bool races_check(Vm *vm, RaceRule rule, AccessKind kind, const Access *access, const RtValue *value,
                 const PtsTensor *region, const PtsTensor *from, PtsError *error)
{
    Races *races = vm->sanitizer->races;
    SlotRaces *slot = value->races;
    ElementLog *log = &slot->logs[rule];
    const RtBuffer *buffer = value->buffer;
    if (races->is_full || !prepare(log, buffer->bytes, slot->form.dtype)) {
        return true;
    }
    if (!has_arrays(log, kind)) {
        return pts_fail_memory(error);
    }
    uint32_t number = races_note(races, access);
    if (number == 0) {
        return true;
    }
    Access copy = *access; /* the table may move */
    Check check = {.races = races,
                   .slot = slot,
                   .log = log,
                   .rule = rule,
                   .kind = kind,
                   .number = number,
                   .access = &copy};
    races->keeps = races->keeps || rule != RACE_PARALLEL;
    check_region(&check, buffer->data, region, from);
    for (int i = 0; i < check.count; i++) {
        if (!tell(vm, &check, &check.conflicts[i], error)) {
            return false;
        }
    }
    return true;
}
