/* Tests of the syntax tree: navigation, order, and what rules ask about expressions. The shapes are
 * those of Python's own `ast` module. */
#include "python/identifier.h"

#include "py_fixture.h"

/* "FunctionDef(arguments(arg,arg),Return(Name))": kinds of a subtree. */
static void add_shape(Buf *out, const Module *module, NodeId id)
{
    buf_addf(out, "%s", node_kind_name(node_kind(module, id)));
    for (NodeId child = node_first(module, id); child != NO_NODE;
         child = node_sibling(module, child)) {
        buf_add(out, child == node_first(module, id) ? STR("(") : STR(","));
        add_shape(out, module, child);
    }
    buf_add(out, node_first(module, id) == NO_NODE ? STR("") : STR(")"));
}

static const char *shape(Arena *arena, const char *text)
{
    Buf out = {.arena = arena};
    add_shape(&out, py_module(arena, text), 0);
    return out.at;
}

static void test_field_order(void **state)
{
    Arena *arena = *state;
    assert_string_equal(shape(arena, "@d\ndef f(a: t = 1) -> r:\n    pass\n"),
                        "Module(FunctionDef(arguments(arg(Name),Constant),Pass,Name,Name))");
    /* positional-only, ordinary, *args, keyword-only, keyword defaults, **kwargs, defaults */
    assert_string_equal(
        shape(arena, "lambda a, /, b=1, *c, d=2, **e: 0\n"),
        "Module(Expr(Lambda(arguments(arg,arg,arg,arg,Constant,arg,Constant),Constant)))");
    assert_string_equal(shape(arena, "{a: 1, **b, c: 2}\n"),
                        "Module(Expr(Dict(Name,Name,Constant,Name,Constant)))");
    assert_string_equal(shape(arena, "a if b() else c.d\n"),
                        "Module(Expr(IfExp(Call(Name),Name,Attribute(Name))))");
    assert_string_equal(shape(arena, "a and b and c or d\n"),
                        "Module(Expr(BoolOp(BoolOp(Name,Name,Name),Name)))");
    assert_string_equal(shape(arena, "f(*a, k=1, **m)\n"),
                        "Module(Expr(Call(Name,Starred(Name),keyword(Constant),keyword(Name))))");
    assert_string_equal(shape(arena, "x: int = 1\n"), "Module(AnnAssign(Name,Name,Constant))");
    assert_string_equal(shape(arena, "x[a:b, ::c]\n"),
                        "Module(Expr(Subscript(Name,Tuple(Slice(Name,Name),Slice(Name)))))");
    assert_string_equal(shape(arena, "[x for y in z if w]\n"),
                        "Module(Expr(ListComp(Name,comprehension(Name,Name,Name))))");
    assert_string_equal(shape(arena, "a < b <= c\n"), "Module(Expr(Compare(Name,Name,Name)))");
    assert_string_equal(shape(arena, "((a))\n"), "Module(Expr(Name))");
    assert_string_equal(
        shape(arena, "f'{a!r:{w}}b'\n"), /* literal parts of a format: left out */
        "Module(Expr(JoinedStr(FormattedValue(Name,JoinedStr(FormattedValue(Name))),"
        "Constant)))");
    assert_string_equal(shape(arena, "from .. import x as y\n"), "Module(ImportFrom(alias))");
    assert_string_equal(shape(arena, "class C(B, m=T):\n    x = 1\n"),
                        "Module(ClassDef(Name,keyword(Name),Assign(Name,Constant)))");
    assert_string_equal(
        shape(arena, "try:\n    a\nexcept E as e:\n    b\nelse:\n    c\nfinally:\n    d\n"),
        "Module(Try(Expr(Name),ExceptHandler(Name,Expr(Name)),Expr(Name),Expr(Name)))");
    assert_string_equal(shape(arena, "with a as b, c:\n    pass\n"),
                        "Module(With(withitem(Name,Name),withitem(Name),Pass))");
}

static void test_parents_and_subtrees(void **state)
{
    Arena *arena = *state;
    const Module *module = py_module(arena, "def f(a):\n    return g(a, [1, 2])\n\nx = 1\n");
    /* 0 Module 1 FunctionDef 2 arguments 3 arg 4 Return 5 Call 6 g 7 a 8 List 9 1 10 2 11 Assign 12
     * x 13 1 */
    assert_int_equal(module->node_count, 14);
    assert_int_equal(node_at(module, 0)->parent, NO_NODE);
    assert_int_equal(node_at(module, 0)->subtree_end, 14);
    assert_int_equal(node_at(module, 1)->subtree_end, 11);
    assert_int_equal(node_at(module, 5)->subtree_end, 11);
    assert_int_equal(node_at(module, 8)->parent, 5);
    assert_int_equal(node_at(module, 9)->depth, 5);
    assert_int_equal(node_kind(module, 8), NODE_LIST);
    assert_true(node_within(module, 8, 8));
    assert_true(node_within(module, 10, 1));
    assert_false(node_within(module, 11, 1));
    assert_false(node_within(module, 1, 5));
    for (NodeId id = 1; id < module->node_count; id++) { /* pre-order, whatever the text */
        const Node *node = node_at(module, id);
        assert_true(node->parent < id);
        assert_true(node_within(module, id, node->parent));
        assert_int_equal(node->depth, node_at(module, node->parent)->depth + 1);
    }
    assert_int_equal(node_first(module, 3), NO_NODE);
    assert_int_equal(node_sibling(module, 1), 11);
    assert_int_equal(node_sibling(module, 11), NO_NODE);
    assert_int_equal(node_sibling(module, 0), NO_NODE);
}

static void test_children_by_field(void **state)
{
    Arena *arena = *state;
    const Module *module = py_module(arena, "f(a, b, *c, k=1, **m)\n");
    NodeId call = py_nth(module, NODE_CALL, 0);
    assert_int_equal(node_count(module, call, ROLE_ARG), 3);
    assert_int_equal(node_count(module, call, ROLE_KEYWORD), 2);
    assert_int_equal(node_count(module, call, ROLE_BODY), 0);
    assert_str(node_name(module, node_nth(module, call, ROLE_ARG, 1)), "b");
    assert_true(node_is(module, node_nth(module, call, ROLE_ARG, 2), NODE_STARRED));
    assert_int_equal(node_nth(module, call, ROLE_ARG, 3), NO_NODE);
    NodeId keyword = node_child(module, call, ROLE_KEYWORD);
    assert_str(node_name(module, keyword), "k");
    assert_str(node_name(module, node_next(module, keyword)), "");
    assert_int_equal(node_next(module, node_next(module, keyword)), NO_NODE);
    assert_int_equal(node_child(module, call, ROLE_ORELSE), NO_NODE);
}

static void test_lists_by_kind(void **state)
{
    Arena *arena = *state;
    const Module *module = py_module(arena, "a()\ndef f():\n    b()\n    c(d())\ne()\n");
    assert_int_equal(module_nodes(module, NODE_CALL).count, 5);
    assert_int_equal(module_nodes(module, NODE_LAMBDA).count, 0);
    assert_int_equal(module_nodes(module, NODE_MODULE).count, 1);
    NodeId function = py_nth(module, NODE_FUNCTION_DEF, 0);
    NodeList calls = nodes_in(module, function, NODE_CALL);
    assert_int_equal(calls.count, 3);
    assert_str(call_name(module, calls.ids[0]), "b");
    assert_str(call_name(module, calls.ids[1]), "c");
    assert_str(call_name(module, calls.ids[2]), "d");
    assert_int_equal(nodes_in(module, function, NODE_FUNCTION_DEF).count, 1);
    assert_int_equal(nodes_in(module, calls.ids[0], NODE_FUNCTION_DEF).count, 0);
}

/* Breadth first: depth before source order, then pre-order. */
static void test_level_order(void **state)
{
    Arena *arena = *state;
    const Module *module = py_module(arena, "class A:\n"
                                            "    def m(self):\n"
                                            "        def deep(): pass\n"
                                            "if x:\n"
                                            "    def inner(): pass\n"
                                            "def top(): pass\n"
                                            "def last(): pass\n");
    NodeList functions = module_functions(module, arena, 0);
    assert_string_equal(py_names(arena, module, functions), "m deep inner top last");
    NodeList level = nodes_level_order(module, arena, functions);
    assert_string_equal(py_names(arena, module, level), "top last m inner deep");
    assert_true(node_level_compare(module, level.ids[0], level.ids[4]) < 0);
    assert_true(node_level_compare(module, level.ids[4], level.ids[3]) > 0);
    assert_int_equal(node_level_compare(module, level.ids[2], level.ids[2]), 0);
    /* A parameter's default comes before the body; decorators after it. */
    module = py_module(arena, "@d()\ndef f(a=b()):\n    c()\n");
    NodeList calls = module_nodes(module, NODE_CALL);
    assert_str(call_name(module, calls.ids[0]), "b");
    assert_str(call_name(module, calls.ids[1]), "c");
    assert_str(call_name(module, calls.ids[2]), "d");
    calls = nodes_level_order(module, arena, calls);
    assert_str(call_name(module, calls.ids[0]), "d"); /* depth 2; b and c are at 3 */
    assert_str(call_name(module, calls.ids[1]), "b");
    assert_str(call_name(module, calls.ids[2]), "c");
}

static void test_enclosing(void **state)
{
    Arena *arena = *state;
    const Module *module = py_module(arena, "def outer(p=early()):\n"
                                            "    async def mid():\n"
                                            "        return lambda: inner()\n"
                                            "    class C:\n"
                                            "        x = attr()\n"
                                            "y = top()\n");
    NodeList calls = module_nodes(module, NODE_CALL);
    assert_int_equal(calls.count, 4);
    NodeId outer = py_nth(module, NODE_FUNCTION_DEF, 0);
    NodeId mid = py_nth(module, NODE_ASYNC_FUNCTION_DEF, 0);
    assert_int_equal(node_function(module, calls.ids[0]), outer); /* the default, too */
    assert_int_equal(node_function(module, calls.ids[1]), mid);   /* lambdas do not count */
    assert_int_equal(node_function(module, calls.ids[2]), outer); /* nor do classes */
    assert_int_equal(node_function(module, calls.ids[3]), NO_NODE);
    assert_int_equal(node_function(module, mid), outer);
    assert_int_equal(node_function(module, outer), NO_NODE);
    assert_int_equal(node_statement(module, calls.ids[1]), py_nth(module, NODE_RETURN, 0));
    assert_int_equal(node_statement(module, calls.ids[0]), outer);
    assert_int_equal(node_statement(module, mid), mid);
}

static void test_calls(void **state)
{
    Arena *arena = *state;
    const Module *module = py_module(arena, "f(1, *a, k=2)\na.b.c(x)\ng()()\n(h)(1)\n");
    NodeList calls = module_nodes(module, NODE_CALL);
    assert_str(call_name(module, calls.ids[0]), "f");
    assert_str(call_attribute(module, calls.ids[0]), "");
    assert_true(node_is(module, call_arg(module, calls.ids[0], 1), NODE_STARRED));
    assert_int_equal(call_arg(module, calls.ids[0], 2), NO_NODE);
    assert_str(node_text(module, call_keyword_value(module, calls.ids[0], "k")), "2");
    assert_int_equal(call_keyword(module, calls.ids[0], "j"), NO_NODE);
    assert_int_equal(call_keyword_value(module, calls.ids[0], "j"), NO_NODE);
    assert_str(call_name(module, calls.ids[1]), "");
    assert_str(call_attribute(module, calls.ids[1]), "c");
    assert_str(node_dotted(module, call_func(module, calls.ids[1]), arena), "a.b.c");
    assert_str(call_name(module, calls.ids[2]), "");
    assert_str(call_attribute(module, calls.ids[2]), "");
    assert_str(call_name(module, calls.ids[4]), "h"); /* redundant parentheses */
    assert_int_equal(call_func(module, calls.ids[2]), calls.ids[3]);
}

static void test_dotted(void **state)
{
    Arena *arena = *state;
    const Module *module = py_module(arena, "a . b\\\n .c\nf().x\nq[0].z\nname\n");
    NodeList statements = module_nodes(module, NODE_EXPR);
    assert_str(node_dotted(module, statements.ids[0] + 1, arena), "a.b.c");
    assert_str(node_dotted(module, statements.ids[1] + 1, arena), "");
    assert_str(node_dotted(module, statements.ids[2] + 1, arena), "");
    assert_str(node_dotted(module, statements.ids[3] + 1, arena), "name");
    NodeId attribute = statements.ids[0] + 1;
    assert_str(source_slice(module->source, attribute_token(module, attribute),
                            node_at(module, attribute)->end),
               "c");
    assert_str(node_name(module, attribute_value(module, attribute)), "b");
}

static void test_integers(void **state)
{
    Arena *arena = *state;
    static const struct {
        const char *text;
        int64_t value;
    } cases[] = {{"0", 0},
                 {"1_000", 1000},
                 {"0x1F", 31},
                 {"0b101", 5},
                 {"0o17", 15},
                 {"00", 0},
                 {"0XfF_00", 65280},
                 {"True", 1},
                 {"False", 0},
                 {"9223372036854775807", INT64_MAX},
                 {"99999999999999999999", INT64_MAX}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Module *module = py_module(arena, str_format(arena, "%s\n", cases[i].text).at);
        int64_t value = -1;
        assert_true(node_int(module, 2, false, &value));
        assert_true(value == cases[i].value);
        bool boolean = cases[i].text[0] == 'T' || cases[i].text[0] == 'F';
        assert_int_equal(node_int(module, 2, true, &value), !boolean);
    }
    static const char *const others[] = {"-1\n",   "1.0\n", "1j\n", "'1'\n",
                                         "None\n", "x\n",   "1e3\n"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        int64_t value;
        assert_false(node_int(py_module(arena, others[i]), 2, false, &value));
    }
}

static void test_strings(void **state)
{
    Arena *arena = *state;
    static const struct {
        const char *text, *value;
    } cases[] = {{"'abc'\n", "abc"},
                 {"\"\"\"a\nb\"\"\"\n", "a\nb"},
                 {"'a' \"b\" r'\\n'\n", "ab\\n"},
                 {"'\\x41\\102\\u00e9\\N{BULLET}\\t'\n", NULL}, /* a name: only the type is sure */
                 {"'\\x41\\102\\u00e9\\t\\\\'\n", "AB\xC3\xA9\t\\"},
                 {"'a\\\nb'\n", "ab"},
                 {"'\\q'\n", "\\q"},
                 {"u'x'\n", "x"},
                 {"('a'\n 'b')\n", "ab"},
                 {"''\n", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Str value;
        const Module *module = py_module(arena, cases[i].text);
        assert_int_equal(node_at(module, 2)->op, CONSTANT_STR);
        assert_true(node_string(module, 2, arena, &value));
        if (cases[i].value != NULL) {
            assert_str(value, cases[i].value);
        }
    }
    Str value;
    assert_false(node_string(py_module(arena, "b'x'\n"), 2, arena, &value));
    assert_false(node_string(py_module(arena, "f'x{y}'\n"), 2, arena, &value));
    assert_false(node_string(py_module(arena, "1\n"), 2, arena, &value));
}

static void test_names_and_tokens(void **state)
{
    Arena *arena = *state;
    const char *text = "import a.b as c, d\n"
                       "from ...m import (x as y, z)\n"
                       "from . import w\n"
                       "from q import *\n"
                       "async  def  fn(): pass\n"
                       "for i in s:\n    pass\n"
                       "try:\n    pass\nexcept E as err:\n    pass\n";
    const Module *module = py_module(arena, text);
    NodeList aliases = module_nodes(module, NODE_ALIAS);
    assert_string_equal(py_names(arena, module, aliases), "a.b d x z w *");
    assert_str(alias_asname(module, aliases.ids[0]), "c");
    assert_str(alias_asname(module, aliases.ids[1]), "");
    assert_str(alias_asname(module, aliases.ids[2]), "y");
    NodeList froms = module_nodes(module, NODE_IMPORT_FROM);
    assert_str(node_name(module, froms.ids[0]), "m");
    assert_int_equal(node_at(module, froms.ids[0])->extra, 3);
    assert_str(node_name(module, froms.ids[1]), "");
    assert_int_equal(node_at(module, froms.ids[1])->extra, 1);
    assert_int_equal(node_at(module, froms.ids[2])->extra, 0);
    const Node *function = node_at(module, py_nth(module, NODE_ASYNC_FUNCTION_DEF, 0));
    assert_memory_equal(text + function->extra, "fn()", 4);
    const Node *loop = node_at(module, py_nth(module, NODE_FOR, 0));
    assert_str(source_slice(module->source, loop->start, loop->extra), "for i in s:");
    const Node *handler = node_at(module, py_nth(module, NODE_EXCEPT_HANDLER, 0));
    assert_memory_equal(text + handler->extra, "err:", 4);
    assert_memory_equal(handler->name, "err", 3);
}

static void test_package_names(void **state)
{
    Arena *arena = *state;
    const Module *module = py_module(arena, "import numpy as np\n"
                                            "import os.path, torch.nn as torch\n"
                                            "from numpy import numpy as n\n"
                                            "from .a.b import c\n"
                                            "def f():\n    import math, json as j\n");
    assert_str(package_name(module, "numpy"), "np");
    assert_str(package_name(module, "os"), "os");
    assert_str(package_name(module, "torch"), ""); /* that name is torch.nn's */
    assert_str(package_name(module, "math"), "");  /* known in the function only */
    assert_str(package_name(py_module(arena, "import a as b\nimport a\nimport a as c\n"), "a"),
               "a");
    NodeList aliases = module_nodes(module, NODE_ALIAS);
    assert_str(alias_module(module, aliases.ids[1]), "os.path");
    assert_str(alias_module(module, aliases.ids[3]), "numpy");
    assert_str(alias_module(module, aliases.ids[4]), "a.b");
}

/* Names are in the normal form NFKC; ranges are those of the source. */
static void test_normal_form(void **state)
{
    Arena *arena = *state;
    const char *text = "import \xEF\xBD\x90y as \xEF\xAC\x81, ab as cd\n" /* wide p; ligature fi */
                       "import a.\xEF\xBD\x90 as b\n"
                       "def e\xCC\x81\xEF\xBC\x91(): \xEF\xBD\x90.\xEF\xBD\x90(\xEF\xBD\x90=1)\n";
    const Module *module = py_module(arena, text);
    NodeList aliases = module_nodes(module, NODE_ALIAS);
    assert_string_equal(py_names(arena, module, aliases), "py ab a.p");
    assert_str(alias_asname(module, aliases.ids[0]), "fi");
    assert_str(alias_asname(module, aliases.ids[1]), "cd");
    assert_str(alias_asname(module, aliases.ids[2]), "b");
    NodeId function = py_nth(module, NODE_FUNCTION_DEF, 0);
    assert_str(node_name(module, function), "\xC3\xA9"
                                            "1"); /* one letter, composed */
    uint32_t start = node_at(module, function)->extra;
    uint32_t end = (uint32_t)identifier_end(module->source->text, start);
    assert_str(source_slice(module->source, start, end), "e\xCC\x81\xEF\xBC\x91");
    NodeId call = py_nth(module, NODE_CALL, 0);
    assert_str(call_attribute(module, call), "p");
    assert_str(node_name(module, attribute_value(module, call_func(module, call))), "p");
    assert_true(call_keyword(module, call, "p") != NO_NODE);
}

/* Ranges are those of `ast`: redundant parentheses outside, a decorated function from `def`. */
static void test_ranges(void **state)
{
    Arena *arena = *state;
    const Module *module = py_module(arena, "@deco\ndef f():\n    return ((a) + b)\n");
    NodeId function = py_nth(module, NODE_FUNCTION_DEF, 0);
    assert_int_equal(node_line(module, function), 2);
    NodeId sum = py_nth(module, NODE_BIN_OP, 0);
    assert_str(node_text(module, sum), "(a) + b");
    assert_int_equal(node_at(module, sum)->parenthesized, 1);
    assert_int_equal(node_at(module, sum)->op, OPERATOR_ADD);
    assert_str(node_text(module, sum + 1), "a");
    assert_int_equal(node_at(module, sum + 1)->parenthesized, 1);
    assert_int_equal(node_at(module, sum + 2)->parenthesized, 0);
    module = py_module(arena, "(a\n .t())\n");
    assert_int_equal(node_line(module, py_nth(module, NODE_CALL, 0)), 1);
    assert_str(node_text(module, py_nth(module, NODE_CALL, 0)), "a\n .t()");
    /* A tuple's own parentheses belong to it. */
    module = py_module(arena, "x = (1, 2)\ny = 1, 2\n");
    assert_str(node_text(module, py_nth(module, NODE_TUPLE, 0)), "(1, 2)");
    assert_str(node_text(module, py_nth(module, NODE_TUPLE, 1)), "1, 2");
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, arena_set_up, arena_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_field_order),
        TEST(test_parents_and_subtrees),
        TEST(test_children_by_field),
        TEST(test_lists_by_kind),
        TEST(test_level_order),
        TEST(test_enclosing),
        TEST(test_calls),
        TEST(test_dotted),
        TEST(test_integers),
        TEST(test_strings),
        TEST(test_names_and_tokens),
        TEST(test_package_names),
        TEST(test_normal_form),
        TEST(test_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
