/* The commands; see commands.h. */
#include "cli/commands.h"

#define COMMAND(name, id, usage, en, zh, page)                                                     \
    {name, usage, {en, zh}, page, &id##_options, command_##id},
const Command commands[COMMAND_COUNT] = {
#include "cli/commands.def"
};

const Command *command_find(Str name)
{
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (str_is(name, commands[i].name)) {
            return &commands[i];
        }
    }
    return NULL;
}

bool command_is_listed(const Command *command)
{
    return command->summary.en != NULL;
}

void command_summary_add(Buf *out, const Command *command, Lang lang)
{
    const char *place = text_in(lang, (Text){" (docs/%s)", "（docs/%s）"});
    buf_add(out, str_from(text_in(lang, command->summary)));
    if (*command->page != '\0') {
        buf_add(out, str_format(out->arena, place, command->page));
    }
    buf_add_char(out, '\n');
}

void command_usage_add(Buf *out, const Command *command, Lang lang)
{
    const char *usage = text_in(lang, (Text){"Usage:", "用法："});
    buf_addf(out, "%s pypto-lint %s\n", usage, command->usage);
    command_summary_add(out, command, lang);
    if (command->options->count > 0) {
        buf_addf(out, "\n%s\n", text_in(lang, (Text){"Options:", "选项："}));
        option_table_help(command->options, out, lang);
    }
}
