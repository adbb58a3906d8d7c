/* Names of the package, of tensors and of symbolic scalars. */
#include "eval/api_facts.h"

/* tests/eval/members.py holds them against the simulator's classes. */
const char api_tensor_members[] =
    "add axpy_ sub mul hypot prelu div fmod remainder greater matmul assemble reshape unsqueeze "
    "view clone sin cos sinh cosh asinh acosh sigmoid softmax maximum where lrelu topk quant_mx "
    "sort32 mrgsort exp sign signbit tanh exp2 expm1 erfc log log1p log10 log2 logical_not amax "
    "amin argmax argmin sum round rsqrt sqrt ceil floor trunc reciprocal relu permute transpose "
    "gather gathermask index_add_ index_add cumsum cumprod gcd triu triu_ tril tril_ expand_clone "
    "pad fillpad scatter_update scatter_ scatter var fill_ move shape valid_shape dim dtype format "
    "name id is_empty set_cache_policy get_cache_policy base logical_tensor from_base data_ptr "
    "device ori_shape to_tensor minimum";

const char api_symbol_members[] =
    "min max is_concrete is_immediate is_symbol is_expression concrete simplify as_variable base "
    "as_expr tenary check";

const ApiFact *api_fact_find(Str name)
{
    size_t low = 0;
    size_t high = api_fact_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = str_compare(str_from(api_facts[middle].name), name);
        if (order == 0) {
            return &api_facts[middle];
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return NULL;
}

bool api_words_have(const char *list, Str word)
{
    Str text = str_from(list);
    if (word.length == 0) {
        return false;
    }
    for (size_t at = str_find(text, word, 0); at != SIZE_MAX; at = str_find(text, word, at + 1)) {
        bool starts = at == 0 || text.at[at - 1] == ' ';
        bool ends = at + word.length == text.length || text.at[at + word.length] == ' ';
        if (starts && ends) {
            return true;
        }
    }
    return false;
}
