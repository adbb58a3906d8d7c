"""Random reductions, sorts and ops that change shapes, in the manner of operations.py."""
import numpy as np

from operations import HALF, LIMIT, NARROW, NUMBERS, Elementwise, reference
from rounding import BYTES, FLOATS
from scope import Info


class Structure(Elementwise):
    # reductions and sorting

    def reduction(self):
        op = self.rng.choice(["sum", "sum", "amax", "amin", "prod", "argmax", "argmin"])
        dtypes = {"sum": ("F32", "BF16", "I16", "I32"), "prod": ("I16", "I32"), "argmax": HALF,
                  "argmin": HALF}.get(op, NUMBERS)
        v = self.pick(dtypes, (2, 3, 4), lambda w: not op.startswith("arg") or
                      w.shape[-1] * BYTES[w.dtype] % 32 == 0)
        if not v:
            return None
        axis, keep = self.rng.randrange(v.rank), self.rng.random() < 0.6
        # argmax and argmin want whole blocks of 32 bytes on the last axis of the tile.
        is_arg = op.startswith("arg")
        self.tile(v.rank, exact=is_arg, last=32 if is_arg else None)
        shape, valid = list(v.shape), list(v.valid)
        if keep:
            shape[axis], valid[axis] = 1, None
        else:
            del shape[axis], valid[axis]
        dim = axis - v.rank if self.rng.random() < 0.5 else axis
        return self.op(op, [v], {"dim": dim, "keepdim": keep},
                       "I32" if op.startswith("arg") else v.dtype, shape, valid)

    def scan(self):
        v = self.pick(NUMBERS, (1, 2, 3))
        if not v:
            return None
        self.tile(v.rank)
        axis = self.rng.randrange(-v.rank, v.rank)
        dtype = v.dtype if v.dtype in FLOATS else "I64"
        return self.op("cumsum", [v], {"dim": axis}, dtype, v.shape, v.valid)

    def sort(self):
        v = self.pick(("F32",), (1, 2, 3))
        if not v or v.shape[-1] < 2:
            return None
        self.tile(v.rank, exact=True, last=32)
        if self.rng.random() < 0.3:
            return self.op("argsort", [v], {"dim": -1, "descending": self.rng.random() < 0.5},
                           "I32", v.shape, v.valid)
        k = self.rng.randint(1, min(v.shape[-1], 32))
        valid = v.valid[:-1] + (v.valid[-1] and ["min", v.valid[-1], k],)
        shape = v.shape[:-1] + (k,)
        names = [self.fresh(), self.fresh()]
        self.note_read(v)
        self.emit("op", names, "topk", [reference(v)],
                  {"k": k, "dim": -1, "largest": self.rng.random() < 0.7})
        self.add(Info(names[0], v.dtype, shape, valid))
        return self.add(Info(names[1], "I32", shape, valid, bound=v.shape[-1]))

    # shapes

    def reshape(self):
        v = self.pick()
        if not v:
            return None
        valid, count = None, int(np.prod(v.shape))
        if v.full() or self.rng.random() < 0.1:
            a = self.rng.choice([n for n in range(1, count + 1) if count % n == 0])
            shape = self.rng.choice([[a, count // a], [count], [1, a, count // a]])
        elif v.rank >= 3 and all(x is None for x in v.valid[1:]):
            shape = [v.shape[0], count // v.shape[0]]
            valid = [v.valid[0], shape[1]]
        else:
            return None
        self.tile(max(v.rank, len(shape)))
        given = list(shape)
        if v.full() and self.rng.random() < 0.2:
            given[self.rng.randrange(len(given))] = -1
        attributes = {"shape": given}
        if valid:
            attributes["valid"] = valid
        return self.op("reshape", [v], attributes, v.dtype, shape,
                       valid and [valid[0]] + [None] * (len(shape) - 1))

    def permuted(self):
        v = self.pick(("I8", "U8", "I16", "I32", "F16", "BF16", "F32"), (2, 3))
        if not v or 1 in v.shape:
            return None
        a, b = self.rng.sample(range(v.rank), 2)
        axes = list(range(v.rank))
        axes[a], axes[b] = axes[b], axes[a]
        self.tile(v.rank, exact=True)
        shape, valid = [v.shape[i] for i in axes], [v.valid[i] for i in axes]
        if self.rng.random() < 0.7:
            return self.op("transpose", [v], {"dim0": a, "dim1": b}, v.dtype, shape, valid)
        return self.op("permute", [v], {"dims": axes}, v.dtype, shape, valid)

    def unsqueeze(self):
        v = self.pick(None, (1, 2, 3))
        if not v:
            return None
        axis = self.rng.randint(0, v.rank)
        self.tile(v.rank + 1)
        shape = v.shape[:axis] + (1,) + v.shape[axis:]
        return self.op("unsqueeze", [v], {"dim": axis}, v.dtype, shape,
                       v.valid[:axis] + (None,) + v.valid[axis:])

    def expand(self):
        v = self.pick(("I8", "U8", "I16", "I32", "F16", "BF16", "F32", "BOOL"), None,
                      lambda w: 1 in w.shape)
        if not v:
            return None
        shape, valid = list(v.shape), list(v.valid)
        axis = self.rng.choice([i for i, n in enumerate(shape) if n == 1])
        shape[axis], valid[axis] = self.rng.randint(2, 9), None
        if np.prod(shape) > LIMIT or v.valid[axis] is not None:
            return None
        self.tile(v.rank)
        return self.op("expand_clone", [v], {"shape": shape}, v.dtype, shape, valid)

    def concat(self):
        v = self.pick(NARROW)
        if not v:
            return None
        axis = self.rng.randrange(v.rank)

        def suits(w):
            return (w.dtype == v.dtype and w.rank == v.rank and w.valid[axis] is None and
                    all(a == b for i, (a, b) in enumerate(zip(w.shape, v.shape)) if i != axis))
        others = [w for w in self.readable() if suits(w)]
        if v.valid[axis] is not None or not others:
            return None
        chosen = [v] + [self.rng.choice(others) for _ in range(self.rng.randint(1, 2))]
        shape = list(v.shape)
        shape[axis] = sum(w.shape[axis] for w in chosen)
        if np.prod(shape) > LIMIT:
            return None
        self.tile(v.rank)
        return self.op("concat", chosen, {"dim": axis}, v.dtype, shape)

    def padded(self):
        v = self.pick(NARROW, (1, 2))
        if not v:
            return None
        self.tile(v.rank)
        fill = 0 if v.dtype not in FLOATS else self.rng.choice([0, 1.5, -0.25])
        if v.full() and self.rng.random() < 0.5:
            amounts = [0, self.rng.randint(0, 5)]
            if v.rank > 1 and self.rng.random() < 0.5:
                amounts += [0, self.rng.randint(0, 3)]
            shape = list(v.shape)
            shape[-1] += amounts[1]
            if len(amounts) > 2:
                shape[-2] += amounts[3]
            return self.op("pad", [v], {"padding": amounts, "value": fill}, v.dtype, shape)
        return self.op("fillpad", [v], {"value": fill}, v.dtype, v.shape)

    def triangle(self):
        v = self.pick(("F16", "BF16", "F32", "I8", "I16", "I32"), (2, 3))
        if not v:
            return None
        self.tile(v.rank)
        return self.op(self.rng.choice(["tril", "triu"]), [v],
                       {"diagonal": self.rng.randint(-3, 3)}, v.dtype, v.shape, v.valid)

    def clone(self):
        v = self.pick()
        if not v:
            return None
        self.tile(v.rank)
        return self.op("clone", [v], {}, v.dtype, v.shape, v.valid)

    def progression(self):
        start, step = self.rng.randint(-9, 9), self.rng.choice([1, 2, 3, -2, 0.5])
        end = start + step * self.rng.randint(1, 30) + self.rng.choice([0, 0, step * 0.5])
        if isinstance(step, int):
            end = int(end)
            if end == start:
                end += step
        count = int(np.ceil((end - start) / step))
        self.tile(1)
        dtype = "F32" if isinstance(step, float) or isinstance(end, float) else "I32"
        return self.op("arange", [["n", start], ["n", end], ["n", step]], {}, dtype, (count,))
