/* The mutator of every fuzz driver: libFuzzer's own, and one that it lacks: repeating. Deep nesting
 * and long runs, which break recursion and quadratic loops, are thousands of single mutations away
 * from a short seed, but one repetition. */
#include "fuzz.h"

#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

static unsigned next(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Brackets and their kin: what opens, and what closes it. */
static const char *const pairs[][2] = {
    {"(", ")"},    {"[", "]"},        {"{", "}"},    {"{1:", "}"},     {"f(", ")"},
    {"a[", "]"},   {"(lambda:", ")"}, {"f'{", "}'"}, {"- ", ""},       {"not ", ""},
    {"> ", ""},    {"{\"a\":", "}"},  {"[*", "]"},   {"(a:=", ")"},    {"(1 if ", " else 1)"},
    {"A(b=", ")"}, {"await ", ""},    {"1 ** ", ""}, {"lambda: ", ""}, {"*", ""},
};

/* Puts `text` at `at`, `count` times; the new size. */
static size_t insert(uint8_t *data, size_t size, size_t max_size, size_t at, const char *text,
                     size_t length, size_t count)
{
    size_t room = max_size - size;
    count = length == 0 ? 0 : count < room / length ? count : room / length;
    memmove(data + at + count * length, data + at, size - at);
    for (size_t i = 0; i < count; i++) {
        memcpy(data + at + i * length, text, length);
    }
    return size + count * length;
}

/* A pair around a part of the text, many times. */
static size_t nest(uint8_t *data, size_t size, size_t max_size, unsigned *state)
{
    const char *const *pair = pairs[next(state) % (sizeof pairs / sizeof *pairs)];
    size_t start = next(state) % (size + 1);
    size_t end = start + next(state) % (size - start + 1);
    size_t both = strlen(pair[0]) + strlen(pair[1]);
    size_t most = (max_size - size) / both;
    size_t count = (size_t)1 << next(state) % 18;
    count = count < most ? count : most;
    size = insert(data, size, max_size, end, pair[1], strlen(pair[1]), count);
    return insert(data, size, max_size, start, pair[0], strlen(pair[0]), count);
}

/* A part of the text, many times in a row. */
static size_t repeat(uint8_t *data, size_t size, size_t max_size, unsigned *state)
{
    char part[32];
    size_t start = next(state) % size;
    size_t length = 1 + next(state) % sizeof part;
    length = length < size - start ? length : size - start;
    memcpy(part, data + start, length);
    return insert(data, size, max_size, start, part, length, (size_t)1 << next(state) % 16);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    unsigned state = seed;
    unsigned kind = next(&state) % 16;
    if (kind == 0 && size < max_size) {
        return nest(data, size, max_size, &state);
    }
    if (kind == 1 && size > 0 && size < max_size) {
        return repeat(data, size, max_size, &state);
    }
    return LLVMFuzzerMutate(data, size, max_size);
}
