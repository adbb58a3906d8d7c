/* Tests of the trees that are kept: after any edit the module is the one of a parse from the
 * start. */
#include "module_compare.h"
#include "python/parse.h"
#include "python/parse_part.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static const char sample[] = "import pypto\n"
                             "\n"
                             "\n"
                             "@pypto.frontend.jit\n"
                             "def kernel(x: pypto.Tensor([pypto.DYNAMIC, 128], pypto.DT_FP32),\n"
                             "           y: pypto.Tensor([64, 128], pypto.DT_FP32)):\n"
                             "    \"\"\"A text\n    of two lines.\"\"\"\n"
                             "    pypto.set_vec_tile_shapes(16, 128)  # a comment\n"
                             "    for i in pypto.loop(4, name=f\"L{1 + 1}\"):\n"
                             "        if i == 0 and x.shape[0] > 2:\n"
                             "            part = pypto.view(x, [16, 128],\n"
                             "                              [i * 16, 0])\n"
                             "        else:\n"
                             "            part = [v for v in (1, 2) if v]\n"
                             "        pypto.assemble(part, [i * 16, 0], y)\n"
                             "\n"
                             "\n"
                             "class Options:\n"
                             "    value: int = 3\n"
                             "\n"
                             "    def get(self, *, deep=False) -> int:\n"
                             "        return lambda a, b=2: a ** b\n";

static uint32_t next_random(uint32_t most)
{
    static uint64_t seed = 88172645463325252ULL;
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed % (most + 1));
}

static void compare(const Parsed *kept, const Parsed *fresh, const char *text)
{
    if (kept->status != fresh->status || kept->errors.count != fresh->errors.count) {
        fail_msg("another verdict on:\n%s", text);
    }
    for (uint32_t i = 0; i < kept->errors.count; i++) {
        assert_int_equal(kept->errors.items[i].start, fresh->errors.items[i].start);
        assert_true(str_equal(kept->errors.items[i].message, fresh->errors.items[i].message));
    }
    if (fresh->module == NULL) {
        return;
    }
    NodeId id = module_difference(kept->module, fresh->module);
    if (id != NO_NODE) {
        NodeKind kind = node_kind(fresh->module, id);
        fail_msg("another node %u (%s) in:\n%s", id, node_kind_name(kind), text);
    }
}

static int parse_both(Str text)
{
    Arena arena;
    Parsed kept, fresh;
    arena_init(&arena, 0);
    parse_memory_begin();
    python_parse(&kept, &arena, STR("kernel.py"), text);
    Str other = str_copy(&arena, text);
    parse_memory_pause(true);
    python_parse(&fresh, &arena, STR("kernel.py"), other);
    parse_memory_pause(false);
    compare(&kept, &fresh, other.at);
    int good = kept.status == PARSE_OK;
    arena_free(&arena);
    return good;
}

enum { ROOM = 8192 };

static size_t line_start(const char *text, size_t at)
{
    while (at > 0 && text[at - 1] != '\n') {
        at--;
    }
    return at;
}

static void test_random_edits(void **state)
{
    (void)state;
    static const char *const pieces[] = {"x",
                                         " ",
                                         "\n",
                                         "\n    ",
                                         "\n        pass\n",
                                         "(",
                                         ")",
                                         "\"\"\"",
                                         "# c",
                                         ", 1",
                                         "if x:",
                                         "def f():\n    return 1\n",
                                         "\\\n",
                                         "f'{', 'a'",
                                         "\t",
                                         "= 2",
                                         "async",
                                         "\r\n",
                                         "\xC3\xA9",
                                         "lambda: 0",
                                         "[",
                                         "else:",
                                         "print x",
                                         "    x = 1\n",
                                         "@x\n",
                                         "a; b",
                                         "    try:\n        x\n    finally:\n        y\n",
                                         "\f",
                                         "*"};
    enum { PIECES = sizeof pieces / sizeof *pieces };
    static char text[ROOM], other[ROOM];
    int good = 0, bad = 0;
    uint64_t before = parse_part_count();
    memcpy(text, sample, sizeof sample);
    for (int i = 0; i < 6000; i++) {
        size_t length = strlen(text);
        size_t start = next_random((uint32_t)length);
        size_t end = start + next_random(next_random(9) == 0 ? 40 : 3);
        if (next_random(3) == 0) { /* whole lines: blocks that merge and part */
            start = line_start(text, start);
            end = line_start(text, end > length ? length : end);
        }
        end = end > length ? length : end < start ? start : end;
        const char *piece = next_random(2) == 0 ? "" : pieces[next_random(PIECES - 1)];
        snprintf(other, ROOM, "%.*s%s%s", (int)start, text, piece, text + end);
        if (parse_both(str_from(other)) != 0) {
            good++;
            memcpy(text, other, ROOM);
        } else {
            bad++; /* seen, and taken back as typing does */
        }
        if (strlen(text) > ROOM / 2 || next_random(60) == 0) {
            memcpy(text, sample, sizeof sample);
        }
    }
    assert_true(good > 500);
    assert_true(bad > 500);
    assert_true(parse_part_count() - before > 300); /* else it compares nothing */
    parse_memory_end();
}

/* From one text to the next; `part`: what is kept must be of use for it. */
static void step(const char *from, const char *to, bool part)
{
    assert_true(parse_both(str_from(from)));
    uint64_t before = parse_part_count();
    assert_true(parse_both(str_from(to)));
    assert_int_equal(parse_part_count() - before, part ? 1 : 0);
    parse_memory_end();
}

static void test_steps(void **state)
{
    (void)state;
    /* One statement of several, in the module and in blocks; the first of all. */
    step("a = 1\nb = 2\nc = 3\n", "a = 1\nbb = 2\nc = 3\n", true);
    step("a = 1\nb = 2\n", "xa = 1\nb = 2\n", true);
    step("def f():\n    a = 1\n    b = 2\n", "def f():\n    a = x\n    b = 2\n", true);
    step("def f():\n    a = 1\n    b = 2\n", "def f():\n    a = 1\n    b = x\n", true);
    /* Names that are not written as they are meant, before and after the change. */
    step("import a.b . c as \xEF\xAC\x81x, d\nb = 1\n\xEF\xAC\x81 = 2\n",
         "import a.b . c as \xEF\xAC\x81x, d\nbb = 1\n\xEF\xAC\x81 = 2\n", true);
    /* Without its header a body belongs to the function before, also below a form feed. */
    step("def f():\n    a\n\ndef g():\n    b\n\nc\n", "def f():\n    a\n\n#ef g():\n    b\n\nc\n",
         false);
    step("def f():\n    a\n\ndef g():\n    b\n\nc\n", "def f():\n    a\n\n\f\n    b\n\nc\n", false);
    /* A decorator belongs to what follows, a star that is blanked to its operand. */
    step("a\n@b\ndef f():\n    c\n", "a\n@x.b\ndef f():\n    c\n", true);
    step("a\nb[c, d]\ne\n", "a\nb[c, *d]\ne\n", true);
    /* A comment only moves what follows. */
    step("a\n# b\nc\n", "a\n# bc\nc\n", true);
}

static void test_many_files(void **state)
{
    (void)state;
    Arena arena;
    arena_init(&arena, 0);
    parse_memory_begin();
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 40; i++) {
            Parsed parsed;
            Str path = str_format(&arena, "k%d.py", i);
            Str text = str_format(&arena, "a = %d\nb = [%d]\n", i, round);
            python_parse(&parsed, &arena, path, text);
            assert_int_equal(parsed.status, PARSE_OK);
            assert_int_equal(module_nodes(parsed.module, NODE_ASSIGN).count, 2);
        }
    }
    parse_memory_end();
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_edits),
                                       cmocka_unit_test(test_steps),
                                       cmocka_unit_test(test_many_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
