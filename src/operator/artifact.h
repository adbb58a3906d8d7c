/* Artifact: the files of an operator directory by their names, which nobody else spells, and the
 * reading of one by its path, outside a run of rules. */
#ifndef PYPTO_LINT_OPERATOR_ARTIFACT_H
#define PYPTO_LINT_OPERATOR_ARTIFACT_H

#include "base/file.h"
#include "base/path.h"

#define IMPL_END   "_impl.py"
#define GOLDEN_END "_golden.py"
#define TEST_START "test_"

typedef enum FileKind {
    KIND_NONE,
    KIND_IMPL,
    KIND_GOLDEN,
    KIND_TEST,
    KIND_SPEC,
    KIND_DESIGN,
} FileKind;

/* What a file is, by its name without folders. */
FileKind file_kind(Str basename);
/* Is it the name of an implementation, a golden or a test, "softmax_impl.py", with an operator in
 * it? `module`: as a module of Python, "softmax_impl". */
bool artifact_is_code(Str basename);
bool artifact_is_module(Str module);
/* What is left of such a name when a wildcard stands for the operator: "_impl", "_golden". */
bool artifact_is_ending(Str module);
/* The part of the name that is the operator's; without the ending for other files. */
Str artifact_stem(Str basename);

/* Names of KIND_IMPL, KIND_GOLDEN and KIND_TEST; `base` is the operator's name or artifact_base().
 * As a module of Python: "softmax_golden", "test_softmax"; as a file, with ".py". In the arena. */
Str artifact_name(Arena *arena, FileKind kind, Str base);
Str artifact_file(Arena *arena, FileKind kind, Str base);
/* Of the modules of a phase: "softmax_module123", and the file below `modules/`. */
Str artifact_base(Arena *arena, Str op, Str suffix);
Str artifact_module(Arena *arena, FileKind kind, Str op, Str suffix);

/* fence_read (base/fence.h) with the fence of the operator that the path is in: its folder, or the
 * one above `eval` and `modules`. */
FileStatus artifact_read(Arena *arena, Str path, size_t limit, Str *text, Str *error);

#endif
