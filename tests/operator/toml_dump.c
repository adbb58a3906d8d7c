/* Prints a TOML document from standard input as JSON: a text as a string, anything else that is
 * single as {"plain": "as written"}. Status 1 and "LINE: reason" when it is refused. */
#include "base/file.h"
#include "document/json.h"
#include "operator/toml_value.h"

#include <stdio.h>
#include <unistd.h>

static json_t *tree_of(JsonTree *tree, const Value *value)
{
    if (value->kind == VALUE_STRING && value->is_plain) {
        json_t *object = json_object();
        json_put(tree, object, "plain", json_text(value->text));
        return object;
    }
    if (value->kind == VALUE_STRING) {
        return json_text(value->text);
    }
    json_t *node = value->kind == VALUE_MAPPING ? json_object() : json_array();
    for (uint32_t i = 0; i < value->count; i++) {
        if (value->kind == VALUE_LIST) {
            json_append(tree, node, tree_of(tree, value->items[i]));
        } else {
            json_put(tree, node, str_dup(tree->arena, value->entries[i].key->text),
                     tree_of(tree, value->entries[i].value));
        }
    }
    return node;
}

int main(int argc, char **argv)
{
    enum { MOST = 1 << 20 };
    Arena arena;
    jmp_buf env;
    Str text;
    Str error;
    arena_init(&arena, 0);
    if (!OOM_GUARD(&arena, env) ||
        file_read_fd(&arena, STDIN_FILENO, MOST, &text, &error) != FILE_OK) {
        arena_free(&arena);
        return 2;
    }
    (void)argc;
    YamlResult result = toml_settings_read(&arena, text, (const char *const *)(argv + 1));
    if (!result.ok || result.value == NULL) {
        printf("%u: %.*s\n", result.line, STR_ARG(result.error));
        arena_free(&arena);
        return 1;
    }
    JsonTree tree = {.arena = &arena};
    json_t *root = tree_of(&tree, result.value);
    Buf out = {.arena = &arena};
    bool good = json_add_built(&out, &tree, root, JSON_ENCODE_ANY);
    fwrite(out.at, 1, out.length, stdout);
    arena_free(&arena);
    return good ? 0 : 2;
}
