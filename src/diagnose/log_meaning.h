/* LogMeaning: what a line of a log says of itself, whatever patterns it matches. Lines that report
 * that nothing is wrong have the very words that errors are made of ("test_out_of_memory PASSED",
 * "mismatch ratio: 0.00%"); others quote a source, give a warning, or speak of an error. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_MEANING_H
#define PYPTO_LINT_DIAGNOSE_LOG_MEANING_H

#include "diagnose/glob.h"
#include "diagnose/log_head.h"
#include "diagnose/log_sum.h"
#include "diagnose/pattern.h"

/* Classes of words in log_signs.def. */
typedef enum LogSignClass {
    SIGN_PASSED,
    SIGN_SUCCESS,
    SIGN_SUCCESS_LAST,
    SIGN_STEP,
    SIGN_NO_SUCCESS,
    SIGN_SUMMARY,
    SIGN_EXIT,
    SIGN_ENDED,
    SIGN_FINISH,
    SIGN_DRILL,
    SIGN_QUIET,
    SIGN_DEBUG,
    SIGN_PROGRESS,
    SIGN_WARNING,
    SIGN_LEVEL_ERROR,
    SIGN_HINT,
    SIGN_QUOTE,
    SIGN_PROSE_FIRST,
    SIGN_PROSE,
    SIGN_GOES_ON,
    SIGN_DOWNLOAD,
    SIGN_VERDICT,
    SIGN_OUTCOME,
    SIGN_OUTCOME_FIRST,
    SIGN_OUTCOME_LAST,
    SIGN_DEPRECATED,
    SIGN_DENIAL,
    SIGN_DENIAL_FIRST,
    SIGN_DENIAL_ZH,
    SIGN_NO_ERROR,
    SIGN_FAILURE,
    SIGN_SUM,
} LogSignClass;

typedef struct LogSign {
    LogSignClass class;
    const char *text;
} LogSign;

/* All of them: whoever scans a line looks for them in the same pass as for the patterns. */
extern const LogSign log_signs[];
extern const uint32_t log_sign_count;

/* One bit for each class with a word in the line, in whatever case. More bits than that change
 * nothing but the time: LOG_SIGNS_ANY where nobody looked. */
typedef uint32_t LogSigns;
#define LOG_SIGNS_ANY UINT32_MAX

/* What a line says against the words in it. */
typedef enum LogCalm {
    LOG_NOT_CALM,
    LOG_CALM_WORDS, /* plain words of it are no error; codes and names of exceptions are */
    LOG_CALM,       /* nothing of it is an error */
} LogCalm;

typedef enum LogSuccess { LOG_NO_SUCCESS, LOG_STEP_SUCCESS, LOG_RUN_SUCCESS } LogSuccess;

typedef struct LineMeaning {
    Strength most;   /* the highest strength of a match in it; NONE: it counts for nothing */
    bool is_warning; /* nothing of it matters any more once a later step went well */
    bool is_prose;   /* speaks of an error, or quotes one, instead of reporting it */
    bool sums_up;    /* a session of tests, however it went */
    LogCalm calm;
    LogSuccess success;   /* where no failure is named beside it */
    LogSum sum;           /* of cases, unless they are only expected or are those of one rank */
    LogLevel level;       /* that it begins with */
    bool has_head;        /* begins with an exception ("RuntimeError: …") or is marked [ERROR] */
    bool counts_failures; /* FAIL, FAILED or FAILURE with anything but a count of zero after it, or
                             the end of a program with another status than 0 */
    bool says_none;       /* as a whole that there was no error ("12 passed, 0 failed") */
    bool denies;          /* has words for a failure, and denies each of them ("error: none") */
} LineMeaning;

/* The classes that alone make a line worth asking for its meaning. */
#define SIGNS_OF_OUTCOME                                                                           \
    (1U << SIGN_PASSED | 1U << SIGN_SUCCESS | 1U << SIGN_SUCCESS_LAST | 1U << SIGN_STEP |          \
     1U << SIGN_SUMMARY | 1U << SIGN_EXIT | 1U << SIGN_FAILURE | 1U << SIGN_SUM)

LineMeaning log_meaning(Str line, LogSigns signs);

/* Does the line deny the words that matched at `span`: "compare failed: 0", "device is busy: no",
 * "never exceeds tolerance"? Always false in a line that has a head. */
bool log_is_denied(const LineMeaning *meaning, Str line, GlobSpan span);

/* Is what the line tries again what failed ("Retrying in 3 s", "attempt 2/5"), and nothing else
 * that it names ("Retrying the upload of the log")? */
bool log_retries_it(Str line);

/* Does a warning say that something could not be done? The traceback after it may show why. */
bool log_tells_of_failure(Str line);

/* Is the glob the name of an exception or a code, rather than plain words? */
bool log_glob_is_name(Str glob);

/* Does the line report a state that lasts though the step went well (pip installs nevertheless)? */
bool log_lasts(Str line);

#endif
