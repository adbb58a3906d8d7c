/* Settings of a run: which configuration holds, and what of it holds for the whole run. Private to
 * src/lint. */
#ifndef PYPTO_LINT_LINT_SETTINGS_H
#define PYPTO_LINT_LINT_SETTINGS_H

#include "lint/request.h"

/* A folder as an absolute path, symlinks resolved if it exists; in the arena. */
Str settings_folder(Arena *arena, Str folder);
/* The configuration that holds in `folder` by what the request says about configurations. False
 * with `*error` as config_find has it. */
bool settings_read(Config *config, Arena *arena, const Request *request, Str folder, Str *error);

/* The folder of the first place that the request names, whatever the order of its paths: its
 * configuration holds for what comes before any unit of work. In the arena. */
Str settings_first_folder(Arena *arena, const Request *request);
/* Takes the language from the configuration of `folder`, unless the request has one or there is
 * none; a broken configuration is passed over, its units report it. Returns the limit for the size
 * of files, bytes. */
size_t settings_apply(Request *request, Arena *arena, Str folder);

#endif
