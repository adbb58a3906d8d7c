/* Recognises commands that only show or prepare something; see log_commands.h. */
#include "diagnose/log_commands.h"

#include "base/ascii.h"
#include "diagnose/log_key.h"
#include "diagnose/word_list.h"
#include "operator/text.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

static const struct {
    const char *name;
    CommandKind kind;
} commands[] = {
    {"cat", COMMAND_QUOTES},        {"sed", COMMAND_QUOTES},        {"head", COMMAND_QUOTES},
    {"tail", COMMAND_QUOTES},       {"grep", COMMAND_QUOTES},       {"less", COMMAND_QUOTES},
    {"more", COMMAND_QUOTES},       {"awk", COMMAND_QUOTES},        {"zcat", COMMAND_QUOTES},
    {"echo", COMMAND_QUOTES},       {"history", COMMAND_MANUAL},    {"man", COMMAND_MANUAL},
    {"nl", COMMAND_QUOTES},         {"ls", COMMAND_LOOKS},          {"ll", COMMAND_LOOKS},
    {"id", COMMAND_LOOKS},          {"groups", COMMAND_LOOKS},      {"whoami", COMMAND_LOOKS},
    {"df", COMMAND_LOOKS},          {"du", COMMAND_LOOKS},          {"free", COMMAND_LOOKS},
    {"ps", COMMAND_LOOKS},          {"top", COMMAND_LOOKS},         {"env", COMMAND_LOOKS},
    {"printenv", COMMAND_LOOKS},    {"npu-smi", COMMAND_LOOKS},     {"hccn_tool", COMMAND_LOOKS},
    {"nvidia-smi", COMMAND_LOOKS},  {"dmesg", COMMAND_LOOKS},       {"journalctl", COMMAND_LOOKS},
    {"lsmod", COMMAND_LOOKS},       {"lspci", COMMAND_LOOKS},       {"uname", COMMAND_LOOKS},
    {"which", COMMAND_LOOKS},       {"quota", COMMAND_LOOKS},       {"stat", COMMAND_LOOKS},
    {"msnpureport", COMMAND_LOOKS}, {"ldd", COMMAND_LOOKS},         {"nm", COMMAND_LOOKS},
    {"crontab", COMMAND_LOOKS},     {"diff", COMMAND_MANUAL},       {"find", COMMAND_LOOKS},
    {"file", COMMAND_LOOKS},        {"lscpu", COMMAND_LOOKS},       {"arch", COMMAND_LOOKS},
    {"ip", COMMAND_LOOKS},          {"ss", COMMAND_LOOKS},          {"lslocks", COMMAND_LOOKS},
    {"getent", COMMAND_LOOKS},      {"hostname", COMMAND_LOOKS},    {"readelf", COMMAND_LOOKS},
    {"objdump", COMMAND_LOOKS},     {"strings", COMMAND_LOOKS},     {"py-spy", COMMAND_LOOKS},
    {"sacct", COMMAND_LOOKS},       {"squeue", COMMAND_LOOKS},      {"ipmitool", COMMAND_LOOKS},
    {"smartctl", COMMAND_LOOKS},    {"uptime", COMMAND_LOOKS},      {"date", COMMAND_LOOKS},
    {"gdb", COMMAND_LOOKS},         {"coredumpctl", COMMAND_LOOKS}, {"addr2line", COMMAND_LOOKS},
    {"wc", COMMAND_LOOKS},          {"mount", COMMAND_LOOKS},       {"fuser", COMMAND_LOOKS},
    {"lsof", COMMAND_LOOKS},        {"nproc", COMMAND_LOOKS},       {"numactl", COMMAND_LOOKS},
    {"export", COMMAND_SETS_UP},    {"source", COMMAND_SETS_UP},    {".", COMMAND_SETS_UP},
    {"cd", COMMAND_SETS_UP},        {"set", COMMAND_SETS_UP},       {"trap", COMMAND_SETS_UP},
    {"unset", COMMAND_SETS_UP},     {"ulimit", COMMAND_SETS_UP},    {"module", COMMAND_SETS_UP},
    {"su", COMMAND_SETS_UP},        {"docker", COMMAND_SETS_UP},    {"podman", COMMAND_SETS_UP},
    {"nerdctl", COMMAND_SETS_UP},   {"kubectl", COMMAND_SETS_UP},   {"conda", COMMAND_SETS_UP},
    {"pip", COMMAND_SETS_UP},       {"pip3", COMMAND_SETS_UP},
};

/* The command after `sudo`. */
static Str without_sudo(Str command)
{
    const Str sudo = STR("sudo ");
    bool begins = str_starts(command, sudo);
    return begins ? str_trim(str_slice(command, sudo.length, command.length)) : command;
}

/* `python3`, `python3 -V` and the like only query the interpreter. */
static bool asks_python(Str name, Str rest)
{
    static const char *const names[] = {"python", "python3"};
    static const char *const asks[] = {"-c ", "-m site", "-m pip", "-V", "--version"};
    return STR_IS_ANY(name, names) && (rest.length == 0 || STARTS_WITH(asks, rest));
}

/* `pypto-lint explain OL48`: such pages mention codes and errors. */
static bool is_manual(Str name, Str rest)
{
    static const char *const pages[] = {"explain", "rules", "api", "help", "man", "--help"};
    return str_is(name, "pypto-lint") && STR_IS_ANY(text_first_word(rest), pages);
}

/* `git log`, `git diff` and the like show messages and sources, never the result of a run. */
static bool shows_history(Str name, Str rest)
{
    static const char *const words[] = {"log", "diff", "show", "blame", "grep", "reflog"};
    return str_is(name, "git") && STR_IS_ANY(text_first_word(rest), words);
}

/* `kubectl get` and `docker ps` only look at things; `docker logs` prints the output of a run. */
static CommandKind kind_of_container(Str rest, CommandKind usual)
{
    static const char *const looks[] = {"get",     "describe", "top", "ps",
                                        "inspect", "images",   "info"};
    Str word = text_first_word(rest);
    return STR_IS_ANY(word, looks) ? COMMAND_LOOKS : str_is(word, "logs") ? COMMAND_WORKS : usual;
}

static bool is_container_tool(Str name)
{
    static const char *const names[] = {"docker", "podman", "nerdctl", "kubectl"};
    return STR_IS_ANY(name, names);
}

/* Does the command show a page or a patch (`less faq.md`)? Source files do not count: the lines
 * after them may be the output of another command without a prompt. */
static bool names_page(Str rest)
{
    static const char *const endings[] = {".md", ".rst", ".html", ".diff", ".patch"};
    size_t pipe = str_find(rest, STR(" | "), 0);
    return ENDS_WITH(endings, str_trim(str_slice(rest, 0, pipe)));
}

/* Does the output feed a program that does its own work (`git show HEAD:a.py | python3 -`)? */
static bool feeds_program(Str command)
{
    static const char *const programs[] = {"<(",   "| python", "| bash",
                                           "| sh", "| sudo ",  "| xargs "};
    return HAS_TEXT(programs, command);
}

/* The command after words that do nothing by themselves: "do npu-smi info", "while ls". */
static Str inner_command(Str command)
{
    static const char *const before[] = {"do",    "then", "else", "if", "while", "until",
                                         "watch", "time", "{",    "(",  "!"};
    Str word = text_first_word(command);
    while (STR_IS_ANY(word, before)) {
        command = str_trim(str_slice(command, word.length, command.length));
        word = text_first_word(command);
    }
    return command;
}

/* COMMAND_NONE: only words between commands ("for i in 0 1", "done"). */
static CommandKind kind_of_one(Str command)
{
    static const char *const idle[] = {"for", "done", "fi", ":", "true", "sleep", "read"};
    command = inner_command(command);
    if (STR_IS_ANY(text_first_word(command), idle)) {
        return COMMAND_NONE;
    }
    if (feeds_program(command)) {
        return COMMAND_WORKS;
    }
    bool sudo = str_starts(command, STR("sudo "));
    command = without_sudo(command);
    Str name = text_first_word(command);
    Str rest = str_trim(str_slice(command, name.length, command.length));
    for (size_t i = 0; i < COUNT(commands); i++) {
        if (str_is(name, commands[i].name)) {
            CommandKind kind = commands[i].kind;
            kind = is_container_tool(name) ? kind_of_container(rest, kind) : kind;
            /* root installs packages for its own interpreter */
            return sudo && str_starts(name, STR("pip"))         ? COMMAND_WORKS
                   : kind == COMMAND_QUOTES && names_page(rest) ? COMMAND_MANUAL
                                                                : kind;
        }
    }
    return is_manual(name, rest) || shows_history(name, rest) ? COMMAND_MANUAL
           : !sudo && asks_python(name, rest)                 ? COMMAND_SETS_UP
                                                              : COMMAND_WORKS;
}

/* Is the character quoted, or a quotation mark? `quote`: the mark that is open; 0: none. */
static bool is_quoted(char *quote, char c)
{
    if (*quote != '\0') {
        *quote = *quote == c ? '\0' : *quote;
        return true;
    }
    *quote = c == '"' || c == '\'' ? c : '\0';
    return *quote != '\0';
}

/* The end of the first of several commands (`a; b`, `a && b`, `a || b`); quoted signs do not end
 * one. */
static size_t first_end(Str command)
{
    char quote = '\0';
    for (size_t i = 0; i < command.length; i++) {
        char c = command.at[i], next = i + 1 < command.length ? command.at[i + 1] : '\0';
        bool ends = c == ';' || ((c == '&' || c == '|') && next == c);
        if (!is_quoted(&quote, c) && ends) {
            return i;
        }
    }
    return command.length;
}

/* The quoted command in "ssh host 'hccn_tool -i 5 -link -g'"; empty: none, or more follows it. */
static Str remote_command(Str command)
{
    size_t quote = str_starts(command, STR("ssh ")) ? str_find(command, STR("'"), 0) : SIZE_MAX;
    size_t end = quote == SIZE_MAX ? SIZE_MAX : str_find(command, STR("'"), quote + 1);
    bool last = end != SIZE_MAX && end + 1 == command.length;
    return last ? str_slice(command, quote + 1, end) : STR("");
}

CommandKind log_command_kind(Str command)
{
    enum { MOST_PARTS = 8 };
    Str remote = remote_command(command), rest = remote.length > 0 ? remote : command;
    CommandKind kind = COMMAND_NONE;
    for (int parts = 0; parts < MOST_PARTS; parts++) {
        rest = str_trim(rest);
        size_t end = first_end(rest);
        Str part = str_trim(str_slice(rest, 0, end));
        bool empty = part.length == 0 && parts > 0;
        CommandKind one = empty ? COMMAND_NONE : kind_of_one(part);
        kind = one != COMMAND_NONE && (kind == COMMAND_NONE || one < kind) ? one : kind;
        if (end == rest.length) {
            return kind == COMMAND_NONE ? COMMAND_WORKS : kind; /* the body follows */
        }
        while (end < rest.length && strchr(";&|", rest.at[end]) != NULL) {
            end++;
        }
        rest = str_slice(rest, end, rest.length);
    }
    return COMMAND_WORKS; /* there are more parts, which may do anything */
}

bool log_command_prepares(Str command)
{
    command = without_sudo(command);
    Str name = text_first_word(command);
    CommandKind kind = log_command_kind(command);
    bool works = kind == COMMAND_SETS_UP && (is_container_tool(name) || str_is(name, "su"));
    return kind >= COMMAND_SETS_UP && !works;
}

bool log_command_may_fail(Str command)
{
    static const char *const tools[] = {
        "rm",   "rmdir",   "mkdir", "mv",     "cp",    "ln",      "[",        "test",
        "kill", "command", "touch", "umount", "pkill", "killall", "modprobe", "rmmod"};
    return str_contains(command, STR(" || ")) && !str_contains(command, STR("|| exit")) &&
           STR_IS_ANY(text_first_word(command), tools);
}

CommandShape log_command_shape(Str command)
{
    CommandShape shape = SHAPE_SINGLE;
    char quote = '\0';
    for (size_t i = 0; i < command.length && shape != SHAPE_LIST; i++) {
        char c = command.at[i], next = i + 1 < command.length ? command.at[i + 1] : '\0';
        bool sign = c == '|' || c == '&' || c == ';';
        bool redirects = c == '&' && (next == '>' || (i > 0 && command.at[i - 1] == '>'));
        if (is_quoted(&quote, c) || !sign || redirects) {
            continue; /* `2>&1` and `&>log` */
        }
        bool doubled = next == c;
        if (c == '&' && doubled && shape == SHAPE_SINGLE) {
            i++;
        } else {
            shape = c == '|' && !doubled ? SHAPE_PIPE : SHAPE_LIST;
            i += c == '|' && next == '&' ? 1 : 0; /* `make |& tee log` */
        }
    }
    return shape;
}

uint64_t log_command_subject(Str command)
{
    size_t install = str_find(command, STR("pip"), 0);
    install = install == SIZE_MAX ? SIZE_MAX : str_find(command, STR(" install "), install);
    if (install == SIZE_MAX) {
        return 0;
    }
    size_t begin = command.length;
    while (begin > install && command.at[begin - 1] != ' ') {
        begin--;
    }
    Str word = str_slice(command, begin, command.length);
    size_t end = 0;
    while (end < word.length && strchr("=<>[;", word.at[end]) == NULL) {
        end++;
    }
    return log_key(str_slice(word, 0, end));
}
