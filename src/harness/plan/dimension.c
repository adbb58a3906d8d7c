/* Dimensions; see dimension.h. */
#include "harness/plan/dimension.h"

#include "base/ascii.h"
#include "harness/report/texts.h"

Variable *variable_find(const Variables *variables, Str name)
{
    for (uint32_t i = 0; i < variables->count; i++) {
        if (str_equal(variables->items[i].name, name)) {
            return &variables->items[i];
        }
    }
    return NULL;
}

/* --- tokens */

Str dimension_token(Str expression, size_t *at)
{
    while (*at < expression.length && (expression.at[*at] == ' ' || expression.at[*at] == '\t')) {
        (*at)++;
    }
    size_t start = *at;
    while (*at < expression.length && is_word_char(expression.at[*at])) {
        (*at)++;
    }
    if (*at == start && *at < expression.length) {
        bool two = str_starts(str_slice(expression, start, expression.length), STR("//"));
        *at += two ? 2 : 1;
    }
    return str_slice(expression, start, *at);
}

bool dimension_token_is_name(Str token)
{
    return token.length > 0 && is_word_char(token.at[0]) && !is_digit(token.at[0]);
}

bool dimension_is_name(Str expression)
{
    size_t at = 0;
    bool name = dimension_token_is_name(dimension_token(expression, &at));
    return name && dimension_token(expression, &at).length == 0;
}

void dimension_names(Arena *arena, Str expression, Strs *names)
{
    size_t at = 0;
    for (Str token; (token = dimension_token(expression, &at)).length > 0;) {
        if (dimension_token_is_name(token)) {
            strs_add(arena, names, token);
        }
    }
}

/* --- value */

/* Operators wait on a stack until one that binds less strongly follows, or the end. */
typedef struct Reader {
    const Variables *variables; /* NULL: every name is 1 */
    int64_t values[DIMENSION_MAX_DEPTH];
    char signs[DIMENSION_MAX_DEPTH]; /* + - * and / for //, n for a minus sign, ( */
    uint32_t value_count, operator_count;
} Reader;

static int strength(char sign)
{
    return sign == '(' ? 0 : sign == '+' || sign == '-' ? 1 : sign == 'n' ? 3 : 2;
}

static bool floor_divide(int64_t a, int64_t b, int64_t *out)
{
    if (b == 0 || (a == INT64_MIN && b == -1)) {
        return false;
    }
    *out = a / b - (a % b != 0 && (a < 0) != (b < 0));
    return true;
}

static bool apply(Reader *reader)
{
    char sign = reader->signs[--reader->operator_count];
    uint32_t wanted = sign == 'n' ? 1 : 2;
    if (reader->value_count < wanted) {
        return false;
    }
    reader->value_count -= wanted - 1;
    int64_t *left = &reader->values[reader->value_count - 1];
    int64_t right = sign == 'n' ? 0 : reader->values[reader->value_count];
    switch (sign) {
    case 'n':
        return !__builtin_sub_overflow((int64_t)0, *left, left);
    case '+':
        return !__builtin_add_overflow(*left, right, left);
    case '-':
        return !__builtin_sub_overflow(*left, right, left);
    case '*':
        return !__builtin_mul_overflow(*left, right, left);
    case '/':
        return floor_divide(*left, right, left) || reader->variables == NULL;
    default:
        return false; /* a parenthesis that is not closed */
    }
}

static bool push_operator(Reader *reader, char sign)
{
    if (reader->operator_count == DIMENSION_MAX_DEPTH) {
        return false;
    }
    reader->signs[reader->operator_count++] = sign;
    return true;
}

static bool push_operand(Reader *reader, Str token)
{
    int64_t value = 1;
    if (reader->value_count == DIMENSION_MAX_DEPTH) {
        return false;
    }
    if (is_digit(token.at[0])) {
        value = 0;
        for (size_t i = 0; i < token.length; i++) {
            if (!is_digit(token.at[i]) || __builtin_mul_overflow(value, 10, &value) ||
                __builtin_add_overflow(value, token.at[i] - '0', &value)) {
                return false;
            }
        }
    } else if (reader->variables != NULL) {
        const Variable *variable = variable_find(reader->variables, token);
        if (variable == NULL) {
            return false;
        }
        value = variable->value;
    }
    reader->values[reader->value_count++] = value;
    return true;
}

/* Applies waiting operators that bind at least as strongly as `least`. */
static bool apply_waiting(Reader *reader, int least)
{
    while (reader->operator_count > 0 &&
           strength(reader->signs[reader->operator_count - 1]) >= least) {
        if (!apply(reader)) {
            return false;
        }
    }
    return true;
}

/* Reads a token in the place of an operand; sets `*wants` to false if it is one. */
static bool read_operand(Reader *reader, Str token, bool *wants)
{
    if (is_word_char(token.at[0])) {
        *wants = false;
        return push_operand(reader, token);
    }
    char c = token.at[0];
    return token.length == 1 && (c == '+' || ((c == '-' || c == '(') &&
                                              push_operator(reader, (char)(c == '-' ? 'n' : c))));
}

/* Reads a token after an operand. */
static bool read_operator(Reader *reader, Str token, bool *wants)
{
    char c = token.at[0];
    if (c == ')') {
        bool open = apply_waiting(reader, 1) && reader->operator_count > 0;
        reader->operator_count -= open ? 1 : 0;
        return open;
    }
    *wants = true;
    bool known = c == '+' || c == '-' || c == '*' || str_is(token, "//");
    return known && apply_waiting(reader, strength(c)) && push_operator(reader, c);
}

static bool evaluate(Str expression, const Variables *variables, int64_t *value)
{
    Reader reader = {.variables = variables};
    bool wants_operand = true;
    size_t at = 0;
    for (Str token; (token = dimension_token(expression, &at)).length > 0;) {
        if (!(wants_operand ? read_operand(&reader, token, &wants_operand)
                            : read_operator(&reader, token, &wants_operand))) {
            return false;
        }
    }
    if (wants_operand || !apply_waiting(&reader, 0)) {
        return false;
    }
    *value = reader.values[0];
    return true;
}

bool dimension_value(Str expression, const Variables *variables, int64_t *value)
{
    return evaluate(expression, variables, value);
}

bool dimension_is_valid(Str expression)
{
    int64_t value;
    return evaluate(expression, NULL, &value);
}
