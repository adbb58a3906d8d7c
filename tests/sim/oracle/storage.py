"""Inputs, views of them, and outputs of random kernels."""
import numpy as np

from indexed import Operations
from operations import LIMIT, reference
from scope import Info

DTYPES = ["F32"] * 6 + ["F16"] * 2 + ["BF16"] * 3 + ["I32"] * 3 + ["I16", "I8", "U8", "BOOL"]


class Storage(Operations):
    def __init__(self, seed, target):
        super().__init__(seed, target)
        self.sources, self.outputs = [], {}

    # inputs

    def inputs(self):
        rows = self.rng.randint(1, 40)
        for _ in range(self.rng.randint(1, 3)):
            dtype = self.rng.choice(DTYPES)
            rank = self.rng.choice([1, 2, 2, 2, 2, 3, 3, 4])
            shape = [rows if rank < 4 else self.rng.randint(1, 6)]
            while len(shape) < rank:
                largest = {1: 1, 2: 33, 3: 9, 4: 5}[rank]
                shape.append(self.rng.randint(1, largest))
            dynamic = [i for i in range(rank) if self.rng.random() < (0.6 if i == 0 else 0.1)]
            self.sources.append(self.parameter("x", dtype, tuple(shape), dynamic))
        for p in self.sources:
            if not p.dynamic and np.prod(p.shape) <= LIMIT:
                self.add(Info(p.name, p.dtype, p.shape))

    def view(self):
        """A window of an input, an output written before, or a tensor in scope."""
        kind = self.rng.random()
        if kind < 0.6 or not self.values_with_area():
            p = self.rng.choice(self.sources)
            return self.window(p.name, p.dtype, p.shape, p.dynamic, None)
        if kind < 0.75 and self.outputs:
            p = self.outputs[self.rng.choice(sorted(self.outputs))]
            if p.name in self.body.writes and (self.copies or self.loops):
                return None
            return self.window(p.name, p.dtype, p.shape, p.dynamic, p.name)
        v = self.rng.choice(self.values_with_area())
        if not v.full() or not self.may_read(v):
            return None
        return self.window(v.name, v.dtype, v.shape, (), v.base or v.name)

    def values_with_area(self):
        return [v for v in self.visible() if np.prod(v.shape) > 3]

    def window(self, name, dtype, sizes, dynamic, base):
        shape, offsets, valid = [], [], []
        for axis, size in enumerate(sizes):
            if self.rng.random() < 0.35 and axis not in dynamic:
                shape.append(size)
                offsets.append(0)
                valid.append(None)
                continue
            width = self.rng.randint(1, max(1, min(size + 3, 16)))
            offset = self.offset(width)
            low, high = self.span(offset)
            if low < 0:
                return None
            shape.append(width)
            offsets.append(offset)
            if axis in dynamic or high + width > size:
                limit = ["dim", name, axis] if axis in dynamic else size
                entry = ["min", width, ["max", ["-", limit, offset], 0]]
                self.tails[repr(entry)] = (offset, size)
                valid.append(entry)
            else:
                valid.append(None)
        if np.prod(shape) > LIMIT:
            return None
        attributes = {"shape": shape, "offsets": offsets}
        if any(valid) and self.rng.random() < 0.4:
            attributes["valid"] = [n if v is None else v for n, v in zip(shape, valid)]
        elif all(v is None for v in valid) and self.rng.random() < 0.5 and len(shape) > 1:
            attributes["form"] = "slice"
        info = Info(name, dtype, sizes, base=base)
        self.note_read(info)
        target = self.fresh()
        self.emit("op", [target], "view", [reference(info)], attributes)
        return self.add(Info(target, dtype, shape, valid, base or name))

    def offset(self, width):
        kind = self.rng.random()
        if self.loops and kind < 0.7:
            at = ["v", self.rng.choice(self.loops)]
            return self.rng.choice([["*", at, width], at, ["+", ["*", at, width], 1], ["*", at, 2],
                                    ["*", width, ["//", at, 2]], ["min", at, 3]])
        return self.rng.choice([0, 0, 0, 1, 2])

    # outputs

    def store(self):
        v = self.pick(None, None, lambda w: w.dtype != "BOOL" or True)
        if not v:
            return None
        if self.rng.random() < 0.2 and (v.full() or not (self.loops or self.branches)):
            return self.whole(v)
        offsets, sizes, dynamic = [], [], []
        loops = list(self.loops)
        for axis, (n, valid) in enumerate(zip(v.shape, v.valid)):
            tail = self.tails.get(repr(valid)) if valid is not None else None
            if tail and self.rng.random() < 0.8:
                offset, size = tail
                dynamic.append(axis)
            elif loops and self.rng.random() < 0.6:
                offset = ["*", ["v", loops.pop()], self.rng.choice([n, n, 1])]
                size = self.span(offset)[1] + n
            else:
                offset = self.rng.choice([0, 0, 1, 3])
                size = offset + n
            if self.span(offset)[0] < 0:
                return None
            offsets.append(offset)
            sizes.append(max(size, 1))
        target = self.destination(v, sizes, dynamic)
        if not target or target == v.base or target == v.name:
            return None
        form = self.rng.choice([["call"], ["method"], ["slice", list(v.shape)]])
        if v.rank == 1 and form[0] == "slice":
            form = ["call"]
        self.note_read(v)
        self.body.writes.add(target)
        self.emit("assemble", v.name, offsets, target, form)
        return target

    def destination(self, v, sizes, dynamic):
        """An output of these sizes at least, made if there is none."""
        for name, p in sorted(self.outputs.items()):
            fits = p.dtype == v.dtype and len(p.shape) == v.rank and all(
                a >= b for a, b in zip(p.shape, sizes))
            if fits and self.may_assemble(name) and self.rng.random() < 0.5:
                return name
        if len(self.outputs) >= 5 or np.prod(sizes) > 20000:
            return None
        sizes = [n + self.rng.choice([0, 0, 2]) if i not in dynamic else n
                 for i, n in enumerate(sizes)]
        if not self.loops or self.rng.random() < 0.3:
            dynamic = dynamic + [i for i in range(len(sizes)) if i not in dynamic]
        p = self.parameter("y", v.dtype, tuple(sizes), dynamic, True)
        self.outputs[p.name] = p
        return p.name

    def whole(self, v):
        """y[:] = v"""
        if len(self.parameters) >= 14:
            return None
        shape, larger = list(v.shape), not self.loops and v.full() and self.rng.random() < 0.2
        shape[0] += 3 * larger
        p = self.parameter("y", v.dtype, tuple(shape), (), True)
        if not larger:  # otherwise later reads would see the value's shape
            self.outputs[p.name] = p
        self.note_read(v)
        self.body.writes.add(p.name)
        self.emit("move", p.name, v.name)
        return p.name
