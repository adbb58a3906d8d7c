"""What the release binary is built from, and where the binaries that tests have built of just these sources are kept."""
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILT_FROM = ["CMakeLists.txt", "CMakePresets.json", "cmake", "grammar", "hooks", "runtime", "src", "rules",
              "docs/rules", "scripts", "tests/bench"]


def sources():
    """Paths of all files that a build may read, third-party packages aside: their versions are locked."""
    for part in BUILT_FROM:
        path = ROOT / part
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file() and not {"node_modules", "__pycache__"} & set(file.parts):
                yield file


def kept_program(folder, builder):
    """The one of the test `builder`. Its name says what it was built from, and with which compiler."""
    compiler = subprocess.run(["gcc", "--version"], capture_output=True, check=True).stdout
    total = hashlib.sha256(compiler)
    for file in sources():
        total.update(b"%s\0%s\0" % (bytes(file.relative_to(ROOT)), hashlib.sha256(file.read_bytes()).digest()))
    return pathlib.Path(folder, f"pypto-lint-{builder}-{total.hexdigest()[:16]}")


def keep(program, folder, builder):
    """Leaves a copy for check_release.py, whole or not at all."""
    target = kept_program(folder, builder)
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(program, target.with_suffix(".part"))
    target.with_suffix(".part").rename(target)


def build(folder, *options):
    """Builds the release binary in a copy of the sources in `folder`, and returns its path."""
    folder.mkdir(parents=True)
    for part in BUILT_FROM:
        source, target = ROOT / part, folder / part
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        elif source.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    for command in (["cmake", "--preset", "release", *options],
                    ["cmake", "--build", "--preset", "release", "--target", "pypto-lint",
                     "-j", str(os.cpu_count() or 2)]):
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              encoding="utf-8", check=False)
        if done.returncode:
            sys.exit(f"{' '.join(command)} failed:\n{done.stdout[-4000:]}")
    return folder / "build/release/bin/pypto-lint"
