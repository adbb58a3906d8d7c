"""Adding an operation to the simulator touches ops.def and one kernel file; the rest follows from them.

In a copy of the simulator: test_sign gets a kernel of its own, test_gamma only an inner loop (a line in
loops_math.c). Then the copy is built, and a kernel in Python uses both.

Usage: check_new_operation.py REPOSITORY PYTHON  (the interpreter whose headers the extension takes)
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

TEMPLATE = pathlib.Path(__file__).parent / "new_operation"
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(scratch LANGUAGES C)
set(CMAKE_C_STANDARD 17)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_package(Threads REQUIRED)
include(cmake/warnings.cmake)
add_subdirectory(src/model)
add_subdirectory(src/sim)
add_subdirectory(runtime)
"""


def copy(root, scratch):
    """What the simulator is built from."""
    for folder in ("cmake", "runtime", "src/base", "src/platform", "src/sarif", "src/model", "src/sim"):
        shutil.copytree(root / folder, scratch / folder, ignore=shutil.ignore_patterns("__pycache__"))
    (scratch / "scripts").mkdir()
    for name in ("make_sim_ops.py", "make_sim_socs.py", "c_text.py"):
        shutil.copy(root / "scripts" / name, scratch / "scripts")
    (scratch / "CMakeLists.txt").write_text(PROJECT)


def add_operations(scratch):
    """The change that somebody makes who adds an operation."""
    with open(scratch / "src/model/ops.def", "a", encoding="utf-8") as ops:
        ops.write((TEMPLATE / "ops.def").read_text())
    shutil.copy(TEMPLATE / "test_sign.c", scratch / "src/sim/kernels")
    loops = scratch / "src/sim/kernels/loops_math.c"
    text = loops.read_text(encoding="utf-8")
    before, name, after = text.partition("    X(EXP, exp)")
    assert name, "loops_math.c has its list of functions no more"
    loops.write_text(before + "    X(TGAMMA, tgamma) \\\n" + name + after, encoding="utf-8")


def main():
    root, python = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    launcher = ["-DCMAKE_C_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    with tempfile.TemporaryDirectory() as folder:
        scratch, build = pathlib.Path(folder) / "tree", pathlib.Path(folder) / "build"
        environment = dict(os.environ, CCACHE_BASEDIR=folder, CCACHE_NOHASHDIR="1")
        copy(root, scratch)
        subprocess.run(["cmake", "-G", "Ninja", "-S", scratch, "-B", build, "-DPYPTO_LINT_WERROR=ON",
                        f"-DPYPTO_LINT_PYTHON={python}"] + launcher,
                       check=True, stdout=subprocess.DEVNULL)
        add_operations(scratch)
        subprocess.run(["cmake", "--build", build, "-j2", "--target", "ptosim_extension", "runtime"],
                       check=True, env=environment)
        environment["PYTHONPATH"] = str(build / "share/pypto-lint/sim")
        environment["TILE_FWK_OUTPUT_DIR"] = folder
        subprocess.run([python, "-B", TEMPLATE / "kernel.py"], check=True, env=environment)


if __name__ == "__main__":
    main()
