/* Readers of the options of `check`. Private to command_check_options.c. */
#ifndef PYPTO_LINT_CLI_COMMAND_CHECK_READERS_H
#define PYPTO_LINT_CLI_COMMAND_CHECK_READERS_H

#include "cli/command_check_options.h"

OptionReader read_stage, read_phase, read_design, read_file, read_rules, read_ignore, read_select,
    read_extend_select, read_profile, read_max_warnings, read_lang,
    read_fail_on, read_jobs, read_changed_since;

#endif
