/* Texts cut in the middle; see middle_cut.h. */
#include "base/middle_cut.h"

#include <inttypes.h>

void middle_cut_init(MiddleCut *cut, Arena *arena, size_t first, size_t last)
{
    *cut = (MiddleCut){arena_alloc(arena, first + 1), arena_alloc(arena, last + 1), first, last, 0};
}

void middle_cut_reset(MiddleCut *cut)
{
    cut->bytes = 0;
}

void middle_cut_add(MiddleCut *cut, const char *bytes, size_t count)
{
    if (cut->bytes < cut->first) {
        size_t room = cut->first - (size_t)cut->bytes;
        size_t taken = count < room ? count : room;
        memcpy(cut->head + cut->bytes, bytes, taken);
        cut->bytes += taken;
        bytes += taken;
        count -= taken;
    }
    if (count > cut->last) { /* of so much only the end will stay */
        size_t passed = count - cut->last;
        cut->bytes += passed;
        bytes += passed;
        count = cut->last;
    }
    while (count > 0) {
        size_t at = (size_t)((cut->bytes - cut->first) % cut->last);
        size_t taken = count < cut->last - at ? count : cut->last - at;
        memcpy(cut->ring + at, bytes, taken);
        cut->bytes += taken;
        bytes += taken;
        count -= taken;
    }
}

Str middle_cut_text(const MiddleCut *cut, Arena *arena)
{
    Buf text = {.arena = arena};
    size_t head = cut->bytes < cut->first ? (size_t)cut->bytes : cut->first;
    uint64_t rest = cut->bytes - head;
    buf_add(&text, (Str){cut->head, head});
    if (rest <= cut->last) {
        buf_add(&text, (Str){cut->ring, (size_t)rest});
        return buf_str(&text);
    }
    if (cut->first > 0 && cut->last > 0) {
        buf_addf(&text, "\n[… %" PRIu64 " bytes removed …]\n", rest - cut->last);
    }
    size_t at = cut->last > 0 ? (size_t)(rest % cut->last) : 0;
    buf_add(&text, (Str){cut->ring + at, cut->last - at});
    buf_add(&text, (Str){cut->ring, at});
    return buf_str(&text);
}
