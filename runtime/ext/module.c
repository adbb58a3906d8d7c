/* The module `_ptosim` itself. */
#include "cook.h"

#include "model/options.h"

PyTypeObject *context_type, *program_type;

static PyObject *dtype_bytes(PyObject *self, PyObject *number)
{
    (void)self;
    PtsDtype dtype = PTS_BOTTOM;
    return convert_dtype(number, &dtype) ? PyLong_FromSize_t(pts_dtype_bytes(dtype)) : NULL;
}

static PyObject *dtype_name(PyObject *self, PyObject *number)
{
    (void)self;
    PtsDtype dtype = PTS_BOTTOM;
    return convert_dtype(number, &dtype) ? PyUnicode_FromString(pts_dtype_name(dtype)) : NULL;
}

static PyObject *check_ids(PyObject *self, PyObject *none)
{
    (void)self;
    (void)none;
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && pts_check_id(i) != NULL; i++) {
        PyObject *id = PyUnicode_FromString(pts_check_id(i));
        if (!list_append(list, id)) {
            Py_CLEAR(list);
        }
    }
    return list;
}

static PyObject *option_ranges(PyObject *self, PyObject *none)
{
    (void)self;
    (void)none;
    PyObject *list = PyList_New(0);
    for (const PtsOptionRange *range = pts_option_ranges; list != NULL && range->name != NULL;
         range++) {
        PyObject *row = Py_BuildValue("(ssLL)", range->group, range->name, (long long)range->least,
                                      (long long)range->most);
        if (!list_append(list, row)) {
            Py_CLEAR(list);
        }
    }
    return list;
}

/* The set that a list such as "init,races" names; ValueError with a word that it does not know. */
static PyObject *sanitize_kinds(PyObject *self, PyObject *args)
{
    (void)self;
    const char *list = NULL;
    const char *unknown = NULL;
    unsigned kinds = 0;
    size_t length = 0;
    if (!PyArg_ParseTuple(args, "s", &list)) {
        return NULL;
    }
    if (!pts_sanitize_kinds(list, &kinds, &unknown, &length)) {
        PyObject *word = PyUnicode_DecodeUTF8(unknown, (Py_ssize_t)length, "replace");
        if (word != NULL) {
            PyErr_Format(PyExc_ValueError, "'%U' is not one of init, races, bounds, all and none",
                         word);
        }
        Py_XDECREF(word);
        return NULL;
    }
    return PyLong_FromUnsignedLong(kinds);
}

/* {"float32": 7, …}: the numbers of torch's dtypes. */
static PyObject *torch_dtypes(void)
{
    static const struct {
        const char *name;
        PtsDtype dtype;
    } rows[] = {
        {"int8", PTS_INT8},
        {"int16", PTS_INT16},
        {"int32", PTS_INT32},
        {"int64", PTS_INT64},
        {"uint8", PTS_UINT8},
        {"uint16", PTS_UINT16},
        {"uint32", PTS_UINT32},
        {"uint64", PTS_UINT64},
        {"bool", PTS_BOOL},
        {"float16", PTS_FP16},
        {"bfloat16", PTS_BF16},
        {"float32", PTS_FP32},
        {"float64", PTS_DOUBLE},
        {"float8_e4m3fn", PTS_FP8E4M3},
        {"float8_e5m2", PTS_FP8E5M2},
        {"float8_e8m0fnu", PTS_FP8E8M0},
        {"float4_e2m1fn_x2", PTS_FP4_E2M1X2},
    };
    PyObject *dict = PyDict_New();
    for (size_t i = 0; dict != NULL && i < sizeof rows / sizeof *rows; i++) {
        PyObject *number = PyLong_FromLong(rows[i].dtype);
        if (number == NULL || PyDict_SetItemString(dict, rows[i].name, number) != 0) {
            Py_CLEAR(dict);
        }
        Py_XDECREF(number);
    }
    return dict;
}

static PyMethodDef functions[] = {
    {"check_ids", check_ids, METH_NOARGS, "check_ids() -> the checks that can be made warnings"},
    {"option_ranges", option_ranges, METH_NOARGS,
     "option_ranges() -> [(group, option, least, most)]"},
    {"sanitize_kinds", sanitize_kinds, METH_VARARGS,
     "sanitize_kinds(list) -> the set of what the sanitizer looks for"},
    {"set_error_factory", set_error_factory, METH_O,
     "set_error_factory(f): f(kind, code, symbol, message, file, line, text) makes exceptions"},
    {"cook_setup", module_cook_setup, METH_VARARGS,
     "cook_setup({name: object}, enumerations): the classes and functions that recipes need"},
    {"cook_outside", module_cook_outside, METH_VARARGS,
     "cook_outside(context, recipe, arguments): checks them where no kernel is recorded"},
    {"recipes", module_recipes, METH_NOARGS, "recipes() -> {name: (number, parameters)}"},
    {"dtype_bytes", dtype_bytes, METH_O, "dtype_bytes(dtype) -> int"},
    {"dtype_name", dtype_name, METH_O, "dtype_name(dtype) -> str"},
    {"matmul", module_matmul, METH_VARARGS,
     "matmul(a, a_trans, b, b_trans, result, threads=0); matrices are (address, dtype, shape)"},
    {"convert", module_convert, METH_VARARGS,
     "convert(from, from_dtype, to, to_dtype, count, mode=0, saturation=1)"},
    {"compare", module_compare, METH_VARARGS,
     "compare(candidate, reference, count, dtype, atol, rtol) -> dict of metrics, None for those "
     "that are not finite"},
    {"compare_details", module_compare_details, METH_VARARGS,
     "compare_details(candidate, reference, count, dtype, atol, rtol, differences, mask) -> dict"},
    {"compare_order", module_compare_order, METH_VARARGS,
     "compare_order(differences, dtype, mask, count, order): indices of what the mask leaves out"},
    {"route_setup", module_route_setup, METH_VARARGS,
     "route_setup(tensor_class, method_class, place, retry): once, before route()"},
    {"route", module_route, METH_VARARGS,
     "route(function, name, is_method, makes, special, after) -> a callable that stands before it"},
    {"route_default", module_route_default, METH_O,
     "route_default(index): where factories make tensors, None = CPU -> the one before"},
    {"route_capture", module_route_capture, METH_O,
     "route_capture(f): f(route, args, kwargs, result) sees calls of the device -> the one before"},
    {"places", module_places, METH_VARARGS,
     "places(candidate, reference, shape, dtype, atol, rtol) -> dict: where they differ, and how"},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, .m_name = "_ptosim",    .m_doc = "libptosim for the package pypto.",
    .m_size = -1,          .m_methods = functions,
};

PyMODINIT_FUNC PyInit__ptosim(void); /* the interpreter looks it up by this name */

PyMODINIT_FUNC PyInit__ptosim(void)
{
    PyObject *self = PyModule_Create(&module);
    if (self == NULL) {
        return NULL;
    }
    context_type = context_type_new();
    program_type = program_type_new();
    PyObject *dtypes = torch_dtypes();
    if (context_type == NULL || program_type == NULL || dtypes == NULL ||
        PyModule_AddObject(self, "TORCH_DTYPES", dtypes) != 0 ||
        PyModule_AddObject(self, "Context", (PyObject *)context_type) != 0 ||
        PyModule_AddObject(self, "Program", (PyObject *)program_type) != 0 ||
        PyModule_AddIntConstant(self, "MAX_RANK", PTS_MAX_RANK) != 0) {
        Py_DECREF(self);
        return NULL;
    }
    return self;
}
