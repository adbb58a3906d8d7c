"""What the tests of the command line share: calling the program, building small operators."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = None


def may_read_everything():
    """Are permissions nothing to us? So it is for root, unless tests/hostile/test_permissions.py runs us."""
    with tempfile.NamedTemporaryFile() as file:
        os.chmod(file.name, 0)
        return os.access(file.name, os.R_OK)


ROOT_MAY_ALL = may_read_everything()


class Done:
    """A finished call."""

    def __init__(self, process):
        self.status = process.returncode
        self.out = process.stdout.decode("utf-8")
        self.err = process.stderr.decode("utf-8")

    def json(self):
        return json.loads(self.out)


def call(*args, cwd=None, env=None, stdin=b""):
    """Runs the program; English unless `env` says otherwise."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYPTO_LINT")}
    environment.update({"LC_ALL": "C.UTF-8", "NO_COLOR": "1", **(env or {})})
    process = subprocess.run([BINARY, *map(str, args)], capture_output=True, cwd=cwd, input=stdin,
                             env=environment, timeout=60, check=False)
    return Done(process)


class CliTest(unittest.TestCase):
    """A test with a folder of its own, removed afterwards."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, path, text):
        """Writes a file below the folder: text, or bytes as they are."""
        full = self.folder / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        return full

    def read(self, path):
        return (self.folder / path).read_bytes().decode("utf-8")


def main():
    global BINARY
    BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
