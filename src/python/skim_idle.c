/* Imports and constants that nothing uses; see skim_chunks.h. */
#include "python/skim_chunks.h"

#include "python/skim_lines.h"

/* --- imports and constants */

/* Is it made of numbers, texts, None, True and False alone? A number of the text may have been a
 * name (lex_adapt.c). */
static bool is_constant(const char *text, const char *source, uint32_t at, uint32_t end)
{
    static const char *const constants[] = {"None", "True", "False"};
    while (at < end) {
        uint32_t start = at;
        if (is_word(text[at])) {
            at = word_end(text, at, end);
            Str word = {text + start, at - start};
            if (!is_digit(source[start]) && !STR_IS_ANY(word, constants)) {
                return false;
            }
        } else if (class_of(text[at]) == CLASS_QUOTE) {
            at = skim_string_end(text, at, end);
        } else if (text[at++] == ';') {
            return false;
        }
    }
    return true;
}

/* `NAME = 3`, where nothing but code that reads the name asks for it. Beyond ASCII, other letters
 * may read it. */
static bool names_constant(const char *text, const char *source, const SkimLine *line)
{
    uint32_t at = word_end(text, line->at, line->end);
    Str word = {text + line->at, at - line->at};
    bool special = str_starts(word, STR("__")) || str_starts(word, STR("pytest"));
    for (size_t i = 0; i < word.length && !special; i++) {
        special = class_of(word.at[i]) == CLASS_HIGH;
    }
    return word.length > 0 && !special && skim_take(text, &at, line->end, "=") &&
           is_constant(text, source, at, line->end);
}

/* `import os`, of what every Python has, or every machine with torch. */
static bool imports_outside(const char *text, const SkimLine *line)
{
    static const char *const outside[] = {"argparse", "os",        "sys",     "pathlib",
                                          "numpy",    "torch_npu", "time",    "json",
                                          "random",   "logging",   "datetime"};
    uint32_t at = line->at;
    bool from = skim_take(text, &at, line->end, "from");
    if (!from && !skim_take(text, &at, line->end, "import")) {
        return false;
    }
    uint32_t end = word_end(text, at, line->end);
    bool several = !from && memchr(text + at, ',', line->end - at) != NULL;
    return !several && STR_IS_ANY(((Str){text + at, end - at}), outside) &&
           memchr(text + at, ';', line->end - at) == NULL &&
           memchr(text + at, '*', line->end - at) == NULL; /* names that are not known */
}

/* `try:`, `except ImportError:` and `pass`, which use no name of the file. */
static bool is_plain_head(const char *text, const SkimLine *line)
{
    static const char *const heads[] = {"try", "except", "pass"};
    static const char *const errors[] = {"ImportError", "ModuleNotFoundError", "Exception"};
    uint32_t at = line->at;
    bool head = false;
    for (size_t i = 0; i < sizeof heads / sizeof *heads && !head; i++) {
        head = skim_take(text, &at, line->end, heads[i]);
    }
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        if (skim_take(text, &at, line->end, errors[i])) {
            break;
        }
    }
    skim_take(text, &at, line->end, ":");
    skim_take(text, &at, line->end, "pass");
    return head && at == line->end;
}

/* Does the statement of `lines` only import what every machine with torch has, if need be with
 * `try`, or name a constant? Then it matters only to those who use its names. `source` is the text
 * before it was cleaned. */
static bool only_binds(const Lexed *lexed, const char *source, const SkimLine *lines,
                       uint32_t count)
{
    const char *text = lexed->clean;
    bool good = count == 1 || skim_is_first(text, &lines[0], "try");
    for (uint32_t i = 0; i < count && good; i++) {
        bool binds = imports_outside(text, &lines[i]) || names_constant(text, source, &lines[i]);
        good = (binds && !skim_has_star(lexed, &lines[i])) ||
               (count > 1 && is_plain_head(text, &lines[i]));
    }
    return good;
}

/* --- who uses them */

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
            chunk->kept && only_binds(lexed, skim->source, skim->lines.items + chunk->line,
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
