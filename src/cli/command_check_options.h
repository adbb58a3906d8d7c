/* Options of `check`. */
#ifndef PYPTO_LINT_CLI_COMMAND_CHECK_OPTIONS_H
#define PYPTO_LINT_CLI_COMMAND_CHECK_OPTIONS_H

#include "cli/cli.h"
#include "lint/plan.h"

typedef enum ColorMode { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } ColorMode;

typedef struct CheckOptions {
    Request request;
    unsigned format; /* of report_formats */
    Str output;      /* --output, or empty */
    Str html;        /* --html, or empty */
    Str stdin_name;  /* --stdin-filename, or empty */
    Str metrics;     /* --metrics, or empty */
    bool read_stdin; /* `-` among the paths */
    bool diff;       /* show what --fix would do */
    bool show_passed;
    bool quiet, verbose;
    bool exit_zero;
    bool has_max_warnings;
    uint32_t max_warnings;
    bool show_settings, show_files;
    bool watch;
    bool
        has_scope; /* --stage, --phase or --design: what makes a gate of a call without a command */
    ColorMode color;
} CheckOptions;

/* Reads the arguments. EXIT_CLEAN, else the status with which the command ends. */
int check_options_read(const Command *self, CheckOptions *options, Arena *arena, int argc,
                       char **argv);
/* Do the options go together? False after a message. Part of check_options_read. */
bool check_options_fit(const CheckOptions *options);

/* --diff, and --fix of standard input: what the fixes make of the files, on standard output. The
 * exit status. (command_check_fix.c) */
int show_fixes(CheckOptions *options, Arena *arena, Plan *plan);

#endif
