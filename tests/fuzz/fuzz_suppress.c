/* Fuzz driver: suppressing comments. The input becomes the text after the marker, on a line of its
 * own and after code; directives lie within the text and name lines that are in order. */
#include "fuzz.h"
#include "lint/suppress.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Arena arena;
    jmp_buf env;
    arena_init(&arena, 0);
    REQUIRE(OOM_GUARD(&arena, env));
    Str comment = {(const char *)data, size};
    Buf text = {.arena = &arena};
    buf_add(&text, STR("x = 1  # pypto-lint:"));
    buf_add(&text, comment);
    buf_add(&text, STR("\n# pypto-lint: ignore["));
    buf_add(&text, comment);
    buf_add(&text, STR("\ndef f(\n    a,\n):  # pypto-lint: ignore"));
    buf_add(&text, comment);
    buf_add(&text, STR("\n    pass\n"));
    PyFile *file = ARENA_NEW(&arena, PyFile);
    pyfile_init(file, &arena, STR("x.py"), buf_str(&text));
    Suppressions list = {0};
    Notices notices = {.arena = &arena, .lang = size % 2 == 0 ? LANG_EN : LANG_ZH};
    suppressions_read(&list, &arena, file, &notices);
    for (uint32_t i = 0; i < list.count; i++) {
        const Suppression *item = &list.items[i];
        REQUIRE(item->start < item->end && item->end <= text.length);
        REQUIRE(item->start <= item->list_start && item->list_start <= item->list_end &&
                item->list_end <= item->end);
        REQUIRE(item->first_line <= item->last_line);
        REQUIRE(item->rules.count > 0 && item->rules.count <= SUPPRESS_MAX_SELECTORS);
    }
    arena_free(&arena);
    return 0;
}
