/* Fuzz driver: the reading of logs. What must hold: the answer does not depend on how the bytes are
 * cut into reads, texts that are kept are UTF-8, causes are in order, and the memory that is taken
 * does not grow with the log. */
#include "base/utf8.h"
#include "diagnose/diagnosis.h"
#include "fuzz.h"

enum { MOST_MEMORY = 8 * 1024 * 1024 };

static const LogForms *forms;

static LogScan *scan(Arena *arena, const char *bytes, size_t size, size_t step)
{
    LogScan *result = log_scan_begin(arena, forms, STR("softmax_impl.py"));
    log_scan_file(result, STR("a.log"));
    for (size_t at = 0; at < size; at += step) {
        log_scan_add(result, bytes + at, size - at < step ? size - at : step);
    }
    log_scan_file_end(result);
    return result;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Arena arena, kept;
    jmp_buf env;
    if (forms == NULL) {
        arena_init(&kept, 0);
        forms = log_forms(&kept);
    }
    arena_init(&arena, 0);
    REQUIRE(OOM_GUARD(&arena, env));
    LogScan *whole = scan(&arena, (const char *)data, size, size + 1);
    LogScan *parts = scan(&arena, (const char *)data, size, 7);
    Diagnosis one = diagnosis_of(whole), other = diagnosis_of(parts);
    REQUIRE(one.count == other.count && one.status == other.status);
    for (uint32_t i = 0; i < one.count; i++) {
        const LogMatch *match = one.causes[i].match;
        REQUIRE(match->pattern == other.causes[i].match->pattern);
        REQUIRE(match->line == other.causes[i].match->line);
        REQUIRE(utf8_first_error(match->text) == SIZE_MAX);
        REQUIRE(i == 0 || match->strength <= one.causes[i - 1].match->strength);
        REQUIRE(!one.causes[i].is_certain || match->strength == STRENGTH_CERTAIN);
    }
    REQUIRE(arena.used < MOST_MEMORY);
    arena_free(&arena);
    return 0;
}
