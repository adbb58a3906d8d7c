/* `diagnose` for a person, and what both forms share. */
#include "base/path.h"
#include "base/utf8.h"
#include "cli/diagnose_print.h"
#include "cli/message.h"
#include "diagnose/device_number.h"
#include "kernel/kernel.h"
#include "lint/config.h"
#include "operator/text.h"
#include "report/terminal.h"

#include <inttypes.h>

enum { LABEL_COLUMNS = 10, MOST_CALL = 200 };

typedef struct Page {
    const DiagnoseReport *report;
    Buf out;
    Lang lang;
} Page;

static const char *say(const Page *page, const char *en, const char *zh)
{
    return page->lang == LANG_ZH ? zh : en;
}

/* --- the kernel's line */

static Str line_of(Str text, uint32_t number)
{
    Str line = STR("");
    size_t at = 0;
    for (uint32_t i = 0; i < number; i++) {
        if (!text_next_line(text, &at, &line)) {
            return STR("");
        }
    }
    return str_trim(line);
}

/* The shortest call of pypto that begins at or before the line and ends at or after it. */
static Str call_over(Arena *arena, const PyFile *file, uint32_t line)
{
    const Module *module = pyfile_module(file);
    NodeList calls = module == NULL ? (NodeList){0} : module_nodes(module, NODE_CALL);
    Str best = STR("");
    for (uint32_t i = 0; i < calls.count; i++) {
        const Node *node = node_at(module, calls.ids[i]);
        Region region = finding_region(module->source, node->start, node->end);
        Str text = node_text(module, calls.ids[i]);
        bool over = region.line <= line && region.end_line >= line;
        bool shorter = best.length == 0 || text.length < best.length;
        if (over && shorter && pypto_call(file, calls.ids[i]).length > 0) {
            best = text;
        }
    }
    return str_copy(arena, str_slice(best, 0, MOST_CALL));
}

void kernel_line(Arena *arena, const KernelFile *kernel, const LogPlace *place, Str *line,
                 Str *call)
{
    *line = *call = STR("");
    if (kernel->text.length == 0 || place->rank != PLACE_KERNEL) {
        return;
    }
    *line = line_of(kernel->text, place->line);
    PyFile *file = ARENA_NEW(arena, PyFile);
    pyfile_init(file, arena, kernel->path, kernel->text);
    if (line->length > 0 && file->parsed.status != PARSE_ERROR) {
        pyfile_accept_aliases(file);
        *call = call_over(arena, file, place->line);
    }
}

Str diagnose_page(Arena *arena, const Pattern *pattern)
{
    Str page = str_from(pattern->page);
    bool rule = page.length == 4 && (str_starts(page, STR("OL")) || str_starts(page, STR("KS")));
    return page.length == 0 ? page
           : rule           ? str_format(arena, "docs/rules/%.*s.md", STR_ARG(page))
                            : str_format(arena, "docs/%.*s", STR_ARG(page));
}

/* --- the page */

static void add_label(Page *page, const char *en, const char *zh)
{
    const char *text = say(page, en, zh);
    size_t width = 0;
    for (size_t at = 0; text[at] != '\0';) {
        width += code_point_width(utf8_next(str_from(text), &at));
    }
    buf_addf(&page->out, "%s%*s", text, width < LABEL_COLUMNS ? (int)(LABEL_COLUMNS - width) : 1,
             "");
}

static void add_log_place(Page *page, Str file, uint64_t line)
{
    if (file.length > 0) {
        terminal_add(&page->out, file);
        buf_addf(&page->out, ":%" PRIu64 ": ", line);
    } else {
        buf_addf(&page->out, say(page, "line %" PRIu64 ": ", "第 %" PRIu64 " 行："), line);
    }
}

static void add_times(Page *page, uint64_t count, bool at_least)
{
    if (at_least) {
        buf_addf(&page->out, say(page, " (at least %" PRIu64 " times)", "（至少 %" PRIu64 " 次）"),
                 count);
    } else if (count > 1) {
        buf_addf(&page->out, say(page, " (%" PRIu64 " times)", "（%" PRIu64 " 次）"), count);
    }
    buf_add_char(&page->out, '\n');
}

static void add_kernel(Page *page, const Cause *cause)
{
    Str line, call;
    if (cause->place.rank == PLACE_NONE) {
        return;
    }
    add_label(page, "Kernel", "位置");
    terminal_add(&page->out, str_from(cause->place.file));
    buf_addf(&page->out, ":%u", cause->place.line);
    if (cause->place.function[0] != '\0') {
        buf_add(&page->out, STR(" "));
        terminal_add(&page->out, str_from(cause->place.function));
    }
    buf_add(&page->out,
            str_from(cause->is_place_elsewhere
                         ? say(page, " (named elsewhere in the log)", "（日志其他位置给出）")
                         : ""));
    kernel_line(page->out.arena, &page->report->kernel, &cause->place, &line, &call);
    if (line.length > 0) {
        buf_addf(&page->out, "\n%*s", LABEL_COLUMNS, "");
        terminal_add(&page->out, line);
    }
    if (call.length > 0 && !str_equal(call, line)) {
        buf_addf(&page->out, "\n%*s%s", LABEL_COLUMNS, "", say(page, "call: ", "调用："));
        terminal_add(&page->out, call);
    }
    buf_add_char(&page->out, '\n');
}

static const char *sureness(const Page *page, const Cause *cause)
{
    return cause->is_certain ? say(page, "certain", "确定") : say(page, "likely", "可能");
}

static void add_first(Page *page)
{
    const Cause *cause = &page->report->diagnosis.causes[0];
    const Pattern *pattern = cause->match->pattern;
    Str where = diagnose_page(page->out.arena, pattern);
    add_label(page, "Cause", "原因");
    buf_addf(&page->out, say(page, "%s (%s, %s)\n", "%s（%s，%s）\n"),
             text_in(page->lang, cause_text(cause)), sureness(page, cause), pattern->id);
    add_label(page, "Why", "依据");
    buf_addf(&page->out, "%s\n", text_in(page->lang, cause_reason_text(cause->reason)));
    add_label(page, "Log", "日志");
    add_log_place(page, cause->match->file, cause->match->line);
    terminal_add(&page->out, cause->match->text);
    add_times(page, cause->match->count, cause->match->at_least);
    if (cause->match->message.length > 0) {
        add_label(page, "Message", "消息");
        terminal_add(&page->out, cause->match->message);
        buf_add_char(&page->out, '\n');
    }
    if (cause->evidence != NULL) {
        add_label(page, "Evidence", "佐证");
        add_log_place(page, cause->evidence->file, cause->evidence->line);
        terminal_add(&page->out, cause->evidence->text);
        buf_add_char(&page->out, '\n');
    }
    add_kernel(page, cause);
    add_label(page, "Change", "修改");
    buf_addf(&page->out, "%s\n",
             device_fill(page->out.arena, text_in(page->lang, cause_change(cause)),
                         cause->match->device - 1));
    if (where.length > 0) {
        add_label(page, "Page", "说明");
        buf_addf(&page->out, "%.*s\n", STR_ARG(where));
    }
    add_label(page, "Route", "分派");
    buf_addf(&page->out, say(page, "%s: %s (exit status %d)\n", "%s：%s（退出状态 %d）\n"),
             diagnosis_category_name(cause_category(cause)),
             text_in(page->lang, diagnosis_turn(cause_category(cause))),
             page->report->diagnosis.status);
}

static void add_others(Page *page, uint32_t from)
{
    const Diagnosis *diagnosis = &page->report->diagnosis;
    if (diagnosis->count > from) {
        buf_addf(&page->out, "\n%s\n", say(page, "Also in the log", "日志中还有"));
    }
    for (uint32_t i = from; i < diagnosis->count; i++) {
        const Cause *cause = &diagnosis->causes[i];
        buf_add(&page->out, STR("  "));
        add_log_place(page, cause->match->file, cause->match->line);
        buf_addf(&page->out, say(page, "%s (%s, %s; %s)\n", "%s（%s，%s；%s）\n"),
                 text_in(page->lang, cause_text(cause)), sureness(page, cause),
                 cause->match->pattern->id, text_in(page->lang, cause_reason_text(cause->reason)));
    }
    if (diagnosis->more > 0) {
        buf_addf(&page->out, say(page, "  and %u more\n", "  另有 %u 个\n"), diagnosis->more);
    }
}

static void add_codes(Page *page, const LogDigest *digest)
{
    buf_addf(&page->out, "\n%s\n", say(page, "Codes", "错误码"));
    for (uint32_t i = 0; i < digest->code_count; i++) {
        const DigestCode *code = &digest->codes[i];
        const CodeFamily *family = code_family(str_from(code->name));
        buf_addf(&page->out, "  %s  %s", code->name,
                 family == NULL ? "" : text_in(page->lang, family->meaning));
        add_times(page, code->count, false);
    }
}

static void add_digest(Page *page)
{
    const LogScan *scan = page->report->scan;
    const LogDigest *digest = scan->digest;
    buf_addf(&page->out, "\n%s\n", say(page, "First errors", "最早的错误"));
    for (uint32_t i = 0; i < digest->error_count; i++) {
        const DigestLine *line = &digest->errors[i];
        buf_add(&page->out, STR("  "));
        add_log_place(page, line->file, line->line);
        terminal_add(&page->out, line->text);
        add_times(page, log_digest_count(digest, line), false);
    }
    if (scan->exception_order > 0) {
        buf_addf(&page->out, "\n%s\n  ", say(page, "Last exception", "最后的异常"));
        add_log_place(page, scan->exception_file, scan->exception_line);
        terminal_add(&page->out, str_from(scan->exception));
        buf_add_char(&page->out, '\n');
    }
    if (digest->frame_count > 0) {
        buf_addf(&page->out, "\n%s\n", say(page, "Stack", "调用栈"));
    }
    for (uint32_t i = 0; i < digest->frame_count; i++) {
        buf_add(&page->out, STR("  "));
        terminal_add(&page->out, digest->frames[i]);
        buf_add_char(&page->out, '\n');
    }
    if (digest->code_count > 0) {
        add_codes(page, digest);
    }
}

static void add_remarks(Page *page)
{
    const DiagnoseReport *report = page->report;
    for (uint32_t i = 0; i < report->logs->skipped.count; i++) {
        buf_add(&page->out, str_from(say(page, "Not read: ", "未读取：")));
        terminal_add(&page->out, report->logs->skipped.items[i]);
        buf_add_char(&page->out, '\n');
    }
    if (report->logs->cut) {
        buf_add(&page->out, str_from(say(page, "Not everything was read: a limit was reached.\n",
                                         "达到上限，没有读完全部内容。\n")));
    }
    if (report->scan->lines_cut > 0) {
        buf_addf(&page->out,
                 say(page,
                     "Lines that were not compared with every pattern, since the log has too many "
                     "words of them: %" PRIu64 "\n",
                     "因日志中模式用词过多而未与全部模式比较的行数：%" PRIu64 "\n"),
                 report->scan->lines_cut);
    }
    if (report->scan->binary_bytes > 0) {
        buf_add(&page->out,
                str_from(say(page, "The log has binary parts.\n", "日志含二进制内容。\n")));
    }
}

bool diagnose_print_text(Arena *arena, const DiagnoseReport *report, Lang lang)
{
    Page page = {report, {.arena = arena}, lang};
    const Diagnosis *diagnosis = &report->diagnosis;
    if (diagnosis->is_overcome) {
        buf_addf(&page.out, "%s\n",
                 say(&page, "No error is left: the log ends with a run that went well.",
                     "没有遗留的错误：日志以成功的运行结束。"));
        add_others(&page, 0);
    } else if (diagnosis->count > 0) {
        add_first(&page);
        add_others(&page, 1);
    } else {
        buf_addf(&page.out, "%s\n",
                 diagnosis->has_error
                     ? say(&page, "No known cause in this log; what it says:",
                           "日志中没有已知的原因；其内容摘要：")
                     : say(&page, "No error found in this log.", "日志中没有发现错误。"));
    }
    if (diagnosis->needs_digest) {
        add_digest(&page);
    }
    add_remarks(&page);
    return print_all(buf_str(&page.out));
}
