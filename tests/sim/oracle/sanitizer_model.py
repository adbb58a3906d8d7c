"""An element-level model of the sanitizer, written from docs/kernel-authors/sanitizer.md alone.

Every element of every tensor has a history: who wrote it, who read it, in which iteration, and what it was computed
from. Nothing is kept as ranges or boxes. A program is a list of loops (see sanitizer.py)."""
import numpy as np

# What the stand-in for torch_npu leaves in memory of F32 that nobody has filled.
UNSET = np.array(0x7FDC3C3C, np.uint32).view(np.float32)
LIMIT = 4  # tags of one operand, and lines that one access is compared with


class Unsure(Exception):
    """The bits of a NaN decide."""


class Cause:
    def __init__(self, line, operand, kind, text):
        self.line, self.operand, self.kind, self.text = line, operand, kind, text


class Tensor:
    """`tags`: None = data, "never", or a Cause."""

    def __init__(self, name, values, is_parameter):
        self.name, self.values, self.is_parameter = name, values, is_parameter
        self.tags = np.full(values.shape, None if is_parameter else "never", object)
        self.last = None  # (line, box) of the last write
        self.written = np.zeros(values.shape, bool)
        self.rows = 0
        self.history = {}  # element: [(kind, iteration, line, number)] in the parallel loop


class Piece:
    """What a name of a body stands for: a window of a tensor, or a result. `where`: the place of an element in
    the tensor."""

    def __init__(self, name, values, tags, valid, source=None, where=None):
        self.name, self.values, self.tags, self.valid = name, values, tags, valid
        self.source, self.where = source, where


def span(word, first, last, length):
    text = "%s %d" % (word, first) if first == last else "%ss %d-%d" % (word, first, last)
    if first == last and length > 1:
        return text + " (of 0..%d)" % (length - 1)
    return text + (" of %d" % length if length else "")


def box_of(places):
    rows, columns = [p[0] for p in places], [p[1] for p in places]
    return min(rows), max(rows), min(columns), max(columns)


def box_text(box, shape, with_lengths):
    top, bottom, left, right = box
    text = span("row", top, bottom, shape[0] if with_lengths else 0)
    if (left, right) != (0, shape[1] - 1):
        text += ", " + span("column", left, right, shape[1] if with_lengths else 0)
    return text


def is_single(box, shape, count):
    top, bottom, left, right = box
    if count < (bottom - top + 1) * (right - left + 1):
        return count == 1
    return top == bottom and ((left, right) == (0, shape[1] - 1) or left == right)


def never_text(name, places, shape, last):
    box = box_of(places)
    size = (box[1] - box[0] + 1) * (box[3] - box[2] + 1)
    some = "" if len(places) == size else "%d element%s of " % (
        len(places), "" if len(places) == 1 else "s")
    text = "%s%s %s %s never written" % (some, name, box_text(box, shape, True),
                                         "was" if is_single(box, shape, len(places)) else "were")
    return text + "; the last write was line %d, %s" % (last[0], box_text(last[1], shape, False))


class Model:
    def __init__(self, x, y, rows, columns, aliases):
        """`aliases`: other shapes of tensors, {name: (tensor, (rows, columns))}."""
        self.aliases = aliases
        self.tensors = {"x": Tensor("x", x, True), "y": Tensor("y", y.copy(), True)}
        for name in ("t", "u"):
            self.tensors[name] = Tensor(name, np.full((rows, columns), np.nan, np.float32), False)
        self.findings, self.causes, self.told, self.pairs = [], [], set(), set()
        self.parallel, self.iteration, self.index, self.number = None, 0, 0, 0

    # ---- programs

    def root(self, name):
        return self.aliases[name][0] if name in self.aliases else name

    def seen(self, name):
        """A tensor and the places of its elements as that name sees them."""
        tensor = self.tensors[self.root(name)]
        if name not in self.aliases:
            return tensor, lambda r, c: (r, c)
        width, columns = self.aliases[name][1][1], tensor.values.shape[1]
        return tensor, lambda r, c: divmod(r * width + c, columns)

    def run(self, loops):
        for loop in loops:
            self.parallel = loop["index"] if loop["parallel"] else None
            for tensor in self.tensors.values():
                tensor.history = {}
            written = {self.root(s["to"]) for s in loop["body"] if "to" in s}
            self.tracked = written if loop["parallel"] else set()
            for at in range(loop["count"]):
                self.iteration += 1
                self.index = at
                names = {}
                for statement in loop["body"]:
                    getattr(self, statement["do"])(names, at, **{
                        k: v for k, v in statement.items() if k != "do"})
        self.look_at_output(loops)
        return self.findings

    # ---- statements

    def view(self, names, at, line, name, source, row, step, column, shape, valid):
        del line
        top = row + step * at
        if source in names:
            outer = names[source]
            tensor, whole = outer.source, outer.where
        else:
            tensor, whole = self.seen(source)

        def where(r, c):
            return whole(top + r, column + c)
        values, tags = np.zeros(shape, np.float32), np.full(shape, None, object)
        for r, c in np.ndindex(*shape):
            values[r, c], tags[r, c] = tensor.values[where(r, c)], tensor.tags[where(r, c)]
        names[name] = Piece(name, values, tags, valid, tensor, where)

    def double(self, names, at, line, name, a):
        del at
        piece = names[a]
        rows, columns = piece.valid
        self.read(piece, line, piece.valid)
        tags = self.traced([(piece, 0, lambda r, c: [(r, c)])], line, (rows, columns))
        names[name] = Piece(name, piece.values * np.float32(2), tags, piece.valid)

    def add(self, names, at, line, name, a, b):
        """Runs over the valid part of the first operand."""
        del at
        first, second = names[a], names[b]
        for piece in (first, second):
            self.read(piece, line, tuple(min(v, w) for v, w in zip(piece.valid, first.valid)))
        tags = self.traced([(first, 0, lambda r, c: [(r, c)]), (second, 1, lambda r, c: [(r, c)])],
                           line, first.valid)
        names[name] = Piece(name, first.values + second.values, tags, first.valid)

    def largest(self, names, at, line, name, a):
        """The largest element of each row."""
        del at
        piece = names[a]
        rows, columns = piece.valid
        self.read(piece, line, piece.valid)
        tags = self.traced([(piece, 0, lambda r, c: [(r, k) for k in range(columns)])], line,
                           (rows, 1))
        values = piece.values[:, :columns].max(axis=1, keepdims=True)
        names[name] = Piece(name, values, tags, (rows, 1))

    def assemble(self, names, at, line, a, to, row, step, column):
        piece, (tensor, whole), top = names[a], self.seen(to), row + step * at
        rows, columns = piece.valid
        self.read(piece, line, piece.valid)
        places = [whole(top + r, column + c) for r in range(rows) for c in range(columns)]
        values = [piece.values[r, c] for r in range(rows) for c in range(columns)]
        self.access(tensor, "writes", line, places, values)
        tags = [piece.tags[r, c] for r in range(rows) for c in range(columns)]
        if "never" in tags:  # only a window of a tensor has such elements
            tags = self.named(piece, 0, line, tags, [(r, c) for r in range(rows)
                                                     for c in range(columns)])
        if tensor.is_parameter:
            self.reach(tags, line, tensor.name)
        for place, value, tag in zip(places, values, tags):
            tensor.values[place] = value
            tensor.tags[place] = None if tensor.is_parameter else tag
            tensor.written[place] = True
        self.last_write(tensor, line, places)

    @staticmethod
    def last_write(tensor, line, places):
        tensor.last = (line, box_of(places))
        tensor.rows = max(tensor.rows, tensor.last[1][1] - tensor.last[1][0] + 1)

    def atomic(self, names, at, line, a, to, row, step, column):
        """atomic_add to a parameter."""
        piece, (tensor, whole), top = names[a], self.seen(to), row + step * at
        rows, columns = piece.valid
        local = [(r, c) for r in range(rows) for c in range(columns)]
        tags = self.named(piece, 0, line, [piece.tags[p] for p in local], local)
        self.reach(tags, line, tensor.name)
        places = [whole(top + r, column + c) for r, c in local]
        self.access(tensor, "adds", line, places, None)
        for place, p in zip(places, local):
            tensor.values[place] += piece.values[p]
            tensor.written[place] = True
        self.last_write(tensor, line, places)

    # ---- elements without content

    def cause(self, line, operand, kind, text):
        for cause in self.causes:
            if (cause.line, cause.operand, cause.kind, cause.text) == (line, operand, kind, text):
                return cause
        self.causes.append(Cause(line, operand, kind, text))
        return self.causes[-1]

    def named(self, piece, operand, line, tags, local):
        """Never-written elements that a line reads get that read for a cause."""
        never = [piece.where(r, c) for (r, c), tag in zip(local, tags) if tag == "never"]
        if not never:
            return tags
        tensor = piece.source
        text = never_text(tensor.name, never, tensor.values.shape, tensor.last)
        cause = self.cause(line, operand, "unwritten-read", text)
        return [cause if tag == "never" else tag for tag in tags]

    @staticmethod
    def decided(sources):
        """A computed NaN among the elements of a result hides what the others are."""
        nan = marked = False
        for piece, (r, c) in sources:
            is_padding = r >= piece.valid[0] or c >= piece.valid[1]
            is_marked = is_padding or piece.tags[r, c] is not None
            marked = marked or is_marked
            nan = nan or (not is_marked and np.isnan(piece.values[r, c]))
        if nan and marked:
            raise Unsure

    def traced(self, operands, line, valid):
        """The tags of a result from those of the operands' elements that each of its own depends on."""
        result = np.full(valid, None, object)
        for r, c in np.ndindex(*valid):
            self.decided([(piece, p) for piece, _, needed in operands for p in needed(r, c)])
        for piece, operand, needed in operands:
            rows, columns = piece.valid
            local = [(r, c) for r in range(rows) for c in range(columns)]
            tags = dict(zip(local, self.named(piece, operand, line,
                                              [piece.tags[p] for p in local], local)))
            order = []
            for place in local:
                if tags[place] is not None and tags[place] not in order:
                    order.append(tags[place])
            for tag in order[:LIMIT]:
                for r in range(valid[0]):
                    for c in range(valid[1]):
                        if any(tags.get(p) is tag for p in needed(r, c)):
                            result[r, c] = tag
            text = "%s is read beyond its valid part: [%d, %d] of [%d, %d] hold data" % (
                (piece.name, rows, columns) + piece.values.shape)
            beyond = [(r, c) for r in range(valid[0]) for c in range(valid[1])
                      if any(p[0] >= rows or p[1] >= columns for p in needed(r, c))]
            for place in beyond:
                result[place] = self.cause(line, operand, "padding-read", text)
        return result

    def reach(self, tags, line, name):
        order = []
        for tag in tags:
            if tag is not None and tag not in order:
                order.append(tag)
        for cause in order[:LIMIT]:
            key = (cause.line, cause.operand, cause.kind)
            if key in self.told:
                continue
            self.told.add(key)
            end = "; %s gets them" % name if cause.line == line else \
                "; what is computed from them reaches %s in line %d" % (name, line)
            self.findings.append((cause.kind, cause.line, cause.text + end))

    # ---- races

    def read(self, piece, line, extent):
        if piece.source is not None:
            places = [piece.where(r, c) for r in range(extent[0]) for c in range(extent[1])]
            self.access(piece.source, "reads", line, places, None)

    def access(self, tensor, kind, line, places, values):
        if tensor.name not in self.tracked:
            return
        self.number += 1
        found = []  # [line, number, kind, iteration, places]
        for k, place in enumerate(places):
            history = tensor.history.setdefault(place, [])
            for other in ("writes", "adds", "reads"):
                entry = self.unordered(history, other)
                if entry is None or kind == other != "writes":
                    continue
                if kind == other and self.same(values[k], tensor.values[place]):
                    continue
                self.collect(found, entry, place)
        for place in places:
            tensor.history[place].append((kind, self.iteration, self.index, line, self.number))
        for entry, conflict in found:
            pair = (tensor.name, entry[3], line)
            if pair not in self.pairs:
                self.pairs.add(pair)
                box = box_text(box_of(conflict), tensor.values.shape, True)
                self.findings.append(("race", line, (
                    "%s %s: line %d (%s = %d) %s, line %d (%s = %d) %s; iterations of a parallel "
                    "loop have no order" % (tensor.name, box, entry[3], self.parallel, entry[2],
                                            entry[0], line, self.parallel, self.index, kind))))

    @staticmethod
    def same(a, b):
        if np.isnan(a) and np.isnan(b):
            raise Unsure
        return a.tobytes() == b.tobytes()

    def unordered(self, history, kind):
        """The latest access of that kind by another iteration; of writes only the very last one."""
        entries = [entry for entry in history if entry[0] == kind]
        if kind == "writes":
            entries = entries[-1:]
        entries = [entry for entry in entries if entry[1] != self.iteration]
        return entries[-1] if entries else None

    @staticmethod
    def collect(found, entry, place):
        for known, places in found:
            if known[3] == entry[3]:  # the first access of that line is the one that is named
                if known[4] == entry[4]:
                    places.append(place)
                return
        if len(found) < LIMIT:
            found.append((entry, [place]))

    # ---- outputs

    def look_at_output(self, loops):
        tensor = self.tensors["y"]
        rows, columns = tensor.values.shape
        left = [(r, c) for r in range(rows) for c in range(columns) if not tensor.written[r, c]]
        is_read = any(s["do"] == "view" and self.root(s["source"]) == "y"
                      for l in loops for s in l["body"])
        unset = [p for p in left if tensor.values[p].tobytes() == UNSET.tobytes()]
        if unset and tensor.rows:
            text = never_text("y", unset, (rows, columns), tensor.last)
            self.findings.append(("unwritten-output", tensor.last[0],
                                  text + "; the memory holds what torch.empty left"))
            return
        if not left or not tensor.rows or is_read:
            return
        top, bottom, _, _ = box_of(left)
        count = bottom - top + 1
        if bottom == rows - 1 and len(left) == count * columns and count < tensor.rows and \
                top % tensor.rows == 0 and top // tensor.rows >= 2:
            self.findings.append(("unwritten-output", tensor.last[0],
                                  never_text("y", left, (rows, columns), tensor.last)))
