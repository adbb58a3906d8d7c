/* Rooted: files as seen by a system with a given folder as its root: this machine, a container,
 * or the tree of a test. Links are followed as that system would follow them, never out of the
 * folder. */
#ifndef PYPTO_LINT_ENVIRONMENT_ROOTED_H
#define PYPTO_LINT_ENVIRONMENT_ROOTED_H

#include "base/file.h"
#include "lint/rule.h"

typedef struct Rooted {
    int fd;
    bool is_system; /* the root is this machine's own */
} Rooted;

/* False, with the reason in `*error`, when the folder cannot be opened, or is not the system's own
 * root and the system lacks openat2(2). Else close it with rooted_close. */
bool rooted_open(Rooted *root, Arena *arena, Str folder, Text *error);
void rooted_close(Rooted *root);

/* Opens an absolute path for reading, with further `flags` of open(2), without blocking on a pipe.
 * The caller closes the descriptor; -1 with errno on failure. */
int rooted_fd(const Rooted *root, Arena *arena, Str path, int flags);
/* Reads the file's text into the arena. False when there is no such regular file, or it is longer
 * than `limit` bytes. */
bool rooted_read(const Rooted *root, Arena *arena, Str path, size_t limit, Str *text);
bool rooted_is_folder(const Rooted *root, Arena *arena, Str path);
bool rooted_is_file(const Rooted *root, Arena *arena, Str path);
/* The names in a folder, sorted, in the arena; none when it cannot be read. */
Strs rooted_names(const Rooted *root, Arena *arena, Str folder);

#endif
