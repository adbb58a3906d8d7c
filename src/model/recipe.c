/* The list of recipes, and following one. */
#include "model/recipe.h"

#include "model/recipe_call.h"

#include <string.h>

static const PtsRecipe recipes[] = {
    {"cast", "input dtype mode satmode", recipe_cast, PTS_OP_CAST, -1},
    {"view", "input shape offsets *valid_shape *dtype", recipe_view, PTS_OP_VIEW, -1},
    {"assemble", "src offsets dst parallel", recipe_assemble, PTS_OP_ASSEMBLE, 2},
    {"reshape", "input shape *valid_shape *inplace", recipe_reshape, PTS_OP_RESHAPE, -1},
    {"concat", "tensors dim", recipe_concat, PTS_OP_CONCAT, -1},
    {"experimental.nop", "in_tensors", recipe_nop, PTS_OP_NOP, -1},
    {"full", "size fill_value dtype *valid_shape", recipe_full, PTS_OP_FULL, -1},
    {"zeros", "+size *dtype", recipe_zeros, PTS_OP_FULL, -1},
    {"ones", "+size *dtype", recipe_ones, PTS_OP_FULL, -1},
    {"fill_", "input value", recipe_fill, PTS_OP_FULL, 0},
    {"arange", "start end step", recipe_arange, PTS_OP_ARANGE, -1},
    {"tril_", "input diagonal", recipe_tril, PTS_OP_TRIL, 0},
    {"triu_", "input diagonal", recipe_triu, PTS_OP_TRIU, 0},
    {"pack", "input", recipe_pack, PTS_OP_VIEW_TYPE, -1},
    {"unpack", "input dtype", recipe_unpack, PTS_OP_VIEW_TYPE, -1},
    {"uniform", "shape key counter alg dtype", recipe_uniform, PTS_OP_UNIFORM, -1},
    {"normal", "shape key counter alg dtype", recipe_normal, PTS_OP_NORMAL, -1},
    {"axpy_", "y x alpha", recipe_axpy, PTS_OP_AXPY_, 0},
    {"clip", "input min max", recipe_clip, PTS_OP_CLIP, -1},
    {"scatter", "input dim index src *reduce", recipe_scatter, PTS_OP_SCATTER, -1},
    {"scatter_", "input dim index src *reduce", recipe_scatter_in_place, PTS_OP_SCATTER, 0},
    {"index_add", "input dim index source *alpha", recipe_index_add, PTS_OP_INDEX_ADD_, -1},
    {"index_add_ub", "input dim index source *alpha", recipe_index_add, PTS_OP_INDEX_ADD_, -1},
    {"index_add_", "input dim index source *alpha", recipe_index_add_in_place, PTS_OP_INDEX_ADD_,
     0},
    {"index_add__ub", "input dim index source *alpha", recipe_index_add_in_place, PTS_OP_INDEX_ADD_,
     0},
    {"index_put_", "input indices values accumulate", recipe_index_put, PTS_OP_INDEX_PUT_, 0},
    {"quant_mx", "input quant_dtype mode axis performance_mode", recipe_quant_mx, PTS_OP_QUANT_MX,
     -1},
    {"var", "input dim correction keepdim", recipe_var, PTS_OP_VAR, -1},
    {"matmul", "input mat2 out_dtype *a_trans *b_trans *c_matrix_nz *extend_params", recipe_matmul,
     PTS_OP_MATMUL, -1},
    {"__matmul__", "a b", recipe_matmul_operator, PTS_OP_MATMUL, -1},
    {"scaled_mm",
     "mat_a mat_b out_dtype scale_a scale_b *a_trans *b_trans *scale_a_trans *scale_b_trans "
     "*c_matrix_nz *extend_params",
     recipe_scaled_mm, PTS_OP_SCALED_MM, -1},
    {"sigmoid", "input", recipe_sigmoid, PTS_OP_EXP, -1},
    {"softmax", "input dim", recipe_softmax, PTS_OP_EXP, -1},
    {"rms_norm", "input gamma epsilon", recipe_rms_norm, PTS_OP_MUL, -1},
    {"__getitem__", "tensor key", recipe_get, PTS_OP_VIEW, -1},
    {"__setitem__", "tensor key value", recipe_put, PTS_OP_ASSEMBLE, 0},
    {"move", "tensor source", recipe_move, PTS_OP_MOVE, 0},
    {"__floordiv__", "a b", recipe_floor_div, PTS_OP_DIV, -1},
    {"__rsub__", "scalar tensor", recipe_reverse_sub, PTS_OP_SUB, -1},
    {"__rtruediv__", "scalar tensor", recipe_reverse_div, PTS_OP_DIV, -1},
    {"__rfloordiv__", "scalar tensor", recipe_reverse_floor_div, PTS_OP_DIV, -1},
};

const PtsRecipe *pts_recipe(size_t number)
{
    return number < sizeof recipes / sizeof *recipes ? &recipes[number] : NULL;
}

const PtsRecipe *pts_recipe_find(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof recipes / sizeof *recipes; i++) {
        if (strncmp(recipes[i].name, name, length) == 0 && recipes[i].name[length] == '\0') {
            return &recipes[i];
        }
    }
    return NULL;
}

const char *pts_recipe_name(const PtsRecipe *recipe)
{
    return recipe->name;
}

const char *pts_recipe_parameters(const PtsRecipe *recipe)
{
    return recipe->parameters;
}

int pts_recipe_arity(const PtsRecipe *recipe)
{
    int count = 1;
    for (const char *at = recipe->parameters; *at != '\0'; at++) {
        count += *at == ' ';
    }
    return count;
}

bool pts_recipe_follow(const PtsRecipe *recipe, PtsCook *cook, const PtsValue *arguments,
                       PtsValue *result)
{
    const char *dot = strrchr(recipe->name, '.');
    PtsCall call = {.cook = cook,
                    .recipe = recipe,
                    .name = dot == NULL ? recipe->name : dot + 1,
                    .op = recipe->op,
                    .arg = arguments,
                    .attributes = PTS_ATTRIBUTES};
    *result = pts_value(PTS_VALUE_NONE);
    bool good = recipe->function(&call, result);
    if (!good && recipe->written >= 0) {
        cook->host->lose(cook, &arguments[recipe->written]);
    }
    return good;
}
