/* The suite; see suite.h. */
#include "harness/plan/suite.h"

#include "base/file.h"
#include "document/json.h"
#include "lint/suggest.h"
#include "operator/artifact.h"

#include <math.h>

enum {
    SUITE_LIMIT = 64 * 1024 * 1024, /* bytes: a case is a few hundred, generated suites are long */
    SUITE_ID_LIMIT = 200,           /* bytes: ids are in headings of logs and in tables */
};

typedef struct Reader {
    Arena *arena;
    Suite *suite;
    Str *error;
    json_t *root;
    bool good;
} Reader;

static bool complain(Reader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool complain(Reader *reader, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    Str what = str_vformat(reader->arena, format, args);
    va_end(args);
    *reader->error =
        str_format(reader->arena, "%.*s: %.*s", STR_ARG(reader->suite->path), STR_ARG(what));
    return false;
}

static Str text_of(Arena *arena, const json_t *value)
{
    Str text = {json_string_value(value), json_string_length(value)};
    return (Str){str_dup(arena, text), text.length};
}

/* --- keys */

typedef struct KnownKey {
    const char *key;
    bool ours;     /* read by this program, not only by make_inputs, which may have a similar key */
    bool is_short; /* another letter makes another word: ctol, feed */
} KnownKey;

static const KnownKey known[] = {
    {"id", true, true},      {"level", true, false}, {"precision", true, false},
    {"atol", true, true},    {"rtol", true, true},   {"shape", false, false},
    {"dtype", false, false}, {"seed", false, true},
};
enum { KNOWN_COUNT = sizeof known / sizeof *known };

/* More than one wrong letter, but only one possible meaning. */
static const struct {
    const char *written, *meant;
} habits[] = {
    {"lvl", "level"},      {"prec", "precision"},       {"abs_tol", "atol"},
    {"rel_tol", "rtol"},   {"a_tol", "atol"},           {"r_tol", "rtol"},
    {"tolerance", "atol"}, {"precission", "precision"}, {"presision", "precision"},
};

static bool is_known_key(Str key)
{
    for (int i = 0; i < KNOWN_COUNT; i++) {
        if (str_is(key, known[i].key)) {
            return true;
        }
    }
    return false;
}

/* Is exactly one letter replaced? */
static bool is_replacement(Str key, Str word)
{
    size_t different = 0;
    for (size_t i = 0; i < key.length && key.length == word.length; i++) {
        different += (key.at[i] | 0x20) != (word.at[i] | 0x20);
    }
    return key.length == word.length && different == 1;
}

static bool is_slip(Str key, const KnownKey *entry, json_t *object)
{
    Str word = str_from(entry->key);
    unsigned distance = edit_distance(key, word, 1);
    if (distance == 0) {
        return true; /* in other case */
    }
    if (distance > 1 || word.length < 4 || (key.at[0] | 0x20) != word.at[0] ||
        (entry->is_short && is_replacement(key, word))) {
        return false;
    }
    bool plural = key.length == word.length + 1 && str_starts(key, word) && str_ends(key, STR("s"));
    return entry->ours || (!plural && json_object_get(object, entry->key) == NULL);
}

static const char *meaning_of(Str key, json_t *object)
{
    for (size_t i = 0; i < sizeof habits / sizeof *habits; i++) {
        if (edit_distance(key, str_from(habits[i].written), 1) == 0) {
            return habits[i].meant;
        }
    }
    for (int i = 0; i < KNOWN_COUNT; i++) {
        if (is_slip(key, &known[i], object)) {
            return known[i].key;
        }
    }
    return NULL;
}

/* The first key of the case that is misspelt, and in `*meant` the right one; NULL = none. Unknown
 * keys belong to make_inputs, so a key counts as misspelt only when it can hardly be anything
 * else. */
static const char *misspelt_key(json_t *object, const char **meant)
{
    for (void *at = json_object_iter(object); at != NULL; at = json_object_iter_next(object, at)) {
        const char *key = json_object_iter_key(at);
        *meant = is_known_key(str_from(key)) ? NULL : meaning_of(str_from(key), object);
        if (*meant != NULL) {
            return key;
        }
    }
    return NULL;
}

/* --- a case */

static bool is_plain(Str text)
{
    for (size_t i = 0; i < text.length; i++) {
        unsigned char c = (unsigned char)text.at[i];
        if (c < 0x20 || c == 0x7F) {
            return false;
        }
    }
    return text.length > 0 && text.length <= SUITE_ID_LIMIT;
}

static bool read_id(Reader *reader, const json_t *value, size_t number, Str *id)
{
    if (json_is_integer(value)) {
        *id = str_format(reader->arena, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    } else if (json_is_string(value)) {
        *id = text_of(reader->arena, value);
    } else {
        return complain(reader, "case %zu has no id", number);
    }
    if (!is_plain(*id)) {
        return complain(reader,
                        "the id of case %zu is empty, longer than %d bytes or has control "
                        "characters",
                        number, SUITE_ID_LIMIT);
    }
    return true;
}

/* Reads a level: "L2", "l2", "2" and 2 are the same. */
static bool read_level(Reader *reader, const json_t *value, Str id, Str *level)
{
    *level = STR("");
    if (value == NULL || json_is_null(value)) {
        return true;
    }
    if (json_is_integer(value)) {
        *level = str_format(reader->arena, "L%" JSON_INTEGER_FORMAT, json_integer_value(value));
        return true;
    }
    if (!json_is_string(value)) {
        return complain(reader, "case %.*s: level is neither a text nor a number", STR_ARG(id));
    }
    *level = suite_level(reader->arena, text_of(reader->arena, value));
    return level->length == 0 || is_plain(*level) ||
           complain(reader, "case %.*s: level has control characters", STR_ARG(id));
}

static bool read_tolerance(Reader *reader, const json_t *object, const char *key, Str id,
                           double *number)
{
    const json_t *value = json_object_get(object, key);
    *number = SUITE_DEFAULT_TOLERANCE;
    if (value == NULL || json_is_null(value)) {
        return true;
    }
    *number = json_number_value(value);
    if (!json_is_number(value) || !(*number >= 0) || !isfinite(*number)) {
        return complain(reader, "case %.*s: %s is not a number from 0 up", STR_ARG(id), key);
    }
    return true;
}

static bool add_compact(Reader *reader, json_t *object, size_t flags, Str *text)
{
    Buf json = {.arena = reader->arena};
    if (!json_add_tree(&json, object, JSON_COMPACT | flags)) {
        return false;
    }
    *text = str_trim(buf_str(&json));
    return true;
}

/* The case without keys on which no input depends. */
static json_t *inputs_of(const json_t *object, bool precision)
{
    static const char *const names[] = {"id", "level", "atol", "rtol", "precision"};
    json_t *rest = json_copy((json_t *)(uintptr_t)object);
    const char *key;
    json_t *value;
    void *next;
    for (size_t i = 0; rest != NULL && i < sizeof names / sizeof *names; i++) {
        json_object_del(rest, names[i]);
    }
    json_object_foreach_safe(rest, next, key, value)
    {
        if (key[0] == '_') {
            json_object_del(rest, key);
        }
    }
    if (rest != NULL && !precision) {
        json_object_set_new(rest, "precision", json_false());
    }
    return rest;
}

static void find_duplicate(const Suite *suite, SuiteCase *read)
{
    for (uint32_t i = 0; i < suite->cases.count; i++) {
        if (str_equal(suite->cases.items[i].inputs, read->inputs)) {
            read->duplicate_of = suite->cases.items[i].id;
            return;
        }
    }
}

static bool read_case(Reader *reader, json_t *object, size_t number, SuiteCase *read)
{
    if (!json_is_object(object)) {
        return complain(reader, "case %zu is not an object", number);
    }
    if (!read_id(reader, json_object_get(object, "id"), number, &read->id) ||
        !read_level(reader, json_object_get(object, "level"), read->id, &read->level)) {
        return false;
    }
    const char *meant = NULL;
    const char *misspelt = misspelt_key(object, &meant);
    if (misspelt != NULL) {
        return complain(reader, "case %.*s: no key is called '%s': write '%s'", STR_ARG(read->id),
                        misspelt, meant);
    }
    const json_t *precision = json_object_get(object, "precision");
    bool given = precision != NULL && !json_is_null(precision);
    if (given && !json_is_boolean(precision)) {
        return complain(reader, "case %.*s: precision is neither true nor false",
                        STR_ARG(read->id));
    }
    read->precision = !given || json_is_true(precision);
    if (!read_tolerance(reader, object, "atol", read->id, &read->atol) ||
        !read_tolerance(reader, object, "rtol", read->id, &read->rtol)) {
        return false;
    }
    if (suite_find(reader->suite, read->id) != NULL) {
        return complain(reader, "two cases have the id %.*s", STR_ARG(read->id));
    }
    if (!add_compact(reader, json_incref(object), 0, &read->json) ||
        !add_compact(reader, inputs_of(object, read->precision), JSON_SORT_KEYS, &read->inputs)) {
        arena_fail(reader->arena);
    }
    find_duplicate(reader->suite, read);
    return true;
}

/* --- the file */

static bool read_head(Reader *reader)
{
    Suite *suite = reader->suite;
    const json_t *name = json_object_get(reader->root, "op_name");
    const json_t *modules = json_object_get(reader->root, "total_modules");
    if (name != NULL && !json_is_null(name)) {
        suite->op_name = json_is_string(name) ? text_of(reader->arena, name) : STR("");
        /* It becomes a part of file names and of names in Python. */
        if (!is_plain(suite->op_name) || str_contains(suite->op_name, STR("/"))) {
            return complain(reader, "op_name is not the name of an operator");
        }
    }
    if (modules != NULL && !json_is_null(modules)) {
        json_int_t number = json_integer_value(modules);
        if (!json_is_integer(modules) || number < 1 || number > SUITE_MOST_MODULES) {
            return complain(reader, "total_modules is not a number from 1 to %d",
                            SUITE_MOST_MODULES);
        }
        suite->total_modules = (uint32_t)number;
    }
    return true;
}

static bool read_tree(Reader *reader)
{
    if (!json_is_object(reader->root)) {
        return complain(reader, "not a JSON object");
    }
    const json_t *cases = json_object_get(reader->root, "test_cases");
    if (cases == NULL) {
        cases = json_object_get(reader->root, "cases");
    }
    if (!json_is_array(cases)) {
        return complain(reader, "no list of cases under test_cases (or cases)");
    }
    if (json_array_size(cases) > SUITE_MOST_CASES) {
        return complain(reader, "more than %d cases", SUITE_MOST_CASES);
    }
    if (!read_head(reader)) {
        return false;
    }
    for (size_t i = 0; i < json_array_size(cases); i++) {
        SuiteCase read = {0};
        if (!read_case(reader, json_array_get(cases, i), i + 1, &read)) {
            return false;
        }
        VEC_PUSH(reader->arena, &reader->suite->cases, read);
    }
    return true;
}

static void read_guarded(void *argument)
{
    Reader *reader = argument;
    reader->good = read_tree(reader);
}

bool suite_parse(Arena *arena, Str text, Suite *suite, Str *error)
{
    Reader reader = {.arena = arena, .suite = suite, .error = error};
    JsonFault fault;
    reader.root = json_read(arena, text, 0, &fault);
    if (reader.root == NULL) {
        return complain(&reader, "not JSON, line %u: %s", fault.line, fault.text);
    }
    json_take(arena, reader.root, read_guarded, &reader);
    return reader.good;
}

Str suite_op_dir(Arena *arena, Str path)
{
    Str folder = path_real(arena, path_parent(path));
    return folder.length == 0 ? folder : str_from(str_dup(arena, path_parent(folder)));
}

bool suite_read(Arena *arena, Str path, Suite *suite, Str *error)
{
    *suite = (Suite){.path = path, .op_dir = suite_op_dir(arena, path)};
    suite->op_name = path_basename(suite->op_dir);
    Str text;
    Str reason = STR("");
    FileStatus status = artifact_read(arena, path, SUITE_LIMIT, &text, &reason);
    if (status != FILE_OK) {
        const char *why = status == FILE_MISSING       ? "no such file"
                          : status == FILE_NOT_REGULAR ? "not a regular file"
                          : status == FILE_TOO_LARGE   ? "too large"
                                                       : str_dup(arena, reason);
        *error = str_format(arena, "%.*s: %s", STR_ARG(path), why);
        return false;
    }
    return suite_parse(arena, text, suite, error);
}

Str suite_level(Arena *arena, Str text)
{
    text = str_trim(text);
    bool marked = text.length > 1 && (text.at[0] == 'L' || text.at[0] == 'l');
    Str digits = str_slice(text, marked ? 1 : 0, text.length);
    for (size_t i = 0; i < digits.length; i++) {
        if (digits.at[i] < '0' || digits.at[i] > '9') {
            return text;
        }
    }
    return digits.length == 0 ? text : str_format(arena, "L%.*s", STR_ARG(digits));
}

const SuiteCase *suite_find(const Suite *suite, Str id)
{
    for (uint32_t i = 0; i < suite->cases.count; i++) {
        if (str_equal(suite->cases.items[i].id, id)) {
            return &suite->cases.items[i];
        }
    }
    return NULL;
}
