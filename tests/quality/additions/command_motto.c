/* `motto`: prints its arguments. A command as test_additions.py adds one. */
#include "cli/cli.h"

#include <ctype.h>

typedef struct MottoOptions {
    bool loud;
    enum { END_DOT, END_BANG } end;
} MottoOptions;

static const Option rows[] = {
    FLAG_ROW(MottoOptions, loud, "--loud", "in capitals", "大写"),
    CHOICE_ROW(MottoOptions, end, "--end", "dot|bang", "what it ends with", "结尾"),
};

const OptionTable motto_options = OPTION_TABLE(rows, .most_words = UINT32_MAX);

int command_motto(const Command *self, Arena *arena, int argc, char **argv)
{
    MottoOptions options = {.loud = false};
    Words words;
    Buf out = {.arena = arena};
    int status = command_read(self, arena, &options, &words, argc, argv);
    if (status != EXIT_CLEAN) {
        return status;
    }
    for (uint32_t i = 0; i < words.count; i++) {
        for (const char *at = words.items[i]; *at != '\0'; at++) {
            buf_add_char(&out, options.loud ? (char)toupper((unsigned char)*at) : *at);
        }
        buf_add(&out, i + 1 < words.count ? STR(" ") : STR(""));
    }
    buf_add(&out, options.end == END_BANG ? STR("!\n") : STR(".\n"));
    return print_all(buf_str(&out)) ? EXIT_CLEAN : EXIT_ERROR;
}
