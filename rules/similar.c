/* Similar: misspelt words and synonyms; see similar.h. */
#include "rules/similar.h"

#include "base/ascii.h"
#include "lint/suggest.h"

enum { ONE_EDIT_FROM = 4, TWO_EDITS_FROM = 10 };

static char fold(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Equal but for case and underscores? */
static bool is_spelled_alike(Str a, Str b)
{
    size_t i = 0;
    size_t j = 0;
    for (;;) {
        while (i < a.length && a.at[i] == '_') {
            i++;
        }
        while (j < b.length && b.at[j] == '_') {
            j++;
        }
        if (i == a.length || j == b.length) {
            return i == a.length && j == b.length;
        }
        if (fold(a.at[i++]) != fold(b.at[j++])) {
            return false;
        }
    }
}

static bool has_equal_digits(Str a, Str b)
{
    size_t j = 0;
    for (size_t i = 0; i < a.length; i++) {
        if (!is_digit(a.at[i])) {
            continue;
        }
        while (j < b.length && !is_digit(b.at[j])) {
            j++;
        }
        if (j == b.length || b.at[j++] != a.at[i]) {
            return false;
        }
    }
    while (j < b.length && !is_digit(b.at[j])) {
        j++;
    }
    return j == b.length;
}

static unsigned word_edits(Str a, Str b)
{
    size_t shorter = a.length < b.length ? a.length : b.length;
    unsigned limit = shorter < ONE_EDIT_FROM ? 0 : shorter < TWO_EDITS_FROM ? 1 : 2;
    if (shorter == 0 || fold(a.at[0]) != fold(b.at[0]) || !has_equal_digits(a, b)) {
        return a.length == b.length && shorter == 0 ? 0 : SIMILAR_NOT;
    }
    unsigned edits = edit_distance(a, b, limit);
    return edits <= limit ? edits : SIMILAR_NOT;
}

static Str next_word(Str text, size_t *at)
{
    size_t end = str_find(text, STR("_"), *at);
    end = end == SIZE_MAX ? text.length : end;
    Str word = str_slice(text, *at, end);
    *at = end + 1;
    return word;
}

unsigned similar_edits(Str candidate, Str wanted)
{
    if (is_spelled_alike(candidate, wanted)) {
        return 0;
    }
    unsigned sum = 0;
    size_t i = 0;
    size_t j = 0;
    while (i <= candidate.length && j <= wanted.length) {
        unsigned edits = word_edits(next_word(candidate, &i), next_word(wanted, &j));
        if (edits == SIMILAR_NOT) {
            return SIMILAR_NOT;
        }
        sum += edits;
    }
    return i > candidate.length && j > wanted.length ? sum : SIMILAR_NOT;
}

/* --- synonyms */

static const Synonym synonyms[] = {
    {"empty", {"zeros", "ones", "full"}, NULL},
    {"empty_like", {"zeros", "ones", "full"}, NULL},
    {"Empty", {"zeros", "ones", "full"}, NULL},
    {"zeros_like", {"zeros"}, NULL},
    {"ones_like", {"ones"}, NULL},
    {"full_like", {"full"}, NULL},
    {"constant", {"full"}, NULL},
    {"Tensor_", {"Tensor"}, NULL},
    {"tensor", {"Tensor"}, NULL},
    {"square", {"mul"}, "pypto.mul(x, x)"},
    {"mean", {"sum", "mul"}, "pypto.mul(pypto.sum(x, dim, True), 1.0 / n)"},
    {"std", {"var", "sqrt"}, "pypto.sqrt(pypto.var(x, dim))"},
    {"silu", {"mul", "sigmoid"}, "pypto.mul(x, pypto.sigmoid(x))"},
    {"swish", {"mul", "sigmoid"}, "pypto.mul(x, pypto.sigmoid(x))"},
    {"gelu", {"erf", "tanh"}, "pypto.mul(pypto.mul(x, 0.5), pypto.add(pypto.erf(…), 1.0))"},
    {"squeeze", {"reshape"}, "pypto.reshape(x, the shape without the axis)"},
    {"flatten", {"reshape"}, NULL},
    {"load", {"view"}, "pypto.view(x, shape, offsets)"},
    {"store", {"assemble"}, "pypto.assemble(tile, offsets, out)"},
    {"mm", {"matmul"}, NULL},
    {"bmm", {"matmul"}, NULL},
    {"dot", {"matmul"}, NULL},
    {"linear", {"matmul", "add"}, NULL},
    {"addmm", {"matmul", "add"}, NULL},
    {"einsum", {"matmul"}, NULL},
    {"clamp", {"clip"}, NULL},
    {"cat", {"concat"}, NULL},
    {"concatenate", {"concat"}, NULL},
    {"stack", {"unsqueeze", "concat"}, NULL},
    {"expand", {"expand_clone"}, NULL},
    {"expand_as", {"expand_clone"}, NULL},
    {"broadcast_to", {"expand_clone"}, NULL},
    {"repeat", {"expand_clone"}, NULL},
    {"swapaxes", {"transpose"}, NULL},
    {"to", {"cast"}, NULL},
    {"astype", {"cast"}, NULL},
    {"copy", {"clone"}, NULL},
    {"divide", {"div"}, NULL},
    {"true_divide", {"div"}, NULL},
    {"floor_divide", {"floor_div"}, NULL},
    {"multiply", {"mul"}, NULL},
    {"subtract", {"sub"}, NULL},
    {"negative", {"neg"}, NULL},
    {"power", {"pow"}, NULL},
    {"absolute", {"abs"}, NULL},
    {"equal", {"eq"}, NULL},
    {"not_equal", {"ne"}, NULL},
    {"less", {"lt"}, NULL},
    {"less_equal", {"le"}, NULL},
    {"greater_equal", {"ge"}, NULL},
    {"reduce_sum", {"sum"}, NULL},
    {"reduce_max", {"amax"}, NULL},
    {"reduce_min", {"amin"}, NULL},
    {"for_loop", {"loop"}, NULL},
    {"unroll", {"loop_unroll"}, NULL},
    {"set_tile_shapes", {"set_vec_tile_shapes", "set_cube_tile_shapes"}, NULL},
    {"float32", {"DT_FP32"}, NULL},
    {"DT_FLOAT32", {"DT_FP32"}, NULL},
    {"DT_FLOAT", {"DT_FP32"}, NULL},
    {"fp32", {"DT_FP32"}, NULL},
    {"FP32", {"DT_FP32"}, NULL},
    {"f32", {"DT_FP32"}, NULL},
    {"float16", {"DT_FP16"}, NULL},
    {"DT_FLOAT16", {"DT_FP16"}, NULL},
    {"half", {"DT_FP16"}, NULL},
    {"fp16", {"DT_FP16"}, NULL},
    {"FP16", {"DT_FP16"}, NULL},
    {"f16", {"DT_FP16"}, NULL},
    {"bfloat16", {"DT_BF16"}, NULL},
    {"DT_BFLOAT16", {"DT_BF16"}, NULL},
    {"bf16", {"DT_BF16"}, NULL},
    {"BF16", {"DT_BF16"}, NULL},
    {"float64", {"DT_DOUBLE"}, NULL},
    {"DT_FP64", {"DT_DOUBLE"}, NULL},
    {"int8", {"DT_INT8"}, NULL},
    {"int16", {"DT_INT16"}, NULL},
    {"int32", {"DT_INT32"}, NULL},
    {"int64", {"DT_INT64"}, NULL},
    {"bool", {"DT_BOOL"}, NULL},
};

const Synonym *synonym_find(Str missing)
{
    for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++) {
        if (str_is(missing, synonyms[i].missing)) {
            return &synonyms[i];
        }
    }
    return NULL;
}
