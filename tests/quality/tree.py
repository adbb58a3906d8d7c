"""What the checks of this folder share: the list of files, and C text without comments."""
import os
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEFT_OUT = {".git", "build", "node_modules", "__pycache__", ".cache"}
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def files(suffixes=None, below="."):
    """Paths of the repository's own files, relative to ROOT, sorted."""
    found = []
    for folder, folders, names in os.walk(ROOT / below):
        folders[:] = sorted(name for name in folders if name not in LEFT_OUT)
        for name in sorted(names):
            path = pathlib.Path(folder, name)
            if not path.is_symlink() and (suffixes is None or path.suffix in suffixes):
                found.append(path.relative_to(ROOT))
    return found


def own_c_files():
    """C files of the project: the program, the rules and the tests (not fixtures)."""
    return [path for path in files({".c", ".h"}) if path.parts[:2] != ("tests", "fixtures")]


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def blank(text, keep_strings=False):
    """C text with comments and the contents of literals blanked; lines stay where they are."""
    def replace(match):
        token = match.group()
        if token[0] == "/":
            return re.sub(r"[^\n]", " ", token)
        return token if keep_strings else token[0] + " " * (len(token) - 2) + token[0]
    return TOKEN.sub(replace, text)


def finish(problems):
    """Prints the problems; the exit status."""
    print("\n".join(problems) if problems else "all well")
    return 1 if problems else 0
