"""The licences of the libraries that are linked into the program."""
import pathlib

import tree

DOCUMENTS = pathlib.Path("/usr/share/doc")
LIBRARIES = {"libc6": "the GNU C library (static programs)", "libjansson4": "jansson", "libyaml-0-2": "libyaml",
             "libmd0": "libmd", "libutf8proc2": "utf8proc", "libiberty": "libiberty (names in native stacks)"}
DEVELOPMENT = {"libc6": "libc6-dev", "libjansson4": "libjansson-dev", "libyaml-0-2": "libyaml-dev",
               "libmd0": "libmd-dev", "libutf8proc2": "libutf8proc-dev",
               "libiberty": "libiberty-dev"}


def library_text(package, strict):
    for name in (DEVELOPMENT[package], package, package + "t64"):
        path = DOCUMENTS / name / "copyright"
        if path.is_file():
            return path.read_text(encoding="utf-8")
    if strict:
        raise SystemExit(f"no licence of {package} in {DOCUMENTS}")
    return "See the documentation of the system that this copy was built on.\n"


def text(strict=True):
    """All licences, as bytes. If `strict`, exits when one is not where Debian keeps it."""
    parts = ["pypto-lint is under the licence in LICENSE. These libraries are linked into it.\n"]
    for package, title in LIBRARIES.items():
        parts.append(f"{'=' * 78}\n{title}\n{'=' * 78}\n\n{library_text(package, strict)}")
    for name in ("tree-sitter", "tree-sitter-python"):
        licence = (tree.ROOT / "grammar/node_modules" / name / "LICENSE").read_text(encoding="utf-8")
        parts.append(f"{'=' * 78}\n{name}\n{'=' * 78}\n\n{licence}")
    return "\n".join(parts).encode()
