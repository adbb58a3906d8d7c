#!/usr/bin/env python3
"""The excerpt in README.md, "Verifying an operator", with what is printed.

    test_readme.py PYPTO_LINT

The block begins with the command; the mistake is the one that the text above it names.
"""
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
RIGHT = "swish = pypto.mul(gate_wide, pypto.sigmoid(gate_wide))"
WRONG = "swish = pypto.sigmoid(gate_wide)"


def main():
    binary = str(pathlib.Path(sys.argv[1]).resolve())
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.search(r"^```text\n\$ (pypto-lint verify .*)\n((?:.*\n)*?)```$", text, re.M)
    assert shown, "README.md shows no run of verify"
    with tempfile.TemporaryDirectory(dir=".") as folder:
        operator = pathlib.Path(folder, "custom", "gated_rmsnorm")
        shutil.copytree(ROOT / "examples/custom/gated_rmsnorm", operator)
        kernel = operator / "modules" / "gated_rmsnorm_module12_impl.py"
        source = kernel.read_text(encoding="utf-8")
        assert source.count(RIGHT) == 1
        kernel.write_text(source.replace(RIGHT, WRONG), encoding="utf-8")
        done = subprocess.run([binary, *shlex.split(shown[1])[1:], "--lang", "en"], cwd=folder,
                              capture_output=True, encoding="utf-8", timeout=120, check=False)
    if "No module named 'torch'" in done.stdout + done.stderr:
        print("torch is not installed: skipped")
        return 77
    if done.returncode != 1 or done.stdout != shown[2]:
        print("status %d\n--- README.md\n%s--- the program\n%s%s"
              % (done.returncode, shown[2], done.stdout, done.stderr))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
