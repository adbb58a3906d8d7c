/* Metrics; see metrics.h. One JSON object a line, the members and their order as the Python
 * linter's log has them, so that what reads that log reads this one. */
#include "metrics/metrics.h"

#include "base/path.h"
#include "document/json.h"
#include "metrics/log_file.h"
#include "metrics/rule_ids.h"
#include "platform/platform.h"

#include <sha1.h>
#include <stdlib.h>
#include <time.h>

/* Of a message; enough to see that two are the same. */
enum { HASH_DIGITS = 12, STATUS_COUNT = STATUS_FAIL + 1 };

static bool is_one(const char *name, bool when_unset)
{
    const char *value = getenv(name);
    return value == NULL ? when_unset : strcmp(value, "1") == 0;
}

bool metrics_open(Metrics *metrics, const char *file, const char *mode)
{
    *metrics = (Metrics){.path = file, .mode = mode};
    arena_init(&metrics->arena, 0);
    metrics->lines.arena = &metrics->arena;
    metrics->strict = is_one("PYPTO_OP_LINT_STRICT", true);
    metrics->log_skipped = is_one("PYPTO_OP_LINT_LOG_SKIP", false);
    const char *label = getenv("PYPTO_OP_LINT_MODE");
    if (mode == NULL) {
        metrics->mode = label == NULL || *label == '\0' ? "cli" : label;
    }
    if (file != NULL && *file != '\0') {
        return true;
    }
    metrics->path = getenv("PYPTO_LINT_METRICS");
    if (metrics->path == NULL || *metrics->path == '\0') {
        metrics->path = NULL;
        return true;
    }
    if (!path_is_absolute(str_from(metrics->path))) {
        metrics->path = NULL;
        return false;
    }
    return true;
}

/* --- members */

/* What an event is about. */
typedef struct Event {
    Metrics *metrics;
    const OperatorResult *result;
    Lang lang;
    bool blocked;
    Str op_dir; /* absolute */
    long long now;
} Event;

static void add_text(Buf *out, const char *key, Str value)
{
    buf_addf(out, ", \"%s\": ", key);
    json_add_string(out, value);
}

static void add_ids(Buf *out, const char *key, const RuleIds *ids)
{
    buf_addf(out, "\"%s\": [", key);
    const char *between = "";
    for (int i = 0; i < RULE_ID_COUNT; i++) {
        if (ids->has[i]) {
            buf_addf(out, "%s\"%s\"", between, rule_id_name(i).text);
            between = ", ";
        }
    }
    buf_add_char(out, ']');
}

static void add_head(const Event *event, const char *type)
{
    const Metrics *metrics = event->metrics;
    Buf *out = &event->metrics->lines;
    buf_addf(out, "{\"event_type\": \"%s\", \"ts\": %lld, \"invocation_id\": \"%s\"", type,
             event->now, metrics->id);
    add_text(out, "op_dir", event->op_dir);
    buf_addf(out, ", \"stage\": %d", event->result->stage);
    add_text(out, "mode", str_from(metrics->mode));
    buf_addf(out, ", \"strict\": %s", metrics->strict ? "true" : "false");
}

/* --- events of rules */

static void add_hash(Buf *out, Str message)
{
    SHA1_CTX context;
    uint8_t digest[SHA1_DIGEST_LENGTH];
    SHA1Init(&context);
    SHA1Update(&context, (const uint8_t *)message.at, message.length);
    SHA1Final(digest, &context);
    buf_add(out, STR(", \"message_hash\": \""));
    for (int i = 0; i < HASH_DIGITS / 2; i++) {
        buf_addf(out, "%02x", digest[i]);
    }
    buf_add(out, STR("\"}\n"));
}

static void add_rule(const Event *event, const RuleResult *result, const Finding *worst)
{
    const Rule *rule = result->rule;
    Str passed = str_from(text_in(event->lang, (Text){"passed", "通过"}));
    Str message = worst != NULL                   ? worst->message
                  : result->status == STATUS_SKIP ? result->reason
                                                  : passed;
    Buf *out = &event->metrics->lines;
    add_head(event, "rule_check");
    buf_addf(out, ", \"rule_id\": \"%s\", \"severity\": \"%s\", \"fix_effort\": \"%s\"", rule->id,
             severity_name(rule->severity), effort_name(rule->effort));
    buf_addf(out, ", \"status\": \"%s\"", status_name(result->status));
    add_text(out, "file", worst == NULL ? STR("") : worst->file);
    buf_addf(out, ", \"duration_ms\": %.3f", result->duration_ms);
    add_hash(out, message);
}

static bool is_logged(const Metrics *metrics, const RuleResult *result)
{
    return result->status != STATUS_SKIP || metrics->log_skipped;
}

static void add_rules(const Event *event)
{
    const OperatorResult *result = event->result;
    const Finding *worst[RULE_ORDERS] = {NULL};
    for (uint32_t i = 0; i < result->findings.count; i++) {
        const Finding *finding = result->findings.items[i];
        const Finding **best = &worst[finding->rule->order];
        *best = *best == NULL || finding->status > (*best)->status ? finding : *best;
    }
    for (uint32_t i = 0; i < result->rules.count; i++) {
        const RuleResult *rule = &result->rules.items[i];
        if (is_logged(event->metrics, rule)) {
            add_rule(event, rule, worst[rule->rule->order]);
        }
    }
}

/* --- the summary */

/* Rules by how much work their repair is. */
static void add_efforts(Buf *out, const OperatorResult *result)
{
    static const struct {
        Effort effort;
        const char *name;
    } efforts[] = {{E1, "E1"}, {E2, "E2"}, {E3, "E3"}, {EFFORT_UNSET, "unknown"}};
    const char *between = "";
    buf_add(out, STR(", \"effort_stats\": {"));
    for (size_t k = 0; k < sizeof efforts / sizeof *efforts; k++) {
        RuleIds fails = {0};
        RuleIds warns = {0};
        bool any = false;
        for (uint32_t i = 0; i < result->rules.count; i++) {
            const RuleResult *rule = &result->rules.items[i];
            if (rule->rule->effort != efforts[k].effort) {
                continue;
            }
            any = true;
            if (rule->status == STATUS_FAIL) {
                rule_ids_add(&fails, str_from(rule->rule->id));
            } else if (rule->status == STATUS_WARN) {
                rule_ids_add(&warns, str_from(rule->rule->id));
            }
        }
        if (any) {
            buf_addf(out, "%s\"%s\": {", between, efforts[k].name);
            add_ids(out, "fails", &fails);
            buf_add(out, STR(", "));
            add_ids(out, "warns", &warns);
            buf_add_char(out, '}');
            between = ", ";
        }
    }
    buf_add_char(out, '}');
}

static RuleIds failed_rules(const OperatorResult *result, Severity severity)
{
    RuleIds ids = {0};
    for (uint32_t i = 0; i < result->rules.count; i++) {
        const RuleResult *rule = &result->rules.items[i];
        if (rule->status == STATUS_FAIL && rule->rule->severity == severity) {
            rule_ids_add(&ids, str_from(rule->rule->id));
        }
    }
    return ids;
}

static void add_failed(Buf *out, const OperatorResult *result)
{
    RuleIds s0 = failed_rules(result, S0);
    RuleIds s1 = failed_rules(result, S1);
    buf_add(out, STR(", "));
    add_ids(out, "s0_fails", &s0);
    buf_add(out, STR(", "));
    add_ids(out, "s1_fails", &s1);
}

static void add_summary(const Event *event)
{
    const OperatorResult *result = event->result;
    unsigned counts[STATUS_COUNT] = {0};
    unsigned written = 0;
    RuleIds skipped = {0};
    for (uint32_t i = 0; i < result->rules.count; i++) {
        const RuleResult *rule = &result->rules.items[i];
        counts[rule->status]++;
        written += is_logged(event->metrics, rule);
        if (rule->status == STATUS_SKIP) {
            rule_ids_add(&skipped, str_from(rule->rule->id));
        }
    }
    Buf *out = &event->metrics->lines;
    add_head(event, "run_check_summary");
    buf_addf(out, ", \"total\": %u, \"pass\": %u, \"fail\": %u, \"warn\": %u, \"info\": %u",
             result->rules.count, counts[STATUS_PASS], counts[STATUS_FAIL], counts[STATUS_WARN],
             counts[STATUS_INFO]);
    buf_addf(out, ", \"skip\": %u, ", counts[STATUS_SKIP]);
    add_ids(out, "skip_rules", &skipped);
    buf_addf(out, ", \"events_written\": %u", written);
    add_failed(out, result);
    add_efforts(out, result);
    buf_addf(out, ", \"total_duration_ms\": %.3f}\n", result->duration_ms);
}

/* --- adding */

static void name_run(Metrics *metrics)
{
    static const char digits[] = "0123456789abcdef";
    unsigned char bytes[4] = {0};
    if (!platform_random(bytes, sizeof bytes)) {
        uint32_t now = (uint32_t)clock();
        memcpy(bytes, &now, sizeof bytes);
    }
    for (int i = 0; i < 4; i++) {
        metrics->id[2 * i] = digits[bytes[i] >> 4];
        metrics->id[2 * i + 1] = digits[bytes[i] & 15];
    }
}

static void compose_run(void *argument)
{
    Event *event = argument;
    event->op_dir = path_absolute(&event->metrics->arena, event->result->op_dir);
    add_rules(event);
    add_summary(event);
}

static void compose_decision(void *argument)
{
    Event *event = argument;
    Buf *out = &event->metrics->lines;
    event->op_dir = path_absolute(&event->metrics->arena, event->result->op_dir);
    RuleIds rules = failed_rules(event->result, S0);
    RuleIds more = failed_rules(event->result, S1);
    rule_ids_join(&rules, &more);
    add_head(event, "gate_decision");
    buf_addf(out, ", \"blocked\": %s, ", event->blocked ? "true" : "false");
    add_ids(out, "blocking_rules", &rules);
    buf_add(out, STR("}\n"));
}

/* Adds an event whole or, if memory runs out, not at all. */
static void compose(Event *event, void (*function)(void *))
{
    event->now = (long long)time(NULL);
    size_t before = event->metrics->lines.length;
    if (!arena_try(&event->metrics->arena, function, event)) {
        event->metrics->lines.length = before;
    }
}

void metrics_add_run(Metrics *metrics, const OperatorResult *result, Lang lang)
{
    if (metrics != NULL && metrics->path != NULL) {
        name_run(metrics);
        compose(&(Event){.metrics = metrics, .result = result, .lang = lang}, compose_run);
    }
}

void metrics_add_decision(Metrics *metrics, const OperatorResult *result, bool blocked)
{
    if (metrics != NULL && metrics->path != NULL) {
        compose(&(Event){.metrics = metrics, .result = result, .blocked = blocked},
                compose_decision);
    }
}

bool metrics_close(Metrics *metrics, const char **reason)
{
    bool good = true;
    if (metrics->path != NULL && metrics->lines.length > 0) {
        good = log_file_append(metrics->path, buf_str(&metrics->lines), reason);
    }
    arena_free(&metrics->arena);
    return good;
}
