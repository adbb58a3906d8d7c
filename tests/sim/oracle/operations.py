"""Random element-wise ops over the tensors in scope. Each method emits one op and returns the Info
of its result, or None where nothing in scope suits it."""
import numpy as np

from rounding import FLOATS
from scope import Info, Writer

NUMBERS = ("I16", "I32", "F16", "BF16", "F32")
HALF = ("F16", "BF16", "F32")
NARROW = ("I8", "U8", "I16", "I32", "F16", "BF16", "F32")
UNARY = {"exp": HALF, "sqrt": HALF, "rsqrt": HALF, "abs": HALF, "neg": NUMBERS, "reciprocal": HALF,
         "relu": NUMBERS, "log": HALF, "log2": HALF, "log10": HALF, "sin": ("F32", "F16"),
         "cos": ("F32", "F16"), "tanh": HALF, "exp2": ("I8", "U8", "I16", "I32") + HALF,
         "expm1": NUMBERS, "log1p": HALF, "erf": HALF, "erfc": HALF, "atan": HALF,
         "tan": HALF, "sinh": HALF, "cosh": HALF, "asinh": HALF, "acosh": HALF, "asin": HALF,
         "acos": HALF, "atanh": HALF, "cbrt": HALF, "sign": ("I8",) + NUMBERS,
         "round": NUMBERS, "floor": NUMBERS, "ceil": NUMBERS, "trunc": NUMBERS}
# Of these, what tensors have no method for.
NO_METHOD = ("neg", "abs", "erf", "atan", "tan", "asin", "acos", "atanh", "cbrt")
CASTS = {"F32": ("BF16", "F16", "I16", "I32", "I64"), "F16": ("F32", "I32", "I16", "I8", "U8"),
         "BF16": ("F32", "I32"), "I32": ("F32", "I16", "I64", "F16"), "I16": ("F32", "F16"),
         "I8": ("F16",), "U8": ("F16",), "I64": ("F32", "I32")}
FULL = ("F16", "BF16", "F32", "I8", "I16", "I32", "U8", "BOOL")
LIMIT = 1200


def reference(info):
    return ["t", info.name]


class Elementwise(Writer):
    def pick(self, dtypes=None, rank=None, test=None):
        """A readable tensor, the recent ones more often."""
        found = [v for v in self.readable() if (dtypes is None or v.dtype in dtypes) and
                 (rank is None or v.rank in rank) and v.rank <= 4 and (test is None or test(v))]
        if not found:
            return self.another(dtypes, rank, test) if self.rng.random() < 0.7 else None
        if self.rng.random() < 0.5:
            return found[int(len(found) * self.rng.random() ** 2)]
        return self.rng.choice(found)

    def another(self, dtypes, rank, test):
        """A new input, if one of a random shape suits."""
        if len(self.parameters) >= 10:
            return None
        dtype = self.rng.choice(dtypes or NARROW)
        shape = [self.rng.randint(1, 6) for _ in range(self.rng.choice(rank or (1, 2, 3)))]
        shape[-1] = self.rng.choice([1, 4, 8, 16, 32, self.rng.randint(1, 33)])
        info = Info("x", dtype, shape)
        if info.rank > 4 or np.prod(shape) > LIMIT or (test is not None and not test(info)):
            return None
        info.name = self.parameter("x", dtype, tuple(shape)).name
        return self.add(info)

    def op(self, op, operands, attributes, dtype, shape, valid=None, bound=None):
        """Emits target = op(operands); operands are Infos or plain entries."""
        for v in operands:
            if isinstance(v, Info):
                self.note_read(v)
        name = self.fresh()
        args = [reference(v) if isinstance(v, Info) else v for v in operands]
        self.emit("op", [name], op, args, attributes)
        return self.add(Info(name, dtype, shape, valid, bound=bound))

    def number(self, dtype):
        """A scalar operand. 16-bit floats: exact ones only, for the rules do not say whether a
        scalar is rounded before the op."""
        if dtype in FLOATS:
            exact = [0.5, -1.25, 2.0, 3.0, -0.75, 1.0, 0.125]
            return self.rng.choice(exact + ([0.1, -1e-3, 3.14159] if dtype == "F32" else []))
        return self.rng.choice([1, 2, -3, 7, 100, 3000 if dtype != "I16" else 70000])

    # element-wise

    def unary(self):
        op = self.rng.choice(sorted(UNARY))
        v = self.pick(UNARY[op])
        if not v:
            return None
        self.tile(v.rank)
        dtype = "F32" if op in ("exp2", "expm1") and v.dtype not in FLOATS else v.dtype
        form = self.rng.choice(["", "method"])
        if op == "neg" and self.rng.random() < 0.5:
            form = "minus"
        if op in NO_METHOD and form == "method":
            form = ""
        return self.op(op, [v], {"form": form}, dtype, v.shape, v.valid)

    def partner(self, v, ranks=False, axes=4):
        """A second operand that broadcasts against v."""
        def suits(w):
            if w.dtype != v.dtype or w.rank > v.rank or (w.rank != v.rank and not ranks):
                return False
            pairs = list(zip(w.shape[::-1], v.shape[::-1]))
            return (all(a == b or a == 1 for a, b in pairs) and
                    sum(a != b for a, b in pairs) <= axes)
        if self.rng.random() < 0.8:
            found = self.pick((v.dtype,), None, suits)
            if found and (found is not v or self.rng.random() < 0.3):
                return found
        if v.dtype not in FULL:
            return None
        shape = [1 if self.rng.random() < 0.25 and axes > 1 else n for n in v.shape]
        return self.constant(v.dtype, shape)

    def constant(self, dtype, shape):
        self.tile(len(shape))
        fill = self.number(dtype)
        if dtype == "BOOL":
            fill = self.rng.choice([0, 1])
        elif dtype in ("I8", "U8"):
            fill = self.rng.choice([1, 3, 7])
        elif dtype in ("I32", "F32") and self.loops and self.rng.random() < 0.5:
            fill = self.integer(signed=True)
        attributes = {"shape": list(shape), "fill": fill, "dtype": dtype}
        return self.op("full", [], attributes, dtype, shape)

    def integer(self, signed=False):
        """An expression over the loop indexes."""
        at = ["v", self.rng.choice(self.loops)]
        c = self.rng.randint(1, 5)
        kinds = [["+", at, c], ["*", at, c], ["//", at, c + 1], ["%", at, c + 1], ["min", at, c],
                 ["max", at, c], at]
        if signed:
            kinds += [["//", ["-", at, c + 2], 2], ["%", ["-", at, c + 3], 3],
                      ["-", ["*", at, 2], c], ["-", 0, at]]
        return self.rng.choice(kinds)

    def binary(self):
        op = self.rng.choice(["add", "sub", "mul"] * 2 + ["div", "maximum", "minimum"])
        v = self.pick(NUMBERS)
        if not v:
            return None
        same_rank = op in ("maximum", "minimum")
        dtype = "F32" if op == "div" and v.dtype in ("I16", "I32") else v.dtype
        operator = op in ("add", "sub", "mul", "div") and self.rng.random() < 0.6
        attributes = {"form": "operator" if operator else ""}
        self.tile(v.rank)
        if self.rng.random() < 0.35:
            sides = [v, ["n", self.number(v.dtype)]]
            swap = op in ("add", "mul", "sub") or (op == "div" and v.dtype in FLOATS)
            if swap and operator and self.rng.random() < 0.4:
                sides.reverse()
            return self.op(op, sides, attributes, dtype, v.shape, v.valid)
        w = self.partner(v, not same_rank)
        if not w:
            return None
        if same_rank and self.different(v, w):
            return None
        self.tile(v.rank)
        if self.rng.random() < 0.15 and w.rank == v.rank:
            v, w = w, v
        shape, valid = joined(v, w)
        return self.op(op, [v, w], attributes, dtype, shape, valid)

    def different(self, *values):
        """Valid extents that are not known to agree where the shapes do."""
        rank = max(v.rank for v in values)
        for axis in range(1, rank + 1):
            size = max(v.shape[-axis] for v in values)
            if len({repr(v.valid[-axis]) for v in values if v.shape[-axis] == size}) > 1:
                return True
        return False

    def compare(self):
        v = self.pick(("F16", "F32"))
        if not v:
            return None
        op = self.rng.choice(["gt", "ge", "lt", "le", "eq", "ne"])
        attributes = {"form": self.rng.choice(["operator", ""])}
        self.tile(v.rank)
        if self.rng.random() < 0.5:
            other = ["n", float(self.rng.choice([0.0, 0.5, -1.0]))]
            return self.op(op, [v, other], attributes, "BOOL", v.shape, v.valid)
        w = self.partner(v, axes=1)
        if not w or w.rank != v.rank:
            return None
        self.tile(v.rank)
        return self.op(op, [v, w], attributes, "BOOL", v.shape, joined(v, w)[1])

    def logic(self):
        v = self.pick(("BOOL", "F32", "F16", "BF16", "I32"))
        if not v:
            return None
        self.tile(v.rank, exact=True)
        return self.op("logical_not", [v], {}, "BOOL", v.shape, v.valid)

    def bits(self):
        v = self.pick(("I8", "U8", "I16"))
        if not v:
            return None
        op = self.rng.choice(["bitwise_and", "bitwise_or", "bitwise_xor"])
        w = self.partner(v, axes=0)
        if not w or w.shape != v.shape:
            return None
        self.tile(v.rank)
        return self.op(op, [v, w], {}, v.dtype, v.shape, v.valid)

    def where(self):
        v = self.pick(NUMBERS)
        condition = v and self.pick(("BOOL",), None, lambda c: c.shape == v.shape)
        if not condition or self.different(v, condition):
            return None
        self.tile(v.rank)
        sides = [v, ["n", 0.5]] if v.dtype == "F32" and self.rng.random() < 0.5 else None
        if sides and self.rng.random() < 0.3:
            sides.reverse()
        if not sides:
            w = self.partner(v)
            if not w or w.rank != v.rank or self.different(v, w, condition):
                return None
            sides = [v, w]
        self.tile(v.rank)
        return self.op("where", [condition] + sides, {}, v.dtype, v.shape, v.valid)

    def clip(self):
        v = self.pick(("F32", "I32"))
        if not v:
            return None
        self.tile(v.rank)
        low, high = (-1.5, 2.0) if v.dtype == "F32" else (-3, 9)
        bounds = self.rng.choice([[low, high], [None, high], [low, None], [high, low]])
        return self.op("clip", [v] + [["n", b] for b in bounds], {}, v.dtype, v.shape, v.valid)

    def power(self):
        v = self.pick(HALF)
        if not v:
            return None
        self.tile(v.rank)
        exponent = self.rng.choice([0.5, -0.5, 2, 3, -1, -2, 1, 0, 1.5, 4])
        return self.op("pow", [v, ["n", exponent]], {"form": self.rng.choice(["operator", ""])},
                       v.dtype, v.shape, v.valid)

    def composite(self):
        v = self.pick(HALF)
        if not v:
            return None
        self.tile(v.rank)
        if self.rng.random() < 0.5:
            return self.op("sigmoid", [v], {}, v.dtype, v.shape, v.valid)
        axis = self.rng.randrange(-v.rank, v.rank)
        return self.op("softmax", [v], {"dim": axis}, v.dtype, v.shape, v.valid)

    def cast(self):
        v = self.pick(tuple(CASTS))
        if not v:
            return None
        dtype = self.rng.choice(CASTS[v.dtype])
        self.tile(v.rank)
        mode = "NONE"
        if v.dtype in FLOATS and dtype not in FLOATS:
            mode = self.rng.choice(["NONE", "RINT", "ROUND", "FLOOR", "CEIL", "TRUNC"])
        elif v.dtype == "F32" and dtype in FLOATS:
            mode = self.rng.choice(["NONE", "RINT", "ROUND", "FLOOR", "CEIL", "TRUNC"])
            if dtype == "F16" and self.rng.random() < 0.1:
                mode = "ODD"
        return self.op("cast", [v], {"dtype": dtype, "mode": mode,
                                     "saturate": self.rng.random() < 0.4}, dtype, v.shape, v.valid)

    def rare(self):
        """Unary and binary ops of lower priority."""
        op = self.rng.choice(["signbit", "isfinite", "bitwise_not", "gcd", "copysign", "floor_div",
                              "hypot", "atan2", "ceil_div", "bitwise_left_shift",
                              "bitwise_right_shift"])
        dtypes = {"isfinite": HALF + ("I32",), "bitwise_not": ("I8", "U8", "I16", "BOOL"),
                  "gcd": ("I8", "U8", "I16", "I32"), "floor_div": HALF, "hypot": HALF,
                  "atan2": HALF, "ceil_div": ("I32",), "bitwise_left_shift": ("I16",),
                  "bitwise_right_shift": ("I16",)}.get(op, NUMBERS)
        v = self.pick(dtypes)
        if not v:
            return None
        operands = [v]
        if op.endswith("_shift"):
            operands.append(["n", self.rng.randint(0, 15)])
        elif op in ("gcd", "copysign", "floor_div", "hypot", "atan2", "ceil_div"):
            w = self.partner(v, axes=0)
            if not w or w.shape != v.shape:
                return None
            operands.append(w)
        self.tile(v.rank, exact=True)
        dtype = "BOOL" if op in ("signbit", "isfinite") else v.dtype
        return self.op(op, operands, {}, dtype, v.shape, v.valid)

    def shuffled(self):
        """Strided picks of the last axis."""
        v = self.pick(("I16", "I32", "F16", "BF16", "F32"), (2, 3),
                      lambda w: w.shape[-1] % 4 == 0 and w.full())
        if not v:
            return None
        n = v.shape[-1]
        self.tile(v.rank, exact=True, last=n)
        if self.target.pypto != "9.1":  # refuses a part of the last axis of something larger
            v = self.op("clone", [v], {}, v.dtype, v.shape)
        pattern = self.rng.randint(1, 7)
        width = n // {1: 2, 2: 2, 7: 1}.get(pattern, 4)
        return self.op("gathermask", [v], {"pattern_mode": pattern}, v.dtype,
                       v.shape[:-1] + (width,))

    def woven(self):
        """Two results: interleave, deinterleave, and the steps of sorting."""
        kind = self.rng.choice(["interleave", "deinterleave", "sort32"])
        dtypes = ("F32",) if kind == "sort32" else ("I16", "I32", "F16", "BF16", "F32")
        v = self.pick(dtypes, (1, 2, 3), lambda w: w.full() and w.shape[-1] % 2 == 0)
        if not v:
            return None
        self.tile(v.rank, exact=True, last=v.shape[-1])
        if kind == "sort32":
            if np.prod(v.shape) * 2 > LIMIT:
                return None
            return self.op(kind, [v], {}, "F32", v.shape[:-1] + (2 * v.shape[-1],))
        if kind == "interleave":
            w = self.partner(v, axes=0)
            if not w or w.shape != v.shape or not w.full():
                return None
            self.tile(v.rank, exact=True, last=v.shape[-1])
            return self.pair(kind, [v, w], v.dtype, v.shape)
        return self.pair(kind, [v], v.dtype, v.shape[:-1] + (v.shape[-1] // 2,))

    def pair(self, op, operands, dtype, shape):
        """An op with two results of one form."""
        for v in operands:
            self.note_read(v)
        names = [self.fresh(), self.fresh()]
        self.emit("op", names, op, [reference(v) for v in operands], {})
        return [self.add(Info(name, dtype, shape)) for name in names][-1]

    def normalised(self):
        """rms_norm over the last axis."""
        v = self.pick(HALF, None, lambda w: w.valid[-1] is None)
        if not v:
            return None
        self.tile(v.rank)
        return self.op("rms_norm", [v], {"epsilon": self.rng.choice([1e-6, 0.5])}, v.dtype, v.shape,
                       v.valid)

    def batched(self):
        """transposed_batchmatmul: [M, B, K] and [B, K, N]."""
        v = self.pick(("F16", "BF16"), (3,), lambda w: w.full())
        if not v:
            return None
        m, b, k = v.shape
        n = self.rng.randint(1, 16)
        if m * b * n > LIMIT:
            return None
        p = self.parameter("w", v.dtype, (b, k, n))
        self.cube()
        return self.op("experimental.transposed_batchmatmul", [v, Info(p.name, v.dtype, p.shape)],
                       {"dtype": v.dtype}, v.dtype, (m, b, n))

    def increased(self):
        """index_add with every line named once at most."""
        v = self.pick(("F16", "BF16", "F32", "I16", "I32"), (2, 3), lambda w: w.full())
        if not v:
            return None
        axis = self.rng.randrange(v.rank)

        def suits(w):
            return w.full() and w.shape[axis] <= v.shape[axis] and all(
                a == b for i, (a, b) in enumerate(zip(w.shape, v.shape)) if i != axis)
        source = self.pick((v.dtype,), (v.rank,), suits)
        if not source:
            return None
        order = self.array_rng.permutation(v.shape[axis])[:source.shape[axis]].astype(np.int32)
        p = self.parameter("k", "I32", order.shape, array=order)
        self.tile(v.rank, exact=True)
        return self.op("index_add", [v, Info(p.name, "I32", order.shape), source],
                       {"dim": axis, "alpha": 1}, v.dtype, v.shape)


def joined(v, w):
    """Shape and valid extents of a binary op."""
    rank = max(v.rank, w.rank)
    a, b = (1,) * (rank - v.rank) + v.shape, (1,) * (rank - w.rank) + w.shape
    x, y = (None,) * (rank - v.rank) + v.valid, (None,) * (rank - w.rank) + w.valid
    return (tuple(max(m, n) for m, n in zip(a, b)),
            tuple(q if m == 1 and n != 1 else p for m, n, p, q in zip(a, b, x, y)))
