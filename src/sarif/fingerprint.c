/*
 * Line hashes as GitHub's upload action computes them, so that an alert keeps its identity while
 * lines move. A line's hash is that of the next 100 UTF-16 units from its start, blanks not
 * counted, running over into the lines that follow; a second line with the same hash is number
 * 2. */
#include "memory.h"
#include "utf8.h"

enum {
    WINDOW = 100,        /* units that make up a hash */
    END_OF_TEXT = 65535, /* the unit that closes the text; zeros follow it */
};

#define FACTOR UINT64_C(37)

typedef struct LineHash {
    uint64_t hash;
    size_t occurrence; /* from 1 */
} LineHash;

struct SarifLines {
    SarifAllocator allocator;
    size_t count;
    LineHash lines[];
};

/* A ring of the last WINDOW units and of the lines that begin at them. */
typedef struct Roller {
    LineHash *lines;
    size_t done;      /* lines that have their hash: they get it in order */
    uint64_t hash;    /* of the window, modulo 2^64 */
    uint64_t leaving; /* FACTOR^WINDOW: the weight of the unit that leaves the window */
    uint64_t ring[WINDOW];
    bool starts_line[WINDOW];
    size_t at;
    bool line_start; /* the next unit begins a line */
    bool after_return;
} Roller;

static void push(Roller *roller, uint64_t unit)
{
    if (roller->starts_line[roller->at]) {
        roller->lines[roller->done++].hash = roller->hash;
        roller->starts_line[roller->at] = false;
    }
    roller->hash = roller->hash * FACTOR + unit - roller->leaving * roller->ring[roller->at];
    roller->ring[roller->at] = unit;
}

static void advance(Roller *roller)
{
    roller->at = roller->at + 1 == WINDOW ? 0 : roller->at + 1;
}

static void push_unit(Roller *roller, uint32_t unit)
{
    bool after_return = roller->after_return;
    roller->after_return = false;
    if (unit == ' ' || unit == '\t' || (unit == '\n' && after_return)) {
        return;
    }
    if (unit == '\r') {
        unit = '\n';
        roller->after_return = true;
    }
    push(roller, unit);
    if (roller->line_start) {
        roller->starts_line[roller->at] = true;
    }
    roller->line_start = unit == '\n';
    advance(roller);
}

static void hash_text(Roller *roller, SarifText text)
{
    size_t at = 0;
    while (at < text.size) {
        uint32_t code_point;
        bool valid;
        at += sarif_utf8_next(text.data + at, text.size - at, &code_point, &valid);
        if (code_point > 0xFFFF) {
            code_point -= 0x10000;
            push_unit(roller, 0xD800 + (code_point >> 10));
            push_unit(roller, 0xDC00 + (code_point & 0x3FF));
        } else {
            push_unit(roller, code_point);
        }
    }
    push_unit(roller, END_OF_TEXT);
    for (size_t i = 0; i < WINDOW; i++) {
        push(roller, 0);
        advance(roller);
    }
}

/* At most this many lines: a blank between CR and LF makes two ends of them, as in the original. */
static size_t line_limit(SarifText text)
{
    size_t limit = 1;
    for (size_t i = 0; i < text.size; i++) {
        limit += text.data[i] == '\n' || text.data[i] == '\r' ? 1 : 0;
    }
    return limit;
}

static bool number_occurrences(SarifLines *lines)
{
    SarifTable table;
    size_t *last = sarif_indices_new(&lines->allocator, lines->count); /* first line -> last one */
    if (last == NULL || !sarif_table_init(&table, &lines->allocator, lines->count)) {
        sarif_release(&lines->allocator, last);
        return false;
    }
    for (size_t i = 0; i < lines->count; i++) {
        LineHash *line = &lines->lines[i];
        size_t slot = sarif_table_slot(&table, line->hash);
        size_t entry;
        while ((entry = table.slots[slot]) != 0 && lines->lines[entry - 1].hash != line->hash) {
            slot = sarif_table_next(&table, slot);
        }
        if (entry == 0) {
            table.slots[slot] = entry = i + 1;
            line->occurrence = 1;
        } else {
            line->occurrence = lines->lines[last[entry - 1]].occurrence + 1;
        }
        last[entry - 1] = i;
    }
    sarif_table_free(&table, &lines->allocator);
    sarif_release(&lines->allocator, last);
    return true;
}

SarifStatus sarif_lines_create(SarifText text, const SarifAllocator *allocator, SarifLines **lines)
{
    *lines = NULL;
    size_t limit = line_limit(text);
    if (limit > (SIZE_MAX - sizeof(SarifLines)) / sizeof(LineHash)) {
        return SARIF_NO_MEMORY;
    }
    size_t size = sizeof(SarifLines) + limit * sizeof(LineHash);
    SarifLines *made = sarif_resize(allocator, NULL, size, 1);
    if (made == NULL) {
        return SARIF_NO_MEMORY;
    }
    made->allocator = allocator == NULL ? (SarifAllocator){NULL, NULL} : *allocator;
    Roller roller = {.lines = made->lines, .leaving = 1, .line_start = true};
    for (size_t i = 0; i < WINDOW; i++) {
        roller.leaving *= FACTOR;
    }
    hash_text(&roller, text);
    made->count = roller.done;
    if (!number_occurrences(made)) {
        sarif_lines_free(made);
        return SARIF_NO_MEMORY;
    }
    *lines = made;
    return SARIF_OK;
}

void sarif_lines_free(SarifLines *lines)
{
    if (lines != NULL) {
        SarifAllocator allocator = lines->allocator;
        sarif_release(&allocator, lines);
    }
}

size_t sarif_lines_count(const SarifLines *lines)
{
    return lines->count;
}

/* Writes the digits of a number in base 10 or 16, without leading zeros; returns their number. */
static size_t put_digits(char *out, uint64_t value, unsigned base)
{
    char digits[20];
    size_t count = 0;
    do {
        digits[count++] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value > 0);
    for (size_t i = 0; i < count; i++) {
        out[i] = digits[count - 1 - i];
    }
    return count;
}

size_t sarif_lines_hash(const SarifLines *lines, size_t line, char out[SARIF_LINE_HASH_SIZE])
{
    size_t index = line == 0 ? 0 : line - 1;
    out[0] = '\0';
    if (index >= lines->count) {
        return 0;
    }
    size_t size = put_digits(out, lines->lines[index].hash, 16);
    out[size++] = ':';
    size += put_digits(out + size, lines->lines[index].occurrence, 10);
    out[size] = '\0';
    return size;
}
