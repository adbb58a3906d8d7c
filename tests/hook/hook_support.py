"""What the tests of the hooks share: events, answers, small operators."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BINARY = None


def may_read_everything():
    """Are permissions nothing to us? So it is for root, unless tests/hostile/test_permissions.py runs us."""
    with tempfile.NamedTemporaryFile() as file:
        os.chmod(file.name, 0)
        return os.access(file.name, os.R_OK)


ROOT_MAY_ALL = may_read_everything()
HEADER = "[pypto-op-lint] 产物写入后即时门禁未通过（S0/S1）："
COMMON, OLD = "hook", "--hook"
# No rule about implementation files objects to it.
CLEAN_IMPL = """\
import pypto
import torch


@pypto.frontend.jit
def rowscale_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32),
    y: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(16, 64)
    for i in pypto.loop(4):
        y[i:i + 1, :] = pypto.mul(x[i:i + 1, :], 2.0)


def rowscale_wrapper(x):
    y = torch.empty_like(x)
    rowscale_kernel(x, y)
    return y
"""
# A wildcard import is OL07 (S0) whatever else the file holds.
BAD_IMPL = CLEAN_IMPL.replace("import pypto\n", "import pypto\nfrom pypto import *\n")
# Clean for the rules of the test set, judged by their pages; OL22 (no seed) would warn.
CLEAN_TEST = '''\
import os
import torch
from rowscale_golden import rowscale_golden
from rowscale_impl import rowscale_wrapper


def test_level0():
    torch.manual_seed(1)
    torch.npu.set_device(int(os.environ.get("TILE_FWK_DEVICE_ID", "0")))
    x = torch.ones(4, 64)
    torch.testing.assert_allclose(rowscale_wrapper(x), rowscale_golden(x))


def test_level1():
    test_level0()
'''
CLEAN_GOLDEN = "import torch\n\n\ndef rowscale_golden(x):\n    return x * 2.0\n"


class Answer:
    """A finished hook. `json` is None when it said nothing."""

    def __init__(self, status, out, err):
        self.status = status
        self.out = out.decode("utf-8")  # strict: an answer is UTF-8 whatever the event was
        self.err = err.decode("utf-8")
        self.json = json.loads(self.out) if self.out else None
        if self.out:
            assert self.out.endswith("\n") and self.out.count("\n") == 1, self.out
        nested = (self.json or {}).get("hookSpecificOutput", {})
        self.event = nested.get("hookEventName")
        self.context = nested.get("additionalContext", "")
        top = nested if "decision" in nested else (self.json or {})
        self.decision = top.get("decision")
        self.reason = top.get("reason", "")


def edit_event(path, **more):
    return {"tool_name": "Write", "tool_input": {"file_path": str(path)}, **more}


class HookTest(unittest.TestCase):
    """A test with a folder, a home and a cache of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.home = self.folder / "home"
        self.home.mkdir()
        self.cache = self.home / ".cache" / "pypto-lint"

    def environment(self, more):
        dropped = ("PYPTO_", "CLAUDE", "GEMINI", "CODEX", "OPENCODE", "XDG_", "GIT_")
        kept = {k: v for k, v in os.environ.items() if not k.startswith(dropped)}
        return {**kept, "LC_ALL": "C.UTF-8", "HOME": str(self.home), **(more or {})}

    def hook(self, name, event=None, form=COMMON, args=(), env=None, cwd=None, stdin=None):
        """Runs a hook; `event` is an object, text or bytes, `stdin` a file instead of it."""
        if isinstance(event, (dict, list)):
            event = json.dumps(event)
        if isinstance(event, str):
            event = event.encode("utf-8")
        if env and "PYPTO_OP_LINT_HOOK_INPUT" in env and stdin is None:
            # The hook looks once whether there is something to read: a pipe may still be empty.
            stdin = tempfile.TemporaryFile()
            self.addCleanup(stdin.close)
            stdin.write(event or b"")
            stdin.seek(0)
        given = {"stdin": stdin} if stdin is not None else {"input": event or b""}
        done = subprocess.run([BINARY, form, name, *args], capture_output=True, timeout=60,
                              check=False, env=self.environment(env), cwd=cwd or self.folder,
                              **given)
        return Answer(done.returncode, done.stdout, done.stderr)

    def write(self, path, text):
        full = self.folder / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        return full

    def operator(self, stage=5, name="rowscale", impl=CLEAN_IMPL, **more):
        """An operator directory with a state file (none for stage None) and these files."""
        base = f"custom/{name}"
        if stage is not None:
            state = {"operator_name": name, "max_stage": 7, "current_stage": stage,
                     "stage_status": {"5": "in_progress"}, **more}
            self.write(f"{base}/.orchestrator_state.json", json.dumps(state))
        self.write(f"{base}/{name}_impl.py", impl)
        self.write(f"{base}/{name}_golden.py", CLEAN_GOLDEN)
        self.write(f"{base}/test_{name}.py", CLEAN_TEST)
        return self.folder / base

    def snapshot(self):
        """Every file outside the home, with its content."""
        return {str(p.relative_to(self.folder)): p.read_bytes() if p.is_file() else None
                for p in sorted(self.folder.rglob("*")) if self.home not in (p, *p.parents)}

    def assertSilent(self, answer, status=0):
        self.assertEqual((answer.out, answer.err, answer.status), ("", "", status))

    def assertBlocks(self, answer, *rules):
        self.assertEqual(answer.decision, "block", answer.out)
        for rule in rules:
            self.assertIn(f"[{rule}]", answer.reason)


def main():
    global BINARY
    BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
