/* JSON on standard output; see json_value.h. */
#include "cli/json_value.h"

#include "cli/cli.h"

void json_put(JsonTree *tree, json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0) {
        tree->failed = true;
    }
}

void json_append(JsonTree *tree, json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0) {
        tree->failed = true;
    }
}

json_t *json_text_or_null(Str text)
{
    return text.length == 0 ? json_null() : json_text(text);
}

bool json_print(Arena *arena, const JsonTree *tree, json_t *root)
{
    Buf out = {.arena = arena};
    if (tree->failed) {
        json_decref(root);
        root = NULL;
    }
    if (!json_add_tree(&out, root, JSON_INDENT(2))) {
        trouble("out of memory");
        return false;
    }
    return print_all(buf_str(&out));
}
