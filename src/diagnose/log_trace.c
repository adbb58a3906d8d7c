/* Recognises tracebacks in logs; see log_trace.h. */
#include "diagnose/log_trace.h"

#include "base/ascii.h"
#include "base/path.h"

enum {
    MOST_MESSAGE_LINES = 12, /* of an exception; its text rarely has more */
    MOST_DIGITS = 9,         /* of a line number */
};

static PlaceRank rank_of(Str file, Str kernel)
{
    static const char *const installed[] = {"site-packages/", "dist-packages/", "/lib/python",
                                            "/torch/",        "/torch_npu/",    "/pypto/",
                                            "/pypto_lint",    "/importlib/",    "/_pytest/"};
    Str name = path_name(file);
    if (file.length == 0 || file.at[0] == '<') {
        return PLACE_NONE;
    }
    if (kernel.length > 0 && str_equal(name, kernel)) {
        return PLACE_KERNEL;
    }
    for (size_t i = 0; i < sizeof installed / sizeof *installed; i++) {
        if (str_contains(file, str_from(installed[i]))) {
            return PLACE_NONE;
        }
    }
    return str_ends(name, STR("_impl.py")) ? PLACE_IMPL : PLACE_USER;
}

static uint32_t number_at(Str line, size_t *at)
{
    uint32_t number = 0;
    size_t begin = *at;
    while (*at < line.length && is_digit(line.at[*at]) && *at - begin < MOST_DIGITS) {
        number = number * 10 + (uint32_t)(line.at[*at] - '0');
        (*at)++;
    }
    return number;
}

/* `File "x.py", line 12, in name`; faulthandler prints it without the second comma. */
static bool read_frame(Str line, Str *file, uint32_t *number, Str *function)
{
    size_t begin = str_find(line, STR("File \""), 0);
    if (begin == SIZE_MAX) {
        return false;
    }
    begin += STR("File \"").length;
    size_t end = str_find(line, STR("\""), begin);
    const Str mark = STR("\", line ");
    if (end == SIZE_MAX || !str_starts(str_slice(line, end, line.length), mark)) {
        return false;
    }
    *file = str_slice(line, begin, end);
    size_t at = end + mark.length;
    *number = number_at(line, &at);
    size_t in = str_find(line, STR(" in "), at);
    *function = in == SIZE_MAX ? STR("") : str_trim(str_slice(line, in + 4, line.length));
    return *number > 0;
}

static LogPlace place_make(PlaceRank rank, Str file, uint32_t line, Str function)
{
    LogPlace place = {.rank = rank, .line = line};
    size_t skip = file.length < PLACE_PATH ? 0 : file.length - PLACE_PATH + 1;
    memcpy(place.file, file.at + skip, file.length - skip);
    function = str_slice(function, 0, PLACE_NAME - 1);
    memcpy(place.function, function.at, function.length);
    return place;
}

void log_trace_begin(LogTrace *trace, Str kernel)
{
    *trace = (LogTrace){.kernel = kernel};
}

static void begin_traceback(LogTrace *trace, Str line, size_t at, bool deepest_first)
{
    trace->state = TRACE_FRAMES;
    trace->deepest_first = deepest_first;
    trace->frame = (LogPlace){0};
    trace->margin = 0;
    trace->prefix = at <= TRACE_PREFIX ? at : 0;
    memcpy(trace->prefix_text, line.at, trace->prefix);
}

static void take_frame(LogTrace *trace, Str file, uint32_t number, Str function)
{
    PlaceRank rank = rank_of(file, trace->kernel);
    PlaceRank now = trace->frame.rank;
    if (rank != PLACE_NONE && (trace->deepest_first ? rank > now : rank >= now)) {
        trace->frame = place_make(rank, file, number, function);
        trace->last = trace->frame;
    }
}

static Str without_prefix(const LogTrace *trace, Str line)
{
    Str prefix = {trace->prefix_text, trace->prefix};
    line = str_starts(line, prefix) ? str_slice(line, prefix.length, line.length) : line;
    size_t at = 0;
    while (at < trace->margin && at < line.length && line.at[at] == ' ') {
        at++;
    }
    return str_slice(line, at, line.length);
}

/* Python indents a frame by two columns; what is more belongs to whoever shows the output. */
static void take_margin(LogTrace *trace, Str rest)
{
    enum { FRAME_COLUMNS = 2 };
    size_t spaces = 0;
    while (spaces < rest.length && rest.at[spaces] == ' ') {
        spaces++;
    }
    if (trace->margin == 0 && spaces > FRAME_COLUMNS &&
        str_starts(str_slice(rest, spaces, rest.length), STR("File \""))) {
        trace->margin = spaces - FRAME_COLUMNS;
    }
}

static bool take_heading(LogTrace *trace, Str line)
{
    size_t at = str_find(line, STR("Traceback (most recent call last)"), 0);
    size_t fault = at == SIZE_MAX ? str_find(line, STR("(most recent call first)"), 0) : SIZE_MAX;
    if (at != SIZE_MAX) {
        begin_traceback(trace, line, at, false);
    } else if (fault != SIZE_MAX) {
        begin_traceback(trace, line, 0, true);
    }
    return at != SIZE_MAX || fault != SIZE_MAX;
}

bool log_trace_line(LogTrace *trace, Str line)
{
    Str file, function;
    uint32_t number;
    trace->at_exception = false;
    if (take_heading(trace, line)) {
        return false;
    }
    if (trace->state == TRACE_OUTSIDE) {
        return false;
    }
    Str rest = without_prefix(trace, line);
    bool indented = rest.length == 0 || rest.at[0] == ' ' || rest.at[0] == '\t';
    if (trace->state == TRACE_EXCEPTION) {
        bool over = rest.length == 0 || ++trace->message_lines > MOST_MESSAGE_LINES;
        trace->state = over ? TRACE_OUTSIDE : TRACE_EXCEPTION;
        return false;
    }
    if (read_frame(rest, &file, &number, &function)) {
        take_margin(trace, rest);
        take_frame(trace, file, number, function);
        trace->state = trace->deepest_first ? TRACE_FRAMES : TRACE_SOURCE;
        return true;
    }
    if (indented) { /* a frame's source, or the marks below it */
        trace->state = trace->deepest_first ? TRACE_OUTSIDE : TRACE_FRAMES;
        return true;
    }
    trace->at_exception = !trace->deepest_first;
    trace->state = trace->deepest_first ? TRACE_OUTSIDE : TRACE_EXCEPTION;
    trace->message_lines = 0;
    return false;
}

/* Where a path that ends at `end` begins. */
static size_t path_begin(Str line, size_t end)
{
    size_t at = end;
    while (at > 0 && end - at < PLACE_PATH) {
        char c = line.at[at - 1];
        if (!is_word_char(c) && c != '/' && c != '.' && c != '-' && (unsigned char)c < 0x80) {
            break;
        }
        at--;
    }
    return at;
}

/* "[engine.py:387] ": the place where the logger was called. */
static bool is_tag(Str line, size_t begin, size_t digits)
{
    size_t end = digits;
    while (end < line.length && is_digit(line.at[end])) {
        end++;
    }
    return begin > 0 && line.at[begin - 1] == '[' &&
           str_starts(str_slice(line, end, line.length), STR("] "));
}

LogPlace log_place_in(Str line, Str kernel)
{
    static const char *const marks[] = {":", "\", line ", ", line ", "("};
    const Str suffix = STR(".py");
    LogPlace best = {0};
    for (size_t at = str_find(line, suffix, 0); at != SIZE_MAX;
         at = str_find(line, suffix, at + 1)) {
        size_t end = at + suffix.length;
        Str rest = str_slice(line, end, line.length);
        for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
            size_t digits = end + strlen(marks[i]);
            if (!str_starts(rest, str_from(marks[i])) || digits >= line.length ||
                !is_digit(line.at[digits])) {
                continue;
            }
            size_t begin = path_begin(line, end);
            Str file = str_slice(line, begin, end);
            PlaceRank rank = rank_of(file, kernel);
            bool logged = rank == PLACE_USER && is_tag(line, begin, digits);
            if (rank > best.rank && !logged) {
                best = place_make(rank, file, number_at(line, &digits), STR(""));
            }
        }
    }
    return best;
}
