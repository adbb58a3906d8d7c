/* Following recipes for the package pypto: Python objects as values of recipes, and back. */
#ifndef PTOSIM_EXT_COOK_H
#define PTOSIM_EXT_COOK_H

#include "ext.h"
#include "model/recipe.h"

enum { COOK_ROOM = 64 };

/* A block of values; the first one lies in the cook. */
typedef struct CookRoom {
    struct CookRoom *next;
    uint32_t used, size;
    PtsValue values[COOK_ROOM];
} CookRoom;

typedef struct Cook {
    PtsCook cook;           /* `self` points here */
    ProgramObject *program; /* NULL: no kernel is recorded */
    PyObject *recording;    /* borrowed */
    PyObject *kept;         /* a list of what values point into; NULL = nothing yet */
    PtsSite site;
    CookRoom *more;
    CookRoom room;
} Cook;

/* Registered by pypto (module_cook_setup); all are owned. */
typedef struct CookObjects {
    PyObject *tensor, *tensor_of, *symbol, *symbol_of, *element; /* classes and what makes them */
    PyObject *native, *whole, *warn, *current;                   /* functions */
} CookObjects;
extern CookObjects cook_objects;

/* Room for values that lives as long as the cook; NULL with an exception. */
PtsValue *cook_room(Cook *cook, uint32_t count);
/* False with an exception. */
bool cook_read(Cook *cook, PyObject *object, PtsValue *value);
/* A new reference; NULL with an exception. */
PyObject *cook_write(Cook *cook, const PtsValue *value);

/* Program.cook(recording, recipe, arguments, file, line) */
PyObject *program_cook(PyObject *object, PyObject *args);
/* _ptosim.cook_outside(context, recipe, arguments): where no kernel is recorded. Arguments are
 * checked, then the first operation is refused. */
PyObject *module_cook_outside(PyObject *self, PyObject *args);
/* _ptosim.cook_setup({name: object}, (enumerations…)) */
PyObject *module_cook_setup(PyObject *self, PyObject *args);
/* _ptosim.recipes() -> {name: (number, parameters)} */
PyObject *module_recipes(PyObject *self, PyObject *none);

#endif
