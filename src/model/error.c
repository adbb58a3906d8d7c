/* Errors as values, and their text in the two forms that the product has: that of its C++ core and
 * that of its Python layer (docs/kernel-authors/simulator.md). */
#include "model/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Cuts a message that did not fit at the start of a character. */
static void cut_at_character(char *message, size_t size)
{
    size_t length = strlen(message);
    if (length + 1 < size) {
        return;
    }
    size_t at = length;
    while (at > 0 && ((unsigned char)message[at - 1] & 0xC0) == 0x80) {
        at--;
    }
    if (at > 0 && (unsigned char)message[at - 1] >= 0x80) {
        message[at - 1] = '\0';
    }
}

bool pts_fail(PtsError *error, PtsErrorKind kind, uint32_t code, const char *symbol,
              const char *format, ...)
{
    if (error == NULL) {
        return false;
    }
    *error = (PtsError){.kind = kind, .code = code, .symbol = symbol};
    va_list args;
    va_start(args, format);
    vsnprintf(error->message, sizeof error->message, format, args);
    va_end(args);
    cut_at_character(error->message, sizeof error->message);
    return false;
}

void pts_error_at(PtsError *error, PtsSite site)
{
    if (error != NULL && error->site.line == 0) {
        error->site = site;
    }
}

bool pts_fail_memory(PtsError *error)
{
    return pts_fail(error, PTS_E_MEMORY, "out of memory");
}

/* The exception that the product's Python layer names in its text, by kind. */
static const char *const exception_names[] = {
    [PTS_CORE_ERROR] = "",
    [PTS_TYPE_ERROR] = "TypeError",
    [PTS_VALUE_ERROR] = "ValueError",
    [PTS_RUNTIME_ERROR] = "RuntimeError",
    [PTS_NOT_IMPLEMENTED] = "NotImplementedError",
    [PTS_INDEX_ERROR] = "IndexError",
    [PTS_KEY_ERROR] = "KeyError",
    [PTS_MEMORY_ERROR] = "MemoryError",
};

size_t pts_error_text(const PtsError *error, char *text, size_t size)
{
    int length;
    if (error->kind == PTS_CORE_ERROR) {
        length = snprintf(text, size, "CHECK FAILED: ErrCode: F%05X! Enum: %s\n%s",
                          error->code & 0xFFFFFU, error->symbol == NULL ? "" : error->symbol,
                          error->message);
    } else {
        length = snprintf(text, size, "ErrCode: F%05X, %s: %s", error->code & 0xFFFFFU,
                          exception_names[error->kind], error->message);
    }
    return length < 0 ? 0 : (size_t)length;
}
