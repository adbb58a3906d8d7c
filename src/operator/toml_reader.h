/* What the two halves of the TOML reader share. Private to src/operator. */
#ifndef PYPTO_LINT_OPERATOR_TOML_READER_H
#define PYPTO_LINT_OPERATOR_TOML_READER_H

#include "operator/toml_value.h"

typedef struct TomlReader {
    Arena *arena;
    Str text;
    size_t at;
    uint32_t line;
    YamlResult result; /* of a refusal */
} TomlReader;

/* Notes that what is at the reader's line is refused, and why; always false. */
bool toml_refuse(TomlReader *reader, const char *en, const char *zh);

/* The next byte; NUL at the end (NUL itself was refused before). */
static inline char toml_peek(const TomlReader *reader)
{
    return reader->at < reader->text.length ? reader->text.at[reader->at] : '\0';
}

/* Does the text go on with this? Then the reader moves past it. */
bool toml_take(TomlReader *reader, Str word);
void toml_skip_blanks(TomlReader *reader);

/* A string of any of the four kinds, whose first quote is next. `lines`: the kinds of several lines
 * are allowed, too. */
bool toml_string(TomlReader *reader, bool lines, Str *text);
/* A number, truth value or date, as it is written. */
bool toml_plain(TomlReader *reader, Str *text);

#endif
