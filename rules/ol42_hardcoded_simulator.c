/* OL42: a test that chooses the simulator although an NPU is present.
 *
 * A simulated run says nothing about numeric accuracy. Looks at the lines of `test_<op>.py`, which
 * need not parse, and runs `npu-smi info` once in the life of the process; with --no-exec it starts
 * nothing and is SKIP. */
#include "base/clock.h"
#include "base/program.h"
#include "operator/text.h"
#include "process/process.h"
#include "rules/common.h"

#include <pthread.h>
#include <unistd.h>

/* --- is there an NPU? */

enum { NPU_LIMIT_MS = 10000 };

typedef enum Npu {
    NPU_UNKNOWN, /* not asked yet */
    NPU_USABLE,
    NPU_MISSING,
} Npu;

static bool succeeds(const char *path)
{
    static char name[] = "npu-smi", argument[] = "info";
    char *const arguments[] = {name, argument, NULL};
    const Process command = {path, arguments, environ, -1, -1, 0};
    int error;
    int status;
    pid_t process = process_start(&command, &error);
    if (process < 0) {
        return false;
    }
    if (process_wait(process, clock_ms() + NPU_LIMIT_MS, &status) != PROCESS_EXITED) {
        process_end(process, 0);
        return false;
    }
    return status == 0;
}

static bool npu_is_usable(Arena *arena)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static Npu known;
    /* May run out of memory, which must not happen under the lock. */
    const char *path = program_find(arena, STR("npu-smi"));
    pthread_mutex_lock(&lock);
    if (known == NPU_UNKNOWN) {
        known = path != NULL && succeeds(path) ? NPU_USABLE : NPU_MISSING;
    }
    bool usable = known == NPU_USABLE;
    pthread_mutex_unlock(&lock);
    return usable;
}

/* --- the test file */

/* Finds `<key> = "sim"` with any quotes in the line; its start and end in the line. */
static bool find_choice(Str line, Str key, size_t *start, size_t *end)
{
    for (size_t at = str_find(line, key, 0); at != SIZE_MAX; at = str_find(line, key, at + 1)) {
        size_t next = text_skip_space(line, at + key.length);
        if (next >= line.length || line.at[next] != '=') {
            continue;
        }
        next = text_skip_space(line, next + 1);
        Str value = str_slice(line, next, next + 5);
        if (value.length == 5 && (value.at[0] == '\'' || value.at[0] == '"') &&
            (value.at[4] == '\'' || value.at[4] == '"') &&
            str_equal(str_slice(value, 1, 4), STR("sim"))) {
            *start = at;
            *end = next + 5;
            return true;
        }
    }
    return false;
}

static void check_line(RuleRun *run, const PyFile *test, Str line)
{
    static const Text forms[] = {{"the default", "默认值"}, {"run_mode", " run_mode"}};
    size_t start, end, first = text_skip_space(line, 0);
    bool by_default = find_choice(line, STR("default"), &start, &end);
    if (!by_default && !find_choice(line, STR("run_mode"), &start, &end)) {
        return;
    }
    if (line.at[first] == '#') {
        return;
    }
    Str found = str_slice(line, start, end);
    size_t offset = (size_t)(line.at - test->parsed.source.text.at);
    Finding *finding = report(
        run, STATUS_FAIL, at_range(test, (uint32_t)(offset + start), (uint32_t)(offset + end)),
        "test file %.*s hard-codes the simulator as %s (%.*s) although this machine has an NPU",
        "测试文件 %.*s 把模拟器写死为%s（%.*s），而本机有可用的 NPU", STR_ARG(pyfile_path(test)),
        text_in(run->lang, forms[by_default ? 0 : 1]), STR_ARG(found));
    finding_edit(run, finding, FIX_SUGGEST, (uint32_t)(offset + end - 4),
                 (uint32_t)(offset + end - 1), STR("npu"));
}

static void check(RuleRun *run)
{
    const PyFile *test = test_file(run);
    if (skip_textless(run, test)) {
        return;
    }
    if (run->op->no_exec) {
        rule_skip(run,
                  "not known whether this machine has an NPU: --no-exec keeps npu-smi from "
                  "being started",
                  "不知道本机是否有可用的 NPU：--no-exec 禁止启动 npu-smi");
        return;
    }
    if (!npu_is_usable(run->arena)) {
        rule_skip(run, "no NPU on this machine: 'npu-smi info' does not succeed",
                  "本机没有可用的 NPU：'npu-smi info' 未成功");
        return;
    }
    const Source *source = &test->parsed.source;
    for (uint32_t line = 1; line <= source->line_count; line++) {
        check_line(run, test, source_line_text(source, line));
    }
}

const Rule ol42 = {
    .id = "OL42",
    .name = "hardcoded-simulator",
    .order = 38,
    .severity = S1,
    .dimension = D4,
    .effort = E1,
    .stages = STAGE(5) | STAGE(6),
    .target = TARGET_TEST,
    .fix = FIX_SUGGEST,
    .needs = NEEDS_OPERATOR | NEEDS_OWN_EDIT,
    .hint = {"Make 'npu' the default, and allow 'sim' only by an explicit option.",
             "默认使用 'npu'，只有显式选项才允许 'sim'。"},
    .check = check,
};
