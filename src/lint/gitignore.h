/* Gitignore: patterns of .gitignore files, with the meaning that git gives them.
 *
 * Matching takes time in proportion to pattern times path in one component and never backtracks
 * further: a hostile pattern cannot make it slow. */
#ifndef PYPTO_LINT_LINT_GITIGNORE_H
#define PYPTO_LINT_LINT_GITIGNORE_H

#include "base/str.h"
#include "base/vec.h"

typedef struct IgnorePattern {
    Str text;            /* without `!`, leading and trailing slash */
    bool negated;        /* `!`: takes an earlier match back */
    bool directory_only; /* ended in a slash */
    bool anchored;       /* has a slash elsewhere: matches whole paths, else last components */
    size_t literal;      /* bytes before the first special character */
} IgnorePattern;
typedef VEC(IgnorePattern) IgnorePatterns;

typedef enum IgnoreVerdict { IGNORE_UNDECIDED, IGNORE_KEPT, IGNORE_IGNORED } IgnoreVerdict;

/* One line without its line end. False for what holds no pattern: empty, comment. */
bool ignore_pattern_read(IgnorePattern *pattern, Str line);
/* Appends the patterns of a whole file; `text` must outlive them. */
void ignore_patterns_read(IgnorePatterns *patterns, Arena *arena, Str text);

/* Does it match, negation aside? `path` is relative to the folder of the .gitignore, without
 * slashes at its ends. Folders above `path` are not tried. */
bool ignore_pattern_matches(const IgnorePattern *pattern, Str path, bool is_directory);
/* What the last matching pattern says. */
IgnoreVerdict ignore_patterns_decide(const IgnorePatterns *patterns, Str path, bool is_directory);

#endif
