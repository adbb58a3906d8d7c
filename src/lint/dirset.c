/* DirSet; see dirset.h. */
#include "lint/dirset.h"

#include "base/file.h"

bool dirset_add(DirSet *set, const char *path, bool *missing)
{
    struct stat info;
    *missing = !file_stat(path, &info);
    if (*missing) {
        return false;
    }
    if (set->known.keys.count == 0) {
        set->device = (uint64_t)info.st_dev;
    }
    /* A file system has another number at each mount: what a profile counts in the table would be
     * different each time, and so would the release that is built with it. */
    uint64_t id[] = {(uint64_t)info.st_dev - set->device, (uint64_t)info.st_ino};
    Str key = {(const char *)id, sizeof id};
    if (map_find(&set->known, key) != MAP_NONE) {
        return false;
    }
    map_add(&set->known, set->arena, str_copy(set->arena, key));
    return true;
}
