/* _ptosim.Context: symbols, settings, hardware and the trace of one simulator. */
#include "ext.h"

bool context_enter(ContextObject *context)
{
    while (context->busy) {
        Py_BEGIN_ALLOW_THREADS PyThread_acquire_lock(context->running, WAIT_LOCK);
        PyThread_release_lock(context->running);
        Py_END_ALLOW_THREADS
    }
    if (context->context == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "the context was not set up");
        return false;
    }
    return true;
}

static PyObject *context_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    (void)keywords;
    const char *path = NULL;
    const char *warn = NULL;
    int profile = 0, device_sums = 0, max_paths = 0, round_each = 0, is_9_1 = 0;
    unsigned sanitize = 0;
    long long max_trips = 0, max_bytes = 0;
    if (!PyArg_ParseTuple(args, "s|ipiLLzpIp", &path, &profile, &device_sums, &max_paths,
                          &max_trips, &max_bytes, &warn, &round_each, &sanitize, &is_9_1)) {
        return NULL;
    }
    PtsSoc soc;
    PtsError error;
    if (!pts_soc_load(path, &soc, &error)) {
        return raise_error(&error);
    }
    ContextObject *self = (ContextObject *)PyType_GenericAlloc(type, 0);
    if (self == NULL) {
        return NULL;
    }
    PtsOptions options = {.profile = profile == 0 ? PTS_PROFILE_DEVICE : PTS_PROFILE_STRICT,
                          .device_sums = device_sums != 0,
                          .max_paths = max_paths,
                          .max_trips = max_trips,
                          .max_bytes = max_bytes,
                          .warn = warn,
                          .round_each = round_each != 0,
                          .is_9_1 = is_9_1 != 0,
                          .sanitize = sanitize};
    self->context = pts_context_new(&soc, &options);
    self->running = PyThread_allocate_lock();
    if (self->context == NULL || self->running == NULL) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    return (PyObject *)self;
}

static void context_dealloc(PyObject *object)
{
    ContextObject *self = (ContextObject *)object;
    PyTypeObject *type = Py_TYPE(object);
    if (self->trace != NULL) {
        pts_trace_free(self->trace);
    }
    pts_precision_free(self->precision);
    pts_watch_free(self->watch);
    if (self->context != NULL) {
        pts_context_free(self->context);
    }
    if (self->running != NULL) {
        PyThread_free_lock(self->running);
    }
    PyObject_Free(object);
    Py_DECREF(type);
}

/* ---- symbols ---- */

static PyObject *handle_or_error(PtsSym handle, const PtsError *error)
{
    return handle == PTS_SYM_NONE ? raise_error(error) : PyLong_FromUnsignedLong(handle);
}

static PyObject *context_constant(PyObject *object, PyObject *number)
{
    ContextObject *self = (ContextObject *)object;
    PtsError error;
    long long value = PyLong_AsLongLong(number);
    if ((value == -1 && PyErr_Occurred() != NULL) || !context_enter(self)) {
        return NULL;
    }
    return handle_or_error(pts_sym_constant(self->context, value, &error), &error);
}

static PyObject *context_symbol(PyObject *object, PyObject *args)
{
    ContextObject *self = (ContextObject *)object;
    const char *name = NULL;
    PtsError error;
    if (!PyArg_ParseTuple(args, "s", &name) || !context_enter(self)) {
        return NULL;
    }
    return handle_or_error(pts_sym_symbol(self->context, name, &error), &error);
}

static PyObject *context_binary(PyObject *object, PyObject *args)
{
    ContextObject *self = (ContextObject *)object;
    int op = 0;
    PtsSym a = 0, b = 0;
    PtsError error;
    if (!PyArg_ParseTuple(args, "iO&O&", &op, convert_handle, &a, convert_handle, &b) ||
        !context_enter(self)) {
        return NULL;
    }
    if (op < 0 || op > (int)PTS_SYM_GE) {
        PyErr_SetString(PyExc_ValueError, "no such operation on symbols");
        return NULL;
    }
    return handle_or_error(pts_sym_binary(self->context, (PtsSymOp)op, a, b, &error), &error);
}

static PyObject *context_negate(PyObject *object, PyObject *handle)
{
    ContextObject *self = (ContextObject *)object;
    PtsSym a = 0;
    PtsError error;
    if (!convert_handle(handle, &a) || !context_enter(self)) {
        return NULL;
    }
    return handle_or_error(pts_sym_negate(self->context, a, &error), &error);
}

static PyObject *context_not(PyObject *object, PyObject *handle)
{
    ContextObject *self = (ContextObject *)object;
    PtsSym a = 0;
    PtsError error;
    if (!convert_handle(handle, &a) || !context_enter(self)) {
        return NULL;
    }
    return handle_or_error(pts_sym_not(self->context, a, &error), &error);
}

static bool symbol_argument(ContextObject *self, PyObject *handle, PtsSym *a)
{
    if (!convert_handle(handle, a) || !context_enter(self)) {
        return false;
    }
    if (!pts_sym_is_valid(self->context, *a)) {
        PyErr_SetString(PyExc_ValueError, "no such symbol");
        return false;
    }
    return true;
}

static PyObject *context_kind(PyObject *object, PyObject *handle)
{
    ContextObject *self = (ContextObject *)object;
    PtsSym a = 0;
    return symbol_argument(self, handle, &a) ? PyLong_FromLong((long)pts_sym_kind(self->context, a))
                                             : NULL;
}

static PyObject *context_value(PyObject *object, PyObject *handle)
{
    ContextObject *self = (ContextObject *)object;
    PtsSym a = 0;
    int64_t value = 0;
    if (!symbol_argument(self, handle, &a)) {
        return NULL;
    }
    if (pts_sym_value(self->context, a, &value)) {
        return PyLong_FromLongLong(value);
    }
    Py_RETURN_NONE;
}

static PyObject *context_text(PyObject *object, PyObject *handle)
{
    ContextObject *self = (ContextObject *)object;
    PtsSym a = 0;
    char text[4096];
    if (!symbol_argument(self, handle, &a)) {
        return NULL;
    }
    pts_sym_text(self->context, a, text, sizeof text);
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

/* ---- settings ---- */

static PyObject *context_set_vector_tile(PyObject *object, PyObject *list)
{
    ContextObject *self = (ContextObject *)object;
    int64_t tile[PTS_MAX_TILE];
    int count = read_integers(list, tile, PTS_MAX_TILE);
    PtsError error;
    if (count < 0 || !context_enter(self)) {
        return NULL;
    }
    if (!pts_config_set_vector_tile(self->context, count, tile, &error)) {
        return raise_error(&error);
    }
    Py_RETURN_NONE;
}

static PyObject *list_of_integers(const int64_t *numbers, int count)
{
    PyObject *list = PyList_New(0);
    for (int i = 0; list != NULL && i < count; i++) {
        PyObject *item = PyLong_FromLongLong(numbers[i]);
        if (!list_append(list, item)) {
            Py_CLEAR(list);
        }
    }
    return list;
}

static PyObject *context_vector_tile(PyObject *object, PyObject *none)
{
    (void)none;
    ContextObject *self = (ContextObject *)object;
    int64_t tile[PTS_MAX_TILE];
    if (!context_enter(self)) {
        return NULL;
    }
    int count = pts_config_vector_tile(self->context, tile);
    return list_of_integers(tile, count);
}

static PyObject *context_set_cube_tile(PyObject *object, PyObject *args)
{
    ContextObject *self = (ContextObject *)object;
    PyObject *m = NULL, *k = NULL, *n = NULL;
    int split = 0;
    PtsCubeTile tile = {.set = true};
    PtsError error;
    if (!PyArg_ParseTuple(args, "OOOp", &m, &k, &n, &split) || read_integers(m, tile.m, 2) < 0 ||
        read_integers(k, tile.k, 3) < 0 || read_integers(n, tile.n, 2) < 0 ||
        !context_enter(self)) {
        return NULL;
    }
    tile.split_k = split != 0;
    if (!pts_config_set_cube_tile(self->context, &tile, &error)) {
        return raise_error(&error);
    }
    Py_RETURN_NONE;
}

static PyObject *context_cube_tile(PyObject *object, PyObject *none)
{
    (void)none;
    ContextObject *self = (ContextObject *)object;
    if (!context_enter(self)) {
        return NULL;
    }
    PtsCubeTile tile = pts_config_cube_tile(self->context);
    if (!tile.set) {
        Py_RETURN_NONE;
    }
    return Py_BuildValue("(NNNi)", list_of_integers(tile.m, 2), list_of_integers(tile.k, 3),
                         list_of_integers(tile.n, 2), (int)tile.split_k);
}

static PyObject *context_set_label(PyObject *object, PyObject *args)
{
    ContextObject *self = (ContextObject *)object;
    const char *label = NULL;
    if (!PyArg_ParseTuple(args, "s", &label) || !context_enter(self)) {
        return NULL;
    }
    if (!pts_config_set_label(self->context, label)) {
        return PyErr_NoMemory();
    }
    Py_RETURN_NONE;
}

static PyObject *context_scope_push(PyObject *object, PyObject *none)
{
    (void)none;
    ContextObject *self = (ContextObject *)object;
    PtsError error;
    if (!context_enter(self)) {
        return NULL;
    }
    if (!pts_scope_push(self->context, &error)) {
        return raise_error(&error);
    }
    Py_RETURN_NONE;
}

static PyObject *context_scope_depth(PyObject *object, PyObject *none)
{
    (void)none;
    ContextObject *self = (ContextObject *)object;
    return context_enter(self) ? PyLong_FromLong(pts_scope_depth(self->context)) : NULL;
}

static PyObject *context_scope_unwind(PyObject *object, PyObject *args)
{
    ContextObject *self = (ContextObject *)object;
    int depth = 0;
    if (!PyArg_ParseTuple(args, "i", &depth) || !context_enter(self)) {
        return NULL;
    }
    pts_scope_unwind(self->context, depth);
    Py_RETURN_NONE;
}

/* ---- hardware, trace, cancelling ---- */

static PyObject *context_soc(PyObject *object, PyObject *none)
{
    (void)none;
    ContextObject *self = (ContextObject *)object;
    if (!context_enter(self)) {
        return NULL;
    }
    const PtsSoc *soc = pts_context_soc(self->context);
    return Py_BuildValue("{s:s,s:i,s:s,s:L,s:L,s:L,s:L,s:L,s:i,s:i}", "name", soc->name, "arch",
                         soc->arch, "arch_name", soc->arch_name, "l0a", (long long)soc->l0a, "l0b",
                         (long long)soc->l0b, "l0c", (long long)soc->l0c, "l1", (long long)soc->l1,
                         "ub", (long long)soc->ub, "cube_cores", soc->cube_cores, "vector_cores",
                         soc->vector_cores);
}

/* Reads the description that `args` names and hands it to the context. */
static PyObject *use_soc(PyObject *object, PyObject *args,
                         void (*use)(PtsContext *, const PtsSoc *))
{
    ContextObject *self = (ContextObject *)object;
    const char *path = NULL;
    PtsSoc soc;
    PtsError error;
    if (!PyArg_ParseTuple(args, "s", &path) || !context_enter(self)) {
        return NULL;
    }
    if (!pts_soc_load(path, &soc, &error)) {
        return raise_error(&error);
    }
    use(self->context, &soc);
    Py_RETURN_NONE;
}

static PyObject *context_set_soc(PyObject *object, PyObject *args)
{
    return use_soc(object, args, pts_context_set_soc);
}

static PyObject *context_add_soc(PyObject *object, PyObject *args)
{
    return use_soc(object, args, pts_context_add_soc);
}

static PyObject *context_trace_start(PyObject *object, PyObject *args)
{
    ContextObject *self = (ContextObject *)object;
    Py_ssize_t events = 0;
    if (!PyArg_ParseTuple(args, "n", &events) || !context_enter(self)) {
        return NULL;
    }
    if (self->trace == NULL) {
        self->trace = pts_trace_start(self->context, events < 0 ? 0 : (size_t)events);
    }
    if (self->trace == NULL) {
        return PyErr_NoMemory();
    }
    Py_RETURN_NONE;
}

/* Writes the trace to the path in `args` by one of the two writers. */
static PyObject *write_trace(PyObject *object, PyObject *args,
                             bool (*write)(const PtsTrace *, const char *, PtsError *))
{
    ContextObject *self = (ContextObject *)object;
    const char *path = NULL;
    PtsError error;
    if (!PyArg_ParseTuple(args, "s", &path) || !context_enter(self)) {
        return NULL;
    }
    if (self->trace == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "no trace was started");
        return NULL;
    }
    if (!write(self->trace, path, &error)) {
        return raise_error(&error);
    }
    Py_RETURN_NONE;
}

static PyObject *context_trace_write(PyObject *object, PyObject *args)
{
    return write_trace(object, args, pts_trace_write);
}

static PyObject *context_profile_write(PyObject *object, PyObject *args)
{
    return write_trace(object, args, pts_trace_write_profile);
}

static PyObject *context_costs(PyObject *object, PyObject *none)
{
    (void)none;
    ContextObject *self = (ContextObject *)object;
    if (!context_enter(self)) {
        return NULL;
    }
    if (self->trace == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "no trace was started");
        return NULL;
    }
    PyObject *pipes = PyList_New(0), *lines = PyList_New(0);
    bool good = pipes != NULL && lines != NULL;
    double busy = 0;
    const char *name;
    for (size_t i = 0; good && (name = pts_trace_pipe(self->trace, i, &busy)) != NULL; i++) {
        good = list_append(pipes, Py_BuildValue("(sd)", name, busy));
    }
    PtsTraceLine line;
    for (size_t i = 0; good && pts_trace_line(self->trace, i, &line); i++) {
        good = list_append(lines,
                           Py_BuildValue("(siIdddd)", line.file, line.line, line.operations,
                                         line.cycles, line.in_bytes, line.out_bytes, line.flops));
    }
    if (!good) {
        Py_XDECREF(pipes);
        Py_XDECREF(lines);
        return NULL;
    }
    return Py_BuildValue("(dNN)", pts_trace_cycles(self->trace), pipes, lines);
}

static PyMethodDef methods[] = {
    {"constant", context_constant, METH_O, "constant(value) -> symbol"},
    {"symbol", context_symbol, METH_VARARGS, "symbol(name) -> symbol"},
    {"binary", context_binary, METH_VARARGS, "binary(op, a, b) -> symbol"},
    {"negate", context_negate, METH_O, "negate(a) -> symbol"},
    {"logical_not", context_not, METH_O, "logical_not(a) -> symbol"},
    {"kind", context_kind, METH_O, "kind(a): 0 constant, 1 symbol, 2 expression"},
    {"value", context_value, METH_O, "value(a) -> int or None"},
    {"text", context_text, METH_O, "text(a) -> str"},
    {"set_vector_tile", context_set_vector_tile, METH_O, "set_vector_tile(list)"},
    {"vector_tile", context_vector_tile, METH_NOARGS, "vector_tile() -> list"},
    {"set_cube_tile", context_set_cube_tile, METH_VARARGS, "set_cube_tile(m, k, n, split_k)"},
    {"cube_tile", context_cube_tile, METH_NOARGS, "cube_tile() -> (m, k, n, split_k) or None"},
    {"set_label", context_set_label, METH_VARARGS, "set_label(text)"},
    {"scope_push", context_scope_push, METH_NOARGS, "scope_push()"},
    {"scope_depth", context_scope_depth, METH_NOARGS, "scope_depth() -> int"},
    {"scope_unwind", context_scope_unwind, METH_VARARGS, "scope_unwind(depth)"},
    {"soc", context_soc, METH_NOARGS, "soc() -> dict"},
    {"set_soc", context_set_soc, METH_VARARGS, "set_soc(path)"},
    {"add_soc", context_add_soc, METH_VARARGS, "add_soc(path): other hardware, for messages"},
    {"trace_start", context_trace_start, METH_VARARGS, "trace_start(max_events)"},
    {"trace_write", context_trace_write, METH_VARARGS, "trace_write(path)"},
    {"costs", context_costs, METH_NOARGS,
     "costs() -> (cycles, [(pipe, busy)], [(file, line, operations, cycles, in, out, flops)])"},
    {"profile_write", context_profile_write, METH_VARARGS, "profile_write(path)"},
    {"precision_start", context_precision_start, METH_VARARGS, "precision_start(tolerance)"},
    {"precision_stop", context_precision_stop, METH_NOARGS, "precision_stop()"},
    {"precision_report", context_precision_report, METH_NOARGS, "precision_report() -> dict"},
    {"watch_start", context_watch_start, METH_VARARGS, "watch_start(max_records, max_bytes)"},
    {"watch_take", context_watch_take, METH_NOARGS,
     "watch_take() -> (records, elements, left out)"},
    {NULL, NULL, 0, NULL},
};

PyTypeObject *context_type_new(void)
{
    PyType_Slot slots[] = {
        {Py_tp_doc, (void *)(uintptr_t) "Context(soc_path, profile=0, device_sums=False, …)"},
        {Py_tp_new, (void *)(uintptr_t)context_new},
        {Py_tp_dealloc, (void *)(uintptr_t)context_dealloc},
        {Py_tp_methods, methods},
        {0, NULL},
    };
    PyType_Spec spec = {
        .name = "_ptosim.Context",
        .basicsize = (int)sizeof(ContextObject),
        .flags = Py_TPFLAGS_DEFAULT,
        .slots = slots,
    };
    return (PyTypeObject *)PyType_FromSpec(&spec);
}
