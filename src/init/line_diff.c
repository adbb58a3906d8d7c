/* Unified diff; see line_diff.h.
 *
 * What both texts have in common at their ends is set aside first; for what lies between, the
 * longest common sequence of lines is found in a table. The changes that `init` makes leave small
 * tables; where one would be too large, the lines between count as replaced. */
#include "init/line_diff.h"

#include "base/vec.h"
#include "report/terminal.h"

enum { CONTEXT = 3, MAX_CELLS = 4 * 1024 * 1024 };

typedef VEC(Str) Lines;

/* One line of the comparison. */
typedef struct Step {
    char sign; /* ' ', '-' or '+' */
    Str line;
} Step;
typedef VEC(Step) Steps;

static void split(Arena *arena, Str text, Lines *lines)
{
    for (size_t at = 0; at < text.length;) {
        size_t end = str_find(text, STR("\n"), at);
        end = end == SIZE_MAX ? text.length : end + 1;
        VEC_PUSH(arena, lines, str_slice(text, at, end));
        at = end;
    }
}

static void push(Arena *arena, Steps *steps, char sign, Str line)
{
    Step step = {sign, line};
    VEC_PUSH(arena, steps, step);
}

/* Appends the steps from the lines a[0 … n-1] to the lines b[0 … m-1]. */
static void compare(Arena *arena, Steps *steps, const Str *a, size_t n, const Str *b, size_t m)
{
    uint32_t *table = NULL;
    size_t width = m + 1;
    if (n > 0 && m > 0 && n < MAX_CELLS / width) {
        table = ARENA_ARRAY(arena, uint32_t, (n + 1) * width);
        for (size_t i = n; i-- > 0;) {
            for (size_t j = m; j-- > 0;) {
                uint32_t down = table[(i + 1) * width + j], right = table[i * width + j + 1];
                table[i * width + j] = str_equal(a[i], b[j]) ? table[(i + 1) * width + j + 1] + 1
                                       : down > right        ? down
                                                             : right;
            }
        }
    }
    size_t i = 0, j = 0;
    while (i < n || j < m) {
        if (table != NULL && i < n && j < m && str_equal(a[i], b[j])) {
            push(arena, steps, ' ', a[i++]);
            j++;
        } else if (i < n && (j == m || table == NULL ||
                             table[(i + 1) * width + j] >= table[i * width + j + 1])) {
            push(arena, steps, '-', a[i++]);
        } else {
            push(arena, steps, '+', b[j++]);
        }
    }
}

static void make_steps(Arena *arena, Steps *steps, const Lines *a, const Lines *b)
{
    size_t least = a->count < b->count ? a->count : b->count;
    size_t head = 0, tail = 0;
    while (head < least && str_equal(a->items[head], b->items[head])) {
        push(arena, steps, ' ', a->items[head++]);
    }
    while (tail < least - head &&
           str_equal(a->items[a->count - 1 - tail], b->items[b->count - 1 - tail])) {
        tail++;
    }
    size_t a_middle = a->count - head - tail, b_middle = b->count - head - tail;
    if (a_middle + b_middle > 0) {
        /* No offset to the NULL of an empty text. */
        compare(arena, steps, a_middle == 0 ? NULL : a->items + head, a_middle,
                b_middle == 0 ? NULL : b->items + head, b_middle);
    }
    for (size_t i = head + a_middle; i < a->count; i++) {
        push(arena, steps, ' ', a->items[i]);
    }
}

/* --- writing */

static void add_line(Buf *out, Step step)
{
    Str line = step.line;
    bool ended = str_ends(line, STR("\n"));
    line.length -= ended;
    line.length -= str_ends(line, STR("\r")); /* of no interest to a reader */
    buf_add_char(out, step.sign);
    for (size_t at = 0; at < line.length;) {
        size_t tab = str_find(line, STR("\t"), at);
        tab = tab == SIZE_MAX ? line.length : tab;
        terminal_add(out, str_slice(line, at, tab));
        if (tab < line.length) {
            buf_add_char(out, '\t');
        }
        at = tab + 1;
    }
    buf_add(out, ended ? STR("\n") : STR("\n\\ No newline at end of file\n"));
}

static void add_range(Buf *out, char sign, size_t start, size_t count)
{
    buf_addf(out, count == 1 ? " %c%zu" : " %c%zu,%zu", sign, count == 0 ? start : start + 1,
             count);
}

/* The steps from `first` to `end`; `a` and `b` lines of the two texts come before them. */
static void add_hunk(Buf *out, const Steps *steps, size_t first, size_t end, size_t a, size_t b)
{
    size_t a_count = 0, b_count = 0;
    for (size_t i = first; i < end; i++) {
        a_count += steps->items[i].sign != '+';
        b_count += steps->items[i].sign != '-';
    }
    buf_add(out, STR("@@"));
    add_range(out, '-', a, a_count);
    add_range(out, '+', b, b_count);
    buf_add(out, STR(" @@\n"));
    for (size_t i = first; i < end; i++) {
        add_line(out, steps->items[i]);
    }
}

/* The end of the hunk that begins at the change `at`: after the context of its last change. */
static size_t hunk_end(const Steps *steps, size_t at)
{
    size_t last = at;
    for (size_t i = at; i < steps->count && i <= last + 2 * (size_t)CONTEXT; i++) {
        last = steps->items[i].sign != ' ' ? i : last;
    }
    size_t end = last + 1 + CONTEXT;
    return end < steps->count ? end : steps->count;
}

static void add_hunks(Buf *out, const Steps *steps)
{
    size_t a = 0, b = 0; /* lines before step `i` */
    for (size_t i = 0; i < steps->count;) {
        size_t change = i;
        while (change < steps->count && steps->items[change].sign == ' ') {
            change++;
        }
        if (change == steps->count) {
            return;
        }
        size_t first = change - i > CONTEXT ? change - CONTEXT : i;
        a += first - i;
        b += first - i;
        size_t end = hunk_end(steps, change);
        add_hunk(out, steps, first, end, a, b);
        for (i = first; i < end; i++) {
            a += steps->items[i].sign != '+';
            b += steps->items[i].sign != '-';
        }
    }
}

void line_diff(Buf *out, Str path, Str before, Str after, bool is_new, bool is_gone)
{
    Lines a = {0}, b = {0};
    Steps steps = {0};
    split(out->arena, before, &a);
    split(out->arena, after, &b);
    make_steps(out->arena, &steps, &a, &b);
    Buf name = {.arena = out->arena};
    terminal_add(&name, path);
    buf_addf(out, "diff --git a/%s b/%s\n", name.at, name.at);
    buf_add(out, is_new ? STR("new file mode 100644\n") : STR(""));
    buf_add(out, is_gone ? STR("deleted file mode 100644\n") : STR(""));
    buf_addf(out, is_new ? "--- /dev/null\n" : "--- a/%s\n", name.at);
    buf_addf(out, is_gone ? "+++ /dev/null\n" : "+++ b/%s\n", name.at);
    add_hunks(out, &steps);
}
