/* YamlValue: what a plain scalar of YAML 1.1 stands for. */
#include "operator/yaml_value.h"

#include "base/ascii.h"

#include <math.h>

typedef enum Match { MATCH_NO, MATCH_YES, MATCH_BAD } Match;

/* End of the run of characters of `set` (and `_`) that begins at `at`. */
static size_t run_end(Str text, size_t at, const char *set)
{
    while (at < text.length &&
           (text.at[at] == '_' || (text.at[at] != '\0' && strchr(set, text.at[at]) != NULL))) {
        at++;
    }
    return at;
}

static const char decimal[] = "0123456789";

/* End of `:` groups below 60, at least one of them, from `at`; `at` itself when there is none. */
static size_t groups_end(Str text, size_t at)
{
    while (at + 1 < text.length && text.at[at] == ':' && is_digit(text.at[at + 1])) {
        bool two = at + 2 < text.length && is_digit(text.at[at + 2]);
        if (two && text.at[at + 1] > '5') {
            return at + 2; /* `:7` was a group, the next digit makes the whole no match */
        }
        at += two ? 3 : 2;
    }
    return at;
}

/* Value of `1:30:05.5`, without sign. */
static double base_60(Str text)
{
    double value = 0;
    size_t start = 0;
    for (size_t at = 0; at <= text.length; at++) {
        if (at == text.length || text.at[at] == ':') {
            double part = 0;
            /* `part` may be `5.` or `5.5`, never empty. */
            text_to_real(str_slice(text, start, at), &part);
            value = value * 60 + part;
            start = at + 1;
        }
    }
    return value;
}

static Str without_underscores(Arena *arena, Str text)
{
    if (!str_contains(text, STR("_"))) {
        return text;
    }
    char *out = arena_alloc(arena, text.length + 1);
    size_t length = 0;
    for (size_t i = 0; i < text.length; i++) {
        if (text.at[i] != '_') {
            out[length++] = text.at[i];
        }
    }
    out[length] = '\0';
    return (Str){out, length};
}

/* `body` is `text` without its sign. MATCH_NO: not an integer; MATCH_BAD for `0b_`, which has no
 * digits. */
static Match read_int(Arena *arena, Str text, Str body, bool negative, uint32_t line,
                      const Value **value)
{
    if (body.length == 0 || !is_digit(body.at[0])) {
        return MATCH_NO;
    }
    unsigned base = 10;
    Str digits = body;
    if (body.at[0] == '0' && body.length > 1) {
        char mark = body.at[1];
        base = mark == 'b' ? 2 : mark == 'x' ? 16 : 8;
        digits = str_slice(body, base == 8 ? 1 : 2, body.length);
        const char *set = base == 2 ? "01" : base == 16 ? "0123456789abcdefABCDEF" : "01234567";
        if (digits.length == 0 || run_end(digits, 0, set) != digits.length) {
            return MATCH_NO;
        }
        if (base != 8 && without_underscores(arena, digits).length == 0) {
            return MATCH_BAD;
        }
    } else {
        size_t end = run_end(body, 0, decimal), groups = groups_end(body, end);
        if (groups != body.length) {
            return MATCH_NO;
        }
        if (groups > end) {
            double number = base_60(without_underscores(arena, body));
            Value *made = value_int(arena, text, STR(""), 10, negative, line);
            made->real = negative ? -number : number;
            made->is_big = number >= 9.0e18;
            made->integer = made->is_big ? INT64_MAX : (int64_t)number;
            made->integer = negative ? -made->integer : made->integer;
            *value = made;
            return MATCH_YES;
        }
    }
    *value = value_int(arena, text, digits, base, negative, line);
    return MATCH_YES;
}

/* Is `body` (without sign) digits `.` digits with an exponent that has a sign, or with `:`
 * groups? */
static bool is_real(Str body, bool has_sign, bool *sexagesimal)
{
    size_t at;
    *sexagesimal = false;
    if (body.length >= 2 && body.at[0] == '.') {
        if (has_sign || !is_digit(body.at[1])) {
            return false;
        }
        at = run_end(body, 1, decimal);
    } else {
        if (body.length == 0 || !is_digit(body.at[0])) {
            return false;
        }
        size_t end = run_end(body, 0, decimal);
        at = groups_end(body, end);
        *sexagesimal = at > end;
        if (at >= body.length || body.at[at] != '.') {
            return false;
        }
        at = run_end(body, at + 1, decimal);
    }
    if (at < body.length && !*sexagesimal && (body.at[at] == 'e' || body.at[at] == 'E')) {
        bool sign = at + 1 < body.length && (body.at[at + 1] == '+' || body.at[at + 1] == '-');
        size_t digits = at + 2;
        if (!sign) {
            return false;
        }
        for (at = digits; at < body.length && is_digit(body.at[at]);) {
            at++;
        }
        return at > digits && at == body.length;
    }
    return at == body.length;
}

static Match read_real(Arena *arena, Str text, Str body, bool negative, uint32_t line,
                       const Value **value)
{
    static const char *const infinities[] = {".inf", ".Inf", ".INF"};
    static const char *const not_numbers[] = {".nan", ".NaN", ".NAN"};
    bool has_sign = body.length < text.length, sexagesimal;
    double number;
    if (STR_IS_ANY(body, infinities)) {
        number = HUGE_VAL;
    } else if (!has_sign && STR_IS_ANY(body, not_numbers)) {
        number = (double)NAN;
    } else if (is_real(body, has_sign, &sexagesimal)) {
        Str clean = without_underscores(arena, body);
        if (sexagesimal) {
            number = base_60(clean);
        } else if (!text_to_real(clean, &number)) {
            return MATCH_BAD;
        }
    } else {
        return MATCH_NO;
    }
    *value = value_real(arena, text, negative ? -number : number, line);
    return MATCH_YES;
}

/* --- dates */

/* Reads `least` to `most` digits; -1 when there are fewer. */
static int read_field(Str text, size_t *at, size_t least, size_t most)
{
    int value = 0;
    size_t count = 0;
    while (count < most && *at < text.length && is_digit(text.at[*at])) {
        value = value * 10 + (text.at[*at] - '0');
        (*at)++;
        count++;
    }
    return count < least ? -1 : value;
}

static bool take(Str text, size_t *at, char c)
{
    if (*at < text.length && text.at[*at] == c) {
        (*at)++;
        return true;
    }
    return false;
}

static void skip_blanks(Str text, size_t *at)
{
    while (*at < text.length && (text.at[*at] == ' ' || text.at[*at] == '\t')) {
        (*at)++;
    }
}

/* The zone at the end of a time: nothing, `Z`, `+8`, `-05:30`. */
static Match read_zone(Str text, size_t at)
{
    skip_blanks(text, &at);
    if (at == text.length || take(text, &at, 'Z')) {
        /* Blanks at the end without a zone cannot happen: scalars are trimmed. */
        return at == text.length ? MATCH_YES : MATCH_NO;
    }
    if (!take(text, &at, '+') && !take(text, &at, '-')) {
        return MATCH_NO;
    }
    int hours = read_field(text, &at, 1, 2), minutes = 0;
    if (hours >= 0 && take(text, &at, ':')) {
        minutes = read_field(text, &at, 2, 2);
    }
    if (hours < 0 || minutes < 0 || at != text.length) {
        return MATCH_NO;
    }
    return hours * 60 + minutes < 24 * 60 ? MATCH_YES : MATCH_BAD;
}

static Match read_time(Str text, size_t at)
{
    int hour = read_field(text, &at, 1, 2);
    if (hour < 0 || !take(text, &at, ':')) {
        return MATCH_NO;
    }
    int minute = read_field(text, &at, 2, 2);
    if (minute < 0 || !take(text, &at, ':')) {
        return MATCH_NO;
    }
    int second = read_field(text, &at, 2, 2);
    if (second < 0) {
        return MATCH_NO;
    }
    if (take(text, &at, '.')) {
        while (at < text.length && is_digit(text.at[at])) {
            at++;
        }
    }
    Match zone = read_zone(text, at);
    bool exists = hour < 24 && minute < 60 && second < 60;
    return zone == MATCH_YES && !exists ? MATCH_BAD : zone;
}

static bool day_exists(int year, int month, int day)
{
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (year < 1 || month < 1 || month > 12 || day < 1) {
        return false;
    }
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return day <= lengths[month - 1] + (month == 2 && leap ? 1 : 0);
}

/* A date with two-digit month and day, or a date with a time. */
static Match read_date(Str text)
{
    size_t at = 0;
    int year = read_field(text, &at, 4, 4);
    if (year < 0 || !take(text, &at, '-')) {
        return MATCH_NO;
    }
    size_t month_at = at;
    int month = read_field(text, &at, 1, 2);
    bool full = at - month_at == 2;
    if (month < 0 || !take(text, &at, '-')) {
        return MATCH_NO;
    }
    size_t day_at = at;
    int day = read_field(text, &at, 1, 2);
    full = full && at - day_at == 2;
    if (day < 0) {
        return MATCH_NO;
    }
    if (at == text.length) {
        return !full ? MATCH_NO : day_exists(year, month, day) ? MATCH_YES : MATCH_BAD;
    }
    size_t gap = at;
    if (!take(text, &at, 'T') && !take(text, &at, 't')) {
        skip_blanks(text, &at);
    }
    Match time = at == gap ? MATCH_NO : read_time(text, at);
    return time == MATCH_YES && !day_exists(year, month, day) ? MATCH_BAD : time;
}

const Value *yaml_resolve_plain(Arena *arena, Str text, uint32_t line)
{
    static const char *const nulls[] = {"", "~", "null", "Null", "NULL"};
    static const char *const yes[] = {"true", "True", "TRUE", "yes", "Yes",
                                      "YES",  "on",   "On",   "ON"};
    static const char *const no[] = {"false", "False", "FALSE", "no", "No",
                                     "NO",    "off",   "Off",   "OFF"};
    if (STR_IS_ANY(text, nulls)) {
        return value_new(arena, VALUE_NULL, line);
    }
    if (STR_IS_ANY(text, yes) || STR_IS_ANY(text, no)) {
        return value_bool(arena, STR_IS_ANY(text, yes), line);
    }
    if (str_is(text, "=") || str_is(text, "<<")) {
        return NULL;
    }
    bool sign = text.at[0] == '+' || text.at[0] == '-', negative = text.at[0] == '-';
    Str body = str_slice(text, sign ? 1 : 0, text.length);
    const Value *value = NULL;
    Match match = read_real(arena, text, body, negative, line, &value);
    if (match == MATCH_NO) {
        match = read_int(arena, text, body, negative, line, &value);
    }
    if (match == MATCH_NO) {
        match = read_date(text);
        value = match == MATCH_YES ? value_string(arena, text, line) : NULL;
    }
    if (match == MATCH_BAD) {
        return NULL;
    }
    return match == MATCH_YES ? value : value_string(arena, text, line);
}
