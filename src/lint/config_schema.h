/* Schema of .pypto-lint.yaml: which keys there are and what their values mean. Private to
 * config.c. */
#ifndef PYPTO_LINT_LINT_CONFIG_SCHEMA_H
#define PYPTO_LINT_LINT_CONFIG_SCHEMA_H

#include "lint/config.h"
#include "operator/value.h"

/* Fills `config` from the tree (`root` may be NULL: an empty file). On failure false, the line and
 * a message in `lang`. */
bool config_from_tree(Config *config, Arena *arena, const Value *root, Lang lang, uint32_t *line,
                      Str *message);

/* "65536", "512 KiB", "4MiB", "1 MB": bytes, from 1 to CONFIG_MAX_FILE_SIZE. False for anything
 * else. */
bool config_parse_size(Str text, size_t *bytes);

#endif
