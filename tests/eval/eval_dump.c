/* Reads programs from standard input, each ended by a line "---", and writes for each the global
 * names whose value the evaluator claims to know (eval_dump), ended the same way. */
#include "eval/eval.h"

#include <stdio.h>
#include <stdlib.h>

static void dump(Str text)
{
    Arena arena;
    jmp_buf env;
    arena_init(&arena, 0);
    if (OOM_GUARD(&arena, env)) {
        PyFile file;
        pyfile_init(&file, &arena, STR("program.py"), text);
        Str known = eval_dump(&file, &arena);
        printf("%.*s---\n", STR_ARG(known));
    }
    arena_free(&arena);
}

int main(void)
{
    Arena arena;
    jmp_buf env;
    arena_init(&arena, 0);
    if (OOM_GUARD(&arena, env)) {
        char line[4096];
        Buf text = {.arena = &arena};
        buf_add(&text, STR(""));
        while (fgets(line, sizeof line, stdin) != NULL) {
            if (strcmp(line, "---\n") != 0) {
                buf_add(&text, str_from(line));
                continue;
            }
            dump(buf_str(&text));
            text.length = 0;
        }
    }
    arena_free(&arena);
    return 0;
}
