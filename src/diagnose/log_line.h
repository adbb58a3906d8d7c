/* LogLine: a line of a log and the classes of words in it, as log_meaning.c, log_denial.c and
 * log_outcome.c share it. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_LINE_H
#define PYPTO_LINT_DIAGNOSE_LOG_LINE_H

#include "diagnose/log_meaning.h"

typedef struct LogLineText {
    Str text; /* without white space at both ends */
    LogSigns signs;
} LogLineText;

typedef bool SignFits(Str line, Str text);

bool log_fits_folded(Str line, Str text);

/* Has `part`, a part of the line, a word of the class? */
bool log_has_sign(const LogLineText *line, Str part, LogSignClass class, SignFits *fits);

/* The end of a count of zero at `at` ("0", "0.00%"), or `at` where there is none. */
size_t log_zero_end(Str line, size_t at);

/* Skips words at `at` that may come between a subject and its count: "tests", "count". */
size_t log_skip_nouns(Str line, size_t at);

/* Does the zero that ends at `at` count what is right ("0 elements equal")? Then the line fails. */
bool log_counts_good(Str line, size_t at);

/* Does the line deny the words that end at `at`: "failed: 0", "busy: no", "handler registered"? */
bool log_answers_no(Str line, size_t at);

/* Does the line say in words that nothing is wrong ("within tolerance", "0 个失败")? */
bool log_denies_words(const LogLineText *line);

/* Has the line words for a failure, and denies it each of them? */
bool log_denies_failures(const LogLineText *line, bool has_head);

/* Does the line name a failure between the two places, and not deny it? */
bool log_names_failure(const LogLineText *line, size_t from, size_t to);

/* Does the line as a whole say that there was no error, without naming another failure? */
bool log_says_none(const LogLineText *line, bool has_head);

/* Is the word `error` at [begin, end) a measure ("max error: 1e-6", "error: 0.001 < atol")? */
bool log_is_measure(Str text, size_t begin, size_t end);

/* Does the word belong to the name of a file or a setting ("fatal_error.cc", "FAILED_DIR=/x")? */
bool log_is_in_name(Str text, size_t begin, size_t end);

/* FAIL, FAILED or FAILURE in capitals with anything but a count of zero after it, or the end of a
 * program with another status than 0. */
bool log_counts_failures(const LogLineText *line);

/* Is the line the outcome of a test or a step, and not a failure? */
bool log_is_good_outcome(const LogLineText *line);

/* Does the line end by saying that the program ignores what it reports ("x not found, ignore")? At
 * the end of an exception's message only "ignored" says so; "skip" may belong to the message. */
bool log_is_ignored(Str line, bool is_exception);

/* Does the line count the failures of an earlier run, or quote a count in a line of information
 * ("INFO nightly.py:45 | 1 failed")? */
bool log_is_of_earlier(const LogLineText *line, LogLevel level);

/* What succeeded according to the line; nothing if it also names a failure, or if success was only
 * expected. */
LogSuccess log_success_of(const LogLineText *line);

/* The summary of cases in the line, unless it is about one rank, another run, or expectations. */
LogSum log_sum_of(const LogLineText *line);

/* Is the line the summary of a session of tests, however it went? */
bool log_sums_up(const LogLineText *line);

#endif
