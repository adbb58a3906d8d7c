/* Writes a trace as Chrome trace JSON, which Perfetto and chrome://tracing open. */
#include "model/error.h"
#include "model/program.h"
#include "sim/trace_output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const trace_pipe_names[TRACE_PIPES] = {
    [TRACE_MTE2] = "MTE2 (memory to core)",
    [TRACE_MTE1] = "MTE1 (L1 to L0)",
    [TRACE_CUBE] = "CUBE",
    [TRACE_FIXPIPE] = "FIXPIPE (L0C out)",
    [TRACE_VECTOR] = "VECTOR",
    [TRACE_MTE3] = "MTE3 (core to memory)",
};

void trace_write_string(FILE *file, const char *text)
{
    putc('"', file);
    for (; text != NULL && *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') {
            putc('\\', file);
            putc(c, file);
        } else if (c < 0x20 || c == 0x7F) {
            fprintf(file, "\\u%04x", c);
        } else {
            putc(c, file);
        }
    }
    putc('"', file);
}

/* Terminated. */
static Str trace_name(const PtsTrace *trace, uint32_t number)
{
    return number < trace->names.keys.count ? trace->names.keys.items[number] : STR("");
}

const char *trace_path(const PtsTrace *trace, uint32_t file, const char *folder)
{
    Str path = trace_name(trace, file);
    size_t length = strlen(folder);
    bool below = length > 1 && path.length > length + 1 && path.at[length] == '/' &&
                 memcmp(path.at, folder, length) == 0;
    return below ? path.at + length + 1 : path.at;
}

/* Row 0 has the launches and the iterations of their loops, the others a pipe each. */
static void write_rows(FILE *file, const PtsSoc *soc)
{
    fputs("{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"tid\":0,\"args\":{\"name\":", file);
    char name[96];
    snprintf(name, sizeof name, "one core of %s (model, 1 us = 1 cycle)", soc->name);
    trace_write_string(file, name);
    fputs("}}", file);
    for (int row = 0; row <= TRACE_PIPES; row++) {
        fprintf(file,
                ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":%d,\"args\":", row);
        fputs("{\"name\":", file);
        trace_write_string(file, row == 0 ? "launches and loops" : trace_pipe_names[row - 1]);
        fputs("}}", file);
    }
}

/* Iterations overlap in time, so they are asynchronous slices, which viewers put beside each
 * other. */
static void write_turn(FILE *file, const PtsTrace *trace, uint32_t number)
{
    const TraceTurn *turn = &trace->turns.items[number];
    char name[128];
    snprintf(name, sizeof name, turn->parent == TRACE_NONE ? "%.100s" : "%.100s %lld",
             trace_name(trace, turn->name).at, (long long)turn->index);
    const char *kind = turn->parent == TRACE_NONE ? "launch" : "loop";
    for (int end = 0; end < 2; end++) {
        fputs(",\n{\"name\":", file);
        trace_write_string(file, name);
        fprintf(file, ",\"cat\":\"%s\",\"ph\":\"%s\",\"id\":%u,\"pid\":1,\"tid\":0,\"ts\":%.4f}",
                kind, end == 0 ? "b" : "e", number, end == 0 ? turn->start : turn->end);
    }
}

/* Loads are named after what they load, stores after what they store. */
static void write_event_name(FILE *file, const PtsTrace *trace, const TraceEvent *event)
{
    const TraceOperation *operation = &trace->operations.items[event->operation];
    uint32_t tensor = event->pipe == TRACE_MTE2   ? operation->loads
                      : event->pipe == TRACE_MTE3 ? operation->target
                                                  : 0;
    char name[128];
    if (trace_name(trace, tensor).length > 0) {
        snprintf(name, sizeof name, "%s %.100s", event->pipe == TRACE_MTE2 ? "load" : "store",
                 trace_name(trace, tensor).at);
    } else {
        snprintf(name, sizeof name, "%s", pts_op_name(operation->op));
    }
    trace_write_string(file, name);
}

static void write_event(FILE *file, const PtsTrace *trace, const TraceEvent *event,
                        const char *folder)
{
    const TraceOperation *operation = &trace->operations.items[event->operation];
    fputs(",\n{\"name\":", file);
    write_event_name(file, trace, event);
    fprintf(file, ",\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"ts\":%.4f,\"dur\":%.4f,\"args\":{",
            (int)event->pipe + 1, event->start, event->cycles);
    fprintf(file, "\"op\":\"%s\",\"cycles\":%.0f,\"tiles\":%lld,\"bytes\":%.0f",
            pts_op_name(operation->op), event->cycles, (long long)event->tiles, event->bytes);
    if (trace_name(trace, operation->label).length > 0) {
        fputs(",\"label\":", file);
        trace_write_string(file, trace_name(trace, operation->label).at);
    }
    if (trace_name(trace, operation->file).length > 0) {
        fputs(",\"file\":", file);
        trace_write_string(file, trace_path(trace, operation->file, folder));
        fprintf(file, ",\"line\":%d", operation->line);
    }
    fputs("}}", file);
}

static bool write_chrome(const PtsTrace *trace, FILE *file, const char *folder)
{
    const PtsSoc *soc = pts_context_soc(trace->context);
    fputs("{\"displayTimeUnit\":\"ms\",\"otherData\":{\"soc\":", file);
    trace_write_string(file, soc->name);
    fprintf(file,
            ",\"clockMHz\":%d,\"unit\":\"1 us = 1 cycle\",\"launches\":%d,\"cycles\":%.0f,"
            "\"eventsNotShown\":%zu},\n\"traceEvents\":[\n",
            soc->clock_mhz, trace->runs, trace->end, trace->dropped);
    write_rows(file, soc);
    for (uint32_t i = 0; i < trace->turns.count; i++) {
        write_turn(file, trace, i);
    }
    for (uint32_t i = 0; i < trace->events.count; i++) {
        if (trace->events.items[i].operation >= trace->operations.count) {
            break; /* memory ran out within its operation */
        }
        write_event(file, trace, &trace->events.items[i], folder);
    }
    fputs("\n]}\n", file);
    return true;
}

static bool fail(PtsError *error, const char *path)
{
    return pts_fail(error, PTS_RUNTIME_ERROR, 0xF29002, "INVALID_FILE",
                    "the trace cannot be written to %s: %s", path, strerror(errno));
}

/* Creates a file of its own next to `path` and puts its name into `name`; -1 with errno when it
 * cannot. Not by mkstemp, whose files nobody else may read: this one has the mode that the umask
 * leaves. */
static int open_beside(const char *path, char *name, size_t size)
{
    int descriptor = -1;
    errno = EEXIST;
    for (int i = 0; i < 100 && descriptor < 0 && errno == EEXIST; i++) {
        snprintf(name, size, "%s.%ld-%d", path, (long)getpid(), i);
        descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    return descriptor;
}

typedef bool TraceWriter(const PtsTrace *trace, FILE *file, const char *folder);

static bool write_whole(const PtsTrace *trace, FILE *file, TraceWriter *writer)
{
    char folder[PATH_MAX];
    if (getcwd(folder, sizeof folder) == NULL) {
        folder[0] = '\0';
    }
    errno = ENOMEM; /* if the writer gives up */
    return writer(trace, file, folder) && fflush(file) == 0 && !ferror(file);
}

static bool write_file(const PtsTrace *trace, const char *path, TraceWriter *writer,
                       PtsError *error)
{
    size_t size = strlen(path) + 32; /* and the numbers of the process and of the attempt */
    char *temporary = malloc(size);
    if (temporary == NULL) {
        return pts_fail_memory(error);
    }
    int descriptor = open_beside(path, temporary, size);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    bool ok = file != NULL && write_whole(trace, file, writer);
    ok = ok || fail(error, path);
    if (file != NULL && fclose(file) != 0 && ok) {
        ok = fail(error, path);
    } else if (file == NULL && descriptor >= 0) {
        close(descriptor);
    }
    if (ok && rename(temporary, path) != 0) {
        ok = fail(error, path);
    }
    if (!ok && descriptor >= 0) {
        unlink(temporary);
    }
    free(temporary);
    return ok;
}

bool pts_trace_write(const PtsTrace *trace, const char *path, PtsError *error)
{
    return write_file(trace, path, write_chrome, error);
}

bool pts_trace_write_profile(const PtsTrace *trace, const char *path, PtsError *error)
{
    return write_file(trace, path, trace_write_profile, error);
}

bool pts_trace_line(const PtsTrace *trace, size_t index, PtsTraceLine *line)
{
    if (index >= trace->lines.count) {
        return false;
    }
    const TraceLine *found = &trace->lines.items[index];
    *line = (PtsTraceLine){.file = trace_name(trace, found->file).at,
                           .line = found->line,
                           .operations = found->operations,
                           .in_bytes = found->in_bytes,
                           .out_bytes = found->out_bytes,
                           .flops = found->flops};
    for (int pipe = 0; pipe < TRACE_PIPES; pipe++) {
        line->cycles += found->busy[pipe];
    }
    return true;
}

const char *pts_trace_pipe(const PtsTrace *trace, size_t index, double *busy)
{
    if (index >= TRACE_PIPES) {
        return NULL;
    }
    *busy = trace->busy[index];
    return trace_pipe_names[index];
}

double pts_trace_cycles(const PtsTrace *trace)
{
    return trace->end;
}
