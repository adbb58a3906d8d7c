/* Pages; see pages.h. Each thread cuts its pieces from one stretch of its own; when that is used up
 * there are none any more. A hook needs no more; in a run over hundreds of files, whose memory is
 * kept to the end, pages that are only begun would add up. */
#include "base/pages.h"

#include "platform/platform.h"

#include <stdbool.h>

#if defined(__SANITIZE_ADDRESS__)
#define UNDER_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define UNDER_SANITIZER 1
#endif
#endif
#ifndef UNDER_SANITIZER
#define UNDER_SANITIZER 0
#endif

enum { HUGE_PAGE = 2 * 1024 * 1024, STRETCH = 4 * HUGE_PAGE };

static _Thread_local char *stretch_at, *stretch_end;
static _Thread_local bool has_stretch; /* or there was none to be had */

static void take_stretch(void)
{
    has_stretch = true;
    stretch_at = platform_huge_pages(STRETCH, HUGE_PAGE);
    stretch_end = stretch_at == NULL ? NULL : stretch_at + STRETCH;
}

void *pages_take(size_t size)
{
    if (UNDER_SANITIZER || size < PAGES_MIN || size > PAGES_MAX ||
        (!has_stretch && size < PAGES_FIRST)) {
        return NULL;
    }
    if (!has_stretch) {
        take_stretch();
    }
    if ((size_t)(stretch_end - stretch_at) < size) {
        return NULL;
    }
    void *piece = stretch_at;
    stretch_at += size;
    return piece;
}
