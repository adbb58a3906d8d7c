/* Fuzz driver: headings, sections, and what is read from MEMORY.md by machine. Every place that a
 * reader names lies within the text and is in order. */
#include "base/utf8.h"
#include "fuzz.h"
#include "operator/markdown.h"
#include "operator/memory_document.h"
#include "operator/text.h"

static void check_headings(Arena *arena, Str text, uint32_t lines)
{
    Headings headings = markdown_headings(arena, text, 1);
    uint32_t line = 0;
    for (uint32_t i = 0; i < headings.count; i++) {
        const Heading *heading = &headings.items[i];
        REQUIRE(heading->level >= 1 && heading->level <= 6 && heading->title.length > 0);
        REQUIRE(heading->line > line && heading->line <= lines);
        line = heading->line;
        Section section = markdown_section(text, 1, heading->title);
        REQUIRE(section.line <= lines && section.raw.length <= text.length);
        REQUIRE(section.text.length <= section.raw.length);
        if (i >= 20) {
            break; /* a search for each heading is quadratic */
        }
    }
    REQUIRE(headings.count == 0 || headings_find(&headings, headings.items[0].title) != NULL);
    (void)headings_find(&headings, STR("精度"));
}

static void check_memory(Arena *arena, Str text, uint32_t lines)
{
    Inventory inventory = memory_inventory(arena, text);
    REQUIRE(inventory.found || inventory.rows.count == 0);
    uint32_t line = 0;
    for (uint32_t i = 0; i < inventory.rows.count; i++) {
        const InventoryRow *row = &inventory.rows.items[i];
        REQUIRE(row->line > line && row->line <= lines);
        REQUIRE(row->start <= row->status_start && row->status_start <= row->status_end);
        REQUIRE(row->status_end <= row->end && row->end <= text.length);
        line = row->line;
    }
    for (int phase = 1; phase <= 2; phase++) {
        Review review = memory_review(arena, text, phase);
        for (uint32_t i = 0; i < review.items.count; i++) {
            const ReviewItem *item = &review.items.items[i];
            REQUIRE(item->line >= review.heading && item->line <= lines);
            REQUIRE(item->box_start < item->box_end && item->box_end <= text.length);
        }
        for (int i = 0; i < REVIEW_KEYWORD_COUNT; i++) {
            (void)review_item(&review, review_keywords[i]);
        }
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
    uint32_t lines = text_count_lines(text) + 1;
    check_headings(&arena, text, lines);
    check_memory(&arena, text, lines);
    size_t half = size / 2;
    ModuleCount count = module_count_read(str_slice(text, 0, half), str_slice(text, half, size));
    REQUIRE(!count.known || (count.count >= 0 && count.line >= 1 && count.line <= lines));
    arena_free(&arena);
    return 0;
}
