/* Benchmark: what the parts of a check cost over the Python files named on the command line.
 *
 *     bench ROUNDS FILE...
 *
 * Three passes over the same texts, in memory, one thread: the parser alone; parser, lexer,
 * lowering and index; all rules as `check` runs them on loose files. Each is repeated ROUNDS times
 * and the fastest round counts: that is the least disturbed one. See
 * docs/internals/performance.md. */
#include "base/file.h"
#include "lint/plan.h"
#include "python/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct BenchText {
    Str path, text;
} BenchText;

typedef VEC(BenchText) Texts;

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void parse_only(Arena *arena, const BenchText *text)
{
    python_parse_only(arena, text->text);
}

static void parse_and_lower(Arena *arena, const BenchText *text)
{
    Parsed *parsed = ARENA_NEW(arena, Parsed);
    python_parse(parsed, arena, text->path, text->text);
}

static void check(Arena *arena, const BenchText *text)
{
    /* A folder that does not exist: what is measured is the check, not the file system. */
    Str path = str_format(arena, "/no-such-folder/%.*s", STR_ARG(path_basename(text->path)));
    TextSource source = {path, text->text};
    Request request = {.what.text = &source, .who = {.no_config = true, .fail_on = S1, .jobs = 1}};
    Plan plan;
    plan_begin(&plan, arena, &request.who);
    Run *run = run_check(&request, &plan);
    run_free(run);
}

static double fastest(const Texts *texts, int rounds, void (*work)(Arena *, const BenchText *))
{
    double best = 1e300;
    for (int round = 0; round < rounds; round++) {
        double start = now_ms();
        for (uint32_t i = 0; i < texts->count; i++) {
            Arena arena;
            jmp_buf env;
            arena_init(&arena, 0);
            if (OOM_GUARD(&arena, env)) {
                work(&arena, &texts->items[i]);
            }
            arena_free(&arena);
        }
        double spent = now_ms() - start;
        best = spent < best ? spent : best;
    }
    return best;
}

int main(int argc, char **argv)
{
    Arena arena;
    jmp_buf env;
    Texts texts = {0};
    size_t bytes = 0;
    arena_init(&arena, 0);
    if (argc < 3 || !OOM_GUARD(&arena, env)) {
        fputs("usage: bench ROUNDS FILE...\n", stderr);
        return 2;
    }
    for (int i = 2; i < argc; i++) {
        BenchText text = {.path = str_from(argv[i])};
        if (file_read(&arena, argv[i], 64 << 20, &text.text, NULL) == FILE_OK) {
            VEC_PUSH(&arena, &texts, text);
            bytes += text.text.length;
        }
    }
    int rounds = atoi(argv[1]);
    double parse = fastest(&texts, rounds, parse_only);
    double lower = fastest(&texts, rounds, parse_and_lower);
    double all = fastest(&texts, rounds, check);
    printf("%u files, %zu bytes, fastest of %d rounds, CPU time of one thread\n", texts.count,
           bytes, rounds);
    printf("parser alone                 %9.2f ms  %6.1f MB/s\n", parse,
           (double)bytes / parse / 1e3);
    printf("parser, lexer, tree, index   %9.2f ms  %+6.1f %%\n", lower, (lower / parse - 1) * 100);
    printf("check with all rules         %9.2f ms  %+6.1f %%\n", all, (all / parse - 1) * 100);
    arena_free(&arena);
    return 0;
}
