/* Value: reading trees of values: by key, as numbers, as text for messages. */
#include "operator/text.h"
#include "operator/value.h"

#include "base/ascii.h"
#include "base/io_error.h"
#include "base/utf8.h"

#include <math.h>
#include <stdlib.h>

const ValueEntry *value_entry(const Value *mapping, const char *key)
{
    if (!value_is(mapping, VALUE_MAPPING)) {
        return NULL;
    }
    for (uint32_t i = 0; i < mapping->count; i++) {
        const Value *name = mapping->entries[i].key;
        if (name->kind == VALUE_STRING && str_is(name->text, key)) {
            return &mapping->entries[i];
        }
    }
    return NULL;
}

const Value *value_get(const Value *mapping, const char *key)
{
    const ValueEntry *entry = value_entry(mapping, key);
    return entry == NULL ? NULL : entry->value;
}

bool value_truthy(const Value *value)
{
    if (value == NULL) {
        return false;
    }
    switch (value->kind) {
    case VALUE_NULL:
        return false;
    case VALUE_BOOL:
        return value->boolean;
    case VALUE_INT:
        return value->integer != 0;
    case VALUE_REAL:
        return fpclassify(value->real) != FP_ZERO;
    case VALUE_STRING:
        return value->text.length > 0;
    default:
        return value->count > 0;
    }
}

/* --- numbers */

/* Moves over digits with single `_` between them. False when there is none, or a `_` stands
 * wrong. */
static bool skip_digits(Str text, size_t *at)
{
    size_t start = *at;
    while (*at < text.length && (is_digit(text.at[*at]) || text.at[*at] == '_')) {
        bool next_is_digit = *at + 1 < text.length && is_digit(text.at[*at + 1]);
        if (text.at[*at] == '_' && (*at == start || !next_is_digit)) {
            return false;
        }
        (*at)++;
    }
    return *at > start;
}

static bool skip_sign(Str text, size_t *at)
{
    if (*at < text.length && (text.at[*at] == '+' || text.at[*at] == '-')) {
        (*at)++;
        return text.at[*at - 1] == '-';
    }
    return false;
}

/* Is the text a decimal number with optional sign, point and exponent? */
static bool is_decimal(Str text)
{
    size_t at = 0;
    skip_sign(text, &at);
    bool whole = at < text.length && is_digit(text.at[at]), fraction = false;
    if (whole && !skip_digits(text, &at)) {
        return false;
    }
    if (at < text.length && text.at[at] == '.') {
        at++;
        fraction = at < text.length && is_digit(text.at[at]);
        if (fraction && !skip_digits(text, &at)) {
            return false;
        }
    }
    if (!whole && !fraction) {
        return false;
    }
    if (at < text.length && (text.at[at] == 'e' || text.at[at] == 'E')) {
        at++;
        skip_sign(text, &at);
        if (!skip_digits(text, &at)) {
            return false;
        }
    }
    return at == text.length;
}

/* `inf`, `infinity`, `nan` with optional sign, any case. */
static bool special_real(Str text, double *number)
{
    size_t at = 0;
    bool negative = skip_sign(text, &at);
    Str name = str_slice(text, at, text.length);
    if ((name.length == 3 || name.length == 8) &&
        text_find_folded(name, name.length == 3 ? STR("inf") : STR("infinity"), 0) == 0) {
        *number = negative ? -HUGE_VAL : HUGE_VAL;
        return true;
    }
    if (name.length == 3 && text_find_folded(name, STR("nan"), 0) == 0) {
        *number = (double)NAN;
        return true;
    }
    return false;
}

bool text_to_real(Str text, double *number)
{
    text = text_trim(text);
    if (special_real(text, number)) {
        return true;
    }
    if (!is_decimal(text)) {
        return false;
    }
    /* strtod wants an end and no `_`. */
    char place[64];
    char *copy = text.length < sizeof place ? place : io_error_malloc(text.length + 1);
    if (copy == NULL) {
        return false;
    }
    size_t length = 0;
    for (size_t i = 0; i < text.length; i++) {
        if (text.at[i] != '_') {
            copy[length++] = text.at[i];
        }
    }
    copy[length] = '\0';
    *number = strtod(copy, NULL);
    if (copy != place) {
        free(copy);
    }
    return true;
}

bool text_to_int(Str text, int64_t *number)
{
    text = text_trim(text);
    size_t at = 0;
    bool negative = skip_sign(text, &at);
    size_t start = at;
    if (!skip_digits(text, &at) || at != text.length) {
        return false;
    }
    int64_t value = 0;
    for (size_t i = start; i < at; i++) {
        if (text.at[i] == '_') {
            continue;
        }
        int64_t digit = text.at[i] - '0';
        value = value > (INT64_MAX - digit) / 10 ? INT64_MAX : value * 10 + digit;
    }
    *number = negative ? -value : value;
    return true;
}

bool value_to_int(const Value *value, int64_t *number)
{
    if (value == NULL) {
        return false;
    }
    switch (value->kind) {
    case VALUE_BOOL:
        *number = value->boolean;
        return true;
    case VALUE_INT:
        *number = value->integer;
        return true;
    case VALUE_REAL:
        if (!isfinite(value->real)) {
            return false;
        }
        /* 2^63 as a double is exact. */
        *number = value->real >= 9223372036854775808.0    ? INT64_MAX
                  : value->real <= -9223372036854775808.0 ? -INT64_MAX
                                                          : (int64_t)value->real;
        return true;
    case VALUE_STRING:
        return text_to_int(value->text, number);
    default:
        return false;
    }
}

bool value_to_real(const Value *value, double *number)
{
    if (value == NULL) {
        return false;
    }
    switch (value->kind) {
    case VALUE_BOOL:
        *number = value->boolean ? 1 : 0;
        return true;
    case VALUE_INT:
        *number = value->is_big ? value->real : (double)value->integer;
        return true;
    case VALUE_REAL:
        *number = value->real;
        return true;
    case VALUE_STRING:
        return text_to_real(value->text, number);
    default:
        return false;
    }
}

/* --- text for messages */

static void show(Buf *out, const Value *value, size_t limit);

static void show_parts(Buf *out, const Value *value, size_t limit)
{
    bool mapping = value->kind == VALUE_MAPPING, list = value->kind == VALUE_LIST;
    buf_add(out, list ? STR("[") : STR("{"));
    for (uint32_t i = 0; i < value->count && out->length <= limit; i++) {
        buf_add(out, i == 0 ? STR("") : STR(", "));
        if (mapping) {
            show(out, value->entries[i].key, limit);
            buf_add(out, STR(": "));
            show(out, value->entries[i].value, limit);
        } else {
            show(out, value->items[i], limit);
        }
    }
    buf_add(out, list ? STR("]") : STR("}"));
}

static void show_text(Buf *out, Str text, size_t limit)
{
    if (text.length == 0) {
        buf_add(out, STR("\"\""));
        return;
    }
    for (size_t at = 0; at < text.length && out->length <= limit;) {
        size_t start = at;
        uint32_t c = utf8_next(text, &at);
        bool control = c < 0x20 || c == 0x7f || c == 0x85 || c == 0x2028 || c == 0x2029;
        buf_add(out, control ? STR(" ") : str_slice(text, start, at));
    }
}

/* As deep as the value: at most VALUE_MAX_DEPTH levels, and no further than `limit`. */
static void show(Buf *out, const Value *value, size_t limit)
{
    switch (value->kind) {
    case VALUE_NULL:
        buf_add(out, STR("null"));
        break;
    case VALUE_BOOL:
        buf_add(out, value->boolean ? STR("true") : STR("false"));
        break;
    case VALUE_LIST:
    case VALUE_MAPPING:
    case VALUE_SET:
        show_parts(out, value, limit);
        break;
    default:
        show_text(out, value->text, limit);
    }
}

Str value_show(Arena *arena, const Value *value, size_t limit)
{
    Buf out = {.arena = arena};
    buf_add(&out, STR(""));
    if (value == NULL) {
        return buf_str(&out);
    }
    show(&out, value, limit);
    if (out.length <= limit) {
        return buf_str(&out);
    }
    size_t end = limit;
    while (end > 0 && ((unsigned char)out.at[end] & 0xc0) == 0x80) {
        end--;
    }
    return str_format(arena, "%.*s…", (int)end, out.at);
}

const char *value_kind_name(const Value *value)
{
    static const char *const names[] = {
        [VALUE_NULL] = "null",     [VALUE_BOOL] = "a boolean",    [VALUE_INT] = "an integer",
        [VALUE_REAL] = "a number", [VALUE_STRING] = "a string",   [VALUE_LIST] = "a list",
        [VALUE_SET] = "a set",     [VALUE_MAPPING] = "a mapping",
    };
    return value == NULL ? "absent" : names[value->kind];
}

const char *value_kind_name_zh(const Value *value)
{
    static const char *const names[] = {
        [VALUE_NULL] = "null", [VALUE_BOOL] = "布尔值",   [VALUE_INT] = "整数",
        [VALUE_REAL] = "数值", [VALUE_STRING] = "字符串", [VALUE_LIST] = "列表",
        [VALUE_SET] = "集合",  [VALUE_MAPPING] = "映射",
    };
    return value == NULL ? "缺失" : names[value->kind];
}
