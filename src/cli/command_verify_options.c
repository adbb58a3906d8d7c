/* Options of `verify`; see command_verify_options.h. */
#include "cli/command_verify_options.h"

#include "base/file.h"
#include "base/program.h"
#include "cli/launch_options.h"
#include "cli/limit_options.h"
#include "harness/python_home.h"

#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    /* What a worker that has imported torch takes, for how many fit beside each other. */
    WORKER_BYTES = 1024 * 1024 * 1024,
    MEMINFO_LIMIT = 64 * 1024,
};

/* As they are written, before they are understood. */
typedef struct Written {
    Str impl, module, suite, op_dir, case_id, levels, report, modes, inspect;
    Str timeout, memory, jobs, scheduler, output, log, soc, profile, sanitize, python;
    VerifyFormat format;
    Lang lang;
    bool self_test, no_lint_gate, reuse, isolate, no_sanitize;
} Written;

static const Option rows[] = {
    TEXT_ROW(Written, impl, "--impl", "PATH", "implementation file of the phase",
             "该阶段的实现文件"),
    TEXT_ROW(Written, module, "--up-to-module", "K", "the phase: modules 1 to K composed (1)",
             "阶段：模块 1 到 K 的组合（缺省 1）"),
    TEXT_ROW(Written, suite, "--suite", "PATH", "the cases (./adversarial_suite.json)",
             "测试用例（./adversarial_suite.json）"),
    TEXT_ROW(Written, op_dir, "--op-dir", "DIR", "the operator directory; otherwise from the suite",
             "算子目录；缺省由用例文件的位置决定"),
    TEXT_ROW(Written, case_id, "--case", "ID", "only this case", "只运行该用例"),
    TEXT_ROW(Written, levels, "--levels", "L1,L2", "only cases of these levels",
             "只运行这些级别的用例"),
    TEXT_ROW(Written, modes, "--modes", "LIST", "sim, npu or both (sim,npu)",
             "sim、npu 或两者（缺省 sim,npu）"),
    FLAG_ROW(Written, self_test, "--self-test",
             "compare the composed golden with the operator's; no implementation",
             "比较组合 golden 与算子 golden；不需要实现"),
    TEXT_ROW(Written, inspect, "--inspect", "NAME",
             "compare this inspection buffer instead of the outputs",
             "比较该检查缓冲区，而不是输出"),
    TEXT_ROW(Written, report, "--report", "PATH",
             "where the report goes (eval/evaluation_report.json)",
             "报告的位置（eval/evaluation_report.json）"),
    FLAG_ROW(Written, no_lint_gate, "--no-lint-gate",
             "run although the linter objects; the report says so",
             "即使检查不通过也运行；报告会注明"),
    TEXT_ROW(Written, timeout, "--timeout", "SECONDS", "wall time of one case in one mode (300)",
             "每个用例每种模式的时限（缺省 300）"),
    TEXT_ROW(Written, memory, "--mem-limit", "SIZE",
             "address space of a worker, K, M or G behind it (80 % of the memory)",
             "工作进程的地址空间，可带 K、M、G（缺省为内存的 80 %）"),
    TEXT_ROW(Written, jobs, "--jobs", "N", "workers at a time (by processors and free memory)",
             "同时运行的工作进程数（缺省按处理器和空闲内存）"),
    TEXT_ROW(Written, jobs, "-j", "N", "the same", "同上"),
    FLAG_ROW(Written, reuse, "--reuse-workers",
             "the default, kept for old command lines; see --isolate",
             "即缺省行为，仅为旧命令行保留；见 --isolate"),
    FLAG_ROW(
        Written, isolate, "--isolate",
        "each case starts an interpreter of its own; otherwise those of mode sim are forks of one",
        "每个用例启动独立的解释器；缺省时 sim 模式的用例由同一解释器派生"),
    TEXT_ROW(Written, log, "--log", "FILE",
             "where the text of the kernel's process goes (beside the report)",
             "kernel 进程自身输出的位置（缺省在报告旁）"),
    TEXT_ROW(Written, scheduler, "--scheduler", "ADDRESS",
             "hand the cases to this Dask cluster (tcp://HOST:PORT)",
             "把用例交给该 Dask 集群（tcp://主机:端口）"),
    CHOICE_ROW(Written, format, "--format", "text|json|sarif", "form of the result", "结果的格式"),
    TEXT_ROW(Written, output, "--output", "FILE", "write that there instead of standard output",
             "写入该文件，而不是标准输出"),
    LANG_ROW(Written, lang),
    TEXT_ROW(Written, soc, "--soc", "NAME", "the simulated hardware (910B1)",
             "模拟的硬件（缺省 910B1）"),
    WORD_ROW(Written, profile, "--profile", "device|strict", "see run", "见 run"),
    OPTIONAL_ROW(Written, sanitize, "--sanitize", "races,init,bounds",
                 "what the simulator's sanitizer looks for (all)", "模拟器检查的内容（缺省全部）"),
    FLAG_ROW(Written, no_sanitize, "--no-sanitize", "nothing of that", "不做上述检查"),
    TEXT_ROW(Written, python, "--python", "PATH", "the interpreter of the workers",
             "工作进程的解释器"),
};

const OptionTable verify_options = OPTION_TABLE(rows, .most_words = 0);

/* As many workers as processors, but no more than have room. */
static unsigned usual_jobs(Arena *arena)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned jobs = processors < 1 ? 1 : (unsigned)processors;
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

static bool read_module(const Written *written, VerifyCommand *command)
{
    command->asked.has_module = written->module.length > 0;
    if (command->asked.has_module && !phase_read(written->module, &command->asked.module)) {
        trouble("--up-to-module takes a number from 1 to %d, not '%.*s'", PHASE_MOST_MODULES,
                STR_ARG(written->module));
        return false;
    }
    return true;
}

static bool read_limits(const Written *written, Arena *arena, VerifyCommand *command)
{
    uint32_t jobs = 0;
    if (written->jobs.length > 0 &&
        (!option_number(written->jobs, POOL_MOST_WORKERS, &jobs) || jobs == 0)) {
        trouble("--jobs takes a number from 1 to %d, not '%.*s'", POOL_MOST_WORKERS,
                STR_ARG(written->jobs));
        return false;
    }
    command->pool.jobs = jobs > 0 ? jobs : usual_jobs(arena);
    command->pool.timeout_ms = WORKER_TIMEOUT_MS;
    return (written->timeout.length == 0 ||
            read_time_limit("--timeout", written->timeout, &command->pool.timeout_ms)) &&
           (written->memory.length == 0 ||
            read_size_limit("--mem-limit", written->memory, &command->pool.memory));
}

/* Are the interpreter and the hardware that were named there? */
static bool check_means(const Written *written, Arena *arena, const VerifyCommand *command)
{
    const char *variable = getenv("PYPTO_LINT_PYTHON");
    const char *python = command->pool.python;
    Str named =
        written->python.length > 0 ? written->python : str_from(variable == NULL ? "" : variable);
    if (named.length > 0 && (python == NULL || !program_exists(python))) {
        trouble("no Python interpreter %.*s (--python PATH, PYPTO_LINT_PYTHON)", STR_ARG(named));
        return false;
    }
    return sanitize_option_check(written->sanitize) &&
           soc_option_check(arena, python_home(arena, "sim"), written->soc);
}

/* What the sanitizer looks for: all, unless the command line or the environment says otherwise. */
static Str sanitized(const Written *written)
{
    const char *given = getenv("PTOSIM_SANITIZE");
    if (written->no_sanitize) {
        return STR("none");
    }
    if (written->sanitize.length > 0) {
        return written->sanitize;
    }
    return given == NULL || *given == '\0' ? STR("all") : STR("");
}

int verify_options_read(const Command *self, VerifyCommand *command, Arena *arena, int argc,
                        char **argv)
{
    Written written = {.lang = default_lang()};
    Words words;
    int status = command_read(self, arena, &written, &words, argc, argv);
    if (status != EXIT_CLEAN) {
        return status;
    }
    *command = (VerifyCommand){0};
    command->asked = (VerifyOptions){
        .impl = written.impl,
        .suite = written.suite,
        .op_dir = written.op_dir,
        .case_id = written.case_id,
        .levels = written.levels,
        .report = written.report,
        .modes = written.modes,
        .inspect = written.inspect,
        .self_test = written.self_test,
        .no_lint_gate = written.no_lint_gate,
        .working_dir = working_directory(arena),
        .lang = written.lang,
    };
    command->pool = (PoolOptions){.python = python_interpreter(arena, written.python),
                                  .reuse = !written.isolate,
                                  .soc = written.soc,
                                  .profile = written.profile,
                                  .sanitize = sanitized(&written)};
    command->format = written.format;
    command->scheduler = written.scheduler;
    command->output = written.output;
    command->log = written.log;
    if (written.no_sanitize && written.sanitize.length > 0) {
        return trouble("--sanitize and --no-sanitize exclude each other");
    }
    if (written.reuse && written.isolate) {
        return trouble("--reuse-workers and --isolate exclude each other");
    }
    bool good = read_module(&written, command) && read_limits(&written, arena, command) &&
                check_means(&written, arena, command);
    return good ? EXIT_CLEAN : EXIT_TROUBLE;
}
