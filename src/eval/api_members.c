/* Names of the package, of tensors and of symbolic scalars. */
#include "base/search.h"
#include "eval/api_facts.h"

/* tests/eval/members.py compares them with the simulator's classes. */
const char api_tensor_members[] =
    "add axpy_ sub mul hypot prelu div fmod remainder greater matmul assemble reshape unsqueeze "
    "view clone sin cos sinh cosh asinh acosh sigmoid softmax maximum where lrelu topk quant_mx "
    "sort32 mrgsort exp sign signbit tanh exp2 expm1 erfc log log1p log10 log2 logical_not amax "
    "amin argmax argmin sum round rsqrt sqrt ceil floor trunc reciprocal relu permute transpose "
    "gather gathermask index_add_ index_add cumsum cumprod gcd triu triu_ tril tril_ expand_clone "
    "pad fillpad scatter_update scatter_ scatter var fill_ move shape valid_shape dim dtype format "
    "name id is_empty set_cache_policy get_cache_policy base logical_tensor from_base data_ptr "
    "device ori_shape to_tensor minimum copy set_logical_tensor";

const char api_symbol_members[] =
    "min max is_concrete is_immediate is_symbol is_expression concrete simplify as_variable base "
    "as_expr tenary check";

/* Does the entry come before the name? Most differ in the first bytes, so no length is asked. */
static bool is_before(const char *entry, Str name)
{
    for (size_t i = 0; i < name.length; i++) {
        if (entry[i] != name.at[i] || entry[i] == '\0') {
            return entry[i] == '\0' || (unsigned char)entry[i] < (unsigned char)name.at[i];
        }
    }
    return false;
}

const ApiFact *api_fact_find(Str name)
{
    size_t low;
    LOWER_BOUND(low, api_fact_count, is_before(api_facts[low].name, name));
    return low < api_fact_count && str_is(name, api_facts[low].name) ? &api_facts[low] : NULL;
}

bool api_words_have(const char *list, Str word)
{
    return str_is_word(word, list);
}
