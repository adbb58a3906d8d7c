/* Summaries of case results; see case_sentences.h. */
#include "harness/judge/case_sentences.h"

#include "harness/judge/kernel_text.h"
#include "operator/text.h"

#include <inttypes.h>
#include <signal.h>

enum { FAR_RELATIVE = 1000000 }; /* a larger difference only says that the reference is near 0 */

/* Makes a sentence in both languages. */
#define IN_BOTH(make, ...) ((Sentence){make(__VA_ARGS__, LANG_EN), make(__VA_ARGS__, LANG_ZH)})

static const char *say(Lang lang, const char *en, const char *zh)
{
    return text_in(lang, (Text){en, zh});
}

static void add_metric(Buf *out, const char *name, Metric metric, Lang lang)
{
    if (metric.known) {
        buf_addf(out, say(lang, ", %s %g", "，%s %g"), name, metric.value);
    }
}

Str leaf_title(Arena *arena, const Leaf *leaf)
{
    return leaf->output.length == 0 || str_equal(leaf->output, leaf->name)
               ? leaf->name
               : str_format(arena, "%.*s (%.*s)", STR_ARG(leaf->output), STR_ARG(leaf->name));
}

/* "out0 differs on sim: 5 of 21 elements are out of tolerance" */
static void add_share(Buf *out, Mode mode, const Leaf *leaf, Lang lang)
{
    Str title = leaf_title(out->arena, leaf);
    Str never = lang == LANG_ZH ? leaf->never_zh : leaf->never;
    if (lang == LANG_ZH) {
        buf_addf(out, "%s 上 %.*s 与参考不符", mode_name(mode), STR_ARG(title));
    } else {
        buf_addf(out, "%.*s differs on %s", STR_ARG(title), mode_name(mode));
    }
    if (never.length > 0) {
        buf_addf(out, say(lang, ": %.*s", "：%.*s"), STR_ARG(never));
    }
    if (leaf->elements > 0) {
        buf_addf(out,
                 say(lang, "%s %" PRIu64 " of %" PRIu64 " elements are out of tolerance",
                     "%s%" PRIu64 " / %" PRIu64 " 个元素超出容差"),
                 never.length > 0 ? say(lang, ";", "；") : say(lang, ":", "："),
                 leaf->out_of_tolerance, leaf->elements);
    }
}

static Str values_in(Arena *arena, const CaseContext *context, const Leaf *leaf, Lang lang)
{
    Buf out = {.arena = arena};
    const char *separator = say(lang, "; ", "；");
    add_share(&out, context->mode, leaf, lang);
    if (context->source != NULL && context->kind != RESULT_OF_TESTS) { /* tests have their own */
        buf_addf(&out, say(lang, " (atol %g, rtol %g)", "（atol %g，rtol %g）"),
                 context->source->atol, context->source->rtol);
    }
    add_metric(&out, "max_abs_diff", leaf->max_abs_diff, lang);
    if (leaf->max_rel_diff.value <= FAR_RELATIVE) {
        add_metric(&out, "max_rel_diff", leaf->max_rel_diff, lang);
    }
    if (leaf->nonfinite > 0) {
        buf_addf(&out, say(lang, ", %" PRIu64 " are not finite", "，%" PRIu64 " 个非有限值"),
                 leaf->nonfinite);
    }
    if (leaf->places != NULL) {
        buf_add(&out, str_from(separator));
        leaf_places_add_where(&out, leaf->places, lang);
        if (leaf->places->likeness != NULL) {
            buf_add(&out, str_from(separator));
            leaf_places_add_likeness(&out, leaf->places, leaf->equals, lang);
        }
    }
    return buf_str(&out);
}

Sentence sentence_of_values(Arena *arena, const CaseContext *context, const Leaf *leaf)
{
    return IN_BOTH(values_in, arena, context, leaf);
}

static Str shape_text(Arena *arena, const LeafShape *shape)
{
    Buf out = {.arena = arena};
    buf_add_char(&out, '[');
    for (uint32_t i = 0; i < shape->rank; i++) {
        buf_addf(&out, "%s%" PRId64, i > 0 ? ", " : "", shape->extents[i]);
    }
    buf_add_char(&out, ']');
    return buf_str(&out);
}

/* What the worker says of the structure: one of its words, or a sentence. */
static Str structure_in(Arena *arena, const CaseContext *context, const Leaf *leaf, Lang lang)
{
    const char *mode = mode_name(context->mode);
    Str title = leaf_title(arena, leaf);
    if (str_is(leaf->structure, "missing")) {
        return str_format(arena,
                          say(lang,
                              "the output %.*s is missing on %s: fewer outputs than the "
                              "reference has",
                              "输出 %.*s 在 %s 上缺失：输出比参考实现少"),
                          STR_ARG(title), mode);
    }
    if (str_is(leaf->structure, "extra")) {
        return str_format(arena,
                          say(lang, "the output %.*s on %s is one that the reference does not have",
                              "输出 %.*s（%s）是参考实现所没有的"),
                          STR_ARG(title), mode);
    }
    if (str_is(leaf->structure, "shape") && leaf->shape.known && leaf->expected_shape.known) {
        Str is = shape_text(arena, &leaf->shape);
        Str should = shape_text(arena, &leaf->expected_shape);
        return str_format(arena,
                          say(lang, "%.*s has shape %.*s on %s, the reference has %.*s",
                              "%.*s 的 shape 为 %.*s（%s），参考实现为 %.*s"),
                          STR_ARG(title), STR_ARG(is), mode, STR_ARG(should));
    }
    if (str_is(leaf->structure, "dtype")) {
        return str_format(arena,
                          say(lang, "%.*s has dtype %.*s on %s, the reference has %.*s",
                              "%.*s 的 dtype 为 %.*s（%s），参考实现为 %.*s"),
                          STR_ARG(title), STR_ARG(leaf->dtype), mode,
                          STR_ARG(leaf->expected_dtype));
    }
    Str structure = redaction_message(arena, context->redaction, leaf->structure);
    return str_format(
        arena, say(lang, "%.*s on %s differs in structure: %.*s", "%.*s 在 %s 上结构不符：%.*s"),
        STR_ARG(title), mode, STR_ARG(structure));
}

Sentence sentence_of_structure(Arena *arena, const CaseContext *context, const Leaf *leaf)
{
    return IN_BOTH(structure_in, arena, context, leaf);
}

static Str drift_in(Arena *arena, const CaseContext *context, Str name, const InspectionStep *step,
                    Lang lang)
{
    Buf out = {.arena = arena};
    Str shown = redaction_message(arena, context->redaction, name);
    buf_addf(&out,
             say(lang, "the inspection buffer %.*s drifts from iteration %" PRId64 " on, on %s",
                 "检查缓冲区 %.*s 从迭代 %" PRId64 " 起偏离（%s）"),
             STR_ARG(shown), step->iter, mode_name(context->mode));
    add_metric(&out, "max_abs_diff", step->max_abs_diff, lang);
    add_metric(&out, "max_rel_diff", step->max_rel_diff, lang);
    return buf_str(&out);
}

Sentence sentence_of_drift(Arena *arena, const CaseContext *context, Str name,
                           const InspectionStep *step)
{
    return IN_BOTH(drift_in, arena, context, name, step);
}

/* --- exceptions */

static const Text raisers[] = {
    [STAGE_UNKNOWN] = {"the worker raised", "worker 抛出"},
    [STAGE_SETUP] = {"setting up the worker raised", "准备 worker 时抛出"},
    [STAGE_INPUTS] = {"making the inputs raised", "生成输入时抛出"},
    [STAGE_GOLDEN] = {"the reference raised", "参考实现抛出"},
    [STAGE_IMPLEMENTATION] = {"importing the implementation raised", "导入实现时抛出"},
    [STAGE_WRAPPER] = {"the wrapper raised", "封装函数抛出"},
    [STAGE_COMPARE] = {"comparing the outputs raised", "比较输出时抛出"},
    [STAGE_INSPECT] = {"the reference's inspection raised", "参考实现的检查抛出"},
    [STAGE_DONE] = {"the worker raised", "worker 抛出"},
};

/* Is the message one of the kernel's process, or of a test? */
static bool is_foreign(const CaseContext *context, const WorkerResult *result)
{
    bool test = context->kind == RESULT_OF_TESTS && result->stage != STAGE_SETUP;
    bool kernel = context->kind == RESULT_OF_CASE &&
                  (result->stage == STAGE_IMPLEMENTATION || result->stage == STAGE_WRAPPER);
    return !result->own && (test || kernel);
}

/* The message as far as it may be shown. */
static Str shown_message(Arena *arena, const CaseContext *context, const WorkerResult *result)
{
    Str message = redaction_message(arena, context->redaction, result->message);
    return is_foreign(context, result) ? kernel_text_reduce(arena, message) : message;
}

static void add_memory_limit(Buf *out, const CaseContext *context, Lang lang)
{
    buf_add(out, str_from(say(lang, "; an allocation failed", "；内存分配失败")));
    if (context->memory > 0) {
        buf_addf(
            out,
            say(lang, " under the memory limit of %" PRIu64 " MiB", "（内存限制 %" PRIu64 " MiB）"),
            context->memory >> 20);
    }
    buf_add(out, str_from(say(lang, ": raise --mem-limit, or make the case smaller",
                              "：请提高 --mem-limit 或减小用例")));
}

static Str raised_in(Arena *arena, const CaseContext *context, const WorkerResult *result,
                     Lang lang)
{
    const char *mode = mode_name(context->mode);
    Str type = redaction_message(arena, context->redaction, result->type);
    Str message = shown_message(arena, context, result);
    if (result->end != RESULT_RAISED) {
        return message.length > 0
                   ? message
                   : str_format(arena, say(lang, "mode %s cannot run", "模式 %s 无法运行"), mode);
    }
    Buf out = {.arena = arena};
    Text raiser = raisers[result->stage];
    if (context->kind == RESULT_OF_TESTS && result->stage != STAGE_SETUP) {
        raiser = (Text){"the test raised", "测试抛出"};
    }
    const char *space = type.length == 0 && lang == LANG_ZH ? "" : " ";
    type = type.length > 0 ? type : str_from(say(lang, "an exception", "异常"));
    buf_addf(&out, say(lang, "%s%s%.*s on %s", "%s%s%.*s（%s"), text_in(lang, raiser), space,
             STR_ARG(type), mode);
    Str place = source_place_text(arena, result->raised_at);
    const AdviceRow *code = advice_row(ADVICE_CODE, result->code);
    if (place.length > 0) {
        buf_addf(&out, say(lang, " at %.*s", "，%.*s"), STR_ARG(place));
    }
    buf_add(&out, str_from(say(lang, "", "）")));
    if (code != NULL) {
        buf_addf(&out, say(lang, ", %s: %s", "，%s：%s"), code->name, text_in(lang, code->words));
    }
    if (message.length > 0) {
        buf_addf(&out, say(lang, ": %.*s", "：%.*s"), STR_ARG(message));
    }
    if (result->code.length > 0 && !str_contains(message, result->code)) {
        buf_addf(&out, " (%.*s)", STR_ARG(result->code));
    }
    if (str_is(result->kind, "memory") && context->mode == MODE_SIM) {
        add_memory_limit(&out, context, lang);
    }
    return buf_str(&out);
}

Sentence sentence_of_raised(Arena *arena, const CaseContext *context, const WorkerResult *result)
{
    return IN_BOTH(raised_in, arena, context, result);
}

/* --- deaths */

static void add_place(Buf *out, const CaseContext *context, Stage stage, Lang lang)
{
    static const Text places[] = {
        [STAGE_UNKNOWN] = {" before the case began", "用例开始之前"},
        [STAGE_SETUP] = {" before the case began", "用例开始之前"},
        [STAGE_INPUTS] = {" while the inputs were made", "生成输入时"},
        [STAGE_GOLDEN] = {" in the reference", "参考实现中"},
        [STAGE_IMPLEMENTATION] = {" while the implementation was imported", "导入实现时"},
        [STAGE_WRAPPER] = {" in the wrapper", "封装函数中"},
        [STAGE_COMPARE] = {" while the outputs were compared", "比较输出时"},
        [STAGE_INSPECT] = {" in the reference's inspection", "参考实现的检查中"},
        [STAGE_DONE] = {" at its end", "结束时"},
    };
    Text place = places[stage];
    if (context->kind == RESULT_OF_TESTS && stage >= STAGE_IMPLEMENTATION) {
        place = (Text){" in the test", "测试中"};
    }
    buf_addf(out, say(lang, "%s on %s", "（%s，%s）"), text_in(lang, place),
             mode_name(context->mode));
}

static void add_signal(Buf *out, int number)
{
    const char *name = sigabbrev_np(number);
    if (name != NULL) {
        buf_addf(out, "SIG%s", name);
    } else {
        buf_addf(out, "signal %d", number);
    }
}

static void add_end(Buf *out, const CaseContext *context, const WorkerOutcome *outcome, Lang lang)
{
    switch (outcome->end) {
    case PROCESS_EXITED:
        buf_addf(out,
                 say(lang, "the process ended with status %d without a result",
                     "进程以状态码 %d 结束，没有给出结果"),
                 outcome->value);
        break;
    case PROCESS_KILLED:
        buf_add(out, str_from(say(lang, "the process was ended by ", "进程被终止：")));
        add_signal(out, outcome->value);
        break;
    case PROCESS_LATE:
        buf_add(out, str_from(say(lang, "the process did not end", "进程没有结束")));
        if (context->timeout_ms > 0) {
            buf_addf(out, say(lang, " within the time limit of %g s", "（时限 %g 秒）"),
                     context->timeout_ms / 1000.0);
        }
        break;
    case PROCESS_TOO_MANY:
        buf_add(out, str_from(say(lang, "the process started more processes than allowed",
                                  "进程启动的子进程超过允许的数量")));
        break;
    case PROCESS_NOT_STARTED:
        buf_addf(out, say(lang, "starting the process failed: %s", "启动进程失败：%s"),
                 strerror(outcome->value));
        break;
    default: /* cancelled */
        buf_add(out, str_from(say(lang, "the run was interrupted", "运行被中断")));
    }
}

/* What to change. There are four different limits of memory and time. */
static void add_remedy(Buf *out, const CaseContext *context, const WorkerOutcome *outcome,
                       VerdictCategory route, Lang lang)
{
    static const Text late = {"; raise --timeout, or make the case smaller",
                              "；请提高 --timeout 或减小用例"};
    static const Text processor = {
        "; it used more processor time than the time limit allows on all processors: raise "
        "--timeout, or start fewer threads",
        "；所用处理器时间超过时限在全部处理器上所允许的量：请提高 --timeout 或减少线程"};
    static const Text killed = {
        "; nobody here sent that: the system does when the machine, or its container, runs out of "
        "memory. Run fewer workers (--jobs 1), or make the case smaller; --mem-limit does not help",
        "；信号并非由本程序发出：机器或容器内存耗尽时系统会这样做。请减少 worker（--jobs "
        "1）或减小用例；--mem-limit 无济于事"};
    bool is_killed = outcome->end == PROCESS_KILLED;
    if (outcome->end == PROCESS_LATE) {
        buf_add(out, str_from(text_in(lang, late)));
    } else if (is_killed && outcome->value == SIGXCPU) {
        buf_add(out, str_from(text_in(lang, processor)));
    } else if (is_killed && outcome->value == SIGKILL) {
        buf_add(out, str_from(text_in(lang, killed)));
    } else if (route == ROUTE_OOM && context->memory > 0) {
        buf_addf(out,
                 say(lang, "; the memory limit is %" PRIu64 " MiB: raise --mem-limit",
                     "；内存限制为 %" PRIu64 " MiB：请提高 --mem-limit"),
                 context->memory >> 20);
    } else if (route == ROUTE_OOM) {
        buf_add(out, str_from(say(lang, "; an allocation failed: raise --mem-limit",
                                  "；内存分配失败：请提高 --mem-limit")));
    }
}

static Str death_in(Arena *arena, const CaseContext *context, const WorkerOutcome *outcome,
                    const WorkerResult *result, VerdictCategory route, Lang lang)
{
    Buf out = {.arena = arena};
    add_end(&out, context, outcome, lang);
    if (outcome->end != PROCESS_NOT_STARTED) {
        add_place(&out, context, result->stage, lang);
    }
    if (outcome->result_too_large) {
        buf_add(&out, str_from(say(lang, "; its result was too large", "；其结果过大")));
    } else if (result->end == RESULT_BROKEN && outcome->end == PROCESS_EXITED) {
        buf_add(&out, str_from(say(lang, "; what it sent is not a valid result",
                                   "；它发送的内容不是有效的结果")));
    }
    add_remedy(&out, context, outcome, route, lang);
    return buf_str(&out);
}

Sentence sentence_of_death(Arena *arena, const CaseContext *context, const WorkerOutcome *outcome,
                           const WorkerResult *result, VerdictCategory route)
{
    return IN_BOTH(death_in, arena, context, outcome, result, route);
}

Str sentence_of_late_death(Arena *arena, const WorkerOutcome *outcome)
{
    Buf out = {.arena = arena};
    if (outcome->end == PROCESS_KILLED) {
        buf_add(&out, STR("after the comparison the process was ended by "));
        add_signal(&out, outcome->value);
    } else {
        buf_addf(&out, "after the comparison the process ended with status %d", outcome->value);
    }
    return buf_str(&out);
}

const char *fallback_pattern(Str log)
{
    static const struct {
        const char *folded, *shown;
    } patterns[] = {
        {"jit execution failed", "JIT execution failed"},
        {"errcode:", "ErrCode:"},
        {"traceback (most recent call last)", "Traceback (most recent call last)"},
    };
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        if (text_contains_folded(log, str_from(patterns[i].folded))) {
            return patterns[i].shown;
        }
    }
    return NULL;
}
