"""Shared by pypto_lint_run and pypto_lint_test: the packages of a mode for the user's program."""
import importlib.util
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
NOT_RUN = 2  # exit status


def load_runner():
    """The module ptosim_run, which lies beside the simulator, whose folder need not be on the path."""
    home = os.environ.get("PYPTO_LINT_SIM_HOME") or os.path.join(os.path.dirname(HERE), "sim")
    spec = importlib.util.spec_from_file_location("ptosim_run",
                                                  os.path.join(home, "ptosim_run.py"))
    module = importlib.util.module_from_spec(spec)
    sys.modules["ptosim_run"] = module
    spec.loader.exec_module(module)
    return module


def enter(mode, command, runner):
    """Prepares this process for programs of the mode; exits with the reason where it cannot run."""
    sys.excepthook = runner.excepthook
    if mode == "sim":
        runner.install()
        return
    from pypto_lint_worker import backend, failures
    try:
        backend.load(mode).open()
    except failures.Unavailable as error:
        print("pypto-lint %s: mode npu cannot run here: %s" % (command, error), file=sys.stderr)
        sys.exit(NOT_RUN)
