/* Operator: one operator directory as rules see it: its name, stage and scope, its files read and
 * parsed once. Facts: docs/kernel-authors/operator-directory.md. */
#ifndef PYPTO_LINT_OPERATOR_OPERATOR_H
#define PYPTO_LINT_OPERATOR_OPERATOR_H

#include "base/file.h"
#include "base/map.h"
#include "kernel/kernel.h"
#include "kernel/product.h"
#include "operator/artifact.h"

typedef struct Operator Operator;

/* A text file of the directory that is not Python (DESIGN.md, MEMORY.md, …). */
typedef struct Document {
    Str path;                  /* relative, `/` */
    bool exists;               /* is a regular file */
    bool readable;             /* could be read and is UTF-8; else `text` is empty */
    Str text;                  /* line ends are LF */
    Source source;             /* over `text` */
    struct FrontMatter *front; /* made on first use, see front_matter.h */
} Document;

/* A Python block of DESIGN.md (docs/internals/python-model.md, "Python blocks in Markdown"). Its
 * module's lines are lines of the document. */
typedef struct DesignBlock {
    PyFile file;
} DesignBlock;

typedef VEC(PyFile *) PyFiles;
typedef VEC(DesignBlock) DesignBlocks;

typedef enum ScopeKind {
    SCOPE_DEFAULT, /* the whole operator */
    SCOPE_FILE,    /* --file */
    SCOPE_PHASE,   /* --phase */
} ScopeKind;

struct Operator {
    Arena *arena;       /* lives as long as the run of this operator */
    Str dir;            /* as given, without trailing slash */
    Str fence;          /* what its files may not leave (base/fence.h); found on first use */
    Str name;           /* <op> */
    int stage;          /* 0 = unknown */
    bool stage_guessed; /* nobody said so: by the files that are there */
    const struct OperatorState *state; /* of the state file, once somebody has read it */
    Str state_error; /* why the state file says nothing, in the language of the run; else empty */
    ScopeKind scope;
    Str file;         /* SCOPE_FILE: relative path, `/` */
    int phase;        /* SCOPE_PHASE: k of M_k */
    bool bridge;      /* SCOPE_FILE: the file is one (bridge.h) */
    bool loose;       /* no operator directory: one file; others are read for static
                       * evaluation */
    bool plain;       /* the profile `kernel`: no convention of the workflow counts */
    bool may_execute; /* Python may be started: in a gate, and not with --no-exec */
    bool no_exec;     /* no program at all may be started for a rule */
    Str interpreter;  /* --python, or empty */
    bool upstream;    /* verdicts as the Python linter gives them, where those here differ */
    bool stop_hook;   /* the stop hook is running */
    Str edited;       /* post-edit hook: relative path of the edited file, the only one to blame;
                         else empty */
    size_t max_file;  /* files larger than this many bytes are not read */
    Product product;  /* the version of PyPTO that counts */
    Str soc;          /* the hardware that kernels are judged for; empty = not named */
    bool show_types;  /* facts about kernels are wanted */
    bool strict;      /* advice about kernels is a warning */
    bool gate;        /* a gate asks: nothing is about to be edited */
    const InstalledProduct *installed; /* whose names exist; NULL = those that are built in */
    PyFiles scan;                      /* the scan set, in scan order; unparsable files included */
    PyFiles python;                    /* every Python file read so far */
    VEC(Document *) documents;         /* every document read so far */
    Map read;                          /* paths of the files that were read … */
    Strs texts;                        /* … and what they hold, by number of the path */
    DesignBlocks *design_blocks;       /* made on first use */
};

/* Cumulative suffix of phase k: 3 -> "123". In the arena. */
Str phase_suffix(Arena *arena, int phase);

/* The Python file at this relative path: read and parsed on first use, never NULL. A missing, empty
 * or special file has status PARSE_ABSENT. */
PyFile *operator_python(Operator *op, Str path);
/* The same with `text` for what the file holds, instead of reading it; the path must not have been
 * asked for. More than op->max_file bytes are refused as those of a file are. */
PyFile *operator_python_text(Operator *op, Str path, Str text);
/* Reads the file at this relative path, once, if it does not lead out of the project
 * (fence_read). */
FileStatus operator_read(Operator *op, Str path, Str *text, Str *reason);
/* The same from the disk, also when it was read before. */
FileStatus operator_read_again(Operator *op, Str path, Str *text, Str *reason);
/* Is there a regular file at this relative path? */
bool operator_has_file(const Operator *op, Str path);
/* The document at this relative path: read on first use, never NULL. */
Document *operator_document(Operator *op, Str path);
/* The same with `text` for what the file holds; see operator_python_text. */
Document *operator_document_text(Operator *op, Str path, Str text);
/* Python blocks of DESIGN.md that parse; empty when there is none. */
const DesignBlocks *operator_design_blocks(Operator *op);
/* Relative paths "modules/<name>" of the entries of modules/ whose name starts with `prefix` and
 * ends with `suffix`, sorted by code point, in the arena. */
Strs operator_modules(Operator *op, Str prefix, Str suffix);
/* "<op>_impl.py" and the like (artifact.h), below modules/ with a suffix; in the arena. */
Str operator_artifact(const Operator *op, FileKind kind);
Str operator_module(const Operator *op, FileKind kind, Str suffix);

#endif
