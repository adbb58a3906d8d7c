/* Standard output; see output.h. */
#include "cli/output.h"

#include "cli/message.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

bool print_all(Str text)
{
    size_t done = 0;
    while (done < text.length) {
        ssize_t wrote = write(STDOUT_FILENO, text.at + done, text.length - done);
        if (wrote < 0 && errno == EINTR) {
            continue;
        }
        if (wrote < 0) {
            /* `pypto-lint … | head` is not our error, but the status must not say "clean". */
            if (errno != EPIPE) {
                print_error("standard output: %s", strerror(errno));
            }
            return false;
        }
        done += (size_t)wrote;
    }
    return true;
}
