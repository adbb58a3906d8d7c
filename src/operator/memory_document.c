/* Memory: inventory, self-review and module count. */
#include "operator/memory_document.h"

#include "operator/text.h"

#include "base/ascii.h"
#include "base/utf8.h"

/* Is the line `##` and white space, after optional white space if `indented`? The offset after
 * that white space, or 0. The white space may reach into the next lines. */
static size_t second_level(Str text, size_t at, bool indented)
{
    at = indented ? text_skip_space(text, at) : at;
    if (at + 2 > text.length || text.at[at] != '#' || text.at[at + 1] != '#') {
        return 0;
    }
    size_t next = text_skip_space(text, at + 2);
    return next > at + 2 ? next : 0;
}

/* Moves over `words` (lower case, separated by blanks) in any case, with white space between
 * them. */
static bool skip_words(Str text, size_t *at, const char *words)
{
    for (;;) {
        const char *blank = strchr(words, ' ');
        Str word = {words, blank == NULL ? strlen(words) : (size_t)(blank - words)};
        Str here = str_slice(text, *at, *at + word.length);
        if (here.length < word.length || text_find_folded(here, word, 0) != 0) {
            return false;
        }
        *at += word.length;
        if (blank == NULL) {
            return true;
        }
        size_t next = text_skip_space(text, *at);
        if (next == *at) {
            return false;
        }
        *at = next;
        words = blank + 1;
    }
}

/* --- golden function inventory */

static const char inventory_words[] = "golden function inventory";

static bool is_inventory_heading(Str text, size_t at)
{
    size_t words = second_level(text, at, true);
    return words > 0 && skip_words(text, &words, inventory_words);
}

/* Is there a heading anywhere, its words perhaps on several lines? */
static bool announces_inventory(Str text)
{
    Str line;
    for (size_t at = 0; at < text.length;) {
        size_t start = at;
        text_next_line(text, &at, &line);
        if (text_trim(line).length > 0 && is_inventory_heading(text, start)) {
            return true;
        }
    }
    return false;
}

static bool is_separator(Str row)
{
    for (size_t i = 0; i < row.length; i++) {
        if (row.at[i] == '\0' || strchr("|-: ", row.at[i]) == NULL) {
            return false;
        }
    }
    return true;
}

static bool is_resolved(Str status)
{
    return !str_contains(status, STR("❌")) && status.length > 0 && !str_is(status, "TODO") &&
           !str_is(status, "todo") && !str_is(status, "未实现") && !str_is(status, "WIP");
}

/* Cells and status of a row that lies in `text`. */
static InventoryRow read_row(Arena *arena, Str text, Str row, uint32_t line)
{
    size_t start = (size_t)(row.at - text.at);
    InventoryRow out = {line, start, start + row.length, start, start + row.length, STR(""),
                        {0},  false};
    while (row.length > 0 && row.at[0] == '|') {
        row = str_slice(row, 1, row.length);
    }
    while (row.length > 0 && row.at[row.length - 1] == '|') {
        row.length--;
    }
    for (size_t at = 0; at <= row.length;) {
        size_t bar = str_find(row, STR("|"), at);
        size_t end = bar == SIZE_MAX ? row.length : bar;
        Str cell = text_trim(str_slice(row, at, end));
        VEC_PUSH(arena, &out.cells, cell);
        if (cell.length > 0) {
            out.status = cell;
            out.status_start = (size_t)(cell.at - text.at);
            out.status_end = out.status_start + cell.length;
        }
        at = end + 1;
    }
    out.resolved = is_resolved(out.status);
    return out;
}

Inventory memory_inventory(Arena *arena, Str text)
{
    Inventory inventory = {.found = announces_inventory(text)};
    bool has_header = false, has_separator = false;
    uint32_t number = 0;
    Str line;
    for (size_t at = 0; inventory.found && text_next_line(text, &at, &line);) {
        number++;
        if (inventory.heading == 0) {
            inventory.heading = is_inventory_heading(line, 0) ? number : 0;
            continue;
        }
        if (second_level(line, 0, true) > 0) {
            break;
        }
        Str row = text_trim(line);
        if (row.length == 0 || row.at[0] != '|' || row.at[row.length - 1] != '|') {
            continue;
        }
        if (!has_header) {
            has_header = true;
        } else if (!has_separator && is_separator(row)) {
            has_separator = true;
        } else {
            VEC_PUSH(arena, &inventory.rows, read_row(arena, text, row, number));
        }
    }
    return inventory;
}

/* --- self-review */

const char *const review_keywords[REVIEW_KEYWORD_COUNT] = {
    "signature", "output", "view", "inventory", "for ... in range", "exactly once",
};

/* The offset after the heading of `phase` ("m2") that begins at `at`, or 0. */
static size_t review_heading(Str text, size_t at, const char *phase)
{
    size_t here = second_level(text, at, true);
    if (here == 0 || !skip_words(text, &here, "phase")) {
        return 0;
    }
    size_t words = text_skip_space(text, here);
    if (words == here || !skip_words(text, &words, phase)) {
        return 0;
    }
    size_t rest = text_skip_space(text, words);
    return rest > words && skip_words(text, &rest, "self-review") ? rest : 0;
}

/* Length of the mark at `at` (one of the six), or 0. */
static size_t mark_length(Str text, size_t at)
{
    static const char *const marks[] = {" ", "x", "X", "✓", "✗", "❌"};
    Str rest = str_slice(text, at, text.length);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (str_starts(rest, str_from(marks[i]))) {
            return strlen(marks[i]);
        }
    }
    return 0;
}

/* An item that begins at `*at` (the dash). If there is none, `*at` does not move. */
static bool read_item(Str section, size_t *at, ReviewItem *item)
{
    size_t box = text_skip_space(section, *at + 1);
    if (box == *at + 1 || box >= section.length || section.at[box] != '[') {
        return false;
    }
    size_t length = mark_length(section, box + 1), close = box + 1 + length;
    if (length == 0 || close >= section.length || section.at[close] != ']') {
        return false;
    }
    size_t text = text_skip_space(section, close + 1);
    if (text == close + 1) {
        return false;
    }
    item->box_start = box;
    item->box_end = close + 1;
    item->mark = str_slice(section, box + 1, close);
    item->done = str_is(item->mark, "x") || str_is(item->mark, "X") || str_is(item->mark, "✓");
    item->text = STR("");
    *at = text;
    text_next_line(section, at, &item->text);
    return true;
}

/* `section` ends where the review ends, and begins where the document does: offsets are the
 * document's. */
static void read_items(Arena *arena, Review *review, Str section, size_t start)
{
    LineCounter counter = {section, 0, 1};
    for (size_t at = start; at < section.length;) {
        size_t dash = text_skip_space(section, at);
        ReviewItem item = {0};
        at = dash;
        if (dash < section.length && (section.at[dash] == '-' || section.at[dash] == '*') &&
            read_item(section, &at, &item)) {
            item.line = line_counter_at(&counter, dash);
            VEC_PUSH(arena, &review->items, item);
            continue;
        }
        Str line;
        at = dash;
        text_next_line(section, &at, &line);
    }
}

/* Start of the first line at or after `at` (inside a line) that is `##` and white space. */
static size_t review_end(Str text, size_t at)
{
    Str line;
    while (text_next_line(text, &at, &line)) {
        if (at < text.length && second_level(text, at, false) > 0) {
            return at;
        }
    }
    return text.length;
}

Review memory_review(Arena *arena, Str text, int phase)
{
    Review review = {0};
    const char *name = str_format(arena, "m%d", phase).at;
    uint32_t number = 0;
    Str line;
    for (size_t at = 0; at < text.length;) {
        size_t start = at;
        text_next_line(text, &at, &line);
        number++;
        size_t behind = text_trim(line).length == 0 ? 0 : review_heading(text, start, name);
        if (behind > 0) {
            review.heading = number;
            size_t items = behind;
            text_next_line(text, &items, &line);
            Str section = str_slice(text, 0, review_end(text, behind));
            read_items(arena, &review, section, items);
            break;
        }
    }
    return review;
}

const ReviewItem *review_item(const Review *review, const char *keyword)
{
    for (uint32_t i = 0; i < review->items.count; i++) {
        if (text_contains_folded(review->items.items[i].text, str_from(keyword))) {
            return &review->items.items[i];
        }
    }
    return NULL;
}

/* --- module count */

static int64_t number_at(Str text, size_t at)
{
    int64_t value = 0;
    for (; at < text.length && is_digit(text.at[at]); at++) {
        int64_t digit = text.at[at] - '0';
        value = value > (INT64_MAX - digit) / 10 ? INT64_MAX : value * 10 + digit;
    }
    return value;
}

static const Str count_key = {"module_count", sizeof "module_count" - 1};

/* Offset of the digits when `module_count`, `sign` and digits stand at `at`, white space between,
 * else 0. */
static size_t count_at(Str text, size_t at, char sign)
{
    at = text_skip_space(text, at + count_key.length);
    if (at >= text.length || text.at[at] != sign) {
        return 0;
    }
    at = text_skip_space(text, at + 1);
    return at < text.length && is_digit(text.at[at]) ? at : 0;
}

static ModuleCount count_found(Str text, size_t at, size_t digits, bool in_design)
{
    LineCounter counter = {text, 0, 1};
    return (ModuleCount){true, number_at(text, digits), in_design, line_counter_at(&counter, at)};
}

/* In DESIGN.md the statement must follow the word `Decision` with no digit between. */
static ModuleCount count_in_design(Str text)
{
    size_t decision = str_find(text, STR("Decision"), 0);
    size_t key = str_find(text, count_key, 0);
    while (decision != SIZE_MAX && key != SIZE_MAX) {
        size_t start = decision + sizeof "Decision" - 1, digit = start;
        while (digit < text.length && !is_digit(text.at[digit])) {
            digit++;
        }
        /* The last statement before the first digit is the one that may have it as its number. */
        for (; key != SIZE_MAX && key < digit; key = str_find(text, count_key, key + 1)) {
            if (key > start && count_at(text, key, '=') == digit && digit < text.length) {
                return count_found(text, key, digit, true);
            }
        }
        decision = str_find(text, STR("Decision"), digit);
    }
    return (ModuleCount){0};
}

ModuleCount module_count_read(Str memory, Str design)
{
    for (size_t key = str_find(memory, count_key, 0); key != SIZE_MAX;
         key = str_find(memory, count_key, key + 1)) {
        size_t digits = count_at(memory, key, ':');
        if (digits > 0) {
            return count_found(memory, key, digits, false);
        }
    }
    return count_in_design(design);
}
