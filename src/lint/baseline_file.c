/* The file of a baseline: see baseline_file.h. */
#include "lint/baseline_file.h"

#include "base/fence.h"
#include "base/file.h"
#include "document/json.h"

static Str complain(Arena *arena, Str path, Lang lang, const char *en, const char *zh, Str detail)
{
    const char *reason = text_in(lang, (Text){en, zh});
    return str_format(arena, "%.*s: %s%s%.*s", STR_ARG(path), reason, detail.length > 0 ? ": " : "",
                      STR_ARG(detail));
}

/* --- reading */

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
    const Rule *named;
    entry->text = STR("");
    json_text_at(arena, value, "text", &entry->text);
    bool known = json_text_at(arena, value, "rule", &entry->rule);
    if (known && (named = rule_named(entry->rule)) != NULL) {
        entry->rule = str_from(named->id);
    }
    return json_is_object(value) && known && json_text_at(arena, value, "file", &entry->file) &&
           json_text_at(arena, value, "fingerprint", &hash) && hash_of(hash, &entry->print.hash) &&
           json_is_integer(occurrence) && number > 0 && number < UINT32_MAX;
}

typedef struct Reading {
    BaselineEntries *entries;
    Arena *arena;
    const json_t *root;
    size_t number; /* of the entry that is not as it should be, from 1; 0: none of them */
    bool good;
} Reading;

static void read_entries(void *argument)
{
    Reading *reading = argument;
    const json_t *version = json_object_get(reading->root, "version");
    const json_t *list = json_object_get(reading->root, "entries");
    reading->good = json_is_integer(version) && json_integer_value(version) == BASELINE_VERSION &&
                    json_is_array(list);
    for (size_t i = 0; reading->good && i < json_array_size(list); i++) {
        BaselineEntry entry = {0};
        reading->number = i + 1;
        reading->good = read_entry(reading->arena, json_array_get(list, i), &entry);
        VEC_PUSH(reading->arena, reading->entries, entry);
    }
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
    JsonFault broken;
    json_t *root = json_read(arena, text, JSON_REJECT_DUPLICATES, &broken);
    if (root == NULL) {
        *error =
            complain(arena, path, lang, "the baseline is not valid JSON", "基线不是有效的 JSON",
                     str_format(arena, "%u: %s", broken.line, broken.text));
        return false;
    }
    Reading reading = {.entries = entries, .arena = arena, .root = root};
    json_take(arena, root, read_entries, &reading);
    if (!reading.good) {
        *error = complain(
            arena, path, lang, "not a baseline of this version (\"version\": 1, \"entries\": […])",
            "不是此版本的基线（\"version\": 1, \"entries\": […]）",
            reading.number == 0 ? STR("") : str_format(arena, "entry %zu", reading.number));
        return false;
    }
    return true;
}

/* --- writing */

static void add_entry(Buf *out, const BaselineEntry *entry)
{
    buf_add(out, STR("    {\"file\": "));
    json_add_string(out, entry->file);
    buf_add(out, STR(", \"rule\": "));
    json_add_string(out, entry->rule);
    buf_addf(out, ", \"fingerprint\": \"%016llx\", \"occurrence\": %u, \"text\": ",
             (unsigned long long)entry->print.hash, entry->print.occurrence);
    json_add_string(out, entry->text);
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
