"""Loops and conditions of kernels."""
from . import _diagnose, _state
from ._recording import current
from ._emit import also, bool_argument
from .error import FeError
from .symbolic_scalar import SymbolicScalar, handle_of, is_integer, plain


MAX_FACTOR = 4096  # a body is recorded that many times


def _bounds(bounds, what):
    if not 1 <= len(bounds) <= 3:
        raise FeError(TypeError("%s() takes 1 to 3 bounds, not %d" % (what, len(bounds))))
    for bound in bounds:
        if not is_integer(bound):
            raise FeError(TypeError("%s(): bounds are integers and symbolic scalars, not %s"
                                    % (what, type(bound).__name__)))
    start, stop, step = (0, bounds[0], 1) if len(bounds) == 1 else (tuple(bounds) + (1,))[:3]
    if not isinstance(plain(step), SymbolicScalar) and plain(step) == 0:
        raise FeError(ValueError("%s(): the step must not be 0" % what))
    return start, stop, step


def _factors(unroll_list, what):
    try:
        factors = [plain(factor) for factor in unroll_list]
    except TypeError:
        raise FeError(TypeError("%s(): 'unroll_list' must be an iterable of integers, not %s"
                                % (what, type(unroll_list).__name__))) from None
    for factor in factors:
        if not isinstance(factor, int) or isinstance(factor, bool) or factor < 1:
            raise FeError(ValueError("%s(): 'unroll_list' has positive integers, not %r"
                                     % (what, factor)))
        if factor > MAX_FACTOR:
            raise FeError(ValueError("%s(): 'unroll_list' has %d; the simulator unrolls %d times "
                                     "at most" % (what, factor, MAX_FACTOR)))
    return sorted(set(factors) | {1}, reverse=True)


def _text(value, what, parameter):
    if value is not None and not isinstance(value, str):
        raise FeError(TypeError("%s(): '%s' must be a string, not %s"
                                % (what, parameter, type(value).__name__)))
    return value


class _OpenLoop:
    """An open loop. With unrolling, first and last iteration are those of the whole range."""

    def __init__(self, bounds):
        self.bounds = bounds
        self.is_recorded = True  # else Python walks its iterations
        self.index = None  # the handle of the index
        self.edges = {}  # handle of an index: (condition of the first, of the last iteration)
        self.starts_path = False  # the body is at its start, not at a further copy of itself
        self.path = 0     # how many paths of the body have begun
        self.forms = {}   # what the sides of conditions left
        self.merged = {}  # how often each condition was left on this path


class Loop:
    """What pypto.loop gives: an iterator over the paths of its body, not over its iterations."""

    def __init__(self, what, bounds, options, factors=None, yields_factor=False):
        self._what = what
        self._bounds = bounds
        self._options = options
        self._factors = factors
        self._yields_factor = yields_factor
        self.is_walked = False  # iteration by iteration, as Python does

    def known_range(self):
        """Its range, where the bounds are known; else None."""
        bounds = [plain(bound) for bound in self._bounds]
        return range(*bounds) if all(isinstance(bound, int) for bound in bounds) else None

    def _walk(self):
        """The iterations themselves, each with a known index."""
        recording = current(self._what)
        token = _OpenLoop(self._bounds)
        token.is_recorded = False
        steps = self.known_range()
        recording.loops.append(token)
        try:
            for i in steps:
                index = SymbolicScalar(i)
                token.edges = {index._handle: (SymbolicScalar(int(i == steps[0])),
                                               SymbolicScalar(int(i == steps[-1])))}
                yield (index, 1) if self._yields_factor else index
                _innermost(recording, token)
        finally:
            if recording.loops and recording.loops[-1] is token:
                recording.loops.pop()

    def __iter__(self):
        start, stop, step = self._bounds
        if self.is_walked:
            yield from self._walk()
            return
        if self._factors is None:
            yield from self._one(start, stop, step, 1, self._options[3])
            return
        # Greedy: the largest factor takes what it can, the rest is for the smaller ones.
        begin, submit = start, self._options[3]
        for factor in self._factors:
            stride = step * factor
            end = stop if factor == 1 else stop - _remainder(stop - begin, stride)
            yield from self._one(begin, end, stride, factor, submit)
            begin, submit = end, True  # the pieces are one loop: in order

    def _items(self, token, index, factor):
        """What one walk of the body yields."""
        start, stop, step = self._bounds
        if self._yields_factor:
            token.edges[index._handle] = (index == start, index >= stop - step * factor)
            return [(index, factor)]
        if self._factors is None:
            return [index]
        indexes = [index + i * step for i in range(factor)]
        upwards = isinstance(plain(step), int) and plain(step) > 0
        for i, one in enumerate(indexes):
            # Known without asking, which keeps the number of paths small.
            inner_first, inner_last = upwards and i > 0, upwards and i < factor - 1
            token.edges[one._handle] = (
                SymbolicScalar(0) if inner_first else one == start,
                SymbolicScalar(0) if inner_last else one >= stop - step)
        return indexes

    def _one(self, start, stop, step, factor, submit):
        recording = current(self._what)
        file, line = _state.site()
        name, index_name, parallel, _ = self._options
        index = recording.program.loop_begin(
            handle_of(start), handle_of(stop), handle_of(step), name, index_name, parallel,
            submit, file, line)
        token = _OpenLoop(self._bounds)
        token.index = index
        recording.loops.append(token)
        finished = False
        try:
            while True:
                _innermost(recording, token)
                if not recording.program.loop_next():
                    break
                token.starts_path = True
                recording.count_path(token)
                token.merged = {}
                for item in self._items(token, SymbolicScalar._of(index), factor):
                    yield item
                    _innermost(recording, token)
                    token.starts_path = False
            finished = True
        finally:
            # Left early, by an exception or by `break`: nothing after it would be right.
            if not finished and recording.failure is None and recording.state == "recording":
                recording.failure = FeError(RuntimeError(
                    "a loop of kernel '%s' was left before its end" % recording.name))
            if recording.loops and recording.loops[-1] is token:
                recording.loops.pop()
        recording.program.loop_end()


def _remainder(distance, stride):
    """The rest of a distance after whole strides; 0 if the range is empty."""
    if isinstance(plain(stride), int) and plain(stride) < 0:
        return -_remainder(-distance, -stride)
    distance = plain(distance)
    if isinstance(distance, SymbolicScalar):
        distance = distance.max(0)
    else:
        distance = max(distance, 0)
    return plain(distance % stride)


def _innermost(recording, token):
    recording.check()
    if not recording.loops or recording.loops[-1] is not token:
        raise FeError(RuntimeError("loops of kernel '%s' are not properly nested"
                                   % recording.name))


def _ignored(keywords, what):
    """The product accepts any keyword and ignores unknown ones."""
    for keyword in keywords:
        _diagnose.unknown("%s()" % what, keyword,
                          ("name", "idx_name", "unroll_list", "submit_before_loop", "parallel"))


def loop(*bounds, name=None, idx_name=None, unroll_list=None, submit_before_loop=False,
         parallel=False, **others):
    """loop(stop), loop(start, stop), loop(start, stop, step): a recorded loop."""
    current("pypto.loop")
    _ignored(others, "loop")
    options = (_text(name, "loop", "name"), _text(idx_name, "loop", "idx_name"),
               bool_argument(parallel, "loop", "parallel"),
               bool_argument(submit_before_loop, "loop", "submit_before_loop"))
    factors = None if unroll_list is None else _factors(unroll_list, "loop")
    return Loop("pypto.loop", _bounds(bounds, "loop"), options, factors)


def loop_unroll(*bounds, unroll_list=(1,), name=None, idx_name=None, submit_before_loop=False,
                parallel=False, **others):
    """Like loop; yields (index, factor), and the body handles `factor` steps at once."""
    current("pypto.loop_unroll")
    _ignored(others, "loop_unroll")
    options = (_text(name, "loop_unroll", "name"), _text(idx_name, "loop_unroll", "idx_name"),
               bool_argument(parallel, "loop_unroll", "parallel"),
               bool_argument(submit_before_loop, "loop_unroll", "submit_before_loop"))
    return Loop("pypto.loop_unroll", _bounds(bounds, "loop_unroll"), options,
                _factors(() if unroll_list is None else unroll_list, "loop_unroll"), True)


def decide(condition):
    """The decision for the path that is being walked."""
    known = condition._value()
    if known is not None:
        return bool(known)
    recording = current("a condition")
    file, line = _state.site()
    return recording.program.condition(condition._handle, file, line)


@also(condition="scalar")
def cond(scalar, file=None, lineno=None):
    """`if pypto.cond(x):` where the code is not part of a kernel's own body. `file` and `lineno`
    are accepted and ignored: the place is known anyway."""
    del file, lineno
    if isinstance(scalar, SymbolicScalar):
        return decide(scalar)
    if isinstance(scalar, (bool, int)):
        return bool(scalar)
    raise FeError(TypeError("cond() takes a symbolic scalar, not %s" % type(scalar).__name__))


def _edge_of_innermost(recording, scalar, end, what):
    """The front end of 9.2 compares with the innermost loop, whatever its argument is."""
    if not recording.loops:
        raise FeError(IndexError("%s() is possible in a pypto.loop only" % what))
    if not is_integer(scalar):
        raise FeError(TypeError("%s() takes a symbolic scalar, not %s" % (what, type(scalar).__name__)))
    innermost = recording.loops[-1]
    handle = handle_of(scalar)
    if handle in innermost.edges or handle == innermost.index:
        return None
    if any(handle in loop.edges or handle == loop.index for loop in recording.loops):
        raise FeError(ValueError(
            "%s() gets the index of an outer loop: PyPTO 9.2 silently compares it with the inner loop's "
            "bounds; ask before the inner loop, or use the decorator's new_ir=False, which compares with "
            "its own" % what))
    start, stop, step = innermost.bounds
    return SymbolicScalar(scalar) + step >= stop if end else SymbolicScalar(scalar) == start


def _edge(index, end, what):
    recording = current("pypto." + what)
    if recording.is_new:
        edge = _edge_of_innermost(recording, index, end, what)
        if edge is not None:
            return edge
    if not isinstance(index, SymbolicScalar):
        raise FeError(ValueError("not loop index"))
    for opened in reversed(recording.loops):  # equal numbers have one handle
        if index._handle in opened.edges:
            return opened.edges[index._handle][int(end)]
    return SymbolicScalar._of(recording.program.loop_edge(index._handle, end))


@also(index="scalar")
def is_loop_begin(scalar):
    """Is this the first iteration?"""
    return _edge(scalar, False, "is_loop_begin")


@also(index="scalar")
def is_loop_end(scalar):
    """Is this the last iteration?"""
    return _edge(scalar, True, "is_loop_end")
