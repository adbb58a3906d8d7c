/* The output formats; see report.h. */
#include "report/report.h"

#define FORMAT(name, readers, ...) {#name, readers, report_##name},
const ReportFormat report_formats[REPORT_FORMAT_COUNT] = {
#include "report/formats.def"
};
