/* The statements of the file being skimmed. Private to skim.c and skim_idle.c. */
#ifndef PYPTO_LINT_PYTHON_SKIM_CHUNKS_H
#define PYPTO_LINT_PYTHON_SKIM_CHUNKS_H

#include "python/skim_words.h"

enum { MOST_CHUNKS = 256, MOST_NAMES = 64 };

/* A statement of the module, with its block. */
typedef struct Chunk {
    uint32_t start, end; /* bytes */
    uint32_t body;       /* of a function whose body may be left out: where it begins; else 0 */
    uint32_t line;       /* its first one, in lines[] */
    uint64_t mentions, calls; /* of names[], by number */
    Marks head, rest;         /* of names in its first line, and in the others */
    int name;                 /* of a function: its number; else −1 */
    bool test;                /* a function that pytest calls, whoever else does; … */
    bool simple_test;         /* … and always alike: it has no parameters */
    bool main;                /* if __name__ == "__main__": */
    bool kept;
    bool binds; /* does nothing but import or bind constants: idle unless these are used */
} Chunk;

typedef struct Skim {
    const char *text, *source; /* cleaned; as written */
    VEC(SkimLine) lines;
    const LexGap *gaps, *gaps_end; /* in statements; ascending */
    Chunk chunks[MOST_CHUNKS];
    int count;
    Str names[MOST_NAMES]; /* of the module's functions */
    uint64_t marks;        /* theirs */
    int name_count;
} Skim;

/* The number of the first line after a chunk. */
static inline uint32_t lines_end(const Skim *skim, int chunk)
{
    return chunk + 1 < skim->count ? skim->chunks[chunk + 1].line : skim->lines.count - 1;
}

/* The words of a statement. */
static inline Words words_of(const Skim *skim, const Chunk *chunk)
{
    const LexGap *gaps = skim->gaps;
    while (gaps < skim->gaps_end && gaps->start < chunk->start) {
        gaps++;
    }
    return (Words){.text = skim->text,
                   .source = skim->source,
                   .at = chunk->start,
                   .end = chunk->end,
                   .gaps = gaps,
                   .gaps_end = skim->gaps_end};
}

/* Leaves out imports and constants whose names the kept code never uses, unless it may compute
 * names (`getattr`, `exec`, …). */
void skim_idle(Skim *skim, const Lexed *lexed);

#endif
