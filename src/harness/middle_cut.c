/* Texts cut in the middle; see middle_cut.h. */
#include "harness/middle_cut.h"

#include <inttypes.h>

void middle_cut_init(MiddleCut *cut, Arena *arena, size_t limit)
{
    size_t half = limit / 2 + limit % 2;
    *cut = (MiddleCut){arena_alloc(arena, half + 1), arena_alloc(arena, half + 1), half, 0};
}

void middle_cut_reset(MiddleCut *cut)
{
    cut->bytes = 0;
}

void middle_cut_add(MiddleCut *cut, const char *bytes, size_t count)
{
    if (cut->bytes < cut->half) {
        size_t room = cut->half - (size_t)cut->bytes;
        size_t taken = count < room ? count : room;
        memcpy(cut->head + cut->bytes, bytes, taken);
        cut->bytes += taken;
        bytes += taken;
        count -= taken;
    }
    if (count > cut->half && cut->half > 0) { /* of so much only the end will stay */
        size_t passed = count - cut->half;
        cut->bytes += passed;
        bytes += passed;
        count = cut->half;
    }
    while (count > 0 && cut->half > 0) {
        size_t at = (size_t)((cut->bytes - cut->half) % cut->half);
        size_t taken = count < cut->half - at ? count : cut->half - at;
        memcpy(cut->ring + at, bytes, taken);
        cut->bytes += taken;
        bytes += taken;
        count -= taken;
    }
}

Str middle_cut_text(const MiddleCut *cut, Arena *arena)
{
    Buf text = {.arena = arena};
    size_t head = cut->bytes < cut->half ? (size_t)cut->bytes : cut->half;
    uint64_t rest = cut->bytes - head;
    buf_add(&text, (Str){cut->head, head});
    if (rest <= cut->half) {
        buf_add(&text, (Str){cut->ring, (size_t)rest});
        return buf_str(&text);
    }
    size_t at = (size_t)(rest % cut->half);
    buf_addf(&text, "\n[… %" PRIu64 " bytes removed …]\n", rest - cut->half);
    buf_add(&text, (Str){cut->ring + at, cut->half - at});
    buf_add(&text, (Str){cut->ring, at});
    return buf_str(&text);
}
