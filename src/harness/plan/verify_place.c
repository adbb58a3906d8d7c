/* The place of a verification; see verify_place.h. */
#include "harness/plan/verify_place.h"

#include "base/file.h"
#include "base/path.h"
#include "base/utf8.h"
#include "lint/discover.h"
#include "operator/artifact.h"
#include "operator/interfaces.h"
#include "operator/state.h"

enum { CONTRACT_LIMIT = 16 * 1024 * 1024 }; /* bytes */

void plan_error(Verification *plan, const char *format, ...)
{
    if (plan_is_sound(plan)) {
        va_list args;
        va_start(args, format);
        plan->error = (RunError){.category = CATEGORY_STRUCTURAL,
                                 .route = ROUTE_STRUCTURE,
                                 .summary = str_vformat(plan->arena, format, args)};
        va_end(args);
    }
}

bool plan_refuse(Verification *plan, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    plan->refusal = str_vformat(plan->arena, format, args);
    va_end(args);
    return false;
}

/* --- where */

static Str here(const Verification *plan, Str path)
{
    return path_is_absolute(path) ? str_from(str_dup(plan->arena, path))
                                  : path_join(plan->arena, plan->asked.working_dir, path);
}

/* An operator of one module has a test instead of a suite. The test is run when the named suite
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
static Str op_dir_of_suite(const Verification *plan, Str suite)
{
    Str op_dir = suite_op_dir(plan->arena, suite);
    Str up = here(plan, suite);
    for (int level = 0; level < 2 && op_dir.length == 0; level++) {
        up = str_slice(up, 0, up.length - path_basename(up).length);
        up = up.length > 1 ? str_slice(up, 0, up.length - 1) : up;
    }
    if (op_dir.length == 0) {
        Str found = path_real(plan->arena, str_from(str_dup(plan->arena, up)));
        op_dir = found.length > 0 && has_only_test(plan->arena, found) ? found : op_dir;
    }
    return op_dir;
}

/* --op-dir names it. */
static bool locate_named(Verification *plan)
{
    Str named = plan->asked.op_dir;
    plan->op_dir = path_real(plan->arena, named);
    if (plan->op_dir.length == 0 || !file_is_directory(plan->op_dir.at)) {
        return plan_refuse(plan, "--op-dir %.*s: no such directory", STR_ARG(named));
    }
    return may_be_operator(plan->arena, plan->op_dir) ||
           plan_refuse(
               plan,
               "--op-dir %.*s: not an operator directory: it has neither eval/ nor modules/ "
               "nor a golden or an implementation of its name",
               STR_ARG(named));
}

/* The operator directory around the working directory. */
static bool locate_around(Verification *plan)
{
    Str dir;
    if (!operator_of_folder(plan->arena, plan->asked.working_dir, &dir)) {
        return plan_refuse(plan, "./" SUITE_NAME " does not exist, and this is not an operator "
                                 "directory; name one with --suite or --op-dir");
    }
    plan->op_dir = path_real(plan->arena, dir);
    return true;
}

static bool locate_by_suite(Verification *plan, Str suite)
{
    plan->op_dir = op_dir_of_suite(plan, suite);
    return plan->op_dir.length > 0 ||
           plan_refuse(plan, "--suite %.*s: no such folder", STR_ARG(suite));
}

/* Sets op_dir and suite. */
static bool locate(Verification *plan)
{
    Str suite = plan->asked.suite;
    bool named = plan->asked.op_dir.length > 0;
    if (!named && suite.length == 0 && file_exists(here(plan, STR(SUITE_NAME)).at)) {
        suite = STR("./" SUITE_NAME);
    }
    if (!(named              ? locate_named(plan)
          : suite.length > 0 ? locate_by_suite(plan, suite)
                             : locate_around(plan))) {
        return false;
    }
    Str usual = path_join(plan->arena, plan->op_dir, STR("eval/" SUITE_NAME));
    Str path = suite.length > 0 ? suite : usual;
    bool exists = file_exists(here(plan, path).at) ||
                  (suite.length > 0 && !has_only_test(plan->arena, plan->op_dir));
    plan->suite = exists ? path : STR("");
    return true;
}

/* --- which operator */

static void read_suite(Verification *plan, SuiteCases *cases)
{
    Suite suite;
    Str error = STR("");
    if (plan->suite.length == 0) {
        return;
    }
    if (suite_read(plan->arena, plan->suite, &suite, &error)) {
        plan->op_name = suite.op_name;
        plan->total_modules = suite.total_modules;
        *cases = suite.cases;
    } else {
        plan_error(plan, "the suite cannot be used: %.*s", STR_ARG(error));
    }
}

/* The contract stays without a root where there is none, and where it is broken. */
static void read_contract(Verification *plan, Interfaces *contract)
{
    Arena *arena = plan->arena;
    Str text;
    Str error = STR("");
    FileStatus status = artifact_read(arena, path_join(arena, plan->op_dir, STR(INTERFACES_PATH)),
                                      CONTRACT_LIMIT, &text, &error);
    if (status == FILE_MISSING) {
        return;
    }
    if (status != FILE_OK || utf8_first_error(text) != SIZE_MAX) {
        plan_error(plan, INTERFACES_PATH " cannot be read as UTF-8 text");
        return;
    }
    Interfaces interfaces = interfaces_read(arena, text);
    if (interfaces.root == NULL) {
        plan_error(plan, "the module contract cannot be used: %.*s", STR_ARG(interfaces.reason));
        return;
    }
    Violations violations = interfaces_validate(arena, &interfaces);
    if (violations.count > 0) {
        const Violation *first = &violations.items[0];
        plan_error(plan,
                   INTERFACES_PATH " breaks the rules of a module contract %u time(s), first in "
                                   "line %u: rule%u: %.*s",
                   violations.count, first->line, first->rule, STR_ARG(first->message));
        return;
    }
    const Value *modules = value_get(interfaces.root, "modules");
    if (plan->total_modules == 0 && value_is(modules, VALUE_LIST)) {
        plan->total_modules =
            modules->count < PHASE_MOST_MODULES ? modules->count : PHASE_MOST_MODULES;
    }
    *contract = interfaces;
}

static bool settle_module(Verification *plan)
{
    uint32_t total = plan->total_modules;
    uint32_t usual = plan->asked.self_test && total > 0 ? total : 1;
    plan->module = plan->asked.module > 0 ? plan->asked.module : usual;
    if (total > 0 && plan->module > total) {
        return plan_refuse(plan, "--up-to-module %u: the operator has %u module(s)", plan->module,
                           total);
    }
    plan->suffix = phase_suffix(plan->arena, (int)plan->module);
    return true;
}

/* What the contract calls the outputs of the phase; empty where it does not say. */
static Strs outputs_of(Verification *plan, const Interfaces *contract)
{
    const Value *modules = contract->root == NULL ? NULL : value_get(contract->root, "modules");
    if (modules == NULL || !value_is(modules, VALUE_LIST) || plan->module > modules->count) {
        return (Strs){0};
    }
    NameList names = plan->module == modules->count
                         ? interfaces_final_outputs(plan->arena, contract)
                         : interfaces_module_outputs(plan->arena, contract, plan->module);
    return names.judged ? names.names : (Strs){0};
}

bool verify_place(Verification *plan, SuiteCases *cases)
{
    Interfaces contract = {0};
    if (!locate(plan)) {
        return false;
    }
    read_suite(plan, cases);
    if (plan->op_name.length == 0) {
        OperatorState state = state_read(plan->arena, plan->op_dir);
        plan->op_name = state.operator_name.length > 0 ? state.operator_name
                                                       : directory_name(plan->arena, plan->op_dir);
    }
    read_contract(plan, &contract);
    if (!settle_module(plan)) {
        return false;
    }
    plan->outputs = outputs_of(plan, &contract);
    return true;
}
