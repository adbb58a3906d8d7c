/* Finds what is at a place in Python text; see caret.h. */
#include "server/caret.h"

#include "base/ascii.h"

enum { MOST_BRACKETS = 64 };

typedef struct Bracket {
    char kind;
    uint32_t behind, commas, part; /* `part`: where the argument begins */
} Bracket;

typedef struct Walk {
    Str text;
    uint32_t at, end;
    Bracket open[MOST_BRACKETS];
    uint32_t depth;
    bool in_text;
} Walk;

static bool is_name_byte(char c)
{
    return is_word_char(c) || (c & '\x80') != 0;
}

static char byte_at(const Walk *walk, uint32_t at)
{
    return at < walk->text.length ? walk->text.at[at] : '\0';
}

/* Moves past the string that begins here. An unterminated one ends with its line, or at the caret
 * if it has three quotes. */
static void skip_string(Walk *walk)
{
    char quote = byte_at(walk, walk->at);
    bool triple = byte_at(walk, walk->at + 1) == quote && byte_at(walk, walk->at + 2) == quote;
    uint32_t width = triple ? 3 : 1;
    walk->at += width;
    while (walk->at < walk->end) {
        char c = byte_at(walk, walk->at);
        bool closes = c == quote && (!triple || (byte_at(walk, walk->at + 1) == quote &&
                                                 byte_at(walk, walk->at + 2) == quote));
        if (closes && walk->at + width <= walk->end) {
            walk->at += width;
            return;
        }
        if (c == '\n' && !triple) {
            return;
        }
        walk->at += c == '\\' ? 2 : 1;
    }
    walk->in_text = true;
}

static void skip_comment(Walk *walk)
{
    while (walk->at < walk->end && byte_at(walk, walk->at) != '\n') {
        walk->at++;
    }
    walk->in_text = walk->at >= walk->end;
}

/* Can this line only begin a statement? Then brackets open before it were never closed. */
static bool begins_statement(const Walk *walk, uint32_t at)
{
    static const char *const words[] = {"def ",    "class ", "@",     "import ", "from ",
                                        "return ", "while ", "with ", "try:"};
    while (is_blank(byte_at(walk, at))) {
        at++;
    }
    Str rest = str_slice(walk->text, at, walk->end);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (str_starts(rest, str_from(words[i]))) {
            return true;
        }
    }
    return false;
}

static void take_bracket(Walk *walk, char c)
{
    if (c == '(' || c == '[' || c == '{') {
        if (walk->depth < MOST_BRACKETS) {
            walk->open[walk->depth] = (Bracket){c, walk->at + 1, 0, walk->at + 1};
        }
        walk->depth++;
    } else if (walk->depth > 0) {
        walk->depth--;
    }
}

static void walk_to(Walk *walk)
{
    while (walk->at < walk->end) {
        char c = byte_at(walk, walk->at);
        if (c == '"' || c == '\'') {
            skip_string(walk);
            continue;
        }
        if (c == '#') {
            skip_comment(walk);
            continue;
        }
        if (c == '\n' && walk->depth > 0 && begins_statement(walk, walk->at + 1)) {
            walk->depth = 0;
        } else if (c == ',' && walk->depth > 0 && walk->depth <= MOST_BRACKETS) {
            walk->open[walk->depth - 1].commas++;
            walk->open[walk->depth - 1].part = walk->at + 1;
        } else if (strchr("([{)]}", c) != NULL && c != '\0') {
            take_bracket(walk, c);
        }
        walk->at++;
    }
}

/* The dotted name that ends at `end`. */
static Str chain_before(Str text, uint32_t end)
{
    uint32_t start = end;
    while (start > 0 && (is_name_byte(text.at[start - 1]) || text.at[start - 1] == '.')) {
        start--;
    }
    return str_slice(text, start, end);
}

static void find_word(Caret *caret, Str text, uint32_t offset)
{
    uint32_t start = offset, end = offset;
    while (start > 0 && is_name_byte(text.at[start - 1])) {
        start--;
    }
    while (end < text.length && is_name_byte(text.at[end])) {
        end++;
    }
    caret->word = str_slice(text, start, end);
    caret->word_start = start;
    caret->chain = chain_before(text, end);
}

static void find_call(Caret *caret, const Walk *walk)
{
    Str text = walk->text;
    for (uint32_t i = walk->depth < MOST_BRACKETS ? walk->depth : MOST_BRACKETS; i > 0; i--) {
        const Bracket *bracket = &walk->open[i - 1];
        Str callee = chain_before(text, bracket->behind - 1);
        if (bracket->kind != '(' || callee.length == 0) {
            continue;
        }
        Str part = str_trim(str_slice(text, bracket->part, walk->end));
        size_t equals = str_find(part, STR("="), 0);
        caret->in_call = true;
        caret->callee = callee;
        caret->call_open = bracket->behind;
        caret->argument = bracket->commas;
        bool named = equals != SIZE_MAX && equals + 1 < part.length + 1 &&
                     (equals + 1 == part.length || part.at[equals + 1] != '=');
        Str keyword = named ? str_trim(str_slice(part, 0, equals)) : STR("");
        for (size_t k = 0; k < keyword.length; k++) {
            named = named && is_name_byte(keyword.at[k]);
        }
        caret->keyword = named ? keyword : STR("");
        Str typed = str_slice(text, caret->word_start, walk->end);
        caret->at_argument = i == walk->depth && str_equal(part, typed);
        return;
    }
}

Caret caret_at(Str text, uint32_t offset)
{
    Caret caret = {.word = STR(""), .chain = STR(""), .callee = STR(""), .keyword = STR("")};
    Walk walk = {.text = text, .end = offset};
    walk_to(&walk);
    caret.in_text = walk.in_text;
    find_word(&caret, text, offset);
    find_call(&caret, &walk);
    return caret;
}

/* The name by which a Python file knows pypto. */
static Str pypto_name(Str text)
{
    static const char alias[] = "import pypto as ";
    size_t at = str_find(text, STR("import pypto as "), 0);
    if (at == SIZE_MAX) {
        return STR("pypto");
    }
    size_t end = at + sizeof alias - 1;
    size_t start = end;
    while (end < text.length && is_name_byte(text.at[end])) {
        end++;
    }
    return str_slice(text, start, end);
}

bool below_pypto(Str text, Str chain, Str *name)
{
    Str own = pypto_name(text);
    bool below = own.length > 0 && chain.length > own.length && str_starts(chain, own) &&
                 chain.at[own.length] == '.';
    *name = below ? str_slice(chain, own.length + 1, chain.length) : STR("");
    return below;
}
