"""Runner of the adversarial suite of attention_backward.

As a program it becomes `pypto-lint verify` with the same flags. As a module it offers the functions
that other tools bind to. The program, and the worker package beside it that run_modes needs, are
those that PYPTO_LINT names, else those on PATH.
"""

import fcntl
import importlib.util
import itertools
import json
import math
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
MOST_LOG = 64 * 1024  # bytes of a stream that are kept
MOST_RESULT = 8 * 1024 * 1024
MOST_FILE = 1024**3  # bytes of a file that a worker may write, its log included
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


def _compare_leaf(torch, name, candidate, truth, atol, rtol):
    leaf = {"name": name, "max_abs_diff": None, "max_rel_diff": None, "all_close": False}
    tensors = isinstance(candidate, torch.Tensor) and isinstance(truth, torch.Tensor)
    if not tensors or candidate.shape != truth.shape or candidate.dtype != truth.dtype:
        return leaf
    wide = truth.dtype in (torch.float64, torch.int32, torch.int64)
    kind = torch.float64 if wide else torch.float32
    got, want = candidate.detach().cpu().to(kind), truth.detach().cpu().to(kind)
    same = got == want  # infinities, too
    difference = torch.where(same, torch.zeros_like(want), (got - want).abs())
    close = same | (torch.isfinite(want) & (difference <= atol + rtol * want.abs()))
    leaf["all_close"] = bool(close.all())
    relative = difference / want.abs().clamp(min=1e-12)
    for key, values in (("max_abs_diff", difference), ("max_rel_diff", relative)):
        largest = float(values.max()) if values.numel() > 0 else 0.0
        leaf[key] = largest if math.isfinite(largest) else None
    return leaf


def _compare(candidate_tuple, truth_tuple, atol, rtol):
    """{"all_close", "per_tensor": [{"name", "max_abs_diff", "max_rel_diff", "all_close"}]}."""
    import torch

    candidate_tuple, truth_tuple = (value if isinstance(value, tuple) else (value,)
                                    for value in (candidate_tuple, truth_tuple))
    pairs = itertools.zip_longest(candidate_tuple, truth_tuple)  # None is no tensor
    leaves = [_compare_leaf(torch, f"out{index}", candidate, truth, atol, rtol)
              for index, (candidate, truth) in enumerate(pairs)]
    return {"all_close": all(leaf["all_close"] for leaf in leaves), "per_tensor": leaves}


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


def _suffix_of(path):
    """The phase that an implementation is of: by its file's name, else by the one wrapper it has;
    None for the operator's own."""
    match = re.fullmatch(re.escape(OP_NAME) + r"(?:_module(\d+))?_impl\.py", os.path.basename(path))
    if match is not None:
        return match.group(1)
    with open(path, encoding="utf-8") as file:
        pattern = r"(?m)^def " + re.escape(OP_NAME) + r"(?:_module(\d+))?_wrapper\b"
        found = {match.group(1) for match in re.finditer(pattern, file.read())}
    if len(found) != 1:
        raise NamingContractError(
            f"{os.path.basename(path)} has {len(found)} wrappers of {OP_NAME}; one is wanted"
        )
    return found.pop()


def _job(impl_module, case, mode):
    path = getattr(impl_module, "__file__", None)
    if path is None and not isinstance(impl_module, (str, os.PathLike)):
        raise NamingContractError("the implementation has no file")
    path = os.path.abspath(path or impl_module)
    suffix = _suffix_of(path)
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


def _text_of(descriptor):
    """What was written there, cut in the middle."""
    size = os.fstat(descriptor).st_size
    half = MOST_LOG // 2
    if size <= MOST_LOG:
        return os.pread(descriptor, size, 0).decode("utf-8", "replace")
    head, tail = os.pread(descriptor, half, 0), os.pread(descriptor, half, size - half)
    middle = f"\n[… {size - 2 * half} bytes removed …]\n"
    return head.decode("utf-8", "replace") + middle + tail.decode("utf-8", "replace")


def _wait(process):
    """Ends the worker and what it has started, when it is done or too late."""
    try:
        process.wait(TIMEOUT)
    except subprocess.TimeoutExpired:
        pass
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def _run_worker(job):
    """(result or None, stdout, stderr, seconds) of a worker."""
    source = _memory_file(json.dumps(job).encode())
    target, out, err = _memory_file(), _memory_file(), _memory_file()
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * 8 // 10
    code = (
        "import os, resource as r; r.setrlimit(r.RLIMIT_CORE, (0, 0)); "
        f"r.setrlimit(r.RLIMIT_AS, ({memory}, {memory})); "
        f"r.setrlimit(r.RLIMIT_FSIZE, ({MOST_FILE}, {MOST_FILE})); "
        f"os.dup2({source}, 4); os.dup2({target}, 3); "
        "from pypto_lint_worker import __main__; __main__.start()"
    )
    start = time.monotonic()
    try:
        process = subprocess.Popen(
            [sys.executable, "-c", code], stdin=subprocess.DEVNULL, stdout=out, stderr=err,
            env=_environment(job["mode"]), pass_fds=(source, target), start_new_session=True,
        )
        _wait(process)
        seconds = time.monotonic() - start
        lines = os.pread(target, MOST_RESULT, 0).decode("utf-8", "replace").splitlines()
        texts = _text_of(out), _text_of(err)
    finally:
        for descriptor in (source, target, out, err):
            os.close(descriptor)
    try:
        result = json.loads(lines[-1]) if lines else {}
    except ValueError:
        result = {}
    complete = isinstance(result, dict) and "end" in result
    return result if complete else None, *texts, seconds


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


def _outcome(status, leaves, out, err, seconds):
    keys = ("name", "max_abs_diff", "max_rel_diff", "all_close")
    return _sanitize({
        "status": status,
        "per_tensor": [{key: leaf.get(key) for key in keys} for leaf in leaves],
        "max_abs_diff": _largest(leaves, "max_abs_diff"),
        "max_rel_diff": _largest(leaves, "max_rel_diff"),
        "stdout": out,
        "stderr": err,
        "runtime_s": seconds,
    })


def _run_mode(impl_module, case, mode):
    if mode == "npu" and not os.environ.get("ASCEND_HOME_PATH"):
        return _outcome("SKIPPED", [], "", "ASCEND_HOME_PATH is not set\n", 0.0)
    try:
        result, out, err, seconds = _run_worker(_job(impl_module, case, mode))
    except (NamingContractError, OSError, UnicodeDecodeError) as error:
        return _outcome("ERROR", [], "", f"{type(error).__name__}: {error}\n", 0.0)
    error = (result or {}).get("error")
    if error:
        err += f"{error.get('type')}: {error.get('message')}\n"
    return _outcome(_status(result, mode), (result or {}).get("leaves") or [], out, err, seconds)


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
