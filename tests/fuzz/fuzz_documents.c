/* Fuzz driver: the documents of an operator directory: markdown, front matter, YAML, the state
 * file.
 *
 * The input is cut at lines "=== n"; part n becomes the nth of the files below in a folder of its
 * own, and the whole operator is linted at the stage that the first byte names. */
#include "base/utf8.h"
#include "fuzz.h"
#include "lint/plan.h"
#include "report/report.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const files[] = {"DESIGN.md",
                                    "MEMORY.md",
                                    "SPEC.md",
                                    "API_REPORT.md",
                                    "README.md",
                                    "GOLDEN_PERF_REPORT.md",
                                    "eval/module_interfaces.yaml",
                                    ".orchestrator_state.json",
                                    "soft_impl.py",
                                    "soft_golden.py",
                                    "test_soft.py",
                                    "modules/soft_module1_impl.py",
                                    "eval/adversarial_suite.json"};
enum { FILE_COUNT = sizeof files / sizeof *files };

static char top[] = "/dev/shm/pypto-lint-fuzz-XXXXXX";
static char folder[64];

static void remove_all(void)
{
    char path[128];
    for (int i = 0; i < FILE_COUNT; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/eval", folder);
    rmdir(path);
    snprintf(path, sizeof path, "%s/modules", folder);
    rmdir(path);
    rmdir(folder);
    rmdir(top);
}

static void make_folder(void)
{
    char path[128];
    REQUIRE(mkdtemp(top) != NULL);
    snprintf(folder, sizeof folder, "%s/soft", top);
    REQUIRE(mkdir(folder, 0700) == 0);
    snprintf(path, sizeof path, "%s/eval", folder);
    REQUIRE(mkdir(path, 0700) == 0);
    snprintf(path, sizeof path, "%s/modules", folder);
    REQUIRE(mkdir(path, 0700) == 0);
    atexit(remove_all);
}

static void write_part(unsigned index, Str text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, files[index % FILE_COUNT]);
    FILE *file = fopen(path, "wb");
    REQUIRE(file != NULL);
    fwrite(text.at, 1, text.length, file);
    fclose(file);
}

static void write_parts(Str text)
{
    char path[128];
    for (int i = 0; i < FILE_COUNT; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        unlink(path);
    }
    size_t at = 0;
    unsigned index = 0;
    while (at <= text.length) {
        size_t next = str_find(text, STR("\n=== "), at);
        size_t end = next == SIZE_MAX ? text.length : next + 1;
        write_part(index, str_slice(text, at, end));
        if (next == SIZE_MAX || next + 7 > text.length) {
            return;
        }
        index = (unsigned char)text.at[next + 5];
        at = next + 7;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Arena arena;
    static Run *run;
    if (folder[0] == '\0') {
        make_folder();
    }
    if (size == 0) {
        return 0;
    }
    write_parts((Str){(const char *)data + 1, size - 1});
    jmp_buf env;
    Request request = {
        .what = {.op_dir = str_from(folder), .stage = data[0] % 8, .gate = data[0] & 16},
        .who = {.no_config = true,
                .no_exec = true,
                .jobs = 1,
                .lang = data[0] & 8 ? LANG_ZH : LANG_EN}};
    Plan plan;
    arena_init(&arena, 0);
    REQUIRE(OOM_GUARD(&arena, env));
    plan_begin(&plan, &arena, &request.who);
    run = run_check(&request, &plan);
    const RunResult *result = run_result(run);
    REQUIRE(result->operators.count <= 1 && result->exit_status >= 0 && result->exit_status <= 2);
    Buf out = {.arena = &arena};
    ReportOptions options = {
        .working_dir = STR("/"), .version = STR("0"), .home_uri = STR(""), .rules_uri = STR("")};
    REQUIRE(report_json(&out, result, &options));
    REQUIRE(utf8_first_error(buf_str(&out)) == SIZE_MAX);
    run_free(run);
    arena_free(&arena);
    return 0;
}
