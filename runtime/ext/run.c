/* Program.run, and matmul and convert without a program: they work on the caller's memory. */
#include "ext.h"

#include <signal.h>
#include <string.h>

/* Ctrl-C, or SIGTERM that the program handles, while a kernel runs: the run is cancelled, then
 * Python's own handler does its part. Runs take turns (ContextObject.running), and only the main
 * thread's run installs the handlers. A SIGTERM that nobody handles ends the process anyway. */
static const int watched[] = {SIGINT, SIGTERM};
enum { WATCHED = sizeof watched / sizeof *watched };
static PtsContext *volatile interrupted_context;
static struct sigaction python_actions[WATCHED];

static bool is_handled(const struct sigaction *action)
{
    return (action->sa_flags & SA_SIGINFO) != 0 ||
           (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
}

static void on_interrupt(int number, siginfo_t *info, void *details)
{
    const struct sigaction *action = &python_actions[number == watched[0] ? 0 : 1];
    if (interrupted_context != NULL) {
        pts_run_cancel(interrupted_context);
    }
    if ((action->sa_flags & SA_SIGINFO) != 0) {
        action->sa_sigaction(number, info, details);
    } else if (is_handled(action)) {
        action->sa_handler(number);
    }
}

static bool watch_interrupts(PtsContext *context)
{
    struct sigaction action = {.sa_sigaction = on_interrupt, .sa_flags = SA_SIGINFO};
    if (interrupted_context != NULL) {
        return false;
    }
    sigemptyset(&action.sa_mask);
    interrupted_context = context;
    for (int i = 0; i < WATCHED; i++) {
        if (sigaction(watched[i], NULL, &python_actions[i]) == 0 &&
            is_handled(&python_actions[i])) {
            sigaction(watched[i], &action, NULL);
        }
    }
    return true;
}

static void unwatch_interrupts(void)
{
    for (int i = 0; i < WATCHED; i++) {
        if (is_handled(&python_actions[i])) {
            sigaction(watched[i], &python_actions[i], NULL);
        }
    }
    interrupted_context = NULL;
}

/* At most PTS_MAX_OPERANDS; the array is for the caller to PyMem_Free. -1 with an exception. */
static int read_arguments(PyObject *list, PtsArgument **arguments)
{
    Py_ssize_t count = PyList_Check(list) ? PyList_Size(list) : -1;
    if (count < 0 || count > PTS_MAX_OPERANDS) {
        PyErr_SetString(PyExc_ValueError, "a list of at most 128 arguments is wanted");
        return -1;
    }
    *arguments = PyMem_Malloc(sizeof **arguments * (size_t)(count + 1));
    if (*arguments == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        if (!read_argument(PyList_GetItem(list, i), &(*arguments)[i])) {
            return -1;
        }
    }
    return (int)count;
}

PyObject *program_run(PyObject *object, PyObject *args)
{
    ProgramObject *self = (ProgramObject *)object;
    PyObject *list = NULL;
    int threads = 0, in_main_thread = 0;
    PtsArgument *arguments = NULL;
    PtsStats stats = {.ops = 0};
    PtsError error;
    if (!PyArg_ParseTuple(args, "Oip", &list, &threads, &in_main_thread)) {
        return NULL;
    }
    int count = read_arguments(list, &arguments);
    if (count < 0 || !program_enter(self)) {
        PyMem_Free(arguments);
        return NULL;
    }
    ContextObject *context = self->context;
    bool watching = in_main_thread != 0 && watch_interrupts(context->context);
    bool good = false;
    context->busy = true;
    PyThread_acquire_lock(context->running, WAIT_LOCK);
    Py_BEGIN_ALLOW_THREADS good = pts_run(self->program, count, arguments, threads, &stats, &error);
    Py_END_ALLOW_THREADS PyThread_release_lock(context->running);
    context->busy = false;
    if (watching) {
        unwatch_interrupts();
    }
    PyMem_Free(arguments);
    if (PyErr_CheckSignals() != 0) {
        return NULL;
    }
    if (!good) {
        return raise_error(&error);
    }
    return Py_BuildValue("(LLLLd)", (long long)stats.ops, (long long)stats.iterations,
                         (long long)stats.bytes, (long long)stats.flops, stats.seconds);
}

PyObject *program_unwritten(PyObject *object, PyObject *none)
{
    (void)none;
    ProgramObject *self = (ProgramObject *)object;
    if (!program_enter(self)) {
        return NULL;
    }
    PyObject *list = PyList_New(0);
    PtsUnwritten left;
    for (size_t i = 0; list != NULL && pts_unwritten(self->program, i, &left); i++) {
        PyObject *item =
            Py_BuildValue("(iiLLszi)", left.parameter, (int)left.is_unset, (long long)left.begin,
                          (long long)left.end, left.message, left.site.file, left.site.line);
        if (!list_append(list, item)) {
            Py_CLEAR(list);
        }
    }
    return list;
}

PyObject *program_wrote(PyObject *object, PyObject *args)
{
    ProgramObject *self = (ProgramObject *)object;
    int parameter = 0;
    long long begin = 0, end = 0;
    if (!PyArg_ParseTuple(args, "iLL", &parameter, &begin, &end) || !program_enter(self)) {
        return NULL;
    }
    return PyBool_FromLong(pts_wrote(self->program, parameter, begin, end));
}

PyObject *module_matmul(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *tuples[3] = {NULL, NULL, NULL};
    PtsArgument arguments[3];
    int a_trans = 0, b_trans = 0, threads = 0;
    PtsError error;
    bool good = false;
    if (!PyArg_ParseTuple(args, "OpOpO|i", &tuples[0], &a_trans, &tuples[1], &b_trans, &tuples[2],
                          &threads)) {
        return NULL;
    }
    for (int i = 0; i < 3; i++) {
        if (!read_argument(tuples[i], &arguments[i])) {
            return NULL;
        }
    }
    Py_BEGIN_ALLOW_THREADS good = pts_matmul(&arguments[0], a_trans != 0, &arguments[1],
                                             b_trans != 0, &arguments[2], threads, &error);
    Py_END_ALLOW_THREADS if (!good)
    {
        return raise_error(&error);
    }
    Py_RETURN_NONE;
}

PyObject *module_convert(PyObject *self, PyObject *args)
{
    (void)self;
    unsigned long long from = 0, to = 0;
    PtsDtype from_dtype = PTS_BOTTOM, to_dtype = PTS_BOTTOM;
    Py_ssize_t count = 0;
    int mode = 0, saturation = 1;
    PtsError error;
    bool good = false;
    if (!PyArg_ParseTuple(args, "KO&KO&n|ii", &from, convert_dtype, &from_dtype, &to, convert_dtype,
                          &to_dtype, &count, &mode, &saturation)) {
        return NULL;
    }
    if (count < 0) {
        PyErr_SetString(PyExc_ValueError, "a count cannot be negative");
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS good =
        pts_convert((const void *)(uintptr_t)from, from_dtype, (void *)(uintptr_t)to, to_dtype,
                    (size_t)count, mode, saturation, &error);
    Py_END_ALLOW_THREADS if (!good)
    {
        return raise_error(&error);
    }
    Py_RETURN_NONE;
}
