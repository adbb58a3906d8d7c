/* Fuzz driver: the description of a processor. It is read, or refused with a reason; what is read
 * can make a context. */
#include "fuzz.h"

#include "sim/ptosim.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int file = -1;
    static char path[64];
    if (file < 0) {
        file = memfd_create("soc", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
        REQUIRE(file >= 0);
    }
    REQUIRE(ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == (ssize_t)size);
    PtsSoc soc;
    PtsError error = {0};
    if (!pts_soc_load(path, &soc, &error)) {
        REQUIRE(error.message[0] != '\0');
        return 0;
    }
    PtsContext *context = pts_context_new(&soc, NULL);
    if (context != NULL) {
        pts_context_free(context);
    }
    return 0;
}
