/* Python objects as values of recipes, and back. */
#include "cook.h"

#include <string.h>

CookObjects cook_objects;

/* The enumerations of pypto, with their names. */
enum { ENUMERATIONS = 48 };
static struct {
    PyObject *type;
    char name[48];
} enumerations[ENUMERATIONS];
static int enumeration_count;

/* Attributes that are read again and again. */
static PyObject *name_slot, *name_recording, *name_handle, *name_value;

static bool take_object(PyObject *dict, const char *name, PyObject **place)
{
    PyObject *object = PyDict_GetItemString(dict, name);
    if (object == NULL) {
        PyErr_Format(PyExc_KeyError, "%s is missing", name);
        return false;
    }
    Py_INCREF(object);
    Py_XDECREF(*place);
    *place = object;
    return true;
}

/* Copies a str, cut to fit; false with an exception. */
static bool copy_name(PyObject *object, char *name, size_t size)
{
    PyObject *bytes = PyUnicode_AsUTF8String(object);
    const char *text = bytes == NULL ? NULL : PyBytes_AsString(bytes);
    if (text != NULL) {
        strncpy(name, text, size - 1);
    }
    Py_XDECREF(bytes);
    return text != NULL;
}

static bool add_enumeration(PyObject *type)
{
    PyObject *name = PyObject_GetAttrString(type, "__name__");
    bool good = name != NULL && enumeration_count < ENUMERATIONS &&
                copy_name(name, enumerations[enumeration_count].name, sizeof enumerations->name);
    Py_XDECREF(name);
    if (good) {
        Py_INCREF(type);
        enumerations[enumeration_count++].type = type;
    } else if (PyErr_Occurred() == NULL) {
        PyErr_SetString(PyExc_ValueError, "too many enumerations");
    }
    return good;
}

PyObject *module_cook_setup(PyObject *self, PyObject *args)
{
    PyObject *dict = NULL, *types = NULL;
    CookObjects *all = &cook_objects;
    (void)self;
    if (!PyArg_ParseTuple(args, "O!O!", &PyDict_Type, &dict, &PyTuple_Type, &types) ||
        !take_object(dict, "tensor", &all->tensor) ||
        !take_object(dict, "tensor_of", &all->tensor_of) ||
        !take_object(dict, "symbol", &all->symbol) ||
        !take_object(dict, "symbol_of", &all->symbol_of) ||
        !take_object(dict, "element", &all->element) ||
        !take_object(dict, "native", &all->native) || !take_object(dict, "whole", &all->whole) ||
        !take_object(dict, "warn", &all->warn) || !take_object(dict, "current", &all->current)) {
        return NULL;
    }
    enumeration_count = 0;
    for (Py_ssize_t i = 0; i < PyTuple_Size(types); i++) {
        if (!add_enumeration(PyTuple_GetItem(types, i))) {
            return NULL;
        }
    }
    name_slot = PyUnicode_InternFromString("_slot");
    name_recording = PyUnicode_InternFromString("_recording");
    name_handle = PyUnicode_InternFromString("_handle");
    name_value = PyUnicode_InternFromString("_value_");
    if (name_slot == NULL || name_recording == NULL || name_handle == NULL || name_value == NULL) {
        return NULL;
    }
    Py_RETURN_NONE;
}

PtsValue *cook_room(Cook *cook, uint32_t count)
{
    CookRoom *room = cook->more == NULL ? &cook->room : cook->more;
    if (count > room->size - room->used) {
        uint32_t size = count > COOK_ROOM ? count : COOK_ROOM;
        room = PyMem_Malloc(sizeof *room + (size - COOK_ROOM) * sizeof *room->values);
        if (room == NULL) {
            PyErr_NoMemory();
            return NULL;
        }
        room->next = cook->more;
        room->used = 0;
        room->size = size;
        cook->more = room;
    }
    room->used += count;
    return (PtsValue *)room->values + (room->used - count);
}

/* UTF-8 of a str, for as long as the cook lives; "" if it has none, NULL with an exception. */
static const char *keep_text(Cook *cook, PyObject *text)
{
    PyObject *bytes = PyUnicode_AsUTF8String(text);
    if (bytes == NULL) { /* half of a surrogate pair: no recipe knows such a name */
        PyErr_Clear();
        return "";
    }
    cook->kept = cook->kept == NULL ? PyList_New(0) : cook->kept;
    bool good = cook->kept != NULL && PyList_Append(cook->kept, bytes) == 0;
    const char *utf8 = good ? PyBytes_AsString(bytes) : NULL;
    Py_DECREF(bytes);
    return utf8;
}

static bool take_type_name(Cook *cook, PyObject *object, PtsValue *value)
{
    PyObject *name = PyObject_GetAttrString((PyObject *)Py_TYPE(object), "__name__");
    value->type = name == NULL ? NULL : keep_text(cook, name);
    Py_XDECREF(name);
    return value->type != NULL;
}

/* --- kinds of objects */

static bool read_integer(Cook *cook, PyObject *object, PtsValue *value)
{
    int overflow = 0;
    (void)cook;
    value->kind = PTS_VALUE_INT;
    value->integer = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (overflow == 0) {
        return PyErr_Occurred() == NULL;
    }
    value->kind = PTS_VALUE_WIDE;
    unsigned long long bits = PyLong_AsUnsignedLongLong(object);
    value->fits = PyErr_Occurred() == NULL;
    value->integer = (int64_t)bits;
    PyErr_Clear();
    value->real = PyLong_AsDouble(object);
    if (PyErr_Occurred() != NULL) {
        PyErr_Clear();
        value->real = overflow > 0 ? Py_HUGE_VAL : -Py_HUGE_VAL;
    }
    return true;
}

static bool read_items(Cook *cook, PyObject *object, PtsValue *value)
{
    bool list = PyList_Check(object);
    Py_ssize_t count = list ? PyList_Size(object) : PyTuple_Size(object);
    PtsValue *items = count > UINT16_MAX ? NULL : cook_room(cook, (uint32_t)count);
    value->kind = list ? PTS_VALUE_LIST : PTS_VALUE_TUPLE;
    value->count = (uint32_t)count;
    value->items = items;
    if (items == NULL && PyErr_Occurred() == NULL) {
        PyErr_SetString(PyExc_ValueError, "the list is too long");
    }
    for (Py_ssize_t i = 0; items != NULL && i < count; i++) {
        PyObject *item = list ? PyList_GetItem(object, i) : PyTuple_GetItem(object, i);
        if (item == NULL || !cook_read(cook, item, &items[i])) {
            return false;
        }
    }
    return items != NULL;
}

static bool read_dict(Cook *cook, PyObject *object, PtsValue *value)
{
    Py_ssize_t at = 0, count = PyDict_Size(object);
    PtsValue *items = count > UINT16_MAX ? NULL : cook_room(cook, (uint32_t)count * 2);
    PyObject *key = NULL, *entry = NULL;
    value->kind = PTS_VALUE_DICT;
    value->items = items;
    while (items != NULL && value->count < (uint32_t)count &&
           PyDict_Next(object, &at, &key, &entry)) {
        PtsValue *pair = &items[(size_t)2 * value->count++];
        if (!cook_read(cook, key, pair) || !cook_read(cook, entry, pair + 1)) {
            return false;
        }
    }
    return items != NULL;
}

static bool read_slice(Cook *cook, PyObject *object, PtsValue *value)
{
    static const char *const names[] = {"start", "stop", "step"};
    PtsValue *items = cook_room(cook, 3);
    value->kind = PTS_VALUE_SLICE;
    value->count = 3;
    value->items = items;
    for (int i = 0; items != NULL && i < 3; i++) {
        PyObject *bound = PyObject_GetAttrString(object, names[i]);
        bool good = bound != NULL && cook_read(cook, bound, &items[i]);
        Py_XDECREF(bound); /* the slice has it */
        if (!good) {
            return false;
        }
    }
    return items != NULL;
}

static bool read_tensor(Cook *cook, PyObject *object, PtsValue *value)
{
    PyObject *recording = PyObject_GetAttr(object, name_recording);
    PyObject *slot = recording == cook->recording ? PyObject_GetAttr(object, name_slot) : NULL;
    value->kind = PTS_VALUE_TENSOR;
    bool good = slot == NULL || slot == Py_None || convert_slot(slot, &value->slot) != 0;
    Py_XDECREF(recording);
    Py_XDECREF(slot);
    return good && PyErr_Occurred() == NULL;
}

static bool read_symbol(Cook *cook, PyObject *object, PtsValue *value)
{
    PyObject *handle = PyObject_GetAttr(object, name_handle);
    (void)cook;
    value->kind = PTS_VALUE_SYM;
    if (handle == Py_None) { /* SymbolicScalar() raises its own error */
        Py_DECREF(handle);
        handle = PyObject_CallMethod(object, "_known", NULL);
    }
    bool good = handle != NULL && convert_handle(handle, &value->sym) != 0;
    Py_XDECREF(handle);
    return good;
}

static bool read_element(Cook *cook, PyObject *object, PtsValue *value)
{
    PyObject *dtype = PyObject_GetAttrString(object, "dtype");
    PyObject *number = PyObject_GetAttrString(object, "value");
    PyObject *place = dtype == NULL ? NULL : PyObject_GetAttr(dtype, name_value);
    bool good = number != NULL && place != NULL && convert_dtype(place, &value->dtype) != 0;
    value->kind = PTS_VALUE_ELEMENT;
    if (good && PyFloat_Check(number)) {
        value->is_real = true;
        value->real = PyFloat_AsDouble(number);
    } else if (good) {
        PtsValue integer;
        good = cook_read(cook, number, &integer);
        if (good && integer.kind == PTS_VALUE_WIDE) {
            PyLong_AsLongLong(number); /* its exception */
            good = false;
        }
        value->integer = integer.integer;
        value->real = (double)integer.integer;
    }
    Py_XDECREF(dtype);
    Py_XDECREF(number);
    Py_XDECREF(place);
    return good;
}

static bool read_member(PyObject *object, PtsValue *value)
{
    PyObject *type = (PyObject *)Py_TYPE(object);
    for (int i = 0; i < enumeration_count; i++) {
        if (enumerations[i].type == type) {
            PyObject *number = PyObject_GetAttr(object, name_value);
            value->kind = PTS_VALUE_MEMBER;
            value->type = enumerations[i].name;
            value->integer = number == NULL ? -1 : PyLong_AsLongLong(number);
            Py_XDECREF(number);
            return true;
        }
    }
    return false;
}

/* Numbers of other libraries count as Python's own; everything else is just an object. */
static bool read_other(Cook *cook, PyObject *object, PtsValue *value)
{
    if (!take_type_name(cook, object, value)) {
        return false;
    }
    PyObject *number = PyObject_CallFunctionObjArgs(cook_objects.native, object, NULL);
    bool good = number != NULL;
    value->kind = PTS_VALUE_OTHER;
    if (good && number != object && PyBool_Check(number)) {
        value->kind = PTS_VALUE_BOOL;
        value->integer = number == Py_True;
    } else if (good && number != object && PyLong_Check(number)) {
        good = read_integer(cook, number, value);
    } else if (good && number != object && PyFloat_Check(number)) {
        value->kind = PTS_VALUE_FLOAT;
        value->real = PyFloat_AsDouble(number);
    }
    Py_XDECREF(number);
    return good;
}

/* Python's own types; of numbers, lists, tuples, str and dict their subclasses as well. */
static bool read_plain(Cook *cook, PyObject *object, PtsValue *value, bool *is_plain)
{
    *is_plain = true;
    if (object == Py_None) {
        value->kind = PTS_VALUE_NONE;
    } else if (PyBool_Check(object)) {
        value->kind = PTS_VALUE_BOOL;
        value->integer = object == Py_True;
    } else if (PyLong_Check(object)) {
        return (PyLong_CheckExact(object) || take_type_name(cook, object, value)) &&
               read_integer(cook, object, value);
    } else if (PyFloat_Check(object)) {
        value->kind = PTS_VALUE_FLOAT;
        value->real = PyFloat_AsDouble(object);
        return PyFloat_CheckExact(object) || take_type_name(cook, object, value);
    } else if (PyList_Check(object) || PyTuple_Check(object)) {
        return (PyList_CheckExact(object) || PyTuple_CheckExact(object) ||
                take_type_name(cook, object, value)) &&
               read_items(cook, object, value);
    } else if (PyUnicode_Check(object)) {
        value->kind = PTS_VALUE_TEXT;
        value->text = keep_text(cook, object);
        return value->text != NULL;
    } else if (PyDict_Check(object)) {
        return read_dict(cook, object, value);
    } else if (Py_TYPE(object) == &PySlice_Type) {
        return read_slice(cook, object, value);
    } else if (object == Py_Ellipsis) {
        value->kind = PTS_VALUE_DOTS;
    } else {
        *is_plain = false;
    }
    return true;
}

bool cook_read(Cook *cook, PyObject *object, PtsValue *value)
{
    PyObject *type = (PyObject *)Py_TYPE(object);
    bool is_plain;
    *value = pts_value(PTS_VALUE_OTHER);
    value->origin = object;
    if (type == cook_objects.tensor) {
        return read_tensor(cook, object, value);
    }
    bool good = read_plain(cook, object, value, &is_plain);
    if (is_plain || !good) {
        return good;
    }
    if (type == cook_objects.symbol) {
        return read_symbol(cook, object, value);
    }
    if (read_member(object, value)) {
        return PyErr_Occurred() == NULL;
    }
    if (type == cook_objects.element) {
        return read_element(cook, object, value);
    }
    if (PyObject_IsInstance(object, cook_objects.tensor) > 0) {
        return read_tensor(cook, object, value);
    }
    if (PyObject_IsInstance(object, cook_objects.symbol) > 0) {
        return read_symbol(cook, object, value);
    }
    return read_other(cook, object, value);
}

PyObject *cook_write(Cook *cook, const PtsValue *value)
{
    PyObject *made = value->origin;
    if (made != NULL) {
        Py_INCREF(made);
    } else if (value->kind == PTS_VALUE_TENSOR) {
        made = PyObject_CallFunction(cook_objects.tensor_of, "Ok", cook->recording,
                                     (unsigned long)value->slot);
    } else if (value->kind == PTS_VALUE_SYM) {
        made = PyObject_CallFunction(cook_objects.symbol_of, "k", (unsigned long)value->sym);
    } else if (value->kind == PTS_VALUE_TUPLE) {
        made = PyTuple_New((Py_ssize_t)value->count);
        for (uint32_t i = 0; made != NULL && i < value->count; i++) {
            PyObject *item = cook_write(cook, &value->items[i]);
            if (item == NULL) {
                Py_CLEAR(made);
            } else {
                PyTuple_SetItem(made, (Py_ssize_t)i, item);
            }
        }
    } else {
        Py_INCREF(Py_None);
        made = Py_None;
    }
    return made;
}
