/* Prints the syntax tree of each Python file named on standard input, for comparison with Python's
 * own `ast` (ast_differential.py): a line "FILE name", then per node "depth kind line column name",
 * or "ERROR line column message" lines for a file that does not parse. */
#include "base/file.h"
#include "python/parse.h"

#include <stdio.h>

static void print_node(const Module *module, NodeId id)
{
    const Node *node = node_at(module, id);
    Str name = node_name(module, id);
    uint32_t line = source_line(module->source, node->start);
    printf("%u %s %u %u %.*s\n", node->depth, node_kind_name(node_kind(module, id)), line,
           source_column(module->source, node->start), STR_ARG(name));
}

static void dump(const char *path)
{
    Arena arena;
    jmp_buf env;
    arena_init(&arena, 0);
    printf("FILE %s\n", path);
    if (OOM_GUARD(&arena, env)) {
        Str text;
        Parsed parsed;
        if (file_read(&arena, path, SIZE_MAX / 2, &text, NULL) != FILE_OK) {
            printf("ERROR 0 0 unreadable\n");
        } else {
            python_parse(&parsed, &arena, str_from(path), text);
            for (NodeId id = 0; parsed.module != NULL && id < parsed.module->node_count; id++) {
                print_node(parsed.module, id);
            }
            for (uint32_t i = 0; i < parsed.errors.count; i++) {
                const SyntaxError *error = &parsed.errors.items[i];
                printf("ERROR %u %u %.*s\n", source_line(&parsed.source, error->start),
                       source_column(&parsed.source, error->start), STR_ARG(error->message));
            }
        }
    } else {
        printf("ERROR 0 0 out of memory\n");
    }
    arena_free(&arena);
}

int main(void)
{
    char path[4096];
    while (fgets(path, sizeof path, stdin) != NULL) {
        path[strcspn(path, "\n")] = '\0';
        dump(path);
        printf("END\n");
        fflush(stdout);
    }
    return 0;
}
