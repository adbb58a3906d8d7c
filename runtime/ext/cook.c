/* Program.cook: follows a recipe of libptosim with Python's objects as arguments. */
#include "cook.h"

#include <stdio.h>
#include <string.h>

static Cook *own(PtsCook *cook)
{
    return cook->self;
}

/* A Python function has raised, or an error of the core has become an exception. */
static bool fail(PtsCook *cook)
{
    cook->failed = true;
    return false;
}

/* Raises pypto's error for an operation outside of kernels. */
static bool refuse_outside(PtsCook *cook, const char *name)
{
    PyObject *recording = PyObject_CallFunction(cook_objects.current, "s", name);
    if (recording != NULL) {
        PyErr_SetString(PyExc_SystemError, "a recording began while arguments were read");
    }
    Py_XDECREF(recording);
    return fail(cook);
}

/* The slot; Python raises the error of a tensor of another kernel or without a value. */
static bool find_slot(PtsCook *cook, const PtsValue *tensor, PtsSlot *slot)
{
    *slot = tensor->slot;
    if (tensor->slot != PTS_SLOT_NONE) {
        return true;
    }
    PyObject *number = PyObject_CallMethod(tensor->origin, "_slot_in", "O", own(cook)->recording);
    bool good = number != NULL && convert_slot(number, slot) != 0;
    Py_XDECREF(number);
    return good || fail(cook);
}

static bool make_operand(PtsCook *cook, const PtsValue *value, PtsOperand *operand)
{
    *operand = (PtsOperand){.kind = PTS_OPERAND_NONE,
                            .slot = PTS_SLOT_NONE,
                            .sym = value->sym,
                            .element = {.dtype = PTS_BOTTOM}};
    operand->element.integer = value->integer;
    operand->element.real = value->real;
    switch (value->kind) {
    case PTS_VALUE_TENSOR:
        operand->kind = PTS_OPERAND_SLOT;
        return find_slot(cook, value, &operand->slot);
    case PTS_VALUE_BOOL:
    case PTS_VALUE_INT:
    case PTS_VALUE_WIDE:
        operand->kind = PTS_OPERAND_INT;
        operand->element.real = 0;
        return true;
    case PTS_VALUE_FLOAT:
        operand->kind = PTS_OPERAND_FLOAT;
        return true;
    case PTS_VALUE_SYM:
        operand->kind = PTS_OPERAND_SYM;
        return true;
    case PTS_VALUE_ELEMENT:
        operand->kind = PTS_OPERAND_ELEMENT;
        operand->element.dtype = value->dtype;
        if (value->is_real) {
            /* Integer dtypes truncate; beyond 64 bits the value is 0. */
            bool fits = value->real > -9.2e18 && value->real < 9.2e18;
            operand->element.integer = fits ? (int64_t)value->real : 0;
        }
        return true;
    default:
        return true;
    }
}

static bool give_results(PtsCook *cook, const PtsSlot *slots, int count, PtsValue *result)
{
    *result = count == 0 ? pts_value(PTS_VALUE_NONE) : pts_value_tensor(slots[0]);
    if (count < 2) {
        return true;
    }
    PtsValue *items = cook_room(own(cook), (uint32_t)count);
    if (items == NULL) {
        return fail(cook);
    }
    for (int i = 0; i < count; i++) {
        items[i] = pts_value_tensor(slots[i]);
    }
    *result = pts_value(PTS_VALUE_TUPLE);
    result->items = items;
    result->count = (uint32_t)count;
    return true;
}

static bool host_emit(PtsCook *cook, PtsOp op, uint32_t count, const PtsValue *operands,
                      const PtsAttributes *attributes, PtsValue *result)
{
    PtsOperand few[8] = {{.kind = PTS_OPERAND_NONE}}, *made = few;
    PtsSlot slots[PTS_MAX_RESULTS];
    int result_count = 0;
    PtsError error;
    bool many = count > sizeof few / sizeof *few, good = true;
    if (own(cook)->program == NULL) {
        const char *name = pts_op_name(op), *dot = strrchr(name, '.');
        char shown[96];
        snprintf(shown, sizeof shown, "pypto.%s", dot == NULL ? name : dot + 1);
        return refuse_outside(cook, shown);
    }
    if (many && (made = PyMem_Malloc(sizeof *made * count)) == NULL) {
        PyErr_NoMemory();
        return fail(cook);
    }
    for (uint32_t i = 0; good && i < count; i++) {
        good = make_operand(cook, &operands[i], &made[i]);
    }
    if (good && !pts_emit(own(cook)->program->program, op, (int)count, made, attributes,
                          own(cook)->site, slots, &result_count, &error)) {
        raise_error(&error);
        good = fail(cook);
    }
    if (many) {
        PyMem_Free(made);
    }
    return good && give_results(cook, slots, result_count, result);
}

static bool host_refuse(PtsCook *cook, PtsOp op, const PtsError *error)
{
    (void)op;
    raise_error(error);
    return fail(cook);
}

static bool host_warn(PtsCook *cook, const char *message)
{
    PyObject *done = PyObject_CallFunction(cook_objects.warn, "s", message);
    Py_XDECREF(done);
    return done != NULL || fail(cook);
}

static bool host_info(PtsCook *cook, const PtsValue *tensor, PtsSlotInfo *info)
{
    PtsError error;
    PtsSlot slot;
    if (cook->failed || own(cook)->program == NULL || !find_slot(cook, tensor, &slot)) {
        return false;
    }
    if (!pts_slot_info(own(cook)->program->program, slot, info, &error)) {
        raise_error(&error);
        return fail(cook);
    }
    return true;
}

static bool host_element(PtsCook *cook, const PtsValue *tensor, int rank, const PtsSym *index,
                         PtsValue *result)
{
    PtsError error;
    PtsSlot slot;
    if (own(cook)->program == NULL) {
        return refuse_outside(cook, "reading an element");
    }
    if (!find_slot(cook, tensor, &slot)) {
        return false;
    }
    *result = pts_value_sym(
        pts_element_read(own(cook)->program->program, slot, rank, index, own(cook)->site, &error));
    if (result->sym == PTS_SYM_NONE) {
        raise_error(&error);
        return fail(cook);
    }
    return true;
}

static bool host_take_form(PtsCook *cook, const PtsValue *tensor, const PtsValue *source)
{
    if (tensor->slot != PTS_SLOT_NONE || tensor->origin == NULL) {
        return true;
    }
    PyObject *from = cook_write(own(cook), source);
    PyObject *done =
        from == NULL ? NULL : PyObject_CallMethod(tensor->origin, "_take_form", "O", from);
    Py_XDECREF(from);
    Py_XDECREF(done);
    return done != NULL || fail(cook);
}

static bool host_whole(PtsCook *cook, PtsValue *value)
{
    PyObject *object = value->origin;
    PyObject *number =
        cook->failed ? NULL : PyObject_CallFunctionObjArgs(cook_objects.whole, object, NULL);
    PtsValue made;
    bool good = number != NULL && number != Py_None && cook_read(own(cook), number, &made);
    if (good) {
        made.origin = value->origin;
        made.type = value->type;
        *value = made;
    } else if (number == NULL) {
        cook->failed = true;
    }
    Py_XDECREF(number);
    return good;
}

static void host_write(PtsCook *cook, const PtsValue *value, char *text, size_t size)
{
    PyObject *shown = PyObject_Repr(value->origin);
    PyObject *bytes = shown == NULL ? NULL : PyUnicode_AsUTF8String(shown);
    if (bytes != NULL) {
        strncpy(text, PyBytes_AsString(bytes), size - 1);
        text[size - 1] = '\0';
    } else {
        PyErr_Clear();
        strncpy(text, "?", size);
    }
    (void)cook;
    Py_XDECREF(shown);
    Py_XDECREF(bytes);
}

/* Everything is known here. */
static PtsSym host_unknown(PtsCook *cook)
{
    (void)cook;
    return PTS_SYM_NONE;
}

static void host_lose(PtsCook *cook, const PtsValue *tensor)
{
    (void)tensor;
    if (own(cook)->program == NULL && !cook->failed) {
        refuse_outside(cook, "pypto.assemble");
    }
}

static PtsValue host_form(PtsCook *cook, const PtsSlotInfo *form, PtsDtype dtype)
{
    (void)cook;
    (void)form;
    (void)dtype;
    return pts_value(PTS_VALUE_UNKNOWN);
}

static const PtsCookHost host = {
    .emit = host_emit,
    .refuse = host_refuse,
    .warn = host_warn,
    .info = host_info,
    .element = host_element,
    .take_form = host_take_form,
    .whole = host_whole,
    .write = host_write,
    .unknown = host_unknown,
    .lose = host_lose,
    .form = host_form,
};

static void release(Cook *cook)
{
    while (cook->more != NULL) {
        CookRoom *room = cook->more;
        cook->more = room->next;
        PyMem_Free(room);
    }
    Py_XDECREF(cook->kept);
}

static PyObject *follow(Cook *cook, const PtsRecipe *recipe, PyObject *arguments)
{
    uint32_t count = (uint32_t)PyTuple_Size(arguments);
    PtsValue *values = cook_room(cook, count), result;
    PyObject *made = NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (values == NULL || !cook_read(cook, PyTuple_GetItem(arguments, i), &values[i])) {
            return NULL;
        }
    }
    bool good = pts_recipe_follow(recipe, &cook->cook, values, &result) && !cook->cook.failed;
    if (good && result.kind == PTS_VALUE_UNKNOWN && result.origin == NULL) {
        good = refuse_outside(&cook->cook, "pypto.view");
    }
    if (good) {
        made = cook_write(cook, &result);
    }
    if (made == NULL && PyErr_Occurred() == NULL) {
        PyErr_SetString(PyExc_SystemError, "a recipe ended without an error");
    }
    return made;
}

/* `program` NULL: outside of kernels. */
static PyObject *cook_with(ContextObject *owner, ProgramObject *program, PyObject *recording,
                           unsigned number, PyObject *arguments, PtsSite site)
{
    const PtsRecipe *recipe = pts_recipe(number);
    if (recipe == NULL || cook_objects.tensor == NULL ||
        PyTuple_Size(arguments) != pts_recipe_arity(recipe)) {
        PyErr_SetString(PyExc_ValueError, "no such recipe, or other parameters");
        return NULL;
    }
    PtsContext *context = owner->context;
    Cook cook;
    cook.cook = (PtsCook){
        .host = &host, .self = &cook, .context = context, .is_9_1 = pts_context_is_9_1(context)};
    cook.program = program;
    cook.recording = recording;
    cook.kept = NULL;
    cook.site = site;
    cook.more = NULL;
    cook.room.used = 0;
    cook.room.size = COOK_ROOM;
    PyObject *made = follow(&cook, recipe, arguments);
    release(&cook);
    return made;
}

PyObject *program_cook(PyObject *object, PyObject *args)
{
    ProgramObject *self = (ProgramObject *)object;
    PyObject *recording = NULL, *arguments = NULL;
    unsigned number = 0;
    int line = 0;
    const char *file = NULL;
    if (!PyArg_ParseTuple(args, "OIO!zi", &recording, &number, &PyTuple_Type, &arguments, &file,
                          &line) ||
        !program_enter(self)) {
        return NULL;
    }
    return cook_with(self->context, self, recording, number, arguments,
                     site_of(self->context, file, line));
}

PyObject *module_cook_outside(PyObject *self, PyObject *args)
{
    PyObject *context = NULL, *arguments = NULL;
    unsigned number = 0;
    (void)self;
    if (!PyArg_ParseTuple(args, "O!IO!", context_type, &context, &number, &PyTuple_Type,
                          &arguments) ||
        !context_enter((ContextObject *)context)) {
        return NULL;
    }
    return cook_with((ContextObject *)context, NULL, Py_None, number, arguments, (PtsSite){0});
}

PyObject *module_recipes(PyObject *self, PyObject *none)
{
    (void)self;
    (void)none;
    PyObject *dict = PyDict_New();
    for (size_t i = 0; dict != NULL && pts_recipe(i) != NULL; i++) {
        PyObject *row = Py_BuildValue("(ns)", (Py_ssize_t)i, pts_recipe_parameters(pts_recipe(i)));
        if (row == NULL || PyDict_SetItemString(dict, pts_recipe_name(pts_recipe(i)), row) != 0) {
            Py_CLEAR(dict);
        }
        Py_XDECREF(row);
    }
    return dict;
}
