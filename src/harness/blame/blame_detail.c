/* Reads what a worker says of the change that makes outputs right; see blame.h. Nothing is taken
 * that has another form: words, names of the kernel's text, extents and formulas of four letters.
 */
#include "harness/blame/blame.h"

#include "base/ascii.h"
#include "document/json.h"

#include <math.h>
#include <string.h>

static Str text_of(const json_t *value)
{
    return json_is_string(value) ? (Str){json_string_value(value), json_string_length(value)}
                                 : STR("");
}

Str blame_word_read(Arena *arena, const json_t *object, const char *key)
{
    Str word = text_of(json_object_get(object, key));
    bool sound = word.length <= BLAME_MOST_WORD;
    for (size_t i = 0; i < word.length && sound; i++) {
        char c = word.at[i];
        sound = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    }
    return sound ? str_from(str_dup(arena, word)) : STR("");
}

/* A name as a kernel may have it in ASCII; empty for anything else. */
static Str name_of(Arena *arena, const json_t *value)
{
    Str name = text_of(value);
    bool sound = name.length <= BLAME_MOST_WORD;
    for (size_t i = 0; i < name.length && sound; i++) {
        sound = is_word_char(name.at[i]);
    }
    return sound ? str_from(str_dup(arena, name)) : STR("");
}

/* "(a - c) * b", "max(a, b)"; empty for anything else. */
static Str formula_at(Arena *arena, const json_t *object, const char *key)
{
    Str text = text_of(json_object_get(object, key));
    bool sound = text.length > 0 && text.length <= BLAME_MOST_FORMULA &&
                 strspn(text.at, "abcdmxin()+-*/, ") == text.length;
    if (!sound) {
        return STR("");
    }
    bool is_enclosed = text.at[0] == '(' && text.at[text.length - 1] == ')';
    return str_from(str_dup(arena, is_enclosed ? str_slice(text, 1, text.length - 1) : text));
}

/* "min(rows - start, ROWS)", "pypto.exp(x)": an expression of the kernel's text; empty for
 * anything else. */
static Str expression_at(Arena *arena, const json_t *object, const char *key)
{
    Str text = text_of(json_object_get(object, key));
    bool sound = text.length <= BLAME_MOST_EXPRESSION;
    for (size_t i = 0; i < text.length && sound; i++) {
        sound = is_word_char(text.at[i]) || strchr(" ()+-*/%,.", text.at[i]) != NULL;
    }
    return sound ? str_from(str_dup(arena, text)) : STR("");
}

static int64_t number_at(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_integer(value) && json_integer_value(value) >= 0 ? json_integer_value(value)
                                                                    : -1;
}

static BlameTensor tensor_of(Arena *arena, const json_t *from)
{
    BlameTensor tensor = {.dtype = name_of(arena, json_object_get(from, "dtype"))};
    const json_t *shape = json_object_get(from, "shape");
    for (size_t i = 0; i < json_array_size(shape) && i < BLAME_MOST_RANK; i++) {
        tensor.shape[tensor.rank++] = json_integer_value(json_array_get(shape, i));
    }
    return tensor;
}

static void read_tensors(Arena *arena, const json_t *from, BlameDetail *detail)
{
    const json_t *inputs = json_object_get(from, "inputs");
    for (size_t i = 0; i < json_array_size(inputs) && i < BLAME_MOST_INPUTS; i++) {
        detail->inputs[detail->input_count++] = tensor_of(arena, json_array_get(inputs, i));
    }
    detail->made = tensor_of(arena, json_object_get(from, "made"));
}

static void read_scalar(Arena *arena, const json_t *from, BlameDetail *detail)
{
    detail->form = blame_word_read(arena, from, "form");
    detail->value = json_number_value(json_object_get(from, "value"));
    detail->value = isfinite(detail->value) ? detail->value : 0;
    detail->extent = number_at(from, "extent");
    detail->mode = number_at(from, "mode");
    int64_t step = json_integer_value(json_object_get(from, "step"));
    detail->step = step > -BLAME_MOST_STEP && step < BLAME_MOST_STEP ? step : 0;
}

void blame_detail_read(Arena *arena, const json_t *from, BlameDetail *detail)
{
    Str instead = blame_word_read(arena, from, "instead");
    const json_t *operands = json_object_get(from, "operands");
    *detail = (BlameDetail){
        .other = instead.length > 0 ? instead : blame_word_read(arena, from, "also"),
        .axis = number_at(from, "axis"),
        .line = number_at(from, "line"),
        .by = blame_word_read(arena, from, "by"),
        .name = name_of(arena, json_object_get(from, "name")),
        .written = number_at(from, "written"),
        .remaining = number_at(from, "left"),
        .begins = number_at(from, "begins"),
        .right = number_at(from, "right"),
        .count = number_at(from, "count"),
        .how = blame_word_read(arena, from, "how"),
        .is_earlier = json_is_true(json_object_get(from, "earlier")),
        .transposes = {json_is_true(json_array_get(operands, 0)),
                       json_is_true(json_array_get(operands, 1))},
        .formula = formula_at(arena, from, "formula"),
        .instead_of = formula_at(arena, from, "instead_of"),
    };
    if (detail->formula.length == 0) {
        detail->formula = expression_at(arena, from, "expression");
        detail->instead_of = expression_at(arena, from, "expression_now");
    }
    read_scalar(arena, from, detail);
    read_tensors(arena, from, detail);
}

void blame_loops_read(Arena *arena, const json_t *from, BlameLoops *loops)
{
    const json_t *at = json_object_get(from, "iteration");
    const json_t *names = json_object_get(from, "loops");
    *loops = (BlameLoops){.count = 0};
    for (size_t i = 0; i < json_array_size(at) && i < BLAME_MOST_LOOPS; i++) {
        loops->names[i] = name_of(arena, json_array_get(names, i));
        loops->at[loops->count++] = json_integer_value(json_array_get(at, i));
    }
}
