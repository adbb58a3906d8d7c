"""Every corner of the grammar with a hole for an expression (`$E`).

The point is that a rule sees the same tree as CPython's parser does, wherever
the expression stands.  NESTS are loop nests for the loop rules.
"""

from pool_code import split

SYNTAX = split('''
x[$E:$E, ..., ::$E] = $E
--
a = b = c[$E] = $E
--
a, *b = $E, *($E), 3
--
(a), [b, (c)] = $E
--
f(*($E), **($E), k=$E)
--
f($E for i in xs if ($E))
--
x = [$E for i in xs for j in ($E) if ($E) if not i]
--
x = {$E: $E for k, v in xs}
--
x = {**($E), "k": $E, 1: ($E)}
--
x = {*($E), 1}
--
x = ($E) if ($E) else ($E)
--
x = lambda a=$E, /, b=1, *c, d=$E, **e: $E
--
x = not ($E) and ($E) or ~($E)
--
x = ($E) < ($E) <= 3 is not None
--
x = ($E) ** -($E) // 2 % 3 << 1 | 4 ^ 5 & 6
--
if ($E): pass
elif $E: x = 1; y = $E
else: del x[$E], y
--
if (y := $E) and (z := [$E]): pass
--
while ($E) and False:
    break
else:
    $E
--
try:
    $E
except* ValueError as eg:
    x = $E
--
try: x = 1
except ($E): raise
except A: raise B($E) from ($E)
else: $E
finally: $E
--
with $E as q, ($E) as (r, s[$E]): $E
--
with ($E, f()): pass
--
with (
    open($E) as f1,
    open("b") as f2,
): $E
--
async def coro(a: ($E) = 1, *b: "x", c: ($E)) -> ($E):
    await ($E)
    async with $E as q: pass
    async for i in ($E): pass
    return [i async for i in ($E)]
--
def gen(a=$E, *, b: $E = $E):
    global g
    yield $E
    y = yield
    z = yield from ($E)
    return
--
@deco($E)
@other[$E]
class Klass(Base, metaclass=($E)):
    """doc"""
    attr: ($E) = $E
    def method(self, q=$E) -> None: self.x = $E
--
match ($E), 1:
    case [1, 2, *_] | (3 | 4): pass
    case {"k": -1, "z": 1+2j, **rest} if $E: pass
    case Point(x=0, y=[a, b]) as p: $E
    case None | True | "s" "t" | b"x": pass
    case mod.Const: pass
    case (_): x = $E
--
match = case = type = $E
match[$E] = 1
print(match, case (1), type(_))
--
match ($E)
match.x = [$E]
--
match x:
    case 1: y = $E
--
assert ($E), ($E)
--
for a, *b in ($E), ($E): continue
else: $E
--
x: ($E)
--
x.y[$E]: int = $E
--
x += $E; y[$E] @= $E; z.q **= ($E)
--
x = """multi
line $ $ """ + str($E) + \'\'\'pypto.nope
min(1)\'\'\'; y = $E
--
x = f(
    $E,  # comment ) ]

    k=$E,
)
--
x = $E \\
    ; y = $E
--
x = 1 if x else \\
  $E
--
x = ($E)[0](1)(2).attr[3].t()
--
x = ($E).real.T.imag
--
x = (pypto
     .nope
     .more(
         $E)
     .T)
--
x = (y
     .T
     .sum()
     .t())
--
x = (a
     @ b
     @ ($E))
--
x = a.sum().mean() @ a.T.t().exp(); y = torch.exp(torch.log($E)).sum()
--
x = 0xFF_FF + 0b1 + 0o17 + 1_0.0e-3 + .5j + 1.; y = ($E)
--
x = r"\\d" "" if 0 else u"\u00fc" "\\N{EN DASH}\\x41"; $E
--
return_value, in_loop, is_x = $E, 1, 2
--
print(*[$E], sep="")
--
raise
--
nonlocal_ = lambda: (yield)
--
x = [
    $E,
    # comment only

    ($E),
]
--
if x:
    # comment
    if y:
            $E
    else:

        $E
# dedented comment
    z = $E
--
def one(): return $E
--
class Empty: ...
--
lambda: ($E), lambda *a, **k: (a, $E)
--
x = (yield)
--
x = *a, $E
--
import a.b.c as d, e; from . import (f, g as h,); $E
--
del (x), [y, z[$E]]
--
x = ($E)if($E)else($E)
--
x = 1if 1else 2; y = [$E]
--
x = -1 ** 2; y = - ($E); z = + 1; w = not -3 in [4]
--
\u53d8\u91cf = $E; caf\u00e9.\u540d = \u53d8\u91cf
--
if 1:
\tx = $E
\tif 2:
\t\ty = $E
--
x = """\\
$E"""; y = 'it\\'s $E'
''')

FSTRINGS = split("""
x = f'{($E)}'
--
x = f'a{{b}} {($E)!r:>{($E)}} c' 'plain' f'{($E) = }'
--
x = (f'one {($E)}'
     f' two {($E)}')
--
x = f'''{
    ($E)
} and {
  ($E):>{width}}
'''
--
x = rf'\\d{($E)}\\n'
--
x = F'{($E):%Y-%m}{lambda_}{x!s}{{}}'
--
x = f'{ {"k": ($E)}["k"] }'
--
x = f'{($E),}{*a, ($E)}'
--
x = f'\u4e2d\u6587 {($E)} \U0001f600 {($E)}'
""")

NESTS = split('''
for r in pypto.loop(n, unroll_list=[1]):
    for q in xs:
        if q:
            for c in pypto.loop(4): pass
--
for r in pypto.loop(n, unroll_list=[1, 2]):
    pass
else:
    for c in pypto.loop(4, unroll_list=[4, 8]): pass
--
for r in pypto.loop(n, unroll_list=V):
    def nested_impl():
        for c in pypto.loop(1):
            pypto.loop(2)
--
for r in pypto.loop(n, unroll_list=[1]):
    pypto.loop(4)
    for c in pypto.loop_unroll(4): pass
for r in pypto.loop(n): pass
--
for r in pypto.loop(n):
    for c in pypto.loop(4, unroll_list=[1]):
        for d in pypto.loop(4, unroll_list=[1, 2, 4]): pass
--
for r in (
    pypto.loop(
        n,
        unroll_list=[
            2, 1],
    )
):
    with a:
        for c in pt.loop(3): pass
--
for r in range(4):
    while n:
        for k in xs: n = [pypto.abs(k) for _ in k]
    else:
        for k in pypto.loop_unroll(2): pass
--
async def stream():
    async for k in pypto.loop(3, unroll_list=[1, 2]):
        for z in pypto.loop(3): pass
''')

TILE_FORMS = split('''
t1 = (
    pypto.set_vec_tile_shapes(t1, TILE)
)
--
local_a = [
    pypto.set_vec_tile_shapes(local_a, TILE)
]
--
pypto.set_vec_tile_shapes(
    local_a,
    n,
)
--
local_a = 4
def inner(n=4):
    local_a = x
    pypto.set_vec_tile_shapes(local_a, n)
    local_b = 4
pypto.set_vec_tile_shapes(local_a, local_b)
--
local_a = local_b
local_b = local_c
local_c = 8
pypto.set_vec_tile_shapes(local_a, [local_b, local_c])
--
(pypto
 .set_cube_tile_shapes([6,
                        4], [n,
                             64]))
--
local_a = (
    8)
pypto.set_cube_tile_shapes([local_a, 64], k=[local_a, 4], m=[1])
--
local_a = 4
local_a = src.shape[0]
pypto.set_vec_tile_shapes(local_a)
local_a = 8
--
local_a = n; local_a = 8
pypto.set_vec_tile_shapes(local_a)
--
if n: local_a = 3
else: local_a = n
pypto.set_vec_tile_shapes(local_a), pt.set_cube_tile_shapes([local_a], [4, 2])
--
for local_a in range(3): pass
with q as local_b: pass
pypto.set_vec_tile_shapes(local_a, local_b)
--
class Inner:
    tile_m = 4
    pypto.set_vec_tile_shapes(tile_m)
pypto.set_vec_tile_shapes(tile_m)
--
lambda tile_m: pypto.set_vec_tile_shapes(tile_m, 0b11, 1_000, 0xF, 4j, "4", None)
''')
