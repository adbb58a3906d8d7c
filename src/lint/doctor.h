/* Doctor: what the linter takes an operator directory for, without judging it. */
#ifndef PYPTO_LINT_LINT_DOCTOR_H
#define PYPTO_LINT_LINT_DOCTOR_H

#include "lint/request.h"
#include "operator/memory_document.h"

typedef enum FileState {
    FILE_IS_PRESENT,
    FILE_IS_EMPTY,
    FILE_IS_STUB,       /* a placeholder: contains the pending-stub marker */
    FILE_IS_BROKEN,     /* Python with a syntax error */
    FILE_IS_UNREADABLE, /* `unreadable` says why */
    FILE_IS_MISSING,
} FileState;
/* "present", "empty", "stub", "broken", "unreadable", "missing". */
Text file_state_text(FileState state);

typedef struct DoctorFile {
    Str path; /* relative to the operator directory */
    FileState state;
    const char *stages; /* in which it is written: "5/6" */
} DoctorFile;
typedef VEC(DoctorFile) DoctorFiles;

typedef struct DoctorPhase {
    int number;
    Str suffix;
    DoctorFile impl, golden, test;
} DoctorPhase;

typedef enum StageSource { STAGE_FROM_STATE, STAGE_FROM_ARTIFACTS, STAGE_UNKNOWN } StageSource;

typedef struct Doctor {
    Str dir;         /* as given */
    Str absolute;    /* without symlinks */
    bool recognised; /* would be found as an operator directory in a tree */
    Str name;
    bool name_from_state;
    bool state_exists, state_valid;
    int stage;
    StageSource stage_source;
    Strs stage_artifacts; /* files that the inferred stage follows from */
    ModuleCount count;    /* as MEMORY.md or DESIGN.md states it */
    VEC(DoctorPhase) phases;
    bool phases_cut; /* there are more than MAX_PHASES */
    DoctorFiles artifacts;
    Strs scan;                            /* the implementation files that rules examine */
    uint32_t kernels;                     /* in them */
    Str config;                           /* path of the settings, or empty */
    Str config_error;                     /* why they cannot be used, or empty */
    Strs run, out_of_stage, switched_off; /* rule ids, catalogue order */
    Str python;        /* path of the interpreter for goldens and kernels, or empty */
    Str python_wanted; /* what was looked for */
    Product product;   /* the version of PyPTO that counts */
    Str product_text;  /* that, and why, in the language asked for */
    const InstalledProduct *installed; /* NULL = none */
    Str installed_remark;              /* what must be said of it, or empty */
    Notices unreadable;
} Doctor;

enum { MAX_PHASES = 99 };

/* Looks at the directory `dir`, which exists. Everything is in the arena. */
Doctor *doctor_look(Arena *arena, Str dir, Lang lang);

#endif
