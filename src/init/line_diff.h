/* A unified diff of two texts, as git shows it. */
#ifndef PYPTO_LINT_INIT_LINE_DIFF_H
#define PYPTO_LINT_INIT_LINE_DIFF_H

#include "base/str.h"

/* Appends the diff of `before` and `after` under the name `path` ("a/path", "b/path"). `is_new`,
 * `is_gone`: there is no file before, none afterwards. Characters that a terminal would obey are
 * shown as escapes, tabs aside. */
void line_diff(Buf *out, Str path, Str before, Str after, bool is_new, bool is_gone);

#endif
