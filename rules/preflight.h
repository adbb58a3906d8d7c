/* Preflight: the "Experience Preflight" section of MEMORY.md as OL61 reads it: its lines,
 * sorted into checklist items, table lines and notes. */
#ifndef PYPTO_LINT_RULES_PREFLIGHT_H
#define PYPTO_LINT_RULES_PREFLIGHT_H

#include "base/str.h"
#include "base/vec.h"

typedef enum PreflightKind {
    PREFLIGHT_BLANK,
    PREFLIGHT_TEXT,
    PREFLIGHT_ITEM,      /* `- [x] …`, any mark but `-` */
    PREFLIGHT_PENDING,   /* `- [-] …` */
    PREFLIGHT_TABLE,     /* `| … |` */
    PREFLIGHT_TO_VERIFY, /* `> ⚠️ 待验证` */
    PREFLIGHT_ACCEPTED,  /* `> ✅ 已知风险` */
} PreflightKind;

typedef struct PreflightLine {
    PreflightKind kind;
    uint32_t line; /* in MEMORY.md, from 1 */
    Str text;      /* trimmed */
} PreflightLine;
typedef VEC(PreflightLine) PreflightLines;

typedef struct Preflight {
    uint32_t heading;     /* line of the heading in MEMORY.md, from 1; 0 without such a section */
    Str text;             /* the section without its heading line */
    bool is_empty;        /* no section, or nothing but white space in it */
    PreflightLines lines; /* of the section */
} Preflight;

/* Reads the section out of the text of MEMORY.md (line ends LF). Without one, all zero and
 * `is_empty`. */
void preflight_read(Preflight *preflight, Arena *arena, Str text);
/* Kind of the next line after `index` that is not blank; PREFLIGHT_BLANK at the end of the
 * section. */
PreflightKind preflight_next(const Preflight *preflight, uint32_t index);

#endif
