/* Lines of jobs and outcomes; see job_line.h. */
#include "harness/pool/job_line.h"

#include "base/base64.h"
#include "base/program.h"

#include <inttypes.h>

static const char *const end_names[] = {
    [PROCESS_EXITED] = "exited",
    [PROCESS_KILLED] = "killed",
    [PROCESS_LATE] = "late",
    [PROCESS_TOO_MANY] = "too many processes",
    [PROCESS_NOT_STARTED] = "not started",
    [PROCESS_CANCELLED] = "cancelled",
};
enum { END_COUNT = sizeof end_names / sizeof *end_names };

/* --- requests */

static json_t *options_tree(JsonTree *tree, const PoolOptions *options)
{
    json_t *object = json_object();
    json_put(tree, object, "python", json_text(str_from(options->python)));
    json_put(tree, object, "timeout_ms", json_integer(options->timeout_ms));
    json_put(tree, object, "memory", json_integer((json_int_t)options->memory));
    json_put(tree, object, "soc", json_text(options->soc));
    json_put(tree, object, "profile", json_text(options->profile));
    json_put(tree, object, "sanitize", json_text(options->sanitize));
    return object;
}

bool job_request_write(Arena *arena, const PoolOptions *options, const WorkerJob *job, Str *line)
{
    json_t *text = json_read(arena, job->json, 0, NULL);
    if (!json_is_object(text)) {
        json_decref(text);
        return false;
    }
    JsonTree tree = {.arena = arena};
    json_t *root = json_object();
    json_put(&tree, root, "job", text);
    json_put(&tree, root, "mode", json_string(mode_name(job->mode)));
    json_put(&tree, root, "label", json_text(job->label));
    json_put(&tree, root, "options", options_tree(&tree, options));
    *line = json_line(&tree, root);
    return true;
}

static Str text_of(Arena *arena, const json_t *object, const char *key)
{
    Str text = STR("");
    return json_text_at(arena, object, key, &text) ? str_from(text.at) : text;
}

static uint64_t number_of(const json_t *object, const char *key, uint64_t most)
{
    json_int_t value = json_integer_value(json_object_get(object, key));
    return value < 0 ? 0 : (uint64_t)value > most ? most : (uint64_t)value;
}

/* Reads the tree; copies everything into the arena. */
static bool take_request(Arena *arena, const json_t *tree, JobRequest *request, Str *error)
{
    const json_t *job = json_object_get(tree, "job");
    const json_t *options = json_object_get(tree, "options");
    *request = (JobRequest){.job = {.label = text_of(arena, tree, "label")}};
    if (!json_is_object(job) || !mode_find(text_of(arena, tree, "mode"), &request->job.mode)) {
        *error = STR("no job and mode");
        return false;
    }
    size_t length = json_dumpb(job, NULL, 0, JSON_COMPACT);
    char *text = arena_alloc(arena, length + 1);
    request->job.json = (Str){text, json_dumpb(job, text, length, JSON_COMPACT)};
    request->options = (PoolOptions){
        .python = text_of(arena, options, "python").at,
        .jobs = 1,
        .timeout_ms = (unsigned)number_of(options, "timeout_ms", UINT32_MAX),
        .memory = number_of(options, "memory", INT64_MAX),
        .soc = text_of(arena, options, "soc"),
        .profile = text_of(arena, options, "profile"),
        .sanitize = text_of(arena, options, "sanitize"),
    };
    /* The path is that of the machine where the run began. */
    if (!program_exists(request->options.python)) {
        request->options.python = NULL;
    }
    return true;
}

typedef struct Reading {
    Arena *arena;
    const json_t *tree;
    JobRequest *request;
    Str *error;
    bool good;
} Reading;

static void take(void *argument)
{
    Reading *reading = argument;
    JobRequest *request = reading->request;
    reading->good = take_request(reading->arena, reading->tree, request, reading->error);
}

bool job_request_read(Arena *arena, Str line, JobRequest *request, Str *error)
{
    JsonFault fault;
    json_t *tree = json_read(arena, line, JSON_REJECT_DUPLICATES, &fault);
    if (tree == NULL) {
        *error = str_format(arena, "not JSON: %s", fault.text);
        return false;
    }
    Reading reading = {arena, tree, request, error, false};
    json_take(arena, tree, take, &reading);
    return reading.good;
}

/* --- outcomes */

Str job_outcome_write(Arena *arena, const WorkerOutcome *outcome)
{
    Str result = base64_encode(arena, outcome->result);
    Str log = base64_encode(arena, outcome->log);
    return str_format(arena,
                      "{\"version\":\"%s\",\"end\":\"%s\",\"value\":%d,\"seconds\":%.6f,"
                      "\"result_too_large\":%s,\"log_bytes\":%" PRIu64
                      ",\"result\":\"%.*s\",\"log\":\"%.*s\"}\n",
                      PYPTO_LINT_VERSION, end_names[outcome->end], outcome->value, outcome->seconds,
                      outcome->result_too_large ? "true" : "false", outcome->log_bytes,
                      STR_ARG(result), STR_ARG(log));
}

static bool find_end(Str name, ProcessEnd *end)
{
    for (int i = 0; i < END_COUNT; i++) {
        if (str_is(name, end_names[i])) {
            *end = (ProcessEnd)i;
            return true;
        }
    }
    return false;
}

bool job_outcome_read(Arena *arena, const json_t *object, WorkerOutcome *outcome, Str *error)
{
    Str version = text_of(arena, object, "version");
    *outcome = (WorkerOutcome){
        .value = (int)number_of(object, "value", INT32_MAX),
        .result_too_large = json_is_true(json_object_get(object, "result_too_large")),
        .log_bytes = number_of(object, "log_bytes", INT64_MAX),
        .seconds = json_number_value(json_object_get(object, "seconds")),
    };
    if (!str_is(version, PYPTO_LINT_VERSION)) {
        *error = str_format(arena, "a machine of the cluster has version '%.*s' of pypto-lint",
                            STR_ARG(version));
        return false;
    }
    if (!find_end(text_of(arena, object, "end"), &outcome->end) ||
        !base64_decode(arena, text_of(arena, object, "result"), &outcome->result) ||
        !base64_decode(arena, text_of(arena, object, "log"), &outcome->log) ||
        outcome->result.length > WORKER_RESULT_LIMIT) {
        *error = STR("a machine of the cluster gave no outcome");
        return false;
    }
    return true;
}
