/* Template: the text of src/harness/templates with its places filled. A place is `@@name@@`; one
 * that stands alone on its line takes a text of any number of lines, none included. */
#ifndef PYPTO_LINT_HARNESS_TEMPLATE_H
#define PYPTO_LINT_HARNESS_TEMPLATE_H

#include "base/str.h"

typedef struct TemplateFile {
    const char *name; /* "test_inputs.py" */
    const char *text;
} TemplateFile;

/* Made from the folder by scripts/make_templates.py. */
extern const TemplateFile template_files[];
extern const uint32_t template_file_count;

typedef struct TemplateValue {
    const char *name;
    Str text; /* without a line end behind its last line */
} TemplateValue;

/* The filled text of the template, in the arena. `values` ends with a NULL name. A template or a
 * value that does not exist is a mistake in the program: the text says so. */
Str template_fill(Arena *arena, const char *name, const TemplateValue *values);

#endif
