/* ElfNeeds: what a shared library asks of the loader, read from its file; nothing of it is run. */
#ifndef PYPTO_LINT_ENVIRONMENT_ELF_NEEDS_H
#define PYPTO_LINT_ENVIRONMENT_ELF_NEEDS_H

#include "base/str.h"

enum { ELF_MOST_NEEDED = 512, ELF_MOST_TEXT = 1024 };

typedef struct ElfNeeds {
    Str soname;         /* or empty */
    Str rpath, runpath; /* folders with colons between them, or empty */
    Strs needed;
    uint16_t machine; /* EM_X86_64 … */
} ElfNeeds;

/* Reads an object of 64 bits, lowest byte first. False for any other file, a damaged one included.
 * Everything is in the arena. */
bool elf_needs_read(Arena *arena, int fd, ElfNeeds *needs);

#endif
