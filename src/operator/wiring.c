/* Interfaces: the six wiring rules of the module contract. Outputs are looked up in a sorted table,
 * so that the work does not grow with modules times outputs. */
#include "operator/interfaces.h"

#include "base/ascii.h"
#include "operator/extract.h"
#include "operator/text.h"

#include <stdlib.h>

/* An output by its module and name. */
typedef struct OutputKey {
    int64_t module;
    Str name;
    uint32_t line, order;
} OutputKey;
typedef VEC(OutputKey) OutputKeys;

typedef struct Wiring {
    Arena *arena;
    const Value *root, *modules;
    uint32_t module_count;
    Strs primary;       /* sorted */
    OutputKeys outputs; /* sorted by module, name, order */
    Violations violations;
} Wiring;

static uint32_t item_count(const Value *list)
{
    return value_is(list, VALUE_LIST) ? list->count : 0;
}

/* A value as it appears in a message. */
static Str shown(const Wiring *wiring, const Value *value)
{
    return value == NULL ? STR("?") : value_show(wiring->arena, value, 60);
}

static Str item_label(const Wiring *wiring, const Value *item)
{
    return shown(wiring, value_get(item, "name"));
}

/* A message is one line; a dimension that it quotes may contain a line feed. */
static Str on_one_line(const Wiring *wiring, Str message)
{
    char *copy = str_dup(wiring->arena, message);
    for (size_t i = 0; i < message.length; i++) {
        copy[i] = copy[i] == '\n' ? ' ' : copy[i];
    }
    return (Str){copy, message.length};
}

__attribute__((format(printf, 4, 6), format(printf, 5, 6))) static void
add_violation(Wiring *wiring, unsigned rule, uint32_t line, const char *en, const char *zh, ...)
{
    va_list args;
    va_start(args, zh);
    Str message = on_one_line(wiring, str_vformat(wiring->arena, en, args));
    va_end(args);
    va_start(args, zh);
    Str message_zh = on_one_line(wiring, str_vformat(wiring->arena, zh, args));
    va_end(args);
    Violation violation = {rule, line,
                           str_format(wiring->arena, "%.*s (rule %u)", STR_ARG(message), rule),
                           str_format(wiring->arena, "%.*s（规则 %u）", STR_ARG(message_zh), rule)};
    VEC_PUSH(wiring->arena, &wiring->violations, violation);
}

/* --- table of outputs */

static int key_order(const OutputKey *a, const OutputKey *b)
{
    int order = (a->module > b->module) - (a->module < b->module);
    return order != 0 ? order : str_compare(a->name, b->name);
}

static int key_compare(const void *left, const void *right)
{
    const OutputKey *a = left, *b = right;
    int order = key_order(a, b);
    return order != 0 ? order : (a->order > b->order) - (a->order < b->order);
}

static int key_search(const void *left, const void *right)
{
    return key_order(left, right);
}

static bool has_output(const Wiring *wiring, int64_t module, const Value *name)
{
    if (!value_is(name, VALUE_STRING) || wiring->outputs.count == 0) {
        return false;
    }
    OutputKey key = {module, name->text, 0, 0};
    return bsearch(&key, wiring->outputs.items, wiring->outputs.count, sizeof key, key_search) !=
           NULL;
}

static void collect(Wiring *wiring)
{
    const Value *primary = value_get(wiring->root, "primary_inputs");
    for (uint32_t i = 0; i < item_count(primary); i++) {
        const Value *name = value_get(primary->items[i], "name");
        if (value_is(name, VALUE_STRING)) {
            VEC_PUSH(wiring->arena, &wiring->primary, name->text);
        }
    }
    strs_sort_unique(&wiring->primary);
    for (uint32_t i = 0; i < wiring->module_count; i++) {
        const Value *module = wiring->modules->items[i];
        const Value *id = value_get(module, "id"), *outputs = value_get(module, "outputs");
        for (uint32_t k = 0; value_is(id, VALUE_INT) && k < item_count(outputs); k++) {
            const Value *name = value_get(outputs->items[k], "name");
            if (value_is(name, VALUE_STRING)) {
                OutputKey key = {id->integer, name->text, name->line, wiring->outputs.count};
                VEC_PUSH(wiring->arena, &wiring->outputs, key);
            }
        }
    }
    if (wiring->outputs.count > 1) {
        qsort(wiring->outputs.items, wiring->outputs.count, sizeof *wiring->outputs.items,
              key_compare);
    }
}

/* --- sources (rules 1 to 3) */

/* j of `module_<j>`, or -1. */
static int64_t source_module(const Value *source)
{
    Str text = value_is(source, VALUE_STRING) ? source->text : STR("");
    int64_t number;
    bool numbered = str_starts(text, STR("module_")) && text.length > 7 && text.at[7] >= '0' &&
                    text.at[7] <= '9' && text.at[text.length - 1] >= '0' &&
                    text_to_int(str_slice(text, 7, text.length), &number);
    return numbered ? number : -1;
}

static void check_input(Wiring *wiring, const Value *module, const Value *input)
{
    const Value *name = value_get(input, "name"), *source = value_get(input, "source");
    const Value *id = value_get(module, "id");
    Str module_label = shown(wiring, id), label = item_label(wiring, input);
    if (value_is(source, VALUE_STRING) && str_is(source->text, "primary")) {
        if (!value_is(name, VALUE_STRING) || !strs_sorted_have(&wiring->primary, name->text)) {
            add_violation(wiring, 1, input->line,
                          "module %.*s: input `%.*s` is not named in primary_inputs",
                          "模块 %.*s：输入 `%.*s` 未在 primary_inputs 中声明",
                          STR_ARG(module_label), STR_ARG(label));
        }
        return;
    }
    int64_t from = source_module(source);
    Str source_label = shown(wiring, source);
    if (from < 0) {
        add_violation(
            wiring, 2, input->line,
            "module %.*s: source `%.*s` of input `%.*s` is neither primary nor module_<j>",
            "模块 %.*s：来源 `%.*s`（输入 `%.*s`）既不是 primary 也不是 module_<j>",
            STR_ARG(module_label), STR_ARG(source_label), STR_ARG(label));
    } else if (!value_is(id, VALUE_INT) || id->integer <= from) {
        add_violation(wiring, 2, input->line,
                      "module %.*s: source `%.*s` of input `%.*s` is not an earlier module",
                      "模块 %.*s：来源 `%.*s`（输入 `%.*s`）不是更早的模块", STR_ARG(module_label),
                      STR_ARG(source_label), STR_ARG(label));
    } else if (!has_output(wiring, from, name)) {
        add_violation(wiring, 2, input->line, "module %.*s: `%.*s` has no output `%.*s`",
                      "模块 %.*s：`%.*s` 没有输出 `%.*s`", STR_ARG(module_label),
                      STR_ARG(source_label), STR_ARG(label));
    }
}

static void check_final_output(Wiring *wiring, const Value *output)
{
    const Value *source = value_get(output, "source");
    int64_t from = source_module(source);
    Str label = item_label(wiring, output), source_label = shown(wiring, source);
    if (from < 0 || from > (int64_t)wiring->module_count) {
        add_violation(wiring, 3, output->line,
                      "final_outputs: source `%.*s` of `%.*s` is not a module of the contract",
                      "final_outputs：来源 `%.*s`（输出 `%.*s`）不是契约中的模块",
                      STR_ARG(source_label), STR_ARG(label));
    } else if (!has_output(wiring, from, value_get(output, "name"))) {
        add_violation(wiring, 3, output->line, "final_outputs: `%.*s` has no output `%.*s`",
                      "final_outputs：`%.*s` 没有输出 `%.*s`", STR_ARG(source_label),
                      STR_ARG(label));
    }
}

/* --- outputs (rules 4 to 6) */

static void check_repeated(Wiring *wiring)
{
    for (uint32_t i = 1; i < wiring->outputs.count; i++) {
        const OutputKey *key = &wiring->outputs.items[i];
        if (key_order(key - 1, key) == 0) {
            add_violation(
                wiring, 4, key->line, "module %lld: output `%.*s` is declared more than once",
                "模块 %lld：输出 `%.*s` 重复声明", (long long)key->module, STR_ARG(key->name));
        }
    }
}

static bool is_word_byte(char c)
{
    return is_word_char(c) || (unsigned char)c >= 0x80;
}

/* Moves over a name or an integer. */
static bool skip_operand(Str text, size_t *at)
{
    size_t start = *at;
    bool number = start < text.length && is_digit(text.at[start]);
    while (*at < text.length && is_word_byte(text.at[*at])) {
        if (number && !is_digit(text.at[*at]) && text.at[*at] != '_') {
            return false;
        }
        (*at)++;
    }
    return *at > start;
}

/* Names and integers, parentheses, signs, and `+ - * //` between. Operand and operator take turns,
 * so no recursion is needed. */
static bool is_dimension(Str text)
{
    size_t open = 0;
    bool wants_operand = true;
    for (size_t at = text_skip_space(text, 0); at < text.length; at = text_skip_space(text, at)) {
        char c = text.at[at];
        if (wants_operand) {
            if (c == '(') {
                open++;
                at++;
            } else if (c == '+' || c == '-') {
                at++;
            } else if (skip_operand(text, &at)) {
                wants_operand = false;
            } else {
                return false;
            }
        } else if (c == ')' && open > 0) {
            open--;
            at++;
        } else if (c == '+' || c == '-' || c == '*') {
            at++;
            wants_operand = true;
        } else if (c == '/' && at + 1 < text.length && text.at[at + 1] == '/') {
            at += 2;
            wants_operand = true;
        } else {
            return false;
        }
    }
    return !wants_operand && open == 0;
}

static void check_dimension(Wiring *wiring, const Value *module, const Value *output, Str dimension,
                            bool good)
{
    if (good) {
        return;
    }
    Str label = item_label(wiring, output), module_label = shown(wiring, value_get(module, "id"));
    add_violation(
        wiring, 5, output->line,
        "module %.*s: dimension `%.*s` of output `%.*s` is neither an integer nor an expression "
        "of names, integers, parentheses and + - * //",
        "模块 %.*s：维度 `%.*s`（输出 `%.*s`）既不是整数，也不是由名称、整数、括号与 + - * // "
        "组成的表达式",
        STR_ARG(module_label), STR_ARG(dimension), STR_ARG(label));
}

static void check_shape(Wiring *wiring, const Value *module, const Value *output)
{
    const Value *shape = value_get(output, "shape");
    if (value_is(shape, VALUE_STRING)) {
        Str text = text_trim(shape->text);
        text = str_slice(text, str_starts(text, STR("[")) ? 1 : 0, text.length);
        text = text_trim(str_slice(text, 0, text.length - (str_ends(text, STR("]")) ? 1 : 0)));
        for (size_t at = 0; text.length > 0 && at <= text.length;) {
            size_t comma = str_find(text, STR(","), at);
            size_t end = comma == SIZE_MAX ? text.length : comma;
            Str dimension = text_trim(str_slice(text, at, end));
            bool last_empty =
                dimension.length == 0 && end == text.length; /* after a trailing comma */
            check_dimension(wiring, module, output, dimension,
                            last_empty || is_dimension(dimension));
            at = end + 1;
        }
        return;
    }
    if (shape != NULL && shape->kind != VALUE_LIST && shape->kind != VALUE_NULL) {
        check_dimension(wiring, module, output, shown(wiring, shape), false);
    }
    for (uint32_t i = 0; i < item_count(shape); i++) {
        const Value *size = shape->items[i];
        bool good =
            size->kind == VALUE_INT || (size->kind == VALUE_STRING && is_dimension(size->text));
        check_dimension(wiring, module, output, shown(wiring, size), good);
    }
}

static void check_dtype(Wiring *wiring, const Value *module, const Value *output)
{
    static const char *const known[] = {"float32", "float16", "bfloat16", "int32",
                                        "int64",   "bool",    "int"};
    const Value *dtype = value_get(output, "dtype");
    if (dtype == NULL || dtype->kind == VALUE_NULL) {
        return;
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (dtype->kind == VALUE_STRING && str_is(dtype->text, known[i])) {
            return;
        }
    }
    Str label = item_label(wiring, output), module_label = shown(wiring, value_get(module, "id"));
    Str found = shown(wiring, dtype);
    add_violation(
        wiring, 6, output->line,
        "module %.*s: dtype `%.*s` of output `%.*s` is not one of float32 float16 bfloat16 int32 "
        "int64 bool int",
        "模块 %.*s：dtype `%.*s`（输出 `%.*s`）不在 float32 float16 bfloat16 int32 int64 bool int "
        "之中",
        STR_ARG(module_label), STR_ARG(found), STR_ARG(label));
}

Violations interfaces_validate(Arena *arena, const Interfaces *interfaces)
{
    Wiring wiring = {.arena = arena, .root = interfaces->root};
    wiring.modules = value_get(wiring.root, "modules");
    wiring.module_count = item_count(wiring.modules);
    collect(&wiring);
    for (uint32_t i = 0; i < wiring.module_count; i++) {
        const Value *inputs = value_get(wiring.modules->items[i], "inputs");
        for (uint32_t k = 0; k < item_count(inputs); k++) {
            check_input(&wiring, wiring.modules->items[i], inputs->items[k]);
        }
    }
    const Value *final = value_get(wiring.root, "final_outputs");
    for (uint32_t i = 0; i < item_count(final); i++) {
        check_final_output(&wiring, final->items[i]);
    }
    check_repeated(&wiring);
    for (uint32_t i = 0; i < wiring.module_count; i++) {
        const Value *outputs = value_get(wiring.modules->items[i], "outputs");
        for (uint32_t k = 0; k < item_count(outputs); k++) {
            check_shape(&wiring, wiring.modules->items[i], outputs->items[k]);
            check_dtype(&wiring, wiring.modules->items[i], outputs->items[k]);
        }
    }
    return wiring.violations;
}
