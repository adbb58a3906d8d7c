/* Discovery: from the paths of a command line to operator directories and loose kernel files.
 * What counts as which, and what is skipped, is described for users in docs/ci/configuration.md. */
#ifndef PYPTO_LINT_LINT_DISCOVER_H
#define PYPTO_LINT_LINT_DISCOVER_H

#include "lint/plan.h"

typedef enum DiscoveredKind {
    DISCOVERED_OPERATOR,
    DISCOVERED_FILE, /* a Python file outside any operator directory */
} DiscoveredKind;

typedef struct DiscoveredItem {
    DiscoveredKind kind;
    Str path; /* as it follows from the path given (relative stays relative), terminated, no slash
                 at the end */
    Str real; /* the same place, absolute, without symlinks */
    Str name; /* operator: the name that its files made probable; a state file may say otherwise */
    bool whole;  /* operator: named or found as a folder; else `files` are all that is asked for */
    Strs files;  /* operator, not whole: relative paths, sorted, each once */
    bool linked; /* found through a symlink that is not the path given */
    bool named;  /* file: named, so lint it always; else only if it may hold a JIT kernel */
} DiscoveredItem;
typedef VEC(DiscoveredItem) Discovered;

typedef struct DiscoverOptions {
    size_t max_file; /* bytes; larger Python files are not looked into */
    bool whole; /* named files as if a search had found them: their operators whole, other Python
                   files only with a kernel, the rest without a word */
    bool
        with_ignored; /* what .gitignore names is found, too: for git, tracked files stay tracked */
    Plan *plan;       /* knows the settings: what they exclude, and the profile; NULL: none */
    Profile profile;  /* of the caller */
} DiscoverOptions;

/* Everything to lint under `paths` (none = "."), sorted by `path`, each place once. What could not
 * be read adds a notice; a named path that does not exist or is neither file nor folder adds an
 * error notice, and the result is false. All in the arena. Standard input ("-") is the caller's. */
bool discover(Discovered *found, Arena *arena, Strs paths, DiscoverOptions options,
              Notices *notices);

/* Is nothing in this folder (absolute) an operator directory: by the profile of the caller or of
 * the settings, or because it is the repository of the product? `config` may be NULL. */
bool discover_is_plain(Arena *arena, DiscoverOptions options, const Config *config, Str folder);

/* The operator directory of a file by the rules for edited files; the file need not exist. `path`
 * absolute. False when there is none. `*dir` is a part of `path`, `*name` the operator's name. */
bool operator_of_file(Arena *arena, Str path, Str *dir, Str *name);
/* The operator directory that contains a folder (absolute): itself or the nearest of up to seven
 * above. */
bool operator_of_folder(Arena *arena, Str folder, Str *dir);
/* Is this folder an operator directory: does it contain the state file, or two of the seven usual
 * files, one of them named after the folder? Below a folder `custom` one file named after it is
 * enough, or the first module (modules/<op>_module1_impl.py). `path` absolute. */
bool is_operator_folder(Arena *arena, Str path);

#endif
