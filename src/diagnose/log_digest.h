/* LogDigest: what a log says when no pattern knows its cause: its first errors (similar lines are
 * counted, not repeated), its native stack, and the codes that it names. Its size is bounded,
 * however long the log is. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_DIGEST_H
#define PYPTO_LINT_DIAGNOSE_LOG_DIGEST_H

#include "diagnose/pattern.h"

enum {
    DIGEST_ERRORS = 24, /* lines that are kept */
    DIGEST_CODES = 32,
    DIGEST_FRAMES = 32,
    DIGEST_TEXT = 400,       /* bytes of a line that are kept */
    DIGEST_SLOTS = 4096,     /* of the table that counts similar lines */
    DIGEST_MOST_KEYS = 3000, /* in the table; lines of further kinds are counted together */
};

typedef struct DigestLine {
    Str file, text;
    uint64_t line;
    uint32_t slot; /* in the table, where it is counted */
} DigestLine;

typedef struct DigestCode {
    char name[12];
    uint64_t count;
} DigestCode;

typedef struct LogDigest {
    Arena *arena;
    DigestLine errors[DIGEST_ERRORS];
    DigestCode codes[DIGEST_CODES];
    Str frames[DIGEST_FRAMES]; /* with demangled names */
    uint32_t error_count, code_count, frame_count, keys;
    uint64_t error_lines, other_lines; /* all of them; those beyond DIGEST_MOST_KEYS kinds */
    struct {
        uint64_t key, count;
    } slots[DIGEST_SLOTS];
} LogDigest;

void log_digest_begin(LogDigest *digest, Arena *arena);

/* The beginning of the line as valid UTF-8, in `out`, which is emptied first. */
Str log_digest_text(Arena *arena, Buf *out, Str line);

/* Does the line begin with a code of CANN or PyPTO, or with the full name of an exception
 * ("torch._dynamo.exc.Unsupported: …")? */
bool log_digest_is_error(Str line);
/* Takes a line that says that something failed; `number` is its line number in `file`. */
void log_digest_error(LogDigest *digest, Str file, uint64_t number, Str line);
/* Takes the codes that a line names. */
void log_digest_codes(LogDigest *digest, Str line);
/* Takes a line of a native stack, if it is one. */
void log_digest_frame(LogDigest *digest, Str line);
/* How many lines are similar to this one, itself included. */
uint64_t log_digest_count(const LogDigest *digest, const DigestLine *line);

#endif
