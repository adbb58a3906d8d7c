/* One Python text with its model, for tests that ask about syntax trees and kernels. */
#ifndef PYPTO_LINT_TESTS_PY_FIXTURE_H
#define PYPTO_LINT_TESTS_PY_FIXTURE_H

#include "kernel/kernel.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

/* cmocka set-up and tear-down: `*state` is an Arena. */
static inline int arena_set_up(void **state)
{
    Arena *arena = calloc(1, sizeof *arena);
    *state = arena;
    return arena == NULL ? -1 : 0;
}

static inline int arena_tear_down(void **state)
{
    arena_free(*state);
    free(*state);
    return 0;
}

/* The model of a text that parses. */
static inline PyFile *py_read(Arena *arena, const char *text)
{
    PyFile *file = ARENA_NEW(arena, PyFile);
    pyfile_init(file, arena, STR("x.py"), str_from(text));
    assert_int_equal(file->parsed.status, PARSE_OK);
    assert_non_null(file->parsed.module);
    assert_ptr_equal(file->parsed.module->source, &file->parsed.source);
    return file;
}

static inline const Module *py_module(Arena *arena, const char *text)
{
    return pyfile_module(py_read(arena, text));
}

/* The nth (from 0) node of a kind, in pre-order. */
static inline NodeId py_nth(const Module *module, NodeKind kind, uint32_t n)
{
    NodeList list = module_nodes(module, kind);
    assert_true(n < list.count);
    return list.ids[n];
}

/* Names of the nodes of a list, separated by blanks. */
static inline const char *py_names(Arena *arena, const Module *module, NodeList list)
{
    Buf names = {.arena = arena};
    buf_add(&names, STR(""));
    for (uint32_t i = 0; i < list.count; i++) {
        Str name = node_name(module, list.ids[i]);
        buf_addf(&names, "%s%.*s", i == 0 ? "" : " ", STR_ARG(name));
    }
    return names.at;
}

static inline const char *py_strs(Arena *arena, Strs list)
{
    Buf names = {.arena = arena};
    buf_add(&names, STR(""));
    for (uint32_t i = 0; i < list.count; i++) {
        buf_addf(&names, "%s%.*s", i == 0 ? "" : " ", STR_ARG(list.items[i]));
    }
    return names.at;
}

static inline void assert_str(Str text, const char *expected)
{
    assert_int_equal(text.length, strlen(expected));
    assert_memory_equal(text.length == 0 ? "" : text.at, expected, text.length);
}

#endif
