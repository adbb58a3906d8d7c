/* The two forms of the doctor's page. Private to the command. */
#ifndef PYPTO_LINT_CLI_DOCTOR_PRINT_H
#define PYPTO_LINT_CLI_DOCTOR_PRINT_H

#include "cli/cli.h"
#include "lint/doctor.h"

/* Write the page to standard output; false (with a message) when that fails. */
bool doctor_print_text(Arena *arena, const Doctor *doctor, Lang lang);
bool doctor_print_json(Arena *arena, const Doctor *doctor);

#endif
