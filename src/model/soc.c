/* Hardware descriptions: soc/NAME.soc, `key = value unit` lines with # comments. */
#include "model/error.h"

#include "base/str.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SOC_FILE_LIMIT = 1 << 20 };

typedef enum SocType { SOC_TEXT, SOC_INT, SOC_BYTES, SOC_RATE } SocType;

typedef struct SocKey {
    const char *name;
    size_t offset, size;
    SocType type;
    bool optional;
} SocKey;

#define KEY(type, field, optional)                                                                 \
    {                                                                                              \
#field, offsetof(PtsSoc, field), sizeof(((PtsSoc *)0)->field), type, optional              \
    }

static const SocKey keys[] = {
    KEY(SOC_TEXT, name, false),
    KEY(SOC_INT, arch, false),
    KEY(SOC_TEXT, arch_name, false),
    KEY(SOC_BYTES, l0a, false),
    KEY(SOC_BYTES, l0b, false),
    KEY(SOC_BYTES, l0c, false),
    KEY(SOC_BYTES, l1, false),
    KEY(SOC_BYTES, ub, false),
    KEY(SOC_BYTES, bt, true),
    KEY(SOC_BYTES, fb0, true),
    KEY(SOC_BYTES, fb1, true),
    KEY(SOC_BYTES, l2, true),
    KEY(SOC_BYTES, device_memory, true),
    KEY(SOC_INT, cube_cores, false),
    KEY(SOC_INT, vector_cores, false),
    KEY(SOC_INT, clock_mhz, false),
    KEY(SOC_RATE, rate_ddr, false),
    KEY(SOC_RATE, rate_l2_read, true),
    KEY(SOC_RATE, rate_l2_write, true),
    KEY(SOC_RATE, rate_l1_l0a, true),
    KEY(SOC_RATE, rate_l1_l0b, true),
    KEY(SOC_RATE, rate_l1_ub, true),
    KEY(SOC_RATE, rate_l0c_ub, true),
    KEY(SOC_RATE, rate_ub_ddr, true),
};
enum { KEY_COUNT = sizeof keys / sizeof *keys };

typedef struct SocReader {
    Arena arena;
    const char *path;
    int line;
    PtsSoc *soc;
    bool seen[KEY_COUNT];
    PtsError *error;
    char *content; /* of a file, for the reader to free */
    Str text;      /* to be read; `at` NULL: the file's */
    bool ok;
} SocReader;

static bool fail_line(const SocReader *reader, const char *what, Str part)
{
    return pts_fail(reader->error, PTS_E_VALUE, "%s:%d: %s: %.*s", reader->path, reader->line, what,
                    STR_ARG(part));
}

typedef struct Unit {
    const char *name;
    int64_t factor;
} Unit;

static const Unit byte_units[] = {{"", 1},          {"B", 1},         {"KiB", 1 << 10},
                                  {"MiB", 1 << 20}, {"GiB", 1 << 30}, {NULL, 0}};
static const Unit count_units[] = {{"", 1}, {"MHz", 1}, {NULL, 0}};
static const Unit rate_units[] = {{"", 1}, {"B/cycle", 1}, {NULL, 0}};

/* A number, white space, a unit. */
static bool read_number(SocReader *reader, Str value, const Unit *units, double *number)
{
    char *text = str_dup(&reader->arena, value);
    char *end;
    errno = 0;
    *number = strtod(text, &end);
    if (end == text || errno != 0 || !isfinite(*number) || *number < 0) {
        return fail_line(reader, "not a number", value);
    }
    Str unit = str_trim(str_from(end));
    for (int i = 0; units[i].name != NULL; i++) {
        if (str_is(unit, units[i].name)) {
            *number *= (double)units[i].factor;
            return true;
        }
    }
    return fail_line(reader, "unknown unit", unit);
}

static bool store(SocReader *reader, const SocKey *key, Str value)
{
    char *field = (char *)reader->soc + key->offset;
    if (key->type == SOC_TEXT) {
        if (value.length == 0 || value.length >= key->size) {
            return fail_line(reader, "bad text", value);
        }
        memcpy(field, value.at, value.length);
        field[value.length] = '\0';
        return true;
    }
    double number;
    const Unit *units = key->type == SOC_BYTES ? byte_units
                        : key->type == SOC_INT ? count_units
                                               : rate_units;
    if (!read_number(reader, value, units, &number)) {
        return false;
    }
    if (key->type == SOC_RATE) {
        memcpy(field, &number, sizeof number);
        return true;
    }
    double most = key->type == SOC_INT ? 1e9 : 9e15;
    if (number > most || number != floor(number)) {
        return fail_line(reader, "not a whole number in range", value);
    }
    if (key->type == SOC_INT) {
        int whole = (int)number;
        memcpy(field, &whole, sizeof whole);
    } else {
        int64_t whole = (int64_t)number;
        memcpy(field, &whole, sizeof whole);
    }
    return true;
}

static bool read_line(SocReader *reader, Str line)
{
    line = str_trim(str_slice(line, 0, str_find(line, STR("#"), 0)));
    if (line.length == 0) {
        return true;
    }
    size_t equals = str_find(line, STR("="), 0);
    if (equals == SIZE_MAX) {
        return fail_line(reader, "no `key = value`", line);
    }
    Str name = str_trim(str_slice(line, 0, equals));
    Str value = str_trim(str_slice(line, equals + 1, line.length));
    for (int i = 0; i < KEY_COUNT; i++) {
        if (!str_is(name, keys[i].name)) {
            continue;
        }
        if (reader->seen[i]) {
            return fail_line(reader, "key given twice", name);
        }
        reader->seen[i] = true;
        return store(reader, &keys[i], value);
    }
    return fail_line(reader, "unknown key", name);
}

/* Reads the whole file, which is short; a file beyond the limit is an error. */
static bool read_text(SocReader *reader, Str *text)
{
    FILE *file = fopen(reader->path, "rb");
    if (file == NULL) {
        return pts_fail(reader->error, PTS_E_VALUE, "%s: cannot be read: %s", reader->path,
                        strerror(errno));
    }
    char *content = malloc(SOC_FILE_LIMIT);
    size_t length = content == NULL ? 0 : fread(content, 1, SOC_FILE_LIMIT, file);
    bool ok = content != NULL && !ferror(file) && length < SOC_FILE_LIMIT;
    fclose(file);
    reader->content = content;
    *text = (Str){content, length};
    return ok ||
           pts_fail(reader->error, PTS_E_VALUE, "%s: cannot be read, or is too long", reader->path);
}

static void read_all(void *argument)
{
    SocReader *reader = argument;
    Str text = reader->text;
    if (text.at == NULL && !read_text(reader, &text)) {
        return;
    }
    size_t at = 0;
    while (at < text.length) {
        size_t end = str_find(text, STR("\n"), at);
        end = end == SIZE_MAX ? text.length : end;
        reader->line++;
        if (!read_line(reader, str_slice(text, at, end))) {
            return;
        }
        at = end + 1;
    }
    for (int i = 0; i < KEY_COUNT; i++) {
        if (!reader->seen[i] && !keys[i].optional) {
            fail_line(reader, "key missing at the end", str_from(keys[i].name));
            return;
        }
    }
    reader->ok = true;
}

static bool soc_read(const char *path, Str text, PtsSoc *soc, PtsError *error)
{
    *soc = (PtsSoc){0};
    SocReader reader = {.path = path, .soc = soc, .error = error, .text = text};
    arena_init(&reader.arena, 0);
    if (!arena_try(&reader.arena, read_all, &reader)) {
        pts_fail_memory(error);
    }
    arena_free(&reader.arena);
    free(reader.content);
    return reader.ok;
}

bool pts_soc_load(const char *path, PtsSoc *soc, PtsError *error)
{
    return soc_read(path, (Str){NULL, 0}, soc, error);
}

bool pts_soc_parse(const char *name, const char *text, PtsSoc *soc, PtsError *error)
{
    return soc_read(name, str_from(text), soc, error);
}
