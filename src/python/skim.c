/* Skim; see skim.h. Works on logical lines and words alone: whatever is in doubt is left in. */
#include "python/skim.h"

#include "python/lex.h"

enum { MOST_CHUNKS = 256, MOST_NAMES = 64 };

/* A statement of the module, with its block. */
typedef struct Chunk {
    uint32_t start, end; /* bytes */
    uint32_t body;       /* of a function whose body may be left out: where it begins; else 0 */
    uint64_t mentions, calls; /* of names[], by number */
    int name;                 /* of a function: its number; else −1 */
    bool test;                /* a function that pytest calls, whoever else does; … */
    bool simple_test;         /* … and always alike: it has no parameters */
    bool main;                /* if __name__ == "__main__": */
    bool kept;
} Chunk;

typedef struct Skim {
    const char *text;
    Chunk chunks[MOST_CHUNKS];
    int count;
    Str names[MOST_NAMES]; /* of the module's functions */
    uint64_t marks;        /* theirs */
    int name_count;
} Skim;

/* --- words */

static bool is_word(char c)
{
    return lex_class[(unsigned char)c] <= CLASS_DIGIT;
}

static uint32_t word_end(const char *text, uint32_t at, uint32_t end)
{
    while (at < end && is_word(text[at])) {
        at++;
    }
    return at;
}

static uint32_t pass_blanks(const char *text, uint32_t at, uint32_t end)
{
    while (at < end && is_blank(text[at])) {
        at++;
    }
    return at;
}

/* Takes `word` with the blanks around it; false when another one stands there. */
static bool take(const char *text, uint32_t *at, uint32_t end, const char *word)
{
    uint32_t start = pass_blanks(text, *at, end);
    size_t length = strlen(word);
    if (end - start < length || memcmp(text + start, word, length) != 0 ||
        (is_word(word[length - 1]) && start + length < end && is_word(text[start + length]))) {
        return false;
    }
    *at = pass_blanks(text, start + (uint32_t)length, end);
    return true;
}

/* One of 64 bits: words with different ones differ. */
static uint64_t mark_of(Str word)
{
    return UINT64_C(1) << ((unsigned char)word.at[0] * 7U + word.length) % 64;
}

/* --- statements of the module */

static bool is_main(const char *text, uint32_t at, uint32_t end)
{
    return take(text, &at, end, "if") && take(text, &at, end, "__name__") &&
           take(text, &at, end, "==") &&
           (take(text, &at, end, "\"__main__\"") || take(text, &at, end, "'__main__'")) &&
           take(text, &at, end, ":");
}

static bool continues_statement(const char *text, uint32_t at, uint32_t end)
{
    return take(text, &at, end, "else") || take(text, &at, end, "elif") ||
           take(text, &at, end, "except") || take(text, &at, end, "finally");
}

/* Begins the statement whose first logical line goes from `at` to `end`. */
static bool begin_chunk(Skim *skim, uint32_t at, uint32_t end, bool decorated)
{
    const char *text = skim->text;
    uint32_t word = at;
    Chunk *chunk = decorated ? &skim->chunks[skim->count - 1] : &skim->chunks[skim->count];
    if (!decorated) {
        if (skim->count == MOST_CHUNKS) {
            return false;
        }
        skim->count++;
        *chunk = (Chunk){.start = at, .name = -1, .main = is_main(text, at, end)};
    }
    bool plain = !decorated && !take(text, &word, end, "async");
    if (take(text, &word, end, "def")) {
        Str name = {text + word, word_end(text, word, end) - word};
        uint32_t after = word + (uint32_t)name.length;
        if (skim->name_count == MOST_NAMES) {
            return false;
        }
        chunk->name = skim->name_count;
        skim->names[skim->name_count++] = name;
        skim->marks |= name.length > 0 ? mark_of(name) : 0;
        uint32_t last = end;
        while (last > at && is_blank(text[last - 1])) {
            last--;
        }
        chunk->test = str_starts(name, STR("test"));
        chunk->simple_test =
            chunk->test && plain && take(text, &after, end, "(") && take(text, &after, end, ")");
        chunk->body = plain && !chunk->test && text[last - 1] == ':' ? end + 1 : 0;
    }
    return true;
}

/* Divides the text into statements of the module; false when that is in doubt. */
static bool divide(Skim *skim, const Lexed *lexed, const Source *source)
{
    uint32_t length = (uint32_t)source->text.length;
    bool decorator = false;
    uint32_t at = source->text_start;
    for (uint32_t i = 0; i <= lexed->newlines.count; i++) {
        uint32_t end = i < lexed->newlines.count ? lexed->newlines.items[i] : length;
        uint32_t line = at;
        for (; at < end && is_space(skim->text[at]); at++) {
            if (skim->text[at] == '\f') {
                return false; /* columns count anew after it */
            }
            line = skim->text[at] == '\n' ? at + 1 : line;
        }
        if (at < end && at == line) {
            bool more = skim->count > 0 && continues_statement(skim->text, at, end);
            if (more) {
                skim->chunks[skim->count - 1].main = false;
            } else if (!begin_chunk(skim, at, end, decorator)) {
                return false;
            }
            decorator = skim->text[at] == '@';
        }
        at = end + 1;
    }
    for (int i = 0; i < skim->count; i++) {
        skim->chunks[i].end = i + 1 < skim->count ? skim->chunks[i + 1].start : length;
    }
    return true;
}

/* --- who mentions whom */

/* The words of a chunk one after the other. */
typedef struct Words {
    const char *text;
    uint32_t at, end;
    char quote; /* the string around `at`: its quotation mark … */
    int quotes; /* … and how many; 0 = none */
    Str word;
    bool member; /* after a dot */
} Words;

static Words words_of(const Skim *skim, const Chunk *chunk)
{
    return (Words){.text = skim->text, .at = chunk->start, .end = chunk->end};
}

/* At a quotation mark: passes it, and its two neighbours where three begin or end the string. */
static void pass_quote(Words *words)
{
    const char *here = words->text + words->at;
    bool three = words->end - words->at >= 3 && here[1] == here[0] && here[2] == here[0];
    if (words->quotes == 0) {
        words->quote = here[0];
        words->quotes = three ? 3 : 1;
        words->at += (uint32_t)words->quotes;
    } else if (here[0] == words->quote && (words->quotes == 1 || three)) {
        words->at += (uint32_t)words->quotes;
        words->quotes = 0;
    } else {
        words->at++;
    }
}

static bool next_word(Words *words)
{
    while (words->at < words->end) {
        char c = words->text[words->at];
        if (is_word(c)) {
            uint32_t start = words->at;
            words->at = word_end(words->text, start, words->end);
            words->word = (Str){words->text + start, words->at - start};
            words->member = start > 0 && words->text[start - 1] == '.';
            if (!is_digit(c)) {
                return true;
            }
            continue;
        }
        if (c == '"' || c == '\'') {
            pass_quote(words);
        } else {
            words->at += words->quotes > 0 && c == '\\' ? 2 : 1;
        }
    }
    return false;
}

/* In a string a word may be a field, so that what it names is mentioned, but it is surely called
 * only outside. */
static void note_words(const Skim *skim, Chunk *chunk)
{
    Words words = words_of(skim, chunk);
    while (next_word(&words)) {
        bool alike = skim->marks & mark_of(words.word);
        for (int i = 0; i < skim->name_count && alike; i++) {
            Str name = skim->names[i];
            if (str_equal(name, words.word) && words.word.at != name.at) {
                bool called = skim->text[pass_blanks(skim->text, words.at, chunk->end)] == '(' &&
                              !words.member && words.quotes == 0;
                chunk->mentions |= UINT64_C(1) << i;
                chunk->calls |= (uint64_t)called << i;
            }
        }
    }
}

/* Keeps what the rest mentions, and functions that are not called: pytest and others may. Returns
 * whether something is left that need not be kept. */
static bool keep_mentioned(Skim *skim)
{
    uint64_t wanted = 0;
    bool grown = true, any = false;
    while (grown) {
        grown = false;
        for (int i = 0; i < skim->count; i++) {
            Chunk *chunk = &skim->chunks[i];
            bool called = false;
            for (int k = 0; k < skim->count && chunk->body > 0; k++) {
                called = called || (k != i && skim->chunks[k].calls >> chunk->name & 1);
            }
            bool optional = chunk->main || (chunk->body > 0 && called);
            bool named = chunk->name >= 0 && wanted >> chunk->name & 1;
            if (!chunk->kept && (!optional || named)) {
                chunk->kept = grown = true;
                wanted |= chunk->mentions;
            }
        }
    }
    for (int i = 0; i < skim->count; i++) {
        any = any || !skim->chunks[i].kept;
    }
    return any;
}

/* Would a function that is kept no longer be called by anything? Then it is a beginning of its own
 * in what is left, and was none in the whole. Likewise a name that two functions have. */
static bool changes_calls(const Skim *skim)
{
    for (int i = 0; i < skim->count; i++) {
        const Chunk *chunk = &skim->chunks[i];
        bool called = false, still = false;
        for (int k = 0; k < skim->count && chunk->name >= 0; k++) {
            const Chunk *other = &skim->chunks[k];
            bool calls = k != i && other->calls >> chunk->name & 1;
            called = called || calls;
            still = still || (calls && other->kept);
            if (k != i && other->name >= 0 &&
                str_equal(skim->names[other->name], skim->names[chunk->name])) {
                return true;
            }
        }
        if (chunk->kept && !chunk->test && called && !still) {
            return true;
        }
    }
    return false;
}

/* --- leaving out */

/* Does a part say something that applies to the whole file: global names, attributes of any object,
 * names made while it runs? */
static bool is_far_reaching(const Skim *skim, const Lexed *lexed, const Chunk *chunk)
{
    /* "exe_" is exec, as the lexer leaves it to the parser. */
    static const char *const far[] = {"exe_",     "globals", "setattr", "locals",
                                      "builtins", "vars",    "global"};
    for (uint32_t i = 0; i < lexed->stars.count; i++) { /* the tree must have them all */
        if (lexed->stars.items[i] >= chunk->start && lexed->stars.items[i] < chunk->end) {
            return true;
        }
    }
    Words words = words_of(skim, chunk);
    while (next_word(&words)) {
        uint32_t next = pass_blanks(skim->text, words.at, chunk->end);
        const char *after = skim->text + next; /* a NUL ends the text */
        while (words.member && *after != '\0' && strchr("+-*/%&|^@<>:", *after) != NULL) {
            after++; /* t.x += 1 */
        }
        bool stored = words.member && after[0] == '=' && after[1] != '=';
        if (stored || STR_IS_ANY(words.word, far)) {
            return true;
        }
    }
    return false;
}

typedef struct Used {
    Str words[256];
    int count;
    uint64_t marks;
} Used;

static bool is_used(const Used *used, Str word)
{
    bool alike = used->marks & mark_of(word);
    for (int i = 0; i < used->count && alike; i++) {
        if (str_equal(used->words[i], word)) {
            return true;
        }
    }
    return false;
}

/* Does what is left out use something of the rest but tests, which are walked anyway, and names
 * that every script has? */
static bool uses_more(const Skim *skim)
{
    static const char *const plain[] = {
        "None",   "True",      "False",     "and",      "as",        "assert",        "def",
        "elif",   "else",      "except",    "finally",  "for",       "from",          "if",
        "import", "in",        "is",        "not",      "or",        "raise",         "return",
        "try",    "while",     "with",      "prin_",    "str",       "int",           "float",
        "len",    "range",     "list",      "tuple",    "dict",      "set",           "bool",
        "sorted", "zip",       "enumerate", "os",       "sys",       "argparse",      "time",
        "json",   "traceback", "torch",     "__name__", "Exception", "AssertionError"};
    Used used;
    used.count = 0;
    used.marks = 0;
    for (int i = 0; i < skim->count; i++) {
        Words words = words_of(skim, &skim->chunks[i]);
        while (!skim->chunks[i].kept && next_word(&words)) {
            if (!words.member && !STR_IS_ANY(words.word, plain)) {
                if (used.count == sizeof used.words / sizeof *used.words) {
                    return true;
                }
                used.words[used.count++] = words.word;
                used.marks |= mark_of(words.word);
            }
        }
    }
    for (int i = 0; i < skim->count; i++) {
        const Chunk *chunk = &skim->chunks[i];
        Words words = words_of(skim, chunk);
        words.end = chunk->name >= 0 ? words.at : words.end;
        bool named = chunk->kept && chunk->name >= 0 && !chunk->simple_test;
        if (named && is_used(&used, skim->names[chunk->name])) {
            return true;
        }
        while (chunk->kept && next_word(&words)) {
            if (words.quotes == 0 && is_used(&used, words.word)) {
                return true;
            }
        }
    }
    return false;
}

/* Room for `...` where the body of a function begins; UINT32_MAX when there is none. */
static uint32_t place_of_dots(const Skim *skim, const Chunk *chunk)
{
    uint32_t at = chunk->body;
    while (at < chunk->end && is_space(skim->text[at])) {
        at++;
    }
    for (uint32_t i = 0; i < 3; i++) {
        if (at + i >= chunk->end || skim->text[at + i] == '\n') {
            return UINT32_MAX;
        }
    }
    return at;
}

static void leave_out(const Skim *skim, Lexed *lexed, Arena *arena)
{
    for (int i = 0; i < skim->count; i++) {
        const Chunk *chunk = &skim->chunks[i];
        if (chunk->kept) {
            continue;
        }
        LexGap gap = {chunk->start, chunk->end};
        if (!chunk->main) {
            static const char body[] = {'.', '.', '.', '\n'};
            uint32_t at = place_of_dots(skim, chunk), room = chunk->end - at;
            uint32_t length = room < sizeof body ? room : sizeof body;
            memcpy(lexed->clean + at, body, length);
            gap.start = at + length;
        }
        VEC_PUSH(arena, &lexed->gaps, gap);
    }
}

Skimmed python_skim(Lexed *lexed, Arena *arena, const Source *source)
{
    Skim skim;
    skim.text = lexed->clean;
    skim.count = skim.name_count = 0;
    skim.marks = 0;
    Str text = {lexed->clean, source->text.length};
    if (!str_contains(text, STR("__main__")) || !divide(&skim, lexed, source)) {
        return SKIMMED_NOTHING;
    }
    for (int i = 0; i < skim.count; i++) {
        note_words(&skim, &skim.chunks[i]);
    }
    if (!keep_mentioned(&skim) || changes_calls(&skim)) {
        return SKIMMED_NOTHING;
    }
    for (int i = 0; i < skim.count; i++) {
        const Chunk *chunk = &skim.chunks[i];
        bool room = chunk->main || place_of_dots(&skim, chunk) != UINT32_MAX;
        if (!chunk->kept && (!room || is_far_reaching(&skim, lexed, chunk))) {
            return SKIMMED_NOTHING;
        }
    }
    bool more = uses_more(&skim);
    leave_out(&skim, lexed, arena);
    return more ? SKIMMED_CODE : SKIMMED_TESTS;
}
