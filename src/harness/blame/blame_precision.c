/* What rounding does to the outputs of a blamed case: errors by line, compared with the same run in
 * double precision; see blame.h. They are relative, so they reveal nothing about the reference's
 * values. */
#include "harness/blame/blame.h"

#include "document/json.h"

#include <math.h>

static Str text_at(Arena *arena, const json_t *object, const char *key)
{
    Str text = STR("");
    return json_text_at(arena, object, key, &text) && text.length <= BLAME_MOST_WORD ? text
                                                                                     : STR("");
}

static double error_at(const json_t *object, const char *key)
{
    double error = json_number_value(json_object_get(object, key));
    return isfinite(error) && error >= 0 ? error : 0;
}

static void read_error(Arena *arena, const json_t *from, BlameError *error)
{
    const json_t *iteration = json_object_get(from, "iteration");
    const json_t *flags = json_object_get(from, "flags");
    *error = (BlameError){
        .place = source_place_read(arena, from),
        .operation = text_at(arena, from, "operation"),
        .iteration = json_is_integer(iteration) ? json_integer_value(iteration) : -1,
        .added = error_at(from, "added"),
        .inherited = error_at(from, "inherited"),
    };
    for (size_t i = 0; i < json_array_size(flags) && i < BLAME_MOST_FLAGS; i++) {
        const json_t *flag = json_array_get(flags, i);
        if (json_is_string(flag) && json_string_length(flag) <= BLAME_MOST_WORD) {
            error->flags[error->flag_count++] =
                str_from(str_dup(arena, (Str){json_string_value(flag), json_string_length(flag)}));
        }
    }
}

void blame_precision_read(Arena *arena, const json_t *from, BlamePrecision *precision)
{
    *precision =
        (BlamePrecision){.is_known = json_is_object(from) && json_count_at(from, "unchecked") == 0};
    if (!precision->is_known) {
        return;
    }
    precision->is_wrong = json_is_true(json_object_get(from, "wrong"));
    read_error(arena, json_object_get(from, "beyond"), &precision->beyond);
    const json_t *lines = json_object_get(from, "lines");
    for (size_t i = 0; i < json_array_size(lines) && i < BLAME_MOST_ERRORS; i++) {
        BlameError *error = &precision->lines[precision->line_count];
        read_error(arena, json_array_get(lines, i), error);
        precision->line_count += error->place.line > 0;
    }
}

void blame_precision_add(Buf *out, const BlamePrecision *precision, Lang lang)
{
    const BlameError *first = &precision->beyond;
    if (!precision->is_wrong || first->place.line == 0) {
        return;
    }
    buf_add(out, str_from(text_in(lang, (Text){"; rounding alone goes beyond the tolerance of the "
                                               "dtype, first at ",
                                               "；仅舍入误差就超出 dtype 的容差，首先出现在 "})));
    buf_add(out, source_place_text(out->arena, first->place));
    buf_addf(out, ": %.*s", STR_ARG(first->operation));
    for (uint32_t i = 0; i < first->flag_count; i++) {
        buf_addf(out, "%s%.*s", i == 0 ? " (" : ", ", STR_ARG(first->flags[i]));
    }
    buf_add(out, first->flag_count > 0 ? STR(")") : STR(""));
}

static json_t *error_object(JsonTree *tree, const BlameError *error)
{
    if (error->place.line == 0) {
        return json_null();
    }
    json_t *object = json_object();
    json_t *flags = json_array();
    for (uint32_t i = 0; i < error->flag_count; i++) {
        json_append(tree, flags, json_text(error->flags[i]));
    }
    json_put(tree, object, "file", json_text(error->place.file));
    json_put(tree, object, "line", json_integer(error->place.line));
    json_put(tree, object, "operation", json_text_or_null(error->operation));
    json_put(tree, object, "iteration",
             error->iteration < 0 ? json_null() : json_integer(error->iteration));
    json_put(tree, object, "added", json_real(error->added));
    json_put(tree, object, "inherited", json_real(error->inherited));
    json_put(tree, object, "flags", flags);
    return object;
}

json_t *blame_precision_json(JsonTree *tree, const BlamePrecision *precision)
{
    if (!precision->is_known) {
        return json_null();
    }
    json_t *object = json_object();
    json_t *lines = json_array();
    for (uint32_t i = 0; i < precision->line_count; i++) {
        json_append(tree, lines, error_object(tree, &precision->lines[i]));
    }
    json_put(tree, object, "beyond_tolerance", json_boolean(precision->is_wrong));
    json_put(tree, object, "first", error_object(tree, &precision->beyond));
    json_put(tree, object, "lines", lines);
    return object;
}
