"""What a reference computes on the way: the results of torch's operations, seen by a dispatch mode, so
that the reference itself stays as it is. Functions that torch computes in one step hide tensors which
kernels make (the maximum and the sum of a softmax); those are added from their definition (hidden_steps.py)."""
import contextlib

from . import hidden_steps

# Further results are not kept; the report says so.
MOST_RECORDS = 20000
MOST_BYTES = 128 << 20


class GoldenTensor:
    """A tensor of the reference: an input (`op` is None), a result, or one that a result hides."""

    __slots__ = ("op", "value", "numbers")

    def __init__(self, op, value, numbers=()):
        self.op, self.value, self.numbers = op, value, numbers


class GoldenRecord:
    """All of one call."""

    def __init__(self, torch):
        self._torch, self.tensors, self.numbers, self.left_out = torch, [], [], 0
        self._bytes = 0
        self.paused = False  # while something else than the reference computes

    @contextlib.contextmanager
    def pause(self):
        """Records nothing while the block runs."""
        before, self.paused = self.paused, True
        try:
            yield
        finally:
            self.paused = before

    def add(self, op, tensor, numbers=()):
        """A copy of a tensor, if there is room."""
        torch = self._torch
        if not isinstance(tensor, torch.Tensor) or str(tensor.layout) != "torch.strided":
            return
        size = tensor.numel() * tensor.element_size()
        if len(self.tensors) >= MOST_RECORDS or self._bytes + size > MOST_BYTES:
            self.left_out += 1
            return
        self._bytes += size
        self.tensors.append(GoldenTensor(op, tensor.detach().clone().contiguous(), numbers))

    def add_hidden(self, op, arguments):
        """What a function of several steps computes on the way."""
        for tensor in hidden_steps.tensors(self._torch, op, arguments):
            self.add(op, tensor)
        self.note_numbers(hidden_steps.numbers(self._torch, op, arguments))

    def note_numbers(self, arguments):
        """Numbers that the reference passes to operations."""
        for value in arguments:
            if type(value) in (int, float) and value not in self.numbers and \
                    len(self.numbers) < 64:
                self.numbers.append(float(value))


def _name(function):
    return str(function).partition(".")[2].partition(".")[0] or str(function)


@contextlib.contextmanager
def recording(torch, record):
    """Fills the record while the block runs. Views share what is recorded already."""
    try:
        from torch.utils._python_dispatch import TorchDispatchMode
    except ImportError:  # an older torch: nothing is recorded
        yield
        return

    class Mode(TorchDispatchMode):
        """Sees every operation after it has run."""
        busy = False

        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            made = function(*args, **(kwargs or {}))
            if Mode.busy or record.paused:
                return made
            Mode.busy = True
            try:
                note(record, torch, _name(function), made, args, kwargs or {})
            except Exception:  # the reference must not notice
                record.left_out += 1
            finally:
                Mode.busy = False
            return made

    with Mode():
        yield


def note(record, torch, op, made, args, kwargs):
    """Records what one operation made, unless it is a view."""
    inputs = {value.data_ptr() for value in args if isinstance(value, torch.Tensor)}
    record.note_numbers(args)
    record.note_numbers(kwargs.values())
    for tensor in made if isinstance(made, (tuple, list)) else (made,):
        if not isinstance(tensor, torch.Tensor):
            continue
        is_view = tensor.data_ptr() in inputs and tensor.numel() and not op.endswith("_")
        if not is_view:
            record.add(op, tensor)
    record.add_hidden(op, args)
