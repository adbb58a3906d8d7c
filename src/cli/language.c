/* Language of messages; see language.h. */
#include "cli/language.h"

#include <stdlib.h>
#include <string.h>

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
