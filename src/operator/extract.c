/* Extract: dtypes, tolerances, identifiers of DESIGN.md. Shapes: extract_shapes.c. */
#include "operator/extract.h"

#include "operator/text.h"

#include "base/ascii.h"
#include "base/utf8.h"

#include <stdlib.h>

/* --- dtypes */

typedef struct Alias {
    const char *text;
    Dtype dtype;
} Alias;

static const Alias aliases[] = {
    {"float32", DTYPE_FP32},       {"fp32", DTYPE_FP32},          {"dt_fp32", DTYPE_FP32},
    {"torch.float32", DTYPE_FP32}, {"float16", DTYPE_FP16},       {"fp16", DTYPE_FP16},
    {"dt_fp16", DTYPE_FP16},       {"torch.float16", DTYPE_FP16}, {"bfloat16", DTYPE_BF16},
    {"bf16", DTYPE_BF16},          {"dt_bf16", DTYPE_BF16},       {"torch.bfloat16", DTYPE_BF16},
};

Dtype dtype_parse(Str text)
{
    text = text_trim(text);
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        if (text.length == strlen(aliases[i].text) &&
            text_find_folded(text, str_from(aliases[i].text), 0) == 0) {
            return aliases[i].dtype;
        }
    }
    return DTYPE_UNKNOWN;
}

const char *dtype_name(Dtype dtype)
{
    static const char *const names[] = {"float32", "float16", "bfloat16", "unknown"};
    return names[dtype];
}

static bool mentions_float16(Str text)
{
    for (size_t at = text_find_folded(text, STR("float16"), 0); at != SIZE_MAX;
         at = text_find_folded(text, STR("float16"), at + 1)) {
        if (at == 0 || (text.at[at - 1] != 'b' && text.at[at - 1] != 'B')) {
            return true;
        }
    }
    return false;
}

unsigned dtypes_mentioned(Str text)
{
    /* The longer aliases contain these. */
    bool fp32 =
        text_contains_folded(text, STR("float32")) || text_contains_folded(text, STR("fp32"));
    bool fp16 = mentions_float16(text) || text_contains_folded(text, STR("fp16"));
    bool bf16 =
        text_contains_folded(text, STR("bfloat16")) || text_contains_folded(text, STR("bf16"));
    return (fp32 ? 1u << DTYPE_FP32 : 0) | (fp16 ? 1u << DTYPE_FP16 : 0) |
           (bf16 ? 1u << DTYPE_BF16 : 0);
}

/* --- tolerances */

static size_t skip_digits(Str text, size_t at)
{
    while (at < text.length && is_digit(text.at[at])) {
        at++;
    }
    return at;
}

/* End of digits, optional point and digits, optional exponent, from `at`; `at` when there is no
 * digit. */
static size_t number_end(Str text, size_t at)
{
    size_t end = skip_digits(text, at);
    if (end == at) {
        return at;
    }
    if (end < text.length && text.at[end] == '.') {
        end = skip_digits(text, end + 1);
    }
    if (end < text.length && (text.at[end] == 'e' || text.at[end] == 'E')) {
        size_t digits = end + 1;
        if (digits < text.length && (text.at[digits] == '+' || text.at[digits] == '-')) {
            digits++;
        }
        size_t exponent = skip_digits(text, digits);
        end = exponent > digits ? exponent : end;
    }
    return end;
}

/* Where the number for a key that stands from `key` to `end` begins, or SIZE_MAX. */
static size_t number_start(Str text, size_t key, size_t end)
{
    bool stars_before = key >= 2 && text.at[key - 1] == '*' && text.at[key - 2] == '*';
    bool stars_after = end + 1 < text.length && text.at[end] == '*' && text.at[end + 1] == '*';
    bool starred = stars_before && stars_after;
    size_t at = text_skip_space(text, starred ? end + 2 : end);
    bool sign = at < text.length && (text.at[at] == ':' || text.at[at] == '=');
    if (!sign && !starred) {
        return SIZE_MAX;
    }
    return sign ? text_skip_space(text, at + 1) : at;
}

ToleranceUses tolerance_uses(Arena *arena, Str text, const char *key)
{
    ToleranceUses uses = {0};
    Str name = text_lower(arena, str_from(key));
    for (size_t at = text_find_folded(text, name, 0); at != SIZE_MAX;) {
        size_t start = number_start(text, at, at + name.length);
        size_t end = start == SIZE_MAX ? SIZE_MAX : number_end(text, start);
        ToleranceUse use = {0, STR(""), start, end};
        if (start != SIZE_MAX && end > start) {
            use.text = str_slice(text, start, end);
            if (text_to_real(use.text, &use.value)) {
                VEC_PUSH(arena, &uses, use);
            }
        }
        at = text_find_folded(text, name, at + name.length);
    }
    return uses;
}

/* --- identifiers of DESIGN.md */

/* Words of prose and of every design, not names of tensors. */
static bool is_common(Str token)
{
    static const char *const words[] = {
        "input", "output", "tensor", "shape",  "dtype", "dynamic", "algorithm", "default",
        "stage", "spec",   "design", "report", "loop",  "tiling",  "step",      "max",
        "min",   "round",  "clamp",  "cast",   "mul",   "add",     "sub",       "div",
    };
    return STR_IS_ANY(token, words) || (!str_contains(token, STR("_")) && token.length < 6);
}

static bool is_identifier(Str run)
{
    if (run.length < 3 || is_digit(run.at[0])) {
        return false;
    }
    for (size_t i = 0; i < run.length; i++) {
        char c = run.at[i];
        if (!is_word_char(c) || c != lower_case(c)) {
            return false;
        }
    }
    return true;
}

/* Adds the identifiers among the runs of word characters in `text`. */
static void add_identifiers(Arena *arena, Strs *names, Str text)
{
    size_t start = 0;
    for (size_t at = 0; at <= text.length;) {
        size_t next = at;
        bool word = at < text.length && code_point_is_word(utf8_next(text, &next));
        if (!word) {
            Str run = str_slice(text, start, at);
            if (is_identifier(run) && !is_common(run)) {
                VEC_PUSH(arena, names, run);
            }
            start = next;
        }
        at = next > at ? next : at + 1;
    }
}

/* Fences of three backticks with a plain info string. */
static void add_fences(Arena *arena, Strs *names, Str text)
{
    Str ticks = STR("```");
    for (size_t at = str_find(text, ticks, 0); at != SIZE_MAX;) {
        size_t info = at + 3;
        while (info < text.length) {
            size_t next = info;
            uint32_t c = utf8_next(text, &next);
            if (c != '-' && !code_point_is_word(c)) {
                break;
            }
            info = next;
        }
        if (info >= text.length || text.at[info] != '\n') {
            at = str_find(text, ticks, at + 1);
            continue;
        }
        size_t end = str_find(text, ticks, info + 1);
        if (end == SIZE_MAX) {
            return;
        }
        add_identifiers(arena, names, str_slice(text, info + 1, end));
        at = str_find(text, ticks, end + 3);
    }
}

/* Runs between two backticks on one line, paired as they come. */
static void add_spans(Arena *arena, Strs *names, Str text)
{
    for (size_t at = str_find(text, STR("`"), 0); at != SIZE_MAX;) {
        size_t end = at + 1;
        while (end < text.length && text.at[end] != '`' && text.at[end] != '\n') {
            end++;
        }
        bool closed = end < text.length && text.at[end] == '`' && end > at + 1;
        if (closed) {
            add_identifiers(arena, names, str_slice(text, at + 1, end));
        }
        at = str_find(text, STR("`"), closed ? end + 1 : at + 1);
    }
}

Strs design_identifiers(Arena *arena, Str text)
{
    Strs names = {0};
    add_fences(arena, &names, text);
    add_spans(arena, &names, text);
    strs_sort_unique(&names);
    return names;
}
