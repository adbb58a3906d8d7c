"""Graphs of the device: the kernel launches of a block, to be repeated over the same memory."""
import sys


def _launch_log():
    """Where pypto notes launches (pypto._state.launch_log); None when it is not loaded."""
    return sys.modules.get("pypto._state")


class NPUGraph:
    """Launches, recorded by capture and repeated by replay."""

    def __init__(self):
        self._launches = []
        self._outer = None

    def capture_begin(self, *_args, **_kwargs):
        """Kernel launches are noted (and run) from here on."""
        import pypto  # noqa: F401  (the log is its)
        state = _launch_log()
        self._launches = []
        self._outer, state.launch_log = state.launch_log, self._launches

    def capture_end(self):
        """…to here."""
        _launch_log().launch_log = self._outer

    def replay(self):
        """Runs them again, with what the tensors hold now."""
        for launch in list(self._launches):
            launch()

    def reset(self):
        """Forgets them."""
        self._launches = []


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
