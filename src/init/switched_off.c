/* Switches for all hooks of a client; see switched_off.h. */
#include "init/switched_off.h"

#include "base/file.h"
#include "document/json_document.h"

enum { MAX_BYTES = 1024 * 1024 };

static bool is_off_in_json(Arena *arena, const InitClient *client, Str settings)
{
    JsonDocument document;
    bool twice = false;
    if (!json_document_read(&document, arena, settings)) {
        return false;
    }
    uint32_t node = 0;
    if (client->off_object != NULL) {
        node = json_member(&document, 0, client->off_object, &twice);
    }
    node = node == JSON_NONE ? node : json_member(&document, node, client->off_key, &twice);
    if (node == JSON_NONE) {
        return false;
    }
    const JsonNode *value = &document.nodes.items[node];
    return str_is(str_slice(settings, value->start, value->end), client->off_value);
}

/* "key = value" on a line, blanks and a comment aside. No reader of TOML: a guess for a note. */
static bool is_off_line(const InitClient *client, Str line)
{
    size_t equals = str_find(line, STR("="), 0);
    Str key = str_trim(str_slice(line, 0, equals));
    if (equals == SIZE_MAX || !(str_is(key, client->off_key) || str_is(key, "features.hooks"))) {
        return false;
    }
    Str value = str_slice(line, equals + 1, str_find(line, STR("#"), 0));
    return str_is(str_trim(value), client->off_value);
}

static bool is_off_in_file(Arena *arena, const InitClient *client, Str path)
{
    size_t slash = path.length;
    while (slash > 0 && path.at[slash - 1] != '/') {
        slash--;
    }
    Str beside = path_join(arena, str_slice(path, 0, slash), str_from(client->off_file));
    Str text;
    if (file_read(arena, beside.at, MAX_BYTES, &text, NULL) != FILE_OK) {
        return false;
    }
    for (size_t at = 0; at < text.length;) {
        size_t end = str_find(text, STR("\n"), at);
        end = end == SIZE_MAX ? text.length : end;
        if (is_off_line(client, str_slice(text, at, end))) {
            return true;
        }
        at = end + 1;
    }
    return false;
}

Str switched_off(Arena *arena, const InitClient *client, Str path, Str settings)
{
    if (client->off_key == NULL) {
        return STR("");
    }
    if (client->off_file != NULL) {
        return is_off_in_file(arena, client, path)
                   ? str_format(arena, "%s = %s, %s", client->off_key, client->off_value,
                                client->off_file)
                   : STR("");
    }
    const char *object = client->off_object == NULL ? "" : client->off_object;
    return is_off_in_json(arena, client, settings)
               ? str_format(arena, "%s%s%s: %s", object, *object == '\0' ? "" : ".",
                            client->off_key, client->off_value)
               : STR("");
}
