/* Text and paths between UTF-8 and UTF-16, for the sources in this folder. */
#ifndef PYPTO_LINT_PLATFORM_WINDOWS_TEXT_H
#define PYPTO_LINT_PLATFORM_WINDOWS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

enum { WIDE_PATH = 4096 };

/* A path as Windows wants it: `C:` and `/c` are roots of drives, `/dev/null` is NUL; long ones get
 * the prefix that lifts the limit of 260 characters. False with errno for one that is too long or
 * not UTF-8. */
bool wide_path(const char *path, wchar_t room[WIDE_PATH]);
/* The other way, with slashes; without the prefix. False when it does not fit. */
bool narrow_path(const wchar_t *wide, char *room, size_t size);
/* In memory of its own; NULL when there is none. */
char *narrow_text(const wchar_t *wide);
wchar_t *wide_text(const char *text);
/* Sets errno from GetLastError(); returns -1. */
int fail_with_last_error(void);

#endif
