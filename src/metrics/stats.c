/* Stats; see stats.h. Members of a wrong type count as absent: the log may come from anywhere. */
#include "metrics/stats.h"

#include "base/io_error.h"
#include "base/utf8.h"
#include "document/json.h"

#include <errno.h>
#include <unistd.h>

/* A larger count is taken for a mistake. */
static const int64_t most = 1000000000;

typedef struct Reading {
    Stats *stats;
    Arena *arena;
    const StatsFilter *filter;
    json_t *ops;          /* directory -> index + 1 in Stats.ops */
    StatsCounts single;   /* sums of rule_check events */
    RuleIds single_fails; /* likewise */
    StatsEffort single_efforts[STATS_EFFORTS];
} Reading;

static const char *const effort_names[STATS_EFFORTS] = {"E1", "E2", "E3", "unknown"};

/* --- members */

static Str text_of(const json_t *event, const char *key)
{
    const json_t *value = json_object_get(event, key);
    return json_is_string(value) ? (Str){json_string_value(value), json_string_length(value)}
                                 : STR("");
}

static int64_t count_of(const json_t *event, const char *key)
{
    const json_t *value = json_object_get(event, key);
    int64_t count = json_is_integer(value) ? (int64_t)json_integer_value(value) : 0;
    return count < 0 || count > most ? 0 : count;
}

static double time_of(const json_t *event, const char *key)
{
    const json_t *value = json_object_get(event, key);
    double time = json_is_number(value) ? json_number_value(value) : 0;
    return time >= 0 && time <= (double)most ? time : 0;
}

static RuleIds ids_of(const json_t *event, const char *key)
{
    RuleIds ids = {0};
    const json_t *list = json_object_get(event, key);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *id = json_array_get(list, i);
        if (json_is_string(id)) {
            rule_ids_add(&ids, (Str){json_string_value(id), json_string_length(id)});
        }
    }
    return ids;
}

static void copy_text(char *to, size_t size, Str text)
{
    size_t length = text.length < size ? text.length : size - 1;
    while (length > 0 && length < text.length && ((unsigned char)text.at[length] & 0xC0) == 0x80) {
        length--; /* not in the middle of a character */
    }
    memcpy(to, text.at, length);
    to[length] = '\0';
}

static void add_counts(StatsCounts *sum, const StatsCounts *more)
{
    sum->checks += more->checks;
    sum->pass += more->pass;
    sum->fail += more->fail;
    sum->warn += more->warn;
    sum->info += more->info;
    sum->skip += more->skip;
    sum->duration_ms += more->duration_ms;
}

/* --- directories and runs */

static uint32_t find_op(Reading *reading, Str dir)
{
    Stats *stats = reading->stats;
    if (stats->ops.count >= STATS_MAX_OPS) {
        dir = json_object_getn(reading->ops, dir.at, dir.length) != NULL ? dir : STR("");
    }
    const json_t *known = json_object_getn(reading->ops, dir.at, dir.length);
    if (known != NULL) {
        return (uint32_t)json_integer_value(known) - 1;
    }
    StatsOp op = {.dir = str_copy(reading->arena, dir)};
    VEC_PUSH(reading->arena, &stats->ops, op);
    json_object_setn_new(reading->ops, dir.at, dir.length, json_integer(stats->ops.count));
    return stats->ops.count - 1;
}

static void add_run(Reading *reading, const StatsRun *run)
{
    Stats *stats = reading->stats;
    if (stats->runs.count < STATS_MAX_RUNS) {
        VEC_PUSH(reading->arena, &stats->runs, *run);
    } else {
        stats->runs.items[stats->runs_seen % STATS_MAX_RUNS] = *run;
    }
    stats->runs_seen++;
}

const StatsRun *stats_run(const Stats *stats, uint32_t n)
{
    if (stats->runs_seen <= STATS_MAX_RUNS) {
        return &stats->runs.items[n];
    }
    return &stats->runs.items[(stats->runs_seen + n) % STATS_MAX_RUNS];
}

/* --- events */

static void read_efforts(Stats *stats, const json_t *efforts)
{
    for (int i = 0; i < STATS_EFFORTS; i++) {
        const json_t *entry = json_object_get(efforts, effort_names[i]);
        if (json_is_object(entry)) {
            RuleIds fails = ids_of(entry, "fails");
            RuleIds warns = ids_of(entry, "warns");
            stats->efforts[i].seen = true;
            rule_ids_join(&stats->efforts[i].fails, &fails);
            rule_ids_join(&stats->efforts[i].warns, &warns);
        }
    }
}

static void read_summary(Reading *reading, const json_t *event)
{
    Stats *stats = reading->stats;
    StatsRun run = {.stage = count_of(event, "stage"),
                    .counts = {.checks = count_of(event, "total"),
                               .pass = count_of(event, "pass"),
                               .fail = count_of(event, "fail"),
                               .warn = count_of(event, "warn"),
                               .info = count_of(event, "info"),
                               .skip = count_of(event, "skip"),
                               .duration_ms = time_of(event, "total_duration_ms")},
                    .s0 = ids_of(event, "s0_fails"),
                    .s1 = ids_of(event, "s1_fails")};
    copy_text(run.id, sizeof run.id, text_of(event, "invocation_id"));
    copy_text(run.mode, sizeof run.mode, text_of(event, "mode"));
    run.op = find_op(reading, text_of(event, "op_dir"));
    StatsOp *op = &stats->ops.items[run.op];
    op->runs++;
    add_counts(&op->counts, &run.counts);
    add_counts(&stats->counts, &run.counts);
    rule_ids_join(&stats->s0, &run.s0);
    rule_ids_join(&stats->s1, &run.s1);
    read_efforts(stats, json_object_get(event, "effort_stats"));
    add_run(reading, &run);
}

static StatsEffort *effort_of(Reading *reading, Str name)
{
    int i = 0;
    while (i < STATS_EFFORTS - 1 && !str_is(name, effort_names[i])) {
        i++;
    }
    return &reading->single_efforts[i];
}

static void read_check(Reading *reading, const json_t *event)
{
    Str status = text_of(event, "status");
    Str rule = text_of(event, "rule_id");
    StatsCounts one = {.checks = 1,
                       .pass = str_is(status, "PASS"),
                       .fail = str_is(status, "FAIL"),
                       .warn = str_is(status, "WARN"),
                       .info = str_is(status, "INFO"),
                       .skip = str_is(status, "SKIP"),
                       .duration_ms = time_of(event, "duration_ms")};
    add_counts(&reading->single, &one);
    StatsEffort *effort = effort_of(reading, text_of(event, "fix_effort"));
    effort->seen = true;
    if (one.fail > 0) {
        rule_ids_add(&reading->single_fails, rule);
        rule_ids_add(&effort->fails, rule);
    } else if (one.warn > 0) {
        rule_ids_add(&effort->warns, rule);
    }
    int number = rule_id_number(rule);
    if (number >= 0) {
        add_counts(&reading->stats->rules[number], &one);
    }
}

static void read_decision(Reading *reading, const json_t *event)
{
    if (json_is_true(json_object_get(event, "blocked"))) {
        reading->stats->gate_blocks++;
        uint32_t op = find_op(reading, text_of(event, "op_dir"));
        reading->stats->ops.items[op].blocks++;
    }
}

static bool is_wanted(const StatsFilter *filter, const json_t *event)
{
    if (filter->op_dir.length > 0 && !str_equal(filter->op_dir, text_of(event, "op_dir"))) {
        return false;
    }
    const json_t *time = json_object_get(event, "ts");
    double seconds = json_is_number(time) ? json_number_value(time) : 0;
    return filter->since == 0 || seconds >= (double)filter->since;
}

static void read_event(Reading *reading, const json_t *event)
{
    static const struct {
        const char *type;
        void (*read)(Reading *reading, const json_t *event);
    } readers[] = {{"rule_check", read_check},
                   {"run_check_summary", read_summary},
                   {"gate_decision", read_decision}};
    if (!is_wanted(reading->filter, event)) {
        return;
    }
    Str type = text_of(event, "event_type");
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
        if (str_is(type, readers[i].type)) {
            readers[i].read(reading, event);
        }
    }
}

static void read_line(Reading *reading, Str line)
{
    line = str_trim(line);
    if (line.length == 0) {
        return;
    }
    bool is_text = utf8_first_error(line) == SIZE_MAX;
    json_t *event = is_text ? json_read_lenient(reading->arena, line) : NULL;
    if (json_is_object(event)) {
        read_event(reading, event);
    } else {
        reading->stats->broken++;
    }
    json_decref(event);
}

/* --- the log */

/* A line that does not fit is passed over to its end. */
typedef struct Lines {
    char *at;
    size_t length;
    bool too_long;
} Lines;

static void end_line(Reading *reading, Lines *lines)
{
    if (lines->too_long) {
        reading->stats->broken++;
    } else {
        read_line(reading, (Str){lines->at, lines->length});
    }
    lines->length = 0;
    lines->too_long = false;
}

static void take_bytes(Reading *reading, Lines *lines, const char *bytes, size_t count)
{
    while (count > 0) {
        const char *end = memchr(bytes, '\n', count);
        size_t part = end == NULL ? count : (size_t)(end - bytes);
        if (part > STATS_MAX_LINE - lines->length) {
            lines->too_long = true;
        } else {
            memcpy(lines->at + lines->length, bytes, part);
            lines->length += part;
        }
        if (end == NULL) {
            return;
        }
        end_line(reading, lines);
        bytes += part + 1;
        count -= part + 1;
    }
}

static bool read_lines(Reading *reading, int fd, Str *error)
{
    enum { CHUNK = 64 * 1024 };
    char *bytes = arena_alloc(reading->arena, CHUNK);
    Lines lines = {.at = arena_alloc(reading->arena, STATS_MAX_LINE)};
    for (;;) {
        ssize_t got = read(fd, bytes, CHUNK);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            *error = system_reason(reading->arena, errno);
            return false;
        }
        if (got == 0) {
            break;
        }
        take_bytes(reading, &lines, bytes, (size_t)got);
    }
    if (lines.length > 0 || lines.too_long) {
        end_line(reading, &lines);
    }
    return true;
}

bool stats_read(Stats *stats, Arena *arena, int fd, const StatsFilter *filter, Str *error)
{
    Reading reading = {.stats = stats, .arena = arena, .filter = filter, .ops = json_object()};
    *stats = (Stats){0};
    bool good = read_lines(&reading, fd, error);
    stats->has_summaries = stats->runs_seen > 0;
    if (stats->has_summaries) {
        rule_ids_join(&stats->failed, &stats->s0);
        rule_ids_join(&stats->failed, &stats->s1);
    } else {
        stats->counts = reading.single;
        stats->failed = reading.single_fails;
        memcpy(stats->efforts, reading.single_efforts, sizeof stats->efforts);
    }
    for (int i = 0; i < STATS_EFFORTS; i++) {
        stats->efforts[i].name = effort_names[i];
    }
    json_decref(reading.ops);
    return good;
}
