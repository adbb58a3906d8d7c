/* The CPython extension `_ptosim`: libptosim's objects for the Python package pypto.
 *
 * A thin layer: handles are Python ints, sites are (file, line), and errors go through a factory
 * that pypto registers, so that Python code sees pypto's own exception classes. Written against the
 * limited API of Python 3.8: one binary serves all later versions. */
#ifndef PTOSIM_EXT_H
#define PTOSIM_EXT_H

#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x03080000
#endif
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "sim/ptosim.h"

typedef struct ContextObject {
    PyObject_HEAD PtsContext *context;
    PtsTrace *trace;
    PtsPrecision *precision;    /* NULL = not looked at */
    PtsWatch *watch;            /* NULL = nothing is watched */
    PyThread_type_lock running; /* held while a program runs without the interpreter's lock */
    bool busy;
} ContextObject;

typedef struct ProgramObject {
    PyObject_HEAD ContextObject *context; /* owned */
    PtsProgram *program;                  /* NULL after close() */
} ProgramObject;

extern PyTypeObject *context_type, *program_type;

/* Make the types; NULL with an exception. */
PyTypeObject *context_type_new(void);
PyTypeObject *program_type_new(void);

/* Raises what the registered factory makes of the error; returns NULL. */
PyObject *raise_error(const PtsError *error);
/* _ptosim.set_error_factory(function). */
PyObject *set_error_factory(PyObject *self, PyObject *factory);

/* May the context be used now? Waits while another thread runs a program in it. False with an
 * exception. */
bool context_enter(ContextObject *context);
/* The same for a program, which must not have been closed. */
bool program_enter(ProgramObject *program);

/* Converters for PyArg_ParseTuple's "O&": a symbol's handle, a slot's handle, a data type. */
int convert_handle(PyObject *object, void *handle);
int convert_slot(PyObject *object, void *slot);
int convert_dtype(PyObject *object, void *dtype);

/* A list or tuple of at most `limit` handles; -1 with an exception, else the count. */
int read_handles(PyObject *list, PtsSym *handles, int limit);
/* A list or tuple of 64-bit integers, likewise. */
int read_integers(PyObject *list, int64_t *numbers, int limit);
/* Appends a new reference to a list, which takes it; false, with an exception, when it is NULL or
 * memory ran out. */
bool list_append(PyObject *list, PyObject *item);
PyObject *list_of_handles(const PtsSym *handles, int count);
/* The values of constants, None for the others. */
PyObject *list_of_values(const PtsContext *context, const PtsSym *handles, int count);

/* Context.precision_… (precision.c). */
PyObject *context_precision_start(PyObject *object, PyObject *args);
PyObject *context_precision_stop(PyObject *object, PyObject *none);
PyObject *context_precision_report(PyObject *object, PyObject *none);
PyObject *program_emit(PyObject *self, PyObject *args);
PyObject *program_run(PyObject *self, PyObject *args);
PyObject *context_watch_start(PyObject *self, PyObject *args);
PyObject *context_watch_take(PyObject *self, PyObject *none);
PyObject *program_unwritten(PyObject *object, PyObject *none);
PyObject *program_wrote(PyObject *object, PyObject *args);
/* _ptosim.matmul and _ptosim.convert, over addresses. */
PyObject *module_matmul(PyObject *self, PyObject *args);
PyObject *module_convert(PyObject *self, PyObject *args);
/* _ptosim.compare and its kin (compare.c). */
PyObject *module_compare(PyObject *self, PyObject *args);
PyObject *module_compare_details(PyObject *self, PyObject *args);
PyObject *module_compare_order(PyObject *self, PyObject *args);
/* _ptosim.route and its kin (route_type.c): the stand-in for torch_npu before torch's functions. */
PyObject *module_route_setup(PyObject *self, PyObject *args);
PyObject *module_route(PyObject *self, PyObject *args);
PyObject *module_route_default(PyObject *self, PyObject *index);
PyObject *module_route_capture(PyObject *self, PyObject *function);
/* _ptosim.places (places.c). */
PyObject *module_places(PyObject *self, PyObject *args);
/* (address, dtype, shape[, address of the map of written bytes]) → an argument; false with an
 * exception. */
bool read_argument(PyObject *tuple, PtsArgument *argument);

/* The site of an operation; `file` may be NULL. */
PtsSite site_of(ContextObject *context, const char *file, int line);

#endif
