/* Context.watch_start and watch_take: the records of watched runs as Python objects. */
#include "ext.h"

static PyObject *list_of_integers(const int64_t *numbers, int count)
{
    PyObject *list = PyList_New(count);
    for (int i = 0; list != NULL && i < count; i++) {
        PyObject *number = PyLong_FromLongLong(numbers[i]);
        if (number == NULL || PyList_SetItem(list, i, number) != 0) {
            Py_CLEAR(list);
        }
    }
    return list;
}

static PyObject *operands_of(const PtsWatched *record)
{
    PyObject *list = PyList_New(record->operand_count);
    for (int i = 0; list != NULL && i < record->operand_count; i++) {
        const PtsWatchedOperand *operand = &record->operands[i];
        PyObject *item = operand->is_number ? Py_BuildValue("[sd]", "number", operand->number)
                         : operand->source >= 0
                             ? Py_BuildValue("[sL]", "record", (long long)operand->source)
                             : Py_BuildValue("[s]", "none");
        if (item == NULL || PyList_SetItem(list, i, item) != 0) {
            Py_CLEAR(list);
        }
    }
    return list;
}

static PyObject *attributes_of(const PtsWatchedAttributes *from)
{
    return Py_BuildValue(
        "{s:i,s:i,s:i,s:O,s:O,s:O,s:O,s:O,s:d,s:L,s:N,s:N}", "dim", from->dim, "dim1", from->dim1,
        "mode", from->mode, "has_dim", from->has_dim ? Py_True : Py_False, "keepdim",
        from->keepdim ? Py_True : Py_False, "a_trans", from->a_trans ? Py_True : Py_False,
        "b_trans", from->b_trans ? Py_True : Py_False, "largest",
        from->largest ? Py_True : Py_False, "real", from->real, "diagonal",
        (long long)from->diagonal, "shape", list_of_integers(from->shape, from->shape_rank),
        "offsets", list_of_integers(from->offsets, from->offset_rank));
}

static PyObject *record_of(const PtsWatched *record)
{
    const char *kind = record->is_parameter ? "parameter" : record->is_end ? "end" : "op";
    return Py_BuildValue(
        "{s:s,s:s,s:s,s:s,s:i,s:i,s:i,s:i,s:L,s:O,s:O,s:N,s:N,s:N,s:s,s:N,s:L}", "kind", kind, "op",
        record->is_parameter || record->is_end ? "" : pts_op_name(record->op), "name", record->name,
        "file", record->site.file, "line", record->site.line, "launch", record->launch, "parameter",
        record->parameter, "result", record->result, "target", (long long)record->target, "write",
        record->is_write ? Py_True : Py_False, "partial", record->is_partial ? Py_True : Py_False,
        "loops", list_of_integers(record->loops, record->loop_count), "operands",
        operands_of(record), "attributes", attributes_of(&record->attributes), "dtype",
        pts_dtype_name(record->dtype), "shape", list_of_integers(record->shape, record->rank), "at",
        (long long)record->data_at);
}

PyObject *context_watch_start(PyObject *object, PyObject *args)
{
    ContextObject *self = (ContextObject *)object;
    Py_ssize_t records = 0, bytes = 0;
    if (!PyArg_ParseTuple(args, "nn", &records, &bytes) || !context_enter(self)) {
        return NULL;
    }
    if (records < 0 || bytes < 0) {
        PyErr_SetString(PyExc_ValueError, "a limit is negative");
        return NULL;
    }
    pts_watch_free(self->watch);
    self->watch = pts_watch_start(self->context, (size_t)records, (size_t)bytes);
    if (self->watch == NULL) {
        return PyErr_NoMemory();
    }
    Py_RETURN_NONE;
}

PyObject *context_watch_take(PyObject *object, PyObject *none)
{
    (void)none;
    ContextObject *self = (ContextObject *)object;
    if (!context_enter(self)) {
        return NULL;
    }
    if (self->watch == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "nothing is watched");
        return NULL;
    }
    size_t size, count = pts_watch_count(self->watch);
    const char *data = pts_watch_data(self->watch, &size);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && i < count; i++) {
        PyObject *item = record_of(pts_watch_at(self->watch, i));
        if (!list_append(list, item)) {
            Py_CLEAR(list);
        }
    }
    PyObject *taken =
        list == NULL ? NULL
                     : Py_BuildValue("(Ny#n)", list, data == NULL ? "" : data, (Py_ssize_t)size,
                                     (Py_ssize_t)pts_watch_left_out(self->watch));
    pts_watch_free(self->watch);
    self->watch = NULL;
    return taken;
}
