/* Concise: one line a finding, in the form of compilers, for editors and problem matchers:
 * `path:line:col: error[OL48] tile-not-constant: message`. A finding about a whole file is put at 1:1, since the form
 * has no way to leave the place out. */
#include "report/report_kernels.h"
#include "report/terminal.h"

bool report_concise(Buf *out, const RunResult *result, const ReportOptions *options)
{
    for (uint32_t i = 0; i < result->operators.count; i++) {
        const OperatorResult *op = result->operators.items[i];
        for (uint32_t k = 0; k < op->findings.count; k++) {
            const Finding *finding = op->findings.items[k];
            Region region = finding->region;
            if (region.line == 0) {
                region = (Region){1, 1, 1, 1};
            }
            place_add(out, full_path(out->arena, op, finding->file), region);
            const Rule *rule = finding->rule;
            buf_addf(out, ": %s[%s] %s%s", level_name(finding_level(finding)), rule->id,
                     rule->name == NULL ? "" : rule->name, rule->name == NULL ? "" : ": ");
            terminal_add(out, finding->message);
            buf_add_char(out, '\n');
        }
    }
    kernel_types_add(out, result);
    notices_add(out, result, options->quiet);
    if (options->statistics) {
        statistics_add(out, result);
        kernel_statistics_add(out, result);
    }
    if (!options->quiet) {
        tally_add(out, result);
        verdict_add(out, result);
    }
    return true;
}
