/* Python home; see python_home.h. */
#include "harness/pool/python_home.h"

#include "base/file.h"
#include "base/program.h"

#include <stdio.h>
#include <stdlib.h>

Str python_home(Arena *arena, const char *part)
{
    Str own = program_own(arena);
    for (int up = 0; up < 2 && own.length > 0; up++) {
        size_t end = own.length - 1;
        while (end > 0 && own.at[end] != '/') {
            end--;
        }
        own = str_slice(own, 0, end);
    }
    return str_format(arena, "%.*s/share/pypto-lint/%s", STR_ARG(own), part);
}

bool simulator_is_built(Str folder)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%.*s/_ptosim.abi3.so", STR_ARG(folder));
    return length > 0 && (size_t)length < sizeof path && file_is_regular(path);
}

Str python_path_with(Arena *arena, Str folder)
{
    const char *before = getenv("PYTHONPATH");
    return before == NULL || *before == '\0'
               ? folder
               : str_format(arena, "%.*s:%s", STR_ARG(folder), before);
}
