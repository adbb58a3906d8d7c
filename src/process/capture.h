/* Capture: what a process writes, read while it runs and kept within limits.
 *
 * A Capture is one stream. A ProcessCapture is a program under a guard (guard.h), seen from the
 * process that started it: two streams and the guard's report. The caller polls; python_run.c waits
 * for one program, the harness for many. */
#ifndef PYPTO_LINT_PROCESS_CAPTURE_H
#define PYPTO_LINT_PROCESS_CAPTURE_H

#include "base/middle_cut.h"
#include "process/guard.h"

#include <poll.h>

typedef struct Capture {
    int fd;        /* the reading end of a pipe; -1 = ended */
    MiddleCut cut; /* the first and last bytes, unless `whole` */
    Buf whole;     /* everything, grows in the arena */
    size_t most;   /* bytes of `whole`; 0: there is no such text */
    bool too_much; /* there were more; then `whole` is empty */
    bool failed;   /* the pipe could not be read */
} Capture;

/* Keeps the first and the last so many bytes (middle_cut.h). */
void capture_init(Capture *capture, Arena *arena, size_t first, size_t last);
/* Keeps everything, at most `most` bytes. */
void capture_init_whole(Capture *capture, Arena *arena, size_t most);

/* Begins anew with a pipe, of which `*writer` is the process's end. False with errno. */
bool capture_open(Capture *capture, int *writer);
/* In the arena. */
Str capture_text(const Capture *capture, Arena *arena);

/* Reads streams until all have ended or clock_ms() shows `end`: PROCESS_EXITED, PROCESS_LATE,
 * PROCESS_UNREADABLE, or PROCESS_TOO_MUCH. */
ProcessEnd capture_all(Capture *streams, size_t count, int64_t end);

enum { CAPTURE_STREAMS = 2, CAPTURE_POLLED = CAPTURE_STREAMS + 1 };

typedef struct ProcessCapture {
    Capture streams[CAPTURE_STREAMS];
    int status; /* pipe of the guard, which ends when everything is gone; -1 = ended */
    GuardStatus report;
    pid_t guard;            /* 0 = none */
    int64_t started;        /* clock_ms */
    int64_t last;           /* when the guard itself is late */
    double seconds;         /* from the start to the end */
    bool cancelled, killed; /* by us */
} ProcessCapture;

/* Forgets the process before and opens the streams; `ends` are the process's. False with errno. */
bool process_capture_open(ProcessCapture *capture, int ends[CAPTURE_STREAMS]);
/* Starts the guard. If that fails the process has ended at once, with PROCESS_NOT_STARTED. */
void process_capture_start(ProcessCapture *capture, const GuardLaunch *launch);
/* Says how the process ended, when no guard of its own does. */
void process_capture_set(ProcessCapture *capture, ProcessEnd end, int value);

/* Fills in what to wait for: CAPTURE_POLLED entries. */
void process_capture_poll(const ProcessCapture *capture, struct pollfd *polled);
/* Reads what poll found. False: the process is gone. */
bool process_capture_read(ProcessCapture *capture, const struct pollfd *polled);
/* Kills a guard that should have ended long ago. */
void process_capture_check_time(ProcessCapture *capture, int64_t now);
/* Asks the process to end; asked twice it is killed. It has so many milliseconds. */
void process_capture_cancel(ProcessCapture *capture, unsigned grace_ms);

/* Reads the rest and frees what the process held, when it is gone. */
ProcessResult process_capture_end(ProcessCapture *capture);
/* Kills it and frees what it holds. */
void process_capture_abandon(ProcessCapture *capture);

#endif
