/* Reading of YAML: anchors, and what becomes of a mapping or sequence when it ends (merge keys,
 * sets, pairs). */
#include "operator/yaml_reader.h"

/* Registers an anchor (NULL: none). Its index + 1 in `*index`, 0 without. */
bool yaml_add_anchor(Reader *reader, const yaml_char_t *name, uint32_t *index)
{
    *index = 0;
    if (name == NULL) {
        return true;
    }
    Str key = str_from((const char *)name);
    if (map_find(&reader->anchor_names, key) != MAP_NONE) {
        return yaml_refuse(reader, "an anchor of this name exists already", "同名锚点已存在");
    }
    key = str_copy(reader->arena, key);
    *index = map_add(&reader->anchor_names, reader->arena, key) + 1;
    VEC_PUSH(reader->arena, &reader->anchors, NULL);
    return true;
}

static bool merge_mapping(Reader *reader, ValueBuilder *builder, const Value *source)
{
    if (source->kind != VALUE_MAPPING) {
        return yaml_refuse(reader, "only a mapping can be merged", "只能合并映射");
    }
    reader->merged_entries += source->count;
    if (reader->merged_entries > VALUE_MAX_EXPANDED) {
        return yaml_refuse(reader, "too large when merged", "合并后过大");
    }
    for (uint32_t i = 0; i < source->count; i++) {
        value_add_entry(builder, source->entries[i].key, source->entries[i].value);
    }
    return true;
}

/* Puts the entries of `<<` before those of the mapping itself, which thereby win; of a list of
 * mappings the first wins. */
bool yaml_apply_merges(Reader *reader, Frame *frame)
{
    if (frame->merged.count == 0) {
        return true;
    }
    ValueBuilder builder;
    value_begin(&builder, reader->arena, VALUE_MAPPING, frame->builder.value->line);
    for (uint32_t i = 0; i < frame->merged.count; i++) {
        const Value *source = frame->merged.items[i];
        if (source->kind != VALUE_LIST) {
            if (!merge_mapping(reader, &builder, source)) {
                return false;
            }
            continue;
        }
        for (uint32_t k = source->count; k > 0; k--) {
            if (!merge_mapping(reader, &builder, source->items[k - 1])) {
                return false;
            }
        }
    }
    const Value *own = frame->builder.value;
    for (uint32_t i = 0; i < own->count; i++) {
        value_add_entry(&builder, own->entries[i].key, own->entries[i].value);
    }
    frame->builder = builder;
    return true;
}

/* The items of an omap as tuples. */
bool yaml_make_pairs(Reader *reader, Frame *frame)
{
    Value *list = frame->builder.value;
    for (uint32_t i = 0; i < list->count; i++) {
        const Value *item = list->items[i];
        if (item->kind != VALUE_MAPPING || item->count != 1) {
            return yaml_refuse(reader, "a mapping of length 1 must stand here",
                               "此处应为长度为 1 的映射");
        }
        ValueBuilder pair;
        value_begin(&pair, reader->arena, VALUE_LIST, item->line);
        pair.value->is_tuple = true;
        value_add(&pair, item->entries[0].key);
        value_add(&pair, item->entries[0].value);
        list->items[i] = value_finish(&pair);
    }
    return true;
}

void yaml_make_set(Reader *reader, Frame *frame)
{
    const Value *mapping = frame->builder.value;
    ValueBuilder set;
    value_begin(&set, reader->arena, VALUE_SET, mapping->line);
    for (uint32_t i = 0; i < mapping->count; i++) {
        value_add(&set, mapping->entries[i].key);
    }
    frame->builder = set;
}
