/* Prints what the static evaluator did with a Python file: counts, then findings, one a line.
 *
 *     eval_drive [--facts] FILE.py...
 *
 * With --facts, for each byte at which the innermost fact changes, the byte and that fact. */
#include "base/file.h"
#include "eval/eval.h"

#include <stdio.h>
#include <string.h>

typedef struct Folder {
    Arena *arena;
    Str path; /* of the linted file */
} Folder;

/* The file of that name beside the linted one. */
static const PyFile *find_beside(void *context, Str module)
{
    const Folder *folder = context;
    size_t slash = 0;
    for (size_t at = 0; at < folder->path.length; at++) {
        slash = folder->path.at[at] == '/' ? at + 1 : slash;
    }
    Str path =
        str_format(folder->arena, "%.*s%.*s.py", (int)slash, folder->path.at, STR_ARG(module));
    Str text, error;
    if (file_read(folder->arena, path.at, 1 << 24, &text, &error) != FILE_OK) {
        return NULL;
    }
    PyFile *file = ARENA_NEW(folder->arena, PyFile);
    pyfile_init(file, folder->arena, path, text);
    return file;
}

static Str test_of(Arena *arena, Str path)
{
    size_t slash = 0;
    for (size_t at = 0; at < path.length; at++) {
        slash = path.at[at] == '/' ? at + 1 : slash;
    }
    Str name = str_slice(path, slash, path.length);
    return str_format(arena, "test_%.*s",
                      STR_ARG(str_slice(name, 0, str_find(name, STR("_impl"), 0))));
}

static void print_facts(const Evaluation *done, uint32_t length)
{
    const EvalFact *before = NULL;
    for (uint32_t at = 0; at < length; at++) {
        const EvalFact *fact = eval_fact_at(done, at);
        if (fact != NULL && fact != before) {
            printf("  %u: %s %.*s %.*s %.*s\n", at, fact->kind, STR_ARG(fact->shape),
                   STR_ARG(fact->dtype), STR_ARG(fact->value));
        }
        before = fact;
    }
}

static void print_file(const char *path, bool facts)
{
    Arena arena;
    arena_init(&arena, 0);
    Str text, error;
    if (file_read(&arena, path, 1 << 24, &text, &error) != FILE_OK) {
        printf("%s: cannot be read\n", path);
        arena_free(&arena);
        return;
    }
    PyFile file;
    pyfile_init(&file, &arena, str_from(path), text);
    pyfile_accept_aliases(&file);
    Folder folder = {&arena, str_from(path)};
    Str test = test_of(&arena, str_from(path));
    EvalFinder finder = {find_beside, &folder, &test, 1, NULL};
    Product product = product_choose(STR(""), STR(""), STR(""), NULL);
    Evaluation done = eval_file(&file, &(EvalRequest){&product, STR(""), &finder, facts}, &arena);
    printf("%s: %u kernels, %u launches, %u contexts, %u whole, %u recorded, %u open", path,
           done.kernels, done.launches, done.contexts, done.whole, done.recorded, done.open);
    if (done.open_at != 0) {
        printf(", open from line %u", node_line(pyfile_module(&file), done.open_at));
    }
    if (done.stopped_at != 0) {
        printf(", stopped in line %u", node_line(pyfile_module(&file), done.stopped_at));
    }
    printf("\n");
    if (facts) {
        print_facts(&done, (uint32_t)text.length);
    }
    for (uint32_t i = 0; i < done.findings.count; i++) {
        const EvalFinding *finding = &done.findings.items[i];
        printf("  %u: KS%02d %s %.*s\n", node_line(pyfile_module(&file), finding->node),
               (int)finding->rule, finding->certain && !finding->note ? "certain" : "likely",
               STR_ARG(finding->en));
    }
    arena_free(&arena);
}

int main(int argc, char **argv)
{
    bool facts = argc > 1 && strcmp(argv[1], "--facts") == 0;
    for (int i = facts ? 2 : 1; i < argc; i++) {
        print_file(argv[i], facts);
    }
    return 0;
}
