#!/usr/bin/env python3
"""Times `pypto-lint hook post-edit` as a whole process against Python processes. Not a test.

    cmake --preset release && cmake --build --preset release --target pypto-lint spawn_times
    tests/bench/hook_bench.py build/release/bin [--rounds N] [--python PROGRAM]

Each program is started with the event of an edit on standard input, ten times in a row and program
after program, N rounds of it, so that a change of the machine's load meets all of them. Printed are
the median and the least elapsed time of a start, and the processor time (mean). The kernels are made
from the sample operators.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
IN_A_ROW = 10
TINY = """\
import pypto
import torch


@pypto.frontend.jit
def tiny_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32),
    y: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(16, 64)
    for i in pypto.loop(4):
        y[i:i + 1, :] = pypto.mul(x[i:i + 1, :], 2.0)


def tiny_wrapper(x):
    y = torch.empty_like(x)
    tiny_kernel(x, y)
    return y
"""


class Program:
    """A command line with an event, and the milliseconds of its runs."""

    def __init__(self, name, command, event="/dev/null"):
        self.name, self.command, self.event = name, [str(word) for word in command], str(event)
        self.elapsed, self.processor = [], []

    def run(self, spawn_times, environment):
        done = subprocess.run([spawn_times, str(IN_A_ROW), self.event, *self.command], check=False,
                              stdout=subprocess.PIPE, env=environment)
        if done.returncode != 0:
            sys.exit(f"{self.name}: failed")
        for line in done.stdout.decode().splitlines():
            elapsed, processor = line.split()
            self.elapsed.append(int(elapsed) / 1e3)
            self.processor.append(int(processor) / 1e3)

    def median(self):
        return statistics.median(self.elapsed)

    def least(self):
        return min(self.elapsed)


def make_kernels(folder):
    """Operator directories with one kernel each: their files by name."""
    corpus = folder / "corpus"
    subprocess.run([sys.executable, "-B", HERE / "make_corpus.py", corpus, "0"], check=True)
    texts = {"tiny": TINY}
    for name in ("kernel_10k", "kernel_40k"):
        texts[name] = (corpus / f"{name}_impl.py").read_text(encoding="utf-8")
    kernels = {}
    for name, text in texts.items():
        place = folder / "custom" / name
        place.mkdir(parents=True)
        state = {"operator_name": name, "current_stage": 5, "max_stage": 7}
        (place / ".orchestrator_state.json").write_text(json.dumps(state), encoding="utf-8")
        (place / f"{name}_golden.py").write_text(f"def {name}_golden(x):\n    return x\n",
                                                 encoding="utf-8")
        kernels[name] = place / f"{name}_impl.py"
        kernels[name].write_text(text, encoding="utf-8")
    return kernels


def make_programs(folder, binary, python):
    """Groups of three: ours, a hook in Python, a bare one in Python; then what is compared to all."""
    groups = []
    hook = HERE / "python_hook.py"
    for name, path in make_kernels(folder).items():
        event = folder / f"{name}.json"
        event.write_text(json.dumps({"hook_event_name": "PostToolUse", "tool_name": "Write",
                                     "tool_input": {"file_path": str(path)}}), encoding="utf-8")
        size = f"{name} ({path.stat().st_size / 1000:.1f} KB)"
        groups.append([
            Program(f"pypto-lint, {size}", [binary, "hook", "post-edit"], event),
            Program(f"Python hook, {size}", [python, "-B", hook, "--hook", "post-edit"], event),
            Program(f"bare Python, {size}", [python, "-B", hook, "--bare"], event)])
    rest = [Program("python3 -c pass", [python, "-c", "pass"]),
            Program("python3 -I -S -c pass", [python, "-I", "-S", "-c", "pass"]),
            Program("/bin/true", ["/bin/true"])]
    return groups, rest


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--python", default=sys.executable)
    given = parser.parse_args()
    spawn_times = str(given.folder.resolve() / "spawn_times")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve()
        groups, rest = make_programs(folder, given.folder.resolve() / "pypto-lint", given.python)
        programs = [program for group in groups for program in group] + rest
        environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "LC_ALL": "C.UTF-8"}
        for _ in range(given.rounds):
            for program in programs:
                program.run(spawn_times, environment)
    print(f"{'ms':<34}{'median':>9}{'least':>9}{'processor':>11}")
    for program in programs:
        print(f"{program.name:<34}{program.median():9.2f}{program.least():9.2f}"
              f"{statistics.mean(program.processor):11.2f}")
    print(f"{'times less than':<34}{'a hook in Python':>18}{'a bare one':>12}")
    for ours, python, bare in groups:
        print(f"{ours.name:<34}{python.least() / ours.least():18.1f}"
              f"{bare.least() / ours.least():12.1f}")


if __name__ == "__main__":
    main()
