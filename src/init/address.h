/* Address: where a client that fetches pypto-lint by itself finds it.
 *
 * Only the user, or whoever built the program, knows where it is published. So the files of hooks/
 * have a placeholder, and `init` fills in an address that it was given, or none. A revision follows
 * the address after "@"; the default is the tag of this version (v1.2.3). */
#ifndef PYPTO_LINT_INIT_ADDRESS_H
#define PYPTO_LINT_INIT_ADDRESS_H

#include "clients/client.h"

typedef enum AddressState {
    ADDRESS_GOOD,
    ADDRESS_MISSING, /* the client cannot do without */
    ADDRESS_BAD,     /* of a form that the client does not take */
    ADDRESS_BRANCH,  /* with the name of a branch: what is fetched would change by itself */
} AddressState;

/* The text to install for the client, with the address in it: the one that was `given`, else the
 * one in `before` (the file as it is), else that of the build (PYPTO_LINT_REPOSITORY). Without any,
 * the text of `file_without_address`. Sets `*text` in any case. */
AddressState address_fill(Arena *arena, const Client *client, Str given, Str before, Str *text);

#endif
