/* Imports and constants that nothing uses; see skim_chunks.h. */
#include "python/skim_chunks.h"

#include "python/skim_lines.h"

/* --- imports and constants */

/* Does the text consist of numbers, strings, None, True and False only? The lexer may have turned a
 * name into a number (lex_adapt.c), so digits are looked up in the source. */
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

/* `NAME = 3`, which matters only to code that reads the name. A name outside ASCII does not count,
 * because Python normalises it: other letters may read it. */
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

/* `import os`: a module that comes with Python or with torch. */
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
           memchr(text + at, '*', line->end - at) == NULL; /* could bind any name */
}

/* `try:`, `except ImportError:` or `pass`: no name of the file is used. */
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

/* Does the statement do nothing but import modules that come with Python or torch, possibly inside
 * `try`, or bind a constant? Then only code that uses its names needs it. */
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

/* --- what uses them */

/* The code that is kept, without imports and constants; only the head of a function whose body is
 * left out. */
typedef struct Kept {
    const Skim *skim;
    Marks marks; /* of its words */
    size_t left; /* bytes that may still be searched for words whose marks match */
} Kept;

/* The end of the part of a statement that is kept; its start if nothing is. */
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
        if (str_equal(words.word, word)) { /* even after a dot: the file may import itself */
            return true;
        }
    }
    return false;
}

/* Does the kept code contain the word? Different words may have the same marks, so statements are
 * searched; when the budget runs out, the answer is yes. */
static bool kept_has(Kept *kept, Str word)
{
    enum { FURTHER_COST = 32 }; /* bytes that even the shortest statement costs */
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

/* Does the kept code use a name that the statement binds? */
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
    static const char *const making[] = {"globals", "vars", "locals", "exec", "getattr", "eval"};
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
