"""What clang-tidy or a compiler has found nothing in before, so that it need not be asked again: named by content, as
ccache does it, and kept in ccache's folder.

A verdict's name is the hash of everything it depends on: the program's version, its options, the .clang-tidy files
that apply, the compiler's command, and every byte of the source and of each header that the build read for it. So a
verdict holds in any folder that has these bytes, and a change of one of them asks again. Only "nothing found" is
kept. Headers that clang alone reads, its own, go with its version.
"""
import hashlib
import os
import pathlib
import re
import subprocess
import time

LONGEST_UNUSED = 30 * 24 * 3600  # seconds


def folder():
    """Where verdicts are kept; CCACHE_DIR and ccache's settings decide."""
    try:
        place = subprocess.run(["ccache", "-k", "cache_dir"], capture_output=True, encoding="utf-8", check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        place = os.environ.get("XDG_CACHE_HOME") or str(pathlib.Path.home() / ".cache")
    return pathlib.Path(place.strip(), "clang-tidy-verdicts")


def read_by_build(build):
    """Object file: what the build read to make it; for objects of the last build only."""
    done = subprocess.run(["ninja", "-C", build, "-t", "deps"], capture_output=True, encoding="utf-8", check=False)
    found, files = {}, None
    for line in done.stdout.splitlines():
        head = re.fullmatch(r"(\S.*): #deps \d+, deps mtime \d+ \((VALID|STALE)\)", line)
        if head:
            files = found.setdefault(head[1], []) if head[2] == "VALID" else []
        elif line.startswith("    ") and files is not None:
            files.append(os.path.join(build, line.strip()))
    return found


class Verdicts:
    """Verdicts of one program with one set of options; `place` None: there are none, and none is kept."""

    def __init__(self, program, options, root, build, place):
        self.place, self.root, self.build = place, str(root), str(build)
        self.deps = read_by_build(build) if place else {}
        self.hashes = {}
        if place:
            place.mkdir(parents=True, exist_ok=True)
            version = subprocess.run([program, "--version"], capture_output=True, check=True).stdout
            self.common = hashlib.sha256(version + repr(options).encode())

    def hash_of(self, path):
        if path not in self.hashes:
            self.hashes[path] = hashlib.sha256(pathlib.Path(path).read_bytes()).digest()
        return self.hashes[path]

    def settings(self, source):
        return [path for folder in pathlib.Path(source).parents if folder.is_relative_to(self.root)
                if (path := folder / ".clang-tidy").is_file()]

    def name(self, entry):
        """Of the verdict on an entry of compile_commands.json; None where it is not known what was read."""
        output = re.search(r" -o (\S+)", entry["command"])
        files = self.deps.get(output[1]) if output else None
        if not files:
            return None
        total = self.common.copy()
        total.update(self.plain(entry["command"]).encode())
        for path in [*files, *self.settings(entry["file"])]:
            total.update(self.plain(os.path.normpath(path)).encode() + b"\0" + self.hash_of(path))
        return total.hexdigest()

    def plain(self, text):
        """The same in every clone and build."""
        return text.replace(self.build, "<build>").replace(self.root, "<root>")

    def is_clean(self, name):
        """Nothing was found before; the verdict stays for another while then."""
        if not self.place or name is None or not (self.place / name).is_file():
            return False
        os.utime(self.place / name)
        return True

    def keep(self, name):
        if self.place and name:
            (self.place / name).touch()

    def forget_old(self):
        for path in self.place.iterdir() if self.place else ():
            if time.time() - path.stat().st_mtime > LONGEST_UNUSED:
                path.unlink(missing_ok=True)
