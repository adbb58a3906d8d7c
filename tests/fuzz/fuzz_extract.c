/* Fuzz driver: dtypes, tolerances and shapes of a test, identifiers of DESIGN.md. Places lie within
 * the text, a set has what it lists, and a sorted list is sorted and has each word once. */
#include "base/utf8.h"
#include "fuzz.h"
#include "operator/extract.h"

static void check_tolerances(Arena *arena, Str text, const char *key)
{
    ToleranceUses uses = tolerance_uses(arena, text, key);
    size_t before = 0;
    for (uint32_t i = 0; i < uses.count; i++) {
        const ToleranceUse *use = &uses.items[i];
        REQUIRE(use->start >= before && use->start < use->end && use->end <= text.length);
        REQUIRE(use->value >= 0 && use->text.length == use->end - use->start);
        before = use->end;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Arena arena;
    jmp_buf env;
    Str text = {(const char *)data, size};
    if (utf8_first_error(text) != SIZE_MAX) {
        return 0; /* documents that are not UTF-8 are not read */
    }
    arena_init(&arena, 0);
    REQUIRE(OOM_GUARD(&arena, env));
    REQUIRE(dtypes_mentioned(text) < 1u << DTYPE_COUNT);
    Dtype dtype = dtype_parse(text);
    REQUIRE(dtype == DTYPE_UNKNOWN || (dtypes_mentioned(text) & 1u << dtype) != 0);
    check_tolerances(&arena, text, "atol");
    check_tolerances(&arena, text, "mare_matrix");
    ShapeSet shapes = {0};
    shapes_in_text(&arena, text, &shapes);
    for (uint32_t i = 0; i < shapes.shapes.count; i++) {
        REQUIRE(shape_set_has(&shapes, shapes.shapes.items[i]));
        REQUIRE(shape_show(&arena, shapes.shapes.items[i]).length >= 2);
    }
    Strs names = design_identifiers(&arena, text);
    for (uint32_t i = 0; i < names.count; i++) {
        REQUIRE(strs_sorted_have(&names, names.items[i]));
        REQUIRE(i == 0 || str_compare(names.items[i - 1], names.items[i]) < 0);
    }
    arena_free(&arena);
    return 0;
}
