/* Switches for all hooks of a client; see switched_off.h. */
#include "init/switched_off.h"

#include "base/file.h"
#include "base/path.h"
#include "document/json_document.h"

enum { MAX_BYTES = 1024 * 1024 };

static bool is_off_in_json(Arena *arena, const Client *client, Str settings)
{
    JsonDocument document;
    if (!json_document_read(&document, arena, settings)) {
        return false;
    }
    Str key = str_from(client->off_key);
    uint32_t node = 0;
    bool twice = false;
    for (size_t at = 0; at <= key.length && node != JSON_NONE;) {
        size_t dot = str_find(key, STR("."), at);
        Str part = str_slice(key, at, dot);
        node = json_member(&document, node, str_dup(arena, part), &twice);
        at += part.length + 1;
    }
    if (node == JSON_NONE) {
        return false;
    }
    const JsonNode *value = &document.nodes.items[node];
    return str_is(str_slice(settings, value->start, value->end), client->off_value);
}

/* "key = value" on a line, whatever table it is in: for a note, a guess will do. */
static bool is_off_line(const Client *client, Str line)
{
    size_t equals = str_find(line, STR("="), 0);
    Str key = str_trim(str_slice(line, 0, equals));
    Str whole = str_from(client->off_key);
    size_t dot = str_find(whole, STR("."), 0);
    Str in_table = dot == SIZE_MAX ? whole : str_slice(whole, dot + 1, whole.length);
    if (equals == SIZE_MAX || !(str_equal(key, whole) || str_equal(key, in_table))) {
        return false;
    }
    Str value = str_slice(line, equals + 1, str_find(line, STR("#"), 0));
    return str_is(str_trim(value), client->off_value);
}

static bool is_off_in_toml(Arena *arena, const Client *client, Str path)
{
    Str beside = path_join(arena, path_folder(path), str_from(client->off_file));
    Str text;
    if (file_read(arena, beside.at, MAX_BYTES, &text, NULL) != FILE_OK) {
        return false;
    }
    for (size_t at = 0; at < text.length;) {
        Str line = str_slice(text, at, str_find(text, STR("\n"), at));
        if (is_off_line(client, line)) {
            return true;
        }
        at += line.length + 1;
    }
    return false;
}

Str switched_off(Arena *arena, const Client *client, Str path, Str settings)
{
    bool toml = client->off_file != NULL;
    bool off = client->off_key != NULL && (toml ? is_off_in_toml(arena, client, path)
                                                : is_off_in_json(arena, client, settings));
    if (!off) {
        return STR("");
    }
    return toml ? str_format(arena, "%s = %s, %s", client->off_key, client->off_value,
                             client->off_file)
                : str_format(arena, "%s: %s", client->off_key, client->off_value);
}
