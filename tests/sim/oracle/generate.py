"""Random legal kernels: loops, conditions, views with tails, carried tensors and outputs around the
ops of operations.py. `generate(seed, target)` is a function of both alone."""
import numpy as np

from indexed import WEIGHTS
from operations import FULL, LIMIT, NUMBERS, joined, reference
from oracle import Kernel
from rebound import Rebound
from scope import Body, Info


class Generator(Rebound):
    def __init__(self, seed, target):
        super().__init__(seed, target)
        self.depth, self.bodies = 0, []
        self.conditions = [3]  # symbolic conditions still allowed, per body: each doubles its paths

    # control flow

    def loop(self):
        if self.depth >= 3:
            return None
        start, stop, step = self.bounds()
        try:
            low, high = self.span(start)[0], self.span(stop)[1] - 1
        except KeyError:
            return None
        if high - low > 25 * step:
            return None
        index = self.fresh("i")
        self.ranges[index] = (min(low, max(high, low)), max(low, high))
        options, body = {}, []
        if self.rng.random() < 0.2:
            options["unroll_list"] = self.rng.choice([[4, 2], [2], [3, 1], [8, 4, 2, 1]])
        if self.rng.random() < 0.15:
            options["submit_before_loop"] = True
        if self.rng.random() < 0.15:
            options["idx_name"] = "idx_" + index
        most = max(options.get("unroll_list", [1]))
        whole = isinstance(stop, int) and isinstance(start, int) and (stop - start) % step == 0
        if (step == 1 or whole) and "unroll_list" not in options and self.rng.random() < 0.15:
            self.unrolled(index, start, stop, step)
            return index
        carried = self.carry(most == 1) if self.rng.random() < 0.5 else None
        self.emit("loop", index, start, stop, step, options, body)
        self.enter(body, index, "unroll_list" in options, 3 if most == 1 else most == 2)
        self.some(self.rng.randint(2, 5))
        if carried:
            self.advance(carried, index)
        if self.rng.random() < 0.25:
            self.last(index)
        if self.rng.random() < 0.8:
            self.store()
        self.exit("unroll_list" in options)
        return index

    def enter(self, body, index, copies, conditions):
        self.inside(body)
        self.loops.append(index)
        self.bodies.append(self.body)
        self.body, self.copies = Body(), self.copies + copies
        self.conditions.append(conditions)
        if self.copies:  # the next copy of the body begins with the tile this one ends with
            self.scope.tile = None
        self.depth += 1

    def exit(self, copies):
        self.leave()
        self.loops.pop()
        outer = self.bodies.pop()
        self.copies -= copies
        # the rest is a body of its own, but in a copied one it stands beside the next copy's start
        self.body = outer if self.copies else Body()
        self.conditions.pop()
        self.depth -= 1

    def unrolled(self, index, start, stop, step):
        """loop_unroll: a Python loop over the factor inside."""
        count, k, at = self.fresh("f"), self.fresh("q"), self.fresh("i")
        factors = self.rng.choice([[4, 1], [2, 1], [4, 2, 1]])
        body, inner = [], []
        carried = self.carry(False) if self.rng.random() < 0.5 else None
        self.emit("unrolled", index, count, start, stop, step, factors, body)
        self.ranges[at] = self.ranges[index]
        self.ranges[count], self.ranges[k] = (1, 4), (0, 3)
        self.enter(body, at, True, 0)
        self.emit("repeat", k, ["v", count], inner)
        self.inside(inner)
        self.emit("let", at, ["+", ["v", index], ["*", ["v", k], step]])
        self.some(self.rng.randint(1, 4))
        if carried:
            self.combine(carried)
        self.store()
        self.leave()
        self.exit(True)

    def bounds(self):
        kind = self.rng.random()
        if kind < 0.4:
            p = self.rng.choice(self.sources)
            width = self.rng.choice([2, 4, 8, 16])
            return 0, ["//", ["+", ["dim", p.name, 0], width - 1], width], 1
        if kind < 0.5 and self.loops:
            at = ["v", self.rng.choice(self.loops)]
            return self.rng.choice([(0, ["+", at, 1], 1), (at, ["+", at, 3], 1)])
        start = self.rng.choice([0, 0, 1, 3])
        return start, start + self.rng.choice([0, 1, 2, 3, 4, 5, 7]), self.rng.choice([1, 1, 2, 3])

    def condition(self):
        if self.loops and self.rng.random() < 0.8:
            at = self.rng.choice(self.loops)
            symbol = ["v", at]
            kinds = [["==", symbol, 0], ["<", symbol, 2], ["==", ["%", symbol, 2], 1],
                     [">=", ["*", symbol, 2], 3], ["!=", symbol, 1]]
            # The front end of 9.2 compares with the bounds of the innermost loop.
            innermost = at == self.loops[-1] or not self.target.is_new
            if innermost and not self.copies:
                kinds += [["begin", at], ["end", at]] * 2
            return self.rng.choice(kinds)
        dynamic = [p for p in self.sources if 0 in p.dynamic]
        if not dynamic:
            return None
        size = ["dim", self.rng.choice(dynamic).name, 0]
        return self.rng.choice([[">", size, 10], ["==", ["%", size, 2], 0], ["<=", size, 16]])

    def keep_accesses(self, before):
        """A loop of one side parts the body; the other side has none."""
        if self.body is not before:
            self.body.reads |= before.reads
            self.body.writes |= before.writes

    def branch(self):
        condition = self.condition()
        if condition is None or self.branches >= 2 or self.conditions[-1] <= 0:
            return None
        self.conditions[-1] -= 1
        then, other = [], []
        self.emit("if", condition, then, other)
        self.branches += 1
        v = self.pick(("F32", "F16", "BF16", "I32")) if self.rng.random() < 0.5 else None
        name, before = self.fresh(), self.body
        for statements in (then, other) if v or self.rng.random() < 0.6 else (then,):
            self.keep_accesses(before)
            self.inside(statements)
            self.some(self.rng.randint(0 if v else 1, 2), loops=self.rng.random() < 0.3)
            if v:
                self.tile(v.rank)
                self.note_read(v)
                self.emit("op", [name], self.rng.choice(["add", "mul", "sub"]),
                          [reference(v), ["n", self.rng.choice([1, 2, 3])]], {"form": "operator"})
            changed = self.scope.tile != self.scope.parent.tile
            # A view of the branch is gone behind it, but its path has read the tensor.
            self.body.reads |= {info.base for info in self.visible() if info.base}
            self.leave()
            if changed:  # whether the setting outlives the branch is not what is tested here
                self.scope.tile = None
        self.branches -= 1
        self.keep_accesses(before)
        if v:
            return self.add(Info(name, v.dtype, v.shape, v.valid))
        return name

    # carried tensors

    def carry(self, declared):
        """A tensor made before a loop, updated in it: filled, or declared and written first."""
        dtype = self.rng.choice(["F32", "F32", "F32", "I32", "BF16", "F16"])
        like = self.pick((dtype,), None, lambda v: v.full())
        shape = like.shape if like else (self.rng.randint(1, 8), self.rng.randint(1, 16))
        if not declared or self.rng.random() < 0.5:
            v = self.constant(dtype, shape)
            v.slot = True
            return v
        partly = self.pick(("F32", "I32", "BF16"), None, lambda v: not v.full())
        if partly and self.rng.random() < 0.4:
            name = self.fresh("a")
            self.emit("declare", name, partly.dtype, list(partly.shape))
            self.note_read(partly)
            self.emit("move", name, partly.name)
            return self.add(Info(name, partly.dtype, partly.shape, partly.valid, slot=True))
        name = self.fresh("a")
        self.emit("declare", name, dtype, list(shape))
        info = Info(name, dtype, shape, slot=True)
        if self.rng.random() < 0.3:
            source = self.partner(Info("", dtype, shape), axes=0)
            if source and source.shape == tuple(shape):
                self.note_read(source)
                self.emit("move", name, source.name)
                self.add(info)
        return info

    def plain(self, info):
        return any(v is info for v in self.visible())

    def advance(self, info, index):
        """The update at the end of a body."""
        if self.plain(info):
            self.combine(info)
            return
        then, other = [], []
        self.emit("if", ["begin", index], then, other)
        self.branches += 1
        self.inside(then)
        start = self.constant(info.dtype, info.shape)
        self.emit("move", info.name, start.name)
        self.leave()
        self.inside(other)
        self.combine(info)
        self.leave()
        self.scope.tile = None
        self.branches -= 1
        self.scope.parent.values.append(info)

    def combine(self, info):
        """acc[:] = acc op t"""
        w = self.partner(info, True)
        if not w or w.rank > info.rank:
            return
        self.tile(info.rank)
        v = self.op(self.rng.choice(["add", "sub", "mul", "add"]), [info, w], {"form": "operator"},
                    info.dtype, *joined(info, w))
        if not self.viewed(info.name):
            self.emit("move", info.name, v.name)
        if self.rng.random() < 0.3:
            self.scope.values.remove(v)

    def rebound(self):
        """A local tensor takes a value of another shape or dtype, sometimes unwritten between."""
        slots = [v for v in self.scope.values if v.slot and not self.viewed(v.name)]
        v = self.pick(None, None, lambda w: not w.slot)
        if self.loops or self.branches or not slots or not v:
            return None
        slot = self.rng.choice(slots)
        if self.rng.random() < 0.4:
            empty = self.fresh("e")
            self.emit("declare", empty, slot.dtype, list(slot.shape))
            self.emit("move", slot.name, empty)
        self.note_read(v)
        self.emit("move", slot.name, v.name)
        slot.dtype, slot.shape, slot.valid, slot.bound = v.dtype, v.shape, v.valid, v.bound
        return slot

    def patched(self):
        """A local tensor takes a value, then a piece of it is written in place: the value itself
        stays as it was."""
        v = self.pick(None, (2, 3), lambda w: w.full() and w.shape[0] > 1)
        if not v or not self.may_read(v):
            return None
        name = self.fresh("a")
        shape = (self.rng.randint(1, v.shape[0] - 1),) + v.shape[1:]
        if v.dtype not in FULL:
            return None
        piece = self.constant(v.dtype, shape)
        self.emit("declare", name, v.dtype, list(v.shape))
        self.note_read(v)
        self.emit("move", name, v.name)
        offsets = [v.shape[0] - shape[0]] + [0] * (v.rank - 1)
        self.emit("assemble", piece.name, offsets, name, ["call"])
        self.body.writes.add(name)
        self.add(Info(name, v.dtype, v.shape))
        self.keep(v)
        return name

    def keep(self, v):
        """Stores that value, so that it is compared."""
        picked, self.pick = self.pick, lambda *_: v
        self.store()
        self.pick = picked

    def shadowed(self):
        """A name of outside the loop, bound again in it: the next iteration sees the outer one."""
        outer = [v for v in self.visible() if v not in self.scope.values and not v.slot and
                 v.dtype in NUMBERS and v.name.startswith("v") and v.rank <= 4 and self.may_read(v)]
        if self.copies or self.branches or not self.loops or not outer:
            return None
        v = self.rng.choice(outer)
        self.tile(v.rank)
        self.note_read(v)
        self.emit("op", [v.name], "add", [reference(v), ["n", 1]], {"form": "operator"})
        scope = self.scope.parent
        while scope:  # after the loop the name is not to be used
            if v in scope.values:
                scope.values.remove(v)
            scope = scope.parent
        self.keep(self.add(Info(v.name, v.dtype, v.shape, v.valid)))
        return v

    def last(self, index):
        """Something that only the last iteration stores."""
        if self.conditions[-1] <= 0 or self.copies:
            return
        self.conditions[-1] -= 1
        then = []
        self.emit("if", ["end", index], then, [])
        self.branches += 1
        self.inside(then)
        self.store()
        self.leave()
        self.branches -= 1

    # statements

    def element(self):
        """A symbol read from an integer tensor, usable like a loop index."""
        array = self.array_rng.integers(0, 5, (7, 3)).astype(np.int32)
        p = self.parameter("t", "I32", (7, 3), (0,) if self.rng.random() < 0.3 else (), array=array)
        name = self.fresh("s")
        first = self.rng.randint(0, 6)
        if self.loops:
            first = ["%", ["v", self.rng.choice(self.loops)], 7]
        self.emit("read", name, p.name, [first, self.rng.randint(0, 2)])
        self.ranges[name] = (0, 4)
        return name

    def symbol(self):
        """Statements that use an element read: a full of it, and a window at it."""
        name = self.element()
        self.loops.append(name)
        self.constant(self.rng.choice(["I32", "F32"]), [self.rng.randint(1, 4), 8])
        self.view()
        self.loops.pop()
        return name

    def pieces(self):
        """A local tensor put together by a loop and read after it."""
        v = self.pick(("F32", "F16", "BF16", "I32"), (2, 3))
        if not v or not v.full() or self.depth >= 2:
            return None
        times = self.rng.randint(1, 4)
        shape = (v.shape[0] * times,) + v.shape[1:]
        if np.prod(shape) > LIMIT:
            return None
        name, index, body = self.fresh("a"), self.fresh("i"), []
        if self.rng.random() < 0.5:
            self.emit("declare", name, v.dtype, list(shape))
        else:
            self.tile(v.rank)
            self.emit("op", [name], "full", [], {"shape": list(shape), "fill": 2, "dtype": v.dtype})
        self.ranges[index] = (0, times - 1)
        self.emit("loop", index, 0, times, 1, {}, body)
        self.enter(body, index, False, 2)
        part = self.partner(v, axes=0) if self.rng.random() < 0.5 else v
        if part is None or part.shape != v.shape or not part.full():
            part = v
        self.tile(v.rank)
        w = self.op("add", [part, ["n", 1]], {"form": "operator"}, v.dtype, v.shape)
        self.emit("assemble", w.name, [["*", ["v", index], v.shape[0]]] + [0] * (v.rank - 1), name,
                  ["call"])
        self.exit(False)
        return self.add(Info(name, v.dtype, shape))

    def chained(self):
        """Some operations in a row on a 16-bit tensor; only the last result is stored."""
        v = self.pick(("BF16", "BF16", "F16"), (1, 2, 3))
        if not v or not self.may_read(v):
            return None
        for _ in range(self.rng.randint(2, 4)):
            self.tile(v.rank)
            if v.dtype == "BF16" and self.rng.random() < 0.4:
                op = self.rng.choice(["exp", "abs", "neg", "sqrt", "reciprocal", "sinh", "tanh", "lrelu", "log",
                                      "rsqrt", "relu"])
                how = {"negative_slope": 0.3} if op == "lrelu" else {"form": ""}
                v = self.op(op, [v], how, v.dtype, v.shape, v.valid)
                continue
            other = self.partner(v, axes=0) if self.rng.random() < 0.6 else None
            number = ["n", self.number(v.dtype)]
            if other is None or other.shape != v.shape or not other.full():
                other = number
            op = self.rng.choice(["add", "sub", "mul", "maximum", "div", "fmod", "remainder"])
            self.tile(v.rank)
            v = self.op(op, [v, other], {"form": ""}, v.dtype, v.shape, v.valid)
        self.keep(v)
        return v

    def aliased(self):
        """An output that is filled through its reshape in place, made in a loop of its own."""
        v = self.pick(("F32", "F16", "BF16", "I32"), (2,), lambda w: w.full())
        if not v or self.depth >= 2 or self.copies or self.branches or len(self.outputs) >= 5:
            return None
        times, (rows, columns) = self.rng.randint(1, 3), v.shape
        dynamic = (0,) if self.rng.random() < 0.5 else ()
        p = self.parameter("y", v.dtype, (times, rows, columns), dynamic, True)
        flat, index, body = self.fresh("f"), self.fresh("i"), []
        alias = ["alias", flat, p.name, [times * rows, columns]]
        if self.rng.random() < 0.5:
            self.emit("loop", self.fresh("i"), 0, 1, 1, {}, [alias])
            self.body = Body()
        else:
            self.emit(*alias)
        self.ranges[index] = (0, times - 1)
        self.emit("loop", index, 0, times, 1, {}, body)
        self.enter(body, index, False, 0)
        self.tile(2)
        w = self.op("add", [v, ["n", 1]], {"form": "operator"}, v.dtype, v.shape)
        self.emit("assemble", w.name, [["*", ["v", index], rows], 0], flat, ["call"])
        self.exit(False)
        if not self.loops:
            self.outputs[p.name] = p  # others may view it, or write it
        return p

    def local(self):
        """A tensor made in a loop, used behind it: what the last iteration gave it."""
        v = self.pick(NUMBERS, (1, 2, 3))
        if not v or self.depth >= 2 or self.copies or self.branches:
            return None
        times, index, body = self.rng.randint(1, 3), self.fresh("i"), []
        self.ranges[index] = (0, times - 1)
        self.emit("loop", index, 0, times, 1, {}, body)
        self.enter(body, index, False, 0)
        self.tile(v.rank)
        w = self.op("add", [v, ["n", 1]], {"form": "operator"}, v.dtype, v.shape, v.valid)
        if v.dtype in ("I32", "F32"):
            fill = self.constant(v.dtype, list(v.shape))
            w = self.op("mul", [w, fill], {"form": "operator"}, v.dtype, v.shape, v.valid)
        self.exit(False)
        self.tile(w.rank)
        self.add(w)
        self.keep(self.op("sub", [w, ["n", 2]], {"form": "operator"}, w.dtype, w.shape, w.valid))
        return w

    def some(self, count, loops=True):
        """A few random statements."""
        for _ in range(count):
            kind = self.rng.random()
            if kind < 0.17:
                self.view()
            elif kind < 0.25 and loops:
                self.loop()
            elif kind < 0.33 and self.branches < 2:
                self.branch()
            elif kind < 0.36:
                self.symbol()
            elif kind < 0.39 and not self.branches:
                self.pieces()
            elif kind < 0.44:
                self.store()
            elif kind < 0.46:
                self.rebound()
            elif kind < 0.48:
                self.patched()
            elif kind < 0.51:
                self.shadowed()
            elif kind < 0.54:
                self.chained()
            elif kind < 0.56:
                self.aliased()
            elif kind < 0.58:
                self.local()
            elif kind < 0.7 and self.target.is_new:
                self.rng.choice([self.carried, self.carried, self.counted, self.counted, self.filled])()
            else:
                for _ in range(3):
                    name = self.rng.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
                    if getattr(self, name)():
                        break

    def kernel(self, name):
        self.inputs()
        self.view()
        self.counted()
        for _ in range(3):  # some operations are rare otherwise
            getattr(self, self.rng.choice(list(WEIGHTS)))()
        self.some(self.rng.randint(2, 7))
        for _ in range(self.rng.randint(1, 3)):
            self.loop()
        self.some(self.rng.randint(0, 4))
        for _ in range(3):
            self.store()
        if not self.outputs:
            self.constant("F32", [4, 8])
            self.store()
        return Kernel(name, self.parameters, self.statements)


def generate(seed, target):
    return Generator(seed, target).kernel("kernel %d" % seed)
