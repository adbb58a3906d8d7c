"""What the generator knows while it writes a kernel: names, shapes, tiles, and which tensors the
current body has read or written (a body may not assemble into a tensor it reads)."""
import random as pyrandom

import numpy as np

import data
from oracle import Parameter


class Info:
    """A readable tensor. valid: per axis None (full) or an expression; base: the tensor it is a
    view of; slot: written by move and assemble; bound: its integers lie in [0, bound)."""

    def __init__(self, name, dtype, shape, valid=None, base=None, slot=False, bound=None):
        self.name, self.dtype, self.shape = name, dtype, tuple(shape)
        self.valid = tuple(valid or (None,) * len(self.shape))
        self.base, self.slot, self.bound = base, slot, bound

    @property
    def rank(self):
        return len(self.shape)

    def full(self):
        return all(v is None for v in self.valid)


class Body:
    """One recorded body: reads and writes of tensors by name."""

    def __init__(self):
        self.reads, self.writes = set(), set()


class Scope:
    """Names of one indentation level. loop: the names end with it and it is a body of its own."""

    def __init__(self, parent, statements):
        self.parent, self.statements = parent, statements
        self.values = []
        self.tile = parent.tile if parent else None
        self.cube = parent.cube if parent else False


class Writer:
    """The kernel in the making. Subclassed by the generator."""

    def __init__(self, seed, target):
        self.target = target
        self.rng = pyrandom.Random(seed)
        self.array_rng = np.random.default_rng(seed)
        self.parameters, self.ranges, self.tails = [], {}, {}
        self.count = 0
        self.statements = []
        self.scope = Scope(None, self.statements)
        self.body = Body()
        self.loops, self.copies, self.branches = [], 0, 0

    # names and scopes

    def fresh(self, prefix="v"):
        self.count += 1
        return "%s%d" % (prefix, self.count)

    def emit(self, *statement):
        self.scope.statements.append(list(statement))

    def visible(self):
        result, scope = [], self.scope
        while scope:
            result += scope.values
            scope = scope.parent
        return result

    def add(self, info):
        self.scope.values.append(info)
        return info

    def inside(self, statements):
        self.scope = Scope(self.scope, statements)

    def leave(self):
        self.scope = self.scope.parent

    # reading and writing

    def may_read(self, info):
        """In a body that is recorded several times in a row nothing may be both."""
        name = info.base or info.name
        return not (name in self.body.writes and self.copies)

    def note_read(self, info):
        self.body.reads.add(info.name)
        if info.base:
            self.body.reads.add(info.base)

    def may_assemble(self, name):
        return name not in self.body.reads and not self.viewed(name)

    def viewed(self, name):
        return any(v.base == name for v in self.visible())

    def readable(self):
        return [v for v in self.visible() if self.may_read(v)]

    # parameters

    def parameter(self, prefix, dtype, shape, dynamic=(), output=False, array=None):
        name = self.fresh(prefix)
        if array is None:
            array = data.random(self.array_rng, shape, dtype)
        p = Parameter(name, dtype, array, dynamic, output)
        self.parameters.append(p)
        return p

    # integers: the concrete range of an expression in this kernel's one run

    def span(self, e):
        if isinstance(e, int):
            return e, e
        if e[0] == "v":
            return self.ranges[e[1]]
        if e[0] == "dim":
            n = next(p for p in self.parameters if p.name == e[1]).shape[e[2]]
            return n, n
        (a, b), (c, d) = self.span(e[1]), self.span(e[2])
        if e[0] == "+":
            return a + c, b + d
        if e[0] == "-":
            return a - d, b - c
        if e[0] == "*":
            corners = [a * c, a * d, b * c, b * d]
            return min(corners), max(corners)
        if e[0] == "//" and a >= 0 and c > 0:
            return a // d, b // c
        if e[0] == "%" and a >= 0 and c > 0:
            return 0, min(b, d - 1)
        if e[0] in ("min", "max"):
            pick = min if e[0] == "min" else max
            return pick(a, c), pick(b, d)
        return -(2 ** 31), 2 ** 31

    # configuration

    def tile(self, rank, exact=False, last=None):
        """Sees to a vector tile that fits ops of that rank."""
        current = self.scope.tile
        fits = current and (len(current) == rank if exact else len(current) >= rank)
        if fits and (last is None or current[-1] == last) and self.rng.random() < 0.95:
            return
        limits = {1: [], 2: [32], 3: [4, 8], 4: [2, 4, 8], 5: [2, 2, 4, 4]}[rank]
        current = [self.rng.randint(1, n) for n in limits] + [last or self.rng.choice([32, 64])]
        self.scope.tile = current
        self.emit("tile", current)

    def cube(self):
        if not self.scope.cube or self.rng.random() < 0.1:
            small = self.rng.choice([32, 64])
            self.emit("cube", [32, 64], [small, small * 2], [32, self.rng.choice([32, 64])])
            self.scope.cube = True
