/* `doctor`: what the linter takes an operator directory for. */
#include "cli/cli.h"
#include "cli/doctor_print.h"
#include "lint/discover.h"

typedef struct DoctorOptions {
    unsigned json; /* text or json */
    Lang lang;
} DoctorOptions;

static const Option rows[] = {
    CHOICE_ROW(DoctorOptions, json, "--format", "text|json", "form of the page", "输出的格式"),
    LANG_ROW(DoctorOptions, lang),
};

const OptionTable doctor_options = OPTION_TABLE(rows, .most_words = 1);

int command_doctor(const Command *self, Arena *arena, int argc, char **argv)
{
    DoctorOptions options = {.lang = default_lang()};
    Words words;
    int status = command_read(self, arena, &options, &words, argc, argv);
    if (status != EXIT_CLEAN) {
        return status;
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
