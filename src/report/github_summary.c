/* The summary of a job on GitHub; see github_summary.h. */
#include "report/github_summary.h"

#include "base/ascii.h"
#include "report/report_common.h"
#include "report/terminal.h"

/* A page of a few hundred rows is read by nobody, and GitHub takes at most 1 MiB. */
enum { MOST_ROWS = 100, MOST_TEXT = 400 };

/* Every character that could mean something becomes a numeric reference, which the page shows as it
 * is. */
static void add_plain(Buf *out, Str text)
{
    Buf shown = {.arena = out->arena};
    terminal_add(&shown, text);
    Str visible = buf_str(&shown);
    size_t most = visible.length < MOST_TEXT ? visible.length : MOST_TEXT;
    while (most < visible.length && ((unsigned char)visible.at[most] & 0xC0) == 0x80) {
        most++;
    }
    for (size_t i = 0; i < most; i++) {
        char c = visible.at[i];
        bool harmless = is_letter(c) || is_digit(c) || c == ' ' || (unsigned char)c >= 0x80;
        if (harmless) {
            buf_add_char(out, c);
        } else {
            buf_addf(out, "&#%u;", (unsigned)(unsigned char)c);
        }
    }
    buf_add(out, most < visible.length ? STR(" …") : STR(""));
}

static void add_row(Buf *out, const OperatorResult *op, const Finding *finding,
                    const ReportOptions *options)
{
    Str path =
        path_from(out->arena, options->working_dir, full_path(out->arena, op, finding->file));
    Buf place = {.arena = out->arena};
    place_add(&place, path, finding->region);
    buf_addf(out, "| %s | %s | %s %s | ", severity_name(finding->rule->severity),
             status_name(finding->status), finding->rule->id,
             finding->rule->name == NULL ? "" : finding->rule->name);
    add_plain(out, buf_str(&place));
    buf_add(out, STR(" | "));
    add_plain(out, finding->message);
    buf_add(out, STR(" |\n"));
}

static void add_rows(Buf *out, const RunResult *result, bool broken, uint32_t *rows,
                     const ReportOptions *options)
{
    for (uint32_t i = 0; i < result->operators.count; i++) {
        const OperatorResult *op = result->operators.items[i];
        for (uint32_t k = 0; k < op->findings.count; k++) {
            const Finding *finding = op->findings.items[k];
            if ((finding->rule->severity == S0) == broken && (*rows)++ < MOST_ROWS) {
                add_row(out, op, finding, options);
            }
        }
    }
}

static void add_errors(Buf *out, const RunResult *result)
{
    for (uint32_t i = 0; i < result->notices.count; i++) {
        const Notice *notice = &result->notices.items[i];
        if (notice->is_error) {
            buf_add(out, str_from(words(result->lang, "- not checked: ", "- 未检查：")));
            add_plain(out, notice->file);
            buf_add(out, notice->file.length > 0 ? STR(": ") : STR(""));
            add_plain(out, notice->message);
            buf_add_char(out, '\n');
        }
    }
}

void github_summary_add(Buf *out, const RunResult *result, const ReportOptions *options)
{
    Totals totals = run_totals(result);
    Lang lang = result->lang;
    uint32_t rows = 0;
    buf_add(out, STR("### pypto-lint\n\n"));
    if (totals.findings == 0) {
        const char *text =
            run_is_incomplete(result)
                ? words(lang, "Not everything could be checked.\n\n", "有内容无法检查。\n\n")
            : totals.rules == 0 ? words(lang, "Nothing was checked.\n\n", "未做任何检查。\n\n")
                                : words(lang, "No findings.\n\n", "没有发现问题。\n\n");
        buf_add(out, str_from(text));
    } else {
        tally_add(out, result);
        buf_add(out, str_from(words(lang, "\n| severity | status | rule | place | message |\n",
                                    "\n| 级别 | 状态 | 规则 | 位置 | 消息 |\n")));
        buf_add(out, STR("| --- | --- | --- | --- | --- |\n"));
        add_rows(out, result, true, &rows, options);
        add_rows(out, result, false, &rows, options);
        buf_add_char(out, '\n');
    }
    if (rows > MOST_ROWS) {
        buf_addf(out, words(lang, "… and %u more.\n\n", "……另有 %u 个。\n\n"), rows - MOST_ROWS);
    }
    add_errors(out, result);
}
