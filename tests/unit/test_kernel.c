/* Tests of the kernel model: aliases, JIT kernels, wrappers, primary kernels, annotations, dynamic
 * dimensions, loops, the pending-stub marker. */
#include "py_fixture.h"

static void test_aliases(void **state)
{
    Arena *arena = *state;
    assert_string_equal(py_strs(arena, py_read(arena, "x = 1\n")->aliases), "pypto");
    const PyFile *file =
        py_read(arena, "import pypto as pt, os as o, pypto.frontend as F, pypto.op\n"
                       "import pyptox as no\n"
                       "from pypto import frontend as no2\n"
                       "try:\n    import pypto as no3\nexcept E:\n    pass\n"
                       "def f():\n    import pypto as no4\n");
    assert_string_equal(py_strs(arena, file->aliases), "F pt pypto");
    assert_true(is_pypto_alias(file, STR("F")));
    assert_true(is_pypto_alias(file, STR("pypto")));
    assert_false(is_pypto_alias(file, STR("no3")));
    assert_false(is_pypto_alias(file, STR("")));
}

/* Owner is pypto: a name of the alias set and one attribute, no more. */
static void test_owner(void **state)
{
    Arena *arena = *state;
    const PyFile *file =
        py_read(arena, "import pypto as pt\n"
                       "pt.view(x)\npypto.view(x)\npypto.op.view(x)\nother.view(x)\nview(x)\n"
                       "pt[0].view(x)\n");
    const Module *module = pyfile_module(file);
    NodeList calls = module_nodes(module, NODE_CALL);
    static const char *const names[] = {"view", "view", "", "", "", ""};
    for (uint32_t i = 0; i < 6; i++) {
        assert_str(pypto_call(file, calls.ids[i]), names[i]);
    }
    assert_str(pypto_call(file, NO_NODE), "");
    assert_str(pypto_attribute(file, NO_NODE), "");
    assert_str(pypto_attribute(file, calls.ids[0]), ""); /* a call is no attribute */
}

static void test_kernels(void **state)
{
    Arena *arena = *state;
    const PyFile *file = py_read(arena, "import pypto as pt\n"
                                        "class C:\n"
                                        "    @pypto.frontend.jit\n"
                                        "    def method(self): pass\n"
                                        "@pypto.frontend.jit\n"
                                        "def bare(): pass\n"
                                        "@other\n"
                                        "@pypto.frontend.jit()\n"
                                        "@pypto.frontend.jit\n"
                                        "def twice(): pass\n"
                                        "@(pypto.frontend.jit(runtime_options={'a': 1}))\n"
                                        "def optioned(): pass\n"
                                        "@pt.frontend.jit\ndef no1(): pass\n"
                                        "@pypto.frontend.jit()()\ndef no2(): pass\n"
                                        "@frontend.jit\ndef no3(): pass\n"
                                        "@jit\ndef no4(): pass\n"
                                        "@pypto.jit\ndef brief(): pass\n"
                                        "@pypto.frontend.jit.x\ndef no6(): pass\n"
                                        "@pypto.frontend.jit\nasync def no7(): pass\n"
                                        "@x.pypto.frontend.jit\ndef no8(): pass\n"
                                        "@pypto.frontend.jit\nclass no9: pass\n");
    assert_string_equal(py_names(arena, pyfile_module(file), file->kernels),
                        "bare twice optioned method");
    assert_int_equal(file->aliased, 0);
    assert_true(is_kernel_name(file, STR("method")));
    assert_false(is_kernel_name(file, STR("no1")));
    assert_true(is_kernel(file, file->kernels.ids[3]));
    assert_false(is_kernel(file, 0));
}

/* `pypto.jit` and what imports call it are kernels where aliases are accepted. */
static void test_other_spellings(void **state)
{
    Arena *arena = *state;
    PyFile *file = py_read(arena, "import pypto as pt\n"
                                  "@pypto.frontend.jit\ndef full(): pass\n"
                                  "@pypto.jit\ndef brief(): pass\n"
                                  "@pt.frontend.jit\ndef alias(): pass\n"
                                  "@other.jit\ndef none(): pass\n");
    assert_string_equal(py_names(arena, pyfile_module(file), file->kernels), "full");
    pyfile_accept_aliases(file);
    assert_string_equal(py_names(arena, pyfile_module(file), file->kernels), "full brief alias");
    assert_int_equal(file->aliased, 2);
}

static void test_kernel_around(void **state)
{
    Arena *arena = *state;
    const PyFile *file = py_read(arena, "@pypto.frontend.jit\n"
                                        "def outer(a=early()):\n"
                                        "    def helper():\n        one()\n"
                                        "    @pypto.frontend.jit\n"
                                        "    def inner():\n        two()\n"
                                        "outside(mod.outer(), outer(), g.h())\n");
    const Module *module = pyfile_module(file);
    NodeList calls = module_nodes(module, NODE_CALL);
    assert_string_equal(py_names(arena, module, file->kernels), "outer inner");
    assert_int_equal(kernel_around(file, calls.ids[0]), file->kernels.ids[0]); /* a default value */
    assert_int_equal(kernel_around(file, calls.ids[1]), file->kernels.ids[0]);
    assert_int_equal(kernel_around(file, calls.ids[2]), file->kernels.ids[1]);
    assert_int_equal(kernel_around(file, calls.ids[3]), NO_NODE);
    assert_str(kernel_launched(file, calls.ids[3]), "");
    assert_str(kernel_launched(file, calls.ids[4]), "outer"); /* an attribute of that name */
    assert_str(kernel_launched(file, calls.ids[5]), "outer");
    assert_str(kernel_launched(file, calls.ids[6]), "");
}

#define KERNEL(name) "@pypto.frontend.jit\ndef " name "(): pass\n"

static void test_primary(void **state)
{
    Arena *arena = *state;
    static const struct {
        const char *text, *wrappers, *primary;
    } cases[] = {
        {"x = 1\n", "", ""},
        {"def a_wrapper(): k()\n", "a_wrapper", ""},
        {KERNEL("k1") KERNEL("k2"), "", "k1 k2"}, /* no wrapper: all */
        {KERNEL("k1") KERNEL("k2") "def a_wrapper():\n    return k2()\n", "a_wrapper", "k2"},
        /* the wrapper calls none of them: all */
        {KERNEL("k1") KERNEL("k2") "def a_wrapper():\n    return mod.k2(k1)\n", "a_wrapper",
         "k1 k2"},
        /* nested functions and lambdas of the wrapper count */
        {KERNEL("k1") KERNEL("k2") "def a_wrapper():\n    return lambda: k1()\n", "a_wrapper",
         "k1"},
        /* two wrappers; level order, not order of calls */
        {KERNEL("k1") KERNEL("k2") KERNEL("k3") "def a_wrapper(): k3()\ndef b_wrapper(): k1()\n",
         "a_wrapper b_wrapper", "k1 k3"},
        /* only plain defs on module level are suffix wrappers */
        {KERNEL("k1") KERNEL("k2") "async def a_wrapper(): k2()\nif x:\n    def b_wrapper(): k2()\n"
                                   "def wrapper(): k2()\ndef c_wrapper_(): k2()\n",
         "", "k1 k2"},
        /* all kernels of the called name */
        {"class C:\n    @pypto.frontend.jit\n    def k(self): pass\n" KERNEL("k")
             KERNEL("z") "def _wrapper(): k()\n",
         "_wrapper", "k k"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const PyFile *file = py_read(arena, cases[i].text);
        assert_string_equal(py_names(arena, pyfile_module(file), file->wrappers),
                            cases[i].wrappers);
        assert_string_equal(py_names(arena, pyfile_module(file), file->primary), cases[i].primary);
    }
}

static void test_role_names(void **state)
{
    Arena *arena = *state;
    Str op = STR("soft");
    static const char *const layer_k[] = {
        "host_wrapper", "soft_wrapper", "soft_module12_wrapper", "soft_module_wrapper", "launch_",
        "launch_x",     "run_soft"};
    static const char *const not_k[] = {"hard_wrapper", "host_wrapper2", "soft_x_wrapper",
                                        "softwrapper",  "soft_module1",  "launch",
                                        "relaunch_x",   "Run_x",         "soft_modul_wrapper"};
    for (size_t i = 0; i < sizeof layer_k / sizeof *layer_k; i++) {
        assert_true(is_layer_k_name(op, str_from(layer_k[i])));
    }
    for (size_t i = 0; i < sizeof not_k / sizeof *not_k; i++) {
        assert_false(is_layer_k_name(op, str_from(not_k[i])));
    }
    assert_true(is_layer_i_name(STR("soft_kernel_impl")));
    assert_true(is_layer_i_name(STR("a_kernel_impl_b")));
    assert_true(is_layer_i_name(STR("x_impl")));
    assert_false(is_layer_i_name(STR("impl")));
    assert_false(is_layer_i_name(STR("x_impl2")));
    const PyFile *file =
        py_read(arena, "async def run_a(): pass\nclass C:\n    def b_impl(self): pass\n"
                       "def soft_wrapper(): pypto_h(); x.pypto_h(); pypto()\n");
    const Module *module = pyfile_module(file);
    assert_string_equal(py_names(arena, module, layer_k_functions(file, arena, op)),
                        "run_a soft_wrapper");
    assert_string_equal(py_names(arena, module, layer_i_functions(file, arena)), "b_impl");
    NodeList calls = module_nodes(module, NODE_CALL);
    assert_true(is_layer_h_call(module, calls.ids[0]));
    assert_false(is_layer_h_call(module, calls.ids[1]));
    assert_false(is_layer_h_call(module, calls.ids[2]));
}

static void test_annotations(void **state)
{
    Arena *arena = *state;
    static const struct {
        const char *annotation;
        AnnotationForm form;
        uint32_t count;
        const char *shape, *dtype;
    } cases[] = {
        {"", ANNOTATION_NONE, 0, NULL, NULL},
        {": int", ANNOTATION_OTHER, 0, NULL, NULL},
        {": 'pypto.Tensor([1], d)'", ANNOTATION_OTHER, 0, NULL, NULL},
        {": Optional[pypto.Tensor]", ANNOTATION_OTHER, 0, NULL, NULL},
        {": other.Tensor([1])", ANNOTATION_OTHER, 0, NULL, NULL},
        {": pypto.sub.Tensor", ANNOTATION_OTHER, 0, NULL, NULL},
        {": pypto.Tensor()()", ANNOTATION_OTHER, 0, NULL, NULL},
        {": pypto.Tensor", ANNOTATION_BARE, 0, NULL, NULL},
        {": Tensor", ANNOTATION_BARE, 0, NULL, NULL},
        {": pt.Tensor()", ANNOTATION_CALL, 0, NULL, NULL},
        {": pypto.Tensor([1, 2])", ANNOTATION_CALL, 1, "[1, 2]", NULL},
        {": Tensor([1], pypto.DT_FP32)", ANNOTATION_CALL, 2, "[1]", "pypto.DT_FP32"},
        {": pt.Tensor(shape=[1], dtype=d)", ANNOTATION_CALL, 0, NULL, NULL},
        {": pypto.Tensor(*a, format=f)", ANNOTATION_CALL, 1, "*a", NULL},
        {": pypto.Tensor([1], d, x, y)", ANNOTATION_CALL, 4, "[1]", "d"},
        {": pypto.Tensor[[1, 2], d]", ANNOTATION_BRACKET, 2, "[1, 2]", "d"},
        {": Tensor[s]", ANNOTATION_BRACKET, 1, "s", NULL},
        {": Tensor[()]", ANNOTATION_BRACKET, 0, NULL, NULL},
        {": pt.Tensor[a, b, {'shape': 1}]", ANNOTATION_BRACKET, 3, "a", "b"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text =
            str_format(arena, "import pypto as pt\ndef f(x%s): pass\n", cases[i].annotation).at;
        const PyFile *file = py_read(arena, text);
        const Module *module = pyfile_module(file);
        NodeId arg = function_parameter(module, py_nth(module, NODE_FUNCTION_DEF, 0), STR("x"));
        TensorAnnotation read = annotation_read(file, arg);
        assert_int_equal(read.form, cases[i].form);
        assert_int_equal(read.count, cases[i].count);
        assert_int_equal(annotation_is_tensor(read), cases[i].form >= ANNOTATION_BARE);
        if (cases[i].shape == NULL) {
            assert_int_equal(read.shape, NO_NODE);
        } else {
            assert_str(node_text(module, read.shape), cases[i].shape);
        }
        if (cases[i].dtype == NULL) {
            assert_int_equal(read.dtype, NO_NODE);
        } else {
            assert_str(node_text(module, read.dtype), cases[i].dtype);
        }
    }
}

static void test_parameters(void **state)
{
    Arena *arena = *state;
    const Module *module =
        py_module(arena, "def f(a, /, b, *c, d, **e): pass\nasync def g(): pass\nlambda q: 0\n");
    NodeId f = py_nth(module, NODE_FUNCTION_DEF, 0);
    assert_str(node_name(module, function_parameter(module, f, STR("b"))), "b");
    static const char *const others[] = {"a", "c", "d", "e", "x", ""};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_int_equal(function_parameter(module, f, str_from(others[i])), NO_NODE);
    }
    NodeId g = py_nth(module, NODE_ASYNC_FUNCTION_DEF, 0);
    assert_true(node_is(module, function_arguments(module, g), NODE_ARGUMENTS));
    assert_int_equal(function_parameter(module, g, STR("a")), NO_NODE);
    NodeId lambda = py_nth(module, NODE_LAMBDA, 0);
    assert_str(node_name(module, function_parameter(module, lambda, STR("q"))), "q");
}

static void test_dynamic(void **state)
{
    Arena *arena = *state;
    const PyFile *file =
        py_read(arena, "import pypto as pt\n"
                       "B = pypto.DYNAMIC\nN = pt.DYN\nM = DYN\nL = N\nD: int = pypto.DYN\n"
                       "P, Q = pypto.DYN, 1\nR = S = pypto.DYN\n"
                       "T = pypto.frontend.dynamic('n')\nU = pypto.StatusType.DYNAMIC\n"
                       "if x:\n    V = pypto.DYN\n"
                       "use([B], N * 2, (1, [M]), L, D, pt.DYNAMIC + 1, DYN, other.DYN, "
                       "pypto.StatusType.DYNAMIC, V, -DYNAMIC, R, 3)\n");
    assert_string_equal(py_strs(arena, file->dynamic_symbols), "B M N");
    const Module *module = pyfile_module(file);
    NodeList calls = module_nodes(module, NODE_CALL);
    NodeId use = calls.ids[calls.count - 1];
    static const bool expected[] = {true,  true,  true,  false, false, true, true,
                                    false, false, false, true,  false, false};
    for (uint32_t i = 0; i < 13; i++) {
        assert_int_equal(is_dynamic_shape(file, call_arg(module, use, i)), expected[i]);
    }
    assert_false(is_dynamic_shape(file, NO_NODE));
}

static void test_loops(void **state)
{
    Arena *arena = *state;
    const PyFile *file = py_read(arena, "import pypto as pt\n"
                                        "for i in pt.loop(4): pass\n"
                                        "for i in pypto.loop_unroll(4): pass\n"
                                        "for i in enumerate(pypto.loop(4)): pass\n"
                                        "for i in range(4): pass\n"
                                        "for i in builtins.range(4): pass\n"
                                        "for i in pypto.loop: pass\n"
                                        "async def f():\n    async for i in pypto.loop(4): pass\n");
    const Module *module = pyfile_module(file);
    static const bool loop[] = {true, false, false, false, false, false};
    static const bool graph[] = {true, true, false, false, false, false};
    static const bool range[] = {false, false, false, true, false, false};
    NodeList loops = module_nodes(module, NODE_FOR);
    assert_int_equal(loops.count, 6);
    for (uint32_t i = 0; i < 6; i++) {
        NodeId iterator = node_child(module, loops.ids[i], ROLE_ITER);
        assert_int_equal(is_loop_call(file, iterator), loop[i]);
        assert_int_equal(is_graph_iterator(file, iterator), graph[i]);
        assert_int_equal(is_range_iterator(module, iterator), range[i]);
        assert_int_equal(loop_statement_call(file, loops.ids[i]), loop[i] ? iterator : NO_NODE);
    }
    assert_int_equal(loop_statement_call(file, py_nth(module, NODE_ASYNC_FOR, 0)), NO_NODE);
}

static void test_mentions(void **state)
{
    Arena *arena = *state;
    const PyFile *file =
        py_read(arena, "f(a.myLoop, g(loop_count=1), 'x lo\\x6fp', b'loop', f'{y}loop', Loop)\n");
    const Module *module = pyfile_module(file);
    NodeId call = py_nth(module, NODE_CALL, 0);
    static const bool exact[] = {false, true, true, false, true, false};
    static const bool folded[] = {true, true, true, false, true, true};
    for (uint32_t i = 0; i < 6; i++) {
        NodeId argument = call_arg(module, call, i);
        assert_int_equal(expression_mentions(file, argument, "loop", false), exact[i]);
        assert_int_equal(expression_mentions(file, argument, "loop", true), folded[i]);
    }
    assert_false(expression_mentions(file, NO_NODE, "loop", false));
}

/* The value of a string needs memory of its own. Without it the answer is not "no". */
static void test_mentions_without_memory(void **state)
{
    Arena *arena = *state;
    jmp_buf env;
    static int answers;
    answers = 0;
    const PyFile *file = py_read(arena, "x = 'lo\\x6fp'\n");
    NodeId text = py_nth(pyfile_module(file), NODE_CONSTANT, 0);
    if (OOM_GUARD(arena, env)) {
        arena_inject_failure(1);
        expression_mentions(file, text, "loop", false);
        answers++;
    }
    arena_inject_failure(0);
    arena->guard = NULL;
    assert_int_equal(answers, 0);
    assert_true(expression_mentions(file, text, "loop", false));
}

/* The marker must lie whole within the first 512 characters; a CR LF is one of them. */
static void test_stub_marker(void **state)
{
    Arena *arena = *state;
    static const struct {
        const char *filler;
        uint32_t count;
        bool stub;
    } cases[] = {
        {"#", 0, true},
        {"#", 494, true},
        {"#", 495, false},
        {"#\xE7\xAE\x97", 247, true},    /* 494 characters, 988 bytes */
        {"#\r\n", 247, true},            /* 494 characters, 741 bytes */
        {"#\r\n", 248, false},           /* 496 characters */
        {"\xF0\x9F\x98\x80", 494, true}, /* does not parse; it is a stub all the same */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Buf text = {.arena = arena};
        for (uint32_t j = 0; j < cases[i].count; j++) {
            buf_add(&text, str_from(cases[i].filler));
        }
        buf_add(&text, STR("PYPTO_PENDING_STUB\n")); /* 18 characters */
        PyFile *file = ARENA_NEW(arena, PyFile);
        pyfile_init(file, arena, STR("x.py"), buf_str(&text));
        assert_int_equal(file->is_stub, cases[i].stub);
    }
    PyFile *file = ARENA_NEW(arena, PyFile);
    pyfile_init(file, arena, STR("x.py"),
                STR("# PYPTO_PENDING_STUB\n'\xFF'\n")); /* cannot be decoded */
    assert_false(file->is_stub);
    pyfile_init(file, arena, STR("x.py"), STR("'''PYPTO_PENDING_STUB'''\n"));
    assert_true(file->is_stub);
    pyfile_init(file, arena, STR("x.py"), STR("# pypto_pending_stub\n"));
    assert_false(file->is_stub);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, arena_set_up, arena_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_aliases),
        TEST(test_owner),
        TEST(test_kernels),
        TEST(test_other_spellings),
        TEST(test_kernel_around),
        TEST(test_primary),
        TEST(test_role_names),
        TEST(test_annotations),
        TEST(test_parameters),
        TEST(test_dynamic),
        TEST(test_loops),
        TEST(test_mentions),
        TEST(test_mentions_without_memory),
        TEST(test_stub_marker),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
