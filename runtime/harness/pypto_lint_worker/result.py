"""The result of a job, which is filled while the job runs."""
import time

_TIMED = {"inputs": "inputs", "golden": "golden", "wrapper": "wrapper", "compare": "compare",
          "inspect": "compare"}
# Stages whose exceptions are reported by type and line only.
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
        self.warnings, self.environment, self.tolerance, self.bisect = [], None, None, None
        self.findings, self.provenance = [], None
        self.blame, self.inputs = None, []
        self.seconds = {name: 0.0 for name in ("inputs", "golden", "wrapper", "compare")}
        self._tell = tell
        self._since = time.perf_counter()

    def enter(self, stage):
        """Begins a stage and ends the one before."""
        self._count()
        self.stage = stage
        if self._tell is not None and stage != "done":
            self._tell(stage)

    def seconds_of(self, *names):
        """The seconds of these stages up to now."""
        self._count()
        return sum(self.seconds[name] for name in names)

    def withholds(self):
        """Do exceptions of this stage come from the reference or the inputs?"""
        return self.stage in _WITHHELD

    def close(self):
        """Ends the last stage."""
        self._count()

    def document(self):
        """The result as JSON."""
        keys = ("end", "stage", "error", "leaves", "inspection", "launches", "ops", "exact",
                "modified_inputs", "imported_references", "golden_deterministic", "warnings",
                "findings", "environment", "seconds", "tolerance", "bisect", "repeat", "provenance", "blame", "inputs")
        optional = ("inspection", "tolerance", "bisect", "repeat", "provenance", "blame")
        made = {key: getattr(self, key) for key in keys}
        return {key: value for key, value in made.items()
                if value is not None or key not in optional}

    def _count(self):
        now = time.perf_counter()
        name = _TIMED.get(self.stage)
        if name is not None:
            self.seconds[name] = round(self.seconds[name] + now - self._since, 6)
        self._since = now
