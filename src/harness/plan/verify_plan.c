/* The plan of a verification: from the request to files, names and cases; see verify.h. */
#include "harness/verify.h"

#include "base/ascii.h"
#include "base/file.h"
#include "harness/plan/verify_place.h"
#include "harness/plan/verify_source.h"
#include "harness/report/texts.h"
#include "operator/interfaces.h"

/* --- options */

/* Splits a list at its commas; false when a part is empty. */
static bool split(Arena *arena, Str list, Strs *parts)
{
    for (size_t start = 0; start <= list.length;) {
        size_t end = str_find(list, STR(","), start);
        end = end == SIZE_MAX ? list.length : end;
        Str part = str_trim(str_slice(list, start, end));
        if (part.length == 0) {
            return false;
        }
        VEC_PUSH(arena, parts, part);
        start = end + 1;
    }
    return true;
}

static bool read_modes(Verification *plan)
{
    Str list = plan->asked.modes.length > 0 ? plan->asked.modes : STR("sim,npu");
    Strs names = {0};
    bool good = split(plan->arena, list, &names);
    for (uint32_t i = 0; i < names.count && good; i++) {
        Mode mode;
        good = mode_find(names.items[i], &mode);
        if (good) {
            plan->modes[mode] = true;
        }
    }
    if (plan->asked.self_test) { /* references need no device, and every machine has mode sim */
        plan->modes[MODE_NPU] = plan->modes[MODE_NPU] && !plan->modes[MODE_SIM];
    }
    return good || plan_refuse(plan, "--modes takes sim, npu or both, not '%.*s'", STR_ARG(list));
}

static bool is_identifier(Str text)
{
    for (size_t i = 0; i < text.length; i++) {
        if (!is_word_char(text.at[i])) {
            return false;
        }
    }
    return text.length > 0 && !is_digit(text.at[0]);
}

static bool check_inspect(Verification *plan)
{
    Str name = plan->asked.inspect;
    if (name.length > 0 && !is_identifier(name)) {
        return plan_refuse(plan, "--inspect takes the name of a buffer, not '%.*s'", STR_ARG(name));
    }
    return name.length == 0 || !plan->asked.self_test ||
           plan_refuse(plan, "--inspect and --self-test do not go together");
}

/* --- files */

static Str file_in(const Verification *plan, FileKind kind)
{
    return str_format(plan->arena, "%.*s/%.*s", STR_ARG(plan->op_dir),
                      STR_ARG(artifact_file(plan->arena, kind, plan->op_name)));
}

static Str file_of_phase(const Verification *plan, FileKind kind)
{
    return phase_file(plan->arena, plan->op_dir, plan->op_name, plan->suffix, kind);
}

/* An operator of one module without module files is <op>_impl.py and <op>_golden.py. */
static bool is_whole(const Verification *plan)
{
    if (plan->module != 1 || plan->total_modules > 1 ||
        file_exists(file_of_phase(plan, KIND_GOLDEN).at)) {
        return false;
    }
    if (plan->asked.self_test) { /* then its reference is compared with a second run of itself */
        return file_exists(file_in(plan, KIND_GOLDEN).at);
    }
    Str whole = file_in(plan, KIND_IMPL);
    if (plan->asked.impl.length > 0) {
        return str_equal(path_basename(plan->asked.impl), path_basename(whole));
    }
    return !file_exists(file_of_phase(plan, KIND_IMPL).at) && file_exists(whole.at);
}

/* Absolute; a link in the place of the file itself stays. */
static Str absolute(const Verification *plan, Str path)
{
    Str name = path_basename(path);
    Str folder = str_slice(path, 0, path.length - name.length);
    folder = folder.length == 0 ? plan->asked.working_dir
                                : path_real(plan->arena, str_from(str_dup(plan->arena, folder)));
    return folder.length == 0 ? path_join(plan->arena, plan->asked.working_dir, path)
                              : path_join(plan->arena, folder, name);
}

static void name_files(Verification *plan, bool whole)
{
    Str op = plan->op_name;
    Str base = whole ? op : artifact_base(plan->arena, op, plan->suffix);
    plan->golden = whole ? file_in(plan, KIND_GOLDEN) : file_of_phase(plan, KIND_GOLDEN);
    plan->golden_function = artifact_name(plan->arena, KIND_GOLDEN, base);
    plan->inputs = path_join(plan->arena, plan->op_dir, STR(INPUTS_PATH));
    if (plan->kind == RESULT_OF_SELF_TEST) {
        plan->reference = file_in(plan, KIND_GOLDEN);
        plan->reference_function = artifact_name(plan->arena, KIND_GOLDEN, op);
        plan->impl_file = STR("");
        return;
    }
    plan->wrapper = str_format(plan->arena, "%.*s_wrapper", STR_ARG(base));
    plan->impl_as = whole ? file_in(plan, KIND_IMPL) : file_of_phase(plan, KIND_IMPL);
    plan->impl = plan->impl_as;
    plan->impl_file = str_slice(plan->impl, plan->op_dir.length + 1, plan->impl.length);
    if (plan->asked.impl.length > 0) {
        plan->impl = absolute(plan, plan->asked.impl);
        plan->impl_file = plan->asked.impl;
    }
    if (plan->kind == RESULT_OF_TESTS) {
        plan->test_file = file_in(plan, KIND_TEST);
        plan->inputs = STR("");
    }
}

Strs verify_files(const Verification *verification)
{
    const Verification *v = verification;
    Str contract = path_join(v->arena, v->op_dir, STR(INTERFACES_PATH));
    const Str named[] = {v->impl,      v->golden, v->reference, v->inputs,
                         v->test_file, v->suite,  contract};
    Strs files = {0};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        if (named[i].length > 0) {
            VEC_PUSH(v->arena, &files, str_from(str_dup(v->arena, named[i])));
        }
    }
    return files;
}

bool verify_reads(const Verification *verification, Str path)
{
    struct stat there;
    Strs files = verify_files(verification);
    bool same = false;
    if (!file_stat(str_dup(verification->arena, path), &there)) {
        return false;
    }
    for (uint32_t i = 0; i < files.count && !same; i++) {
        struct stat read;
        same = file_stat(files.items[i].at, &read) && read.st_dev == there.st_dev &&
               read.st_ino == there.st_ino;
    }
    return same;
}

/* --- what the files hold; the redaction gets their texts */

static Str shown(const Verification *plan, Str path)
{
    Str relative;
    return path_below(plan->op_dir, path, &relative) ? relative : path;
}

static void check_name(Verification *plan, const SourceName *found, Str path, Str name,
                       const char *what)
{
    Str file = shown(plan, path);
    if (found->state == NAME_NO_FILE) {
        plan_error(plan, "%s is missing: there is no file %.*s", what, STR_ARG(file));
    } else if (found->state == NAME_ABSENT) {
        plan_error(plan, "%s is missing: %.*s has no function %.*s (naming contract)", what,
                   STR_ARG(file), STR_ARG(name));
    }
}

static void check_implementation(Verification *plan)
{
    SourceName found = source_find_name(plan->arena, plan->impl, plan->wrapper);
    if (found.state != NAME_NO_FILE) {
        redaction_allow(&plan->redaction, found.text);
    }
    plan->wrapper_place = found.place;
    plan->inspectable = found.inspectable;
    /* A test may know the wrapper under another name. */
    if (plan->kind != RESULT_OF_TESTS || found.state != NAME_ABSENT) {
        check_name(plan, &found, plan->impl, plan->wrapper,
                   found.state == NAME_NO_FILE ? "the implementation" : "the wrapper");
    }
}

static void check_reference(Verification *plan, Str path, Str name, const char *what)
{
    if (path.length == 0) {
        return;
    }
    SourceName found = source_find_name(plan->arena, path, name);
    if (found.state != NAME_NO_FILE) {
        redaction_hide(&plan->redaction, found.text);
    }
    check_name(plan, &found, path, name, what);
}

static void hide(Verification *plan, Str path)
{
    Str text;
    if (!str_equal(path, plan->golden) &&
        file_read(plan->arena, path.at, SOURCE_LIMIT, &text, NULL) == FILE_OK) {
        redaction_hide(&plan->redaction, text);
    }
}

/* References of other phases and the operator's own: an implementation must not show them. */
static void hide_references(Verification *plan)
{
    Str folder = path_join(plan->arena, plan->op_dir, STR("modules"));
    DirEntries entries = {0};
    directory_list(plan->arena, folder.at, &entries);
    hide(plan, file_in(plan, KIND_GOLDEN));
    for (uint32_t i = 0; i < entries.count; i++) {
        if (str_ends(entries.items[i].name, STR(GOLDEN_END))) {
            hide(plan, path_join(plan->arena, folder, entries.items[i].name));
        }
    }
}

static void check_files(Verification *plan)
{
    hide_references(plan);
    if (plan->kind != RESULT_OF_SELF_TEST) {
        check_implementation(plan);
    }
    if (plan->kind != RESULT_OF_TESTS) {
        check_reference(plan, plan->golden, plan->golden_function, "the reference of the phase");
        check_reference(plan, plan->reference, plan->reference_function,
                        "the reference of the operator");
        check_reference(plan, plan->inputs, STR("make_inputs"), "the function that makes inputs");
    }
}

/* --- the cases */

/* Nothing is run and no report written: the last one stays as it is. */
static bool refuse_case(Verification *plan, const SuiteCases *all)
{
    enum { MOST_LISTED = 40 };
    Str wanted = plan->asked.case_id;
    Buf ids = {.arena = plan->arena};
    bool exists = false;
    for (uint32_t i = 0; i < all->count; i++) {
        exists = exists || str_equal(all->items[i].id, wanted);
        if (i < MOST_LISTED) {
            buf_addf(&ids, "%s%.*s", i == 0 ? "" : ", ", STR_ARG(all->items[i].id));
        }
    }
    if (all->count > MOST_LISTED) {
        buf_addf(&ids, ", … +%u", all->count - MOST_LISTED);
    }
    if (exists) {
        return plan_refuse(plan, "the case '%.*s' is of none of the levels %.*s", STR_ARG(wanted),
                           STR_ARG(plan->asked.levels));
    }
    Str list = all->count == 0 ? STR("none") : buf_str(&ids);
    return plan_refuse(plan, "no case is called '%.*s'; the cases are: %.*s", STR_ARG(wanted),
                       STR_ARG(list));
}

static bool read_levels(Verification *plan, Strs *levels)
{
    Str list = plan->asked.levels;
    if (list.length > 0 && !split(plan->arena, list, levels)) {
        return plan_refuse(plan, "--levels takes levels between commas, not '%.*s'", STR_ARG(list));
    }
    for (uint32_t i = 0; i < levels->count; i++) {
        levels->items[i] = suite_level(plan->arena, levels->items[i]);
    }
    return true;
}

static bool select_cases(Verification *plan, const SuiteCases *all)
{
    Strs levels = {0};
    Str wanted = plan->asked.case_id;
    bool self_test = plan->kind == RESULT_OF_SELF_TEST;
    if (!read_levels(plan, &levels)) {
        return false;
    }
    bool first_only = self_test && levels.count == 0;
    for (uint32_t i = 0; i < all->count && !(first_only && plan->cases.count == 1); i++) {
        SuiteCase source = all->items[i];
        if ((wanted.length == 0 || str_equal(wanted, source.id)) &&
            (levels.count == 0 || strs_have(&levels, source.level))) {
            /* A kernel's first case need not have the right values; references must. */
            source.precision = source.precision || self_test;
            VEC_PUSH(plan->arena, &plan->cases, source);
        }
    }
    if (plan->cases.count == 0 && wanted.length > 0) {
        return refuse_case(plan, all);
    }
    if (plan->cases.count == 0) {
        bool tests = plan->kind == RESULT_OF_TESTS;
        plan_error(plan, "no case selected of %u in %.*s", all->count,
                   STR_ARG(tests ? shown(plan, plan->test_file) : STR("the suite")));
    }
    return true;
}

/* Cases of an operator without a suite, or without inputs for it: the functions of its test. */
static void find_tests(Verification *plan, SuiteCases *cases)
{
    *cases = (SuiteCases){0};
    Str file = shown(plan, plan->test_file);
    if (!file_exists(plan->test_file.at)) {
        plan_error(plan, "there are neither eval/" SUITE_NAME " with " INPUTS_PATH " nor %.*s",
                   STR_ARG(file));
    } else if (!source_tests(plan->arena, plan->test_file, cases)) {
        plan_error(plan, "%.*s cannot be parsed", STR_ARG(file));
    }
}

static CaseKind kind_of(const Verification *plan, bool whole)
{
    Str inputs = path_join(plan->arena, plan->op_dir, STR(INPUTS_PATH));
    bool suite = plan->suite.length > 0 && file_exists(inputs.at);
    return plan->asked.self_test ? RESULT_OF_SELF_TEST
           : whole && !suite     ? RESULT_OF_TESTS
                                 : RESULT_OF_CASE;
}

bool verify_plan(Verification *verification, Arena *arena, const VerifyRequest *asked)
{
    Verification *plan = verification;
    SuiteCases cases = {0};
    *plan = (Verification){.arena = arena,
                           .asked = *asked,
                           .impl = STR(""),
                           .impl_file = asked->impl,
                           .wrapper = STR("")};
    redaction_init(&plan->redaction, arena);
    if (!read_modes(plan) || !check_inspect(plan) || !verify_place(plan, &cases)) {
        return false;
    }
    bool whole = is_whole(plan);
    plan->kind = kind_of(plan, whole);
    name_files(plan, whole);
    if (plan->kind == RESULT_OF_TESTS && asked->inspect.length > 0) {
        return plan_refuse(plan, "--inspect needs a suite; this operator has tests only");
    }
    if (plan->kind == RESULT_OF_TESTS) {
        find_tests(plan, &cases);
    } else if (plan->suite.length == 0) {
        plan_error(plan, "there is no suite: eval/" SUITE_NAME " does not exist");
    }
    if ((plan_is_sound(plan) || cases.count > 0) && !select_cases(plan, &cases)) {
        return false;
    }
    check_files(plan);
    return true;
}
