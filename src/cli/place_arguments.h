/* Arguments of the commands that look at one place: options, which all take a value but --help, and
 * that place. */
#ifndef PYPTO_LINT_CLI_PLACE_ARGUMENTS_H
#define PYPTO_LINT_CLI_PLACE_ARGUMENTS_H

#include "base/str.h"

typedef struct PlaceArguments {
    /* Takes an option; its value is empty when there is none. False: wrong usage. */
    bool (*set_option)(void *options, Str name, Str value);
    void *options;
    Str place; /* empty when none is named */
    bool help; /* --help or -h is among them */
    bool many; /* wrong usage: more than one place, or an empty one */
} PlaceArguments;

/* Reads the arguments as `--name value`, `--name=value` and, behind `--`, places whatever they look
 * like. False at the first that is wrong. */
bool place_arguments_read(PlaceArguments *arguments, int argc, char **argv);

#endif
