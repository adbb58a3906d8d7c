"""Snippets for the golden, the tests, DESIGN.md and MEMORY.md."""

from pool_code import lines, split

GOLDEN = split('''
import torch

def $OP_golden(a, b):
    return torch.matmul(a, torch.transpose(b, 0, 1))
--
import torch

def $OP_golden(a, b):
    return torch.matmul(a, b.T)
--
import torch, pypto
import pypto.op as p, pypto as q
--
from pypto_tools import y
from .pypto import x
from pypto import view
--
from . import pypto
import pyptox
--
def f(cfg):
    import pypto
    from pypto import x
    cfg.T = 3
    del cfg.T
    return cfg.t(), cfg.t(1), cfg.t, t(), cfg.mT, cfg.t(dim=0), cfg.t(*a), cfg.t(**k)
--
def f(a):
    return (a
            .T
            .t()), f'{a.T:>{a.t()}}'
--
try:
    import pypto
except ImportError:
    pass
x = "a.T"  # b.T
--
# only a comment
--
y = (
    a + b
).T.T
''')

TEST_IMPORTS = lines('''
from $OP_impl import $OP_wrapper
from $OP_golden import $OP_golden
import $OP_impl
import $OP_golden
import custom.$OP.$OP_impl as im, custom.$OP.$OP_golden as go
from custom.$OP.$OP_golden import $OP_golden
from custom.$OP.$OP_impl import $OP_wrapper
from .$OP_impl import *
from . import $OP_impl
from pkg import $OP_golden
import x$OP_impl
from .$OP_golden import g as h
from $OP_impl import $OP_wrapper as w, helper, run_once, launch_once
from $OP_impl import $OP_npu, demo, host_wrapper, Ops, count_helper, run_all
from $OP_impl import chain1, chain2, chain3, _rowscale_kernel_impl
from $OP_module1_impl import $OP_module1_wrapper, helper as helper2
from modules.$OP_module1_impl import $OP_wrapper
from $OP_module12_impl import $OP_wrapper, pypto_scale
from $OP_module1_impl import $OP_wrapper
from $OP_golden.x import y
import $OP_golden_impl
from ...$OP_impl import helper
from $OP_impl import (
    other_wrapper,
    TILE as host_helper,
)
''')
TEST_IMPORTS = "\n".join(TEST_IMPORTS).replace(
    "import (\n    other_wrapper,\n    TILE as host_helper,\n)",
    "import (other_wrapper, TILE as host_helper)").split("\n")

TEST_BODIES = split('''
def test_$OP_l0():
    $OP_wrapper(None)
--
def test_$OP_l0():
    w(None); helper(1)
    from $OP_golden import q
    import deep.$OP_impl
--
class TestX:
    def test_a(self):
        x = [$OP_module1_wrapper(1), helper2(2)]
        return run_once(launch_once(x), run_all)
    async def test_b(self):
        await host_wrapper(Ops(count_helper(1)))
--
def test_c():
    ops.$OP_wrapper(1)
    f(helper)
--
@pypto.frontend.jit
def quick_npu(src, dst):
    dst[:] = src
    @pypto.frontend.jit()
    def inner(): pass
--
@pt.frontend.jit
def aliased(src):
    pass
--
@pypto.frontend.jit
async def coroutine(src):
    pass
--
def test_d():
    def f():
        from $OP_impl import demo
        return demo()
    print(f"{$OP_npu(1)} {chain2(2)!r:>{chain3(1)}}")
    chain1(0); other_wrapper(1); host_helper(2)
    _rowscale_kernel_impl(1)
    pypto_scale(1)
''')

CODE_BLOCKS = split('''
import pypto

for r in pypto.loop(4, unroll_list=[8, 1]):
    pypto.abs(r)
--
for r in pypto.loop(4, unroll_list=[8]):
    x = pypto.empty([1])
--
import pypto as pt
for r in pt.loop(4, unroll_list=(1, 2)):
    pt.nothing, pypto.f16, pypto.zeros
--
for r in pt.loop(4, unroll_list=(1, 2)):
    pt.nothing
--
def kernel(src):
    for a in pypto.loop_unroll(4, unroll_list=[1, 2]):
        for b in pypto.loop(4,
                            unroll_list=[1, 2, 3]):
            pass
    pypto.loop(4, unroll_list=[1, 2])
--
pypto.loop_axis(...) -> tensor
--
x = pypto.matmul(a, b, pypto.DT_FP32)
--
# pypto.nope
s = "pypto.nope"
--
x = (pypto
     .frontend
     .nope)
pypto.rand; pypto.Tensor.nope
--
   indented = pypto.nope
--

--
def f():
    return pypto.tensor, pypto._hidden
--
x = f"{pypto.bad_name} {pypto.abs(pypto.worse)}"
''')

FENCES = [("```python", "```"), ("```python", "```"), ("```py", "```"), ("```", "```"),
          ("```Python3 title", "```"), ("```PYTHON", "```   "), ("```cpp", "```"),
          ("```python3.8", "```"), ("````python", "````"), (" ```python", " ```"),
          ("~~~python", "~~~"), ("```python", "````"), ("```python", "```x"),
          ("```json", "```"), ("```{python}", "```"), ("```python-x", "```"),
          ("```python", ""), ("````", "```")]

ITEMS = ["- [x] [S0] cast path checked", "- [ ] todo", "- [X] upper", "- [\u2713] tick",
         "- [\u2717] cross", "- [\u274c] red", "  - [x] nested", "-   [x] wide",
         "- [-] [S0] matmul order", "  - [-] nested pending", "* [x] star", "- [y] other",
         "-[x] tight", "- x plain", "+ [x] plus",
         "-\u3000[x] ideographic space", "-\t[-] tab", "- [-]", "-  [\u2714] heavy tick"]
NOTES = ["  > \u26a0\ufe0f \u5f85\u9a8c\u8bc1\uff1athird argument",
     "> \u26a0\ufe0f\u5f85\u9a8c\u8bc1",
         "  > \u2705 \u5df2\u77e5\u98ce\u9669\uff0c\u63a5\u53d7",
         ">\u2705\u5df2\u77e5\u98ce\u9669",
         "  > plain quote", "  > \u26a0 \u5f85\u9a8c\u8bc1", "  > \u2705 done"]
PLACEHOLDERS = ["This section is created by the preflight process.",
                "no placeholder content needed here", "(no specific preflight items found)",
                "No specific preflight items found"]
TABLES = ["| a | b |", "|ab|", "|a|", "||||", "  | x | y", "| lonely", "|--|--|"]
TITLES = ["## Experience Preflight", "## Experience Preflight (stage 5)",
     "# 3. experience preflight",
          "###  EXPERIENCE PREFLIGHT ##", "   ## Experience Preflight", "## Preflight Experience",
          "##Experience Preflight", "    ## Experience Preflight", "## Experience  Preflight",
          "####### Experience Preflight", "##\u3000Experience Preflight",
          "\t## my Experience Preflight: notes"]
OTHER_TITLES = ["## Next", "```\n# in a fence\n```", "Setext\n"
     "===", "# Top", "### Deeper", "#### experience preflight notes", "##   ", "## "]
FRONT = ["---\nkind: memory\n---\n", "---\n---\n", "---\n\n---\n", "---\na: 1\n--- \n",
         "\n---\na: 1\n---\n", "---\n## Experience Preflight\n- [x] in header\n---\n"]
