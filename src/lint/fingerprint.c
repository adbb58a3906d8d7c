/* Fingerprint: see fingerprint.h. */
#include "lint/fingerprint.h"

#include <stdlib.h>

/* Of a longer range the first lines tell enough; with a limit the work stays linear. */
enum { MAX_LINES = 16, MAX_BYTES = 4096 };

static bool is_white(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/* Runs of white space as one blank, none at the ends. */
static void add_evened(Buf *out, Str line)
{
    line = str_slice(line, 0, MAX_BYTES);
    bool blank = false;
    size_t start = out->length;
    for (size_t i = 0; i < line.length; i++) {
        if (is_white(line.at[i])) {
            blank = true;
            continue;
        }
        if (blank && out->length > start) {
            buf_add_char(out, ' ');
        }
        blank = false;
        buf_add_char(out, line.at[i]);
    }
}

Str fingerprint_text(Arena *arena, const Finding *finding)
{
    const Region *region = &finding->region;
    if (region->line == 0 || finding->source == NULL) {
        return finding->identity.length > 0 ? finding->identity : finding->message;
    }
    uint32_t last = region->end_line;
    if (last > region->line && region->end_column <= 1) {
        last--; /* the range ends with a line end */
    }
    Buf text = {.arena = arena};
    buf_add(&text, STR(""));
    for (uint32_t i = 0; i < MAX_LINES && region->line + i <= last; i++) {
        if (i > 0) {
            buf_add_char(&text, '\n');
        }
        add_evened(&text, source_line_text(finding->source, region->line + i));
    }
    return buf_str(&text);
}

static uint64_t add_hash(uint64_t hash, Str text)
{
    for (size_t i = 0; i < text.length; i++) {
        hash = (hash ^ (unsigned char)text.at[i]) * 0x100000001B3;
    }
    return (hash ^ 0xFF) * 0x100000001B3; /* a byte that no text contains keeps the parts apart */
}

typedef struct Numbered {
    uint64_t hash;
    uint32_t index;
} Numbered;

static int by_hash(const void *a, const void *b)
{
    const Numbered *left = a;
    const Numbered *right = b;
    if (left->hash != right->hash) {
        return left->hash < right->hash ? -1 : 1;
    }
    return left->index < right->index ? -1 : left->index > right->index;
}

Fingerprint *fingerprints_make(Arena *arena, const Findings *findings, const Str *files)
{
    uint32_t count = findings->count;
    if (count == 0) {
        return NULL;
    }
    Fingerprint *prints = ARENA_ARRAY(arena, Fingerprint, count);
    Numbered *order = ARENA_ARRAY(arena, Numbered, count);
    for (uint32_t i = 0; i < count; i++) {
        const Finding *finding = findings->items[i];
        uint64_t hash = add_hash(0xCBF29CE484222325, str_from(finding->rule->id));
        hash = add_hash(hash, files[i]);
        prints[i].hash = add_hash(hash, fingerprint_text(arena, finding));
        order[i] = (Numbered){prints[i].hash, i};
    }
    qsort(order, count, sizeof *order, by_hash);
    /* Counted in a variable: gcc 14 reads order[-1] where the sum is taken of the one before. */
    uint32_t occurrence = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool repeated = i > 0 && order[i].hash == order[i - 1].hash;
        occurrence = repeated ? occurrence + 1 : 1;
        prints[order[i].index].occurrence = occurrence;
    }
    return prints;
}
