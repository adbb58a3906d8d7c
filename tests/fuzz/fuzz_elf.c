/* Fuzz driver: the reading of shared objects, which anybody may have damaged. */
#include "environment/elf_needs.h"
#include "fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Arena arena;
    jmp_buf env;
    ElfNeeds needs;
    arena_init(&arena, 0);
    REQUIRE(OOM_GUARD(&arena, env));
    int fd = memfd_create("object", MFD_CLOEXEC);
    REQUIRE(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    if (elf_needs_read(&arena, fd, &needs)) {
        REQUIRE(needs.needed.count <= ELF_MOST_NEEDED);
        REQUIRE(needs.soname.length < ELF_MOST_TEXT && needs.runpath.length < ELF_MOST_TEXT);
    }
    close(fd);
    arena_free(&arena);
    return 0;
}
