/* The search for programs; see program.h. */
#include "base/program.h"

#include "base/path.h"
#include "platform/platform.h"

#include <limits.h>
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
        size_t end = str_find(path, STR(PLATFORM_PATH_SEPARATOR), start);
        end = end == SIZE_MAX ? path.length : end;
        Str folder = str_slice(path, start, end);
        if (path_is_absolute(folder)) {
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
    char room[PATH_MAX];
    return platform_own_program(room, sizeof room) > 0 ? path_real(arena, str_from(room)) : STR("");
}

const char *program_again(Arena *arena)
{
    static const char running[] = PLATFORM_SELF;
    return file_exists(running) ? running : program_own(arena).at;
}
