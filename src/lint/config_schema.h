/* Schema of .pypto-lint.yaml: which keys there are and what their values mean. Private to
 * config*.c. */
#ifndef PYPTO_LINT_LINT_CONFIG_SCHEMA_H
#define PYPTO_LINT_LINT_CONFIG_SCHEMA_H

#include "lint/config.h"
#include "operator/value.h"

typedef struct ConfigReading {
    Config *config;
    Arena *arena;
    Lang lang;
    uint32_t line; /* of a mistake */
    Str message;
} ConfigReading;

/* A key, and what reads its value. */
typedef struct ConfigKey {
    const char *name;
    bool (*read)(ConfigReading *reading, const char *name, const Value *value);
} ConfigKey;

/* Note a mistake at a line; false. */
bool config_fail(ConfigReading *reading, uint32_t line, const char *en, const char *zh, ...)
    __attribute__((format(printf, 3, 5), format(printf, 4, 5)));
bool config_wrong_kind(ConfigReading *reading, const char *name, const Value *value,
                       ValueKind wanted);
/* A value out of a list of words: its index in `words`, or -1 with a mistake. */
int config_word(ConfigReading *reading, const char *name, const Value *value,
                const char *const *words, size_t count);

/* Readers of keys about single rules and about places (config_rules.c). */
bool config_read_profile(ConfigReading *reading, const char *name, const Value *value);
bool config_read_severity(ConfigReading *reading, const char *name, const Value *value);
bool config_read_options(ConfigReading *reading, const char *name, const Value *value);
bool config_read_exclude(ConfigReading *reading, const char *name, const Value *value);
bool config_read_extend_exclude(ConfigReading *reading, const char *name, const Value *value);

/* Fills `config` from the tree (`root` may be NULL: an empty file). On failure false, the line and
 * a message in `lang`. */
bool config_from_tree(Config *config, Arena *arena, const Value *root, Lang lang, uint32_t *line,
                      Str *message);

/* "65536", "512 KiB", "4MiB", "1 MB": bytes, from 1 to CONFIG_MAX_FILE_SIZE. False for anything
 * else. */
bool config_parse_size(Str text, size_t *bytes);

#endif
