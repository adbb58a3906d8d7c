/* The file of a baseline: see baseline_file.h. */
#include "lint/baseline_file.h"

#include "base/fence.h"
#include "base/file.h"
#include "base/json_read.h"

static Str complain(Arena *arena, Str path, Lang lang, const char *en, const char *zh, Str detail)
{
    const char *reason = text_in(lang, (Text){en, zh});
    return str_format(arena, "%.*s: %s%s%.*s", STR_ARG(path), reason, detail.length > 0 ? ": " : "",
                      STR_ARG(detail));
}

/* --- reading */

static bool text_of(Arena *arena, const json_t *object, const char *key, Str *text)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_string(value)) {
        return false;
    }
    Str found = {json_string_value(value), json_string_length(value)};
    *text = (Str){str_dup(arena, found), found.length};
    return true;
}

static bool hash_of(Str text, uint64_t *hash)
{
    static const char digits[] = "0123456789abcdef";
    *hash = 0;
    for (size_t i = 0; i < text.length; i++) {
        const char *digit = memchr(digits, text.at[i], 16);
        if (digit == NULL) {
            return false;
        }
        *hash = *hash << 4 | (uint64_t)(digit - digits);
    }
    return text.length == 16;
}

static bool read_entry(Arena *arena, const json_t *value, BaselineEntry *entry)
{
    Str hash;
    const json_t *occurrence = json_object_get(value, "occurrence");
    json_int_t number = json_integer_value(occurrence);
    entry->print.occurrence = (uint32_t)number;
    entry->text = STR("");
    text_of(arena, value, "text", &entry->text);
    return json_is_object(value) && text_of(arena, value, "file", &entry->file) &&
           text_of(arena, value, "rule", &entry->rule) &&
           text_of(arena, value, "fingerprint", &hash) && hash_of(hash, &entry->print.hash) &&
           json_is_integer(occurrence) && number > 0 && number < UINT32_MAX;
}

/* False when something is not as it should be; `*number` is then the entry, from 1, or 0. */
static bool read_entries(BaselineEntries *entries, Arena *arena, const json_t *root, size_t *number)
{
    *number = 0;
    const json_t *version = json_object_get(root, "version");
    const json_t *list = json_object_get(root, "entries");
    if (!json_is_integer(version) || json_integer_value(version) != BASELINE_VERSION ||
        !json_is_array(list)) {
        return false;
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        BaselineEntry entry = {0};
        *number = i + 1;
        if (!read_entry(arena, json_array_get(list, i), &entry)) {
            return false;
        }
        VEC_PUSH(arena, entries, entry);
    }
    return true;
}

/* As read_entries; the tree is given back, also when the arena has no room. */
static bool take_entries(BaselineEntries *entries, Arena *arena, json_t *root, size_t *number)
{
    jmp_buf *outer = arena->guard;
    jmp_buf here;
    if (!OOM_GUARD(arena, here)) {
        arena->guard = outer;
        json_decref(root);
        arena_fail(arena);
    }
    bool good = read_entries(entries, arena, root, number);
    arena->guard = outer;
    json_decref(root);
    return good;
}

bool baseline_load(BaselineEntries *entries, Arena *arena, Str path, bool may_lack, Lang lang,
                   Str *error)
{
    *entries = (BaselineEntries){0};
    Str text;
    Str reason = STR("");
    FileStatus status = file_read(arena, path.at, BASELINE_MAX_FILE, &text, &reason);
    if (status == FILE_MISSING && may_lack) {
        return true;
    }
    if (status != FILE_OK) {
        *error = complain(arena, path, lang, "cannot read the baseline", "无法读取基线", reason);
        return false;
    }
    json_error_t broken;
    json_t *root = json_read(arena, text, JSON_REJECT_DUPLICATES, &broken);
    if (root == NULL) {
        *error = complain(arena, path, lang, "the baseline is no JSON", "基线不是 JSON",
                          str_format(arena, "%d: %s", broken.line, broken.text));
        return false;
    }
    size_t number = 0;
    if (!take_entries(entries, arena, root, &number)) {
        *error = complain(arena, path, lang,
                          "not a baseline of this version (\"version\": 1, \"entries\": […])",
                          "不是此版本的基线（\"version\": 1, \"entries\": […]）",
                          number == 0 ? STR("") : str_format(arena, "entry %zu", number));
        return false;
    }
    return true;
}

/* --- writing */

/* A JSON string; the text is valid UTF-8. */
static void add_string(Buf *out, Str text)
{
    buf_add_char(out, '"');
    for (size_t i = 0; i < text.length; i++) {
        unsigned char c = (unsigned char)text.at[i];
        if (c < ' ' || c == 0x7F) {
            buf_addf(out, "\\u%04x", c);
            continue;
        }
        if (c == '"' || c == '\\') {
            buf_add_char(out, '\\');
        }
        buf_add_char(out, text.at[i]);
    }
    buf_add_char(out, '"');
}

static void add_entry(Buf *out, const BaselineEntry *entry)
{
    buf_add(out, STR("    {\"file\": "));
    add_string(out, entry->file);
    buf_add(out, STR(", \"rule\": "));
    add_string(out, entry->rule);
    buf_addf(out, ", \"fingerprint\": \"%016llx\", \"occurrence\": %u, \"text\": ",
             (unsigned long long)entry->print.hash, entry->print.occurrence);
    add_string(out, entry->text);
    buf_add_char(out, '}');
}

bool baseline_save(const BaselineEntries *entries, Arena *arena, Str path, Str *error)
{
    Buf out = {.arena = arena};
    buf_addf(&out, "{\n  \"version\": %d,\n  \"tool\": \"pypto-lint\",\n  \"entries\": [",
             BASELINE_VERSION);
    for (uint32_t i = 0; i < entries->count; i++) {
        buf_add(&out, i == 0 ? STR("\n") : STR(",\n"));
        add_entry(&out, &entries->items[i]);
    }
    buf_add(&out, entries->count == 0 ? STR("]\n}\n") : STR("\n  ]\n}\n"));
    Str old;
    if (file_read(arena, path.at, BASELINE_MAX_FILE, &old, NULL) == FILE_OK &&
        str_equal(old, buf_str(&out))) {
        return true;
    }
    Str reason = STR("");
    if (!fence_write(arena, STR(""), path.at, buf_str(&out), &reason)) {
        *error = str_format(arena, "%.*s: %.*s", STR_ARG(path), STR_ARG(reason));
        return false;
    }
    return true;
}
