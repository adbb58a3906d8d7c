"""What the simulator and the linter say of programs in a folder: for the tests that compare the two."""
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNNER = ROOT / "tests" / "runtime" / "example_mutants.py"


def refusals(binary, folder, names, version):
    """{name: (None or the code that the simulator refuses it with, what it says)}"""
    done = subprocess.run([binary, "run", "--pypto", version, str(RUNNER), str(folder), *names],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                          check=False)
    if not (folder / "ends.json").exists():
        print(done.stdout[-2000:])
        sys.exit(77 if "torch" in done.stdout else 1)  # no torch, no launches
    ends = json.loads((folder / "ends.json").read_text(encoding="utf-8"))
    found = {}
    for name, (status, text) in ends.items():
        codes = re.findall(r"ErrCode: (F[0-9A-Z]{5})", text)
        other = "TOO LARGE" if "TOO LARGE" in text else "error"
        found[name] = (None if status == 0 else codes[-1] if codes else other), text
    return found


def checked(binary, folder, version):
    """{name: ["KS05 line 7: …"]} of the linter's findings about kernels that fail."""
    done = subprocess.run([binary, "check", str(folder), "--rules", "KS", "--pypto", version, "--format", "json"],
                          stdout=subprocess.PIPE, check=False)
    found = {}
    for one in json.loads(done.stdout)["findings"]:
        if one["status"] == "FAIL":
            found.setdefault(pathlib.Path(one["file"]).stem, []).append(
                "%s line %d: %s" % (one["rule"], one["line"], one["message"]))
    return found
