"""Hand-derived expectations about implementation files.

One entry: rule, expected status and finding lines ("FAIL 3 7"; a line is listed
once per finding), source of `rowscale_impl.py`.  `J` stands for the JIT decorator.
"""

CASES = [
    # OL01
    ("OL01", "PASS", "class A:\n    J\n    def k(self): pass\n"),
    ("OL01", "PASS", "J\n@pypto.frontend.jit()\ndef k(): pass\n"),
    ("OL01", "FAIL 4", "x = 1\n\n@deco\n@F.jit\ndef k(): pass\n"),
    ("OL01", "FAIL 2", "\nJ\nasync def k(): pass\n"),
    ("OL01", "FAIL 1", "J()()\ndef k(): pass\n"),
    ("OL01", "FAIL 1", "\n\ndef k(): pass\n"),
    ("OL01", "FAIL 2", "J\ndef k():\n    J\n    def q(): pass\n"),
    ("OL01", "SKIP", "def k(:\n"),
    # OL02
    ("OL02", "FAIL 3", "J\ndef k(a, b):\n    x = a = 1\n"),
    ("OL02", "FAIL 3 3", "J\ndef k(a, b):\n    b = a = 1\n"),
    ("OL02", "FAIL 4", "J\ndef k(a, b):\n    def q():\n        b @= 1\n"),
    ("OL02", "PASS", "J\ndef k(p, /, a, *v, o, **w):\n    p = v = o = w = 1\n    a[0] = 1\n"
                     "    a: int = 2\n    a, z = 1, 2\n    for a in z: pass\n    (a := 3)\n"),
    ("OL02", "SKIP", "def k(a):\n    a = 1\n"),
    # OL03
    ("OL03", "FAIL 4 5", "J\ndef k(a):\n    def q():\n        return 1\n    return\n"),
    ("OL03", "PASS", "J\ndef k(a):\n    yield lambda: 1\ndef h():\n    return 1\n"),
    # OL04
    ("OL04", "PASS", "def h(): h2()\ndef h2():\n    h()\n    c.set_cube_tile_shapes()\n"
                     "J\ndef k(): h()\n"),
    ("OL04", "FAIL 5", "def h():\n    set_vec_tile_shapes(1)\n    x.set_conv_tile_shapes(1)\n"
                       "J\ndef k(): h(); go(h)\n"),
    ("OL04", "FAIL 4", "if 1:\n    def h(): x.set_vec_tile_shapes()\nJ\ndef k(): h()\n"),
    ("OL04", "PASS", "J\ndef k(): pass\nJ\ndef k2(x=lambda: c.set_vec_tile_shapes()): pass\n"),
    ("OL04", "FAIL 4", "def h(): x.set_vec_tile_shapes()\ndef h(): pass\nJ\ndef k(): h()\n"),
    # OL05
    ("OL05", "FAIL 2 2", "J\ndef k(p, /, a, b: int, c=1, *v, o, **w): pass\n"),
    ("OL05", "PASS", "J\ndef k(p, /, a: 'x', *v, o): pass\n"),
    # OL06
    ("OL06", "FAIL 1 3", "@pypto.frontend.jit(o=max(n, 2))\ndef k(a):\n    f'{min(n, 2)}'\n"),
    ("OL06", "FAIL 5", "J\ndef k(a, b: int, c: str):\n    max(1, -2)\n    min(b, 3)\n    min(c, 3)\n"),
    ("OL06", "PASS", "J\ndef k(a):\n    p.min(1); a.max(2); f(max); b.min(1)\nmin(1, 2)\n"),
    # OL07
    ("OL07", "FAIL 1", "import torch, pypto as pypto\nimport pypto\n"),
    ("OL07", "FAIL 1 1 2", "import pypto.a, pypto.b as c\nfrom ..pypto.q import x\n"),
    ("OL07", "FAIL 2", "\ntry:\n    import pypto\nfinally: pass\n"),
    ("OL07", "FAIL 2", "@deco\ndef f():\n    import pypto as p\n"),
    ("OL07", "PASS", "from . import pypto\nimport a, pypto\nimport pyptox\n"),
    ("OL07", "FAIL 1", "# nothing\n"),
    # OL08
    ("OL08", "FAIL 3", "def a(): pass\nJ\ndef k(): pass\nclass C:\n    def x_wrapper(s): pass\n"),
    ("OL08", "FAIL 2", "def a(): pass\ndef b(): pass\nx_wrapper = 1\n"),
    ("OL08", "FAIL 1", "\nx = 1\n"),
    ("OL08", "PASS", "def _wrapper(): pass\n"),
    # OL16
    ("OL16", "FAIL 1 2 2", "from ...rowscale_golden import x\n"
                           "import rowscale_golden, rowscale_golden as g\n"),
    ("OL16", "PASS", "from p.rowscale_golden import x\nfrom p import rowscale_golden\n"
                     "import rowscale_golden.sub\ndef f():\n    import rowscale_golden\n"),
    # OL23
    ("OL23", "WARN 2", "J\ndef k(x):\n    [i for i in x]; f(loop=1); pypto.loop\n"),
    ("OL23", "PASS", "J\ndef k(x):\n    f(loop=1)(2)\n"),
    ("OL23", "PASS", "J\ndef k(x):\n    get('preLOOPed')(1)\n"),
    ("OL23", "PASS", "J\ndef k(x):\n    f(submit_before_loop=0)\n"),
    ("OL23", "WARN 5", "J\ndef a(x):\n    for i in x: pass\nJ\n"
                       "def b(x): pass\ndef z_wrapper(): b(1)\n"),
    ("OL23", "FAIL", "def k(:\n"),
    ("OL23", "SKIP", "def k(): pass\n"),
    # OL25
    ("OL25", "FAIL 2 2", "J\ndef k(a: pypto.Tensor(), b: Tensor([], D)): pass\n"),
    ("OL25", "WARN 2 2 2", "J\n"
         "def k(a: pypto.Tensor([4], d=1), b: Tensor(()), c: Tensor(*x)): pass\n"),
    ("OL25", "FAIL 3 4", "J\ndef k(\n  a: pypto.Tensor[[4]],\n  b: pypto.Tensor[[], D]): pass\n"),
    ("OL25", "PASS", "J\ndef k(a: pypto.Tensor[{'shape': 1}], b: Tensor, c: o.Tensor(),\n"
                     "      d: Tensor((), D), *, e: Tensor()): pass\n"),
    # OL26
    ("OL26", "FAIL 2 2", "J\ndef k(n: int, u, a: pypto.Tensor, b: pypto.Tensor[4]): pass\n"),
    ("OL26", "FAIL 2", "J\ndef k(a: 'pypto.Tensor', b: Tensor): pass\n"),
    ("OL26", "PASS", "J\ndef k(u, a: Tensor, n: int, *, b: Tensor): pass\n"),
    # OL28
    ("OL28", "WARN 2 2", "J\n"
         "def k(a: Tensor([1], DT_FP16), b: Tensor[[1], F32], c: Tensor([1], q(DT_FP32=1))):\n"
                         "    pypto.cos(a)\n"),
    ("OL28", "PASS", "J\ndef k(a: Tensor([1], DT_FP16)):\n    a.sigmoid(); pypto.sin\n"),
    ("OL28", "PASS", "J\ndef k(a: Tensor([1], MY_DT_FP32X), b: Tensor([1], dtype=1)):\n"
         "    pypto.sin(a)\n"),
    # OL29
    ("OL29", "PASS", "import pypto as P\nR = P.DYN\nJ\ndef k(a: Tensor([4, [R * 2]], D)): pass\n"),
    ("OL29", "WARN 5", "R = pypto.DYN\nS = R\nQ: int = pypto.DYN\nJ\n"
         "def k(a: Tensor([S, Q], D)): pass\n"),
    ("OL29", "SKIP", "J\ndef k(a: pypto.Tensor, b: int, *, c: Tensor([4])): pass\n"),
    ("OL29", "WARN 2", "J\ndef k(a: Tensor(shape=[pypto.DYN])): pass\n"),
    # OL45
    ("OL45", "FAIL 5 6", "J\ndef k(a): pass\nclass C:\n  async def run_x(s):\n"
                         "    for i in range(2):\n      for j in range(k(1)): pass\n"),
    ("OL45", "PASS", "J\ndef k(a): pass\ndef foo_wrapper():\n  for i in range(2): k(i)\n"
                     "def run_x():\n  for i in enumerate(range(2)): k(i)\n"
                     "  [k(i) for i in range(2)]\n"),
    ("OL45", "FAIL 4", "J\ndef k(a): pass\ndef rowscale_module9_wrapper():\n"
                       "  for i in range(2):\n    pass\n  else:\n    o.k(1)\n"),
    # OL46
    ("OL46", "WARN 2 3", "def a_impl():\n  pypto.loop(1)\n"
         "  for i in pypto.loop(True): pypto.loop()\n"),
    ("OL46", "PASS", "def a_impl():\n  pypto.loop(1); pypto.loop(1, 2); pypto.loop_unroll(3)\n"),
    ("OL46", "WARN 2", "def x_kernel_impl_y():\n  pypto.loop(1); pypto.loop(0, 1)\n"),
    # OL47
    ("OL47", "INFO 2", "def a_impl():\n  t = pypto.set_vec_tile_shapes(1)\n"
         "  pypto_a(); pypto_a()\n"),
    ("OL47", "PASS", "def a_impl():\n  if x: pypto.set_vec_tile_shapes(1)\n"
                     "  t: int = pypto.set_vec_tile_shapes(1)\n  pypto_a(); pypto_a()\n"),
    ("OL47", "PASS", "def a_impl():\n  pypto.set_vec_tile_shapes(1)\n  pypto_a(); m.pypto_a()\n"),
    # OL48
    ("OL48", "PASS", "A = B\nB: int = 8\nJ\ndef k(A):\n  C = A\n"
         "  pypto.set_vec_tile_shapes(A, [C, 0], True)\n"),
    ("OL48", "FAIL 3 3 3 3 3", "J\ndef k(n):\n"
         "  pypto.set_vec_tile_shapes(n, -1, 1.0, (1, 2), *t)\n"),
    ("OL48", "FAIL 3", "J\ndef k():\n  c = 1; pypto.set_vec_tile_shapes(c)\n"),
    ("OL48", "FAIL 5", "if 1:\n  D = 1\nJ\ndef k():\n  pypto.set_vec_tile_shapes(D)\n"),
    ("OL48", "PASS", "".join("N%d = N%d\n" % (i, i - 1) for i in range(1, 9)) +
     "N0 = 1\nJ\ndef k():\n  pypto.set_vec_tile_shapes(N8)\n"),
    ("OL48", "FAIL 13", "".join("N%d = N%d\n" % (i, i - 1) for i in range(1, 10)) +
     "N0 = 1\nJ\ndef k():\n  pypto.set_vec_tile_shapes(N9)\n"),
    ("OL48", "FAIL 3 3", "J\ndef k():\n  pypto.set_cube_tile_shapes([6, 4])\n"),
    ("OL48", "FAIL 3 3 3", "J\ndef k():\n  pypto.set_cube_tile_shapes([0, 4], [4, 6], n=[1])\n"),
    ("OL48", "PASS", "A = 6\nB = 4\nJ\ndef k(n):\n"
         "  pypto.set_cube_tile_shapes([A, B], [True, False],"
                     " 64, enable=n)\n"),
    # OL49 and OL56
    ("OL49", "FAIL 3", "J\ndef k():\n  for i in pypto.loop(4, unroll_list=None):\n"
                       "    for q in x:\n      for j in pypto.loop(2): pass\n"),
    ("OL49", "PASS", "J\ndef k():\n  for i in pypto.loop(4, **o):\n"
         "    for j in pypto.loop(2): pass\n"
                     "  for i in pypto.loop(4, unroll_list=[1]):\n    pypto.loop(3)\n"),
    ("OL56", "FAIL 3 4", "J\ndef k():\n  for i in pypto.loop(4, unroll_list=[1, 1]):\n"
                         "    for j in pypto.loop(4, unroll_list=(*a, 2)): pass\n"),
    ("OL56", "PASS", "J\ndef k():\n  pypto.loop(4, unroll_list=[1, 1])\n"
                     "  for j in pypto.loop(4, unroll_list={1, 2}): pass\n"),
    # OL52
    ("OL52", "FAIL 1 1", "pypto.view(s, [1], offsets=[1, *z], valid_shape=(1, 2))\n"),
    ("OL52", "FAIL 1", "pypto.view(s, [], [0])\n"),
    ("OL52", "PASS",
         "pypto.view(s, [1], [0], []); x.view([1], []); pypto.view(s, q, [1], [1, 2])\n"),
    # OL55
    ("OL55", "FAIL 1 2 3", "pypto.nope = pypto.frontend.nope\ndel pypto.__version__\n"
                           "f'{pypto.empty(1).zeros}'\n"),
    ("OL55", "PASS", "pypto.List, pypto.np.x, pypto.tensor; 'pypto.nope'  # pypto.nope\n"
         "x.pypto.nope\n"),
    ("OL55", "FAIL 2", "import pypto.frontend as F\nF.jot\n"),
    # OL57
    ("OL57", "FAIL 3 4 5", "J\ndef k(x):\n  while x: pass\n  for i in enumerate(range(3)): pass\n"
                           "  [pypto.abs(i) for i in range(3)]\n"),
    ("OL57", "PASS", "J\ndef k(x=[pypto.abs(i) for i in y]):\n  for i in range(3): pass\n"
                     "  [pypto.DT_X for i in y]\ndef h():\n  while 1: pass\n"),
    ("OL57", "FAIL 4", "J\ndef k(): run_x()\ndef h():\n  while 1: pass\ndef run_x():\n"
                       "  while 1: h()\n"),
    ("OL57", "FAIL 4", "J\ndef k(): pass\nasync def h(x: pypto.Tensor([1])):\n"
         "  async for i in x: pass\n"),
    ("OL57", "FAIL", "def k(:\n"),
    ("OL57", "SKIP", "def h():\n  pypto.abs(1)\n  while 1: pass\n"),
    # OL58
    ("OL58", "FAIL 2", "def run_x():\n  pypto.zeros(1); pypto.tensor(1)\n"),
    ("OL58", "SKIP", "def foo_wrapper():\n  pypto.zeros(1)\n"),
    ("OL58", "FAIL 4 4 5", "J\ndef k(a): pass\ndef run_x(src):\n  k(out_1, o=lse_out, b=buf)\n"
         "  m.k(out)\n"),
    ("OL58", "PASS", "J\ndef k(a): pass\ndef run_x(out, /, *output):\n"
         "  k(out, output, out.x, *out_1)\n"),
    ("OL58", "PASS", "J\ndef k(a): pass\ndef run_x():\n  out: int = t()\n  for output in x: pass\n"
                     "  a_out, (b_out, *c_out) = x\n  k(out, output, a_out, b_out, c_out)\n"),
    ("OL58", "FAIL 7", "J\ndef k(a): pass\ndef run_x():\n  out = t()\n  out = G\n  out2 = 1\n"
         "  k(out)\n"),
    ("OL58", "PASS", "J\ndef k(a): pass\ndef run_x():\n  k(out)\n" + "".join(
        "  %s = %s\n" % p for p in zip(["out", "a", "b", "c", "d", "e"],
                                       ["a", "b", "c", "d", "e", "t()"]))),
    ("OL58", "FAIL 4", "J\ndef k(a): pass\ndef run_x():\n  k(out)\n" + "".join(
        "  %s = %s\n" % p for p in zip(["out", "a", "b", "c", "d", "e", "f"],
                                       ["a", "b", "c", "d", "e", "f", "t()"]))),
    # OL61, code scan only (no DESIGN.md, file scope)
    ("OL61", "FAIL 1 1 1", "pypto.add(1, x); pypto.div(True, x); pypto.mul(1.0)\n"),
    ("OL61", "PASS", "pypto.add(-1, x); pypto.add(x, 1); pypto.pow(2, x); pypto.add(a=1)\n"),
    ("OL61", "FAIL 1 2", "pypto.f(x, pypto.Element(1), pypto.Element(2))\n"
                         "pypto.full(pypto.Element(1), pypto.Element(2))\n"),
    ("OL61", "PASS",
         "pypto.full([1], pypto.Element(2)); pypto.f(v=pypto.Element(1))\n"
                     "x.f(pypto.Element(1))\n"),
    ("OL61", "FAIL 3 4", "J\n"
         "def k(a: pypto.Tensor([1], q.DT_FP16), b: pypto.Tensor[[1], pypto.DT_X]):\n"
                         "  pypto.cast(a, pypto.DT_FP16)\n"
                         "  pypto.cast(b, DT_FP32, pypto.DT_FP32)\n"),
    ("OL61", "PASS", "J\ndef k(a: pypto.Tensor([1], q.DT_FP16), b: Tensor([1], q.DT_INT8)):\n"
                     "  pypto.cast(a, pypto.DT_INT8); pypto.cast(b, pypto.DT_FP32)\n"
                     "  a.cast(pypto.DT_FP16)\n"),
    ("OL61", "FAIL 1",
         "pypto.zeros(4, pypto.DT_X); pypto.ones(pypto.DT_X, dtype=1); pypto.zeros(DT_X)\n"),
    # OL62
    ("OL62", "FAIL 1 2 3 4", "torch.a.exp(1)\nF.pad(1)\n(x + y).sum()\nx @ y\n"),
    ("OL62", "PASS",
         "torch.nn.functional.pad(1); np.sum(x); self.a.sum(); x.min(1); x @= y; x + y\n"),
    ("OL62", "FAIL 1 2", "kwargs['q'].sum()\ntorch.zeros(1).exp()\n"),
    ("OL62", "PASS", "if __name__ in x:\n  torch.exp(1)\nelse:\n  torch.exp(1)\n"
                     "def main():\n  torch.exp(1)\nasync def _demo():\n  x @ y\n"),
    ("OL62", "FAIL 1 2 6", "if '__main__' == __name__: torch.exp(1)\nif __name__: torch.exp(1)\n"
                           "J\ndef k(a):\n  a.sum() @ h(a)\n  torch.exp(a)\n"
                           "def h(a): return a.exp()\n"),
    ("OL62", "FAIL 3", "J\ndef k(a): h(a)\ndef h(a): return a.exp()\ndef x(): h(1)\n"),
    ("OL62", "FAIL 3", "J\ndef k(a): run_h(a)\ndef run_h(a): return a.exp() + g(a)\n"
         "def g(a): a @ a\n"),
]
