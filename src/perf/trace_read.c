/* Reading a trace: one pass over the JSON, value by value; trace_order.c does the rest. */
#include "document/json_reader.h"
#include "perf/trace_order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What an event says, as it is read. */
typedef struct RawEvent {
    char kind; /* ph */
    Str name, pid, tid, id, category, file, given_name;
    double ts, duration, bytes;
    bool has_ts, has_duration;
    int32_t line;
    bool is_broken; /* a time or duration is not a usable number */
} RawEvent;

typedef struct Reading {
    Trace *trace;
    Arena *arena;
    JsonReader json;
    RawEvent event;
    bool in_arguments;
    Map lane_keys, ids, cores;
    VEC(Str) core_names; /* by number in `cores`; empty = not named */
    VEC(uint32_t) lane_cores;
    VEC(FlowEnd) ends;
} Reading;

Str trace_text(const Trace *trace, uint32_t number)
{
    return number < trace->texts.keys.count ? trace->texts.keys.items[number] : STR("");
}

static uint32_t number_of(Map *map, Arena *arena, Str key)
{
    uint32_t found = map_find(map, key);
    return found != MAP_NONE ? found : map_add(map, arena, key);
}

/* The number of a pair of texts. It is nearly always known already, so the key is made on the
 * stack. */
static uint32_t number_of_pair(Reading *reading, Map *map, Str a, Str b)
{
    char room[256];
    if (a.length + b.length + 1 > sizeof room) {
        Str key = str_format(reading->arena, "%.*s\n%.*s", STR_ARG(a), STR_ARG(b));
        return number_of(map, reading->arena, key);
    }
    if (a.length > 0) { /* `at` of an empty text may be NULL */
        memcpy(room, a.at, a.length);
    }
    room[a.length] = '\n';
    if (b.length > 0) {
        memcpy(room + a.length + 1, b.at, b.length);
    }
    Str key = {.at = room, .length = a.length + b.length + 1};
    uint32_t found = map_find(map, key);
    return found != MAP_NONE ? found : map_add(map, reading->arena, str_copy(reading->arena, key));
}

/* ---- values ---- */

/* As written: a number, or the inside of a string; both occur as pid, tid and id. Texts that are
 * kept are decoded once, at the end. */
static Str raw_text(const Reading *reading)
{
    const JsonReader *json = &reading->json;
    if (json->token == JSON_TOKEN_STRING) {
        return str_slice(json->value, 1, json->value.length - 1);
    }
    return json->token == JSON_TOKEN_NUMBER ? json->value : STR("");
}

/* The number at the reader's position; false for other types and for numbers beyond 1e15. The text
 * ends with NUL, so strtod stops. */
static bool take_number(const Reading *reading, double *value)
{
    if (reading->json.token != JSON_TOKEN_NUMBER) {
        return false;
    }
    *value = strtod(reading->json.value.at, NULL);
    return isfinite(*value) && fabs(*value) < 1e15;
}

static void take_argument(Reading *reading)
{
    RawEvent *event = &reading->event;
    Str key = reading->json.key;
    double value = 0;
    if (str_is(key, "file")) {
        event->file = raw_text(reading);
    } else if (str_is(key, "name")) {
        event->given_name = raw_text(reading);
    } else if (str_is(key, "line") && take_number(reading, &value) && value > 0 && value < 1e9) {
        event->line = (int32_t)value;
    } else if (str_is(key, "bytes") && take_number(reading, &value) && value > 0) {
        event->bytes = value;
    }
}

static void take_member(Reading *reading)
{
    RawEvent *event = &reading->event;
    Str key = reading->json.key;
    if (str_is(key, "ph")) {
        Str kind = raw_text(reading);
        event->kind = '?';
        if (kind.length == 1) {
            event->kind = kind.at[0];
        }
    } else if (str_is(key, "name")) {
        event->name = raw_text(reading);
    } else if (str_is(key, "pid")) {
        event->pid = raw_text(reading);
    } else if (str_is(key, "tid")) {
        event->tid = raw_text(reading);
    } else if (str_is(key, "id")) {
        event->id = raw_text(reading);
    } else if (str_is(key, "cat")) {
        event->category = raw_text(reading);
    } else if (str_is(key, "ts")) {
        event->has_ts = take_number(reading, &event->ts);
        event->is_broken = event->is_broken || !event->has_ts;
    } else if (str_is(key, "dur")) {
        event->has_duration = take_number(reading, &event->duration);
        event->is_broken = event->is_broken || !event->has_duration || event->duration < 0;
    }
}

/* ---- lanes ---- */

static bool has_word(Str text, const char *const *words)
{
    char lower[64];
    size_t length = text.length < sizeof lower - 1 ? text.length : sizeof lower - 1;
    for (size_t i = 0; i < length; i++) {
        char c = text.at[i];
        lower[i] = (char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
    }
    Str shown = {.at = lower, .length = length};
    for (; *words != NULL; words++) {
        if (str_contains(shown, str_from(*words))) {
            return true;
        }
    }
    return false;
}

static LaneKind kind_of(Str unit)
{
    static const char *const control[] = {"aicpu", "sched", "cpu", "host", NULL};
    static const char *const memory[] = {"mte", "fixpipe", "dma", "sdma", "memory", NULL};
    static const char *const cube[] = {"cube", "aic", NULL};
    static const char *const vector[] = {"vec", "aiv", NULL};
    return has_word(unit, control)  ? LANE_CONTROL
           : has_word(unit, memory) ? LANE_MEMORY
           : has_word(unit, cube)   ? LANE_CUBE
           : has_word(unit, vector) ? LANE_VECTOR
                                    : LANE_OTHER;
}

static uint32_t core_of(Reading *reading, Str pid)
{
    uint32_t core = number_of(&reading->cores, reading->arena, pid);
    while (reading->core_names.count <= core) {
        VEC_PUSH(reading->arena, &reading->core_names, STR(""));
    }
    return core;
}

static uint32_t lane_of(Reading *reading)
{
    const RawEvent *event = &reading->event;
    Trace *trace = reading->trace;
    uint32_t lane = number_of_pair(reading, &reading->lane_keys, event->pid, event->tid);
    if (lane == trace->lanes.count) {
        Lane made = {.core = event->pid, .unit = event->tid, .open = TRACE_NONE};
        VEC_PUSH(reading->arena, &trace->lanes, made);
        VEC_PUSH(reading->arena, &reading->lane_cores, core_of(reading, event->pid));
    }
    return lane;
}

/* Takes the name of a process or thread. */
static void take_name(Reading *reading)
{
    const RawEvent *event = &reading->event;
    if (event->given_name.length == 0) {
        return;
    }
    if (str_is(event->name, "process_name")) {
        uint32_t core = core_of(reading, event->pid);
        reading->core_names.items[core] = event->given_name;
    } else if (str_is(event->name, "thread_name")) {
        uint32_t lane = lane_of(reading);
        reading->trace->lanes.items[lane].unit = event->given_name;
    }
}

static void name_lanes(Reading *reading)
{
    Trace *trace = reading->trace;
    for (uint32_t i = 0; i < trace->lanes.count; i++) {
        Lane *lane = &trace->lanes.items[i];
        Str name = reading->core_names.items[reading->lane_cores.items[i]];
        lane->core = json_decode(reading->arena, name.length > 0 ? name : lane->core);
        lane->unit = json_decode(reading->arena, lane->unit);
        lane->kind = kind_of(lane->unit);
        if (lane->kind == LANE_OTHER) {
            lane->kind = kind_of(lane->core);
        }
    }
}

/* ---- events ---- */

static void add_event(Reading *reading, double end)
{
    Trace *trace = reading->trace;
    const RawEvent *raw = &reading->event;
    if (trace->events.count == TRACE_MOST_EVENTS) {
        trace->unread++;
        return;
    }
    uint32_t lane = lane_of(reading);
    Event event = {.start = raw->ts,
                   .end = end,
                   .bytes = raw->bytes,
                   .lane = lane,
                   .name = number_of(&trace->texts, reading->arena, raw->name),
                   .file = TRACE_NONE,
                   .line = raw->line,
                   .around = trace->lanes.items[lane].open};
    if (raw->file.length > 0 && raw->line > 0) {
        event.file = number_of(&trace->texts, reading->arena, raw->file);
    }
    VEC_PUSH(reading->arena, &trace->events, event);
}

static void begin_event(Reading *reading)
{
    Trace *trace = reading->trace;
    uint32_t before = trace->events.count;
    add_event(reading, reading->event.ts - 1);
    if (trace->events.count > before) {
        trace->lanes.items[trace->events.items[before].lane].open = before;
    }
}

static void end_event(Reading *reading)
{
    Trace *trace = reading->trace;
    uint32_t number = lane_of(reading);
    Lane *lane = &trace->lanes.items[number];
    if (lane->open == TRACE_NONE) {
        trace->unusable++;
        return;
    }
    Event *event = &trace->events.items[lane->open];
    event->end = reading->event.ts;
    lane->open = event->around;
}

static void add_flow_end(Reading *reading)
{
    const RawEvent *raw = &reading->event;
    if (reading->ends.count == TRACE_MOST_EVENTS) {
        reading->trace->unread++;
        return;
    }
    FlowEnd end = {.id = number_of_pair(reading, &reading->ids, raw->category, raw->id),
                   .lane = lane_of(reading),
                   .ts = raw->ts,
                   .is_start = raw->kind == 's'};
    VEC_PUSH(reading->arena, &reading->ends, end);
}

static void finish_event(Reading *reading)
{
    const RawEvent *raw = &reading->event;
    Trace *trace = reading->trace;
    bool has_time = raw->has_ts && !raw->is_broken;
    switch (raw->kind) {
    case 'M':
        take_name(reading);
        return;
    case 'X':
        if (!has_time || !raw->has_duration) {
            break;
        }
        add_event(reading, raw->ts + raw->duration);
        return;
    case 'B':
    case 'E':
    case 's':
    case 't':
    case 'f':
        if (!has_time) {
            break;
        }
        if (raw->kind == 'B') {
            begin_event(reading);
        } else if (raw->kind == 'E') {
            end_event(reading);
        } else {
            add_flow_end(reading);
        }
        return;
    case '\0':
    case '?':
        break;
    default:
        trace->unknown++;
        return;
    }
    trace->unusable++;
}

/* ---- the text ---- */

/* Takes a value inside an event, whose members are at `depth`. */
static void take_inside(Reading *reading, uint32_t depth)
{
    const JsonReader *json = &reading->json;
    if (json->token == JSON_TOKEN_CLOSE) {
        reading->in_arguments = reading->in_arguments && json->depth > depth;
    } else if (json->token == JSON_TOKEN_OBJECT && json->depth == depth + 1) {
        reading->in_arguments = str_is(json->key, "args");
    } else if (json->depth == depth) {
        take_member(reading);
    } else if (reading->in_arguments && json->depth == depth + 1) {
        take_argument(reading);
    }
}

/* Reads the array of events at `depth`, and stops after it. False when the JSON breaks off. */
static bool read_events(Reading *reading, uint32_t depth)
{
    JsonReader *json = &reading->json;
    bool inside = false;
    while (json_next(json)) {
        if (json->token == JSON_TOKEN_CLOSE && json->depth < depth) {
            return true;
        }
        if (!inside) {
            if (json->token == JSON_TOKEN_OBJECT && json->depth == depth + 1) {
                inside = true;
                reading->event = (RawEvent){.kind = '\0'};
            } else if (json->token != JSON_TOKEN_CLOSE && json->depth <= depth + 1) {
                reading->trace->unusable++; /* a number, a text, an array */
            }
        } else if (json->token == JSON_TOKEN_CLOSE && json->depth == depth) {
            inside = false;
            finish_event(reading);
        } else {
            take_inside(reading, depth + 1);
        }
    }
    return false;
}

static bool find_events(Reading *reading)
{
    JsonReader *json = &reading->json;
    if (!json_next(json)) {
        return false;
    }
    if (json->token == JSON_TOKEN_ARRAY) {
        return read_events(reading, 1);
    }
    bool is_object = json->token == JSON_TOKEN_OBJECT;
    while (is_object && json_next(json)) {
        if (json->depth == 2 && json->token == JSON_TOKEN_ARRAY &&
            str_is(json->key, "traceEvents")) {
            return read_events(reading, 2);
        }
    }
    return false;
}

bool trace_read(Trace *trace, Arena *arena, Str text, Str *error)
{
    Reading *reading = ARENA_NEW(arena, Reading);
    *trace = (Trace){.unusable = 0};
    reading->trace = trace;
    reading->arena = arena;
    json_begin(&reading->json, text, JSON_LENIENT, TRACE_DEEPEST);
    if (!find_events(reading)) {
        *error = reading->json.error != NULL
                     ? str_format(arena, "%s at byte %zu", reading->json.error, reading->json.at)
                     : STR("it has no array of events (traceEvents)");
        return false;
    }
    name_lanes(reading);
    for (uint32_t i = 0; i < trace->texts.keys.count;
         i++) { /* there are no more lookups after this */
        trace->texts.keys.items[i] = json_decode(arena, trace->texts.keys.items[i]);
    }
    FlowEnds ends = {reading->ends.items, reading->ends.count, reading->ids.keys.count};
    trace_order(trace, arena, &ends);
    return true;
}
