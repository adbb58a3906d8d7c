/* Lexer, names: keywords, and which characters beyond ASCII an identifier may have. */
#include "base/search.h"
#include "python/lex.h"

#include "base/utf8.h"

/* Ranges of code points: last code point of the range, shifted up, and what they may do. */
typedef struct XidRange {
    uint32_t first;
    uint32_t last_and_start; /* last * 2 + (may begin an identifier) */
} XidRange;

static const XidRange xid_ranges[] = {
#include "python/xid_table.inc"
};

enum {
    W = KEYWORD_WORD,
    C = KEYWORD_WORD | KEYWORD_COMPOUND,
    ST = KEYWORD_WORD | KEYWORD_STATEMENT,
    CS = KEYWORD_WORD | KEYWORD_COMPOUND | KEYWORD_STATEMENT,
    X = KEYWORD_WORD | KEYWORD_SUFFIX,
    CX = KEYWORD_WORD | KEYWORD_COMPOUND | KEYWORD_SUFFIX,
    L = KEYWORD_WORD | KEYWORD_LAMBDA,
    S = KEYWORD_SOFT,
};

typedef struct KeywordRow {
    char name[9];
    uint8_t length;
    uint8_t flags;
} KeywordRow;

/* By first letter; `first_row` below says where each begins. */
static const KeywordRow keyword_rows[] = {
    {"and", 3, X},    {"as", 2, X},    {"assert", 6, ST}, {"async", 5, CX},    {"await", 5, W},
    {"break", 5, ST}, {"case", 4, S},  {"class", 5, CS},  {"continue", 8, ST}, {"def", 3, CS},
    {"del", 3, ST},   {"elif", 4, CS}, {"else", 4, CX},   {"except", 6, CS},   {"finally", 7, CS},
    {"for", 3, CX},   {"from", 4, X},  {"global", 6, ST}, {"if", 2, CX},       {"import", 6, ST},
    {"in", 2, X},     {"is", 2, X},    {"lambda", 6, L},  {"match", 5, S},     {"nonlocal", 8, ST},
    {"not", 3, X},    {"or", 2, X},    {"pass", 4, ST},   {"raise", 5, ST},    {"return", 6, ST},
    {"try", 3, CS},   {"type", 4, S},  {"while", 5, CS},  {"with", 4, CS},     {"yield", 5, W},
};
enum { KEYWORD_COUNT = sizeof keyword_rows / sizeof keyword_rows[0] };

/* a … z: index of the first row of that letter, and one more for the end. ORDER keyword_rows. */
static const uint8_t first_row[27] = {
    0,  5,  6,  9,  11, 14, 17, 18, 18, 22, 22, 22, 23, 24,
    26, 27, 28, 28, 30, 30, 32, 32, 32, 34, 34, 35, 35,
};
_Static_assert(KEYWORD_COUNT == 35, "first_row goes with keyword_rows");

unsigned lex_keyword(const char *name, size_t length)
{
    if (length < 2 || length > 8 || name[0] < 'a' || name[0] > 'z') {
        return KEYWORD_NONE;
    }
    unsigned letter = (unsigned)(name[0] - 'a');
    for (unsigned i = first_row[letter]; i < first_row[letter + 1]; i++) {
        if (keyword_rows[i].length == length && memcmp(keyword_rows[i].name, name, length) == 0) {
            return keyword_rows[i].flags;
        }
    }
    return KEYWORD_NONE;
}

static bool is_identifier_character(uint32_t c, bool first)
{
    if (c < 0x80) {
        CharClass kind = class_of((char)c);
        return kind == CLASS_NAME || (kind == CLASS_DIGIT && !first);
    }
    if (c >= 0x4E00 && c <= 0x9FFF) {
        return true;
    }
    size_t low;
    LOWER_BOUND(low, sizeof xid_ranges / sizeof xid_ranges[0],
                xid_ranges[low].last_and_start >> 1 < c);
    if (low == sizeof xid_ranges / sizeof xid_ranges[0] || xid_ranges[low].first > c) {
        return false;
    }
    return !first || (xid_ranges[low].last_and_start & 1) != 0;
}

size_t lex_identifier_error(const char *text, size_t start, size_t end)
{
    Str name = {text + start, end - start};
    size_t at = 0;
    while (at < name.length) {
        size_t next = at;
        if (!is_identifier_character(utf8_next(name, &next), at == 0)) {
            return start + at;
        }
        at = next;
    }
    return end;
}
