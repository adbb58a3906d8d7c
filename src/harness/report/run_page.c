/* The page of `run --html`; see run_page.h. The tables are made here, so that they can be read
 * without scripts; the scripts in src/page/run draw the rest from the same numbers. */
#include "harness/report/run_page.h"

#include "base/file.h"
#include "document/json.h"
#include "harness/report/run_page_views.h"
#include "report/page.h"
#include "report/report_common.h"

#include <stdlib.h>

enum {
    PIPES = 6,                 /* of a profile */
    MOST_SOURCE = 1024 * 1024, /* bytes of a file that is shown */
    MOST_LINES = 4000,         /* of it */
    MOST_ROWS = 60,            /* of the table of lines */
};

/* A row of "lines" in a profile. */
typedef struct CostLine {
    Str path;
    int64_t line, operations;
    double busy[PIPES], in_bytes, out_bytes, flops;
    double cycles;   /* of all pipes */
    int64_t file;    /* number of its path; with the line it makes an address in the page */
    bool has_source; /* the page shows the line */
} CostLine;

typedef struct Maker {
    Buf *out;
    const RunPage *page;
    json_t *root;
    VEC(CostLine) lines;
    double busy[PIPES], cycles;
    double all_cycles; /* busy cycles of all pipes */
} Maker;

static const char *say(const Maker *maker, const char *en, const char *zh)
{
    return words(maker->page->lang, en, zh);
}

static Str text_at(Arena *arena, const json_t *array, size_t index)
{
    const json_t *text = json_array_get(array, index);
    return json_is_string(text)
               ? str_copy(arena, (Str){json_string_value(text), json_string_length(text)})
               : STR("");
}

static Str key_text(Maker *maker, const char *key)
{
    Str text = STR("");
    json_text_at(maker->out->arena, maker->root, key, &text);
    return text;
}

/* ---- reading */

/* A count in a row; 0 for anything else. The program that ran could have written the profile. */
static int64_t whole_at(const json_t *row, size_t index)
{
    const json_t *value = json_array_get(row, index);
    return json_is_integer(value) && json_integer_value(value) > 0 ? json_integer_value(value) : 0;
}

static void read_lines(Maker *maker)
{
    Arena *arena = maker->out->arena;
    const json_t *names = json_object_get(maker->root, "names");
    const json_t *rows = json_object_get(maker->root, "lines");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        double number[PIPES + 6] = {0};
        for (size_t k = 0; k < PIPES + 6; k++) {
            number[k] = json_number_value(json_array_get(row, k));
        }
        CostLine line = {.path = text_at(arena, names, (size_t)whole_at(row, 0)),
                         .file = whole_at(row, 0),
                         .line = whole_at(row, 1),
                         .operations = whole_at(row, 2),
                         .in_bytes = number[PIPES + 3],
                         .out_bytes = number[PIPES + 4],
                         .flops = number[PIPES + 5]};
        for (int pipe = 0; pipe < PIPES; pipe++) {
            line.busy[pipe] = number[3 + pipe];
            line.cycles += line.busy[pipe];
        }
        VEC_PUSH(arena, &maker->lines, line);
    }
    const json_t *busy = json_object_get(maker->root, "busy");
    for (size_t i = 0; i < PIPES; i++) {
        maker->busy[i] = json_number_value(json_array_get(busy, i));
        maker->all_cycles += maker->busy[i];
    }
    maker->cycles = json_number_value(json_object_get(maker->root, "cycles"));
}

static int by_cycles(const void *left, const void *right)
{
    const CostLine *a = left, *b = right;
    if (a->cycles != b->cycles) {
        return a->cycles < b->cycles ? 1 : -1;
    }
    int paths = str_compare(a->path, b->path);
    return paths != 0 ? paths : a->line < b->line ? -1 : a->line > b->line;
}

static int by_place(const void *left, const void *right)
{
    const CostLine *a = left, *b = right;
    int paths = str_compare(a->path, b->path);
    return paths != 0 ? paths : a->line < b->line ? -1 : a->line > b->line;
}

static void sort_lines(Maker *maker, int (*order)(const void *, const void *))
{
    if (maker->lines.count > 0) {
        qsort(maker->lines.items, maker->lines.count, sizeof *maker->lines.items, order);
    }
}

/* A count with its thousands set apart, as the script writes it. */
static void add_count(Buf *out, double count)
{
    char digits[32];
    int length = snprintf(digits, sizeof digits, "%.0f", count);
    for (int i = 0; i < length && i < (int)sizeof digits - 1; i++) {
        if (i > 0 && (length - i) % 3 == 0 && digits[i - 1] != '-') {
            buf_add_char(out, ',');
        }
        buf_add_char(out, digits[i]);
    }
}

static void add_count_cell(Buf *out, double count)
{
    buf_add(out, STR("<td class=\"number\">"));
    add_count(out, count);
    buf_add(out, STR("</td>"));
}

static double share(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

/* ---- tables */

static void add_verdict(Maker *maker)
{
    Buf *out = maker->out;
    bool good = maker->page->status == 0;
    buf_addf(out, "<p class=\"verdict %s text\">", good ? "pass" : "fail");
    xml_add(out, maker->page->program);
    if (maker->page->status < 0) {
        buf_add(out,
                str_from(say(maker, " was ended before it was done. ", " 未运行完即被终止。")));
    } else {
        buf_addf(out, say(maker, " ended with status %d. ", " 以状态 %d 结束。"),
                 maker->page->status);
    }
    if (maker->root == NULL) {
        buf_add(out, str_from(say(maker, "It launched no kernel.", "没有启动任何 kernel。")));
    } else {
        uint64_t launches = json_count_at(maker->root, "launches");
        buf_addf(
            out,
            say(maker, launches == 1 ? "%llu launch, " : "%llu launches, ", "%llu 次启动，共 "),
            (unsigned long long)launches);
        add_count(out, maker->cycles);
        buf_add(out, str_from(say(maker, " cycles on one core of a ", " 个周期，单核 ")));
        xml_add(out, key_text(maker, "soc"));
        buf_add(out, str_from(say(maker, ", estimated by the simulator's cost model, not measured.",
                                  "（按模拟器的代价模型估算，并非实测）。")));
    }
    buf_add(out, STR("</p>\n"));
}

static void add_meter(Buf *out, double percent)
{
    double shown = percent < 0 ? 0 : percent > 100 ? 100 : percent;
    buf_addf(out, "<meter min=\"0\" max=\"100\" value=\"%.1f\">%.1f %%</meter> %.1f %%", shown,
             percent, percent);
}

static void add_limit(Maker *maker, const json_t *pipes)
{
    static const Text advice[PIPES] = {
        {"Loads from memory take most of the time: load less, or larger tiles, or keep tensors on the "
         "chip between operations.",
         "从内存加载占用了大部分时间：减少加载、增大 tile，或让张量在运算之间留在片上。"},
        {"Moving tiles from L1 to L0 takes most of the time: a larger L0 tile of k moves less.",
         "L1 到 L0 的搬运占用了大部分时间：增大 k 方向的 L0 tile 可减少搬运。"},
        {"The cube unit is busy most of the time: this is what a product should look like.",
         "cube 单元大部分时间忙碌：矩阵乘法本应如此。"},
        {"Writing products out of L0C takes most of the time.",
         "从 L0C 写出结果占用了大部分时间。"},
        {"The vector unit is busy most of the time: fewer or fused operations, 16-bit types and fuller "
         "tiles help.",
         "vector 单元大部分时间忙碌：减少或融合运算、使用 16 位类型、让 tile 更满会有帮助。"},
        {"Stores to memory take most of the time: store less, or in larger tiles.",
         "写回内存占用了大部分时间：减少写回或增大 tile。"}};
    int most = 0;
    for (int i = 1; i < PIPES; i++) {
        most = maker->busy[i] > maker->busy[most] ? i : most;
    }
    double percent = share(maker->busy[most], maker->cycles);
    if (maker->cycles <= 0) {
        return;
    }
    buf_add(maker->out, STR("<p><strong>"));
    if (percent < 50) {
        buf_add(
            maker->out,
            str_from(say(maker, "No unit is busy half of the time: operations wait for each other.",
                         "没有单元忙碌超过一半时间：运算在相互等待。")));
        buf_add(maker->out, STR("</strong></p>\n"));
        return;
    }
    xml_add(maker->out, text_at(maker->out->arena, pipes, (size_t)most));
    buf_addf(maker->out, ": %.1f %%.</strong> %s</p>\n", percent,
             text_in(maker->page->lang, advice[most]));
}

static void add_units(Maker *maker)
{
    Buf *out = maker->out;
    const json_t *pipes = json_object_get(maker->root, "pipes");
    buf_addf(out, "<h2>%s</h2>\n", say(maker, "What limits it", "瓶颈"));
    add_limit(maker, pipes);
    buf_addf(
        out,
        "<div class=\"scroll\"><table>\n<tr><th>%s</th><th class=\"number\">%s</th><th>%s</th></tr>\n",
        say(maker, "unit", "单元"), say(maker, "busy cycles", "忙碌周期"),
        say(maker, "share of the run", "占比"));
    for (int i = 0; i < PIPES; i++) {
        buf_add(out, STR("<tr><td>"));
        xml_add(out, text_at(out->arena, pipes, (size_t)i));
        buf_add(out, STR("</td>"));
        add_count_cell(out, maker->busy[i]);
        buf_add(out, STR("<td>"));
        add_meter(out, share(maker->busy[i], maker->cycles));
        buf_add(out, STR("</td></tr>\n"));
    }
    buf_add(out, STR("</table></div>\n"));
}

/* Its FLOPs a byte, and the unit that works longest for it. */
static void add_limit_of_line(Maker *maker, const CostLine *line)
{
    Buf *out = maker->out;
    double bytes = line->in_bytes + line->out_bytes;
    size_t most = 0;
    for (size_t i = 1; i < PIPES; i++) {
        most = line->busy[i] > line->busy[most] ? i : most;
    }
    if (bytes > 0) {
        buf_addf(out, "%.2f", line->flops / bytes);
    } else {
        buf_add(out, STR("–"));
    }
    buf_add(out, STR("</td><td>"));
    if (line->cycles > 0) {
        xml_add(out, text_at(out->arena, json_object_get(maker->root, "pipes"), most));
    }
    buf_add(out, STR("</td></tr>\n"));
}

/* The place of a line, a link if its source is on the page. */
static void add_place(Buf *out, const CostLine *line)
{
    buf_add(out, STR("<tr><td class=\"place text\">"));
    if (line->has_source) {
        buf_addf(out, "<a href=\"#line-%lld-%lld\">", (long long)line->file, (long long)line->line);
    }
    xml_add(out, line->path);
    buf_addf(out, ":%lld%s</td>", (long long)line->line, line->has_source ? "</a>" : "");
}

static void add_rest(Maker *maker, uint32_t free, uint32_t beyond)
{
    if (free > 0) {
        buf_addf(maker->out,
                 say(maker, "<p class=\"soft\">Lines that cost no cycles: %u.</p>\n",
                     "<p class=\"soft\">不耗费周期的行：%u。</p>\n"),
                 free);
    }
    if (beyond > 0) {
        buf_addf(maker->out,
                 say(maker, "<p class=\"soft\">%u more lines cost less.</p>\n",
                     "<p class=\"soft\">另有 %u 行代价更低。</p>\n"),
                 beyond);
    }
}

static void add_lines(Maker *maker)
{
    Buf *out = maker->out;
    sort_lines(maker, by_cycles);
    buf_addf(
        out,
        "<h2>%s</h2>\n<div class=\"scroll\"><table>\n<tr><th>%s</th><th class=\"number\">%s</th>"
        "<th class=\"number\">%s</th><th>%s</th><th class=\"number\">%s</th><th class=\"number\">%s</th>"
        "<th class=\"number\">%s</th><th class=\"number\">%s</th><th>%s</th></tr>\n",
        say(maker, "Lines by cost", "各行的代价"), say(maker, "line", "行"),
        say(maker, "operations", "运算数"), say(maker, "cycles", "周期"),
        say(maker, "share", "占比"), say(maker, "bytes in", "读入字节"),
        say(maker, "bytes out", "写出字节"), "FLOPs", say(maker, "FLOPs a byte", "FLOP / 字节"),
        say(maker, "mostly", "主要单元"));
    uint32_t costly = 0; /* the lines are sorted: those that cost nothing come last */
    while (costly < maker->lines.count && maker->lines.items[costly].cycles > 0) {
        costly++;
    }
    for (uint32_t i = 0; i < costly && i < MOST_ROWS; i++) {
        const CostLine *line = &maker->lines.items[i];
        add_place(out, line);
        add_count_cell(out, (double)line->operations);
        add_count_cell(out, line->cycles);
        buf_add(out, STR("<td>"));
        add_meter(out, share(line->cycles, maker->all_cycles));
        buf_add(out, STR("</td>"));
        add_count_cell(out, line->in_bytes);
        add_count_cell(out, line->out_bytes);
        add_count_cell(out, line->flops);
        buf_add(out, STR("<td class=\"number\">"));
        add_limit_of_line(maker, line);
    }
    buf_add(out, STR("</table></div>\n"));
    add_rest(maker, maker->lines.count - costly, costly > MOST_ROWS ? costly - MOST_ROWS : 0);
}

/* ---- source */

/* How strongly a line with this share of all cycles is marked. */
static const char *heat(double percent)
{
    return percent >= 10 ? " here" : percent >= 1 ? " some" : "";
}

static void add_source_line(Maker *maker, Str text, int64_t number, CostLine *cost)
{
    Buf *out = maker->out;
    double percent = cost != NULL ? share(cost->cycles, maker->all_cycles) : 0;
    buf_addf(out, "<span class=\"row%s\"", heat(percent));
    if (cost != NULL) {
        cost->has_source = true;
        buf_addf(out, " id=\"line-%lld-%lld\"", (long long)cost->file, (long long)cost->line);
    }
    buf_add(out, STR("><span class=\"cost\">"));
    if (cost != NULL && cost->cycles > 0) {
        add_count(out, cost->cycles);
        buf_addf(out, "  %5.1f %%", percent);
    }
    buf_addf(out, "</span><span class=\"number\">%lld</span>", (long long)number);
    page_code(out, text);
    buf_add(out, STR("</span>"));
}

/* One file; `from` is the first of its costs, `end` the one after the last. */
static void add_file(Maker *maker, uint32_t from, uint32_t end)
{
    Str path = maker->lines.items[from].path;
    Str text = STR(""), error = STR("");
    Buf *out = maker->out;
    if (file_read(out->arena, str_dup(out->arena, path), MOST_SOURCE, &text, &error) != FILE_OK) {
        return;
    }
    buf_add(out, STR("<h3 class=\"place\">"));
    xml_add(out, path);
    buf_add(out, STR("</h3>\n<pre class=\"source\" tabindex=\"0\">"));
    uint32_t next = from;
    size_t at = 0;
    for (int64_t number = 1; number <= MOST_LINES && at < text.length; number++) {
        size_t stop = str_find(text, STR("\n"), at);
        Str line = str_slice(text, at, stop);
        while (next < end && maker->lines.items[next].line < number) { /* of no line of the file */
            next++;
        }
        bool costs = next < end && maker->lines.items[next].line == number;
        add_source_line(maker, line, number, costs ? &maker->lines.items[next] : NULL);
        at = stop == SIZE_MAX ? text.length : stop + 1;
    }
    buf_add(out, STR("</pre>\n"));
}

static void add_sources(Maker *maker)
{
    sort_lines(maker, by_place);
    buf_addf(
        maker->out, "<h2>%s</h2>\n<p class=\"soft\">%s</p>\n",
        say(maker, "Source with cost", "源码与代价"),
        say(maker,
            "In the margin: cycles of all units, and their share. Lines at 1 % or more are marked, "
            "those at 10 % or more strongly.",
            "左侧：各单元周期之和及其占比。1 % 以上的行有标记，10 % 以上的行标记更深。"));
    for (uint32_t from = 0; from < maker->lines.count;) {
        uint32_t end = from;
        while (end < maker->lines.count &&
               str_equal(maker->lines.items[end].path, maker->lines.items[from].path)) {
            end++;
        }
        add_file(maker, from, end);
        from = end;
    }
}

static void add_content(void *argument)
{
    Maker *maker = argument;
    Buf *out = maker->out, sources = {.arena = out->arena};
    read_lines(maker);
    add_verdict(maker);
    uint64_t dropped = json_count_at(maker->root, "dropped");
    if (dropped > 0) {
        buf_addf(
            maker->out,
            say(maker,
                "<p class=\"verdict warn\">%llu events beyond the limit are in the sums, not in "
                "the drawings.</p>\n",
                "<p class=\"verdict warn\">超出上限的 %llu 个事件计入总和，但未绘出。</p>\n"),
            (unsigned long long)dropped);
    }
    add_units(maker);
    run_page_views_add(maker->out, maker->page->lang);
    maker->out = &sources; /* first: the table links to the lines that are shown */
    add_sources(maker);
    maker->out = out;
    add_lines(maker);
    buf_add(out, buf_str(&sources));
    run_page_words_add(maker->out, maker->page->lang);
    page_data(maker->out, "data", maker->page->profile);
}

bool run_page_add(Buf *out, const RunPage *page)
{
    Maker maker = {.out = out, .page = page};
    PageHead head = {.title = str_format(out->arena, "pypto-lint run %.*s", STR_ARG(page->program)),
                     .lang = page->lang == LANG_ZH ? "zh-CN" : "en",
                     .script = page->profile.length > 0 ? "run.js" : NULL};
    page_begin(out, &head);
    if (page->profile.length == 0) {
        add_verdict(&maker);
    } else {
        JsonFault fault;
        maker.root = json_read(out->arena, page->profile, 0, &fault);
        if (maker.root == NULL) {
            return false;
        }
        json_take(out->arena, maker.root, add_content, &maker);
    }
    page_end(out, &head);
    return true;
}
