#!/usr/bin/env python3
"""Adds a command, an output format and a rule to a copy of the tree, builds it and uses them.

Usage: test_additions.py BUILD

Each is what the documentation says it is: a command is a file and a row of commands.def, a format a file
and a row of formats.def, a rule a file, a page and a folder of fixtures. Everything else follows from
these: dispatch, help, completions, pages (by scripts/make_lists.py), and the tests, which must pass as
they are. BUILD is a configured build, whose compiler and flags are used; with ccache only what the
additions touch is compiled.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import tree

TEMPLATES = tree.ROOT / "tests" / "quality" / "additions"
# Not needed to build and to run the tests below, and large.
LEFT_OUT = re.compile(r"tests/(snapshots|harness|sim|runtime|unit|oracle|hostile|sarif|clients|fuzz/corpus)/"
                      r"|tests/fixtures/(?!run_fixtures\.py|[A-Z]{2}\d\d/break\.json)")
SAME = ("CMAKE_C_COMPILER", "CMAKE_C_COMPILER_LAUNCHER", "CMAKE_BUILD_TYPE", "CMAKE_C_FLAGS",
        "CMAKE_C_FLAGS_DEBUG", "CMAKE_C_FLAGS_RELEASE", "PYPTO_LINT_CCACHE", "PYPTO_LINT_WERROR")
KERNEL = "@pypto.frontend.jit\ndef {}(x: pypto.Tensor([64], pypto.DT_FP32)):\n    pypto.set_vec_tile_shapes(64)\n"
HEAD = "import pypto\n\n\n"
# Cases of the rule: name, source, lines of the findings; None: SKIP.
CASES = [("finished", HEAD + KERNEL.format("soft_npu"), []),
         ("unfinished", HEAD + KERNEL.format("soft_todo"), [5]),
         ("two", HEAD + KERNEL.format("a_todo") + "\n\n" + KERNEL.format("b_todo"), [5, 10]),
         ("one_of_two", HEAD + KERNEL.format("a_npu") + "\n\n" + KERNEL.format("b_todo"), [10]),
         ("todo_within_the_name", HEAD + KERNEL.format("a_todo_npu"), []),
         ("capitals", HEAD + KERNEL.format("a_TODO"), []),
         ("function", HEAD + "def a_todo():\n    pass\n\n\n" + KERNEL.format("b_npu"), []),
         ("no_kernel", HEAD + "def a_todo():\n    pass\n", None)]


def copy_tree(place):
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=tree.ROOT, check=False,
                           capture_output=True, encoding="utf-8").stdout.splitlines()
    for name in names or map(str, tree.files()):
        if not LEFT_OUT.match(name) and (tree.ROOT / name).is_file():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(tree.ROOT / name, place / name)
    (place / "grammar" / "node_modules").symlink_to(tree.ROOT / "grammar" / "node_modules")


def add_row(path, before, row):
    """Puts a row in front of the one that begins with `before`."""
    text = path.read_text(encoding="utf-8")
    assert text.count(before) == 1, (path, before)
    path.write_text(text.replace(before, row + "\n" + before), encoding="utf-8")


def add_all(place):
    for name, folder in (("command_motto.c", "src/cli"), ("report_places.c", "src/report"),
                         ("ks90_unfinished_kernel.c", "rules"), ("KS90.md", "docs/rules")):
        shutil.copyfile(TEMPLATES / name, place / folder / name)
    add_row(place / "src/cli/commands.def", 'COMMAND("help",',
            'COMMAND("motto", motto, "motto [OPTIONS] [WORD...]", "print words", "输出这些词", "")')
    add_row(place / "src/report/formats.def", "FORMAT(agent,",
            'FORMAT(places, FOR_PROGRAMS, "scripts", "one place a line")')
    fixtures = place / "tests/fixtures/KS90"
    for name, source, lines in CASES:
        (fixtures / name / "rowscale").mkdir(parents=True)
        (fixtures / name / "rowscale/rowscale_impl.py").write_text(source)
        found = [{"file": "rowscale_impl.py", "line": line, "status": "FAIL"} for line in lines or []]
        case = {"why": f"{name}.", "status": "SKIP" if lines is None else "FAIL" if lines else "PASS",
                "findings": found}
        (fixtures / name / "expected.json").write_text(json.dumps(case))
    edit = {"sample": "softmax", "how": "stage 5", "status": "FAIL",
            "edits": [{"file": "softmax_impl.py", "old": "def softmax_kernel(\n", "new": "def softmax_todo(\n"},
                      {"file": "softmax_impl.py", "old": "    softmax_kernel(x, y)\n",
                       "new": "    softmax_todo(x, y)\n"}]}
    (fixtures / "break.json").write_text(json.dumps(edit))


def run(*command, cwd, status=0):
    """The output of a command; its status must be the expected one."""
    env = {key: value for key, value in os.environ.items() if not key.startswith("PYPTO_LINT")}
    # Objects of another tree are found again, wherever that lies.
    env.update(CCACHE_BASEDIR=str(cwd), CCACHE_NOHASHDIR="1", LC_ALL="C.UTF-8")
    done = subprocess.run([str(word) for word in command], cwd=cwd, env=env, capture_output=True,
                          encoding="utf-8", check=False)
    if done.returncode != status:
        raise SystemExit(f"{' '.join(map(str, command))}: status {done.returncode}\n"
                         f"{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
    return done.stdout


def build(place, original):
    cache = (original / "CMakeCache.txt").read_text(encoding="utf-8")
    same = [f"-D{name}={match.group(1)}" for name in SAME
            if (match := re.search(rf"^{name}:\w+=(.*)$", cache, re.M))]
    run("cmake", "-S", place, "-B", place / "build/dev", "-G", "Ninja", "-DBUILD_TESTING=OFF", *same, cwd=place)
    run("cmake", "--build", place / "build/dev", "-j2", "--target", "pypto-lint", cwd=place)
    return place / "build/dev/bin/pypto-lint"


def check_command(binary, place):
    assert run(binary, "motto", "--loud", "--end=bang", "so", "so", cwd=place) == "SO SO!\n"
    assert run(binary, "motto", "--end", "comma", cwd=place, status=2) == ""
    assert "  motto       print words\n" in run(binary, "help", cwd=place)
    assert "--end dot|bang  what it ends with" in run(binary, "help", "motto", cwd=place)
    assert "`pypto-lint motto [OPTIONS] [WORD...]` | print words" in (place / "docs/command-line.md").read_text()


def check_format(binary, place):
    case = place / "tests/fixtures/KS90/two/rowscale"
    places = run(binary, "check", "--rules", "KS90", "--stage", "5", "--format", "places", "--op-dir", case,
                 cwd=place, status=1)
    assert [line.split(":")[1] for line in places.splitlines()] == ["5", "10"], places
    assert ", places or agent" in run(binary, "help", "check", cwd=place)
    assert "| `places` | scripts | one place a line |" in (place / "docs/ci/output-formats.md").read_text()


def check_rule(binary, place):
    assert "Kernel that is not finished" in run(binary, "explain", "KS90", cwd=place)
    assert "[KS90](KS90.md)" in (place / "docs/rules/README.md").read_text()
    run(sys.executable, "-B", "tests/fixtures/run_fixtures.py", "--binary", binary, "KS90", cwd=place)
    run(sys.executable, "-B", "tests/examples/test_break_one.py", "--binary", binary, "KS90", cwd=place)


def main():
    original = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="additions-") as folder:
        place = pathlib.Path(folder).resolve()
        copy_tree(place)
        add_all(place)
        run(sys.executable, "scripts/make_lists.py", cwd=place)
        binary = build(place, original)
        check_command(binary, place)
        check_format(binary, place)
        check_rule(binary, place)
        for name in ("command_line", "registry", "gates", "doctor", "upstream"):
            run(sys.executable, "-B", f"tests/cli/test_{name}.py", binary, cwd=place)
        run(sys.executable, "-B", "tests/cli/test_completions.py", binary, "Bash", cwd=place)
        run(sys.executable, "-B", "tests/docs/check_rule_pages.py", cwd=place)
        run(sys.executable, "-B", "tests/docs/check_gates.py", binary, cwd=place)
    print("all well")


if __name__ == "__main__":
    main()
