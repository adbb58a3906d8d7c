/* The parameters of functions that record one operation; see drive_recipes.h. */
#include "eval/drive_recipes.h"

#define UNARY(name, OP)                                                                            \
    {                                                                                              \
        name, PTS_OP_##OP, "input|self|a|x:T precision_type:x"                                     \
    }
#define BINARY(name, OP)                                                                           \
    {                                                                                              \
        name, PTS_OP_##OP, "input|input_tensor|self:T other:N precision_type:x"                    \
    }
#define REDUCE(name, OP)                                                                           \
    {                                                                                              \
        name, PTS_OP_##OP, "input|self:T dim:d keepdim:k"                                          \
    }
#define COMPARE(name, OP)                                                                          \
    {                                                                                              \
        name, PTS_OP_##OP, "input:T other:C"                                                       \
    }

static const Recipe recipes[] = {
    UNARY("clone", CLONE),
    UNARY("neg", NEG),
    UNARY("abs", ABS),
    UNARY("sign", SIGN),
    UNARY("signbit", SIGNBIT),
    UNARY("reciprocal", RECIPROCAL),
    UNARY("relu", RELU),
    UNARY("exp", EXP),
    UNARY("exp2", EXP2),
    UNARY("expm1", EXPM1),
    UNARY("log", LOG),
    UNARY("log2", LOG2),
    UNARY("log10", LOG10),
    UNARY("log1p", LOG1P),
    UNARY("sqrt", SQRT),
    UNARY("rsqrt", RSQRT),
    UNARY("cbrt", CBRT),
    UNARY("sin", SIN),
    UNARY("cos", COS),
    UNARY("tan", TAN),
    UNARY("tanh", TANH),
    UNARY("sinh", SINH),
    UNARY("cosh", COSH),
    UNARY("asin", ASIN),
    UNARY("acos", ACOS),
    UNARY("asinh", ASINH),
    UNARY("acosh", ACOSH),
    UNARY("atanh", ATANH),
    UNARY("atan", ATAN),
    UNARY("erf", ERF),
    UNARY("erfc", ERFC),
    UNARY("floor", FLOOR),
    UNARY("ceil", CEIL),
    UNARY("trunc", TRUNC),
    UNARY("isfinite", ISFINITE),
    UNARY("isnan", ISNAN),
    UNARY("logical_not", LOGICAL_NOT),
    UNARY("bitwise_not", BITWISE_NOT),
    BINARY("add", ADD),
    BINARY("sub", SUB),
    BINARY("mul", MUL),
    BINARY("div", DIV),
    BINARY("floor_div", FLOOR_DIV),
    BINARY("ceil_div", CEIL_DIV),
    BINARY("fmod", FMOD),
    BINARY("gcd", GCD),
    BINARY("copysign", COPYSIGN),
    {"remainder", PTS_OP_REMAINDER, "input:N other:N precision_type:x"},
    {"maximum", PTS_OP_MAXIMUM, "input:N other:N"},
    {"minimum", PTS_OP_MINIMUM, "input:N other:N"},
    {"pow", PTS_OP_POW, "base:T other:N precision_type:x"},
    {"hypot", PTS_OP_HYPOT, "self:T other:T"},
    {"expand_exp_dif", PTS_OP_EXPAND_EXP_DIF, "input:T other:T"},
    {"atan2", PTS_OP_ATAN2, "y:T x:T"},
    {"logical_and", PTS_OP_LOGICAL_AND, "input:T other:T"},
    {"bitwise_and", PTS_OP_BITWISE_AND, "self|a:N other|b:N"},
    {"bitwise_or", PTS_OP_BITWISE_OR, "input1|a:N input2|b:N"},
    {"bitwise_xor", PTS_OP_BITWISE_XOR, "first|a:N second|b:N"},
    {"bitwise_left_shift", PTS_OP_BITWISE_LEFT_SHIFT, "input:N other:N"},
    {"bitwise_right_shift", PTS_OP_BITWISE_RIGHT_SHIFT, "input:N other:N"},
    COMPARE("gt", GT),
    COMPARE("ge", GE),
    COMPARE("lt", LT),
    COMPARE("le", LE),
    COMPARE("eq", EQ),
    COMPARE("ne", NE),
    COMPARE("greater", GREATER),
    REDUCE("sum", SUM),
    REDUCE("amax", AMAX),
    REDUCE("amin", AMIN),
    REDUCE("prod", PROD),
    {"argmax", PTS_OP_ARGMAX, "input:T dim:d=-1 keepdim:k"},
    {"argmin", PTS_OP_ARGMIN, "input:T dim:d=-1 keepdim:k"},
    {"cumsum", PTS_OP_CUMSUM, "input:T dim:d"},
    {"cumprod", PTS_OP_CUMPROD, "input:T dim:d"},
    {"unsqueeze", PTS_OP_UNSQUEEZE, "input:T dim:d"},
    {"transpose", PTS_OP_TRANSPOSE, "input:T dim0:d dim1:e"},
    {"permute", PTS_OP_PERMUTE, "input_tensor|input|self:T dims|perm:S"},
    {"expand_clone", PTS_OP_EXPAND_CLONE, "input:T shape:S valid_shape:V"},
    {"round", PTS_OP_ROUND, "input:T decimals:m=0"},
    {"lrelu", PTS_OP_LRELU, "other|input:T negative_slope:r"},
    {"prelu", PTS_OP_PRELU, "self|input:T weight:T"},
    {"where", PTS_OP_WHERE, "condition:T input:N other:N"},
    {"atomic_add", PTS_OP_ATOMIC_ADD, "src:T @offsets:O dst:T"},
    {"pad", PTS_OP_PAD, "x:T padding:S mode:x value:N=0"},
    {"fillpad", PTS_OP_FILLPAD, "x:T mode:x value:N=0"},
    {"tril", PTS_OP_TRIL, "input:T diagonal:D"},
    {"triu", PTS_OP_TRIU, "input:T diagonal:D"},
    {"interleave", PTS_OP_INTERLEAVE, "input:T other:T"},
    {"deinterleave", PTS_OP_DEINTERLEAVE, "input:T other:?"},
    {"topk", PTS_OP_TOPK, "input:T k:c dim:d=-1 largest:l algo:m=0"},
    {"argsort", PTS_OP_ARGSORT, "input:T dim:d=-1 descending:g"},
    {"sort32", PTS_OP_SORT32, "input:T index:?"},
    {"mrgsort", PTS_OP_MRGSORT, "input:T mergesize:c"},
    {"gathermask", PTS_OP_GATHERMASK, "self:T pattern_mode:m"},
    {"one_hot", PTS_OP_ONE_HOT, "input:T num_classes:c"},
    {"gather", PTS_OP_GATHER, "input:T dim:d index:T"},
    {"index_select", PTS_OP_INDEX_SELECT, "input:T dim:d index:T"},
    {"scatter_update", PTS_OP_SCATTER_UPDATE, "input:T dim:d index:T src:T"},
    {"quantize", PTS_OP_QUANTIZE, "input:T scale:T otype:y axis:d zero_points:?"},
    {"dequantize", PTS_OP_DEQUANTIZE, "input:T scale:T otype:y axis:d zero_points:?"},
    {"experimental.gather_in_ub", PTS_OP_GATHER_IN_UB,
     "param:T indices:T block_table:T block_size:c axis:d"},
    {"experimental.gather_in_l1", PTS_OP_GATHER_IN_L1,
     "src:T indices:T block_table:T block_size:c size:Z is_b_matrix:b is_trans:a"},
    {"experimental.transposed_batchmatmul", PTS_OP_TRANSPOSED_BATCHMATMUL,
     "tensor_a:T tensor_b:T out_dtype:y"},
    {"experimental.online_softmax", PTS_OP_ONLINE_SOFTMAX, "scores:T scale:r"},
    {"experimental.online_softmax_update", PTS_OP_ONLINE_SOFTMAX_UPDATE,
     "prev_max:T prev_sum:T prev_out:T cur_max:T cur_sum:T cur_out:T"},
};

const Recipe *drive_recipe(Str name)
{
    for (size_t i = 0; i < sizeof recipes / sizeof *recipes; i++) {
        if (str_is(name, recipes[i].name)) {
            return &recipes[i];
        }
    }
    return NULL;
}
