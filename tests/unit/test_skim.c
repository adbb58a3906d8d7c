/* Tests of what is left out of the trees of scripts with tests (python/skim.h). */
#include "python/parse.h"

#include "arena_fixture.h"

/* The skimmed tree of a text that parses. */
static Parsed *skim(const char *text)
{
    Parsed *parsed = ARENA_NEW(&arena, Parsed);
    python_parse_skimmed(parsed, &arena, STR("test_x.py"), str_from(text));
    if (parsed->status != PARSE_OK) {
        fail_msg("%s at %u of: %s", parsed->errors.items[0].message.at,
                 parsed->errors.items[0].start, text);
    }
    return parsed;
}

/* The function of that name, or NO_NODE. */
static NodeId function_named(const Parsed *parsed, const char *name)
{
    static const NodeKind kinds[] = {NODE_FUNCTION_DEF, NODE_ASYNC_FUNCTION_DEF};
    for (size_t k = 0; k < 2; k++) {
        NodeList list = module_nodes(parsed->module, kinds[k]);
        for (uint32_t i = 0; i < list.count; i++) {
            if (str_is(node_name(parsed->module, list.ids[i]), name)) {
                return list.ids[i];
            }
        }
    }
    return NO_NODE;
}

/* Is the body of the function a lone `...`? */
static bool is_emptied(const Parsed *parsed, const char *name)
{
    NodeId function = function_named(parsed, name);
    assert_int_not_equal(function, NO_NODE);
    NodeId statement = node_child(parsed->module, function, ROLE_BODY);
    NodeId value = node_child(parsed->module, statement, ROLE_VALUE);
    return node_count(parsed->module, function, ROLE_BODY) == 1 && value != NO_NODE &&
           node_is(parsed->module, value, NODE_CONSTANT) &&
           node_at(parsed->module, value)->end - node_at(parsed->module, value)->start == 3;
}

#define HEAD                                                                                       \
    "import argparse\nfrom soft_impl import soft_wrapper\n\n\n"                                    \
    "def check(n):\n    soft_wrapper(n)\n\n\n"                                                     \
    "def test_small():\n    check(16)\n\n\n"
#define MAIN "if __name__ == \"__main__\":\n    main()\n"

static void test_main_is_left_out(void **state)
{
    (void)state;
    static const char text[] =
        HEAD "SIZES = [0, 16]\n\n\ndef options():\n    \"\"\"Reads\nthem.\"\"\"\n"
             "    return argparse.ArgumentParser().parse_args()\n\n\n"
             "def main():\n    if options().all:\n        test_small()\n"
             "    print(\"é\")\n    return 0\n\n\n" MAIN;
    const Parsed *parsed = skim(text);
    assert_int_equal(parsed->skimmed, SKIMMED_TESTS);
    assert_true(is_emptied(parsed, "main"));
    assert_true(is_emptied(parsed, "options"));
    assert_false(is_emptied(parsed, "check"));
    assert_false(is_emptied(parsed, "test_small"));
    assert_int_equal(module_nodes(parsed->module, NODE_IF).count, 0);
    /* What is left is where it was. */
    NodeId main_function = function_named(parsed, "main");
    const char *at = strstr(text, "def main");
    assert_int_equal(node_at(parsed->module, main_function)->start, at - text);
    NodeId check = function_named(parsed, "check");
    assert_true(str_is(node_text(parsed->module, node_child(parsed->module, check, ROLE_BODY)),
                       "soft_wrapper(n)"));
}

static void test_statements_after_main_stay(void **state)
{
    (void)state;
    const Parsed *parsed =
        skim(HEAD "def main():\n    test_small()\n\n\n" MAIN "LATE = check(1)\n");
    assert_int_equal(parsed->skimmed, SKIMMED_TESTS);
    assert_true(is_emptied(parsed, "main"));
    NodeList stored = module_nodes(parsed->module, NODE_ASSIGN);
    assert_int_equal(stored.count, 1);
    assert_true(str_is(node_text(parsed->module, stored.ids[0]), "LATE = check(1)"));
}

/* A direct run that does more than the tests: whoever misses a launch must read it. */
static void test_direct_launch_is_told(void **state)
{
    (void)state;
    static const char *const mains[] = {
        "def main():\n    soft_wrapper(8)\n\n\n" MAIN,
        "def main():\n    check(8)\n\n\n" MAIN,
        "def test_large(n):\n    check(n)\n\n\ndef main():\n    test_large(64)\n\n\n" MAIN,
        "CASES = [test_small]\n\n\ndef main():\n    for case in CASES:\n        case()\n\n\n" MAIN,
        "if __name__ == '__main__':\n    soft_wrapper(8)\n",
    };
    for (size_t i = 0; i < sizeof mains / sizeof *mains; i++) {
        const char *text = str_format(&arena, "%s%s", HEAD, mains[i]).at;
        if (skim(text)->skimmed != SKIMMED_CODE) {
            fail_msg("not told of: %s", mains[i]);
        }
    }
}

static void test_doubtful_files_stay_whole(void **state)
{
    (void)state;
    static const char *const rest[] = {
        "def main():\n    test_small()\n",                                /* nothing to leave out */
        "def main():\n    test_small()\n\n\n" MAIN "else:\n    main()\n", /* both sides */
        "if __name__ == \"__main__\" or check:\n    check(8)\n",          /* another condition */
        "def main():\n    global SIZE\n    SIZE = 3\n\n\n" MAIN,          /* of the whole file */
        "def main():\n    check.level = 3\n\n\n" MAIN,                    /* an attribute */
        "def main():\n    exec('x = 1')\n\n\n" MAIN,                      /* any name */
        "def main():\n    test_small()\n\n\ndef main():\n    pass\n" MAIN, /* which of the two? */
        "def main():\n    run()\n\n\ndef run():\n    test_small()\n\n\n"
        "NAMES = 'run'\n" MAIN,   /* `run` would have no caller */
        "def main(): ...\n" MAIN, /* no body of its own */
        "\fdef main():\n    pass\n" MAIN,
    };
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) {
        const char *text = str_format(&arena, "%s%s", HEAD, rest[i]).at;
        const Parsed *parsed = skim(text);
        NodeId main_function = function_named(parsed, "main");
        bool kept = main_function == NO_NODE || !is_emptied(parsed, "main") || i == 8;
        if (!kept || (i != 0 && module_nodes(parsed->module, NODE_IF).count == 0)) {
            fail_msg("something is missing of: %s", rest[i]);
        }
    }
}

static void test_functions_that_others_may_call_stay(void **state)
{
    (void)state;
    static const char *const rest[] = {
        "def helper():\n    pass\n\n\n",                       /* called by nothing */
        "def helper():\n    pass\n\n\nNAMES = ['helper']\n",   /* by its name */
        "def helper():\n    pass\n\n\nNOTE = f'{helper()}'\n", /* in a field */
        "@register\ndef helper():\n    pass\n\n\n",            /* by the decorator */
        "async def helper():\n    pass\n\n\n",
        "def test_helper():\n    helper()\n\n\ndef helper():\n    pass\n\n\n",
    };
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) {
        bool called = i == 1 || i == 3 || i == 4;
        const char *text = str_format(&arena, "%s%sdef main():\n    %s\n\n\n%s", HEAD, rest[i],
                                      called ? "helper(), test_small()" : "test_small()", MAIN)
                               .at;
        const Parsed *parsed = skim(text);
        NodeId helper = function_named(parsed, "helper");
        if (helper == NO_NODE || is_emptied(parsed, "helper")) {
            fail_msg("empty: %s", rest[i]);
        }
    }
}

/* The first lines of the statements of a block: of the text as it is on disk. */
static const char *left_of(const Parsed *parsed, NodeId owner)
{
    Buf text = {.arena = &arena};
    for (NodeId node = node_child(parsed->module, owner, ROLE_BODY); node != NO_NODE;
         node = node_next(parsed->module, node)) {
        Str statement = node_text(parsed->module, node);
        buf_add(&text, str_slice(statement, 0, str_find(statement, STR("\n"), 0)));
        buf_add_char(&text, '|');
    }
    return text.length == 0 ? "" : buf_str(&text).at;
}

static void test_reports_are_left_out(void **state)
{
    (void)state;
    const Parsed *parsed =
        skim("\"\"\"Tests.\"\"\"\nfrom soft_impl import soft_wrapper  # what is tested, of course\n"
             "sys.path.insert(0, str(Path(__file__).parent))\n\n\n"
             "def test_a():\n    '''One.'''\n    torch.manual_seed(3)\n    y = soft_wrapper(8)\n"
             "    print(f'{y.max()} of {len(y)}')\n    assert y\n"
             "    np.testing.assert_allclose(\n        y.cpu().numpy(), z, err_msg=f\"{y})\",\n"
             "    )\n\n\n"
             "def test_b():\n    if soft_wrapper(4):\n        print(1)\n    else:\n        pass\n");
    assert_int_equal(parsed->skimmed, SKIMMED_TESTS);
    assert_string_equal(left_of(parsed, 0),
                        "from soft_impl import soft_wrapper|def test_a():|def test_b():|");
    /* Where a block would be empty, `...` stands on the first bytes of what was there. */
    assert_string_equal(left_of(parsed, function_named(parsed, "test_a")),
                        "y = soft_wrapper(8)|assert y|np.|");
    assert_int_equal(module_nodes(parsed->module, NODE_IF).count, 1);
}

/* Each of these may launch a kernel, end a path, bind a name, or hide that it does. */
static void test_doubtful_reports_stay(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "print(soft_wrapper(8))",
        "print(f'{soft_wrapper(8)}')",
        "print(1); soft_wrapper(8)",
        "print(1) if soft_wrapper(8) else 0",
        "print(y := 3)",
        "print(x[*rows])",
        "print(rows.append(3))",
        "print((soft_wrapper)(8))",
        "print(table['k'](8))",
        "print((yield))",
        "print(lambda: soft_wrapper(8))",
        "np.testing.assert_allclose(soft_wrapper(8), 1)",
        "np.testing.run(8)",
        "show(rows)",
        "'text' + soft_wrapper(8)",
        "torch.testing.assert_close(torch.ops.my.op(8), 1)",
        "print(torch_npu.npu_op(8))",
        "print(max(x, key=soft_wrapper))",
        "print(op.mean(x))",      /* whose it is cannot be seen */
        "print(c.get())",         /* it may count */
        "print(model.to('npu'))", /* a module of another file */
        "print(rows.to(device))",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const Parsed *parsed =
            skim(str_format(&arena, "def test_a():\n    %s\n    x = 1\n", lines[i]).at);
        const char *left = left_of(parsed, function_named(parsed, "test_a"));
        if (strncmp(left, lines[i], strlen("print(1)")) != 0) {
            fail_msg("missing: %s", lines[i]);
        }
    }
}

/* So may a method that the file defines, or one that moves a module. */
static void test_own_methods_stay(void **state)
{
    (void)state;
    static const struct {
        const char *head, *line;
        bool left;
    } rows[] = {
        {"class Op:\n    def mean(self): soft_wrapper(8)\n", "print(op.mean())", true},
        {"class Op:\n    async def get(self, k): pass\n", "print(op.get('k'))", true},
        {"class Op:\n    def other(self): pass\n", "print(op.mean())", false},
        {"def sum(x):\n    soft_wrapper(x)\n", "print(sum(x))", true},
        {"m = torch.nn.Linear(3, 4)\n", "print(m.to(torch.float16))", true},
        {"class M(Module):\n    pass\n", "print(m.cpu())", true},
        {"x = 1\n", "print(x.cpu().to(torch.float32).max(dim=0))", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Parsed *parsed = skim(
            str_format(&arena, "%s\ndef test_a():\n    %s\n    x = 1\n", rows[i].head, rows[i].line)
                .at);
        const char *left = left_of(parsed, function_named(parsed, "test_a"));
        if ((strncmp(left, "print(", strlen("print(")) == 0) != rows[i].left) {
            fail_msg("%s: %s", rows[i].left ? "missing" : "left", rows[i].line);
        }
    }
}

#define DEVICE                                                                                     \
    "def device():\n    '''NPU.'''\n    if not torch.npu.is_available():\n"                        \
    "        return torch.device('cpu')\n"                                                         \
    "    number = int(os.environ.get('DEVICE', '0'))\n    torch.npu.set_device(number)\n"

static void test_choice_of_a_device(void **state)
{
    (void)state;
    const Parsed *parsed = skim("import os\n" DEVICE "    return torch.device(f'npu:{number}')\n");
    assert_string_equal(left_of(parsed, 0), "def device():|");
    NodeId function = function_named(parsed, "device");
    assert_string_equal(left_of(parsed, function), "return torch.device(f'npu:{number}')|");
    NodeId call =
        node_child(parsed->module, node_child(parsed->module, function, ROLE_BODY), ROLE_VALUE);
    assert_int_equal(node_count(parsed->module, call, ROLE_ARG), 0);
    static const char *const others[] = {
        DEVICE "    return f'npu:{number}'\n",
        DEVICE "    return torch.device('cpu') if number else None\n",
        DEVICE "    if number:\n        return torch.device('npu')\n",
        DEVICE "    SIZES.append(number)\n    return torch.device('npu')\n",
        DEVICE "    SIZES[0] = number\n    return torch.device('npu')\n",
        DEVICE "    os.number = 3\n    return torch.device('npu')\n",
        DEVICE "    a = b.c = 3\n    return torch.device('npu')\n",
        DEVICE "    if number: raise ValueError\n    return torch.device('npu')\n",
        DEVICE "    for i in range(3): pass\n    return torch.device('npu')\n",
        DEVICE "    return torch.device(soft_wrapper(number))\n",
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        parsed = skim(others[i]);
        if (module_nodes(parsed->module, NODE_IF).count == 0) {
            fail_msg("something is missing of: %s", others[i]);
        }
    }
}

static void test_names_that_nothing_uses(void **state)
{
    (void)state;
    static const char rest[] = "def test_a():\n    soft_wrapper(np.ones(SIZE))\n";
    static const struct {
        const char *line;
        bool left;
    } rows[] = {
        {"import os", false},
        {"import os.path as path", false},
        {"from pathlib import Path", false},
        {"SEED = 42", false},
        {"NAMES = ['a', (1, 0.5), None]", false},
        {"try:\n    import torch_npu\nexcept ImportError:\n    torch_npu = None", false},
        {"import numpy as np", true},
        {"SIZE = 64", true},
        {"from __future__ import annotations", true}, /* it speaks of the whole file */
        {"import soft_impl", true},                   /* it runs what the file does */
        {"import os, soft_impl", true},
        {"pytestmark = None", true},
        {"__test__ = False", true},
        {"SEED = make()", true},
        {"try:\n    import soft_impl\nexcept ImportError:\n    pass", true},
        {"try:\n    import os\nexcept find():\n    pass", true},
        {"try: import soft_impl\nexcept ImportError: pass", true},
        {"try: SEED = BASE\nexcept NameError: SEED = 3", true}, /* uses BASE */
        {"try:\n    import os\nexcept base.Error:\n    pass", true},
        {"try:\n    import os\nexcept ImportError: pass", false},
        {"from numpy import *", true},        /* may bind any name */
        {"NAMES = [*'ab']", true},            /* the tree needs every star */
        {"SEED = A = 42", true},              /* two names: not supported */
        {"SEED = 42; soft_wrapper(8)", true}, /* two statements */
        {"SEED = 2 * SIZES[0]", true},        /* the lexer turns this name into a number */
        {"\u00b5 = 42", true},                /* Python normalises it: U+03BC reads it */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Parsed *parsed = skim(str_format(&arena, "%s\n%s", rows[i].line, rest).at);
        bool left = node_count(parsed->module, 0, ROLE_BODY) >= 2;
        if (left != rows[i].left) {
            fail_msg("%s: %s", left ? "left" : "missing", rows[i].line);
        }
    }
    /* A name with a subscript after an operator counts as a use. */
    static const char *const uses[] = {"2 * SIZE[0]", "-SIZE [0]", "{1: SIZE[0]}", "f'{-SIZE[0]}'"};
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        const char *text =
            str_format(&arena, "SIZE = [8]\ndef test_a():\n    run(%s)\n", uses[i]).at;
        if (node_count(skim(text)->module, 0, ROLE_BODY) != 2) {
            fail_msg("missing: SIZE for %s", uses[i]);
        }
    }
    /* Code may compute the name that it reads. */
    static const char *const computed[] = {"globals()['SE' 'ED']", "vars()['SE' 'ED']",
                                           "locals()['SE' 'ED']",  "exec('print(SE' 'ED)')",
                                           "eval('SE' 'ED')",      "getattr(me, 'SE' 'ED')"};
    for (size_t i = 0; i < sizeof computed / sizeof *computed; i++) {
        const Parsed *parsed = skim(str_format(&arena, "SEED = 42\nX = %s\n", computed[i]).at);
        if (node_count(parsed->module, 0, ROLE_BODY) != 2) {
            fail_msg("missing: SEED for %s", computed[i]);
        }
    }
}

/* Marks depend on length, first and last letter only: SMALL_SHAPES has the mark of getattr, and
 * test_softmax_l1 that of RTOL. */
static void test_words_that_look_alike(void **state)
{
    (void)state;
    static const char rest[] = "for shape in SMALL_SHAPES:\n    test_softmax_l1(shape)\n";
    const Parsed *parsed = skim(str_format(&arena, "import os\nRTOL = 0.001\n%s", rest).at);
    assert_int_equal(node_count(parsed->module, 0, ROLE_BODY), 1);
    parsed = skim(str_format(&arena, "RTOL = 0.001\n%s    getattr(shape, name)\n", rest).at);
    assert_int_equal(node_count(parsed->module, 0, ROLE_BODY), 2);
    parsed = skim(str_format(&arena, "RTOL = 0.001\n%s    print(RTOL)\n    shape.RTOL\n", rest).at);
    assert_int_equal(node_count(parsed->module, 0, ROLE_BODY), 2); /* `shape` may be this module */
    parsed = skim(str_format(&arena, "RTOL = 0.001\n%s    launch(f'{RTOL}')\n", rest).at);
    assert_int_equal(node_count(parsed->module, 0, ROLE_BODY), 2);
    /* Defaults of a function are evaluated even if its body is left out. */
    parsed = skim("RTOL = 0.001\n\ndef main(shape=SMALL_SHAPES, most=RTOL):\n    os.exit(shape)\n\n"
                  "if __name__ == '__main__':\n    main()\n");
    assert_int_equal(node_count(parsed->module, 0, ROLE_BODY), 2);
}

/* The search of a large file stops at its budget; names not yet looked up stay. */
static void test_many_names(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    Buf text = {.arena = &arena};
    buf_add(&text, STR("from os import name0"));
    for (int i = 1; i < COUNT; i++) {
        buf_addf(&text, ", name%d", i);
    }
    buf_add(&text, STR("\nimport sys\ndef test_a():\n"));
    for (int i = 0; i < COUNT; i++) {
        buf_addf(&text, "    launch(value%d)\n", i);
    }
    const Parsed *parsed = skim(buf_str(&text).at);
    assert_in_range(node_count(parsed->module, 0, ROLE_BODY), 2, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_main_is_left_out),
        cmocka_unit_test(test_statements_after_main_stay),
        cmocka_unit_test(test_direct_launch_is_told),
        cmocka_unit_test(test_doubtful_files_stay_whole),
        cmocka_unit_test(test_functions_that_others_may_call_stay),
        cmocka_unit_test(test_reports_are_left_out),
        cmocka_unit_test(test_doubtful_reports_stay),
        cmocka_unit_test(test_own_methods_stay),
        cmocka_unit_test(test_choice_of_a_device),
        cmocka_unit_test(test_names_that_nothing_uses),
        cmocka_unit_test(test_words_that_look_alike),
        cmocka_unit_test(test_many_names),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
