"""Whole functions, classes and module tails for generated implementation files."""

from pool_code import split

CLEAN_HELPERS = split('''
def pypto_scale(src, dst):
    pypto.set_vec_tile_shapes(1, 64)
    dst[:] = pypto.mul(src, 2.0)
--
def pypto_norm(src):
    pypto.set_vec_tile_shapes(1, 64)
    return pypto.abs(src)
--
def host_helper(src):
    return src.reshape(-1).contiguous()
--
def _rowscale_kernel_impl(src, dst, n):
    for r in pypto.loop(n, name="rows"):
        pypto.assemble(pypto.view(src, [1, 64], [r, 0]), [r, 0], dst)
''')

HELPERS = split('''
def unused_setup():
    pypto.set_vec_tile_shapes(1, 64)
--
def helper(src):
    return helper2(src)
def helper2(src):
    helper(src)
    pypto.set_cube_tile_shapes([1, 1])
--
def helper(src):
    todo = [helper2]
    while todo:
        todo.pop()
    return src.sum(-1)
--
if True:
    def helper(src):
        pypto.set_vec_tile_shapes(1, 2)
        for x in [1, 2]:
            pass
--
class Ops:
    def helper(self, src):
        pypto.set_vec_tile_shapes(1, 2)
        return [pypto.abs(s) for s in src]
    def $OP_wrapper(self, out):
        for i in range(3):
            $OP_npu(out)
    async def run_method(self):
        out = pypto.zeros([1])
        $OP_npu(self, out)
    def main(self, x):
        return x.exp() @ x
    @pypto.frontend.jit
    def method_npu(self, src: pypto.Tensor):
        self.x = 1
        return src
--
def _rowscale_kernel_impl(src, dst, n):
    for _ in pypto.loop(1):
        for r in pypto.loop(n):
            pypto.assemble(pypto.view(src, [1, 64], [r, 0]), [r, 0], dst)
--
def step_impl(src, dst):
    pypto.set_vec_tile_shapes(1, 64)
    part = pypto_norm(src)
    pypto_store(part, dst)
--
async def async_impl(src, dst):
    t = pypto.set_cube_tile_shapes([1, 1])
    pypto_norm(pypto_norm(src))
    async for i in src:
        pypto.loop(1), pypto.loop(2)
--
def a_kernel_impl_b(src):
    if src:
        pypto.set_vec_tile_shapes(1, 64)
    def inner_impl():
        pypto.set_vec_tile_shapes(1, 64)
        pypto_a(), pypto_b()
        pypto.loop(1)
    pypto.loop(1, 2)
    t: int = pypto.set_vec_tile_shapes(1)
--
def loops_impl(n):
    pypto.loop(1)
    for i in pypto.loop(True):
        pypto.loop_unroll(4)
    pypto.loop(*n)
    pypto.loop(n=1)
--
def only_ones_impl(n):
    pypto.loop(1)
    pypto.loop(1, name="x")
--
def count_helper(n):
    while n > 4:
        n = n // 2
    return n
--
def host_helper(xs):
    for x in xs:
        print(x)
    return [x.sum() for x in xs]
--
def annotated(x: pypto.Tensor([4], pypto.DT_FP32)):
    for i in x:
        pass
--
def defaulted(x=pypto.abs(1), *, y=[pypto.abs(i) for i in range(3)]):
    for i in y:
        pass
--
@decorate([pypto.abs(i) for i in [1]])
def decorated(x):
    return {pypto.abs(i): 1 for i in x}
--
def helper(src):
    return pypto.concat([pypto.view(src, [16], [k * 16]) for k in range(4)])
--
def pypto_store(src, dst):
    async def deep():
        async for q in src:
            while q:
                yield q
    dst.move(src @ dst)
--
def demo():
    for x in [1, 2]:
        pypto.abs(x)
    return [helper(x) for x in range(3)]
--
def launch_once(src, dst):
    $OP_npu(src, dst)
--
def launch_many(src, dst):
    for i in range(4):
        for j in range(2):
            $OP_npu(src[i], dst[j])
    else:
        ops.$OP_npu(src)
--
def run_once(src):
    while True:
        $OP_npu(src, src)
    return count_helper(1) + helper(src).sum()
--
def run_chunks(src, n):
    for i in range($OP_npu(n)):
        pass
    for i in enumerate(range(3)):
        $OP_npu(i)
    def inner():
        for z in range(2):
            ops.$OP_npu(z)
    return [$OP_npu(i) for i in range(3)]
--
async def host_wrapper(src):
    for i in range(4):
        await $OP_npu(src)
    async for i in range(4):
        $OP_npu(src)
--
def other_wrapper(src):
    out = pypto.zeros([4])
    for i in range(3):
        $OP_npu(src, out)
--
def rs_wrapper(src):
    return quick_npu(src)
--
def helper(src):
    def nested():
        return src.sum(0)
    return nested()
--
async def helper(src):
    return src @ src
--
helper = lambda q: q.sum()
--
def chain1(s): chain2(s)
def chain2(s): chain3(s)
def chain3(s): chain4(s)
def chain4(s): chain5(s)
def chain5(s): chain6(s)
def chain6(s): chain7(s)
def chain7(s): chain8(s)
def chain8(s): chain9(s)
def chain9(s): chain10(s)
def chain10(s): chain11(s)
def chain11(s): $OP_npu(s)
--
def run_all(src, *, lse_out=None, **kwargs):
    return chain1(src)
--
def _validate(x):
    return torch.exp(x) @ x
--
def main():
    x = torch.randn(4).exp()
    return helper(x)
--
async def _demo(x):
    return x.sum()
--
def match_helper(x):
    match x:
        case [out, *rest] if pypto.abs(rest):
            return out.sum()
        case {"k": v, **output}:
            for q in v:
                pass
        case pypto.DT_NOPE | pypto.DT_FP32:
            pass
        case str() as b_out:
            return min(b_out, 1)
        case _:
            return pypto.nothing
--
def pick(src, b, h):
    blk = pypto.view(
        src,
        [1, 1, 16, 64],
        [b, h, 0],
        valid_shape=[1, 1],
    )
    return blk
''')

TAILS = split('''
if __name__ == "__main__":
    x = torch.randn(4).exp()
    print(x @ x)
--
if __name__ == "__main__":
    main()
elif torch.exp(1):
    torch.log(2)
else:
    helper(3).sum()
--
if "__main__" == __name__:
    torch.exp(1)
--
if __name__ in ("__main__", "x") and True:
    torch.exp(1)
--
if __name__ != x.sum():
    torch.exp(1)
--
if not __name__ == "__main__":
    torch.exp(1)
--
helper(torch.zeros(1))
--
TILE = 128
--
TILE = ROWS
--
def $OP_npu(src):
    return src.sum()
--
def helper(z):
    return z.sum()
--
class Last:
    value = torch.exp(1)
    def host_wrapper(self, out):
        return pypto.ones([1], pypto.DT_FP32)
--
x = torch.ones(3) @ torch.ones(3) @ y
x @= y
--
async def late_wrapper(q):
    pass
--
if 1:
    def cond_wrapper(q):
        pass
--
lam_wrapper = lambda q: q
''')
