/* Shell words; see shell_words.h. */
#include "hook/shell_lexer.h"
#include "operator/text.h"

/* Bytes of values and of words from braces: so that no text grows beyond measure. */
enum { MAX_PUT_IN = 1024 * 1024 };

/* --- words and commands */

/* Length of the name before `=`; 0 when the word is not an assignment. */
static size_t assigned_name(Str word)
{
    size_t length = 0;
    while (length < word.length && is_word_char(word.at[length])) {
        length++;
    }
    bool good = length > 0 && !is_digit(word.at[0]) && length < word.length;
    return good && word.at[length] == '=' ? length : 0;
}

static bool is_keyword(Str word)
{
    static const char *const words[] = {"if",    "then",  "else", "elif",   "fi",    "do", "done",
                                        "while", "until", "for",  "case",   "esac",  "in", "{",
                                        "}",     "!",     "time", "select", "coproc"};
    return STR_IS_ANY(word, words);
}

static void take_word(Lexer *lexer, Str word)
{
    ShellCommand *command = &lexer->command;
    if (command->words.count == 0 && !lexer->quoted && is_keyword(word)) {
        lexer->in_loop = str_is(word, "for") || str_is(word, "select");
        return;
    }
    size_t name = command->words.count == 0 ? assigned_name(word) : 0;
    if (name > 0) {
        shell_set_variable(lexer, str_slice(word, 0, name), str_slice(word, name + 1, word.length));
        return;
    }
    VEC_PUSH(lexer->arena, &command->words, word);
}

static void add_input(Lexer *lexer, ShellCommand *command, Str text)
{
    command->input =
        command->input.length == 0
            ? text
            : str_format(lexer->arena, "%.*s\n%.*s", STR_ARG(command->input), STR_ARG(text));
}

static void give_word(Lexer *lexer, Str word)
{
    HereDocument document = {lexer->shell->commands.count, word,
                             word.length > 0 && word.at[0] == '-'};
    switch (lexer->pending) {
    case PENDING_NOTHING:
        take_word(lexer, word);
        break;
    case PENDING_WRITE:
        VEC_PUSH(lexer->arena, &lexer->command.targets, word);
        break;
    case PENDING_DOCUMENT:
        VEC_PUSH(lexer->arena, &lexer->documents, document);
        break;
    case PENDING_STRING:
        add_input(lexer, &lexer->command, word);
        break;
    case PENDING_READ:
        break;
    }
}

static void end_word(Lexer *lexer)
{
    if (!lexer->in_word) {
        return;
    }
    Str word = {str_dup(lexer->arena, buf_str(&lexer->word)), lexer->word.length};
    Strs words = {.items = &word, .count = 1};
    if (lexer->braces) {
        words = (Strs){0};
        shell_expand_braces(&words, lexer->arena, word, &lexer->room);
    }
    lexer->word.length = 0;
    for (uint32_t i = 0; i < words.count; i++) {
        give_word(lexer, words.items[i]);
    }
    lexer->pending = PENDING_NOTHING;
    lexer->in_word = lexer->quoted = lexer->braces = false;
}

/* The variable of `for NAME in WORD…`: the first file of Python, else the first word; what another
 * command prints is not known. */
static void set_loop_variable(Lexer *lexer)
{
    const Strs *words = &lexer->command.words;
    Str value = words->count > 2 ? words->items[2] : lexer->unknown;
    for (uint32_t i = 2; i < words->count; i++) {
        if (str_ends(words->items[i], STR(".py"))) {
            value = words->items[i];
            break;
        }
    }
    if (words->count > 0) {
        bool is_word = value.length > 0 && value.at[0] != '$';
        shell_set_variable(lexer, words->items[0], is_word ? value : lexer->unknown);
    }
}

/* `read NAME…`: from another command. */
static void set_read_variables(Lexer *lexer)
{
    const Strs *words = &lexer->command.words;
    for (uint32_t i = 1; i < words->count; i++) {
        if (words->items[i].length > 0 && words->items[i].at[0] != '-') {
            shell_set_variable(lexer, words->items[i], lexer->unknown);
        }
    }
}

static void end_command(Lexer *lexer)
{
    end_word(lexer);
    lexer->pending = PENDING_NOTHING;
    lexer->defaults = 0;
    ShellCommand *command = &lexer->command;
    if (lexer->in_loop) {
        set_loop_variable(lexer);
        command->words.count = 0;
    } else if (command->words.count > 0 && str_is(command->words.items[0], "read")) {
        set_read_variables(lexer);
    }
    lexer->in_loop = false;
    bool open =
        lexer->documents.count > 0 &&
        lexer->documents.items[lexer->documents.count - 1].command == lexer->shell->commands.count;
    if (command->words.count > 0 || command->targets.count > 0 || open) {
        VEC_PUSH(lexer->arena, &lexer->shell->commands, *command);
    }
    *command = (ShellCommand){.input = STR("")};
}

/* The here-documents that begin after this line end. */
static void read_documents(Lexer *lexer)
{
    for (uint32_t i = 0; i < lexer->documents.count; i++) {
        const HereDocument *document = &lexer->documents.items[i];
        Str end = str_slice(document->end, document->tabs ? 1 : 0, document->end.length);
        size_t start = lexer->at, stop = lexer->at;
        Str line;
        while (text_next_line(lexer->text, &lexer->at, &line)) {
            while (document->tabs && str_starts(line, STR("\t"))) {
                line = str_slice(line, 1, line.length);
            }
            if (str_equal(line, end)) {
                break;
            }
            stop = lexer->at;
        }
        if (document->command < lexer->shell->commands.count) {
            add_input(lexer, &lexer->shell->commands.items[document->command],
                      str_slice(lexer->text, start, stop));
        }
    }
    lexer->documents.count = 0;
}

/* --- redirections */

/* A word of digits, or {name}, directly before the sign is not a word. */
static void drop_descriptor(Lexer *lexer)
{
    Str word = buf_str(&lexer->word);
    bool digits = word.length > 0 && !lexer->quoted;
    for (size_t i = 0; i < word.length; i++) {
        digits = digits && is_digit(word.at[i]);
    }
    bool name =
        word.length > 2 && word.at[0] == BRACE_OPEN && word.at[word.length - 1] == BRACE_CLOSE;
    if (digits || name) {
        lexer->word.length = 0;
        lexer->in_word = false;
    }
    end_word(lexer);
}

static void read_output(Lexer *lexer)
{
    drop_descriptor(lexer);
    lexer->at++;
    char next = at(lexer, 0);
    if (next == '(') {
        shell_read_nested(lexer);
        return;
    }
    bool copies = next == '&' && (is_digit(at(lexer, 1)) || at(lexer, 1) == '-');
    lexer->at += next == '>' || next == '|' || next == '&';
    lexer->pending = copies ? PENDING_READ : PENDING_WRITE;
}

static void read_input(Lexer *lexer)
{
    drop_descriptor(lexer);
    lexer->at++;
    char next = at(lexer, 0);
    if (next == '(') {
        shell_read_nested(lexer);
    } else if (next == '<') {
        bool string = at(lexer, 1) == '<';
        lexer->at += string ? 2 : 1;
        lexer->pending = string ? PENDING_STRING : PENDING_DOCUMENT;
        if (!string && at(lexer, 0) == '-') {
            add(lexer, '-'); /* end_word takes it for the sign of <<- */
            lexer->at++;
            while (at(lexer, 0) == ' ' || at(lexer, 0) == '\t') {
                lexer->at++;
            }
        }
    } else {
        lexer->at += next == '>' || next == '&';
        lexer->pending = next == '>' ? PENDING_WRITE : PENDING_READ;
    }
}

/* --- the text */

static void read_operator(Lexer *lexer, char c)
{
    if (c == '&' && at(lexer, 1) == '>') {
        end_word(lexer);
        lexer->at++;
        read_output(lexer);
        return;
    }
    end_command(lexer);
    lexer->at++;
    if (c == '\n') {
        read_documents(lexer);
    }
}

static void read_char(Lexer *lexer)
{
    char c = at(lexer, 0);
    if (c == '\\') {
        if (at(lexer, 1) != '\n') {
            lexer->quoted = true;
            add(lexer, at(lexer, 1));
        }
        lexer->at += 2;
    } else if (c == '\'' || c == '"') {
        shell_read_quoted(lexer, c);
    } else if (c == '$' && at(lexer, 1) == '\'') {
        lexer->at++;
        lexer->in_word = true;
        shell_read_single_quoted(lexer, true);
    } else if (c == '$') {
        shell_read_dollar(lexer);
    } else if (c == '`') {
        shell_read_backquoted(lexer);
    } else if (c == '>') {
        read_output(lexer);
    } else if (c == '<') {
        read_input(lexer);
    } else if (c == '\n' || c == ';' || c == '&' || c == '|' || c == '(' || c == ')') {
        read_operator(lexer, c);
    } else if (is_space(c)) {
        end_word(lexer);
        lexer->at++;
    } else if (c == '#' && !lexer->in_word) {
        lexer->at +=
            str_slice(lexer->text, lexer->at, str_find(lexer->text, STR("\n"), lexer->at)).length;
    } else if (!shell_ends_default(lexer)) {
        add(lexer, c);
        if (c == '{' || c == ',' || c == '}') {
            lexer->word.at[lexer->word.length - 1] = c == '{'   ? BRACE_OPEN
                                                     : c == ',' ? BRACE_COMMA
                                                                : BRACE_CLOSE;
            lexer->braces = true;
        }
        lexer->at++;
    }
}

bool shell_is_option(Str word)
{
    return word.length > 1 && word.at[0] == '-';
}

bool shell_has_any(Str text, const char *set)
{
    for (size_t i = 0; i < text.length; i++) {
        if (text.at[i] != '\0' && strchr(set, text.at[i]) != NULL) {
            return true;
        }
    }
    return false;
}

void shell_split(ShellText *shell, Arena *arena, Str text, Str unknown)
{
    Lexer lexer = {
        .shell = shell, .arena = arena, .text = text, .unknown = unknown, .room = MAX_PUT_IN};
    lexer.command.input = STR("");
    lexer.word.arena = arena;
    while (lexer.at < text.length) {
        read_char(&lexer);
    }
    end_command(&lexer);
}
