/* Language of messages. */
#ifndef PYPTO_LINT_CLI_LANGUAGE_H
#define PYPTO_LINT_CLI_LANGUAGE_H

#include "lint/rule.h"

/* Language by PYPTO_LINT_LANG, then the locale, then English. */
Lang default_lang(void);

#endif
