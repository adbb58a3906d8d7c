/* Matches globs against lines; see glob.h. */
#include "diagnose/glob.h"

#include "base/ascii.h"
#include "operator/text.h"

static bool is_alphanumeric(char c)
{
    return is_letter(c) || is_digit(c);
}

/* Where a piece without `*` ends if it begins at `at`; SIZE_MAX if it does not match there. */
static size_t piece_end(Str piece, Str line, size_t at)
{
    for (size_t i = 0; i < piece.length; i++) {
        if (piece.at[i] == '#') {
            size_t digits = at;
            while (at < line.length && is_digit(line.at[at])) {
                at++;
            }
            if (at == digits) {
                return SIZE_MAX;
            }
        } else if (at >= line.length || lower_case(piece.at[i]) != lower_case(line.at[at])) {
            return SIZE_MAX;
        } else {
            at++;
        }
    }
    return at;
}

/* May the glob begin or end between its byte `inside` and the line's byte at `outside`? */
static bool is_edge(char inside, Str line, size_t outside)
{
    bool letter = is_alphanumeric(inside) || inside == '#';
    return !letter || outside >= line.length || !is_alphanumeric(line.at[outside]);
}

typedef struct GlobForm {
    Str body;
    bool from_start, to_end, is_code;
} GlobForm;

bool glob_wants_error(Str glob)
{
    return str_starts(glob, STR("!"));
}

bool glob_is_code(Str glob)
{
    return str_starts(glob, STR("@"));
}

static GlobForm read_form(Str glob)
{
    GlobForm form = {.body = str_slice(glob, glob_wants_error(glob) ? 1 : 0, glob.length)};
    form.from_start = str_starts(form.body, STR("^"));
    form.is_code = str_starts(form.body, STR("@"));
    form.body = str_slice(form.body, form.from_start || form.is_code ? 1 : 0, form.body.length);
    form.to_end = str_ends(form.body, STR("$"));
    form.body = str_slice(form.body, 0, form.body.length - (form.to_end ? 1 : 0));
    return form;
}

/* Finds the first place at or after `*from` where the piece matches; `*from` becomes its end. */
static bool find_piece(const GlobForm *form, Str piece, Str line, size_t *from, size_t *begin)
{
    bool first = piece.at == form->body.at;
    bool last = piece.at + piece.length == form->body.at + form->body.length;
    if (piece.length == 0) {
        *begin = *from;
        return true;
    }
    size_t most = first && form->from_start ? 0 : line.length;
    char begins = lower_case(piece.at[0]); /* most places are out at their first byte */
    for (size_t at = *from; at <= most && at < line.length; at++) {
        if (begins != '#' && lower_case(line.at[at]) != begins) {
            continue;
        }
        size_t end = piece_end(piece, line, at);
        bool fits = end != SIZE_MAX;
        fits = fits && (!first || is_edge(piece.at[0], line, at - 1)); /* at 0: beyond the line */
        fits = fits && (!last || is_edge(piece.at[piece.length - 1], line, end));
        if (fits && (!last || !form->to_end || end == line.length)) {
            *from = end;
            *begin = at;
            return true;
        }
    }
    return false;
}

/* Is there a word for an error before the number, or nothing but white space? */
static bool reads_as_code(Str line, size_t begin)
{
    static const char *const words[] = {"err", "ret", "code", "result", "status", "fail"};
    Str before = str_slice(line, 0, begin);
    bool found = str_trim(before).length == 0;
    for (size_t i = 0; i < sizeof words / sizeof *words && !found; i++) {
        found = text_contains_folded(before, str_from(words[i]));
    }
    return found;
}

bool glob_find(Str glob, Str line, GlobSpan *span)
{
    GlobForm form = read_form(glob);
    line = str_trim(line);
    size_t from = 0, start = SIZE_MAX;
    for (size_t at = 0; at <= form.body.length;) {
        size_t star = str_find(form.body, STR("*"), at);
        size_t begin = 0, end = star == SIZE_MAX ? form.body.length : star;
        Str piece = {form.body.at + at, end - at};
        if (!find_piece(&form, piece, line, &from, &begin)) {
            return false;
        }
        start = start == SIZE_MAX ? begin : start;
        if (piece.length > 0) {
            *span = (GlobSpan){start, begin, from};
        }
        at = end + 1;
    }
    return !form.is_code || reads_as_code(line, start);
}

Str glob_anchor(Str glob)
{
    GlobForm form = read_form(glob);
    Str longest = {glob.at, 0};
    for (size_t at = 0; at < form.body.length;) {
        size_t end = at;
        while (end < form.body.length && form.body.at[end] != '*' && form.body.at[end] != '#') {
            end++;
        }
        if (end - at > longest.length) {
            longest = str_slice(form.body, at, end);
        }
        at = end + 1;
    }
    return longest;
}
