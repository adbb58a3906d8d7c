/* Rooted: files as a system sees them whose root is some folder: this machine's, a container's, a
 * tree of a test. Links are followed as that system would, and never out of the folder. */
#ifndef PYPTO_LINT_ENVIRONMENT_ROOTED_H
#define PYPTO_LINT_ENVIRONMENT_ROOTED_H

#include "base/file.h"

typedef struct Rooted {
    int fd;
    bool is_system; /* the root is this machine's own */
} Rooted;

/* False, with the reason, when the folder cannot be opened. Close it with rooted_close. */
bool rooted_open(Rooted *root, Arena *arena, Str folder, Str *error);
void rooted_close(Rooted *root);

/* Opens an absolute path for reading; -1 with errno. Does not wait for a pipe. */
int rooted_fd(const Rooted *root, Arena *arena, Str path, int flags);
/* The file's text, at most `limit` bytes of it; false when there is no such regular file. */
bool rooted_read(const Rooted *root, Arena *arena, Str path, size_t limit, Str *text);
bool rooted_is_folder(const Rooted *root, Arena *arena, Str path);
bool rooted_is_file(const Rooted *root, Arena *arena, Str path);
/* The names in a folder, sorted; none when it cannot be read. */
Strs rooted_names(const Rooted *root, Arena *arena, Str folder);

#endif
