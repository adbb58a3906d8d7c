/* The plan of a verification; see verify_plan.h. */
#include "harness/verify_plan.h"

#include "base/file.h"
#include "harness/verify_place.h"
#include "harness/verify_source.h"
#include "operator/interfaces.h"

/* --- options */

/* Calls take(…) for each part between commas; false when it does or a part is empty. */
static bool each_part(Str list, bool (*take)(void *context, Str part), void *context)
{
    for (size_t start = 0; start <= list.length;) {
        size_t end = str_find(list, STR(","), start);
        end = end == SIZE_MAX ? list.length : end;
        Str part = str_trim(str_slice(list, start, end));
        if (part.length == 0 || !take(context, part)) {
            return false;
        }
        start = end + 1;
    }
    return true;
}

static bool take_mode(void *context, Str part)
{
    VerifyPlan *plan = context;
    Mode mode;
    if (!mode_find(part, &mode)) {
        return false;
    }
    plan->modes[mode] = true;
    return true;
}

/* References need no device: one mode says all, and every machine has the first. */
static void settle_self_test(VerifyPlan *plan)
{
    plan->modes[MODE_NPU] = plan->modes[MODE_NPU] && !plan->modes[MODE_SIM];
}

static bool is_identifier(Str text)
{
    for (size_t i = 0; i < text.length; i++) {
        char c = text.at[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && !(i > 0 && c >= '0' && c <= '9')) {
            return false;
        }
    }
    return text.length > 0;
}

static Planned read_options(VerifyPlan *plan, Arena *arena, const VerifyOptions *options)
{
    Str modes = options->modes.length > 0 ? options->modes : STR("sim,npu");
    if (!each_part(modes, take_mode, plan)) {
        return planned_refusal(plan, arena, "--modes takes sim, npu or both, not '%.*s'",
                               STR_ARG(modes));
    }
    if (options->self_test) {
        settle_self_test(plan);
    }
    if (options->inspect.length > 0 && !is_identifier(options->inspect)) {
        return planned_refusal(plan, arena, "--inspect takes the name of a buffer, not '%.*s'",
                               STR_ARG(options->inspect));
    }
    if (options->inspect.length > 0 && options->self_test) {
        return planned_refusal(plan, arena, "--inspect and --self-test do not go together");
    }
    plan->inspect = options->inspect;
    return PLANNED_READY;
}

/* --- the module and the kind */

static Planned settle_module(VerifyPlan *plan, Arena *arena, const VerifyOptions *options,
                             const VerifyPlace *place)
{
    plan->total_modules = place->total_modules;
    uint32_t all = place->total_modules > 0 ? place->total_modules : 1;
    plan->module = options->has_module ? options->module : options->self_test ? all : 1;
    if (plan->module < 1 || plan->module > PHASE_MOST_MODULES) {
        return planned_refusal(plan, arena, "--up-to-module takes a number from 1 to %u",
                               place->total_modules > 0 ? place->total_modules
                                                        : (uint32_t)PHASE_MOST_MODULES);
    }
    if (place->total_modules > 0 && plan->module > place->total_modules) {
        return planned_refusal(plan, arena, "--up-to-module %u: the operator has %u module(s)",
                               plan->module, place->total_modules);
    }
    plan->suffix = phase_suffix(arena, (int)plan->module);
    return PLANNED_READY;
}

static Str file_in(Arena *arena, const VerifyPlan *plan, FileKind kind)
{
    return str_format(arena, "%.*s/%.*s", STR_ARG(plan->op_dir),
                      STR_ARG(artifact_file(arena, kind, plan->op_name)));
}

/* An operator of one module without module files is <op>_impl.py and <op>_golden.py. */
static bool is_whole(Arena *arena, const VerifyPlan *plan, const VerifyOptions *options)
{
    if (plan->module != 1 || plan->total_modules > 1) {
        return false;
    }
    Str golden = phase_file(arena, plan->op_dir, plan->op_name, plan->suffix, KIND_GOLDEN);
    if (options->self_test) { /* then its reference is compared with a second run of itself */
        return !file_exists(golden.at) && file_exists(file_in(arena, plan, KIND_GOLDEN).at);
    }
    Str impl = phase_file(arena, plan->op_dir, plan->op_name, plan->suffix, KIND_IMPL);
    Str whole = file_in(arena, plan, KIND_IMPL);
    if (options->impl.length > 0) {
        return !file_exists(golden.at) &&
               str_equal(path_basename(options->impl), path_basename(whole));
    }
    return !file_exists(golden.at) && !file_exists(impl.at) && file_exists(whole.at);
}

/* Absolute; a link in the place of the file itself stays. */
static Str absolute(Arena *arena, const VerifyOptions *options, Str path)
{
    Str name = path_basename(path);
    Str folder = str_slice(path, 0, path.length - name.length);
    folder = folder.length == 0 ? options->working_dir
                                : path_real(arena, str_from(str_dup(arena, folder)));
    return folder.length == 0 ? path_join(arena, options->working_dir, path)
                              : path_join(arena, folder, name);
}

static void name_files(VerifyPlan *plan, Arena *arena, const VerifyOptions *options, bool whole)
{
    Str op = plan->op_name;
    Str base = whole ? op : artifact_base(arena, op, plan->suffix);
    plan->golden = whole ? file_in(arena, plan, KIND_GOLDEN)
                         : phase_file(arena, plan->op_dir, op, plan->suffix, KIND_GOLDEN);
    plan->golden_function = artifact_name(arena, KIND_GOLDEN, base);
    plan->inputs = path_join(arena, plan->op_dir, STR("eval/test_inputs.py"));
    if (plan->kind == RESULT_OF_SELF_TEST) {
        plan->reference = file_in(arena, plan, KIND_GOLDEN);
        plan->reference_function = artifact_name(arena, KIND_GOLDEN, op);
        plan->impl = plan->impl_file = plan->wrapper = STR("");
        return;
    }
    plan->wrapper = str_format(arena, "%.*s_wrapper", STR_ARG(base));
    Str impl = whole ? file_in(arena, plan, KIND_IMPL)
                     : phase_file(arena, plan->op_dir, op, plan->suffix, KIND_IMPL);
    plan->impl_as = impl;
    plan->impl = options->impl.length > 0 ? absolute(arena, options, options->impl) : impl;
    plan->impl_file = options->impl.length > 0
                          ? options->impl
                          : str_slice(impl, plan->op_dir.length + 1, impl.length);
    if (plan->kind == RESULT_OF_TESTS) {
        plan->test_file = file_in(arena, plan, KIND_TEST);
        plan->inputs = STR("");
    }
}

/* --- what the files hold */

static Str shown(const VerifyPlan *plan, Str path)
{
    size_t length = plan->op_dir.length;
    return str_starts(path, plan->op_dir) && path.length > length + 1
               ? str_slice(path, length + 1, path.length)
               : path;
}

static Planned tell_missing(VerifyPlan *plan, Arena *arena, Str path, Str name, NameState state,
                            const char *what)
{
    Str file = shown(plan, path);
    if (state == NAME_NO_FILE) {
        return planned_error(plan, arena, "%s is missing: there is no file %.*s", what,
                             STR_ARG(file));
    }
    if (state == NAME_ABSENT) {
        return planned_error(plan, arena,
                             "%s is missing: %.*s has no function %.*s (naming contract)", what,
                             STR_ARG(file), STR_ARG(name));
    }
    return PLANNED_READY;
}

/* The texts of what is read go to the redaction. */
static Planned check_implementation(VerifyPlan *plan, Arena *arena)
{
    if (plan->kind == RESULT_OF_SELF_TEST) {
        return PLANNED_READY;
    }
    SourceName found = source_find_name(arena, plan->impl, plan->wrapper);
    if (found.state != NAME_NO_FILE) {
        VEC_PUSH(arena, &plan->known, found.text);
    }
    plan->wrapper_place = found.place;
    plan->inspectable = found.inspectable;
    if (plan->kind == RESULT_OF_TESTS && found.state == NAME_ABSENT) {
        return PLANNED_READY; /* the test may take it under another name */
    }
    return tell_missing(plan, arena, plan->impl, plan->wrapper, found.state,
                        found.state == NAME_NO_FILE ? "the implementation" : "the wrapper");
}

static Planned check_reference(VerifyPlan *plan, Arena *arena, Str path, Str name, const char *what)
{
    SourceName found = source_find_name(arena, path, name);
    if (found.state != NAME_NO_FILE) {
        VEC_PUSH(arena, &plan->hidden, found.text);
    }
    return tell_missing(plan, arena, path, name, found.state, what);
}

/* References of other phases and the operator's own: an implementation must not show them. */
static void hide_references(VerifyPlan *plan, Arena *arena)
{
    Str folder = path_join(arena, plan->op_dir, STR("modules"));
    DirEntries entries = {0};
    directory_list(arena, folder.at, &entries);
    Strs paths = {0};
    VEC_PUSH(arena, &paths, file_in(arena, plan, KIND_GOLDEN));
    for (uint32_t i = 0; i < entries.count; i++) {
        if (str_ends(entries.items[i].name, STR(GOLDEN_END))) {
            VEC_PUSH(arena, &paths, path_join(arena, folder, entries.items[i].name));
        }
    }
    for (uint32_t i = 0; i < paths.count; i++) {
        Str text;
        if (!str_equal(paths.items[i], plan->golden) &&
            file_read(arena, paths.items[i].at, SOURCE_LIMIT, &text, NULL) == FILE_OK) {
            VEC_PUSH(arena, &plan->hidden, text);
        }
    }
}

static Planned check_files(VerifyPlan *plan, Arena *arena)
{
    hide_references(plan, arena);
    Planned end = check_implementation(plan, arena);
    const struct {
        Str path, name;
        const char *what;
    } needed[] = {{plan->golden, plan->golden_function, "the reference of the phase"},
                  {plan->reference, plan->reference_function, "the reference of the operator"},
                  {plan->inputs, STR("make_inputs"), "the function that makes inputs"}};
    for (size_t i = 0; i < sizeof needed / sizeof *needed && plan->kind != RESULT_OF_TESTS; i++) {
        if (needed[i].path.length > 0 &&
            check_reference(plan, arena, needed[i].path, needed[i].name, needed[i].what) !=
                PLANNED_READY) {
            end = PLANNED_ERROR;
        }
    }
    return end;
}

/* --- the cases */

typedef struct Selection {
    Arena *arena;
    Strs levels;
} Selection;

static bool take_level(void *context, Str part)
{
    Selection *selection = context;
    VEC_PUSH(selection->arena, &selection->levels, suite_level(selection->arena, part));
    return true;
}

static bool is_selected(const Selection *selection, const VerifyOptions *options,
                        const SuiteCase *source)
{
    if (options->case_id.length > 0 && !str_equal(options->case_id, source->id)) {
        return false;
    }
    for (uint32_t i = 0; i < selection->levels.count; i++) {
        if (str_equal(selection->levels.items[i], source->level)) {
            return true;
        }
    }
    return selection->levels.count == 0;
}

/* Nothing is run and no report written: the last one stays as it is. */
static Planned refuse_case(VerifyPlan *plan, Arena *arena, const VerifyOptions *options,
                           const SuiteCases *all)
{
    enum { MOST_LISTED = 40 };
    Buf ids = {.arena = arena};
    bool exists = false;
    for (uint32_t i = 0; i < all->count; i++) {
        exists = exists || str_equal(all->items[i].id, options->case_id);
        if (i < MOST_LISTED) {
            buf_addf(&ids, "%s%.*s", i == 0 ? "" : ", ", STR_ARG(all->items[i].id));
        }
    }
    if (all->count > MOST_LISTED) {
        buf_addf(&ids, ", … +%u", all->count - MOST_LISTED);
    }
    if (exists) {
        return planned_refusal(plan, arena, "the case '%.*s' is of none of the levels %.*s",
                               STR_ARG(options->case_id), STR_ARG(options->levels));
    }
    Str list = all->count == 0 ? STR("none") : buf_str(&ids);
    return planned_refusal(plan, arena, "no case is called '%.*s'; the cases are: %.*s",
                           STR_ARG(options->case_id), STR_ARG(list));
}

static Planned select_cases(VerifyPlan *plan, Arena *arena, const VerifyOptions *options,
                            const SuiteCases *all)
{
    Selection selection = {.arena = arena};
    if (options->levels.length > 0 && !each_part(options->levels, take_level, &selection)) {
        return planned_refusal(plan, arena, "--levels takes levels between commas, not '%.*s'",
                               STR_ARG(options->levels));
    }
    bool first_only = plan->kind == RESULT_OF_SELF_TEST && options->levels.length == 0;
    for (uint32_t i = 0; i < all->count && !(first_only && plan->cases.count == 1); i++) {
        SuiteCase source = all->items[i];
        if (is_selected(&selection, options, &source)) {
            /* What a kernel's first case need not show, references must. */
            source.precision = source.precision || plan->kind == RESULT_OF_SELF_TEST;
            VEC_PUSH(arena, &plan->cases, source);
        }
    }
    if (plan->cases.count == 0 && options->case_id.length > 0) {
        return refuse_case(plan, arena, options, all);
    }
    return plan->cases.count > 0
               ? PLANNED_READY
               : planned_error(plan, arena, "no case selected of %u in %.*s", all->count,
                               STR_ARG(plan->kind == RESULT_OF_TESTS ? shown(plan, plan->test_file)
                                                                     : STR("the suite")));
}

/* Cases of an operator without a suite, or without inputs for it: the functions of its test. */
static Planned test_cases(VerifyPlan *plan, Arena *arena, SuiteCases *cases)
{
    if (!file_exists(plan->test_file.at)) {
        return planned_error(plan, arena,
                             "there are neither eval/" SUITE_NAME " with eval/test_inputs.py nor "
                             "%.*s",
                             STR_ARG(shown(plan, plan->test_file)));
    }
    if (!source_tests(arena, plan->test_file, cases)) {
        return planned_error(plan, arena, "%.*s cannot be parsed",
                             STR_ARG(shown(plan, plan->test_file)));
    }
    return PLANNED_READY;
}

static Planned worse(Planned a, Planned b)
{
    return a > b ? a : b;
}

static CaseKind settle_kind(Arena *arena, const VerifyPlan *plan, const VerifyOptions *options,
                            const VerifyPlace *place, bool whole)
{
    if (options->self_test) {
        return RESULT_OF_SELF_TEST;
    }
    Str inputs = path_join(arena, plan->op_dir, STR("eval/test_inputs.py"));
    return whole && !(place->has_suite && file_exists(inputs.at)) ? RESULT_OF_TESTS
                                                                  : RESULT_OF_CASE;
}

Planned verify_plan_make(VerifyPlan *plan, Arena *arena, const VerifyOptions *options)
{
    *plan = (VerifyPlan){.impl_file = options->impl};
    VerifyPlace place;
    if (read_options(plan, arena, options) == PLANNED_REFUSED) {
        return PLANNED_REFUSED;
    }
    Planned end = place_find(&place, arena, options, plan);
    if (end == PLANNED_REFUSED) {
        return end;
    }
    plan->op_dir = place.op_dir;
    plan->op_name = place.op_name;
    plan->suite = place.has_suite ? place.suite.path : STR("");
    if (settle_module(plan, arena, options, &place) == PLANNED_REFUSED) {
        return PLANNED_REFUSED;
    }
    plan->outputs = place_outputs(arena, &place, plan->module);
    bool whole = is_whole(arena, plan, options);
    plan->kind = settle_kind(arena, plan, options, &place, whole);
    name_files(plan, arena, options, whole);
    if (plan->kind == RESULT_OF_TESTS && plan->inspect.length > 0) {
        return planned_refusal(plan, arena,
                               "--inspect needs a suite; this operator has tests only");
    }
    SuiteCases cases = place.suite.cases;
    if (plan->kind == RESULT_OF_TESTS) {
        cases = (SuiteCases){0};
        end = worse(end, test_cases(plan, arena, &cases));
    } else if (!place.has_suite) {
        end = planned_error(plan, arena, "there is no suite: eval/" SUITE_NAME " does not exist");
    }
    if (end == PLANNED_READY || cases.count > 0) {
        end = worse(end, select_cases(plan, arena, options, &cases));
    }
    return end == PLANNED_REFUSED ? end : worse(end, check_files(plan, arena));
}

bool verify_plan_reads(Arena *arena, const VerifyPlan *plan, Str path)
{
    struct stat there;
    if (!file_stat(str_dup(arena, path), &there)) {
        return false;
    }
    Str files[] = {plan->impl,      plan->golden, plan->reference, plan->inputs,
                   plan->test_file, plan->suite,  STR("")};
    files[sizeof files / sizeof *files - 1] = path_join(arena, plan->op_dir, STR(INTERFACES_PATH));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct stat read;
        if (files[i].length > 0 && file_stat(str_dup(arena, files[i]), &read) &&
            read.st_dev == there.st_dev && read.st_ino == there.st_ino) {
            return true;
        }
    }
    return false;
}

Str verify_report_path(Arena *arena, const VerifyPlan *plan)
{
    return path_join(arena, plan->op_dir, STR("eval/evaluation_report.json"));
}
