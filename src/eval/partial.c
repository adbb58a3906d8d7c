/* functools.partial: a callee with some of its arguments. */
#include "eval/state.h"

static bool has_keyword(const Arguments *arguments, Str name)
{
    for (uint32_t i = 0; i < arguments->keywords; i++) {
        if (str_equal(arguments->names[i], name)) {
            return true;
        }
    }
    return false;
}

static void add(Arguments *all, Value value)
{
    uint32_t place = all->positional + all->keywords;
    all->values[place] = value;
    all->nodes[place] =
        all->call; /* the place of the whole call, because bound arguments are elsewhere */
}

/* Bound arguments come first; a keyword that is given again replaces the bound one. */
static Arguments combine(Eval *eval, const Arguments *bound, const Arguments *given)
{
    const Arguments *parts[] = {bound, given};
    uint32_t room = bound->positional + bound->keywords + given->positional + given->keywords + 1;
    Arguments all = {.call = given->call,
                     .values = ARENA_ARRAY(eval->arena, Value, room),
                     .nodes = ARENA_ARRAY(eval->arena, NodeId, room),
                     .names = ARENA_ARRAY(eval->arena, Str, room),
                     .open = given->open};
    for (int i = 0; i < 2; i++) {
        for (uint32_t at = 0; at < parts[i]->positional; at++) {
            add(&all, eval_kept(eval, parts[i]->values[at]));
            all.positional++;
        }
    }
    for (int i = 0; i < 2; i++) {
        for (uint32_t at = 0; at < parts[i]->keywords; at++) {
            if (i == 1 || !has_keyword(given, parts[i]->names[at])) {
                add(&all, eval_kept(eval, parts[i]->values[parts[i]->positional + at]));
                all.names[all.keywords++] = parts[i]->names[at];
            }
        }
    }
    return all;
}

Value partial_new(Eval *eval, const Arguments *arguments)
{
    if (arguments->open || arguments->positional == 0) {
        lose_arguments(eval, arguments);
        return value_unknown();
    }
    Value callee = arguments->values[0];
    bool of_partial = callee.kind == VALUE_PARTIAL;
    Arguments rest = *arguments;
    rest.values++;
    rest.nodes++;
    rest.positional--;
    Partial *partial = ARENA_NEW(eval->arena, Partial);
    partial->callee = of_partial ? callee.as.partial->callee : callee;
    partial->bound = combine(
        eval, of_partial ? &callee.as.partial->bound : &(Arguments){.call = arguments->call},
        &rest);
    return (Value){.kind = VALUE_PARTIAL, .as.partial = partial};
}

Value partial_call(Eval *eval, const Arguments *arguments, const Partial *partial)
{
    Arguments all = combine(eval, &partial->bound, arguments);
    return eval_call_with(eval, partial->callee, &all);
}
