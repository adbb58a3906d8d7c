/* Plan: what has to be read before anything is judged, each file once: the settings by folder and
 * the state by operator directory. One plan serves all runs of a command or of a hook. */
#ifndef PYPTO_LINT_LINT_PLAN_H
#define PYPTO_LINT_LINT_PLAN_H

#include "base/map.h"
#include "kernel/product.h"
#include "lint/request.h"
#include "operator/state.h"

/* What the settings of a folder say, in one language. */
typedef struct Settings {
    Config config; /* all zero without a usable file, but for `path` */
    Str error;     /* why the file cannot be used, "PATH:LINE: message", or empty */
} Settings;

typedef struct SettingsFile {
    ConfigFile file;
    const Settings *said[2]; /* by language; made on first use */
} SettingsFile;

/* The virtual environments of a folder and of those above it, and the package found with them. */
typedef struct ProjectPlace {
    Strs environments;
    const InstalledProduct *installed; /* NULL: none, or not looked for */
    bool installed_known;
} ProjectPlace;

typedef struct Plan {
    Arena *arena;
    bool no_config;
    SettingsFile *named;       /* the file that the caller names counts in every folder */
    Map folders;               /* as they were asked for, and the real ones above them */
    VEC(SettingsFile *) files; /* by number of the folder; NULL: none there or above */
    Map project_folders;
    VEC(ProjectPlace *)
    projects;         /* by number of the folder; without environments of its own, that
                                     of the folder above */
    uint32_t lookups; /* of packages */
    Map operators;
    VEC(const OperatorState *) states; /* by number of the operator */
} Plan;

/* The folder of the first place that the question names, whatever the order of its paths: its
 * settings count for what comes before any unit of work. In the arena. */
Str plan_first_folder(Arena *arena, const Question *what);

void plan_begin(Plan *plan, Arena *arena, const Caller *who);
/* The settings that count in `folder`: those of the file that the caller names, else of the nearest
 * .pypto-lint.yaml, or pyproject.toml with a table for us, from that folder upwards. Never NULL. */
const Settings *plan_settings(Plan *plan, Str folder, Lang lang);
/* The package that is installed for the project of `folder`; looked for once for all folders that
 * have the same virtual environments. NULL without one. */
const InstalledProduct *plan_installed(Plan *plan, Str folder, Str python);
/* The state file of an operator directory, which may be missing. Never NULL. */
const OperatorState *plan_state(Plan *plan, Str dir);
/* State files are read anew from now on: fixes may have written them. */
void plan_forget_states(Plan *plan);

#endif
