/* Changes to the cleaned copy where the parser's grammar is not Python's. Lengths and offsets stay;
 * lowering takes names from the source and puts the stars back.
 *
 * - `print`, `exec` are keywords of Python 2 there, and `type` at the start of a statement is
 * always a type alias: an altered name makes them plain identifiers.
 * - `*` outside parentheses takes only names, attributes and subscripts there (`a = 1, *f(x)` is
 * refused): it becomes a blank and is noted.
 * - A name with a subscript is a "type" of its own in annotations, without slices and with nothing
 * after it (`x: list[int][0]` is refused): the name becomes a number, whose subscript is an
 * ordinary one. */
#include "python/lex.h"

static size_t skip_blanks(const char *text, size_t at)
{
    while (is_blank(text[at])) {
        at++;
    }
    return at;
}

/* `type` begins a type alias when a name that is not a keyword follows. */
static bool begins_type_alias(Lexer *lexer, size_t start, size_t end)
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
    lexer->in_alias = (lex_keyword(text + name, name_end - name) & KEYWORD_WORD) == 0;
    return lexer->in_alias;
}

/* How many lambdas wait for their colon at this level of brackets. */
static uint32_t *pending_lambdas(Lexer *lexer)
{
    return lexer->bracket_count == 0 ? &lexer->lambdas
                                     : &lexer->brackets[lexer->bracket_count - 1].lambdas;
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
                (memcmp(name, "type", 4) == 0 && !begins_type_alias(lexer, start, end));
    } else if (length == 6 && memcmp(name, "lambda", 6) == 0) {
        ++*pending_lambdas(lexer);
    } else if (length == 2 && memcmp(name, "if", 2) == 0 && lexer->bracket_count == 0) {
        lexer->saw_guard = true;
    }
    if (alter) {
        name[length - 1] = '_';
    }
}

/* An annotation, or an operand of `|` in one, begins after these. Elsewhere they do no harm: a
 * number may stand wherever an expression may. */
void lex_adapt_subscript(Lexer *lexer)
{
    const char *before = lexer->in_alias ? ":|*-=" : ":|*-"; /* `-` of `->` */
    if (lexer->previous != PREVIOUS_NAME || lexer->before_name == '\0' ||
        strchr(before, lexer->before_name) == NULL) {
        return;
    }
    char *name = lexer->text + lexer->previous_start;
    size_t length = lexer->previous_end - lexer->previous_start;
    bool constant = (length == 4 && memcmp(name, "None", 4) == 0) ||
                    (length == 4 && memcmp(name, "True", 4) == 0) ||
                    (length == 5 && memcmp(name, "False", 5) == 0);
    if (!constant && (lex_keyword(name, length) & KEYWORD_WORD) == 0) {
        memset(name, '1', length);
    }
}

void lex_adapt_colon(Lexer *lexer)
{
    uint32_t *lambdas = pending_lambdas(lexer);
    if (*lambdas > 0) {
        --*lambdas;
    }
}

/* The word that the logical line begins with, or the beginning of one that is longer than all that
 * are asked for: every star asks. */
static Str first_word(const Lexer *lexer)
{
    enum { ENOUGH = 8 };
    size_t end = lexer->first_start;
    while (end - lexer->first_start < ENOUGH && class_of(lexer->text[end]) <= CLASS_DIGIT) {
        end++;
    }
    return (Str){lexer->text + lexer->first_start, end - lexer->first_start};
}

/* The word right before what is being read; empty when that is not a name. */
static Str previous_word(const Lexer *lexer)
{
    if (lexer->previous != PREVIOUS_NAME) {
        return STR("");
    }
    return (Str){lexer->text + lexer->previous_start, lexer->previous_end - lexer->previous_start};
}

static bool follows_operand(const Lexer *lexer)
{
    if (lexer->previous < PREVIOUS_NAME) { /* an ellipsis is an operand, and an operator here */
        return lexer->previous == PREVIOUS_OPERATOR && lexer->text[lexer->previous_start] == '.' &&
               lexer->previous_end - lexer->previous_start == 3;
    }
    Str word = previous_word(lexer);
    return word.length == 0 || (lex_keyword(word.at, word.length) & KEYWORD_WORD) == 0;
}

/* Is the outermost bracket, a square one, such a list? */
static bool is_type_list(const Lexer *lexer)
{
    static const char *const words[] = {"def", "class", "type", "async"};
    Str first = first_word(lexer);
    size_t end = lexer->first_start + first.length;
    Str between = {lexer->text + end, lexer->brackets[0].at - end};
    return STR_IS_ANY(first, words) && str_trim(between).length > 0 &&
           memchr(between.at, '(', between.length) == NULL &&
           memchr(between.at, '=', between.length) == NULL;
}

/* Is the bracket at hand the list of type parameters of a def, a class or a type alias? Every star
 * in it asks, and the name before it may be long: the answer is kept. */
static bool in_type_parameters(Lexer *lexer)
{
    if (lexer->bracket_count != 1 || lexer->brackets[0].open != '[' || lexer->fstring_count > 0) {
        return false;
    }
    if (lexer->judged_at != lexer->brackets[0].at) {
        lexer->judged_at = lexer->brackets[0].at;
        lexer->judged_type_list = is_type_list(lexer);
    }
    return lexer->judged_type_list;
}

/* Is a star in square brackets, or outside all, one that the grammar knows: that of a parameter, a
 * type parameter, a pattern, an import, `except*`? */
static bool is_known_star(Lexer *lexer)
{
    static const char *const before[] = {"import", "except"};
    if (*pending_lambdas(lexer) > 0 || in_type_parameters(lexer) ||
        STR_IS_ANY(previous_word(lexer), before)) {
        return true;
    }
    return !lexer->saw_colon && !lexer->saw_guard && str_is(first_word(lexer), "case");
}

/* `*` of the annotation of `*args`, a star in front of any expression. */
static bool is_annotation_star(const Lexer *lexer)
{
    static const char *const words[] = {"def", "async"};
    return lexer->previous == PREVIOUS_COLON && lexer->bracket_count == 1 &&
           lexer->fstring_count == 0 && STR_IS_ANY(first_word(lexer), words);
}

void lex_adapt_star(Lexer *lexer, size_t at)
{
    FString *fstring = lex_fstring(lexer);
    bool field_level =
        fstring != NULL && fstring_field(fstring)->bracket_base == lexer->bracket_count;
    char open = lexer->bracket_count == 0 ? '[' : lexer->brackets[lexer->bracket_count - 1].open;
    bool known = open == '[' ? is_known_star(lexer) : !is_annotation_star(lexer);
    /* The first thing on a line stays: a blank would change the indentation. */
    if (at == lexer->first_start || field_level || known || follows_operand(lexer)) {
        return;
    }
    lexer->text[at] = ' ';
    VEC_PUSH(lexer->arena, &lexer->out->stars, (uint32_t)at);
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
