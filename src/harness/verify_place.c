/* The place of a verification; see verify_place.h. */
#include "harness/verify_place.h"

#include "base/file.h"
#include "base/utf8.h"
#include "lint/discover.h"
#include "operator/artifact.h"
#include "operator/interfaces.h"
#include "operator/state.h"

enum { CONTRACT_LIMIT = 16 * 1024 * 1024 }; /* bytes */

Planned planned_error(VerifyPlan *plan, Arena *arena, const char *format, ...)
{
    if (plan->error.summary.length == 0) {
        va_list args;
        va_start(args, format);
        plan->error = (RunError){.category = CATEGORY_STRUCTURAL,
                                 .route = ROUTE_STRUCTURE,
                                 .summary = str_vformat(arena, format, args)};
        va_end(args);
    }
    return PLANNED_ERROR;
}

Planned planned_refusal(VerifyPlan *plan, Arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    plan->refusal = str_vformat(arena, format, args);
    va_end(args);
    return PLANNED_REFUSED;
}

/* --- where */

static Str here(Arena *arena, const VerifyOptions *options, Str path)
{
    return path.at[0] == '/' ? str_from(str_dup(arena, path))
                             : path_join(arena, options->working_dir, path);
}

/* An operator of one module has a test instead of a suite; that is run when the suite that is named
 * does not exist. */
static bool has_only_test(Arena *arena, Str op_dir)
{
    Str name = directory_name(arena, op_dir);
    Str test = path_join(arena, op_dir, artifact_file(arena, KIND_TEST, name));
    return file_exists(test.at) && !file_exists(path_join(arena, op_dir, STR("modules")).at);
}

static bool may_be_operator(Arena *arena, Str op_dir)
{
    Str name = directory_name(arena, op_dir);
    Str files[] = {STR("eval"), STR("modules"), artifact_file(arena, KIND_GOLDEN, name),
                   artifact_file(arena, KIND_IMPL, name)};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (file_exists(path_join(arena, op_dir, files[i]).at)) {
            return true;
        }
    }
    return false;
}

/* Empty when there is none. The folder of the suite may be missing as well as the suite. */
static Str op_dir_of_suite(Arena *arena, const VerifyOptions *options, Str suite)
{
    Str op_dir = suite_op_dir(arena, suite);
    Str up = here(arena, options, suite);
    for (int level = 0; level < 2 && op_dir.length == 0; level++) {
        up = str_slice(up, 0, up.length - path_basename(up).length);
        up = up.length > 1 ? str_slice(up, 0, up.length - 1) : up;
    }
    if (op_dir.length == 0) {
        Str found = path_real(arena, str_from(str_dup(arena, up)));
        op_dir = found.length > 0 && has_only_test(arena, found) ? found : op_dir;
    }
    return op_dir;
}

/* Sets op_dir and suite.path (empty: there is none). */
static Planned locate(VerifyPlace *place, Arena *arena, const VerifyOptions *options,
                      VerifyPlan *plan)
{
    Str suite = options->suite;
    if (options->op_dir.length > 0) {
        place->op_dir = path_real(arena, options->op_dir);
        if (place->op_dir.length == 0 || !file_is_directory(place->op_dir.at)) {
            return planned_refusal(plan, arena, "--op-dir %.*s: no such directory",
                                   STR_ARG(options->op_dir));
        }
    } else if (suite.length == 0 && file_exists(here(arena, options, STR(SUITE_NAME)).at)) {
        suite = STR("./" SUITE_NAME);
    } else if (suite.length == 0) {
        Str dir;
        if (!operator_of_folder(arena, options->working_dir, &dir)) {
            return planned_refusal(plan, arena,
                                   "./" SUITE_NAME " does not exist, and this is no operator "
                                   "directory; name one with --suite or --op-dir");
        }
        place->op_dir = path_real(arena, dir);
    }
    if (options->op_dir.length > 0 && !may_be_operator(arena, place->op_dir)) {
        return planned_refusal(plan, arena,
                               "--op-dir %.*s: no operator directory: it has neither eval/ nor "
                               "modules/ nor a golden or an implementation of its name",
                               STR_ARG(options->op_dir));
    }
    if (place->op_dir.length == 0) {
        place->op_dir = op_dir_of_suite(arena, options, suite);
        if (place->op_dir.length == 0) {
            return planned_refusal(plan, arena, "--suite %.*s: no such folder", STR_ARG(suite));
        }
    }
    Str usual = path_join(arena, place->op_dir, STR("eval/" SUITE_NAME));
    place->suite.path = suite.length > 0 ? suite : usual;
    place->has_suite = file_exists(here(arena, options, place->suite.path).at) ||
                       (suite.length > 0 && !has_only_test(arena, place->op_dir));
    return PLANNED_READY;
}

static Str operator_name(Arena *arena, Str op_dir)
{
    OperatorState state = state_read(arena, op_dir);
    return state.operator_name.length > 0 ? state.operator_name : directory_name(arena, op_dir);
}

static Planned read_suite(VerifyPlace *place, Arena *arena, VerifyPlan *plan)
{
    Str error = STR("");
    if (suite_read(arena, place->suite.path, &place->suite, &error)) {
        place->op_name = place->suite.op_name;
        place->total_modules = place->suite.total_modules;
        return PLANNED_READY;
    }
    place->suite.cases = (SuiteCases){0}; /* not a part of them */
    return planned_error(plan, arena, "the suite cannot be used: %.*s", STR_ARG(error));
}

/* --- the contract */

static Planned read_contract(VerifyPlace *place, Arena *arena, VerifyPlan *plan)
{
    Str path = path_join(arena, place->op_dir, STR(INTERFACES_PATH));
    Str text;
    Str error = STR("");
    FileStatus status = artifact_read(arena, path, CONTRACT_LIMIT, &text, &error);
    if (status == FILE_MISSING) {
        return PLANNED_READY;
    }
    if (status != FILE_OK || utf8_first_error(text) != SIZE_MAX) {
        return planned_error(plan, arena, INTERFACES_PATH " cannot be read as UTF-8 text");
    }
    Interfaces interfaces = interfaces_read(arena, text);
    if (interfaces.root == NULL) {
        return planned_error(plan, arena, "the module contract cannot be used: %.*s",
                             STR_ARG(interfaces.reason));
    }
    Violations violations = interfaces_validate(arena, &interfaces);
    if (violations.count > 0) {
        const Violation *first = &violations.items[0];
        return planned_error(plan, arena,
                             INTERFACES_PATH " breaks the rules of a module contract %u time(s), "
                                             "first in line %u: rule%u: %.*s",
                             violations.count, first->line, first->rule, STR_ARG(first->message));
    }
    const Value *modules = value_get(interfaces.root, "modules");
    if (place->total_modules == 0 && value_is(modules, VALUE_LIST)) {
        place->total_modules =
            modules->count < PHASE_MOST_MODULES ? modules->count : PHASE_MOST_MODULES;
    }
    place->contract = interfaces;
    return PLANNED_READY;
}

Strs place_outputs(Arena *arena, const VerifyPlace *place, uint32_t module)
{
    const Value *root = place->contract.root;
    const Value *modules = root == NULL ? NULL : value_get(root, "modules");
    if (modules == NULL || !value_is(modules, VALUE_LIST) || module > modules->count) {
        return (Strs){0};
    }
    NameList names = module == modules->count
                         ? interfaces_final_outputs(arena, &place->contract)
                         : interfaces_module_outputs(arena, &place->contract, module);
    return names.judged ? names.names : (Strs){0};
}

Planned place_find(VerifyPlace *place, Arena *arena, const VerifyOptions *options, VerifyPlan *plan)
{
    *place = (VerifyPlace){.op_name = STR("")};
    Planned end = locate(place, arena, options, plan);
    if (end == PLANNED_REFUSED) {
        return end;
    }
    if (place->has_suite) {
        end = read_suite(place, arena, plan);
    }
    if (place->op_name.length == 0) {
        place->op_name = operator_name(arena, place->op_dir);
    }
    Planned contract = read_contract(place, arena, plan);
    return end == PLANNED_READY ? contract : end;
}
