/* Reads this program's own reports in logs; see own_report.h. */
#include "diagnose/own_report.h"

#include "base/ascii.h"
#include "diagnose/word_list.h"

#include <stdio.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* "npu: SKIPPED: …", "npu: ASCEND_HOME_PATH unset" and `"npu": "ASCEND_HOME_PATH is not set"`. */
static bool begins_with_mode(Str line)
{
    static const char *const modes[] = {"sim: ", "npu: ", "\"sim\": \"", "\"npu\": \""};
    for (size_t i = 0; i < COUNT(modes); i++) {
        if (str_starts(line, str_from(modes[i]))) {
            return true;
        }
    }
    return false;
}

/* Copies the word after the first of `before` in the line, unless one is known. */
static void take_word(char *to, Str line, const char *const *before, size_t count)
{
    for (size_t i = 0; i < count && to[0] == '\0'; i++) {
        size_t at = str_find(line, str_from(before[i]), 0);
        if (at == SIZE_MAX) {
            continue;
        }
        at += strlen(before[i]);
        size_t end = at;
        while (end < line.length && end - at < OWN_NAME - 1 &&
               (is_word_char(line.at[end]) || strchr("-.:,", line.at[end]) != NULL)) {
            end++;
        }
        memcpy(to, line.at + at, end - at);
        to[end - at] = '\0';
    }
}

bool own_gate_blocked(Str line)
{
    static const char *const names[] = {"report.lint", "lint report", "lint_report", "\"lint\""};
    static const char *const states[] = {"blocked", "BLOCKED", "\"OL", "'OL", "\"KS", "'KS"};
    static const char *const good[] = {"not blocked", "pass", "PASS", "open"};
    return str_contains(line, STR("lint")) && HAS_TEXT(names, line) && HAS_TEXT(states, line) &&
           !HAS_TEXT(good, line);
}

/* `{"id": "OL48", "count": 2}`, `{"OL48": 2}`. */
static void take_rules(OwnReport *own, Str line)
{
    const Str key = STR("\"");
    for (size_t at = str_find(line, key, 0); at != SIZE_MAX && own->rule_count < OWN_MOST_RULES;
         at = str_find(line, key, at + 1)) {
        Str rule = str_slice(line, at + key.length, at + key.length + OWN_RULE);
        bool known = str_starts(rule, STR("OL")) || str_starts(rule, STR("KS"));
        if (known && rule.length == OWN_RULE && is_digit(rule.at[2]) && is_digit(rule.at[3])) {
            memcpy(own->rules[own->rule_count], rule.at, OWN_RULE);
            own->rule_count++;
        }
    }
}

OwnLine own_report_line(OwnReport *own, Str line, bool has_failed)
{
    static const char *const skips[] = {"npu SKIPPED", "sim SKIPPED",  "npu:SKIPPED",
                                        "sim:SKIPPED", "npu: SKIPPED", "sim: SKIPPED",
                                        "\"SKIPPED\""};
    static const char *const cases[] = {"\"case_id\": \"", "first_failure: case ",
                                        "first_failure: ", "First failure: ", "first failure: "};
    static const char *const modes[] = {" modes="};
    line = str_trim(line);
    bool reason = begins_with_mode(line) && !str_contains(line, STR("FAIL")) &&
                  !str_contains(line, STR("ERROR"));
    bool skips_mode = HAS_TEXT(skips, line);
    bool end = str_starts(line, STR("status=")) && str_contains(line, STR(" cases="));
    if ((skips_mode || end) && !own->has_begun) {
        own->has_begun = true;
        own->failed_before = has_failed;
    }
    own->has_skipped = own->has_skipped || skips_mode;
    take_word(own->case_id, line, cases, COUNT(cases));
    take_word(own->modes, line, modes, COUNT(modes));
    take_rules(own, line);
    if (end) {
        bool passed = str_starts(line, STR("status=PASS ")) && !own->failed_before;
        own->has_begun = false;
        return passed ? OWN_PASS : OWN_OTHER;
    }
    return reason && own->has_skipped ? OWN_SKIP : OWN_OTHER;
}

Str own_report_text(const OwnReport *own, char *out, size_t size)
{
    int length = 0;
    out[0] = '\0';
    if (own->case_id[0] != '\0') {
        length += snprintf(out, size, "case %s", own->case_id);
    }
    if (own->modes[0] != '\0') {
        length += snprintf(out + length, size - (size_t)length, "%s%s", length > 0 ? "; " : "",
                           own->modes);
    }
    for (uint32_t i = 0; i < own->rule_count; i++) {
        length += snprintf(out + length, size - (size_t)length, "%s%s",
                           i > 0        ? ", "
                           : length > 0 ? "; rules "
                                        : "rules ",
                           own->rules[i]);
    }
    return str_slice(str_from(out), 0, (size_t)length);
}
