/* Where `init` writes: the project's folder, the user's, and obstacles on the way. */
#ifndef PYPTO_LINT_INIT_PLACE_H
#define PYPTO_LINT_INIT_PLACE_H

#include "clients/client.h"

/* The top of the repository that `cwd` (absolute) is in; `cwd` when there is none. */
Str place_project(Arena *arena, Str cwd);

/* The client's file for this user, absolute; empty when there is no home folder. */
Str place_user_file(Arena *arena, const Client *client);

/* Is the client used in the project at `root` (or, with `user`, by this user)? The sign that says
 * so in `*sign`. */
bool place_finds(Arena *arena, const Client *client, Str root, bool user, Str *sign);

typedef enum PlaceKind {
    PLACE_PLAIN,
    PLACE_LINK,     /* a symbolic link to a file */
    PLACE_DANGLING, /* a symbolic link on the way leads nowhere */
    PLACE_OUTSIDE,  /* the path leads out of `root` */
} PlaceKind;

/* What `path` is. Nothing at all counts as plain. `root` empty: any place will do. */
PlaceKind place_kind(Arena *arena, Str path, Str root);

/* The word by which the settings call the linter. In a project "pypto-lint", since everybody with a
 * clone uses the file. For one user, and when a launcher started us (place_has_launcher), the path
 * of this program, unless PATH leads to it. Quoted for a shell where it must be. */
Str place_program(Arena *arena, bool user);

/* Did a launcher start this program, as npm's does? Then `pypto-lint` on PATH is that launcher,
 * which takes many times as long to start. */
bool place_has_launcher(void);

/* Does PATH lead to a pypto-lint? */
bool place_program_on_path(Arena *arena);

/* Makes the folders above `path` that are missing. False with the system's reason. */
bool place_make_folders(Arena *arena, Str path, Str *error);

/* The user's home folder, or empty. */
Str place_home(void);

/* Deletes the file and the folders that are empty without it: those below `root`, or only the
 * nearest when the file is not below `root`. False with the system's reason. */
bool place_delete(Arena *arena, Str path, Str root, Str *error);

#endif
