/* Options of `check`; see options.h. */
#include "cli/option_readers.h"

typedef struct Option {
    const char *name;     /* with dashes */
    const char *argument; /* shown in help; NULL = takes none */
    OptionReader *read;
    Text help;
} Option;

/* clang-format off: one option an entry */
static const Option option_table[] = {
    {"--op-dir", "DIR", read_op_dir, {"lint this operator directory", "检查这个算子目录"}},
    {"--stage",
     "N",
     read_stage,
     {"stage 1 to 7; otherwise from .orchestrator_state.json, else from the files",
      "阶段 1 到 7；缺省取自 .orchestrator_state.json，否则按文件推断"}},
    {"--phase",
     "Mk",
     read_phase,
     {"phase scope: only the module of phase Mk", "阶段范围：只看 Mk 的模块"}},
    {"--design",
     NULL,
     read_design,
     {"only the rules of the design gate (stage 4)", "只运行设计门禁的规则（阶段 4）"}},
    {"--file",
     "REL",
     read_file,
     {"file scope: only this file of the operator directory",
      "文件范围：只看算子目录中的这个文件"}},
    {"--rules",
     "LIST",
     read_rules,
     {"only these rules: ids, prefixes (OL4), dimensions (D1)",
      "只运行这些规则：编号、前缀 (OL4)、维度 (D1)"}},
    {"--ignore", "LIST", read_ignore, {"all but these rules", "不运行这些规则"}},
    {"--format", "F", read_format, {NULL, NULL}}, /* the names of the formats */
    {"--output",
     "FILE",
     read_output,
     {"write the report there instead of standard output", "把报告写入该文件"}},
    {"--metrics",
     "FILE",
     read_metrics,
     {"append what ran, and how long, to this log (pypto-lint stats)",
      "把运行的规则和耗时追加到该日志（pypto-lint stats）"}},
    {"--lang", "en|zh", read_lang, {"language of messages", "消息的语言"}},
    {"--fail-on",
     "S",
     read_fail_on,
     {"lowest severity of a FAIL that gives exit status 1: S0 to S3 or never (default S1)",
      "使退出状态为 1 的最低 FAIL 级别：S0 到 S3 或 never（缺省 S1）"}},
    {"--no-exec",
     NULL,
     read_no_exec,
     {"never start a Python interpreter", "从不启动 Python 解释器"}},
    {"--python",
     "PATH",
     read_python,
     {"the interpreter that imports the golden (OL11)", "导入 golden 的解释器（OL11）"}},
    {"-j",
     "N",
     read_jobs,
     {"worker threads (default: the processors available)", "工作线程数（缺省：可用处理器数）"}},
    {"--stdin-filename",
     "PATH",
     read_stdin_name,
     {"name and place of the file read from `-`", "从 `-` 读入的文件的名称和位置"}},
    {"--config",
     "FILE",
     read_config_path,
     {"read this configuration instead of the nearest", "读取该配置文件"}},
    {"--no-config", NULL, read_no_config, {"read no configuration", "不读取配置文件"}},
    {"--fix",
     NULL,
     read_fix,
     {"apply the safe fixes to the files, then lint again", "把安全的修复写入文件，然后重新检查"}},
    {"--remove-unused-suppressions",
     NULL,
     read_remove_unused,
     {"delete suppression comments that do nothing", "删除不起作用的抑制注释"}},
    {"--baseline",
     "FILE",
     read_baseline,
     {"leave out the findings that this file lists", "不报告该文件列出的问题"}},
    {"--update-baseline",
     NULL,
     read_update_baseline,
     {"write all findings to the baseline, take fixed ones out",
      "把所有问题写入基线，删除已修复的问题"}},
    {"--changed-since",
     "REV",
     read_changed_since,
     {"only operators and files that differ from this git revision",
      "只检查相对该 git 版本有改动的算子和文件"}},
    {"--staged",
     NULL,
     read_staged,
     {"only operators and files that are staged in git", "只检查 git 中已暂存的算子和文件"}},
    {"--new-only",
     NULL,
     read_new_only,
     {"with one of these two: only findings on changed lines, and S0",
      "与上述两项之一合用：只报告改动行上的问题和 S0 问题"}},
    {"--whole-operators",
     NULL,
     read_whole,
     {"files that are named stand for their operators", "指定的文件代表其所在的算子"}},
    {"--color", "WHEN", read_color, {"auto, always or never", "auto、always 或 never"}},
    {"--show-passed",
     NULL,
     read_show_passed,
     {"text: list rules with PASS and SKIP too", "text：也列出 PASS 和 SKIP 的规则"}},
    {"--statistics", NULL, read_statistics, {"counts per rule at the end", "末尾给出各规则的计数"}},
    {"--help", NULL, read_help, {"this text", "本说明"}},
};
/* clang-format on */

enum { OPTION_COUNT = sizeof option_table / sizeof *option_table, HELP_COLUMN = 34 };

static const char *help_of(const Option *option, Arena *arena, Lang lang)
{
    if (option->help.en != NULL) {
        return text_in(lang, option->help);
    }
    bool chinese = lang == LANG_ZH;
    return report_names(arena, chinese ? "、" : ", ", chinese ? " 或 " : " or ");
}

void options_help(Buf *out, Lang lang)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        const Option *option = &option_table[i];
        size_t start = out->length;
        buf_addf(out, "  %s%s%s", option->name, option->argument == NULL ? "" : " ",
                 option->argument == NULL ? "" : option->argument);
        size_t width = out->length - start;
        buf_addf(out, "%*s%s\n", width < HELP_COLUMN ? (int)(HELP_COLUMN - width) : 1, "",
                 help_of(option, out->arena, lang));
    }
}

/* --- parsing */

static const Option *find_option(Str name)
{
    if (str_is(name, "-h")) {
        name = STR("--help");
    }
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (str_is(name, option_table[i].name)) {
            return &option_table[i];
        }
    }
    return NULL;
}

/* One option at argv[*index]; its value may be behind `=`, the next argument, or (for -j) glued
 * on. */
static bool read_option(CheckOptions *options, Arena *arena, int argc, char **argv, int *index)
{
    Str argument = str_from(argv[*index]);
    Str name = argument;
    Str value = STR("");
    bool has_value = false;
    size_t equals = str_find(argument, STR("="), 0);
    if (str_starts(argument, STR("--")) && equals != SIZE_MAX) {
        name = str_slice(argument, 0, equals);
        value = str_slice(argument, equals + 1, argument.length);
        has_value = true;
    } else if (str_starts(argument, STR("-j")) && argument.length > 2) {
        name = STR("-j");
        value = str_slice(argument, 2, argument.length);
        has_value = true;
    }
    const Option *option = find_option(name);
    if (option == NULL) {
        trouble("unknown option '%.*s' (see pypto-lint help check)", STR_ARG(name));
        return false;
    }
    if (option->argument == NULL && has_value) {
        trouble("%s takes no value", option->name);
        return false;
    }
    if (option->argument != NULL && !has_value) {
        if (*index + 1 >= argc) {
            trouble("%s needs a value (%s)", option->name, option->argument);
            return false;
        }
        value = str_from(argv[++*index]);
    }
    return option->read(options, arena, value);
}

bool options_read(CheckOptions *options, Arena *arena, int argc, char **argv)
{
    *options = (CheckOptions){.writer = report_text};
    options->request.lang = default_lang();
    options->request.fail_on = S1;
    bool only_paths = false;
    for (int i = 0; i < argc; i++) {
        Str argument = str_from(argv[i]);
        if (!only_paths && str_is(argument, "--")) {
            only_paths = true;
        } else if (!only_paths && argument.length > 1 && argument.at[0] == '-') {
            if (!read_option(options, arena, argc, argv, &i)) {
                return false;
            }
        } else if (!only_paths && str_is(argument, "-")) {
            options->read_stdin = true;
        } else if (argument.length == 0) {
            trouble("empty path");
            return false;
        } else {
            VEC_PUSH(arena, &options->request.paths, argument);
        }
    }
    return options_check(options);
}
