"""torch_npu.profiler: blocks that are profiled run as they are, and nothing is written."""
import enum
import types


class ProfilerActivity(enum.Enum):
    """What would be profiled."""

    CPU = 0
    NPU = 1


class ProfilerLevel(enum.Enum):
    """How closely."""

    Level_none = -1
    Level0 = 0
    Level1 = 1
    Level2 = 2


class AiCMetrics(enum.Enum):
    """Which counters."""

    PipeUtilization = 0
    ArithmeticUtilization = 1
    Memory = 2
    MemoryL0 = 3
    MemoryUB = 4
    ResourceConflictRatio = 5
    L2Cache = 6
    MemoryAccess = 7
    AiCoreNone = 8


class ExportType(enum.Enum):
    """Which files."""

    Text = "text"
    Db = "db"


class profile:  # noqa: N801  (torch's own name)
    """with torch_npu.profiler.profile(…) as p: … p.step()"""

    def __init__(self, *_args, **_kwargs):
        self.step_num = 0

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return False

    def start(self):
        """Nothing starts."""

    def stop(self):
        """Nor ends."""

    def step(self):
        """The next round."""
        self.step_num += 1

    def export_chrome_trace(self, path):
        """`pypto-lint run --trace FILE` writes one."""

    def key_averages(self, *_args, **_kwargs):
        """None are kept."""
        return types.SimpleNamespace(table=lambda *_a, **_k: "")


def schedule(*_args, **_kwargs):
    """Which steps are profiled: none."""
    return lambda step: None


def tensorboard_trace_handler(*_args, **_kwargs):
    """What becomes of results."""
    return lambda prof: None


class _ExperimentalConfig:
    """Any setting."""

    def __init__(self, *_args, **_kwargs):
        """Accepted and ignored."""
