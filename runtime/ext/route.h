/* Routes: what their calls (route.c) and their types (route_type.c) share. */
#ifndef PTOSIM_EXT_ROUTE_H
#define PTOSIM_EXT_ROUTE_H

#include "ext.h"

#include <stdbool.h>

typedef struct RouteObject {
    PyObject_HEAD PyObject *function; /* torch's own */
    PyObject *special;                /* for marked operands, or None */
    PyObject *after;                  /* is given each result, or None */
    bool makes;                       /* a factory: makes tensors out of nothing */
    /* __getitem__ and __setitem__ of the C type itself, or NULL: quicker than its descriptors. */
    binaryfunc get_item;
    objobjargproc set_item;
} RouteObject;

/* What _mode.py registers. One set a process, as there is one torch. */
typedef struct Routes {
    PyTypeObject *tensor;
    PyObject *mark;          /* "_npu_index" */
    PyObject *device;        /* "device" */
    PyObject *bound;         /* types.MethodType */
    PyObject *place;         /* f(route, args, kwargs): a device is named */
    PyObject *retry;         /* f(route, args, kwargs, error, index): torch refused */
    PyObject *default_index; /* of torch.set_default_device, or None */
    PyObject *capture;       /* f(route, args, kwargs, result), or None */
    PyTypeObject *function_type, *method_type;
} Routes;
extern Routes routes;

/* Calls torch's function and marks what it gives: the slot `tp_call` of both types. */
PyObject *route_call(PyObject *self, PyObject *args, PyObject *kwargs);

#endif
