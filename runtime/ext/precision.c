/* Context.precision_start and precision_report: errors against double, by line (precision.h). */
#include "ext.h"

PyObject *context_precision_start(PyObject *object, PyObject *args)
{
    ContextObject *self = (ContextObject *)object;
    double tolerance = 0;
    if (!PyArg_ParseTuple(args, "d", &tolerance) || !context_enter(self)) {
        return NULL;
    }
    pts_precision_free(self->precision);
    self->precision = pts_precision_start(self->context, tolerance);
    if (self->precision == NULL) {
        return PyErr_NoMemory();
    }
    Py_RETURN_NONE;
}

PyObject *context_precision_stop(PyObject *object, PyObject *none)
{
    ContextObject *self = (ContextObject *)object;
    (void)none;
    if (!context_enter(self)) {
        return NULL;
    }
    pts_precision_free(self->precision);
    self->precision = NULL;
    Py_RETURN_NONE;
}

static PyObject *names_of(unsigned flags)
{
    PyObject *list = PyList_New(0);
    for (int i = 0; list != NULL && i < PTS_PRECISION_FLAGS; i++) {
        if ((flags >> i & 1) == 0) {
            continue;
        }
        PyObject *name = PyUnicode_FromString(pts_precision_flag(1U << i));
        if (!list_append(list, name)) {
            Py_CLEAR(list);
        }
    }
    return list;
}

static PyObject *row_of(const PtsPrecisionRow *row)
{
    PyObject *iteration =
        row->in_loop ? PyLong_FromLongLong((long long)row->iteration) : Py_BuildValue("");
    return Py_BuildValue("{s:z,s:i,s:s,s:N,s:L,s:d,s:d,s:d,s:d,s:N,s:N,s:O}", "file",
                         row->site.file, "line", row->site.line, "operation", pts_op_name(row->op),
                         "iteration", iteration, "executions", (long long)row->executions, "added",
                         row->added, "inherited", row->inherited, "share", row->share, "tolerance",
                         row->tolerance, "flags", names_of(row->flags), "harmless",
                         names_of(row->harmless), "accused", row->is_accused ? Py_True : Py_False);
}

static PyObject *rows_of(const PtsPrecision *precision, size_t most)
{
    PtsPrecisionRow *rows = PyMem_Malloc(sizeof *rows * (most + 1));
    if (rows == NULL) {
        return PyErr_NoMemory();
    }
    size_t count = pts_precision_rows(precision, rows, most);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && i < count; i++) {
        PyObject *row = row_of(&rows[i]);
        if (!list_append(list, row)) {
            Py_CLEAR(list);
        }
    }
    PyMem_Free(rows);
    return list;
}

PyObject *context_precision_report(PyObject *object, PyObject *none)
{
    ContextObject *self = (ContextObject *)object;
    (void)none;
    if (!context_enter(self)) {
        return NULL;
    }
    if (self->precision == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "precision is not looked at");
        return NULL;
    }
    PtsPrecisionSummary summary = pts_precision_summary(self->precision);
    PyObject *rows = rows_of(self->precision, summary.rows);
    PyObject *beyond = summary.has_beyond ? row_of(&summary.beyond) : Py_BuildValue("");
    return Py_BuildValue("{s:L,s:L,s:d,s:O,s:N,s:N}", "runs", (long long)summary.runs, "unchecked",
                         (long long)summary.unchecked, "output_error", summary.output_error,
                         "output_is_wrong", summary.output_is_wrong ? Py_True : Py_False,
                         "first_beyond", beyond, "precision", rows);
}
