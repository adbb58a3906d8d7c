"""The result of a job while it grows."""
import time

_TIMED = {"inputs": "inputs", "golden": "golden", "wrapper": "wrapper", "compare": "compare",
          "inspect": "compare"}
# Their exceptions are told by type and line.
_WITHHELD = ("inputs", "golden")


class Result:
    """Fields by name; see docs/internals/harness.md, "Result"."""

    def __init__(self, tell=None):
        self.end, self.stage, self.error = "compared", "setup", None
        self.leaves, self.inspection = [], None
        self.launches = self.ops = None
        self.exact, self.modified_inputs, self.golden_deterministic = False, [], None
        self.imported_references = []
        self.repeat, self.shielded = None, True
        self.warnings, self.environment, self.tolerance = [], None, None
        self.findings, self.provenance = [], None
        self.seconds = {name: 0.0 for name in ("inputs", "golden", "wrapper", "compare")}
        self._tell = tell
        self._since = time.perf_counter()

    def enter(self, stage):
        """The stage begins, the one before has ended."""
        self._count()
        self.stage = stage
        if self._tell is not None and stage != "done":
            self._tell(stage)

    def told_seconds(self, name):
        """Of a stage, up to now."""
        self._count()
        return self.seconds[name]

    def withholds(self):
        """Are exceptions of this stage those of the reference or the inputs?"""
        return self.stage in _WITHHELD

    def close(self):
        """No stage is left to come."""
        self._count()

    def document(self):
        """As the page has it."""
        keys = ("end", "stage", "error", "leaves", "inspection", "launches", "ops", "exact",
                "modified_inputs", "imported_references", "golden_deterministic", "warnings",
                "findings", "environment", "seconds", "tolerance", "repeat", "provenance")
        optional = ("inspection", "tolerance", "repeat", "provenance")
        made = {key: getattr(self, key) for key in keys}
        return {key: value for key, value in made.items()
                if value is not None or key not in optional}

    def _count(self):
        now = time.perf_counter()
        name = _TIMED.get(self.stage)
        if name is not None:
            self.seconds[name] = round(self.seconds[name] + now - self._since, 6)
        self._since = now
