/* Fingerprint: what makes a finding the same finding after the lines around it have moved.
 *
 * It is made of the rule, the file and the text of the reported lines with white space evened out.
 * A finding about a whole file has no lines; the kind of message and the names in it stand in for
 * them, which are the same in every language. Equal ones are numbered from the top of the file. */
#ifndef PYPTO_LINT_LINT_FINGERPRINT_H
#define PYPTO_LINT_LINT_FINGERPRINT_H

#include "lint/result.h"

typedef struct Fingerprint {
    uint64_t hash;       /* FNV-1a over rule, file and text */
    uint32_t occurrence; /* from 1 */
} Fingerprint;

/* One for each finding, in their order, which is the order of occurrences; in the arena. `files`
 * names the file of each, as it is to be hashed. NULL for no findings. */
Fingerprint *fingerprints_make(Arena *arena, const Findings *findings, const Str *files);

/* The text of the reported lines as it is hashed; in the arena. */
Str fingerprint_text(Arena *arena, const Finding *finding);

#endif
