"""Static checks of JavaScript: the scripts of the pages as they are embedded, and the programs of Node.js.

Usage: check_scripts.py OXLINT
"""
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import make_page_files

RULES = {"no-undef": "error", "no-unused-vars": "error", "no-redeclare": "error", "no-var": "error",
         "prefer-const": "error", "eqeqeq": "error", "no-fallthrough": "error"}
PROGRAMS = ["editors/vscode/*.js", "packaging/*/*.?js", "packaging/npm/*.js", "scripts/*.mjs", "tests/bench/*.mjs",
            "tests/clients/*.?js", "tests/page/*.mjs", "tests/sarif/*.mjs"]
# Each has one mistake of its own: the check must not be blind.
BROKEN = {"undefined.js": "missing();\n", "unused.js": "{\n  const left = 1;\n}\n",
          "loose.js": "if (document.title == 1) {\n  window.close();\n}\n", "syntax.js": "const = 1;\n"}


def lint(oxlint, folder, environments, paths):
    """What it finds, empty when all is well."""
    config = folder / "rules.json"
    config.write_text(json.dumps({"env": dict.fromkeys(environments, True), "categories": {"correctness": "error"},
                                  "rules": RULES}), encoding="utf-8")
    done = subprocess.run([oxlint, "--config", config, "--format", "unix", *paths], capture_output=True, text=True,
                          check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr or "exit status %d" % done.returncode


def written(folder, texts):
    folder.mkdir()
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return sorted(folder.iterdir())


def main():
    oxlint = sys.argv[1]
    order = (ROOT / "src/CMakeLists.txt").read_text(encoding="utf-8").split("foreach(part ")[1].split(")")[0].split()
    parts = [ROOT / "src/page/run" / (name + ".js") for name in order]
    assert set(parts) == set((ROOT / "src/page/run").glob("*.js")), order
    texts = make_page_files.read_scripts([*(ROOT / "src/page").glob("*.js"), *parts])
    programs = [path for pattern in PROGRAMS for path in ROOT.glob(pattern)]
    assert len(programs) > 10, programs
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        found = lint(oxlint, folder, ["browser", "es2024"], written(folder / "pages", texts))
        found += lint(oxlint, folder, ["browser", "node", "es2024"], programs)
        for path in written(folder / "broken", BROKEN):
            if not lint(oxlint, folder, ["browser", "es2024"], [path]):
                found += "%s passes\n" % path.name
    if found:
        sys.exit(found)


main()
