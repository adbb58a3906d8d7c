/* DirSet: an open-addressing hash set. */
#include "lint/dirset.h"

#include "base/file.h"

static uint32_t slot_of(const DirSet *set, DirId id)
{
    uint64_t hash = (id.inode * 0x9E3779B97F4A7C15u) ^ (id.device * 0xC2B2AE3D27D4EB4Fu);
    uint32_t at = (uint32_t)(hash >> 32) & (set->capacity - 1);
    while ((set->slots[at].inode != 0 || set->slots[at].device != 0) &&
           (set->slots[at].inode != id.inode || set->slots[at].device != id.device)) {
        at = (at + 1) & (set->capacity - 1);
    }
    return at;
}

static void reserve(DirSet *set)
{
    if (set->count * 2 < set->capacity) {
        return;
    }
    DirSet larger = {.arena = set->arena, .capacity = set->capacity == 0 ? 64 : set->capacity * 2};
    larger.slots = ARENA_ARRAY(set->arena, DirId, larger.capacity);
    for (uint32_t i = 0; i < set->capacity; i++) {
        if (set->slots[i].inode != 0 || set->slots[i].device != 0) {
            larger.slots[slot_of(&larger, set->slots[i])] = set->slots[i];
            larger.count++;
        }
    }
    *set = larger;
}

bool dirset_add(DirSet *set, const char *path, bool *missing)
{
    struct stat info;
    *missing = !file_stat(path, &info);
    if (*missing) {
        return false;
    }
    reserve(set);
    DirId id = {(uint64_t)info.st_dev, (uint64_t)info.st_ino};
    DirId *slot = &set->slots[slot_of(set, id)];
    if (slot->inode == id.inode && slot->device == id.device) {
        return false;
    }
    *slot = id;
    set->count++;
    return true;
}
