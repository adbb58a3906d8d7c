/* session-start: is this program as new as the settings that call it? An older one may not know
 * what they ask for, so agent and user hear of it before the first edit. */
#include "base/version.h"
#include "hook/hook_block.h"
#include "hook/hook_steps.h"
#include "report/terminal.h"

void hook_session_start(HookOutcome *outcome, Arena *arena, const HookCall *call)
{
    Version own, wanted;
    if (call->wants.length == 0 || !version_read(STR(PYPTO_LINT_VERSION), &own, NULL)) {
        return;
    }
    Text odd = {HOOK_PREFIX " The version that the settings want, '%.*s', is none; this is "
                            "pypto-lint %s. Tell the user to run pypto-lint init.",
                HOOK_PREFIX " 设置要求的版本“%.*s”无效；当前为 pypto-lint %s。"
                            "请告知用户运行 pypto-lint init。"};
    Text older = {HOOK_PREFIX
                  " The settings want pypto-lint %.*s or later, this is %s: checks may be "
                  "missing. Tell the user to update pypto-lint.",
                  HOOK_PREFIX " 设置要求 pypto-lint %.*s 或更高版本，当前为 %s：可能缺少检查。"
                              "请告知用户更新 pypto-lint。"};
    bool good = version_read(call->wants, &wanted, NULL);
    if (good && !version_is_older(&own, &wanted)) {
        return;
    }
    Buf shown = {.arena = arena};
    terminal_add(&shown, str_slice(call->wants, 0, 40));
    outcome->to_both = true;
    outcome->context = str_format(arena, text_in(call->lang, good ? older : odd),
                                  STR_ARG(buf_str(&shown)), PYPTO_LINT_VERSION);
}
