#!/usr/bin/env python3
"""Ways in which host code brings tensors to a kernel: what is then known in the kernel, and what is found.

    launches.py EVAL_DRIVE

Each part of host code launches the kernel of KERNEL, which writes `seen`.
"""
import sys
import tempfile
import pathlib
import subprocess

KERNEL = """import collections
import dataclasses
import itertools
import pytest
import pypto
import torch
import torch.nn as nn


@pypto.frontend.jit
def kernel(x: pypto.Tensor(), y: pypto.Tensor()):
    pypto.set_vec_tile_shapes(%s)
    seen = pypto.exp(x)
    y[:] = seen


"""
WHOLE = "tensor [16, 64] DT_FP32"
HALF = "tensor [16, 64] DT_FP16"
MODULE = """class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(16, 64))
        self.register_buffer("table", torch.ones(16, 64))
        self.linear = nn.Linear(64, 16, bias=False)

    def forward(self, x):
        kernel(%s, torch.empty_like(x))


"""
CALL = """def main():
    for x in %s:
        kernel(x.npu(), torch.empty_like(x).npu())


main()
"""
OPERATORS = """mine = torch.library.Library("mine", "FRAGMENT")
own = torch.library.Library("own", "FRAGMENT")
both = torch.library.Library("own", "FRAGMENT")
both = torch.library.Library("other", "FRAGMENT")


@torch.library.impl(mine, "relu", "NPU")
def relu(x):
    return torch.ones(16, 64)


@torch.library.impl(both, "both", "NPU")
def unclear(x):
    return torch.ones(16, 64)


@torch.library.impl(own, "host", "CPU")
def host(x):
    return torch.ones(16, 64)


@torch.library.custom_op("own::made", mutates_args=())
def made(x):
    return torch.ones(16, 64)


"""
LISTS = """@pypto.frontend.jit
def parts_kernel(x: pypto.Tensor(), y: pypto.Tensor(), sizes):
    pypto.set_vec_tile_shapes(16, 64)
    %s
    parts = []
    for i in range(2):
        parts.append(x)
        %s
    y[:] = parts[0] + parts[1]


sizes = [16, 64]
parts_kernel(torch.ones(16, 64), torch.ones(16, 64), sizes)
kernel(torch.ones(sizes), torch.ones(sizes))
"""
CHOICE = """from elsewhere import load


class Size:
    def __init__(self, rows, columns):
        self.rows = rows
        self.columns = columns

    def grow(self):
        self.rows += 1


SIZES = {"small": Size(16, 64), "large": Size(64, 64)}
SHAPES = {"small": [16, 64], "large": [64, 64]}


def run(name):
    size, shape = SIZES[name], SHAPES[name]
    torch.ones(size.rows, size.columns, *shape[:1])
    %s


run(load())
kernel(torch.ones(SIZES["small"].rows, 64), torch.ones(SHAPES["small"]))
"""
# Why, the host code, the fact about `seen`.
LAUNCHES = (
    ("a kernel that fills a list of its own", LISTS % ("assert sizes", "pass"), WHOLE),
    ("a kernel that may fill the one it gets", LISTS % ("parts = sizes", "pass"), "tensor"),
    ("a kernel that fills one under a name of a loop", LISTS % ("assert sizes", "[p.append(x) for p in [sizes]]"),
     "tensor"),
    ("an unknown item of a dict is read", CHOICE % "return size.columns", WHOLE),
    ("the column that all items share", CHOICE.replace('SIZES["small"].rows, 64', "16, 64") %
     "kernel(torch.ones(16, size.columns), torch.ones(16, 64))", WHOLE),
    ("an unknown item of a dict is changed", CHOICE % "size.rows = 1", "tensor [?, 64]"),
    ("a method of an unknown item is called", CHOICE % "size.grow()", "tensor [?, 64]"),
    ("an unknown item leaves the file", CHOICE % "load(size)", "tensor [?, 64]"),
    ("defaults of a named tuple", """Size = collections.namedtuple("Size", "m n")
Size.__new__.__defaults__ = (16, 64)
kernel(torch.ones(Size().m, Size(m=16).n), torch.ones(16, 64))
""", WHOLE),
    ("a default of its last field", """Size = collections.namedtuple("Size", "m n", defaults=(64,))
kernel(torch.ones(16, Size(16).n), torch.ones(16, 64))
""", WHOLE),
    ("a tensor that only some conditions make", "import os\nmode = os.environ['MODE']\n\n\ndef main():\n"
     "    if mode == 'a':\n        x = torch.ones(16, 64)\n    elif mode == 'b':\n        x = torch.zeros(16, 64)\n"
     "    kernel(x, torch.empty_like(x))\n\n\nmain()\n", WHOLE),
    ("tensors of two types that only some conditions make", "import os\nmode = os.environ['MODE']\n\n\ndef main():\n"
     "    if mode == 'a':\n        t = torch.float16\n    elif mode == 'b':\n        t = torch.float32\n"
     "    x = torch.ones(16, 64, dtype=t)\n    kernel(x, torch.empty_like(x))\n\n\nmain()\n", "tensor [16, 64]"),
    ("a name that a handler may bind", "def main():\n    try:\n        if load():\n            x = torch.ones(16, 64)\n"
     "        x.dim()\n    except NameError:\n        x = torch.ones(16, 3)\n    kernel(x, torch.empty_like(x))\n\n\n"
     "main()\n", "tensor"),
    ("a module on a device", MODULE % "x" + 'Model().to("npu:0").eval()(torch.ones(16, 64))\n', WHOLE),
    ("a buffer of a module", MODULE % "self.table" + "Model().npu()(torch.ones(16, 64))\n", WHOLE),
    ("the weight of a layer", MODULE % "self.linear.weight.data" + "Model()(torch.ones(16, 64))\n", WHOLE),
    ("after half() the type of a parameter is not known", MODULE % "self.weight.data" +
     "Model().half()(torch.ones(16, 64))\n", "tensor [16, 64]"),
    ("a fixture made of another one", """@pytest.fixture
def source():
    return torch.ones(16, 64)


@pytest.fixture(scope="module")
def pair(source):
    yield source, torch.empty_like(source)


def test_kernel(pair):
    kernel(*pair)
""", WHOLE),
    ("a default of a test", """def test_kernel(device=None, size=(16, 64), dtype=torch.float16):
    x = torch.ones(size, dtype=dtype, device=device)
    kernel(x, torch.empty_like(x))
""", HALF),
    ("rows that a fixture gets", """@pytest.fixture
def source(request):
    return torch.ones(16, 64)


@pytest.mark.parametrize("source", [torch.ones(3)], indirect=True)
def test_kernel(source):
    kernel(source, torch.empty_like(source))
""", WHOLE),
    ("an operator of torch.library", """library = torch.library.Library("own", "FRAGMENT")


@torch.library.impl(library, "twice", "NPU")
def twice(x):
    kernel(x, torch.empty_like(x))


torch.ops.own.twice(torch.ones(16, 64))
""", WHOLE),
    ("operators of torch's own namespace, of others, and for a CPU", "\n".join(
        [OPERATORS] + [f"kernel(torch.ops.{name}(torch.ones(3, 3)), torch.ones(3, 3))"
                       for name in ("aten.relu", "own.relu", "own.both", "own.host", "other.made", "own.aten")]),
     "tensor"),
    ("an operator made by custom_op", OPERATORS + "kernel(torch.ops.own.made(torch.ones(3, 3)), torch.ones(16, 64))\n",
     WHOLE),
    ("map and a tuple of its results", "x, y = map(lambda t: t.npu(), (torch.ones(16, 64), torch.ones(16, 64)))\n"
     "kernel(x, y)\n", WHOLE),
    ("itertools.product", CALL % "[torch.ones(n, m) for n, m in itertools.product((16,), (64,))]", WHOLE),
    ("itertools.chain", CALL % "itertools.chain([torch.ones(16, 64)], ())", WHOLE),
    ("the values of a dict", "data = {k: torch.ones(16, 64) for k in 'xy'}\nkernel(*data.values())\n", WHOLE),
    ("sorted by a key", CALL % "[torch.ones(*s) for s in sorted([(16, 64)], key=lambda s: s[0])]", WHOLE),
    ("setattr and keyword-only fields", """@dataclasses.dataclass(kw_only=True)
class Config:
    rows: int = 8
    columns: int = 64


config = Config(columns=64)
for key, value in {"rows": 16}.items():
    setattr(config, key, value)
kernel(torch.ones(config.rows, config.columns), torch.ones(16, 64))
""", WHOLE),
    ("einsum", 'x = torch.einsum("ik,kj->ij", torch.ones(16, 8), torch.ones(8, 64))\nkernel(x, torch.empty_like(x))\n',
     WHOLE),
    ("remainders", "x = torch.ones(16, 64) % 7\nkernel(x, torch.empty_like(x // 2))\n", WHOLE),
)
FIXTURE = """@pytest.fixture%s
def %s:
    %s


"""
WIDTH = FIXTURE % ("", "width()", "return 3")
SIZES = FIXTURE % ("", "sizes()", "return {'n': 3}")
USES = """def test_kernel(%s):
    kernel(torch.zeros(16, %s), torch.zeros(16, 64))
"""
ANNOTATED = (KERNEL % "16, 64").replace(".Tensor()", ".Tensor([16, 64], pypto.DT_FP32)").replace(
    "import pypto\n", "import pypto\nfrom elsewhere import Base, deploy, load\n")
ON_DEVICE = "kernel(%s, torch.ones(16, 64, device='npu'))\n"
SETTER = """class State:
    n = 3

    @property
    def size(self):
        return self.twice

    @size.setter
    def size(self, value):
        self.twice = 2 * value


"""
PATCH = SETTER + """import unittest.mock as mock
TILE = 3


%s
    kernel(torch.zeros(16, State.n if State.n > 3 else TILE), torch.zeros(16, 64))
"""
# Why, host code that launches the kernel as it should be, or in a way that is not known.
RIGHT = (
    ("another data type for floats", """torch.set_default_dtype(torch.float16)


@pypto.frontend.jit
def half(x: pypto.Tensor([16, 64], pypto.DT_FP16), y: pypto.Tensor([16, 64], pypto.DT_FP16)):
    pypto.set_vec_tile_shapes(16, 64)
    y[:] = pypto.exp(x)


half(torch.ones(16, 64), torch.full((16, 64), 1.0))
"""),
    ("a setter", SETTER + "s = State()\ns.size = 32\nkernel(torch.zeros(16, s.size), torch.zeros(16, 64))\n"),
    ("setattr of a class", SETTER + "setattr(State, 'n', 64)\nkernel(torch.zeros(16, State().n), torch.zeros(16, 64))\n"),
    ("an attribute is deleted", SETTER.replace("= 3", "= 64") +
     "s = State()\ns.n = 3\ndel s.n\nkernel(torch.zeros(16, s.n), torch.zeros(16, 64))\n"),
    ("an attribute of a class is patched", PATCH % "with mock.patch.object(State, 'n', 64):"),
    ("a global is patched", PATCH % "with mock.patch('kernel_impl.TILE', 64):"),
    ("a test is patched", PATCH % "@mock.patch('kernel_impl.TILE', 64)\ndef test_kernel():"),
    ("monkeypatch", PATCH % "def test_kernel(monkeypatch):\n    monkeypatch.setattr(State, 'n', 64)"),
    ("a copy by a sign", "kernel(-torch.ones(16, 128)[:, :64], torch.zeros(16, 64))\n"),
    ("what follows a yield runs after the test", FIXTURE % ("", "sizes()", "s = {'n': 64}\n    yield s\n    s['n'] = 0") +
     USES % ("sizes", "sizes['n']")),
    ("so does a finally", FIXTURE % ("", "sizes()", "s = {'n': 64}\n    try:\n        yield s\n    finally:\n"
                                     "        s['n'] = 0") + USES % ("sizes", "sizes['n']")),
    ("an attribute is set after the yield", """class State:
    pass


""" + FIXTURE % ("", "state()", "s = State()\n    s.n = 64\n    yield s\n    s.n = 0") + USES % ("state", "state.n")),
    ("a fixture runs once for a test", SIZES + FIXTURE % ("", "wide(sizes)", "sizes['n'] = 64") +
     USES % ("wide, sizes", "sizes['n']")),
    ("another test may have changed what the module shares",
     FIXTURE % ("(scope='module')", "sizes()", "return {'n': 3}") + USES % ("sizes", "sizes['n']")),
    ("a fixture that every test uses", SIZES + FIXTURE % ("(autouse=True)", "wide(sizes)", "sizes['n'] = 64") +
     USES % ("sizes", "sizes['n']")),
    ("it may change a global", "SIZES = {'n': 3}\n\n\n" +
     FIXTURE % ("(autouse=True)", "wide()", "SIZES['n'] = 64") + USES % ("", "SIZES['n']")),
    ("usefixtures", SIZES + FIXTURE % ("", "wide(sizes)", "sizes['n'] = 64") + "@pytest.mark.usefixtures('wide')\n" +
     USES % ("sizes", "sizes['n']")),
    ("rows that are not known", WIDTH + "@pytest.mark.parametrize('width', load())\n" + USES % ("width", "width")),
    ("rows of a module", "pytestmark = pytest.mark.parametrize('width', [64])\n\n\n" + WIDTH +
     USES % ("width", "width")),
    ("rows under a name", "rows = pytest.mark.parametrize('width', [64])\n\n\n" + WIDTH + "@rows\n" +
     USES % ("width", "width")),
    ("rows for what another fixture uses", WIDTH + FIXTURE % ("", "size(width)", "return width") +
     "@pytest.mark.parametrize('width', [64])\n" + USES % ("size, width", "size")),
    ("a default", WIDTH + USES % ("width=64", "width")),
    ("a fixture of the class", WIDTH + """class TestKernel:
    @pytest.fixture
    def width(self):
        return 64

    def test_kernel(self, width):
        kernel(torch.zeros(16, width), torch.zeros(16, 64))
"""),
    ("a fixture of the class sets an attribute", """class TestKernel:
    n = 3

    @pytest.fixture(autouse=True)
    def wide(self):
        self.n = 64

    def test_kernel(self):
        kernel(torch.zeros(16, self.n), torch.zeros(16, 64))
"""),
    ("a base may have a fixture", WIDTH + """class TestKernel(Base):
    def test_kernel(self, width):
        kernel(torch.zeros(16, width), torch.zeros(16, 64))
"""),
    ("another name of a fixture", WIDTH + FIXTURE % ("(name='width')", "other()", "return 64") +
     USES % ("width", "width")),
    ("another name of a fixture itself", FIXTURE % ("(name='other')", "width()", "return 3") +
     FIXTURE % ("(name='width')", "wide()", "return 64") + USES % ("width", "width")),
    ("another name of a module's tensor", MODULE % "x" + "m = Model()\nw = m.table\nm.to('npu')\n" + ON_DEVICE % "w"),
    ("a list of a module's tensors", MODULE % "x" + "m = Model()\nlisted = [m.weight]\nm.to('npu')\n" +
     ON_DEVICE % "listed[0]"),
    ("a method of a module that may move it", MODULE % "x" + "m = Model()\nm._apply(lambda t: t.to('npu'))\n" +
     ON_DEVICE % "m.table"),
    ("a function that may move a module", MODULE % "x" + "m = Model()\nw = m.table\ndeploy(m)\n" + ON_DEVICE % "w"),
    ("a layer without a weight", "layer = nn.LayerNorm(64, elementwise_affine=False)\n"
     "kernel(torch.zeros(16, 64 if layer.weight is None else 3), torch.zeros(16, 64))\n"),
    ("a layer without a bias", "layer = nn.Linear(64, 16, bias=False)\n"
     "kernel(torch.zeros(16, 64 if layer.bias is None else 3), torch.zeros(16, 64))\n"),
    ("einsum broadcasts", "x = torch.einsum('ij,ij->ij', torch.ones(16, 1), torch.ones(16, 64))\n"
     "kernel(x, torch.zeros(16, 64))\n"),
    ("einsum broadcasts to a length that is not known",
     "x = torch.einsum('ij,ij->ij', torch.ones(16, 1), torch.ones(16, load()))\nkernel(x, torch.zeros(16, 64))\n"),
)
# A text on the device, whatever its number is, and a tensor on the host: the kernel takes either, but not both.
DEVICES = "import os\nplace = f\"npu:{os.environ.get('N', 0)}\"\nx = torch.ones(16, 64, device=place)\nkernel(x, %s)\n"


def ask(program, text, conftest=""):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "kernel_impl.py")
        pathlib.Path(folder, "conftest.py").write_text(conftest, encoding="utf-8")
        path.write_text(text, encoding="utf-8")
        return subprocess.run([program, "--facts", str(path)], stdout=subprocess.PIPE, encoding="utf-8",
                              check=True).stdout


def mistakes(program):
    for why, code, fact in LAUNCHES:
        good, bad = KERNEL % "16, 64" + code, KERNEL % "64" + code
        out = ask(program, good)
        line = [one for one in out.splitlines() if one.strip().startswith("%d: " % good.index("seen = "))]
        known = line[0].split(": ", 1)[1] if line else ""
        if not known.startswith(fact) or ("[" in known) > ("[" in fact) or "KS" in out:
            yield f"{why}: not {fact}\n{out}"
        if "[" in fact and "F42003" not in ask(program, bad):
            yield f"{why}: a tile of one entry is not found"
    for why, code in RIGHT:
        out = ask(program, ANNOTATED + code)
        if "KS" in out:
            yield f"{why}: a finding\n{out}"
    for second, found in (("x.clone()", False), ("torch.ones(16, 64)", True)):
        out = ask(program, KERNEL % "16, 64" + DEVICES % second)
        if ("it is on 'cpu'" in out) != found:
            yield f"devices, {second}:\n{out}"

    half = dict(RIGHT)["another data type for floats"].split("\n\n\n", 1)
    for conftest in ("", "import torch\n\n" + half[0]):
        out = ask(program, ANNOTATED + half[1], conftest)
        if ("KS17" in out) != (conftest == ""):
            yield f"the data type that conftest.py sets, {conftest!r}:\n{out}"


def main():
    wrong = list(mistakes(sys.argv[1]))
    for text in wrong:
        print(text)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
