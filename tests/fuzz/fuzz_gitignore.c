/* Fuzz driver: a .gitignore file and a path, cut at the first NUL. Deciding is deterministic, and a
 * pattern matches or does not, whatever comes before it in the file. */
#include "fuzz.h"
#include "lint/gitignore.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Arena arena;
    jmp_buf env;
    Str all = {(const char *)data, size};
    size_t cut = str_find(all, (Str){"\0", 1}, 0);
    Str text = str_slice(all, 0, cut);
    Str path = cut == SIZE_MAX ? STR("a/b.py") : str_slice(all, cut + 1, size);
    arena_init(&arena, 0);
    REQUIRE(OOM_GUARD(&arena, env));
    IgnorePatterns patterns = {0};
    ignore_patterns_read(&patterns, &arena, text);
    IgnoreVerdict verdict = ignore_patterns_decide(&patterns, path, false);
    IgnoreVerdict expected = IGNORE_UNDECIDED;
    for (uint32_t i = 0; i < patterns.count; i++) {
        const IgnorePattern *pattern = &patterns.items[i];
        if (ignore_pattern_matches(pattern, path, false)) {
            expected = pattern->negated ? IGNORE_KEPT : IGNORE_IGNORED;
        }
    }
    REQUIRE(verdict == expected);
    arena_free(&arena);
    return 0;
}
