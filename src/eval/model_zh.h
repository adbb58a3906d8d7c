/* Translates messages of the model into Chinese. They are those of PyPTO, which are in English
 * only, and findings quote them. They are translated only when a finding is made, so that recording
 * costs nothing extra. */
#ifndef PYPTO_LINT_EVAL_MODEL_ZH_H
#define PYPTO_LINT_EVAL_MODEL_ZH_H

#include "base/arena.h"
#include "base/str.h"

/* `message`, a text of PtsError, PtsDiagnostic or drive_refuse, in Chinese, in `arena`; the message
 * itself when model_zh.def has no row for it. */
Str model_zh(Arena *arena, Str message);

#endif
