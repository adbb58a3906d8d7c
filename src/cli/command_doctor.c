/* `doctor`: what the linter takes an operator directory for; with --env, what is installed for
 * kernels on a device. */
#include "cli/cli.h"
#include "cli/doctor_print.h"
#include "cli/environment_print.h"
#include "lint/discover.h"

typedef struct DoctorOptions {
    unsigned json; /* text or json */
    bool environment;
    Str root;
    Lang lang;
} DoctorOptions;

static const Option rows[] = {
    CHOICE_ROW(DoctorOptions, json, "--format", "text|json", "format of the page", "输出的格式"),
    FLAG_ROW(DoctorOptions, environment, "--env",
             "what is installed for running kernels on a device, and whether it fits together",
             "设备运行环境：已安装的组件及其是否配套"),
    TEXT_ROW(DoctorOptions, root, "--root", "DIR",
             "with --env: the root of the system to look at (a container's, an image's)",
             "与 --env 一起使用：要查看的系统根目录（容器或镜像）"),
    LANG_ROW(DoctorOptions, lang),
};

const OptionTable doctor_options = OPTION_TABLE(rows, .most_words = 1);

static int look_at_environment(Arena *arena, const DoctorOptions *options)
{
    Rooted root;
    Text error = {"", ""};
    Str folder = options->root.length > 0 ? options->root : STR("/");
    if (!rooted_open(&root, arena, folder, &error)) {
        return print_error("%.*s: %s", STR_ARG(folder), text_in(options->lang, error));
    }
    const Environment *environment = environment_look(arena, &root, options->lang);
    rooted_close(&root);
    bool printed = options->json != 0 ? environment_print_json(arena, environment)
                                      : environment_print_text(arena, environment);
    return !printed ? EXIT_ERROR : environment_is_bad(environment) ? EXIT_FINDINGS : EXIT_CLEAN;
}

int command_doctor(const Command *self, Arena *arena, int argc, char **argv)
{
    DoctorOptions options = {.lang = default_lang()};
    Words words;
    int status = command_read(self, arena, &options, &words, argc, argv);
    if (status != EXIT_CLEAN) {
        return status;
    }
    if (options.root.length > 0 && !options.environment) {
        return print_error("--root needs --env");
    }
    if (options.environment) {
        return words.count == 0 ? look_at_environment(arena, &options)
                                : print_error("--env is about the machine: it takes no directory");
    }
    Str place = words.count > 0 ? str_from(words.items[0]) : STR("");
    if (words.count > 0 && place.length == 0) {
        return print_error("empty path");
    }
    if (place.length == 0 && !operator_of_folder(arena, working_directory(arena), &place)) {
        return print_error("no operator directory here; name one");
    }
    Str dir = str_copy(arena, path_without_slash(place));
    if (!file_is_directory(dir.at)) {
        return print_error("%s: no such directory", dir.at);
    }
    const Doctor *doctor = doctor_look(arena, dir, options.lang);
    bool printed = options.json != 0 ? doctor_print_json(arena, doctor)
                                     : doctor_print_text(arena, doctor, options.lang);
    /* What keeps a check from looking at everything is an error here, too. */
    bool sound = doctor->config_error.length == 0 && doctor->unreadable.count == 0;
    return printed && sound ? EXIT_CLEAN : EXIT_ERROR;
}
