"""torch_npu.testing: the frame of its operator tests."""
from . import testcase  # noqa: F401  (part of the interface)
