/* `stats` for a person: one page of tables, aligned or in Markdown. What comes from the log is
 * shown as other text from outside is: no terminal and no CI runner obeys it. */
#include "cli/cli.h"
#include "cli/stats_print.h"
#include "lint/result.h"
#include "report/terminal.h"

enum { MAX_COLUMNS = 16, SHOWN_RUNS = 20, SHOWN_OPS = 100 };

typedef struct Table {
    VEC(Str) cells; /* row by row, the first row is the head */
    unsigned columns;
    uint32_t numbers; /* bit of a column: aligned to the right */
} Table;

typedef struct Page {
    Buf out;
    Arena *arena;
    bool markdown;
    Lang lang;
} Page;

static const char *say(const Page *page, Text text)
{
    return text_in(page->lang, text);
}

/* --- tables */

static size_t width_of(Str text)
{
    size_t width = 0;
    for (size_t offset = 0; offset < text.length;) {
        width += glyph_next(text, &offset).width;
    }
    return width;
}

/* Text from outside, fit for a cell. */
static Str outside(const Page *page, Str text)
{
    Buf shown = {.arena = page->arena};
    terminal_add_start(&shown, text);
    if (!page->markdown) {
        return buf_str(&shown);
    }
    Buf escaped = {.arena = page->arena};
    for (size_t i = 0; i < shown.length; i++) {
        if (strchr("\\|<&`*_[", shown.at[i]) != NULL) {
            buf_add_char(&escaped, '\\');
        }
        buf_add_char(&escaped, shown.at[i]);
    }
    return buf_str(&escaped);
}

static void put(const Page *page, Table *table, Str cell)
{
    VEC_PUSH(page->arena, &table->cells, cell);
}

static void put_number(const Page *page, Table *table, int64_t number)
{
    put(page, table, str_format(page->arena, "%lld", (long long)number));
}

static void put_time(const Page *page, Table *table, double milliseconds)
{
    put(page, table, str_format(page->arena, "%.1f", milliseconds));
}

/* "OL07 irregular-pypto-import"; a log may have ids that no rule has. */
static Str named(const Page *page, int index)
{
    RuleIdName id = rule_id_name(index);
    const Rule *rule = rule_find(str_from(id.text));
    return str_format(page->arena, "%s%s%s", id.text, rule == NULL ? "" : " ",
                      rule == NULL ? "" : rule->name);
}

static void put_ids(const Page *page, Table *table, const RuleIds *ids, bool names)
{
    Buf list = {.arena = page->arena};
    for (int i = 0; i < RULE_ID_COUNT; i++) {
        if (ids->has[i]) {
            Str text = names ? named(page, i) : str_format(page->arena, "%s", rule_id_name(i).text);
            buf_addf(&list, "%s%.*s", list.length > 0 ? ", " : "", STR_ARG(text));
        }
    }
    put(page, table, list.length == 0 ? STR("-") : buf_str(&list));
}

static Table begin_table(const Page *page, unsigned columns, const Text *head, uint32_t numbers)
{
    Table table = {.columns = columns, .numbers = numbers};
    for (unsigned i = 0; i < columns; i++) {
        put(page, &table, str_from(say(page, head[i])));
    }
    return table;
}

static void add_blanks(Buf *out, size_t count)
{
    buf_addf(out, "%*s", (int)count, "");
}

static void add_aligned(Page *page, const Table *table)
{
    size_t widths[MAX_COLUMNS] = {0};
    for (uint32_t i = 0; i < table->cells.count; i++) {
        size_t width = width_of(table->cells.items[i]);
        size_t *column = &widths[i % table->columns];
        *column = width > *column ? width : *column;
    }
    for (uint32_t i = 0; i < table->cells.count; i++) {
        unsigned column = i % table->columns;
        Str cell = table->cells.items[i];
        size_t room = widths[column] - width_of(cell);
        bool last = column + 1 == table->columns;
        add_blanks(&page->out, 2);
        if ((table->numbers >> column & 1) != 0) {
            add_blanks(&page->out, room);
            buf_add(&page->out, cell);
        } else {
            buf_add(&page->out, cell);
            add_blanks(&page->out, last ? 0 : room);
        }
        buf_add(&page->out, last ? STR("\n") : STR(""));
    }
}

static void add_markdown(Page *page, const Table *table)
{
    for (uint32_t i = 0; i < table->cells.count; i++) {
        bool last = i % table->columns + 1 == table->columns;
        buf_addf(&page->out, "| %.*s%s", STR_ARG(table->cells.items[i]), last ? " |\n" : " ");
        for (unsigned k = 0; last && i + 1 == table->columns && k < table->columns; k++) {
            buf_addf(&page->out, "| %s%s", (table->numbers >> k & 1) != 0 ? "---:" : "---",
                     k + 1 == table->columns ? " |\n" : " ");
        }
    }
}

static void end_table(Page *page, const Table *table)
{
    if (page->markdown) {
        add_markdown(page, table);
    } else {
        add_aligned(page, table);
    }
}

static void add_heading(Page *page, Text text)
{
    buf_addf(&page->out, page->markdown ? "\n## %s\n\n" : "\n%s\n", say(page, text));
}

/* --- sections */

static void add_overview(Page *page, const Stats *stats)
{
    const StatsCounts *counts = &stats->counts;
    const struct {
        Text name;
        int64_t value;
    } rows[] = {{{"runs", "运行次数"}, stats->runs_seen},
                {{"rule checks", "规则检查"}, counts->checks},
                {{"pass", "通过"}, counts->pass},
                {{"fail", "失败"}, counts->fail},
                {{"warn", "警告"}, counts->warn},
                {{"skip", "跳过"}, counts->skip},
                {{"gate blocks", "门禁阻断"}, stats->gate_blocks}};
    static const Text head[] = {{"metric", "指标"}, {"value", "值"}};
    add_heading(page, (Text){"Overview", "概览"});
    Table table = begin_table(page, 2, head, 2);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        put(page, &table, str_from(say(page, rows[i].name)));
        put_number(page, &table, rows[i].value);
    }
    put(page, &table, str_from(say(page, (Text){"time, ms", "总耗时（毫秒）"})));
    put_time(page, &table, counts->duration_ms);
    end_table(page, &table);
}

static void add_failed(Page *page, const Stats *stats)
{
    const struct {
        Text name;
        const RuleIds *ids;
        bool shown;
    } lists[] = {{{"S0 rules that failed", "失败的 S0 规则"}, &stats->s0, rule_ids_any(&stats->s0)},
                 {{"S1 rules that failed", "失败的 S1 规则"}, &stats->s1, rule_ids_any(&stats->s1)},
                 {{"rules that failed", "失败的规则"},
                  &stats->failed,
                  !rule_ids_any(&stats->s1) && rule_ids_any(&stats->failed)}};
    Table table = {.columns = 1};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        if (lists[i].shown) {
            table.cells.count = 0;
            put_ids(page, &table, lists[i].ids, true);
            buf_addf(&page->out, "\n%s: %.*s\n", say(page, lists[i].name),
                     STR_ARG(table.cells.items[0]));
        }
    }
}

static void add_efforts(Page *page, const Stats *stats)
{
    static const Text head[] = {
        {"effort", "成本"}, {"failed rules", "失败规则"}, {"warned rules", "警告规则"}};
    Table table = begin_table(page, 3, head, 0);
    for (int i = 0; i < STATS_EFFORTS; i++) {
        const StatsEffort *effort = &stats->efforts[i];
        if (effort->seen) {
            put(page, &table, str_from(effort->name));
            put_ids(page, &table, &effort->fails, false);
            put_ids(page, &table, &effort->warns, false);
        }
    }
    if (table.cells.count > 3) {
        add_heading(page, (Text){"Effort of repairs", "修复成本分布"});
        end_table(page, &table);
    }
}

static void add_rules(Page *page, const Stats *stats)
{
    static const Text head[] = {{"rule", "规则"}, {"checks", "检查"},       {"fail", "失败"},
                                {"warn", "警告"}, {"info", "提示"},         {"skip", "跳过"},
                                {"ms", "毫秒"},   {"µs a check", "微秒/次"}};
    Table table = begin_table(page, 8, head, 0xFE);
    for (int i = 0; i < RULE_ID_COUNT; i++) {
        const StatsCounts *rule = &stats->rules[i];
        if (rule->checks > 0) {
            put(page, &table, named(page, i));
            put_number(page, &table, rule->checks);
            put_number(page, &table, rule->fail);
            put_number(page, &table, rule->warn);
            put_number(page, &table, rule->info);
            put_number(page, &table, rule->skip);
            put(page, &table, str_format(page->arena, "%.3f", rule->duration_ms));
            put_time(page, &table, rule->duration_ms * 1e3 / (double)rule->checks);
        }
    }
    if (table.cells.count > 8) {
        add_heading(page, (Text){"Rules", "按规则统计"});
        end_table(page, &table);
    }
}

static void add_runs(Page *page, const Stats *stats)
{
    static const Text head[] = {{"run", "运行"},  {"stage", "阶段"},
                                {"mode", "模式"}, {"pass/fail/warn", "通过/失败/警告"},
                                {"S0", "S0"},     {"ms", "毫秒"}};
    uint32_t count = stats->runs.count;
    uint32_t first = count > SHOWN_RUNS ? count - SHOWN_RUNS : 0;
    if (count == 0) {
        return;
    }
    add_heading(page, (Text){"Runs", "每次调用明细"});
    if (first > 0) {
        Text text = {"The newest %d of %lld.", "最近 %d 次，共 %lld 次。"};
        buf_addf(&page->out, say(page, text), SHOWN_RUNS, (long long)stats->runs_seen);
        buf_add(&page->out, page->markdown ? STR("\n\n") : STR("\n"));
    }
    Table table = begin_table(page, 6, head, 0x22);
    for (uint32_t i = first; i < count; i++) {
        const StatsRun *run = stats_run(stats, i);
        const StatsCounts *counts = &run->counts;
        put(page, &table, outside(page, str_from(run->id)));
        put_number(page, &table, run->stage);
        put(page, &table, outside(page, str_from(run->mode)));
        put(page, &table,
            str_format(page->arena, "%lld/%lld/%lld", (long long)counts->pass,
                       (long long)counts->fail, (long long)counts->warn));
        put_ids(page, &table, &run->s0, false);
        put_time(page, &table, counts->duration_ms);
    }
    end_table(page, &table);
}

static void add_ops(Page *page, const Stats *stats)
{
    static const Text head[] = {{"runs", "运行"},
                                {"pass/fail/warn", "通过/失败/警告"},
                                {"blocks", "阻断"},
                                {"ms", "毫秒"},
                                {"directory", "目录"}};
    uint32_t count = stats->ops.count < SHOWN_OPS ? stats->ops.count : SHOWN_OPS;
    if (count == 0) {
        return;
    }
    add_heading(page, (Text){"Operators", "按算子统计"});
    Table table = begin_table(page, 5, head, 0xD);
    for (uint32_t i = 0; i < count; i++) {
        const StatsOp *op = &stats->ops.items[i];
        Str dir = op->dir.length == 0 ? STR("-") : op->dir;
        put_number(page, &table, op->runs);
        put(page, &table,
            str_format(page->arena, "%lld/%lld/%lld", (long long)op->counts.pass,
                       (long long)op->counts.fail, (long long)op->counts.warn));
        put_number(page, &table, op->blocks);
        put_time(page, &table, op->counts.duration_ms);
        put(page, &table, outside(page, dir));
    }
    end_table(page, &table);
    if (count < stats->ops.count) {
        buf_addf(&page->out, say(page, (Text){"\n%u more.\n", "\n其余 %u 个未显示。\n"}),
                 stats->ops.count - count);
    }
}

bool stats_print_page(Arena *arena, const Stats *stats, bool markdown, Lang lang)
{
    Page page = {.out = {.arena = arena}, .arena = arena, .markdown = markdown, .lang = lang};
    buf_addf(&page.out, "%s%s\n\n", markdown ? "# " : "",
             say(&page, (Text){"Lint metrics", "Lint 指标汇总"}));
    buf_addf(&page.out, "%s: %s\n", say(&page, (Text){"data source", "数据来源"}),
             stats->has_summaries ? "run_check_summary" : "rule_check");
    add_overview(&page, stats);
    add_failed(&page, stats);
    add_efforts(&page, stats);
    add_rules(&page, stats);
    add_runs(&page, stats);
    add_ops(&page, stats);
    return print_all(buf_str(&page.out));
}

/* Lists the lines of rows that could not be read as runs. */
static void add_odd_lines(Page *page, const VerificationLog *log)
{
    enum { SHOWN_LINES = 10 };
    if (log->odd_lines.count == 0) {
        return;
    }
    buf_addf(
        &page->out,
        say(page,
            (Text){
                "\nNot read: %u row(s) that are empty or have more or fewer cells than the head, line",
                "\n未读取：%u 行为空或单元格数与表头不同，行号"}),
        log->odd_lines.count);
    for (uint32_t i = 0; i < log->odd_lines.count && i < SHOWN_LINES; i++) {
        buf_addf(&page->out, "%s %u", i > 0 ? "," : "", log->odd_lines.items[i]);
    }
    buf_add(&page->out, log->odd_lines.count > SHOWN_LINES ? STR(" …\n") : STR("\n"));
}

/* Older rows are left out where there are many. */
bool stats_print_rows(Arena *arena, const VerificationLog *log, bool markdown, Lang lang)
{
    enum { SHOWN_ROWS = 100 };
    Page page = {.out = {.arena = arena}, .arena = arena, .markdown = markdown, .lang = lang};
    uint32_t columns = log->head.count < MAX_COLUMNS ? log->head.count : MAX_COLUMNS;
    Table table = {.columns = columns};
    uint32_t first = log->rows.count > SHOWN_ROWS ? log->rows.count - SHOWN_ROWS : 0;
    buf_addf(&page.out, say(&page, (Text){"Runs recorded: %u\n\n", "已记录的运行：%u\n\n"}),
             log->rows.count);
    for (uint32_t i = 0; i < columns; i++) {
        put(&page, &table, outside(&page, log->head.items[i]));
    }
    for (uint32_t i = first; i < log->rows.count; i++) {
        const Strs *cells = &log->rows.items[i].cells;
        for (uint32_t k = 0; k < columns; k++) {
            put(&page, &table, outside(&page, cells->items[k]));
        }
    }
    end_table(&page, &table);
    add_odd_lines(&page, log);
    return print_all(buf_str(&page.out));
}
