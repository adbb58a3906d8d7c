/* Changes to the cleaned copy where the parser's grammar is not Python's. Lengths and offsets stay;
 * lowering takes names from the source and puts the stars back.
 *
 * - `print`, `exec` are keywords of Python 2 there, and `type` at the start of a statement is
 * always a type alias: an altered name makes them plain identifiers.
 * - `*` outside parentheses takes only names, attributes and subscripts there (`a = 1, *f(x)` is
 * refused): it becomes a blank and is noted. */
#include "python/lex.h"

static size_t skip_blanks(const char *text, size_t at)
{
    while (is_blank(text[at])) {
        at++;
    }
    return at;
}

/* `type` begins a type alias when a name that is no keyword follows. */
static bool is_type_alias(const Lexer *lexer, size_t start, size_t end)
{
    const char *text = lexer->text;
    bool first = start == lexer->first_start ||
                 (lexer->previous == PREVIOUS_OPERATOR && text[lexer->previous_start] == ';');
    size_t name = skip_blanks(text, end);
    if (!first || class_of(text[name]) > CLASS_HIGH) {
        return false;
    }
    size_t name_end = name;
    while (class_of(text[name_end]) <= CLASS_DIGIT) {
        name_end++;
    }
    return (lex_keyword(text + name, name_end - name) & KEYWORD_WORD) == 0;
}

void lex_adapt_name(Lexer *lexer, size_t start, size_t end)
{
    char *name = lexer->text + start;
    size_t length = end - start;
    bool alter = false;
    if (length == 5) {
        alter = memcmp(name, "print", 5) == 0;
    } else if (length == 4) {
        alter = memcmp(name, "exec", 4) == 0 ||
                (memcmp(name, "type", 4) == 0 && !is_type_alias(lexer, start, end));
    } else if (length == 6 && memcmp(name, "lambda", 6) == 0) {
        lexer->in_lambda = true;
        lexer->lambda_level = lexer->bracket_count;
    }
    if (alter) {
        name[length - 1] = '_';
    }
}

void lex_adapt_colon(Lexer *lexer)
{
    if (lexer->in_lambda && lexer->lambda_level == lexer->bracket_count) {
        lexer->in_lambda = false;
    }
}

static bool is_one_of(Str word, const char *const *words)
{
    for (; *words != NULL; words++) {
        if (str_is(word, *words)) {
            return true;
        }
    }
    return false;
}

/* Lines in which a star in brackets is a parameter, a type parameter or a pattern. */
static bool is_other_line(const Lexer *lexer)
{
    static const char *const words[] = {"def",  "class", "type",   "case",  "import",
                                        "from", "async", "except", "match", NULL};
    size_t end = lexer->first_start;
    while (class_of(lexer->text[end]) <= CLASS_DIGIT) {
        end++;
    }
    return is_one_of((Str){lexer->text + lexer->first_start, end - lexer->first_start}, words);
}

static bool follows_operand(const Lexer *lexer)
{
    if (lexer->previous < PREVIOUS_NAME) {
        return false;
    }
    const char *word = lexer->text + lexer->previous_start;
    size_t length = lexer->previous_end - lexer->previous_start;
    return lexer->previous != PREVIOUS_NAME || (lex_keyword(word, length) & KEYWORD_WORD) == 0;
}

void lex_adapt_star(Lexer *lexer, size_t at)
{
    bool in_list =
        lexer->bracket_count > 0 && lexer->brackets[lexer->bracket_count - 1].open == '[';
    bool lambda = lexer->in_lambda && lexer->lambda_level == lexer->bracket_count;
    /* The first thing on a line stays: a blank would change the indentation. */
    if (at == lexer->first_start || lexer->fstring_count > 0 ||
        (lexer->bracket_count > 0 && !in_list) || lambda || follows_operand(lexer) ||
        is_other_line(lexer)) {
        return;
    }
    lexer->text[at] = ' ';
    VEC_PUSH(lexer->arena, &lexer->out->stars, (uint32_t)at);
}

/* Is the bracket at hand the list of type parameters of a def, a class or a type alias? */
static bool in_type_parameters(const Lexer *lexer)
{
    static const char *const words[] = {"def", "class", "type", "async", NULL};
    if (lexer->bracket_count != 1 || lexer->brackets[0].open != '[' || lexer->fstring_count > 0) {
        return false;
    }
    size_t end = lexer->first_start;
    while (class_of(lexer->text[end]) <= CLASS_DIGIT) {
        end++;
    }
    Str first = {lexer->text + lexer->first_start, end - lexer->first_start};
    Str between = {lexer->text + end, lexer->brackets[0].at - end};
    return is_one_of(first, words) && str_trim(between).length > 0 &&
           memchr(between.at, '(', between.length) == NULL &&
           memchr(between.at, '=', between.length) == NULL;
}

void lex_adapt_type_default(Lexer *lexer, size_t at)
{
    if (lexer->blank_from == SIZE_MAX && in_type_parameters(lexer)) {
        lexer->blank_from = at;
    }
}

void lex_adapt_type_bound(Lexer *lexer, size_t at)
{
    if (lexer->text[skip_blanks(lexer->text, at + 1)] == '(') {
        lex_adapt_type_default(lexer, at);
    }
}

void lex_adapt_type_end(Lexer *lexer, size_t at)
{
    if (lexer->blank_from == SIZE_MAX || lexer->bracket_count > 1) {
        return;
    }
    for (size_t i = lexer->blank_from; i < at; i++) {
        if (lexer->text[i] != '\n') {
            lexer->text[i] = ' ';
        }
    }
    lexer->blank_from = SIZE_MAX;
}
