/* Template: the texts of src/harness/scaffold/templates with their places filled. A place is
 * `@@name@@`. If it is alone on its line, it may be filled with any number of lines, including
 * none. */
#ifndef PYPTO_LINT_HARNESS_SCAFFOLD_TEMPLATE_H
#define PYPTO_LINT_HARNESS_SCAFFOLD_TEMPLATE_H

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
    Str text; /* without a line end after its last line */
} TemplateValue;

/* The filled text of the template, in the arena. `values` ends with a NULL name. If a template or a
 * value does not exist, which is a bug, the text says so. */
Str template_fill(Arena *arena, const char *name, const TemplateValue *values);

#endif
