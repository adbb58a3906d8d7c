"""A slow, direct interpreter of kernel descriptions.

A kernel is a `Kernel`: parameters and a list of statements, each a list whose first entry is its
kind (the table STATEMENTS at the end names all). Integer expressions are ints or lists:
["v", name], ["dim", parameter, axis], ["begin", index], ["end", index], [operator, left, right].
Nothing is recorded here: loops run iteration by iteration, conditions take one side. What the
recording of 9.1 does to the meaning (state carried by slots only, names of a loop body that the next
iteration does not see) is expressed by copying the names at the start of each iteration; after the
loop its own names are those of the last iteration. The front end of 9.2 treats names as Python does.
"""
import numpy as np

import conversions as conv
import elementwise as ew
import reductions as red
import shaping
from chains import compute, lists
from value import Alias, Fault, Slot, Unsure, Value


class Parameter:
    """`dynamic`: axes annotated as such. `data`: the array in the oracle's storage type."""

    def __init__(self, name, dtype, data, dynamic=(), output=False):
        self.name, self.dtype, self.data = name, dtype, data
        self.dynamic, self.output = tuple(dynamic), output

    @property
    def shape(self):
        return self.data.shape


class Kernel:
    def __init__(self, name, parameters, body, code=None):
        """`code`: for kernels that must be rejected, a tuple of codes of which one is right."""
        self.name, self.parameters, self.body, self.code = name, parameters, body, code


class Sym(int):
    """An integer the kernel sees as a symbolic scalar: its division truncates."""


def _quotient(a, b):
    if b == 0:
        raise Unsure("division by zero")
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


ARITHMETIC = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
    "min": min, "max": max, "//": _quotient, "%": lambda a, b: a - b * _quotient(a, b),
    "==": lambda a, b: int(a == b), "!=": lambda a, b: int(a != b), "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b), ">": lambda a, b: int(a > b), ">=": lambda a, b: int(a >= b)}


def group_starts(start, stop, step, factors):
    """The indexes with which a recorded body begins: unrolled, it has several iterations. A factor goes as far
    as whole steps of it do."""
    starts = set()
    for factor in sorted({1, *factors}, reverse=True):
        wide = step * factor
        end = stop if factor == 1 else stop - (stop - start) % wide
        while start < end:
            starts.add(start)
            start += wide
    return starts


class Interpreter:
    def __init__(self, kernel, target):
        self.kernel, self.target, self.wide = kernel, target, lists(target)
        self.loops = {}
        self.parameters = {}
        self.steps = 0
        self.piece = 0  # of a body: operations between two loops

    def run(self):
        """→ {name: (data, defined)} of the output parameters' buffers."""
        if self.kernel.code:
            raise Fault(self.kernel.code)
        names = {}
        for p in self.kernel.parameters:
            value = Value(p.dtype, p.data.copy())
            names[p.name] = Slot(p.dtype, p.shape, value, True)
            self.parameters[p.name] = p
        with np.errstate(all="ignore"):
            self.block(self.kernel.body, names)
        result = {}
        for p in self.kernel.parameters:
            data, defined = names[p.name].buffer
            result[p.name] = (data.reshape(p.shape), defined.reshape(p.shape))
        return result

    def block(self, statements, names):
        for s in statements:
            self.steps += 1
            if self.steps > 20000:
                raise Unsure("too long")
            STATEMENTS[s[0]](self, names, *s[1:])

    # integers

    def number(self, e, names):
        if isinstance(e, int):
            return e
        if e[0] == "v":
            return names[e[1]]
        if e[0] == "dim":
            size = self.parameters[e[1]].shape[e[2]]
            return Sym(size) if e[2] in self.parameters[e[1]].dynamic else size
        if e[0] in ("begin", "end"):
            start, stop, step = self.loops[e[1]]
            at = names[e[1]]
            return Sym(at == start if e[0] == "begin" else at >= stop - step)
        a, b = self.number(e[1], names), self.number(e[2], names)
        symbolic = isinstance(a, Sym) or isinstance(b, Sym)
        if e[0] in ("//", "%") and not symbolic:
            return int(a) // int(b) if e[0] == "//" else int(a) % int(b)
        result = ARITHMETIC[e[0]](int(a), int(b))
        return Sym(result) if symbolic else result

    def numbers(self, entries, names):
        return None if entries is None else [int(self.number(e, names)) for e in entries]

    # statements

    def nothing(self, names, *_):
        """Tiles and labels have no effect on values."""

    def declare(self, names, name, dtype, shape):
        names[name] = Slot(dtype, shape)

    def let(self, names, name, e):
        names[name] = self.number(e, names)

    def move(self, names, target, source):
        names[target].move(names[source].value)

    def assemble(self, names, source, offsets, target, _form):
        value = names[source].read()
        names[target].assemble(value, self.numbers(offsets, names))

    def loop(self, names, index, start, stop, step, options, body):
        start, stop, step = (self.number(e, names) for e in (start, stop, step))
        self.loops[index] = (start, stop, step)
        inner = {}
        first_ones = group_starts(start, stop, step, options.get("unroll_list", ()))
        for at in range(start, stop, step):
            inner = names if self.target.is_new else dict(names)
            inner[index] = Sym(at)
            self.piece += at in first_ones
            self.block(body, inner)
        self.piece += 1
        for name, slot in inner.items():
            if isinstance(slot, Slot):
                names.setdefault(name, slot)

    def unrolled(self, names, index, count, start, stop, step, factors, body):
        start, stop, step = (int(self.number(e, names)) for e in (start, stop, step))
        self.loops[index] = (start, stop, step)
        for factor in sorted(factors, reverse=True):
            wide = step * factor
            end = stop - (stop - start) % wide if stop > start else start
            while start < end:
                inner = names if self.target.is_new else dict(names)
                inner[index], inner[count] = Sym(start), factor
                self.piece += 1
                self.block(body, inner)
                start += wide
        self.piece += 1

    def repeat(self, names, index, count, body):
        for k in range(self.number(count, names)):
            names[index] = k
            self.block(body, names)

    def branch(self, names, condition, then, other):
        self.block(then if self.number(condition, names) else other, names)

    def read(self, names, name, tensor, indexes):
        value = names[tensor].read()
        at = tuple(self.numbers(indexes, names))
        if any(i < 0 or i >= n for i, n in zip(at, value.shape)) or not value.defined[at]:
            raise Unsure("element read of nothing")
        names[name] = Sym(value.data[at])

    def write(self, names, tensor, indexes, e):
        slot = names[tensor]
        element = np.full((1,) * len(indexes), int(self.number(e, names)), np.int32)
        slot.assemble(Value("I32", element), self.numbers(indexes, names))

    def update(self, names, _name, tensor, index, source):
        """scatter_update of a 2-D tensor: row index[i][j] becomes the source's row i * s + j."""
        slot, rows = names[tensor], names[index].read().data.reshape(-1)
        value = names[source].read()
        for i, row in enumerate(rows.tolist()):
            line = Value(value.dtype, value.data[i:i + 1], value.defined[i:i + 1])
            slot.assemble(line, [row, 0])

    def operation(self, names, targets, op, args, attributes):
        operands = [names[a[1]].read() if a[0] == "t" else a[1] for a in args]
        if op in ("sub", "div") and not isinstance(operands[0], Value):
            # scalar - t = neg(sub(t, scalar)); scalar / t = mul(reciprocal(t), scalar)
            first, last = ("sub", "neg") if op == "sub" else ("reciprocal", "mul")
            number, tensor = operands
            middle = self.compute(names, first, [tensor, number][:2 if op == "sub" else 1], {})
            results = self.compute(names, last, [middle, number][:1 if op == "sub" else 2], {})
        else:
            results = self.compute(names, op, operands, attributes)
        results = results if isinstance(results, tuple) else (results,)
        for target, result in zip(targets, results):
            names[target] = Slot(result.dtype, result.shape, result.copy())
            names[target].value.wide = result.wide

    def inplace(self, names, target, op, args, attributes):
        """The tensor takes the value that the op computes from it."""
        operands = [names[a[1]].read() if a[0] == "t" else a[1] for a in args]
        op = {"tril_": "tril", "triu_": "triu", "index_add_": "index_add", "scatter_": "scatter"}.get(op, op)
        names[target].move(self.compute(names, op, operands, attributes))

    def atomic(self, names, source, offsets, target):
        names[target].add(names[source].read(), self.numbers(offsets, names))

    def compute(self, names, op, operands, attributes):
        return compute(lambda values: OPS[op](self, names, values, dict(attributes)), op, operands,
                       self.piece, self.wide)

    def alias(self, names, name, base, shape):
        names[name] = Alias(names[base], shape)


STATEMENTS = {
    "tile": Interpreter.nothing, "cube": Interpreter.nothing, "declare": Interpreter.declare,
    "let": Interpreter.let, "move": Interpreter.move, "assemble": Interpreter.assemble,
    "loop": Interpreter.loop, "unrolled": Interpreter.unrolled, "repeat": Interpreter.repeat,
    "if": Interpreter.branch, "read": Interpreter.read, "write": Interpreter.write,
    "update": Interpreter.update, "alias": Interpreter.alias,
    "inplace": Interpreter.inplace, "atomic": Interpreter.atomic, "op": Interpreter.operation, "raw": Interpreter.nothing}


def _view(run, names, operands, a):
    return shaping.view(operands[0], a["shape"], run.numbers(a["offsets"], names),
                        run.numbers(a.get("valid"), names))


def _full(run, names, operands, a):
    fill = a["fill"]
    if isinstance(fill, list):
        fill = int(run.number(fill, names))
    return shaping.full(a["shape"], fill, a["dtype"], run.numbers(a.get("valid"), names))


def _one(function, *keys):
    """An op over its operands and the named attributes."""
    return lambda run, names, operands, a: function(*operands, *[a[k] for k in keys])


def _unary(op):
    return lambda run, names, operands, a: ew.unary(op, operands[0])


def _binary(op):
    return lambda run, names, operands, a: ew.binary(op, *operands)


def _reduction(op):
    return lambda run, names, operands, a: red.reduce(op, operands[0], a["dim"], a["keepdim"])


def _scatter(run, names, operands, a):
    value, index, source = operands
    return shaping.scatter(value, a["dim"], index, source, a["reduce"])


def _matmul(run, names, operands, a):
    return red.matmul(operands[0], operands[1], a["dtype"], a["a_trans"], a["b_trans"],
                      operands[2] if len(operands) > 2 else None)


OPS = {
    "view": _view, "full": _full, "matmul": _matmul, "scatter": _scatter,
    "arange": _one(shaping.arange), "clone": _one(lambda v: v.copy()),
    "reshape": lambda r, n, o, a: shaping.reshape(o[0], a["shape"], r.numbers(a.get("valid"), n)),
    "transpose": _one(shaping.transpose, "dim0", "dim1"), "permute": _one(shaping.permute, "dims"),
    "unsqueeze": _one(shaping.unsqueeze, "dim"),
    "expand_clone": lambda r, n, o, a: shaping.expand(o[0], a["shape"],
                                                      r.numbers(a.get("valid"), n)),
    "concat": lambda r, n, o, a: shaping.concat(o, a["dim"]),
    "pad": _one(shaping.pad, "padding", "value"), "fillpad": _one(shaping.fillpad, "value"),
    "tril": _one(lambda v, d: shaping.triangle(v, d, True), "diagonal"),
    "triu": _one(lambda v, d: shaping.triangle(v, d, False), "diagonal"),
    "one_hot": _one(shaping.one_hot, "num_classes"),
    "gather": lambda r, n, o, a: shaping.gather(o[0], a["dim"], o[1]),
    "index_select": lambda r, n, o, a: shaping.index_select(o[0], a["dim"], o[1]),
    "cast": lambda r, n, o, a: conv.through(o[0], a["through"]) if "through" in a else ew.cast(
        o[0], a["dtype"], a["mode"], a["saturate"]),
    "where": _one(ew.where),
    "clip": _one(ew.clip), "pow": _one(ew.power), "sigmoid": _one(ew.sigmoid),
    "logical_not": _one(ew.logical_not), "softmax": _one(red.softmax, "dim"),
    "cumsum": _one(red.cumsum, "dim"), "topk": _one(red.topk, "k", "largest"),
    "argsort": _one(red.argsort, "dim", "descending"), "signbit": _one(ew.sign_bit),
    "isfinite": _one(ew.is_finite), "bitwise_not": _one(ew.invert),
    "gathermask": _one(shaping.strided, "pattern_mode"),
    "index_add": lambda r, n, o, a: shaping.index_add(
        o[0], a["dim"], o[1], o[2], a.get("alpha", 1))}
OPS.update({
    "interleave": _one(shaping.interleave), "deinterleave": _one(shaping.deinterleave),
    "sort32": _one(red.sort32), "rms_norm": _one(red.rms_norm, "epsilon"),
    "experimental.transposed_batchmatmul": lambda r, n, o, a: shaping.permute(
        red.matmul(shaping.permute(o[0], (1, 0, 2)), o[1], a["dtype"]), (1, 0, 2))})
OPS.update({
    "lrelu": _one(ew.lrelu, "negative_slope"), "prelu": _one(ew.prelu), "isnan": _one(ew.is_nan),
    "logical_and": _one(ew.logical_and), "axpy_": _one(ew.axpy, "alpha"),
    "greater": lambda r, n, o, a: ew.binary("gt", *o), "cumprod": _one(red.cumprod, "dim"),
    "var": _one(red.var, "dim", "correction", "keepdim"), "mrgsort": _one(red.mrgsort, "mergesize"),
    "zeros": lambda r, n, o, a: shaping.full(a["shape"], 0, a["dtype"]),
    "ones": lambda r, n, o, a: shaping.full(a["shape"], 1, a["dtype"]),
    "uniform": _one(conv.uniform, "shape", "key", "counter", "dtype"),
    "quantize": lambda r, n, o, a: conv.quantize(o, a["dtype"], a["axis"]),
    "dequantize": lambda r, n, o, a: conv.dequantize(o, a["dtype"], a["axis"]),
    "view_type": _one(conv.reread, "dtype"), "unpack": _one(conv.reread, "dtype"),
    "pack": _one(conv.pack), "experimental.nop": lambda r, n, o, a: o[0].copy(),
    "fill_": lambda r, n, o, a: shaping.full(o[0].shape, o[1], o[0].dtype),
    "index_put_": lambda r, n, o, a: shaping.index_put(o[0], o[1], o[2:], a["accumulate"]),
    "experimental.gather_in_ub": _one(shaping.paged, "block_size"),
    "experimental.gather_in_l1": _one(shaping.paged, "block_size", "size")})
OPS.update({op: _unary(op) for op in ew.FUNCTIONS})
OPS.update({op: _binary(op) for op in (
    "add", "sub", "mul", "div", "maximum", "minimum", "fmod", "remainder", "expand_exp_dif", "bitwise_and", "bitwise_or",
    "bitwise_xor", "gcd", "copysign", "floor_div", "hypot", "atan2", "ceil_div", "bitwise_left_shift",
    "bitwise_right_shift", *ew.COMPARISONS)})
OPS.update({op: _reduction(op) for op in ("sum", "prod", "amax", "amin", "argmax", "argmin")})
