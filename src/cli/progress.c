/* A line of progress; see progress.h. */
#include "cli/progress.h"

#include "base/clock.h"
#include "harness/plan/mode.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    QUIET_MS = 500, /* short checks show nothing */
    STEP_MS = 100,  /* between two lines of a check */
};

static bool is_wanted(void)
{
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && (term == NULL || strcmp(term, "dumb") != 0);
}

static void show(Progress *progress, const char *line, int width)
{
    size_t shown = width < 0 ? 0 : (size_t)width;
    int blanks = progress->width > shown ? (int)(progress->width - shown) : 0;
    fprintf(stderr, "\r%s%*s", line, blanks, "");
    fflush(stderr);
    progress->width = shown;
}

static void show_job(void *context, size_t done, size_t count, const WorkerJob *latest)
{
    enum { MOST_SHOWN = 60 };
    char line[160];
    char label[MOST_SHOWN + 1];
    size_t length = 0;
    for (; length < latest->label.length && length < MOST_SHOWN; length++) {
        char c = latest->label.at[length];
        label[length] = c >= ' ' && c < 0x7F ? c : '?';
    }
    label[length] = '\0';
    show(context, line,
         snprintf(line, sizeof line, "[%zu/%zu] %s %s", done, count, mode_name(latest->mode),
                  label));
}

static void show_units(void *context, uint32_t done, uint32_t count)
{
    Progress *progress = context;
    char line[64];
    int64_t now = clock_ms();
    if (now - progress->begun < QUIET_MS || now - progress->shown < STEP_MS) {
        return;
    }
    progress->shown = now;
    show(progress, line, snprintf(line, sizeof line, "[%u/%u]", done, count));
}

void progress_of_pool(Progress *progress, PoolOptions *pool)
{
    *progress = (Progress){0};
    if (is_wanted()) {
        pool->progress = show_job;
        pool->context = progress;
    }
}

void progress_of_check(Progress *progress, Caller *who)
{
    *progress = (Progress){.begun = clock_ms()};
    if (is_wanted()) {
        who->progress = show_units;
        who->progress_context = progress;
    }
}

void progress_end(Progress *progress)
{
    if (progress->width > 0) {
        fprintf(stderr, "\r%*s\r", (int)progress->width, "");
        fflush(stderr);
        progress->width = 0;
    }
}
