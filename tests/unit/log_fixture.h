/* What the tests of diagnose share: logs that are diagnosed whole, and tables of lines. */
#ifndef PYPTO_LINT_TESTS_LOG_FIXTURE_H
#define PYPTO_LINT_TESTS_LOG_FIXTURE_H

#include "diagnose/diagnosis.h"
#include "diagnose/log_meaning.h"

#include "arena_fixture.h"

static const LogForms *forms; /* of RUN_LOG_TESTS */

/* The scan of one log without a name. */
static inline LogScan *scan_bytes(Str log, Str kernel)
{
    LogScan *scan = log_scan_begin(&arena, forms, kernel);
    log_scan_file(scan, STR(""));
    log_scan_add(scan, log.at, log.length);
    log_scan_file_end(scan);
    return scan;
}

static inline Diagnosis diagnose(const char *log)
{
    return diagnosis_of(scan_bytes(str_from(log), STR("")));
}

static inline const char *first_id(const Diagnosis *diagnosis)
{
    return diagnosis->count == 0 ? "" : diagnosis->causes[0].match->pattern->id;
}

/* The row that tells how the first cause came about; "": none. */
static inline const char *first_evidence(const Diagnosis *diagnosis)
{
    const LogSeen *seen = diagnosis->count == 0 ? NULL : diagnosis->causes[0].evidence;
    return seen == NULL ? "" : seen->pattern->id;
}

static inline LineMeaning meaning_of(const char *line)
{
    return log_meaning(str_from(line), LOG_SIGNS_ANY);
}

/* Fails with the first `rows[i].line` for which the condition does not hold. */
#define CHECK_ROWS(rows, condition)                                                                \
    for (size_t i = 0; i < sizeof(rows) / sizeof *(rows); i++) {                                   \
        if (!(condition)) {                                                                        \
            fail_msg("%s", (rows)[i].line);                                                        \
        }                                                                                          \
    }

typedef struct StrengthRow {
    const char *line;
    Strength most;
    bool is_warning;
} StrengthRow;

static inline bool has_strength(const StrengthRow *row)
{
    LineMeaning meaning = meaning_of(row->line);
    return meaning.most == row->most && meaning.is_warning == row->is_warning;
}

/* For the group of the tests: the forms of all patterns outlive the arena of a test. */
static Arena forms_arena;

static inline int set_up_forms(void **state)
{
    (void)state;
    arena_init(&forms_arena, 0);
    forms = log_forms(&forms_arena);
    return 0;
}

static inline int tear_down_forms(void **state)
{
    (void)state;
    arena_free(&forms_arena);
    return 0;
}

#define LOG_TEST(name)       cmocka_unit_test_setup_teardown(name, set_up, tear_down)
#define RUN_LOG_TESTS(tests) cmocka_run_group_tests(tests, set_up_forms, tear_down_forms)

#endif
