/* `new`: an operator directory from a template (docs/kernel-authors/new-operator.md). */
#include "cli/starter.h"

#include "base/file.h"
#include "base/path.h"
#include "harness/plan/contract.h"

typedef struct NewOptions {
    Str template, from;
    uint32_t modules;
    bool list;
    Lang lang;
} NewOptions;

static const Option rows[] = {
    {.name = "--template",
     .argument = "NAME",
     .kind = OPTION_WORD,
     .offset = offsetof(NewOptions, template),
     .help = {"the template to begin with; default: elementwise", "所用模板；缺省：elementwise"},
     .words = starter_names},
    TEXT_ROW(NewOptions, from, "--from", "FILE[:FUNCTION]",
             "begin with a torch function of this file, which is read and not run",
             "以该文件中的 torch 函数为起点；只读取，不执行"),
    NUMBER_ROW(NewOptions, modules, "--modules", "N", "how many modules it has, 1 to 9",
               "模块数，1 到 9"),
    FLAG_ROW(NewOptions, list, "--list", "list the templates and exit", "列出模板后退出"),
    CHOICE_ROW(NewOptions, lang, "--lang", "en|zh", "language of the documents and messages",
               "文档和消息的语言"),
};

const OptionTable new_operator_options = OPTION_TABLE(rows, .most_words = 1);

static int show_list(Arena *arena, Lang lang)
{
    Buf names = {.arena = arena}, out = {.arena = arena};
    starter_names(&names);
    Str text = buf_str(&names);
    for (size_t at = 0; at < text.length;) {
        size_t end = str_find(text, STR("\n"), at);
        Starter starter = {.arena = arena, .lang = lang};
        starter_use_template(&starter, str_slice(text, at, end));
        Str title = starter_text(&starter, "title");
        buf_addf(&out, "%-14.*s %.*s\n", STR_ARG(starter.template), STR_ARG(title));
        at = end + 1;
    }
    return print_all(buf_str(&out)) ? EXIT_CLEAN : EXIT_ERROR;
}

/* A name alone is one below ./custom, where that is not the folder we are in. */
static Str place_of(Arena *arena, Str word)
{
    bool is_path = str_contains(word, STR("/"));
    bool within = str_is(path_basename(working_directory(arena)), "custom");
    return is_path || within ? path_without_slash(word)
                             : str_format(arena, "custom/%.*s", STR_ARG(word));
}

static int show_done(Arena *arena, const Starter *starter, Str dir)
{
    Buf out = {.arena = arena};
    bool zh = starter->lang == LANG_ZH;
    buf_addf(&out, zh ? "已创建 %.*s（模板：%.*s）：\n" : "%.*s made, from %.*s:\n", STR_ARG(dir),
             STR_ARG(starter->template));
    for (uint32_t i = 0; i < starter->files.count; i++) {
        buf_addf(&out, "  %.*s\n", STR_ARG(starter->files.items[i].path));
    }
    buf_addf(&out,
             zh ? "含 \"%s\" 的各行由你填写。接下来：pypto-lint next --op-dir %.*s\n"
                : "Lines with \"%s\" are yours to write. Next: pypto-lint next --op-dir %.*s\n",
             zh ? FILL_IN_ZH : FILL_IN_EN, STR_ARG(dir));
    return print_all(buf_str(&out)) ? EXIT_CLEAN : EXIT_ERROR;
}

int command_new_operator(const Command *self, Arena *arena, int argc, char **argv)
{
    NewOptions options = {.template = STR(""), .modules = 1, .lang = default_lang()};
    Words words;
    int status = command_read(self, arena, &options, &words, argc, argv);
    if (status != EXIT_CLEAN || options.list) {
        return status != EXIT_CLEAN ? status : show_list(arena, options.lang);
    }
    if (words.count == 0) {
        return print_error("new needs the name of the operator: pypto-lint new OP");
    }
    if (options.modules == 0 || options.modules > STARTER_MOST_MODULES) {
        return print_error("--modules: 1 to %d", STARTER_MOST_MODULES);
    }
    if (options.from.length > 0 && options.template.length > 0) {
        return print_error("--from and --template exclude each other");
    }
    Str dir = place_of(arena, str_from(words.items[0]));
    Starter starter = {
        .arena = arena, .op = path_basename(dir), .modules = options.modules, .lang = options.lang};
    if (!is_python_name(starter.op)) {
        return print_error("'%.*s': the name of an operator is a name for Python: letters, digits "
                           "and _",
                           STR_ARG(starter.op));
    }
    if (file_exists(str_dup(arena, dir))) {
        return print_error("%.*s is there already; nothing was written", STR_ARG(dir));
    }
    if (options.from.length > 0) {
        if (!starter_use_file(&starter, options.from)) {
            return EXIT_ERROR;
        }
    } else {
        starter_use_template(&starter,
                             options.template.length > 0 ? options.template : STR("elementwise"));
    }
    return starter_fill(&starter) && starter_write(&starter, dir) ? show_done(arena, &starter, dir)
                                                                  : EXIT_ERROR;
}
