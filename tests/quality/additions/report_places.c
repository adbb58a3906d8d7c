/* `places`: where the findings are. An output format as test_additions.py adds one. */
#include "report/report_common.h"

bool report_places(Buf *out, const RunResult *result, const ReportOptions *options)
{
    (void)options;
    for (uint32_t i = 0; i < result->operators.count; i++) {
        const OperatorResult *op = result->operators.items[i];
        for (uint32_t k = 0; k < op->findings.count; k++) {
            const Finding *finding = op->findings.items[k];
            place_add(out, full_path(out->arena, op, finding->file), finding->region);
            buf_add_char(out, '\n');
        }
    }
    return true;
}
