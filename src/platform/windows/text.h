/* Converts text and paths between UTF-8 and UTF-16, for the sources in this folder. */
#ifndef PYPTO_LINT_PLATFORM_WINDOWS_TEXT_H
#define PYPTO_LINT_PLATFORM_WINDOWS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

enum { WIDE_PATH = 4096 };

/* Converts a path for Windows: `C:` and `/c` are roots of drives, `/dev/null` is NUL; long paths
 * get the prefix that lifts the limit of 260 characters. False, with errno, for one that is too
 * long or not UTF-8. */
bool wide_path(const char *path, wchar_t room[WIDE_PATH]);
/* Converts a path of Windows, with slashes and without the prefix. False, with errno, when it does
 * not fit. */
bool narrow_path(const wchar_t *wide, char *room, size_t size);
/* Convert any text; the result is malloc'ed, NULL on failure. */
char *narrow_text(const wchar_t *wide);
wchar_t *wide_text(const char *text);
/* Sets errno from GetLastError(); returns -1. */
int fail_with_last_error(void);

#endif
