/* What a line says of itself; see log_level.h. */
#include "diagnose/log_level.h"

#include "base/ascii.h"
#include "operator/text.h"

enum { LEVEL_COLUMNS = 160 }; /* the level of a message is near the start of its line */

const char *const log_success_words[LOG_SUCCESS_WORDS] = {
    " passed in ",         " passed, ",        "Successfully installed ",
    "Successfully built ", "BUILD SUCCESSFUL", "All tests passed",
    "exit status 0",       "exit code 0",      "[  PASSED  ]",
};

static bool has_any(Str line, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (str_contains(line, str_from(texts[i]))) {
            return true;
        }
    }
    return false;
}

static bool starts_with_any(Str line, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (str_starts(line, str_from(texts[i]))) {
            return true;
        }
    }
    return false;
}
#define COUNTED(texts) texts, sizeof(texts) / sizeof *(texts)

/* Does the line show a program's text, a comment or a setting? Those name errors that did not
 * happen. pytest marks the line that failed with `>`. */
static bool is_quoted(Str line)
{
    static const char *const texts[] = {
        "raise ", "except ", "logger.", "logging.", "warnings.warn(",
        "print(", "# ",      "// ",     "export ",  "with pytest.raises("};
    line = str_trim(line);
    if (str_starts(line, STR(">"))) {
        line = str_trim(str_slice(line, 1, line.length));
    }
    return starts_with_any(line, COUNTED(texts));
}

/* Does the line say that the program goes on in spite of the error? */
static bool goes_on(Str line)
{
    static const char *const texts[] = {"retry",    "fall back", "falling back", "fallback to",
                                        "ignoring", "ignored",   "trying again", "handler",
                                        "重试",     "忽略"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (text_contains_folded(line, str_from(texts[i]))) {
            return true;
        }
    }
    return false;
}

/* What CANN thinks possible is not what happened; CMake looks for much that it does not need. */
static bool is_hint(Str head)
{
    static const char *const hints[] = {
        "Possible Cause:", "Possible Reason:", "Solution:", "可能原因：", "解决方法：", "-- "};
    return starts_with_any(str_trim(head), COUNTED(hints));
}

/* What the program itself calls a warning is at most a symptom, and an informational message is not
 * an error at all. Only pip's warnings about the network say why its errors follow: a version that
 * it does not find may well exist. */
Strength log_most_strength(Str line)
{
    static const char *const quiet[] = {"[INFO]", "[DEBUG]", "[EVENT]", "[TRACE]",
                                        " INFO ", " DEBUG ", "INFO:",   "DEBUG:"};
    static const char *const warnings[] = {
        "[WARNING]", "[WARN]", " WARNING ", "WARNING:", "Warning:", "warning:", "warn:", "WARN "};
    Str head = str_slice(line, 0, LEVEL_COLUMNS);
    if (is_hint(head)) {
        return STRENGTH_NONE;
    }
    if (str_contains(head, STR("[ERROR]"))) {
        return STRENGTH_CERTAIN;
    }
    if (str_contains(line, STR(" after connection broken by "))) {
        return STRENGTH_LIKELY;
    }
    if (has_any(head, COUNTED(quiet))) {
        return STRENGTH_NONE;
    }
    if (has_any(head, COUNTED(warnings)) || is_quoted(line)) {
        return STRENGTH_SYMPTOM;
    }
    return goes_on(line) ? STRENGTH_LIKELY : STRENGTH_CERTAIN;
}

bool log_lasts(Str line)
{
    static const char *const texts[] = {"which is incompatible", "dependency conflicts",
                                        "dependency resolver does not"};
    return has_any(line, COUNTED(texts));
}

/* Does the line say that there was no error ("12 passed, 0 failed")? */
bool log_says_none(Str line)
{
    static const char *const texts[] = {", 0 failed",    "failed: 0",   "failed=0",     ", 0 error",
                                        "errors: 0",     "no error",    "失败 0",       "失败：0",
                                        "失败: 0",       "0 失败",      "0 个失败",     "0 个错误",
                                        "无错误",        "没有错误",    "无异常",       "没有异常",
                                        "without error", "with code 0", "with status 0"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        size_t at = text_find_folded(line, str_from(texts[i]), 0);
        size_t end = at == SIZE_MAX ? 0 : at + strlen(texts[i]);
        if (end > 0 &&
            (end == line.length || !is_word_char(line.at[end]) || !is_digit(line.at[end - 1]))) {
            return true;
        }
    }
    return false;
}
