/* LibraryWalk: which libraries the loader would not find. It looks where the loader does: libraries
 * loaded already, DT_RPATH, LD_LIBRARY_PATH, DT_RUNPATH, the cache of ldconfig, the system's
 * folders. */
#ifndef PYPTO_LINT_ENVIRONMENT_LIBRARY_WALK_H
#define PYPTO_LINT_ENVIRONMENT_LIBRARY_WALK_H

#include "base/map.h"
#include "environment/elf_needs.h"
#include "environment/rooted.h"

enum { LIBRARY_WALK_MOST = 1000 }; /* objects that are read */

typedef struct MissingLibrary {
    Str name, needed_by; /* needed_by: path of the first object that needs it */
    Str elsewhere;       /* a folder that has it but is not searched; or empty */
    bool other_machine;  /* it was only found for another processor */
} MissingLibrary;

typedef struct LibraryWalk {
    const Rooted *root;
    Arena *arena;
    Strs variable; /* folders of LD_LIBRARY_PATH */
    Strs hints;    /* folders in which a missing library may be */
    Map cache;     /* of ldconfig: names … */
    Strs cached;   /* … and their paths */
    Map loaded;    /* names of the libraries met so far */
    Strs queue;    /* paths of objects */
    VEC(MissingLibrary) missing;
    bool cut; /* there were more than LIBRARY_WALK_MOST objects */
} LibraryWalk;

/* Starts a walk and reads the cache of ldconfig. `variable`: LD_LIBRARY_PATH, or empty. */
void library_walk_begin(LibraryWalk *walk, const Rooted *root, Arena *arena, Str variable,
                        const Strs *hints);
/* Walks from an object (absolute path) through everything it needs. To be called in the order in
 * which a program would load the objects. False when the file is not a readable object. */
bool library_walk_from(LibraryWalk *walk, Str path);

#endif
