/* A call of a recipe, and the checks of its arguments. A check gives false when the argument is
 * refused; what is not known becomes PtsAttributes.unknown. Private to libptosim. */
#ifndef PTOSIM_RECIPE_CALL_H
#define PTOSIM_RECIPE_CALL_H

#include "model/error.h"
#include "model/partial.h"
#include "model/recipe.h"

typedef struct PtsCall {
    PtsCook *cook;
    const PtsRecipe *recipe;
    const char *name; /* as messages call it */
    PtsOp op;         /* that wrong arguments are for */
    const PtsValue *arg;
    PtsAttributes attributes;
} PtsCall;

typedef bool RecipeFunction(PtsCall *call, PtsValue *result);

struct PtsRecipe {
    const char *name, *parameters;
    RecipeFunction *function;
    PtsOp op;
    int written; /* the argument that it writes; -1 = none */
    /* Of one operation: what each parameter is (recipe_one.c); NULL: the function knows. */
    const char *kinds;
};

/* Operations that ops.def describes completely; the last row has no name. */
extern const PtsRecipe pts_recipes_made[];

/* Refuses it: "NAME(): …" is the caller's part. Returns false. */
bool call_refuse(PtsCall *call, PtsErrorKind kind, uint32_t code, const char *symbol,
                 const char *format, ...) __attribute__((format(printf, 5, 6)));
/* Reports something that only 9.2 refuses. */
bool call_refuse_since_9_2(PtsCall *call, PtsErrorKind kind, uint32_t code, const char *symbol,
                           const char *format, ...) __attribute__((format(printf, 5, 6)));

/* May it be anything, or is it left out? */
static inline bool value_is_open(const PtsValue *value)
{
    return value->kind == PTS_VALUE_UNKNOWN || value->kind == PTS_VALUE_MISSING;
}
static inline bool value_is_list(const PtsValue *value)
{
    return value->kind == PTS_VALUE_LIST || value->kind == PTS_VALUE_TUPLE;
}
static inline bool value_is_absent(const PtsValue *value)
{
    return value->kind == PTS_VALUE_NONE || value->kind == PTS_VALUE_MISSING;
}
/* An int (no bool) or a symbolic scalar, known or not? */
bool call_is_integer(PtsCall *call, const PtsValue *value);
/* A symbol whose value is known becomes an int, and so does what stands for one. */
PtsValue call_plain(PtsCall *call, PtsValue value);
/* The symbol of an integer; PTS_SYM_NONE for any other value. */
PtsSym call_sym(PtsCall *call, const PtsValue *value);
PtsSym call_constant(PtsCall *call, int64_t value);
PtsSym call_binary(PtsCall *call, PtsSymOp op, PtsSym a, PtsSym b);
/* repr(value), in `text`. */
const char *call_text(PtsCall *call, const PtsValue *value, char *text, size_t size);
/* The tensor as it stands; false when it is not known. */
bool call_info(PtsCall *call, const PtsValue *tensor, PtsSlotInfo *info);

/* --- checks */

bool call_tensor(PtsCall *call, const PtsValue *value, const char *parameter);
bool call_int(PtsCall *call, const PtsValue *value, const char *parameter, int *field,
              unsigned unknown);
bool call_flag(PtsCall *call, const PtsValue *value, const char *parameter, bool *field);
bool call_real(PtsCall *call, const PtsValue *value, const char *parameter, double *field);
bool call_dtype(PtsCall *call, const PtsValue *value, const char *parameter);
bool call_member(PtsCall *call, const PtsValue *value, const char *family, const char *parameter,
                 int *field);
/* A list of integers and symbolic scalars; `fixed`: of known ones only. */
bool call_list(PtsCall *call, const PtsValue *value, const char *parameter, bool fixed, int *rank,
               PtsSym *items);
bool call_shape(PtsCall *call, const PtsValue *value, const char *parameter, bool fixed);
bool call_offsets(PtsCall *call, const PtsValue *value, const char *parameter);
/* valid_shape, which may be None. */
bool call_valid(PtsCall *call, const PtsValue *value);
/* extend_params of products and convolutions: into the attributes, and its tensors or None. */
bool call_extended(PtsCall *call, const PtsValue *params, PtsValue *bias, PtsValue *scale);
/* A negative number for an unsigned dtype: an error since 9.2. */
bool call_negative(PtsCall *call, const PtsValue *value, PtsDtype dtype);

/* --- recording */

/* One operation with the attributes of the call. */
bool call_emit(PtsCall *call, PtsOp op, uint32_t count, const PtsValue *operands, PtsValue *result);
/* With no attributes. */
bool call_unary(PtsCall *call, PtsOp op, PtsValue *value); /* in place */
bool call_binary_op(PtsCall *call, PtsOp op, const PtsValue *left, const PtsValue *right,
                    PtsValue *result);
/* A cast; the value itself when there is nothing to do. `mode` -1: not known. */
bool call_cast(PtsCall *call, PtsValue *value, int dtype, int mode);
/* tensor[:] = source */
bool call_move(PtsCall *call, const PtsValue *tensor, const PtsValue *source);

/* --- recipes, by topic */

RecipeFunction recipe_view, recipe_assemble, recipe_reshape, recipe_concat, recipe_nop, recipe_cast,
    recipe_full, recipe_zeros, recipe_ones, recipe_fill, recipe_arange, recipe_tril, recipe_triu,
    recipe_pack, recipe_unpack, recipe_uniform, recipe_normal;
RecipeFunction recipe_axpy, recipe_clip, recipe_scatter, recipe_scatter_in_place, recipe_index_add,
    recipe_index_add_in_place, recipe_index_put, recipe_quant_mx, recipe_var;
RecipeFunction recipe_matmul, recipe_matmul_operator, recipe_scaled_mm, recipe_conv;
RecipeFunction recipe_sigmoid, recipe_softmax, recipe_rms_norm;
RecipeFunction recipe_one, recipe_fmod, recipe_gcd, recipe_bits, recipe_where;
RecipeFunction recipe_get, recipe_put, recipe_move;
RecipeFunction recipe_floor_div, recipe_reverse_sub, recipe_reverse_div, recipe_reverse_floor_div;

#endif
