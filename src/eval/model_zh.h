/* The Chinese form of what the model says. Its messages are those of PyPTO, which has English only;
 * findings quote them, and for readers of Chinese they are translated here, after the fact, so that
 * recording costs nothing more. */
#ifndef PYPTO_LINT_EVAL_MODEL_ZH_H
#define PYPTO_LINT_EVAL_MODEL_ZH_H

#include "base/arena.h"
#include "base/str.h"

/* `message`, a text of PtsError, PtsDiagnostic or drive_refuse, in Chinese, in `arena`; the message
 * itself when model_zh.def has no row for it. */
Str model_zh(Arena *arena, Str message);

#endif
