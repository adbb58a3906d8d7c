/* TomlValue: tables, keys and collections; single values are read in toml_scalar.c.
 *
 * What may be opened again, and where, follows TOML 1.0: a table that a header or a dotted key of
 * an earlier section made is closed to dotted keys, a table or list written as a value is closed
 * for good. */
#include "operator/toml_reader.h"

#include "base/ascii.h"
#include "base/map.h"
#include "base/utf8.h"

typedef struct Table Table;

typedef enum NodeKind { NODE_SINGLE, NODE_LIST, NODE_TABLE, NODE_TABLES } NodeKind;

typedef struct Node {
    NodeKind kind;
    bool is_plain; /* NODE_SINGLE: not a string */
    uint32_t line;
    Str text;                 /* NODE_SINGLE */
    Table *table;             /* NODE_TABLE */
    VEC(struct Node *) items; /* NODE_LIST, NODE_TABLES */
} Node;

typedef struct Entry {
    uint32_t line; /* of the key */
    Node *node;
} Entry;

struct Table {
    Map keys;
    VEC(Entry) entries; /* by number of the key */
    bool closed;        /* written as a value */
    bool defined;       /* by a header or a dotted key */
    uint32_t section;   /* of the dotted key */
};

typedef struct Key {
    Str parts[TOML_MAX_DEPTH];
    uint32_t count, line;
} Key;

/* --- the reader */

bool toml_refuse(TomlReader *reader, const char *en, const char *zh)
{
    reader->result.ok = false;
    reader->result.line = reader->line;
    reader->result.error = str_format(reader->arena, "not valid TOML: %s", en);
    reader->result.error_zh = str_format(reader->arena, "不是有效的 TOML：%s", zh);
    return false;
}

bool toml_take(TomlReader *reader, Str word)
{
    bool next = str_starts(str_slice(reader->text, reader->at, reader->text.length), word);
    reader->at += next ? word.length : 0;
    return next;
}

void toml_skip_blanks(TomlReader *reader)
{
    while (toml_peek(reader) == ' ' || toml_peek(reader) == '\t') {
        reader->at++;
    }
}

static void skip_comment(TomlReader *reader)
{
    toml_skip_blanks(reader);
    if (toml_peek(reader) == '#') {
        while (reader->at < reader->text.length && toml_peek(reader) != '\n' &&
               toml_peek(reader) != '\r') {
            reader->at++;
        }
    }
}

static bool take_line_end(TomlReader *reader)
{
    bool found = toml_take(reader, STR("\n")) || toml_take(reader, STR("\r\n"));
    reader->line += found;
    return found;
}

static void skip_lines(TomlReader *reader)
{
    do {
        skip_comment(reader);
    } while (take_line_end(reader));
}

/* --- tables */

static Node *new_node(TomlReader *reader, NodeKind kind)
{
    Node *node = ARENA_NEW(reader->arena, Node);
    node->kind = kind;
    node->line = reader->line;
    if (kind == NODE_TABLE) {
        node->table = ARENA_NEW(reader->arena, Table);
    }
    return node;
}

static Node *find(const Table *table, Str key)
{
    uint32_t number = map_find(&table->keys, key);
    return number == MAP_NONE ? NULL : table->entries.items[number].node;
}

static void put(TomlReader *reader, Table *table, Str key, uint32_t line, Node *node)
{
    map_add(&table->keys, reader->arena, key);
    VEC_PUSH(reader->arena, &table->entries, ((Entry){line, node}));
}

/* The table under a key, made if need be; of tables in a list the last one. NULL when something
 * else is there. */
static Table *enter(TomlReader *reader, Table *table, Str key, uint32_t line)
{
    Node *node = find(table, key);
    if (node == NULL) {
        node = new_node(reader, NODE_TABLE);
        put(reader, table, key, line, node);
    }
    if (node->kind == NODE_TABLES) {
        node = node->items.items[node->items.count - 1];
    }
    if (node->kind != NODE_TABLE || node->table->closed) {
        toml_refuse(reader, "a key has a value already", "键已有值");
        return NULL;
    }
    return node->table;
}

/* --- keys */

static bool read_part(TomlReader *reader, Str *part)
{
    size_t start = reader->at;
    char first = toml_peek(reader);
    if (first == '"' || first == '\'') {
        return toml_string(reader, false, part);
    }
    while (is_word_char(toml_peek(reader)) || toml_peek(reader) == '-') {
        reader->at++;
    }
    *part = str_slice(reader->text, start, reader->at);
    return part->length > 0 || toml_refuse(reader, "a key is missing", "缺少键");
}

static bool read_key(TomlReader *reader, Key *key)
{
    *key = (Key){.line = reader->line};
    do {
        toml_skip_blanks(reader);
        if (key->count == TOML_MAX_DEPTH) {
            return toml_refuse(reader, "a key has too many parts", "键的层级过多");
        }
        if (!read_part(reader, &key->parts[key->count++])) {
            return false;
        }
        toml_skip_blanks(reader);
    } while (toml_take(reader, STR(".")));
    return true;
}

/* --- values */

static Node *read_value(TomlReader *reader, uint32_t depth);

static Node *read_list(TomlReader *reader, uint32_t depth)
{
    Node *list = new_node(reader, NODE_LIST);
    reader->at++;
    for (;;) {
        skip_lines(reader);
        if (toml_take(reader, STR("]"))) {
            return list;
        }
        Node *item = read_value(reader, depth + 1);
        if (item == NULL) {
            return NULL;
        }
        VEC_PUSH(reader->arena, &list->items, item);
        skip_lines(reader);
        if (!toml_take(reader, STR(",")) && toml_peek(reader) != ']') {
            toml_refuse(reader, "a list is not closed", "列表未结束");
            return NULL;
        }
    }
}

/* `key = value`. `section` 0: in a table that is written as a value. */
static bool read_entry(TomlReader *reader, Table *table, uint32_t section, uint32_t depth)
{
    Key key;
    if (!read_key(reader, &key)) {
        return false;
    }
    for (uint32_t i = 0; i + 1 < key.count; i++) {
        table = enter(reader, table, key.parts[i], key.line);
        if (table == NULL) {
            return false;
        }
        if (section > 0 && table->defined && table->section != section) {
            return toml_refuse(reader, "a table is opened again", "表被重复定义");
        }
        table->defined = section > 0;
        table->section = section;
    }
    Str last = key.parts[key.count - 1];
    if (!toml_take(reader, STR("="))) {
        return toml_refuse(reader, "\"=\" is missing after a key", "键后缺少 \"=\"");
    }
    toml_skip_blanks(reader);
    Node *value = read_value(reader, depth);
    if (value == NULL) {
        return false;
    }
    if (find(table, last) != NULL) {
        reader->line = key.line;
        return toml_refuse(reader, "a key is repeated", "键重复");
    }
    put(reader, table, last, key.line, value);
    return true;
}

/* Closes a table for good, and those that its dotted keys made. */
static void close_table(Table *table)
{
    table->closed = true;
    for (uint32_t i = 0; i < table->entries.count; i++) {
        Node *node = table->entries.items[i].node;
        if (node->kind == NODE_TABLE && !node->table->closed) {
            close_table(node->table);
        }
    }
}

static Node *read_inline_table(TomlReader *reader, uint32_t depth)
{
    Node *node = new_node(reader, NODE_TABLE);
    reader->at++;
    toml_skip_blanks(reader);
    if (!toml_take(reader, STR("}"))) {
        do {
            if (!read_entry(reader, node->table, 0, depth + 1)) {
                return NULL;
            }
            toml_skip_blanks(reader);
        } while (toml_take(reader, STR(",")));
        if (!toml_take(reader, STR("}"))) {
            toml_refuse(reader, "a table in braces is not closed on its line",
                        "花括号中的表没有在同一行结束");
            return NULL;
        }
    }
    close_table(node->table);
    return node;
}

static Node *read_value(TomlReader *reader, uint32_t depth)
{
    char first = toml_peek(reader);
    if (depth > TOML_MAX_DEPTH) {
        toml_refuse(reader, "nested too deeply", "嵌套过深");
        return NULL;
    }
    if (first == '[') {
        return read_list(reader, depth);
    }
    if (first == '{') {
        return read_inline_table(reader, depth);
    }
    Node *node = new_node(reader, NODE_SINGLE);
    node->is_plain = first != '"' && first != '\'';
    bool good =
        node->is_plain ? toml_plain(reader, &node->text) : toml_string(reader, true, &node->text);
    return good ? node : NULL;
}

/* --- headers */

/* `[[key]]`: one more table in a list of tables. */
static Table *add_table(TomlReader *reader, Table *table, const Key *key)
{
    Str last = key->parts[key->count - 1];
    Node *list = find(table, last);
    if (list == NULL) {
        list = new_node(reader, NODE_TABLES);
        put(reader, table, last, key->line, list);
    }
    if (list->kind != NODE_TABLES) {
        toml_refuse(reader, "a key has a value already", "键已有值");
        return NULL;
    }
    Node *item = new_node(reader, NODE_TABLE);
    item->table->defined = true;
    VEC_PUSH(reader->arena, &list->items, item);
    return item->table;
}

/* `[key]`. */
static Table *open_table(TomlReader *reader, Table *table, const Key *key)
{
    Str last = key->parts[key->count - 1];
    const Node *there = find(table, last);
    bool again = there != NULL && (there->kind == NODE_TABLES ||
                                   (there->kind == NODE_TABLE && there->table->defined));
    if (again) {
        toml_refuse(reader, "a table is opened again", "表被重复定义");
        return NULL;
    }
    Table *opened = enter(reader, table, last, key->line);
    if (opened != NULL) {
        opened->defined = true;
        opened->section = 0;
    }
    return opened;
}

static Table *read_header(TomlReader *reader, Table *root)
{
    Key key;
    reader->at++;
    bool list = toml_take(reader, STR("["));
    if (!read_key(reader, &key)) {
        return NULL;
    }
    if (!toml_take(reader, list ? STR("]]") : STR("]"))) {
        toml_refuse(reader, "a header is not closed", "表头未结束");
        return NULL;
    }
    Table *table = root;
    for (uint32_t i = 0; i + 1 < key.count && table != NULL; i++) {
        table = enter(reader, table, key.parts[i], key.line);
    }
    if (table == NULL) {
        return NULL;
    }
    return list ? add_table(reader, table, &key) : open_table(reader, table, &key);
}

static bool read_document(TomlReader *reader, Table *root)
{
    Table *table = root;
    uint32_t section = 1;
    skip_lines(reader);
    while (reader->at < reader->text.length) {
        if (toml_peek(reader) == '[') {
            section++;
            table = read_header(reader, root);
            if (table == NULL) {
                return false;
            }
        } else if (!read_entry(reader, table, section, 1)) {
            return false;
        }
        skip_comment(reader);
        if (reader->at < reader->text.length && !take_line_end(reader)) {
            return toml_refuse(reader, "the line goes on where it should end", "行末有多余的内容");
        }
        skip_lines(reader);
    }
    return true;
}

/* --- as a Value */

static const Value *value_of(TomlReader *reader, const Node *node)
{
    if (node->kind == NODE_SINGLE) {
        Value *value = value_string(reader->arena, str_copy(reader->arena, node->text), node->line);
        value->is_plain = node->is_plain;
        return value;
    }
    ValueBuilder builder;
    value_begin(&builder, reader->arena, node->kind == NODE_TABLE ? VALUE_MAPPING : VALUE_LIST,
                node->line);
    for (uint32_t i = 0; i < node->items.count; i++) {
        value_add(&builder, value_of(reader, node->items.items[i]));
    }
    for (uint32_t i = 0; node->kind == NODE_TABLE && i < node->table->entries.count; i++) {
        const Entry *entry = &node->table->entries.items[i];
        Str key = str_copy(reader->arena, node->table->keys.keys.items[i]);
        value_add_entry(&builder, value_string(reader->arena, key, entry->line),
                        value_of(reader, entry->node));
    }
    return value_finish(&builder);
}

/* Refuses bytes that are not allowed anywhere in a document. */
static bool check_bytes(TomlReader *reader)
{
    size_t wrong = utf8_first_error(reader->text);
    for (size_t i = 0; i < reader->text.length && i < wrong; i++) {
        unsigned char c = (unsigned char)reader->text.at[i];
        bool line_end = c == '\n' || (c == '\r' && i + 1 < reader->text.length &&
                                      reader->text.at[i + 1] == '\n');
        if ((c < ' ' && c != '\t' && !line_end) || c == 127) {
            wrong = i;
        }
    }
    if (wrong == SIZE_MAX) {
        return true;
    }
    for (size_t i = 0; i < wrong; i++) {
        reader->line += reader->text.at[i] == '\n';
    }
    return toml_refuse(reader, "a byte that no text has", "含有文本中不应出现的字节");
}

YamlResult toml_settings_read(Arena *arena, Str text, const char *const *path)
{
    Str mark = STR("\xEF\xBB\xBF");
    TomlReader reader = {.arena = arena, .text = text, .line = 1};
    Node root = {.kind = NODE_TABLE, .line = 1, .table = ARENA_NEW(arena, Table)};
    toml_take(&reader, mark);
    reader.result.ok = true;
    if (!check_bytes(&reader) || !read_document(&reader, root.table)) {
        return reader.result;
    }
    const Node *node = &root;
    for (; *path != NULL && node != NULL; path++) {
        node = node->kind == NODE_TABLE ? find(node->table, str_from(*path)) : NULL;
    }
    reader.result.value = node == NULL ? NULL : value_of(&reader, node);
    return reader.result;
}
