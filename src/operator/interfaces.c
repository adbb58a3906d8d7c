/* Interfaces: reading the module contract and extracting names from it. The wiring check:
 * wiring.c. */
#include "operator/interfaces.h"

#include "base/ascii.h"
#include "operator/extract.h"
#include "operator/yaml_value.h"

Interfaces interfaces_read(Arena *arena, Str text)
{
    Interfaces interfaces = {.reason = STR(""), .reason_zh = STR("")};
    YamlResult yaml = yaml_value_read(arena, text, 1);
    if (!yaml.ok) {
        interfaces.line = yaml.line;
        interfaces.reason = str_format(arena, INTERFACES_PATH " is not valid YAML (line %u: %.*s)",
                                       yaml.line, STR_ARG(yaml.error));
        interfaces.reason_zh =
            str_format(arena, INTERFACES_PATH " 不是合法的 YAML（第 %u 行：%.*s）", yaml.line,
                       STR_ARG(yaml.error_zh));
    } else if (!value_is(yaml.value, VALUE_MAPPING)) {
        interfaces.reason = STR(INTERFACES_PATH " is not a mapping");
        interfaces.reason_zh = STR(INTERFACES_PATH " 的内容不是映射");
    } else {
        interfaces.root = yaml.value;
    }
    return interfaces;
}

Interfaces operator_interfaces(Operator *op)
{
    const Document *document = operator_document(op, STR(INTERFACES_PATH));
    Interfaces interfaces = {0};
    if (!document->exists) {
        interfaces.reason = STR(INTERFACES_PATH " does not exist");
        interfaces.reason_zh = STR(INTERFACES_PATH " 不存在");
        return interfaces;
    }
    if (!document->readable) {
        interfaces.reason = STR(INTERFACES_PATH " cannot be read as UTF-8 text");
        interfaces.reason_zh = STR(INTERFACES_PATH " 无法按 UTF-8 文本读取");
        return interfaces;
    }
    return interfaces_read(op->arena, document->text);
}

/* --- names of modules */

uint32_t suffix_module_count(Str suffix)
{
    uint32_t next = 1;
    for (size_t at = 0; at < suffix.length; next++) {
        char c = suffix.at[at], after = at + 1 < suffix.length ? suffix.at[at + 1] : '\0';
        if (next < 10 && is_digit(c) && (uint32_t)(c - '0') == next) {
            at++;
        } else if (next >= 10 && next < 100 && is_digit(c) && is_digit(after) &&
                   (uint32_t)((c - '0') * 10 + (after - '0')) == next) {
            at += 2;
        } else {
            return 0;
        }
    }
    return next - 1;
}

Str implementation_suffix(Str op_name, Str path)
{
    Str name = path_basename(path), module = STR("_module"), end = STR(IMPL_END);
    size_t start = op_name.length + module.length;
    if (!str_starts(name, op_name) || name.length <= start + end.length || !str_ends(name, end) ||
        !str_equal(str_slice(name, op_name.length, start), module)) {
        return STR("");
    }
    Str digits = str_slice(name, start, name.length - end.length);
    for (size_t i = 0; i < digits.length; i++) {
        if (!is_digit(digits.at[i])) {
            return STR("");
        }
    }
    return digits;
}

/* --- what rules extract */

/* The items of a list; none for anything else. */
static uint32_t item_count(const Value *list)
{
    return value_is(list, VALUE_LIST) ? list->count : 0;
}

/* The `name` of an item if it is a string, else NULL. */
static const Value *item_name(const Value *item)
{
    const Value *name = value_get(item, "name");
    return value_is(name, VALUE_STRING) ? name : NULL;
}

static NameList start_list(const Interfaces *interfaces, const char *key)
{
    const ValueEntry *entry = value_entry(interfaces->root, key);
    return (NameList){true, entry != NULL, entry == NULL ? 0 : entry->key->line, {0}};
}

static void add_names(Arena *arena, NameList *out, const Value *list)
{
    for (uint32_t i = 0; i < item_count(list); i++) {
        const Value *name = item_name(list->items[i]);
        if (name != NULL) {
            VEC_PUSH(arena, &out->names, name->text);
        }
    }
}

NameList interfaces_primary_inputs(Arena *arena, const Interfaces *interfaces)
{
    NameList out = start_list(interfaces, "primary_inputs");
    const Value *list = value_get(interfaces->root, "primary_inputs");
    out.judged = !out.present || value_is(list, VALUE_LIST);
    add_names(arena, &out, list);
    return out;
}

NameList interfaces_final_outputs(Arena *arena, const Interfaces *interfaces)
{
    NameList out = start_list(interfaces, "final_outputs");
    add_names(arena, &out, value_get(interfaces->root, "final_outputs"));
    return out;
}

/* Does a module's id lie in first … last? */
static bool id_within(const Value *module, uint32_t first, uint32_t last)
{
    const Value *id = value_get(module, "id");
    return value_is(id, VALUE_INT) && id->integer >= (int64_t)first && id->integer <= (int64_t)last;
}

NameList interfaces_module_inputs(Arena *arena, const Interfaces *interfaces, uint32_t modules)
{
    NameList out = start_list(interfaces, "primary_inputs");
    const Value *primary = value_get(interfaces->root, "primary_inputs");
    const Value *list = value_get(interfaces->root, "modules");
    Strs taken = {0};
    for (uint32_t i = 0; i < item_count(list); i++) {
        const Value *inputs = value_get(list->items[i], "inputs");
        for (uint32_t k = 0; id_within(list->items[i], 1, modules) && k < item_count(inputs); k++) {
            const Value *name = item_name(inputs->items[k]);
            const Value *source = value_get(inputs->items[k], "source");
            if (name != NULL && value_is(source, VALUE_STRING) && str_is(source->text, "primary")) {
                VEC_PUSH(arena, &taken, name->text);
            }
        }
    }
    strs_sort_unique(&taken);
    for (uint32_t i = 0; i < item_count(primary); i++) {
        const Value *name = item_name(primary->items[i]);
        if (name != NULL && strs_sorted_have(&taken, name->text)) {
            VEC_PUSH(arena, &out.names, name->text);
        }
    }
    return out;
}

NameList interfaces_module_outputs(Arena *arena, const Interfaces *interfaces, uint32_t module)
{
    NameList out = start_list(interfaces, "modules");
    const Value *list = value_get(interfaces->root, "modules");
    for (uint32_t i = 0; i < item_count(list); i++) {
        if (id_within(list->items[i], module, module)) {
            add_names(arena, &out, value_get(list->items[i], "outputs"));
        }
    }
    return out;
}
