/* Options of `check`; see options.h. */
#include "cli/options.h"

#include <stdlib.h>

typedef bool OptionReader(CheckOptions *options, Arena *arena, Str value);

typedef struct Option {
    const char *name;     /* with dashes */
    const char *argument; /* shown in help; NULL = takes none */
    OptionReader *read;
    Text help;
} Option;

static bool complain(const char *message, Str value)
{
    trouble("%s: '%.*s'", message, STR_ARG(value));
    return false;
}

/* --- readers */

static bool read_number(Str text, long low, long high, int *number)
{
    if (text.length == 0 || text.length > 9) {
        return false;
    }
    long value = 0;
    for (size_t i = 0; i < text.length; i++) {
        if (text.at[i] < '0' || text.at[i] > '9') {
            return false;
        }
        value = value * 10 + (text.at[i] - '0');
    }
    *number = (int)value;
    return value >= low && value <= high;
}

static bool read_op_dir(CheckOptions *options, Arena *arena, Str value)
{
    (void)arena;
    options->request.op_dir = value;
    return value.length > 0 || complain("--op-dir needs a directory", value);
}

static bool read_stage(CheckOptions *options, Arena *arena, Str value)
{
    (void)arena;
    options->has_scope = true;
    return read_number(value, 1, 7, &options->request.stage) ||
           complain("--stage takes a number from 1 to 7", value);
}

static bool read_phase(CheckOptions *options, Arena *arena, Str value)
{
    (void)arena;
    options->has_scope = true;
    Str number = str_slice(value, 1, value.length);
    bool good = value.length > 1 && value.at[0] == 'M' && value.at[1] != '0' &&
                read_number(number, 1, 999, &options->request.phase);
    return good || complain("--phase takes M1, M2, …", value);
}

static bool read_design(CheckOptions *options, Arena *arena, Str value)
{
    (void)arena;
    (void)value;
    options->has_scope = true;
    options->request.design = true;
    return true;
}

static bool read_file(CheckOptions *options, Arena *arena, Str value)
{
    (void)arena;
    while (str_starts(value, STR("./"))) {
        value = str_slice(value, 2, value.length);
    }
    options->request.file = value;
    return value.length > 0 || complain("--file needs a path", value);
}

/* Comma-separated selectors; a retired id is answered with its story. */
static bool read_selectors(Arena *arena, Str value, Strs *list)
{
    size_t start = 0;
    while (start <= value.length) {
        size_t comma = str_find(value, STR(","), start);
        size_t end = comma == SIZE_MAX ? value.length : comma;
        Str selector = str_trim(str_slice(value, start, end));
        Str message = STR("");
        if (selector.length > 0) {
            if (!selector_check(selector, arena, default_lang(), &message)) {
                trouble("%.*s", STR_ARG(message));
                return false;
            }
            if (message.length > 0) {
                trouble("%.*s", STR_ARG(message));
            }
            VEC_PUSH(arena, list, selector);
        }
        start = end + 1;
    }
    return list->count > 0 || complain("no rule named", value);
}

static bool read_rules(CheckOptions *options, Arena *arena, Str value)
{
    return read_selectors(arena, value, &options->request.rules);
}

static bool read_ignore(CheckOptions *options, Arena *arena, Str value)
{
    return read_selectors(arena, value, &options->request.ignore);
}

static bool read_format(CheckOptions *options, Arena *arena, Str value)
{
    (void)arena;
    options->writer = report_writer(value);
    return options->writer != NULL ||
           complain("--format takes text, concise, json, sarif, github, gitlab, junit or agent",
                    value);
}

static bool read_output(CheckOptions *options, Arena *arena, Str value)
{
    (void)arena;
    options->output = value;
    return value.length > 0 || complain("--output needs a file", value);
}

static bool read_lang(CheckOptions *options, Arena *arena, Str value)
{
    (void)arena;
    options->request.has_lang = true;
    options->request.lang = str_is(value, "zh") ? LANG_ZH : LANG_EN;
    return str_is(value, "zh") || str_is(value, "en") || complain("--lang takes en or zh", value);
}

static bool read_fail_on(CheckOptions *options, Arena *arena, Str value)
{
    (void)arena;
    options->request.has_fail_on = true;
    options->request.fail_never = str_is(value, "never");
    if (options->request.fail_never) {
        return true;
    }
    if (value.length == 2 && value.at[0] == 'S' && value.at[1] >= '0' && value.at[1] <= '3') {
        options->request.fail_on = (Severity)(value.at[1] - '0');
        return true;
    }
    return complain("--fail-on takes S0, S1, S2, S3 or never", value);
}

static bool read_jobs(CheckOptions *options, Arena *arena, Str value)
{
    (void)arena;
    int jobs = 0;
    bool good = read_number(value, 1, 256, &jobs);
    options->request.jobs = (unsigned)jobs;
    return good || complain("-j takes a number from 1 to 256", value);
}

static bool read_stdin_name(CheckOptions *options, Arena *arena, Str value)
{
    (void)arena;
    options->stdin_name = value;
    return value.length > 0 || complain("--stdin-filename needs a path", value);
}

static bool read_config_path(CheckOptions *options, Arena *arena, Str value)
{
    (void)arena;
    options->request.config = value;
    return value.length > 0 || complain("--config needs a file", value);
}

static bool read_baseline(CheckOptions *options, Arena *arena, Str value)
{
    options->request.baseline = (Str){str_dup(arena, value), value.length};
    return value.length > 0 || complain("--baseline needs a file", value);
}

/* Git takes what begins with a dash for an option of its own. */
static bool read_changed_since(CheckOptions *options, Arena *arena, Str value)
{
    options->request.changed_since = (Str){str_dup(arena, value), value.length};
    return (value.length > 0 && value.at[0] != '-') ||
           complain("--changed-since needs a revision", value);
}

static bool read_color(CheckOptions *options, Arena *arena, Str value)
{
    (void)arena;
    if (str_is(value, "auto") || str_is(value, "always") || str_is(value, "never")) {
        options->color = str_is(value, "auto")     ? COLOR_AUTO
                         : str_is(value, "always") ? COLOR_ALWAYS
                                                   : COLOR_NEVER;
        return true;
    }
    return complain("--color takes auto, always or never", value);
}

#define FLAG(function, member)                                                                     \
    static bool function(CheckOptions *options, Arena *arena, Str value)                           \
    {                                                                                              \
        (void)arena;                                                                               \
        (void)value;                                                                               \
        options->member = true;                                                                    \
        return true;                                                                               \
    }
FLAG(read_no_config, request.no_config)
FLAG(read_no_exec, request.no_exec)
FLAG(read_show_passed, show_passed)
FLAG(read_statistics, statistics)
FLAG(read_fix, fix)
FLAG(read_remove_unused, remove_unused)
FLAG(read_update_baseline, request.update_baseline)
FLAG(read_whole, request.whole_operators)
FLAG(read_staged, request.staged)
FLAG(read_new_only, request.new_only)
FLAG(read_help, help)

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
    {"--format",
     "F",
     read_format,
     {"text, concise, json, sarif, github, gitlab, junit or agent",
      "text、concise、json、sarif、github、gitlab、junit 或 agent"}},
    {"--output",
     "FILE",
     read_output,
     {"write the report there instead of standard output", "把报告写入该文件"}},
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

void options_help(Buf *out, Lang lang)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        const Option *option = &option_table[i];
        size_t start = out->length;
        buf_addf(out, "  %s%s%s", option->name, option->argument == NULL ? "" : " ",
                 option->argument == NULL ? "" : option->argument);
        size_t width = out->length - start;
        buf_addf(out, "%*s%s\n", width < HELP_COLUMN ? (int)(HELP_COLUMN - width) : 1, "",
                 text_in(lang, option->help));
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
