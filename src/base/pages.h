/* Pages: large pieces of memory in huge pages.
 *
 * The system hands out fresh memory page by page, at a micro-second each on a virtual machine: a
 * seventh of the time of a run that takes milliseconds. Huge pages (2 MiB) come at once. */
#ifndef PYPTO_LINT_BASE_PAGES_H
#define PYPTO_LINT_BASE_PAGES_H

#include <stddef.h>

/* Small files need no huge page, so the first piece must be a large one; after that, small pieces
 * use the rest of the page. */
enum { PAGES_MIN = 16 * 1024, PAGES_FIRST = 64 * 1024, PAGES_MAX = 1024 * 1024 };

/* `size` bytes (a power of two from PAGES_MIN to PAGES_MAX), aligned for any type. They belong to
 * the program until its end: keep what is no longer used for the next. NULL when this thread has
 * used its 8 MiB, when the system has no memory left, for a first piece below PAGES_FIRST, and
 * always under a sanitizer, which watches malloc only. */
void *pages_take(size_t size);

#endif
