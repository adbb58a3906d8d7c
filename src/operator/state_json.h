/* JSON of the state file, read as Python's json module reads it: NaN and Infinity, numbers of any
 * size, lone surrogates and NUL in strings and keys, repeated keys (the last one counts). Only the
 * values that are asked for are kept. Private to state.c. */
#ifndef PYPTO_LINT_OPERATOR_STATE_JSON_H
#define PYPTO_LINT_OPERATOR_STATE_JSON_H

#include "operator/state.h"

enum { STATE_MAX_DEPTH = 1000 }; /* levels; Python gives up at about as many */

/* A value that is wanted: under `key` at the top, or, with `below`, under that key of the object
 * that stands there. */
typedef struct StateWish {
    const char *key, *below;
    StateField *field; /* STATE_ABSENT when there is none; the text of a number is as written */
} StateWish;

typedef struct StateJsonError {
    const char *message; /* NULL: none */
    size_t at;           /* offset of what cannot be read */
} StateJsonError;

/* Reads the text, fills the fields, and returns the kind of the top; STATE_ABSENT with an error. */
StateKind state_json_read(Arena *arena, Str text, const StateWish *wishes, size_t count,
                          StateJsonError *error);

#endif
