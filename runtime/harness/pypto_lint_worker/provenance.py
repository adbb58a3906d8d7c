"""Evidence that kernels made a wrapper's results. Watches launches and torch while the wrapper runs
(origins.py, following.py), then reports for each output how much a launch wrote, what was never
written, and what torch computed and where: numbers, names of operations, files and lines only.

    with provenance.watching(packages, inputs, op_dir) as watch:
        value = wrapper(…)
    result.provenance = watch.report(outputs)
"""
import contextlib
import os
import sys

from pypto_lint_extension import dtype_name

from . import following, origins
from .origins import CONSTANT, INDEX, INPUT, KERNEL, OTHER, TORCH, UNDEFINED

_OWN = (os.path.dirname(os.path.abspath(__file__)) + os.sep,)
# Bits of elements that were never written: the simulator's and the stand-in's (rt_copy.c,
# torch_npu/_routes.py).
_UNWRITTEN = {"float16": ("int16", (0x7E5A, 0x7E5C)), "bfloat16": ("int16", (0x7FDA, 0x7FDC)),
              "float32": ("int32", (0x7FDA5A5A, 0x7FDC3C3C)),
              "float64": ("int64", (0x7FFBDA5A5A5A5A5A, 0x7FFBDC3C3C3C3C3C))}
_MOST = 8  # places and names of each kind


class _Guard:
    """Keeps our own errors from the wrapper: they only end the watching."""

    def __init__(self, watch):
        self._watch = watch
        self._plain = watch.torch._C.DisableTorchFunction()

    def __enter__(self):
        self._plain.__enter__()

    def __exit__(self, kind, error, trace):
        self._plain.__exit__(None, None, None)
        if error is None or not isinstance(error, Exception):
            return False
        self._watch.broken = self._watch.broken or type(error).__name__
        return True


class Watch:
    """Watches a wrapper while it runs, and reports at its end."""

    def __init__(self, packages, inputs, op_dir):
        self.torch, self.op_dir = packages.torch, os.path.realpath(op_dir)
        self.exact = packages.mode == "sim"
        self.broken = None  # the type of an error of ours: then there is no evidence
        self.prepared = []  # places where torch computed what launches read
        self._inside = 0    # launches that are running
        self._moved = None  # maps of a launch that computes nothing
        own = _OWN + _folders("torch", "pypto", "torch_npu")
        self.origins = origins.Origins(packages.torch, self.exact)
        self.follower = following.Follower(self.origins, lambda: following.user_place(own))
        for name, value in inputs.items():
            if isinstance(value, self.torch.Tensor) and _has_memory(value):
                self.origins.begin(value, INPUT).name = name

    def guarded(self):
        """A context for our own code, in which torch's functions are the original ones."""
        return _Guard(self)

    # ---- torch ----

    def follow(self, func, args, kwargs, result):
        """An operation has run."""
        if self._inside == 0 and self.broken is None and func.namespace in ("aten", "npu"):
            with self.guarded():
                self.follower.follow(func, args, kwargs, result)

    def shared(self, tensor):
        """Another library gets its memory."""
        if self._inside == 0:
            with self.guarded():
                self.origins.share(tensor)

    def computed(self, name, operands, result):
        """The stand-in has computed this for torch."""
        with self.guarded():
            code = self.follower.computed(following.tensors_of(self.torch, operands))
            for tensor in following.tensors_of(self.torch, result):
                if _has_memory(tensor) and self._inside == 0:
                    self.origins.put(tensor, code).made = self.follower.made_by(name)

    def spoiled(self, tensor):
        """The stand-in has marked memory as never written."""
        with self.guarded():
            memory = self.origins.memory(tensor)
            memory.code, memory.map = UNDEFINED, None

    # ---- launches of the simulator ----

    def begin(self, program, arguments):
        """For each argument the address of the map in which the launch marks its writes; 0 = none."""
        self._inside += 1
        addresses = [0] * len(arguments)
        with self.guarded():
            self._note_read(arguments)
            fresh = not program.computes() and any(
                self.origins.has(argument.host.owner, TORCH) for argument in arguments)
            self._moved = [None] * len(arguments) if fresh else None
            for number, argument in enumerate(arguments):
                addresses[number] = self._address(program, number, argument)
        return addresses

    def _address(self, program, number, argument):
        owner = argument.host.owner
        if not owner.numel() or not program.writes(argument.index) or \
                argument.shape != argument.given:
            return 0
        memory = self.origins.memory(owner)
        if self._moved is not None:
            self._moved[number] = self.torch.zeros(owner.numel() * owner.element_size(),
                                                   dtype=self.torch.uint8)
            return self._moved[number].data_ptr()
        return self.origins.map_of(memory).data_ptr() + owner.data_ptr() - memory.base

    def _note_read(self, arguments):
        """Notes places where torch computed what the launch reads: often right, but worth a warning."""
        for argument in arguments:
            memory = self.origins.memory(argument.host.owner)
            if memory.made is not None and memory.made[0] and len(self.prepared) < _MOST and \
                    self.origins.has(argument.host.owner, TORCH):
                place = self._place(memory.made)
                if place not in self.prepared:
                    self.prepared.append(place)

    def end(self, program, arguments):
        """The launch has run."""
        with self.guarded():
            for number, argument in enumerate(arguments):
                owner = argument.host.owner
                if not owner.numel() or not program.writes(argument.index):
                    continue
                if argument.shape != argument.given:
                    self.origins.put(owner, KERNEL)
                elif self._moved is not None:
                    self._moved_only(owner, self._moved[number], arguments)
                memory = self.origins.memory(owner)
                self.origins.collapse(memory)
                self.origins.seal(owner)
        self._moved = None
        self._inside -= 1

    def _moved_only(self, owner, written, arguments):
        """After a launch that only copies: what torch computed remains torch's."""
        codes = written.reshape(tuple(owner.shape) + (owner.element_size(),))[..., 0]
        memory, before = self.origins.codes(owner)
        before = self.torch.full_like(codes, memory.code) if before is None else before.clone()
        self.origins.put(owner, self.torch.where(codes == 1, self.torch.full_like(codes, TORCH),
                                                 before))
        for argument in arguments:
            read = self.origins.memory(argument.host.owner)
            if read is not memory and self.origins.has(argument.host.owner, TORCH):
                memory.made = read.made

    # ---- launches of a device ----

    @contextlib.contextmanager
    def device_launch(self, tensors):
        """Around a call of a kernel: all its arguments count as written."""
        self._inside += 1
        try:
            yield
        finally:
            self._inside -= 1
            with self.guarded():
                for tensor in tensors:
                    self.origins.memory(tensor).code = KERNEL

    # ---- the end ----

    def report(self, outputs):
        """The evidence, as plain data (docs/internals/harness.md, "Result")."""
        leaves = []
        with self.guarded():
            leaves = [self._leaf("out%d" % number, value)
                      for number, value in enumerate(outputs[:4096])
                      if isinstance(value, self.torch.Tensor) and _has_memory(value)]
        if self.broken is not None:
            return {"known": False, "why": self.broken, "outputs": [], "prepared": []}
        return {"known": True, "why": None, "outputs": leaves, "prepared": self.prepared}

    def _leaf(self, name, tensor):
        tensor = tensor.detach()
        leaf = {"name": name, "elements": tensor.numel(), "written": 0, "never_written": 0,
                "torch": 0, "host": 0, "never": None, "input": None, "made": None,
                "conversions": []}
        if not tensor.numel():
            return leaf
        self.origins.check(tensor)
        memory, codes = self.origins.codes(tensor)
        if self.exact and memory.code == OTHER and codes is None and \
                self.origins.was_written(tensor):
            leaf.update(written=tensor.numel(), conversions=["numpy"])
            return leaf
        counts, never = self._counts(tensor, memory, codes)
        leaf.update(written=counts[KERNEL], never_written=counts[UNDEFINED],
                    torch=counts[TORCH] + counts[INDEX],
                    host=counts[CONSTANT] + counts[INPUT] + counts[OTHER],
                    never=None if never is None else _box(never),
                    input=memory.name if counts[INPUT] else None,
                    made=self._place(memory.made), conversions=list(memory.via[:_MOST]))
        return leaf

    def _counts(self, tensor, memory, codes):
        """([number of elements of each Origin], mask of those that were never written or None)."""
        torch = self.torch
        if not self.exact:
            counts = [0] * (OTHER + 1)
            counts[memory.code] = tensor.numel()
            return counts, None
        unwritten = unwritten_bits(torch, tensor)
        if codes is None and unwritten is None:
            counts = [0] * (OTHER + 1)
            counts[memory.code] = tensor.numel()
            never = None
            if memory.code == UNDEFINED:
                never = torch.ones(tuple(tensor.shape), dtype=torch.bool)
            return counts, never
        if codes is None:
            codes = torch.full(tuple(tensor.shape), memory.code, dtype=torch.uint8)
        codes = codes.clone()
        if unwritten is not None:
            codes[unwritten & (codes == KERNEL)] = UNDEFINED
        counts = torch.bincount(codes.reshape(-1).long(), minlength=OTHER + 1).tolist()
        return counts, codes == UNDEFINED if counts[UNDEFINED] else None

    def _place(self, made):
        """[operation, file, line] for the report."""
        if made is None:
            return None
        name, path, line = made
        real = os.path.realpath(path) if path else ""
        inside = real.startswith(self.op_dir + os.sep)
        return ["".join(c for c in name if c.isalnum() or c in "_ ")[:60],
                os.path.relpath(real, self.op_dir) if inside else os.path.basename(real), line]


def _box(never):
    """[[first, last, extent] of each axis] around the elements of a mask."""
    places = never.nonzero()
    return [[int(places[:, axis].min()), int(places[:, axis].max()), int(extent)]
            for axis, extent in enumerate(never.shape)] if never.dim() else []


def _has_memory(tensor):
    return str(tensor.layout) == "torch.strided" and not tensor.is_meta and \
        not getattr(tensor, "is_quantized", False)


def _folders(*names):
    return tuple(os.path.dirname(os.path.abspath(sys.modules[name].__file__)) + os.sep
                 for name in names if getattr(sys.modules.get(name), "__file__", None))


def _mode(watch):
    from torch.utils._python_dispatch import TorchDispatchMode

    class Mode(TorchDispatchMode):
        """Sees every operation of torch, below its functions."""

        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            result = func(*args, **(kwargs or {}))
            watch.follow(func, args, kwargs or {}, result)
            return result

    return Mode()


_current = []  # the Watch of this process, if one is watching


def is_watching():
    """Is a wrapper being watched?"""
    return bool(_current)


def launching(tensors):
    """A context for a kernel's call on a device."""
    return _current[-1].device_launch(tensors) if _current else contextlib.nullcontext()


@contextlib.contextmanager
def watching(packages, inputs, op_dir):
    """Watches the block; yields the Watch."""
    watch = Watch(packages, inputs, op_dir)
    _current.append(watch)
    try:
        with _simulator(watch) if packages.mode == "sim" else contextlib.nullcontext(), \
                _mode(watch):
            yield watch
    finally:
        _current.pop()


@contextlib.contextmanager
def _simulator(watch):
    """Connects the Watch with the simulator and its stand-in for torch_npu."""
    from pypto import _state
    from torch_npu import _moves, _routes
    _state.launch_watcher = watch
    ears = ((_routes.spoiled, watch.spoiled), (_moves.shared, watch.shared),
            (_routes.computed, watch.computed))
    for heard, ear in ears:
        heard.append(ear)
    try:
        yield
    finally:
        _state.launch_watcher = None
        for heard, ear in ears:
            heard.remove(ear)


# ---- the judge's part: it has the reference; the report of the kernel's process is a claim ----

def given_back(torch, leaves, copies, touched):
    """For each leaf of the reference (name of the input that it is, name of the input of which it is a
    copy), None where there is none. `copies` are the arguments of the reference, `touched` those that
    it changed."""
    from . import arithmetic
    names = []
    for leaf in leaves:
        itself = copy = None
        for name, value in copies.items():
            if name in touched or not isinstance(value, torch.Tensor) or not value.numel() or \
                    value.numel() != leaf.numel() or value.dtype != leaf.dtype:
                continue
            if value.data_ptr() == leaf.data_ptr():
                itself = itself or name
            elif copy is None and value.shape == leaf.shape and arithmetic.same_bits(
                    torch, arithmetic.host(value), arithmetic.host(leaf)):
                copy = name
        names.append((itself, copy))
    return names


def judge(torch, result, candidates, found):
    """Adds what only the judge knows: which outputs the reference takes from its inputs (`found` by
    given_back), and which elements were never written. A copy of an input counts only beside another
    output that a launch has written."""
    claimed = result.provenance
    by_name = {output["name"]: output for output in claimed["outputs"]}
    others = any(output["written"] for output in claimed["outputs"])
    claimed["passed_through"] = []
    for output in claimed["outputs"]:
        number = int(output["name"][3:])
        itself, copy = found[number] if number < len(found) else (None, None)
        claimed["passed_through"].append(itself or (copy if others else None))
    for number, leaf in enumerate(result.leaves):
        if leaf["structure"] is None and number < len(candidates):
            _mark_never(torch, leaf, candidates[number], by_name.get(leaf["name"]))


def _mark_never(torch, leaf, tensor, output):
    """Gives the leaf the likeness "never_written" if all its differing elements were never written."""
    from . import arithmetic
    tensor = arithmetic.host(tensor)
    unwritten = unwritten_bits(torch, tensor)
    count = 0 if unwritten is None else int(unwritten.sum())
    if output is not None:
        if count > output["never_written"]:  # seen here, whatever was claimed
            output.update(never_written=count, never=_box(unwritten))
        count = max(count, output["never_written"])
    if count and "where" in leaf and count >= leaf["out_of_tolerance"] > 0:
        leaf["where"]["likeness"] = "never_written"


def unwritten_bits(torch, tensor):
    """The mask of elements with the bits of unwritten memory; None = there are none."""
    known = _UNWRITTEN.get(dtype_name(tensor.dtype))
    if known is None or not tensor.numel():
        return None
    bits = tensor.view(getattr(torch, known[0]))
    found = (bits == known[1][0]) | (bits == known[1][1])
    return found if bool(found.any()) else None
