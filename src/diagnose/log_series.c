/* Reads reports that have a line for each block of a result; see log_series.h. */
#include "diagnose/log_series.h"

#include "base/ascii.h"
#include "diagnose/log_key.h"
#include "diagnose/log_number.h"
#include "diagnose/word_list.h"

typedef struct SeriesLine {
    uint64_t key;
    bool counts_runs, counts_sizes; /* the first word says so */
    bool counts_steps;              /* any word says so */
    bool is_right, is_wrong;        /* by a word */
    uint32_t count;
    double numbers[SERIES_NUMBERS];
} SeriesLine;

/* Training steps are neither parts of one result nor repetitions. */
static bool is_step(Str word)
{
    enum { SHORTEST = 4 };
    static const char *const steps[] = {"epoch",     "epochs",      "step",       "steps", "iter",
                                        "iteration", "global_step", "train_step", "iters"};
    return word.length >= SHORTEST && WORD_IN(steps, word);
}

/* Takes the word at `at` as a verdict or as a part of the form; returns its end. */
static size_t take_word(SeriesLine *read, Str line, size_t at)
{
    enum { LONGEST = 8 };
    static const char *const right[] = {"ok",   "OK",    "pass", "PASS", "PASSED", "passed",
                                        "good", "match", "True", "true", "equal",  "close"};
    static const char *const wrong[] = {"bad",     "BAD",   "fail",     "FAIL",  "FAILED",
                                        "failed",  "False", "false",    "wrong", "WRONG",
                                        "differs", "DIFF",  "MISMATCH", "NG"};
    size_t end = at;
    while (end < line.length && (is_letter(line.at[end]) || line.at[end] == '_')) {
        end++;
    }
    static const char *const sizes[] = {"K",       "k",    "N",      "n",      "M",
                                        "m",       "size", "len",    "length", "seq",
                                        "seq_len", "dim",  "hidden", "width"};
    static const char *const runs[] = {"run", "Run", "repeat", "round", "trial", "attempt", "seed"};
    Str word = str_slice(line, at, end);
    read->counts_sizes = read->counts_sizes || (at == 0 && STR_IS_ANY(word, sizes));
    read->counts_steps = read->counts_steps || is_step(word);
    read->counts_runs = read->counts_runs || (at == 0 && STR_IS_ANY(word, runs));
    size_t next = end;
    while (next < line.length && line.at[next] == ' ') {
        next++;
    }
    /* "bad=0" and "failed: 3" count. */
    bool verdict =
        next == line.length || (strchr("=:", line.at[next]) == NULL && !is_digit(line.at[next]));
    verdict = verdict && word.length <= LONGEST; /* the lists take longer than all else here */
    if (verdict && STR_IS_ANY(word, right)) {
        read->is_right = true;
    } else if (verdict && STR_IS_ANY(word, wrong)) {
        read->is_wrong = true;
    } else if (!read->is_right && !read->is_wrong) { /* what follows a verdict explains it */
        read->key = log_key_mix(read->key, word.at, word.length);
    }
    return end;
}

/* Takes the number at `at`; returns its end. */
static size_t take_number(SeriesLine *read, Str line, size_t at)
{
    double number = 0;
    size_t end = log_number_read(line, at, &number);
    if (read->count < SERIES_NUMBERS) {
        read->numbers[read->count++] = number;
    }
    return end;
}

static SeriesLine read_line(Str line)
{
    SeriesLine read = {.key = LOG_KEY_BASIS};
    for (size_t at = 0; at < line.length;) {
        char c = line.at[at];
        if (c == '[' || c == '(') { /* an index, or a range */
            const char *close = memchr(line.at + at, c == '[' ? ']' : ')', line.length - at);
            at = close == NULL ? at + 1 : (size_t)(close - line.at) + 1;
            continue;
        }
        at = is_letter(c)  ? take_word(&read, line, at)
             : is_digit(c) ? take_number(&read, line, at)
                           : at + 1;
    }
    return read;
}

/* Is a number far above those of the lines that were right? The first one counts the lines. */
static bool stands_out(const LogSeries *series, const SeriesLine *read)
{
    enum { LEAST = 3 };
    const double far = 50, least = 1e-5;
    bool found = false;
    for (uint32_t i = 1; i < read->count && series->right >= LEAST && !found; i++) {
        found = read->numbers[i] > far * series->most[i] && read->numbers[i] > least;
    }
    return found;
}

/* Takes a line of a table whose last column may be one factor for all lines. */
static void take_column(LogSeries *series, const SeriesLine *read, Str line, uint64_t number,
                        uint64_t order)
{
    if (series->same == 0) {
        series->first = read->numbers[0];
        series->last = read->numbers[read->count - 1];
        series->line = number;
        series->order = order;
        line = str_slice(line, 0, SERIES_TEXT);
        memcpy(series->text, line.at, line.length);
        series->text[line.length] = '\0';
    }
    double last = read->numbers[read->count - 1];
    series->varies = series->varies || read->numbers[0] != series->first;
    series->same += last == series->last ? 1 : 0;
}

/* Takes the size that a line begins with and the error that it ends with. */
static void take_size(LogSeries *series, const SeriesLine *read)
{
    if (read->count == 0) {
        series->grows = false;
        return;
    }
    double size = read->numbers[0], error = read->numbers[read->count - 1];
    series->grows = series->grows && size > series->size && error > series->error;
    series->size = size;
    series->error = error;
}

static void take(LogSeries *series, const SeriesLine *read, Str line, uint64_t number,
                 uint64_t order)
{
    enum { LEAST_COLUMNS = 3 };
    if (series->is_table && read->count >= LEAST_COLUMNS) {
        take_column(series, read, line, number, order);
        series->right++;
        return;
    }
    if (series->counts_sizes) {
        take_size(series, read);
    }
    bool wrong = read->is_wrong || (!read->is_right && stands_out(series, read));
    if (!wrong) {
        series->right++;
        series->after += series->wrong > 0;
        for (uint32_t i = 0; i < read->count; i++) {
            double value = read->numbers[i];
            series->most[i] = value > series->most[i] ? value : series->most[i];
        }
        return;
    }
    series->begins_wrong = series->begins_wrong || series->right + series->wrong == 0;
    if (series->wrong++ == 0) {
        line = str_slice(line, 0, SERIES_TEXT);
        memcpy(series->text, line.at, line.length);
        series->text[line.length] = '\0';
        series->line = number;
        series->order = order;
    }
}

SeriesShape log_series_shape(const LogSeries *series)
{
    enum { LEAST = 2 };
    enum { LEAST_LINES = 3 };
    bool fraction = series->last < LEAST_LINES && series->last != (double)(int64_t)series->last;
    if (series->is_table && series->same >= LEAST_LINES && series->same == series->right) {
        return series->varies && fraction ? SERIES_RATIO : SERIES_NONE;
    }
    if (series->right < LEAST || series->wrong == 0 || series->counts_steps) {
        return SERIES_NONE;
    }
    if (series->counts_runs || series->counts_sizes) {
        return series->counts_runs ? SERIES_MIXED : series->grows ? SERIES_GROWS : SERIES_NONE;
    }
    return series->after == 0 ? (series->wrong == 1 ? SERIES_LAST : SERIES_FROM)
           : series->begins_wrong && series->wrong == 1 && series->after == series->right
               ? SERIES_FIRST
               : SERIES_NONE;
}

SeriesShape log_series_line(LogSeries *series, Str line, uint64_t number, uint64_t order,
                            LogSeries *ended)
{
    line = str_trim(line);
    SeriesLine read = {0};
    if (line.length > 0 && line.length <= SERIES_TEXT) {
        read = read_line(line);
    }
    SeriesShape shape = SERIES_NONE;
    if (read.key != series->key) {
        shape = log_series_shape(series);
        if (shape != SERIES_NONE) {
            *ended = *series;
        }
        *series = (LogSeries){.key = read.count > 0 ? read.key : 0,
                              .counts_runs = read.counts_runs,
                              .counts_steps = read.counts_steps,
                              .counts_sizes = read.counts_sizes,
                              .grows = true,
                              .is_table = read.key == LOG_KEY_BASIS};
    }
    if (series->key != 0) {
        take(series, &read, line, number, order);
    }
    return shape;
}
