/* state_dump: reads state files from standard input, each preceded by its length in bytes and a
 * line feed, and prints for each a line of fields, separated by tabs: the place of the error or the
 * kind of the top, then kind, line and hexadecimal text of what the program keeps. */
#include "operator/state.h"

#include <stdio.h>
#include <stdlib.h>

static void print_field(StateField field)
{
    printf("\t%d:%u:", field.kind, field.line);
    for (size_t i = 0; i < field.text.length; i++) {
        printf("%02x", (unsigned char)field.text.at[i]);
    }
}

static void print_state(Arena *arena, Str text)
{
    OperatorState state = state_parse(arena, text);
    if (!state.json_valid) {
        printf("error %u %u\n", state.json_line, state.json_column);
        return;
    }
    printf("%d\t%d", state.root, state.current_stage);
    const StateField fields[] = {state.name,
                                 state.stage,
                                 state.max_stage,
                                 state.stage_status,
                                 state.phases,
                                 state.rollback_history,
                                 state.artifact_hashes,
                                 state.stage_5_status,
                                 state.phase_status,
                                 state.active_phase};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        print_field(fields[i]);
    }
    putchar('\n');
}

int main(void)
{
    size_t length;
    while (scanf("%zu", &length) == 1 && getchar() == '\n') {
        char *text = malloc(length + 1);
        if (text == NULL || fread(text, 1, length, stdin) != length) {
            return 1;
        }
        Arena arena;
        arena_init(&arena, 0);
        print_state(&arena, (Str){text, length});
        arena_free(&arena);
        free(text);
    }
    return 0;
}
