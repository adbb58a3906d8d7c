/* JSON on standard output; see json_value.h. */
#include "cli/json_value.h"

#include "cli/cli.h"

bool json_print(Arena *arena, const JsonTree *tree, json_t *root)
{
    Buf out = {.arena = arena};
    if (!json_add_built(&out, tree, root, JSON_INDENT(2))) {
        print_error("out of memory");
        return false;
    }
    return print_all(buf_str(&out));
}
