/* `--version --verbose`; see version_page.h. */
#include "cli/version_page.h"

#include "base/file.h"
#include "base/program.h"
#include "document/json.h"
#include "harness/pool/python_home.h"
#include "operator/python_run.h"
#include "report/terminal.h"

#include "commit.h"

#include <utf8proc.h>
#include <yaml.h>

enum {
    LABEL_WIDTH = 12,      /* columns */
    ASK_MS = 20000,        /* a first start from a slow disk takes seconds */
    ASK_MEMORY = 1 << 30,  /* bytes; nothing large is imported */
    ASK_FILE_SIZE = 0,     /* nothing is written */
    ASK_PROCESSES = 16,    /* launchers of interpreters start some */
    ASK_OUTPUT = 8 * 1024, /* bytes: three short lines */
};

typedef struct Page {
    Buf out;
    Lang lang;
} Page;

static const char *say(const Page *page, const char *en, const char *zh)
{
    return text_in(page->lang, (Text){en, zh});
}

static void add_label(Page *page, const char *en, const char *zh)
{
    unsigned width = 0;
    const char *label = say(page, en, zh);
    Str text = str_from(label);
    for (size_t offset = 0; offset < text.length;) {
        width += glyph_next(text, &offset).width;
    }
    buf_addf(&page->out, "%s%*s", label, width < LABEL_WIDTH ? (int)(LABEL_WIDTH - width) : 1, "");
}

static void add_line(Page *page, const char *en, const char *zh, Str value)
{
    add_label(page, en, zh);
    terminal_add(&page->out, value);
    buf_add_char(&page->out, '\n');
}

/* ---- what was built ---- */

static void add_commit(Page *page)
{
    const char *commit = PYPTO_LINT_COMMIT;
    if (*commit == '\0') {
        commit = say(page, "unknown: built from a copy without git", "未知：由不带 git 的副本构建");
    }
    size_t length = strlen(commit);
    bool changed = length > 0 && commit[length - 1] == '+';
    add_label(page, "Commit", "提交");
    buf_addf(&page->out, "%.*s%s\n", (int)(length - changed), commit,
             changed ? say(page, ", with changes", "，有改动") : "");
}

/* The C library that it was built with. */
static Str c_library(Arena *arena)
{
#if defined(__GLIBC__)
    return str_format(arena, "glibc %d.%d", __GLIBC__, __GLIBC_MINOR__);
#elif defined(_WIN32)
    return str_format(arena, "mingw-w64 %d.%d", __MINGW64_VERSION_MAJOR, __MINGW64_VERSION_MINOR);
#else
    (void)arena;
    return STR("the system's C library");
#endif
}

static void add_build(Page *page)
{
    add_label(page, "Built", "构建");
    buf_addf(&page->out, "%s, %s, %.*s, %s%s%s\n", PYPTO_LINT_TARGET, PYPTO_LINT_COMPILER,
             STR_ARG(c_library(page->out.arena)),
             PYPTO_LINT_IS_STATIC ? say(page, "static", "静态") : say(page, "dynamic", "动态"),
             PYPTO_LINT_IS_PROFILED ? say(page, ", profile-guided", "，按性能数据优化") : "",
#ifdef NDEBUG
             ""
#else
             say(page, ", with assertions", "，含断言")
#endif
    );
    add_label(page, "Libraries", "库");
    buf_addf(&page->out, "jansson %s, libyaml %s, utf8proc %s\n", jansson_version_str(),
             yaml_get_version_string(), utf8proc_version());
}

/* ---- what is found ---- */

static void add_place(Page *page, const char *en, const char *zh, bool is_there, Str place)
{
    add_label(page, en, zh);
    buf_addf(&page->out,
             "%s: ", is_there ? say(page, "found", "存在") : say(page, "not found", "找不到"));
    terminal_add(&page->out, place);
    buf_add_char(&page->out, '\n');
}

static void add_home(Page *page, Arena *arena)
{
    Str sim = python_home(arena, "sim");
    Str harness = python_home(arena, "harness");
    bool has_harness = file_is_regular(path_join(arena, harness, STR("pypto_lint_run.py")).at);
    add_line(page, "Program", "程序", program_own(arena));
    add_place(page, "Simulator", "模拟器", simulator_is_built(sim), sim);
    add_place(page, "Harness", "验证框架", has_harness, harness);
}

/* Three lines: the interpreter's version, then for each package its version ("?": it does not say)
 * and its file, or nothing. Nothing is imported from the working directory, where any file of a
 * package's name may lie. */
static PythonResult ask_python(Arena *arena)
{
    static const char code[] =
        "import sys\n"
        "sys.path[:] = [p for p in sys.path if p.startswith('/')]\n"
        "from importlib.machinery import PathFinder\n"
        "from importlib.metadata import version\n"
        "print('%d.%d.%d' % sys.version_info[:3])\n"
        "for name in ('torch', 'numpy'):\n"
        "    spec = PathFinder.find_spec(name)\n"
        "    try:\n"
        "        said = version(name) or '?'\n"
        "    except Exception:\n"
        "        said = '?'\n"
        "    print('%s: %s' % (said, spec.origin) if spec and spec.origin else '')\n";
    static const char *const arguments[] = {"-B", "-c", code, NULL};
    PythonJob job = {.named = STR(""),
                     .arguments = arguments,
                     .milliseconds = ASK_MS,
                     .memory = ASK_MEMORY,
                     .file_size = ASK_FILE_SIZE,
                     .processes = ASK_PROCESSES,
                     .output = ASK_OUTPUT};
    return python_run(arena, &job);
}

static Str take_line(Str *text)
{
    size_t end = str_find(*text, STR("\n"), 0);
    end = end == SIZE_MAX ? text->length : end;
    Str line = str_slice(*text, 0, end);
    *text = str_slice(*text, end < text->length ? end + 1 : end, text->length);
    return line;
}

static void add_python(Page *page, Arena *arena)
{
    static const char *const packages[] = {"torch", "NumPy"};
    PythonResult result = ask_python(arena);
    bool answered = result.end == PROCESS_EXITED && result.value == 0;
    Str answer = answered ? result.out : STR("");
    Str number = take_line(&answer);
    add_label(page, "Python", "Python");
    if (result.end == PROCESS_NOT_FOUND) {
        buf_addf(&page->out, "%s: ", say(page, "not found", "找不到"));
    } else if (answered) {
        terminal_add(&page->out, number);
        buf_add(&page->out, STR(": "));
    }
    terminal_add(&page->out, result.interpreter);
    if (!answered && result.end != PROCESS_NOT_FOUND) {
        buf_addf(&page->out, " %s", say(page, "(does not run)", "（无法运行）"));
    }
    buf_add_char(&page->out, '\n');
    for (int i = 0; i < 2; i++) {
        Str line = take_line(&answer);
        Str unknown =
            str_from(answered ? say(page, "not found", "找不到") : say(page, "unknown", "未知"));
        add_line(page, packages[i], packages[i], line.length > 0 ? line : unknown);
    }
}

Str version_page(Arena *arena, Lang lang)
{
    Page page = {.out = {.arena = arena}, .lang = lang};
    buf_add(&page.out, STR("pypto-lint " PYPTO_LINT_VERSION "\n"));
    add_commit(&page);
    add_build(&page);
    add_home(&page, arena);
    add_python(&page, arena);
    add_line(&page, "Network", "网络",
             str_from(say(&page, "nothing calls home", "不会向任何地方回传信息")));
    return buf_str(&page.out);
}
