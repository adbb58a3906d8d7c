/* The metrics of a command: what it ran goes to the log that the user named, if any. */
#include "cli/cli.h"
#include "metrics/metrics.h"

void log_metrics(Str file, const RunResult *result)
{
    Metrics metrics;
    Lang lang = result->lang;
    if (!metrics_open(&metrics, file.at, NULL)) {
        Text text = {"PYPTO_LINT_METRICS must be an absolute path; nothing is logged",
                     "PYPTO_LINT_METRICS 必须是绝对路径；未记录指标"};
        print_note("%s", text_in(lang, text));
    }
    for (uint32_t i = 0; i < result->operators.count; i++) {
        metrics_add_run(&metrics, result->operators.items[i], lang);
    }
    const char *path = metrics.path;
    const char *reason = NULL;
    if (!metrics_close(&metrics, &reason)) {
        Text text = {"metrics not written: %s: %s", "未写入指标：%s：%s"};
        print_note(text_in(lang, text), path, reason);
    }
}
