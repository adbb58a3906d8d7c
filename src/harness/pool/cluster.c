/* Clusters; see cluster.h. The client runs like a worker, but without a time limit. */
#include "harness/pool/cluster.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/program.h"
#include "document/json.h"
#include "harness/pool/interruption.h"
#include "harness/pool/job_line.h"
#include "harness/pool/worker.h"
#include "harness/pool/worker_environment.h"

#include <poll.h>

/* A line has the result and the log in base64. */
enum { LINE_LIMIT = 2 * WORKER_RESULT_LIMIT };

/* The client ends the jobs on the machines before it ends itself. */
enum { CLIENT_GRACE_MS = 5000 };

typedef struct Cluster {
    Arena *arena;
    const PoolOptions *options;
    const WorkerJob *jobs;
    size_t count, done;
    WorkerOutcome *outcomes;
    bool *ended; /* for each job: its outcome has arrived */
    ProcessCapture client;
    Str job; /* for the client */
    Interruption interruption;
    Str error;
} Cluster;

/* --- to the client */

static json_t *job_tree(JsonTree *tree, const WorkerJob *job, Str line)
{
    json_t *object = json_object();
    json_put(tree, object, "label", json_text(job->label));
    json_put(tree, object, "npu", json_boolean(job->mode == MODE_NPU));
    json_put(tree, object, "request", json_text(line));
    return object;
}

static bool make_job(Cluster *cluster, Str address)
{
    Arena *arena = cluster->arena;
    Str *lines = ARENA_ARRAY(arena, Str, cluster->count);
    for (size_t i = 0; i < cluster->count; i++) {
        if (!job_request_write(arena, cluster->options, &cluster->jobs[i], &lines[i])) {
            cluster->error = STR("a job is not a JSON object");
            return false;
        }
    }
    Str binary = program_own(arena);
    JsonTree tree = {.arena = arena};
    json_t *jobs = json_array();
    for (size_t i = 0; i < cluster->count; i++) {
        json_append(&tree, jobs, job_tree(&tree, &cluster->jobs[i], lines[i]));
    }
    unsigned devices = cluster->options->npu_devices;
    json_t *root = json_object();
    json_put(&tree, root, "address", json_text(address));
    json_put(&tree, root, "binary", json_text(binary));
    json_put(&tree, root, "devices", json_integer(devices == 0 ? 1 : devices));
    json_put(&tree, root, "jobs", jobs);
    cluster->job = json_line(&tree, root);
    return true;
}

/* --- from the client */

/* {"key": 3, "outcome": {…}} or {"error": "…"}. */
static void take_event(Cluster *cluster, const json_t *event)
{
    const json_t *key = json_object_get(event, "key");
    const json_t *error = json_object_get(event, "error");
    if (json_is_string(error)) {
        Str text = {json_string_value(error), json_string_length(error)};
        cluster->error = str_format(cluster->arena, "%.*s", STR_ARG(text));
        return;
    }
    json_int_t index = json_is_integer(key) ? json_integer_value(key) : -1;
    if (index < 0 || (size_t)index >= cluster->count || cluster->ended[index]) {
        return; /* a second outcome of a job that ran twice */
    }
    const json_t *outcome = json_object_get(event, "outcome");
    if (job_outcome_read(cluster->arena, outcome, &cluster->outcomes[index], &cluster->error)) {
        cluster->ended[index] = true;
        cluster->done++;
        if (cluster->options->progress != NULL) {
            cluster->options->progress(cluster->options->context, cluster->done, cluster->count,
                                       &cluster->jobs[index]);
        }
    }
}

typedef struct Event {
    Cluster *cluster;
    const json_t *tree;
} Event;

static void try_event(void *argument)
{
    Event *event = argument;
    take_event(event->cluster, event->tree);
}

static void read_event(Cluster *cluster, Str line)
{
    json_t *tree = json_read(cluster->arena, line, 0, NULL);
    if (tree == NULL) {
        cluster->error = STR("the client of the cluster sent a line that is not JSON");
        return;
    }
    json_take(cluster->arena, tree, try_event, &(Event){cluster, tree});
}

/* Takes the complete lines; the rest stays. */
static void read_events(Cluster *cluster)
{
    Capture *result = &cluster->client.streams[WORKER_RESULT];
    Buf *text = &result->whole;
    size_t start = 0;
    size_t end;
    while ((end = str_find(buf_str(text), STR("\n"), start)) != SIZE_MAX) {
        read_event(cluster, str_slice(buf_str(text), start, end));
        start = end + 1;
    }
    if (start > 0) {
        memmove(text->at, text->at + start, text->length - start);
        text->length -= start;
    }
    if (result->too_much) {
        cluster->error = STR("the client of the cluster sent a line that is too long");
    }
}

/* --- the loop */

static void run(void *argument)
{
    Cluster *cluster = argument;
    ProcessCapture *client = &cluster->client;
    struct pollfd polled[1 + CAPTURE_POLLED];
    bool lives = client->guard > 0;
    bool asked = false;
    while (lives) {
        polled[0] = (struct pollfd){.fd = cluster->interruption.fd, .events = POLLIN};
        process_capture_poll(client, &polled[1]);
        int64_t left = client->last == INT64_MAX ? -1 : client->last - clock_ms();
        int timeout = client->last == INT64_MAX ? -1 : left < 0 ? 0 : (int)left + 1;
        int ready = poll(polled, 1 + CAPTURE_POLLED, timeout);
        if (ready > 0 && polled[0].revents != 0 && interruption_take(&cluster->interruption)) {
            process_capture_cancel(client, CLIENT_GRACE_MS);
        }
        if (ready > 0) {
            lives = process_capture_read(client, &polled[1]);
            read_events(cluster);
        }
        if (cluster->error.length > 0 && !asked) {
            asked = true;
            process_capture_cancel(client, CLIENT_GRACE_MS);
        }
        process_capture_check_time(client, clock_ms());
        lives = lives && client->guard > 0;
    }
}

static void start(Cluster *cluster)
{
    static const char *const words[] = {"-m", "pypto_lint_worker.cluster"};
    Arena *arena = cluster->arena;
    char *arguments[] = {str_dup(arena, str_from(cluster->options->python)),
                         str_dup(arena, str_from(words[0])), str_dup(arena, str_from(words[1])),
                         NULL};
    WorkerSettings settings = {.mode = MODE_NPU,
                               .soc = STR(""),
                               .profile = STR(""),
                               .sanitize = STR(""),
                               .devices = 1,
                               .threads = 1};
    GuardLaunch launch = {.path = cluster->options->python,
                          .arguments = arguments,
                          .environment = worker_environment(arena, &settings),
                          .namespaces = GUARD_SHARED, /* it talks to the scheduler */
                          .grace_ms = CLIENT_GRACE_MS,
                          .processes = WORKER_MOST_PROCESSES};
    worker_start(&cluster->client, &launch, cluster->job);
}

/* The last line of the client's log, which may say why it ended. */
static Str last_line(Str log)
{
    log = str_trim(log);
    size_t start = log.length;
    while (start > 0 && log.at[start - 1] != '\n') {
        start--;
    }
    return str_slice(log, start, log.length);
}

static void explain(Cluster *cluster, const WorkerOutcome *client)
{
    if (cluster->error.length > 0 || cluster->done == cluster->count) {
        return;
    }
    if (client->end == PROCESS_NOT_STARTED) {
        cluster->error =
            str_format(cluster->arena, "%s: %s", cluster->options->python, strerror(client->value));
        return;
    }
    Str line = last_line(client->log);
    cluster->error = str_format(cluster->arena, "the client of the cluster ended%s%.*s",
                                line.length > 0 ? ": " : "", STR_ARG(line));
}

int cluster_run(Arena *arena, const PoolOptions *options, Str address, const WorkerJob *jobs,
                size_t count, WorkerOutcome *outcomes, Str *error)
{
    Cluster *cluster = ARENA_NEW(arena, Cluster);
    *cluster = (Cluster){.arena = arena,
                         .options = options,
                         .jobs = jobs,
                         .count = count,
                         .outcomes = outcomes,
                         .ended = ARENA_ARRAY(arena, bool, count + 1)};
    for (size_t i = 0; i < count; i++) {
        outcomes[i] = (WorkerOutcome){.end = PROCESS_CANCELLED};
    }
    if (options->python == NULL) {
        *error = STR("no Python interpreter was found (--python PATH, PYPTO_LINT_PYTHON)");
        return -1;
    }
    worker_init(&cluster->client, arena, LINE_LIMIT);
    if (count > 0 && make_job(cluster, address)) {
        interruption_begin(&cluster->interruption);
        start(cluster);
        bool complete = arena_try(arena, run, cluster);
        if (!complete) {
            process_capture_abandon(&cluster->client);
            interruption_end(&cluster->interruption);
            arena_fail(arena);
        }
        WorkerOutcome client = worker_end(&cluster->client, arena);
        interruption_end(&cluster->interruption);
        explain(cluster, &client);
    }
    if (cluster->interruption.number != 0) {
        return cluster->interruption.number;
    }
    *error = cluster->error;
    return cluster->error.length > 0 ? -1 : 0;
}
