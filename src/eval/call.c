/* Calls: arguments, own functions, signatures. */
#include "eval/drive.h"

/* --- arguments */

/* Items that one `*list` may bring. */
enum { STAR_ITEMS = 32 };

static uint32_t stars_room(Eval *eval, NodeId call)
{
    uint32_t room = 0;
    for (NodeId arg = node_child(eval->module, call, ROLE_ARG); arg != NO_NODE;
         arg = node_next(eval->module, arg)) {
        room += node_is(eval->module, arg, NODE_STARRED) ? STAR_ITEMS : 0;
    }
    for (NodeId arg = node_child(eval->module, call, ROLE_KEYWORD); arg != NO_NODE;
         arg = node_next(eval->module, arg)) {
        room += node_name(eval->module, arg).length == 0 ? STAR_ITEMS : 0;
    }
    return room;
}

static void add_keyword(Arguments *arguments, NodeId node, Str name, Value value)
{
    uint32_t at = arguments->positional + arguments->keywords;
    arguments->nodes[at] = node;
    arguments->names[arguments->keywords++] = name;
    arguments->values[at] = value;
}

/* `**options`: each entry is a keyword; what is not known leaves the call open. */
static void add_keywords(Arguments *arguments, NodeId node, Value value)
{
    bool known =
        value.kind == VALUE_DICT && !value.as.dict->lost && value.as.dict->count <= STAR_ITEMS;
    for (uint32_t i = 0; known && i < value.as.dict->count; i++) {
        known = value.as.dict->keys[i].kind == VALUE_STR;
    }
    arguments->open = arguments->open || !known;
    for (uint32_t i = 0; known && i < value.as.dict->count; i++) {
        add_keyword(arguments, node, *value.as.dict->keys[i].as.text, value.as.dict->values[i]);
    }
}

static Arguments read_arguments(Eval *eval, NodeId node)
{
    const Module *module = eval->module;
    Arguments arguments = {.call = node};
    uint32_t count = 0;
    for (NodeId child = node_first(module, node); child != NO_NODE;
         child = node_sibling(module, child)) {
        count++;
    }
    count += stars_room(eval, node);
    arguments.values = ARENA_ARRAY(eval->arena, Value, count);
    arguments.nodes = ARENA_ARRAY(eval->arena, NodeId, count);
    arguments.names = ARENA_ARRAY(eval->arena, Str, count);
    for (NodeId arg = node_child(module, node, ROLE_ARG); arg != NO_NODE;
         arg = node_next(module, arg)) {
        Value value = eval_expression(eval, node_is(module, arg, NODE_STARRED) ? arg + 1 : arg);
        if (node_is(module, arg, NODE_STARRED) && value_has_items(value) && !arguments.open &&
            value.as.sequence->count <= STAR_ITEMS && !value.atom) {
            for (uint32_t i = 0; i < value.as.sequence->count; i++) {
                arguments.nodes[arguments.positional] = arg;
                arguments.values[arguments.positional++] = value.as.sequence->items[i];
            }
            continue;
        }
        if (node_is(module, arg, NODE_STARRED)) {
            arguments.open = true;
            value_lose(eval, value);
            continue;
        }
        arguments.nodes[arguments.positional] = arg;
        arguments.values[arguments.positional++] = value;
    }
    for (NodeId keyword = node_child(module, node, ROLE_KEYWORD); keyword != NO_NODE;
         keyword = node_next(module, keyword)) {
        Value value = eval_expression(eval, keyword + 1);
        if (node_name(module, keyword).length == 0) {
            add_keywords(&arguments, keyword, value);
        } else {
            add_keyword(&arguments, keyword, node_name(module, keyword), value);
        }
    }
    return arguments;
}

/* --- signatures */

typedef struct Signature {
    Str names[64];
    bool optional[64];
    uint32_t count, positional; /* all; those that a position gives */
    bool any_positional, any_keyword;
} Signature;

static bool read_signature(const char *parameters, Signature *signature)
{
    Str rest = str_from(parameters);
    *signature = (Signature){.count = 0};
    bool keyword_only = false;
    while (rest.length > 0) {
        size_t end = str_find(rest, STR(" "), 0);
        Str word = str_slice(rest, 0, end);
        rest = end == SIZE_MAX ? STR("") : str_slice(rest, end + 1, rest.length);
        if (str_starts(word, STR("**"))) {
            signature->any_keyword = true;
        } else if (str_starts(word, STR("*"))) {
            signature->any_positional = word.length > 1;
            keyword_only = true;
        } else if (signature->count < 64) {
            bool optional = str_ends(word, STR("?"));
            signature->optional[signature->count] = optional;
            signature->names[signature->count++] =
                str_slice(word, 0, word.length - (optional ? 1 : 0));
            signature->positional += !keyword_only;
        } else {
            return false;
        }
    }
    return true;
}

static Str signature_text(Eval *eval, const Signature *signature)
{
    Buf buf = {.arena = eval->result};
    buf_add(&buf, STR("("));
    for (uint32_t i = 0; i < signature->count; i++) {
        bool star = i == signature->positional && !signature->any_positional;
        buf_addf(&buf, "%s%s%.*s%s", i > 0 ? ", " : "", star ? "*, " : "",
                 STR_ARG(signature->names[i]), signature->optional[i] ? "=…" : "");
    }
    buf_add(&buf, STR(")"));
    return buf_str(&buf);
}

static void hint_signature(Eval *eval, EvalFinding *finding, Str name, const Signature *signature)
{
    if (finding != NULL) {
        Str text = signature_text(eval, signature);
        eval_hint(eval, finding, "The signature is %.*s%.*s.", "签名为 %.*s%.*s。", STR_ARG(name),
                  STR_ARG(text));
    }
}

static bool misfit(Eval *eval, EvalFinding *finding, Str name, const Signature *signature)
{
    hint_signature(eval, finding, name, signature);
    return false;
}

/* Do the arguments of a function only tune the compiler? New versions have new ones. */
static bool tunes_compiler(Str name)
{
    static const char *const names[] = {"pypto.set_options", "pypto.options",
                                        "pypto.set_cube_tile_shapes", "pypto.set_conv_tile_shapes",
                                        "pypto.experimental.set_operation_options"};
    return STR_IS_ANY(name, names) ||
           (str_starts(name, STR("pypto.set_")) && str_ends(name, STR("_options")));
}

static bool check_keywords(Eval *eval, const Arguments *arguments, Str name,
                           const Signature *signature, bool *given)
{
    for (uint32_t i = 0; i < arguments->keywords; i++) {
        Str keyword = arguments->names[i];
        NodeId node = arguments->nodes[arguments->positional + i];
        uint32_t at = 0;
        while (at < signature->count && !str_equal(signature->names[at], keyword)) {
            at++;
        }
        if (at == signature->count && signature->any_keyword) {
            continue;
        }
        if (at == signature->count && tunes_compiler(name)) {
            EvalFinding *finding =
                eval_note(eval, EVAL_CALL, node, "%.*s: '%.*s' is not known here and ignored",
                          "%.*s：此处未知的 '%.*s'，忽略", STR_ARG(name), STR_ARG(keyword));
            hint_signature(eval, finding, name, signature);
            continue;
        }
        if (at == signature->count) {
            EvalFinding *finding = eval_report(
                eval, EVAL_CALL, node, "%.*s has no argument '%.*s' (TypeError F00001)",
                "%.*s 没有参数 '%.*s'（TypeError F00001）", STR_ARG(name), STR_ARG(keyword));
            return misfit(eval, finding, name, signature);
        }
        if (given[at]) {
            EvalFinding *finding = eval_report(eval, EVAL_CALL, node,
                                               "%.*s gets argument '%.*s' twice (TypeError F00001)",
                                               "%.*s 的参数 '%.*s' 给出了两次（TypeError F00001）",
                                               STR_ARG(name), STR_ARG(keyword));
            return misfit(eval, finding, name, signature);
        }
        given[at] = true;
    }
    return true;
}

bool check_signature(Eval *eval, const Arguments *arguments, Str name, const char *parameters)
{
    Signature signature;
    bool given[64] = {false};
    if (parameters == NULL || arguments->open || !read_signature(parameters, &signature)) {
        return true;
    }
    if (arguments->positional > signature.positional && !signature.any_positional) {
        EvalFinding *finding =
            eval_report(eval, EVAL_CALL, arguments->nodes[signature.positional],
                        "%.*s takes %u positional arguments, %u are given (TypeError F00001)",
                        "%.*s 接受 %u 个位置参数，实际给出 %u 个（TypeError F00001）",
                        STR_ARG(name), signature.positional, arguments->positional);
        return misfit(eval, finding, name, &signature);
    }
    for (uint32_t i = 0; i < arguments->positional && i < signature.positional; i++) {
        given[i] = true;
    }
    if (!check_keywords(eval, arguments, name, &signature, given)) {
        return false;
    }
    for (uint32_t i = 0; i < signature.count; i++) {
        if (!given[i] && !signature.optional[i]) {
            EvalFinding *finding = eval_report(eval, EVAL_CALL, arguments->call,
                                               "%.*s needs argument '%.*s' (TypeError F00001)",
                                               "%.*s 缺少参数 '%.*s'（TypeError F00001）",
                                               STR_ARG(name), STR_ARG(signature.names[i]));
            return misfit(eval, finding, name, &signature);
        }
    }
    return true;
}

/* --- own functions */

Value function_make(Eval *eval, NodeId node)
{
    const Module *module = eval->module;
    Function *function = ARENA_NEW(eval->arena, Function);
    NodeId parameters = function_arguments(module, node);
    function->node = node;
    function->unit = eval->unit;
    function->scope = eval->frame->scope;
    function->default_count = node_count(module, parameters, ROLE_DEFAULT);
    function->defaults = ARENA_ARRAY(eval->arena, Value, function->default_count + 1);
    uint32_t i = 0;
    for (NodeId value = node_child(module, parameters, ROLE_DEFAULT); value != NO_NODE;
         value = node_next(module, value)) {
        function->defaults[i++] = eval_expression(eval, value);
    }
    return (Value){.kind = VALUE_FUNCTION, .as.function = function};
}

/* The signature of an own function in the form of ApiFact.parameters. */
static const char *own_parameters(Eval *eval, const Function *function)
{
    const Module *module = eval->module;
    NodeId list = function_arguments(module, function->node);
    static const Role roles[] = {ROLE_POSONLYARG, ROLE_PARAM, ROLE_VARARG, ROLE_KWONLYARG,
                                 ROLE_KWARG};
    uint32_t positional =
        node_count(module, list, ROLE_POSONLYARG) + node_count(module, list, ROLE_PARAM);
    uint32_t at = 0;
    Buf buf = {.arena = eval->arena};
    buf_add(&buf, STR(""));
    if (node_count(module, list, ROLE_KWONLYARG) > 0 ||
        node_count(module, list, ROLE_POSONLYARG) > 0) {
        return NULL; /* rare: not checked */
    }
    for (size_t r = 0; r < sizeof roles / sizeof *roles; r++) {
        const char *mark = roles[r] == ROLE_VARARG ? "*" : roles[r] == ROLE_KWARG ? "**" : "";
        for (NodeId arg = node_child(module, list, roles[r]); arg != NO_NODE;
             arg = node_next(module, arg), at++) {
            bool optional = *mark == '\0' && at + function->default_count >= positional;
            buf_addf(&buf, "%s%s%.*s%s", buf.length > 0 ? " " : "", mark,
                     STR_ARG(node_name(module, arg)), optional ? "?" : "");
        }
    }
    return buf_str(&buf).at;
}

/* `*rest` and `**options` of an own function. */
static void bind_rest(Eval *eval, const Arguments *arguments, NodeId list, Scope *scope)
{
    const Module *module = eval->module;
    uint32_t positional = node_count(module, list, ROLE_PARAM);
    NodeId rest = node_child(module, list, ROLE_VARARG);
    NodeId options = node_child(module, list, ROLE_KWARG);
    if (rest != NO_NODE) {
        Value tuple = value_sequence(eval->arena, VALUE_TUPLE, arguments->positional);
        for (uint32_t i = positional; i < arguments->positional; i++) {
            sequence_add(eval->arena, tuple.as.sequence, arguments->values[i]);
        }
        scope_set(eval, scope, node_name(module, rest), tuple);
    }
    if (options == NO_NODE) {
        return;
    }
    Value dict = {.kind = VALUE_DICT};
    dict.as.dict = ARENA_NEW(eval->arena, Dict);
    dict.as.dict->birth = eval->clock;
    for (uint32_t i = 0; i < arguments->keywords; i++) {
        bool named = false;
        for (NodeId arg = list + 1; arg < eval_node(eval, list)->subtree_end; arg++) {
            named = named || (node_is(module, arg, NODE_ARG) && arg != options &&
                              str_equal(node_name(module, arg), arguments->names[i]));
        }
        if (!named) {
            dict_set(eval, dict, value_text(eval->arena, arguments->names[i]),
                     arguments->values[arguments->positional + i]);
        }
    }
    scope_set(eval, scope, node_name(module, options), dict);
}

static void bind_parameters(Eval *eval, const Arguments *arguments, const Function *function,
                            Scope *scope)
{
    const Module *module = eval->module;
    NodeId list = function_arguments(module, function->node);
    uint32_t positional = node_count(module, list, ROLE_PARAM);
    uint32_t at = 0;
    for (NodeId arg = list + 1; arg < eval_node(eval, list)->subtree_end; arg++) {
        if (node_is(module, arg, NODE_ARG)) {
            scope_set(eval, scope, node_name(module, arg), value_unknown());
        }
    }
    for (NodeId arg = node_child(module, list, ROLE_PARAM);
         arg != NO_NODE && !arguments->open && node_count(module, list, ROLE_POSONLYARG) == 0;
         arg = node_next(module, arg), at++) {
        Value value = value_unknown();
        uint32_t first_default = positional - function->default_count;
        if (at < arguments->positional) {
            value = arguments->values[at];
        } else if (at >= first_default && function->default_count <= positional) {
            value = function->defaults[at - first_default];
        }
        for (uint32_t i = 0; i < arguments->keywords; i++) {
            if (str_equal(arguments->names[i], node_name(module, arg))) {
                value = arguments->values[arguments->positional + i];
            }
        }
        bool iterator = value.kind == VALUE_TUPLE && value.atom;
        scope_set(eval, scope, node_name(module, arg), iterator ? value_unknown() : value);
    }
    if (!arguments->open && node_count(module, list, ROLE_POSONLYARG) == 0) {
        bind_rest(eval, arguments, list, scope);
    }
}

static bool is_generator(const Module *module, NodeId function)
{
    return nodes_in(module, function, NODE_YIELD).count > 0 ||
           nodes_in(module, function, NODE_YIELD_FROM).count > 0 ||
           nodes_in(module, function, NODE_AWAIT).count > 0;
}

void lose_arguments(Eval *eval, const Arguments *arguments)
{
    for (uint32_t i = 0; i < arguments->positional + arguments->keywords; i++) {
        value_lose(eval, arguments->values[i]);
    }
}

/* The body of an own function, in its own file, with the arguments bound. */
static Value walk_function(Eval *eval, const Arguments *arguments, const Function *function)
{
    Scope *scope = scope_new(eval, function->scope, function->node);
    bind_parameters(eval, arguments, function, scope);
    Frame frame = {.scope = scope, .is_graph = function->is_graph, .function = function->node};
    Frame *outer = eval->frame;
    eval->frame = &frame;
    Value result;
    if (node_is(eval->module, function->node, NODE_LAMBDA)) {
        result = eval_expression(eval, node_child(eval->module, function->node, ROLE_BODY));
    } else {
        Flow flow = eval_body(eval, function->node, ROLE_BODY);
        bool falls = flow == FLOW_NEXT;
        result = !frame.has_result ? value_none() : frame.result;
        result = falls && frame.has_result ? value_unknown() : result;
        result = frame.may_return && (!frame.has_result || falls) ? value_unknown() : result;
    }
    eval->frame = outer;
    return eval->stopped ? value_unknown() : result;
}

/* While a kernel is recorded a frontend.function has its own settings. */
static Value walk_scoped(Eval *eval, const Arguments *arguments, const Function *function)
{
    Drive *drive = eval->drive;
    PtsError error;
    if (drive == NULL || !function->is_graph || !drive_may_record(eval)) {
        return walk_function(eval, arguments, function);
    }
    int depth = pts_scope_depth(drive->context);
    if (!pts_scope_push(drive->context, &error)) {
        drive_end(eval);
    }
    Value result = walk_function(eval, arguments, function);
    pts_scope_unwind(drive->context, depth);
    return result;
}

static Value call_function(Eval *eval, const Arguments *arguments, const Function *function)
{
    NodeId outer_call = eval->outer_call;
    NodeId node = eval->drive == NULL ? NO_NODE : eval->drive->node;
    if (eval->unit == 0 && function->unit != 0) {
        eval->outer_call = arguments->call;
    }
    uint32_t home = unit_switch(eval, function->unit);
    bool is_lambda = node_is(eval->module, function->node, NODE_LAMBDA);
    Str name = is_lambda ? STR("lambda") : node_name(eval->module, function->node);
    const char *parameters = own_parameters(eval, function);
    bool generates = is_generator(eval->module, function->node);
    unit_switch(eval, home);
    Value result = value_unknown();
    if (check_signature(eval, arguments, name, parameters) && eval->calls < EVAL_CALLS &&
        !generates) {
        unit_switch(eval, function->unit);
        eval->calls++;
        if (eval->drive != NULL && home != function->unit) {
            eval->drive->node = function->node;
        }
        result = walk_scoped(eval, arguments, function);
        eval->calls--;
        unit_switch(eval, home);
    } else {
        if (eval->drive != NULL) {
            drive_end(eval);
        }
        lose_arguments(eval, arguments);
    }
    if (eval->drive != NULL && home != function->unit) {
        eval->drive->node = node;
    }
    eval->outer_call = outer_call;
    return result;
}

Value eval_call(Eval *eval, NodeId node)
{
    Value callee = eval_expression(eval, call_func(eval->module, node));
    Arguments arguments = read_arguments(eval, node);
    switch ((ValueKind)callee.kind) {
    case VALUE_FUNCTION:
        return call_function(eval, &arguments, callee.as.function);
    case VALUE_BUILTIN:
        return call_builtin(eval, &arguments, *callee.as.text);
    case VALUE_METHOD:
        return call_method(eval, &arguments, callee.as.method);
    case VALUE_API:
        return call_api(eval, &arguments, callee.as.fact);
    case VALUE_OUTSIDE:
        return host_call(eval, &arguments, callee);
    case VALUE_KERNEL:
        if (eval->drive != NULL) {
            drive_end(eval); /* a kernel in a kernel */
        }
        return launch_call(eval, &arguments, callee);
    default:
        if (eval->drive != NULL) {
            drive_end(eval); /* it may record, write and set anything */
        }
        lose_arguments(eval, &arguments);
        return value_unknown();
    }
}
