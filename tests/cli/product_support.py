"""Packages of PyPTO as an installation has them, small enough to be read in tests, and what the linter says of them."""
import resource

from support import CliTest, call

INIT = '''"""The package."""
import struct as _struct
from . import pypto_impl
from . import frontend, experimental
from .config import *
from .op import *
from .enum import *
from ._controller import *
from .tensor import Tensor, Element
jit = frontend.jit
tensor = Tensor
'''
FILES = {
    "__init__.py": INIT,
    "config.py": "def set_vec_tile_shapes(*sizes): pass\n_private = 1\n",
    "_controller.py": "__all__ = ['loop', 'cond']\ndef loop(): pass\ndef cond(): pass\ndef hidden(): pass\n",
    "op/__init__.py": "from .math import *\nfrom .other import *\n",
    "op/math.py": "from . import other\nfrom ..error import Oops as _Oops\n"
                  "def isnan(x): pass\ndef add(a, b): pass\ndef view(x): pass\n",
    "op/other.py": "from .math import *\ntry:\n    import torch\nexcept ImportError:\n    torch = None\n"
                   "if True:\n    for cls in (1, 2):\n        made = cls\n"
                   "def pack(x):\n    inside = 1\n    from ..lazy import thing\n"
                   "if TYPE_CHECKING:\n    from typing import OnlyForTypes\n"
                   "typed: int\nfixed: int = 3\nwith open('x') as handle: pass\n"
                   "(left, *rest), other.attribute = 1, 2\nsquares = [n for n in range(3)]\n",
    "enum.py": "from .pypto_impl import DataType\nDT_FP32 = DataType.DT_FP32\n",
    "pypto_impl/__init__.pyi": "class DataType: ...\n",
    "frontend/__init__.py": "from .parser.entry import jit\n",
    "frontend/parser/__init__.py": "",
    "frontend/parser/entry.py": "def jit(f=None, *, new_ir: bool = True): pass\n",
    "experimental.py": "import pypto.pil\n",
    "pil.py": "", "lazy.py": "", "error.py": "", "tensor.py": "class Tensor: pass\nclass Element: pass\n",
}
METADATA = "Metadata-Version: 2.1\nName: pypto\nVersion: 0.2.1\nX-Run-Version: %s\n\nX-Run-Version: 1.0\n"
OLD = {"op/math.py": "def add(a, b): pass\ndef view(x): pass\n", "frontend/parser/entry.py": "def jit(f=None): pass\n"}


def time_of_children():
    """Processor time that the programs run so far have used, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class ProductTest(CliTest):
    def setUp(self):
        super().setUp()
        self.environment = {"HOME": str(self.folder / "home"), "PATH": "/nonexistent", "PYTHONPATH": "",
                            "PTOSIM_PYPTO": "", "ASCEND_HOME_PATH": "", "XDG_CACHE_HOME": ""}

    def install(self, site="site", number="9.2.0", files=None):
        """A package in a folder of packages."""
        for name, text in {**FILES, **(files or {})}.items():
            if text is not None:
                self.write("%s/pypto/%s" % (site, name), text)
        if number:
            self.write(site + "/pypto-0.2.1.dist-info/METADATA", METADATA % number)
        return self.folder / site

    def doctor(self, place="project", **environment):
        (self.folder / place).mkdir(parents=True, exist_ok=True)
        done = call("doctor", "--format", "json", place, cwd=self.folder,
                    env={**self.environment, **environment})
        self.assertEqual(done.err, "")
        return done.json()["pypto"]

    def lint(self, *names, more=(), cwd=None, **environment):
        """{name: status} of the findings of OL55 for `pypto.NAME`, one a line."""
        names = ("frontend",) + names
        self.write("project/k_impl.py", "import pypto\n" + "".join("pypto.%s\n" % name for name in names))
        done = call("check", "--rules", "OL55", "--format", "json", *more, "project/k_impl.py",
                    cwd=cwd or self.folder, env={**self.environment, **environment})
        self.assertIn(done.status, (0, 1), done.err)
        self.messages = {names[finding["line"] - 2]: finding["message"]
                         for finding in self.findings(done)}
        return {names[finding["line"] - 2]: finding["status"] for finding in self.findings(done)}

    @staticmethod
    def findings(done):
        return done.json()["findings"]
