/* Program.emit: Python operands and attributes into libptosim's. */
#include "ext.h"

#include <stddef.h>
#include <string.h>

/* ---- attributes ---- */

typedef enum FieldKind {
    FIELD_INT,
    FIELD_BOOL,
    FIELD_REAL,
    FIELD_DTYPE,
    FIELD_SYMBOL,
    FIELD_SHAPE,
    FIELD_OFFSETS,
    FIELD_VALID,
} FieldKind;

typedef struct Field {
    const char *name;
    FieldKind kind;
    size_t offset;
} Field;

#define SCALAR_FIELD(kind, type, name, none) {#name, FIELD_##kind, offsetof(PtsAttributes, name)},
#define LIST_FIELD(kind, rank, list)         {#list, FIELD_##kind, offsetof(PtsAttributes, list)},

static const Field fields[] = {
    PTS_SCALAR_ATTRIBUTES(SCALAR_FIELD) PTS_LIST_ATTRIBUTES(LIST_FIELD){
        "diagonal", FIELD_SYMBOL, offsetof(PtsAttributes, diagonal)},
};

static bool read_int(PyObject *value, int *number)
{
    long wide = PyLong_AsLong(value);
    if (wide == -1 && PyErr_Occurred() != NULL) {
        return false;
    }
    if (wide < INT32_MIN || wide > INT32_MAX) {
        PyErr_Format(PyExc_ValueError, "%ld is out of range", wide);
        return false;
    }
    *number = (int)wide;
    return true;
}

static bool read_truth(PyObject *value, bool *truth)
{
    int is_true = PyObject_IsTrue(value);
    *truth = is_true > 0;
    return is_true >= 0;
}

static bool read_list(PyObject *value, PtsSym *handles, int *rank)
{
    *rank = read_handles(value, handles, PTS_MAX_RANK);
    return *rank >= 0;
}

static bool read_field(PtsAttributes *attributes, const Field *field, PyObject *value)
{
    char *at = (char *)attributes + field->offset;
    switch (field->kind) {
    case FIELD_INT:
        return read_int(value, (int *)(void *)at);
    case FIELD_BOOL:
        return read_truth(value, (bool *)(void *)at);
    case FIELD_REAL:
        *(double *)(void *)at = PyFloat_AsDouble(value);
        return PyErr_Occurred() == NULL;
    case FIELD_DTYPE:
        return convert_dtype(value, at) != 0;
    case FIELD_SYMBOL:
        return convert_handle(value, at) != 0;
    case FIELD_SHAPE:
        return read_list(value, attributes->shape, &attributes->shape_rank);
    case FIELD_OFFSETS:
        return read_list(value, attributes->offsets, &attributes->offset_rank);
    case FIELD_VALID:
        return read_list(value, attributes->valid, &attributes->valid_rank);
    }
    return false;
}

/* A given `dim` also sets has_dim. */
static bool read_attributes(PyObject *dict, PtsAttributes *attributes)
{
    *attributes = PTS_ATTRIBUTES;
    if (dict == Py_None) {
        return true;
    }
    Py_ssize_t position = 0;
    PyObject *key = NULL, *value = NULL;
    if (!PyDict_Check(dict)) {
        PyErr_SetString(PyExc_TypeError, "attributes are a dict");
        return false;
    }
    while (PyDict_Next(dict, &position, &key, &value)) {
        PyObject *name = PyUnicode_AsUTF8String(key);
        const char *text = name == NULL ? NULL : PyBytes_AsString(name);
        const Field *found = NULL;
        for (size_t i = 0; text != NULL && i < sizeof fields / sizeof *fields; i++) {
            found = strcmp(fields[i].name, text) == 0 ? &fields[i] : found;
        }
        Py_XDECREF(name);
        if (found == NULL) {
            PyErr_Format(PyExc_KeyError, "no attribute %R", key);
            return false;
        }
        if (!read_field(attributes, found, value)) {
            return false;
        }
        attributes->has_dim |= found->offset == offsetof(PtsAttributes, dim);
    }
    return true;
}

/* ---- operands: None or (kind, value); elements are (kind, dtype, value) ---- */

static bool read_element(PyObject *tuple, PtsElement *element)
{
    PyObject *value = NULL;
    int kind = 0;
    if (!PyArg_ParseTuple(tuple, "iO&O", &kind, convert_dtype, &element->dtype, &value)) {
        return false;
    }
    if (PyFloat_Check(value)) {
        element->real = PyFloat_AsDouble(value);
        /* Integer dtypes truncate; beyond 64 bits the value is 0. */
        bool fits = element->real > -9.2e18 && element->real < 9.2e18;
        element->integer = fits ? (int64_t)element->real : 0;
        return true;
    }
    element->integer = PyLong_AsLongLong(value);
    element->real = (double)element->integer;
    return PyErr_Occurred() == NULL;
}

static bool read_operand(PyObject *tuple, PtsOperand *operand)
{
    *operand = (PtsOperand){.kind = PTS_OPERAND_NONE,
                            .slot = PTS_SLOT_NONE,
                            .sym = PTS_SYM_NONE,
                            .element = {.dtype = PTS_BOTTOM}};
    if (tuple == Py_None) {
        return true;
    }
    PyObject *first = PyTuple_Check(tuple) ? PyTuple_GetItem(tuple, 0) : NULL;
    PyObject *second = first == NULL ? NULL : PyTuple_GetItem(tuple, 1);
    int kind = 0;
    if (second == NULL || !read_int(first, &kind)) {
        PyErr_Clear();
        PyErr_SetString(PyExc_TypeError, "an operand is None or a tuple");
        return false;
    }
    operand->kind = (PtsOperandKind)kind;
    switch (operand->kind) {
    case PTS_OPERAND_SLOT:
        return convert_slot(second, &operand->slot) != 0;
    case PTS_OPERAND_INT:
        operand->element.integer = PyLong_AsLongLong(second);
        return PyErr_Occurred() == NULL;
    case PTS_OPERAND_FLOAT:
        operand->element.real = PyFloat_AsDouble(second);
        return PyErr_Occurred() == NULL;
    case PTS_OPERAND_ELEMENT:
        return read_element(tuple, &operand->element);
    case PTS_OPERAND_SYM:
        return convert_handle(second, &operand->sym) != 0;
    case PTS_OPERAND_NONE:
    default:
        PyErr_SetString(PyExc_ValueError, "no such kind of operand");
        return false;
    }
}

/* The count, or -1 with an exception. The array is for the caller to PyMem_Free. */
static int read_operands(PyObject *tuple, PtsOperand **operands)
{
    Py_ssize_t count = PyTuple_Check(tuple) ? PyTuple_Size(tuple) : -1;
    if (count < 0 || count > PTS_MAX_OPERANDS) {
        PyErr_Format(PyExc_ValueError, "at most %d operands are possible", PTS_MAX_OPERANDS);
        return -1;
    }
    *operands = PyMem_Malloc(sizeof **operands * (size_t)(count + 1));
    if (*operands == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        if (!read_operand(PyTuple_GetItem(tuple, i), &(*operands)[i])) {
            return -1;
        }
    }
    return (int)count;
}

static PyObject *tuple_of_slots(const PtsSlot *slots, int count)
{
    PyObject *tuple = PyTuple_New(count);
    for (int i = 0; tuple != NULL && i < count; i++) {
        PyObject *item = PyLong_FromUnsignedLong(slots[i]);
        if (item == NULL) {
            Py_CLEAR(tuple);
        } else {
            PyTuple_SetItem(tuple, i, item);
        }
    }
    return tuple;
}

PyObject *program_emit(PyObject *object, PyObject *args)
{
    ProgramObject *self = (ProgramObject *)object;
    int op = 0, line = 0, result_count = 0;
    PyObject *operand_tuple = NULL, *dict = NULL;
    const char *file = NULL;
    PtsAttributes attributes;
    PtsOperand *operands = NULL;
    PtsSlot results[PTS_MAX_RESULTS];
    PtsError error;
    PyObject *made = NULL;
    if (!PyArg_ParseTuple(args, "iOOzi", &op, &operand_tuple, &dict, &file, &line) ||
        !read_attributes(dict, &attributes)) {
        return NULL;
    }
    if (op < 0 || op >= (int)PTS_OP_COUNT) {
        PyErr_SetString(PyExc_ValueError, "no such operation");
        return NULL;
    }
    int count = read_operands(operand_tuple, &operands);
    if (count >= 0 && program_enter(self)) {
        bool good = pts_emit(self->program, (PtsOp)op, count, operands, &attributes,
                             site_of(self->context, file, line), results, &result_count, &error);
        made = good ? tuple_of_slots(results, result_count) : raise_error(&error);
    }
    PyMem_Free(operands);
    return made;
}
