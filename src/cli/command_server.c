/* `server`: the linter for editors, by the Language Server Protocol on standard input and
 * output. */
#include "cli/cli.h"
#include "rules/data/api.h"
#include "server/server.h"

#include <unistd.h>

typedef struct LanguageServerOptions {
    bool stdio;
    Str lang;
    uint32_t seconds;
} LanguageServerOptions;

static const Option rows[] = {
    FLAG_ROW(LanguageServerOptions, stdio, "--stdio",
             "use standard input and output, as by default", "使用标准输入输出（缺省即如此）"),
    NUMBER_ROW(LanguageServerOptions, seconds, "--check-seconds", "N",
               "time that a check may take (default 20)", "一次检查的时限（缺省 20 秒）"),
    WORD_ROW(LanguageServerOptions, lang, "--lang", "en|zh", "language of messages", "消息的语言"),
};

const OptionTable server_options = OPTION_TABLE(rows, .most_words = 0);

int command_server(const Command *self, Arena *arena, int argc, char **argv)
{
    enum { DEFAULT_SECONDS = 20, MOST_SECONDS = 3600 };
    LanguageServerOptions options = {.seconds = DEFAULT_SECONDS};
    Words words;
    Str error;
    int status = command_read(self, arena, &options, &words, argc, argv);
    if (status != EXIT_CLEAN) {
        return status;
    }
    if (options.seconds == 0 || options.seconds > MOST_SECONDS) {
        return print_error("--check-seconds takes a number from 1 to %d", MOST_SECONDS);
    }
    if (!api_load(arena, &error)) {
        return print_error("%.*s", STR_ARG(error));
    }
    bool has_lang = options.lang.length > 0;
    ServerOptions server = {
        .lang = has_lang ? (str_is(options.lang, "zh") ? LANG_ZH : LANG_EN) : default_lang(),
        .has_lang = has_lang,
        .check_seconds = options.seconds,
        .docs_uri =
            sizeof PYPTO_LINT_HOME == 1 ? STR("") : STR(PYPTO_LINT_HOME "/blob/main/docs/rules/")};
    const char *fault;
    status = server_run(STDIN_FILENO, STDOUT_FILENO, &server, &fault);
    return fault == NULL ? status : print_error("server: %s", fault);
}
