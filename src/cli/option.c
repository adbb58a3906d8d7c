/* Options as rows of a table; see option.h. */
#include "cli/option.h"

#include "base/ascii.h"
#include "operator/text.h"

#include <stdio.h>

/* --- finding */

/* Is it one of the spellings in "-y, --yes"? */
static bool is_spelling(const char *names, Str spelling)
{
    Str rest = str_from(names);
    for (;;) {
        size_t comma = str_find(rest, STR(", "), 0);
        if (str_equal(str_slice(rest, 0, comma == SIZE_MAX ? rest.length : comma), spelling)) {
            return true;
        }
        if (comma == SIZE_MAX) {
            return false;
        }
        rest = str_slice(rest, comma + 2, rest.length);
    }
}

static const Option *option_find(const OptionTable *table, Str spelling)
{
    for (size_t i = 0; i < table->count; i++) {
        if (is_spelling(table->rows[i].name, spelling)) {
            return &table->rows[i];
        }
    }
    return NULL;
}

/* --- values */

bool option_number(Str text, uint32_t most, uint32_t *number)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < text.length; i++) {
        if (!is_digit(text.at[i]) || sum > UINT32_MAX) {
            return false;
        }
        sum = sum * 10 + (uint64_t)(text.at[i] - '0');
    }
    *number = (uint32_t)sum;
    return text.length > 0 && sum <= most;
}

Str option_words(const Option *option, Arena *arena)
{
    Buf out = {.arena = arena};
    if (option->words != NULL) {
        option->words(&out);
    } else if (option->argument != NULL && strchr(option->argument, '|') != NULL) {
        for (const char *at = option->argument; *at != '\0'; at++) {
            buf_add_char(&out, *at == '|' ? '\n' : *at);
        }
        buf_add_char(&out, '\n');
    }
    return buf_str(&out);
}

static Str with_commas(Arena *arena, Str words, Lang lang)
{
    Text comma = {", ", "、"};
    Text before_last = {" or ", " 或 "};
    Buf out = {.arena = arena};
    Str word;
    buf_add(&out, STR(""));
    for (size_t at = 0; text_next_line(words, &at, &word);) {
        if (out.length > 0) {
            buf_add(&out, str_from(text_in(lang, at == words.length ? before_last : comma)));
        }
        buf_add(&out, word);
    }
    return buf_str(&out);
}

Str option_words_text(OptionWords *words, Arena *arena, Lang lang)
{
    Buf lines = {.arena = arena};
    words(&lines);
    return with_commas(arena, buf_str(&lines), lang);
}

static bool set_number(const Option *option, Arena *arena, void *member, Str value, Str *error)
{
    bool good = option_number(value, UINT32_MAX, member);
    if (!good) {
        *error = str_format(arena, "%s takes a number, not '%.*s'", option->name, STR_ARG(value));
    }
    return good;
}

static bool set_word(const Option *option, Arena *arena, void *member, Str value, Str *error)
{
    Str words = option_words(option, arena);
    Str word;
    unsigned index = 0;
    for (size_t at = 0; text_next_line(words, &at, &word); index++) {
        if (!str_equal(word, value)) {
            continue;
        }
        if (option->kind == OPTION_CHOICE) {
            *(unsigned *)member = index;
        } else {
            *(Str *)member = value;
        }
        return true;
    }
    *error = str_format(arena, "%s takes %.*s, not '%.*s'", option->name,
                        STR_ARG(with_commas(arena, words, LANG_EN)), STR_ARG(value));
    return false;
}

static bool set(const Option *option, Arena *arena, void *options, Str value, Str *error)
{
    void *member = (char *)options + option->offset;
    switch (option->kind) {
    case OPTION_READ:
        return option->read(options, arena, value, error);
    case OPTION_NUMBER:
        return set_number(option, arena, member, value, error);
    case OPTION_WORD:
    case OPTION_CHOICE:
        return set_word(option, arena, member, value, error);
    case OPTION_FLAG:
        *(bool *)member = true;
        return true;
    case OPTION_TEXT:
    case OPTION_OPTIONAL:
        break;
    }
    if (value.length == 0) {
        *error = str_format(arena, "%s needs a value (%s)", option->name, option->argument);
        return false;
    }
    *(Str *)member = value;
    return true;
}

/* --- one option */

/* An argument taken apart: "--name", "--name=value", "-j", "-jvalue" or "-j=value". */
typedef struct Parts {
    Str name, value;
    bool joined; /* the value is part of the argument */
} Parts;

static Parts take_apart(Str argument)
{
    size_t equals = str_find(argument, STR("="), 0);
    bool one_letter = argument.length > 2 && argument.at[1] != '-';
    if (equals != SIZE_MAX && (!one_letter || equals == 2)) {
        return (Parts){str_slice(argument, 0, equals),
                       str_slice(argument, equals + 1, argument.length), true};
    }
    if (one_letter) {
        return (Parts){str_slice(argument, 0, 2), str_slice(argument, 2, argument.length), true};
    }
    return (Parts){argument, STR(""), false};
}

bool option_takes_value(const Option *option)
{
    return option->argument != NULL && option->kind != OPTION_OPTIONAL;
}

bool option_take(const OptionTable *table, Arena *arena, void *options, int argc, char **argv,
                 int *index, Str *error)
{
    Parts parts = take_apart(str_from(argv[*index]));
    const Option *option = option_find(table, parts.name);
    *error = STR("");
    if (option == NULL) {
        return false;
    }
    if (option->argument == NULL && parts.joined) {
        *error = str_format(arena, "%s takes no value", option->name);
        return false;
    }
    if (option->kind == OPTION_OPTIONAL && !parts.joined) {
        parts.value = STR("all");
    } else if (option->argument != NULL && !parts.joined) {
        if (*index + 1 >= argc) {
            *error = str_format(arena, "%s needs a value (%s)", option->name, option->argument);
            return false;
        }
        parts.value = str_from(argv[++*index]);
    }
    return set(option, arena, options, parts.value, error);
}

/* --- help */

/* Part of every table: command_read knows it. */
static const Option help_row = {.name = "--help", .help = {"this text", "本说明"}};

static size_t shown_width(const Option *option)
{
    const char *argument = option->argument == NULL ? "" : option->argument;
    return strlen("  ") + strlen(option->name) + strlen(argument) +
           (option_takes_value(option) ? 1 : 0);
}

Str option_help(const Option *option, Arena *arena, Lang lang)
{
    Str help = str_from(text_in(lang, option->help));
    size_t at = str_find(help, STR("%s"), 0);
    if (at == SIZE_MAX) {
        return help;
    }
    Str words = with_commas(arena, option_words(option, arena), lang);
    Str rest = str_slice(help, at + strlen("%s"), help.length);
    return str_format(arena, "%.*s%.*s%.*s", (int)at, help.at, STR_ARG(words), STR_ARG(rest));
}

static void add_row(const Option *option, Buf *out, size_t column, Lang lang)
{
    size_t width = shown_width(option);
    int blanks = width < column ? (int)(column - width) : 2;
    Str help = option_help(option, out->arena, lang);
    buf_addf(out, "  %s%s%s%*s%.*s\n", option->name, option_takes_value(option) ? " " : "",
             option->argument == NULL ? "" : option->argument, blanks, "", STR_ARG(help));
}

void option_table_help(const OptionTable *table, Buf *out, Lang lang)
{
    enum { WIDEST = 42 }; /* a wider row has its help right after it, not in the column */
    size_t column = 0;
    for (size_t i = 0; i < table->count; i++) {
        size_t width = shown_width(&table->rows[i]) + strlen("  ");
        column = width > column && width <= WIDEST ? width : column;
    }
    for (size_t i = 0; i < table->count; i++) {
        add_row(&table->rows[i], out, column, lang);
    }
    add_row(&help_row, out, column, lang);
}
