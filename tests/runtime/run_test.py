"""What the tests of `pypto-lint run` have in common: a folder, a program in it, and the command."""
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "harness"))
import warm_python  # noqa: E402


class RunTest(unittest.TestCase):
    """With `WARM` programs are forks of an interpreter that has imported torch: what they do is looked at, not
    how they are started."""
    WARM = False
    BINARY = ""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(textwrap.dedent(text))
        return path

    def run_lint(self, *arguments, **variables):
        environment = {k: v for k, v in os.environ.items()
                       if not k.startswith(("PTOSIM_", "PYPTO_LINT_", "PYTHON"))}
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        environment.update({**(warm_python.variables("program", sys.executable) if self.WARM else {}), **variables})
        return subprocess.run([self.BINARY, "run"] + list(arguments), cwd=self.folder, timeout=120,
                              capture_output=True, text=True, env=environment,
                              stdin=subprocess.DEVNULL)


def main():
    """Runs the calling program's tests; its first argument is the binary."""
    RunTest.BINARY = os.path.abspath(sys.argv.pop(1))
    unittest.main()
