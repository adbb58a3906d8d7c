"""A request reads no file of the project twice: neither settings nor state nor what is checked.

Usage: test_read_once.py BINARY LIBRARY [--sanitized]

log_opens.c, preloaded, writes down what the program opens.
"""
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BINARY = LIBRARY = None
SANITIZED = False
SETTINGS, STATE = ".pypto-lint.yaml", "custom/soft/.orchestrator_state.json"
IMPL = '''\
import pypto


@pypto.frontend.jit
def soft_kernel(x: pypto.Tensor([8, 64], pypto.DT_FP32), y: pypto.Tensor([8, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
    y[:] = pypto.exp(x)


def soft_wrapper(x, y):
    soft_kernel(x, y)
'''


class ReadOnceTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = pathlib.Path(folder.name).resolve() / "project"
        self.log = self.top.parent / "opens"
        self.add(".git/HEAD", "ref: refs/heads/main\n")
        self.add(SETTINGS, "stop-block: always\nlang: zh\n")
        self.add("custom/soft/soft_impl.py", IMPL)
        self.add("custom/soft/soft_golden.py", "def soft_golden(x):\n    return x.exp()\n")
        self.add("custom/soft/test_soft.py", "def test_level0():\n    pass\n")
        self.state(5)

    def add(self, path, text):
        (self.top / path).parent.mkdir(parents=True, exist_ok=True)
        (self.top / path).write_text(text, encoding="utf-8")

    def state(self, stage):
        self.add(STATE, json.dumps({"operator_name": "soft", "current_stage": stage, "max_stage": 7}))

    def opens(self, *args, event=None):
        """How often the run opened each file of the project, and what it printed."""
        self.log.write_bytes(b"")
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYPTO_", "CLAUDE", "GEMINI", "XDG_"))}
        environment = {**kept, "LC_ALL": "C.UTF-8", "HOME": str(self.top.parent / "home"),
                       "LD_PRELOAD": LIBRARY, "OPEN_LOG": str(self.log)}
        if SANITIZED:
            environment["ASAN_OPTIONS"] = "verify_asan_link_order=0"
        done = subprocess.run([BINARY, *args], cwd=self.top, env=environment, timeout=60, check=False,
                              input=json.dumps(event or {}).encode(), capture_output=True)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        counts = collections.Counter()
        for line in self.log.read_text(encoding="utf-8").splitlines():
            path = pathlib.Path(os.path.abspath(self.top / line))
            if path.is_relative_to(self.top) and path.is_file():
                counts[str(path.relative_to(self.top))] += 1
        return counts, done.stdout.decode()

    def check_once(self, counts, *paths):
        """These files were read, and no file of the project was read twice."""
        for path in paths:
            self.assertEqual(counts[path], 1, f"{path}: {counts}")
        self.assertEqual([path for path, count in counts.items() if count > 1], [], counts)

    def test_file(self):
        counts, out = self.opens("check", "custom/soft/soft_impl.py")
        self.check_once(counts, SETTINGS, STATE, "custom/soft/soft_impl.py")
        self.assertIn("个", out)  # the settings were obeyed

    def test_files_of_one_operator(self):
        counts, _ = self.opens("check", "custom/soft/soft_impl.py", "custom/soft/soft_golden.py")
        self.assertEqual((counts[SETTINGS], counts[STATE]), (1, 1), counts)

    def test_many_folders(self):
        for name in "abcdef":
            self.add(f"loose/{name}/x/{name}.py", IMPL.replace("soft", name))
        self.add("loose/c/" + SETTINGS, "select: [OL02]\n")
        counts, _ = self.opens("check", ".")
        self.assertEqual((counts[SETTINGS], counts["loose/c/" + SETTINGS], counts[STATE]), (1, 1, 1), counts)

    def test_gate(self):
        for stage in ("5", "6"):
            counts, _ = self.opens("--op-dir", "custom/soft", "--stage", stage, "--no-exec")
            self.check_once(counts, SETTINGS, STATE)

    def test_broken_state(self):
        self.add(STATE, '{"operator_name": "soft",}')
        counts, out = self.opens("check", "--op-dir", "custom/soft", "--stage", "5")
        self.check_once(counts, SETTINGS, STATE)
        self.assertIn("OL24", out)  # a finding with an excerpt of the state file

    def test_named_settings(self):
        self.add("other.yaml", "select: [OL02]\n")
        counts, _ = self.opens("check", "--config", "other.yaml", ".")
        self.assertEqual((counts["other.yaml"], counts[SETTINGS]), (1, 0), counts)
        counts, _ = self.opens("check", "--no-config", ".")
        self.assertEqual(counts[SETTINGS], 0, counts)

    def test_fix(self):
        self.add("custom/soft/soft_impl.py", IMPL.replace("import pypto\n", "import pypto\n\n\nx = 1  # pypto-lint: ignore[OL02]\n"))
        counts, _ = self.opens("check", "--fix", "--remove-unused-suppressions", "custom/soft")
        self.assertGreater(counts["custom/soft/soft_impl.py"], 1)  # it was linted again
        self.assertEqual((counts[SETTINGS], counts[STATE]), (1, 1), counts)

    def test_doctor(self):
        counts, _ = self.opens("doctor", "custom/soft")
        self.assertEqual((counts[SETTINGS], counts[STATE]), (1, 1), counts)

    def test_post_edit(self):
        event = {"tool_name": "Write", "tool_input": {"file_path": str(self.top / "custom/soft/soft_impl.py")}}
        counts, _ = self.opens("hook", "post-edit", event=event)
        self.check_once(counts, SETTINGS, STATE, "custom/soft/soft_impl.py")

    def test_post_edit_of_a_patch(self):
        """Three files of one operator in one event."""
        patch = "*** Begin Patch\n" + "".join(
            f"*** Update File: custom/soft/{name}\n@@\n+# x\n"
            for name in ("soft_impl.py", "soft_golden.py", "test_soft.py")) + "*** End Patch\n"
        event = {"tool_name": "apply_patch", "cwd": str(self.top), "tool_input": {"command": patch}}
        counts, out = self.opens("hook", "post-edit", "--client", "codex", event=event)
        self.assertEqual(counts["custom/soft/soft_golden.py"] > 0, True, out)
        self.assertEqual((counts[SETTINGS], counts[STATE]), (1, 1), counts)

    def test_pre_edit(self):
        for stage in (5, 6):
            self.state(stage)
            event = {"tool_name": "Write", "tool_input": {"file_path": str(self.top / "custom/soft/soft_impl.py")}}
            counts, _ = self.opens("hook", "pre-edit", event=event)
            self.assertEqual((counts[SETTINGS], counts[STATE]), (0, 1), counts)

    def test_pre_edit_of_the_state(self):
        event = {"tool_name": "Write", "tool_input": {"file_path": str(self.top / STATE)}}
        counts, out = self.opens("hook", "pre-edit", event=event)
        self.assertIn("state_transition", out)
        self.assertEqual(counts[STATE], 1, counts)

    def test_stop(self):
        for again in (False, True):
            event = {"cwd": str(self.top / "custom/soft"), "stop_hook_active": again}
            counts, out = self.opens("hook", "stop", event=event)
            self.assertEqual(json.loads(out).get("decision"), "block", out)  # `stop-block: always`
            self.check_once(counts, SETTINGS, STATE)


if __name__ == "__main__":
    SANITIZED = sys.argv.pop() == "--sanitized" if "--sanitized" in sys.argv else False
    BINARY, LIBRARY = (str(pathlib.Path(sys.argv.pop(1)).resolve()) for _ in range(2))
    unittest.main()
