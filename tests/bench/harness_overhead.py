"""What `verify` adds to a case: the time from the start of its worker to the worker's end, less what
the case itself did (inputs, reference, kernel, comparison), less a Python that only imports what a
kernel needs.

Usage: tests/bench/harness_overhead.py PYPTO_LINT [ROUNDS [OTHER_PYPTO_LINT]]. One worker at a time,
turn by turn with the bare imports, so that what else the machine does meets all alike. Prints median
and least, with reused workers and with --isolate. The first case with reused workers waits for the
imports and is left out. With another program, such as one of an older version, prints what a whole
case takes in each, with reused workers and structure only: so neither calls a wrapper twice.
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "harness"))
import operators

CASES = 8
PYTHON = os.environ.get("PYPTO_LINT_PYTHON") or "/usr/bin/python3"
PARTS = ("inputs", "golden", "wrapper", "compare")


def write_operator(folder, **more):
    cases = [dict(operators.case("L2_case%d" % number, "L2"), **more) for number in range(CASES)]
    files = dict(operators.operator_files("duet"))
    files["eval/adversarial_suite.json"] = json.dumps(
        {"op_name": "duet", "total_modules": 2, "test_cases": cases})
    for path, text in files.items():
        path = os.path.join(folder, "custom", "duet", path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    return os.path.join(folder, "custom", "duet")


def cases_of(binary, operator, more):
    """[(milliseconds of a worker without the case's own, its own)], and those of the whole run."""
    report = os.path.join(operator, "eval", "evaluation_report.json")
    start = time.perf_counter()
    done = subprocess.run(
        [binary, "verify", "--impl", os.path.join(operator, "modules", "duet_module1_impl.py"),
         "--suite", os.path.join(operator, "eval", "adversarial_suite.json"), "--modes", "sim",
         "-j", "1", "--no-lint-gate"] + more, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    whole = (time.perf_counter() - start) * 1e3
    if done.returncode != 0:
        sys.exit(done.stdout.decode())
    with open(report, encoding="utf-8") as file:
        workers = json.load(file)["timing"]["workers"]
    found = []
    for worker in workers:
        own = sum(worker[part] for part in PARTS)
        found.append(((worker["seconds"] - own) * 1e3, own * 1e3))
    return found, whole - sum(sum(pair) for pair in found)


def bare_start(binary):
    """Milliseconds of an interpreter that imports torch and the simulator and ends."""
    home = os.path.join(os.path.dirname(binary), "..", "share", "pypto-lint", "sim")
    environment = dict(os.environ, PYTHONPATH=home, TORCH_DEVICE_BACKEND_AUTOLOAD="0",
                       PYTHONDONTWRITEBYTECODE="1", OMP_NUM_THREADS=str(os.cpu_count()))
    start = time.perf_counter()
    subprocess.run([PYTHON, "-c", "import torch, torch_npu, pypto"], env=environment, check=True)
    return (time.perf_counter() - start) * 1e3


def compare(binaries, rounds):
    """Whole cases of two programs, turn by turn."""
    for precision in (False, True):
        whole = [[] for _ in binaries]
        with tempfile.TemporaryDirectory() as folder:
            operator = write_operator(folder, precision=precision)
            for _ in range(rounds):
                for times, binary in zip(whole, binaries):
                    cases, _ = cases_of(binary, operator, ["--reuse-workers"])
                    times += [sum(case) for case in cases[1:]]
        for times, binary in zip(whole, binaries):
            show("%s, precision %s" % (binary[-30:], precision), times)


def show(name, values):
    print("%-48s %8.1f ms %8.1f ms" % (name, statistics.median(values), min(values)))


def main():
    binary = os.path.abspath(sys.argv[1])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    if len(sys.argv) > 3:
        compare([binary, os.path.abspath(sys.argv[3])], rounds)
        return
    bare, fresh, reused, own, once = [], [], [], [], []
    with tempfile.TemporaryDirectory() as folder:
        operator = write_operator(folder)
        for _ in range(rounds):
            bare += [bare_start(binary) for _ in range(CASES)]
            cases, rest = cases_of(binary, operator, ["--isolate"])
            fresh += [case[0] for case in cases]
            own += [case[1] for case in cases]
            once.append(rest)
            cases, _ = cases_of(binary, operator, [])
            reused += [case[0] for case in cases[1:]]
    print("%-48s %11s %11s" % ("", "median", "least"))
    show("python3 -c 'import torch, torch_npu, pypto'", bare)
    show("a case with --isolate, without what it does", fresh)
    show("the same with reused workers", reused)
    show("what a case does itself", own)
    show("a run, without its cases", once)
    print("verify adds %.1f ms to a case by the medians, %.1f ms by the least" % (
        statistics.median(fresh) - statistics.median(bare), min(fresh) - min(bare)))


if __name__ == "__main__":
    main()
