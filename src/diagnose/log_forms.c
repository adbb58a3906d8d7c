/* Makes one automaton of all words that a line is searched for; see log_forms.h. */
#include "diagnose/log_forms.h"

#include "diagnose/glob.h"
#include "diagnose/log_markers.h"
#include "operator/text.h"

static const struct {
    Marker marker;
    const char *text;
} markers[] = {
#define MARKER(class, text) {MARK_##class, text},
#include "diagnose/log_markers.def"
#undef MARKER
};
enum { MARKERS = sizeof markers / sizeof *markers };

static void add_globs(Arena *arena, LogForms *forms, Strs *words, uint32_t pattern)
{
    enum { MOST_ANCHOR = 16 }; /* tells enough; the automaton grows with the length */
    Str globs = str_from(patterns[pattern].globs), glob;
    for (size_t at = 0; text_next_line(globs, &at, &glob);) {
        Alternative alternative = {glob, pattern, log_glob_is_name(glob), glob_wants_error(glob)};
        VEC_PUSH(arena, &forms->alternatives, alternative);
        VEC_PUSH(arena, words, str_slice(glob_anchor(glob), 0, MOST_ANCHOR));
    }
}

const LogForms *log_forms(Arena *arena)
{
    LogForms *forms = ARENA_NEW(arena, LogForms);
    Strs words = {0};
    for (size_t i = 0; i < MARKERS; i++) {
        VEC_PUSH(arena, &words, str_from(markers[i].text));
    }
    for (uint32_t i = 0; i < log_sign_count; i++) {
        VEC_PUSH(arena, &words, str_from(log_signs[i].text));
    }
    for (uint32_t i = 0; i < pattern_count; i++) {
        add_globs(arena, forms, &words, i);
    }
    anchors_build(&forms->anchors, arena, &words);
    return forms;
}

static void found(void *context, uint32_t word)
{
    LogScan *scan = context;
    ScanWork *work = scan->work;
    if (word < MARKERS) {
        work->marks |= 1U << markers[word].marker;
        return;
    }
    uint32_t sign = word - MARKERS;
    if (sign < log_sign_count) {
        work->signs |= 1U << log_signs[sign].class;
        return;
    }
    uint32_t alternative = sign - log_sign_count;
    if (work->seen[alternative] != work->stamp) {
        work->seen[alternative] = work->stamp;
        VEC_PUSH(scan->arena, &work->hits, alternative);
    }
}

void log_forms_find(LogScan *scan, Str line)
{
    anchors_scan(&scan->work->forms->anchors, line, found, scan);
}
