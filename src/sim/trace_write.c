/* Writes a trace as Chrome trace JSON, which Perfetto and chrome://tracing open. */
#include "model/error.h"
#include "model/program.h"
#include "sim/trace_events.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const pipe_names[TRACE_PIPES] = {
    [TRACE_MTE2] = "MTE2 (memory to core)",
    [TRACE_MTE1] = "MTE1 (L1 to L0)",
    [TRACE_CUBE] = "CUBE",
    [TRACE_FIXPIPE] = "FIXPIPE (L0C out)",
    [TRACE_VECTOR] = "VECTOR",
    [TRACE_MTE3] = "MTE3 (core to memory)",
};

/* Text as a JSON string: control characters are escaped, bytes beyond ASCII stay as they are. */
static void write_string(FILE *file, const char *text)
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

static void write_names(FILE *file, const PtsSoc *soc)
{
    fputs("{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"tid\":0,\"args\":{\"name\":", file);
    char name[64];
    snprintf(name, sizeof name, "one core of %s (model)", soc->name);
    write_string(file, name);
    fputs("}}", file);
    for (int pipe = 0; pipe < TRACE_PIPES; pipe++) {
        fprintf(file, ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":%d,\"args\":",
                pipe + 1);
        fputs("{\"name\":", file);
        write_string(file, pipe_names[pipe]);
        fputs("}}", file);
    }
}

static void write_event(FILE *file, const TraceEvent *event, double mhz)
{
    const TraceWork *work = &event->work;
    fputs(",\n{\"name\":", file);
    write_string(file, pts_op_name(work->op));
    fprintf(file, ",\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"ts\":%.4f,\"dur\":%.4f,\"args\":{",
            (int)event->pipe + 1, event->start / mhz, event->cycles / mhz);
    fprintf(file, "\"cycles\":%.0f,\"tiles\":%lld,\"bytes\":%.0f", event->cycles,
            (long long)work->tiles, work->bytes);
    if (work->label != NULL && *work->label != '\0') {
        fputs(",\"label\":", file);
        write_string(file, work->label);
    }
    if (work->site.file != NULL) {
        fputs(",\"file\":", file);
        write_string(file, work->site.file);
        fprintf(file, ",\"line\":%d", work->site.line);
    }
    fputs("}}", file);
}

static bool write_all(const PtsTrace *trace, FILE *file)
{
    const PtsSoc *soc = pts_context_soc(trace->context);
    double mhz = soc->clock_mhz > 0 ? soc->clock_mhz : 1;
    fputs("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"soc\":", file);
    write_string(file, soc->name);
    fprintf(file, ",\"launches\":%d,\"cycles\":%.0f,\"eventsNotShown\":%zu},\n\"traceEvents\":[\n",
            trace->runs, trace->end, trace->dropped);
    write_names(file, soc);
    for (size_t i = 0; i < trace->event_count; i++) {
        write_event(file, &trace->events[i], mhz);
    }
    fputs("\n]}\n", file);
    return fflush(file) == 0 && !ferror(file);
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

bool pts_trace_write(const PtsTrace *trace, const char *path, PtsError *error)
{
    size_t size = strlen(path) + 32; /* and the numbers of the process and of the attempt */
    char *temporary = malloc(size);
    if (temporary == NULL) {
        return pts_fail_memory(error);
    }
    int descriptor = open_beside(path, temporary, size);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    bool ok = file != NULL && write_all(trace, file);
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
