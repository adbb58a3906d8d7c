"""What `verify` adds to a case: its time, less that of a Python that only imports what a kernel needs,
less that of the case's own inputs, reference, kernel and comparison.

Usage: tests/bench/harness_overhead.py PYPTO_LINT [ROUNDS]. One worker at a time, without lint gate; the
differences of runs with few and with many cases, so that what a run does once does not count. Prints
the least of ROUNDS (5) rounds, with and without --reuse-workers: elapsed time, which wants an idle
machine, and processor time, which does not.
"""
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "harness"))
import operators

FEW, MANY = 2, 12
PYTHON = os.environ.get("PYPTO_LINT_PYTHON") or "/usr/bin/python3"


def write_operator(folder):
    cases = [operators.case("L2_case%d" % number, "L2") for number in range(MANY)]
    files = dict(operators.operator_files("duet"))
    for name, count in (("few", FEW), ("many", MANY)):
        suite = {"op_name": "duet", "total_modules": 2, "test_cases": cases[:count]}
        files["eval/%s.json" % name] = json.dumps(suite)
    for path, text in files.items():
        path = os.path.join(folder, "custom", "duet", path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    return os.path.join(folder, "custom", "duet")


class Span:
    """Elapsed and processor milliseconds, of children that have been waited for."""

    def __init__(self, elapsed, processor):
        self.values = (elapsed, processor)

    @classmethod
    def now(cls):
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return cls(time.perf_counter() * 1e3, (used.ru_utime + used.ru_stime) * 1e3)

    def minus(self, other):
        return Span(*(a - b for a, b in zip(self.values, other.values)))

    def over(self, count):
        return Span(*(value / count for value in self.values))


def least(spans):
    return Span(*(min(values) for values in zip(*(span.values for span in spans))))


def verify(binary, operator, suite, more):
    """Span of a run, and milliseconds of what the cases themselves did."""
    report = os.path.join(operator, "eval", "evaluation_report.json")
    start = Span.now()
    done = subprocess.run(
        [binary, "verify", "--impl", os.path.join(operator, "modules", "duet_module1_impl.py"),
         "--suite", os.path.join(operator, "eval", suite + ".json"), "--modes", "sim", "-j", "1",
         "--no-lint-gate"] + more, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    span = Span.now().minus(start)
    if done.returncode != 0:
        sys.exit(done.stdout.decode())
    with open(report, encoding="utf-8") as file:
        return span, own_work(json.load(file)["timing"]) * 1e3


def own_work(value):
    """The sum of the parts of all cases, wherever they are in the report."""
    if isinstance(value, dict):
        parts = ("inputs", "golden", "wrapper", "compare")
        return (sum(value.get(part) or 0 for part in parts) +
                sum(own_work(inner) for inner in value.values()))
    return sum(own_work(inner) for inner in value) if isinstance(value, list) else 0


def bare_start(binary):
    """Span of an interpreter that imports torch and the simulator and ends."""
    home = os.path.join(os.path.dirname(binary), "..", "share", "pypto-lint", "sim")
    environment = dict(os.environ, PYTHONPATH=home, TORCH_DEVICE_BACKEND_AUTOLOAD="0",
                       PYTHONDONTWRITEBYTECODE="1", OMP_NUM_THREADS=str(os.cpu_count()))
    start = Span.now()
    subprocess.run([PYTHON, "-c", "import torch, torch_npu, pypto"], env=environment, check=True)
    return Span.now().minus(start)


def one_case(binary, operator, more):
    """(span of one case less its own work, that work in milliseconds)"""
    few, few_own = verify(binary, operator, "few", more)
    many, many_own = verify(binary, operator, "many", more)
    own = (many_own - few_own) / (MANY - FEW)
    return many.minus(few).over(MANY - FEW).minus(Span(own, own)), own


def show(name, span):
    print("%-48s %8.1f ms elapsed %8.1f ms processor" % ((name,) + span.values))


def main():
    binary = os.path.abspath(sys.argv[1])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    with tempfile.TemporaryDirectory() as folder:
        operator = write_operator(folder)
        bare, fresh, reused, own = [], [], [], []
        for _ in range(rounds):
            bare += [bare_start(binary) for _ in range(3)]
            span, work = one_case(binary, operator, [])
            fresh.append(span)
            own.append(work)
            reused.append(one_case(binary, operator, ["--reuse-workers"])[0])
    show("python -c 'import torch, torch_npu, pypto'", least(bare))
    show("a case, without its own work", least(fresh))
    show("what verify adds", least(fresh).minus(least(bare)))
    show("a case with --reuse-workers, without its work", least(reused))
    print("own work of a case: %.1f ms" % min(own))


if __name__ == "__main__":
    main()
