/* `perf` as text. Names come from the trace, so they are shown as other text from outside is. */
#include "cli/perf_print.h"

#include "report/terminal.h"

static const char *say(const PerfPage *page, const char *en, const char *zh)
{
    return text_in(page->lang, (Text){en, zh});
}

const char *perf_kind_name(LaneKind kind, Lang lang)
{
    static const Text names[LANE_KINDS] = {
        [LANE_CUBE] = {"cube", "矩阵"},     [LANE_VECTOR] = {"vector", "向量"},
        [LANE_MEMORY] = {"memory", "搬运"}, [LANE_CONTROL] = {"control", "控制"},
        [LANE_OTHER] = {"other", "其他"},
    };
    return text_in(lang, names[kind]);
}

static void add_line(Buf *out, const Trace *trace, uint32_t file, int32_t line, uint32_t name)
{
    if (file != TRACE_NONE) {
        terminal_add_start(out, trace_text(trace, file));
        buf_addf(out, ":%d ", (int)line);
    }
    terminal_add(out, trace_text(trace, name));
}

static void add_event(Buf *out, const Trace *trace, uint32_t number)
{
    const Event *event = &trace->events.items[number];
    add_line(out, trace, event->file, event->line, event->name);
}

static void add_unit(Buf *out, const Trace *trace, uint32_t lane)
{
    terminal_add(out, trace->lanes.items[lane].core);
    buf_add(out, STR(" / "));
    terminal_add(out, trace->lanes.items[lane].unit);
}

/* ---- hints ---- */

const char *perf_hint_id(Hint hint)
{
    static const char *const ids[] = {
        [HINT_MEMORY] = "memory-bound", [HINT_SERIAL] = "serial",     [HINT_UNEVEN] = "uneven",
        [HINT_SHORT] = "short-events",  [HINT_ONE_LINE] = "one-line", [HINT_WAITING] = "waiting",
    };
    return ids[hint];
}

void perf_add_hint(Buf *out, const PerfPage *page, const HintAt *hint)
{
    double a = hint->figure, b = hint->other;
    const char *text = NULL;
    switch (hint->hint) {
    case HINT_MEMORY:
        text =
            say(page,
                "moving data takes %.3f us, computing %.3f us: load once what is used again, and "
                "keep results in UB or L1 between operations",
                "数据搬运 %.3f us，计算 %.3f us：重复使用的数据只加载一次，中间结果留在 UB 或 L1");
        buf_addf(out, text, a, b);
        break;
    case HINT_SERIAL:
        text = say(page,
                   "no unit is busy for more than %.0f %% of the time: units take turns; smaller "
                   "tiles or independent iterations let loading and computing overlap",
                   "所有单元的忙碌时间都不超过 %.0f %%：各单元轮流工作；更小的 tile "
                   "或相互独立的迭代可使加载与计算重叠");
        buf_addf(out, text, a * 100);
        break;
    case HINT_UNEVEN:
        text = say(page,
                   "%s units have unequal work, from %.3f us to %.3f us: split the loop so that "
                   "every core gets as much",
                   "%s单元负载不均，%.3f us 至 %.3f us：调整循环切分，使各核工作量相近");
        buf_addf(out, text, perf_kind_name((LaneKind)hint->line, page->lang), b, a);
        break;
    case HINT_SHORT:
        text = say(page,
                   "%.0f events of %.4f us on average: most of each is its beginning; larger tiles "
                   "make fewer of them",
                   "%.0f 个事件，平均 %.4f us：大部分为启动开销；更大的 tile 可减少事件数");
        buf_addf(out, text, a, b);
        break;
    case HINT_ONE_LINE:
        text = say(page, "one line takes %.0f %% of all time: begin there: ",
                   "一行代码占全部时间的 %.0f %%，从这里开始：");
        buf_addf(out, text, a * 100);
        const LineCost *line = &page->analysis->lines.items[hint->line];
        add_line(out, page->trace, line->file, line->line, line->name);
        break;
    case HINT_WAITING:
        text =
            say(page,
                "for %.3f us of its %.3f us the chain waits without a reason in the trace: "
                "scheduling, or events that were not recorded",
                "关键链在 %2$.3f us 中有 %1$.3f us 等待的原因不在 trace 中：调度，或未记录的事件");
        buf_addf(out, text, a, b);
        break;
    }
}

/* ---- sections ---- */

static void add_units(Buf *out, const PerfPage *page)
{
    const Analysis *analysis = page->analysis;
    buf_addf(out, "\n%s\n", say(page, "Busy units", "单元忙碌情况"));
    for (uint32_t i = 0; i < analysis->lanes.count; i++) {
        const LaneUse *use = &analysis->lanes.items[i];
        buf_addf(out, "  %5.1f %%  %12.3f us  %8u  %-8s ", use->share * 100, use->busy, use->events,
                 perf_kind_name(page->trace->lanes.items[use->lane].kind, page->lang));
        add_unit(out, page->trace, use->lane);
        buf_add_char(out, '\n');
    }
}

static void add_gaps(Buf *out, const PerfPage *page)
{
    const Analysis *analysis = page->analysis;
    buf_addf(out, "\n%s\n", say(page, "Longest gaps", "最长空闲"));
    for (uint32_t i = 0; i < analysis->gap_count; i++) {
        const Gap *gap = &analysis->gaps[i];
        buf_addf(out, "  %12.3f us  %s %.3f  ", gap->length, say(page, "at", "起于"),
                 gap->start - analysis->start);
        add_unit(out, page->trace, gap->lane);
        buf_addf(out, ": ");
        add_event(out, page->trace, gap->waiter);
        if (gap->cause == TRACE_NONE) {
            buf_add(out, str_from(say(page, " waits without a reason in the trace",
                                      " 等待的原因不在 trace 中")));
        } else {
            buf_add(out, str_from(say(page, " waits for ", " 等待 ")));
            add_event(out, page->trace, gap->cause);
            buf_add(out, STR(" ("));
            terminal_add(out,
                         page->trace->lanes.items[page->trace->events.items[gap->cause].lane].unit);
            buf_add(out,
                    str_from(gap->is_said ? ")" : say(page, ", by its end)", "，据结束时刻)")));
        }
        buf_add_char(out, '\n');
    }
    if (analysis->gap_count == 0) {
        buf_addf(out, "  %s\n", say(page, "none", "无"));
    }
}

static void add_lines(Buf *out, const PerfPage *page)
{
    const Analysis *analysis = page->analysis;
    buf_addf(out, "\n%s\n", say(page, "Cost by line", "各行开销"));
    for (uint32_t i = 0; i < analysis->lines.count && i < PERF_LINES; i++) {
        const LineCost *line = &analysis->lines.items[i];
        buf_addf(out, "  %5.1f %%  %12.3f us  %s %.3f us  %8u  ", line->share * 100, line->time,
                 say(page, "chain", "链上"), line->chain, line->events);
        add_line(out, page->trace, line->file, line->line, line->name);
        buf_add_char(out, '\n');
    }
    if (analysis->lines.count > PERF_LINES) {
        buf_addf(out, say(page, "  … and %u more\n", "  … 另有 %u 行\n"),
                 analysis->lines.count - PERF_LINES);
    }
}

static void add_chain(Buf *out, const PerfPage *page)
{
    const Analysis *analysis = page->analysis;
    buf_addf(out,
             say(page, "\nChain: %u events, %.3f us running, %.3f us waiting; its end:\n",
                 "\n关键链：%u 个事件，运行 %.3f us，等待 %.3f us；末尾：\n"),
             analysis->chain_events, analysis->chain_time, analysis->chain_waited);
    uint32_t from = analysis->chain.count > PERF_CHAIN ? analysis->chain.count - PERF_CHAIN : 0;
    for (uint32_t i = from; i < analysis->chain.count; i++) {
        const ChainPart *part = &analysis->chain.items[i];
        buf_addf(out, "  %12.3f us  +%.3f  %6u  ", part->time, part->waited, part->events);
        add_event(out, page->trace, part->first);
        buf_add_char(out, '\n');
    }
}

static void add_notes(Buf *out, const PerfPage *page)
{
    const Trace *trace = page->trace;
    const struct {
        uint64_t count;
        const char *en, *zh;
    } notes[] = {
        {trace->unusable, "not read: %llu events without a usable time\n",
         "未读取：%llu 个没有可用时间的事件\n"},
        {trace->unknown, "not read: %llu events that say nothing about time (counters, marks)\n",
         "未读取：%llu 个与时间无关的事件（计数、标记）\n"},
        {trace->unread, "not read: %llu events beyond the first 2,000,000\n",
         "未读取：前 2,000,000 个之后的 %llu 个事件\n"},
        {trace->loose_flows, "not read: %llu dependencies whose ends are in no event\n",
         "未读取：%llu 个两端不在任何事件中的依赖\n"},
    };
    buf_add_char(out, '\n');
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        if (notes[i].count > 0) {
            buf_addf(out, say(page, notes[i].en, notes[i].zh), (unsigned long long)notes[i].count);
        }
    }
    if (trace->flows.count == 0) {
        buf_addf(out, "%s\n",
                 say(page,
                     "the trace has no dependencies: what waits for what is inferred from times",
                     "trace 中没有依赖关系：等待关系由时间推断"));
    }
}

static void add_others(Buf *out, const PerfPage *page)
{
    for (uint32_t i = 0; i < page->others->count; i++) {
        buf_add(out, str_from(say(page, "not read: ", "未读取：")));
        terminal_add(out, page->others->items[i]);
        buf_add_char(out, '\n');
    }
}

/* ---- logs ---- */

static void add_core(Buf *out, const PerfPage *page, const CoreFigures *core)
{
    if (core->core.length == 0) {
        buf_add(out, str_from(say(page, "all", "全部")));
    }
    terminal_add(out, core->core);
}

static void add_log_title(Buf *out, const PerfPage *page, Text title, Str file)
{
    buf_addf(out, "\n%s (", text_in(page->lang, title));
    terminal_add(out, file);
    buf_add(out, STR(")\n"));
}

static void add_log_notes(Buf *out, const PerfPage *page, const CoreTable *table)
{
    if (table->unread > 0) {
        buf_addf(out, say(page, "  not read: %llu lines of it\n", "  未读取：其中 %llu 行\n"),
                 (unsigned long long)table->unread);
    }
}

static void add_waits(Buf *out, const PerfPage *page)
{
    static const Text words[WAIT_FIGURES] = {
        [WAIT_TASKS] = {"%.0f tasks", "%.0f 个任务"},
        [WAIT_WORK] = {"works %.3f us", "工作 %.3f us"},
        [WAIT_ALL] = {"waits %.3f us", "等待 %.3f us"},
        [WAIT_SCHEDULE] = {"for its next task %.3f us", "其中等待调度 %.3f us"},
        [WAIT_PREDECESSOR] = {"for earlier tasks %.3f us", "其中等待前序任务 %.3f us"},
    };
    const CoreTable *table = &page->logs->waits;
    add_log_title(out, page, (Text){"Work and waits of cores", "各核的工作与等待"},
                  page->logs->waits_file);
    for (uint32_t i = 0; i < table->cores.count; i++) {
        const CoreFigures *core = &table->cores.items[i];
        const char *between = "  ";
        buf_add(out, STR("  "));
        add_core(out, page, core);
        for (int figure = 0; figure < WAIT_FIGURES; figure++) {
            if (core->has[figure]) {
                buf_add(out, str_from(between));
                buf_addf(out, text_in(page->lang, words[figure]), core->value[figure]);
                between = say(page, ", ", "，");
            }
        }
        buf_add_char(out, '\n');
    }
    add_log_notes(out, page, table);
}

static void add_counters(Buf *out, const PerfPage *page)
{
    const CoreTable *table = &page->logs->counters;
    add_log_title(out, page, (Text){"Counters of cores", "各核的性能计数"},
                  page->logs->counters_file);
    for (uint32_t i = 0; i < table->cores.count; i++) {
        const CoreFigures *core = &table->cores.items[i];
        buf_add(out, STR("  "));
        add_core(out, page, core);
        buf_addf(out, say(page, "  %u rows", "  %u 行"), core->rows);
        for (int figure = 0; figure < COUNTER_FIGURES; figure++) {
            const char *form = figure == COUNTER_TIME ? "  %.3f us"
                               : figure == COUNTER_CYCLES
                                   ? say(page, "  %.0f cycles", "  %.0f 周期")
                                   : "  %s %.1f %%";
            if (core->has[figure] && figure <= COUNTER_CYCLES) {
                buf_addf(out, form, core->value[figure]);
            } else if (core->has[figure]) {
                buf_addf(out, form, counter_name((CounterFigure)figure), core->value[figure] * 100);
            }
        }
        buf_add_char(out, '\n');
    }
    add_log_notes(out, page, table);
}

static void add_trace(Buf *out, const PerfPage *page)
{
    const Analysis *analysis = page->analysis;
    terminal_add_start(out, page->file);
    buf_addf(out, say(page, ": %u events in %.3f us\n", "：%u 个事件，%.3f us\n"),
             page->trace->events.count, analysis->length);
    add_units(out, page);
    add_gaps(out, page);
    add_lines(out, page);
    add_chain(out, page);
    if (analysis->hint_count > 0) {
        buf_addf(out, "\n%s\n", say(page, "Hints", "提示"));
    }
    for (uint32_t i = 0; i < analysis->hint_count; i++) {
        buf_add(out, STR("  "));
        perf_add_hint(out, page, &analysis->hints[i]);
        buf_add_char(out, '\n');
    }
}

bool perf_print_text(Arena *arena, const PerfPage *page)
{
    Buf out = {.arena = arena};
    if (page->trace != NULL) {
        add_trace(&out, page);
    }
    if (page->logs->waits_file.length > 0) {
        add_waits(&out, page);
    }
    if (page->logs->counters_file.length > 0) {
        add_counters(&out, page);
    }
    if (page->trace != NULL) {
        add_notes(&out, page);
    }
    add_others(&out, page);
    return print_all(buf_str(&out));
}
