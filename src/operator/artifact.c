/* Artifact: see artifact.h. */
#include "operator/artifact.h"

#include "base/fence.h"
#include "operator/operator.h"

FileKind file_kind(Str basename)
{
    bool test = str_starts(basename, STR(TEST_START)) && str_ends(basename, STR(".py"));
    return str_ends(basename, STR(IMPL_END))     ? KIND_IMPL
           : str_ends(basename, STR(GOLDEN_END)) ? KIND_GOLDEN
           : test                                ? KIND_TEST
           : str_is(basename, "SPEC.md")         ? KIND_SPEC
           : str_is(basename, "DESIGN.md")       ? KIND_DESIGN
                                                 : KIND_NONE;
}

/* Python's own ending. */
enum { PY = sizeof ".py" - 1 };

static Str module_end(const char *end)
{
    return (Str){end, strlen(end) - PY};
}

bool artifact_is_ending(Str module)
{
    return str_equal(module, module_end(IMPL_END)) || str_equal(module, module_end(GOLDEN_END));
}

bool artifact_is_module(Str module)
{
    bool end = str_ends(module, module_end(IMPL_END)) || str_ends(module, module_end(GOLDEN_END));
    bool start = str_starts(module, STR(TEST_START)) && module.length > strlen(TEST_START);
    return start || (end && !artifact_is_ending(module));
}

bool artifact_is_code(Str basename)
{
    return str_ends(basename, STR(".py")) &&
           artifact_is_module(str_slice(basename, 0, basename.length - PY));
}

Str artifact_stem(Str basename)
{
    static const char *const ends[] = {IMPL_END, GOLDEN_END, ".py"};
    bool test = str_starts(basename, STR(TEST_START)) && str_ends(basename, STR(".py"));
    if (test) {
        return str_slice(basename, strlen(TEST_START), basename.length - 3);
    }
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        if (str_ends(basename, str_from(ends[i]))) {
            return str_slice(basename, 0, basename.length - strlen(ends[i]));
        }
    }
    return basename;
}

Str artifact_file(Arena *arena, FileKind kind, Str base)
{
    return kind == KIND_TEST ? str_format(arena, TEST_START "%.*s.py", STR_ARG(base))
                             : str_format(arena, "%.*s%s", STR_ARG(base),
                                          kind == KIND_IMPL ? IMPL_END : GOLDEN_END);
}

Str artifact_name(Arena *arena, FileKind kind, Str base)
{
    Str file = artifact_file(arena, kind, base);
    return str_format(arena, "%.*s", (int)file.length - 3, file.at);
}

Str artifact_base(Arena *arena, Str op, Str suffix)
{
    return str_format(arena, "%.*s_module%.*s", STR_ARG(op), STR_ARG(suffix));
}

Str artifact_module(Arena *arena, FileKind kind, Str op, Str suffix)
{
    return path_join(arena, STR("modules"),
                     artifact_file(arena, kind, artifact_base(arena, op, suffix)));
}

FileStatus artifact_read(Arena *arena, Str path, size_t limit, Str *text, Str *error)
{
    Str folder = path_parent(path);
    Str name = path_basename(folder);
    if (str_is(name, "eval") || str_is(name, "modules")) {
        folder = path_join(arena, folder, STR(".."));
    }
    return fence_read(arena, fence_of(arena, folder), str_dup(arena, path), limit, text, error);
}
