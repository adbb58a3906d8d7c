/* The program's surroundings; see surroundings.h. */
#include "cli/surroundings.h"

#include "base/io_error.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Lang default_lang(void)
{
    static const char *const variables[] = {"PYPTO_LINT_LANG", "LC_ALL", "LC_MESSAGES", "LANG"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        if (value != NULL && *value != '\0') {
            return strncmp(value, "zh", 2) == 0 ? LANG_ZH : LANG_EN;
        }
    }
    return LANG_EN;
}

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
