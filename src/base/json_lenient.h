/* JSON texts that Python's json module takes and jansson does not. */
#ifndef PYPTO_LINT_BASE_JSON_LENIENT_H
#define PYPTO_LINT_BASE_JSON_LENIENT_H

#include "base/json_read.h"

/* Collections within collections beyond this are passed over. */
enum { JSON_LENIENT_DEPTH = 1000 };

/* The text as a tree, to be given back with json_decref; NULL when it is no JSON. Memory that runs
 * out goes to the arena's guard, as with json_read.
 *
 * Taken for something near, instead of refused: an integer beyond 64 bits (the largest or smallest
 * there is), a real number beyond a double (1e308), NaN and the infinities (null), NUL in a key
 * (U+FFFD), half a surrogate pair such as JavaScript writes (U+FFFD), bytes that are not UTF-8
 * (U+FFFD each), a collection JSON_LENIENT_DEPTH levels down (null). A byte order mark is passed
 * over. */
json_t *json_read_lenient(Arena *arena, Str text);

#endif
