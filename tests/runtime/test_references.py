"""Every operation that ops.def calls built is run by a test that compares numbers. The tests of operations
run here once more, with a note of each operation that was recorded before a comparison; a built
operation that none of them compared fails. The environment must say PTOSIM_SOC=950PR, where all
operations exist; what those tests say themselves does not count here."""
import importlib
import pathlib
import re
import sys
import unittest

import numpy as np

from support import KernelTest, main, pypto
from pypto import _cook, _emit, _ops, _recording

SUITES = ("test_operations", "test_numerics", "test_views", "test_tensors", "test_control_flow",
          "test_950", "test_950_products")
OPS = pathlib.Path(__file__).resolve().parents[2] / "src" / "model" / "ops.def"
# Declarations, and functions for the product's own checking: they compute nothing.
NO_NUMBERS = {"tensor", "pass_verify_print", "pass_verify_save", "set_verify_golden_data", "verify"}
OPERATIONS = frozenset(_ops.OPS)
COMPARISONS = ("equal", "close", "assertEqual", "assertTrue", "assertFalse", "assertLess")


class Notes:
    """Which operations were recorded, and which of them before a comparison."""

    def __init__(self):
        self.recorded, self.compared = set(), set()

    def recording(self, name, function):
        """The function, which leaves a note when it worked."""
        def call(*args, **keywords):
            result = function(*args, **keywords)
            self.recorded.add(name)
            return result
        return call

    def emitting(self, emit):
        """The same for pypto._emit.emit, which is told the name."""
        def call(name, *args, **keywords):
            result = emit(name, *args, **keywords)
            self.recorded.add(name)
            return result
        return call

    def cooking(self, cook):
        """The same for pypto._cook.cook, which follows recipes: what they recorded is in the program."""
        def call(name, *args):
            result = cook(name, *args)
            text = _recording.active().program.text()
            self.recorded |= OPERATIONS.intersection(re.findall(r"\w+", text))
            return result
        return call

    def comparing(self, function):
        """A comparison: what was recorded before it counts."""
        def call(*args, **keywords):
            result = function(*args, **keywords)
            self.compared |= self.recorded
            return result
        return call

    def refusing(self, function):
        """What an expected error ends does not count."""
        def call(*args, **keywords):
            before = set(self.recorded)
            try:
                return function(*args, **keywords)
            finally:
                self.recorded = before
        return call


def compared(built):
    """The operations that the suites compare."""
    notes = Notes()
    emit, cook = _emit.emit, _cook.cook
    for module in [m for name, m in sys.modules.items() if name.partition(".")[0] == "pypto"]:
        if getattr(module, "emit", None) is emit:
            module.emit = notes.emitting(emit)
        if getattr(module, "cook", None) is cook:
            module.cook = notes.cooking(cook)
    for name in built:
        home = pypto.experimental if name.startswith("experimental.") else pypto
        short = name.rpartition(".")[2]
        if callable(getattr(home, short, None)) and not isinstance(getattr(home, short), type):
            setattr(home, short, notes.recording(short, getattr(home, short)))
    KernelTest.fails = notes.refusing(KernelTest.fails)
    np.testing.assert_array_equal = notes.comparing(np.testing.assert_array_equal)
    np.testing.assert_allclose = notes.comparing(np.testing.assert_allclose)
    for name in SUITES:
        module = importlib.import_module(name)
        suite = unittest.defaultTestLoader.loadTestsFromModule(module)
        for group in suite:
            for test in group:
                notes.recorded = set()
                for comparison in COMPARISONS:
                    if hasattr(test, comparison):
                        setattr(test, comparison, notes.comparing(getattr(test, comparison)))
                test.run(unittest.TestResult())
    return notes.compared


class References(unittest.TestCase):
    def built(self):
        sys.path.insert(0, str(OPS.parents[2] / "scripts"))
        import make_sim_ops
        return [op["name"] for op in make_sim_ops.read(str(OPS)) if op["state"] == "built"]

    def test_every_built_operation_is_compared(self):
        built = self.built()
        self.assertGreater(len(built), 120)
        wanted = set(built) - NO_NUMBERS - set(_ops.SYNTAX)
        found = compared(sorted(wanted))
        missing = sorted(name for name in wanted if name.rpartition(".")[2] not in found)
        self.assertEqual(missing, [], "no test compares their numbers with a reference")
        self.assertNotIn("no_such_operation", found)


if __name__ == "__main__":
    main()
