/* JSON on one line, as hooks answer and as the log of metrics is written. */
#ifndef PYPTO_LINT_REPORT_JSON_LINE_H
#define PYPTO_LINT_REPORT_JSON_LINE_H

#include "base/str.h"

/* Appends `text` as a JSON string. Characters beyond ASCII stay as they are, bytes that are not
 * UTF-8 become U+FFFD, control and other invisible characters are escaped. */
void json_line_string(Buf *out, Str text);

#endif
