/* The list of recipes, and following one. */
#include "model/recipe.h"

#include "model/recipe_call.h"

#include <string.h>

static const PtsRecipe recipes[] = {
    {"cast", "input dtype mode satmode", recipe_cast, PTS_OP_CAST, -1, NULL},
    {"view", "input shape offsets *valid_shape *dtype", recipe_view, PTS_OP_VIEW, -1, NULL},
    {"assemble", "src offsets dst parallel", recipe_assemble, PTS_OP_ASSEMBLE, 2, NULL},
    {"reshape", "input shape *valid_shape *inplace", recipe_reshape, PTS_OP_RESHAPE, -1, NULL},
    {"concat", "tensors dim", recipe_concat, PTS_OP_CONCAT, -1, NULL},
    {"experimental.nop", "in_tensors", recipe_nop, PTS_OP_NOP, -1, NULL},
    {"full", "size fill_value dtype *valid_shape", recipe_full, PTS_OP_FULL, -1, NULL},
    {"zeros", "+size *dtype", recipe_zeros, PTS_OP_FULL, -1, NULL},
    {"ones", "+size *dtype", recipe_ones, PTS_OP_FULL, -1, NULL},
    {"fill_", "input value", recipe_fill, PTS_OP_FULL, 0, NULL},
    {"arange", "start end step", recipe_arange, PTS_OP_ARANGE, -1, NULL},
    {"tril_", "input diagonal", recipe_tril, PTS_OP_TRIL, 0, NULL},
    {"triu_", "input diagonal", recipe_triu, PTS_OP_TRIU, 0, NULL},
    {"pack", "input", recipe_pack, PTS_OP_VIEW_TYPE, -1, NULL},
    {"unpack", "input dtype", recipe_unpack, PTS_OP_VIEW_TYPE, -1, NULL},
    {"uniform", "shape key counter alg dtype", recipe_uniform, PTS_OP_UNIFORM, -1, NULL},
    {"normal", "shape key counter alg dtype", recipe_normal, PTS_OP_NORMAL, -1, NULL},
    {"axpy_", "y x alpha", recipe_axpy, PTS_OP_AXPY_, 0, NULL},
    {"clip", "input min max", recipe_clip, PTS_OP_CLIP, -1, NULL},
    {"scatter", "input dim index src *reduce", recipe_scatter, PTS_OP_SCATTER, -1, NULL},
    {"scatter_", "input dim index src *reduce", recipe_scatter_in_place, PTS_OP_SCATTER, 0, NULL},
    {"index_add", "input dim index source *alpha", recipe_index_add, PTS_OP_INDEX_ADD_, -1, NULL},
    {"index_add_ub", "input dim index source *alpha", recipe_index_add, PTS_OP_INDEX_ADD_, -1,
     NULL},
    {"index_add_", "input dim index source *alpha", recipe_index_add_in_place, PTS_OP_INDEX_ADD_, 0,
     NULL},
    {"index_add__ub", "input dim index source *alpha", recipe_index_add_in_place, PTS_OP_INDEX_ADD_,
     0, NULL},
    {"index_put_", "input indices values accumulate", recipe_index_put, PTS_OP_INDEX_PUT_, 0, NULL},
    {"quant_mx", "input quant_dtype mode axis performance_mode", recipe_quant_mx, PTS_OP_QUANT_MX,
     -1, NULL},
    {"var", "input dim correction keepdim", recipe_var, PTS_OP_VAR, -1, NULL},
    {"matmul", "input mat2 out_dtype *a_trans *b_trans *c_matrix_nz *extend_params", recipe_matmul,
     PTS_OP_MATMUL, -1, NULL},
    {"__matmul__", "a b", recipe_matmul_operator, PTS_OP_MATMUL, -1, NULL},
    {"scaled_mm",
     "mat_a mat_b out_dtype scale_a scale_b *a_trans *b_trans *scale_a_trans *scale_b_trans "
     "*c_matrix_nz *extend_params",
     recipe_scaled_mm, PTS_OP_SCALED_MM, -1, NULL},
    {"conv",
     "input_conv weight out_dtype strides paddings dilations *groups *transposed *output_paddings "
     "*extend_params *tiles",
     recipe_conv, PTS_OP_CONV, -1, NULL},
    {"sigmoid", "input", recipe_sigmoid, PTS_OP_EXP, -1, NULL},
    {"softmax", "input dim", recipe_softmax, PTS_OP_EXP, -1, NULL},
    {"rms_norm", "input gamma epsilon", recipe_rms_norm, PTS_OP_MUL, -1, NULL},
    {"__getitem__", "tensor key", recipe_get, PTS_OP_VIEW, -1, NULL},
    {"__setitem__", "tensor key value", recipe_put, PTS_OP_ASSEMBLE, 0, NULL},
    {"move", "tensor source", recipe_move, PTS_OP_MOVE, 0, NULL},
    {"__floordiv__", "a b", recipe_floor_div, PTS_OP_DIV, -1, NULL},
    {"__rsub__", "scalar tensor", recipe_reverse_sub, PTS_OP_SUB, -1, NULL},
    {"__rtruediv__", "scalar tensor", recipe_reverse_div, PTS_OP_DIV, -1, NULL},
    {"__rfloordiv__", "scalar tensor", recipe_reverse_floor_div, PTS_OP_DIV, -1, NULL},
    /* one operation each */
    {"clone", "input|self|a|x", recipe_one, PTS_OP_CLONE, -1, "T"},
    {"neg", "a|input|self|x", recipe_one, PTS_OP_NEG, -1, "T"},
    {"abs", "a|input|self|x", recipe_one, PTS_OP_ABS, -1, "T"},
    {"sign", "a|input|self|x", recipe_one, PTS_OP_SIGN, -1, "T"},
    {"signbit", "a|input|self|x", recipe_one, PTS_OP_SIGNBIT, -1, "T"},
    {"reciprocal", "a|input|self|x precision_type", recipe_one, PTS_OP_RECIPROCAL, -1, "Tp"},
    {"relu", "a|input|self|x", recipe_one, PTS_OP_RELU, -1, "T"},
    {"exp", "input|self|a|x precision_type", recipe_one, PTS_OP_EXP, -1, "Tp"},
    {"exp2", "input|self|a|x", recipe_one, PTS_OP_EXP2, -1, "T"},
    {"expm1", "input|self|a|x", recipe_one, PTS_OP_EXPM1, -1, "T"},
    {"log", "input|self|a|x precision_type", recipe_one, PTS_OP_LOG, -1, "Tp"},
    {"log2", "input|self|a|x precision_type", recipe_one, PTS_OP_LOG2, -1, "Tp"},
    {"log10", "input|self|a|x precision_type", recipe_one, PTS_OP_LOG10, -1, "Tp"},
    {"log1p", "input|self|a|x", recipe_one, PTS_OP_LOG1P, -1, "T"},
    {"sqrt", "input|self|a|x precision_type", recipe_one, PTS_OP_SQRT, -1, "Tp"},
    {"rsqrt", "input|self|a|x precision_type", recipe_one, PTS_OP_RSQRT, -1, "Tp"},
    {"cbrt", "self|input|a|x", recipe_one, PTS_OP_CBRT, -1, "T"},
    {"sin", "self|input|a|x", recipe_one, PTS_OP_SIN, -1, "T"},
    {"cos", "self|input|a|x", recipe_one, PTS_OP_COS, -1, "T"},
    {"tan", "x|input|self|a", recipe_one, PTS_OP_TAN, -1, "T"},
    {"tanh", "a|input|self|x", recipe_one, PTS_OP_TANH, -1, "T"},
    {"sinh", "input|self|a|x", recipe_one, PTS_OP_SINH, -1, "T"},
    {"cosh", "input|self|a|x", recipe_one, PTS_OP_COSH, -1, "T"},
    {"asin", "self|input|a|x", recipe_one, PTS_OP_ASIN, -1, "T"},
    {"acos", "self|input|a|x", recipe_one, PTS_OP_ACOS, -1, "T"},
    {"asinh", "input|self|a|x", recipe_one, PTS_OP_ASINH, -1, "T"},
    {"acosh", "input|self|a|x", recipe_one, PTS_OP_ACOSH, -1, "T"},
    {"atanh", "input|self|a|x", recipe_one, PTS_OP_ATANH, -1, "T"},
    {"atan", "self|input|a|x", recipe_one, PTS_OP_ATAN, -1, "T"},
    {"erf", "self|input|a|x", recipe_one, PTS_OP_ERF, -1, "T"},
    {"erfc", "input|self|a|x", recipe_one, PTS_OP_ERFC, -1, "T"},
    {"floor", "input|self|a|x", recipe_one, PTS_OP_FLOOR, -1, "T"},
    {"ceil", "input|self|a|x", recipe_one, PTS_OP_CEIL, -1, "T"},
    {"trunc", "input|self|a|x", recipe_one, PTS_OP_TRUNC, -1, "T"},
    {"isfinite", "self|input|a|x", recipe_one, PTS_OP_ISFINITE, -1, "T"},
    {"isnan", "self|input|a|x", recipe_one, PTS_OP_ISNAN, -1, "T"},
    {"logical_not", "input|self|a|x", recipe_one, PTS_OP_LOGICAL_NOT, -1, "T"},
    {"bitwise_not", "self|input|a|x", recipe_one, PTS_OP_BITWISE_NOT, -1, "T"},
    {"add", "input|input_tensor|self other", recipe_one, PTS_OP_ADD, -1, "TN"},
    {"sub", "input|input_tensor|self other", recipe_one, PTS_OP_SUB, -1, "TN"},
    {"mul", "input|input_tensor|self other", recipe_one, PTS_OP_MUL, -1, "TN"},
    {"div", "input|input_tensor|self other precision_type", recipe_one, PTS_OP_DIV, -1, "TNp"},
    {"floor_div", "input|input_tensor|self other", recipe_one, PTS_OP_FLOOR_DIV, -1, "TN"},
    {"ceil_div", "input|self|input_tensor other", recipe_one, PTS_OP_CEIL_DIV, -1, "TI"},
    {"fmod", "input|input_tensor|self other precision_type", recipe_fmod, PTS_OP_FMOD, -1, "TNp"},
    {"gcd", "input|input_tensor|self other", recipe_gcd, PTS_OP_GCD, -1, "TN"},
    {"copysign", "input|input_tensor|self other", recipe_one, PTS_OP_COPYSIGN, -1, "TN"},
    {"remainder", "input other precision_type", recipe_one, PTS_OP_REMAINDER, -1, "ENp"},
    {"maximum", "input other", recipe_one, PTS_OP_MAXIMUM, -1, "EN"},
    {"minimum", "input other", recipe_one, PTS_OP_MINIMUM, -1, "EN"},
    {"pow", "base other precision_type", recipe_one, PTS_OP_POW, -1, "TNp"},
    {"hypot", "self other", recipe_one, PTS_OP_HYPOT, -1, "TT"},
    {"expand_exp_dif", "input other", recipe_one, PTS_OP_EXPAND_EXP_DIF, -1, "TT"},
    {"atan2", "y x", recipe_one, PTS_OP_ATAN2, -1, "TT"},
    {"logical_and", "input other", recipe_one, PTS_OP_LOGICAL_AND, -1, "TT"},
    {"bitwise_and", "input|self|a other|b", recipe_bits, PTS_OP_BITWISE_AND, -1, "EN"},
    {"bitwise_or", "input|input1|a input2|b", recipe_bits, PTS_OP_BITWISE_OR, -1, "EN"},
    {"bitwise_xor", "input|first|a second|b", recipe_bits, PTS_OP_BITWISE_XOR, -1, "EN"},
    {"bitwise_left_shift", "input other", recipe_bits, PTS_OP_BITWISE_LEFT_SHIFT, -1, "EN"},
    {"bitwise_right_shift", "input other", recipe_bits, PTS_OP_BITWISE_RIGHT_SHIFT, -1, "EN"},
    {"gt", "input other", recipe_one, PTS_OP_GT, -1, "TC"},
    {"ge", "input other", recipe_one, PTS_OP_GE, -1, "TC"},
    {"lt", "input other", recipe_one, PTS_OP_LT, -1, "TC"},
    {"le", "input other", recipe_one, PTS_OP_LE, -1, "TC"},
    {"eq", "input other", recipe_one, PTS_OP_EQ, -1, "TC"},
    {"ne", "input other", recipe_one, PTS_OP_NE, -1, "TC"},
    {"greater", "input other", recipe_one, PTS_OP_GREATER, -1, "TC"},
    {"sum", "input|self dim keepdim", recipe_one, PTS_OP_SUM, -1, "Tdk"},
    {"amax", "input|self dim keepdim", recipe_one, PTS_OP_AMAX, -1, "Tdk"},
    {"amin", "input|self dim keepdim", recipe_one, PTS_OP_AMIN, -1, "Tdk"},
    {"prod", "self|input dim keepdim", recipe_one, PTS_OP_PROD, -1, "Tdk"},
    {"argmax", "input dim keepdim", recipe_one, PTS_OP_ARGMAX, -1, "Tfk"},
    {"argmin", "input dim keepdim", recipe_one, PTS_OP_ARGMIN, -1, "Tfk"},
    {"cumsum", "input dim", recipe_one, PTS_OP_CUMSUM, -1, "Td"},
    {"cumprod", "input dim", recipe_one, PTS_OP_CUMPROD, -1, "Td"},
    {"unsqueeze", "input dim", recipe_one, PTS_OP_UNSQUEEZE, -1, "Td"},
    {"transpose", "input dim0 dim1", recipe_one, PTS_OP_TRANSPOSE, -1, "Tde"},
    {"permute", "input_tensor|input|self dims|perm", recipe_one, PTS_OP_PERMUTE, -1, "TS"},
    {"expand_clone", "input shape *valid_shape", recipe_one, PTS_OP_EXPAND_CLONE, -1, "TSV"},
    {"round", "input decimals", recipe_one, PTS_OP_ROUND, -1, "Tm"},
    {"lrelu", "input|other negative_slope", recipe_one, PTS_OP_LRELU, -1, "Tr"},
    {"prelu", "input|self weight", recipe_one, PTS_OP_PRELU, -1, "TT"},
    {"where", "condition input other", recipe_where, PTS_OP_WHERE, -1, "TNN"},
    {"atomic_add", "src offsets dst", recipe_one, PTS_OP_ATOMIC_ADD, 2, "TOT"},
    {"pad", "x padding mode value", recipe_one, PTS_OP_PAD, -1, "TSMF"},
    {"fillpad", "x mode value", recipe_one, PTS_OP_FILLPAD, -1, "TMF"},
    {"tril", "input diagonal", recipe_one, PTS_OP_TRIL, -1, "TD"},
    {"triu", "input diagonal", recipe_one, PTS_OP_TRIU, -1, "TD"},
    {"interleave", "input other", recipe_one, PTS_OP_INTERLEAVE, -1, "TT"},
    {"deinterleave", "input other", recipe_one, PTS_OP_DEINTERLEAVE, -1, "T?"},
    {"topk", "input k dim largest algo", recipe_one, PTS_OP_TOPK, -1, "TcnlA"},
    {"argsort", "input dim descending", recipe_one, PTS_OP_ARGSORT, -1, "Tng"},
    {"sort32", "input index", recipe_one, PTS_OP_SORT32, -1, "T?"},
    {"mrgsort", "input mergesize", recipe_one, PTS_OP_MRGSORT, -1, "Tc"},
    {"gathermask", "self pattern_mode", recipe_one, PTS_OP_GATHERMASK, -1, "Tm"},
    {"one_hot", "input num_classes", recipe_one, PTS_OP_ONE_HOT, -1, "Tc"},
    {"gather", "input dim index", recipe_one, PTS_OP_GATHER, -1, "TdT"},
    {"index_select", "input dim index", recipe_one, PTS_OP_INDEX_SELECT, -1, "TdT"},
    {"scatter_update", "input dim index src", recipe_one, PTS_OP_SCATTER_UPDATE, 0, "TdTT"},
    {"quantize", "input scale otype axis zero_points", recipe_one, PTS_OP_QUANTIZE, -1, "TTyd?"},
    {"dequantize", "input scale otype axis zero_points", recipe_one, PTS_OP_DEQUANTIZE, -1,
     "TTyd?"},
    {"experimental.gather_in_ub", "param indices block_table block_size axis", recipe_one,
     PTS_OP_GATHER_IN_UB, -1, "TTTcd"},
    {"experimental.gather_in_l1", "src indices block_table block_size size is_b_matrix is_trans",
     recipe_one, PTS_OP_GATHER_IN_L1, -1, "TTTcZba"},
    {"experimental.transposed_batchmatmul", "tensor_a tensor_b out_dtype", recipe_one,
     PTS_OP_TRANSPOSED_BATCHMATMUL, -1, "TTy"},
    {"experimental.online_softmax", "scores scale", recipe_one, PTS_OP_ONLINE_SOFTMAX, -1, "Tr"},
    {"experimental.online_softmax_update", "prev_max prev_sum prev_out cur_max cur_sum cur_out",
     recipe_one, PTS_OP_ONLINE_SOFTMAX_UPDATE, -1, "TTTTTT"},
};

enum { BY_HAND = sizeof recipes / sizeof *recipes };

const PtsRecipe *pts_recipe(size_t number)
{
    const PtsRecipe *made = pts_recipes_made;
    if (number < BY_HAND) {
        return &recipes[number];
    }
    for (size_t i = BY_HAND; i < number && made->name != NULL; i++) {
        made++;
    }
    return made->name == NULL ? NULL : made;
}

static bool has_name(const PtsRecipe *recipe, const char *name, size_t length)
{
    /* Most names differ in the first byte, and every call of a kernel asks for all of them. */
    return length > 0 && *recipe->name == *name && strncmp(recipe->name, name, length) == 0 &&
           recipe->name[length] == '\0';
}

const PtsRecipe *pts_recipe_find(const char *name, size_t length)
{
    for (size_t i = 0; i < BY_HAND; i++) {
        if (has_name(&recipes[i], name, length)) {
            return &recipes[i];
        }
    }
    for (const PtsRecipe *made = pts_recipes_made; made->name != NULL; made++) {
        if (has_name(made, name, length)) {
            return made;
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
