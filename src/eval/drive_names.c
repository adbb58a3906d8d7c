/* Names that a recorded loop binds: what they are in its turns, and behind it. */
#include "eval/drive_names.h"

/* What a statement, or a list of them, does with a name first. */
typedef enum Use { USE_NONE, USE_READ, USE_BOUND } Use;

static bool loads(const Module *module, NodeId root, Str name)
{
    NodeList names = root == NO_NODE ? (NodeList){NULL, 0} : nodes_in(module, root, NODE_NAME);
    for (uint32_t i = 0; i < names.count; i++) {
        NodeId at = names.ids[i];
        if (!str_equal(node_name(module, at), name)) {
            continue;
        }
        while (node_at(module, at)->role == ROLE_ELT || node_is(module, at, NODE_STARRED)) {
            at = node_at(module, at)->parent;
        }
        Role role = (Role)node_at(module, at)->role;
        if (role != ROLE_TARGET && role != ROLE_OPTIONAL_VARS) {
            return true;
        }
    }
    return false;
}

static bool stores(const Module *module, NodeId root, Str name)
{
    NodeList names = nodes_in(module, root, NODE_NAME);
    for (uint32_t i = 0; i < names.count; i++) {
        if (str_equal(node_name(module, names.ids[i]), name)) {
            return true; /* it is not read there, so it is bound */
        }
    }
    return false;
}

static Use first_use(const Module *module, NodeId parent, Role role, Str name, int depth);

static Use use_of_loop(const Module *module, NodeId node, Str name, int depth)
{
    bool is_for = node_is(module, node, NODE_FOR);
    if (loads(module, node_child(module, node, is_for ? ROLE_ITER : ROLE_TEST), name)) {
        return USE_READ;
    }
    if (is_for && stores(module, node_child(module, node, ROLE_TARGET), name)) {
        return USE_NONE; /* bound in its turns, if there are any */
    }
    return first_use(module, node, ROLE_BODY, name, depth) == USE_READ ? USE_READ : USE_NONE;
}

static Use use_of(const Module *module, NodeId node, Str name, int depth)
{
    switch (node_kind(module, node)) {
    case NODE_IF: {
        if (loads(module, node_child(module, node, ROLE_TEST), name)) {
            return USE_READ;
        }
        Use yes = first_use(module, node, ROLE_BODY, name, depth);
        Use no = first_use(module, node, ROLE_ORELSE, name, depth);
        bool read = yes == USE_READ || no == USE_READ;
        return read ? USE_READ : yes == USE_BOUND && no == USE_BOUND ? USE_BOUND : USE_NONE;
    }
    case NODE_FOR:
    case NODE_WHILE:
        return use_of_loop(module, node, name, depth);
    case NODE_AUG_ASSIGN:
        return stores(module, node, name) ? USE_READ : USE_NONE;
    case NODE_ASSIGN:
    case NODE_ANN_ASSIGN:
    case NODE_EXPR:
    case NODE_PASS:
    case NODE_ASSERT:
        return loads(module, node, name)                                         ? USE_READ
               : stores(module, node, name) && !node_is(module, node, NODE_EXPR) ? USE_BOUND
                                                                                 : USE_NONE;
    default:
        return loads(module, node, name) || stores(module, node, name) ? USE_READ : USE_NONE;
    }
}

static Use first_use(const Module *module, NodeId parent, Role role, Str name, int depth)
{
    enum { MOST_NESTING = 24 };
    if (depth > MOST_NESTING) {
        return USE_READ;
    }
    for (NodeId node = node_child(module, parent, role); node != NO_NODE;
         node = node_next(module, node)) {
        Use use = use_of(module, node, name, depth + 1);
        if (use != USE_NONE) {
            return use;
        }
    }
    return USE_NONE;
}

/* May a turn of the loop read what the name was before? */
static bool is_read_first(const Module *module, NodeId loop, Str name)
{
    return first_use(module, loop, ROLE_BODY, name, 0) != USE_BOUND;
}

/* What stands for "bound on another path only". */
static Value unset(void)
{
    return (Value){.kind = VALUE_UNKNOWN, .atom = true};
}

static bool is_unset(const Value *value)
{
    return value == NULL || (value->kind == VALUE_UNKNOWN && value->atom);
}

void drive_collect_names(Eval *eval, NodeId loop, CarriedNames *carried)
{
    const Module *module = eval->module;
    NodeList names = nodes_in(module, loop, NODE_NAME);
    NodeId body = node_child(module, loop, ROLE_BODY);
    for (uint32_t i = 0; i < names.count; i++) {
        NodeId id = names.ids[i];
        NodeId at = id;
        while (node_at(module, at)->role == ROLE_ELT) {
            at = node_at(module, at)->parent;
        }
        Role role = (Role)node_at(module, at)->role;
        Str name = node_name(module, id);
        const Value *value = scope_get(eval->frame->scope, name);
        bool seen = false;
        for (uint32_t k = 0; k < carried->names.count; k++) {
            seen = seen || str_equal(carried->names.items[k].name, name);
        }
        if (id < body || role != ROLE_TARGET || seen) {
            continue;
        }
        Carried one = {name, is_unset(value) ? unset() : *value, is_read_first(module, loop, name),
                       is_unset(value), false};
        VEC_PUSH(eval->arena, &carried->names, one);
    }
}

/* What a name may be at the start of a turn, or behind the loop: the versions of the product differ
 * there, so nothing that they do not share is known. */
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

/* Both a tensor of the same form? */
static bool same_form(Eval *eval, Value a, Value b)
{
    PtsSlotInfo x, y;
    return drive_info(eval, a, &x) && drive_info(eval, b, &y) && x.dtype == y.dtype &&
           x.rank == y.rank && x.format == y.format &&
           memcmp(x.shape, y.shape, sizeof *x.shape * (size_t)x.rank) == 0 &&
           memcmp(x.valid, y.valid, sizeof *x.valid * (size_t)x.rank) == 0;
}

/* At the end of a turn: which names have another form than before the loop? */
void drive_note_changes(Eval *eval, CarriedNames *carried)
{
    for (uint32_t i = 0; i < carried->names.count && !eval->stopped; i++) {
        Carried *one = &carried->names.items[i];
        const Value *now = scope_get(eval->frame->scope, one->name);
        one->changes = one->changes || one->value.kind != VALUE_TENSOR || now == NULL ||
                       !same_form(eval, *now, one->value);
    }
}

/* What the names are at the start of a turn, and behind the loop. A tensor's form is the same in
 * both versions as long as no turn changes it. */
void drive_set_names(Eval *eval, const CarriedNames *carried, bool behind)
{
    for (uint32_t i = 0; i < carried->names.count; i++) {
        const Carried *one = &carried->names.items[i];
        Value *now = scope_get(eval->frame->scope, one->name);
        if (one->is_new) {
            if (!behind) {
                scope_set(eval, eval->frame->scope, one->name, unset());
            }
            continue;
        }
        if (one->value.kind == VALUE_TENSOR && drive_has_slot(eval, one->value)) {
            eval->drive->carried = eval->drive->carried || one->read_first || behind;
            bool keeps = !behind || (now != NULL && !one->changes);
            scope_set(eval, eval->frame->scope, one->name,
                      behind && keeps ? *now
                      : keeps         ? one->value
                                      : value_unknown());
            continue;
        }
        Value value = one->read_first || behind ? carried_value(one->value) : one->value;
        if (behind && now != NULL && now->kind == one->value.kind && value_same(*now, one->value) &&
            now->kind != VALUE_TENSOR) {
            value = *now;
        }
        scope_set(eval, eval->frame->scope, one->name, value);
    }
}
