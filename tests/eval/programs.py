"""Random programs of the evaluator's part of Python: numbers, lists, dicts, functions, closures, classes, texts."""

NAMES = ("a", "b", "c", "d", "e")
HEADER = """\
from outside import unknown, some, mutate
import functools, itertools, math, operator
from collections import namedtuple
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from types import SimpleNamespace
from typing import NamedTuple
"""


class Program:
    """Writes one random program."""

    def __init__(self, rng):
        self.rng = rng
        self.lines = []
        self.functions = []
        self.objects = []  # names of instances, with the attributes that each surely has
        self.makers = []  # expressions that make another instance of that kind
        self.tables = False  # are there tables of items?

    # --- expressions

    def expression(self, depth=0):
        rng = self.rng
        pick = rng.randrange(26 if depth < 3 else 5)
        name = rng.choice(NAMES)
        a, b = [self.expression(depth + 1) for _ in range(2)] if pick >= 5 else ["1", "1"]
        if pick < 3:
            return name
        if pick < 5:
            return rng.choice(["0", "1", "2", "-3", "7", "True", "False", "None", "'s'", "2.5", "[]"])
        if pick < 9:
            return f"({a} {rng.choice(['+', '-', '*', '//', '%', '/', '|', '&', '<<'])} {b})"
        if pick < 11:
            return f"({a} {rng.choice(['==', '!=', '<', '<=', '>', '>=', 'is', 'is not'])} {b})"
        if pick < 20:
            return [f"[{a}, {b}]", f"({a} and {b})", f"({a} or {b})", f"(not {a})",
                    f"({a} if {b} else {name})", f"({a}, {b})[{rng.randrange(-2, 2)}]",
                    f"min({rng.randrange(9)}, {rng.randrange(9)})",
                    f"len([{a}, *range({rng.randrange(4)})])",
                    self.call(a, b)][pick - 11]
        return [self.attribute, self.text, self.builtin, self.comprehension, self.attribute,
                self.item][pick - 20](a, b)

    def call(self, a, b):
        if not self.functions:
            return f"[{a} for i in range(3)]"
        return f"{self.rng.choice(self.functions)}({a}, {b})"

    def attribute(self, a, _b):
        if not self.objects:
            return a
        name, members = self.rng.choice(self.objects)
        return f"{name}.{self.rng.choice(members)}"

    def text(self, a, _b):
        n = self.rng.randrange(9)
        return self.rng.choice([
            f"f'x{{{n}}}_{{{self.rng.choice(NAMES)}}}'", f"f'{{{n}!r}}{{{n}:3d}}|'", f"str({n})", f"str({a})",
            "'a,b'.split(',')", "'-'.join(['p', 'q'])", "'Ab'.upper()", "' s '.strip()",
            "'x_y'.replace('_', '')", "'tile'.startswith('ti')", "'tile'[1:3]", "'tile'[::-1]", f"int('{n}')",
            "'b' in 'abc'", "'a b  c'.split()"])

    def builtin(self, a, _b):
        n = self.rng.randrange(1, 5)
        return self.rng.choice([
            f"sum([{n}, 2])", f"sorted([3, {n}, 2], reverse={self.rng.choice(['True', 'False'])})",
            f"any([{a}, 0])", f"all([1, {a}])", f"list(zip([1, 2], [{a}, {n}]))",
            f"list(enumerate([{a}], {n}))", f"divmod(17, {n})", f"round({n} / 2)", f"abs(-{n})",
            f"isinstance({a}, (int, str))", f"isinstance({a}, list)", "list(reversed(lst))", "tuple(lst)",
            "len(lst)", "max([1, 5])", f"pow({n}, 2)", f"dict(p={n}, q=2)", "list(dct.items())", "list(dct)",
            f"math.ceil({n} / 2)", f"math.gcd(12, {n})", f"math.prod([{n}, 3])", f"operator.mul({n}, 3)",
            f"functools.reduce(lambda p, q: p * 2 + q, [{n}, 2, 3])", f"len({{1, {n}}})",
            f"sorted({{3, {n}}})", f"{n} in {{1, 2}}", f"dct.get({n % 3})", f"dct.get({n}, {a})",
            f"list(map(lambda p: [p, {n}], [{n}, {a}]))", "list(map(str, [1, 2]))", "list(map(lambda p, q: p, lst, 'xy'))",
            f"sorted([(3, {a}), ({n}, 1), (3, 2)], key=lambda p: p[0])", "sorted(['bb', 'a', 'cc'], key=len, reverse=True)",
            f"list(itertools.product((1, {a}), 'xy'))", "list(itertools.product([0, 1], repeat=2))",
            "list(itertools.chain([1], lst, (2,)))", "[p for p, q in itertools.product(lst, lst)]",
            "list(itertools.chain.from_iterable([[1], lst]))", f"{{1: {a}}} | dct", f"dct | {{{n}: 2}}", f"2 * [{a}]",
            "(lambda *p: p)(*dct)", "(lambda *p: p)(*dct.values())", "(lambda *p: p)(*map(str, (1, 2)), 3)",
            f"getattr(lst, 'nothing', {n})", f"bool({a})", f"float({n})", f"int({n}.75)", f"slice({n})"])

    def comprehension(self, a, b):
        return self.rng.choice([
            f"{{i: {a} for i in range(2)}}", "sorted({i % 2 for i in range(4)})", f"[i for i in (1, 2, 3) if i > {b}]",
            "[(i, j) for i in range(2) for j in range(i + 1)]", "sum(i * 2 for i in range(4))",
            f"any(i == {a} for i in lst)", f"max(i + {self.rng.randrange(3)} for i in (1, 4, 2))",
            "[p + q for p, q in zip((1, 2), (3, 4))]"])

    def item(self, a, b):
        low, high, step = (self.rng.choice(["", "0", "1", "-1", "2"]) for _ in range(3))
        step = step if step not in ("0", "") else "1"
        return self.rng.choice([f"[{a}, 2, {b}, 4][{low}:{high}:{step}]", f"(1, {a}, 3)[{low}:{high}]",
                                f"range(6)[{self.rng.randrange(-5, 5)}]", f"[{a}, {b}].count(1)", f"[1, {a}].index(1)",
                                f"[{a}].copy()"])

    # --- statements

    def target(self):
        return self.rng.choice(NAMES)

    def statement(self, indent, depth):
        rng = self.rng
        pick = rng.randrange(20 if depth < 3 else 9)
        pad = "    " * indent
        if pick < 3:
            self.lines.append(f"{pad}{self.target()} = {self.expression()}")
        elif pick == 3:
            self.lines.append(f"{pad}{self.target()} {rng.choice(['+', '-', '*'])}= {self.expression(2)}")
        elif pick == 4:
            self.lines.append(pad + rng.choice([
                f"lst.append({self.expression(2)})", f"lst.insert({rng.randrange(3)}, {self.expression(2)})",
                f"lst.extend([{self.expression(2)}])", "lst.reverse()", "lst and lst.pop()",
                "lst[-1:] and lst.pop(-1)", "mutate(lst)", "other = [lst, 1]\n" + pad + "mutate(other)"]))
        elif pick == 5:
            self.lines.append(pad + rng.choice([
                f"dct[{rng.randrange(3)}] = {self.expression(2)}", f"dct.update({{1: {self.expression(2)}}})",
                f"{self.target()} = dct.setdefault({rng.randrange(3)}, {self.expression(2)})",
                f"{self.target()} = dct.pop({rng.randrange(3)}, {self.expression(2)})", "mutate(dct)",
                f"dct |= {{{rng.randrange(3)}: {self.expression(2)}}}"]))
        elif pick < 8 and self.tables and rng.random() < 0.3:
            self.choice_statement(pad)
        elif pick < 8:
            self.object_statement(pad)
        elif pick == 8:
            self.lines.append(pad + rng.choice([f"first, *rest = [{self.expression(2)}, 2, 3]\n{pad}a = rest",
                                                f"*rest, {self.target()} = (1, {self.expression(2)})\n{pad}b = rest",
                                                f"{self.target()} = {self.target()} = {self.expression(2)}",
                                                f"lst[:2] and lst.__setitem__(0, {self.expression(2)})",
                                                f"{self.target()} = lst is lst, lst is other_list"]))
        else:
            self.compound(pick, indent, depth, pad)

    def object_statement(self, pad):
        rng = self.rng
        if not self.objects:
            self.lines.append(f"{pad}{self.target()} = {self.expression()}")
            return
        name, members = rng.choice(self.objects)
        changing = [one for one in self.objects if one[0].startswith("o")]
        choices = [f"{self.target()} = {name}.{rng.choice(members)}", f"{self.target()} = {rng.choice(self.makers)}"]
        if changing:
            name, _ = rng.choice(changing)
            choices += [f"setattr({name}, 'x', {self.expression(2)})", f"{name}.x = {self.expression(2)}", f"{name}.x += 1", f"mutate({name})",
                        f"alias = {name}\n{pad}alias.x = {self.expression(2)}", f"lst.append({name}.x)",
                        f"{name}.new = {self.expression(2)}\n{pad}{self.target()} = hasattr({name}, 'new')"]
        self.lines.append(pad + rng.choice(choices))

    def choice_statement(self, pad):
        """An item of a table under a key that the evaluator cannot know, and what may change it."""
        rng = self.rng
        value = self.expression(2)
        use = [f"{self.target()} = one.rows", f"one.rows = {value}", "one.cols += 1", "mutate(one)", "one.grow()",
               f"setattr(one, 'cols', {value})", f"{self.target()} = getattr(one, 'rows')", "del one.rows",
               f"sizes[1].rows = {value}", "lst.append(one)", f"{self.target()} = one.cols, one.kind",
               f"one.kind = [{value}]\n{pad}one.kind.append(2)", f"alias = one\n{pad}alias.rows = {value}",
               f"one = replace(one, rows={value})"] if rng.random() < 0.5 else [
               f"{self.target()} = some_list[0]", f"some_list.append({value})", f"some_list += [{value}]",
               f"some_list[0] = {value}", "mutate(some_list)", f"lists[1].append({value})", "dct[1] = some_list",
               f"for {self.target()} in some_list:\n{pad}    some_list[0] = 9", f"{self.target()} = some_list + [1]",
               f"{self.target()} = some_list[:1]", "lists[0].append([1])", "some_list[-1] += [2]",
               "mutate(some_list[-1])", f"first, *rest = some_list\n{pad}mutate(rest)", "some_list *= 0"]
        self.lines.append(f"{pad}one = sizes[unknown()]\n{pad}some_list = lists[unknown()]")
        self.lines += [pad + rng.choice(use) for _ in range(rng.randrange(1, 4))]

    def table(self):
        data = self.rng.choice(["@dataclass\nclass Size:\n    rows: int\n    cols: int = 2\n    kind: str = 's'\n",
                                "class Size:\n    def __init__(self, rows, cols=3):\n        self.rows = rows\n"
                                "        self.cols = cols\n        self.kind = 's'\n"])
        self.lines.append(f"{data}    def grow(self):\n        self.rows += 1\n        return self\n"
                          "sizes = {0: Size(1), 1: Size(4, 5), 5: Size(7)}\nlists = {0: [1, 2], 1: [3], 5: [1, 4]}")
        self.tables = True
        self.makers += ["sizes[0].rows", "sizes[1].cols", "sizes[5].kind", "lists[0]", "lists[5][0]", "len(lists[1])"]
        self.objects.append(("sizes[0]", ["rows", "cols"]))

    def on_some_sides(self, pad):
        """A name that one side or another always binds, though the evaluator cannot know it."""
        rng = self.rng
        name = f"new{len(self.lines)}"
        first, second = (rng.choice(["[1, 2]", "{1: 2}", "lst", self.expression(2)]) for _ in range(2))
        self.lines.append(f"{pad}if unknown() > 3:\n{pad}    {name} = {first}")
        if rng.random() < 0.5:
            self.lines.append(f"{pad}elif unknown() == 0:\n{pad}    {rng.choice([name, 'a'])} = {second}")
        self.lines.append(f"{pad}if unknown() < 9:\n{pad}    {name} = {rng.choice([first, second])}")
        self.lines.append(pad + rng.choice([f"{self.target()} = {name}", f"lst.append({name})", f"mutate({name})",
                                            f"{self.target()} = [{name}, lst]"]))

    def compound(self, pick, indent, depth, pad):
        rng = self.rng
        if pick < 12 and rng.random() < 0.2:
            self.on_some_sides(pad)
        elif pick < 12:
            test = rng.choice([self.expression(1), "unknown()", "unknown() > 3"])
            self.lines.append(f"{pad}if {test}:")
            self.block(indent + 1, depth + 1)
            if rng.random() < 0.5:
                self.lines.append(f"{pad}else:")
                self.block(indent + 1, depth + 1)
        elif pick < 15:
            over = rng.choice([f"range({rng.randrange(5)})", "lst[:3]", "[1, 2]", "some()", "(3, 4)", "'xy'",
                               "dct", "list(dct.values())", "{7}"])
            self.lines.append(f"{pad}for {self.target()} in {over}:")
            self.block(indent + 1, depth + 1)
            if rng.random() < 0.4:
                test = rng.choice(["a == 2", "unknown()"])
                self.lines.append(f"{pad}    if {test}:\n{pad}        {rng.choice(['break', 'continue'])}")
        elif pick < 18:
            self.guarded(indent, depth, pad)
        elif pick == 18:
            self.lines.append(f"{pad}other = lst\n{pad}{self.target()} = other")
        else:
            self.lines.append(f"{pad}{self.target()}, {self.target()} = {self.expression(2)}, {self.expression(2)}")

    def guarded(self, indent, depth, pad):
        self.lines.append(f"{pad}try:")
        self.block(indent + 1, depth + 1)
        if self.rng.random() < 0.3:
            self.lines.append(f"{pad}    if unknown():\n{pad}        raise ValueError")
        ends = self.rng.randrange(4)
        if ends < 3:
            self.lines.append(f"{pad}except Exception:")
            self.block(indent + 1, depth + 1)
            if ends == 0:
                self.lines.append(f"{pad}    raise")
        if ends == 1:
            self.lines.append(f"{pad}else:")
            self.block(indent + 1, depth + 1)
        if ends >= 2:
            self.lines.append(f"{pad}finally:")
            self.block(indent + 1, depth + 1)

    def block(self, indent, depth):
        for _ in range(self.rng.randrange(1, 4)):
            self.statement(indent, depth)

    # --- definitions

    def function(self, name):
        self.lines.append(f"def {name}(a, b=2, c=3):\n    d = e = 0")
        self.block(1, 1)
        if self.rng.random() < 0.5:
            self.lines.append("    if unknown():\n        return a")
        self.block(1, 1)
        self.lines.append(f"    return {self.expression(1)}")
        self.functions.append(name)

    def closure(self):
        step, first = self.rng.randrange(1, 4), self.rng.randrange(4)
        side = self.rng.choice(["", "        if unknown():\n            return total\n"])
        self.lines.append(
            f"def make(start, *rest, scale={step}, **more):\n    total = start\n    def inner(p, q=1):\n"
            f"        nonlocal total\n{side}        total += p * scale\n        return total + len(rest) + len(more)\n"
            f"    return inner\ncount = make({first}, 1, {self.rng.choice(['2', 'scale=3', 'more=1'])})\n"
            "twice = lambda p, q=1: (p, q)\ndef bump(p, q):\n    global e\n    e = p\n    return q")
        self.functions += ["count", "twice", "bump"][: self.rng.randrange(1, 4)]

    def classes(self):
        rng = self.rng
        value, other = (self.expression(2) for _ in range(2))
        kinds = [self.plain_class, self.data_class, self.tuples, self.enums, self.namespace]
        for kind in rng.sample(kinds, rng.randrange(1, 4)):
            kind(value, other)

    def plain_class(self, value, other):
        half = self.rng.choice(["", "        if unknown():\n            self.y = 0\n"])
        self.lines.append(
            f"class Base:\n    shared = {self.rng.randrange(5)}\n    def __init__(self, x, y=2):\n        self.x = x\n"
            f"        self.y = y\n{half}        self.items = [y]\n    def total(self):\n        return [self.x, self.y]\n"
            "    def grow(self, p):\n        self.items.append(p)\n        return self\n    @property\n"
            "    def pair(self):\n        return (self.x, self.shared)\n    @staticmethod\n    def twice(p):\n"
            "        return [p, p]\n    @classmethod\n    def of(cls, x):\n        return cls(x, y=4)\n"
            "class Derived(Base):\n    shared = 9\n    def __init__(self, x):\n        super().__init__(x, 7)\n"
            "        self.z = x\n    def total(self):\n        return super().total() + [self.z]\n"
            f"o1 = Base({value})\no2 = Derived({other})\no3 = Base.of(3)")
        members = ["x", "y", "shared", "items", "total()", "pair", "twice(1)", "grow(2).items"]
        self.objects += [("o1", members), ("o2", members + ["z"]), ("o3", members)]
        self.makers += ["Base(1).y", "Derived(2).total()", "Base.of(5).pair", "Base.shared", "isinstance(o2, Base)",
                        "isinstance(o1, Derived)", "o1 is o3", "o1 == o2", "bool(o1)"]

    def data_class(self, value, other):
        frozen = self.rng.choice(["", "(frozen=True)"])
        options = self.rng.choice(["", "(eq=True)", "(kw_only=True)"])
        name = "f1" if frozen else "o4"
        self.lines.append(
            f"@dataclass{frozen}\nclass Data:\n    x: object\n    y: int = 3\n    parts: list = field(default_factory=list)\n"
            f"    w: int = field(default={self.rng.randrange(9)})\n    def area(self):\n        return [self.x, self.y]\n"
            f"@dataclass{options}\nclass More(Data):\n    z: int = 5\n    v: int = field(init=False, default=0)\n"
            "    def __post_init__(self):\n        self.v = self.y + 1\n" if not frozen else
            "@dataclass(frozen=True)\nclass Data:\n    x: object\n    y: int = 3\n    parts: tuple = ()\n    w: int = 4\n"
            "    def area(self):\n        return [self.x, self.y]\n")
        self.lines.append(f"{name} = Data({value}, w=1)\n{name}b = replace({name}, y={self.rng.randrange(5)})")
        members = ["x", "y", "parts", "w", "area()"]
        self.objects += [(name, members), (name + "b", members)]
        self.makers += ["Data(1).parts", "Data(1, 2) == Data(1, 2)", f"Data({other}, y=0).area()"]
        if not frozen:
            self.makers += ["More(1, 2).v", "More(0).z", "More(1, z=4).z", "More(1, 2, [], 3, 8).z if False else 3", "More(3, v_=1) if False else 2"]

    def tuples(self, value, other):
        self.lines.append("Pair = namedtuple('Pair', 'p q')\nclass Triple(NamedTuple):\n    p: int\n    q: object = 2\n"
                          "    r: int = 3\n    def sum(self):\n        return [self.p, self.r]\n"
                          f"t1 = Pair({value}, 1)\nt2 = Triple({other})")
        self.objects += [("t1", ["p", "q", "_replace(q=7).q"]), ("t2", ["p", "q", "r", "sum()"])]
        self.makers += ["list(t1)", "t2[0]", "len(t2)", "[i for i in t1]", "t1[-1]", "t1 == (1, 1)", "Pair(1, 2) == Pair(1, 2)",
                        "isinstance(t1, tuple)"]

    def enums(self, _value, _other):
        self.lines.append("class Mode(Enum):\n    ONE = 1\n    TWO = auto()\n    ALSO = 1\n    TEXT = 's'\n"
                          "    def label(self):\n        return self.name\nm1 = Mode.TWO if 1 else None")
        self.objects += [("m1", ["name", "value", "label()"])]
        self.makers += ["Mode.ONE is Mode.ALSO", "Mode.ONE == m1", "Mode(1).name", "Mode['TEXT'].value", "len(Mode)",
                        "[i.value for i in Mode]", "{Mode.ONE: 4, m1: 5}[Mode.TWO]", "Mode.ONE in (m1, Mode.TEXT)", "bool(m1)"]

    def namespace(self, value, _other):
        self.lines.append(f"o5 = SimpleNamespace(x={value}, y=2)")
        self.objects += [("o5", ["x", "y"])]
        self.makers += ["getattr(o5, 'y')", "hasattr(o5, 'missing')", "getattr(o5, 'missing', 3)", "o5 == o5"]

    def text_of(self):
        self.lines = [HEADER.rstrip(), "a = 1", "b = 2", "c = 3", "d = 4", "e = 5", "lst = [1, 2]", "dct = {}",
                      "other_list = [1, 2]"]
        if self.rng.random() < 0.4:
            self.closure()
        if self.rng.random() < 0.6:
            self.classes()
        if self.rng.random() < 0.4:
            self.table()
        for name in ("f", "g")[:self.rng.randrange(3)]:
            self.function(name)
        for _ in range(self.rng.randrange(3, 12)):
            self.statement(0, 0)
        return "\n".join(self.lines) + "\n"
