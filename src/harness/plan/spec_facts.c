/* Spec facts; see spec_facts.h. */
#include "harness/plan/spec_facts.h"

#include "base/file.h"
#include "harness/plan/contract.h"
#include "harness/report/texts.h"
#include "operator/artifact.h"
#include "operator/front_matter.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    SPEC_MAX_BYTES = 4 * 1024 * 1024,
    NUMBER_DIGITS = 20, /* after the point; a smaller tolerance becomes 0 */
    MOST_PAIR_BYTES = 200,
};

Str number_text(Arena *arena, double number)
{
    char text[400] = "0";
    for (int digits = 0; digits <= NUMBER_DIGITS; digits++) {
        snprintf(text, sizeof text, "%.*f", digits, number);
        if (strtod(text, NULL) == number) {
            break;
        }
    }
    return str_format(arena, "%s", text);
}

static void read_dtypes(Arena *arena, const Value *list, SpecFacts *facts)
{
    for (uint32_t i = 0; value_is(list, VALUE_LIST) && i < list->count; i++) {
        const Value *item = list->items[i];
        Str dtype = item->kind == VALUE_STRING ? canonical_dtype(item->text) : STR("");
        bool scalar = str_is(dtype, "int") || str_is(dtype, "float");
        if (dtype.length > 0 && !scalar) {
            strs_add(arena, &facts->dtypes, dtype);
        }
    }
}

static bool is_tolerance(const Value *value, double *number)
{
    return value_to_real(value, number) && isfinite(*number) && *number >= 0;
}

/* Reads `key` in `tolerance`, else at the top level. */
static bool read_tolerance(const Value *metadata, const char *key, double *number)
{
    const Value *value = value_get(value_get(metadata, "tolerance"), key);
    return is_tolerance(value == NULL ? value_get(metadata, key) : value, number);
}

/* Entries of `tolerance` with the name of a dtype; one that lacks a number is passed over. */
static void read_dtype_tolerances(Arena *arena, const Value *tolerance, SpecFacts *facts)
{
    Strs seen = {0};
    for (uint32_t i = 0; value_is(tolerance, VALUE_MAPPING) && i < tolerance->count; i++) {
        const ValueEntry *entry = &tolerance->entries[i];
        DtypeTolerance one = {0};
        one.dtype = entry->key->kind == VALUE_STRING ? canonical_dtype(entry->key->text) : STR("");
        if (one.dtype.length > 0 && is_tolerance(value_get(entry->value, "atol"), &one.atol) &&
            is_tolerance(value_get(entry->value, "rtol"), &one.rtol) &&
            strs_add(arena, &seen, one.dtype)) {
            VEC_PUSH(arena, &facts->tolerances, one);
        }
    }
}

static void read_names(Arena *arena, const Value *list, Strs *names)
{
    for (uint32_t i = 0; value_is(list, VALUE_LIST) && i < list->count; i++) {
        const Value *item = list->items[i];
        if (item->kind == VALUE_STRING && is_python_name(item->text)) {
            strs_add(arena, names, item->text);
        }
    }
}

/* Expressions are written into JSON and printed, so they must be printable ASCII; they must have a
 * minus sign. */
static bool is_pair(Str text)
{
    for (size_t i = 0; i < text.length; i++) {
        if (text.at[i] < ' ' || text.at[i] > '~' || text.at[i] == '"' || text.at[i] == '\\') {
            return false;
        }
    }
    return text.length <= MOST_PAIR_BYTES && str_contains(text, STR(" - "));
}

static void read_pairs(Arena *arena, const Value *list, SpecFacts *facts)
{
    for (uint32_t i = 0; value_is(list, VALUE_LIST) && i < list->count; i++) {
        const Value *item = list->items[i];
        Str text = item->kind == VALUE_STRING ? str_trim(item->text) : STR("");
        if (is_pair(text)) {
            strs_add(arena, &facts->pairs, text);
        }
    }
}

/* Front matter is recognised with LF line ends only. */
static Str without_carriage_returns(Arena *arena, Str text)
{
    Buf out = {.arena = arena};
    buf_add(&out, STR(""));
    for (size_t at = 0, end; at < text.length; at = end) {
        end = str_find(text, STR("\r\n"), at);
        buf_add(&out, str_slice(text, at, end));
        end = end == SIZE_MAX ? text.length : end + 1;
    }
    return buf_str(&out);
}

bool spec_facts_read(Arena *arena, Str path, bool may_lack, SpecFacts *facts, Str *error)
{
    *facts = (SpecFacts){0};
    Str text, reason = STR("");
    FileStatus status = artifact_read(arena, path, SPEC_MAX_BYTES, &text, &reason);
    if (status == FILE_MISSING && may_lack) {
        return true;
    }
    if (status != FILE_OK) {
        reason = status == FILE_MISSING ? STR("no such file") : reason;
        *error = str_format(arena, "%.*s: %.*s", STR_ARG(path), STR_ARG(reason));
        return false;
    }
    FrontMatter front = front_matter_read(arena, without_carriage_returns(arena, text));
    if (front_matter_is_empty(&front)) {
        *error = str_format(arena, "%.*s: no front matter to read shapes and dtypes from",
                            STR_ARG(path));
        return false;
    }
    const Value *metadata = front.metadata;
    facts->present = true;
    facts->p0_shapes = value_get(metadata, "p0_shapes");
    facts->has_atol = read_tolerance(metadata, "atol", &facts->atol);
    facts->has_rtol = read_tolerance(metadata, "rtol", &facts->rtol);
    read_dtype_tolerances(arena, value_get(metadata, "tolerance"), facts);
    read_dtypes(arena, value_get(metadata, "supported_dtypes"), facts);
    read_names(arena, value_get(metadata, "dynamic_axes"), &facts->dynamic_axes);
    read_pairs(arena, value_get(metadata, "cancellation_pairs"), facts);
    return true;
}
