/* `perf --format json`; docs/kernel-authors/perf.md describes the members. */
#include "cli/perf_print.h"

#include <math.h>

/* Microseconds with six decimals: more would be noise of the sums. */
static void put_time(JsonTree *tree, json_t *object, const char *key, double time)
{
    json_put(tree, object, key, json_real(round(time * 1e6) / 1e6));
}

static void put_count(JsonTree *tree, json_t *object, const char *key, uint64_t count)
{
    json_put(tree, object, key, json_integer((json_int_t)count));
}

static void put_place(JsonTree *tree, json_t *object, const Trace *trace, uint32_t file,
                      int32_t line, uint32_t name)
{
    json_put(tree, object, "file",
             file == TRACE_NONE ? json_null() : json_text(trace_text(trace, file)));
    json_put(tree, object, "line", file == TRACE_NONE ? json_null() : json_integer(line));
    json_put(tree, object, "name", json_text(trace_text(trace, name)));
}

static void put_lane(JsonTree *tree, json_t *object, const Trace *trace, uint32_t lane)
{
    json_put(tree, object, "core", json_text(trace->lanes.items[lane].core));
    json_put(tree, object, "unit", json_text(trace->lanes.items[lane].unit));
    json_put(tree, object, "kind",
             json_string(perf_kind_name(trace->lanes.items[lane].kind, LANG_EN)));
}

static json_t *event_value(JsonTree *tree, const Trace *trace, uint32_t number)
{
    if (number == TRACE_NONE) {
        return json_null();
    }
    const Event *event = &trace->events.items[number];
    json_t *object = json_object();
    put_place(tree, object, trace, event->file, event->line, event->name);
    put_lane(tree, object, trace, event->lane);
    put_time(tree, object, "start_us", event->start);
    put_time(tree, object, "length_us", event->end - event->start);
    return object;
}

/* One object for each of `count` parts. */
typedef void PutPart(JsonTree *tree, json_t *object, const PerfPage *page, uint32_t number);

static json_t *list_value(JsonTree *tree, const PerfPage *page, uint32_t count, PutPart *put)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < count; i++) {
        json_t *object = json_object();
        put(tree, object, page, i);
        json_append(tree, array, object);
    }
    return array;
}

static void put_unit(JsonTree *tree, json_t *object, const PerfPage *page, uint32_t number)
{
    const LaneUse *use = &page->analysis->lanes.items[number];
    put_lane(tree, object, page->trace, use->lane);
    put_count(tree, object, "events", use->events);
    put_time(tree, object, "busy_us", use->busy);
    put_time(tree, object, "busy_share", use->share);
}

static void put_gap(JsonTree *tree, json_t *object, const PerfPage *page, uint32_t number)
{
    const Gap *gap = &page->analysis->gaps[number];
    put_lane(tree, object, page->trace, gap->lane);
    put_time(tree, object, "start_us", gap->start);
    put_time(tree, object, "length_us", gap->length);
    json_put(tree, object, "waiter", event_value(tree, page->trace, gap->waiter));
    json_put(tree, object, "waits_for", event_value(tree, page->trace, gap->cause));
    json_put(tree, object, "by", json_string(gap->is_said ? "dependency" : "time"));
}

static void put_line(JsonTree *tree, json_t *object, const PerfPage *page, uint32_t number)
{
    const LineCost *line = &page->analysis->lines.items[number];
    put_place(tree, object, page->trace, line->file, line->line, line->name);
    put_count(tree, object, "events", line->events);
    put_time(tree, object, "time_us", line->time);
    put_time(tree, object, "share", line->share);
    put_time(tree, object, "chain_us", line->chain);
    json_put(tree, object, "bytes", json_real(line->bytes));
}

static json_t *chain_value(JsonTree *tree, const PerfPage *page)
{
    const Analysis *analysis = page->analysis;
    json_t *object = json_object();
    json_t *parts = json_array();
    put_count(tree, object, "events", analysis->chain_events);
    put_time(tree, object, "running_us", analysis->chain_time);
    put_time(tree, object, "waiting_us", analysis->chain_waited);
    uint32_t from = analysis->chain.count > PERF_CHAIN ? analysis->chain.count - PERF_CHAIN : 0;
    put_count(tree, object, "parts_before", from);
    for (uint32_t i = from; i < analysis->chain.count; i++) {
        const ChainPart *part = &analysis->chain.items[i];
        json_t *value = json_object();
        json_put(tree, value, "first", event_value(tree, page->trace, part->first));
        put_count(tree, value, "events", part->events);
        put_time(tree, value, "running_us", part->time);
        put_time(tree, value, "waiting_us", part->waited);
        json_append(tree, parts, value);
    }
    json_put(tree, object, "parts", parts);
    return object;
}

static void put_hint(JsonTree *tree, json_t *object, const PerfPage *page, uint32_t number)
{
    Buf text = {.arena = tree->arena};
    perf_add_hint(&text, page, &page->analysis->hints[number]);
    json_put(tree, object, "id", json_string(perf_hint_id(page->analysis->hints[number].hint)));
    json_put(tree, object, "text", json_text(buf_str(&text)));
}

static void put_figure(JsonTree *tree, json_t *object, const char *name, const CoreFigures *core,
                       int figure)
{
    if (core->has[figure]) {
        put_time(tree, object, name, core->value[figure]);
    } else {
        json_put(tree, object, name, json_null());
    }
}

static void put_wait(JsonTree *tree, json_t *object, const PerfPage *page, uint32_t number)
{
    const CoreFigures *core = &page->logs->waits.cores.items[number];
    json_put(tree, object, "core", json_text(core->core));
    for (int i = 0; i < WAIT_FIGURES; i++) {
        put_figure(tree, object, wait_name((WaitFigure)i), core, i);
    }
}

static void put_counters(JsonTree *tree, json_t *object, const PerfPage *page, uint32_t number)
{
    const CoreFigures *core = &page->logs->counters.cores.items[number];
    json_put(tree, object, "core", json_text(core->core));
    put_count(tree, object, "rows", core->rows);
    for (int i = 0; i < COUNTER_FIGURES; i++) {
        put_figure(tree, object, counter_name((CounterFigure)i), core, i);
    }
}

/* Null when there is no such log. */
static json_t *log_value(JsonTree *tree, const PerfPage *page, Str file, const CoreTable *table,
                         PutPart *put)
{
    if (file.length == 0) {
        return json_null();
    }
    json_t *object = json_object();
    json_put(tree, object, "file", json_text(file));
    json_put(tree, object, "cores", list_value(tree, page, table->cores.count, put));
    put_count(tree, object, "not_read", table->unread);
    return object;
}

static json_t *unread_value(JsonTree *tree, const PerfPage *page)
{
    const Trace *trace = page->trace;
    json_t *object = json_object();
    json_t *files = json_array();
    if (trace != NULL) {
        put_count(tree, object, "unusable", trace->unusable);
        put_count(tree, object, "other_kinds", trace->unknown);
        put_count(tree, object, "beyond_limit", trace->unread);
        put_count(tree, object, "loose_dependencies", trace->loose_flows);
    }
    for (uint32_t i = 0; i < page->others->count; i++) {
        json_append(tree, files, json_text(page->others->items[i]));
    }
    json_put(tree, object, "files", files);
    return object;
}

static void put_trace(JsonTree *tree, json_t *root, const PerfPage *page)
{
    const Analysis *analysis = page->analysis;
    put_count(tree, root, "events", page->trace->events.count);
    put_count(tree, root, "dependencies", page->trace->flows.count);
    put_time(tree, root, "start_us", analysis->start);
    put_time(tree, root, "length_us", analysis->length);
    put_time(tree, root, "idle_us", analysis->idle);
    json_put(tree, root, "units", list_value(tree, page, analysis->lanes.count, put_unit));
    json_put(tree, root, "gaps", list_value(tree, page, analysis->gap_count, put_gap));
    json_put(tree, root, "lines", list_value(tree, page, analysis->lines.count, put_line));
    json_put(tree, root, "chain", chain_value(tree, page));
    json_put(tree, root, "hints", list_value(tree, page, analysis->hint_count, put_hint));
}

bool perf_print_json(Arena *arena, const PerfPage *page)
{
    JsonTree tree = {.arena = arena};
    const PerfLogs *logs = page->logs;
    json_t *root = json_object();
    json_put(&tree, root, "file", json_text_or_null(page->file));
    if (page->trace != NULL) {
        put_trace(&tree, root, page);
    }
    json_put(&tree, root, "waits",
             log_value(&tree, page, logs->waits_file, &logs->waits, put_wait));
    json_put(&tree, root, "counters",
             log_value(&tree, page, logs->counters_file, &logs->counters, put_counters));
    json_put(&tree, root, "not_read", unread_value(&tree, page));
    return json_print(arena, &tree, root);
}
