"""Ends a test with the status for skipped where NumPy or torch is missing. The programs that only hand kernels to another
process do not import torch themselves: that takes longer than many kernels."""
import importlib.util
import sys

for name in ("numpy", "torch"):
    if importlib.util.find_spec(name) is None:
        print("%s is not installed: skipped" % name)
        sys.exit(77)
