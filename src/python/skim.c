/* Skim; see skim.h. Works on logical lines and words alone: whatever is in doubt is left in. */
#include "python/skim.h"

#include "python/skim_chunks.h"
#include "python/skim_lines.h"

/* --- words */

/* One of 64 bits: words with different ones differ. */
static uint64_t mark_of(Str word)
{
    return UINT64_C(1) << ((unsigned char)word.at[0] * 7U + word.length) % 64;
}

/* --- statements of the module */

static bool is_main(const char *text, uint32_t at, uint32_t end)
{
    return skim_take(text, &at, end, "if") && skim_take(text, &at, end, "__name__") &&
           skim_take(text, &at, end, "==") &&
           (skim_take(text, &at, end, "\"__main__\"") || skim_take(text, &at, end, "'__main__'")) &&
           skim_take(text, &at, end, ":");
}

static bool continues_statement(const char *text, uint32_t at, uint32_t end)
{
    return skim_take(text, &at, end, "else") || skim_take(text, &at, end, "elif") ||
           skim_take(text, &at, end, "except") || skim_take(text, &at, end, "finally");
}

/* Begins the statement of that logical line. */
static bool begin_chunk(Skim *skim, uint32_t number, bool decorated)
{
    const char *text = skim->text;
    uint32_t at = skim->lines.items[number].at, end = skim->lines.items[number].end;
    uint32_t word = at;
    Chunk *chunk = decorated ? &skim->chunks[skim->count - 1] : &skim->chunks[skim->count];
    if (!decorated) {
        if (skim->count == MOST_CHUNKS) {
            return false;
        }
        skim->count++;
        bool main = is_main(text, at, end);
        *chunk = (Chunk){.start = at, .line = number, .name = -1, .main = main};
    }
    bool plain = !decorated && !skim_take(text, &word, end, "async");
    if (skim_take(text, &word, end, "def")) {
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
        chunk->simple_test = chunk->test && plain && skim_take(text, &after, end, "(") &&
                             skim_take(text, &after, end, ")");
        chunk->body = plain && !chunk->test && text[last - 1] == ':' ? end + 1 : 0;
    }
    return true;
}

/* Finds the logical lines; false when columns count anew somewhere, after a form feed. */
static bool read_lines(Skim *skim, const Lexed *lexed, Arena *arena, const Source *source)
{
    uint32_t length = (uint32_t)source->text.length;
    uint32_t at = source->text_start;
    for (uint32_t i = 0; i <= lexed->newlines.count; i++) {
        uint32_t end = i < lexed->newlines.count ? lexed->newlines.items[i] : length;
        uint32_t line = at;
        for (; at < end && is_space(skim->text[at]); at++) {
            if (skim->text[at] == '\f') {
                return false;
            }
            line = skim->text[at] == '\n' ? at + 1 : line;
        }
        if (at < end) {
            VEC_PUSH(arena, &skim->lines, ((SkimLine){line, at, end}));
        }
        at = end + 1;
    }
    VEC_PUSH(arena, &skim->lines, ((SkimLine){length, length, length}));
    return true;
}

/* Divides the text into statements of the module; false when that is in doubt. */
static bool divide(Skim *skim)
{
    bool decorator = false;
    for (uint32_t i = 0; i + 1 < skim->lines.count; i++) {
        const SkimLine *line = &skim->lines.items[i];
        if (line->at > line->start) {
            continue;
        }
        bool more = skim->count > 0 && continues_statement(skim->text, line->at, line->end);
        if (more) {
            skim->chunks[skim->count - 1].main = false;
        } else if (!begin_chunk(skim, i, decorator)) {
            return false;
        }
        decorator = skim->text[line->at] == '@';
    }
    for (int i = 0; i < skim->count; i++) {
        skim->chunks[i].end = skim->lines.items[lines_end(skim, i)].start;
    }
    return true;
}

/* --- who mentions whom */

/* In a string a word may be a field, so that what it names is mentioned, but it is surely called
 * only outside. */
static void note_words(const Skim *skim, Chunk *chunk)
{
    Words words = words_of(skim, chunk);
    uint32_t head = chunk->body > 0 ? chunk->body : chunk->start;
    while (words_next(&words)) {
        bool alike = skim->marks & mark_of(words.word);
        marks_add(words.start < head ? &chunk->head : &chunk->rest, words.word);
        for (int i = 0; i < skim->name_count && alike; i++) {
            Str name = skim->names[i];
            if (str_equal(name, words.word) && skim->text + words.start != name.at) {
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
    static const char *const far[] = {"exec",     "globals", "setattr", "locals",
                                      "builtins", "vars",    "global"};
    for (uint32_t i = 0; i < lexed->stars.count; i++) { /* the tree must have them all */
        if (lexed->stars.items[i] >= chunk->start && lexed->stars.items[i] < chunk->end) {
            return true;
        }
    }
    Words words = words_of(skim, chunk);
    while (words_next(&words)) {
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
        "try",    "while",     "with",      "print",    "str",       "int",           "float",
        "len",    "range",     "list",      "tuple",    "dict",      "set",           "bool",
        "sorted", "zip",       "enumerate", "os",       "sys",       "argparse",      "time",
        "json",   "traceback", "torch",     "__name__", "Exception", "AssertionError"};
    Used used;
    used.count = 0;
    used.marks = 0;
    for (int i = 0; i < skim->count; i++) {
        Words words = words_of(skim, &skim->chunks[i]);
        while (!skim->chunks[i].kept && words_next(&words)) {
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
        while (chunk->kept && words_next(&words)) {
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

/* Adds the gaps in statements that are kept, and those for the others. */
static void leave_out(const Skim *skim, Lexed *lexed, Arena *arena)
{
    const LexGap *inner = skim->gaps;
    lexed->gaps.items = NULL;
    lexed->gaps.count = lexed->gaps.capacity = 0;
    for (int i = 0; i < skim->count; i++) {
        const Chunk *chunk = &skim->chunks[i];
        for (; inner < skim->gaps_end && inner->start < chunk->end; inner++) {
            if (chunk->kept) {
                VEC_PUSH(arena, &lexed->gaps, *inner);
            }
        }
        if (chunk->kept) {
            continue;
        }
        LexGap gap = {chunk->start, chunk->end};
        if (!chunk->main && !chunk->binds) {
            static const char body[] = {'.', '.', '.', '\n'};
            uint32_t at = place_of_dots(skim, chunk), room = chunk->end - at;
            uint32_t length = room < sizeof body ? room : sizeof body;
            memcpy(lexed->clean + at, body, length);
            gap.start = at + length;
        }
        VEC_PUSH(arena, &lexed->gaps, gap);
    }
}

/* --- all of it */

/* Finds what only a direct run reaches: `kept` becomes false for it. */
static Skimmed skim_direct(Skim *skim, const Lexed *lexed)
{
    bool any = false;
    for (int i = 0; i < skim->count; i++) {
        any = any || skim->chunks[i].main;
    }
    if (!any || !keep_mentioned(skim) || changes_calls(skim)) {
        return SKIMMED_NOTHING;
    }
    for (int i = 0; i < skim->count; i++) {
        const Chunk *chunk = &skim->chunks[i];
        bool room = chunk->main || place_of_dots(skim, chunk) != UINT32_MAX;
        if (!chunk->kept && (!room || is_far_reaching(skim, lexed, chunk))) {
            return SKIMMED_NOTHING;
        }
    }
    return uses_more(skim) ? SKIMMED_CODE : SKIMMED_TESTS;
}

/* Finds what does not matter inside of statements. */
static void pass_lines(Skim *skim, Lexed *lexed, Arena *arena, uint32_t length)
{
    SkimOwn own = skim_own((Str){skim->text, length}, skim->lines.items, skim->lines.count - 1);
    for (int i = 0; i < skim->count; i++) {
        const SkimLine *lines = skim->lines.items + skim->chunks[i].line;
        uint32_t count = lines_end(skim, i) - skim->chunks[i].line;
        if (skim->chunks[i].body == 0 || !skim_device(lexed, arena, &own, lines, count)) {
            skim_lines(lexed, arena, &own, lines, count);
        }
    }
    skim->gaps = lexed->gaps.items;
    skim->gaps_end = lexed->gaps.items;
    if (lexed->gaps.count > 0) { /* the address of an empty list may be NULL */
        skim->gaps_end += lexed->gaps.count;
    }
}

Skimmed python_skim(Lexed *lexed, Arena *arena, const Source *source)
{
    Skim room; /* its chunks are large, and set when they are counted */
    Skim *skim = &room;
    skim->text = lexed->clean;
    skim->source = source->text.at;
    skim->lines.items = NULL;
    skim->lines.count = skim->lines.capacity = 0;
    skim->count = skim->name_count = 0;
    skim->marks = 0;
    if (!read_lines(skim, lexed, arena, source) || !divide(skim)) {
        return SKIMMED_NOTHING;
    }
    pass_lines(skim, lexed, arena, (uint32_t)source->text.length);
    for (int i = 0; i < skim->count; i++) {
        note_words(skim, &skim->chunks[i]);
    }
    Skimmed direct = skim_direct(skim, lexed);
    for (int i = 0; i < skim->count && direct == SKIMMED_NOTHING; i++) {
        skim->chunks[i].kept = true;
    }
    skim_idle(skim, lexed);
    leave_out(skim, lexed, arena);
    return direct == SKIMMED_NOTHING && lexed->gaps.count > 0 ? SKIMMED_TESTS : direct;
}
