/* JSON trees and texts; see json.h. */
#include "document/json.h"

#include "base/io_error.h"
#include "base/utf8.h"
#include "document/json_reader.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

void json_memory_begin(void)
{
    json_set_alloc_funcs(io_error_malloc, free);
}

/* --- reading */

typedef struct Building {
    JsonReader reader;
    size_t flags;
    json_t *root, *open[JSON_DEEPEST]; /* the collections that are open; the tree owns them */
    Buf text;                          /* of the string or number at hand */
    const char *fault;                 /* what a tree cannot keep */
    bool no_memory;
} Building;

/* Always false, for `return refuse(…)`. */
static bool refuse(Building *building, const char *fault)
{
    building->fault = fault;
    return false;
}

static json_t *number_value(Building *building)
{
    bool lenient = building->reader.form == JSON_LENIENT;
    building->text.length = 0;
    buf_add(&building->text, building->reader.value);
    const char *number = building->text.at;
    bool negative = *number == '-';
    errno = 0;
    if (strpbrk(number, ".eE") != NULL) {
        double value = strtod(number, NULL);
        bool keeps = !isinf(value) || lenient || refuse(building, "a number too large");
        double near = !isinf(value) ? value : negative ? -1e308 : 1e308;
        return keeps ? json_real(near) : NULL;
    }
    long long value = strtoll(number, NULL, 10);
    bool keeps = errno != ERANGE || lenient || refuse(building, "an integer too large");
    return keeps ? json_integer(value) : NULL;
}

/* The text between quotes, decoded to building->text; false for one that a tree cannot keep. */
static bool decode(Building *building, Str raw, bool is_key)
{
    Buf *text = &building->text;
    text->length = 0;
    if (json_decode_to(text, raw)) {
        return true;
    }
    if (building->reader.form != JSON_LENIENT) {
        return refuse(building, "NUL or half a surrogate pair in a string");
    }
    if (is_key && memchr(text->at, '\0', text->length) != NULL) {
        Buf kept = {.arena = text->arena};
        for (size_t i = 0; i < text->length; i++) {
            buf_add(&kept, text->at[i] == '\0' ? STR("\xEF\xBF\xBD") : (Str){text->at + i, 1});
        }
        *text = kept;
    }
    return true;
}

static json_t *token_value(Building *building)
{
    Str value = building->reader.value;
    switch (building->reader.token) {
    case JSON_TOKEN_BOOL:
        return json_boolean(value.at[0] == 't');
    case JSON_TOKEN_NUMBER:
        return number_value(building);
    case JSON_TOKEN_STRING:
        return decode(building, str_slice(value, 1, value.length - 1), false)
                   ? json_stringn_nocheck(building->text.at, building->text.length)
                   : NULL;
    case JSON_TOKEN_ARRAY:
        return json_array();
    case JSON_TOKEN_OBJECT:
        return json_object();
    default:
        return json_null();
    }
}

/* Puts the value, which is taken over, where it belongs. False for memory and for a fault. */
static bool link_value(Building *building, json_t *value)
{
    const JsonReader *reader = &building->reader;
    bool opens = reader->token == JSON_TOKEN_ARRAY || reader->token == JSON_TOKEN_OBJECT;
    uint32_t around = reader->depth - opens;
    if (opens) {
        building->open[around] = value;
    }
    if (around == 0) {
        building->root = value;
        return true;
    }
    json_t *parent = building->open[around - 1];
    if (reader->key.at == NULL) {
        return json_array_append_new(parent, value) == 0;
    }
    if (!decode(building, reader->key, true)) {
        json_decref(value);
        return false;
    }
    const Buf *key = &building->text;
    if ((building->flags & JSON_REJECT_DUPLICATES) != 0 &&
        json_object_getn(parent, key->at, key->length) != NULL) {
        json_decref(value);
        return refuse(building, "duplicate key");
    }
    return json_object_setn_new_nocheck(parent, key->at, key->length, value) == 0;
}

static void build(void *argument)
{
    Building *building = argument;
    JsonReader *reader = &building->reader;
    bool any = reader->form == JSON_LENIENT;
    while (building->fault == NULL && !building->no_memory && json_next(reader)) {
        if (reader->token == JSON_TOKEN_CLOSE) {
            continue;
        }
        if (reader->depth == 0 && !any) {
            refuse(building, "neither an object nor an array");
            return;
        }
        json_t *value = token_value(building);
        building->no_memory =
            (value == NULL || !link_value(building, value)) && building->fault == NULL;
    }
}

static uint32_t line_of(const JsonReader *reader)
{
    uint32_t line = 1;
    for (size_t i = 0; i < reader->at && i < reader->text.length; i++) {
        line += reader->text.at[i] == '\n';
    }
    return line;
}

static json_t *read_as(Arena *arena, Str text, JsonForm form, size_t flags, JsonFault *fault)
{
    Arena scratch;
    arena_init(&scratch, 0);
    Building building;
    building.flags = flags;
    building.root = NULL;
    building.text = (Buf){.arena = &scratch};
    building.fault = NULL;
    building.no_memory = false;
    json_begin(&building.reader, text, form,
               form == JSON_LENIENT ? JSON_LENIENT_DEPTH : JSON_DEEPEST);
    bool pending = io_error_is_pending();
    bool fits = arena_try(&scratch, build, &building) && !building.no_memory;
    arena_free(&scratch);
    const char *broken = building.fault != NULL ? building.fault : building.reader.error;
    if (fits && broken == NULL) {
        return building.root;
    }
    json_decref(building.root);
    if (!fits && !pending) {
        io_error_drop(); /* the guard reports it */
    }
    if (!fits) {
        arena_fail(arena);
    }
    if (fault != NULL) {
        *fault = (JsonFault){line_of(&building.reader), broken};
    }
    return NULL;
}

json_t *json_read(Arena *arena, Str text, size_t flags, JsonFault *fault)
{
    return read_as(arena, text, JSON_AS_SPECIFIED, flags, fault);
}

json_t *json_read_lenient(Arena *arena, Str text)
{
    return read_as(arena, text, JSON_LENIENT, 0, NULL);
}

void json_take(Arena *arena, json_t *root, void (*function)(void *argument), void *argument)
{
    bool fits = arena_try(arena, function, argument);
    json_decref(root);
    if (!fits) {
        arena_fail(arena);
    }
}

bool json_text_at(Arena *arena, const json_t *object, const char *key, Str *text)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_string(value)) {
        return false;
    }
    Str found = {json_string_value(value), json_string_length(value)};
    *text = str_copy(arena, found);
    return true;
}

uint64_t json_count_at(const json_t *object, const char *key)
{
    json_int_t number = json_integer_value(json_object_get(object, key));
    return number > 0 ? (uint64_t)number : 0;
}

/* --- building */

void json_put(JsonTree *tree, json_t *object, const char *key, json_t *value)
{
    tree->failed = json_object_set_new(object, key, value) != 0 || tree->failed;
}

void json_append(JsonTree *tree, json_t *array, json_t *value)
{
    tree->failed = json_array_append_new(array, value) != 0 || tree->failed;
}

typedef struct Repair {
    Str text;
    Buf copy;
    json_t *value;
} Repair;

static void repair(void *argument)
{
    Repair *work = argument;
    utf8_add_text(&work->copy, work->text);
    work->value = json_stringn(work->copy.at, work->copy.length);
}

json_t *json_text(Str text)
{
    json_t *value = json_stringn(text.at == NULL ? "" : text.at, text.length);
    if (value != NULL || text.length == 0) {
        return value;
    }
    Arena scratch;
    arena_init(&scratch, 0);
    Repair work = {.text = text, .copy = {.arena = &scratch}};
    arena_try(&scratch, repair, &work);
    arena_free(&scratch);
    return work.value;
}

json_t *json_text_or_null(Str text)
{
    return text.length == 0 ? json_null() : json_text(text);
}

/* --- writing */

/* As JSON's escape, beyond U+FFFF as two. */
static void add_escape(Buf *out, uint32_t code_point)
{
    if (code_point <= 0xFFFF) {
        buf_addf(out, "\\u%04x", code_point);
        return;
    }
    uint32_t rest = code_point - 0x10000;
    buf_addf(out, "\\u%04x\\u%04x", 0xD800 + (rest >> 10), 0xDC00 + (rest & 0x3FF));
}

/* Appends text with escapes for what is hidden; in a string for all that needs one. */
static void add_visible(Buf *out, Str text, bool in_string)
{
    static const char letters[] = {['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f',
                                   ['\r'] = 'r', ['"'] = '"',  ['\\'] = '\\'};
    size_t done = 0;
    for (size_t at = 0; at < text.length;) {
        size_t start = at;
        char byte = text.at[at];
        if (byte >= ' ' && byte <= '~' && !(in_string && (byte == '"' || byte == '\\'))) {
            at++;
            continue;
        }
        uint32_t c = utf8_next(text, &at);
        bool letter = in_string && c < sizeof letters && letters[c] != '\0';
        bool broken = c == 0xFFFD && at - start == 1;
        bool hidden = (in_string || c >= 0x7F) && code_point_is_hidden(c);
        if (!letter && !broken && !hidden) {
            continue;
        }
        buf_add(out, str_slice(text, done, start));
        done = at;
        if (letter) {
            buf_addf(out, "\\%c", letters[c]);
        } else if (hidden) {
            add_escape(out, c);
        } else {
            buf_add(out, STR("\xEF\xBF\xBD"));
        }
    }
    buf_add(out, str_slice(text, done, text.length));
}

void json_add_string(Buf *out, Str text)
{
    buf_add_char(out, '"');
    add_visible(out, text, true);
    buf_add_char(out, '"');
}

typedef struct Adding {
    Buf *out;
    const char *text;
} Adding;

static void add_line(void *argument)
{
    const Adding *adding = argument;
    add_visible(adding->out, str_from(adding->text), false);
    buf_add_char(adding->out, '\n');
}

bool json_add_tree(Buf *out, json_t *root, size_t flags)
{
    char *text = root == NULL ? NULL : json_dumps(root, flags);
    json_decref(root);
    if (text == NULL) {
        return false;
    }
    Adding adding = {out, text};
    /* The writer goes on after it has failed to add a key. */
    bool good = !io_error_is_pending() && arena_try(out->arena, add_line, &adding);
    json_free_t release;
    json_get_alloc_funcs(NULL, &release); /* free() only as long as nobody has replaced it */
    release(text);
    return good;
}

bool json_add_built(Buf *out, const JsonTree *tree, json_t *root, size_t flags)
{
    if (tree->failed) {
        json_decref(root);
        root = NULL;
    }
    return json_add_tree(out, root, flags);
}

Str json_line(const JsonTree *tree, json_t *root)
{
    Buf out = {.arena = tree->arena};
    if (!json_add_built(&out, tree, root, JSON_COMPACT)) {
        arena_fail(tree->arena);
    }
    return buf_str(&out);
}
