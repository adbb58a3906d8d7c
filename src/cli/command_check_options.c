/* Options of `check`; see command_check_options.h. */
#include "cli/command_check_readers.h"

static void add_formats(Buf *out)
{
    for (int i = 0; i < REPORT_FORMAT_COUNT; i++) {
        buf_addf(out, "%s\n", report_formats[i].name);
    }
}

static const Option rows[] = {
    TEXT_ROW(CheckOptions, request.what.op_dir, "--op-dir", "DIR", "lint this operator directory",
             "检查这个算子目录"),
    READ_ROW(read_stage, "--stage", "N",
             "stage 1 to 7; otherwise from .orchestrator_state.json, else from the files",
             "阶段 1 到 7；缺省取自 .orchestrator_state.json，否则按文件推断"),
    READ_ROW(read_phase, "--phase", "Mk", "phase scope: only the module of phase Mk",
             "阶段范围：只看 Mk 的模块"),
    READ_ROW(read_design, "--design", NULL, "only the rules of the design gate (stage 4)",
             "只运行设计门禁的规则（阶段 4）"),
    READ_ROW(read_file, "--file", "REL", "file scope: only this file of the operator directory",
             "文件范围：只看算子目录中的这个文件"),
    {.name = "--rules",
     .argument = "LIST",
     .kind = OPTION_READ,
     .read = read_rules,
     .words = rule_words,
     .help = {"only these rules, whatever the settings say: ids, names, prefixes (OL4), dimensions "
              "(D1)",
              "只运行这些规则，不论设置如何：编号、名称、前缀 (OL4)、维度 (D1)"}},
    {.name = "--select",
     .argument = "LIST",
     .kind = OPTION_READ,
     .read = read_select,
     .words = rule_words,
     .help = {"select these rules, in place of the settings' `select` or the profile",
              "选择这些规则，代替设置中的 select 或配置方案"}},
    {.name = "--extend-select",
     .argument = "LIST",
     .kind = OPTION_READ,
     .read = read_extend_select,
     .words = rule_words,
     .help = {"these rules, too", "另外选择这些规则"}},
    {.name = "--ignore",
     .argument = "LIST",
     .kind = OPTION_READ,
     .read = read_ignore,
     .words = rule_words,
     .help = {"all but these rules", "不运行这些规则"}},
    READ_ROW(
        read_profile, "--profile", "operator|kernel",
        "rules of the operator workflow, or what is wrong in any PyPTO code (default for files "
        "outside of operator directories)",
        "算子工作流的规则，或任何 PyPTO 代码中的错误（算子目录之外的文件的缺省值）"),
    {.name = "--format",
     .argument = "F",
     .kind = OPTION_CHOICE,
     .offset = offsetof(CheckOptions, format),
     .words = add_formats,
     .help = {"format of the report: %s", "报告的格式：%s"}},
    TEXT_ROW(CheckOptions, output, "--output", "FILE",
             "write the report there instead of standard output", "把报告写入该文件"),
    TEXT_ROW(CheckOptions, html, "--html", "FILE",
             "write a page with the findings, their source and their rules there, too",
             "另把问题、源码和规则写成一个网页文件"),
    TEXT_ROW(CheckOptions, metrics, "--metrics", "FILE",
             "append what ran, and how long, to this log (pypto-lint stats)",
             "把运行的规则和耗时追加到该日志（pypto-lint stats）"),
    READ_ROW(read_lang, "--lang", "en|zh", "language of messages", "消息的语言"),
    READ_ROW(read_fail_on, "--fail-on", "S0|S1|S2|S3|never",
             "lowest severity of a FAIL that gives exit status 1 (default S1)",
             "使退出状态为 1 的最低 FAIL 级别（缺省 S1）"),
    FLAG_ROW(CheckOptions, exit_zero, "--exit-zero", "exit status 0 although there are findings",
             "有问题时退出状态也为 0"),
    READ_ROW(read_max_warnings, "--max-warnings", "N",
             "exit status 1 when more than N findings do not fail the run by themselves",
             "不致失败的问题超过 N 个时退出状态为 1"),
    FLAG_ROW(CheckOptions, request.who.no_exec, "--no-exec", "never start a Python interpreter",
             "从不启动 Python 解释器"),
    TEXT_ROW(CheckOptions, request.who.python, "--python", "PATH",
             "the interpreter that imports the golden (OL11)", "导入 golden 的解释器（OL11）"),
    WORD_ROW(CheckOptions, request.who.pypto, "--pypto", "9.1|9.2",
             "the version of PyPTO that kernels are judged by (default: the settings', else the "
             "installed one, else 9.2)",
             "判定 kernel 所依据的 PyPTO 版本（缺省：设置，其次已安装的版本，否则 9.2）"),
    READ_ROW(read_jobs, "-j", "N", "worker threads (default: the processors available)",
             "工作线程数（缺省：可用处理器数）"),
    TEXT_ROW(CheckOptions, stdin_name, "--stdin-filename", "PATH",
             "name and place of the file read from `-`", "从 `-` 读入的文件的名称和位置"),
    TEXT_ROW(CheckOptions, request.who.config, "--config", "FILE",
             "read this configuration instead of the nearest", "读取该配置文件"),
    FLAG_ROW(CheckOptions, request.who.no_config, "--no-config", "read no configuration",
             "不读取配置文件"),
    FLAG_ROW(CheckOptions, request.what.fix, "--fix",
             "apply the safe fixes to the files, then lint again",
             "把安全的修复写入文件，然后重新检查"),
    FLAG_ROW(CheckOptions, request.what.suggestions, "--suggestions",
             "with --fix or --diff: apply suggestions, too",
             "与 --fix 或 --diff 合用：也应用建议的修复"),
    FLAG_ROW(CheckOptions, diff, "--diff", "show what --fix would change, and change nothing",
             "显示 --fix 将作的改动，不改文件"),
    FLAG_ROW(CheckOptions, request.what.remove_unused, "--remove-unused-suppressions",
             "delete suppression comments that do nothing", "删除不起作用的抑制注释"),
    TEXT_ROW(CheckOptions, request.what.baseline, "--baseline", "FILE",
             "leave out the findings that this file lists", "不报告该文件列出的问题"),
    FLAG_ROW(CheckOptions, request.what.update_baseline, "--update-baseline",
             "write all findings to the baseline, take fixed ones out",
             "把所有问题写入基线，删除已修复的问题"),
    FLAG_ROW(CheckOptions, request.what.add_suppressions, "--add-suppressions",
             "write suppressing comments for all findings but S0 into the files; needs --reason",
             "为 S0 以外的所有问题在文件中写入抑制注释；须有 --reason"),
    TEXT_ROW(CheckOptions, request.what.reason, "--reason", "TEXT", "why, for --add-suppressions",
             "--add-suppressions 的原因"),
    READ_ROW(read_changed_since, "--changed-since", "REV",
             "only operators and files that differ from this git revision",
             "只检查相对该 git 版本有改动的算子和文件"),
    FLAG_ROW(CheckOptions, request.what.staged, "--staged",
             "only operators and files that are staged in git", "只检查 git 中已暂存的算子和文件"),
    FLAG_ROW(CheckOptions, request.what.new_only, "--new-only",
             "with one of these two: only findings on changed lines",
             "与上述两项之一合用：只报告改动行上的问题"),
    FLAG_ROW(CheckOptions, request.what.whole_operators, "--whole-operators",
             "check the whole operator of each file that is named", "检查指定文件所在的整个算子"),
    FLAG_ROW(CheckOptions, watch, "--watch", "lint again whenever a file changes, until Ctrl-C",
             "文件变化时重新检查，直到 Ctrl-C"),
    FLAG_ROW(CheckOptions, quiet, "-q, --quiet", "findings only: no notices, no totals",
             "只输出问题：没有提示和总计"),
    FLAG_ROW(CheckOptions, verbose, "-v, --verbose",
             "on standard error: settings, stage, rules, files and time of each place",
             "在标准错误输出：各处的设置、阶段、规则、文件和耗时"),
    FLAG_ROW(CheckOptions, show_settings, "--show-settings",
             "print the settings that count, and lint nothing", "输出生效的设置，不做检查"),
    FLAG_ROW(CheckOptions, show_files, "--show-files",
             "print the files that are looked at, and no findings", "输出所检查的文件，不输出问题"),
    CHOICE_ROW(CheckOptions, color, "--color", "auto|always|never", "colours in text",
               "文本输出的颜色"),
    FLAG_ROW(CheckOptions, show_passed, "--show-passed", "text: list rules with PASS and SKIP too",
             "text：也列出 PASS 和 SKIP 的规则"),
    FLAG_ROW(CheckOptions, request.what.show_types, "--show-types",
             "text, json: what is known of each assignment and call of a kernel",
             "text、json：给出 kernel 中每个赋值和调用的已知信息"),
    FLAG_ROW(CheckOptions, request.what.statistics, "--statistics",
             "counts per rule at the end, and how far kernels were evaluated",
             "末尾给出各规则的计数，以及 kernel 的求值进度"),
};

const OptionTable check_options = OPTION_TABLE(rows, .most_words = UINT32_MAX);

static bool read_paths(CheckOptions *options, Arena *arena, const Words *words)
{
    for (uint32_t i = 0; i < words->count; i++) {
        Str path = str_from(words->items[i]);
        if (path.length == 0) {
            print_error("empty path");
            return false;
        }
        if (i < words->plain && str_is(path, "-")) {
            options->read_stdin = true;
        } else {
            VEC_PUSH(arena, &options->request.what.paths, path);
        }
    }
    return true;
}

int check_options_read(const Command *self, CheckOptions *options, Arena *arena, int argc,
                       char **argv)
{
    Words words;
    *options = (CheckOptions){.format = REPORT_text};
    options->request.who.lang = default_lang();
    options->request.who.fail_on = S1;
    int status = command_read(self, arena, options, &words, argc, argv);
    if (status != EXIT_CLEAN) {
        return status;
    }
    bool good = read_paths(options, arena, &words) && check_options_fit(options);
    return good ? EXIT_CLEAN : EXIT_ERROR;
}
