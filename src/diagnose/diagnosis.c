/* Ranks the matches of a log as causes; see diagnosis.h. */
#include "diagnose/diagnosis.h"

#include "diagnose/glob.h"

#include <stdio.h>

Text cause_reason_text(CauseReason reason)
{
    static const Text texts[] = {
        [REASON_NAMED] = {"the text names the cause", "该文本直接指明了原因"},
        [REASON_OPEN] =
            {"the text names the cause, which comes about in several ways: see the change",
             "该文本指明了原因，但其来由不止一种，参见修改建议"},
        [REASON_EVIDENCE] = {"the text names what went wrong, and the evidence how it came about",
                             "该文本指明了错误，佐证说明其来由"},
        [REASON_PASSING] = {"the line has these words, but is not reported as an error",
                            "该行含有这些文字，但并非作为错误报出"},
        [REASON_FOREIGN] = {"nothing else in the log is from PyPTO",
                            "日志中没有其他来自 PyPTO 的内容"},
        [REASON_WENT_ON] = {"the run goes on after it, is repeated, or another one fails later",
                            "其后该次运行仍在继续或被重新执行，或另有运行失败"},
        [REASON_USUAL] = {"this text usually has this cause", "该文本通常由此引起"},
        [REASON_SYMPTOM] = {"the text says that something failed, not why",
                            "该文本只说明出错，没有说明原因"},
        [REASON_PLAYED_DOWN] = {"the log has it as a warning only", "日志中它只是一条警告"},
        [REASON_OVERCOME] = {"a later step of the log went well", "日志中其后的步骤是成功的"},
        [REASON_HANDLED] = {"the program was handling this exception when another one followed",
                            "程序在处理该异常时又发生了另一个异常"},
        [REASON_RIVAL] = {"first of several errors with different causes",
                          "多个不同原因的错误中最早的一个"},
        [REASON_UNEXPLAINED] = {"an earlier error is not explained", "更早的一个错误未能解释"},
        [REASON_EXCEPTION] = {"the run ended with an exception that is not explained",
                              "运行最终以未能解释的异常结束"},
    };
    return texts[reason];
}

/* A pattern that is only a number says less than one with words. */
static RowLevel level_of(const LogMatch *match)
{
    RowLevel level = match->pattern->level;
    return level == ROW_SPECIFIC && glob_is_code(str_from(match->pattern->globs)) ? ROW_CODE
                                                                                  : level;
}

static bool comes_before(const LogMatch *a, const LogMatch *b)
{
    if (a->strength != b->strength) {
        return a->strength > b->strength;
    }
    RowLevel level = level_of(a), other = level_of(b);
    if (level != other) {
        return level < other;
    }
    return a->is_handled != b->is_handled ? b->is_handled : a->order < b->order;
}

/* Inserts the match among the sorted causes, or only counts it when the list is full. */
static void add_cause(Diagnosis *diagnosis, const LogMatch *match)
{
    uint32_t at = diagnosis->count;
    while (at > 0 && comes_before(match, diagnosis->causes[at - 1].match)) {
        at--;
    }
    bool full = diagnosis->count == DIAGNOSIS_MOST_CAUSES;
    diagnosis->more += full;
    if (at == DIAGNOSIS_MOST_CAUSES) {
        return;
    }
    uint32_t moved = diagnosis->count - at - (full ? 1 : 0);
    memmove(&diagnosis->causes[at + 1], &diagnosis->causes[at], moved * sizeof(Cause));
    diagnosis->causes[at] = (Cause){.match = match};
    diagnosis->count += full ? 0 : 1;
}

/* Does a stronger pattern of the same category, or one of a lower level, match the same line? Then
 * this one adds nothing. */
static bool is_covered(const LogScan *scan, const LogMatch *match)
{
    for (uint32_t i = 0; i < pattern_count; i++) {
        const LogMatch *other = &scan->matches[i];
        if (other->order != match->order ||
            patterns[i].level == ROW_EVIDENCE) { /* 0 without a match */
            continue;
        }
        RowLevel level = match->pattern->level, rank = other->pattern->level;
        bool more = other->strength > match->strength ||
                    (other->strength == match->strength &&
                     other->pattern->strength > match->pattern->strength);
        bool stronger =
            more && rank <= level && other->pattern->category == match->pattern->category;
        if (stronger || (rank < level && other->strength >= match->strength)) {
            return true;
        }
    }
    return false;
}

/* An error of the machine that comes first and has another cause more often than not: what follows
 * may follow from it. */
static bool is_doubt(const LogMatch *match, const LogMatch *other)
{
    return other->strength >= STRENGTH_LIKELY && other->order < match->order &&
           other->pattern->category >= DIAGNOSIS_ENVIRONMENT && !other->is_handled &&
           level_of(other) != ROW_GENERAL && level_of(other) != ROW_WORDS;
}

/* Does the other match name another cause? What is wrong with a machine has many causes in one
 * category; an error of a kernel is often named twice, by a code and by a message. */
static bool is_rival(const LogMatch *match, const LogMatch *other)
{
    DiagnosisCategory category = match->pattern->category;
    if (other->strength < STRENGTH_CERTAIN || other == match) {
        return false;
    }
    /* Memory of the device and of the host run out for reasons of their own. */
    bool apart = (category >= DIAGNOSIS_ENVIRONMENT || category == DIAGNOSIS_OOM) &&
                 other->order != match->order;
    return other->pattern->category != category || apart;
}

static bool has_rival(const LogScan *scan, const LogMatch *match)
{
    for (uint32_t i = 0; i < pattern_count; i++) {
        const LogMatch *other = &scan->matches[i];
        if (is_rival(match, other) || is_doubt(match, other)) {
            return true;
        }
    }
    return false;
}

/* Other programs speak of tiles, views and matrices in the same words. */
static bool is_foreign(const LogScan *scan, const LogMatch *match)
{
    return !scan->names_pypto && str_starts(str_from(match->pattern->id), STR("pypto."));
}

static CauseReason reason_of(const LogScan *scan, const LogMatch *match)
{
    if (match->is_played_down) {
        return REASON_PLAYED_DOWN;
    }
    if (match->is_overcome || match->is_handled) {
        return match->is_overcome ? REASON_OVERCOME : REASON_HANDLED;
    }
    if (match->strength < STRENGTH_CERTAIN) {
        return match->strength == STRENGTH_LIKELY ? REASON_USUAL : REASON_SYMPTOM;
    }
    if (has_rival(scan, match)) {
        return REASON_RIVAL;
    }
    if (match->went_on || !match->is_own) {
        return match->went_on ? REASON_WENT_ON : REASON_PASSING;
    }
    if (is_foreign(scan, match)) {
        return REASON_FOREIGN;
    }
    bool unknown = scan->exception_order > 0 && !scan->exception_known;
    return unknown && scan->exception_order > match->order                      ? REASON_EXCEPTION
           : unknown || scan->exceptions_unknown > 0 || match->is_after_unknown ? REASON_UNEXPLAINED
           : match->pattern->is_open                                            ? REASON_OPEN
                                                                                : REASON_NAMED;
}

static const Pattern *teller(const Cause *cause)
{
    return cause->evidence != NULL ? cause->evidence->pattern : cause->match->pattern;
}

Text cause_text(const Cause *cause)
{
    return pattern_cause(teller(cause));
}

Text cause_change(const Cause *cause)
{
    return pattern_change(teller(cause));
}

DiagnosisCategory cause_category(const Cause *cause)
{
    const Pattern *pattern = teller(cause);
    return pattern->routes ? pattern->category : cause->match->pattern->category;
}

static void judge(const LogScan *scan, Cause *cause)
{
    cause->evidence = cause->match->seen.order > 0 ? &cause->match->seen : NULL;
    cause->reason = reason_of(scan, cause->match);
    if (cause->evidence != NULL &&
        (cause->reason == REASON_NAMED || cause->reason == REASON_OPEN)) {
        cause->reason = REASON_EVIDENCE;
    }
    cause->is_certain = cause->reason == REASON_NAMED;
    cause->place = cause->match->place;
    if (cause->place.rank == PLACE_NONE) {
        cause->place = scan->first_place;
        cause->is_place_elsewhere = cause->place.rank != PLACE_NONE;
    }
}

/* Do runs that went well follow all errors? */
static bool is_overcome(const LogScan *scan)
{
    if (scan->files_well == 0 || scan->files_failed > 0) {
        return false;
    }
    for (uint32_t i = 0; i < pattern_count; i++) {
        const LogMatch *match = &scan->matches[i];
        if (match->strength > STRENGTH_NONE && !match->is_overcome && !match->is_warning) {
            return false;
        }
    }
    return true;
}

Diagnosis diagnosis_of(const LogScan *scan)
{
    Diagnosis diagnosis = {0};
    for (uint32_t i = 0; i < pattern_count; i++) {
        const LogMatch *match = &scan->matches[i];
        if (match->strength > STRENGTH_NONE && !is_covered(scan, match)) {
            add_cause(&diagnosis, match);
        }
    }
    for (uint32_t i = 0; i < diagnosis.count; i++) {
        judge(scan, &diagnosis.causes[i]);
    }
    bool has_exception = scan->exception_order > 0;
    diagnosis.has_error = diagnosis.count > 0 || scan->digest->error_lines > 0 || has_exception;
    bool weak = diagnosis.count == 0 || diagnosis.causes[0].match->strength < STRENGTH_LIKELY;
    diagnosis.is_overcome = diagnosis.has_error && is_overcome(scan);
    diagnosis.needs_digest = diagnosis.has_error && !diagnosis.is_overcome &&
                             (weak || (has_exception && !scan->exception_known));
    diagnosis.status = !diagnosis.has_error || diagnosis.is_overcome ? 0
                       : diagnosis.count == 0
                           ? 1
                           : DIAGNOSIS_FIRST_STATUS + (int)cause_category(&diagnosis.causes[0]);
    return diagnosis;
}
