/* Hook run: from the event to the answer, also when the work cannot be done. */
#include "base/io_error.h"
#include "base/path.h"
#include "hook/hook_answer.h"
#include "hook/hook_failsafe.h"
#include "hook/hook_input.h"
#include "hook/hook_steps.h"
#include "operator/state.h"

#include <stdlib.h>
#include <unistd.h>

/* More than the parts of a hook need; a unit of linting has memory of its own. */
#define HOOK_BUDGET ((size_t)1 << 30)

#define NOT_CHECKED(en, zh)                                                                        \
    {                                                                                              \
        "[pypto-op-lint] Not checked: " en, "[pypto-op-lint] 未检查：" zh                          \
    }
#define UNKNOWN    " Take the result for unknown, not for correct"
#define UNKNOWN_ZH "结果未知，不能视为正确"

static const Text crashed = NOT_CHECKED("the linter failed." UNKNOWN ", and report this.",
                                        "lint 工具内部出错。" UNKNOWN_ZH "，请上报。");
static const Text late = NOT_CHECKED("the linter ran out of time." UNKNOWN ", and report this.",
                                     "lint 超时。" UNKNOWN_ZH "，请上报。");
static const Text no_memory =
    NOT_CHECKED("the linter ran out of memory." UNKNOWN ", and report this.",
                "lint 内存不足。" UNKNOWN_ZH "，请上报。");
static const Text refused = NOT_CHECKED("the system refused memory or a file." UNKNOWN ".",
                                        "系统拒绝了内存或文件。" UNKNOWN_ZH "。");
static const Text cut_event = NOT_CHECKED("the event did not arrive in full.", "事件未完整送达。");
static const Text large_event =
    NOT_CHECKED("the event is larger than 256 MiB.", "事件超过 256 MiB。");
static const Text broken_event =
    NOT_CHECKED("the event is not a JSON object, so its file or command is unknown. Run "
                "pypto-lint check on the operator.",
                "事件不是 JSON 对象，无法得知涉及哪个文件或命令。"
                "请对算子目录运行 pypto-lint check。");

/* --- answers without a check */

/* The answer of a hook that cannot do its work: those that judge, block. Before an edit it only
 * says so: clients take silence for consent, but an edit must not wait. */
static HookAnswer give_up(Arena *arena, const HookCall *call, const HookEvent *event, Text text)
{
    Str words = str_from(text_in(call->lang, text));
    HookOutcome outcome = {.context = words};
    bool held = event->stop_hook_active && !call->old_form;
    bool judges =
        (call->name == HOOK_NAME_POST_EDIT && event->files.count > 0 && hook_edit_may_block()) ||
        (call->name == HOOK_NAME_STOP && !held);
    if (judges) {
        outcome.decision = DECIDE_BLOCK;
        outcome.reason = words;
    }
    outcome.to_user = held && event->client != NULL && event->client->goes_on_when_told;
    return hook_answer(arena, call, event->client, &outcome);
}

static void prepare_last_answers(Arena *arena, const HookCall *call, const HookEvent *event)
{
    HookAnswer for_crash = give_up(arena, call, event, crashed);
    HookAnswer for_late = give_up(arena, call, event, late);
    hook_failsafe_set(&for_crash, &for_late);
}

/* --- the event */

static bool is_artifact_name(Str path)
{
    Str name = path_name(path);
    return file_kind(name) != KIND_NONE || str_is(name, STATE_PATH);
}

/* Only artifacts are checked after an edit. */
static bool may_matter(const HookCall *call, const HookEvent *event)
{
    if (call->name != HOOK_NAME_POST_EDIT) {
        return true;
    }
    for (uint32_t i = 0; i < event->files.count; i++) {
        if (is_artifact_name(event->files.items[i])) {
            return true;
        }
    }
    return event->many_files || event->gone_specs.count > 0;
}

static HookAnswer answer_event(Arena *arena, const HookCall *call, const HookEvent *event)
{
    HookOutcome outcome = {.reason = STR(""), .context = STR("")};
    switch (call->name) {
    case HOOK_NAME_POST_EDIT:
        hook_post_edit(&outcome, arena, call, event);
        break;
    case HOOK_NAME_PRE_EDIT:
        hook_pre_edit(&outcome, arena, call, event);
        break;
    case HOOK_NAME_POST_BASH:
        hook_post_bash(&outcome, arena, call, event);
        break;
    case HOOK_NAME_STOP:
        hook_stop(&outcome, arena, call, event);
        break;
    case HOOK_NAME_SESSION_START:
        hook_session_start(&outcome, arena, call);
        break;
    case HOOK_NAME_UNKNOWN:
        outcome.to_both = true;
        outcome.event_name = event->name;
        break;
    }
    return hook_answer(arena, call, event->client, &outcome);
}

/* Clients take silence for a clean file. The old form stays silent all the same; the hooks that are
 * left out do not need their event. */
static bool reports_broken(const HookCall *call)
{
    return !call->old_form &&
           (call->name == HOOK_NAME_POST_EDIT || call->name == HOOK_NAME_PRE_EDIT ||
            call->name == HOOK_NAME_POST_BASH);
}

/* Reads the event; false when there is an answer already. */
static bool read_event(HookEvent *event, Arena *arena, const HookCall *call, HookAnswer *answer)
{
    static const HookEvent nothing = {0};
    HookInput input = hook_input_read(STDIN_FILENO, getenv("PYPTO_OP_LINT_HOOK_INPUT"));
    *event = nothing;
    /* What the stop hook judges does not depend on its event. */
    bool needed = call->name != HOOK_NAME_STOP;
    if (needed && input.state == HOOK_INPUT_TOO_LARGE) {
        *answer = give_up(arena, call, event, large_event);
        return false;
    }
    event_read(event, arena, input.text, call->name, call->client, call->old_form);
    free(input.memory);
    if (needed && io_error_is_pending()) {
        io_error_drop();
        *answer = give_up(arena, call, event, refused);
        return false;
    }
    if (needed && event->broken && input.state == HOOK_INPUT_LATE) {
        *answer = give_up(arena, call, event, cut_event);
        return false;
    }
    if (event->broken && reports_broken(call)) {
        *answer = give_up(arena, call, event, broken_event);
        return false;
    }
    return true;
}

/* Answers, even when memory runs out. */
static void judge(HookAnswer *answer, Arena *arena, const HookCall *call, const HookEvent *event)
{
    prepare_last_answers(arena, call, event);
    *answer = give_up(arena, call, event, no_memory);
    jmp_buf *outer = arena->guard;
    jmp_buf here;
    arena->budget = HOOK_BUDGET;
    if (OOM_GUARD(arena, here)) {
        *answer = answer_event(arena, call, event);
        if (io_error_is_pending()) {
            *answer = give_up(arena, call, event, refused);
        }
    }
    io_error_drop();
    arena->guard = outer;
}

HookAnswer hook_run(Arena *arena, const HookCall *call)
{
    HookEvent *event = ARENA_NEW(arena, HookEvent);
    prepare_last_answers(arena, call, event);
    HookAnswer *answer = ARENA_NEW(arena, HookAnswer);
    hook_failsafe_start(hook_facts[call->name].own_limit);
    if (read_event(event, arena, call, answer)) {
        if (may_matter(call, event)) {
            judge(answer, arena, call, event);
        } else {
            HookOutcome silence = {.reason = STR(""), .context = STR("")};
            *answer = hook_answer(arena, call, event->client, &silence);
        }
    }
    hook_failsafe_stop();
    return *answer;
}
