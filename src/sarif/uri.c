/*
 * Paths and URIs: what may stand in a URI, and when two paths mean the same file. */
#include "uri.h"

#include "memory.h"
#include "utf8.h"

#include <string.h>

static bool is_alphabetic(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static bool is_hex(char byte)
{
    return is_digit(byte) || (byte >= 'a' && byte <= 'f') || (byte >= 'A' && byte <= 'F');
}

static bool is_one_of(char byte, const char *set)
{
    return byte != '\0' && strchr(set, byte) != NULL;
}

static void add_encoded(SarifJson *json, char byte)
{
    static const char digits[] = "0123456789ABCDEF";
    unsigned char value = (unsigned char)byte;
    sarif_json_string_add(json,
                          (SarifText){(char[]){'%', digits[value >> 4], digits[value & 15]}, 3});
}

/* RFC 3986 "unreserved": a path needs no other character as it is. */
static void add_segment(SarifJson *json, SarifText segment)
{
    size_t start = 0;
    for (size_t i = 0; i < segment.size; i++) {
        char byte = segment.data[i];
        if (is_alphabetic(byte) || is_digit(byte) || is_one_of(byte, "-._~")) {
            continue;
        }
        sarif_json_string_add(json, (SarifText){segment.data + start, i - start});
        add_encoded(json, byte);
        start = i + 1;
    }
    sarif_json_string_add(json, (SarifText){segment.data + start, segment.size - start});
}

/* On Windows, a drive is a root, too. */
bool sarif_path_is_absolute(SarifText path)
{
#ifdef _WIN32
    if (path.size > 2 && is_alphabetic(path.data[0]) && path.data[1] == ':' &&
        path.data[2] == '/') {
        return true;
    }
#endif
    return path.size > 0 && path.data[0] == '/';
}

/* The next segment that counts; false at the end. */
static bool next_segment(SarifText path, size_t *at, SarifText *segment)
{
    while (*at < path.size) {
        const char *start = path.data + *at;
        const char *slash = memchr(start, '/', path.size - *at);
        size_t size = slash == NULL ? path.size - *at : (size_t)(slash - start);
        *at += size + (slash == NULL ? 0 : 1);
        if (size > 0 && !(size == 1 && start[0] == '.')) {
            *segment = (SarifText){start, size};
            return true;
        }
    }
    return false;
}

uint64_t sarif_path_hash(uint64_t hash, SarifText path)
{
    SarifText segment;
    size_t at = 0;
    while (next_segment(path, &at, &segment)) {
        hash = sarif_hash_number(sarif_hash_text(hash, segment), segment.size);
    }
    return hash;
}

bool sarif_path_equal(SarifText left, SarifText right)
{
    if (sarif_path_is_absolute(left) != sarif_path_is_absolute(right)) {
        return false;
    }
    size_t left_at = 0;
    size_t right_at = 0;
    for (;;) {
        SarifText left_segment = {NULL, 0};
        SarifText right_segment = {NULL, 0};
        bool left_more = next_segment(left, &left_at, &left_segment);
        bool right_more = next_segment(right, &right_at, &right_segment);
        if (left_more != right_more || !sarif_text_equal(left_segment, right_segment)) {
            return false;
        }
        if (!left_more) {
            return true;
        }
    }
}

void sarif_uri_add_path(SarifJson *json, SarifText path, bool directory)
{
    bool absolute = sarif_path_is_absolute(path);
    SarifText segment;
    size_t at = 0;
    size_t count = 0;
    if (absolute) {
        sarif_json_string_add(json, SARIF_TEXT("file://"));
    }
    while (next_segment(path, &at, &segment)) {
        if (absolute || count > 0) {
            sarif_json_string_add(json, SARIF_TEXT("/"));
        }
        add_segment(json, segment);
        count++;
    }
    if (count == 0 && !absolute) {
        sarif_json_string_add(json, SARIF_TEXT("."));
    }
    if (directory || (count == 0 && absolute)) {
        sarif_json_string_add(json, SARIF_TEXT("/"));
    }
}

bool sarif_uri_is_absolute(SarifText uri)
{
    if (sarif_path_is_absolute(uri)) {
        return false; /* a Windows drive is not a scheme */
    }
    if (uri.size == 0 || !is_alphabetic(uri.data[0])) {
        return false;
    }
    size_t at = 1;
    while (at < uri.size && (is_alphabetic(uri.data[at]) || is_digit(uri.data[at]) ||
                             is_one_of(uri.data[at], "+-."))) {
        at++;
    }
    return at + 1 < uri.size && uri.data[at] == ':';
}

/* Where the host ends: only there may brackets stand (IPv6). */
static size_t authority_end(SarifText uri)
{
    size_t at = 0;
    while (at < uri.size && uri.data[at] != ':') {
        at++;
    }
    if (uri.size - at < 3 || uri.data[at + 1] != '/' || uri.data[at + 2] != '/') {
        return 0;
    }
    at += 3;
    while (at < uri.size && !is_one_of(uri.data[at], "/?#")) {
        at++;
    }
    return at;
}

/* A '%' stays where it begins an escape; what is neither reserved nor unreserved is escaped. */
static bool may_stand(SarifText uri, size_t at, bool in_authority)
{
    char byte = uri.data[at];
    if (byte == '%') {
        return at + 2 < uri.size && is_hex(uri.data[at + 1]) && is_hex(uri.data[at + 2]);
    }
    return is_alphabetic(byte) || is_digit(byte) || is_one_of(byte, "-._~:/?#@!$&'()*+,;=") ||
           (in_authority && (byte == '[' || byte == ']'));
}

void sarif_uri_add(SarifJson *json, SarifText uri)
{
    size_t host_end = authority_end(uri);
    bool fragment = false;
    size_t at = 0;
    while (at < uri.size) {
        bool second_hash = fragment && uri.data[at] == '#';
        if (may_stand(uri, at, at < host_end) && !second_hash) {
            fragment = fragment || uri.data[at] == '#';
            sarif_json_string_add(json, (SarifText){uri.data + at, 1});
            at++;
            continue;
        }
        uint32_t code_point;
        bool valid;
        size_t used = sarif_utf8_next(uri.data + at, uri.size - at, &code_point, &valid);
        SarifText bytes =
            valid ? (SarifText){uri.data + at, used} : SARIF_TEXT(SARIF_REPLACEMENT_UTF8);
        for (size_t i = 0; i < bytes.size; i++) {
            add_encoded(json, bytes.data[i]);
        }
        at += used;
    }
}

void sarif_json_member_uri(SarifJson *json, const char *key, SarifText uri)
{
    if (sarif_uri_is_absolute(uri)) {
        sarif_json_key(json, key);
        sarif_json_string_begin(json);
        sarif_uri_add(json, uri);
        sarif_json_string_end(json);
    }
}
