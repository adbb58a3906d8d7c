/* _ptosim.Program: a kernel that is being recorded, or has been. */
#include "cook.h"

#include <limits.h>

bool program_enter(ProgramObject *program)
{
    if (!context_enter(program->context)) {
        return false;
    }
    if (program->program == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "this kernel was closed");
        return false;
    }
    return true;
}

static PyObject *program_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    (void)keywords;
    PyObject *context = NULL;
    const char *name = NULL, *file = NULL;
    int line = 0;
    PtsError error;
    if (!PyArg_ParseTuple(args, "O!szi", context_type, &context, &name, &file, &line) ||
        !context_enter((ContextObject *)context)) {
        return NULL;
    }
    ContextObject *owner = (ContextObject *)context;
    PtsSite site = site_of(owner, file, line);
    PtsProgram *program = pts_program_begin(owner->context, name, site, &error);
    if (program == NULL) {
        return raise_error(&error);
    }
    ProgramObject *self = (ProgramObject *)PyType_GenericAlloc(type, 0);
    if (self == NULL) {
        pts_program_free(program);
        return NULL;
    }
    Py_INCREF(context);
    self->context = owner;
    self->program = program;
    return (PyObject *)self;
}

/* Another thread may be running a program of the context; freeing waits for it. */
static void release_program(ProgramObject *self)
{
    if (self->program != NULL && context_enter(self->context)) {
        PtsProgram *program = self->program;
        self->program = NULL;
        if (program != NULL) {
            pts_program_free(program);
        }
    }
}

static void program_dealloc(PyObject *object)
{
    ProgramObject *self = (ProgramObject *)object;
    PyTypeObject *type = Py_TYPE(object);
    release_program(self);
    Py_XDECREF((PyObject *)self->context);
    PyObject_Free(object);
    Py_DECREF(type);
}

static PyObject *program_close(PyObject *object, PyObject *none)
{
    (void)none;
    release_program((ProgramObject *)object);
    Py_RETURN_NONE;
}

/* ---- tensors ---- */

typedef struct Declaration {
    PtsDtype dtype;
    PyObject *shape;
    int format, line;
    const char *name, *file;
    PtsSym dims[PTS_MAX_RANK];
    int rank;
} Declaration;

static bool read_declaration(ProgramObject *self, PyObject *args, Declaration *out)
{
    if (!PyArg_ParseTuple(args, "O&Oizzi", convert_dtype, &out->dtype, &out->shape, &out->format,
                          &out->name, &out->file, &out->line)) {
        return false;
    }
    out->rank = read_handles(out->shape, out->dims, PTS_MAX_RANK);
    return out->rank >= 0 && program_enter(self);
}

static PyObject *slot_or_error(PtsSlot slot, const PtsError *error)
{
    return slot == PTS_SLOT_NONE ? raise_error(error) : PyLong_FromUnsignedLong(slot);
}

static PyObject *program_parameter(PyObject *object, PyObject *args)
{
    ProgramObject *self = (ProgramObject *)object;
    Declaration made;
    PtsError error;
    if (!read_declaration(self, args, &made)) {
        return NULL;
    }
    PtsSlot slot = pts_parameter(self->program, made.dtype, made.rank, made.dims,
                                 made.format == PTS_NZ ? PTS_NZ : PTS_ND, made.name,
                                 site_of(self->context, made.file, made.line), &error);
    return slot_or_error(slot, &error);
}

static PyObject *program_declare(PyObject *object, PyObject *args)
{
    ProgramObject *self = (ProgramObject *)object;
    Declaration made;
    PtsError error;
    if (!read_declaration(self, args, &made)) {
        return NULL;
    }
    PtsSlot slot = pts_declare(self->program, made.dtype, made.rank, made.dims,
                               made.format == PTS_NZ ? PTS_NZ : PTS_ND, made.name,
                               site_of(self->context, made.file, made.line), &error);
    return slot_or_error(slot, &error);
}

static PyObject *symbol_or_error(PtsSym symbol, const PtsError *error)
{
    return symbol == PTS_SYM_NONE ? raise_error(error) : PyLong_FromUnsignedLong(symbol);
}

static PyObject *program_parameter_dim(PyObject *object, PyObject *args)
{
    ProgramObject *self = (ProgramObject *)object;
    int index = 0, axis = 0;
    const char *name = NULL;
    PtsError error;
    if (!PyArg_ParseTuple(args, "iiz", &index, &axis, &name) || !program_enter(self)) {
        return NULL;
    }
    return symbol_or_error(pts_parameter_dim(self->program, index, axis, name, &error), &error);
}

static PyObject *program_info(PyObject *object, PyObject *slot_object)
{
    ProgramObject *self = (ProgramObject *)object;
    PtsSlot slot = 0;
    PtsSlotInfo info;
    PtsError error;
    if (!convert_slot(slot_object, &slot) || !program_enter(self)) {
        return NULL;
    }
    if (!pts_slot_info(self->program, slot, &info, &error)) {
        return raise_error(&error);
    }
    const PtsContext *context = self->context->context;
    return Py_BuildValue(
        "(iiNNNNiis)", (int)info.dtype, (int)info.format, list_of_handles(info.shape, info.rank),
        list_of_values(context, info.shape, info.rank), list_of_handles(info.valid, info.rank),
        list_of_values(context, info.valid, info.rank), (int)info.is_parameter,
        (int)info.is_written, info.name == NULL ? "" : info.name);
}

static PyObject *program_set_name(PyObject *object, PyObject *args)
{
    ProgramObject *self = (ProgramObject *)object;
    PtsSlot slot = 0;
    const char *name = NULL;
    if (!PyArg_ParseTuple(args, "O&s", convert_slot, &slot, &name) || !program_enter(self)) {
        return NULL;
    }
    return PyBool_FromLong(pts_slot_set_name(self->program, slot, name));
}

static PyObject *program_element_read(PyObject *object, PyObject *args)
{
    ProgramObject *self = (ProgramObject *)object;
    PtsSlot slot = 0;
    PyObject *list = NULL;
    const char *file = NULL;
    int line = 0;
    PtsSym index[PTS_MAX_RANK];
    PtsError error;
    if (!PyArg_ParseTuple(args, "O&Ozi", convert_slot, &slot, &list, &file, &line)) {
        return NULL;
    }
    int rank = read_handles(list, index, PTS_MAX_RANK);
    if (rank < 0 || !program_enter(self)) {
        return NULL;
    }
    PtsSite site = site_of(self->context, file, line);
    return symbol_or_error(pts_element_read(self->program, slot, rank, index, site, &error),
                           &error);
}

/* ---- control flow ---- */

static PyObject *program_next_path(PyObject *object, PyObject *none)
{
    (void)none;
    ProgramObject *self = (ProgramObject *)object;
    return program_enter(self) ? PyBool_FromLong(pts_program_next_path(self->program)) : NULL;
}

static PyObject *program_loop_begin(PyObject *object, PyObject *args)
{
    ProgramObject *self = (ProgramObject *)object;
    PtsLoop loop = {.name = NULL};
    int parallel = 0, submit = 0;
    const char *file = NULL;
    int line = 0;
    PtsSym index = PTS_SYM_NONE;
    PtsError error;
    if (!PyArg_ParseTuple(args, "O&O&O&zzppzi", convert_handle, &loop.start, convert_handle,
                          &loop.stop, convert_handle, &loop.step, &loop.name, &loop.index_name,
                          &parallel, &submit, &file, &line) ||
        !program_enter(self)) {
        return NULL;
    }
    loop.parallel = parallel != 0;
    loop.submit_before = submit != 0;
    loop.site = site_of(self->context, file, line);
    if (!pts_loop_begin(self->program, &loop, &index, &error)) {
        return raise_error(&error);
    }
    return PyLong_FromUnsignedLong(index);
}

static PyObject *program_loop_next(PyObject *object, PyObject *none)
{
    (void)none;
    ProgramObject *self = (ProgramObject *)object;
    return program_enter(self) ? PyBool_FromLong(pts_loop_next_path(self->program)) : NULL;
}

static PyObject *program_loop_end(PyObject *object, PyObject *none)
{
    (void)none;
    ProgramObject *self = (ProgramObject *)object;
    PtsError error;
    if (!program_enter(self)) {
        return NULL;
    }
    if (!pts_loop_end(self->program, &error)) {
        return raise_error(&error);
    }
    Py_RETURN_NONE;
}

static PyObject *program_loop_edge(PyObject *object, PyObject *args)
{
    ProgramObject *self = (ProgramObject *)object;
    PtsSym index = 0;
    int end = 0;
    PtsError error;
    if (!PyArg_ParseTuple(args, "O&p", convert_handle, &index, &end) || !program_enter(self)) {
        return NULL;
    }
    return symbol_or_error(pts_loop_edge(self->program, index, end != 0, &error), &error);
}

static PyObject *program_condition(PyObject *object, PyObject *args)
{
    ProgramObject *self = (ProgramObject *)object;
    PtsSym condition = 0;
    const char *file = NULL;
    int line = 0;
    PtsError error;
    if (!PyArg_ParseTuple(args, "O&zi", convert_handle, &condition, &file, &line) ||
        !program_enter(self)) {
        return NULL;
    }
    PtsSite site = site_of(self->context, file, line);
    int decision = pts_condition(self->program, condition, site, &error);
    return decision < 0 ? raise_error(&error) : PyBool_FromLong(decision);
}

static PyObject *program_end(PyObject *object, PyObject *none)
{
    (void)none;
    ProgramObject *self = (ProgramObject *)object;
    PtsError error;
    if (!program_enter(self)) {
        return NULL;
    }
    if (!pts_program_end(self->program, &error)) {
        return raise_error(&error);
    }
    Py_RETURN_NONE;
}

static PyObject *program_lenient(PyObject *object, PyObject *none)
{
    (void)none;
    ProgramObject *self = (ProgramObject *)object;
    if (!program_enter(self)) {
        return NULL;
    }
    pts_program_lenient(self->program);
    Py_RETURN_NONE;
}

static PyObject *program_abandon(PyObject *object, PyObject *none)
{
    (void)none;
    ProgramObject *self = (ProgramObject *)object;
    if (!program_enter(self)) {
        return NULL;
    }
    pts_program_abandon(self->program);
    Py_RETURN_NONE;
}

/* ---- looking at it ---- */

static PyObject *program_diagnostics(PyObject *object, PyObject *none)
{
    (void)none;
    ProgramObject *self = (ProgramObject *)object;
    PyObject *list = program_enter(self) ? PyList_New(0) : NULL;
    size_t count = list == NULL ? 0 : pts_diagnostic_count(self->program);
    for (size_t i = 0; list != NULL && i < count; i++) {
        const PtsDiagnostic *one = pts_diagnostic(self->program, i);
        PyObject *item = Py_BuildValue("(iIsszi)", (int)one->severity, (unsigned)one->code, one->id,
                                       one->message, one->site.file, one->site.line);
        if (!list_append(list, item)) {
            Py_CLEAR(list);
        }
    }
    return list;
}

static PyObject *program_text(PyObject *object, PyObject *none)
{
    (void)none;
    ProgramObject *self = (ProgramObject *)object;
    if (!program_enter(self)) {
        return NULL;
    }
    size_t size = pts_program_text(self->program, NULL, 0) + 1;
    char *text = PyMem_Malloc(size);
    if (text == NULL) {
        return PyErr_NoMemory();
    }
    pts_program_text(self->program, text, size);
    PyObject *result = PyUnicode_DecodeUTF8(text, (Py_ssize_t)size - 1, "replace");
    PyMem_Free(text);
    return result;
}

static PyObject *program_computes(PyObject *object, PyObject *none)
{
    (void)none;
    ProgramObject *self = (ProgramObject *)object;
    return program_enter(self) ? PyBool_FromLong(pts_program_computes(self->program)) : NULL;
}

static PyObject *program_writes(PyObject *object, PyObject *number)
{
    ProgramObject *self = (ProgramObject *)object;
    long parameter = PyLong_AsLong(number);
    if ((parameter == -1 && PyErr_Occurred() != NULL) || !program_enter(self)) {
        return NULL;
    }
    return PyBool_FromLong(parameter >= 0 && parameter <= INT_MAX &&
                           pts_program_writes(self->program, (int)parameter));
}

static PyMethodDef methods[] = {
    {"close", program_close, METH_NOARGS, "close(): gives its memory back"},
    {"parameter", program_parameter, METH_VARARGS,
     "parameter(dtype, shape, format, name, file, line) -> slot"},
    {"declare", program_declare, METH_VARARGS,
     "declare(dtype, shape, format, name, file, line) -> slot"},
    {"parameter_dim", program_parameter_dim, METH_VARARGS,
     "parameter_dim(parameter, axis, name) -> symbol"},
    {"info", program_info, METH_O,
     "info(slot) -> (dtype, format, shape, values, valid, values, is_parameter, is_written, name)"},
    {"set_name", program_set_name, METH_VARARGS, "set_name(slot, name) -> bool"},
    {"emit", program_emit, METH_VARARGS,
     "emit(op, operands, attributes, file, line) -> tuple of slots"},
    {"cook", program_cook, METH_VARARGS,
     "cook(recording, recipe, arguments, file, line) -> what the function returns"},
    {"element_read", program_element_read, METH_VARARGS,
     "element_read(slot, index, file, line) -> symbol"},
    {"next_path", program_next_path, METH_NOARGS, "next_path() -> bool"},
    {"loop_begin", program_loop_begin, METH_VARARGS,
     "loop_begin(start, stop, step, name, index_name, parallel, submit_before, file, line)"},
    {"loop_next", program_loop_next, METH_NOARGS, "loop_next() -> bool"},
    {"loop_end", program_loop_end, METH_NOARGS, "loop_end()"},
    {"loop_edge", program_loop_edge, METH_VARARGS, "loop_edge(index, end) -> symbol"},
    {"condition", program_condition, METH_VARARGS, "condition(symbol, file, line) -> bool"},
    {"end", program_end, METH_NOARGS, "end(): ends the recording and checks the whole kernel"},
    {"lenient", program_lenient, METH_NOARGS,
     "lenient(): reads of unwritten tensors are errors of a run, not of the recording"},
    {"abandon", program_abandon, METH_NOARGS, "abandon(): gives the recording up"},
    {"diagnostics", program_diagnostics, METH_NOARGS,
     "diagnostics() -> list of (severity, code, id, message, file, line)"},
    {"text", program_text, METH_NOARGS, "text() -> str"},
    {"writes", program_writes, METH_O, "writes(parameter) -> bool: may a run write its memory?"},
    {"computes", program_computes, METH_NOARGS,
     "computes() -> bool: does an operation compute, or do all only move and convert?"},
    {"unwritten", program_unwritten, METH_NOARGS,
     "unwritten() -> list of (parameter, is_unset, begin, end, message, file, line)"},
    {"wrote", program_wrote, METH_VARARGS, "wrote(parameter, begin, end) -> bool: by the last run"},
    {"run", program_run, METH_VARARGS,
     "run(arguments, threads, "
     "in_main_thread) -> (ops, iterations, bytes, flops, seconds)"},
    {NULL, NULL, 0, NULL},
};

PyTypeObject *program_type_new(void)
{
    PyType_Slot slots[] = {
        {Py_tp_doc, (void *)(uintptr_t) "Program(context, name, file, line)"},
        {Py_tp_new, (void *)(uintptr_t)program_new},
        {Py_tp_dealloc, (void *)(uintptr_t)program_dealloc},
        {Py_tp_methods, methods},
        {0, NULL},
    };
    PyType_Spec spec = {
        .name = "_ptosim.Program",
        .basicsize = (int)sizeof(ProgramObject),
        .flags = Py_TPFLAGS_DEFAULT,
        .slots = slots,
    };
    return (PyTypeObject *)PyType_FromSpec(&spec);
}
