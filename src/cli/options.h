/* Options of `check`: one table, from which parsing and help are made. */
#ifndef PYPTO_LINT_CLI_OPTIONS_H
#define PYPTO_LINT_CLI_OPTIONS_H

#include "cli/cli.h"

typedef enum ColorMode { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } ColorMode;

typedef struct CheckOptions {
    Request request;
    ReportWriter *writer;
    Str output;      /* --output, or empty */
    Str stdin_name;  /* --stdin-filename, or empty */
    Str metrics;     /* --metrics, or empty */
    bool read_stdin; /* `-` among the paths */
    bool show_passed, statistics, help;
    bool fix, remove_unused;
    bool
        has_scope; /* --stage, --phase or --design: what makes a gate of a call without a command */
    ColorMode color;
} CheckOptions;

/* Reads the arguments. False after a message on stderr: wrong usage. */
bool options_read(CheckOptions *options, Arena *arena, int argc, char **argv);
/* Do the options go together? False after a message. Part of options_read. */
bool options_check(const CheckOptions *options);
/* Appends the option table as help text. */
void options_help(Buf *out, Lang lang);

#endif
