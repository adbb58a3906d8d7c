/* The map of the differences of an output in the page of `verify --html`; see verify_page_case.h.
 * It is a drawing in the page, so that it needs no script. */
#include "harness/report/verify_page_case.h"

enum {
    MOST_MAPS = 60,   /* drawings in a page */
    CELL = 6,         /* edge of a cell of a map, in pixels of the drawing */
    SHOWN_EDGE = 400, /* pixels up to which a small map is enlarged */
    MOST_SCALE = 3,
};

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

/* Writes what the vertical and the horizontal axis are, and how many elements a cell represents. */
static void add_caption(VerifyPage *page, const LeafPlaces *places, uint64_t down)
{
    Buf axes = {.arena = page->out->arena}; /* that run down: "16 × 3" */
    for (uint32_t i = 0; i + 1 < places->rank; i++) {
        buf_addf(&axes, "%s%llu", i > 0 ? " × " : "", (unsigned long long)places->axes[i].extent);
    }
    uint64_t rows = rows_of(places), columns = places->axes[places->rank - 1].extent;
    uint64_t high = (rows + down - 1) / down;
    uint64_t wide = (columns + places->map_columns - 1) / places->map_columns;
    buf_addf(page->out,
             page_say(page, "<p class=\"soft\">Down: %s %s; across: %llu %s; ",
                      "<p class=\"soft\">向下 %s %s，向右 %llu %s；"),
             places->rank > 1 ? str_dup(page->out->arena, buf_str(&axes)) : "1",
             places->rank > 2 ? page_say(page, "(all axes but the last)", "（除最后一维外的各维）")
                              : page_say(page, rows == 1 ? "row" : "rows", "行"),
             (unsigned long long)columns,
             page_say(page, columns == 1 ? "column" : "columns", "列"));
    if (high == 1 && wide == 1) {
        buf_add(page->out,
                str_from(page_say(page, "a cell is one element.</p>\n", "每格为一个元素。</p>\n")));
    } else {
        buf_addf(page->out,
                 page_say(page, "a cell is the worst of up to %llu × %llu elements.</p>\n",
                          "每格为至多 %llu × %llu 个元素中最差的。</p>\n"),
                 (unsigned long long)high, (unsigned long long)wide);
    }
}

/* How much larger than its drawing a map is shown: a small one would be hard to see. */
static size_t scale_of(size_t width, size_t height)
{
    size_t most = SHOWN_EDGE / (width > height ? width : height);
    return most < 1 ? 1 : most > MOST_SCALE ? MOST_SCALE : most;
}

void page_map_add(VerifyPage *page, const CaseResult *result, const Leaf *leaf)
{
    const LeafPlaces *places = leaf->places;
    Buf *out = page->out;
    if (places == NULL || places->map_columns == 0) {
        return;
    }
    size_t columns = (size_t)places->map_columns, rows = places->map.length / columns;
    if (rows == 0) {
        return;
    }
    if (page->maps++ >= MOST_MAPS) {
        buf_addf(out, "<p class=\"soft\">%s</p>\n",
                 page_say(page, "Its map is left out.", "其差异图从略。"));
        return;
    }
    Unwritten unwritten = unwritten_of(result, leaf, rows);
    size_t width = columns * CELL, height = rows * CELL, scale = scale_of(width, height);
    buf_addf(
        out,
        "<svg class=\"map\" role=\"img\" aria-label=\"%s\" width=\"%zu\" height=\"%zu\" "
        "viewBox=\"0 0 %zu %zu\" shape-rendering=\"crispEdges\"><rect class=\"field\" width=\"%zu\" height=\"%zu\"/>",
        page_say(page, "Map of differences: rows down, columns across", "差异图：行向下，列向右"),
        width * scale, height * scale, width, height, width, height);
    for (size_t y = 0; y < rows; y++) {
        add_map_row(out, str_slice(places->map, y * columns, (y + 1) * columns), y, &unwritten);
    }
    buf_add(out, STR("</svg>\n"));
    add_caption(page, places, rows);
}
