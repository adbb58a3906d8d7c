/* What the program was started in: the language of its user, the working directory. */
#ifndef PYPTO_LINT_CLI_SURROUNDINGS_H
#define PYPTO_LINT_CLI_SURROUNDINGS_H

#include "lint/rule.h"

/* Language by PYPTO_LINT_LANG, then the locale, then English. */
Lang default_lang(void);

/* The working directory, absolute. "." when it is unknown, and then the run ends with an error. */
Str working_directory(Arena *arena);

#endif
