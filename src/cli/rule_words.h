/* The ids of the rules, as words of an option or a command. */
#ifndef PYPTO_LINT_CLI_RULE_WORDS_H
#define PYPTO_LINT_CLI_RULE_WORDS_H

#include "cli/option.h"

OptionWords rule_words;

#endif
