"""Runs a program with the installed pypto and torch_npu, like `python FILE ARGS…`.

Usage: python pypto_lint_run.py FILE [ARGS…]
       python pypto_lint_run.py -m MODULE [ARGS…]

`pypto-lint run --mode npu` starts it. (ptosim_run.py is its counterpart for the simulator.)
"""
import importlib
import sys


def main():
    """Runs the program that the arguments name."""
    import pypto_lint_programs as programs
    arguments = sys.argv[1:]
    is_module = arguments[:1] == ["-m"]
    arguments = arguments[1:] if is_module else arguments
    if not arguments:
        print(__doc__, file=sys.stderr)
        sys.exit(programs.NOT_RUN)
    runner = programs.load_runner()
    programs.enter("npu", "run", runner)
    print("pypto-lint run: mode npu, launches are not counted", file=sys.stderr)
    sys.argv = arguments
    if is_module:
        runner.run_module(arguments[0])
    else:
        runner.run_file(arguments[0], sys.modules["__main__"].__dict__)


if __name__ == "__main__":
    # From a module of its own, because the names of __main__ belong to the program.
    importlib.import_module("pypto_lint_run").main()
