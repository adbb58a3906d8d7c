/* Leaf places: reading, words, JSON; see leaf_places.h. */
#include "harness/judge/leaf_places.h"

#include <inttypes.h>
#include <math.h>

/* --- reading */

/* An axis, or −1. */
static int32_t axis_at(const json_t *object, const char *key, uint32_t rank)
{
    const json_t *value = json_object_get(object, key);
    json_int_t number = json_is_integer(value) ? json_integer_value(value) : -1;
    return number >= 0 && number < (json_int_t)rank ? (int32_t)number : -1;
}

static bool read_index(const json_t *from, const char *key, uint32_t rank, uint64_t *index)
{
    const json_t *list = json_object_get(from, key);
    if (json_array_size(list) != rank) {
        return false;
    }
    for (uint32_t axis = 0; axis < rank; axis++) {
        json_int_t number = json_integer_value(json_array_get(list, axis));
        index[axis] = number > 0 ? (uint64_t)number : 0;
    }
    return true;
}

static AxisPlaces read_axis(const json_t *from)
{
    AxisPlaces axis = {.extent = json_count_at(from, "extent"),
                       .hit = json_count_at(from, "hit"),
                       .run = json_count_at(from, "run"),
                       .period = json_count_at(from, "period"),
                       .runs = json_count_at(from, "runs")};
    const json_t *list = json_object_get(from, "ranges");
    for (size_t i = 0; i < json_array_size(list) && i < PLACES_MOST_RANGES; i++) {
        const json_t *pair = json_array_get(list, i);
        json_int_t from_at = json_integer_value(json_array_get(pair, 0));
        json_int_t to_at = json_integer_value(json_array_get(pair, 1));
        axis.ranges[i][0] = from_at > 0 ? (uint64_t)from_at : 0;
        axis.ranges[i][1] = to_at > 0 ? (uint64_t)to_at : 0;
        axis.range_count++;
    }
    return axis;
}

static const AdviceRow *row_at(const json_t *from, const char *key, AdviceKind kind)
{
    const char *name = json_string_value(json_object_get(from, key));
    return name == NULL ? NULL : advice_row(kind, str_from(name));
}

/* Nothing but the letters of a map gets through: a worker is not believed. */
static void read_map(Arena *arena, const json_t *from, LeafPlaces *places)
{
    Str map = STR("");
    uint64_t columns = json_count_at(from, "map_columns");
    if (!json_text_at(arena, from, "map", &map) || map.length > PLACES_MOST_CELLS || columns == 0 ||
        map.length % columns != 0 || strspn(map.at, ".123456789nu") != map.length) {
        return;
    }
    places->map = map;
    places->map_columns = columns;
}

const LeafPlaces *leaf_places_read(Arena *arena, const json_t *from)
{
    const json_t *axes = json_object_get(from, "axes");
    size_t rank = json_array_size(axes);
    if (rank < 1 || rank > PLACES_MOST_AXES) {
        return NULL;
    }
    const json_t *equals = json_object_get(from, "equals");
    LeafPlaces *places = ARENA_NEW(arena, LeafPlaces);
    *places = (LeafPlaces){
        .rank = (uint32_t)rank,
        .place = row_at(from, "place", ADVICE_PLACE),
        .likeness = row_at(from, "likeness", ADVICE_LIKENESS),
        .place_axis = axis_at(from, "place_axis", (uint32_t)rank),
        .axis = axis_at(from, "axis", (uint32_t)rank),
        .other = axis_at(from, "other", (uint32_t)rank),
        .diagonal = json_integer_value(json_object_get(from, "diagonal")),
        .distance = json_integer_value(json_object_get(from, "distance")),
        .number = json_number_value(json_object_get(from, "number")),
        .equals = axis_at(from, "equals", INT16_MAX),
    };
    if (json_is_integer(equals) && places->equals >= 0) {
        places->likeness = advice_row(ADVICE_LIKENESS, STR("another_output"));
    }
    places->number = isfinite(places->number) ? places->number : 0;
    for (uint32_t axis = 0; axis < rank; axis++) {
        places->axes[axis] = read_axis(json_array_get(axes, axis));
    }
    read_map(arena, from, places);
    bool complete = places->place != NULL &&
                    read_index(from, "first", places->rank, places->first) &&
                    read_index(from, "last", places->rank, places->last) &&
                    read_index(from, "worst", places->rank, places->worst);
    return complete ? places : NULL;
}

/* --- words */

static const char *in(Lang lang, const char *english, const char *chinese)
{
    return text_in(lang, (Text){english, chinese});
}

/* The noun for coordinates of an axis: "rows", "columns"; "row" for one. */
static void add_noun(Buf *out, const LeafPlaces *places, uint32_t axis, bool one, Lang lang)
{
    if (places->rank == 1) {
        buf_addf(out, "%s", one ? in(lang, "element", "元素") : in(lang, "elements", "元素"));
    } else if (axis + 1 == places->rank) {
        buf_addf(out, "%s", one ? in(lang, "column", "列") : in(lang, "columns", "列"));
    } else if (axis + 2 == places->rank) {
        buf_addf(out, "%s", one ? in(lang, "row", "行") : in(lang, "rows", "行"));
    } else {
        buf_addf(out,
                 one ? in(lang, "index of axis %u:", "第 %u 轴的下标")
                     : in(lang, "indices of axis %u", "第 %u 轴的下标"),
                 axis);
    }
}

static void add_range(Buf *out, const uint64_t *range)
{
    buf_addf(out, range[0] == range[1] ? "%" PRIu64 : "%" PRIu64 "..%" PRIu64, range[0], range[1]);
}

static void add_axis(Buf *out, const LeafPlaces *places, uint32_t axis, Lang lang)
{
    const AxisPlaces *on = &places->axes[axis];
    bool all = on->hit == on->extent;
    if (all && on->extent > 1) {
        const char *chinese = places->rank == 1 ? "全部 %" PRIu64 " 个" : "全部 %" PRIu64 " ";
        buf_addf(out, in(lang, "all %" PRIu64 " ", chinese), on->extent);
        add_noun(out, places, axis, false, lang);
        return;
    }
    add_noun(out, places, axis, on->hit == 1, lang);
    for (uint32_t i = 0; i < on->range_count; i++) {
        buf_add(out, i == 0 ? STR(" ") : STR(", "));
        add_range(out, on->ranges[i]);
    }
    if (on->runs > on->range_count) {
        buf_add(out, STR(", …"));
    }
    /* "row 15 of 16" reads as the fifteenth. */
    if (on->hit == 1 && lang == LANG_EN && on->extent > 1) {
        buf_addf(out, " (of 0..%" PRIu64 ")", on->extent - 1);
    } else {
        buf_addf(out, in(lang, " of %" PRIu64, "（共 %" PRIu64 "）"), on->extent);
    }
    if (on->period > 0) {
        buf_addf(out,
                 in(lang, " (%" PRIu64 " in every %" PRIu64 ")",
                    "（每 %2$" PRIu64 " 个中有 %1$" PRIu64 " 个）"),
                 on->run, on->period);
    }
}

static void add_index(Buf *out, const char *name, const LeafPlaces *places, const uint64_t *index)
{
    buf_addf(out, "%s [", name);
    for (uint32_t axis = 0; axis < places->rank; axis++) {
        buf_addf(out, "%s%" PRIu64, axis == 0 ? "" : ", ", index[axis]);
    }
    buf_add_char(out, ']');
}

/* The words of a row, with `detail` in the place of the braces. */
static void add_words(Buf *out, const AdviceRow *row, Str detail, Lang lang)
{
    Str words = str_from(text_in(lang, row->words));
    size_t at = str_find(words, STR("{}"), 0);
    if (at == SIZE_MAX) {
        buf_add(out, words);
        return;
    }
    buf_add(out, str_slice(words, 0, at));
    buf_add(out, detail);
    buf_add(out, str_slice(words, at + 2, words.length));
}

void leaf_places_add_where(Buf *out, const LeafPlaces *places, Lang lang)
{
    Buf noun = {.arena = out->arena};
    uint32_t axis = places->place_axis < 0 ? 0 : (uint32_t)places->place_axis;
    add_noun(&noun, places, axis, false, lang);
    add_words(out, places->place, buf_str(&noun), lang);
    const char *separator = in(lang, ": ", "：");
    for (uint32_t i = 0; i < places->rank; i++) {
        buf_addf(out, "%s", separator);
        add_axis(out, places, i, lang);
        separator = in(lang, ", ", "，");
    }
}

void leaf_places_add_indices(Buf *out, const LeafPlaces *places, Lang lang)
{
    add_index(out, in(lang, "first", "首个"), places, places->first);
    buf_addf(out, "%s", in(lang, ", ", "，"));
    add_index(out, in(lang, "last", "末个"), places, places->last);
    buf_addf(out, "%s", in(lang, ", ", "，"));
    add_index(out, in(lang, "worst", "最差"), places, places->worst);
}

/* The text for the braces in the words of a likeness. */
static Str detail_of(Arena *arena, const LeafPlaces *places, Str equals, Lang lang)
{
    Buf out = {.arena = arena};
    const char *name = places->likeness->name;
    if (strcmp(name, "another_output") == 0) {
        buf_add(&out, equals);
    } else if (strcmp(name, "transposed") == 0) {
        buf_addf(&out, in(lang, "%d and %d", " %d 和 %d "), places->axis, places->other);
    } else if (places->axis >= 0) {
        uint64_t size = (uint64_t)places->distance;
        size = places->distance < 0 ? 0 - size : size;
        if (places->distance != 0) {
            buf_addf(&out, in(lang, "%" PRIu64 " ", " %" PRIu64 " "), size);
        }
        add_noun(&out, places, (uint32_t)places->axis, size == 1, lang);
        if (strcmp(name, "shifted") == 0) {
            buf_addf(&out, "%s",
                     places->distance > 0 ? in(lang, " further on", "之后")
                                          : in(lang, " earlier", "之前"));
        }
    } else {
        buf_addf(&out, "%.3g", places->number);
    }
    return buf_str(&out);
}

void leaf_places_add_likeness(Buf *out, const LeafPlaces *places, Str equals, Lang lang)
{
    if (places->likeness != NULL) {
        add_words(out, places->likeness, detail_of(out->arena, places, equals, lang), lang);
    }
}

/* --- JSON */

static json_t *index_json(JsonTree *tree, const LeafPlaces *places, const uint64_t *index)
{
    json_t *list = json_array();
    for (uint32_t axis = 0; axis < places->rank; axis++) {
        json_append(tree, list, json_integer((json_int_t)index[axis]));
    }
    return list;
}

static json_t *axis_json(JsonTree *tree, const AxisPlaces *axis)
{
    json_t *ranges = json_array();
    for (uint32_t i = 0; i < axis->range_count; i++) {
        json_append(
            tree, ranges,
            json_pack("[I,I]", (json_int_t)axis->ranges[i][0], (json_int_t)axis->ranges[i][1]));
    }
    return json_pack("{s:I,s:I,s:I,s:I,s:I,s:o}", "extent", (json_int_t)axis->extent, "hit",
                     (json_int_t)axis->hit, "runs", (json_int_t)axis->runs, "run",
                     (json_int_t)axis->run, "period", (json_int_t)axis->period, "ranges", ranges);
}

static const char *number_key(const AdviceRow *likeness)
{
    return likeness == NULL                             ? NULL
           : strcmp(likeness->name, "factor") == 0      ? "factor"
           : strcmp(likeness->name, "offset") == 0      ? "offset"
           : strcmp(likeness->name, "small_error") == 0 ? "relative_error"
                                                        : NULL;
}

static json_t *map_json(JsonTree *tree, const LeafPlaces *places)
{
    json_t *rows = json_array();
    for (size_t at = 0; at < places->map.length; at += places->map_columns) {
        json_append(tree, rows, json_text(str_slice(places->map, at, at + places->map_columns)));
    }
    return rows;
}

json_t *leaf_places_json(JsonTree *tree, const LeafPlaces *places, Str equals)
{
    json_t *axes = json_array();
    for (uint32_t axis = 0; axis < places->rank; axis++) {
        json_append(tree, axes, axis_json(tree, &places->axes[axis]));
    }
    const AdviceRow *likeness = places->likeness;
    json_t *object = json_object();
    json_put(tree, object, "place", json_string(places->place->name));
    json_put(tree, object, "first", index_json(tree, places, places->first));
    json_put(tree, object, "last", index_json(tree, places, places->last));
    json_put(tree, object, "worst", index_json(tree, places, places->worst));
    json_put(tree, object, "axes", axes);
    json_put(tree, object, "likeness",
             likeness == NULL ? json_null() : json_string(likeness->name));
    if (strcmp(places->place->name, "diagonal") == 0) {
        json_put(tree, object, "diagonal", json_integer(places->diagonal));
    }
    if (likeness != NULL && places->equals >= 0) {
        json_put(tree, object, "equals", json_text(equals));
    } else if (likeness != NULL && places->other >= 0) {
        json_put(tree, object, "axes_swapped", json_pack("[i,i]", places->axis, places->other));
    } else if (likeness != NULL && places->axis >= 0) {
        json_put(tree, object, "axis", json_integer(places->axis));
        json_put(tree, object, "distance", json_integer(places->distance));
    }
    if (number_key(likeness) != NULL) {
        char text[32];
        snprintf(text, sizeof text, "%.3g", places->number);
        json_put(tree, object, number_key(likeness), json_real(strtod(text, NULL)));
    }
    if (places->map.length > 0) {
        json_put(tree, object, "map", map_json(tree, places));
    }
    return object;
}
