"""Runner of the adversarial suite of attention_backward.

As a program it becomes `pypto-lint verify` with the same flags. As a module it offers the functions
that other tools bind to; they work with the worker package that comes with pypto-lint, which is
looked for beside the program that PYPTO_LINT names, else the one on PATH.
"""

import fcntl
import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

OP_NAME = "attention_backward"
EVAL = Path(__file__).resolve().parent
OP_DIR = EVAL.parent
FORBIDDEN = {
    "golden_tensors",
    "golden_values",
    "golden_source",
    "raw_inputs",
    "input_tensors",
    "truth",
    "truth_tuple",
}
DEFAULT_TOLERANCE = 1e-3
TIMEOUT = 300  # seconds for one case in one mode
FIRST_FREE = 10  # descriptors below may be in use by the time they are handed on


class NamingContractError(AttributeError):
    """An implementation or a golden lacks the function that its name promises."""


def _program():
    found = shutil.which(os.environ.get("PYPTO_LINT", "pypto-lint"))
    if found is None:
        raise FileNotFoundError("pypto-lint is not on PATH (PYPTO_LINT may name it)")
    return found


def _share(part):
    """share/pypto-lint/`part` of the installed program."""
    home = os.path.dirname(os.path.dirname(os.path.realpath(_program())))
    return os.path.join(home, "share", "pypto-lint", part)


def _worker_module(name):
    """A module of the worker package."""
    os.environ.setdefault("PYPTO_LINT_SIM_HOME", _share("sim"))
    if importlib.util.find_spec("pypto_lint_worker") is None:
        sys.path.append(_share("harness"))
    return importlib.import_module("pypto_lint_worker." + name)


def _phase_suffix(up_to_module):
    """"123" for 3."""
    return "".join(str(number) for number in range(1, int(up_to_module) + 1))


def _load_truth_golden(op_dir, op_name, suffix):
    """The composed reference of the phase; the only golden that is imported here."""
    name = f"{op_name}_module{suffix}_golden"
    path = Path(op_dir) / "modules" / f"{name}.py"
    if not path.is_file():
        raise FileNotFoundError(f"no {path.name} in {path.parent.name}/")
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if not callable(getattr(module, name, None)):
        raise NamingContractError(f"{path.name} has no function {name}")
    return getattr(module, name)


def _resolve_impl_wrapper(impl_module, op_name, suffix):
    """<op>_module<suffix>_wrapper; no other name will do."""
    name = f"{op_name}_module{suffix}_wrapper"
    if not callable(getattr(impl_module, name, None)):
        raise NamingContractError(f"{impl_module.__name__} has no function {name}")
    return getattr(impl_module, name)


def _compare(candidate_tuple, truth_tuple, atol, rtol):
    """{"all_close", "per_tensor": [{"name", "max_abs_diff", "max_rel_diff", "all_close"}]}."""
    import torch

    structure = _worker_module("structure")
    return structure.contract_form(torch, candidate_tuple, truth_tuple, atol, rtol)


def _sanitize(report):
    """The report without the forbidden keys, at any depth."""
    waiting = [report]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            for key in FORBIDDEN.intersection(item):
                del item[key]
            waiting.extend(item.values())
        elif isinstance(item, (list, tuple)):
            waiting.extend(item)
    return report


# One case in several modes, each in a process of its own


def _environment(mode):
    environment = dict(os.environ)
    paths = [_share("sim"), _share("harness")] if mode == "sim" else [_share("harness")]
    if environment.get("PYTHONPATH"):
        paths.append(environment["PYTHONPATH"])
    environment["PYTHONPATH"] = os.pathsep.join(paths)
    environment["PTOSIM_RUN_MODE"] = mode.upper()
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    environment["PYPTO_LINT_BARRIER"] = "1"
    environment["PYPTO_LINT_SIM_HOME"] = _share("sim")
    environment.setdefault("TILE_FWK_DEVICE_ID", "0")
    if mode == "sim":
        environment["TORCH_DEVICE_BACKEND_AUTOLOAD"] = "0"
    return environment


def _job(impl_module, case, mode):
    path = os.path.abspath(getattr(impl_module, "__file__", None) or str(impl_module))
    pattern = re.escape(OP_NAME) + r"(?:_module(\d+))?_impl\.py"
    match = re.fullmatch(pattern, os.path.basename(path))
    if match is None:
        raise NamingContractError(f"{os.path.basename(path)} is no implementation of {OP_NAME}")
    suffix = match.group(1)
    stem = OP_NAME if suffix is None else f"{OP_NAME}_module{suffix}"
    folder = OP_DIR if suffix is None else OP_DIR / "modules"
    module = 1
    while suffix is not None and len(_phase_suffix(module)) < len(suffix):
        module += 1
    return {
        "kind": "case",
        "mode": mode,
        "op_dir": str(OP_DIR),
        "op_name": OP_NAME,
        "suffix": suffix or "1",
        "module": module,
        "impl": path,
        "golden": str(folder / f"{stem}_golden.py"),
        "golden_function": f"{stem}_golden",
        "wrapper_function": f"{stem}_wrapper",
        "inputs": str(EVAL / "test_inputs.py"),
        "case": case,
        "precision": bool(case.get("precision", True)),
        "atol": case.get("atol", DEFAULT_TOLERANCE),
        "rtol": case.get("rtol", DEFAULT_TOLERANCE),
    }


def _memory_file(data=b""):
    """A descriptor of a file without a name, for what goes to a worker and what comes from it."""
    low = os.memfd_create("job")
    with os.fdopen(low, "wb") as file:
        file.write(data)
        file.flush()
        file.seek(0)
        return fcntl.fcntl(low, fcntl.F_DUPFD, FIRST_FREE)


def _run_worker(job):
    """(result or None, stdout, stderr, seconds) of a worker."""
    source, target = _memory_file(json.dumps(job).encode()), _memory_file()
    code = (f"import os; os.dup2({source}, 4); os.dup2({target}, 3); "
            "from pypto_lint_worker import __main__; __main__.start()")
    start = time.monotonic()
    try:
        with subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=_environment(job["mode"]), pass_fds=(source, target), start_new_session=True,
        ) as process:
            try:
                out, err = process.communicate(timeout=TIMEOUT)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                out, err = process.communicate()
        seconds = time.monotonic() - start
        os.lseek(target, 0, os.SEEK_SET)
        with os.fdopen(os.dup(target), "rb") as file:
            lines = file.read().decode("utf-8", "replace").splitlines()
    finally:
        os.close(source)
        os.close(target)
    try:
        result = json.loads(lines[-1]) if lines else {}
    except ValueError:
        result = {}
    complete = isinstance(result, dict) and "end" in result
    return result if complete else None, out.decode("utf-8", "replace"), \
        err.decode("utf-8", "replace"), seconds


def _status(result, mode):
    if result is None:
        return "ERROR"
    if result["end"] == "unavailable" and mode == "npu":
        return "SKIPPED"
    if result["end"] != "compared":
        return "ERROR"
    leaves = result.get("leaves") or []
    close = bool(leaves) and all(leaf["all_close"] for leaf in leaves)
    return "PASS" if close and result.get("launches") != 0 else "FAIL"


def _largest(leaves, key):
    values = [leaf[key] for leaf in leaves if leaf.get(key) is not None]
    return max(values) if values else None


def _run_mode(impl_module, case, mode):
    if mode == "npu" and not os.environ.get("ASCEND_HOME_PATH"):
        return {"status": "SKIPPED", "per_tensor": [], "max_abs_diff": None, "max_rel_diff": None,
                "stdout": "", "stderr": "ASCEND_HOME_PATH is not set", "runtime_s": 0.0}
    result, out, err, seconds = _run_worker(_job(impl_module, case, mode))
    leaves = (result or {}).get("leaves") or []
    keys = ("name", "max_abs_diff", "max_rel_diff", "all_close")
    error = (result or {}).get("error")
    if error:
        err += f"{error.get('type')}: {error.get('message')}\n"
    return _sanitize({
        "status": _status(result, mode),
        "per_tensor": [{key: leaf.get(key) for key in keys} for leaf in leaves],
        "max_abs_diff": _largest(leaves, "max_abs_diff"),
        "max_rel_diff": _largest(leaves, "max_rel_diff"),
        "stdout": out,
        "stderr": err,
        "runtime_s": seconds,
    })


def run_modes(impl_module, case, modes):
    """The case in every mode, whatever comes of the others. `impl_module` may be a path."""
    modes = modes.split(",") if isinstance(modes, str) else modes
    return {mode: _run_mode(impl_module, case, mode) for mode in modes}


def main():
    arguments = sys.argv[1:]
    named = any(word == "--suite" or word.startswith("--suite=") for word in arguments)
    if not named and not os.path.isfile("adversarial_suite.json"):
        arguments += ["--suite", os.path.relpath(EVAL / "adversarial_suite.json")]
    try:
        program = _program()
    except FileNotFoundError as error:
        print(f"adversarial_runner: {error}", file=sys.stderr)
        return 2
    os.execv(program, [program, "verify", *arguments])


if __name__ == "__main__":
    sys.exit(main())
