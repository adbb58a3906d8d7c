/* Reads the worker's answer to a blame search, and writes it as text and JSON; see blame.h. */
#include "harness/blame/blame.h"

#include "base/ascii.h"
#include "document/json.h"

#include <string.h>

/* --- reading */

static Str text_of(const json_t *value)
{
    return json_is_string(value) ? (Str){json_string_value(value), json_string_length(value)}
                                 : STR("");
}

/* A word (the name of an operation, kind or pattern): lower-case letters, digits and _. Empty for
 * anything else. */
static Str word_at(Arena *arena, const json_t *object, const char *key)
{
    Str word = text_of(json_object_get(object, key));
    bool sound = word.length <= BLAME_MOST_WORD;
    for (size_t i = 0; i < word.length && sound; i++) {
        char c = word.at[i];
        sound = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    }
    return sound ? str_from(str_dup(arena, word)) : STR("");
}

/* The name of a parameter as a kernel may have it in ASCII; empty for anything else. */
static Str name_at(Arena *arena, const json_t *object, const char *key)
{
    Str name = text_of(json_object_get(object, key));
    bool sound = name.length <= BLAME_MOST_WORD;
    for (size_t i = 0; i < name.length && sound; i++) {
        sound = is_word_char(name.at[i]);
    }
    return sound ? str_from(str_dup(arena, name)) : STR("");
}

static int64_t number_at(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_integer(value) && json_integer_value(value) >= 0 ? json_integer_value(value)
                                                                    : -1;
}

static BlameStatus status_of(Str name)
{
    return str_is(name, "found")                              ? BLAME_FOUND
           : str_is(name, "unsure") || str_is(name, "failed") ? BLAME_UNSURE
                                                              : BLAME_NONE;
}

static void read_detail(Arena *arena, const json_t *detail, Blame *blame)
{
    Str instead = word_at(arena, detail, "instead");
    blame->other = instead.length > 0 ? instead : word_at(arena, detail, "also");
    blame->axis = number_at(detail, "axis");
    blame->line = number_at(detail, "line");
    blame->written = number_at(detail, "written");
    blame->remaining = number_at(detail, "left");
    blame->begins = number_at(detail, "begins");
    blame->right = number_at(detail, "right");
    blame->is_earlier = json_is_true(json_object_get(detail, "earlier"));
    blame->parameter = name_at(arena, detail, "name");
    int64_t step = json_integer_value(json_object_get(detail, "step"));
    blame->step = step > -BLAME_MOST_STEP && step < BLAME_MOST_STEP ? step : 0;
}

static void read_candidates(Arena *arena, const json_t *list, Blame *blame)
{
    for (size_t i = 0; i < json_array_size(list) && i < BLAME_MOST_CANDIDATES; i++) {
        SourcePlace place = source_place_read(arena, json_array_get(list, i));
        if (place.line > 0) {
            blame->candidates[blame->candidate_count++] = place;
        }
    }
}

static uint32_t read_loops(const json_t *loops, int64_t *iteration)
{
    uint32_t count = 0;
    for (size_t i = 0; i < json_array_size(loops) && i < BLAME_MOST_LOOPS; i++) {
        iteration[count++] = json_integer_value(json_array_get(loops, i));
    }
    return count;
}

static void read_writers(Arena *arena, const json_t *list, Blame *blame)
{
    for (size_t i = 0; i < json_array_size(list) && i < BLAME_MOST_WRITERS; i++) {
        const json_t *from = json_array_get(list, i);
        int64_t output = number_at(from, "output");
        BlameWriter writer = {.place = source_place_read(arena, from),
                              .operation = word_at(arena, from, "operation")};
        writer.loops = read_loops(json_object_get(from, "iteration"), writer.iteration);
        if (output >= 0 && output < UINT32_MAX && writer.place.line > 0) {
            writer.output = (uint32_t)output;
            blame->writers[blame->writer_count++] = writer;
        }
    }
}

void blame_read(Arena *arena, const json_t *from, Blame *blame)
{
    *blame =
        (Blame){.axis = -1, .line = -1, .written = -1, .remaining = -1, .begins = -1, .right = -1};
    if (!json_is_object(from)) {
        return;
    }
    blame->status = status_of(text_of(json_object_get(from, "status")));
    blame->place = source_place_read(arena, from);
    blame->is_sure = str_is(text_of(json_object_get(from, "confidence")), "high");
    blame->operation = word_at(arena, from, "operation");
    blame->kind = word_at(arena, from, "kind");
    blame->left_out = json_count_at(from, "left_out");
    blame->loops = read_loops(json_object_get(from, "iteration"), blame->iteration);
    read_detail(arena, json_object_get(from, "detail"), blame);
    read_candidates(arena, json_object_get(from, "candidates"), blame);
    read_writers(arena, json_object_get(from, "writers"), blame);
    const json_t *iterations = json_object_get(from, "iterations");
    blame->pattern = word_at(arena, iterations, "pattern");
    blame->pattern_at = number_at(iterations, "at");
    blame_precision_read(arena, json_object_get(from, "precision"), &blame->precision);
    if (blame->status == BLAME_FOUND &&
        (blame->place.line == 0 || blame_words(blame->kind) == NULL)) {
        blame->status = BLAME_UNSURE;
    }
}

/* --- text */

static void add_iteration(Buf *out, const int64_t *iteration, uint32_t loops, const char *before)
{
    for (uint32_t i = 0; i < loops; i++) {
        buf_addf(out, "%s%lld", i == 0 ? before : ", ", (long long)iteration[i]);
    }
}

void blame_add_writer(Buf *out, const BlameWriter *writer, Lang lang)
{
    buf_add(out, source_place_text(out->arena, writer->place));
    if (writer->operation.length > 0) {
        buf_addf(out, ": %.*s", STR_ARG(writer->operation));
    }
    add_iteration(out, writer->iteration, writer->loops,
                  text_in(lang, (Text){", iteration ", "，迭代 "}));
}

static void add_candidates(Buf *out, const Blame *blame, Lang lang, Text before)
{
    for (uint32_t i = 0; i < blame->candidate_count; i++) {
        buf_add(out, i == 0 ? str_from(text_in(lang, before)) : STR(", "));
        buf_add(out, source_place_text(out->arena, blame->candidates[i]));
    }
}

static void add_found(Buf *out, const Blame *blame, Lang lang)
{
    /* What did not happen was not seen in an iteration. */
    static const char *const never_run[] = {"never_written", "cut_short"};
    buf_add(out, source_place_text(out->arena, blame->place));
    buf_add(out, str_from(text_in(lang, blame->is_sure ? (Text){": ", "："}
                                                       : (Text){" (suspected): ", "（疑似）："})));
    if (blame->operation.length > 0) {
        buf_addf(out, "%.*s: ", STR_ARG(blame->operation));
    }
    blame_add_words(out, blame, lang);
    if (!STR_IS_ANY(blame->kind, never_run)) {
        add_iteration(out, blame->iteration, blame->loops,
                      text_in(lang, (Text){", first seen in iteration ", "，首见于迭代 "}));
    }
    if (!blame->is_sure) {
        add_candidates(out, blame, lang, (Text){"; other candidates: ", "；其他可能："});
    }
}

/* Says which iterations are wrong. */
static void add_pattern(Buf *out, const Blame *blame, Lang lang)
{
    static const struct {
        const char *pattern;
        Text text;
    } table[] = {
        {"first",
         {"; only iteration %lld is wrong: look at what the loop begins with",
          "；只有迭代 %lld 出错：检查循环的初始值"}},
        {"from",
         {"; wrong from iteration %lld on, those before are right: look at what the loop carries",
          "；从迭代 %lld 起出错，之前的均正确：检查循环携带的张量"}},
        {"last",
         {"; only iteration %lld, the last one, is wrong: look at the tail",
          "；只有最后一次迭代 %lld 出错：检查尾块"}},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (blame->pattern_at >= 0 && str_is(blame->pattern, table[i].pattern)) {
            buf_addf(out, text_in(lang, table[i].text), (long long)blame->pattern_at);
        }
    }
}

void blame_add(Buf *out, const Blame *blame, Lang lang)
{
    switch (blame->status) {
    case BLAME_NONE:
        return;
    case BLAME_SKIPPED:
        buf_add(out,
                str_from(text_in(lang, (Text){"not searched, because the case is slow; --blame "
                                              "searches all the same",
                                              "用例较慢，未查找；--blame 可强制查找"})));
        return;
    case BLAME_REMOTE:
        buf_add(out, str_from(text_in(lang, (Text){"not searched on a cluster; run the case with "
                                                   "--case and --blame on this machine",
                                                   "集群上不查找；请在本机用 --case 与 --blame "
                                                   "运行该用例"})));
        return;
    case BLAME_UNSURE:
        buf_add(out, str_from(text_in(lang, (Text){"not sure", "无法确定"})));
        add_candidates(out, blame, lang, (Text){"; candidates: ", "；可能的行："});
        break;
    case BLAME_FOUND:
        add_found(out, blame, lang);
        break;
    }
    add_pattern(out, blame, lang);
    blame_precision_add(out, &blame->precision, lang);
    if (blame->left_out > 0) {
        buf_addf(out,
                 text_in(lang, (Text){"; %llu tensors beyond the limits were not checked",
                                      "；%llu 个张量超出限制，未检查"}),
                 (unsigned long long)blame->left_out);
    }
}

/* --- JSON */

static json_t *place_object(JsonTree *tree, SourcePlace place)
{
    json_t *object = json_object();
    json_put(tree, object, "file", json_text(place.file));
    json_put(tree, object, "line", json_integer(place.line));
    return object;
}

static json_t *loops_list(JsonTree *tree, const int64_t *iteration, uint32_t loops)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < loops; i++) {
        json_append(tree, list, json_integer(iteration[i]));
    }
    return list;
}

static json_t *writer_object(JsonTree *tree, const BlameWriter *writer)
{
    json_t *object = place_object(tree, writer->place);
    json_put(tree, object, "output", json_integer((json_int_t)writer->output));
    json_put(tree, object, "operation", json_text_or_null(writer->operation));
    json_put(tree, object, "iteration", loops_list(tree, writer->iteration, writer->loops));
    return object;
}

static void put_found(JsonTree *tree, json_t *object, const Blame *blame)
{
    json_put(tree, object, "file", json_text(blame->place.file));
    json_put(tree, object, "line", json_integer(blame->place.line));
    json_put(tree, object, "confidence", json_string(blame->is_sure ? "high" : "low"));
    json_put(tree, object, "operation", json_text_or_null(blame->operation));
    json_put(tree, object, "iteration", loops_list(tree, blame->iteration, blame->loops));
    json_put(tree, object, "kind", json_text(blame->kind));
}

json_t *blame_json(JsonTree *tree, const Blame *blame)
{
    static const char *const names[] = {[BLAME_NONE] = "none",
                                        [BLAME_SKIPPED] = "not searched",
                                        [BLAME_REMOTE] = "not searched",
                                        [BLAME_UNSURE] = "not sure",
                                        [BLAME_FOUND] = "found"};
    json_t *object = json_object();
    json_t *candidates = json_array();
    Buf words = {.arena = tree->arena};
    blame_add(&words, blame, LANG_EN);
    for (uint32_t i = 0; i < blame->candidate_count; i++) {
        json_append(tree, candidates, place_object(tree, blame->candidates[i]));
    }
    json_put(tree, object, "status", json_string(names[blame->status]));
    if (blame->status == BLAME_FOUND) {
        put_found(tree, object, blame);
    }
    json_put(tree, object, "text", json_text(buf_str(&words)));
    json_put(tree, object, "candidates", candidates);
    json_t *writers = json_array();
    for (uint32_t i = 0; i < blame->writer_count; i++) {
        json_append(tree, writers, writer_object(tree, &blame->writers[i]));
    }
    json_put(tree, object, "writers", writers);
    json_put(tree, object, "iterations", json_text_or_null(blame->pattern));
    json_put(tree, object, "precision", blame_precision_json(tree, &blame->precision));
    json_put(tree, object, "left_out", json_integer((json_int_t)blame->left_out));
    return object;
}
