/* Recipes: functions of the package that consist of several operations, or whose arguments need
 * checks. A recipe checks its arguments, with the messages of the product's Python layer, and
 * records the operations. The Python package (through its extension) and the linter's static
 * evaluation follow the same ones; each brings a host that knows its objects.
 *
 * Arguments may be partly known values (partial.h): an unknown part fails no check. */
#ifndef PTOSIM_RECIPE_H
#define PTOSIM_RECIPE_H

#include "model/ptosim_model.h"

typedef enum PtsValueKind {
    PTS_VALUE_MISSING, /* an argument that is left out */
    PTS_VALUE_UNKNOWN, /* partial programs: anything */
    PTS_VALUE_NUMBER,  /* partial programs: a number; `sym`, where it has one */
    PTS_VALUE_NONE,
    PTS_VALUE_BOOL, /* `integer`, and so on */
    PTS_VALUE_INT,
    PTS_VALUE_WIDE, /* beyond 64 bits with a sign; `fits`: its bits are in `integer` */
    PTS_VALUE_FLOAT,
    PTS_VALUE_TEXT,
    PTS_VALUE_LIST,
    PTS_VALUE_TUPLE,
    PTS_VALUE_DICT,  /* `items`: key, value, key, value … */
    PTS_VALUE_SLICE, /* `items`: start, stop, step */
    PTS_VALUE_DOTS,
    PTS_VALUE_SYM, /* PTS_SYM_NONE in partial programs: not known which */
    PTS_VALUE_ELEMENT,
    PTS_VALUE_TENSOR, /* PTS_SLOT_NONE: the host says what to do about it */
    PTS_VALUE_MEMBER, /* of the enumeration `type`, with the number `integer` */
    PTS_VALUE_OTHER,  /* an object of `type` */
} PtsValueKind;

typedef struct PtsValue PtsValue;
struct PtsValue {
    PtsValueKind kind;
    bool is_open; /* a list, tuple or dict: its items are not known */
    bool is_real; /* an element: `real` counts, not `integer` */
    bool fits;
    uint32_t count; /* of items */
    PtsDtype dtype; /* of an element */
    PtsSlot slot;
    PtsSym sym;
    int64_t integer;
    double real;
    const char *text;
    const char *type; /* the name of its Python type; NULL = that of its kind */
    const PtsValue *items;
    void *origin; /* the host's object; NULL = the recipe made it */
};

typedef struct PtsCook PtsCook;

/* What a host does for recipes. Functions that return bool end the recipe with false. */
typedef struct PtsCookHost {
    /* Records an operation; `result` is None, a tensor or a tuple of them. */
    bool (*emit)(PtsCook *cook, PtsOp op, uint32_t count, const PtsValue *operands,
                 const PtsAttributes *attributes, PtsValue *result);
    /* An argument is wrong; `op`: the operation that it was for, PTS_OP_COUNT when none takes such
     * a value there. Returns false. */
    bool (*refuse)(PtsCook *cook, PtsOp op, const PtsError *error);
    /* Reports something that only a later version refuses. */
    bool (*warn)(PtsCook *cook, const char *message);
    /* A tensor as it stands; false when it is not known, or (with `failed`) none of the kernel. */
    bool (*info)(PtsCook *cook, const PtsValue *tensor, PtsSlotInfo *info);
    /* t[i, j]: an integer of the run. */
    bool (*element)(PtsCook *cook, const PtsValue *tensor, int rank, const PtsSym *index,
                    PtsValue *result);
    /* A tensor without a form gets that of what is moved into it. */
    bool (*take_form)(PtsCook *cook, const PtsValue *tensor, const PtsValue *source);
    /* Makes an int of an OTHER that stands for one; false when it does not. */
    bool (*whole)(PtsCook *cook, PtsValue *value);
    /* repr(value) */
    void (*write)(PtsCook *cook, const PtsValue *value, char *text, size_t size);
    /* Partial programs: a symbol for an integer that is not known; something that is not known was
     * written into a tensor. */
    PtsSym (*unknown)(PtsCook *cook);
    void (*lose)(PtsCook *cook, const PtsValue *tensor);
    /* Partial programs: a tensor with nothing known but this form. */
    PtsValue (*form)(PtsCook *cook, const PtsSlotInfo *form, PtsDtype dtype);
} PtsCookHost;

struct PtsCook {
    const PtsCookHost *host;
    void *self; /* the host's */
    PtsContext *context;
    bool is_9_1;
    bool failed; /* set by the host: nothing more is recorded */
};

/* One recipe. */
typedef struct PtsRecipe PtsRecipe;
/* By its name below pypto ("view"), or NULL. Operators and subscripts have Python's names:
"__getitem__". */
const PtsRecipe *pts_recipe_find(const char *name, size_t length);
/* All of them, by number; NULL after the last. */
const PtsRecipe *pts_recipe(size_t number);
const char *pts_recipe_name(const PtsRecipe *recipe);
/* Its parameters, blanks between: "input|self dim *keepdim". Names behind `|` mean the same, `*`
 * marks those that only a keyword gives, `+` one that takes all arguments by place. */
const char *pts_recipe_parameters(const PtsRecipe *recipe);
/* How many they are. */
int pts_recipe_arity(const PtsRecipe *recipe);
/* Follows it: one argument for each parameter. False when it is refused, or the host ended it. */
bool pts_recipe_follow(const PtsRecipe *recipe, PtsCook *cook, const PtsValue *arguments,
                       PtsValue *result);

/* Values that hosts make. */
PtsValue pts_value(PtsValueKind kind);
PtsValue pts_value_int(int64_t integer);
PtsValue pts_value_real(double real);
PtsValue pts_value_tensor(PtsSlot slot);
PtsValue pts_value_sym(PtsSym sym);
/* The name of its type; NULL when it is not known. */
const char *pts_value_type(const PtsValue *value);

#endif
