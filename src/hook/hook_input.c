/* Hook input; see hook_input.h. The text lies outside any arena: an event of many megabytes is
 * given back as soon as its few fields are known. */
#include "hook/hook_input.h"

#include "base/clock.h"
#include "base/io_error.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

enum { FIRST_SIZE = 64 * 1024 };

static bool is_blank(Str text)
{
    return str_trim(text).length == 0;
}

/* Waits until there is something to read (or the end); false when the time is over. */
static bool wait_readable(int fd, int64_t milliseconds)
{
    struct pollfd ask = {.fd = fd, .events = POLLIN};
    for (;;) {
        int ready = poll(&ask, 1, milliseconds < 0 ? 0 : (int)milliseconds);
        if (ready >= 0 || errno != EINTR) {
            return ready > 0;
        }
    }
}

/* Room for at least one more byte; false when there is none to be had. */
static bool grow(HookInput *input, size_t *capacity)
{
    if (input->text.length < *capacity) {
        return true;
    }
    size_t wanted = *capacity == 0 ? FIRST_SIZE : *capacity * 2;
    char *memory = wanted > (size_t)HOOK_INPUT_LIMIT * 2 ? NULL : realloc(input->memory, wanted);
    if (memory == NULL) {
        return false;
    }
    input->memory = memory;
    input->text.at = memory;
    *capacity = wanted;
    return true;
}

static HookInput without_text(HookInput *input, HookInputState state)
{
    free(input->memory);
    return (HookInput){.state = state, .text = STR("")};
}

static HookInput read_to_end(int fd)
{
    HookInput input = {.text = STR("")};
    size_t capacity = 0;
    int64_t end = clock_ms() + HOOK_INPUT_TOTAL_MS;
    for (;;) {
        if (!grow(&input, &capacity) || input.text.length > HOOK_INPUT_LIMIT) {
            return without_text(&input, HOOK_INPUT_TOO_LARGE);
        }
        int64_t left = end - clock_ms();
        if (!wait_readable(fd, left < HOOK_INPUT_PAUSE_MS ? left : HOOK_INPUT_PAUSE_MS)) {
            input.state = input.text.length > 0 ? HOOK_INPUT_LATE : HOOK_INPUT_COMPLETE;
            return input;
        }
        ssize_t got = read(fd, input.memory + input.text.length, capacity - input.text.length);
        if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) {
            if (got < 0) {
                io_error_note(NULL, errno);
            }
            return input;
        }
        input.text.length += got > 0 ? (size_t)got : 0;
    }
}

HookInput hook_input_read(int fd, const char *variable)
{
    HookInput from_variable = {.text = variable == NULL ? STR("") : str_from(variable)};
    bool has_variable = !is_blank(from_variable.text);
    if (fcntl(fd, F_GETFD) < 0 || isatty(fd) || (has_variable && !wait_readable(fd, 0))) {
        return from_variable;
    }
    HookInput input = read_to_end(fd);
    if (input.state == HOOK_INPUT_COMPLETE && is_blank(input.text)) {
        without_text(&input, HOOK_INPUT_COMPLETE);
        return from_variable;
    }
    return input;
}
