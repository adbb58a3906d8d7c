/* Signatures: checks arguments against the parameters of a function (KS02). */
#include "eval/state.h"

typedef struct Signature {
    Str names[64];
    bool optional[64];
    uint32_t count, positional; /* all; those that can be positional */
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

/* Do the arguments of the function only tune the compiler? New versions add such arguments. */
static bool tunes_compiler(Str name)
{
    static const char *const names[] = {"pypto.set_options",
                                        "pypto.options",
                                        "pypto.jit",
                                        "pypto.frontend.jit",
                                        "pypto.set_cube_tile_shapes",
                                        "pypto.set_conv_tile_shapes",
                                        "pypto.experimental.set_operation_options"};
    return STR_IS_ANY(name, names) ||
           (str_starts(name, STR("pypto.set_")) && str_ends(name, STR("_options")));
}

/* Marks the keyword itself, and suggests names that it may be a misspelling of. */
static void name_keyword(Eval *eval, EvalFinding *finding, NodeId value, Str keyword,
                         const Signature *signature)
{
    NodeId node = eval_node(eval, value)->parent;
    if (finding == NULL || !node_is(eval->module, node, NODE_KEYWORD)) {
        return;
    }
    finding->start = eval_node(eval, node)->start;
    finding->end = finding->start + (uint32_t)keyword.length;
    finding->name = str_copy(eval->result, keyword);
    for (uint32_t i = 0; i < signature->count; i++) {
        VEC_PUSH(eval->result, &finding->near, str_copy(eval->result, signature->names[i]));
    }
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
            name_keyword(eval, finding, node, keyword, signature);
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
