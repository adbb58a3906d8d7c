"""Tile calls, local bindings and heads of compound statements for generated code."""

from pool_code import lines

TILE_CALLS = lines('''
pypto.set_vec_tile_shapes(1, 64)
pypto.set_vec_tile_shapes(1, 64)
pypto.set_cube_tile_shapes([64, 64], [64, 128], [64, 64])
pypto.set_vec_tile_shapes(TILE, tile_m)
pypto.set_vec_tile_shapes(tile_m)
pypto.set_vec_tile_shapes(n, 64)
pypto.set_vec_tile_shapes(rows)
pypto.set_vec_tile_shapes(src.shape[0], 64)
pypto.set_vec_tile_shapes(2 * 64, -1, 1.0)
pypto.set_vec_tile_shapes((64, 64))
pypto.set_vec_tile_shapes([1, 64])
pypto.set_vec_tile_shapes([1, [64]], True)
pypto.set_vec_tile_shapes(*tiles)
pypto.set_vec_tile_shapes([*tiles, 4])
pypto.set_vec_tile_shapes()
pypto.set_vec_tile_shapes(0, 0)
pypto.set_vec_tile_shapes(N8, N9)
pypto.set_vec_tile_shapes(N9)
pypto.set_vec_tile_shapes(N10, N11)
pypto.set_vec_tile_shapes(A, B)
pypto.set_vec_tile_shapes(local_a, local_b)
pypto.set_vec_tile_shapes(t=n)
pypto.set_vec_tile_shapes(k)
k = 8; pypto.set_vec_tile_shapes(k)
pt.set_vec_tile_shapes(n)
cfg.set_vec_tile_shapes(n)
pypto.set_cube_tile_shapes([48, 64], [64], [64, 64])
pypto.set_cube_tile_shapes([6, 4], [0, 64], [4, 6])
pypto.set_cube_tile_shapes([0, 0], [True, False], [8, 64])
pypto.set_cube_tile_shapes([A, B], [64, 64], 64)
pypto.set_cube_tile_shapes([64, 64], [64, 64, 64], [])
pypto.set_cube_tile_shapes([64, 64], [64, 64], [64, 64], enable_split_k=n)
pypto.set_cube_tile_shapes([64, 64], [64, 64], [64, 64], n)
pypto.set_cube_tile_shapes([64, 64], [64, 64], [64, 64], True)
pypto.set_cube_tile_shapes((32, 64), [64, 64], [64, 64])
pypto.set_cube_tile_shapes(m=[64, 48], k=[64], n=[-1, 4])
pypto.set_cube_tile_shapes([64, 64], m=[1], k=[3, 4], n=[n, 4])
pypto.set_cube_tile_shapes(*axes, [3, 4], n=[4, 3])
pypto.set_cube_tile_shapes([64, -64], [64, 1.5], [n, 64])
set_cube_tile_shapes([1])
t1 = pypto.set_vec_tile_shapes(1, 64)
t1 = t2 = pypto.set_cube_tile_shapes([1, 1])
t1: int = pypto.set_vec_tile_shapes(1, 64)
''')

LOCALS = lines('''
local_a = 8
local_a = local_b
local_b = 16
local_b: int = 4
local_a, local_b = 4, 8
local_a = src.shape[0]
TILE = n
TILE = 4
tile_m = src.shape[0]
A = B
A = 4
k = N8
n: int = 4
local_a += 1
(local_a := 4)
del local_a
''')

LOOPS = lines('''
for i in range(4):
for i in range(n):
for i in pypto.loop(n):
for i in pypto.loop(n, name="rows"):
for i in pypto.loop(1):
for i in pypto.loop(4, unroll_list=[1]):
for i in pypto.loop(4, name="x", unroll_list=[1, 2]):
for i in pypto.loop(4, unroll_list=(8, 8)):
for i in pypto.loop(4, unroll_list=()):
for i in pypto.loop(4, unroll_list={1, 2}):
for i in pypto.loop(4, unroll_list=None):
for i in pypto.loop(4, unroll_list=vals):
for i in pypto.loop(4, unroll_list=[1] + [2]):
for i in pypto.loop(4, unroll_list=[*vals, 1]):
for i in pypto.loop(4, **opts):
for i in pt.loop(4, unroll_list=[2, 4]):
for i in pypto.loop_unroll(4, unroll_list=[1, 2]):
for i in pypto.loop_range(3):
for i in (pypto.loop(3, unroll_list=[2, 1])):
for i, j in enumerate(pypto.loop(3)):
for i in zip(pypto.loop(3), xs):
for i in enumerate(range(3)):
for i in builtins.range(n):
for src in xs:
for out in range(3):
for i in xs:
for obj.out in xs:
while n > 0:
while True:
while pypto.loop(3):
if n > 1:
if pypto.cond(n > 1):
with torch.no_grad():
with pypto.options(a=1) as out, open("f") as (b, dst):
''')
