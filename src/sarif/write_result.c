/*
 * One alert: a result, together with those that were merged into it. */
#include "writer.h"

#include "chain.h"
#include "limits.h"
#include "uri.h"

enum {
    MAX_LINKED_PLACES = 10, /* of merged results, named in the message; the rest is counted */
    MAX_LINK_DIGITS = 9,    /* of a link target: a longer one is not an id of ours */
};

/* The number N of "](N)" at `at`, with the bytes up to the ')' in `size`; 0 when there is none. */
static size_t link_target(SarifText text, size_t at, size_t *size)
{
    size_t value = 0;
    size_t end = at + 2;
    if (end > text.size || text.data[at] != ']' || text.data[at + 1] != '(') {
        return 0;
    }
    while (end < text.size && end - at <= MAX_LINK_DIGITS && text.data[end] >= '0' &&
           text.data[end] <= '9') {
        value = value * 10 + (size_t)(text.data[end] - '0');
        end++;
    }
    if (end == at + 2 || end >= text.size || text.data[end] != ')') {
        return 0;
    }
    *size = end - at;
    return value;
}

/* Adds a message whose links 1 … count now lead `offset` further: its relations were renumbered. */
static void add_linked_text(SarifJson *json, SarifText text, size_t offset, size_t count)
{
    size_t start = 0;
    for (size_t i = 0; offset > 0 && count > 0 && i < text.size; i++) {
        size_t size = 0;
        size_t target = link_target(text, i, &size);
        if (target == 0 || target > count) {
            continue;
        }
        sarif_json_string_add(json, (SarifText){text.data + start, i + 2 - start});
        sarif_json_string_add_number(json, target + offset);
        start = i + size;
    }
    sarif_json_string_add(json, (SarifText){text.data + start, text.size - start});
}

static void add_place_link(SarifJson *json, const SarifRelated *related, bool chinese)
{
    uint32_t line = related->location->region.start_line;
    uint32_t column = related->location->region.start_column;
    if (line == 0) {
        sarif_json_string_add(json,
                              chinese ? SARIF_TEXT("[同一文件](") : SARIF_TEXT("[same file]("));
    } else {
        sarif_json_string_add(json, chinese ? SARIF_TEXT("[第 ") : SARIF_TEXT("[column "));
        sarif_json_string_add_number(json, column == 0 ? 1 : column);
        sarif_json_string_add(json, chinese ? SARIF_TEXT(" 列](") : SARIF_TEXT("]("));
    }
    sarif_json_string_add_number(json, related->id);
    sarif_json_string_add(json, SARIF_TEXT(")"));
}

/* " Reported again at: [column 9](1), [column 20](2)." */
static void add_merged_places(const SarifWriter *writer, size_t head)
{
    SarifJson *json = writer->json;
    bool chinese = sarif_is_chinese(writer->run);
    SarifRelatedCursor cursor = sarif_related_start(writer->plan, head);
    SarifRelated related;
    size_t merged = 0;
    for (size_t i = writer->plan->next[head]; i != SARIF_NO_INDEX; i = writer->plan->next[i]) {
        merged++;
    }
    size_t linked = 0;
    while (linked < MAX_LINKED_PLACES && sarif_related_next(&cursor, &related)) {
        if (!related.own_place) {
            continue;
        }
        if (linked == 0) {
            sarif_json_string_add(json, chinese ? SARIF_TEXT(" 另见：")
                                                : SARIF_TEXT(" Reported again at: "));
        } else {
            sarif_json_string_add(json, chinese ? SARIF_TEXT("、") : SARIF_TEXT(", "));
        }
        add_place_link(json, &related, chinese);
        linked++;
    }
    if (merged > linked) {
        sarif_json_string_add(json, chinese ? SARIF_TEXT("，另有 ") : SARIF_TEXT(", and "));
        sarif_json_string_add_number(json, merged - linked);
        sarif_json_string_add(json, chinese ? SARIF_TEXT(" 处") : SARIF_TEXT(" more"));
    }
    sarif_json_string_add(json, chinese ? SARIF_TEXT("。") : SARIF_TEXT("."));
}

static void write_message(const SarifWriter *writer, size_t head)
{
    SarifJson *json = writer->json;
    const SarifResult *result = &writer->run->results[head];
    const SarifRule *rule = &writer->run->rules[result->rule];
    bool merged = writer->plan->next[head] != SARIF_NO_INDEX;
    SarifText text = sarif_text_or(result->message, rule->short_description);
    text = sarif_text_or(sarif_text_or(text, rule->name),
                         sarif_text_or(rule->id, sarif_no_message(writer->run)));
    sarif_json_member_open(json, "message", '{');
    sarif_json_key(json, "text");
    sarif_json_string_begin(json);
    sarif_json_string_add(json, text);
    if (merged) {
        add_merged_places(writer, head);
    }
    sarif_json_string_end(json);
    if (!merged) { /* the id and arguments would no longer make up the text */
        sarif_json_member(json, "id", result->message_id);
        sarif_json_member_texts(json, "arguments", result->message_arguments,
                                result->message_argument_count);
    }
    sarif_json_close(json, '}');
}

static void write_related(const SarifWriter *writer, size_t head)
{
    SarifJson *json = writer->json;
    if (sarif_related_total(writer->plan, head) == 0) {
        return;
    }
    SarifRelatedCursor cursor = sarif_related_start(writer->plan, head);
    SarifRelated related;
    sarif_json_member_open(json, "relatedLocations", '[');
    while (sarif_related_next(&cursor, &related)) {
        sarif_json_open(json, '{');
        sarif_json_member_unsigned(json, "id", related.id);
        sarif_write_location_members(writer, related.location);
        if (related.message.size > 0) {
            sarif_json_member_open(json, "message", '{');
            sarif_json_key(json, "text");
            sarif_json_string_begin(json);
            add_linked_text(json, related.message, related.link_offset, related.link_count);
            sarif_json_string_end(json);
            sarif_json_close(json, '}');
        }
        sarif_json_close(json, '}');
    }
    sarif_json_close(json, ']');
}

static void write_flow(const SarifWriter *writer, const SarifResult *result)
{
    SarifJson *json = writer->json;
    if (result->flow_count == 0) {
        return;
    }
    sarif_json_member_open(json, "codeFlows", '[');
    sarif_json_open(json, '{');
    sarif_json_member_open(json, "threadFlows", '[');
    sarif_json_open(json, '{');
    sarif_json_member_open(json, "locations", '[');
    for (size_t i = 0; i < result->flow_count && i < SARIF_MAX_FLOW_STEPS; i++) {
        sarif_json_open(json, '{');
        sarif_json_member_open(json, "location", '{');
        sarif_write_location_members(writer, &result->flow[i]);
        sarif_json_member_message(json, "message", result->flow[i].message);
        sarif_json_close(json, '}');
        sarif_json_close(json, '}');
    }
    sarif_json_close(json, ']');
    sarif_json_close(json, '}');
    sarif_json_close(json, ']');
    sarif_json_close(json, '}');
    sarif_json_close(json, ']');
}

static void write_fingerprints(SarifJson *json, const SarifResult *result)
{
    if (result->line_hash.size == 0 && result->fingerprint_count == 0) {
        return;
    }
    sarif_json_member_open(json, "partialFingerprints", '{');
    sarif_json_member(json, "primaryLocationLineHash", result->line_hash);
    for (size_t i = 0; i < result->fingerprint_count; i++) {
        const SarifPair *pair = &result->fingerprints[i];
        if (pair->key.size > 0 && pair->value.size > 0) {
            sarif_json_text_key(json, pair->key);
            sarif_json_text(json, pair->value);
        }
    }
    sarif_json_close(json, '}');
}

static bool same_file(const SarifReplacement *left, const SarifReplacement *right)
{
    return sarif_path_equal(left->path, right->path) &&
           sarif_text_equal(left->base_id, right->base_id);
}

static void write_fix(const SarifWriter *writer, const SarifFix *fix, const SarifLocation *place)
{
    SarifJson *json = writer->json;
    sarif_json_open(json, '{');
    sarif_json_member_message(json, "description", fix->description);
    sarif_json_member_open(json, "artifactChanges", '[');
    for (size_t i = 0; i < fix->replacement_count; i++) {
        const SarifReplacement *replacement = &fix->replacements[i];
        if (i == 0 || !same_file(replacement, replacement - 1)) {
            bool own = replacement->path.size == 0;
            sarif_json_open(json, '{');
            sarif_json_key(json, "artifactLocation");
            sarif_write_artifact_location(writer, own ? place->path : replacement->path,
                                          own ? place->base_id : replacement->base_id);
            sarif_json_member_open(json, "replacements", '[');
        }
        sarif_json_open(json, '{');
        sarif_write_region(writer, "deletedRegion", replacement->deleted, false);
        sarif_json_member_message(json, "insertedContent", replacement->inserted);
        sarif_json_close(json, '}');
        if (i + 1 == fix->replacement_count || !same_file(replacement, replacement + 1)) {
            sarif_json_close(json, ']');
            sarif_json_close(json, '}');
        }
    }
    sarif_json_close(json, ']');
    sarif_json_close(json, '}');
}

static void write_fixes(const SarifWriter *writer, size_t head)
{
    SarifFixList list;
    sarif_fixes_collect(writer->plan, head, &list);
    if (list.count == 0) {
        return;
    }
    sarif_json_member_open(writer->json, "fixes", '[');
    for (size_t i = 0; i < list.count; i++) {
        write_fix(writer, list.fixes[i], &writer->run->results[head].location);
    }
    sarif_json_close(writer->json, ']');
}

/* The kinds in order, each at most once with its first justification: a log may not repeat one. */
static void write_suppressions(SarifJson *json, const SarifResult *result)
{
    static const char *const names[] = {
        [SARIF_IN_SOURCE] = "inSource", [SARIF_EXTERNAL] = "external"};
    if (result->suppression_count == 0) {
        return;
    }
    sarif_json_member_open(json, "suppressions", '[');
    for (size_t kind = 0; kind < sizeof names / sizeof *names; kind++) {
        for (size_t i = 0; i < result->suppression_count; i++) {
            if ((size_t)result->suppressions[i].kind != kind) {
                continue;
            }
            sarif_json_open(json, '{');
            sarif_json_member(json, "kind", sarif_text(names[kind]));
            sarif_json_member(json, "justification", result->suppressions[i].justification);
            sarif_json_close(json, '}');
            break;
        }
    }
    sarif_json_close(json, ']');
}

static void write_occurrences(const SarifWriter *writer, size_t head)
{
    size_t count = 1;
    for (size_t i = writer->plan->next[head]; i != SARIF_NO_INDEX; i = writer->plan->next[i]) {
        count++;
    }
    if (count > 1) {
        sarif_json_member_unsigned(writer->json, "occurrenceCount", count);
    }
}

void sarif_write_result(const SarifWriter *writer, size_t head)
{
    SarifJson *json = writer->json;
    const SarifResult *result = &writer->run->results[head];
    sarif_json_open(json, '{');
    sarif_json_key(json, "ruleId");
    sarif_json_string_begin(json);
    sarif_add_rule_id(writer, result->rule);
    sarif_json_string_end(json);
    sarif_json_member_unsigned(json, "ruleIndex", writer->plan->rule_place[result->rule]);
    sarif_json_member(json, "level",
                      sarif_text(sarif_level_name((SarifLevel)writer->plan->level[head])));
    write_message(writer, head);
    sarif_json_member_open(json, "locations", '[');
    sarif_json_open(json, '{');
    sarif_write_location_members(writer, &result->location);
    sarif_json_close(json, '}');
    sarif_json_close(json, ']');
    write_related(writer, head);
    write_flow(writer, result);
    write_occurrences(writer, head);
    write_fingerprints(json, result);
    write_fixes(writer, head);
    write_suppressions(json, result);
    sarif_write_properties(writer, result->properties);
    sarif_json_close(json, '}');
}
