/* ElfNeeds: what a shared library asks of the loader, read from its file without running any of
 * it. */
#ifndef PYPTO_LINT_ENVIRONMENT_ELF_NEEDS_H
#define PYPTO_LINT_ENVIRONMENT_ELF_NEEDS_H

#include "base/str.h"

enum { ELF_MOST_NEEDED = 512, ELF_MOST_TEXT = 1024 };

typedef struct ElfNeeds {
    Str soname;         /* or empty */
    Str rpath, runpath; /* folders separated by colons, or empty */
    Strs needed;
    uint16_t machine; /* EM_X86_64 … */
} ElfNeeds;

/* Reads a 64-bit little-endian object from `fd`, which stays open. False for any other file and for
 * a damaged one. At most ELF_MOST_NEEDED libraries; names beyond ELF_MOST_TEXT bytes are empty or
 * left out. Everything is in the arena. */
bool elf_needs_read(Arena *arena, int fd, ElfNeeds *needs);

#endif
