/* A line of source with what is around it; see page_source.h. */
#include "report/page_source.h"

#include "base/ascii.h"
#include "report/page.h"
#include "report/report_common.h"

enum {
    CONTEXT = 5,      /* lines above and below */
    MOST_BODY = 16,   /* lines below one that begins a block */
    MOST_LINE = 500,  /* bytes of a line that are shown */
    MOST_HEADERS = 8, /* blocks around the line */
    MOST_HEADER = 6,  /* lines of the header of a block */
};

typedef struct Window {
    Buf *out;
    Str text;
    uint32_t number; /* of the line */
    Lang lang;
    uint32_t shown; /* the last line that was appended; 0 = none */
} Window;

/* The line that begins at `at`, without its end. */
static Str line_at(Str text, size_t at)
{
    return str_slice(text, at, str_find(text, STR("\n"), at));
}

/* The begin of the line before the one that begins at `at` > 0. */
static size_t line_before(Str text, size_t at)
{
    size_t begin = at - 1;
    while (begin > 0 && text.at[begin - 1] != '\n') {
        begin--;
    }
    return begin;
}

static size_t indentation(Str line)
{
    size_t count = 0;
    while (count < line.length && is_blank(line.at[count])) {
        count++;
    }
    return count;
}

static bool is_empty(Str line)
{
    return str_trim(line).length == 0;
}

/* Does the line begin a block, or a part of one? */
static bool is_header(Str line)
{
    static const char *const keywords[] = {"for",  "while", "def", "with",   "if",    "elif",
                                           "else", "async", "try", "except", "class", "match"};
    size_t begin = indentation(line), end = begin;
    while (end < line.length && is_word_char(line.at[end])) {
        end++;
    }
    return STR_IS_ANY(str_slice(line, begin, end), keywords);
}

static void add_gap(Window *window, uint32_t count)
{
    buf_addf(window->out, "<span class=\"row gap\"><span class=\"number\">⋮</span>%u %s</span>",
             count, words(window->lang, "lines left out", "行省略"));
}

static void add_line(Window *window, size_t at, uint32_t number)
{
    Str line = line_at(window->text, at);
    window->shown = number;
    size_t end = line.length < MOST_LINE ? line.length : MOST_LINE;
    while (end > 0 && end < line.length && ((unsigned char)line.at[end] & 0xC0) == 0x80) {
        end--;
    }
    buf_addf(window->out, "<span class=\"row%s\"><span class=\"number\">%u</span>",
             number == window->number ? " here" : "", number);
    page_code(window->out, str_slice(line, 0, end));
    buf_add(window->out, end < line.length ? STR("…</span>") : STR("</span>"));
}

/* The line that begins at `at`; before it, the one line or the number of lines that lie between it
 * and the line that was appended last. */
static void add_row(Window *window, size_t at, uint32_t number)
{
    uint32_t missing = window->shown > 0 ? number - window->shown - 1 : 0;
    if (missing == 1) {
        add_line(window, line_before(window->text, at), number - 1);
    } else if (missing > 1) {
        add_gap(window, missing);
    }
    add_line(window, at, number);
}

/* Begins of the headers of the blocks around the line, innermost first, with their numbers. */
typedef struct Header {
    size_t at;
    uint32_t number;
} Header;

static int find_headers(const Window *window, size_t at, Header *headers)
{
    int count = 0;
    uint32_t number = window->number;
    Str line = line_at(window->text, at);
    size_t depth = is_empty(line) ? SIZE_MAX : indentation(line);
    while (at > 0 && depth > 0 && count < MOST_HEADERS) {
        at = line_before(window->text, at);
        number--;
        line = line_at(window->text, at);
        if (!is_empty(line) && indentation(line) < depth && is_header(line)) {
            depth = indentation(line);
            headers[count++] = (Header){at, number};
        }
    }
    return count;
}

/* The lines of a header up to the one that ends with a colon, none from `end` on. */
static void add_header(Window *window, Header header, uint32_t end)
{
    size_t at = header.at;
    for (uint32_t i = 0; i < MOST_HEADER && header.number + i < end; i++) {
        Str line = line_at(window->text, at);
        add_row(window, at, header.number + i);
        if (str_ends(str_trim(line), STR(":"))) {
            return;
        }
        at += line.length + 1;
    }
}

/* The last line to show, for the line that begins at `at`: if it begins a block, as much of the
 * block as there is room for, because the mistake may be anywhere in a loop. */
static uint32_t last_shown(const Window *window, size_t at)
{
    Str line = line_at(window->text, at);
    uint32_t last = window->number + CONTEXT;
    size_t depth = indentation(line);
    if (!is_header(line)) {
        return last;
    }
    for (uint32_t n = window->number + 1; n <= window->number + MOST_BODY; n++) {
        at += line.length + 1;
        line = at < window->text.length ? line_at(window->text, at) : STR("");
        if (!is_empty(line) && indentation(line) <= depth) {
            break;
        }
        last = !is_empty(line) && n > last ? n : last;
    }
    return last;
}

void page_source_add(Buf *out, Str text, uint32_t number, bool is_main, Lang lang)
{
    Window window = {.out = out, .text = text, .number = number, .lang = lang};
    size_t at = 0, from = 0;
    uint32_t first = number > CONTEXT ? number - CONTEXT : 1;
    for (uint32_t i = 1; i < number; i++) {
        size_t end = str_find(text, STR("\n"), at);
        if (end == SIZE_MAX) {
            return;
        }
        at = end + 1;
        from = i < first ? at : from;
    }
    if (number == 0 || at >= text.length) {
        return;
    }
    Header headers[MOST_HEADERS];
    int count = find_headers(&window, at, headers);
    buf_addf(out, "<pre class=\"source%s\" tabindex=\"0\">", is_main ? "" : " quiet");
    for (int i = count - 1; i >= 0; i--) {
        if (headers[i].number < first) {
            uint32_t next = i > 0 && headers[i - 1].number < first ? headers[i - 1].number : first;
            add_header(&window, headers[i], next);
        }
    }
    uint32_t last = last_shown(&window, at);
    for (uint32_t n = first; n <= last && from < text.length; n++) {
        add_row(&window, from, n);
        from += line_at(text, from).length + 1;
    }
    buf_add(out, STR("</pre>\n"));
}
