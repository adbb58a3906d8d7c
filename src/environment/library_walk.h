/* LibraryWalk: which libraries the loader would miss, found by doing what it does: names that are
 * loaded already, LD_LIBRARY_PATH, the object's own folders ($ORIGIN), the cache of ldconfig, the
 * system's folders. */
#ifndef PYPTO_LINT_ENVIRONMENT_LIBRARY_WALK_H
#define PYPTO_LINT_ENVIRONMENT_LIBRARY_WALK_H

#include "base/map.h"
#include "environment/elf_needs.h"
#include "environment/rooted.h"

enum { LIBRARY_WALK_MOST = 1000 }; /* objects that are looked at */

typedef struct MissingLibrary {
    Str name, needed_by; /* the second: path of the first object that asks for it */
    Str elsewhere;       /* a folder that has it and that the loader does not search; or empty */
    bool other_machine;  /* what was found is for another processor */
} MissingLibrary;

typedef struct LibraryWalk {
    const Rooted *root;
    Arena *arena;
    Strs variable; /* folders of LD_LIBRARY_PATH */
    Strs hints;    /* folders that may have what is missing */
    Map cache;     /* of ldconfig: names, and … */
    Strs cached;   /* … their paths */
    Map loaded;    /* names that an object before has brought */
    Strs queue;    /* paths of objects */
    VEC(MissingLibrary) missing;
    bool cut; /* there were more than LIBRARY_WALK_MOST */
} LibraryWalk;

/* Reads the cache. `variable`: LD_LIBRARY_PATH, or empty. */
void library_walk_begin(LibraryWalk *walk, const Rooted *root, Arena *arena, Str variable,
                        const Strs *hints);
/* Looks at an object and at all that it brings; absolute path. In the order in which a program
 * would load them. False when the file is not an object that can be read. */
bool library_walk_from(LibraryWalk *walk, Str path);

#endif
