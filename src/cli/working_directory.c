/* The working directory; see working_directory.h. */
#include "cli/working_directory.h"

#include "base/lapse.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

Str working_directory(Arena *arena)
{
    char *cwd = getcwd(NULL, 0);
    if (cwd == NULL) {
        lapse_note(NULL, errno);
    }
    Str result = cwd == NULL ? STR(".") : str_format(arena, "%s", cwd);
    free(cwd);
    return result;
}
