/* The text that `init` installs for a client. */
#ifndef PYPTO_LINT_INIT_SETTINGS_TEXT_H
#define PYPTO_LINT_INIT_SETTINGS_TEXT_H

#include "clients/client.h"

/* The settings of a client that has nothing else in them; empty when the build lacks the file. */
Str settings_text(Arena *arena, const Client *client);

/* A file of hooks/ that was compiled in ("github/pypto-lint.yml"); empty when it is missing. */
Str settings_file(const char *name);

typedef struct SettingsFile {
    const char *name, *text;
} SettingsFile;
extern const SettingsFile settings_files[];
extern const uint32_t settings_file_count;

#endif
