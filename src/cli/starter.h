/* Starter: the files of a new operator directory, from a template or from a function of torch. A
 * template is a folder of src/harness/scaffold/starters with a golden, an implementation and
 * facts: lines "key value", from which the documents and the contract are made. Private to
 * src/cli. */
#ifndef PYPTO_LINT_CLI_STARTER_H
#define PYPTO_LINT_CLI_STARTER_H

#include "cli/cli.h"

enum { STARTER_MOST_MODULES = 9 };

/* What `new` leaves for people to write. `next` looks for these. */
#define FILL_IN_EN "FILL IN:"
#define FILL_IN_ZH "请填写："

typedef struct StarterFile {
    Str path; /* below the operator directory */
    Str text;
} StarterFile;
typedef VEC(StarterFile) StarterFiles;

typedef struct Starter {
    Arena *arena;
    Str op;       /* a name for Python */
    Str template; /* "elementwise"; of --from the name of the file */
    Str facts;    /* text */
    Str golden;   /* body of the golden; `@@function@@` in that of a template */
    Str skeleton; /* --from: the implementation; empty: the template has one */
    uint32_t modules;
    Lang lang;
    StarterFiles files;
} Starter;

/* Takes the template of that name; false when there is none. */
bool starter_use_template(Starter *starter, Str name);
/* Appends the names of the templates, one a line. */
void starter_names(Buf *out);
/* Takes a function of a file (FILE.py, or FILE.py:FUNCTION), which is read and not run. False with
 * a message. */
bool starter_use_file(Starter *starter, Str path);

/* Makes the texts. False with a message. */
bool starter_fill(Starter *starter);
/* Writes all files into a new folder, which must not exist: first under another name, then renamed.
 * Adds what `scaffold` makes of them to the files. False with a message, and nothing is left. */
bool starter_write(Starter *starter, Str dir);

/* The value of the nth line with the key; false when there are fewer. */
bool starter_fact(Str facts, const char *key, uint32_t n, Str *value);
/* The value of the one line with the key, or an empty Str. */
Str starter_value(Str facts, const char *key);
/* The same in the language, where there is a line `key_zh`. */
Str starter_text(const Starter *starter, const char *key);

/* A tensor or a number: of a line "x [R, C] float32", "eps float". */
typedef struct StarterTensor {
    Str name, shape, dtype; /* shape with its brackets; empty: a number */
} StarterTensor;
StarterTensor starter_tensor(Str line);

#endif
