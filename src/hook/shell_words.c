/* Shell words; see shell_words.h. */
#include "hook/shell_words.h"

#include "base/ascii.h"
#include "hook/shell_expand.h"
#include "operator/text.h"

typedef enum Pending {
    PENDING_NOTHING,
    PENDING_WRITE, /* the next word is a file that is written */
    PENDING_READ,
    PENDING_DOCUMENT, /* it ends a here-document */
    PENDING_STRING,   /* it is the input */
} Pending;

typedef struct HereDocument {
    uint32_t command;
    Str end;
    bool tabs; /* <<-: tabs before lines do not count */
} HereDocument;

/* So that no text grows beyond measure: of values that are kept, and of all that is put in. */
enum { MAX_VARIABLES = 64, MAX_VALUE = 1024, MAX_PUT_IN = 1024 * 1024 };

typedef struct Lexer {
    ShellText *shell;
    Arena *arena;
    Str text, unknown;
    size_t at, room;   /* for what is put in: values, words from braces */
    uint32_t defaults; /* open ones: ${NAME:-… */
    ShellCommand command;
    Buf word;
    bool in_word, quoted; /* a part of the word was quoted */
    bool braces;          /* it has unquoted braces */
    bool in_loop;         /* after `for` */
    Pending pending;
    VEC(HereDocument) documents; /* that begin on the next line */
} Lexer;

static char at(const Lexer *lexer, size_t offset)
{
    size_t place = lexer->at + offset;
    return place < lexer->text.length ? lexer->text.at[place] : '\0';
}

static bool is_name_char(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static void add(Lexer *lexer, char c)
{
    bool mark = c >= BRACE_OPEN && c <= BRACE_CLOSE;
    buf_add_char(&lexer->word, mark ? '?' : c);
    lexer->in_word = true;
}

/* --- variables */

static void set_variable(Lexer *lexer, Str name, Str value)
{
    ShellVariable variable = {name, value};
    if (name.length > 0 && value.length <= MAX_VALUE &&
        lexer->shell->variables.count < MAX_VARIABLES) {
        VEC_PUSH(lexer->arena, &lexer->shell->variables, variable);
    }
}

/* The newest value; false when there is none. */
static bool find_variable(const Lexer *lexer, Str name, Str *value)
{
    for (uint32_t i = lexer->shell->variables.count; i > 0; i--) {
        if (str_equal(lexer->shell->variables.items[i - 1].name, name)) {
            *value = lexer->shell->variables.items[i - 1].value;
            return true;
        }
    }
    return false;
}

/* At the operator in ${NAME:-…}: is the text after it taken, which is the default when the variable
 * has no value and the alternative (+) when it may have one? */
static bool takes_default(const Lexer *lexer, bool known, Str value)
{
    bool colon = at(lexer, 0) == ':';
    char sign = at(lexer, colon ? 1 : 0);
    bool absent = !known || (colon && value.length == 0);
    return sign == '+' || ((sign == '-' || sign == '=') && absent);
}

/* To the place after the `}` that ends the `${` before. */
static void skip_braces(Lexer *lexer)
{
    for (size_t depth = 1; depth > 0 && lexer->at < lexer->text.length; lexer->at++) {
        depth += at(lexer, 0) == '{';
        depth -= at(lexer, 0) == '}';
    }
}

/* At `$`: NAME or {NAME…}. An unknown one stays as it is written; a default is read like the rest
 * of the word, up to its `}`. */
static void read_variable(Lexer *lexer)
{
    size_t start = lexer->at;
    bool braces = at(lexer, 1) == '{';
    lexer->at += braces ? 2 : 1;
    size_t name_start = lexer->at;
    while (is_name_char(at(lexer, 0))) {
        lexer->at++;
    }
    Str name = str_slice(lexer->text, name_start, lexer->at), value = STR("");
    bool known = find_variable(lexer, name, &value) && value.length <= lexer->room;
    lexer->in_word = true;
    if (braces && name.length > 0 && takes_default(lexer, known, value)) {
        lexer->at += at(lexer, 0) == ':' ? 2 : 1;
        lexer->defaults++;
        return;
    }
    if (braces) {
        skip_braces(lexer);
    }
    if (known) {
        lexer->room -= value.length;
    } else {
        value = str_slice(lexer->text, start, lexer->at);
    }
    buf_add(&lexer->word, value);
}

/* Is this the end of a default? Then it is passed over. */
static bool ends_default(Lexer *lexer)
{
    bool end = at(lexer, 0) == '}' && lexer->defaults > 0;
    lexer->defaults -= end;
    lexer->at += end;
    return end;
}

/* --- quotes and substitutions */

/* Moves to the end of the quoted text that begins here. */
static void skip_quoted(Lexer *lexer, char quote)
{
    lexer->at++;
    while (lexer->at < lexer->text.length && at(lexer, 0) != quote) {
        lexer->at += quote != '\'' && at(lexer, 0) == '\\' ? 2 : 1;
    }
    lexer->at++;
}

/* A text in brackets, which begins at an opening one; handed out. */
static void read_nested(Lexer *lexer)
{
    size_t start = lexer->at + 1, depth = 0;
    while (lexer->at < lexer->text.length) {
        char c = at(lexer, 0);
        if (c == '\'' || c == '"' || c == '`') {
            skip_quoted(lexer, c);
            continue;
        }
        lexer->at += c == '\\' ? 2 : 1;
        depth += c == '(';
        depth -= c == ')';
        if (depth == 0) {
            break;
        }
    }
    Str inner = str_slice(lexer->text, start, lexer->at - (depth == 0));
    VEC_PUSH(lexer->arena, &lexer->shell->nested, inner);
    lexer->in_word = true;
}

static void read_backquoted(Lexer *lexer)
{
    size_t start = lexer->at + 1;
    skip_quoted(lexer, '`');
    size_t end = lexer->at > lexer->text.length ? lexer->text.length : lexer->at - 1;
    Str inner = str_slice(lexer->text, start, end);
    VEC_PUSH(lexer->arena, &lexer->shell->nested, inner);
    lexer->in_word = true;
}

static void read_dollar(Lexer *lexer);

static void read_double_quoted(Lexer *lexer)
{
    lexer->at++;
    while (lexer->at < lexer->text.length && at(lexer, 0) != '"') {
        char c = at(lexer, 0);
        if (c == '$') {
            read_dollar(lexer);
        } else if (c == '`') {
            read_backquoted(lexer);
        } else if (!ends_default(lexer)) {
            bool escape =
                c == '\\' && at(lexer, 1) != '\0' && strchr("$`\"\\\n", at(lexer, 1)) != NULL;
            add(lexer, at(lexer, escape ? 1 : 0));
            lexer->at += escape ? 2 : 1;
        }
    }
    lexer->at++;
}

static void read_single_quoted(Lexer *lexer, bool escapes)
{
    lexer->at++;
    while (lexer->at < lexer->text.length && at(lexer, 0) != '\'') {
        if (escapes && at(lexer, 0) == '\\') {
            lexer->at = shell_add_escape(&lexer->word, lexer->text, lexer->at + 1);
        } else {
            add(lexer, at(lexer, 0));
            lexer->at++;
        }
    }
    lexer->at++;
}

static void read_dollar(Lexer *lexer)
{
    char next = at(lexer, 1);
    if (next == '(') {
        lexer->at++;
        read_nested(lexer);
    } else if (next == '{' || is_name_char(next)) {
        read_variable(lexer);
    } else {
        add(lexer, '$');
        lexer->at++;
    }
}

static void read_quoted(Lexer *lexer, char quote)
{
    lexer->in_word = lexer->quoted = true;
    if (quote == '"') {
        read_double_quoted(lexer);
    } else {
        read_single_quoted(lexer, false);
    }
}

/* --- words and commands */

/* Length of the name before `=`; 0 when the word is not an assignment. */
static size_t assigned_name(Str word)
{
    size_t length = 0;
    while (length < word.length && is_name_char(word.at[length])) {
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
        set_variable(lexer, str_slice(word, 0, name), str_slice(word, name + 1, word.length));
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
        set_variable(lexer, words->items[0], is_word ? value : lexer->unknown);
    }
}

/* `read NAME…`: from another command. */
static void set_read_variables(Lexer *lexer)
{
    const Strs *words = &lexer->command.words;
    for (uint32_t i = 1; i < words->count; i++) {
        if (words->items[i].length > 0 && words->items[i].at[0] != '-') {
            set_variable(lexer, words->items[i], lexer->unknown);
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
        read_nested(lexer);
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
        read_nested(lexer);
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
        read_quoted(lexer, c);
    } else if (c == '$' && at(lexer, 1) == '\'') {
        lexer->at++;
        lexer->in_word = true;
        read_single_quoted(lexer, true);
    } else if (c == '$') {
        read_dollar(lexer);
    } else if (c == '`') {
        read_backquoted(lexer);
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
    } else if (!ends_default(lexer)) {
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
