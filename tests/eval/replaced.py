#!/usr/bin/env python3
"""Host code that replaces names, attributes and tensors in ways that are easily overlooked.

    replaced.py EVAL_DRIVE

The kernel takes [16, 64] float32. RIGHT has programs that launch it with such a tensor, or with one whose form cannot be
known; MEANT has launches that are meant to fail; WRONG has programs whose mistake is certain in spite of such code and must
be found.
"""
import sys

from launches import ANNOTATED, ask

LAUNCH = "kernel(torch.zeros(%s), torch.zeros(16, 64))\n"
ROWS = "ROWS = 3\n%s\n" + LAUNCH % "ROWS, 64"
FULL = LAUNCH % "16, 64"
SCOPE = """class Scope:
    rows = 3

    def __init__(self, sizes):
        self.sizes = sizes

    def __enter__(self):
        Scope.rows = 16
        self.sizes["n"] *= 2
        return self

    def __exit__(self, *error):
        self.sizes["n"] *= 2
        return %s


sizes = {"n": 16}
with Scope(sizes)%s
"""
FROZEN = """@dataclasses.dataclass(frozen=True)
class Size:
    rows: int = 8

    def __post_init__(self):
        %s


""" + LAUNCH % "Size().rows, 64"
REPLACED = "import functools\nimport math\nimport sys\nimport unittest.mock as mock\nimport torch.nn.functional as F\n\n%s\n"
OUT = "x = torch.empty(%s)\n%s\nkernel(x, torch.zeros(16, 64))\n"
ON_SPECIAL = """ROWS = 3


class Thing:
    def %s(self%s):
        global ROWS
        ROWS = 16
        return 1


%s
""" + LAUNCH % "ROWS, 64"

RIGHT = (
    ("an item of globals()", ROWS % "globals()['ROWS'] = 16"),
    ("any item of globals()", ROWS % "for key, value in load():\n    globals()[key] = value"),
    ("globals().update", ROWS % "globals().update(ROWS=16)"),
    ("globals().update of a dict", ROWS % "globals().update(load())"),
    ("globals().__setitem__", ROWS % "globals().__setitem__('ROWS', 16)"),
    ("another name of globals()", ROWS % "names = globals()\nnames['ROWS'] = 16"),
    ("globals() in a call", ROWS % "load(globals())"),
    ("vars() of the module", ROWS % "vars()['ROWS'] = 16"),
    ("locals() of the module", ROWS % "locals().update(ROWS=16)"),
    ("exec", ROWS % "exec(load())"),
    ("an attribute of the module itself", ROWS % "import sys\nthis = sys.modules[__name__]\nthis.ROWS = 16"),
    ("an item of a dict of what may be the module", "SIZES = {'n': 3}\nload().SIZES['n'] = 16\n" + LAUNCH % "SIZES['n'], 64"),
    ("a function in globals()", "def rows():\n    return 3\n\n\nglobals()['rows'] = load\n" + LAUNCH % "rows(), 64"),
    ("an operator of a class", ON_SPECIAL % ("__add__", ", other", "Thing() + 1")),
    ("the length of an object", ON_SPECIAL % ("__len__", "", "len(Thing())")),
    ("a function of torch", REPLACED % "torch.zeros = load" + LAUNCH % "3"),
    ("a default data type by partial", REPLACED % "torch.zeros = functools.partial(torch.zeros, dtype=torch.float32)" +
     "kernel(torch.zeros(16, 64, dtype=torch.half), torch.ones(16, 64))\n"),
    ("setattr of torch", REPLACED % "setattr(torch, 'zeros', load)" + LAUNCH % "3"),
    ("a method of tensors", REPLACED % "torch.Tensor.half = lambda self: self.float()" +
     "kernel(torch.zeros(16, 64).half(), torch.zeros(16, 64))\n"),
    ("a data type of torch", REPLACED % "torch.float16 = torch.float32" +
     "kernel(torch.zeros(16, 64, dtype=torch.float16), torch.zeros(16, 64))\n"),
    ("a function of torch.nn", REPLACED % "F.relu = load" + "kernel(F.relu(torch.ones(3)), torch.zeros(16, 64))\n"),
    ("a function of math", REPLACED % "math.prod = load" + LAUNCH % "math.prod([1, 2]), 64"),
    ("mock.patch.object of torch", REPLACED % "with mock.patch.object(torch, 'zeros', load):\n    pass" + LAUNCH % "3"),
    ("mock.patch of torch", REPLACED % "with mock.patch('torch.zeros', load):\n    pass" + LAUNCH % "3"),
    ("the data of a parameter", "w = nn.Parameter(torch.ones(3, 3))\nw.data = torch.ones(16, 64)\nkernel(w.data, torch.ones(16, 64))\n"),
    ("the data of a layer's weight", "layer = nn.Linear(3, 3)\nlayer.weight.data = torch.ones(16, 64)\n"
     "kernel(layer.weight.data, torch.ones(16, 64))\n"),
    ("out= of an empty tensor", OUT % ("0", "torch.mul(torch.ones(16, 64), 2, out=x)")),
    ("out= of a factory", OUT % ("0", "torch.ones(16, 64, out=x)")),
    ("out= of two results", OUT % ("0", "torch.topk(torch.ones(16, 128), 64, out=(x, torch.empty(0, dtype=torch.long)))")),
    ("a context manager sets an attribute of its class", SCOPE % ("None", ":\n    pass") + LAUNCH % "Scope.rows, 64"),
    ("its value in the block", SCOPE % ("None", " as s:\n    " + (LAUNCH % "s.rows, 64").rstrip())),
    ("what it does when it is left", SCOPE % ("None", ":\n    pass") + LAUNCH % "sizes['n'] // 4, 64"),
    ("a manager that may swallow errors", SCOPE % ("load()", ":\n    pass") + LAUNCH % "Scope.rows, 64"),
    ("object.__setattr__", FROZEN % "object.__setattr__(self, 'rows', 16)"),
    ("__setattr__ of super()", FROZEN % "super().__setattr__('rows', 16)"),
    ("__dict__ of a frozen class", FROZEN % "self.__dict__['rows'] = 16"),
    ("vars of a frozen class", FROZEN % "vars(self).update(rows=16)"),
)
TEST = "def test_kernel(%s):\n    %s" + LAUNCH % "3, 64"
BLOCK = "%s\n\n\ndef test_kernel():\n    with %s:\n        " + LAUNCH % "3, 64"
MANAGER = """@contextlib.contextmanager
def rejects(text):
    try:
        yield
    except Exception as error:
        %s"""
LEAVES = """class Checked:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return %s"""
FIXED = "@pytest.fixture(autouse=True)\ndef fixed(monkeypatch):\n    monkeypatch.setattr(%s)\n\n\n"
# Launches that are meant to fail, or that no test runner makes.
MEANT = (
    ("a manager of a row", "@pytest.mark.parametrize('n, expected', [(3, pytest.raises(ValueError))])\n" +
     TEST.replace("    %s", "    with expected:\n        ") % "n, expected"),
    ("a manager under a name", "def test_kernel():\n    manager = load() or pytest.raises(ValueError)\n    with manager:\n        " +
     LAUNCH % "3, 64"),
    ("pytest.raises under another name", BLOCK % ("from pytest import raises as bad", "bad(ValueError)")),
    ("pytest.raises in a partial", BLOCK % ("import functools\n\nbad = functools.partial(pytest.raises, ValueError)", "bad()")),
    ("suppress under a name", BLOCK % ("import contextlib\n\nquiet = contextlib.suppress(ValueError)", "quiet")),
    ("a manager of the file", BLOCK % ("import contextlib\n\n\n" + MANAGER % "assert text in str(error)", "rejects('shape')")),
    ("a class", BLOCK % (LEAVES % "True", "Checked()")),
    ("a class that looks at the error", BLOCK % (LEAVES % "issubclass(kind, ValueError)", "Checked()")),
    ("a decorator of the file", """def must_fail(test):
    def run():
        with pytest.raises(ValueError):
            test()
    return run


@must_fail
""" + TEST % ("", "")),
    ("a decorator that suppresses errors", """import contextlib


def quiet(test):
    def run():
        with contextlib.suppress(ValueError):
            test()
    return run


@quiet
""" + TEST % ("", "")),
    ("a mark under a name", "later = pytest.mark.xfail(reason='size')\n\n\n@later\n" + TEST % ("", "")),
    ("a mark of the file", "pytestmark = pytest.mark.xfail\n\n\n" + TEST % ("", "")),
    ("a mark of the class", "class TestKernel:\n    pytestmark = [pytest.mark.xfail]\n\n    " + "def test_kernel(self):\n        " +
     LAUNCH % "3, 64"),
    ("a mark that the test adds", TEST % ("request", "request.node.add_marker(pytest.mark.xfail)\n    ")),
    ("a class that no runner collects", "class Checks:\n    def test_kernel(self):\n        " + LAUNCH % "3, 64"),
    ("a class that says so", "class TestKernel:\n    __test__ = False\n\n    def test_kernel(self):\n        " + LAUNCH % "3, 64"),
    ("a fixture that replaces a method of tensors", FIXED % "torch.Tensor, 'npu', lambda self: self" +
     "def test_kernel():\n    kernel(torch.ones(16, 64).npu(), torch.ones(16, 64))\n"),
    ("a fixture that replaces a function of torch", FIXED % "torch, 'zeros', load" + TEST % ("", "")),
    ("patch.multiple", "import unittest.mock as mock\n\n\n@mock.patch.multiple(torch, zeros=load)\n" + TEST % ("", "")),
    ("two kernels told apart by `is`", ANNOTATED[ANNOTATED.index("@pypto"):].replace("def kernel", "def other").replace("FP32", "FP16") +
     "for one, of in ((kernel, torch.float32), (other, torch.float16)):\n    x = torch.ones(16, 64, dtype=of)\n"
     "    if one is other:\n        other(x, x.clone())\n    else:\n        kernel(x, x.clone())\n"),
)
WRONG = (
    ("a manager that raises again", BLOCK % ("import contextlib\n\n\n" + MANAGER.replace("rejects", "checked") % "raise", "checked('shape')")),
    ("a class that does not look at errors", BLOCK % (LEAVES % "None", "Checked()")),
    ("a mark of one row only", "@pytest.mark.parametrize('n', [3, pytest.param(5, marks=pytest.mark.xfail)])\n" +
     TEST.replace("3, 64", "n, 64") % ("n", "")),
    ("another mark of the file", "pytestmark = pytest.mark.usefixtures('tmp_path')\n\n\n" + TEST % ("", "")),
    ("a test", TEST % ("", "")),
    ("a test class", "class TestKernel:\n    def test_kernel(self):\n        " + LAUNCH % "3, 64"),
    ("reading globals()", "ROWS = 3\nfor name, value in list(globals().items()):\n    assert name in globals()\n" +
     LAUNCH % "ROWS, 64"),
    ("another item of globals()", "ROWS = 3\nglobals()['OTHER'] = 16\n" + LAUNCH % "ROWS, 64"),
    ("another attribute of torch", "torch.mine = load\n" + LAUNCH % "3, 64"),
    ("out= of the same shape", OUT % ("3, 64", "torch.mul(torch.ones(3, 64), 2, out=x)")),
    ("a manager's value", SCOPE % ("None", " as s:\n    " + (LAUNCH % "s.rows, 3").rstrip())),
    ("object.__setattr__", FROZEN % "object.__setattr__(self, 'rows', 3)"),
    ("a frozen class", FROZEN % "pass"),
)


def main():
    wrong = 0
    for cases, found in ((RIGHT, False), (MEANT, False), (WRONG, True)):
        for why, code in cases:
            out = ask(sys.argv[1], ANNOTATED + code)
            if ("KS17" in out) != found or ("KS" in out) != found:
                wrong += 1
                print(f"{why}: {'nothing' if found else 'a finding'}\n{out}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
