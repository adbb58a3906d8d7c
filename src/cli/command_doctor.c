/* `doctor`: what the linter takes an operator directory for. */
#include "cli/doctor_print.h"
#include "lint/discover.h"

typedef struct DoctorOptions {
    Str dir;
    bool json, help;
    Lang lang;
} DoctorOptions;

static bool set_option(DoctorOptions *options, Str name, Str value)
{
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

static bool read_arguments(DoctorOptions *options, int argc, char **argv)
{
    bool only_paths = false;
    for (int i = 0; i < argc; i++) {
        Str argument = str_from(argv[i]);
        bool is_option = !only_paths && argument.length > 1 && argument.at[0] == '-';
        if (is_option && str_is(argument, "--")) {
            only_paths = true;
        } else if (is_option && (str_is(argument, "--help") || str_is(argument, "-h"))) {
            options->help = true;
        } else if (is_option) {
            size_t equals = str_find(argument, STR("="), 0);
            Str value = STR("");
            if (equals != SIZE_MAX) {
                value = str_slice(argument, equals + 1, argument.length);
                argument = str_slice(argument, 0, equals);
            } else if (i + 1 < argc) {
                value = str_from(argv[++i]);
            }
            if (!set_option(options, argument, value)) {
                return false;
            }
        } else if (options->dir.length > 0 || argument.length == 0) {
            return false;
        } else {
            options->dir = argument;
        }
    }
    return true;
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
    DoctorOptions options = {.dir = STR(""), .lang = default_lang()};
    if (!read_arguments(&options, argc, argv)) {
        return trouble("usage: pypto-lint doctor [--format text|json] [--lang en|zh] [DIR]");
    }
    if (options.help) {
        char *words[] = {(char[]){"doctor"}, NULL};
        return command_help(arena, 1, words);
    }
    if (options.dir.length == 0 &&
        !operator_of_folder(arena, working_directory(arena), &options.dir)) {
        return trouble("no operator directory here; name one");
    }
    Str dir = without_slash(arena, options.dir);
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
