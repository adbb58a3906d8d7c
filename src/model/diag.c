/* Findings about a program that did not stop it. */
#include "model/partial.h"
#include "model/record.h"

#include "base/str.h"

#include <stdio.h>

/* A kernel in a loop of mistakes must not fill the memory with findings. */
enum { MAX_DIAGNOSTICS = 1000 };

struct PtsDiagnosticList {
    VEC(PtsDiagnostic) items;
};

typedef struct DiagnoseCall {
    PtsProgram *program;
    PtsDiagnostic diagnostic;
} DiagnoseCall;

static bool is_known(const struct PtsDiagnosticList *list, const PtsDiagnostic *diagnostic)
{
    for (uint32_t i = 0; i < list->items.count; i++) {
        const PtsDiagnostic *item = &list->items.items[i];
        if (item->site.line == diagnostic->site.line && item->site.file == diagnostic->site.file &&
            strcmp(item->id, diagnostic->id) == 0 &&
            strcmp(item->message, diagnostic->message) == 0) {
            return true;
        }
    }
    return false;
}

static void add(void *argument)
{
    DiagnoseCall *call = argument;
    PtsProgram *program = call->program;
    if (program->diagnostics == NULL) {
        program->diagnostics = ARENA_NEW(&program->arena, struct PtsDiagnosticList);
    }
    struct PtsDiagnosticList *list = program->diagnostics;
    if (list->items.count >= MAX_DIAGNOSTICS || is_known(list, &call->diagnostic)) {
        return;
    }
    PtsDiagnostic diagnostic = call->diagnostic;
    diagnostic.message = str_dup(&program->arena, str_from(diagnostic.message));
    VEC_PUSH(&program->arena, &list->items, diagnostic);
}

void pts_diagnose(PtsProgram *program, PtsSeverity severity, uint32_t code, const char *id,
                  PtsSite site, const char *format, ...)
{
    char message[768];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    DiagnoseCall call = {program,
                         {.severity = severity,
                          .code = code,
                          .id = id,
                          .message = message,
                          .site = site,
                          .certain = pts_is_certain(program, code)}};
    arena_try(&program->arena, add, &call);
}

size_t pts_diagnostic_count(const PtsProgram *program)
{
    return program->diagnostics == NULL ? 0 : program->diagnostics->items.count;
}

const PtsDiagnostic *pts_diagnostic(const PtsProgram *program, size_t index)
{
    return index < pts_diagnostic_count(program) ? &program->diagnostics->items.items[index] : NULL;
}
