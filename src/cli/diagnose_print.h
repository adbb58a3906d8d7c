/* What `diagnose` prints, in both forms. */
#ifndef PYPTO_LINT_CLI_DIAGNOSE_PRINT_H
#define PYPTO_LINT_CLI_DIAGNOSE_PRINT_H

#include "diagnose/diagnosis.h"
#include "diagnose/log_read.h"

/* The kernel's file, for the text of a line and the call in it. */
typedef struct KernelFile {
    Str path, text; /* `text` is empty without --kernel */
} KernelFile;

typedef struct DiagnoseReport {
    const LogScan *scan;
    const LogRead *logs;
    Diagnosis diagnosis;
    KernelFile kernel;
} DiagnoseReport;

/* What the kernel's file has at a place: its line, and the pypto call that goes over it, as in
 * "pypto.add(a, b)". Both are empty for a place in another file or beyond its end. In the arena. */
void kernel_line(Arena *arena, const KernelFile *kernel, const LogPlace *place, Str *line,
                 Str *call);

/* Where a page is: "docs/rules/OL04.md", or empty. */
Str diagnose_page(Arena *arena, const Pattern *pattern);

bool diagnose_print_text(Arena *arena, const DiagnoseReport *report, Lang lang);
bool diagnose_print_json(Arena *arena, const DiagnoseReport *report, Lang lang);

#endif
