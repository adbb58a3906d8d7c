/* Options of `verify`; see command_verify_options.h. */
#include "cli/command_verify_options.h"

#include "base/path.h"
#include "base/program.h"
#include "cli/launch_options.h"
#include "harness/pool/python_home.h"
#include "harness/pool/worker_environment.h"

#include <errno.h>
#include <stdlib.h>

enum {
    /* A worker that has imported torch takes about so much memory. */
    WORKER_BYTES = 1024 * 1024 * 1024,
    MEMINFO_LIMIT = 64 * 1024,
};

static const Option rows[] = {
    VERIFY_PLACE_ROWS,
    TEXT_ROW(VerifyCommand, asked.case_id, "--case", "ID", "only this case", "只运行该用例"),
    TEXT_ROW(VerifyCommand, asked.levels, "--levels", "L1,L2", "only cases of these levels",
             "只运行这些级别的用例"),
    TEXT_ROW(VerifyCommand, asked.modes, "--modes", "LIST", "sim, npu or both (sim,npu)",
             "sim、npu 或两者（缺省 sim,npu）"),
    FLAG_ROW(VerifyCommand, asked.self_test, "--self-test",
             "compare the composed golden with the operator's; no implementation",
             "比较组合 golden 与算子 golden；不需要实现"),
    FLAG_ROW(VerifyCommand, blame, "--blame",
             "find the line that makes each failing case wrong; otherwise of the first, if quick",
             "查找每个失败用例的出错行；缺省只查第一个，且仅当查找较快时"),
    FLAG_ROW(VerifyCommand, no_blame, "--no-blame", "do not look for it", "不查找"),
    TEXT_ROW(VerifyCommand, asked.inspect, "--inspect", "NAME",
             "compare this inspection buffer instead of the outputs",
             "比较该检查缓冲区，而不是输出"),
    TEXT_ROW(VerifyCommand, report, "--report", "PATH",
             "where the report goes (eval/evaluation_report.json)",
             "报告的位置（eval/evaluation_report.json）"),
    TEXT_ROW(VerifyCommand, baseline, "--baseline", "REPORT",
             "say what became better or worse since this report",
             "与该报告相比，说明变好与变差之处"),
    FLAG_ROW(VerifyCommand, record, "--memory",
             "add a row to the verification log of the operator's MEMORY.md",
             "在算子 MEMORY.md 的验证记录表中追加一行"),
    FLAG_ROW(VerifyCommand, asked.no_lint_gate, "--no-lint-gate",
             "run although the linter objects; the report says so",
             "即使检查不通过也运行；报告会注明"),
    TEXT_ROW(VerifyCommand, timeout, "--timeout", "SECONDS",
             "wall time of one case in one mode (300)", "每个用例每种模式的时限（缺省 300）"),
    TEXT_ROW(VerifyCommand, memory, "--mem-limit", "SIZE",
             "address space of a worker, in bytes or with K, M or G (80 % of the memory)",
             "工作进程的地址空间，可带 K、M、G（缺省为内存的 80 %）"),
    TEXT_ROW(VerifyCommand, jobs, "--jobs", "N",
             "workers at a time (by processors and free memory)",
             "同时运行的工作进程数（缺省按处理器和空闲内存）"),
    TEXT_ROW(VerifyCommand, jobs, "-j", "N", "the same", "同上"),
    FLAG_ROW(VerifyCommand, reuse, "--reuse-workers",
             "the default, kept for old command lines; see --isolate",
             "即缺省行为，仅为旧命令行保留；见 --isolate"),
    FLAG_ROW(
        VerifyCommand, isolate, "--isolate",
        "each case starts an interpreter of its own; otherwise those of mode sim are forks of one",
        "每个用例启动独立的解释器；缺省时 sim 模式的用例由同一解释器派生"),
    TEXT_ROW(VerifyCommand, log, "--log", "FILE",
             "where the text of the kernel's process goes (beside the report)",
             "kernel 进程自身输出的位置（缺省在报告旁）"),
    TEXT_ROW(VerifyCommand, asked.scheduler, "--scheduler", "ADDRESS",
             "hand the cases to this Dask cluster (tcp://HOST:PORT)",
             "把用例交给该 Dask 集群（tcp://主机:端口）"),
    CHOICE_ROW(VerifyCommand, format, "--format", "text|json|sarif", "format of the result",
               "结果的格式"),
    TEXT_ROW(VerifyCommand, output, "--output", "FILE",
             "write that there instead of standard output", "写入该文件，而不是标准输出"),
    TEXT_ROW(VerifyCommand, html, "--html", "FILE",
             "write a page with the cases and maps of their differences there, too",
             "另把用例及其差异图写成一个网页文件"),
    LANG_ROW(VerifyCommand, asked.lang),
    VERIFY_SIMULATOR_ROWS,
    OPTIONAL_ROW(VerifyCommand, sanitize, "--sanitize", "races,init,bounds",
                 "what the simulator's sanitizer looks for (all)", "模拟器检查的内容（缺省全部）"),
    FLAG_ROW(VerifyCommand, no_sanitize, "--no-sanitize", "do not run the sanitizer",
             "不做上述检查"),
    TEXT_ROW(VerifyCommand, python, "--python", "PATH", "the interpreter of the workers",
             "工作进程的解释器"),
};

const OptionTable verify_options = OPTION_TABLE(rows, .most_words = 0);

/* As many workers as processors, but no more than fit into free memory. */
static unsigned usual_jobs(Arena *arena)
{
    unsigned jobs = processors_now();
    Str text;
    if (file_read(arena, "/proc/meminfo", MEMINFO_LIMIT, &text, NULL) != FILE_OK) {
        return jobs;
    }
    Str key = STR("MemAvailable:");
    size_t at = str_find(text, key, 0);
    if (at == SIZE_MAX) {
        return jobs;
    }
    uint64_t kilobytes = strtoull(text.at + at + key.length, NULL, 10);
    uint64_t room = kilobytes * 1024 / WORKER_BYTES;
    return room < 1 ? 1 : room < jobs ? (unsigned)room : jobs;
}

static bool read_jobs(VerifyCommand *command, Arena *arena)
{
    uint32_t jobs = 0;
    if (command->jobs.length > 0 &&
        (!option_number(command->jobs, POOL_MOST_WORKERS, &jobs) || jobs == 0)) {
        print_error("--jobs takes a number from 1 to %d, not '%.*s'", POOL_MOST_WORKERS,
                    STR_ARG(command->jobs));
        return false;
    }
    command->asked.pool.jobs = jobs > 0 ? jobs : usual_jobs(arena);
    return true;
}

/* Does the interpreter that was named exist? */
static bool check_python(const VerifyCommand *command)
{
    const char *variable = getenv("PYPTO_LINT_PYTHON");
    const char *python = command->asked.pool.python;
    Str named =
        command->python.length > 0 ? command->python : str_from(variable == NULL ? "" : variable);
    if (named.length > 0 && (python == NULL || !program_exists(python))) {
        print_error("no Python interpreter %.*s (--python PATH, PYPTO_LINT_PYTHON)",
                    STR_ARG(named));
        return false;
    }
    return true;
}

/* Puts the version of PyPTO into the environment, which the workers inherit. False after a
 * message. */
static bool set_product(const VerifyCommand *command, Arena *arena)
{
    Str folder = command->asked.op_dir.length > 0 ? command->asked.op_dir
                 : command->asked.impl.length > 0 ? path_parent(command->asked.impl)
                                                  : STR(".");
    folder = (Str){str_dup(arena, folder), folder.length};
    Product product = product_for(arena, folder, command->pypto, command->python);
    if (!launch_product(arena, &product)) {
        print_error("environment: %s", strerror(errno));
        return false;
    }
    return true;
}

/* What the sanitizer looks for: all, unless the command line or the environment says otherwise. */
static bool choose_sanitizer(VerifyCommand *command)
{
    const char *given = getenv("PTOSIM_SANITIZE");
    if (command->no_sanitize && command->sanitize.length > 0) {
        print_error("--sanitize and --no-sanitize exclude each other");
        return false;
    }
    command->asked.pool.sanitize = command->no_sanitize                ? STR("none")
                                   : command->sanitize.length > 0      ? command->sanitize
                                   : given == NULL || given[0] == '\0' ? STR("all")
                                                                       : STR("");
    return sanitize_option_check(command->sanitize);
}

bool verify_request_complete(VerifyCommand *command, Arena *arena)
{
    VerifyRequest *asked = &command->asked;
    asked->working_dir = working_directory(arena);
    asked->pool.python = python_interpreter(arena, command->python);
    asked->pool.timeout_ms = WORKER_TIMEOUT_MS;
    if (command->module.length > 0 && !phase_read(command->module, &asked->module)) {
        print_error("--up-to-module takes a number from 1 to %d, not '%.*s'", PHASE_MOST_MODULES,
                    STR_ARG(command->module));
        return false;
    }
    return (command->timeout.length == 0 ||
            read_time_limit("--timeout", command->timeout, &asked->pool.timeout_ms)) &&
           read_size_limit("--mem-limit", command->memory, &asked->pool.memory) &&
           soc_option_check(arena, python_home(arena, "sim"), asked->pool.soc) &&
           choose_sanitizer(command) && set_product(command, arena);
}

int verify_options_read(const Command *self, VerifyCommand *command, Arena *arena, int argc,
                        char **argv)
{
    Words words;
    *command = (VerifyCommand){.asked = {.lang = default_lang()}};
    int status = command_read(self, arena, command, &words, argc, argv);
    if (status != EXIT_CLEAN) {
        return status;
    }
    if (command->reuse && command->isolate) {
        return print_error("--reuse-workers and --isolate exclude each other");
    }
    if (command->blame && command->no_blame) {
        return print_error("--blame and --no-blame exclude each other");
    }
    command->asked.blame = command->blame      ? BLAME_ALWAYS
                           : command->no_blame ? BLAME_NEVER
                                               : BLAME_USUAL;
    command->asked.pool.reuse = !command->isolate;
    return verify_request_complete(command, arena) && read_jobs(command, arena) &&
                   check_python(command)
               ? EXIT_CLEAN
               : EXIT_ERROR;
}

bool verify_plan_cases(Verification *plan, Arena *arena, const VerifyRequest *asked)
{
    bool planned = verify_plan(plan, arena, asked);
    Str error = planned ? plan->error.summary : plan->refusal;
    if (error.length == 0 && (plan->kind != RESULT_OF_CASE || plan->cases.count == 0)) {
        error = STR("this needs eval/adversarial_suite.json with the case, and eval/test_inputs.py "
                    "(pypto-lint scaffold eval)");
    }
    if (error.length > 0) {
        print_error("%.*s", STR_ARG(error));
    }
    return error.length == 0;
}

bool verify_mode_check(Arena *arena, const PoolOptions *pool, Mode mode)
{
    const char *home = getenv("ASCEND_HOME_PATH");
    if (pool->python == NULL) {
        print_error("no Python interpreter found (--python PATH, PYPTO_LINT_PYTHON)");
        return false;
    }
    if (mode == MODE_NPU && (home == NULL || *home == '\0')) {
        print_error("mode npu cannot run here: ASCEND_HOME_PATH is not set (source the toolkit's "
                    "set_env.sh)");
        return false;
    }
    if (mode == MODE_SIM && !simulator_is_built(python_home(arena, "sim"))) {
        print_error("the simulator is not installed: it was built without Python's headers "
                    "(python3-dev)");
        return false;
    }
    return true;
}

int verify_print_failure(const Verification *plan, const SuiteCase *source, Mode mode,
                         const WorkerOutcome *outcome)
{
    CaseResult case_result;
    CaseContext context = verify_context(plan, source, mode);
    case_result_read(plan->arena, &context, outcome, &case_result);
    Str why = case_result.verdict == VERDICT_SKIPPED ? case_result.unavailable.reason
                                                     : case_result.summary;
    return print_error("%s: %.*s", mode_name(mode),
                       STR_ARG(why.length > 0 ? why : STR("the worker reported no numbers")));
}
