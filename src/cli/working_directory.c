/* The working directory; see working_directory.h. */
#include "cli/working_directory.h"

#include "base/io_error.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

Str working_directory(Arena *arena)
{
    char *cwd = getcwd(NULL, 0);
    if (cwd == NULL) {
        io_error_note(NULL, errno);
    }
    Str result = cwd == NULL ? STR(".") : str_format(arena, "%s", cwd);
    free(cwd);
    return result;
}
