"""What the tests of `init` share: a project and a home of their own, calls, the files of hooks/."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import client_table

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = None
# Of a release of this version.
TAG = "v" + re.search(r"project\(pypto-lint VERSION ([\d.]+)",
                      (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")).group(1)
# Client: (file in a project and in the home folder, what is installed).
JSON_CLIENTS = client_table.json_clients(ROOT)
DROPPED = ("PYPTO_", "CLAUDE", "GEMINI", "CODEX", "OPENCODE", "XDG_", "GIT_")


class Done:
    """A finished call."""

    def __init__(self, process):
        self.status = process.returncode
        self.out = process.stdout.decode("utf-8")  # strict: what it says is UTF-8
        self.err = process.stderr.decode("utf-8")


class InitTest(unittest.TestCase):
    """A test with a project (a folder with .git) and a home folder."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.project = self.folder / "project"
        self.home = self.folder / "home"
        (self.project / ".git").mkdir(parents=True)
        (self.project / ".git/HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
        self.home.mkdir()

    def environment(self, more=None):
        kept = {k: v for k, v in os.environ.items() if not k.startswith(DROPPED)}
        return {**kept, "LC_ALL": "C.UTF-8", "HOME": str(self.home), "PATH": "/usr/bin:/bin",
                **(more or {})}

    def init(self, *args, cwd=None, env=None, **more):
        process = subprocess.run([BINARY, "init", *args], capture_output=True, timeout=60,
                                 check=False, cwd=cwd or self.project, stdin=subprocess.DEVNULL,
                                 env=self.environment(env), **more)
        done = Done(process)
        self.assertIn(done.status, (0, 1, 2), done.err)
        return done

    def good(self, *args, **more):
        """A call that must do all that was asked."""
        done = self.init(*args, **more)
        self.assertEqual(done.status, 0, done.err)
        return done

    def write(self, path, text):
        full = self.project / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        return full

    def read(self, path):
        return (self.project / path).read_bytes().decode("utf-8")

    def snapshot(self):
        """Every file and link of project and home, with its content."""
        found = {}
        for path in sorted(self.folder.rglob("*")):
            name = str(path.relative_to(self.folder))
            found[name] = (os.readlink(path) if path.is_symlink()
                           else path.read_bytes() if path.is_file() else None)
        return found

    def refused(self, client, path, text, *says):
        """The file is not touched, the reason is given, and what belongs into it is shown."""
        self.write(path, text)
        before = self.snapshot()
        done = self.init("--client", client, "--yes")
        self.assertEqual(done.status, 2, done.err)
        self.assertEqual(self.snapshot(), before)
        for part in (path, *says):
            self.assertIn(part, done.err)
        return done


def installed(name):
    """A file of hooks/ as it is in the repository."""
    return (ROOT / name).read_text(encoding="utf-8")


def workflow(address):
    """GitHub's workflow with an address in it."""
    text = installed("hooks/github/pypto-lint.yml")
    assert text.count("OWNER/pypto-lint@REF") == 1
    return text.replace("OWNER/pypto-lint@REF", address)


def merged(before, wanted):
    """What the settings mean when the hooks are added: worked out on the values, not on the text."""
    result = json.loads(json.dumps(before))
    hooks = result.setdefault("hooks", {})
    for event, entries in wanted["hooks"].items():
        hooks.setdefault(event, []).extend(entries)
    return result


def main():
    global BINARY
    BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
