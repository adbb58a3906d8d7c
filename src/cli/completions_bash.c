/* The completion script for bash. Readline takes `=` for a word of its own. */
#include "cli/completions.h"

static const char head[] =
    "# Completions of pypto-lint for bash, made by `pypto-lint completions bash`.\n"
    "_pypto_lint_paths() {\n"
    "    local IFS=$'\\n'\n"
    "    compopt -o filenames 2>/dev/null\n"
    "    COMPREPLY+=($(compgen \"$1\" -- \"$word\"))\n"
    "}\n"
    "_pypto_lint() {\n"
    "    local word=\"${COMP_WORDS[COMP_CWORD]}\" before=\"${COMP_WORDS[COMP_CWORD - 1]}\"\n"
    "    local command=check kind=argument words= options= prefix=\n"
    "    COMPREPLY=()\n"
    "    if [[ $word == = ]]; then\n"
    "        word=\n"
    "    elif [[ $before == = && COMP_CWORD -gt 2 ]]; then\n"
    "        before=\"${COMP_WORDS[COMP_CWORD - 2]}\"\n"
    "    fi\n";

static const char tail[] =
    "    case $kind in\n"
    "    any) return ;;\n"
    "    file) _pypto_lint_paths -f; return ;;\n"
    "    directory) _pypto_lint_paths -d; return ;;\n"
    "    list) [[ $word == *,* ]] && prefix=\"${word%,*},\"\n"
    "        COMPREPLY=($(compgen -P \"$prefix\" -W \"$words\" -- \"${word##*,}\")); return ;;\n"
    "    word) COMPREPLY=($(compgen -W \"$words\" -- \"$word\")); return ;;\n"
    "    esac\n"
    "    if [[ $word == -* ]]; then\n"
    "        COMPREPLY=($(compgen -W \"$options --help\" -- \"$word\"))\n"
    "        return\n"
    "    fi\n"
    "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
    "    if [[ -z $words || COMP_CWORD -eq 1 ]]; then\n"
    "        _pypto_lint_paths -f\n"
    "    fi\n"
    "}\n"
    "complete -F _pypto_lint pypto-lint\n";

static void add_commands(Buf *out, const char *between)
{
    bool first = true;
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (command_is_listed(&commands[i])) {
            buf_addf(out, "%s%s", first ? "" : between, commands[i].name);
            first = false;
        }
    }
}

/* The case "COMMAND --option": what may follow. */
static void add_value(Buf *out, const Command *command, const Option *option)
{
    static const char *const kinds[] = {[COMPLETE_ANY] = "any",
                                        [COMPLETE_FILE] = "file",
                                        [COMPLETE_DIRECTORY] = "directory",
                                        [COMPLETE_WORD] = "word",
                                        [COMPLETE_LIST] = "list"};
    Completion completion = option_completion(option, out->arena);
    Str spelling;
    if (completion.kind == COMPLETE_NONE) {
        return;
    }
    for (size_t at = 0; option_spelling(option, &at, &spelling);) {
        buf_addf(out, "    '%s %.*s') kind=%s words='%.*s' ;;\n", command->name, STR_ARG(spelling),
                 kinds[completion.kind], STR_ARG(completion.words));
    }
}

static void add_arguments(Buf *out, const Command *command)
{
    Str spelling;
    buf_addf(out, "    %s) words='%.*s' options='", command->name,
             STR_ARG(command_words(command, out->arena)));
    for (size_t i = 0; i < command->options->count; i++) {
        for (size_t at = 0; option_spelling(&command->options->rows[i], &at, &spelling);) {
            buf_addf(out, "%.*s ", STR_ARG(spelling));
        }
    }
    buf_add(out, STR("' ;;\n"));
}

void completions_bash(Buf *out)
{
    buf_add(out, str_from(head));
    buf_add(out, STR("    if [[ COMP_CWORD -gt 1 ]]; then\n"
                     "        case \"${COMP_WORDS[1]}\" in\n        "));
    add_commands(out, "|");
    buf_add(out, STR(") command=\"${COMP_WORDS[1]}\" ;;\n        esac\n    fi\n"
                     "    case $command in\n"));
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (command_is_listed(&commands[i])) {
            add_arguments(out, &commands[i]);
        }
    }
    buf_add(out, STR("    esac\n    if [[ COMP_CWORD -eq 1 ]]; then\n        words='"));
    add_commands(out, " ");
    buf_add(out, STR("' options+=' --version'\n    fi\n    case \"$command $before\" in\n"));
    for (int i = 0; i < COMMAND_COUNT; i++) {
        const OptionTable *table = commands[i].options;
        for (size_t k = 0; k < table->count && command_is_listed(&commands[i]); k++) {
            add_value(out, &commands[i], &table->rows[k]);
        }
    }
    buf_add(out, STR("    esac\n"));
    buf_add(out, str_from(tail));
}
