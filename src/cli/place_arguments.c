/* Arguments with one place; see place_arguments.h. */
#include "cli/place_arguments.h"

static bool read_option(PlaceArguments *arguments, Str argument, int argc, char **argv, int *i)
{
    if (str_is(argument, "--help") || str_is(argument, "-h")) {
        arguments->help = true;
        return true;
    }
    size_t equals = str_find(argument, STR("="), 0);
    Str value = STR("");
    if (equals != SIZE_MAX) {
        value = str_slice(argument, equals + 1, argument.length);
        argument = str_slice(argument, 0, equals);
    } else if (*i + 1 < argc) {
        value = str_from(argv[++*i]);
    }
    return arguments->set_option(arguments->options, argument, value);
}

bool place_arguments_read(PlaceArguments *arguments, int argc, char **argv)
{
    bool only_places = false;
    arguments->place = STR("");
    for (int i = 0; i < argc; i++) {
        Str argument = str_from(argv[i]);
        if (!only_places && str_is(argument, "--")) {
            only_places = true;
        } else if (!only_places && argument.length > 1 && argument.at[0] == '-') {
            if (!read_option(arguments, argument, argc, argv, &i)) {
                return false;
            }
        } else if (arguments->place.length > 0 || argument.length == 0) {
            arguments->many = true;
            return false;
        } else {
            arguments->place = argument;
        }
    }
    return true;
}
