/*
 * Writes JSON into one growing buffer, without building a tree. */
#include "json.h"

#include "hidden.h"
#include "memory.h"
#include "utf8.h"

#include <string.h>

enum { FIRST_CAPACITY = 4096, NUMBER_SIZE = 24 };

static bool reserve(SarifJson *json, size_t more)
{
    if (json->failed) {
        return false;
    }
    if (more <= json->capacity - json->size) {
        return true;
    }
    size_t capacity = json->capacity == 0 ? FIRST_CAPACITY : json->capacity;
    while (capacity - json->size < more) {
        if (capacity > SIZE_MAX / 2) {
            json->failed = true;
            return false;
        }
        capacity *= 2;
    }
    char *data = sarif_resize(json->allocator, json->data, capacity, 1);
    if (data == NULL) {
        json->failed = true;
        return false;
    }
    json->data = data;
    json->capacity = capacity;
    return true;
}

static void put(SarifJson *json, const char *data, size_t size)
{
    if (size > 0 && reserve(json, size)) {
        memcpy(json->data + json->size, data, size);
        json->size += size;
    }
}

static void put_char(SarifJson *json, char byte)
{
    put(json, &byte, 1);
}

static void put_break(SarifJson *json)
{
    if (json->indent == 0) {
        return;
    }
    size_t spaces = (size_t)json->indent * json->depth;
    put_char(json, '\n');
    if (reserve(json, spaces)) {
        memset(json->data + json->size, ' ', spaces);
        json->size += spaces;
    }
}

/* What stands between the value (or key) before and the one that comes. */
static void put_separator(SarifJson *json)
{
    if (json->after_key) {
        json->after_key = false;
        return;
    }
    if (json->comma) {
        put_char(json, ',');
    }
    if (json->depth > 0) {
        put_break(json);
    }
    json->comma = true;
}

void sarif_json_open(SarifJson *json, char bracket)
{
    put_separator(json);
    put_char(json, bracket);
    json->depth++;
    json->comma = false;
}

void sarif_json_close(SarifJson *json, char bracket)
{
    json->depth--;
    if (json->comma) {
        put_break(json);
    }
    put_char(json, bracket);
    json->comma = true;
}

static void put_colon(SarifJson *json)
{
    put(json, ": ", json->indent > 0 ? 2 : 1);
    json->after_key = true;
}

void sarif_json_key(SarifJson *json, const char *key)
{
    sarif_json_text_key(json, sarif_text(key));
}

void sarif_json_text_key(SarifJson *json, SarifText key)
{
    sarif_json_text(json, key);
    put_colon(json);
}

void sarif_json_text(SarifJson *json, SarifText text)
{
    sarif_json_string_begin(json);
    sarif_json_string_add(json, text);
    sarif_json_string_end(json);
}

void sarif_json_string_begin(SarifJson *json)
{
    put_separator(json);
    put_char(json, '"');
}

void sarif_json_string_end(SarifJson *json)
{
    put_char(json, '"');
}

static void put_escaped(SarifJson *json, unsigned char byte)
{
    static const char digits[] = "0123456789abcdef";
    static const char from[] = "\"\\\b\f\n\r\t";
    static const char to[] = "\"\\bfnrt";
    const char *known = byte == 0 ? NULL : strchr(from, byte);
    if (known != NULL) {
        put(json, (char[]){'\\', to[known - from]}, 2);
    } else {
        put(json, (char[]){'\\', 'u', '0', '0', digits[byte >> 4], digits[byte & 15]}, 6);
    }
}

static void put_unit(SarifJson *json, uint32_t unit)
{
    static const char digits[] = "0123456789abcdef";
    put(json,
        (char[]){'\\', 'u', digits[unit >> 12], digits[unit >> 8 & 15], digits[unit >> 4 & 15],
                 digits[unit & 15]},
        6);
}

static void put_code_point(SarifJson *json, uint32_t code_point)
{
    if (code_point > 0xFFFF) {
        put_unit(json, 0xD800 + ((code_point - 0x10000) >> 10));
        code_point = 0xDC00 + ((code_point - 0x10000) & 0x3FF);
    }
    put_unit(json, code_point);
}

void sarif_json_string_add(SarifJson *json, SarifText text)
{
    size_t start = 0; /* of the run of bytes that go out as they are */
    size_t at = 0;
    while (at < text.size) {
        unsigned char byte = (unsigned char)text.data[at];
        if (byte >= 0x20 && byte < 0x7F && byte != '"' && byte != '\\') {
            at++;
            continue;
        }
        uint32_t code_point;
        bool valid;
        size_t used = sarif_utf8_next(text.data + at, text.size - at, &code_point, &valid);
        bool hidden = valid && code_point >= 0x7F && sarif_is_hidden(code_point);
        if (!valid || hidden || byte < 0x80) {
            put(json, text.data + start, at - start);
            start = at + used;
            if (hidden) {
                put_code_point(json, code_point);
            } else if (valid) {
                put_escaped(json, byte);
            } else {
                put(json, SARIF_REPLACEMENT_UTF8, sizeof SARIF_REPLACEMENT_UTF8 - 1);
            }
        }
        at += used;
    }
    if (at > start) {
        put(json, text.data + start, at - start);
    }
}

static void put_number(SarifJson *json, uint64_t value)
{
    char digits[NUMBER_SIZE];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    put(json, digits + at, sizeof digits - at);
}

void sarif_json_string_add_number(SarifJson *json, uint64_t value)
{
    put_number(json, value);
}

static void sarif_json_unsigned(SarifJson *json, uint64_t value)
{
    put_separator(json);
    put_number(json, value);
}

void sarif_json_integer(SarifJson *json, int64_t value)
{
    put_separator(json);
    if (value < 0) {
        put_char(json, '-');
    }
    put_number(json, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void sarif_json_boolean(SarifJson *json, bool value)
{
    put_separator(json);
    put(json, value ? "true" : "false", value ? 4 : 5);
}

void sarif_json_member(SarifJson *json, const char *key, SarifText text)
{
    if (text.size > 0) {
        sarif_json_key(json, key);
        sarif_json_text(json, text);
    }
}

void sarif_json_member_unsigned(SarifJson *json, const char *key, uint64_t value)
{
    sarif_json_key(json, key);
    sarif_json_unsigned(json, value);
}

void sarif_json_member_message(SarifJson *json, const char *key, SarifText text)
{
    if (text.size > 0) {
        sarif_json_member_open(json, key, '{');
        sarif_json_member(json, "text", text);
        sarif_json_close(json, '}');
    }
}

void sarif_json_member_texts(SarifJson *json, const char *key, const SarifText *texts, size_t count)
{
    if (count == 0) {
        return;
    }
    sarif_json_member_open(json, key, '[');
    for (size_t i = 0; i < count; i++) {
        sarif_json_text(json, texts[i]);
    }
    sarif_json_close(json, ']');
}

void sarif_json_member_open(SarifJson *json, const char *key, char bracket)
{
    sarif_json_key(json, key);
    sarif_json_open(json, bracket);
}

void sarif_json_finish(SarifJson *json)
{
    put_char(json, '\n');
}
