/* How the body of a loop, and the code after it, use the names that the loop binds: found once for
 * each loop, however often it is walked. */
#include "eval/drive_names.h"

#include "base/map.h"
#include "base/search.h"

/* What a statement, or a list of them, does with a name first. */
typedef enum Use { USE_NONE, USE_READ, USE_BOUND } Use;

/* The places of one name in a function, ascending. A function may have as many names as statements,
 * so the statements must not be searched for each name. */
typedef struct Places {
    const Module *module;
    const NodeId *ids;
    uint32_t count;
    uint32_t *steps; /* statements that may still be examined; after that the name counts as read */
} Places;

/* Statements examined for one name of one loop. Every loop asks about each of its names, and a name
 * that only further loops bind stays undecided through all of them. */
enum { MOST_STATEMENTS = 64 };

/* The places below a node. */
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

static Use first_use(const Places *places, NodeId parent, Role role, NodeId after, int depth);

static Use use_of_loop(const Places *places, NodeId node, int depth)
{
    const Module *module = places->module;
    bool is_for = node_is(module, node, NODE_FOR);
    if (loads(places, node_child(module, node, is_for ? ROLE_ITER : ROLE_TEST))) {
        return USE_READ;
    }
    if (is_for && stores(places, node_child(module, node, ROLE_TARGET))) {
        return USE_NONE; /* bound in its iterations, if there are any */
    }
    return first_use(places, node, ROLE_BODY, 0, depth) == USE_READ ? USE_READ : USE_NONE;
}

static Use use_of(const Places *places, NodeId node, int depth)
{
    const Module *module = places->module;
    switch (node_kind(module, node)) {
    case NODE_IF: {
        if (loads(places, node_child(module, node, ROLE_TEST))) {
            return USE_READ;
        }
        Use yes = first_use(places, node, ROLE_BODY, 0, depth);
        Use no = first_use(places, node, ROLE_ORELSE, 0, depth);
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

/* The first use in the statements of that role, from the node `after` on. */
static Use first_use(const Places *places, NodeId parent, Role role, NodeId after, int depth)
{
    enum { MOST_NESTING = 24 };
    if (depth > MOST_NESTING) {
        return USE_READ;
    }
    const Module *module = places->module;
    NodeList names = places_in(places, parent);
    NodeId passed = after;
    uint32_t i;
    LOWER_BOUND(i, names.count, names.ids[i] < after);
    for (; i < names.count; i++) {
        NodeId node = names.ids[i];
        if (node < passed) {
            continue; /* in the statement before */
        }
        if (*places->steps == 0) {
            return USE_READ;
        }
        --*places->steps;
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

/* Does code after the loop read the name before it binds it again? Enclosing loops may run
 * again. */
static bool is_read_later(const Places *places, NodeId function, NodeId loop)
{
    const Module *module = places->module;
    for (NodeId at = loop; at != function;) {
        NodeId parent = node_at(module, at)->parent;
        Role role = (Role)node_at(module, at)->role;
        Use use = first_use(places, parent, role, node_at(module, at)->subtree_end, 0);
        if (use != USE_NONE) {
            return use == USE_READ;
        }
        bool repeats = node_is(module, parent, NODE_FOR) || node_is(module, parent, NODE_WHILE);
        if (repeats && role == ROLE_BODY &&
            first_use(places, parent, ROLE_BODY, 0, 0) == USE_READ) {
            return true;
        }
        at = parent;
    }
    return false;
}

/* The names of a function by number, in the order of their first place. */
typedef struct NameIndex {
    NodeList names; /* all places, ascending */
    uint32_t *number;
    uint32_t *start; /* the places of number n: ids[start[n]] to before ids[start[n + 1]] */
    NodeId *ids;
    NodeId *seen; /* by number: the last loop that had it */
} NameIndex;

static NameIndex index_names(Arena *arena, const Module *module, NodeId function)
{
    Map numbers = {0};
    NameIndex index = {.names = nodes_in(module, function, NODE_NAME)};
    uint32_t count = index.names.count, names = 0;
    index.number = ARENA_ARRAY(arena, uint32_t, count + 1);
    index.start = ARENA_ARRAY(arena, uint32_t, count + 2);
    index.ids = ARENA_ARRAY(arena, NodeId, count + 1);
    index.seen = ARENA_ARRAY(arena, NodeId, count + 1);
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

/* Is the name bound in the loop's body, not as the target of the loop itself? */
static bool is_bound_at(const Module *module, NodeId loop, NodeId id)
{
    NodeId at = id;
    while (node_at(module, at)->role == ROLE_ELT) {
        at = node_at(module, at)->parent;
    }
    return id >= node_child(module, loop, ROLE_BODY) && node_at(module, at)->role == ROLE_TARGET;
}

static bool is_own_target(const Module *module, NodeId loop, const Places *places)
{
    return places_in(places, node_child(module, loop, ROLE_TARGET)).count > 0;
}

/* The names of one loop of the function. */
static LoopNames *names_of_loop(Eval *eval, NameIndex *index, NodeId function, NodeId loop)
{
    const Module *module = eval->module;
    LoopNames *found = ARENA_NEW(eval->arena, LoopNames);
    uint32_t i;
    NodeId end = node_at(module, loop)->subtree_end;
    LOWER_BOUND(i, index->names.count, index->names.ids[i] < loop);
    for (; i < index->names.count && index->names.ids[i] < end; i++) {
        NodeId id = index->names.ids[i];
        uint32_t number = index->number[i];
        if (index->seen[number] == loop || !is_bound_at(module, loop, id)) {
            continue;
        }
        index->seen[number] = loop;
        uint32_t first = index->start[number];
        uint32_t steps = MOST_STATEMENTS;
        Places places = {module, index->ids + first, index->start[number + 1] - first, &steps};
        if (!is_own_target(module, loop, &places)) {
            bool read_first = first_use(&places, loop, ROLE_BODY, 0, 0) == USE_READ;
            steps = MOST_STATEMENTS;
            LoopName one = {node_name(module, id), read_first,
                            is_read_later(&places, function, loop)};
            VEC_PUSH(eval->arena, &found->names, one);
        }
    }
    return found;
}

const LoopNames *loop_names(Eval *eval, NodeId loop)
{
    const Module *module = eval->module;
    if (eval->loops[loop] != NULL) {
        return eval->loops[loop];
    }
    NodeId function = eval->frame->function;
    function = node_within(module, loop, function) ? function : 0;
    NameIndex index = index_names(eval->arena, module, function);
    NodeList loops = nodes_in(module, function, NODE_FOR);
    for (uint32_t i = 0; i < loops.count; i++) {
        eval->loops[loops.ids[i]] = names_of_loop(eval, &index, function, loops.ids[i]);
    }
    return eval->loops[loop];
}
