/* Text in XML reports. Control characters and what reorders text are shown as escapes first, as in
 * every other report. */
#ifndef PYPTO_LINT_REPORT_XML_H
#define PYPTO_LINT_REPORT_XML_H

#include "base/str.h"

/* Appends text, in an element or an attribute: no markup, and none of the characters that XML does
 * not have. */
void xml_add(Buf *out, Str text);
/* Appends ` name="value"`. */
void xml_attribute(Buf *out, const char *name, Str value);

#endif
