/* Tests of diagnose: each pattern comes first for its own example, lines of odd logs, places, and
 * what makes a cause certain. */
#include "diagnose/demangle.h"
#include "diagnose/glob.h"
#include "operator/text.h"

#include "log_fixture.h"

#include <stdio.h>

#define T(en, zh)
#define PATTERN(id, category, strength, globs, page, cause, change, example) {id, example},
#define CODE_PATTERN(id, category, strength, globs, page, example)           {id, example},
#define EVIDENCE(id, of, globs, cause, change, example)                      {id, example},
#define ROUTE_EVIDENCE(id, category, of, globs, cause, change, example)      {id, example},
static const struct {
    const char *id, *example;
} examples[] = {
#include "diagnose/patterns.def"
};
#undef PATTERN
#undef CODE_PATTERN
#undef EVIDENCE
#undef ROUTE_EVIDENCE
#undef T

/* --- the table */

/* Is the first cause told by this evidence? */
static bool is_refined(const Diagnosis *diagnosis, uint32_t evidence)
{
    const char *id = first_evidence(diagnosis);
    bool right = strcmp(id, examples[evidence].id) == 0;
    if (!right) {
        print_error("%s by '%s', not %s: %s", first_id(diagnosis), id, examples[evidence].id,
                    examples[evidence].example);
    }
    return right;
}

static void test_examples(void **state)
{
    (void)state;
    assert_true(pattern_count >= 120);
    assert_int_equal(pattern_count, sizeof examples / sizeof *examples);
    int missed = 0;
    for (uint32_t i = 0; i < pattern_count; i++) {
        Diagnosis diagnosis = diagnose(examples[i].example);
        if (patterns[i].level == ROW_EVIDENCE) {
            missed += !is_refined(&diagnosis, i);
            tear_down(NULL);
            continue;
        }
        if (strcmp(first_id(&diagnosis), examples[i].id) != 0) {
            print_error("%s, not %s: %s", first_id(&diagnosis), examples[i].id,
                        examples[i].example);
            missed++;
            tear_down(NULL);
            continue;
        }
        const Cause *cause = &diagnosis.causes[0];
        if (cause->match->strength != patterns[i].strength) {
            print_error("%s is weaker than its row: %s", examples[i].id, examples[i].example);
            missed++;
        }
        bool certain = patterns[i].strength == STRENGTH_CERTAIN && !patterns[i].is_open;
        if (cause->is_certain != certain) {
            print_error("%s: %s: %s", examples[i].id, cause_reason_text(cause->reason).en,
                        examples[i].example);
            missed++;
        }
        assert_int_equal(diagnosis.status, DIAGNOSIS_FIRST_STATUS + (int)patterns[i].category);
        tear_down(NULL);
    }
    assert_int_equal(missed, 0);
}

static void test_rows(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < pattern_count; i++) {
        const Pattern *pattern = &patterns[i];
        Text cause = pattern_cause(pattern), change = pattern_change(pattern);
        assert_true(cause.en != NULL && cause.zh != NULL && change.en != NULL);
        assert_non_null(change.zh);
        assert_string_not_equal(cause.en, cause.zh);
        assert_string_not_equal(change.en, change.zh);
        Str globs = str_from(pattern->globs), glob;
        for (size_t at = 0; text_next_line(globs, &at, &glob);) {
            assert_true(glob_anchor(glob).length >= 3);
            assert_true(glob.length < LOG_OVERLAP);
        }
        for (uint32_t k = 0; k < i; k++) {
            assert_string_not_equal(patterns[k].id, pattern->id);
        }
    }
}

/* A line that a glob describes: words for its wildcards, digits for its numbers. */
static void line_of(Str glob, char *line, size_t size)
{
    size_t length = 0;
    for (size_t i = 0; i < glob.length && length + 8 < size; i++) {
        char c = glob.at[i];
        bool code = c == '*' && str_starts(glob, STR("@F")); /* has six characters */
        const char *put = code       ? &"000000"[i - 1]
                          : c == '*' ? " some "
                          : c == '#' ? "12"
                          : c == '@' ? "code "
                                     : NULL;
        if (((c == '^' || c == '!') && i == 0) || (c == '$' && i + 1 == glob.length)) {
            continue;
        }
        if (put != NULL) {
            memcpy(line + length, put, strlen(put));
            length += strlen(put);
        } else {
            line[length++] = c;
        }
    }
    line[length++] = '\n';
    line[length] = '\0';
}

static bool names(const Diagnosis *diagnosis, const char *id)
{
    for (uint32_t i = 0; i < diagnosis->count; i++) {
        if (strcmp(diagnosis->causes[i].match->pattern->id, id) == 0) {
            return true;
        }
    }
    return false;
}

/* Each form of each pattern is found by itself, not only the one of the example. */
static void test_every_glob(void **state)
{
    (void)state;
    int missed = 0;
    for (uint32_t i = 0; i < pattern_count; i++) {
        Str globs = str_from(patterns[i].globs), glob;
        for (size_t at = 0; text_next_line(globs, &at, &glob);) {
            char line[LOG_OVERLAP + 64];
            /* Some count in errors only. */
            bool words = patterns[i].level == ROW_WORDS || glob_wants_error(glob);
            size_t begin = words ? (size_t)snprintf(line, sizeof line, "Error: ") : 0;
            line_of(glob, line + begin, sizeof line - begin);
            LogScan *scan = scan_bytes(str_from(line), STR(""));
            Diagnosis diagnosis = diagnosis_of(scan);
            bool found = patterns[i].level == ROW_EVIDENCE ? scan->matches[i].count > 0
                                                           : names(&diagnosis, patterns[i].id);
            if (!found) {
                print_error("%s: %s", patterns[i].id, line);
                missed++;
            }
            tear_down(NULL);
        }
    }
    assert_int_equal(missed, 0);
}

static void test_exit_statuses(void **state)
{
    (void)state;
    for (int category = 0; category < DIAGNOSIS_CATEGORIES; category++) {
        assert_true(strlen(diagnosis_category_name((DiagnosisCategory)category)) > 2);
        assert_true(strlen(diagnosis_failure_name((DiagnosisCategory)category)) > 2);
        for (int other = 0; other < category; other++) {
            assert_string_not_equal(diagnosis_category_name((DiagnosisCategory)category),
                                    diagnosis_category_name((DiagnosisCategory)other));
        }
    }
    assert_int_equal(diagnose("").status, 0);
    assert_int_equal(diagnose("all 12 tests passed in 3.1 s\n").status, 0);
    assert_int_equal(diagnose("widget failed: no such thing\n").status, 1);
}

/* --- lines */

static void test_encodings(void **state)
{
    (void)state;
    const char *line = "ERROR: NPU out of memory. Tried to allocate 2 GiB";
    for (int form = 0; form < 5; form++) {
        Buf log = {.arena = &arena};
        bool wide = form < 4, big = form == 1 || form == 3;
        buf_add(&log, form == 0   ? STR("\xff\xfe")
                      : form == 1 ? STR("\xfe\xff")
                      : form == 4 ? STR("\xef\xbb\xbf")
                                  : STR(""));
        for (const char *at = line; *at != '\0'; at++) {
            if (wide && big) {
                buf_add_char(&log, '\0');
            }
            buf_add_char(&log, *at);
            if (wide && !big) {
                buf_add_char(&log, '\0');
            }
        }
        LogScan *scan = scan_bytes(buf_str(&log), STR(""));
        Diagnosis diagnosis = diagnosis_of(scan);
        assert_string_equal(first_id(&diagnosis), "acl.oom");
        assert_string_equal(diagnosis.causes[0].match->text.at, line);
    }
}

static void test_odd_lines(void **state)
{
    (void)state;
    Diagnosis diagnosis = diagnose("a\r\nb\rc\n\x1b[31mNPU out\x1b[0m of \x1b]0;title\x07memory");
    assert_string_equal(first_id(&diagnosis), "acl.oom");
    assert_int_equal(diagnosis.causes[0].match->line, 3); /* a lone CR ends no line of an editor */
    /* A line of several pieces: the words are found wherever it is cut, under the line's number. */
    for (size_t before = LOG_PIECE - 40; before < LOG_PIECE + 8; before++) {
        Buf log = {.arena = &arena};
        buf_add_char(&log, '\n');
        for (size_t i = 0; i < before; i++) {
            buf_add_char(&log, '.');
        }
        buf_add(&log, STR("NPU out of memory"));
        LogScan *scan = scan_bytes(buf_str(&log), STR(""));
        diagnosis = diagnosis_of(scan);
        assert_string_equal(first_id(&diagnosis), "acl.oom");
        assert_int_equal(diagnosis.causes[0].match->line, 2);
    }
}

/* Two stray bytes before ASCII do not make it UTF-16: read as that, the rest would be nonsense. */
static void test_stray_mark(void **state)
{
    (void)state;
    Diagnosis diagnosis = diagnose("\xff\xfeNPU out of memory\nRuntimeError: NPU out of memory\n");
    assert_string_equal(first_id(&diagnosis), "acl.oom");
    diagnosis = diagnose("\xfe\xffRuntimeError: x\nRuntimeError: NPU out of memory\n");
    assert_string_equal(first_id(&diagnosis), "acl.oom");
}

/* --- places */

static const char traceback[] =
    "Traceback (most recent call last):\n"
    "  File \"/w/custom/softmax/test_softmax.py\", line 30, in test_softmax_l0\n"
    "    softmax_wrapper(x)\n"
    "  File \"/w/custom/softmax/softmax_impl.py\", line 42, in softmax_wrapper\n"
    "    raise RuntimeError('libhccl.so: cannot open shared object file')\n"
    "  File \"/usr/lib/python3/dist-packages/pypto/op/math.py\", line 9, in add\n"
    "    check()\n"
    "pypto.error.FeError: ErrCode: FC0001, TypeError: no\n";

/* The place of the first cause. It is not the place of the logger but the innermost frame of the
 * traceback that the logger adds; PyPTO shows the line of the kernel below its message. */
static void test_places_near(void **state)
{
    (void)state;
    static const struct {
        const char *log, *file;
        uint32_t line;
    } rows[] = {
        {"ERROR 08-30 16:20:20 [engine.py:387] ErrCode: F00003, RuntimeError: not contiguous\n"
         "ERROR 08-30 16:20:20 [engine.py:387] Traceback (most recent call last):\n"
         "ERROR 08-30 16:20:20 [engine.py:387]   File \"/w/engine.py\", line 378, in run\n"
         "ERROR 08-30 16:20:20 [engine.py:387]     x = f()\n"
         "ERROR 08-30 16:20:20 [engine.py:387]   File \"/w/backend.py\", line 71, in warm_up\n"
         "ERROR 08-30 16:20:20 [engine.py:387]     kernel(x)\n"
         "ERROR 08-30 16:20:20 [engine.py:387] pypto.error.FeError: ErrCode: F00003, "
         "RuntimeError: not contiguous\n",
         "/w/backend.py", 71},
        {"Traceback (most recent call last):\n"
         "  File \"/w/test_norm.py\", line 49, in test_dynamic\n"
         "    kernel(x)\n"
         "pypto.error.FeError: ErrCode: FC0001, TypeError: no\n"
         ", func Check, file operation_impl.cpp, line 90\n"
         "norm_impl.py:16: mean = pypto.sum(x, -1)\n",
         "norm_impl.py", 16},
        {"Traceback (most recent call last):\n"
         "  File \"/w/norm_impl.py\", line 49, in kernel\n"
         "    f(x)\n"
         "pypto.error.FeError: ErrCode: FC0001, TypeError: no\n"
         "other_impl.py:16: loaded\n",
         "/w/norm_impl.py", 49},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Diagnosis diagnosis = diagnose(rows[i].log);
        assert_true(diagnosis.count > 0);
        assert_string_equal(diagnosis.causes[0].place.file, rows[i].file);
        assert_int_equal(diagnosis.causes[0].place.line, rows[i].line);
    }
}

static void test_places(void **state)
{
    (void)state;
    Diagnosis diagnosis = diagnose(traceback);
    assert_string_equal(first_id(&diagnosis), "code.FC0001");
    assert_int_equal(diagnosis.count, 1); /* source that a frame shows is not a message */
    LogPlace place = diagnosis.causes[0].place;
    assert_string_equal(place.file, "/w/custom/softmax/softmax_impl.py");
    assert_int_equal(place.line, 42);
    assert_string_equal(place.function, "softmax_wrapper");
    LogScan *scan = scan_bytes(str_from(traceback), STR("test_softmax.py"));
    place = diagnosis_of(scan).causes[0].place;
    assert_int_equal(place.line, 30);
    assert_int_equal(place.rank, PLACE_KERNEL);
    place = log_place_in(STR("at custom/a-b/x_impl.py:17:3: bad; /lib/python3/y.py:4"), STR(""));
    assert_string_equal(place.file, "custom/a-b/x_impl.py");
    assert_int_equal(place.line, 17);
    assert_int_equal(log_place_in(STR("[engine.py:387] x"), STR("")).rank, PLACE_NONE);
    assert_int_equal(log_place_in(STR("[x_impl.py:17] x"), STR("")).line, 17);
    assert_int_equal(log_place_in(STR("see notes.python:3 and a.py"), STR("")).rank, PLACE_NONE);
}

/* --- how sure */

static void test_certainty(void **state)
{
    (void)state;
    const char *oom = "RuntimeError: NPU out of memory. Tried to allocate 1 GiB\n";
    const char *crash = "Segmentation fault (core dumped)\n";
    Diagnosis diagnosis = diagnose(str_format(&arena, "%s%s", crash, oom).at);
    assert_string_equal(first_id(&diagnosis), "acl.oom"); /* names its cause */
    assert_int_equal(diagnosis.causes[0].reason, REASON_OPEN);
    assert_int_equal(diagnosis.causes[1].reason, REASON_USUAL);
    /* Two that name causes: the first one, but not for certain. */
    const char *disk = "OSError: [Errno 28] No space left on device\n";
    diagnosis = diagnose(str_format(&arena, "%s%s", disk, oom).at);
    assert_string_equal(first_id(&diagnosis), "host.disk");
    assert_false(diagnosis.causes[0].is_certain);
    assert_int_equal(diagnosis.causes[0].reason, REASON_RIVAL);
    /* A warning, and a line of information. */
    diagnosis = diagnose("[WARNING] RUNTIME(1,a): rtMalloc failed, trying again\n");
    assert_false(diagnosis.causes[0].is_certain);
    assert_int_equal(diagnosis.causes[0].reason, REASON_PLAYED_DOWN);
    assert_int_equal(diagnose("[INFO] APP(1,a): no aicore exception so far\n").count, 0);
    /* An exception at the end that nothing explains. */
    diagnosis = diagnose(str_format(&arena,
                                    "%s"
                                    "Traceback (most recent call last):\n"
                                    "  File \"a.py\", line 1, in f\n"
                                    "zoo.StrangeError: what\n",
                                    disk)
                             .at);
    assert_string_equal(first_id(&diagnosis), "host.disk");
    assert_int_equal(diagnosis.causes[0].reason, REASON_EXCEPTION);
    assert_true(diagnosis.needs_digest);
}

/* A line counts once for a pattern, even when another one matches between two of its forms. */
static void test_counts(void **state)
{
    (void)state;
    Diagnosis diagnosis = diagnose("exit code 137, segfault at 0, exitcode -9\n");
    assert_int_equal(diagnosis.count, 2);
    assert_int_equal(diagnosis.causes[0].match->count, 1);
    assert_int_equal(diagnosis.causes[1].match->count, 1);
}

/* A line with a form of every pattern, or only with what the forms are looked for by. */
static Str line_of_all(bool anchors_only)
{
    enum { MOST_ANCHOR = 16 }; /* bytes of an anchor that the automaton knows */
    Buf out = {.arena = &arena};
    buf_add(&out, STR("Error:"));
    for (uint32_t i = 0; i < pattern_count; i++) {
        Str globs = str_from(patterns[i].globs), glob;
        for (size_t at = 0; text_next_line(globs, &at, &glob);) {
            char line[LOG_OVERLAP + 64];
            line_of(glob, line, sizeof line);
            Str words = anchors_only ? str_slice(glob_anchor(glob), 0, MOST_ANCHOR)
                                     : str_trim(str_from(line));
            buf_addf(&out, anchors_only ? " x%.*sx" : " %.*s", (int)words.length, words.at);
        }
    }
    buf_add_char(&out, '\n');
    return buf_str(&out);
}

/* The comparisons that a log costs grow with its bytes, not with bytes times forms; and what comes
 * after such a log is still found. */
static void test_effort(void **state)
{
    (void)state;
    for (int anchors_only = 0; anchors_only < 2; anchors_only++) {
        LogScan *scan = log_scan_begin(&arena, forms, STR(""));
        Str line = line_of_all(anchors_only);
        uint64_t effort[3] = {0};
        log_scan_file(scan, STR(""));
        for (int part = 0; part < 3; part++) {
            for (size_t i = 0; i < 10; i++) {
                log_scan_add(scan, line.at, line.length);
            }
            effort[part] = scan->effort;
        }
        uint64_t bytes = 10 * line.length, growth = effort[2] - effort[1];
        assert_true(scan->lines_cut > 0 || !anchors_only);
        assert_true(growth <= 17 * bytes); /* one comparison of all forms: some 300 times */
        uint64_t cut = scan->lines_cut;
        const char *last = "NPU out of memory\n";
        log_scan_add(scan, last, strlen(last));
        log_scan_file_end(scan);
        uint32_t oom = 0;
        while (strcmp(patterns[oom].id, "acl.oom") != 0) {
            oom++;
        }
        assert_true(scan->matches[oom].count > 0);
        assert_true(scan->matches[oom].at_least || anchors_only);
        assert_int_equal(scan->lines_cut, cut);
    }
    LogScan *scan = scan_bytes(STR("NPU out of memory\nKilled\n"), STR(""));
    assert_int_equal(scan->lines_cut, 0);
    assert_true(scan->effort < 500);
}

/* Errors that a run gets over again and again: the memory that is taken does not grow. */
static void test_memory(void **state)
{
    (void)state;
    LogScan *scan = log_scan_begin(&arena, forms, STR(""));
    log_scan_file(scan, STR(""));
    const Str lines = STR("ErrCode: FC0000! Enum: X\nthe message\n==== 1 passed in 1 s ====\n");
    size_t used[2];
    for (int part = 0; part < 2; part++) {
        for (int i = 0; i < 1000; i++) {
            log_scan_add(scan, lines.at, lines.length);
        }
        used[part] = arena.used;
    }
    assert_int_equal(used[0], used[1]);
    log_scan_add(scan, lines.at, str_find(lines, STR("===="), 0));
    log_scan_file_end(scan);
    Diagnosis diagnosis = diagnosis_of(scan);
    assert_string_equal(first_id(&diagnosis), "code.FC0000");
    assert_true(str_is(diagnosis.causes[0].match->message, "the message"));
}

static void test_digest(void **state)
{
    (void)state;
    Buf log = {.arena = &arena};
    for (int i = 0; i < 9; i++) {
        buf_addf(&log, "[ERROR] worker %d at 0x7f%d0: unknown gadget, error code is 507999\n", i,
                 i);
    }
    buf_add(&log, STR("#3  0x00007f in _ZN3foo3barEv () from /opt/x.so\n"));
    LogScan *scan = scan_bytes(buf_str(&log), STR(""));
    Diagnosis diagnosis = diagnosis_of(scan);
    assert_int_equal(diagnosis.status, 1);
    assert_true(diagnosis.needs_digest);
    assert_int_equal(scan->digest->error_count, 1);
    assert_int_equal(log_digest_count(scan->digest, &scan->digest->errors[0]), 9);
    assert_int_equal(scan->digest->code_count, 1);
    assert_string_equal(scan->digest->codes[0].name, "507999");
    assert_int_equal(scan->digest->codes[0].count, 9);
    assert_string_equal(code_family(STR("507999"))->prefix, "507");
    assert_null(code_family(STR("612345")));
    assert_int_equal(scan->digest->frame_count, 1);
    Str plain = demangle_text(&arena, STR("_ZN3foo3barEv"));
    bool works = !str_is(plain, "_ZN3foo3barEv");
    assert_int_equal(str_contains(scan->digest->frames[0], STR("foo::bar")), works);
    assert_true(str_is(demangle_text(&arena, STR("a_Z _Zx 3")), "a_Z _Zx 3"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LOG_TEST(test_examples),      LOG_TEST(test_rows),      LOG_TEST(test_every_glob),
        LOG_TEST(test_exit_statuses), LOG_TEST(test_encodings), LOG_TEST(test_odd_lines),
        LOG_TEST(test_stray_mark),    LOG_TEST(test_places),    LOG_TEST(test_places_near),
        LOG_TEST(test_certainty),     LOG_TEST(test_counts),    LOG_TEST(test_effort),
        LOG_TEST(test_memory),        LOG_TEST(test_digest),
    };
    return RUN_LOG_TESTS(tests);
}
