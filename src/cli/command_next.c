/* `next`: what the gates of this stage and of the next one still want, and what `new` left to be
 * filled in (docs/kernel-authors/new-operator.md). With --done it takes the operator to the next
 * stage. */
#include "cli/starter.h"

#include "base/fence.h"
#include "base/file.h"
#include "base/path.h"
#include "cli/operator_place.h"
#include "harness/plan/verify_place.h"
#include "harness/report/last_run.h"
#include "lint/plan.h"
#include "operator/state.h"
#include "operator/text.h"
#include "report/terminal.h"

#define SUITE_PATH "eval/" SUITE_NAME

enum { LAST_STAGE = 7, FIRST_STAGE_WITH_KERNEL = 5, MOST_FILE = 4 * 1024 * 1024 };

typedef struct NextOptions {
    Str op_dir, op;
    bool done, unverified, no_exec;
    unsigned json; /* text or json */
    Lang lang;
} NextOptions;

static const Option rows[] = {
    TEXT_ROW(NextOptions, op, "--op", "OP", "the operator: a name below ./custom, or its directory",
             "算子：./custom 下的名称，或其目录"),
    TEXT_ROW(NextOptions, op_dir, "--op-dir", "DIR",
             "its directory; without both the one around the working directory",
             "算子目录；两者都不给时为当前目录所在的算子目录"),
    FLAG_ROW(NextOptions, done, "--done",
             "this stage is done: write that to the state file if its gate passes",
             "本阶段已完成：门禁通过时写入状态文件"),
    FLAG_ROW(NextOptions, unverified, "--unverified",
             "with --done: complete the stage even if the kernel has not been verified",
             "与 --done 一起使用：即使当前 kernel 尚未验证也完成该阶段"),
    FLAG_ROW(NextOptions, no_exec, "--no-exec", "start no Python: OL11 is then left out",
             "不启动 Python，此时跳过 OL11"),
    CHOICE_ROW(NextOptions, json, "--format", "text|json", "format of the answer", "输出格式"),
    LANG_ROW(NextOptions, lang),
};

const OptionTable next_step_options = OPTION_TABLE(rows, .most_words = 0);

/* What a stage is about, and in which files its people write. `*` stands for the operator. */
static const struct {
    Text name;
    const char *files[6];
} stages[LAST_STAGE + 1] = {
    [1] = {{"requirements", "需求"}, {"SPEC.md", "API_REPORT.md"}},
    [2] = {{"golden", "golden"}, {"*_golden.py", "GOLDEN_PERF_REPORT.md"}},
    [3] = {{"design", "设计"}, {"DESIGN.md"}},
    [4] = {{"design review", "设计评审"}, {"DESIGN.md", "eval/module_interfaces.yaml"}},
    [5] = {{"implementation", "实现"}, {"*_impl.py", "MEMORY.md", "README.md"}},
    [6] = {{"tuning", "调优"}, {"*_impl.py"}},
    [7] = {{"acceptance", "验收"}, {"*_impl.py"}},
};

typedef struct Wish {
    Str place; /* "SPEC.md:12" */
    Str rule;  /* "OL09"; empty: something to fill in */
    Str text, hint;
} Wish;

/* What one stage wants. */
typedef struct Step {
    int stage;
    bool passes; /* its gate */
    Str error;   /* why the gate could not check everything; empty = it could */
    VEC(Wish) wishes;
    VEC(Wish) fill_in;
} Step;

typedef struct Next {
    Arena *arena;
    OperatorPlace place;
    int stage;
    bool has_state;
    LastRun last;   /* from FIRST_STAGE_WITH_KERNEL on */
    bool has_suite; /* likewise */
    Step now, then; /* `then.stage` 0: there is none */
} Next;

/* --- what is left to fill in */

static void look_into(const Next *next, Step *step, Str file)
{
    Str text, line, reason = STR("");
    Str path = path_join(next->arena, next->place.dir, file);
    if (file_read(next->arena, str_dup(next->arena, path), MOST_FILE, &text, &reason) != FILE_OK) {
        return; /* a file that is missing is the gate's to say */
    }
    uint32_t number = 0;
    for (size_t at = 0; text_next_line(text, &at, &line);) {
        number++;
        size_t found = str_find(line, STR(FILL_IN_EN), 0), length = STR(FILL_IN_EN).length;
        if (found == SIZE_MAX) {
            found = str_find(line, STR(FILL_IN_ZH), 0);
            length = STR(FILL_IN_ZH).length;
        }
        if (found != SIZE_MAX) {
            Wish wish = {str_format(next->arena, "%.*s:%u", STR_ARG(file), number), STR(""),
                         str_trim(str_slice(line, found + length, line.length)), STR("")};
            VEC_PUSH(next->arena, &step->fill_in, wish);
        }
    }
}

static void look_for_blanks(const Next *next, Step *step)
{
    for (size_t i = 0; i < 6 && stages[step->stage].files[i] != NULL; i++) {
        Str file = str_from(stages[step->stage].files[i]);
        if (file.at[0] == '*') {
            file = str_format(next->arena, "%.*s%s", STR_ARG(next->place.name), file.at + 1);
        }
        look_into(next, step, file);
    }
}

/* --- gates */

static void take_findings(const Next *next, Step *step, const RunResult *result)
{
    Arena *arena = next->arena;
    for (uint32_t i = 0; i < result->operators.count; i++) {
        const Findings *findings = &result->operators.items[i]->findings;
        for (uint32_t k = 0; k < findings->count; k++) {
            const Finding *one = findings->items[k];
            if (one->status != STATUS_FAIL) {
                continue;
            }
            Str place = one->region.line == 0
                            ? str_copy(arena, one->file)
                            : str_format(arena, "%.*s:%u", STR_ARG(one->file), one->region.line);
            Wish wish = {place, str_from(one->rule->id), str_copy(arena, one->message),
                         str_copy(arena, one->hint)};
            VEC_PUSH(arena, &step->wishes, wish);
        }
    }
    for (uint32_t i = 0; i < result->notices.count && step->error.length == 0; i++) {
        if (result->notices.items[i].is_error) {
            const Notice *one = &result->notices.items[i];
            step->error = str_format(arena, "%.*s%s%.*s", STR_ARG(one->file),
                                     one->file.length > 0 ? ": " : "", STR_ARG(one->message));
        }
    }
}

static Step run_gate(const Next *next, const NextOptions *options, int stage)
{
    Step step = {.stage = stage, .error = STR("")};
    Request request = {
        .what = {.op_dir = next->place.dir,
                 .stage = stage,
                 .has_stage = true,
                 .set = SET_STAGE_GATE,
                 .gate = true},
        .who = {.no_exec = options->no_exec, .has_lang = true, .lang = options->lang}};
    Plan plan;
    plan_begin(&plan, next->arena, &request.who);
    Run *run = run_check(&request, &plan);
    const RunResult *result = run_result(run);
    step.passes = result->exit_status == EXIT_CLEAN;
    take_findings(next, &step, result);
    run_free(run);
    look_for_blanks(next, &step);
    return step;
}

/* --- printing */

static void add_wish(Buf *out, const Wish *wish)
{
    Str line =
        str_format(out->arena, "    %.*s: %.*s%s%.*s", STR_ARG(wish->place), STR_ARG(wish->rule),
                   wish->rule.length > 0 ? " " : "", STR_ARG(wish->text));
    terminal_add(out, line);
    buf_add_char(out, '\n');
    if (wish->hint.length > 0) {
        terminal_add(out, str_format(out->arena, "        %.*s", STR_ARG(wish->hint)));
        buf_add_char(out, '\n');
    }
}

static void add_step(Buf *out, const Step *step, Lang lang)
{
    bool zh = lang == LANG_ZH;
    buf_addf(out, zh ? "阶段 %d（%s）：%s\n" : "stage %d (%s): %s\n", step->stage,
             text_in(lang, stages[step->stage].name),
             step->passes ? (zh ? "门禁通过" : "its gate passes")
                          : (zh ? "门禁还需要" : "its gate wants"));
    for (uint32_t i = 0; i < step->wishes.count; i++) {
        add_wish(out, &step->wishes.items[i]);
    }
    if (step->fill_in.count > 0) {
        buf_addf(out, zh ? "  尚待填写：\n" : "  to fill in:\n");
    }
    for (uint32_t i = 0; i < step->fill_in.count; i++) {
        add_wish(out, &step->fill_in.items[i]);
    }
}

static bool has_kernel(const Next *next)
{
    return next->stage >= FIRST_STAGE_WITH_KERNEL;
}

static bool is_done(const Next *next)
{
    return next->now.passes && next->now.fill_in.count == 0 && next->last.state != LAST_RUN_FAILED;
}

/* Has it been shown that the kernel, as it is now, agrees with its golden? True before there is
 * one. */
static bool is_proven(const Next *next)
{
    return !has_kernel(next) || next->last.state == LAST_RUN_PASSED;
}

/* What to run to compare the kernel with its golden, and what has not been shown yet. */
static void add_verification(Buf *out, const Next *next, Lang lang)
{
    static const Text proofs[LAST_RUN_STATES] = {
        [LAST_RUN_NONE] = {"The kernel has not been verified yet.", "kernel 尚未验证。"},
        [LAST_RUN_OTHER_KERNEL] = {"The kernel has changed since it was last verified.",
                                   "上次验证之后 kernel 已有改动。"},
        [LAST_RUN_PARTIAL] = {"The last verification did not run all cases as they are now.",
                              "上次验证未运行当前的全部用例。"},
        [LAST_RUN_UNKNOWN] = {"The last report does not say that this kernel passed.",
                              "上次报告未表明当前 kernel 已通过。"},
    };
    bool zh = lang == LANG_ZH;
    if (is_done(next) && !is_proven(next)) {
        buf_addf(out, "%s%s", text_in(lang, proofs[next->last.state]), zh ? "" : " ");
        buf_addf(out, zh ? "门禁不运行 kernel；`pypto-lint verify --op-dir "
                         : "Gates do not run the kernel: `pypto-lint verify --op-dir ");
        terminal_add(out, next->place.dir);
        buf_addf(out, zh ? "` 会把它与 golden 逐例比较。\n"
                         : "` compares it with the golden, case by case.\n");
    }
    if (!next->has_suite) {
        buf_addf(out, zh ? "没有 " SUITE_PATH "，verify 因此运行算子自身的测试；"
                         : "Without " SUITE_PATH " verify runs the operator's tests: ");
        buf_add(out, STR("`pypto-lint scaffold eval --op-dir "));
        terminal_add(out, next->place.dir);
        buf_addf(out, zh ? "` 可生成用例集。\n" : "` makes a suite.\n");
    }
}

static bool print_text(const Next *next, Lang lang)
{
    bool zh = lang == LANG_ZH;
    Buf out = {.arena = next->arena};
    terminal_add(&out, next->place.name);
    buf_addf(&out, zh ? "：第 %d 阶段，共 %d 个阶段\n" : ": stage %d of %d\n", next->stage,
             LAST_STAGE);
    add_step(&out, &next->now, lang);
    if (next->then.stage != 0) {
        add_step(&out, &next->then, lang);
    }
    if (is_done(next) && is_proven(next) && next->then.stage != 0) {
        buf_addf(&out,
                 zh ? "阶段 %d 已无遗留；用 `pypto-lint next --done` 进入阶段 %d。\n"
                    : "Nothing is left of stage %d: `pypto-lint next --done` begins stage %d.\n",
                 next->stage, next->stage + 1);
    }
    if (has_kernel(next)) {
        add_verification(&out, next, lang);
    }
    return print_all(buf_str(&out));
}

static json_t *wishes_json(JsonTree *tree, const Wish *items, uint32_t count)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; i++) {
        json_t *one = json_object();
        json_put(tree, one, "place", json_text(items[i].place));
        if (items[i].rule.length > 0) {
            json_put(tree, one, "rule", json_text(items[i].rule));
        }
        if (items[i].rule.length > 0 || items[i].hint.length > 0) {
            json_put(tree, one, "hint", json_text(items[i].hint));
        }
        json_put(tree, one, "text", json_text(items[i].text));
        json_append(tree, list, one);
    }
    return list;
}

static json_t *step_json(JsonTree *tree, const Step *step)
{
    json_t *object = json_object();
    json_put(tree, object, "stage", json_integer(step->stage));
    json_put(tree, object, "name", json_string(stages[step->stage].name.en));
    json_put(tree, object, "gate_passes", json_boolean(step->passes));
    json_put(tree, object, "wants", wishes_json(tree, step->wishes.items, step->wishes.count));
    json_put(tree, object, "to_fill_in",
             wishes_json(tree, step->fill_in.items, step->fill_in.count));
    return object;
}

static bool print_json(const Next *next)
{
    JsonTree tree = {false, next->arena};
    json_t *root = json_object(), *list = json_array();
    json_append(&tree, list, step_json(&tree, &next->now));
    if (next->then.stage != 0) {
        json_append(&tree, list, step_json(&tree, &next->then));
    }
    json_put(&tree, root, "schema_version", json_integer(1));
    json_put(&tree, root, "operator", json_text(next->place.name));
    json_put(&tree, root, "stage", json_integer(next->stage));
    if (has_kernel(next)) {
        json_put(&tree, root, "last_verification", json_string(last_run_name(next->last.state)));
        json_put(&tree, root, "has_suite", json_boolean(next->has_suite));
    }
    json_put(&tree, root, "stages", list);
    return json_print(next->arena, &tree, root);
}

/* --- the state file */

/* Writes to the state file that the stage is completed and the next one in progress. Returns the
 * exit status. */
static int write_done(const Next *next, const NextOptions *options)
{
    Arena *arena = next->arena;
    Str path = str_from(str_dup(arena, path_join(arena, next->place.dir, STR(STATE_PATH))));
    OperatorState state = state_read(arena, next->place.dir);
    JsonFault fault;
    json_t *root = state.valid ? json_read(arena, state.text, 0, &fault) : NULL;
    if (root == NULL) {
        return print_error("%.*s: there is no state file to write it to", STR_ARG(path));
    }
    JsonTree tree = {false, arena};
    json_t *status = json_object_get(root, "stage_status");
    if (!json_is_object(status)) {
        status = json_object();
        json_put(&tree, root, "stage_status", status);
    }
    char now[] = {(char)('0' + next->stage), '\0'}, then[] = {(char)('1' + next->stage), '\0'};
    json_put(&tree, status, now, json_string("completed"));
    if (next->stage < LAST_STAGE) {
        json_put(&tree, status, then, json_string("in_progress"));
        json_put(&tree, root, "current_stage", json_integer(next->stage + 1));
    }
    Buf out = {.arena = arena};
    Str error = STR("");
    if (!json_add_built(&out, &tree, root, JSON_INDENT(2))) {
        return print_error("out of memory");
    }
    if (!fence_write(arena, fence_of(arena, next->place.dir), path.at, buf_str(&out), &error)) {
        return print_error("%.*s: %.*s", STR_ARG(path), STR_ARG(error));
    }
    Text text = {"stage %d is completed", "阶段 %d 已完成"};
    print_note(text_in(options->lang, text), next->stage);
    return EXIT_CLEAN;
}

/* A verification of this kernel that failed is a demand like those of the gate. */
static void look_at_last_run(Next *next, Lang lang)
{
    Arena *arena = next->arena;
    bool zh = lang == LANG_ZH;
    next->last = last_run_read(arena, next->place.dir);
    next->has_suite =
        file_exists(str_dup(arena, path_join(arena, next->place.dir, STR(SUITE_PATH))));
    if (next->last.state == LAST_RUN_FAILED) {
        Str id = next->last.case_id;
        Wish wish = {STR(LAST_RUN_REPORT), STR(""),
                     str_format(arena, "%s%s%.*s",
                                zh ? "上次验证未通过" : "the last verification failed",
                                id.length > 0 ? (zh ? "：" : ": ") : "", STR_ARG(id)),
                     str_format(arena,
                                zh ? "运行 `pypto-lint verify --op-dir %.*s`"
                                   : "run `pypto-lint verify --op-dir %.*s`",
                                STR_ARG(next->place.dir))};
        VEC_PUSH(arena, &next->now.wishes, wish);
    }
}

/* Runs the gates of the stage of the state file (without one, stage 1) and of the next stage. */
static void look(Next *next, const NextOptions *options)
{
    OperatorState state = state_read(next->arena, next->place.dir);
    next->has_state = state.valid && state.current_stage >= 1;
    next->stage = next->has_state ? state.current_stage : 1;
    if (next->stage > LAST_STAGE) {
        next->stage = LAST_STAGE;
    }
    next->now = run_gate(next, options, next->stage);
    next->then =
        next->stage < LAST_STAGE ? run_gate(next, options, next->stage + 1) : (Step){.stage = 0};
    if (has_kernel(next)) {
        look_at_last_run(next, options->lang);
    }
}

int command_next_step(const Command *self, Arena *arena, int argc, char **argv)
{
    NextOptions options = {.lang = default_lang()};
    Words words;
    int status = command_read(self, arena, &options, &words, argc, argv);
    if (status != EXIT_CLEAN) {
        return status;
    }
    if (options.unverified && !options.done) {
        return print_error("--unverified is for --done");
    }
    Next next = {.arena = arena};
    if (!operator_place(arena, options.op, options.op_dir, &next.place)) {
        return EXIT_ERROR;
    }
    look(&next, &options);
    bool proven = options.unverified || is_proven(&next);
    if (options.done && is_done(&next) && proven) {
        status = write_done(&next, &options);
        if (status != EXIT_CLEAN || next.stage == LAST_STAGE) {
            return status;
        }
        look(&next, &options);
    } else if (options.done) {
        status = EXIT_FINDINGS;
        print_note("%s",
                   text_in(options.lang,
                           is_done(&next) ? (Text){"not done yet: this kernel has not been "
                                                   "verified, see below; use --unverified to go on "
                                                   "anyway",
                                                   "尚未完成：当前 kernel 未通过验证，见下；"
                                                   "--unverified 可跳过验证"}
                                          : (Text){"not done yet: see below", "尚未完成，见下"}));
    }
    Str error = next.now.error.length > 0 ? next.now.error : next.then.error;
    if (error.length > 0) {
        return print_error("%.*s", STR_ARG(error));
    }
    bool printed = options.json != 0 ? print_json(&next) : print_text(&next, options.lang);
    return !printed                                 ? EXIT_ERROR
           : is_done(&next) && status == EXIT_CLEAN ? EXIT_CLEAN
                                                    : EXIT_FINDINGS;
}
