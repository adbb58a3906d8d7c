"""Random ops with index tensors, matmul, and the weights of all ops."""
import numpy as np

from operations import LIMIT, NARROW
from numeric import Numeric
from scope import Info


class Operations(Numeric):
    # indexes

    def gathered(self):
        v = self.pick(("I16", "I32", "F16", "BF16", "F32"), (2, 3))
        if not v:
            return None
        axis = self.rng.randrange(v.rank)
        shape = [self.rng.randint(1, n) for n in v.shape]
        shape[axis] = self.rng.randint(1, 9)

        def suits(w):
            return w.bound and w.bound <= v.shape[axis] and all(
                a <= b for i, (a, b) in enumerate(zip(w.shape, v.shape)) if i != axis)
        index = self.pick(("I32",), (v.rank,), suits)
        if not index:
            index = self.index(shape, v.shape[axis])
        self.tile(v.rank, exact=True)
        return self.op("gather", [v, index], {"dim": axis - v.rank}, v.dtype, index.shape,
                       index.valid)

    def index(self, shape, bound):
        """A new parameter of integers in [0, bound)."""
        array = self.array_rng.integers(0, bound, shape).astype(np.int32)
        p = self.parameter("k", "I32", tuple(shape), array=array)
        return Info(p.name, "I32", shape, bound=bound)

    def selected(self):
        v = self.pick(NARROW, (2, 3))
        if not v:
            return None
        axis = self.rng.randrange(v.rank)
        index = self.index([self.rng.randint(1, 8)], v.shape[axis])
        self.tile(v.rank, exact=True)
        shape, valid = list(v.shape), list(v.valid)
        shape[axis], valid[axis] = index.shape[0], None
        return self.op("index_select", [v, index], {"dim": axis}, v.dtype, shape, valid)

    def scattered(self):
        v = self.pick(("F16", "BF16", "F32", "I16", "I32"), (2, 3))
        if not v or not v.full():
            return None
        axis = self.rng.randrange(v.rank)
        shape = [self.rng.randint(1, n) for n in v.shape]
        lines = np.moveaxis(np.zeros(shape, np.int32), axis, -1)
        for position in np.ndindex(lines.shape[:-1]):
            lines[position] = self.array_rng.permutation(v.shape[axis])[:shape[axis]]
        p = self.parameter("k", "I32", tuple(shape), array=np.ascontiguousarray(
            np.moveaxis(lines, -1, axis)))
        index = Info(p.name, "I32", shape)
        if self.rng.random() < 0.4:
            source = ["n", float(self.rng.choice([0.5, -2.0, 3.0]))]
        else:
            source = self.pick((v.dtype,), (v.rank,), lambda w: w.full() and all(
                a >= b for a, b in zip(w.shape, shape)))
        if not source:
            return None
        self.tile(v.rank, exact=True)
        return self.op("scatter", [v, index, source],
                       {"dim": axis, "reduce": self.rng.choice([None, "add", "multiply"])}, v.dtype, v.shape)

    def updated(self):
        """Rows of an output written through scatter_update."""
        v = self.pick(("F32", "F16", "BF16", "I16", "I32"), (2,),
                      lambda w: w.full() and w.shape[1] <= 32)
        if not v:
            return None
        outer = self.rng.choice([n for n in range(1, v.shape[0] + 1) if v.shape[0] % n == 0])
        shape = (outer, v.shape[0] // outer)
        rows = v.shape[0] + self.rng.randint(0, 9)
        target = self.destination(v, [rows, v.shape[1]], [])
        if (not target or self.outputs[target].shape[1] != v.shape[1] or
                target in (v.base, v.name) or target in self.body.writes or self.copies):
            return None
        order = self.array_rng.permutation(self.outputs[target].shape[0])[:v.shape[0]]
        p = self.parameter("k", "I32", shape, array=order.astype(np.int32).reshape(shape))
        self.scope.tile = [self.rng.choice([1, shape[1]]), self.rng.choice([32, 64])]
        self.emit("tile", self.scope.tile)
        self.note_read(v)
        self.body.writes.add(target)
        self.body.reads.add(target)  # counts as both
        self.emit("update", self.fresh(), target, p.name, v.name)
        return target

    def written(self):
        """One element of an I32 output."""
        like = Info("", "I32", (self.rng.randint(1, 4), 9))
        target = self.destination(like, list(like.shape), [])
        if not target:
            return None
        value = self.integer(signed=True) if self.loops else self.rng.randint(-99, 99)
        self.body.writes.add(target)
        at = ["%", ["v", self.rng.choice(self.loops)], 9] if self.loops else 5
        self.emit("write", target, [self.rng.randrange(like.shape[0]), at], value)
        return target

    def hot(self):
        v = self.pick(("I8", "I16", "I32"), (1, 2))
        if not v:
            return None
        classes = self.rng.randint(2, 12)
        if np.prod(v.shape) * classes > LIMIT:
            return None
        self.tile(v.rank + 1, exact=True, last=classes)
        return self.op("one_hot", [v], {"num_classes": classes}, "I64", v.shape + (classes,),
                       v.valid + (None,))

    def merged(self):
        """Lines sorted in groups, and four groups made one."""
        columns = self.rng.choice([64, 96, 160])
        p = self.parameter("x", "F32", (self.rng.randint(1, 3), columns))
        if np.isnan(p.data).any():
            return None
        self.tile(2, exact=True, last=512)
        v = self.op("sort32", [Info(p.name, "F32", p.shape)], {}, "F32", (p.shape[0], 2 * columns))
        return self.op("mrgsort", [v], {"mergesize": 32}, "F32", v.shape)

    def paged(self):
        """Rows of a cache in blocks, as they are or as an operand of a product."""
        dtype = self.rng.choice(["F16", "BF16", "F32"])
        size, blocks, columns = self.rng.choice([2, 4, 16]), self.rng.randint(1, 4), self.rng.randint(1, 24)
        count = self.rng.randint(1, 12)
        cache = self.parameter("x", dtype, (size * blocks, columns))
        rows = self.array_rng.integers(0, size * blocks, (1, count)).astype(np.int32)
        order = self.array_rng.permutation(blocks).astype(np.int32)[None]
        operands = [Info(cache.name, dtype, cache.shape)]
        for array in (rows, order):
            p = self.parameter("k", "I32", array.shape, array=array)
            operands.append(Info(p.name, "I32", array.shape))
        self.tile(2, exact=True)
        if self.rng.random() < 0.6 or columns < 2:
            return self.op("experimental.gather_in_ub", operands, {"block_size": size}, dtype,
                           (count, columns))
        self.cube()
        width = self.rng.randint(1, columns - 1)
        left = self.parameter("w", dtype, (self.rng.randint(1, 8), count))
        v = self.op("experimental.gather_in_l1", operands, {"block_size": size, "size": width}, dtype,
                    (count, width))
        self.scope.values.remove(v)  # only a product may use it
        return self.op("matmul", [Info(left.name, dtype, left.shape), v],
                       {"dtype": "F32", "a_trans": False, "b_trans": False}, "F32",
                       (left.shape[0], width))

    def accumulated(self):
        """atomic_add to an output."""
        v = self.pick(("F32", "F16", "BF16", "I32"), (1, 2, 3), lambda w: w.full())
        if not v:
            return None
        offsets, sizes = [], []
        for n in v.shape:
            at = ["*", ["v", self.rng.choice(self.loops)], n] if self.loops else self.rng.choice([0, 0, 2])
            if self.rng.random() < 0.5 or self.span(at)[0] < 0:
                at = 0
            offsets.append(at)
            sizes.append(self.span(at)[1] + n)
        target = self.destination(v, sizes, [])
        if not target or target in (v.base, v.name):
            return None
        self.tile(v.rank)
        self.note_read(v)
        self.body.writes.add(target)
        self.emit("atomic", v.name, offsets, target)
        return target

    # matmul

    def matmul(self):
        v = self.pick(("F16", "BF16", "F32", "I8"), (2, 3, 4))
        if not v or any(n is not None for n in v.valid[-1:] if v.rank > 2):
            return None
        a_trans, b_trans = self.rng.random() < 0.25, self.rng.random() < 0.35
        depth, rows = (v.shape[-2:] if a_trans else v.shape[:-3:-1])
        known = v.valid[-2] if a_trans else v.valid[-1]
        axis = -1 if b_trans else -2

        def suits(w):
            return (w.rank == v.rank and w.dtype == v.dtype and w.shape[axis] == depth and
                    w.valid[axis] is None and
                    all(a == b or a == 1 or b == 1 for a, b in zip(v.shape[:-2], w.shape[:-2])))
        w = self.pick((v.dtype,), (v.rank,), suits)
        if known is not None:
            return None
        if not w or self.rng.random() < 0.3:
            columns = self.rng.randint(1, 24)
            lead = [self.rng.choice([1, n]) for n in v.shape[:-2]]
            shape = lead + ([columns, depth] if b_trans else [depth, columns])
            p = self.parameter("w", v.dtype, tuple(shape))
            w = Info(p.name, v.dtype, shape)
        columns = w.shape[-2] if b_trans else w.shape[-1]
        lead = tuple(max(a, b) for a, b in zip(v.shape[:-2], w.shape[:-2]))
        if np.prod(lead + (rows, columns)) > LIMIT or self.different_lead(v, w):
            return None
        out = "I32" if v.dtype == "I8" else self.rng.choice([v.dtype, "F32"])
        self.cube()
        if v.rank > 2:
            self.tile(v.rank)
        operands = [v, w]
        if v.rank == 2 and self.rng.random() < 0.25:
            operands.append(self.bias(v.dtype, columns))
        attributes = {"dtype": out, "a_trans": a_trans, "b_trans": b_trans}
        lead_valid = tuple(b if m == 1 else a for a, b, m in
                           zip(v.valid[:-2], w.valid[:-2], v.shape[:-2]))
        valid = lead_valid + (v.valid[-1] if a_trans else v.valid[-2],
                              w.valid[-2] if b_trans else w.valid[-1])
        plain = not a_trans and not b_trans and len(operands) == 2
        if plain and out == ("I32" if v.dtype == "I8" else v.dtype) and self.rng.random() < 0.5:
            attributes["form"] = "matmul"
        return self.op("matmul", operands, attributes, out, lead + (rows, columns), valid)

    def different_lead(self, v, w):
        return any(a == b and repr(x) != repr(y) for a, b, x, y in
                   zip(v.shape[:-2], w.shape[:-2], v.valid, w.valid))

    def bias(self, dtype, columns):
        kind = {"I8": "I32", "F16": "F16", "BF16": "F32", "F32": "F32"}[dtype]
        p = self.parameter("b", kind, (1, columns))
        return Info(p.name, kind, (1, columns))


WEIGHTS = {
    "unary": 7, "binary": 9, "compare": 2, "logic": 1, "bits": 1, "where": 2, "clip": 1,
    "power": 1, "composite": 1, "cast": 5, "reduction": 4, "scan": 1, "sort": 2, "reshape": 2,
    "permuted": 2, "unsqueeze": 1, "expand": 1, "concat": 2, "padded": 1, "triangle": 1,
    "clone": 1, "progression": 1, "gathered": 2, "selected": 1, "scattered": 1, "hot": 1,
    "matmul": 4, "rare": 4, "shuffled": 1, "increased": 1, "updated": 1, "written": 1,
    "woven": 1, "normalised": 1, "batched": 1, "remainders": 1, "rectified": 1, "difference": 0.5,
    "tested": 1, "spread": 1, "multiplied": 0.5, "simple": 0.3, "drawn": 0.3, "quantised": 1, "reread": 1,
    "passed": 0.3, "narrowed": 0.5, "changed": 1, "put": 1, "struck": 2, "merged": 0.3, "paged": 1,
    "accumulated": 1}
