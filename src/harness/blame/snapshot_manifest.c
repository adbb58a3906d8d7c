/* Reads the manifest of what to watch and makes the job from it; see snapshots.h. */
#include "harness/blame/snapshots.h"

#include "base/fence.h"
#include "base/path.h"
#include "operator/yaml_value.h"

#include <math.h>

enum { MOST_BYTES = 1 << 20, MOST_SNAPSHOTS = 64, MOST_NAME = 100 };

typedef struct Manifest {
    Arena *arena;
    SnapshotManifest *made;
    Str *error;
} Manifest;

static bool fail(const Manifest *reading, uint32_t line, const char *reason)
{
    *reading->error = str_format(reading->arena, "%s:%u: %s", MANIFEST_PATH, line, reason);
    return false;
}

/* The value of the first of these keys that the mapping has, or NULL. */
static const Value *any_of(const Value *mapping, const char *const *keys)
{
    const Value *found = NULL;
    for (; *keys != NULL && found == NULL; keys++) {
        found = value_get(mapping, *keys);
    }
    return found;
}

static Str text_of(const Value *value)
{
    return value_is(value, VALUE_STRING) ? value->text : STR("");
}

static Metric number_of(const Value *value)
{
    Metric metric = {0};
    metric.known = value_to_real(value, &metric.value) && isfinite(metric.value);
    return metric;
}

static bool is_name(Str name)
{
    for (size_t i = 0; i < name.length; i++) {
        if ((unsigned char)name.at[i] < ' ' || name.at[i] == 0x7F) {
            return false;
        }
    }
    return name.length > 0 && name.length <= MOST_NAME;
}

static bool add(const Manifest *reading, Snapshot made, uint32_t line)
{
    if (made.expression.length == 0) {
        return fail(reading, line, "a snapshot needs an expression, and it must be a string");
    }
    made.name = made.name.length == 0 ? made.expression : made.name;
    if (!is_name(made.name)) {
        return fail(reading, line,
                    "the name of a snapshot must have 1 to 100 printable characters");
    }
    for (uint32_t i = 0; i < reading->made->items.count; i++) {
        if (str_equal(reading->made->items.items[i].name, made.name)) {
            return fail(reading, line, "there is already a snapshot of that name");
        }
    }
    if (reading->made->items.count >= MOST_SNAPSHOTS) {
        return fail(reading, line, "more than 64 snapshots");
    }
    VEC_PUSH(reading->arena, &reading->made->items, made);
    return true;
}

static bool read_entry(const Manifest *reading, const Value *entry)
{
    static const char *const expressions[] = {"expression", "expr", NULL};
    static const char *const references[] = {"golden", "reference", NULL};
    if (value_is(entry, VALUE_STRING)) {
        return add(reading, (Snapshot){.expression = entry->text}, entry->line);
    }
    if (!value_is(entry, VALUE_MAPPING)) {
        return fail(reading, entry->line,
                    "a snapshot must be an expression, or a mapping that has one");
    }
    Snapshot made = {.name = text_of(value_get(entry, "name")),
                     .expression = text_of(any_of(entry, expressions)),
                     .golden = text_of(any_of(entry, references)),
                     .atol = number_of(value_get(entry, "atol")),
                     .rtol = number_of(value_get(entry, "rtol"))};
    const Value *line = value_get(entry, "line"), *axis = value_get(entry, "golden_axis");
    if (line != NULL && (!value_to_int(line, &made.line) || made.line < 1)) {
        return fail(reading, line->line, "`line` must be a line number of the kernel");
    }
    made.has_golden_axis = axis != NULL;
    if (axis != NULL && !value_to_int(axis, &made.golden_axis)) {
        return fail(reading, axis->line, "`golden_axis` must be the number of an axis");
    }
    return add(reading, made, entry->line);
}

/* A list of entries, or a mapping from names to expressions. */
static bool read_entries(const Manifest *reading, const Value *list)
{
    bool good = value_is(list, VALUE_LIST) || value_is(list, VALUE_MAPPING);
    if (!good || list->count == 0) {
        return fail(reading, list == NULL ? 1 : list->line,
                    "`snapshots` must be a list of expressions to watch");
    }
    for (uint32_t i = 0; i < list->count && good; i++) {
        good = list->kind == VALUE_LIST
                   ? read_entry(reading, list->items[i])
                   : add(reading,
                         (Snapshot){.name = text_of(list->entries[i].key),
                                    .expression = text_of(list->entries[i].value)},
                         list->entries[i].key->line);
    }
    return good;
}

static bool read_manifest(const Manifest *reading, Str text)
{
    static const char *const axes[] = {"iteration_axis", "axis", NULL};
    static const char *const lists[] = {"snapshots", "watch", "expressions", NULL};
    size_t mark = str_starts(text, STR("\xef\xbb\xbf")) ? 3 : 0;
    YamlResult yaml = yaml_value_read(reading->arena, str_slice(text, mark, text.length), 1);
    if (!yaml.ok) {
        *reading->error = str_format(reading->arena, "%s:%u: %.*s", MANIFEST_PATH, yaml.line,
                                     STR_ARG(yaml.error));
        return false;
    }
    if (!value_is(yaml.value, VALUE_MAPPING)) {
        return fail(reading, 1, "the manifest must be a mapping with `snapshots`");
    }
    const Value *axis = any_of(yaml.value, axes);
    if (axis != NULL && axis->kind != VALUE_NULL && !value_is(axis, VALUE_STRING)) {
        return fail(reading, axis->line, "`iteration_axis` must be the name of a loop's index");
    }
    reading->made->axis = text_of(axis);
    reading->made->case_id = text_of(value_get(yaml.value, "case"));
    return read_entries(reading, any_of(yaml.value, lists));
}

bool snapshot_manifest_read(Arena *arena, Str op_dir, SnapshotManifest *manifest, bool *missing,
                            Str *error)
{
    Str text;
    Str path = path_join(arena, op_dir, STR(MANIFEST_PATH));
    FileStatus status =
        fence_read(arena, fence_of(arena, op_dir), path.at, MOST_BYTES, &text, error);
    *manifest = (SnapshotManifest){.axis = STR(""), .case_id = STR("")};
    *missing = status == FILE_MISSING;
    if (status != FILE_OK) {
        const char *reason = status == FILE_TOO_LARGE     ? "larger than 1 MiB"
                             : status == FILE_NOT_REGULAR ? "not a regular file"
                             : status == FILE_MISSING     ? "no such file"
                                                          : str_dup(arena, *error);
        *error = str_format(arena, "%s: %s", path.at, reason);
        return false;
    }
    return read_manifest(&(Manifest){arena, manifest, error}, text);
}

/* --- the job */

static void add_key(Buf *out, const char *key, Str text)
{
    buf_addf(out, ", \"%s\": ", key);
    json_add_string(out, text);
}

static void add_snapshot(Buf *out, const Snapshot *snapshot)
{
    buf_add(out, STR("{\"name\": "));
    json_add_string(out, snapshot->name);
    add_key(out, "expression", snapshot->expression);
    if (snapshot->golden.length > 0) {
        add_key(out, "golden", snapshot->golden);
    }
    if (snapshot->line > 0) {
        buf_addf(out, ", \"line\": %lld", (long long)snapshot->line);
    }
    if (snapshot->has_golden_axis) {
        buf_addf(out, ", \"golden_axis\": %lld", (long long)snapshot->golden_axis);
    }
    if (snapshot->atol.known) {
        buf_addf(out, ", \"atol\": %.17g", snapshot->atol.value);
    }
    if (snapshot->rtol.known) {
        buf_addf(out, ", \"rtol\": %.17g", snapshot->rtol.value);
    }
    buf_add_char(out, '}');
}

WorkerJob snapshot_job(const Verification *plan, const SuiteCase *source, Mode mode, bool probe,
                       const SnapshotManifest *manifest)
{
    WorkerJob job = verify_job(plan, source, mode, "bisect");
    Buf out = {.arena = plan->arena};
    buf_add(&out, str_slice(job.json, 0, job.json.length - 1)); /* without the brace */
    if (manifest == NULL) {
        buf_add(&out, STR(", \"propose\": true}"));
    } else {
        if (manifest->axis.length > 0) {
            add_key(&out, "axis", manifest->axis);
        }
        buf_add(&out, probe ? STR(", \"probe\": true, \"watches\": [") : STR(", \"watches\": ["));
        for (uint32_t i = 0; i < manifest->items.count; i++) {
            buf_add(&out, i == 0 ? STR("") : STR(", "));
            add_snapshot(&out, &manifest->items.items[i]);
        }
        buf_add(&out, STR("]}"));
    }
    job.json = buf_str(&out);
    return job;
}
