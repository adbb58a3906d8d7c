/* OL11: the golden cannot be imported.
 *
 * Runs it: a Python process with limits imports `<op>_golden` with the operator directory at the
 * front of the module search path. The only rule that runs code of the user; op->may_execute says
 * whether it may. Looks at the exit status, and for the message at the end of the error output. */
#include "base/fence.h"
#include "base/utf8.h"
#include "lint/rule.h"
#include "operator/python_run.h"
#include "operator/text.h"

#include <stdlib.h>

enum {
    MOST_PROCESSES = 1024,
    KEPT_OUTPUT = 64 * 1024,
    SHOWN_POINTS = 200,   /* of the last line of the error output */
    REPLACEMENT = 0xfffd, /* what utf8_next gives for an invalid byte */
};
static const RuleOption options[] = {
    {"seconds", 10, 1, 120, {"how long the import may take", "导入最多可用多少秒"}},
    {0},
};

#define MOST_MEMORY  ((uint64_t)8 << 30)
#define MOST_WRITTEN ((uint64_t)16 << 20)

typedef struct Import {
    RuleRun *run;
    Str path;   /* of the golden, relative */
    Str module; /* its name without .py */
    Str dir;    /* the operator directory, absolute */
} Import;

static PythonResult run_import(const Import *import)
{
    /* From their sources: a compiled copy beside them may be another program. */
    static const char code[] =
        "import sys\n"
        "from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, FileFinder, "
        "SourceFileLoader\n"
        "class Source(SourceFileLoader):\n"
        "    def get_code(self, name):\n"
        "        return self.source_to_code(self.get_data(self.path), self.path)\n"
        "folder = sys.argv.pop(1)\n"
        "sys.path.insert(0, folder)\n"
        "sys.path_importer_cache[folder] = FileFinder(\n"
        "    folder, (ExtensionFileLoader, EXTENSION_SUFFIXES), (Source, ['.py']))\n"
        "__import__(sys.argv.pop(1))\n";
    const char *arguments[] = {"-B", "-c", code, import->dir.at, import->module.at, NULL};
    PythonJob job = {.named = import->run->op->interpreter,
                     .arguments = arguments,
                     .milliseconds = (uint32_t)(rule_number(import->run, "seconds") * 1000),
                     .memory = MOST_MEMORY,
                     .file_size = MOST_WRITTEN,
                     .processes = MOST_PROCESSES,
                     .output = KEPT_OUTPUT};
    return python_run(import->run->arena, &job);
}

/* --- the error output */

/* A line of foreign text for a message: as valid UTF-8, without control characters, cut off after
 * SHOWN_POINTS characters. */
static Str shown_line(Arena *arena, Str line)
{
    Buf buf = {.arena = arena};
    buf_add(&buf, STR(""));
    size_t at = 0;
    for (int points = 0; at < line.length; points++) {
        if (points == SHOWN_POINTS) {
            buf_add(&buf, STR("…"));
            break;
        }
        size_t start = at;
        uint32_t c = utf8_next(line, &at);
        if (c == REPLACEMENT) {
            buf_add(&buf, STR("\xef\xbf\xbd"));
        } else {
            buf_add(&buf, code_point_is_hidden(c) ? STR(" ") : str_slice(line, start, at));
        }
    }
    return str_trim(buf_str(&buf));
}

static Str last_line(Arena *arena, Str text)
{
    Str last = STR("");
    Str line;
    for (size_t at = 0; text_next_line(text, &at, &line);) {
        if (str_trim(line).length > 0) {
            last = str_trim(line);
        }
    }
    return shown_line(arena, last);
}

/* Line of the last frame of the traceback that lies in the golden; 0 without one. */
static uint32_t traceback_line(const Import *import, Str text)
{
    Str head = str_format(import->run->arena, "File \"%.*s/%.*s\", line ", STR_ARG(import->dir),
                          STR_ARG(import->path));
    uint32_t found = 0;
    Str line;
    for (size_t at = 0; text_next_line(text, &at, &line);) {
        Str frame = str_trim(line);
        if (!str_starts(frame, head)) {
            continue;
        }
        uint32_t number = 0;
        size_t i = head.length;
        while (i < frame.length && i < head.length + 9 && frame.at[i] >= '0' &&
               frame.at[i] <= '9') {
            number = number * 10 + (uint32_t)(frame.at[i++] - '0');
        }
        found = number == 0 ? found : number;
    }
    return found;
}

/* That line of the golden without its indentation; the whole file when there is no such line. */
static Place at_golden_line(const Import *import, uint32_t line)
{
    const PyFile *file = operator_python(import->run->op, import->path);
    const Source *source = &file->parsed.source;
    if (line == 0 || line > source->line_count) {
        return at_file(import->path);
    }
    Str text = source_line_text(source, line);
    Str code = str_trim(text);
    if (code.length == 0) {
        return at_file(import->path);
    }
    uint32_t start = (uint32_t)(code.at - source->text.at);
    return at_range(file, start, start + (uint32_t)code.length);
}

/* --- findings */

static void report_end(const Import *import, const PythonResult *result)
{
    RuleRun *run = import->run;
    Str last = last_line(run->arena, result->err);
    Place place = at_golden_line(import, traceback_line(import, result->err));
    if (result->end == PROCESS_EXITED && last.length > 0) {
        report(run, STATUS_FAIL, place, "%.*s cannot be imported: %.*s (by %.*s)",
               "%.*s 无法导入：%.*s（解释器 %.*s）", STR_ARG(import->path), STR_ARG(last),
               STR_ARG(result->interpreter));
    } else if (result->end == PROCESS_EXITED) {
        report(run, STATUS_FAIL, place, "%.*s: the import ends Python with exit status %d",
               "%.*s：导入时 Python 以退出状态 %d 结束", STR_ARG(import->path), result->value);
    } else {
        report(run, STATUS_FAIL, place, "%.*s: the import was killed by signal %d%s%.*s",
               "%.*s：导入被信号 %d 终止%s%.*s", STR_ARG(import->path), result->value,
               last.length > 0 ? ": " : "", STR_ARG(last));
    }
}

static void report_result(const Import *import, const PythonResult *result)
{
    RuleRun *run = import->run;
    Place file = at_file(import->path);
    Str path = import->path;
    switch (result->end) {
    case PROCESS_EXITED:
        if (result->value != 0) {
            report_end(import, result);
        }
        break;
    case PROCESS_KILLED:
        report_end(import, result);
        break;
    case PROCESS_LATE:
        report(run, STATUS_FAIL, file, "%.*s: the import takes longer than %d seconds",
               "%.*s：导入超过 %d 秒", STR_ARG(path), (int)rule_number(run, "seconds"));
        break;
    case PROCESS_TOO_MANY:
        report(run, STATUS_FAIL, file, "%.*s: the import starts more than %d processes",
               "%.*s：导入启动了超过 %d 个进程", STR_ARG(path), (int)MOST_PROCESSES);
        break;
    case PROCESS_NOT_FOUND:
        report(run, STATUS_FAIL, file,
               "%.*s cannot be imported: there is no Python interpreter '%.*s'",
               "%.*s 无法导入：没有 Python 解释器 '%.*s'", STR_ARG(path),
               STR_ARG(result->interpreter));
        break;
    default: /* not started */
        report(run, STATUS_FAIL, file,
               "%.*s cannot be imported: the Python interpreter %.*s does not start: %s",
               "%.*s 无法导入：Python 解释器 %.*s 无法启动：%s", STR_ARG(path),
               STR_ARG(result->interpreter), strerror(result->value));
    }
}

static Str absolute(Arena *arena, Str dir)
{
    Str real = path_real(arena, dir);
    return real.length == 0 ? dir : real;
}

static void check(RuleRun *run)
{
    Operator *op = run->op;
    if (!op->may_execute) {
        rule_skip(run, "Python is not started here: only a gate without --no-exec runs the golden",
                  "此处不启动 Python：只有不带 --no-exec 的门禁才会运行 golden");
        run->notable = op->no_exec; /* a gate that could have, but for --no-exec */
        return;
    }
    Import import = {.run = run, .path = operator_artifact(op, KIND_GOLDEN)};
    if (!operator_has_file(op, import.path)) {
        report(run, STATUS_FAIL, at_file(import.path), "%.*s does not exist", "%.*s 不存在",
               STR_ARG(import.path));
        return;
    }
    Str golden = path_join(run->arena, op->dir, import.path);
    if (fence_is_crossed(fence_of(run->arena, op->dir), golden.at)) {
        report(run, STATUS_FAIL, at_file(import.path),
               "%.*s is a link that leads out of the project; it is not imported",
               "%.*s 是指向项目之外的链接，不会导入", STR_ARG(import.path));
        return;
    }
    import.module = artifact_name(op->arena, KIND_GOLDEN, op->name);
    import.dir = absolute(run->arena, op->dir);
    PythonResult result = run_import(&import);
    size_t before = run->findings.count;
    report_result(&import, &result);
    if (run->findings.count > before) {
        finding_hint(run, run->findings.items[before],
                     "Make `%.*s -c \"import %.*s\"` succeed in the operator directory. The wrong "
                     "interpreter? Name another with --python or PYPTO_LINT_PYTHON.",
                     "使 `%.*s -c \"import %.*s\"` 在算子目录中成功。解释器不对？请用 --python 或 "
                     "PYPTO_LINT_PYTHON 指定。",
                     STR_ARG(result.interpreter), STR_ARG(import.module));
    }
}

const Rule ol11 = {
    .id = "OL11",
    .name = "golden-import-fails",
    .order = 12,
    .severity = S2,
    .dimension = D2,
    .effort = E2,
    .stages = STAGE(2),
    .target = TARGET_GATE,
    .fix = FIX_NONE,
    .holds_gate = true, /* S2 for the Python linter, whose gate of stage 2 so passed any golden */
    .hint = {"Write the golden, a Python file that can be imported.",
             "编写可以导入的 golden（Python 文件）。"},
    .options = options,
    .check = check,
};
