/* What the completion scripts have in common; see completions.h. */
#include "cli/completions.h"

/* Lines as one line of words. */
static Str with_blanks(Arena *arena, Str lines)
{
    char *words = str_dup(arena, str_trim(lines));
    for (char *at = words; *at != '\0'; at++) {
        *at = *at == '\n' ? ' ' : *at;
    }
    return str_from(words);
}

Completion option_completion(const Option *option, Arena *arena)
{
    static const struct {
        const char *argument;
        CompletionKind kind;
    } paths[] = {{"FILE", COMPLETE_FILE},
                 {"PATH", COMPLETE_FILE},
                 {"REL", COMPLETE_FILE},
                 {"DIR", COMPLETE_DIRECTORY}};
    if (!option_takes_value(option)) {
        return (Completion){.kind = COMPLETE_NONE};
    }
    Str words = with_blanks(arena, option_words(option, arena));
    if (words.length > 0) {
        bool list = strcmp(option->argument, "LIST") == 0;
        return (Completion){list ? COMPLETE_LIST : COMPLETE_WORD, words};
    }
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        if (strcmp(option->argument, paths[i].argument) == 0) {
            return (Completion){.kind = paths[i].kind};
        }
    }
    return (Completion){.kind = COMPLETE_ANY};
}

Str command_words(const Command *command, Arena *arena)
{
    Buf out = {.arena = arena};
    if (command->options->words != NULL) {
        command->options->words(&out);
    }
    return with_blanks(arena, buf_str(&out));
}

bool option_spelling(const Option *option, size_t *at, Str *spelling)
{
    Str names = str_from(option->name);
    if (*at >= names.length) {
        return false;
    }
    size_t end = str_find(names, STR(", "), *at);
    end = end == SIZE_MAX ? names.length : end;
    *spelling = str_slice(names, *at, end);
    *at = end + strlen(", ");
    return true;
}
