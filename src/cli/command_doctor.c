/* `doctor`: what the linter takes an operator directory for. */
#include "cli/doctor_print.h"
#include "cli/place_arguments.h"
#include "lint/discover.h"

typedef struct DoctorOptions {
    bool json;
    Lang lang;
} DoctorOptions;

static bool set_option(void *given, Str name, Str value)
{
    DoctorOptions *options = given;
    if (str_is(name, "--format") && (str_is(value, "text") || str_is(value, "json"))) {
        options->json = str_is(value, "json");
        return true;
    }
    if (str_is(name, "--lang") && (str_is(value, "en") || str_is(value, "zh"))) {
        options->lang = str_is(value, "zh") ? LANG_ZH : LANG_EN;
        return true;
    }
    return false;
}

static Str without_slash(Arena *arena, Str path)
{
    while (path.length > 1 && path.at[path.length - 1] == '/') {
        path.length--;
    }
    return (Str){str_dup(arena, path), path.length};
}

int command_doctor(Arena *arena, int argc, char **argv)
{
    DoctorOptions options = {.lang = default_lang()};
    PlaceArguments arguments = {.set_option = set_option, .options = &options};
    if (!place_arguments_read(&arguments, argc, argv)) {
        return trouble("usage: pypto-lint doctor [--format text|json] [--lang en|zh] [DIR]");
    }
    if (arguments.help) {
        char *words[] = {(char[]){"doctor"}, NULL};
        return command_help(arena, 1, words);
    }
    if (arguments.place.length == 0 &&
        !operator_of_folder(arena, working_directory(arena), &arguments.place)) {
        return trouble("no operator directory here; name one");
    }
    Str dir = without_slash(arena, arguments.place);
    if (!file_is_directory(dir.at)) {
        return trouble("%s: no such directory", dir.at);
    }
    const Doctor *doctor = doctor_look(arena, dir, options.lang);
    bool printed = options.json ? doctor_print_json(arena, doctor)
                                : doctor_print_text(arena, doctor, options.lang);
    /* What keeps a check from looking at everything is trouble here, too. */
    bool sound = doctor->config_error.length == 0 && doctor->unreadable.count == 0;
    return printed && sound ? EXIT_CLEAN : EXIT_TROUBLE;
}
