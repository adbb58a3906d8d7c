/* Tests of parsing: what is a file, what is a syntax error and where, versions of the grammar,
 * depth. */
#include "py_fixture.h"

static Parsed *parse(Arena *arena, Str text)
{
    Parsed *parsed = ARENA_NEW(arena, Parsed);
    python_parse(parsed, arena, STR("x.py"), text);
    return parsed;
}

static void test_absent_and_empty(void **state)
{
    Arena *arena = *state;
    const Parsed *absent = parse(arena, STR(""));
    assert_int_equal(absent->status, PARSE_ABSENT);
    assert_null(absent->module);
    assert_int_equal(absent->errors.count, 0);
    static const char *const modules[] = {"\n", "# only a comment", "   \n\t\n", "\f\n", "\r\r"};
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
        const Parsed *parsed = parse(arena, str_from(modules[i]));
        assert_int_equal(parsed->status, PARSE_OK);
        assert_int_equal(parsed->module->node_count, 1);
    }
}

/* Bytes that no Python file may hold. */
static void test_bytes(void **state)
{
    Arena *arena = *state;
    static const struct {
        Str text;
        const char *part;
        uint32_t line, column;
    } cases[] = {
        {{"x = 1\ny = '\xFF'\n", 14}, "UTF-8", 2, 6}, {{"a\0b\n", 4}, "null", 1, 2},
        {{"\xFF\xFEx\0", 4}, "UTF-8", 1, 1},      /* UTF-16, little end first */
        {{"\xFE\xFF\0x", 4}, "UTF-8", 1, 1},      /* big end first */
        {{"# \xED\xA0\x80\n", 6}, "UTF-8", 1, 3}, /* a surrogate, in a comment */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Parsed *parsed = parse(arena, cases[i].text);
        assert_int_equal(parsed->status, PARSE_ERROR);
        assert_null(parsed->module);
        assert_int_equal(parsed->errors.count, 1);
        const SyntaxError *error = &parsed->errors.items[0];
        assert_true(str_contains(error->message, str_from(cases[i].part)));
        assert_true(error->message_zh.length > 0);
        assert_int_equal(source_line(&parsed->source, error->start), cases[i].line);
        assert_int_equal(source_column(&parsed->source, error->start), cases[i].column);
    }
}

static void test_line_ends_and_mark(void **state)
{
    Arena *arena = *state;
    static const char *const texts[] = {"def f():\n    x = 1\n\ny = 2\n",
                                        "def f():\r\n    x = 1\r\n\r\ny = 2\r\n",
                                        "def f():\r    x = 1\r\ry = 2\r",
                                        ("\xEF\xBB\xBF"
                                         "def f():\n    x = 1\n\ny = 2\n"),
                                        "def f():\r\n    x = 1\n\ry = 2"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const Parsed *parsed = parse(arena, str_from(texts[i]));
        assert_int_equal(parsed->status, PARSE_OK);
        const Module *module = parsed->module;
        assert_int_equal(module_nodes(module, NODE_ASSIGN).count, 2);
        assert_int_equal(node_line(module, py_nth(module, NODE_ASSIGN, 0)), 2);
        assert_int_equal(node_line(module, py_nth(module, NODE_ASSIGN, 1)), 4);
        NodeId function = py_nth(module, NODE_FUNCTION_DEF, 0);
        assert_int_equal(source_column(&parsed->source, node_at(module, function)->start), 1);
    }
    /* The mark is dropped at the beginning only. */
    assert_int_equal(parse(arena, STR("x\n\xEF\xBB\xBFy\n"))->status, PARSE_ERROR);
}

/* The union of the grammars of 3.8 to 3.13. */
static void test_accepted(void **state)
{
    Arena *arena = *state;
    static const char *const texts[] = {
        "def f(a, /, b, *, c): pass\n",
        "if (n := 10) > 5: pass\n",
        "with (open(a) as b, open(c) as d): pass\n",
        ("match x:\n    case [1, *r] if r: pass\n    case {'k': v, **m}: pass\n    case A(b=c) | "
         "None: pass\n"),
        "match = case = type = _ = 1\nmatch(x)\ntype(y)\n",
        "try: pass\nexcept* E: pass\n",
        "def f[T: int, *Ts, **P](x: T) -> T: pass\n",
        "class C[T]: pass\n",
        "type A[T] = list[T]\n",
        "f'{x['a']}' f'{f'{1}'}'\n",
        "x = 1_0.0_1e-1_0j\n",
        "print(*a, **k, sep='')\n",
        "def f(*a: *T): pass\n",
        "x = yield\n",
        "return\n", /* rejected by the compiler only */
        "def f(a, a): pass\n",
        "f(k=1, k=2)\n",
        "break\nawait x\nnonlocal y\n",
        "lambda *, a=1: (yield)\n",
        "a = b = *c, d\n",
        "@x[0].y\ndef f(): ...\n",
        "async def f():\n    async with a as b, c: pass\n    return [i async for i in j]\n",
        /* annotations are expressions */
        "x: list[int][0] = 1\nx: A[b].c(d) = 1\nx[:] : y[:]\n",
        "x: A | B[c].d | None\nx: print[a:b, *c()]\nx: (A\n[b]) . c\n",
        "def f(a: A[b].c = B[0], *d: *E[f].g(), **h: I[j]()) -> K[l].m: pass\n",
        "type A = B[c].d | E[f:g]\ntype A[T] = (B[c][d])\n",
        "def f[T: A[b].c](x): pass\n",
        /* what binds looser than `:=` and `as` */
        "x = (n := a if b else c)\nf(n := a if b else c, [m := a if b else c])\n",
        "with a if b else c as d, lambda: e as f: pass\nwith (a as b,): pass\n",
        "with (a if b else c as d,): pass\nwith (lambda: a as b): pass\n",
        "try: pass\nexcept a if b else c as e: pass\n",
        /* stars */
        "x = lambda a=lambda *b: 1, *c: 0\nx[*a or b, ...*c]\nf'{a[*b()]}'\n",
        "if a: from b import *\n",
        "class A: x = 1, *f(x)\n",
        "match a:\n    case [*r] if x[*-r]: y = x[*-r]\n",
        /* a continuation left of the block */
        "class A:\n    x = b[\n0]\n    y = (b.\nc)\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const Parsed *parsed = parse(arena, str_from(texts[i]));
        if (parsed->status != PARSE_OK) {
            fail_msg("%s: %.*s", texts[i], STR_ARG(parsed->errors.items[0].message));
        }
    }
}

/* What Python's own parser rejects, with the line of its message. */
static void test_rejected(void **state)
{
    Arena *arena = *state;
    static const struct {
        const char *text;
        uint32_t line;
    } cases[] = {
        {"def f(:\n    pass\n", 1},
        {"def f():\npass\n", 2},
        {"f(a=1, b)\n", 1},
        {"x = 0\ntry:\n    pass\nx = 1\n",
         2}, /* the statement that lacks a part, not the one after it */
        {"print 'x'\n", 1},
        {"x = 08\n", 1},
        {"x := 1\n", 1},
        {"def f(a=1, b): pass\n", 1},
        {"if x:\n        a\n    b\n", 3},
        {"if x:\n\ta\n        b\n", 3},
        {"x = 1 +\n", 1},
        {"x = 'abc\n", 1},
        {"x = (1,\ny = 2\n", 1},
        {"x = [1)\n", 1},
        {"x = {,}\n", 1},
        {"x = { , }\n", 1},
        {"1 = x\n", 1},
        {"await -x\n", 1},
        {"await await x\n", 1},
        {"with (a as b), c: pass\n", 1},
        {"x = (a as b)\n", 1},
        {"x = a if b else (c as d)\n", 1},
        {"x[*n := a]\n", 1},
        {"x[*a:b]\n", 1},
        {"x[*{}:b]\n", 1},
        {"x = *a or b, c\n", 1},
        {"f() = 1\n", 1},
        {"`x`\n", 1},
        {"x = 5 if y\n", 1},
        {"a\n  b\n", 2},
        {"for x in y\n    pass\n", 1},
        {"import .x\n", 1},
        {"class C\n    pass\n", 1},
        {"x = $\n", 1},
        {"a <> b\n", 1},
        {"x = \\ 1\n", 1},
        {"'''abc\n\n", 1},
        {"del f()\n", 1},
        {"lambda: x = 1\n", 1},
        {"else:\n    pass\n", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Parsed *parsed = parse(arena, str_from(cases[i].text));
        if (parsed->status != PARSE_ERROR || parsed->errors.count == 0) {
            fail_msg("accepted: %s", cases[i].text);
        }
        assert_null(parsed->module);
        uint32_t line = source_line(&parsed->source, parsed->errors.items[0].start);
        if (line != cases[i].line) {
            fail_msg("%s: line %u, expected %u", cases[i].text, line, cases[i].line);
        }
    }
}

/* One error for each broken region, in source order, each with both languages and one line. */
static void test_several_errors(void **state)
{
    Arena *arena = *state;
    const Parsed *parsed = parse(arena, STR("x = 08\n\ny = 1\nz = 0777\n\nw = '\n"));
    assert_int_equal(parsed->status, PARSE_ERROR);
    assert_int_equal(parsed->errors.count, 3);
    static const uint32_t lines[] = {1, 4, 6};
    for (uint32_t i = 0; i < 3; i++) {
        const SyntaxError *error = &parsed->errors.items[i];
        assert_int_equal(source_line(&parsed->source, error->start), lines[i]);
        assert_true(error->start <= error->end && error->end <= parsed->source.text.length);
        assert_true(error->message.length > 0 && error->message_zh.length > 0);
        assert_false(str_contains(error->message, STR("\n")));
    }
}

static void test_comments(void **state)
{
    Arena *arena = *state;
    const Parsed *parsed =
        parse(arena, STR("# one\nx = '# no'  # two\n\"\"\"\n# no\n\"\"\"\n  # three\nf'{x}#no'"));
    assert_int_equal(parsed->status, PARSE_OK);
    assert_int_equal(parsed->comments.count, 3);
    const Comment *comments = parsed->comments.items;
    assert_str(source_slice(&parsed->source, comments[0].start, comments[0].end), "# one");
    assert_str(source_slice(&parsed->source, comments[1].start, comments[1].end), "# two");
    assert_str(source_slice(&parsed->source, comments[2].start, comments[2].end), "# three");
    assert_true(comments[0].own_line);
    assert_false(comments[1].own_line);
    assert_true(comments[2].own_line);
}

static Str repeated(Arena *arena, const char *head, const char *part, uint32_t count,
                    const char *tail)
{
    Buf text = {.arena = arena};
    buf_add(&text, str_from(head));
    for (uint32_t i = 0; i < count; i++) {
        buf_add(&text, str_from(part));
    }
    buf_add(&text, str_from(tail));
    return buf_str(&text);
}

/* Deep nesting is an answer, not a crash. Python's own limits: 200 brackets, 100 indentation
 * levels. */
static void test_depth(void **state)
{
    Arena *arena = *state;
    assert_int_equal(parse(arena, repeated(arena, "x = ", "-", 500, "1\n"))->status, PARSE_OK);
    assert_int_equal(
        parse(arena, repeated(arena, "x = ", "(", 199, repeated(arena, "1", ")", 199, "\n").at))
            ->status,
        PARSE_OK);
    assert_int_equal(
        parse(arena, repeated(arena, "x = ", "(", 201, repeated(arena, "1", ")", 201, "\n").at))
            ->status,
        PARSE_ERROR);
    static const char *const parts[] = {"-",        "not ",         "a.b(", "a.", "f()+",
                                        "lambda: ", "a if b else ", "[",    "x**"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const Parsed *parsed = parse(arena, repeated(arena, "x = ", parts[i], 20000, "y\n"));
        if (parsed->status == PARSE_ERROR) {
            assert_null(parsed->module);
            assert_true(parsed->errors.count > 0);
        } else {
            assert_true(parsed->module->node_count > 20000);
        }
    }
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, arena_set_up, arena_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_absent_and_empty), TEST(test_bytes),    TEST(test_line_ends_and_mark),
        TEST(test_accepted),         TEST(test_rejected), TEST(test_several_errors),
        TEST(test_comments),         TEST(test_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
