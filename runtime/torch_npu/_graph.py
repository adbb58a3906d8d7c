"""Graphs of the device: what a block does on the device, to be repeated over the same memory."""
import sys

import torch

import _ptosim

from . import _routes
from ._device import tensors_in

_capturing = []  # the graphs that are being captured, the innermost last


def is_current_stream_capturing():
    """Is a graph being captured?"""
    return bool(_capturing)


class NPUGraph:
    """Kernel launches and torch operations of the device, recorded by capture and repeated by
    replay."""

    def __init__(self, *_args, **_kwargs):
        self._steps = []
        self._outer = None

    def capture_begin(self, *_args, **_kwargs):
        """What the device does is noted (and done) from here on."""
        import pypto  # noqa: F401  (the log of launches is its)
        if self in _capturing:
            raise RuntimeError("this graph is being captured already")
        state = sys.modules["pypto._state"]
        self._steps = []
        self._outer = state.launch_log, _ptosim.route_capture(self._note)
        state.launch_log = self._steps
        _capturing.append(self)

    def capture_end(self):
        """…to here."""
        if self not in _capturing:
            raise RuntimeError("capture_end() without capture_begin()")
        _capturing.remove(self)
        sys.modules["pypto._state"].launch_log = self._outer[0]
        _ptosim.route_capture(self._outer[1])

    def _note(self, route, args, kwargs, result):
        """A torch operation. Its results are written again where they are; views need nothing."""
        function = route.__wrapped__
        results = list(tensors_in(result))

        def repeat():
            again = route(*args, **kwargs)
            for old, new in zip(results, tensors_in(again)):
                if old is not new and old.data_ptr() != new.data_ptr():
                    torch.Tensor.copy_(old, new)

        if function is not None:
            self._steps.append(repeat)

    def replay(self):
        """Does it again, with what the tensors hold now."""
        with _routes.uncaptured(), torch.no_grad():
            for step in list(self._steps):
                step()

    def reset(self):
        """Forgets it."""
        self._steps = []

    def pool(self):
        """A handle of memory, to be passed back only."""
        return (0, 0)

    def debug_dump(self, _path=None):
        """There is nothing to draw."""

    enable_debug_mode = debug_dump


def graph_pool_handle():
    """A handle of memory, to be passed back only."""
    return (0, 0)


class graph:  # noqa: N801  (torch's own name)
    """with torch.npu.graph(g): …"""

    def __init__(self, npu_graph, *_args, **_kwargs):
        self._graph = npu_graph

    def __enter__(self):
        self._graph.capture_begin()
        return self._graph

    def __exit__(self, *exception):
        self._graph.capture_end()
        return False


def make_graphed_callables(callables, sample_args=None, *_args, **_kwargs):
    """The functions unchanged: they run anyway."""
    del sample_args
    return callables
