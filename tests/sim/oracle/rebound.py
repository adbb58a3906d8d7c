"""Names that get another value in a loop or on one side of a condition: the front end of 9.2 carries them."""
from operations import NUMBERS, reference
from storage import Storage


class Rebound(Storage):
    def __init__(self, seed, target):
        super().__init__(seed, target)
        self.counters = []  # names of numbers

    def carried(self):
        """For the front end of 9.2: a name of outside gets another value, in a loop or on one side of a
        condition, and is used on as before."""
        names = [v for v in self.visible() if v not in self.scope.values and not v.slot and v.base is None and
                 v.dtype in NUMBERS and v.name.startswith("v") and v.rank <= 4 and self.may_read(v)]
        if not self.target.is_new or not names:
            return None
        v = self.rng.choice(names)
        w = self.partner(v, axes=0)
        if not w or w.shape != v.shape or self.different(v, w):
            return None
        self.tile(v.rank)
        self.note_read(v)
        self.note_read(w)
        v.bound = None
        self.emit("op", [v.name], self.rng.choice(["add", "sub", "maximum"]), [reference(v), reference(w)],
                  {"form": ""})
        return v

    def counted(self):
        """The same for a number: it counts, and fills a tensor."""
        if not self.target.is_new:
            return None
        if not self.counters or not (self.loops or self.branches):
            if not self.loops and not self.branches:
                self.counters.append(self.fresh("n"))
                self.emit("let", self.counters[-1], self.rng.randint(0, 3))
            return None
        name = self.rng.choice(self.counters)
        by = ["v", self.rng.choice(self.loops)] if self.loops and self.rng.random() < 0.5 else 1
        self.emit("let", name, ["+", ["v", name], by])
        return name

    def filled(self):
        """A tensor of a number that was counted."""
        if not self.counters:
            return None
        dtype, shape = self.rng.choice(["I32", "F32"]), [self.rng.randint(1, 5), 8]
        self.tile(2)
        return self.op("full", [], {"shape": shape, "fill": ["v", self.rng.choice(self.counters)],
                                    "dtype": dtype}, dtype, shape)
