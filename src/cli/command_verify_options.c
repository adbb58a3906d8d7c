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
    Str timeout, memory, jobs, scheduler, format, output, log, lang, soc, profile, python;
    bool self_test, no_lint_gate, reuse, isolate;
} Written;

#define TAKES(member)   OPTION_TEXT, offsetof(Written, member)
#define IS_FLAG(member) OPTION_FLAG, offsetof(Written, member)

static const CommandOption table[] = {
    {"--impl", "PATH", TAKES(impl), {"implementation file of the phase", "该阶段的实现文件"}},
    {"--up-to-module",
     "K",
     TAKES(module),
     {"the phase: modules 1 to K composed (1)", "阶段：模块 1 到 K 的组合（缺省 1）"}},
    {"--suite",
     "PATH",
     TAKES(suite),
     {"the cases (./adversarial_suite.json)", "测试用例（./adversarial_suite.json）"}},
    {"--op-dir",
     "DIR",
     TAKES(op_dir),
     {"the operator directory; otherwise from the suite", "算子目录；缺省由用例文件的位置决定"}},
    {"--case", "ID", TAKES(case_id), {"only this case", "只运行该用例"}},
    {"--levels", "L1,L2", TAKES(levels), {"only cases of these levels", "只运行这些级别的用例"}},
    {"--modes",
     "LIST",
     TAKES(modes),
     {"sim, npu or both (sim,npu)", "sim、npu 或两者（缺省 sim,npu）"}},
    {"--self-test",
     NULL,
     IS_FLAG(self_test),
     {"compare the composed golden with the operator's; no implementation",
      "比较组合 golden 与算子 golden；不需要实现"}},
    {"--inspect",
     "NAME",
     TAKES(inspect),
     {"compare this inspection buffer instead of the outputs", "比较该检查缓冲区，而不是输出"}},
    {"--report",
     "PATH",
     TAKES(report),
     {"where the report goes (eval/evaluation_report.json)",
      "报告的位置（eval/evaluation_report.json）"}},
    {"--no-lint-gate",
     NULL,
     IS_FLAG(no_lint_gate),
     {"run although the linter objects; the report says so", "即使检查不通过也运行；报告会注明"}},
    {"--timeout",
     "SECONDS",
     TAKES(timeout),
     {"wall time of one case in one mode (300)", "每个用例每种模式的时限（缺省 300）"}},
    {"--mem-limit",
     "SIZE",
     TAKES(memory),
     {"address space of a worker, K, M or G behind it (80 % of the memory)",
      "工作进程的地址空间，可带 K、M、G（缺省为内存的 80 %）"}},
    {"--jobs",
     "N",
     TAKES(jobs),
     {"workers at a time (by processors and free memory)",
      "同时运行的工作进程数（缺省按处理器和空闲内存）"}},
    {"-j", "N", TAKES(jobs), {"the same", "同上"}},
    {"--reuse-workers",
     NULL,
     IS_FLAG(reuse),
     {"the default, kept for old command lines; see --isolate",
      "即缺省行为，仅为旧命令行保留；见 --isolate"}},
    {"--isolate",
     NULL,
     IS_FLAG(isolate),
     {"each case starts an interpreter of its own; otherwise those of mode sim are forks of one",
      "每个用例启动独立的解释器；缺省时 sim 模式的用例由同一解释器派生"}},
    {"--log",
     "FILE",
     TAKES(log),
     {"where the text of the kernel's process goes (beside the report)",
      "kernel 进程自身输出的位置（缺省在报告旁）"}},
    {"--scheduler",
     "ADDRESS",
     TAKES(scheduler),
     {"hand the cases to this Dask cluster (tcp://HOST:PORT)",
      "把用例交给该 Dask 集群（tcp://主机:端口）"}},
    {"--format", "F", TAKES(format), {"text, json or sarif", "text、json 或 sarif"}},
    {"--output",
     "FILE",
     TAKES(output),
     {"write that there instead of standard output", "写入该文件，而不是标准输出"}},
    {"--lang", "en|zh", TAKES(lang), {"language of messages", "消息语言"}},
    {"--soc", "NAME", TAKES(soc), {"the simulated hardware (910B1)", "模拟的硬件（缺省 910B1）"}},
    {"--profile", "P", TAKES(profile), {"device or strict, see run", "device 或 strict，见 run"}},
    {"--python", "PATH", TAKES(python), {"the interpreter of the workers", "工作进程的解释器"}},
};

static const CommandOptions known = {
    .command = "verify", .table = table, .count = sizeof table / sizeof *table};

static bool read_whole(Str text, uint32_t most, uint32_t *number)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < text.length && sum <= most; i++) {
        if (text.at[i] < '0' || text.at[i] > '9') {
            return false;
        }
        sum = sum * 10 + (uint64_t)(text.at[i] - '0');
    }
    *number = (uint32_t)sum;
    return text.length > 0 && sum > 0 && sum <= most;
}

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

static bool read_format(Str text, VerifyFormat *format)
{
    static const char *const names[] = {"text", "json", "sarif"};
    for (int i = 0; i < 3; i++) {
        if (text.length == 0 || str_is(text, names[i])) {
            *format = (VerifyFormat)i;
            return true;
        }
    }
    trouble("--format takes text, json or sarif, not '%.*s'", STR_ARG(text));
    return false;
}

static bool read_words(const Written *written, VerifyCommand *command)
{
    command->asked.lang = default_lang();
    if (written->lang.length > 0 && !str_is(written->lang, "en") && !str_is(written->lang, "zh")) {
        trouble("--lang takes en or zh, not '%.*s'", STR_ARG(written->lang));
        return false;
    }
    if (written->lang.length > 0) {
        command->asked.lang = str_is(written->lang, "zh") ? LANG_ZH : LANG_EN;
    }
    if (written->profile.length > 0 && !str_is(written->profile, "device") &&
        !str_is(written->profile, "strict")) {
        trouble("--profile takes device or strict, not '%.*s'", STR_ARG(written->profile));
        return false;
    }
    command->asked.has_module = written->module.length > 0;
    if (command->asked.has_module && !phase_read(written->module, &command->asked.module)) {
        trouble("--up-to-module takes a number from 1 to %d, not '%.*s'", PHASE_MOST_MODULES,
                STR_ARG(written->module));
        return false;
    }
    return read_format(written->format, &command->format);
}

static bool read_limits(const Written *written, Arena *arena, VerifyCommand *command)
{
    uint32_t jobs = 0;
    if (written->jobs.length > 0 && !read_whole(written->jobs, POOL_MOST_WORKERS, &jobs)) {
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

/* `-j4` is `-j 4`. */
static char **split_jobs(Arena *arena, int argc, char **argv)
{
    char **split = ARENA_ARRAY(arena, char *, (size_t)argc + 1);
    for (int i = 0; i < argc; i++) {
        bool joined = strncmp(argv[i], "-j", 2) == 0 && argv[i][2] >= '0' && argv[i][2] <= '9';
        Str named = joined ? str_format(arena, "-j=%s", argv[i] + 2) : str_from(argv[i]);
        split[i] = str_dup(arena, named);
    }
    return split;
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
    return soc_option_check(arena, python_home(arena, "sim"), written->soc);
}

bool verify_options_read(VerifyCommand *command, Arena *arena, int argc, char **argv)
{
    Written written = {0};
    Words words = {0};
    *command = (VerifyCommand){0};
    argv = split_jobs(arena, argc, argv);
    if (!command_options_read(&known, arena, &written, &words, &command->help, argc, argv)) {
        return false;
    }
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
    };
    command->pool = (PoolOptions){.python = python_interpreter(arena, written.python),
                                  .reuse = !written.isolate,
                                  .soc = written.soc,
                                  .profile = written.profile};
    command->scheduler = written.scheduler;
    command->output = written.output;
    command->log = written.log;
    if (written.reuse && written.isolate) {
        trouble("--reuse-workers and --isolate exclude each other");
        return false;
    }
    return read_words(&written, command) && read_limits(&written, arena, command) &&
           (command->help || check_means(&written, arena, command));
}

void verify_options_help(Buf *out, Lang lang)
{
    command_options_help(&known, out, lang);
}
