/* Readers of the options of `check`. Private to options.c. */
#ifndef PYPTO_LINT_CLI_OPTION_READERS_H
#define PYPTO_LINT_CLI_OPTION_READERS_H

#include "cli/options.h"

/* Takes the value of an option (empty for one that has none). False after a message. */
typedef bool OptionReader(CheckOptions *options, Arena *arena, Str value);

OptionReader read_stage, read_phase, read_design, read_file, read_rules, read_ignore, read_format,
    read_lang, read_fail_on, read_jobs, read_baseline, read_changed_since, read_color, read_op_dir,
    read_python, read_output, read_metrics, read_stdin_name, read_config_path, read_no_config,
    read_no_exec, read_show_passed, read_statistics, read_fix, read_remove_unused,
    read_update_baseline, read_whole, read_staged, read_new_only, read_help;

#endif
