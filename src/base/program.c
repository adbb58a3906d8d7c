/* The search for programs; see program.h. */
#include "base/program.h"

#include "base/file.h"

#include <stdlib.h>
#include <unistd.h>

bool program_exists(const char *path)
{
    return file_is_regular(path) && access(path, X_OK) == 0;
}

const char *program_find(Arena *arena, Str name)
{
    const char *variable = getenv("PATH");
    Str path = variable == NULL ? STR("/usr/local/bin:/usr/bin:/bin") : str_from(variable);
    for (size_t start = 0; start <= path.length;) {
        size_t end = str_find(path, STR(":"), start);
        end = end == SIZE_MAX ? path.length : end;
        Str folder = str_slice(path, start, end);
        if (folder.length > 0 && folder.at[0] == '/') {
            const char *candidate = path_join(arena, folder, name).at;
            if (program_exists(candidate)) {
                return candidate;
            }
        }
        start = end + 1;
    }
    return NULL;
}

Str program_own(Arena *arena)
{
    return path_real(arena, STR("/proc/self/exe"));
}
