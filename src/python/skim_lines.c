/* Statements that no launch depends on; see skim_lines.h. */
#include "python/skim_lines.h"

#include "base/search.h"

/* --- calls that change nothing */

/* The dotted name that ends before `at`: from where on. */
static uint32_t dotted_start(const char *text, uint32_t at, uint32_t from)
{
    while (at > from && (is_word(text[at - 1]) || text[at - 1] == '.')) {
        at--;
    }
    return at;
}

/* Functions and methods that change nothing, unless the file defines one of that name. */
static const char *const plain[] = {
    "str", "int", "float", "bool",  "len",   "repr", "list", "tuple",  "max", "min", "sum", "abs",
    "any", "all", "Path",  "round", "range", "in",   "not",  "sorted", "and", "or",  "is"};
static const char *const methods[] = {"numpy", "detach",     "item",    "tolist", "format", "join",
                                      "max",   "min",        "abs",     "mean",   "sum",    "all",
                                      "any",   "size",       "dim",     "numel",  "get",    "int",
                                      "strip", "contiguous", "flatten", "resolve"};
/* These move a module and change its data type; of a tensor they make another one. */
static const char *const moving[] = {"to", "cpu", "float", "double"};

SkimOwn skim_own(Str text, const SkimLine *lines, uint32_t count)
{
    SkimOwn own;
    own.count = 0;
    own.modules = str_contains(text, STR("nn.")) || str_contains(text, STR("Module"));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = lines[i].at;
        if (text.at[at] != 'd' && text.at[at] != 'a') {
            continue; /* quickly: most lines */
        }
        skim_take(text.at, &at, lines[i].end, "async");
        if (!skim_take(text.at, &at, lines[i].end, "def")) {
            continue;
        }
        Str name = {text.at + at, word_end(text.at, at, lines[i].end) - at};
        bool listed =
            STR_IS_ANY(name, plain) || STR_IS_ANY(name, methods) || STR_IS_ANY(name, moving);
        if (listed && own.count < sizeof own.names / sizeof *own.names) {
            own.names[own.count++] = name;
        }
        own.modules = own.modules || own.count == sizeof own.names / sizeof *own.names;
    }
    return own;
}

static bool is_own(const SkimOwn *own, Str name)
{
    for (uint32_t i = 0; i < own->count; i++) {
        if (str_equal(own->names[i], name)) {
            return true;
        }
    }
    return false;
}

/* Is it a function of such a package that neither calls unknown code nor changes a default? */
static bool is_of_package(Str name, size_t dot)
{
    static const char *const packages[] = {"np", "numpy", "torch", "math", "os"};
    static const char *const others[] = {"torch.ops.", "torch.utils.", "torch.func.", "torch.set_"};
    bool other = false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        other = other || str_starts(name, str_from(others[i]));
    }
    return !other && dot > 0 && STR_IS_ANY(str_slice(name, 0, dot), packages);
}

/* Does a method that changes nothing stand before the parenthesis at `open`? Its owner is not
 * known; a method that launches would get a tensor, so a name as its argument is in doubt. */
static bool is_quiet_method(const char *text, const SkimOwn *own, Str name, uint32_t open)
{
    const char *argument = text + open + 1;
    while (is_space(*argument)) {
        argument++;
    }
    bool quote = class_of(*argument) == CLASS_QUOTE;
    if (STR_IS_ANY(name, moving)) {
        static const char *const kinds[] = {"torch.float", "torch.int", "torch.bfloat", "\"cpu",
                                            "'cpu"};
        bool stays = *argument == ')';
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
            stays = stays || strncmp(argument, kinds[i], strlen(kinds[i])) == 0;
        }
        return stays && !own->modules;
    }
    if (str_is(name, "get")) {
        return quote;
    }
    const char *word = argument;
    while (is_word(*word)) {
        word++;
    }
    bool keyword = word > argument && word[0] == '=';
    return (quote || keyword || *argument == ')' || *argument == '-' || is_digit(*argument) ||
            str_is(name, "format") || str_is(name, "join")) &&
           STR_IS_ANY(name, methods);
}

/* May what stands before the parenthesis at `open` be called without changing anything that a
 * launch gets? */
static bool is_pure(const char *text, const SkimOwn *own, uint32_t open, uint32_t from)
{
    uint32_t at = dotted_start(text, open, from);
    Str name = {text + at, open - at};
    size_t dot = str_find(name, STR("."), 0);
    if (name.length == 0) { /* brackets, unless they call what an expression gives */
        while (at > from && is_space(text[at - 1])) {
            at--;
        }
        CharClass before = at > from ? class_of(text[at - 1]) : CLASS_OPERATOR;
        return before != CLASS_CLOSE && before != CLASS_QUOTE && before > CLASS_DIGIT;
    }
    if (dot == SIZE_MAX) {
        return STR_IS_ANY(name, plain) && !is_own(own, name);
    }
    uint32_t last = open;
    while (text[last - 1] != '.') {
        last--;
    }
    Str method = {text + last, open - last};
    return is_of_package(name, dot) ||
           (is_quiet_method(text, own, method, open) && !is_own(own, method));
}

/* Does the statement from `from` to `end` only call what changes nothing, apart from the call of
 * `callee`, a parenthesis or `end`? Strings count as well: they may have fields. Nor may it end a
 * path, or bind a name inside of an expression. */
static bool is_harmless(const char *text, const SkimOwn *own, uint32_t from, uint32_t end,
                        uint32_t callee)
{
    static const char *const words[] = {"return", "raise", "yield", "await", "lambda", "key"};
    for (uint32_t at = from; at < end; at++) {
        char c = text[at];
        if (is_word(c)) {
            uint32_t start = at;
            at = word_end(text, at, end);
            if (STR_IS_ANY(((Str){text + start, at - start}), words)) {
                return false;
            }
            c = at < end ? text[at] : ' ';
        }
        bool other = c == ';' || (c == ':' && text[at + 1] == '=');
        if (other || (c == '(' && at != callee && !is_pure(text, own, at, from))) {
            return false;
        }
    }
    return true;
}

/* The end of the statement without blanks after it. */
static uint32_t trimmed_end(const char *text, const SkimLine *line)
{
    uint32_t end = line->end;
    while (end > line->at && is_space(text[end - 1])) {
        end--;
    }
    return end;
}

/* Is it one call, of something that prints, compares, seeds, or tells Python where modules are? */
static bool is_report(const char *text, const SkimOwn *own, const SkimLine *line)
{
    static const char *const whole[] = {"prin_",
                                        "sys.path.insert",
                                        "sys.path.append",
                                        "torch.manual_seed",
                                        "random.seed",
                                        "torch.npu.set_device",
                                        "torch.npu.synchronize",
                                        "torch.npu.manual_seed",
                                        "np.random.seed",
                                        "logging.info",
                                        "logging.debug",
                                        "logging.warning",
                                        "logging.basicConfig"};
    static const char *const compared[] = {"np.testing.assert_", "numpy.testing.assert_",
                                           "torch.testing.assert_"};
    uint32_t end = trimmed_end(text, line), open = line->at;
    if (strchr("prtsnl", text[open]) == NULL) {
        return false; /* quickly: most lines */
    }
    while (open < end && (is_word(text[open]) || text[open] == '.')) {
        open++;
    }
    if (open == end || text[open] != '(') {
        return false;
    }
    Str name = {text + line->at, open - line->at};
    bool known = STR_IS_ANY(name, whole);
    for (size_t i = 0; i < sizeof compared / sizeof *compared && !known; i++) {
        known = str_starts(name, str_from(compared[i]));
    }
    return known && skim_close(text, open, end) == end - 1 &&
           is_harmless(text, own, line->at, end, open);
}

/* Is it a string that nothing takes? */
static bool is_docstring(const char *text, const SkimLine *line)
{
    uint32_t end = trimmed_end(text, line);
    return class_of(text[line->at]) == CLASS_QUOTE && end - line->at >= 3 &&
           skim_string_end(text, line->at, end) == end;
}

bool skim_has_star(const Lexed *lexed, const SkimLine *line)
{
    const uint32_t *stars = lexed->stars.items;
    uint32_t i = 0;
    LOWER_BOUND(i, lexed->stars.count, stars[i] < line->start);
    return i < lexed->stars.count && stars[i] < line->end;
}

/* Is the next statement one of the same block? */
static bool is_followed(const char *text, const SkimLine *line, const SkimLine *next)
{
    uint32_t indent = line->at - line->start;
    return next->at - next->start == indent &&
           memcmp(text + line->start, text + next->start, indent) == 0;
}

/* Adds a gap where comments have left many blanks. */
static void pass_comment(Lexed *lexed, Arena *arena, uint32_t start, uint32_t end)
{
    enum { MANY = 16 }; /* fewer cost less than the gap */
    if (end > start + MANY) {
        VEC_PUSH(arena, &lexed->gaps, ((LexGap){start, end}));
    }
}

void skim_lines(Lexed *lexed, Arena *arena, const SkimOwn *own, const SkimLine *lines,
                uint32_t count)
{
    const char *text = lexed->clean;
    for (uint32_t i = 0; i < count; i++) {
        const SkimLine *line = &lines[i];
        bool inert =
            (is_docstring(text, line) || is_report(text, own, line)) && !skim_has_star(lexed, line);
        if (inert && is_followed(text, line, line + 1)) {
            VEC_PUSH(arena, &lexed->gaps, ((LexGap){line->start, line[1].start}));
            continue;
        }
        if (inert) {
            memcpy(lexed->clean + line->at, "...", 3);
            VEC_PUSH(arena, &lexed->gaps, ((LexGap){line->at + 3, line->end}));
        } else {
            pass_comment(lexed, arena, trimmed_end(text, line), line->end);
        }
        pass_comment(lexed, arena, line->end + 1, line[1].start);
    }
}

/* --- functions that choose a device */

/* Where the parenthesis of `return torch.device(…)` opens, or 0. */
static uint32_t returned_device(const char *text, const SkimOwn *own, const SkimLine *line)
{
    uint32_t at = line->at, end = trimmed_end(text, line);
    bool device = skim_take(text, &at, end, "return") &&
                  skim_take(text, &at, end, "torch.device") && at < end && text[at] == '(' &&
                  skim_close(text, at, end) == end - 1;
    return device && is_harmless(text, own, at, end, at) ? at : 0;
}

/* Equals signs that are not part of a comparison. */
static uint32_t count_stores(const char *text, uint32_t at, uint32_t end)
{
    uint32_t count = 0;
    for (; at < end; at++) {
        bool two = text[at] == '=' && text[at + 1] == '=';
        count += text[at] == '=' && !two && strchr("!<>=", text[at - 1]) == NULL;
        at += two;
    }
    return count;
}

/* May it stand in such a function? It binds local names at most. */
static bool is_choice(const char *text, const SkimOwn *own, const SkimLine *line)
{
    static const char *const heads[] = {"if", "elif", "else", "try", "except", "pass", "import"};
    uint32_t at = line->at, end = trimmed_end(text, line);
    Str word = {text + at, word_end(text, at, end) - at};
    uint32_t stores = count_stores(text, at, end);
    if (returned_device(text, own, line) > 0 || is_docstring(text, line) ||
        is_report(text, own, line)) {
        return true;
    }
    uint32_t next = pass_blanks(text, at + (uint32_t)word.length, end);
    bool assigns = word.length > 0 && next < end && text[next] == '=' && stores == 1;
    bool branches = STR_IS_ANY(word, heads) && stores == 0;
    return (assigns || branches) && is_harmless(text, own, at, end, end);
}

bool skim_device(Lexed *lexed, Arena *arena, const SkimOwn *own, const SkimLine *lines,
                 uint32_t count)
{
    const char *text = lexed->clean;
    uint32_t open = count < 3 ? 0 : returned_device(text, own, &lines[count - 1]);
    bool device = open > 0 && is_followed(text, &lines[1], &lines[count - 1]);
    for (uint32_t i = 1; i + 1 < count && device; i++) {
        device = is_choice(text, own, &lines[i]) && !skim_has_star(lexed, &lines[i]);
    }
    if (!device || skim_has_star(lexed, &lines[count - 1])) {
        return false;
    }
    uint32_t end = trimmed_end(text, &lines[count - 1]);
    LexGap body = {lines[1].start, lines[count - 1].start}, argument = {open + 1, end - 1};
    VEC_PUSH(arena, &lexed->gaps, body);
    VEC_PUSH(arena, &lexed->gaps, argument);
    return true;
}
