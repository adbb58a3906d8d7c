/* Modes and verdicts; see mode.h. */
#include "harness/plan/mode.h"

static const char *const mode_names[MODE_COUNT] = {[MODE_SIM] = "sim", [MODE_NPU] = "npu"};

const char *mode_name(Mode mode)
{
    return mode_names[mode];
}

bool mode_find(Str name, Mode *mode)
{
    for (int i = 0; i < MODE_COUNT; i++) {
        if (str_is(name, mode_names[i])) {
            *mode = (Mode)i;
            return true;
        }
    }
    return false;
}

const char *verdict_name(Verdict verdict)
{
    static const char *const names[] = {
        [VERDICT_SKIPPED] = "SKIPPED",
        [VERDICT_PASS] = "PASS",
        [VERDICT_FAIL] = "FAIL",
        [VERDICT_ERROR] = "ERROR",
    };
    return names[verdict];
}
