/* Imports and constants that nothing uses; see skim_chunks.h. */
#include "python/skim_chunks.h"

#include "python/skim_lines.h"

/* What is kept apart from imports and constants; of a function without its body, the head. */
typedef struct Kept {
    const Skim *skim;
    Marks marks; /* of its words */
    size_t left; /* bytes that may still be read to find out whether a mark means a word */
} Kept;

/* Where the words of a statement end that count; where it starts if none do. */
static uint32_t kept_end(const Chunk *chunk)
{
    uint32_t head = chunk->body > 0 ? chunk->body : chunk->start;
    return chunk->binds ? chunk->start : chunk->kept ? chunk->end : head;
}

static bool has_word(const Skim *skim, const Chunk *chunk, Str word)
{
    Words words = words_of(skim, chunk);
    words.end = kept_end(chunk);
    while (words_next(&words)) {
        if (str_equal(words.word, word)) { /* after a dot, too: the file may import itself */
            return true;
        }
    }
    return false;
}

/* Is the word in it? Words share marks, in a large file nearly all: what is still in doubt then
 * counts as yes. */
static bool kept_has(Kept *kept, Str word)
{
    enum { FURTHER_COST = 32 }; /* of a statement, however short */
    const Skim *skim = kept->skim;
    for (int i = 0; i < skim->count && marks_have(&kept->marks, word); i++) {
        const Chunk *chunk = &skim->chunks[i];
        Str text = {skim->source + chunk->start, kept_end(chunk) - chunk->start};
        size_t cost = text.length + FURTHER_COST;
        if (cost > kept->left) {
            return true;
        }
        kept->left -= cost;
        if (str_contains(text, word) && has_word(skim, chunk, word)) {
            return true;
        }
    }
    return false;
}

/* Are names of such a statement in what is kept? */
static bool binds_used(Kept *kept, const Chunk *chunk)
{
    static const char *const common[] = {
        "try",  "except", "pass",  "import",      "from",      "as",
        "None", "True",   "False", "ImportError", "Exception", "ModuleNotFoundError"};
    Words words = words_of(kept->skim, chunk);
    while (words_next(&words)) {
        bool asked = words.quotes == 0 && !words.member && !STR_IS_ANY(words.word, common);
        if (asked && kept_has(kept, words.word)) {
            return true;
        }
    }
    return false;
}

void skim_idle(Skim *skim, const Lexed *lexed)
{
    static const char *const making[] = {"globals", "vars", "locals", "exe_", "getattr", "eval"};
    enum { MOST_BYTES = 32 * 1024 };
    Kept kept = {.skim = skim, .left = MOST_BYTES};
    for (int i = 0; i < skim->count; i++) {
        Chunk *chunk = &skim->chunks[i];
        chunk->binds =
            chunk->kept && skim_only_binds(lexed, skim->source, skim->lines.items + chunk->line,
                                           lines_end(skim, i) - chunk->line);
        for (int k = 0; k < 4 && !chunk->binds; k++) {
            kept.marks.bits[k] |= (chunk->main && !chunk->kept ? 0 : chunk->head.bits[k]) |
                                  (chunk->kept ? chunk->rest.bits[k] : 0);
        }
    }
    for (size_t i = 0; i < sizeof making / sizeof *making; i++) {
        if (kept_has(&kept, str_from(making[i]))) {
            return;
        }
    }
    for (int i = 0; i < skim->count; i++) {
        Chunk *chunk = &skim->chunks[i];
        chunk->kept = chunk->kept && (!chunk->binds || binds_used(&kept, chunk));
    }
}
