/* `bisect`: from which iteration on an intermediate of a kernel differs from the reference
 * (docs/kernel-authors/bisect.md). */
#include "harness/blame/snapshots.h"

#include "base/fence.h"
#include "base/path.h"
#include "cli/command_verify_options.h"
#include "harness/report/evaluation_report.h"
#include "process/process.h"
#include "report/terminal.h"

#include <errno.h>
#include <sys/stat.h>

typedef struct BisectCommand {
    VerifyCommand verify;
    bool propose, probe;
} BisectCommand;

static const Option rows[] = {
    TEXT_ROW(BisectCommand, verify.asked.case_id, "--case", "ID",
             "the case (the manifest's, else the last run's first failure, else the first one)",
             "用例（缺省依次为清单所指、上次运行的首个失败、第一个用例）"),
    TEXT_ROW(BisectCommand, verify.module, "--up-to-module", "K",
             "the phase: modules 1 to K composed (1)", "阶段：模块 1 到 K 的组合（缺省 1）"),
    TEXT_ROW(BisectCommand, verify.asked.impl, "--impl", "PATH", "implementation file of the phase",
             "该阶段的实现文件"),
    FLAG_ROW(BisectCommand, propose, "--init",
             "write a manifest that proposes the tensors computed in the kernel's loops",
             "根据 kernel 循环中计算的张量生成清单"),
    WORD_ROW(BisectCommand, verify.asked.modes, "--mode", "sim|npu",
             "in the simulator (default), or on a device by a probe file",
             "使用模拟器（缺省），或在设备上运行探针文件"),
    FLAG_ROW(BisectCommand, probe, "--probe",
             "use the probe file, which devices need, in the simulator, too",
             "在模拟器中也使用设备所需的探针文件"),
    TEXT_ROW(BisectCommand, verify.timeout, "--timeout", "SECONDS", "wall time (300)",
             "时限（缺省 300 秒）"),
    TEXT_ROW(BisectCommand, verify.memory, "--mem-limit", "SIZE",
             "address space of the worker, in bytes or with K, M or G (80 % of the memory)",
             "工作进程的地址空间，可带 K、M、G（缺省为内存的 80 %）"),
    CHOICE_ROW(BisectCommand, verify.format, "--format", "text|json", "format of the result",
               "结果的格式"),
    LANG_ROW(BisectCommand, verify.asked.lang),
    TEXT_ROW(BisectCommand, verify.python, "--python", "PATH", "the interpreter of the worker",
             "工作进程的解释器"),
};

const OptionTable bisect_options = OPTION_TABLE(rows, .most_words = 1);

/* --- the case */

typedef struct LastRun {
    Arena *arena;
    json_t *root;
    Str id;
} LastRun;

static void find_failure(void *argument)
{
    LastRun *last = argument;
    const json_t *first = json_object_get(last->root, "first_failure");
    if (!json_text_at(last->arena, first, "case_id", &last->id)) {
        last->id = STR("");
    }
}

/* The first case that failed in the last run; empty when nothing is known. */
static Str last_failure(const Verification *plan)
{
    enum { MOST_BYTES = 64 << 20 };
    Arena *arena = plan->arena;
    Str text, error, path = path_join(arena, plan->op_dir, STR("eval/evaluation_report.json"));
    if (fence_read(arena, fence_of(arena, plan->op_dir), path.at, MOST_BYTES, &text, &error) !=
        FILE_OK) {
        return STR("");
    }
    LastRun last = {.arena = arena, .root = json_read(arena, text, 0, NULL), .id = STR("")};
    if (last.root != NULL) {
        json_take(arena, last.root, find_failure, &last);
    }
    return last.id;
}

static const SuiteCase *case_named(const Verification *plan, Str id)
{
    for (uint32_t i = 0; i < plan->cases.count; i++) {
        if (str_equal(plan->cases.items[i].id, id)) {
            return &plan->cases.items[i];
        }
    }
    return NULL;
}

/* The first case whose values are compared, else the first of all. */
static const SuiteCase *first_precise(const Verification *plan)
{
    for (uint32_t i = 0; i < plan->cases.count; i++) {
        if (plan->cases.items[i].precision) {
            return &plan->cases.items[i];
        }
    }
    return &plan->cases.items[0];
}

/* NULL after a message. */
static const SuiteCase *choose_case(const Verification *plan, const SnapshotManifest *manifest)
{
    if (plan->asked.case_id.length > 0) {
        return &plan->cases.items[0];
    }
    if (manifest != NULL && manifest->case_id.length > 0) {
        const SuiteCase *named = case_named(plan, manifest->case_id);
        if (named == NULL) {
            print_error("%s: the suite has no case '%.*s'", MANIFEST_PATH,
                        STR_ARG(manifest->case_id));
        }
        return named;
    }
    const SuiteCase *failed = case_named(plan, last_failure(plan));
    return failed != NULL ? failed : first_precise(plan);
}

/* --- running */

/* False with the exit status in `*status`, after a message. */
static bool run(const Verification *plan, const SuiteCase *source, const SnapshotManifest *manifest,
                bool probe, Bisection *made, int *status)
{
    Arena *arena = plan->arena;
    Mode mode = plan->modes[MODE_NPU] ? MODE_NPU : MODE_SIM;
    WorkerOutcome outcome;
    WorkerJob job = snapshot_job(plan, source, mode, probe || mode == MODE_NPU, manifest);
    int number = pool_run(arena, &plan->asked.pool, &job, 1, &outcome);
    if (number != 0) {
        *status = process_end_by(number);
        return false;
    }
    if (bisection_read(arena, outcome.result, made)) {
        return true;
    }
    *status = verify_print_failure(plan, source, mode, &outcome);
    return false;
}

/* --- the manifest */

static int tell_missing(const Verification *plan, Str error)
{
    Text text = {
        "%.*s\nTo have one proposed from the loops of the kernel: pypto-lint bisect --init\n"
        "Or write it:\n\n"
        "    iteration_axis: t        # index of the loop whose iterations count\n"
        "    snapshots:\n"
        "      - {name: state, expression: state}              # compared with `state` of the "
        "reference\n"
        "      - {name: scores, expression: s_tile, golden: s} # or with another tensor there\n",
        "%.*s\n根据 kernel 的循环生成清单：pypto-lint bisect --init\n或自行编写：\n\n"
        "    iteration_axis: t        # 按哪个循环的下标计迭代\n"
        "    snapshots:\n"
        "      - {name: state, expression: state}              # 与参考实现的 state 比较\n"
        "      - {name: scores, expression: s_tile, golden: s} # 或与其中另一个张量比较\n"};
    print_error_lines(str_format(plan->arena, text_in(plan->asked.lang, text), STR_ARG(error)));
    return EXIT_ERROR;
}

static Str proposed_text(Arena *arena, const Verification *plan, const Bisection *made)
{
    Buf out = {.arena = arena};
    buf_add(&out, STR("# What `pypto-lint bisect` watches in "));
    terminal_add(&out, plan->impl_file);
    buf_add(&out, STR(". `golden:` names the reference's tensor\n"
                      "# where it has another name; remove the entries that do not interest you.\n"
                      "iteration_axis: "));
    json_add_string(&out, made->axis);
    buf_add(&out, STR("\nsnapshots:\n"));
    for (uint32_t i = 0; i < made->proposed.count; i++) {
        const Proposal *proposal = &made->proposed.items[i];
        buf_add(&out, STR("  - {name: "));
        json_add_string(&out, proposal->name);
        buf_add(&out, STR(", expression: "));
        json_add_string(&out, proposal->name);
        buf_addf(&out, "}  # line %llu\n", (unsigned long long)proposal->line);
    }
    return buf_str(&out);
}

static int write_manifest(const Verification *plan)
{
    Arena *arena = plan->arena;
    Bisection made;
    int status = EXIT_CLEAN;
    Str error, folder = path_join(arena, plan->op_dir, STR("_debug"));
    Str path = path_join(arena, plan->op_dir, STR(MANIFEST_PATH));
    if (file_exists(path.at)) {
        return print_error("%s exists already", path.at);
    }
    if (!run(plan, &plan->cases.items[0], NULL, false, &made, &status)) {
        return status;
    }
    if (made.proposed.count == 0 || made.axis.length == 0) {
        return print_error("%.*s has no kernel with a loop that computes tensors",
                           STR_ARG(plan->impl_file));
    }
    if (mkdir(folder.at, 0777) != 0 && errno != EEXIST) {
        return print_error("%s: %s", folder.at, strerror(errno));
    }
    if (!fence_write(arena, fence_of(arena, plan->op_dir), path.at,
                     proposed_text(arena, plan, &made), &error)) {
        return print_error("%s: %.*s", path.at, STR_ARG(error));
    }
    return print_all(str_format(arena, "%s\n", path.at)) ? EXIT_CLEAN : EXIT_ERROR;
}

/* --- the result */

static const char *status_word(const Bisection *made)
{
    return made->drifting > 0 ? "DRIFT" : made->not_compared > 0 ? "INCOMPLETE" : "CLOSE";
}

static bool print_json(const Verification *plan, const SuiteCase *source, const Bisection *made)
{
    JsonTree tree = {0};
    json_t *root = bisection_json(&tree, made);
    json_put(&tree, root, "schema_version", json_integer(1));
    json_put(&tree, root, "op_name", json_text(plan->op_name));
    json_put(&tree, root, "case", json_text(source->id));
    json_put(&tree, root, "mode",
             json_string(mode_name(plan->modes[MODE_NPU] ? MODE_NPU : MODE_SIM)));
    json_put(&tree, root, "up_to_module", json_integer(plan->module));
    json_put(&tree, root, "atol", json_real(source->atol));
    json_put(&tree, root, "rtol", json_real(source->rtol));
    json_put(&tree, root, "status", json_string(status_word(made)));
    return json_print(plan->arena, &tree, root);
}

static bool print_text(const Verification *plan, const SuiteCase *source, const Bisection *made)
{
    Buf out = {.arena = plan->arena};
    terminal_add(&out, plan->op_name);
    buf_addf(&out, text_in(plan->asked.lang, (Text){" M%u, case ", " M%u，用例 "}), plan->module);
    terminal_add(&out, source->id);
    buf_add_char(&out, '\n');
    bisection_text(&out, made, plan->asked.lang);
    buf_addf(&out, "status=%s watched=%u drifting=%u not_compared=%u\n", status_word(made),
             made->drifts.count, made->drifting, made->not_compared);
    return print_all(buf_str(&out));
}

static int bisect(const Verification *plan, bool probe, bool json)
{
    SnapshotManifest manifest;
    bool missing = false;
    int status = EXIT_CLEAN;
    Str error = STR("");
    Bisection made;
    if (!snapshot_manifest_read(plan->arena, plan->op_dir, &manifest, &missing, &error)) {
        return missing ? tell_missing(plan, error) : print_error("%.*s", STR_ARG(error));
    }
    const SuiteCase *source = choose_case(plan, &manifest);
    if (source == NULL) {
        return EXIT_ERROR;
    }
    if (!run(plan, source, &manifest, probe, &made, &status)) {
        return status;
    }
    bool printed = json ? print_json(plan, source, &made) : print_text(plan, source, &made);
    return !printed || (made.drifting == 0 && made.not_compared > 0) ? EXIT_ERROR
           : made.drifting > 0                                       ? EXIT_FINDINGS
                                                                     : EXIT_CLEAN;
}

int command_bisect(const Command *self, Arena *arena, int argc, char **argv)
{
    BisectCommand command = {.verify.asked = {.lang = default_lang()}};
    Words words;
    int status = command_read(self, arena, &command, &words, argc, argv);
    if (status != EXIT_CLEAN) {
        return status;
    }
    VerifyRequest *asked = &command.verify.asked;
    asked->op_dir = str_from(words.count > 0 ? words.items[0] : ".");
    asked->modes = asked->modes.length > 0 && !command.propose ? asked->modes : STR("sim");
    asked->pool.jobs = 1;
    if (!verify_request_complete(&command.verify, arena)) {
        return EXIT_ERROR;
    }
    if (!verify_mode_check(arena, &asked->pool,
                           str_is(asked->modes, "npu") ? MODE_NPU : MODE_SIM)) {
        return EXIT_ERROR;
    }
    Verification *plan = ARENA_NEW(arena, Verification);
    if (!verify_plan_cases(plan, arena, asked)) {
        return EXIT_ERROR;
    }
    return command.propose ? write_manifest(plan)
                           : bisect(plan, command.probe, command.verify.format == VERIFY_JSON);
}
