/* JSON as Python's json module reads it; see state_json.h. One pass, without recursion. */
#include "operator/state_json.h"

#include "base/json_string.h"
#include "base/utf8.h"

typedef struct Scanner {
    Arena *arena;
    Str text;
    size_t at;
    uint32_t line;     /* of `counted` */
    size_t counted;    /* lines are counted up to here */
    uint32_t depth;    /* open collections */
    Str keys[2];       /* the last key at the top, and in the object there */
    uint32_t key_line; /* of keys[0] */
    bool is_object[STATE_MAX_DEPTH];
    const StateWish *wishes;
    size_t wish_count;
    StateJsonError *error;
} Scanner;

/* Always false, for `return fail(…)`. */
static bool fail(Scanner *scanner, size_t at, const char *message)
{
    *scanner->error = (StateJsonError){message, at};
    return false;
}

static char peek(const Scanner *scanner)
{
    return scanner->at < scanner->text.length ? scanner->text.at[scanner->at] : '\0';
}

static void skip_space(Scanner *scanner)
{
    while (scanner->at < scanner->text.length && strchr(" \t\n\r", peek(scanner)) != NULL &&
           peek(scanner) != '\0') {
        scanner->at++;
    }
}

/* Line of the place at hand; LF, CR LF and CR end one. */
static uint32_t line_here(Scanner *scanner)
{
    for (; scanner->counted < scanner->at; scanner->counted++) {
        char c = scanner->text.at[scanner->counted];
        bool pair = c == '\r' && scanner->counted + 1 < scanner->text.length &&
                    scanner->text.at[scanner->counted + 1] == '\n';
        scanner->line += c == '\n' || (c == '\r' && !pair);
    }
    return scanner->line;
}

/* --- strings */

/* Passes the string whose opening quote is at hand; its content as written. */
static bool scan_string(Scanner *scanner, Str *raw)
{
    Str text = scanner->text;
    size_t start = scanner->at;
    for (size_t at = start + 1; at < text.length; at++) {
        char c = text.at[at];
        if (c == '"') {
            *raw = str_slice(text, start + 1, at);
            scanner->at = at + 1;
            return true;
        }
        if ((unsigned char)c < 0x20) {
            return fail(scanner, at, "a control character in a string");
        }
        if (c != '\\') {
            continue;
        }
        char escape = at + 1 < text.length ? text.at[at + 1] : '\0';
        if (escape == 'u' && (at + 6 >= text.length || json_hex4(text, at + 2) < 0)) {
            return fail(scanner, at + 1, "\\u without four hexadecimal digits");
        }
        if (at + 1 < text.length && (escape == '\0' || strchr("\"\\/bfnrtu", escape) == NULL)) {
            return fail(scanner, at, "unknown escape in a string");
        }
        at += escape == 'u' ? 5 : 1;
    }
    return fail(scanner, start, "a string without end");
}

/* --- values */

/* A value begins whose key is the last one: the wish that it fulfils. */
static const StateWish *wish_here(const Scanner *scanner)
{
    bool keyed = scanner->depth > 0 && scanner->depth <= 2 && scanner->is_object[0] &&
                 scanner->is_object[scanner->depth - 1];
    for (size_t i = 0; keyed && i < scanner->wish_count; i++) {
        const StateWish *wish = &scanner->wishes[i];
        bool fits = scanner->depth == 1
                        ? wish->below == NULL
                        : wish->below != NULL && str_is(scanner->keys[1], wish->below);
        if (fits && str_is(scanner->keys[0], wish->key)) {
            return wish;
        }
    }
    return NULL;
}

/* A value has been met. */
static void note(Scanner *scanner, StateKind kind, Str text)
{
    const StateWish *wish = wish_here(scanner);
    if (wish != NULL) {
        uint32_t line = wish->below == NULL ? scanner->key_line : 0;
        *wish->field = (StateField){kind, line, text};
    }
}

/* A key at the top takes the place of an earlier one and of all that was below it. */
static void forget(Scanner *scanner, Str key)
{
    for (size_t i = 0; i < scanner->wish_count; i++) {
        if (str_is(key, scanner->wishes[i].key)) {
            *scanner->wishes[i].field = (StateField){STATE_ABSENT, 0, STR("")};
        }
    }
}

static bool scan_scalar(Scanner *scanner)
{
    static const struct {
        const char *word;
        StateKind kind;
    } words[] = {{"null", STATE_NULL},  {"true", STATE_BOOL},       {"false", STATE_BOOL},
                 {"NaN", STATE_NUMBER}, {"Infinity", STATE_NUMBER}, {"-Infinity", STATE_NUMBER}};
    if (peek(scanner) == '"') {
        Str raw;
        if (!scan_string(scanner, &raw)) {
            return false;
        }
        if (wish_here(scanner) != NULL) {
            note(scanner, STATE_STRING, json_decode(scanner->arena, raw));
        }
        return true;
    }
    Str rest = str_slice(scanner->text, scanner->at, scanner->text.length);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        Str word = str_from(words[i].word);
        if (str_starts(rest, word)) {
            note(scanner, words[i].kind, word);
            scanner->at += word.length;
            return true;
        }
    }
    size_t end = json_number_end(scanner->text, scanner->at);
    if (end == scanner->at) {
        return fail(scanner, scanner->at, "a value is missing");
    }
    note(scanner, STATE_NUMBER, str_slice(scanner->text, scanner->at, end));
    scanner->at = end;
    return true;
}

/* `"key":`, with white space around it. */
static bool scan_key(Scanner *scanner)
{
    skip_space(scanner);
    if (peek(scanner) != '"') {
        return fail(scanner, scanner->at, "a key in double quotes is missing");
    }
    uint32_t line = scanner->depth == 1 ? line_here(scanner) : 0;
    Str raw;
    if (!scan_string(scanner, &raw)) {
        return false;
    }
    if (scanner->depth <= 2) {
        scanner->keys[scanner->depth - 1] = json_decode(scanner->arena, raw);
    }
    if (scanner->depth == 1) {
        scanner->key_line = line;
        forget(scanner, scanner->keys[0]);
    }
    skip_space(scanner);
    if (peek(scanner) != ':') {
        return fail(scanner, scanner->at, "':' is missing after a key");
    }
    scanner->at++;
    return true;
}

/* Passes what may stand behind a value: the ends of collections, then a comma and, in an object,
 * the next key. `*done` when the text's value is complete. */
static bool scan_behind(Scanner *scanner, bool *done)
{
    while (scanner->depth > 0) {
        bool object = scanner->is_object[scanner->depth - 1];
        skip_space(scanner);
        char c = peek(scanner);
        if (c == ',') {
            scanner->at++;
            return !object || scan_key(scanner);
        }
        if (c != (object ? '}' : ']')) {
            return fail(scanner, scanner->at,
                        object ? "',' or '}' is missing after a value"
                               : "',' or ']' is missing after a value");
        }
        scanner->at++;
        scanner->depth--;
    }
    skip_space(scanner);
    *done = true;
    return scanner->at == scanner->text.length ||
           fail(scanner, scanner->at, "there is something behind the value");
}

/* Opens a collection; `*empty` when it has been closed at once. */
static bool scan_open(Scanner *scanner, bool object, bool *empty)
{
    if (scanner->depth == STATE_MAX_DEPTH) {
        return fail(scanner, scanner->at, "too deeply nested");
    }
    note(scanner, object ? STATE_OBJECT : STATE_ARRAY, STR(""));
    scanner->is_object[scanner->depth++] = object;
    scanner->at++;
    skip_space(scanner);
    *empty = peek(scanner) == (object ? '}' : ']');
    return *empty || !object || scan_key(scanner);
}

static bool scan(Scanner *scanner)
{
    for (bool done = false; !done;) {
        skip_space(scanner);
        char c = peek(scanner);
        bool empty = true;
        if (c == '{' || c == '[' ? !scan_open(scanner, c == '{', &empty) : !scan_scalar(scanner)) {
            return false;
        }
        if (empty && !scan_behind(scanner, &done)) {
            return false;
        }
    }
    return true;
}

static StateKind kind_of_root(Str text)
{
    size_t at = 0;
    while (strchr(" \t\n\r", text.at[at]) != NULL) {
        at++;
    }
    switch (text.at[at]) {
    case '{':
        return STATE_OBJECT;
    case '[':
        return STATE_ARRAY;
    case '"':
        return STATE_STRING;
    case 'n':
        return STATE_NULL;
    case 't':
    case 'f':
        return STATE_BOOL;
    default:
        return STATE_NUMBER;
    }
}

StateKind state_json_read(Arena *arena, Str text, const StateWish *wishes, size_t count,
                          StateJsonError *error)
{
    Scanner *scanner = ARENA_NEW(arena, Scanner);
    *scanner = (Scanner){.arena = arena, .text = text, .line = 1, .error = error};
    scanner->wishes = wishes;
    scanner->wish_count = count;
    *error = (StateJsonError){NULL, 0};
    size_t bad = utf8_first_error(text);
    if (bad != SIZE_MAX) {
        fail(scanner, bad, "a byte that is not UTF-8");
    } else if (scan(scanner)) {
        return kind_of_root(text);
    }
    for (size_t i = 0; i < count; i++) {
        *wishes[i].field = (StateField){STATE_ABSENT, 0, STR("")};
    }
    return STATE_ABSENT;
}
