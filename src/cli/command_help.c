/* `help`: the commands, and each command's usage. */
#include "cli/command_init.h"
#include "cli/command_scaffold.h"
#include "cli/command_verify_options.h"
#include "cli/launch_options.h"
#include "cli/options.h"

typedef struct CommandHelp {
    const char *name;
    const char *usage;
    Text summary;
    void (*list_options)(Buf *out, Lang lang); /* NULL: the usage says it all */
} CommandHelp;

static const CommandHelp commands[] = {
    {"check",
     "pypto-lint [check] [OPTIONS] [PATH...]",
     {"lint files and directories (the default command; no PATH: the working directory)",
      "检查文件和目录（缺省命令；没有 PATH 时检查当前目录）"},
     options_help},
    {"rules",
     "pypto-lint rules [--format text|json] [--lang en|zh]",
     {"list every rule and the retired ids", "列出所有规则和停用的编号"},
     NULL},
    {"explain",
     "pypto-lint explain OLxx...",
     {"show the page of a rule: why, wrong, right, how to fix",
      "显示规则说明：原因、错例、正例、修复方法"},
     NULL},
    {"doctor",
     "pypto-lint doctor [--format text|json] [--lang en|zh] [DIR]",
     {"show what an operator directory is taken for: name, stage, phases, files, rules",
      "显示对算子目录的判断：名称、阶段、分阶段文件、产物、规则"},
     NULL},
    {"hook",
     "pypto-lint hook post-edit|pre-edit|post-bash|stop|session-start "
     "[--client NAME] [--wants VERSION] [--metrics FILE] [--lang en|zh]",
     {"answer an event of an AI editor, read from standard input (docs/hooks.md)",
      "应答 AI 编辑器的事件，事件从标准输入读取（docs/hooks.md）"},
     NULL},
    {"init",
     "pypto-lint init [OPTIONS]",
     {"have editors, pre-commit or GitHub call the linter: shows the changes, then asks "
      "(docs/clients/README.md)",
      "配置编辑器、pre-commit 或 GitHub 调用本工具：先显示更改，再询问（docs/clients/README.md）"},
     init_options_help},
    {"stats",
     "pypto-lint stats [--format text|markdown|json] [--op-dir DIR] [--since SECONDS] "
     "[--lang en|zh] FILE",
     {"sum up a log of metrics (docs/metrics.md); FILE may be `-`",
      "汇总指标日志（docs/metrics.md）；FILE 可以是 `-`"},
     NULL},
    {"run",
     "pypto-lint run [OPTIONS] FILE|-m MODULE [ARGS...]",
     {"run a Python program with PyPTO simulated on this machine (docs/simulator.md)",
      "在本机模拟 PyPTO，运行 Python 程序（docs/simulator.md）"},
     run_options_help},
    {"test",
     "pypto-lint test [OPTIONS] FILE [NAME...]",
     {"run the test_* functions of a Python file under the simulator (docs/command-line.md)",
      "在模拟器中运行 Python 文件的 test_* 函数（docs/command-line.md）"},
     test_options_help},
    {"tolerance",
     "pypto-lint tolerance [OPTIONS] CASE",
     {"say whether a kernel beyond the tolerance of a case is to blame (docs/tolerance.md)",
      "判断超出用例容差的 kernel 是否有责（docs/tolerance.md）"},
     tolerance_options_help},
    {"verify",
     "pypto-lint verify [OPTIONS]",
     {"run an implementation against its reference, case by case, and report (docs/verify.md)",
      "逐个用例对照参考实现运行实现并生成报告（docs/verify.md）"},
     verify_options_help},
    {"scaffold",
     "pypto-lint scaffold interfaces|eval|module Mk|e2e [OPTIONS]",
     {"make the contract, inputs, suite or tests of an operator (docs/scaffolding.md)",
      "生成算子的模块契约、测试输入、用例集或测试（docs/scaffolding.md）"},
     scaffold_options_help},
    {"interfaces",
     "pypto-lint interfaces [--json] FILE",
     {"check the wiring of a module contract (docs/scaffolding.md)",
      "检查模块契约的连接关系（docs/scaffolding.md）"},
     NULL},
    {"compose",
     "pypto-lint compose [OPTIONS]",
     {"hold the composed golden of all modules against the operator's (docs/scaffolding.md)",
      "比较全部模块的组合 golden 与算子 golden（docs/scaffolding.md）"},
     compose_options_help},
    {"help",
     "pypto-lint help [COMMAND]",
     {"show this, or the usage of a command", "显示本说明或某个命令的用法"},
     NULL},
};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static void add_overview(Buf *out, Lang lang)
{
    buf_addf(
        out, "%s\n\n",
        text_in(lang,
                (Text){"pypto-lint: finds mistakes in PyPTO kernels and their operator directories",
                       "pypto-lint：检查 PyPTO kernel 及其算子目录中的错误"}));
    buf_addf(out, "%s\n", text_in(lang, (Text){"Commands:", "命令："}));
    for (int i = 0; i < COMMAND_COUNT; i++) {
        buf_addf(out, "  %-10s %s\n", commands[i].name, text_in(lang, commands[i].summary));
    }
    buf_addf(
        out, "\n%s\n",
        text_in(lang,
                (Text){"Gates (without a command): --stage N, --phase Mk, --design [--op-dir DIR]",
                       "门禁（不带命令）：--stage N、--phase Mk、--design [--op-dir DIR]"}));
    buf_addf(
        out, "%s\n",
        text_in(lang, (Text){"Exit status: 0 clean, 1 findings at or above --fail-on, 2 trouble.",
                             "退出状态：0 无问题，1 有达到 --fail-on 级别的问题，2 出错。"}));
}

int command_help(Arena *arena, int argc, char **argv)
{
    Lang lang = default_lang();
    Buf out = {.arena = arena};
    buf_add(&out, STR(""));
    const CommandHelp *command = NULL;
    if (argc > 1) {
        return trouble("help takes one command, not '%s' too (see pypto-lint help)", argv[1]);
    }
    char *self[] = {(char[]){"help"}, NULL};
    if (argc > 0 && (str_is(str_from(argv[0]), "--help") || str_is(str_from(argv[0]), "-h"))) {
        argv = self;
    }
    for (int i = 0; argc > 0 && i < COMMAND_COUNT; i++) {
        if (str_is(str_from(argv[0]), commands[i].name)) {
            command = &commands[i];
        }
    }
    if (argc > 0 && command == NULL) {
        return trouble("no command '%s' (see pypto-lint help)", argv[0]);
    }
    if (command == NULL) {
        add_overview(&out, lang);
        command = &commands[0];
        buf_addf(&out, "\n");
    }
    buf_addf(&out, "%s %s\n", text_in(lang, (Text){"Usage:", "用法："}), command->usage);
    buf_addf(&out, "%s\n", text_in(lang, command->summary));
    if (command->list_options != NULL) {
        buf_addf(&out, "\n%s\n", text_in(lang, (Text){"Options:", "选项："}));
        command->list_options(&out, lang);
    }
    return print_all(buf_str(&out)) ? EXIT_CLEAN : EXIT_TROUBLE;
}
