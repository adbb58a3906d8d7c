"""Snippets at the edge of the grammar: accepted ones and refused ones."""

from pool_code import split

# Accepted by the parser, refused only by later steps of the compiler.
ACCEPTED = split("""
return $E
--
break
--
f(a=1, a=2)
--
def f(a, a): pass
--
nonlocal q
--
from __future__ import nothing
--
async for i in x: $E
--
x = [await q for q in r]
--
def f(): x = 1; global x
--
*a, *b = c
--
*a
--
__debug__ = 1
--
class C: return
--
try: pass
except: pass
except A: pass
--
match x:
    case a: pass
    case b: $E
--
match x:
    case [a, a] | b: pass
--
def f(): from a import *
--
continue
--
x: int = yield
--
lambda: await_
""")

# Refused by the parser although every token is in a plausible place.
REFUSED = split("""
f() = 1
--
x + 1 = 2
--
(x, y): int = 1
--
f(a=1, 2)
--
f(**a, *b)
--
f(x for x in y, 1)
--
None = 1
--
def f(None): pass
--
x.True = 1
--
def f(a=1, b): pass
--
def f(*): pass
--
def f(*, **k): pass
--
def f(a, /, b, /): pass
--
del f()
--
x += y = 1
--
(x, y) += 1
--
f(a.b=1)
--
f(True=1)
--
lambda *: 1
--
try: pass
--
import a.b as c.d
--
from a import b,
--
from a import (b as c, *)
--
import *
--
with open(x) as 1: pass
--
for f() in x: pass
--
for 1 in x: pass
--
x = 08
--
x = 1__0
--
x = 0b2
--
x = 1.2.3
--
x = 5x
--
x = "abc
--
x = b"中"
--
x = b"a" "b"
--
x = "\\x4"
--
x = b"\\x4"
--
x = "\\u12"
--
class C
    pass
--
if x = 1: pass
--
else: pass
--
if x:
pass
--
  x = 1
--
if x:
    y = 1
  z = 2
--
if x:
\ty = 1
        z = 2
--
x = (1, 2
--
x = [1, 2)
--
x = 1 \\ 
y = 2
--
print "x"
--
exec "x"
--
x <> y
--
x = a if b
--
async x = 1
--
def f(x: *a): pass
--
x = *a if b else c
--
match x:
    case a + b: pass
--
match x:
    case f(): pass
    case {**r, "a": 1}: pass
--
match x:
    case P(a=1, 2): pass
--
match x:
    pass
--
try: pass
except* A: pass
except B: pass
--
try: pass
finally: pass
else: pass
--
x := 1
--
f(a := 1, b := )
--
(a.b := 1)
--
[x := 1 for y in z] = 2
--
{**a for a in b}
--
[*a for a in b]
--
f(**a for a in b)
--
def f(a, *b, c, *d): pass
--
raise A, B
--
global
--
lambda (a, b): 1
--
`x`
--
x = $
--
x = a ? b : c
--
x++
--
a b
--
@
def f(): pass
--
@x
y = 1
--
x = {1: 2, 3}
--
x = {1, 2: 3}
--
x = {a: *b}
--
not x = 1
--
x = yield = await
--
a, b += 1
--
for x in y: if z: pass
--
with (a as b, c as d) as e: pass
--
if x: pass else: pass
--
return = 1
--
from . import
--
from .a.b. import c
--
assert x, y, z
--
x = lambda: return
--
del x, *y + 1
--
x = 1 if 2 else
--
x[]
--
x = ()()( 
--
f(*)
--
f(,)
--
x = ,
--
[,]
""")
