/* `scaffold`: makes files of the verification workflow (docs/kernel-authors/scaffolding.md). */
#include "cli/cli.h"

#include "base/file.h"
#include "cli/operator_place.h"
#include "harness/plan/phase.h"
#include "harness/scaffold/scaffold.h"

typedef struct ScaffoldOptions {
    Str op, op_dir, phase, golden, spec, output;
    bool force, dry_run;
} ScaffoldOptions;

static void add_kinds(Buf *out)
{
    buf_add(out, STR("interfaces\neval\nmodule\ne2e\n"));
}

static const Option rows[] = {
    TEXT_ROW(ScaffoldOptions, op, "--op", "OP",
             "the operator: a name below ./custom, or its directory",
             "算子：./custom 下的名称，或其目录"),
    TEXT_ROW(ScaffoldOptions, op_dir, "--op-dir", "DIR",
             "its directory; without both the one around the working directory",
             "算子目录；两者都不给时为当前目录所在的算子目录"),
    TEXT_ROW(ScaffoldOptions, phase, "--phase", "K", "module: the phase, k or Mk",
             "module：阶段，k 或 Mk"),
    TEXT_ROW(ScaffoldOptions, golden, "--golden", "FILE",
             "interfaces: the golden; without it <op>_golden.py of the directory",
             "interfaces：golden 文件；缺省为算子目录中的 <op>_golden.py"),
    TEXT_ROW(ScaffoldOptions, spec, "--spec", "FILE",
             "interfaces: the SPEC.md; without it the one beside the golden",
             "interfaces：SPEC.md；缺省为 golden 旁边的那一份"),
    TEXT_ROW(ScaffoldOptions, output, "-o", "FILE",
             "interfaces: write there instead of standard output",
             "interfaces：写入该文件而不是标准输出"),
    FLAG_ROW(ScaffoldOptions, force, "--force", "replace files that exist", "覆盖已有文件"),
    FLAG_ROW(ScaffoldOptions, dry_run, "--dry-run", "only say which files would be written",
             "只说明将写入哪些文件"),
};

const OptionTable scaffold_options = OPTION_TABLE(rows, .words = add_kinds, .most_words = 2);

/* --- output */

static void show_notes(const Scaffold *scaffold)
{
    for (uint32_t i = 0; i < scaffold->notes.count; i++) {
        print_note("%.*s", STR_ARG(scaffold->notes.items[i]));
    }
}

/* Names what a run without --dry-run would do; refuses what that would refuse. */
static int show_plan(const Scaffold *scaffold, const ScaffoldOptions *options)
{
    Lang lang = default_lang();
    int status = EXIT_CLEAN;
    for (uint32_t i = 0; i < scaffold->files.count; i++) {
        const ScaffoldFile *file = &scaffold->files.items[i];
        bool exists = file_exists(file->path.at);
        if (exists && file->keep) {
            print_note(text_in(lang, (Text){"%.*s would be kept", "将保留 %.*s"}),
                       STR_ARG(file->path));
        } else if (exists && !options->force) {
            status = print_error("%.*s: there already (--force replaces it)", STR_ARG(file->path));
        } else {
            print_note(text_in(lang, (Text){"%.*s would be written", "将写入 %.*s"}),
                       STR_ARG(file->path));
        }
    }
    return status;
}

static int write_files(Arena *arena, const Scaffold *scaffold, const ScaffoldOptions *options)
{
    Lang lang = default_lang();
    show_notes(scaffold);
    if (options->dry_run) {
        return show_plan(scaffold, options);
    }
    ScaffoldWritten done;
    Str error;
    if (!scaffold_write(arena, scaffold, options->force, &done, &error)) {
        return print_error("%.*s", STR_ARG(error));
    }
    for (uint32_t i = 0; i < done.written.count; i++) {
        print_note(text_in(lang, (Text){"%.*s written", "已写入 %.*s"}),
                   STR_ARG(done.written.items[i]));
    }
    for (uint32_t i = 0; i < done.kept.count; i++) {
        print_note(text_in(lang, (Text){"%.*s is there and was kept", "%.*s 已存在，予以保留"}),
                   STR_ARG(done.kept.items[i]));
    }
    return EXIT_CLEAN;
}

/* --- kinds */

static int run_interfaces(Arena *arena, const ScaffoldOptions *options)
{
    ScaffoldRequest request = {.golden = options->golden, .spec = options->spec};
    if (options->golden.length == 0) {
        OperatorPlace place;
        if (!operator_place(arena, options->op, options->op_dir, &place)) {
            return EXIT_ERROR;
        }
        request.op_name = place.name;
        request.golden = path_join(arena, place.dir, artifact_file(arena, KIND_GOLDEN, place.name));
    } else {
        Str op = options->op.length > 0 ? options->op : options->op_dir;
        if (op.length == 0) {
            return print_error("scaffold interfaces needs --op");
        }
        if (!operator_name_of(arena, op, &request.op_name)) {
            return EXIT_ERROR;
        }
    }
    Scaffold scaffold = {0};
    Str error;
    if (!scaffold_interfaces(arena, &request, &scaffold, &error)) {
        return print_error("%.*s", STR_ARG(error));
    }
    ScaffoldFile *file = &scaffold.files.items[0];
    if (options->output.length > 0) {
        file->path = str_from(str_dup(arena, options->output));
        return write_files(arena, &scaffold, options);
    }
    show_notes(&scaffold);
    return print_all(file->text) ? EXIT_CLEAN : EXIT_ERROR;
}

/* The phase is a word after `module` or --phase. */
static bool read_phase(const ScaffoldOptions *options, const Words *words, uint32_t *module)
{
    Str text = words->count > 1 ? str_from(words->items[1]) : options->phase;
    if (words->count > 1 && options->phase.length > 0) {
        print_error("scaffold module: the phase is given twice");
        return false;
    }
    if (text.length == 0 || !phase_read(text, module)) {
        print_error("scaffold module needs a phase: --phase K, or M1, M2 and so on");
        return false;
    }
    return true;
}

typedef bool ScaffoldMaker(Arena *arena, const ScaffoldRequest *request, Scaffold *out, Str *error);

static int run_maker(Arena *arena, const ScaffoldOptions *options, ScaffoldMaker *make,
                     uint32_t module)
{
    OperatorPlace place;
    if (!operator_place(arena, options->op, options->op_dir, &place)) {
        return EXIT_ERROR;
    }
    ScaffoldRequest request = {.op_dir = place.dir, .op_name = place.name, .module = module};
    Scaffold scaffold = {0};
    Str error;
    if (!make(arena, &request, &scaffold, &error)) {
        return print_error("%.*s", STR_ARG(error));
    }
    return write_files(arena, &scaffold, options);
}

/* An option of another kind is a mistake, not a wish to be ignored. */
static bool options_fit(const ScaffoldOptions *options, bool interfaces, bool module)
{
    bool wrong = (!interfaces && (options->golden.length > 0 || options->spec.length > 0 ||
                                  options->output.length > 0)) ||
                 (!module && options->phase.length > 0);
    if (wrong) {
        print_error(
            "--golden, --spec and -o belong to scaffold interfaces, --phase to scaffold module");
    }
    return !wrong;
}

int command_scaffold(const Command *self, Arena *arena, int argc, char **argv)
{
    ScaffoldOptions options = {.op = STR("")};
    Words words;
    int status = command_read(self, arena, &options, &words, argc, argv);
    if (status != EXIT_CLEAN) {
        return status;
    }
    Str kind = words.count > 0 ? str_from(words.items[0]) : STR("");
    bool interfaces = str_is(kind, "interfaces"), module = str_is(kind, "module");
    bool eval = str_is(kind, "eval"), e2e = str_is(kind, "e2e");
    if (!interfaces && !module && !eval && !e2e) {
        return print_error(
            "scaffold makes interfaces, eval, module or e2e (see pypto-lint help scaffold)");
    }
    if (words.count > 1 && !module) {
        return print_error("scaffold %.*s: '%s' is one argument too many", STR_ARG(kind),
                           words.items[1]);
    }
    uint32_t number = 0;
    if (!options_fit(&options, interfaces, module) ||
        (module && !read_phase(&options, &words, &number))) {
        return EXIT_ERROR;
    }
    if (interfaces) {
        return run_interfaces(arena, &options);
    }
    return run_maker(arena, &options,
                     module ? scaffold_module
                     : eval ? scaffold_eval
                            : scaffold_e2e,
                     number);
}
