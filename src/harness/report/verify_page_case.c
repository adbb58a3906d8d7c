/* A failing case in the page of `verify --html`; see verify_page_case.h. Maps are drawings in the
 * page, so that it needs no script. */
#include "harness/report/verify_page_case.h"

#include "base/file.h"
#include "report/page.h"
#include "report/report_common.h"

enum {
    MOST_MAPS = 60,            /* drawings in a page */
    MOST_WARNINGS = 30,        /* of the simulator, of a case */
    CELL = 6,                  /* edge of a cell of a map, in pixels of the drawing */
    CONTEXT = 3,               /* lines of source above and below */
    MOST_SOURCE = 1024 * 1024, /* bytes of a file that is shown */
    MOST_LINE = 500,           /* bytes of a line */
};

const char *page_say(const VerifyPage *page, const char *en, const char *zh)
{
    return words(page->lang, en, zh);
}

void page_text_add(VerifyPage *page, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (json_is_string(value)) {
        xml_add(page->out, (Str){json_string_value(value), json_string_length(value)});
    }
}

/* One line of the list about an output, left out where there is nothing to say. */
static void add_fact(VerifyPage *page, const char *term, Str text)
{
    if (text.length > 0) {
        buf_addf(page->out, "<dt>%s</dt><dd>", term);
        xml_add(page->out, text);
        buf_add(page->out, STR("</dd>\n"));
    }
}

/* ---- maps */

/* Rows of the tensor as the map has them: all axes but the last. */
static uint64_t rows_of(const LeafPlaces *places)
{
    uint64_t rows = 1;
    for (uint32_t i = 0; i + 1 < places->rank; i++) {
        rows = places->axes[i].extent > 0 && rows > UINT64_MAX / places->axes[i].extent
                   ? UINT64_MAX
                   : rows * places->axes[i].extent;
    }
    return rows;
}

/* The elements that nothing wrote, when they are a box. */
typedef struct Unwritten {
    const OutputOrigin *origin; /* NULL: no such box is known */
    uint64_t rows, columns;     /* of the tensor */
    uint64_t down, across;      /* of the map */
} Unwritten;

static Unwritten unwritten_of(const CaseResult *result, const Leaf *leaf, uint64_t down)
{
    const OutputOrigin *origin = provenance_of(&result->provenance, leaf->name);
    const LeafPlaces *places = leaf->places;
    uint64_t rows = rows_of(places), columns = places->axes[places->rank - 1].extent;
    bool countable =
        rows <= UINT64_MAX / (down + 1) && columns <= UINT64_MAX / (places->map_columns + 1);
    if (origin == NULL || origin->never.count != places->rank || leaf->never_written == 0 ||
        !countable) {
        return (Unwritten){0};
    }
    uint64_t box = 1;
    for (uint32_t i = 0; i < origin->never.count; i++) {
        const AxisBounds *bounds = &origin->never.items[i];
        box *= (uint64_t)(bounds->last - bounds->first + 1);
    }
    return (Unwritten){box == leaf->never_written ? origin : NULL, rows, columns, down,
                       places->map_columns};
}

/* The first of `count` elements that the cell stands for: src/sim/kernels/places_map.c puts element
 * i into the cell i * cells / count. */
static uint64_t first_of_cell(uint64_t cell, uint64_t count, uint64_t cells)
{
    return (cell * count + cells - 1) / cells;
}

/* Does the first element of a cell lie in the box? Its elements are not finite, so that it is
 * memory that nothing wrote. */
static bool is_unwritten(const Unwritten *unwritten, size_t y, size_t x)
{
    if (unwritten->origin == NULL) {
        return false;
    }
    uint64_t row = first_of_cell(y, unwritten->rows, unwritten->down);
    uint64_t column = first_of_cell(x, unwritten->columns, unwritten->across);
    uint32_t rank = unwritten->origin->never.count;
    for (uint32_t i = rank; i-- > 0;) {
        const AxisBounds *bounds = &unwritten->origin->never.items[i];
        uint64_t extent = (uint64_t)bounds->extent;
        uint64_t at = i + 1 == rank ? column : row % extent;
        row = i + 1 == rank ? row : row / extent;
        if (at < (uint64_t)bounds->first || at > (uint64_t)bounds->last) {
            return false;
        }
    }
    return true;
}

/* One row of a map: neighbours of one kind are one rectangle. */
static void add_map_row(Buf *out, Str row, size_t y, const Unwritten *unwritten)
{
    for (size_t x = 0; x < row.length;) {
        bool never = row.at[x] == 'n' && is_unwritten(unwritten, y, x);
        size_t end = x + 1;
        while (end < row.length && row.at[end] == row.at[x] &&
               (row.at[x] != 'n' || is_unwritten(unwritten, y, end) == never)) {
            end++;
        }
        if (row.at[x] != '.') {
            buf_addf(out, "<rect class=\"m%c\" x=\"%zu\" y=\"%zu\" width=\"%zu\" height=\"%d\"/>",
                     never ? 'u' : row.at[x], x * CELL, y * CELL, (end - x) * CELL, CELL);
        }
        x = end;
    }
}

void page_legend_add(VerifyPage *page)
{
    buf_add(page->out, STR("<p class=\"soft legend\">"));
    for (int level = '1'; level <= '9'; level++) {
        buf_addf(page->out,
                 "<svg width=\"14\" height=\"14\" aria-hidden=\"true\"><rect class=\"m%c\" "
                 "width=\"14\" height=\"14\"/></svg> ",
                 level);
    }
    buf_addf(
        page->out,
        "%s <svg width=\"14\" height=\"14\" aria-hidden=\"true\"><rect class=\"mn\" width=\"14\" "
        "height=\"14\"/></svg> %s <svg width=\"14\" height=\"14\" aria-hidden=\"true\"><rect class=\"mu\" "
        "width=\"14\" height=\"14\"/></svg> %s</p>\n",
        page_say(page, "up to 2, 4, 8 … 256 times and more than the tolerance;",
                 "容差的 2、4、8 … 256 倍及以上；"),
        page_say(page, "NaN or infinite;", "NaN 或无穷；"),
        page_say(page, "never written", "从未写入"));
}

/* What is down, what is across, and how much a cell stands for. */
static void add_caption(VerifyPage *page, const LeafPlaces *places, uint64_t down)
{
    uint64_t rows = rows_of(places), columns = places->axes[places->rank - 1].extent;
    uint64_t high = (rows + down - 1) / down;
    uint64_t wide = (columns + places->map_columns - 1) / places->map_columns;
    buf_addf(
        page->out,
        page_say(
            page,
            "<p class=\"soft\">%llu rows down, %llu columns across; a cell is the worst of up to "
            "%llu × %llu elements.</p>\n",
            "<p class=\"soft\">向下 %llu 行，向右 %llu 列；每格为至多 %llu × %llu "
            "个元素中最差的。</p>\n"),
        (unsigned long long)rows, (unsigned long long)columns, (unsigned long long)high,
        (unsigned long long)wide);
}

static void add_map(VerifyPage *page, const CaseResult *result, const Leaf *leaf)
{
    const LeafPlaces *places = leaf->places;
    Buf *out = page->out;
    if (places == NULL || places->map.length == 0 || places->map_columns == 0) {
        return;
    }
    if (page->maps++ >= MOST_MAPS) {
        buf_addf(out, "<p class=\"soft\">%s</p>\n",
                 page_say(page, "Its map is left out.", "其差异图从略。"));
        return;
    }
    size_t columns = (size_t)places->map_columns, rows = places->map.length / columns;
    Unwritten unwritten = unwritten_of(result, leaf, rows);
    size_t width = columns * CELL, height = rows * CELL;
    buf_addf(
        out,
        "<svg class=\"map\" role=\"img\" aria-label=\"%s\" width=\"%zu\" height=\"%zu\" "
        "viewBox=\"0 0 %zu %zu\"><rect class=\"field\" width=\"%zu\" height=\"%zu\"/>",
        page_say(page, "Map of differences: rows down, columns across", "差异图：行向下，列向右"),
        width, height, width, height, width, height);
    for (size_t y = 0; y < rows; y++) {
        add_map_row(out, str_slice(places->map, y * columns, (y + 1) * columns), y, &unwritten);
    }
    buf_add(out, STR("</svg>\n"));
    add_caption(page, places, rows);
}

/* ---- lines of the kernel */

/* The file as it may be shown: Python of the operator, but no reference, inputs or test. The place
 * was checked by the worker's judge; what the path leads to may have changed since. */
static bool read_kernel(const VerifyPage *page, Str file, Str *text)
{
    const Verification *run = page->verification;
    Arena *arena = page->out->arena;
    bool is_apart = str_equal(file, path_basename(run->impl)); /* --impl in another folder */
    Str inside = path_join(arena, run->op_dir, file);
    Str path = path_real(arena, is_apart && !file_exists(inside.at) ? run->impl : inside);
    bool is_impl = run->impl.length > 0 && str_equal(path, path_real(arena, run->impl));
    bool is_below = str_starts(path, run->op_dir) && path.length > run->op_dir.length &&
                    path.at[run->op_dir.length] == '/';
    const Str hidden[] = {run->golden, run->reference, run->inputs, run->test_file};
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++) {
        if (hidden[i].length > 0 && str_equal(path, path_real(arena, hidden[i]))) {
            return false;
        }
    }
    Str error = STR("");
    return (is_impl || is_below) && str_ends(path, STR(".py")) &&
           !str_ends(path, STR("_golden.py")) &&
           file_read(arena, str_dup(arena, path), MOST_SOURCE, text, &error) == FILE_OK;
}

/* The line with some around it. */
static void add_source(VerifyPage *page, SourcePlace place)
{
    Str text = STR("");
    Buf *out = page->out;
    if (place.line == 0 || !read_kernel(page, place.file, &text)) {
        return;
    }
    buf_add(out, STR("<pre class=\"source\" tabindex=\"0\">"));
    size_t at = 0;
    for (uint32_t number = 1; at < text.length && number <= place.line + CONTEXT; number++) {
        size_t stop = str_find(text, STR("\n"), at);
        Str line = str_slice(text, at, stop);
        if (number + CONTEXT >= place.line) {
            buf_addf(out, "<span class=\"row%s\"><span class=\"number\">%u</span>",
                     number == place.line ? " here" : "", number);
            page_code(out, str_slice(line, 0, line.length < MOST_LINE ? line.length : MOST_LINE));
            buf_add(out, STR("</span>"));
        }
        at = stop == SIZE_MAX ? text.length : stop + 1;
    }
    buf_add(out, STR("</pre>\n"));
}

/* ---- an output */

static void add_shape(VerifyPage *page, const LeafShape *shape)
{
    buf_add_char(page->out, '[');
    for (uint32_t i = 0; i < shape->rank; i++) {
        buf_addf(page->out, "%s%lld", i == 0 ? "" : ", ", (long long)shape->extents[i]);
    }
    buf_add(page->out, STR("] "));
}

static Str likeness_of(const VerifyPage *page, const Leaf *leaf)
{
    Buf text = {.arena = page->out->arena};
    if (leaf->places != NULL) {
        leaf_places_add_likeness(&text, leaf->places, leaf->equals, page->lang);
    }
    return buf_str(&text);
}

static Str pattern_of(const VerifyPage *page, const Leaf *leaf)
{
    Buf text = {.arena = page->out->arena};
    if (leaf->structure.length > 0) {
        return leaf->structure;
    }
    if (leaf->places != NULL) {
        leaf_places_add_where(&text, leaf->places, page->lang);
        buf_add(&text, STR("; "));
        leaf_places_add_indices(&text, leaf->places, page->lang);
    }
    return buf_str(&text);
}

/* How many elements, by how much, and what was allowed. */
static Str tolerance_of(const VerifyPage *page, const Leaf *leaf, const SuiteCase *source)
{
    Buf text = {.arena = page->out->arena};
    buf_addf(&text,
             page_say(page, "%llu of %llu elements beyond atol %g, rtol %g",
                      "%llu / %llu 个元素超出 atol %g、rtol %g"),
             (unsigned long long)leaf->out_of_tolerance, (unsigned long long)leaf->elements,
             source->atol, source->rtol);
    if (leaf->max_abs_diff.known) {
        buf_addf(&text, page_say(page, "; the largest difference is %.3g", "；最大差异 %.3g"),
                 leaf->max_abs_diff.value);
    }
    if (leaf->nonfinite > 0) {
        buf_addf(&text, page_say(page, "; NaN or infinite: %llu", "；NaN 或无穷：%llu"),
                 (unsigned long long)leaf->nonfinite);
    }
    return buf_str(&text);
}

static const BlameWriter *writer_of(const Blame *blame, uint32_t output)
{
    for (uint32_t i = 0; i < blame->writer_count; i++) {
        if (blame->writers[i].output == output) {
            return &blame->writers[i];
        }
    }
    return NULL;
}

static void add_output(VerifyPage *page, const CaseResult *result, uint32_t number,
                       const SuiteCase *source)
{
    Buf *out = page->out;
    const Leaf *leaf = &result->leaves.items[number];
    buf_add(out, STR("<h4 class=\"text\">"));
    xml_add(out, leaf->output);
    buf_add(out, STR(" <span class=\"code\">"));
    xml_add(out, leaf->name);
    buf_add_char(out, ' ');
    add_shape(page, &leaf->shape);
    xml_add(out, leaf->dtype);
    buf_add(out, STR("</span></h4>\n<dl>\n"));
    add_fact(page, page_say(page, "where", "位置"), pattern_of(page, leaf));
    add_fact(page, page_say(page, "looks like", "表现"), likeness_of(page, leaf));
    add_fact(page, page_say(page, "never written", "从未写入"), leaf->never);
    if (leaf->structure.length == 0) {
        add_fact(page, page_say(page, "tolerance", "容差"), tolerance_of(page, leaf, source));
    }
    const BlameWriter *writer = writer_of(&result->blame, number);
    if (writer != NULL) {
        Buf text = {.arena = out->arena};
        blame_add_writer(&text, writer, page->lang);
        add_fact(page, page_say(page, "worst element written by", "最差元素的写入处"),
                 buf_str(&text));
    }
    buf_add(out, STR("</dl>\n"));
    add_map(page, result, leaf);
    if (writer != NULL && writer->place.line != result->blame.place.line) {
        add_source(page, writer->place);
    }
}

/* ---- the case */

static void add_warnings(VerifyPage *page, const json_t *check)
{
    const json_t *warnings = json_object_get(check, "warnings");
    for (size_t i = 0; i < json_array_size(warnings) && i < MOST_WARNINGS; i++) {
        buf_addf(page->out, "<p class=\"text\"><span class=\"tag warn\">%s</span> ",
                 page_say(page, "Simulator", "模拟器"));
        page_text_add(page, json_array_get(warnings, i), "warning");
        buf_add(page->out, STR("</p>\n"));
    }
}

/* Which line of the kernel makes it wrong, if somebody searched. */
static void add_blame(VerifyPage *page, const Blame *blame)
{
    if (blame->status == BLAME_NONE) {
        return;
    }
    Buf text = {.arena = page->out->arena};
    blame_add(&text, blame, page->lang);
    buf_addf(page->out, "<p class=\"text\"><strong>%s</strong> ",
             page_say(page, "Blame:", "定位："));
    xml_add(page->out, buf_str(&text));
    buf_add(page->out, STR("</p>\n"));
    if (blame->status == BLAME_FOUND) {
        add_source(page, blame->place);
    }
    for (uint32_t i = 0; blame->status == BLAME_UNSURE && i < blame->candidate_count; i++) {
        add_source(page, blame->candidates[i]);
    }
}

/* The results of a case; NULL when the report names one that did not run. */
static const CaseModes *modes_of(const VerifyPage *page, const json_t *check)
{
    const Verification *verification = page->verification;
    const char *id = json_string_value(json_object_get(check, "id"));
    for (uint32_t i = 0; id != NULL && i < verification->cases.count; i++) {
        if (str_is(verification->results[i].source->id, id)) {
            return &verification->results[i];
        }
    }
    return NULL;
}

static void add_mode(VerifyPage *page, const CaseModes *modes, Mode mode)
{
    const CaseResult *result = &modes->by_mode[mode];
    if (result->verdict != VERDICT_FAIL && result->verdict != VERDICT_ERROR) {
        return;
    }
    add_blame(page, &result->blame);
    for (uint32_t i = 0; i < result->leaves.count; i++) {
        const Leaf *leaf = &result->leaves.items[i];
        if (leaf->structure.length > 0 || (leaf->judged && !leaf->all_close)) {
            add_output(page, result, i, modes->source);
        }
    }
    if (result->leaves.count == 0) { /* it raised: where */
        add_source(page, result->raised_at);
    }
}

void page_case_add(VerifyPage *page, const json_t *check, size_t number)
{
    Buf *out = page->out;
    buf_addf(out, "<article class=\"card\" id=\"case-%zu\">\n<h3>", number);
    page_text_add(page, check, "id");
    buf_add_char(out, ' ');
    page_text_add(page, check, "level");
    buf_add(out, STR("</h3>\n"));
    const json_t *failures = json_object_get(check, "failures");
    for (size_t i = 0; i < json_array_size(failures); i++) {
        const json_t *failure = json_array_get(failures, i);
        buf_add(out, STR("<p class=\"text\"><span class=\"tag fail\">"));
        page_text_add(page, failure, "mode");
        buf_add(out, STR("</span> "));
        page_text_add(page, failure, "summary");
        buf_add(out, STR("</p>\n"));
    }
    const CaseModes *modes = modes_of(page, check);
    for (int mode = 0; modes != NULL && mode < MODE_COUNT; mode++) {
        add_mode(page, modes, (Mode)mode);
    }
    add_warnings(page, check);
    buf_add(out, STR("</article>\n"));
}
