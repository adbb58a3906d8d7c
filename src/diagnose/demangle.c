/* Demangles names with libiberty; see demangle.h. */
#include "diagnose/demangle.h"

#include "base/ascii.h"

#include <stdlib.h>

#ifdef PYPTO_LINT_HAS_IBERTY
#include <libiberty/demangle.h>
#endif

enum { MOST_MANGLED = 512, MOST_SHOWN = 160 };

/* Appends the name, demangled where that works. */
static void add_name(Buf *out, Str name)
{
#ifdef PYPTO_LINT_HAS_IBERTY
    if (name.length <= MOST_MANGLED) {
        /* Without parameters: in a stack the names of functions are what matters. */
        char *plain = cplus_demangle_v3(str_dup(out->arena, name), DMGL_ANSI);
        if (plain != NULL) {
            Str copy = str_copy(out->arena, str_slice(str_from(plain), 0, MOST_SHOWN));
            free(plain);
            buf_add(out, copy);
            return;
        }
    }
#endif
    buf_add(out, name);
}

Str demangle_text(Arena *arena, Str text)
{
    Buf out = {.arena = arena};
    buf_add(&out, STR(""));
    for (size_t at = 0; at < text.length;) {
        bool begins = at == 0 || !is_word_char(text.at[at - 1]);
        size_t end = at;
        while (end < text.length && is_word_char(text.at[end])) {
            end++;
        }
        Str word = str_slice(text, at, end == at ? at + 1 : end);
        if (begins && str_starts(word, STR("_Z"))) {
            add_name(&out, word);
        } else {
            buf_add(&out, word);
        }
        at += word.length;
    }
    return buf_str(&out);
}
