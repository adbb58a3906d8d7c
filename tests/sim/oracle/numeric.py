"""Random arithmetic of lower priority, quantisation, operations in place, and other readings of the same bytes, in
the manner of operations.py."""
import numpy as np

from operations import HALF, LIMIT, NUMBERS, joined, reference
from rounding import BYTES
from scope import Info
from structure import Structure

BYTES_OF = {1: ("I8", "U8"), 2: ("I16", "F16", "BF16"), 4: ("I32", "F32"), 8: ("I64",)}
NARROW_FLOATS = ("FP8E4M3", "FP8E5M2", "HF8")


class Numeric(Structure):
    def remainders(self):
        op = self.rng.choice(["fmod", "remainder"])
        v = self.pick(HALF if op == "fmod" else NUMBERS)
        if not v:
            return None
        self.tile(v.rank)
        operator = op == "remainder" and self.rng.random() < 0.5
        if self.rng.random() < 0.4:
            number = self.number(v.dtype)
            sides = [v, ["n", number if abs(number) < 2 ** 15 else 77]]
            if op == "remainder" and self.rng.random() < 0.4:
                sides.reverse()
            return self.op(op, sides, {"form": "operator" if operator else ""}, v.dtype, v.shape, v.valid)
        w = self.partner(v, axes=1)
        if not w or w.rank != v.rank:
            return None
        self.tile(v.rank)
        return self.op(op, [v, w], {"form": "operator" if operator else ""}, v.dtype, *joined(v, w))

    def rectified(self):
        """lrelu and prelu."""
        v = self.pick(HALF)
        if not v:
            return None
        self.tile(v.rank)
        if self.rng.random() < 0.5:
            exact = [0.5, 0.125, 0.0, 2.0]
            slope = self.rng.choice(exact if v.dtype == "F16" else exact + [0.01, 0.3])
            return self.op("lrelu", [v], {"negative_slope": slope}, v.dtype, v.shape, v.valid)
        p = self.parameter("w", v.dtype, (v.shape[1] if v.rank > 1 else 1,))
        return self.op("prelu", [v, Info(p.name, v.dtype, p.shape)], {}, v.dtype, v.shape, v.valid)

    def difference(self):
        v = self.pick(HALF)
        w = v and self.partner(v, axes=1)
        if not w or w.rank != v.rank:
            return None
        self.tile(v.rank)
        return self.op("expand_exp_dif", [v, w], {}, v.dtype, *joined(v, w))

    def tested(self):
        """Truths about elements: isnan, logical_and, greater."""
        op = self.rng.choice(["isnan", "logical_and", "greater"])
        if op == "isnan" and self.target.pypto == "9.1":
            return None
        v = self.pick({"isnan": HALF, "greater": ("F16", "F32")}.get(
            op, ("BOOL", "F32", "F16", "BF16", "I8", "U8", "I16", "I32")))
        if not v:
            return None
        operands = [v]
        if op == "greater":
            operands.append(["n", 0.5])
        elif op == "logical_and":
            w = self.pick(("BOOL", "F32", "F16", "BF16", "I8", "I16", "I32"), None,
                          lambda w: w.shape == v.shape)
            if not w or self.different(v, w):
                return None
            operands.append(w)
        self.tile(v.rank, last=32)
        return self.op(op, operands, {}, "BOOL", v.shape, v.valid)

    def spread(self):
        """var: mostly of numbers whose sums are exact, for the order of additions is not laid down."""
        v = self.pick(HALF, (1, 2, 3), lambda w: w.full())
        if not v:
            return None
        axes = sorted(self.rng.sample(range(v.rank), self.rng.randint(1, v.rank)))
        keep = self.rng.random() < 0.5
        shape = [1 if i in axes else n for i, n in enumerate(v.shape)]
        if not keep:
            shape = [n for i, n in enumerate(shape) if i not in axes]
        if not shape:
            return None
        self.tile(v.rank)
        dim = axes[0] if len(axes) == 1 and self.rng.random() < 0.5 else axes
        return self.op("var", [v], {"dim": dim, "correction": self.rng.choice([0, 1, 1]),
                                    "keepdim": keep}, v.dtype, shape)

    def multiplied(self):
        v = self.pick(HALF, (1, 2, 3))
        if not v:
            return None
        self.tile(v.rank)
        return self.op("cumprod", [v], {"dim": self.rng.randrange(-v.rank, v.rank)}, v.dtype, v.shape,
                       v.valid)

    def simple(self):
        """zeros and ones."""
        dtype = self.rng.choice(["F16", "BF16", "F32", "I32", "I16"])
        shape = [self.rng.randint(1, 9) for _ in range(self.rng.randint(1, 3))]
        self.tile(len(shape))
        return self.op(self.rng.choice(["zeros", "ones"]), [], {"shape": shape, "dtype": dtype}, dtype,
                       shape)

    def drawn(self):
        """uniform: the same numbers from the same key."""
        dtype = self.rng.choice(["F16", "BF16", "F32"])
        shape = [self.rng.randint(1, 4), 4 * self.rng.randint(1, 6)]
        self.scope.tile = list(shape)
        self.emit("tile", self.scope.tile)
        return self.op("uniform", [], {"shape": shape, "key": self.rng.randrange(2 ** 32),
                                       "counter": self.rng.randrange(2 ** 20), "dtype": dtype},
                       dtype, shape)

    def quantised(self):
        """quantize and dequantize."""
        back = self.rng.random() < 0.5
        v = self.pick(("I8", "I16") if back else ("F32",), (2, 3), lambda w: w.full())
        if not v:
            return None
        axis, zero = self.rng.choice([-1, -2]), self.rng.random() < 0.5
        shape = v.shape[:-1] if axis == -1 else v.shape[:-2] + v.shape[-1:]
        operands = [v]
        for values in (self.array_rng.choice([0.5, 0.25, 1.0, 2.0, 0.1, 3.0], shape),
                       self.array_rng.integers(-5, 100, shape))[:1 + zero]:
            p = self.parameter("q", "F32", shape, array=values.astype(np.float32))
            operands.append(Info(p.name, "F32", shape))
        self.tile(v.rank)
        dtype = "F32" if back else "U8" if zero else "I8"
        return self.op("dequantize" if back else "quantize", operands, {"dtype": dtype, "axis": axis},
                       dtype, v.shape)

    # the same bytes

    def reread(self):
        """view with a dtype, pack, unpack."""
        kinds = ["view_type"] + ["pack", "unpack"] * (self.target.pypto != "9.1")
        op = self.rng.choice(kinds)
        v = self.pick(("U8",) if op == "unpack" else ("I8", "U8", "I16", "I32", "F16", "BF16", "F32"),
                      (1,) if op == "unpack" else None, lambda w: w.full() and (w.base is None))
        if not v or op != "unpack" and self.rng.random() < 0.2:
            return None
        count, size = v.shape[-1], BYTES[v.dtype]
        if op == "pack":
            self.tile(v.rank)
            total = int(np.prod(v.shape)) * size
            if total > LIMIT:
                return None
            packed = self.op(op, [v], {}, "U8", (total,))
            if self.rng.random() < 0.5:
                return packed
            op, v, count, size = "unpack", packed, total, 1
        sizes = [n for n in (1, 2, 4) if count * size % n == 0 and n != size or op == "unpack"
                 and count % n == 0]
        if not sizes:
            return None
        dtype = self.rng.choice(BYTES_OF[self.rng.choice(sizes)])
        shape = v.shape[:-1] + (count * size // BYTES[dtype],)
        if np.prod(shape) > LIMIT:
            return None
        self.tile(v.rank, exact=op == "unpack", last=32 if op == "unpack" else None)
        return self.op(op, [v], {"dtype": dtype}, dtype, shape)

    def passed(self):
        """nop: its first input."""
        v, w = self.pick(), self.pick()
        if not v:
            return None
        self.tile(max(v.rank, w.rank))
        return self.op("experimental.nop", [v, w], {}, v.dtype, v.shape, v.valid)

    def narrowed(self):
        """To 8 bits and back, where the chip has such numbers."""
        v = self.pick(("F32",))
        if not v or not self.target.is_950:
            return None
        self.tile(v.rank)
        return self.op("cast", [v], {"through": self.rng.choice(NARROW_FLOATS)}, v.dtype, v.shape, v.valid)

    # in place

    def place(self, dtypes, rank=(2, 3)):
        """A local tensor that may get another value."""
        return self.pick(dtypes, rank, lambda w: w.full() and w.base is None and w.bound is None and
                         w.name[0] in "va" and not self.viewed(w.name))

    def inplace(self, v, op, operands, attributes):
        for w in [v] + operands:
            if isinstance(w, Info):
                self.note_read(w)
        args = [reference(w) if isinstance(w, Info) else w for w in [v] + operands]
        self.emit("inplace", v.name, op, args, attributes)
        return v

    def changed(self):
        """axpy_, tril_ and triu_, fill_."""
        v = self.place(("F32", "F16"))
        if not v:
            return None
        self.tile(v.rank)
        kind = self.rng.random()
        if kind < 0.5:
            w = self.partner(v, axes=1)
            if not w or w.rank != v.rank or not w.full():
                return None
            self.tile(v.rank)
            return self.inplace(v, "axpy_", [w], {"alpha": self.rng.choice([1.0, 0.5, -2.0, 4.0])})
        if kind < 0.8:
            return self.inplace(v, self.rng.choice(["tril_", "triu_"]), [],
                                {"diagonal": self.rng.randint(-2, 2), "form": "method"})
        return self.inplace(v, "fill_", [["n", self.number(v.dtype)]], {"form": "method"})

    def put(self):
        """Elements or lines of a local tensor, at positions that differ."""
        v = self.place(("I8", "I16", "I32", "U8", "F16", "BF16", "F32"))
        if not v:
            return None
        axes, count = self.rng.randint(1, v.rank), self.rng.randint(1, 5)
        places = int(np.prod(v.shape[:axes]))
        count = min(count, places)
        flat = self.array_rng.permutation(places)[:count]
        indices = []
        for axis in np.unravel_index(flat, v.shape[:axes]):
            p = self.parameter("k", "I32", (count,), array=axis.astype(np.int32))
            indices.append(Info(p.name, "I32", (count,)))
        w = self.parameter("w", v.dtype, (count,) + v.shape[axes:])
        self.tile(v.rank)
        return self.inplace(v, "index_put_", [Info(w.name, v.dtype, w.shape)] + indices,
                            {"accumulate": self.rng.random() < 0.4})

    def struck(self):
        """scatter_ and index_add_."""
        v = self.place(("F16", "BF16", "F32", "I16", "I32"))
        if not v:
            return None
        axis = self.rng.randrange(v.rank)
        count = self.rng.randint(1, v.shape[axis])
        order = self.array_rng.permutation(v.shape[axis])[:count].astype(np.int32)
        shape = v.shape[:axis] + (count,) + v.shape[axis + 1:]
        self.tile(v.rank, exact=True)
        if self.rng.random() < 0.5:
            p, w = self.parameter("k", "I32", (count,), array=order), self.parameter("w", v.dtype, shape)
            return self.inplace(v, "index_add_", [Info(p.name, "I32", p.shape),
                                                  Info(w.name, v.dtype, shape)], {"dim": axis})
        lines = np.moveaxis(np.broadcast_to(order, shape[:axis] + shape[axis + 1:] + (count,)), -1, axis)
        p = self.parameter("k", "I32", shape, array=np.ascontiguousarray(lines))
        return self.inplace(v, "scatter_", [Info(p.name, "I32", shape), ["n", 1.5]],
                            {"dim": axis, "reduce": self.rng.choice([None, "add", "multiply"])})
