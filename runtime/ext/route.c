/* Routes: callables that stand before torch's own in the stand-in for torch_npu. A call goes on to
 * torch's function as it is; what a route adds is the mark of the virtual device: results are where
 * the operands are. Python is asked only where a call is special, so that a small operation costs
 * little more than without the stand-in.
 *
 * The mark is the attribute `_npu_index` of a tensor: None, which the class has, or the index. */
#include "ext.h"

#include <stdbool.h>
#include <stdint.h>

enum { MOST_NESTED = 3 }; /* lists in lists that are searched for operands */

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
static struct {
    PyTypeObject *tensor;
    PyObject *mark;          /* "_npu_index" */
    PyObject *device;        /* "device" */
    PyObject *bound;         /* types.MethodType */
    PyObject *place;         /* f(route, args, kwargs): a device is named */
    PyObject *retry;         /* f(route, args, kwargs, error, index): torch refused */
    PyObject *default_index; /* of torch.set_default_device, or None */
    PyObject *capture;       /* f(route, args, kwargs, result), or None */
    PyTypeObject *function_type, *method_type;
} routes;

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

static PyObject *route_call(PyObject *self, PyObject *args, PyObject *kwargs)
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

/* ---- the types ---- */

static int route_traverse(PyObject *self, visitproc visit, void *arg)
{
    RouteObject *route = (RouteObject *)self;
    Py_VISIT(route->function);
    Py_VISIT(route->special);
    Py_VISIT(route->after);
    return 0;
}

static void route_dealloc(PyObject *self)
{
    RouteObject *route = (RouteObject *)self;
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    Py_XDECREF(route->function);
    Py_XDECREF(route->special);
    Py_XDECREF(route->after);
    freefunc free_memory = (freefunc)(uintptr_t)PyType_GetSlot(type, Py_tp_free);
    free_memory(self);
    Py_DECREF(type);
}

/* Other attributes are the function's: its name, its docstring … */
static PyObject *route_getattro(PyObject *self, PyObject *name)
{
    PyObject *function = ((RouteObject *)self)->function;
    static const char *const own[] = {"__wrapped__", "__class__", "__reduce__", "__reduce_ex__"};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        if (PyUnicode_CompareWithASCIIString(name, own[i]) == 0) {
            return PyObject_GenericGetAttr(self, name);
        }
    }
    PyObject *found = PyObject_GetAttr(function, name);
    if (found == NULL && PyErr_ExceptionMatches(PyExc_AttributeError)) {
        PyErr_Clear();
        found = PyObject_GenericGetAttr(self, name);
    }
    return found;
}

static PyObject *route_repr(PyObject *self)
{
    return PyObject_Repr(((RouteObject *)self)->function);
}

static Py_hash_t route_hash(PyObject *self)
{
    return PyObject_Hash(((RouteObject *)self)->function);
}

/* A route equals its function: tables of torch's functions find it. */
static PyObject *route_compare(PyObject *self, PyObject *other, int op)
{
    if (op != Py_EQ && op != Py_NE) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    bool is_route = Py_TYPE(other) == routes.function_type || Py_TYPE(other) == routes.method_type;
    PyObject *function = is_route ? ((RouteObject *)other)->function : other;
    bool same = ((RouteObject *)self)->function == function;
    return PyBool_FromLong(same == (op == Py_EQ));
}

static PyObject *route_bind(PyObject *self, PyObject *instance, PyObject *owner)
{
    (void)owner;
    if (instance == NULL || instance == Py_None) {
        Py_INCREF(self);
        return self;
    }
    return PyObject_CallFunctionObjArgs(routes.bound, self, instance, NULL);
}

static PyObject *route_wrapped(PyObject *self, void *closure)
{
    (void)closure;
    PyObject *function = ((RouteObject *)self)->function;
    Py_INCREF(function);
    return function;
}

/* Pickled by name: as a global, or as what getattr gives of the class. */
static PyObject *route_reduce(PyObject *self, PyObject *unused)
{
    (void)unused;
    PyObject *name = PyObject_GetAttrString(((RouteObject *)self)->function, "__name__");
    if (name == NULL || Py_TYPE(self) != routes.method_type) {
        return name;
    }
    PyObject *builtins = PyImport_ImportModule("builtins");
    PyObject *getter = builtins != NULL ? PyObject_GetAttrString(builtins, "getattr") : NULL;
    Py_XDECREF(builtins);
    PyObject *result =
        getter != NULL ? Py_BuildValue("O(OO)", getter, (PyObject *)routes.tensor, name) : NULL;
    Py_XDECREF(getter);
    Py_DECREF(name);
    return result;
}

static PyMethodDef route_methods[] = {
    {"__reduce__", route_reduce, METH_NOARGS, "By name."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef route_attributes[] = {
    {"__wrapped__", route_wrapped, NULL, "torch's own function", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

/* Py_TPFLAGS_METHOD_DESCRIPTOR (Python 3.8; the limited API does not name it): operators call the
 * method without binding it first. */
enum { METHOD_DESCRIPTOR = 1 << 17 };

static PyTypeObject *new_type(bool is_method)
{
    PyType_Slot slots[] = {
        {Py_tp_call, (void *)(uintptr_t)route_call},
        {Py_tp_traverse, (void *)(uintptr_t)route_traverse},
        {Py_tp_dealloc, (void *)(uintptr_t)route_dealloc},
        {Py_tp_getattro, (void *)(uintptr_t)route_getattro},
        {Py_tp_repr, (void *)(uintptr_t)route_repr},
        {Py_tp_hash, (void *)(uintptr_t)route_hash},
        {Py_tp_richcompare, (void *)(uintptr_t)route_compare},
        {Py_tp_methods, route_methods},
        {Py_tp_getset, route_attributes},
        {is_method ? Py_tp_descr_get : 0, is_method ? (void *)(uintptr_t)route_bind : NULL},
        {0, NULL},
    };
    PyType_Spec spec = {
        .name = is_method ? "_ptosim.RoutedMethod" : "_ptosim.RoutedFunction",
        .basicsize = sizeof(RouteObject),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | (is_method ? METHOD_DESCRIPTOR : 0),
        .slots = slots,
    };
    return (PyTypeObject *)PyType_FromSpec(&spec);
}

static bool ready(void)
{
    if (routes.function_type == NULL) {
        routes.function_type = new_type(false);
    }
    if (routes.method_type == NULL) {
        routes.method_type = new_type(true);
    }
    return routes.function_type != NULL && routes.method_type != NULL;
}

PyObject *module_route_setup(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *tensor = NULL, *bound = NULL, *place = NULL, *retry = NULL;
    if (!PyArg_ParseTuple(args, "OOOO", &tensor, &bound, &place, &retry)) {
        return NULL;
    }
    if (!PyType_Check(tensor)) {
        PyErr_SetString(PyExc_TypeError, "route_setup() takes the class of tensors first");
        return NULL;
    }
    if (!ready()) {
        return NULL;
    }
    Py_INCREF(tensor), Py_INCREF(bound), Py_INCREF(place), Py_INCREF(retry);
    Py_INCREF(Py_None), Py_INCREF(Py_None);
    routes.tensor = (PyTypeObject *)tensor;
    routes.bound = bound, routes.place = place, routes.retry = retry;
    routes.default_index = routes.capture = Py_None;
    routes.mark = PyUnicode_InternFromString("_npu_index");
    routes.device = PyUnicode_InternFromString("device");
    if (routes.mark == NULL || routes.device == NULL) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* The C type's own subscription, where the interpreter gives access to it. */
static void take_slots(RouteObject *route, PyObject *name)
{
    PyObject *base = PyObject_GetAttrString(route->function, "__objclass__");
    if (base == NULL || !PyType_Check(base)) {
        PyErr_Clear();
        Py_XDECREF(base);
        return;
    }
    if (PyUnicode_CompareWithASCIIString(name, "__getitem__") == 0) {
        route->get_item =
            (binaryfunc)(uintptr_t)PyType_GetSlot((PyTypeObject *)base, Py_mp_subscript);
    } else if (PyUnicode_CompareWithASCIIString(name, "__setitem__") == 0) {
        route->set_item =
            (objobjargproc)(uintptr_t)PyType_GetSlot((PyTypeObject *)base, Py_mp_ass_subscript);
    }
    PyErr_Clear(); /* older interpreters refuse the slots of static types */
    Py_DECREF(base);
}

PyObject *module_route(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *function = NULL, *name = NULL, *special = NULL, *after = NULL;
    int is_method = 0, makes = 0;
    if (!PyArg_ParseTuple(args, "OUppOO", &function, &name, &is_method, &makes, &special, &after)) {
        return NULL;
    }
    if (routes.tensor == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "route() before route_setup()");
        return NULL;
    }
    RouteObject *route =
        PyObject_GC_New(RouteObject, is_method ? routes.method_type : routes.function_type);
    if (route == NULL) {
        return NULL;
    }
    Py_INCREF(function), Py_INCREF(special), Py_INCREF(after);
    route->function = function, route->special = special, route->after = after;
    route->makes = makes;
    route->get_item = NULL, route->set_item = NULL;
    if (is_method) {
        take_slots(route, name);
    }
    PyObject_GC_Track(route);
    return (PyObject *)route;
}

static PyObject *exchange(PyObject **held, PyObject *value)
{
    if (routes.tensor == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "before route_setup()");
        return NULL;
    }
    PyObject *old = *held;
    Py_INCREF(value);
    *held = value;
    return old;
}

PyObject *module_route_default(PyObject *self, PyObject *index)
{
    (void)self;
    return exchange(&routes.default_index, index);
}

PyObject *module_route_capture(PyObject *self, PyObject *function)
{
    (void)self;
    return exchange(&routes.capture, function);
}
