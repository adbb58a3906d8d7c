/* PythonRun: runs the user's Python in its own process, with limits, and reports how it ended.
 *
 * The only place of the program that starts Python for a rule. It is a fence against accidents (an
 * endless loop, a runaway allocation, children left behind), not against malice: what runs has the
 * rights of the user. No shell is involved.
 *
 *   process   own process group; where the kernel allows it also an own process and network
 *             namespace. Everything it started is killed when it ends or its time is over.
 *   limits    time, address space, size of written files, processes, no core files
 *   input     standard input is empty; no other descriptor is inherited
 *   variables those that Python and its packages need to be found (python_run.c), nothing else */
#ifndef PYPTO_LINT_OPERATOR_PYTHON_RUN_H
#define PYPTO_LINT_OPERATOR_PYTHON_RUN_H

#include "base/file.h"
#include "process/process.h"

typedef struct PythonJob {
    Str named;                    /* --python, or empty */
    const char *const *arguments; /* after the interpreter's name; NULL at the end */
    unsigned milliseconds;        /* for all of it */
    uint64_t memory;              /* bytes of address space for each process */
    uint64_t file_size;           /* bytes of a written file */
    uint32_t processes;           /* that it may add to those of the machine */
    size_t output;                /* bytes kept of each stream: the last ones */
} PythonJob;

typedef struct PythonResult {
    ProcessEnd end;
    int value;
    Str interpreter; /* path, or the name that was looked for */
    Str out, err;    /* raw bytes, in the arena */
} PythonResult;

/* Path of the interpreter that runs the user's programs, in the arena: `named` (--python), else
 * the variable PYPTO_LINT_PYTHON, else python3 beside this program, else /usr/bin/python3, else
 * python3. A name without a slash is looked for in the absolute folders of PATH; a path is taken
 * as it is. NULL when there is none. OL11, `run`, `test`, `verify` and the rest of the harness all
 * ask here. */
const char *python_interpreter(Arena *arena, Str named);
/* What was looked for, for a message: `named`, the variable, or "python3"; in the arena. */
Str python_wanted(Arena *arena, Str named);

/* Runs python_interpreter(arena, job->named). Returns when everything that was started is gone.
 * Thread-safe. */
PythonResult python_run(Arena *arena, const PythonJob *job);

#endif
