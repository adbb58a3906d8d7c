/* Names that a recorded loop binds: what they are in its turns, and behind it. */
#include "eval/drive_names.h"

#include "base/map.h"
#include "base/search.h"

/* What a statement, or a list of them, does with a name first. */
typedef enum Use { USE_NONE, USE_READ, USE_BOUND } Use;

/* Where one name stands in a loop, ascending: a loop has as many names as statements, so nothing
 * looks through the statements for each of them. */
typedef struct Places {
    const Module *module;
    const NodeId *ids;
    uint32_t count;
} Places;

/* Those below a node. */
static NodeList places_in(const Places *places, NodeId root)
{
    uint32_t from, to;
    if (root == NO_NODE) {
        return (NodeList){NULL, 0};
    }
    NodeId end = node_at(places->module, root)->subtree_end;
    LOWER_BOUND(from, places->count, places->ids[from] < root);
    LOWER_BOUND(to, places->count, places->ids[to] < end);
    return (NodeList){places->ids + from, to - from};
}

static bool loads(const Places *places, NodeId root)
{
    const Module *module = places->module;
    NodeList names = places_in(places, root);
    for (uint32_t i = 0; i < names.count; i++) {
        NodeId at = names.ids[i];
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

static bool stores(const Places *places, NodeId root)
{
    return places_in(places, root).count > 0; /* it is not read there, so it is bound */
}

static Use first_use(const Places *places, NodeId parent, Role role, int depth);

static Use use_of_loop(const Places *places, NodeId node, int depth)
{
    const Module *module = places->module;
    bool is_for = node_is(module, node, NODE_FOR);
    if (loads(places, node_child(module, node, is_for ? ROLE_ITER : ROLE_TEST))) {
        return USE_READ;
    }
    if (is_for && stores(places, node_child(module, node, ROLE_TARGET))) {
        return USE_NONE; /* bound in its turns, if there are any */
    }
    return first_use(places, node, ROLE_BODY, depth) == USE_READ ? USE_READ : USE_NONE;
}

static Use use_of(const Places *places, NodeId node, int depth)
{
    const Module *module = places->module;
    switch (node_kind(module, node)) {
    case NODE_IF: {
        if (loads(places, node_child(module, node, ROLE_TEST))) {
            return USE_READ;
        }
        Use yes = first_use(places, node, ROLE_BODY, depth);
        Use no = first_use(places, node, ROLE_ORELSE, depth);
        bool read = yes == USE_READ || no == USE_READ;
        return read ? USE_READ : yes == USE_BOUND && no == USE_BOUND ? USE_BOUND : USE_NONE;
    }
    case NODE_FOR:
    case NODE_WHILE:
        return use_of_loop(places, node, depth);
    case NODE_AUG_ASSIGN:
        return stores(places, node) ? USE_READ : USE_NONE;
    case NODE_ASSIGN:
    case NODE_ANN_ASSIGN:
    case NODE_EXPR:
    case NODE_PASS:
    case NODE_ASSERT:
        return loads(places, node)                                         ? USE_READ
               : stores(places, node) && !node_is(module, node, NODE_EXPR) ? USE_BOUND
                                                                           : USE_NONE;
    default:
        return loads(places, node) || stores(places, node) ? USE_READ : USE_NONE;
    }
}

static Use first_use(const Places *places, NodeId parent, Role role, int depth)
{
    enum { MOST_NESTING = 24 };
    if (depth > MOST_NESTING) {
        return USE_READ;
    }
    const Module *module = places->module;
    NodeList names = places_in(places, parent);
    NodeId passed = 0;
    for (uint32_t i = 0; i < names.count; i++) {
        NodeId node = names.ids[i];
        if (node < passed) {
            continue; /* in the statement before */
        }
        while (node_at(module, node)->parent != parent) {
            node = node_at(module, node)->parent;
        }
        passed = node_at(module, node)->subtree_end;
        Use use = node_at(module, node)->role == role ? use_of(places, node, depth + 1) : USE_NONE;
        if (use != USE_NONE) {
            return use;
        }
    }
    return USE_NONE;
}

/* May a turn of the loop read what the name was before? */
static bool is_read_first(const Places *places, NodeId loop)
{
    return first_use(places, loop, ROLE_BODY, 0) != USE_BOUND;
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

/* The names of a loop by number, in the order of their first place. */
typedef struct NameIndex {
    NodeList names; /* all places, ascending */
    uint32_t *number;
    uint32_t *start; /* the places of number n: ids[start[n]] to before ids[start[n + 1]] */
    NodeId *ids;
    bool *seen;
} NameIndex;

static NameIndex index_names(Arena *arena, const Module *module, NodeId loop)
{
    Map numbers = {0};
    NameIndex index = {.names = nodes_in(module, loop, NODE_NAME)};
    uint32_t count = index.names.count, names = 0;
    index.number = ARENA_ARRAY(arena, uint32_t, count + 1);
    index.start = ARENA_ARRAY(arena, uint32_t, count + 2);
    index.ids = ARENA_ARRAY(arena, NodeId, count + 1);
    index.seen = ARENA_ARRAY(arena, bool, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        Str name = node_name(module, index.names.ids[i]);
        uint32_t number = map_find(&numbers, name);
        number = number == MAP_NONE ? map_add(&numbers, arena, name) : number;
        names = number >= names ? number + 1 : names;
        index.number[i] = number;
        index.start[number + 1]++;
    }
    uint32_t *next = ARENA_ARRAY(arena, uint32_t, count + 1);
    for (uint32_t n = 0; n < names; n++) {
        index.start[n + 1] += index.start[n];
        next[n] = index.start[n];
    }
    for (uint32_t i = 0; i < count; i++) {
        index.ids[next[index.number[i]]++] = index.names.ids[i];
    }
    return index;
}

void drive_collect_names(Eval *eval, NodeId loop, CarriedNames *carried)
{
    const Module *module = eval->module;
    NameIndex index = index_names(eval->arena, module, loop);
    NodeId body = node_child(module, loop, ROLE_BODY);
    for (uint32_t i = 0; i < index.names.count; i++) {
        NodeId id = index.names.ids[i];
        NodeId at = id;
        while (node_at(module, at)->role == ROLE_ELT) {
            at = node_at(module, at)->parent;
        }
        uint32_t number = index.number[i];
        if (id < body || node_at(module, at)->role != ROLE_TARGET || index.seen[number]) {
            continue;
        }
        index.seen[number] = true;
        Str name = node_name(module, id);
        const Value *value = scope_get(eval->frame->scope, name);
        uint32_t first = index.start[number];
        Places places = {module, index.ids + first, index.start[number + 1] - first};
        Carried one = {name, is_unset(value) ? unset() : *value, is_read_first(&places, loop),
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
