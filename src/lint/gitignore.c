/* Gitignore: reading patterns, and the glob matcher. Where git's documentation and git differ, git
 * wins; tests/lint/gitignore_differential.py compares with it. */
#include "lint/gitignore.h"

#include "base/ascii.h"
#include "base/path.h"

enum { NOT_FOUND = 0 };
static const size_t none = SIZE_MAX;

/* --- glob */

static bool in_class(Str name, unsigned char c, bool *known)
{
    bool upper = c >= 'A' && c <= 'Z';
    bool lower = c >= 'a' && c <= 'z';
    bool digit = is_digit((char)c);
    bool graph = c > ' ' && c < 0x7F;
    bool hex = hex_digit((char)c) >= 0;
    const struct {
        const char *name;
        bool holds;
    } classes[] = {
        {"alnum", upper || lower || digit},
        {"alpha", upper || lower},
        {"blank", c == ' ' || c == '\t'},
        {"cntrl", c < ' ' || c == 0x7F},
        {"digit", digit},
        {"graph", graph},
        {"lower", lower},
        {"print", graph || c == ' '},
        {"punct", graph && !upper && !lower && !digit},
        {"space", c == ' ' || (c >= '\t' && c <= '\r')},
        {"upper", upper},
        {"xdigit", hex},
    };
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        if (str_is(name, classes[i].name)) {
            return classes[i].holds;
        }
    }
    *known = false;
    return false;
}

/* A `[:name:]` whose `[` is at `at`: the index of its final `]`, or `none` when it is not a class.
 * A faulty one sets `*broken`. */
static size_t read_class(Str pattern, size_t at, unsigned char c, bool *matched, bool *broken)
{
    size_t end = at + 2;
    while (end < pattern.length && pattern.at[end] != ']') {
        end++;
    }
    if (end >= pattern.length) {
        *broken = true;
        return none;
    }
    if (end < at + 3 || pattern.at[end - 1] != ':') {
        return none;
    }
    bool known = true;
    if (in_class(str_slice(pattern, at + 2, end - 1), c, &known)) {
        *matched = true;
    }
    *broken = !known;
    return end;
}

/* The byte that ends a range whose `-` is at `*at`; moves `*at` to it. */
static unsigned char range_end(Str pattern, size_t *at)
{
    (*at)++;
    if (pattern.at[*at] == '\\' && *at + 1 < pattern.length) {
        (*at)++;
    }
    return (unsigned char)pattern.at[*at];
}

/* A bracket expression whose `[` is at `start`: the index after it when `c` matches, else 0. */
static size_t match_bracket(Str pattern, size_t start, unsigned char c)
{
    size_t at = start + 1;
    bool negated = at < pattern.length && (pattern.at[at] == '!' || pattern.at[at] == '^');
    at += negated ? 1 : 0;
    bool matched = false;
    unsigned char previous = 0;
    bool first = true;
    for (; at < pattern.length && (first || pattern.at[at] != ']'); at++, first = false) {
        unsigned char here = (unsigned char)pattern.at[at];
        bool more = at + 1 < pattern.length;
        if (here == '\\') {
            if (!more) {
                return NOT_FOUND;
            }
            here = (unsigned char)pattern.at[++at];
            matched = matched || c == here;
        } else if (here == '-' && previous != 0 && more && pattern.at[at + 1] != ']') {
            unsigned char last = range_end(pattern, &at);
            matched = matched || (c >= previous && c <= last);
            here = 0;
        } else if (here == '[' && more && pattern.at[at + 1] == ':') {
            bool broken = false;
            size_t end = read_class(pattern, at, c, &matched, &broken);
            if (broken) {
                return NOT_FOUND;
            }
            if (end != none) {
                at = end;
                here = 0;
            } else {
                matched = matched || c == here;
            }
        } else {
            matched = matched || c == here;
        }
        previous = here;
    }
    bool closed = at < pattern.length;
    return closed && matched != negated && c != '/' ? at + 1 : NOT_FOUND;
}

/* One pattern element other than a star against one byte: the index after the element, or 0. */
static size_t match_one(Str pattern, size_t at, char c)
{
    switch (pattern.at[at]) {
    case '?':
        return c != '/' ? at + 1 : NOT_FOUND;
    case '[':
        return match_bracket(pattern, at, (unsigned char)c);
    case '\\':
        return at + 1 < pattern.length && pattern.at[at + 1] == c ? at + 2 : NOT_FOUND;
    default:
        return pattern.at[at] == c ? at + 1 : NOT_FOUND;
    }
}

/* Where to try again: after the last `*` of this component, and after the last `**` component. No
 * earlier place can do better, so two are enough. */
typedef struct Retry {
    size_t star, star_text;
    size_t deep, deep_text;
} Retry;

/* Moves on to the next component for the last `**`. False when there is none. */
static bool retry_deeper(Retry *retry, Str text)
{
    size_t slash = retry->deep == none ? none : str_find(text, STR("/"), retry->deep_text);
    if (slash == none) {
        return false;
    }
    retry->deep_text = slash + 1;
    retry->star = none;
    return true;
}

typedef struct Star {
    size_t end;  /* index after the stars */
    bool deep;   /* stands for whole components */
    bool slash;  /* a plain slash follows: no component at all is possible */
    bool escape; /* an escaped slash follows */
} Star;

static Star read_star(Str pattern, size_t at, size_t literal)
{
    size_t end = at;
    while (end < pattern.length && pattern.at[end] == '*') {
        end++;
    }
    bool boundary = at == 0 || at == literal || pattern.at[at - 1] == '/';
    bool slash = end < pattern.length && pattern.at[end] == '/';
    bool escape = end + 1 < pattern.length && pattern.at[end] == '\\' && pattern.at[end + 1] == '/';
    bool deep = end - at > 1 && boundary && (end == pattern.length || slash || escape);
    return (Star){end, deep, slash, escape};
}

/* The glob match under it: `*`, `?` and `[…]` do not match a slash, `**` as a whole component
 * matches any number of components. `literal` bytes at the start of the pattern hold no special
 * character. */
static bool ignore_glob(Str pattern, size_t literal, Str text)
{
    Retry retry = {none, 0, none, 0};
    size_t p = 0;
    size_t t = 0;
    while (t < text.length) {
        if (p < pattern.length && pattern.at[p] == '*') {
            Star star = read_star(pattern, p, literal);
            if (star.deep && star.end == pattern.length) {
                return true;
            }
            p = star.end;
            if (!star.deep) {
                retry.star = p;
                retry.star_text = t;
                continue;
            }
            p += star.slash ? 1 : 2;
            retry.deep = p;
            retry.deep_text = t;
            retry.star = none;
            if (star.escape && !retry_deeper(&retry, text)) {
                return false;
            }
            t = retry.deep_text;
            continue;
        }
        size_t next = p < pattern.length ? match_one(pattern, p, text.at[t]) : NOT_FOUND;
        if (next != NOT_FOUND) {
            if (text.at[t] == '/') {
                retry.star = none;
            }
            p = next;
            t++;
        } else if (retry.star != none && text.at[retry.star_text] != '/') {
            t = ++retry.star_text;
            p = retry.star;
        } else if (retry_deeper(&retry, text)) {
            t = retry.deep_text;
            p = retry.deep;
        } else {
            return false;
        }
    }
    /* What is left may stand for nothing: stars, and `**` components right after the literal
     * part. */
    while (p < pattern.length && pattern.at[p] == '*') {
        Star star = read_star(pattern, p, literal);
        p = star.end + (star.deep && star.slash ? 1 : 0);
    }
    return p == pattern.length;
}

/* --- patterns */

/* Without trailing blanks, unless a backslash keeps them. */
static Str trim_blanks(Str line)
{
    size_t end = 0; /* after the last byte that stays */
    for (size_t i = 0; i < line.length; i++) {
        if (line.at[i] == '\\') {
            i++;
            end = i + 1;
        } else if (line.at[i] != ' ') {
            end = i + 1;
        }
    }
    return str_slice(line, 0, end);
}

static size_t literal_length(Str text)
{
    size_t length = 0;
    while (length < text.length && strchr("*?[\\", text.at[length]) == NULL) {
        length++;
    }
    return length;
}

bool ignore_pattern_read(IgnorePattern *pattern, Str line)
{
    *pattern = (IgnorePattern){0};
    if (line.length == 0 || line.at[0] == '#') {
        return false;
    }
    Str text = trim_blanks(line);
    if (text.length > 0 && text.at[0] == '!') {
        pattern->negated = true;
        text = str_slice(text, 1, text.length);
    }
    if (text.length > 0 && text.at[text.length - 1] == '/') {
        pattern->directory_only = true;
        text.length--;
    }
    pattern->anchored = str_find(text, STR("/"), 0) != SIZE_MAX;
    if (text.length > 0 && text.at[0] == '/') {
        text = str_slice(text, 1, text.length);
    }
    pattern->text = text;
    pattern->literal = literal_length(text);
    return text.length > 0;
}

void ignore_patterns_read(IgnorePatterns *patterns, Arena *arena, Str text)
{
    size_t at = str_starts(text, STR("\xEF\xBB\xBF")) ? 3 : 0;
    while (at < text.length) {
        size_t end = str_find(text, STR("\n"), at);
        end = end == SIZE_MAX ? text.length : end;
        Str line = str_slice(text, at, end);
        if (line.length > 0 && line.at[line.length - 1] == '\r') {
            line.length--;
        }
        IgnorePattern pattern;
        if (ignore_pattern_read(&pattern, line)) {
            VEC_PUSH(arena, patterns, pattern);
        }
        at = end + 1;
    }
}

bool ignore_pattern_matches(const IgnorePattern *pattern, Str path, bool is_directory)
{
    if (pattern->directory_only && !is_directory) {
        return false;
    }
    Str subject = pattern->anchored ? path : path_basename(path);
    Str start = str_slice(pattern->text, 0, pattern->literal);
    if (!str_starts(subject, start)) {
        return false;
    }
    return ignore_glob(pattern->text, pattern->literal, subject);
}

IgnoreVerdict ignore_patterns_decide(const IgnorePatterns *patterns, Str path, bool is_directory)
{
    for (uint32_t i = patterns->count; i > 0; i--) {
        const IgnorePattern *pattern = &patterns->items[i - 1];
        if (ignore_pattern_matches(pattern, path, is_directory)) {
            return pattern->negated ? IGNORE_KEPT : IGNORE_IGNORED;
        }
    }
    return IGNORE_UNDECIDED;
}
