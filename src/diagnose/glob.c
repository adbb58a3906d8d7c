/* Matches globs against lines; see glob.h. */
#include "diagnose/glob.h"

#include "base/ascii.h"
#include "diagnose/word_list.h"

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

/* Where the word that ends the text begins: "code" of "errorCode", "ret" of "rt_ret". */
static size_t last_hump(Str text)
{
    size_t at = text.length;
    while (at > 0 && is_letter(text.at[at - 1])) {
        at--;
        bool capital = text.at[at] >= 'A' && text.at[at] <= 'Z';
        bool lower_before = at > 0 && is_letter(text.at[at - 1]) && text.at[at - 1] >= 'a';
        if (capital && lower_before) {
            break;
        }
    }
    return at;
}

/* Does the text end with a word for a status, or for one that failed? */
static bool ends_with_status(Str text)
{
    static const char *const words[] = {
        "err",    "error", "errors", "errno",   "errcode",  "errorcode", "ret",      "retcode",
        "retval", "rc",    "return", "returns", "returned", "code",      "codes",    "result",
        "status", "fail",  "failed", "failure", "fails",    "reterr",    "retcodes", "exception"};
    static const char *const chinese[] = {"错误码", "返回码", "返回值", "状态码", "错误", "失败"};
    Str word = str_slice(text, last_hump(text), text.length);
    if (WORD_IN(words, word)) {
        return true;
    }
    for (size_t i = 0; i < sizeof chinese / sizeof *chinese; i++) {
        if (str_ends(text, str_from(chinese[i]))) {
            return true;
        }
    }
    return false;
}

/* Is the word directly before the number one for a status ("error code is 507015"), or is there
 * nothing but white space? A number after another one has a meaning of its own. */
static bool reads_as_code(Str line, size_t begin)
{
    static const char *const links[] = {" is",   " was",     " of", " as",
                                        " with", " code is", "为",  "是"};
    const Str wide = STR("：");
    Str before = str_trim(str_slice(line, 0, begin));
    bool found = before.length == 0;
    for (bool more = true; more && before.length > 0;) {
        more = strchr(" \t:=[(#<\"'", before.at[before.length - 1]) != NULL;
        before.length -= more ? 1 : 0;
        if (str_ends(before, wide)) {
            before.length -= wide.length;
            more = true;
        }
        for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
            if (str_ends(before, str_from(links[i]))) {
                before.length -= strlen(links[i]);
                more = true;
            }
        }
    }
    return found || ends_with_status(before);
}

/* "207001 bytes": a number with a unit counts something; it is not a code. */
static bool counts_units(Str line, size_t end)
{
    static const char *const units[] = {"bytes",   "tokens", "ms",    "us",      "ns",
                                        "s",       "items",  "rows",  "samples", "elements",
                                        "packets", "lines",  "steps", "files",   "requests",
                                        "cycles",  "KB",     "MB",    "times",   "cases"};
    Str rest = str_trim(str_slice(line, end, line.length));
    size_t letters = 0;
    while (letters < rest.length && is_letter(rest.at[letters])) {
        letters++;
    }
    return STR_IS_ANY(str_slice(rest, 0, letters), units);
}

/* F and five hexadecimal digits in capitals, which stand as a code or end the line: "reduce_bhsd
 * ........ F42003". Random text has shorter ones. */
static bool reads_as_code_of_pypto(Str line, size_t begin)
{
    enum { LENGTH = 6 };
    size_t end = begin;
    while (end < line.length && is_alphanumeric(line.at[end])) {
        bool fits = is_digit(line.at[end]) || (line.at[end] >= 'A' && line.at[end] <= 'F');
        if (!fits || end - begin == LENGTH) {
            return false;
        }
        end++;
    }
    bool last = end == line.length && begin > 0 && strchr(". ", line.at[begin - 1]) != NULL;
    return end - begin == LENGTH && (last || reads_as_code(line, begin));
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
    if (form.is_code && form.body.length > 0 && form.body.at[0] == 'F') {
        return reads_as_code_of_pypto(line, start);
    }
    return !form.is_code || (reads_as_code(line, start) && !counts_units(line, from));
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
