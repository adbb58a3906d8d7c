/* TomlValue: a table of a TOML 1.0 document as a Value, for settings.
 *
 * The whole document is read and checked: a table could be anywhere, and what looks like its header
 * may stand in a string. Refused, with a line: what TOML 1.0 refuses, and more than
 * TOML_MAX_DEPTH levels of values or parts of a key. */
#ifndef PYPTO_LINT_OPERATOR_TOML_VALUE_H
#define PYPTO_LINT_OPERATOR_TOML_VALUE_H

#include "operator/yaml_value.h"

enum { TOML_MAX_DEPTH = 16 };

/* The value under the keys `path` (until NULL), in the form that yaml_settings_read gives: strings,
 * lists, mappings; a number, a truth value or a date is a plain string as it is written. NULL as
 * the value when there is no such key. `path` of no key: the whole document. */
YamlResult toml_settings_read(Arena *arena, Str text, const char *const *path);

#endif
