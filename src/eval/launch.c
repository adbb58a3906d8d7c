/* Finds launches of kernels in host code. */
#include "eval/launch.h"

static uint32_t knowledge(const Value *values, uint32_t count)
{
    uint32_t known = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (values[i].kind == VALUE_HOST) {
            const HostTensor *tensor = values[i].as.host;
            known += (tensor->dtype >= 0 ? 2U : 0U) + (tensor->rank >= 0 ? 2U : 0U);
            for (int axis = 0; axis < tensor->rank; axis++) {
                known += tensor->size[axis] >= 0 ? 1U : 0U;
            }
        } else {
            known += values[i].kind != VALUE_UNKNOWN && values[i].kind != VALUE_NUMBER;
        }
    }
    return known;
}

static bool same_argument(Value a, Value b);

static bool same_container(Value a, Value b)
{
    bool dict = a.kind == VALUE_DICT;
    uint32_t count = dict ? a.as.dict->count : a.as.sequence->count;
    const Value *left = dict ? a.as.dict->values : a.as.sequence->items;
    const Value *right = dict ? b.as.dict->values : b.as.sequence->items;
    if (count != (dict ? b.as.dict->count : b.as.sequence->count)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        bool key = !dict || value_equal(a.as.dict->keys[i], b.as.dict->keys[i], 0) == TRUTH_TRUE;
        if (!key || !same_argument(left[i], right[i])) {
            return false;
        }
    }
    return dict ? a.as.dict->lost == b.as.dict->lost : a.as.sequence->lost == b.as.sequence->lost;
}

/* Do two launches get the same argument? Their snapshots are never the same object, but may have
 * the same content. */
static bool same_argument(Value a, Value b)
{
    bool container = a.kind == b.kind && (value_is_sequence(a) || a.kind == VALUE_DICT);
    if (container) {
        return same_container(a, b);
    }
    if (a.kind != VALUE_HOST || b.kind != VALUE_HOST) {
        return value_same(a, b);
    }
    const HostTensor *x = a.as.host, *y = b.as.host;
    return x->dtype == y->dtype && x->rank == y->rank && x->gaps == y->gaps &&
           x->device == y->device && memcmp(x->size, y->size, sizeof x->size) == 0;
}

static bool same_launch(const Launch *a, const Launch *b)
{
    bool same = a->site == b->site && a->count == b->count && a->tiles_set == b->tiles_set &&
                a->positional == b->positional && a->keywords.count == b->keywords.count;
    for (uint32_t i = 0; same && i < a->keywords.count; i++) {
        same = str_equal(a->keywords.items[i], b->keywords.items[i]);
    }
    for (uint32_t i = 0; same && i < a->count; i++) {
        same = same_argument(a->values[i], b->values[i]);
    }
    return same;
}

static void add_launch(Eval *eval, const Launch *launch)
{
    uint32_t of_kernel = 0, least = UINT32_MAX;
    for (uint32_t i = 0; i < eval->launches->items.count; i++) {
        Launch *other = &eval->launches->items.items[i];
        if (same_launch(other, launch)) {
            other->certain = other->certain || launch->certain;
            return;
        }
        if (other->site == launch->site) {
            of_kernel++;
            bool worse =
                least == UINT32_MAX || other->known < eval->launches->items.items[least].known;
            least = worse ? i : least;
        }
    }
    if (of_kernel < LAUNCHES_OF_KERNEL) {
        VEC_PUSH(eval->arena, &eval->launches->items, *launch);
    } else if (eval->launches->items.items[least].known < launch->known) {
        eval->launches->items.items[least] = *launch;
    }
}

/* A copy of the value at the launch, so that later changes affect only later launches. */
static Value snapshot(Eval *eval, Value value, int depth)
{
    enum { DEEPEST = 6 };
    bool list = value.kind == VALUE_LIST || (value.kind == VALUE_TUPLE && !value.atom);
    if (depth > DEEPEST || !eval_step(eval)) {
        return value_unknown();
    }
    if (list) {
        Value copy = value_sequence(eval->arena, (ValueKind)value.kind, value.as.sequence->count);
        copy.flag = value.flag;
        for (uint32_t i = 0; i < value.as.sequence->count; i++) {
            sequence_add(eval->arena, copy.as.sequence,
                         snapshot(eval, value.as.sequence->items[i], depth + 1));
        }
        copy.as.sequence->lost = value.as.sequence->lost;
        copy.as.sequence->open = value.as.sequence->open;
        return copy;
    }
    if (value.kind == VALUE_DICT) {
        Value copy = dict_new(eval);
        for (uint32_t i = 0; i < value.as.dict->count; i++) {
            dict_set(eval, copy, value.as.dict->keys[i],
                     snapshot(eval, value.as.dict->values[i], depth + 1));
        }
        copy.as.dict->lost = value.as.dict->lost;
        return copy;
    }
    if (value_is_choice(value)) {
        return value_unknown();
    }
    if (value.kind != VALUE_INSTANCE || value.as.instance->class->form == CLASS_ENUM) {
        return value;
    }
    Value copy = instance_new(eval, value.as.instance->class);
    const Bindings *names = &value.as.instance->names->bindings;
    for (uint32_t i = 0; i < names->count; i++) {
        scope_set(eval, copy.as.instance->names, names->items[i].name,
                  snapshot(eval, names->items[i].value, depth + 1));
    }
    if (value.as.instance->items != NULL) {
        Value items = {.kind = VALUE_TUPLE, .as.sequence = value.as.instance->items};
        copy.as.instance->items = snapshot(eval, items, depth + 1).as.sequence;
    }
    copy.as.instance->lost = value.as.instance->lost;
    return copy;
}

/* The parameter to which an item or an attribute is assigned: its number, or −1. */
static int stored_parameter(const Module *module, NodeId kernel, NodeId target)
{
    Role role = (Role)node_at(module, target)->role;
    NodeId root = target;
    if (role != ROLE_TARGET && role != ROLE_ELT) {
        return -1;
    }
    while (node_is(module, root, NODE_SUBSCRIPT) || node_is(module, root, NODE_ATTRIBUTE)) {
        root = node_child(module, root, ROLE_VALUE);
    }
    int at = 0;
    for (NodeId arg = node_is(module, root, NODE_NAME)
                          ? node_child(module, function_arguments(module, kernel), ROLE_PARAM)
                          : NO_NODE;
         arg != NO_NODE; arg = node_next(module, arg), at++) {
        if (str_equal(node_name(module, arg), node_name(module, root))) {
            return at;
        }
    }
    return -1;
}

/* Is the name bound here, to anything other than a new list or dict? */
static bool is_bound_otherwise(const Module *module, NodeId name)
{
    NodeId target = target_around(module, name);
    if (target == NO_NODE) {
        return false;
    }
    static const NodeKind made[] = {NODE_LIST, NODE_LIST_COMP, NODE_DICT, NODE_DICT_COMP};
    NodeId parent = node_at(module, target)->parent;
    bool assigns = node_is(module, parent, NODE_ASSIGN) || node_is(module, parent, NODE_ANN_ASSIGN);
    NodeId value = assigns && target == name ? node_child(module, parent, ROLE_VALUE) : NO_NODE;
    bool new = false;
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        new = new || (value != NO_NODE && node_is(module, value, made[i]));
    }
    return !new;
}

/* Does the name in a kernel surely mean a list or a dict that the kernel makes? */
static bool is_own(Eval *eval, NodeId kernel, NodeId name)
{
    const Module *module = eval->module;
    if (!node_is(module, name, NODE_NAME)) {
        return false;
    }
    NodeList names = nodes_in(module, kernel, NODE_NAME);
    bool bound = false;
    for (uint32_t i = 0; i < names.count; i++) {
        NodeId one = names.ids[i];
        if (i % 16 == 0 && !eval_step(eval)) {
            return false;
        }
        if (!str_equal(node_name(module, one), node_name(module, name))) {
            continue;
        }
        if (is_bound_otherwise(module, one)) {
            return false;
        }
        bound = bound || node_at(module, one)->role == ROLE_TARGET;
    }
    return bound && function_parameter(module, kernel, node_name(module, name)) == NO_NODE;
}

/* Does the call change a list or a dict that may be an argument of the kernel? `own`: names already
 * known to mean lists and dicts that the kernel makes. */
static bool changes_argument(Eval *eval, NodeId kernel, NodeId call, Map *own)
{
    static const char *const changing[] = {"append", "extend",     "insert", "pop",  "clear",
                                           "update", "setdefault", "remove", "sort", "reverse"};
    const Module *module = eval->module;
    if (!STR_IS_ANY(call_attribute(module, call), changing)) {
        return false;
    }
    NodeId owner = node_child(module, call_func(module, call), ROLE_VALUE);
    if (node_is(module, owner, NODE_NAME) && map_find(own, node_name(module, owner)) != MAP_NONE) {
        return false;
    }
    if (!is_own(eval, kernel, owner)) {
        return true;
    }
    map_add(own, eval->arena, node_name(module, owner));
    return false;
}

/* Finds out what the kernel may change: parameters whose items it assigns to, or any list or dict.
 * It is done once, since a kernel may be launched often. */
static void read_writes(Eval *eval, KernelSite *site)
{
    static const NodeKind kinds[] = {NODE_SUBSCRIPT, NODE_ATTRIBUTE};
    Map own = {0};
    const Module *module = eval->module;
    NodeList calls = nodes_in(module, site->node, NODE_CALL);
    NodeId list = function_arguments(module, site->node);
    site->writes_read = true;
    /* One with more parameters is not followed: see bind. */
    site->writes_any = node_count(module, list, ROLE_PARAM) > LAUNCH_TENSORS;
    for (uint32_t i = 0; i < calls.count && !site->writes_any; i++) {
        site->writes_any =
            !eval_step(eval) || changes_argument(eval, site->node, calls.ids[i], &own);
    }
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds && !site->writes_any; k++) {
        NodeList stores = nodes_in(module, site->node, kinds[k]);
        for (uint32_t i = 0; i < stores.count; i++) {
            int at = stored_parameter(module, site->node, stores.ids[i]);
            site->writes |= at >= 0 ? UINT64_C(1) << at : 0;
            site->writes_any = site->writes_any || !eval_step(eval);
        }
    }
}

/* May the kernel change a list that is passed to it? `y[:] = …` changes no list when y is a
 * tensor. */
static bool may_write(Eval *eval, const Arguments *arguments, KernelSite *site)
{
    const Module *module = eval->module;
    if (!site->writes_read) {
        read_writes(eval, site);
    }
    if (site->writes_any || site->writes == 0) {
        return site->writes_any;
    }
    uint32_t at = 0;
    NodeId list = function_arguments(module, site->node);
    for (NodeId arg = node_child(module, list, ROLE_PARAM); arg != NO_NODE;
         arg = node_next(module, arg), at++) {
        const Value *given = at < arguments->positional ? &arguments->values[at] : NULL;
        bool stored = site->writes >> at & 1;
        for (uint32_t i = 0; i < arguments->keywords && stored; i++) {
            if (str_equal(arguments->names[i], node_name(module, arg))) {
                given = &arguments->values[arguments->positional + i];
            }
        }
        if (stored && given != NULL && given->kind != VALUE_HOST) {
            return true;
        }
    }
    return false;
}

/* A number, text or None, or a tuple of them. */
static bool is_literal(const Module *module, NodeId node)
{
    for (NodeId at = node; at < node_at(module, node)->subtree_end; at++) {
        if (!node_is(module, at, NODE_CONSTANT) && !node_is(module, at, NODE_TUPLE) &&
            !node_is(module, at, NODE_UNARY_OP)) {
            return false;
        }
    }
    return true;
}

/* Sets the value of each parameter: the argument, the default, or unknown without either. False if
 * it is not known which arguments there are. */
static bool bind(Eval *eval, const Arguments *arguments, NodeId kernel, Launch *launch)
{
    const Module *module = eval->module;
    NodeId list = function_arguments(module, kernel);
    uint32_t count = node_count(module, list, ROLE_PARAM);
    uint32_t defaults = node_count(module, list, ROLE_DEFAULT), at = 0;
    if (arguments->open || count > LAUNCH_TENSORS) {
        return false;
    }
    launch->positional = arguments->positional;
    for (uint32_t i = 0; i < arguments->keywords; i++) {
        VEC_PUSH(eval->arena, &launch->keywords, arguments->names[i]);
    }
    launch->values = ARENA_ARRAY(eval->arena, Value, count + 1);
    launch->count = count;
    for (NodeId arg = node_child(module, list, ROLE_PARAM); arg != NO_NODE;
         arg = node_next(module, arg), at++) {
        const Value *given = at < arguments->positional ? &arguments->values[at] : NULL;
        for (uint32_t i = 0; i < arguments->keywords && given == NULL; i++) {
            if (str_equal(arguments->names[i], node_name(module, arg))) {
                given = &arguments->values[arguments->positional + i];
            }
        }
        if (given != NULL) {
            launch->values[at] = snapshot(eval, *given, 0);
        } else if (at + defaults >= count) {
            NodeId value = node_nth(module, list, ROLE_DEFAULT, at + defaults - count);
            bool same = is_literal(module, value); /* wherever it is evaluated */
            launch->values[at] = same ? eval_expression(eval, value) : value_unknown();
        } else {
            launch->values[at] = value_unknown();
        }
    }
    return true;
}

static Value record_launch(Eval *eval, const Arguments *arguments, uint32_t site)
{
    if (eval->launches == NULL || eval->drive != NULL || eval->no_launch > 0 || eval->reporting) {
        return value_unknown();
    }
    Launch launch = {.site = site,
                     .node = arguments->call,
                     .unit = eval->unit,
                     .entry = eval->entry,
                     .certain = eval->assumed == 0 && eval->silent == 0,
                     .tiles_set = eval->tiles_set};
    uint32_t home = unit_switch(eval, eval->kernels.items[site].unit);
    bool fits = bind(eval, arguments, eval->kernels.items[site].node, &launch);
    unit_switch(eval, home);
    if (fits) {
        launch.known = knowledge(launch.values, launch.count);
        add_launch(eval, &launch);
    }
    return value_none();
}

Value launch_call(Eval *eval, const Arguments *arguments, Value kernel)
{
    uint32_t site = (uint32_t)kernel.as.integer;
    if (site >= eval->kernels.count) {
        lose_arguments(eval, arguments);
        return value_unknown();
    }
    uint32_t here = unit_switch(eval, eval->kernels.items[site].unit);
    bool writes = may_write(eval, arguments, &eval->kernels.items[site]);
    unit_switch(eval, here);
    if (writes || arguments->open) {
        lose_arguments(eval, arguments);
    }
    return record_launch(eval, arguments, site);
}
