/* Finds what lines say of themselves; see log_meaning.h. */
#include "diagnose/log_line.h"

#include "base/ascii.h"
#include "diagnose/own_report.h"
#include "diagnose/word_list.h"
#include "operator/text.h"

enum { LEVEL_COLUMNS = 160 }; /* the level of a message is near the start of its line */

#define COUNT(list) (sizeof(list) / sizeof *(list))

const LogSign log_signs[] = {
#define SIGN(class, text) {SIGN_##class, text},
#define END_ZERO(text)    {SIGN_ENDED, text},
#define END_WELL(text)    {SIGN_ENDED, text},
#include "diagnose/log_ends.def"
#include "diagnose/log_signs.def"
#undef END_ZERO
#undef END_WELL
#undef SIGN
};
const uint32_t log_sign_count = COUNT(log_signs);

bool log_fits_folded(Str line, Str text)
{
    return text_contains_folded(line, text);
}

bool log_has_sign(const LogLineText *line, Str part, LogSignClass class, SignFits *fits)
{
    if ((line->signs & 1U << class) == 0) {
        return false;
    }
    for (size_t i = 0; i < COUNT(log_signs); i++) {
        if (log_signs[i].class == class && fits(part, str_from(log_signs[i].text))) {
            return true;
        }
    }
    return false;
}

/* "RuntimeError: …", also after the margins of pytest and torchrun. */
static bool is_exception(Str line)
{
    if (str_starts(line, STR("E  "))) {
        line = str_trim(str_slice(line, 1, line.length));
    }
    size_t margin = str_starts(line, STR("[rank")) ? str_find(line, STR("]: "), 0) : SIZE_MAX;
    line = margin == SIZE_MAX ? line : str_slice(line, margin + 3, line.length);
    size_t end = 0;
    while (end < line.length && (is_word_char(line.at[end]) || line.at[end] == '.')) {
        end++;
    }
    Str name = str_slice(line, 0, end);
    bool exception = str_ends(name, STR("Error")) || str_ends(name, STR("Exception"));
    return exception && end < line.length && line.at[end] == ':';
}

bool log_glob_is_name(Str glob)
{
    static const char *const names[] = {"Error", "Exception"};
    for (size_t i = 0; i < COUNT(names); i++) {
        size_t at = str_find(glob, str_from(names[i]), 0);
        if (at != SIZE_MAX && at > 0 && is_letter(glob.at[at - 1])) {
            return true;
        }
    }
    size_t letters = 0, digits = 0;
    while (letters < glob.length && glob.at[letters] >= 'A' && glob.at[letters] <= 'Z') {
        letters++;
    }
    while (letters + digits < glob.length && is_digit(glob.at[letters + digits])) {
        digits++;
    }
    enum { CODE_DIGITS = 4 };
    return str_starts(glob, STR("@")) || (letters > 0 && digits >= CODE_DIGITS);
}

/* Is the text after a number and a bar source, as compilers show it ("    int lastError = …")? The
 * "RuntimeError: …" of a rank or a row of a table is not. */
static bool is_source(Str text)
{
    static const char *const inside[] = {
        " = ", "->",   "::",       "):",       "+=",     "-=",
        " //", " == ", "#include", " return ", "raise ", " assert "};
    static const char *const begins[] = {"def ",  "return",  "raise ",  "if ",    "for ",
                                         "with ", "import ", "assert ", "from ",  "class ",
                                         "else",  "try:",    "except ", "#",      "//",
                                         "@",     "while ",  "static ", "throw ", "print("};
    if (str_starts(text, STR("  ")) || str_starts(text, STR("\t")) || STARTS_WITH(begins, text)) {
        return true;
    }
    char last = text.length > 0 ? text.at[text.length - 1] : ' ';
    bool looks = HAS_TEXT(inside, text) || strchr(";{}(,\\", last) != NULL;
    return looks && log_head_level(text) != LOG_LEVEL_ERROR;
}

/* A line of source in the message of a compiler: "   41 |     int errorCode = 507015;". */
static bool is_numbered_source(Str text)
{
    size_t digits = 0;
    while (digits < text.length && is_digit(text.at[digits])) {
        digits++;
    }
    const Str bar = STR(" | ");
    return digits > 0 && str_starts(str_slice(text, digits, text.length), bar) &&
           is_source(str_slice(text, digits + bar.length, text.length));
}

/* A program's text, a comment or a setting; pytest marks the line that failed with `>`. */
static bool is_quoted(const LogLineText *line)
{
    Str text = line->text;
    if (str_starts(text, STR(">"))) {
        text = str_trim(str_slice(text, 1, text.length));
    }
    return log_has_sign(line, text, SIGN_QUOTE, str_starts);
}

/* What the program itself calls a warning is at most a symptom, and an informational message is not
 * an error at all. */
static Strength most_strength(const LogLineText *line, LineMeaning *meaning)
{
    Str head = str_slice(line->text, 0, LEVEL_COLUMNS);
    bool error = log_has_sign(line, head, SIGN_LEVEL_ERROR, str_contains);
    if (log_has_sign(line, head, SIGN_HINT, str_starts) || is_numbered_source(line->text)) {
        return STRENGTH_NONE;
    }
    meaning->is_warning = !error && (meaning->level == LOG_LEVEL_WARNING ||
                                     log_has_sign(line, head, SIGN_WARNING, str_contains));
    if (error || log_has_sign(line, line->text, SIGN_DOWNLOAD, str_contains)) {
        return error ? STRENGTH_CERTAIN : STRENGTH_LIKELY;
    }
    if (meaning->level == LOG_LEVEL_QUIET || log_has_sign(line, head, SIGN_QUIET, str_contains)) {
        return own_gate_blocked(line->text) ? STRENGTH_CERTAIN : STRENGTH_NONE;
    }
    if (meaning->is_warning || is_quoted(line)) {
        return STRENGTH_SYMPTOM;
    }
    return log_has_sign(line, line->text, SIGN_GOES_ON, log_fits_folded) ? STRENGTH_LIKELY
                                                                         : STRENGTH_CERTAIN;
}

LineMeaning log_meaning(Str text, LogSigns signs)
{
    LogLineText line = {str_trim(text), signs};
    LineMeaning meaning = {0};
    bool exception = is_exception(line.text);
    meaning.has_head = exception || log_has_sign(&line, line.text, SIGN_LEVEL_ERROR, str_contains);
    meaning.level = log_head_level(line.text);
    meaning.most = most_strength(&line, &meaning);
    meaning.is_prose = log_has_sign(&line, line.text, SIGN_PROSE_FIRST, str_starts) ||
                       log_has_sign(&line, line.text, SIGN_PROSE, str_contains) ||
                       log_is_quoted(line.text);
    meaning.counts_failures = log_counts_failures(&line);
    meaning.says_none = log_says_none(&line, meaning.has_head);
    if (!meaning.has_head) {
        bool good = !meaning.counts_failures && log_is_good_outcome(&line);
        meaning.calm = good ? LOG_CALM : log_denies_words(&line) ? LOG_CALM_WORDS : LOG_NOT_CALM;
    }
    meaning.success = log_success_of(&line);
    meaning.sums_up = log_sums_up(&line);
    meaning.sum = log_sum_of(&line);
    meaning.denies = log_denies_failures(&line, meaning.has_head);
    bool counts = meaning.counts_failures || meaning.sum.kind != LOG_SUM_NONE;
    if (counts && log_is_of_earlier(&line, meaning.level)) {
        meaning.counts_failures = false;
        meaning.sum.kind = LOG_SUM_NONE;
        meaning.success = LOG_NO_SUCCESS;
        meaning.most = STRENGTH_NONE;
    }
    if (log_is_ignored(line.text, exception)) {
        meaning.calm = LOG_CALM;
    }
    if (meaning.counts_failures) { /* "errors: 3, failed: 0" */
        meaning.says_none = meaning.denies = false;
    }
    return meaning;
}

bool log_lasts(Str line)
{
    static const char *const texts[] = {"which is incompatible", "which is not installed",
                                        "dependency conflicts", "dependency resolver does not"};
    return HAS_TEXT(texts, line);
}
