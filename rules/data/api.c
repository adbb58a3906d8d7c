/* Api: look-up in the list of exported names, and its replacement from a JSON file; see api.h. */
#include "rules/data/api.h"

#include "base/file.h"
#include "base/search.h"
#include "base/vec.h"
#include "document/json.h"

#include <stdlib.h>

/* A list of names is some 60 KB; anything near this limit is another file. */
enum { MAX_LIST_BYTES = 16 * 1024 * 1024 };

typedef VEC(ApiName) ApiNames;

static const Api *current = &api_builtin;

const Api *api_current(void)
{
    return current;
}

const ApiName *api_find(const Api *api, Str name)
{
    uint32_t low;
    LOWER_BOUND(low, api->count, str_compare(api->names[low].name, name) < 0);
    return low < api->count && str_compare(api->names[low].name, name) == 0 ? &api->names[low]
                                                                            : NULL;
}

static int compare_names(const void *left, const void *right)
{
    const ApiName *a = left, *b = right;
    return str_compare(a->name, b->name);
}

static bool is_text(const json_t *value, const char *text)
{
    return json_is_string(value) && str_is(str_from(json_string_value(value)), text);
}

static ApiKind kind_of(const json_t *value)
{
    static const char *const names[] = {[API_FUNCTION] = "function",
                                        [API_CLASS] = "class",
                                        [API_ENUM] = "enum",
                                        [API_CONSTANT] = "constant",
                                        [API_MODULE] = "module"};
    for (size_t i = API_FUNCTION; i < sizeof names / sizeof *names; i++) {
        if (is_text(value, names[i])) {
            return (ApiKind)i;
        }
    }
    return API_UNKNOWN;
}

static bool takes_element(const json_t *entry)
{
    json_t *params = json_object_get(entry, "params"), *param;
    size_t i;
    json_array_foreach(params, i, param)
    {
        if (json_is_true(json_object_get(param, "accepts_element"))) {
            return true;
        }
    }
    return false;
}

/* A mark that is not there, or not a known version, leaves `*version` as it is. */
static void read_version(const json_t *entry, const char *mark, ProductVersion *version)
{
    const json_t *value = json_object_get(entry, mark);
    if (json_is_string(value)) {
        product_version_read(str_from(json_string_value(value)), version);
    }
}

/* One entry: a name, or an object with a name. */
static bool read_entry(Arena *arena, const json_t *entry, ApiNames *names)
{
    const json_t *name = json_is_object(entry) ? json_object_get(entry, "name") : entry;
    if (!json_is_string(name)) {
        return false;
    }
    Str text = {json_string_value(name), json_string_length(name)};
    if (text.length == 0 || text.at[0] == '_') {
        return true;
    }
    ApiName item = {.name = {str_dup(arena, text), text.length}, .until = PRODUCT_9_2};
    if (json_is_object(entry)) {
        const json_t *origin = json_object_get(entry, "origin");
        item.kind = kind_of(json_object_get(entry, "kind"));
        item.origin = is_text(origin, "leak")        ? API_LEAK
                      : is_text(origin, "submodule") ? API_SUBMODULE
                                                     : API_OWN;
        item.documented = json_is_true(json_object_get(entry, "documented"));
        item.accepts_element = takes_element(entry);
        read_version(entry, "since", &item.since);
        read_version(entry, "until", &item.until);
    }
    VEC_PUSH(arena, names, item);
    return true;
}

static bool read_list(Arena *arena, const json_t *root, ApiNames *names)
{
    const json_t *list = root;
    if (json_is_object(root)) {
        list = json_object_get(root, "attributes");
        if (list == NULL) {
            list = json_object_get(root, "attrs");
        }
    }
    if (!json_is_array(list)) {
        return false;
    }
    size_t i;
    json_t *entry;
    json_array_foreach(list, i, entry)
    {
        if (!read_entry(arena, entry, names)) {
            return false;
        }
    }
    return true;
}

static void use_names(Arena *arena, ApiNames *names, Str version)
{
    if (names->count > 1) {
        qsort(names->items, names->count, sizeof *names->items, compare_names);
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < names->count; i++) {
        if (kept == 0 || !str_equal(names->items[kept - 1].name, names->items[i].name)) {
            names->items[kept++] = names->items[i];
        }
    }
    Api *api = ARENA_NEW(arena, Api);
    *api = (Api){.available = true,
                 .version = version,
                 .is_replaced = true,
                 .names = names->items,
                 .count = kept};
    current = api;
}

typedef struct Loading {
    Arena *arena;
    const json_t *root;
    const char *path;
    Str *error;
    bool good;
} Loading;

static void take_tree(void *argument)
{
    Loading *loading = argument;
    Arena *arena = loading->arena;
    ApiNames names = {0};
    loading->good = read_list(arena, loading->root, &names);
    if (!loading->good) {
        *loading->error = str_format(
            arena,
            "the attribute list %s has another form than expected: an array of names, or "
            "an object with \"attributes\" or \"attrs\"",
            loading->path);
        return;
    }
    const json_t *version = json_object_get(loading->root, "version"); /* NULL of an array */
    const char *text = json_is_string(version) ? json_string_value(version) : loading->path;
    use_names(arena, &names, str_format(arena, "%s", text));
}

static bool load_file(Arena *arena, const char *path, Str *error)
{
    Str text, reason = {0};
    if (file_read(arena, path, MAX_LIST_BYTES, &text, &reason) != FILE_OK) {
        *error =
            str_format(arena, "cannot read the attribute list %s: %.*s", path, STR_ARG(reason));
        return false;
    }
    JsonFault failure;
    json_t *root = json_read(arena, text, 0, &failure);
    if (root == NULL) {
        *error = str_format(arena, "the attribute list %s is not JSON: line %u: %s", path,
                            failure.line, failure.text);
        return false;
    }
    Loading loading = {arena, root, path, error, false};
    json_take(arena, root, take_tree, &loading);
    return loading.good;
}

bool api_load(Arena *arena, Str *error)
{
    static const Api unavailable = {0};
    const char *replacement = getenv("PYPTO_LINT_ATTRS_FILE");
    bool builtin = replacement == NULL || replacement[0] == '\0';
    if (builtin || strcmp(replacement, "none") == 0) {
        current = builtin ? &api_builtin : &unavailable;
        return true;
    }
    Str reason = STR("");
    bool good = load_file(arena, replacement, &reason);
    *error = good ? STR("") : str_format(arena, "PYPTO_LINT_ATTRS_FILE: %.*s", STR_ARG(reason));
    return good;
}
