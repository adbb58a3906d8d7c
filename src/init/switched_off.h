/* Settings that keep a client from running any hook: worth a note when hooks are put in. */
#ifndef PYPTO_LINT_INIT_SWITCHED_OFF_H
#define PYPTO_LINT_INIT_SWITCHED_OFF_H

#include "init/client.h"

/* What switches the hooks of the client off, as the user knows it ("disableAllHooks: true"), in the
 * arena; empty when nothing does. `settings` is the text of the file at `path`; other files are
 * looked for beside it. */
Str switched_off(Arena *arena, const InitClient *client, Str path, Str settings);

#endif
