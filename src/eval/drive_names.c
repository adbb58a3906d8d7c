/* Names that a recorded loop binds: what they mean in its iterations and after it.
 *
 * In 9.1 a tensor's name has, at the start of each path of the body, the meaning it had before
 * the loop. The front end of 9.2 carries it over. The simulator and this file do that with a
 * tensor outside the loop, into which each iteration moves the name's final value. If the
 * version is not named, that of 9.2 is assumed, and drive_kernel tries the other one before it
 * reports anything. */
#include "eval/drive_names.h"

#include <stdio.h>

Carry drive_carry(const Eval *eval)
{
    Newer newer = eval_newer(eval);
    bool old = newer == NEWER_WRONG || (newer == NEWER_DOUBTFUL && eval->as_old);
    return !old ? CARRY_NEW : eval->frame->is_graph ? CARRY_OLD : CARRY_UNSURE;
}

/* From now on nothing is known about what was written. */
static void lose_state(Eval *eval)
{
    eval->drive->carried = true;
}

static bool is_tensor(const Eval *eval, Value value)
{
    return value.kind == VALUE_TENSOR && drive_has_slot(eval, value);
}

/* --- under 9.2: tensors that carry a name from one iteration to the next */

static void move_into(Eval *eval, Value tensor, Value source)
{
    Value arguments[] = {tensor, source};
    drive_cook(eval, "move", 2, arguments);
}

/* A new tensor with the value of another one; VALUE_NONE when that is not possible. */
static Value copy_of(Eval *eval, Str name, Value value)
{
    char text[96];
    PtsSlotInfo info;
    PtsError error;
    if (!drive_may_record(eval) || !drive_info(eval, value, &info)) {
        lose_state(eval);
        return value_none();
    }
    snprintf(text, sizeof text, "%.*s", STR_ARG(name));
    PtsSlot slot = pts_declare(eval->drive->program, info.dtype, info.rank, info.shape, info.format,
                               text, drive_site(eval, eval->drive->node), &error);
    if (slot == PTS_SLOT_NONE) {
        lose_state(eval);
        return value_none();
    }
    Value made = drive_tensor(slot);
    move_into(eval, made, value);
    return made;
}

static bool is_slot(const Value *value, const Carried *one)
{
    return value != NULL && value->kind == VALUE_TENSOR && one->slot.kind == VALUE_TENSOR &&
           value->handle == one->slot.handle;
}

/* If a name means, at the end of an iteration, what another one meant at its start, it gets a copy,
 * because the other one is about to change. */
static void part_names(Eval *eval, const CarriedNames *carried)
{
    VEC(uint32_t) slots = {0}; /* most names of a long loop have none */
    for (uint32_t i = 0; i < carried->names.count; i++) {
        if (carried->names.items[i].slot.kind == VALUE_TENSOR) {
            VEC_PUSH(eval->arena, &slots, i);
        }
    }
    for (uint32_t i = 0; i < carried->names.count && slots.count > 0 && !eval->stopped; i++) {
        Value *now = scope_get(eval->frame->scope, carried->names.items[i].name);
        for (uint32_t k = 0; k < slots.count; k++) {
            if (slots.items[k] != i && is_slot(now, &carried->names.items[slots.items[k]])) {
                Str name = carried->names.items[i].name;
                Value copy = copy_of(eval, name, *now);
                scope_set(eval, eval->frame->scope, name,
                          copy.kind == VALUE_TENSOR ? copy : value_unknown());
                break;
            }
        }
    }
}

/* At the end of an iteration: stores what the next one sees. */
static void carry(Eval *eval, const CarriedNames *carried, const Carried *one)
{
    const Value *now = scope_get(eval->frame->scope, one->name);
    bool same = is_slot(now, one) || (carried->once && now != NULL && is_tensor(eval, *now) &&
                                      now->handle == one->value.handle);
    if (one->slot.kind != VALUE_TENSOR || same) {
        return;
    }
    if (now != NULL && is_tensor(eval, *now)) {
        move_into(eval, one->slot, *now);
    } else {
        drive_lose(eval, one->slot);
    }
}

/* --- before the loop */

void drive_collect_names(Eval *eval, NodeId loop, bool once, CarriedNames *carried)
{
    const LoopNames *found = loop_names(eval, loop);
    carried->carry = drive_carry(eval);
    carried->once = once;
    carried->node = eval->drive->node;
    for (uint32_t i = 0; i < found->names.count && !eval->stopped; i++) {
        const LoopName *name = &found->names.items[i];
        const Value *value = scope_get(eval->frame->scope, name->name);
        Carried one = {.name = name->name,
                       .value = drive_is_unset(value) ? drive_unset(true) : *value,
                       .slot = value_none(),
                       .left = drive_unset(true),
                       .bound = drive_unset(true),
                       .read_first = name->read_first,
                       .read_later = name->read_later,
                       .is_new = drive_is_unset(value)};
        bool tensor = is_tensor(eval, one.value);
        bool needed = one.read_first || one.read_later;
        if (tensor && needed && carried->carry == CARRY_NEW) {
            eval->drive->rebinds = true;
            one.slot = copy_of(eval, one.name, one.value);
        }
        /* Python itself runs the iterations of a loop that carries a float. */
        bool walked = one.read_first && one.value.kind == VALUE_FLOAT;
        if (walked || (tensor && carried->carry == CARRY_UNSURE)) {
            lose_state(eval);
        }
        VEC_PUSH(eval->arena, &carried->names, one);
    }
}

/* --- its iterations */

/* The value of a name other than a tensor at the start of an iteration, or after the loop: the
 * product's versions differ, so only what they have in common is known. */
static Value carried_value(Value value)
{
    switch ((ValueKind)value.kind) {
    case VALUE_INT:
    case VALUE_BOOL:
    case VALUE_SYMBOL:
    case VALUE_NUMBER:
        return value_number();
    default:
        return value_unknown();
    }
}

/* A name that had no value before the loop. 9.2 forgets it at the start of each path; in 9.1 it
 * keeps the value of an earlier path, where a tensor must not be read. */
static void start_new(Eval *eval, const CarriedNames *carried, Str name)
{
    const Value *now = scope_get(eval->frame->scope, name);
    if (carried->carry == CARRY_NEW) {
        scope_set(eval, eval->frame->scope, name, drive_unset(true));
    } else if (now != NULL && !is_tensor(eval, *now)) {
        scope_set(eval, eval->frame->scope, name, drive_unset(false));
    }
}

void drive_names_start(Eval *eval, CarriedNames *carried)
{
    for (uint32_t i = 0; i < carried->names.count; i++) {
        const Carried *one = &carried->names.items[i];
        Value value = one->read_first ? carried_value(one->value) : one->value;
        if (one->is_new) {
            start_new(eval, carried, one->name);
            continue;
        }
        if (one->slot.kind == VALUE_TENSOR && !carried->once) {
            value = one->slot;
        } else if (is_tensor(eval, one->value)) {
            value = one->value;
        }
        scope_set(eval, eval->frame->scope, one->name, value);
    }
}

/* Are both tensors of the same form? */
static bool same_form(Eval *eval, Value a, Value b)
{
    PtsSlotInfo x, y;
    return drive_info(eval, a, &x) && drive_info(eval, b, &y) && x.dtype == y.dtype &&
           x.rank == y.rank && x.format == y.format &&
           memcmp(x.shape, y.shape, sizeof *x.shape * (size_t)x.rank) == 0 &&
           memcmp(x.valid, y.valid, sizeof *x.valid * (size_t)x.rank) == 0;
}

void drive_names_end_turn(Eval *eval, CarriedNames *carried)
{
    NodeId node = eval->drive->node;
    eval->drive->node = carried->node;
    for (uint32_t i = 0; i < carried->names.count && !eval->stopped; i++) {
        Carried *one = &carried->names.items[i];
        const Value *now = scope_get(eval->frame->scope, one->name);
        one->changes = one->changes || one->value.kind != VALUE_TENSOR || now == NULL ||
                       !same_form(eval, *now, one->value);
    }
    part_names(eval, carried);
    for (uint32_t i = 0; i < carried->names.count && !eval->stopped; i++) {
        carry(eval, carried, &carried->names.items[i]);
    }
    eval->drive->node = node;
}

static bool is_same(Value a, Value b)
{
    bool tensors = a.kind == VALUE_TENSOR && b.kind == VALUE_TENSOR;
    return tensors ? a.handle == b.handle : value_same(a, b);
}

void drive_names_end_path(Eval *eval, CarriedNames *carried)
{
    for (uint32_t i = 0; i < carried->names.count && !eval->stopped; i++) {
        Carried *one = &carried->names.items[i];
        const Value *now = scope_get(eval->frame->scope, one->name);
        Value left = drive_is_unset(now) ? drive_unset(true) : *now;
        one->varies = one->varies || (!drive_is_unset(&one->left) && !is_same(one->left, left));
        one->left = left;
        if (!drive_is_unset(&left)) {
            bool differs = !drive_is_unset(&one->bound) && !is_same(one->bound, left);
            one->differs = one->differs || differs;
            one->bound = left;
        }
    }
}

/* --- after it */

/* The value of a name without such a tensor: that of the last path, if the paths agree. */
static Value last_value(Eval *eval, const CarriedNames *carried, const Carried *one, Value now)
{
    if (drive_is_unset(&now)) { /* 9.2 then takes what other paths leave */
        return carried->carry == CARRY_NEW && one->differs ? value_unknown() : now;
    }
    bool tensor = is_tensor(eval, one->value) || (one->is_new && now.kind == VALUE_TENSOR);
    if (tensor && carried->carry == CARRY_UNSURE) {
        return one->is_new || !one->changes ? now : value_unknown();
    }
    if (tensor || one->is_new) {
        bool open = one->varies && one->read_later && carried->carry == CARRY_NEW;
        eval->drive->carried = eval->drive->carried || (open && now.kind == VALUE_TENSOR);
        return open && now.kind != VALUE_TENSOR ? carried_value(now) : now;
    }
    bool same =
        now.kind == one->value.kind && now.kind != VALUE_TENSOR && value_same(now, one->value);
    return same ? now : carried_value(one->value);
}

void drive_names_behind(Eval *eval, const CarriedNames *carried)
{
    for (uint32_t i = 0; i < carried->names.count; i++) {
        const Carried *one = &carried->names.items[i];
        const Value *now = scope_get(eval->frame->scope, one->name);
        Value value = one->slot;
        if (value.kind != VALUE_TENSOR) {
            value = last_value(eval, carried, one, now == NULL ? drive_unset(true) : *now);
        }
        scope_set(eval, eval->frame->scope, one->name, value);
    }
}
