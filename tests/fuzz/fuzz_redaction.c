/* Fuzz driver: the redaction between a reference and the reports. The input is three texts, NULs
 * between them: of the reference, of the author, and what a worker printed. What must hold: a line
 * of the reference that is long enough and not the author's own is not in what comes out. */
#include "base/utf8.h"
#include "fuzz.h"
#include "harness/report/redaction.h"

static Str part(Str text, size_t *at)
{
    size_t end = str_find(text, STR("\0"), *at);
    end = end == SIZE_MAX ? text.length : end;
    Str result = str_slice(text, *at < text.length ? *at : text.length, end);
    *at = end + 1;
    return result;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Arena arena;
    jmp_buf env;
    arena_init(&arena, 0);
    REQUIRE(OOM_GUARD(&arena, env));
    Str text = {(const char *)data, size};
    size_t at = 0;
    Str hidden = part(text, &at);
    Str allowed = part(text, &at);
    Str printed = at < text.length ? str_slice(text, at, text.length) : STR("");
    Redaction redaction;
    redaction_init(&redaction, &arena);
    redaction_hide(&redaction, hidden);
    redaction_allow(&redaction, allowed);
    Str out = redaction_filter(&arena, &redaction, printed);
    Str message = redaction_message(&arena, &redaction, printed);
    REQUIRE(message.length <= 240 && utf8_first_error(message) == SIZE_MAX);
    Str line = str_trim(str_slice(hidden, 0, str_find(hidden, STR("\n"), 0)));
    bool plain = line.length >= 4 * REDACTION_LEAST_CHARACTERS;
    for (size_t i = 0; i < line.length; i++) {
        plain = plain && line.at[i] > ' ' && line.at[i] <= '~';
    }
    if (plain && !str_contains(allowed, line)) {
        /* A line of its own is the case that is promised whatever surrounds it. */
        Str alone =
            redaction_filter(&arena, &redaction, str_format(&arena, "a\n%.*s\nb", STR_ARG(line)));
        REQUIRE(!str_contains(alone, line));
    }
    (void)redaction_filter(&arena, NULL, printed);
    (void)out;
    arena_free(&arena);
    return 0;
}
