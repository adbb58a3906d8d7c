/* Settings that keep a client from running any hook: worth a note when hooks are put in. */
#ifndef PYPTO_LINT_INIT_SWITCHED_OFF_H
#define PYPTO_LINT_INIT_SWITCHED_OFF_H

#include "clients/client.h"

/* What switches the hooks of the client off, as the user knows it ("disableAllHooks: true"); empty
 * when nothing does. `settings` is the text of the file at `path`. */
Str switched_off(Arena *arena, const Client *client, Str path, Str settings);

#endif
