"""The source tree that is packaged: its version, its time, its files."""
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[1]
# What a build and its users need. Tests are left out, except those that the build files name.
SHIPPED = ["CHANGELOG.md", "CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md", "cmake", "docs", "examples",
           "grammar", "hooks", "packaging", "pyproject.toml", "rules", "runtime", "scripts", "src", "tests/bench"]
# From the third-party packages only sources and licences, not their development tools.
GRAMMAR = ["tree-sitter/LICENSE", "tree-sitter/package.json", "tree-sitter/vendor/tree-sitter/lib",
           "tree-sitter-python/LICENSE", "tree-sitter-python/package.json", "tree-sitter-python/src"]
COMMIT_FILE = "packaging/commit"  # in the source archive, which has no git
PASSED_OVER = {"node_modules", "__pycache__", "build", "dist"}


def version():
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"^project\(pypto-lint VERSION ([0-9.]+)", text, re.M)[1]


def git(*words):
    """What git says about this tree, or "" when it is not a checkout of its own."""
    def ask(*asked):
        try:
            done = subprocess.run(["git", "-C", ROOT, *asked], capture_output=True, encoding="utf-8", check=False)
        except FileNotFoundError:
            return ""
        return done.stdout.strip() if done.returncode == 0 else ""
    top = ask("rev-parse", "--show-toplevel")
    return ask(*words) if top and pathlib.Path(top).resolve() == ROOT else ""


def changes():
    """Files that differ from the commit, or that it does not have, a line each as git says it; what git ignores aside."""
    return git("status", "--porcelain", "--untracked-files=all").splitlines()


def commit():
    """The commit, with "+" when files differ from it; "" when unknown."""
    written = ROOT / COMMIT_FILE
    found = git("rev-parse", "HEAD")
    if found:
        return found + ("+" if changes() else "")
    return written.read_text(encoding="utf-8").strip() if written.is_file() else ""


def epoch():
    """Time that archives carry: SOURCE_DATE_EPOCH, else that of the commit, else a fixed one."""
    return int(os.environ.get("SOURCE_DATE_EPOCH") or git("log", "-1", "--format=%ct") or 1704067200)


def shipped_files():
    """{relative path: path} of all files in the source archive; in a checkout without those that git ignores."""
    known = set(git("ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")) - {""}
    files = {}
    for part in SHIPPED:
        path = ROOT / part
        for file in path.rglob("*") if path.is_dir() else [path]:
            inner = file.relative_to(ROOT)
            if file.is_file() and not PASSED_OVER & set(inner.parts) and (not known or str(inner) in known):
                files[str(inner)] = file
    for part in GRAMMAR:
        path = ROOT / "grammar/node_modules" / part
        for file in path.rglob("*") if path.is_dir() else [path]:
            if file.is_file():
                files[str(file.relative_to(ROOT))] = file
    return files
