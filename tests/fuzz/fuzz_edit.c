/* Fuzz driver: an edit of a Python file whose tree is kept.
 *
 * The first bytes say where, how much is taken out, and how much of what follows is put in; the
 * rest is the file. What must hold: the tree is the one of a parse from the start. */
#include "../unit/module_compare.h"
#include "fuzz.h"
#include "python/parse.h"
#include "python/parse_memory.h"

enum { HEAD = 4 };

static void parse(Arena *arena, Parsed *parsed, Str text)
{
    python_parse(parsed, arena, STR("kernel.py"), text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena arena;
    jmp_buf env;
    size_t taken = size < HEAD ? 0 : data[2] % 64, put = size < HEAD ? 0 : data[3] % 64;
    if (size < HEAD + put) {
        return 0;
    }
    Str before = {(const char *)data + HEAD + put, size - HEAD - put};
    size_t at = (data[0] * 256U + data[1]) % (before.length + 1);
    arena_init(&arena, 0);
    REQUIRE(OOM_GUARD(&arena, env));
    Buf after = {.arena = &arena};
    buf_add(&after, str_slice(before, 0, at));
    buf_add(&after, (Str){(const char *)data + HEAD, put});
    buf_add(&after, str_slice(before, at + taken, SIZE_MAX));
    Parsed first, kept, fresh;
    parse_memory_begin();
    parse(&arena, &first, before);
    parse(&arena, &kept, buf_str(&after));
    parse_memory_pause(true);
    parse(&arena, &fresh, buf_str(&after));
    REQUIRE(kept.status == fresh.status && kept.errors.count == fresh.errors.count);
    REQUIRE(fresh.module == NULL || module_difference(kept.module, fresh.module) == NO_NODE);
    parse_memory_end();
    arena_free(&arena);
    return 0;
}
