"""Snippets the generator mixes into implementation files.

Every list holds Python text; `$OP` stands for the operator name.  Lists named
CLEAN_* satisfy the rules, the others hold violations, near misses and oddities.
"""


def split(text):
    """Snippets of TEXT, separated by lines that hold only `--`."""
    return [part.strip("\n") for part in ("\n" + text + "\n").split("\n--\n") if part.strip()]


def lines(text):
    return [line for line in text.strip("\n").split("\n") if line.strip()]


CLEAN_IMPORTS = ["import torch\nimport pypto", "import torch, pypto",
                 "import pypto\nimport torch",
                 '"""Scale."""\nfrom __future__ import annotations\nimport pypto\nimport torch']

IMPORTS = split('''
import pypto as pt
--
import pypto as pypto
--
import pypto.frontend as F
--
import pypto.frontend
--
import pypto.op, torch
--
import torch as th, pypto as pp, os
--
from pypto import frontend
--
from pypto.frontend import jit
--
from pypto.op import *
--
from .pypto import x
--
from . import pypto
--
from .. import pypto as pt
--
from pypto_utils import z
--
from pypto import (view,
    loop as lp)
--
import pyptox
--
import pypto_tools.core as pt
--
try:
    import pypto
except ImportError:
    pypto = None
--
if True:
    import pypto as pt
--
def _late():
    import pypto as pt
    from pypto import view
    return pt
--
import pypto; import pypto as pt
--
from $OP_golden import $OP_golden
--
import $OP_golden
--
import torch, $OP_golden as gold, $OP_golden
--
from .$OP_golden import f as g
--
from pkg.$OP_golden import x
--
from pkg import $OP_golden
--
import $OP_golden.sub
--
from $OP_module1_golden import x
--
def _g():
    from $OP_golden import x
    import $OP_golden
--
import pypto, \\
    pypto.distributed as D
--
import torch.nn.functional as F
import numpy as np
--
from torch.nn import functional
--
import math, os, sys
''')

CONSTS = split('''
ROWS = pypto.DYN
--
ROWS = pypto.DYNAMIC
--
ROWS = pt.DYNAMIC
--
ROWS = DYN
--
COLS = ROWS
--
COLS: int = pypto.DYN
--
ROWS = COLS = pypto.DYN
--
ROWS = pypto.frontend.dynamic("n")
--
ROWS = pypto.StatusType.DYNAMIC
--
TILE = 64
--
TILE: int = 64
--
TILE: "int"
--
TILE = 0x40
--
TILE = True
--
TILE = 2 * 64
--
TILE = -1
--
TILE = 1.0
--
TILE = [64, 64]
--
TILE = (64, 64)
--
TILE = OTHER = 8
--
TILE, OTHER = 8, 16
--
TILE = 8
TILE += 8
--
for TILE in range(3):
    pass
--
if True:
    TILE = 8
--
try:
    tile_m = 4
finally:
    pass
--
tile_m = 32
--
tile_m = TILE
TILE = OTHER
OTHER = 4
--
A = B
B = A
--
N1 = 8
N2 = N1
N3 = N2
N4 = N3
N5 = N4
N6 = N5
N7 = N6
N8 = N7
N9 = N8
N10 = N9
N11 = N10
--
N1: int = 8
N2: int = N1
N3 = N2
--
n = 16
--
print(TILE := 64)
--
import os as TILE
--
out = torch.empty(4)
--
A = 6
B = 4
--
DT = pypto.DT_FP32
--
F32 = pypto.DT_FP32
--
MY_DT_FP32 = 1
--
_x = pypto.loop_axis
--
SCALE = torch.exp(torch.zeros(1))
--
names = set()
names.add(1)
--
with open("f") as TILE:
    pass
--
TILE = 64; OTHER = TILE
--
TILE = yes if no else 4
--
class Cfg:
    TILE = 8
    T = 4
''')

DECORATORS = lines('''
@pypto.frontend.jit
@pypto.frontend.jit()
@pypto.frontend.jit(runtime_options={"run_mode": 0})
@(pypto.frontend.jit)
@(pypto.frontend.jit(debug=max(1, 2)))
@pt.frontend.jit
@F.jit
@frontend.jit
@jit
@jit(1)
@pypto.frontend.jit()()
@pypto.frontend.function
@pypto.jit
@pypto.frontend.jit.x
@pypto.frontend["jit"]
@pypto.frontend.jit(unroll_list=[1, 2])
@pypto.frontend.jit(tile=pypto.set_vec_tile_shapes(1, 2))
@other.pypto.frontend.jit
@staticmethod
@functools.wraps(lambda: pypto.loop(3))
''')

ANNOTATIONS = lines('''
pypto.Tensor([8, 64], pypto.DT_FP32)
pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_BF16)
pypto.Tensor([ROWS, 64], pypto.DT_FP16)
pypto.Tensor([COLS, 64], pypto.DT_INT32)
pypto.Tensor[[8, 64], pypto.DT_FP32]
pypto.Tensor[[pypto.DYN], pypto.DT_FP16]
pypto.Tensor[[ROWS * 2, 4], pypto.DT_INT8]
pypto.Tensor[[], pypto.DT_FP32]
pypto.Tensor[[4]]
pypto.Tensor[8]
pypto.Tensor[(4, 4), pypto.DT_INT16]
pypto.Tensor[{"shape": [4], "dtype": pypto.DT_FP32}]
pypto.Tensor[{"shape": [DYN], "dtype": pypto.DT_FP16}]
pypto.Tensor[[4], {"dtype": pypto.DT_FP16}]
pypto.Tensor[...]
pypto.Tensor[4:8, pypto.DT_BF16]
pypto.Tensor
Tensor
Tensor([4, 4], DT_FP32)
Tensor([DYN, 4], DT_FP16)
Tensor[[4], pypto.DT_INT64]
Tensor([])
pt.Tensor([8, 64], pt.DT_FP32)
pt.Tensor([pt.DYN, 64], pt.DT_BF16)
pypto.Tensor()
pypto.Tensor([])
pypto.Tensor([], pypto.DT_FP32)
pypto.Tensor((), pypto.DT_FP32)
pypto.Tensor(())
pypto.Tensor([4])
pypto.Tensor(*a)
pypto.Tensor(*a, *b)
pypto.Tensor(shape=[4], dtype=pypto.DT_FP32)
pypto.Tensor([4], dtype=pypto.DT_FP32)
pypto.Tensor([4], pypto.DT_FP16, format=pypto.TileOpFormat.TILEOP_NZ)
pypto.Tensor([4, f(DYN)], F32)
pypto.Tensor([4, 4], "DT_FP32")
pypto.Tensor([4, 4], pypto.DataType.DT_FP32)
pypto.Tensor([4, 4], MY_DT_FP32)
pypto.Tensor([4, 4], get("DT_FP16"))
pypto.Tensor([4, 4], get(DT_FP32=1))
pypto.Tensor(pypto.DT_FP32, [4, DYNAMIC])
pypto.Tensor([x.DYNAMIC, 4], pypto.DT_FP32)
pypto.Tensor([pypto.StatusType.DYNAMIC], pypto.DT_FP32)
pypto.Tensor([pypto.frontend.dynamic("n"), 4], pypto.DT_FP32)
pypto.Tensor([4], pypto.DT_FP8)
pypto.Tensor([lambda: ROWS], pypto.DT_FP32)
other.Tensor([4])
other.Tensor()
pypto.frontend.Tensor([4], 1)
pypto.Tensor([4], 1)(2)
"pypto.Tensor([4], pypto.DT_FP32)"
Optional[pypto.Tensor]
pypto.Tensor | None
int
"int"
None
min(1, 2)
float
list[int]
''')

PARAM_NAMES = "src dst out scale n rows a b x tile_m TILE self idx output lse_out A".split()

KERNEL_NAMES = ("$OP_npu $OP_npu $OP_npu $OP_kernel rowscale_kernel_impl $OP_wrapper run_npu "
                "helper_impl main pypto_entry _test kernel_loop quick_npu").split()
