/* The types of routes, and what _mode.py sets up; see route.c. */
#include "route.h"

#include <stdint.h>

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
