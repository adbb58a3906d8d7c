/* Case results whose wrapper was called again: a sentence for each finding. */
#include "harness/judge/case_sentences.h"

static const struct {
    const char *finding, *sentence;
} findings[] = {
    {"stale output", "a later call gives an earlier result, or writes over it (stale output): "
                     "every call must return memory of its own"},
    {"first call only", "only the first call is right (first call only): the same inputs in "
                        "fresh memory, and others, give wrong results later"},
    {"input-dependent state", "a call with other inputs is wrong although the first is right "
                              "(input-dependent state): something of the first call is kept"},
    {"flaky", "the same inputs give another result when the wrapper is called again (flaky)"},
    {"untold", "the kernel's process did not call the wrapper again, although it was asked to"},
};

Str sentence_of_repeat(Arena *arena, const CaseContext *context, const Repeat *repeat)
{
    const char *mode = mode_name(context->mode);
    for (size_t i = 0; i < sizeof findings / sizeof *findings; i++) {
        if (str_is(repeat->finding, findings[i].finding)) {
            return str_format(arena, "on %s %s", mode, findings[i].sentence);
        }
    }
    if (repeat->status == REPEAT_PASSED) {
        return str_format(arena,
                          "the same inputs give other bits on %s when the wrapper is called again, "
                          "within the tolerance (flaky)",
                          mode);
    }
    Str type = redaction_message(arena, context->redaction, repeat->why);
    return str_format(arena, "the wrapper raised %.*s on %s when it was called again",
                      STR_ARG(type.length > 0 ? type : STR("an exception")), mode);
}

/* --- in the report */

Str repeat_text(const Repeat *repeat)
{
    static const struct {
        const char *why, *text;
    } reasons[] = {
        {"slow", "not checked: one call, or its reference, takes more than a second"},
        {"large", "not checked: the outputs are larger than 256 MiB"},
        {"structure only", "not checked: the case compares the structure only"},
        {"wrong", "not checked: the first call is wrong"},
    };
    if (repeat->status == REPEAT_PASSED) {
        return str_is(repeat->why, "other bits")
                   ? STR("passed (flaky: other bits, within tolerance)")
               : str_is(repeat->why, "same inputs") ? STR("passed (with the same inputs only)")
                                                    : STR("passed");
    }
    if (repeat->status == REPEAT_FAILED) {
        return repeat->finding;
    }
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        if (str_is(repeat->why, reasons[i].why)) {
            return str_from(reasons[i].text);
        }
    }
    return STR("not checked");
}
