/* Conversions between Python objects and libptosim's plain values, and from errors to
 * exceptions. */
#include "ext.h"

static PyObject *error_factory;

PyObject *set_error_factory(PyObject *self, PyObject *factory)
{
    (void)self;
    if (!PyCallable_Check(factory)) {
        PyErr_SetString(PyExc_TypeError, "the error factory must be callable");
        return NULL;
    }
    Py_INCREF(factory);
    PyObject *old = error_factory;
    error_factory = factory;
    Py_XDECREF(old);
    Py_RETURN_NONE;
}

PyObject *raise_error(const PtsError *error)
{
    char text[2048];
    pts_error_text(error, text, sizeof text);
    if (error_factory == NULL) {
        PyErr_SetString(PyExc_RuntimeError, text);
        return NULL;
    }
    PyObject *made = PyObject_CallFunction(error_factory, "iIzzzis", (int)error->kind,
                                           (unsigned)error->code, error->symbol, error->message,
                                           error->site.file, error->site.line, text);
    if (made == NULL) {
        return NULL;
    }
    PyErr_SetObject((PyObject *)Py_TYPE(made), made);
    Py_DECREF(made);
    return NULL;
}

static int convert_uint32(PyObject *object, uint32_t *number, const char *what)
{
    unsigned long value = PyLong_AsUnsignedLong(object);
    if (value == (unsigned long)-1 && PyErr_Occurred() != NULL) {
        PyErr_Clear();
        PyErr_Format(PyExc_ValueError, "%R is not a %s", object, what);
        return 0;
    }
    if (value > UINT32_MAX) {
        PyErr_Format(PyExc_ValueError, "%R is not a %s", object, what);
        return 0;
    }
    *number = (uint32_t)value;
    return 1;
}

int convert_handle(PyObject *object, void *handle)
{
    return convert_uint32(object, handle, "symbol");
}

int convert_slot(PyObject *object, void *slot)
{
    return convert_uint32(object, slot, "tensor");
}

int convert_dtype(PyObject *object, void *dtype)
{
    long value = PyLong_AsLong(object);
    if (value == -1 && PyErr_Occurred() != NULL) {
        return 0;
    }
    if (value < 0 || value > PTS_BOTTOM) {
        PyErr_Format(PyExc_ValueError, "%ld is not a data type", value);
        return 0;
    }
    *(PtsDtype *)dtype = (PtsDtype)value;
    return 1;
}

/* The number of items of a list or tuple; -1 with an exception if it is neither or is too long. */
static Py_ssize_t sequence_size(PyObject *list, int limit)
{
    Py_ssize_t size = -1;
    if (PyList_Check(list) || PyTuple_Check(list)) {
        size = PySequence_Size(list);
    } else {
        PyErr_SetString(PyExc_TypeError, "a list is wanted");
    }
    if (size > limit) {
        PyErr_Format(PyExc_ValueError, "at most %d entries are possible, not %zd", limit, size);
        return -1;
    }
    return size;
}

int read_handles(PyObject *list, PtsSym *handles, int limit)
{
    Py_ssize_t size = sequence_size(list, limit);
    for (Py_ssize_t i = 0; i < size; i++) {
        PyObject *item = PySequence_GetItem(list, i);
        int good = item != NULL && convert_handle(item, &handles[i]);
        Py_XDECREF(item);
        if (!good) {
            return -1;
        }
    }
    return (int)size;
}

int read_integers(PyObject *list, int64_t *numbers, int limit)
{
    Py_ssize_t size = sequence_size(list, limit);
    for (Py_ssize_t i = 0; i < size; i++) {
        PyObject *item = PySequence_GetItem(list, i);
        numbers[i] = item == NULL ? -1 : PyLong_AsLongLong(item);
        Py_XDECREF(item);
        if (numbers[i] == -1 && PyErr_Occurred() != NULL) {
            return -1;
        }
    }
    return (int)size;
}

bool list_append(PyObject *list, PyObject *item)
{
    bool good = item != NULL && PyList_Append(list, item) == 0;
    Py_XDECREF(item);
    return good;
}

PyObject *list_of_handles(const PtsSym *handles, int count)
{
    PyObject *list = PyList_New(0);
    for (int i = 0; list != NULL && i < count; i++) {
        PyObject *item = PyLong_FromUnsignedLong(handles[i]);
        if (!list_append(list, item)) {
            Py_CLEAR(list);
        }
    }
    return list;
}

PyObject *list_of_values(const PtsContext *context, const PtsSym *handles, int count)
{
    PyObject *list = PyList_New(0);
    for (int i = 0; list != NULL && i < count; i++) {
        int64_t value = 0;
        bool known = pts_sym_value(context, handles[i], &value);
        PyObject *item = known ? PyLong_FromLongLong(value) : Py_None;
        if (!known) {
            Py_INCREF(Py_None);
        }
        if (!list_append(list, item)) {
            Py_CLEAR(list);
        }
    }
    return list;
}

PtsSite site_of(ContextObject *context, const char *file, int line)
{
    PtsSite site = {.line = line};
    site.file = file == NULL ? NULL : pts_site_file(context->context, file);
    return site;
}

bool read_argument(PyObject *tuple, PtsArgument *argument)
{
    unsigned long long address = 0, written = 0;
    PyObject *shape = NULL;
    *argument = (PtsArgument){.dtype = PTS_BOTTOM};
    if (!PyTuple_Check(tuple)) {
        PyErr_SetString(PyExc_TypeError, "an argument is (address, dtype, shape[, written])");
        return false;
    }
    if (!PyArg_ParseTuple(tuple, "KO&O|K", &address, convert_dtype, &argument->dtype, &shape,
                          &written)) {
        return false;
    }
    argument->rank = read_integers(shape, argument->shape, PTS_MAX_RANK);
    argument->data = (void *)(uintptr_t)address;
    argument->written = (unsigned char *)(uintptr_t)written;
    return argument->rank >= 0;
}
