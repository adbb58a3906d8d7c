#!/usr/bin/env python3
"""Input made to hurt: each must get a defined answer, fast, in little memory.

Usage: test_hostile.py --binary PATH [--seconds N] [--no-memory-cap] [--share N] [--figures] [NAME...]

Each case is one file of an operator directory (or several). The program must end with status 0, 1 or 2
(2 with a message), its JSON must be valid, within the time and an address space of 512 MiB.
"""
import argparse
import fcntl
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

MEMORY_CAP = 512 * 1024 * 1024
NORMAL_RSS = 12 * 1024  # KiB, for a kernel of 40 KB
HEAD = "import pypto\n\n\n"
JIT = "@pypto.frontend.jit\n"
TENSOR = "pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)"
N = 100_000
share = 1  # of the sizes below; --share


def kernel(body, parameters=f"x: {TENSOR}, n: int"):
    return f"{HEAD}{JIT}def soft_npu({parameters}):\n{body}"


def many(count):
    """How often a case repeats its part. Time and memory are measured at full length; sanitizers, under which each
    run takes three to four times as long, look at what is done and not at how long it takes, so they get a share."""
    return count // share


LIBRARY = ("import torch\n" + kernel("    y[:] = x\n", "x, y") + "x = torch.ones(8, 64)\n"
           + "mine = torch.library.Library('mine', 'FRAGMENT')\n")


def nested(opening, closing, count=N):
    count = count if count < 1000 else many(count)  # 190 levels are the case
    return "x = " + opening * count + "1" + closing * count + "\n"


def fstring(depth):
    text = "x"
    for i in range(depth):
        quote = "'\""[i % 2]
        text = f"f{quote}{{{text}}}{quote}"
    return text + "\n"


def normal_kernel(size):
    """Code of the usual kind, about `size` bytes."""
    part = ("    # step {0}: scale the rows\n"
            "    for i{0} in pypto.loop(rows // 8, name='L{0}', idx_name='i'):\n"
            "        tile{0} = pypto.view(x, [8, 64], [i{0} * 8, 0], valid_shape=[8, 64])\n"
            "        y[:] = pypto.add(pypto.mul(tile{0}, 2.0), pypto.exp(tile{0}))\n")
    text, step = kernel("    pypto.set_vec_tile_shapes(8, 64)\n"), 0
    while len(text) < size:
        text += part.format(step)
        step += 1
    return text + "\n\ndef soft_wrapper(x):\n    soft_npu(x, 8)\n"


IMPL = "soft_impl.py"

# name -> text of soft_impl.py, or a dictionary of files; made when the case runs.
CASES = {
    "comments_1000": lambda: "# c\n" * 1000 + kernel("    pass\n"),
    "comments_32000": lambda: "# c\n" * many(32000) + kernel("    pass\n"),
    "comments_1000_in_body": lambda: kernel("    a = 1\n" + "    # c\n" * 1000 + "    b = 2\n"),
    "comments_32000_in_body": lambda: kernel("    a = 1\n" + "    # c\n" * many(32000) + "    b = 2\n"),
    "comments_32000_at_margin": lambda: kernel("    a = 1\n" + "# c\n" * many(32000) + "    b = 2\n"),
    "comments_32000_in_brackets": lambda: "x = [\n" + "1,  # c\n" * many(32000) + "]\n",
    "blank_lines_500000": lambda: kernel("    a = 1\n" + "\n" * many(500000) + "    b = 2\n"),
    "parentheses": lambda: nested("(", ")"),
    "brackets": lambda: nested("[", "]"),
    "braces": lambda: nested("{", "}"),
    "parentheses_open": lambda: nested("(", ""),
    "parentheses_closing": lambda: nested("", ")"),
    "brackets_mixed": lambda: nested("([{", "}])", N // 3),
    "brackets_190": lambda: nested("(", ")", 190),
    "brackets_190_each_line": lambda: nested("(", ")", 190) * 2000,
    "sum": lambda: "x = " + "1+" * many(N) + "1\n",
    "sum_in_kernel": lambda: kernel("    n = " + "n+" * many(N) + "1\n"),
    "bool_and": lambda: "x = " + "a and " * many(N) + "b\n",
    "bool_and_or": lambda: "x = " + "a and b or " * (N // 2) + "b\n",
    "comparisons": lambda: "x = " + "a<" * many(N) + "b\n",
    "power": lambda: "x = " + "2**" * many(N) + "2\n",
    "calls_chained": lambda: "x = f" + "()" * many(N) + "\n",
    "calls_attributes_chained": lambda: "x = f" + ".a()" * many(N) + "\n",
    "calls_nested": lambda: nested("f(", ")"),
    "attributes": lambda: "x = a" + ".b" * many(N) + "\n",
    "attributes_of_pypto": lambda: kernel("    x = pypto" + ".b" * many(N) + "\n"),
    "subscripts": lambda: "x = a" + "[0]" * many(N) + "\n",
    "strings_joined": lambda: "x = " + "'a' " * many(N) + "\n",
    "elif": lambda: "if a:b\n" + "elif a:b\n" * many(N),
    "else_if_nested": lambda: "".join(" " * i + "if a:\n" for i in range(1000)) + " " * 1000 + "b\n",
    "conditional": lambda: "x = " + "a if b else " * (N // 2) + "c\n",
    "unary": lambda: "x = " + "-" * many(N) + "1\n",
    "invert": lambda: "x = " + "~" * many(N) + "1\n",
    "not": lambda: "x = " + "not " * many(N) + "a\n",
    "lambda": lambda: "x = " + "lambda:" * many(N) + "0\n",
    "await": lambda: "async def f():\n    " + "await " * many(N) + "x\n",
    "stars": lambda: "f(" + "*a," * many(N) + ")\n",
    "assign_chain": lambda: "a = " * many(N) + "1\n",
    "walrus": lambda: "x = " + "(a:=" * many(N) + "1" + ")" * many(N) + "\n",
    "decorators_nested": lambda: "@a\n" * many(N) + "def f(): pass\n",
    "backslashes": lambda: "x = 1" + " + \\\n1" * many(32000) + "\n",
    "backslashes_alone": lambda: "x = 1 \\\n" + "\\\n" * many(32000) + "\n",
    "huge_100mb": lambda: b"x = 1\n" * (100 * 1024 * 1024 // 6),
    "just_below_limit": lambda: b"x = 1\n" * (1024 * 1024 // 6),
    "nul": lambda: b"\0",
    "nul_1mb": lambda: b"\0" * many(1000000),
    "nul_in_text": lambda: b"x = 1\nx\0 = 2\n",
    "utf16_le": lambda: kernel("    pass\n" * many(20000)).encode("utf-16"),
    "utf16_be": lambda: b"\xfe\xff" + kernel("    pass\n" * many(20000)).encode("utf-16-be"),
    "utf16_without_mark": lambda: kernel("    pass\n" * many(20000)).encode("utf-16-le"),
    "bom": lambda: b"\xef\xbb\xbf" + kernel("    pass\n").encode(),
    "bom_only": lambda: b"\xef\xbb\xbf",
    "bom_many": lambda: b"\xef\xbb\xbf" * many(300000),
    "crlf": lambda: normal_kernel(200000).replace("\n", "\r\n"),
    "cr_only": lambda: normal_kernel(200000).replace("\n", "\r"),
    "cr_cr_lf": lambda: normal_kernel(100000).replace("\n", "\r\r\n"),
    "tabs": lambda: normal_kernel(100000).replace("    ", "\t"),
    "tabs_mixed": lambda: "if a:\n" + "\t        x = 1\n        \tx = 2\n" * many(20000),
    "form_feeds": lambda: "\f" * many(500000) + "x = 1\n",
    "white_space_1mb": lambda: " " * many(1000000),
    "tabs_1mb": lambda: "\t" * many(1000000) + "x\n",
    "indent_growing": lambda: "".join(" " * i + "if a:\n" for i in range(1400)),
    "indent_bad_dedents": lambda: "if a:\n    x\n  y\n" * many(50000),
    "empty": lambda: b"",
    "one_newline": lambda: b"\n",
    "string_open_1mb": lambda: "x = '" + "a" * many(1000000),
    "string_triple_open_1mb": lambda: "x = '''" + "a\n" * many(500000),
    "string_open_lines": lambda: "x = 'abc\n" * many(100000),
    "string_escapes": lambda: "x = '" + "\\" * many(1000000),
    "string_long": lambda: "x = '" + "a" * many(1000000) + "'\n",
    "quotes": lambda: "'" * many(1000000),
    "quotes_double": lambda: '"' * many(999999),
    "name_1mb": lambda: "a" * many(1000000) + "\n",
    "digits_1mb": lambda: "x = " + "1" * many(1000000) + "\n",
    "digits_underscores": lambda: "x = 1" + "_1" * many(400000) + "\n",
    "hashes": lambda: "#" * many(1000000),
    "ats": lambda: "@" * many(1000000),
    "dots": lambda: "." * many(1000000),
    "number_pairs": lambda: "1 2\n" * many(250000),
    "braces_empty": lambda: "{ } " * many(250000),
    "colons": lambda: ":" * many(500000),
    "semicolons": lambda: "x;" * many(300000) + "\n",
    "commas": lambda: "x = " + "," * many(500000) + "\n",
    "question_marks": lambda: "?" * many(500000),
    "dollars_on_lines": lambda: "$\n" * many(300000),
    "backticks": lambda: "`" * many(500000),
    "unicode_names": lambda: "算子 = 1\n" * many(60000),
    "unicode_bad_character": lambda: "x = “1”\n" * many(40000),
    "control_characters": lambda: "".join(map(chr, range(1, 32))) * many(10000),
    "invalid_utf8": lambda: b"x = '\xff'\n",
    "invalid_utf8_1mb": lambda: b"\xff" * many(1000000),
    "invalid_utf8_at_end": lambda: b"x = 1\n" * many(100000) + b"\xc3",
    "surrogates": lambda: b"x = '\xed\xa0\x80'\n",
    "fstring_200": lambda: fstring(200),
    "fstring_5000": lambda: fstring(5000),
    "fstring_braces": lambda: "f'" + "{" * many(N) + "'\n",
    "fstring_fields": lambda: "f'" + "{x}" * many(200000) + "'\n",
    "fstring_formats": lambda: "f'{x:" + "{y:" * many(50000) + "}" * many(50000) + "}'\n",
    "fstring_open": lambda: "f'{" * many(200000),
    "functions_10000": lambda: "".join(f"def f{i}(): return f{i + 1}()\n" for i in range(many(10000))),
    "functions_same_name": lambda: "def f(): f()\n" * many(10000),
    "functions_in_kernel": lambda: kernel("".join(f"    def f{i}(): f{i + 1}()\n" for i in range(many(10000)))),
    "functions_calling_all": lambda: "".join(f"def f{i}(): " + ";".join(f"f{j}()" for j in range(200))
                                             + "\n" for i in range(500)),
    "functions_nested": lambda: "".join(" " * i + f"def f{i}():\n" for i in range(99)) + " " * 99 + "x\n",
    "classes_10000": lambda: "class A(B): x = 1\n" * many(10000),
    "kernels_10000": lambda: HEAD + "".join(
        f"{JIT}def k{i}(x: {TENSOR}): min(x)\n" for i in range(many(7000))),
    "kernels_called": lambda: HEAD + "".join(f"{JIT}def k{i}(x): pass\n" for i in range(many(10000)))
    + "def soft_wrapper(x):\n" + "".join(f"    k{i}(x)\n" for i in range(many(10000))),
    "kernels_nested": lambda: HEAD + "".join(
        " " * i + JIT + " " * i + f"def k{i}(x):\n" for i in range(99)) + " " * 99
    + ";".join(["min(x)"] * 1000) + "\n",
    "wrappers_10000": lambda: kernel("    pass\n") + "".join(
        f"def w{i}_wrapper(x):\n    soft_npu(x)\n" for i in range(many(10000))),
    "decorators_10000": lambda: HEAD + JIT * many(10000) + "def soft_npu(x): pass\n",
    "parameters_10000": lambda: kernel("    pass\n", ", ".join(f"p{i}" for i in range(many(10000)))),
    "parameters_tensors": lambda: kernel("    pass\n", ", ".join(f"p{i}: {TENSOR}" for i in range(many(10000)))),
    "parameters_rebound": lambda: kernel("".join(f"    p{i} = 1\n" for i in range(many(10000))),
                                         ", ".join(f"p{i}: int" for i in range(many(10000)))),
    "imports_100000": lambda: "import a\n" * many(N),
    "imports_pypto": lambda: "".join(f"import pypto as p{i}\n" for i in range(many(30000)))
    + "".join(f"p{i}.x()\n" for i in range(many(30000))),
    "imports_from": lambda: "from pypto import a\n" * many(40000),
    "imports_one_line": lambda: "import " + ",".join(["a"] * many(300000)) + "\n",
    "constants_chain": lambda: "".join(f"A{i} = A{i + 1}\n" for i in range(many(20000)))
    + kernel("".join(f"    pypto.set_vec_tile_shapes(A{i}, 64)\n" for i in range(many(10000)))),
    "constants_many": lambda: "".join(f"A{i} = {i}\n" for i in range(many(20000)))
    + kernel("".join(f"    B{i} = 1\n    pypto.set_vec_tile_shapes(A{i}, B{i})\n" for i in range(many(7000)))),
    "tile_calls": lambda: kernel("    pypto.set_vec_tile_shapes(n, n)\n" * many(20000)),
    "loops_20000": lambda: kernel("    for i in pypto.loop(1): pass\n" * many(20000)),
    "loops_unrolled": lambda: kernel(
        "    for i in pypto.loop(4, unroll_list=[1, 2]):\n        for j in pypto.loop(4): pass\n" * 9000),
    "loops_nested": lambda: kernel("".join(
        " " * (4 + i) + f"for i{i} in pypto.loop(4, unroll_list=[1]):\n" for i in range(95))
        + " " * 99 + "pass\n"),
    "tests_30000": lambda: kernel("    x.move(x + 1.0)\n") + "".join(
        f"def test_{i}():\n    f({i})\n" for i in range(many(30000))),
    "tests_in_class": lambda: kernel("    x.move(x + 1.0)\n") + "class TestSoft:\n" + "".join(
        f"    def test_{i}(self):\n        f({i})\n" for i in range(many(16000))),
    "tests_in_marked_class": lambda: "import pytest\n" + kernel("    x.move(x + 1.0)\n")
    + "@pytest.fixture\ndef n():\n    return 3\n" + "@pytest.mark.later\n" * many(6000) + "class TestSoft:\n" + "".join(
        f"    def test_{i}(self, n):\n        f(n)\n" for i in range(many(6000))),
    "tests_with_a_long_mark": lambda: kernel("    x.move(x + 1.0)\n") + "later = '" + "x" * many(400000) + "'\n" + "".join(
        f"@later\ndef test_{i}():\n    f({i})\n" for i in range(many(10000))),
    "tests_with_managers": lambda: kernel("    x.move(x + 1.0)\n") + "def test_soft():\n"
    + "    with m:\n        f(1)\n" * many(16000) + "# " + "x" * many(400000) + "\n",
    "operators_8000": lambda: kernel("    x.move(x + 1.0)\n") + "".join(
        f"class T{i}:\n    def __add__(self, o):\n        global A{i}\n" for i in range(many(8000))),
    "unbound_reads": lambda: kernel("    for i in pypto.loop(4):\n        if pypto.cond(i > 0):\n            z = x\n"
                                    + "        a = z\n" * many(20000) + "        import os\n"),
    "returns_20000": lambda: kernel("    return n\n" * many(20000)),
    "host_loops": lambda: kernel("    pass\n") + "def soft_wrapper(x):\n"
    + "    for i in range(4): soft_npu(x)\n" * many(15000),
    "unknown_names": lambda: kernel("    pypto.nonsense_name(x)\n" * many(20000)),
    "torch_arithmetic": lambda: "import torch\n" + kernel("    pass\n") + "def soft_wrapper(x):\n"
    + "".join(f"    y{i} = torch.add(x, x) + x\n" for i in range(many(15000))),
    "wrapper_outputs": lambda: "import torch\n" + kernel("    pass\n") + "def soft_wrapper(x):\n"
    + "".join(f"    y{i} = y{i - 1}\n    soft_npu(x, y{i})\n" for i in range(many(12000))),
    "one_line_tensors": lambda: HEAD + JIT + "def soft_npu("
    + ",".join(f"a{i}:pypto.Tensor([])" for i in range(many(30000))) + "): pass\n",
    "one_line_minmax": lambda: kernel("    " + ";".join(["a_name_of_some_length = min(n, n)"] * many(25000)) + "\n"),
    "one_line_minmax_wide": lambda: kernel("    " + ";".join(["'算子算子算子算子'; min(n, n)"] * many(25000)) + "\n"),
    "one_line_golden": lambda: {IMPL: kernel("    pass\n"),
                                "soft_golden.py": "import torch\nx = [" + "a_name_of_some_length.T, " * many(25000) + "]\n"},
    "one_line_rebound": lambda: kernel("    " + ";".join(["n = a_name_of_some_length"] * many(25000)) + "\n"),
    "one_line_views": lambda: kernel("    " + ";".join(["pypto.view(x, [1], [1, 2])"] * many(25000)) + "\n"),
    "one_line_tiles": lambda: kernel("    pypto.set_vec_tile_shapes(" + "n, " * many(25000) + ")\n"),
    "one_line_returns": lambda: kernel("    " + ";".join(["return a_name_of_some_length"] * many(25000)) + "\n"),
    "one_line_imports": lambda: ";".join(["from pypto import a"] * many(25000)) + "\n",
    "one_line_errors": lambda: "x = " + "08 " * many(300000) + "\n",
    "suppressions": lambda: kernel("    n = 1  # pypto-lint: ignore[OL02] x\n" * many(20000)),
    "suppressions_broken": lambda: "# pypto-lint: ignore[\n" * many(40000),
    "suppressions_selectors": lambda: "x = 1  # pypto-lint: ignore[" + "OL02," * many(150000) + "]\n",
    "suppressions_one_line": lambda: kernel("    " + "n = a_name_of_some_length;" * many(25000) + " # pypto-lint: ignore[OL02]\n"),
    "design_unclosed_fences": lambda: {IMPL: kernel("    pass\n"), "DESIGN.md": "```python x\n" * 8000},
    "design_fences": lambda: {IMPL: kernel("    pass\n"), "DESIGN.md": "```python\npypto.no_name()\n```\n" * many(25000)},
    "design_backticks": lambda: {IMPL: kernel("    pass\n"), "DESIGN.md": "`" * many(1000000)},
    "design_one_block": lambda: {IMPL: kernel("    pass\n"),
                                 "DESIGN.md": "```python\n" + "pypto.no_name()\n" * many(50000) + "```\n"},
    "design_comments": lambda: {IMPL: kernel("    pass\n"), "DESIGN.md": "```python\n" + "# c\n" * many(32000) + "```\n"},
    "design_binary": lambda: {IMPL: kernel("    pass\n"), "DESIGN.md": bytes(range(256)) * 4000},
    "memory_lines": lambda: {IMPL: kernel("    pass\n"), "DESIGN.md": "- [ ] x\n" * many(60000),
                             "MEMORY.md": "- [ ] x `y` [z]\n" * many(60000)},
    "memory_one_line": lambda: {IMPL: kernel("    pass\n"), "MEMORY.md": "- [ ] " * many(160000)},
    "memory_tables": lambda: {IMPL: kernel("    pass\n"), "MEMORY.md": "| a | b |\n" * many(90000),
                              "DESIGN.md": "| a | b |\n|---|---|\n" * many(50000)},
    "state_deep": lambda: {IMPL: kernel("    pass\n"), ".orchestrator_state.json": "[" * many(1000000)},
    "state_wide": lambda: {IMPL: kernel("    pass\n"),
                           ".orchestrator_state.json": json.dumps({str(i): i for i in range(many(60000))})},
    "config_deep": lambda: {IMPL: kernel("    pass\n"), ".pypto-lint.yaml": "[" * many(60000)},
    "config_aliases": lambda: {IMPL: kernel("    pass\n"), ".pypto-lint.yaml": "a: &a [x]\n" + "".join(
        f"b{i}: &b{i} [{', '.join(['*' + ('a' if i == 0 else f'b{i - 1}')] * 9)}]\n" for i in range(40))},
    "test_calls": lambda: {IMPL: kernel("    pass\n"),
                           "test_soft.py": "from soft_impl import soft_npu\nfrom soft_golden import g\n"
                           "def test_x():\n" + "    soft_npu(a, b)\n" * many(40000)},
    "launches_of_a_long_kernel": lambda: "import torch\n" + kernel("    pypto.f(x)\n" * many(18000), "x, y")
    + "x = torch.ones(8, 64)\n" + "soft_npu(x, x)\n" * many(18000),
    "operators_by_impl": lambda: LIBRARY + "".join(
        f"@torch.library.impl(mine, 'f{i}', 'NPU')\ndef f{i}(x): pass\n" for i in range(many(7000)))
    + "".join(f"torch.ops.mine.f{i}(x)\n" for i in range(many(7000))),
    "operators_by_custom_op": lambda: LIBRARY + "".join(
        f"@torch.library.custom_op('mine::f{i}', mutates_args=())\ndef f{i}(x): pass\n" for i in range(many(7000)))
    + "".join(f"torch.ops.mine.f{i}(x)\n" for i in range(many(7000))),
    "table_of_instances": lambda: kernel("    y[:] = x\n", "x, y") + "class A:\n    def __init__(self, n): self.n = n\n" + "".join(
        f"    def m{i}(self): pass\n" for i in range(many(4000)))
    + f"TABLE = {{{', '.join(f'{i}: A({i})' for i in range(many(2000)))}}}\ndef test_a(n):\n"
    + "    TABLE[n].n\n" * many(8000),
    "table_of_lists": lambda: kernel("    y[:] = x\n", "x, y") + f"L = {list(range(4000))}\nTABLE = {{"
    + ", ".join(f"{i}: L[:]" for i in range(many(400))) + "}\ndef test_a(n):\n" + "    TABLE[n]\n" * many(8000),
    "fixtures": lambda: "import pytest\n" + kernel("    y[:] = x\n", "x, y") + "".join(
        f"@pytest.fixture\ndef f{i}(): return 1\n" for i in range(many(7000)))
    + "".join(f"def test_{i}({', '.join(f'p{j}' for j in range(250))}): soft_npu(p1, p2)\n" for i in range(many(400))),
    "interfaces_deep": lambda: {IMPL: kernel("    pass\n"), "eval/module_interfaces.yaml": "- " * many(300000)},
    "class_attributes": lambda: HEAD + "class A:\n" + "".join(
        f"    a{i} = {i}\n" for i in range(many(N))) + "\n\n" + kernel("    pass\n"),
    "dataclass_makes_itself": lambda: HEAD + "from dataclasses import dataclass, field\n\n\n@dataclass\nclass A:\n"
        "    x: object = field(default_factory=lambda: A())\n\n\na = A()\n" + kernel("    pass\n"),
    "values_doubled": lambda: HEAD + "t = ()\nl = [0]\n" + "t = (t, t)\nl = l + l\n" * 200 + "print(t)\nf(t, l)\n"
        "l.append(l)\ne = l == [l]\n" + kernel("    pass\n"),
    "import_cycle": lambda: {IMPL: "from soft_other import y\nx = 1\n" + kernel("    pass\n"),
                             "soft_other.py": "from soft_impl import x\nimport soft_impl as m\ny = m.x\n",
                             "test_soft.py": "import soft_other\nfrom soft_impl import soft_npu\n"},
    "modules_2000": lambda: {IMPL: kernel("    pass\n"), **{
        f"modules/soft_module{i}_impl.py": kernel("    pass\n") for i in range(2000)}},
    "files_2000_elsewhere": lambda: {IMPL: kernel("    pass\n"), **{
        f"logs/{i}.txt": "x" for i in range(2000)}},
}


def write_case(folder, files):
    if not isinstance(files, dict):
        files = {IMPL: files}
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def run(binary, args, cap, seconds):
    """Exit status, standard output and error, seconds."""

    def limit():
        if cap:
            resource.setrlimit(resource.RLIMIT_AS, (cap, cap))
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds * 3) + 1, int(seconds * 3) + 2))

    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.monotonic()
        child = os.fork()
        if child == 0:
            try:
                limit()
                os.dup2(out.fileno(), 1)
                os.dup2(err.fileno(), 2)
                os.execv(binary, [binary, *args])
            finally:
                os._exit(127)
        _, status, usage = os.wait4(child, 0)
        elapsed = time.monotonic() - start
        out.seek(0)
        err.seek(0)
        return (os.waitstatus_to_exitcode(status), out.read(), err.read(),
                min(elapsed, usage.ru_utime + usage.ru_stime))


def complaint(status, out, err):
    """What is wrong with an answer, or None."""
    if status not in (0, 1, 2):
        return f"status {status}: {err[-300:]!r}"
    if status == 2 and not err:
        return "status 2 without a message"
    if status == 2 and not out:
        return None  # no report, and the message says why
    try:
        report = json.loads(out.decode("utf-8"))
    except ValueError as error:
        return f"no JSON: {error}"
    fails = [f for f in report.get("findings", []) if f["status"] == "FAIL" and f["severity"] in ("S0", "S1")]
    if status != 2 and status != bool(fails):
        return f"status {status} with {len(fails)} findings of S0 and S1"
    return None


def test_case(name, options, formats):
    """Runs a case; returns complaints and a line of figures."""
    wrong, figures = [], []
    top = pathlib.Path(tempfile.mkdtemp(prefix="pypto-lint-hostile-"))
    try:
        write_case(top / "soft", CASES[name]())
        for form in formats:
            args = ["check", "--op-dir", str(top / "soft"), "--stage", "5", "--no-exec", "-j1",
                    "--format", form]
            cap = 0 if options.no_memory_cap else MEMORY_CAP
            status, out, err, elapsed = run(options.binary, args, cap, options.seconds)
            problem = complaint(status, out, err) if form == "json" else \
                None if status in (0, 1, 2) else f"status {status}"
            if problem is None and elapsed > options.seconds:
                problem = f"{elapsed:.2f} s"
            if problem is not None:
                wrong.append(f"{name} ({form}): {problem}")
            figures.append(f"{form} {elapsed * 1000:.0f} ms")
    finally:
        shutil.rmtree(top)
    return wrong, f"{name}: " + ", ".join(figures)


def largest_resident_set(binary, args):
    """VmHWM in KiB and seconds. Not from wait4, which counts the memory of the process that forked, too: the
    program is left waiting at the end of its run, writing its report into a pipe that is full of blanks."""
    read_end, write_end = os.pipe()
    os.write(write_end, b" " * fcntl.fcntl(write_end, fcntl.F_GETPIPE_SZ))
    child = subprocess.Popen([binary, *args], stdout=write_end)
    os.close(write_end)
    status = pathlib.Path(f"/proc/{child.pid}/status")
    for _ in range(500):
        time.sleep(0.01)
        text = status.read_text()
        wchan = pathlib.Path(f"/proc/{child.pid}/syscall").read_text().split()[0]
        if wchan == "1":  # write
            break
    with os.fdopen(read_end, "rb") as pipe:
        report = pipe.read()
    child.wait()
    json.loads(report)
    return int(text.split("VmHWM:")[1].split()[0])


def test_normal_memory(options):
    """A kernel of 40 KB in a process of its own."""
    top = pathlib.Path(tempfile.mkdtemp(prefix="pypto-lint-hostile-"))
    try:
        write_case(top / "soft", normal_kernel(40000))
        args = ["check", "--op-dir", str(top / "soft"), "--stage", "5", "--no-exec", "-j1", "--format", "json"]
        rss = largest_resident_set(options.binary, args)
    finally:
        shutil.rmtree(top)
    line = f"normal kernel of 40 KB: {rss} KiB resident"
    return ([f"{line}, more than {NORMAL_RSS}"] if rss > NORMAL_RSS else []), line


def main():
    parser = argparse.ArgumentParser(description="Runs hostile input.")
    parser.add_argument("--binary", required=True)
    parser.add_argument("--seconds", type=float, default=1.0, help="processor time allowed for each run")
    parser.add_argument("--no-memory-cap", action="store_true", help="for sanitizer builds")
    parser.add_argument("--share", type=int, default=1, help="a fourth of the length for 4")
    parser.add_argument("--all-formats", action="store_true")
    parser.add_argument("--figures", action="store_true", help="print times and memory")
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    global share
    share = options.share
    options.binary = os.path.abspath(options.binary)
    formats = ["json", "text", "sarif", "github", "concise", "agent"] if options.all_formats else ["json"]
    wrong = []
    names = options.cases or list(CASES)
    for name in names:
        many = formats if options.all_formats or not name.startswith("one_line") else ["json", "text", "sarif"]
        complaints, figures = test_case(name, options, many)
        wrong += complaints
        if options.figures:
            print(figures, flush=True)
    if not options.cases and not options.no_memory_cap:
        complaints, figures = test_normal_memory(options)
        wrong += complaints
        if options.figures:
            print(figures)
    for line in wrong:
        print("FAILED", line)
    print(f"{len(names)} cases, {len(wrong)} complaints")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
