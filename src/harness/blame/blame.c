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

static uint32_t read_places(Arena *arena, const json_t *list, SourcePlace *places, uint32_t most)
{
    uint32_t count = 0;
    for (size_t i = 0; i < json_array_size(list) && count < most; i++) {
        SourcePlace place = source_place_read(arena, json_array_get(list, i));
        if (place.line > 0) {
            places[count++] = place;
        }
    }
    return count;
}

static void read_writers(Arena *arena, const json_t *list, Blame *blame)
{
    for (size_t i = 0; i < json_array_size(list) && i < BLAME_MOST_WRITERS; i++) {
        const json_t *from = json_array_get(list, i);
        int64_t output = number_at(from, "output");
        BlameWriter writer = {.place = source_place_read(arena, from),
                              .operation = blame_word_read(arena, from, "operation")};
        blame_loops_read(arena, from, &writer.loops);
        if (output >= 0 && output < UINT32_MAX && writer.place.line > 0) {
            writer.output = (uint32_t)output;
            blame->writers[blame->writer_count++] = writer;
        }
    }
}

void blame_read(Arena *arena, const json_t *from, Blame *blame)
{
    *blame = (Blame){.status = BLAME_NONE};
    if (!json_is_object(from)) {
        return;
    }
    blame->status = status_of(text_of(json_object_get(from, "status")));
    blame->place = source_place_read(arena, from);
    blame->is_sure = str_is(text_of(json_object_get(from, "confidence")), "high");
    blame->operation = blame_word_read(arena, from, "operation");
    blame->kind = blame_word_read(arena, from, "kind");
    blame->left_out = json_count_at(from, "left_out");
    blame->why = blame_word_read(arena, from, "why");
    blame_loops_read(arena, from, &blame->loops);
    blame_detail_read(arena, json_object_get(from, "detail"), &blame->detail);
    blame->result = leaf_places_read(arena, json_object_get(from, "result"));
    blame->candidate_count = read_places(arena, json_object_get(from, "candidates"),
                                         blame->candidates, BLAME_MOST_CANDIDATES);
    blame->unmatched_count = read_places(arena, json_object_get(from, "unmatched"),
                                         blame->unmatched, BLAME_MOST_UNMATCHED);
    read_writers(arena, json_object_get(from, "writers"), blame);
    const json_t *iterations = json_object_get(from, "iterations");
    blame->pattern = blame_word_read(arena, iterations, "pattern");
    blame->pattern_at = number_at(iterations, "at");
    blame_precision_read(arena, json_object_get(from, "precision"), &blame->precision);
    if (blame->status == BLAME_FOUND &&
        (blame->place.line == 0 || blame_words(blame->kind) == NULL)) {
        blame->status = BLAME_UNSURE;
    }
}

/* --- text */

/* ", first seen in iteration 1, 3", or ", first seen at head = 1, i = 3" where the loops have
 * names. */
static void add_iteration(Buf *out, const BlameLoops *loops, Lang lang, Text unnamed, Text named)
{
    for (uint32_t i = 0; i < loops->count; i++) {
        bool has_name = loops->names[i].length > 0;
        buf_add(out, i > 0 ? STR(", ") : str_from(text_in(lang, has_name ? named : unnamed)));
        if (has_name) {
            buf_addf(out, "%.*s = ", STR_ARG(loops->names[i]));
        }
        buf_addf(out, "%lld", (long long)loops->at[i]);
    }
}

void blame_add_writer(Buf *out, const BlameWriter *writer, Lang lang)
{
    buf_add(out, source_place_text(out->arena, writer->place));
    if (writer->operation.length > 0) {
        buf_addf(out, ": %.*s", STR_ARG(writer->operation));
    }
    add_iteration(out, &writer->loops, lang, (Text){", iteration ", "，迭代 "}, (Text){", ", "，"});
}

static void add_places(Buf *out, const SourcePlace *places, uint32_t count, Lang lang, Text before)
{
    for (uint32_t i = 0; i < count; i++) {
        buf_add(out, i == 0 ? str_from(text_in(lang, before)) : STR(", "));
        buf_add(out, source_place_text(out->arena, places[i]));
    }
}

static void add_found(Buf *out, const Blame *blame, Lang lang)
{
    /* What did not happen was not seen in an iteration. */
    static const char *const never_run[] = {"never_written", "never_read", "cut_short", "unpacked"};
    buf_add(out, source_place_text(out->arena, blame->place));
    buf_add(out, str_from(text_in(lang, blame->is_sure ? (Text){": ", "："}
                                                       : (Text){" (suspected): ", "（疑似）："})));
    if (blame->operation.length > 0) {
        buf_addf(out, "%.*s: ", STR_ARG(blame->operation));
    }
    blame_add_words(out, blame, lang);
    if (!STR_IS_ANY(blame->kind, never_run)) {
        add_iteration(out, &blame->loops, lang,
                      (Text){", first seen in iteration ", "，首见于迭代 "},
                      (Text){", first seen at ", "，首见于 "});
    }
    if (!blame->is_sure) {
        add_places(out, blame->candidates, blame->candidate_count, lang,
                   (Text){"; other candidates: ", "；其他可能："});
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

/* Why no line is named, which ones may be at fault, and what could not be matched. */
static void add_unsure(Buf *out, const Blame *blame, Lang lang)
{
    static const struct {
        const char *why;
        Text text;
    } table[] = {
        {"outputs",
         {": the outputs are not what a launch left in memory; torch computed them further",
          "：输出并非某次 launch 写出的内容，而是由 torch 进一步计算得到"}},
        {"records",
         {": the operations that lead to the wrong elements cannot be followed",
          "：无法跟踪得到错误元素的操作"}},
        {"several",
         {": the reference lacks the results of several operations whose inputs it has",
          "：有多个操作的输入在参考实现中，而结果不在"}},
        {"nothing",
         {": no change of one line makes the outputs right, and no result is the first that the "
          "reference lacks",
          "：修改任何一行都不能使输出正确，也找不到参考实现最先缺少的结果"}},
        {"place", {": the line is not in a file of the operator", "：该行不在此算子的文件中"}},
    };
    buf_add(out, str_from(text_in(lang, (Text){"not sure", "无法确定"})));
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (str_is(blame->why, table[i].why)) {
            buf_add(out, str_from(text_in(lang, table[i].text)));
        }
    }
    add_places(out, blame->candidates, blame->candidate_count, lang,
               (Text){"; candidates: ", "；可能的行："});
    add_places(out, blame->unmatched, blame->unmatched_count, lang,
               (Text){"; no equal in the reference: ", "；参考实现中没有对应张量："});
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
        add_unsure(out, blame, lang);
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

static json_t *places_list(JsonTree *tree, const SourcePlace *places, uint32_t count)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; i++) {
        json_append(tree, list, place_object(tree, places[i]));
    }
    return list;
}

/* `iteration`, and `loops`: their names, null for one without. */
static void put_loops(JsonTree *tree, json_t *object, const BlameLoops *loops)
{
    json_t *list = json_array();
    json_t *names = json_array();
    for (uint32_t i = 0; i < loops->count; i++) {
        json_append(tree, list, json_integer(loops->at[i]));
        json_append(tree, names, json_text_or_null(loops->names[i]));
    }
    json_put(tree, object, "iteration", list);
    json_put(tree, object, "loops", names);
}

static json_t *writer_object(JsonTree *tree, const BlameWriter *writer)
{
    json_t *object = place_object(tree, writer->place);
    json_put(tree, object, "output", json_integer((json_int_t)writer->output));
    json_put(tree, object, "operation", json_text_or_null(writer->operation));
    put_loops(tree, object, &writer->loops);
    return object;
}

static void put_found(JsonTree *tree, json_t *object, const Blame *blame)
{
    json_put(tree, object, "file", json_text(blame->place.file));
    json_put(tree, object, "line", json_integer(blame->place.line));
    json_put(tree, object, "confidence", json_string(blame->is_sure ? "high" : "low"));
    json_put(tree, object, "operation", json_text_or_null(blame->operation));
    put_loops(tree, object, &blame->loops);
    json_put(tree, object, "kind", json_text(blame->kind));
    json_put(tree, object, "result",
             blame->result == NULL ? json_null() : leaf_places_json(tree, blame->result, STR("")));
}

json_t *blame_json(JsonTree *tree, const Blame *blame)
{
    static const char *const names[] = {[BLAME_NONE] = "none",
                                        [BLAME_SKIPPED] = "not searched",
                                        [BLAME_REMOTE] = "not searched",
                                        [BLAME_UNSURE] = "not sure",
                                        [BLAME_FOUND] = "found"};
    json_t *object = json_object();
    Buf words = {.arena = tree->arena};
    blame_add(&words, blame, LANG_EN);
    json_put(tree, object, "status", json_string(names[blame->status]));
    if (blame->status == BLAME_FOUND) {
        put_found(tree, object, blame);
    }
    json_put(tree, object, "text", json_text(buf_str(&words)));
    json_put(tree, object, "candidates",
             places_list(tree, blame->candidates, blame->candidate_count));
    json_put(tree, object, "unmatched",
             places_list(tree, blame->unmatched, blame->unmatched_count));
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
