/* Routes: callables that stand before torch's own in the stand-in for torch_npu. A call goes on to
 * torch's function as it is; what a route adds is the mark of the virtual device: results are where
 * the operands are. Python is asked only where a call is special, so that a small operation costs
 * little more than without the stand-in.
 *
 * The mark is the attribute `_npu_index` of a tensor: None, which the class has, or the index. */
#include "route.h"

enum { MOST_NESTED = 3 }; /* lists in lists that are searched for operands */

Routes routes;

/* A new reference to the mark of an operand, None where there is none; NULL with an exception. */
static PyObject *mark_in(PyObject *value, int depth)
{
    if (PyObject_TypeCheck(value, routes.tensor)) {
        return PyObject_GetAttr(value, routes.mark);
    }
    bool is_list = PyList_Check(value);
    if (depth < MOST_NESTED && (is_list || PyTuple_Check(value))) {
        Py_ssize_t count = is_list ? PyList_Size(value) : PyTuple_Size(value);
        for (Py_ssize_t i = 0; i < count; i++) {
            PyObject *item = is_list ? PyList_GetItem(value, i) : PyTuple_GetItem(value, i);
            PyObject *index = item != NULL ? mark_in(item, depth + 1) : NULL;
            if (index != Py_None) {
                return index;
            }
            Py_DECREF(index);
        }
    }
    Py_INCREF(Py_None);
    return Py_None;
}

/* The mark of the first marked operand; *placed tells whether a device is named. */
static PyObject *mark_of_call(PyObject *args, PyObject *kwargs, bool *placed)
{
    PyObject *index = mark_in(args, 0);
    if (index == NULL || kwargs == NULL) {
        return index;
    }
    PyObject *key = NULL, *value = NULL;
    Py_ssize_t at = 0;
    while (PyDict_Next(kwargs, &at, &key, &value)) {
        if (value != Py_None && PyUnicode_Compare(key, routes.device) == 0) {
            *placed = true;
        } else if (index == Py_None) {
            Py_DECREF(index);
            index = mark_in(value, 1);
            if (index == NULL) {
                return NULL;
            }
        }
    }
    return index;
}

static bool is_operand(PyObject *result, PyObject *args, PyObject *kwargs)
{
    Py_ssize_t count = PyTuple_Size(args);
    for (Py_ssize_t i = 0; i < count; i++) {
        if (PyTuple_GetItem(args, i) == result) {
            return true;
        }
    }
    PyObject *key = NULL, *value = NULL;
    Py_ssize_t at = 0;
    while (kwargs != NULL && PyDict_Next(kwargs, &at, &key, &value)) {
        if (value == result) {
            return true;
        }
    }
    return false;
}

/* Marks new tensors. An operand that is the result, too, as in x.copy_(y), stays where it is. */
static bool mark_result(PyObject *result, PyObject *index, PyObject *args, PyObject *kwargs,
                        int depth)
{
    if (PyObject_TypeCheck(result, routes.tensor)) {
        PyObject *old = PyObject_GetAttr(result, routes.mark);
        if (old == NULL) {
            return false;
        }
        bool marks = old == Py_None && !is_operand(result, args, kwargs);
        Py_DECREF(old);
        return !marks || PyObject_SetAttr(result, routes.mark, index) == 0;
    }
    bool is_list = PyList_Check(result);
    if (depth < MOST_NESTED && (is_list || PyTuple_Check(result))) {
        Py_ssize_t count = is_list ? PyList_Size(result) : PyTuple_Size(result);
        for (Py_ssize_t i = 0; i < count; i++) {
            PyObject *item = is_list ? PyList_GetItem(result, i) : PyTuple_GetItem(result, i);
            if (item == NULL || !mark_result(item, index, args, kwargs, depth + 1)) {
                return false;
            }
        }
    }
    return true;
}

/* asked(first, args, kwargs[, extra[, index]]); kwargs is {} when NULL. */
static PyObject *ask(PyObject *asked, PyObject *first, PyObject *args, PyObject *kwargs,
                     PyObject *extra, PyObject *index)
{
    PyObject *named = kwargs != NULL ? kwargs : PyDict_New();
    if (named == NULL) {
        return NULL;
    }
    PyObject *result = PyObject_CallFunctionObjArgs(asked, first, args, named, extra, index, NULL);
    if (kwargs == NULL) {
        Py_DECREF(named);
    }
    return result;
}

static bool may_retry(void)
{
    return PyErr_ExceptionMatches(PyExc_RuntimeError) || PyErr_ExceptionMatches(PyExc_TypeError) ||
           PyErr_ExceptionMatches(PyExc_IndexError);
}

/* torch refused the call: Python knows some that the device takes, and raises the rest again. */
static PyObject *call_again(RouteObject *route, PyObject *args, PyObject *kwargs, PyObject *index)
{
    PyObject *kind = NULL, *error = NULL, *trace = NULL;
    PyErr_Fetch(&kind, &error, &trace);
    PyErr_NormalizeException(&kind, &error, &trace);
    if (trace != NULL && PyException_SetTraceback(error, trace) != 0) {
        PyErr_Clear();
    }
    PyObject *result = ask(routes.retry, (PyObject *)route, args, kwargs, error, index);
    if (result == Py_NotImplemented) {
        Py_DECREF(result);
        PyErr_Restore(kind, error, trace);
        return NULL;
    }
    Py_XDECREF(kind);
    Py_XDECREF(error);
    Py_XDECREF(trace);
    return result;
}

static PyObject *call_function(RouteObject *route, PyObject *args, PyObject *kwargs)
{
    if (route->get_item != NULL && kwargs == NULL && PyTuple_Size(args) == 2) {
        return route->get_item(PyTuple_GetItem(args, 0), PyTuple_GetItem(args, 1));
    }
    if (route->set_item != NULL && kwargs == NULL && PyTuple_Size(args) == 3) {
        if (route->set_item(PyTuple_GetItem(args, 0), PyTuple_GetItem(args, 1),
                            PyTuple_GetItem(args, 2)) != 0) {
            return NULL;
        }
        Py_INCREF(Py_None);
        return Py_None;
    }
    return PyObject_Call(route->function, args, kwargs);
}

static PyObject *call_marked(RouteObject *route, PyObject *args, PyObject *kwargs, PyObject *index)
{
    if (index != Py_None && route->special != Py_None) {
        PyObject *result = ask(route->special, route->function, args, kwargs, NULL, NULL);
        if (result != Py_NotImplemented) {
            return result;
        }
        Py_DECREF(result);
    }
    PyObject *result = call_function(route, args, kwargs);
    if (result == NULL && may_retry()) {
        result = call_again(route, args, kwargs, index);
    }
    return result;
}

/* What follows a call: `after`, the mark, the graph that is being captured. Takes the result. */
static PyObject *finish(RouteObject *route, PyObject *args, PyObject *kwargs, PyObject *index,
                        PyObject *result)
{
    if (route->after != Py_None) {
        PyObject *done = PyObject_CallFunctionObjArgs(route->after, result, NULL);
        if (done == NULL) {
            Py_DECREF(result);
            return NULL;
        }
        Py_DECREF(done);
    }
    if (index == Py_None) {
        return result;
    }
    if (!mark_result(result, index, args, kwargs, 0)) {
        Py_DECREF(result);
        return NULL;
    }
    if (routes.capture != Py_None) {
        PyObject *done = ask(routes.capture, (PyObject *)route, args, kwargs, result, NULL);
        if (done == NULL) {
            Py_DECREF(result);
            return NULL;
        }
        Py_DECREF(done);
    }
    return result;
}

PyObject *route_call(PyObject *self, PyObject *args, PyObject *kwargs)
{
    RouteObject *route = (RouteObject *)self;
    bool placed = false;
    PyObject *index = mark_of_call(args, kwargs, &placed);
    if (index == NULL) {
        return NULL;
    }
    if (placed) {
        Py_DECREF(index);
        return ask(routes.place, self, args, kwargs, NULL, NULL);
    }
    if (route->makes && index == Py_None && routes.default_index != Py_None) {
        Py_DECREF(index);
        index = routes.default_index;
        Py_INCREF(index);
    }
    PyObject *result = call_marked(route, args, kwargs, index);
    if (result != NULL) {
        result = finish(route, args, kwargs, index, result);
    }
    Py_DECREF(index);
    return result;
}
