"""Builds the program and installs it into a folder, from which it is packed."""
import os
import pathlib
import shutil
import subprocess
import sys

import tree

# What users of the program need; headers and static libraries are for the Debian packages.
INSTALLED = ["bin", "share"]


def run(*command, **how):
    """Runs a command and returns its output; if it fails, exits with the end of the output as the error."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          encoding="utf-8", errors="replace", check=False, **how)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} failed:\n{done.stdout[-4000:]}")
    return done.stdout


def environment(**more):
    return {**os.environ, **more}


def configure(build, options):
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    run("cmake", "-S", tree.ROOT, "-B", build, *generator, "-DCMAKE_BUILD_TYPE=Release",
        "-DCMAKE_C_FLAGS_RELEASE=-O2 -DNDEBUG", "-DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON", "-DBUILD_TESTING=OFF",
        f"-DPYPTO_LINT_COMMIT={tree.commit() or 'unknown'}", *options)


def has_static_libraries():
    """Are all libraries there as archives (libyaml.a …), as on Debian? Otherwise the program is linked dynamically."""
    compiler = os.environ.get("CC", "cc")
    for name in ("yaml", "jansson", "md", "utf8proc", "c"):
        asked = [compiler, f"-print-file-name=lib{name}.a"]
        found = subprocess.run(asked, capture_output=True, encoding="utf-8", check=False).stdout.strip()
        if not pathlib.Path(found).is_absolute():
            return False
    return True


def install(build, stage, strip="strip"):
    """Installs what was built into the folder `stage`, without symbols."""
    run("cmake", "--install", build, "--prefix", stage)
    for folder in stage.iterdir():
        if folder.name not in INSTALLED:
            shutil.rmtree(folder)
    # pip removes a folder only if a file of the wheel was in it; this one has only folders otherwise.
    shutil.copyfile(tree.ROOT / "LICENSE", stage / "share/pypto-lint/LICENSE")
    run(strip, stage / "bin/pypto-lint")
    extension = stage / "share/pypto-lint/sim/_ptosim.abi3.so"
    if extension.exists():
        run(strip, "--strip-unneeded", extension)


def build_here(work, stage):
    """Builds from the source archive for this machine, with the libraries that it has."""
    static = "ON" if has_static_libraries() else "OFF"
    configure(work, [f"-DPYPTO_LINT_STATIC={static}", f"-DPYPTO_LINT_PYTHON={sys.executable}"])
    run("cmake", "--build", work, "-j", os.cpu_count() or 2)
    install(work, stage)
