/* Strings: f-strings, str(), the methods of str. Only for ASCII: Python counts code points, and
 * other scripts have rules of their own. */
#include "eval/host.h"

static bool is_ascii(Str text)
{
    for (size_t i = 0; i < text.length; i++) {
        if ((unsigned char)text.at[i] >= 0x80) {
            return false;
        }
    }
    return true;
}

/* --- str() */

Value text_of(Eval *eval, Value value)
{
    switch ((ValueKind)value.kind) {
    case VALUE_STR:
        return value;
    case VALUE_NONE:
        return value_text(eval->arena, STR("None"));
    case VALUE_BOOL:
        return value_text(eval->arena, value.as.integer != 0 ? STR("True") : STR("False"));
    case VALUE_INT:
        return value_text(eval->arena,
                          str_format(eval->arena, "%lld", (long long)value.as.integer));
    default:
        return value_unknown(); /* Python gives the shortest text that reads back the same */
    }
}

/* --- f-strings */

/* `{expression}` without conversion, format or `=`. */
static bool is_plain_field(const Eval *eval, NodeId field)
{
    const Module *module = eval->module;
    NodeId expression = node_child(module, field, ROLE_VALUE);
    if (expression == NO_NODE || node_child(module, field, ROLE_FORMAT_SPEC) != NO_NODE) {
        return false;
    }
    Str rest = str_slice(module->source->text, node_at(module, expression)->end,
                         node_at(module, field)->end);
    for (size_t i = 0; i < rest.length; i++) {
        if (rest.at[i] != ' ' && rest.at[i] != ')' && rest.at[i] != '}') {
            return false;
        }
    }
    return true;
}

/* Adds text between fields, or a plain string beside an f-string; false if it contains escapes. */
static bool add_piece(Eval *eval, NodeId piece, Buf *buf)
{
    const Module *module = eval->module;
    Str text;
    if (eval_node(eval, piece)->extra == 0) {
        if (!node_string(module, piece, eval->arena, &text)) {
            return false;
        }
    } else {
        text = node_text(module, piece);
        if (str_contains(text, STR("\\")) || str_contains(text, STR("\r"))) {
            return false;
        }
    }
    buf_add(buf, text);
    return true;
}

/* Is it `{expression:spec}` with a non-empty specification that applies to the value, not to the
 * text made by `!r`? */
static bool formats_value(const Eval *eval, NodeId field, NodeId spec)
{
    const Module *module = eval->module;
    Str between = str_slice(module->source->text, node_at(module, node_first(module, field))->end,
                            node_at(module, spec)->start);
    return !str_contains(between, STR("!")) && node_text(module, spec).length > 0;
}

Value eval_joined_string(Eval *eval, NodeId node)
{
    const Module *module = eval->module;
    Str whole = node_text(module, node);
    Buf buf = {.arena = eval->arena};
    buf_add(&buf, STR(""));
    bool known = !str_contains(whole, STR("{{")) && !str_contains(whole, STR("}}"));
    for (NodeId part = node_first(module, node); part != NO_NODE;
         part = node_sibling(module, part)) {
        if (node_is(module, part, NODE_CONSTANT)) {
            known = known && add_piece(eval, part, &buf);
            continue;
        }
        Value value = eval_expression(eval, node_first(module, part));
        Value text = is_plain_field(eval, part) ? text_of(eval, value) : value_unknown();
        NodeId spec = node_child(module, part, ROLE_FORMAT_SPEC);
        if (spec != NO_NODE) {
            eval_joined_string(eval, spec);
        }
        if (spec != NO_NODE && formats_value(eval, part, spec)) {
            eval_needs_value(eval, node_first(module, part), value,
                             (Where){"a format specification", "格式说明", true});
        }
        known = known && text.kind == VALUE_STR && buf.length <= EVAL_TEXT;
        if (known) {
            buf_add(&buf, *text.as.text);
        }
    }
    Value beginning = value_unknown();
    beginning.dtype = host_device_begins(buf_str(&buf));
    return known && buf.length <= EVAL_TEXT ? value_text(eval->arena, buf_str(&buf)) : beginning;
}

/* --- methods */

static char to_case(char c, bool upper)
{
    return upper ? (c >= 'a' && c <= 'z' ? (char)(c - 32) : c)
                 : (c >= 'A' && c <= 'Z' ? (char)(c + 32) : c);
}

static Value with_case(Eval *eval, Str text, bool upper)
{
    Buf buf = {.arena = eval->arena};
    buf_add(&buf, STR(""));
    for (size_t i = 0; i < text.length; i++) {
        buf_add_char(&buf, to_case(text.at[i], upper));
    }
    return value_text(eval->arena, buf_str(&buf));
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f);
}

static Value stripped(Eval *eval, Str text, Str name)
{
    while (text.length > 0 && !str_is(name, "rstrip") && is_space(text.at[0])) {
        text = str_slice(text, 1, text.length);
    }
    while (text.length > 0 && !str_is(name, "lstrip") && is_space(text.at[text.length - 1])) {
        text.length--;
    }
    return value_text(eval->arena, text);
}

static void add_text(Eval *eval, Value list, Str text)
{
    sequence_add(eval->arena, list.as.sequence, value_text(eval->arena, text));
}

/* Splits at a separator; without one, at runs of white space. */
static Value split(Eval *eval, Str text, const Str *separator)
{
    Value list = value_sequence(eval->arena, VALUE_LIST, 0);
    list.as.sequence->birth = eval->clock;
    while (separator != NULL && separator->length > 0) {
        size_t at = str_find(text, *separator, 0);
        add_text(eval, list, str_slice(text, 0, at));
        if (at == SIZE_MAX) {
            break;
        }
        text = str_slice(text, at + separator->length, text.length);
    }
    size_t at = 0;
    while (separator == NULL && at < text.length) {
        size_t end = at;
        while (end < text.length && !is_space(text.at[end])) {
            end++;
        }
        if (end > at) {
            add_text(eval, list, str_slice(text, at, end));
        }
        at = end + 1;
    }
    bool fits = list.as.sequence->count <= EVAL_ITEMS;
    return fits && (separator == NULL || separator->length > 0) ? list : value_unknown();
}

static Value join(Eval *eval, Str text, Value parts)
{
    const Sequence *items = eval_items(eval, NO_NODE, parts);
    Buf buf = {.arena = eval->arena};
    buf_add(&buf, STR(""));
    for (uint32_t i = 0; items != NULL && i < items->count; i++) {
        if (items->items[i].kind != VALUE_STR || buf.length > EVAL_TEXT) {
            return value_unknown();
        }
        buf_add(&buf, i == 0 ? STR("") : text);
        buf_add(&buf, *items->items[i].as.text);
    }
    return items != NULL && buf.length <= EVAL_TEXT ? value_text(eval->arena, buf_str(&buf))
                                                    : value_unknown();
}

static Value replaced(Eval *eval, Str text, Str from, Str to)
{
    Buf buf = {.arena = eval->arena};
    buf_add(&buf, STR(""));
    for (size_t at = str_find(text, from, 0); from.length > 0 && at != SIZE_MAX;
         at = str_find(text, from, 0)) {
        buf_add(&buf, str_slice(text, 0, at));
        buf_add(&buf, to);
        text = str_slice(text, at + from.length, text.length);
        if (buf.length > EVAL_TEXT) {
            return value_unknown();
        }
    }
    buf_add(&buf, text);
    return from.length > 0 && buf.length <= EVAL_TEXT ? value_text(eval->arena, buf_str(&buf))
                                                      : value_unknown();
}

static Value is_all_digits(Str text)
{
    for (size_t i = 0; i < text.length; i++) {
        if (text.at[i] < '0' || text.at[i] > '9') {
            return value_bool(false);
        }
    }
    return value_bool(text.length > 0);
}

static Value of_one_text(Eval *eval, Str self, Str name, Str other)
{
    if (str_is(name, "startswith")) {
        return value_bool(str_starts(self, other));
    }
    if (str_is(name, "endswith")) {
        return value_bool(str_ends(self, other));
    }
    if (str_is(name, "split")) {
        return split(eval, self, &other);
    }
    if (str_is(name, "find")) {
        size_t at = str_find(self, other, 0);
        return value_int(at == SIZE_MAX ? -1 : (int64_t)at);
    }
    return value_unknown();
}

Value text_method(Eval *eval, const Arguments *arguments, Value self, Str name)
{
    Str text = *self.as.text;
    uint32_t count = arguments->positional;
    bool known = arguments->keywords == 0 && !arguments->open && is_ascii(text);
    if (str_is(name, "join") && known && count == 1) {
        return join(eval, text, arguments->values[0]);
    }
    for (uint32_t i = 0; i < count; i++) {
        known = known && arguments->values[i].kind == VALUE_STR &&
                is_ascii(*arguments->values[i].as.text);
    }
    if (!known) {
        return value_unknown();
    }
    if (count == 0 && (str_is(name, "upper") || str_is(name, "lower"))) {
        return with_case(eval, text, str_is(name, "upper"));
    }
    if (count == 0 && (str_is(name, "strip") || str_is(name, "lstrip") || str_is(name, "rstrip"))) {
        return stripped(eval, text, name);
    }
    if (count == 0 && str_is(name, "split")) {
        return split(eval, text, NULL);
    }
    if (count == 0 && str_is(name, "isdigit")) {
        return is_all_digits(text);
    }
    if (count == 2 && str_is(name, "replace")) {
        return replaced(eval, text, *arguments->values[0].as.text, *arguments->values[1].as.text);
    }
    return count == 1 ? of_one_text(eval, text, name, *arguments->values[0].as.text)
                      : value_unknown();
}
