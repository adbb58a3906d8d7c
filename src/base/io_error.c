/* I/O errors; see io_error.h. */
#include "base/io_error.h"

#include "platform/platform.h"

#include <errno.h>
#include <stdlib.h>

static _Thread_local struct {
    int code; /* 0: none */
    char path[1024];
} noted;

/* Error numbers of a system in need. All others describe the file or the call. */
static bool is_io_error(int code)
{
    static const int codes[] = {EIO, ENOMEM, EMFILE, ENFILE, EAGAIN, EINTR, ENOBUFS, ESTALE};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        if (code == codes[i]) {
            return true;
        }
    }
    return false;
}

void io_error_note(const char *path, int code)
{
    if (noted.code != 0 || !is_io_error(code)) {
        return;
    }
    noted.code = code;
    size_t length = path == NULL ? 0 : strnlen(path, sizeof noted.path - 1);
    if (length > 0) {
        memcpy(noted.path, path, length);
    }
    noted.path[length] = '\0';
}

Str system_reason(Arena *arena, int code)
{
    char text[128] = "";
    return str_format(arena, "%s", platform_error_text(code, text, sizeof text));
}

bool io_error_is_pending(void)
{
    return noted.code != 0;
}

bool io_error_take(Arena *arena, Str *path, Str *reason)
{
    if (noted.code == 0) {
        return false;
    }
    *path = str_format(arena, "%s", noted.path);
    *reason = system_reason(arena, noted.code);
    io_error_drop();
    return true;
}

void io_error_drop(void)
{
    noted.code = 0;
}

void *io_error_malloc(size_t size)
{
    void *block = malloc(size);
    if (block == NULL) {
        io_error_note(NULL, ENOMEM);
    }
    return block;
}
