"""Checks what an ELF file requires of the system that loads it, with readelf, which reads every architecture."""
import re
import subprocess

MOST_GLIBC = (2, 34)
# Those libraries allowed by the manylinux_2_34 policy that a C extension needs.
ALLOWED = {"libc.so.6", "libm.so.6", "libpthread.so.0", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
# Python publishes no list of the limited API of 3.8. Private names and those of a single version are not part of it.
FOREIGN = re.compile(r"_Py\w+|PyUnstable\w*")
# Private names that macros of the limited API expand to.
LIMITED = {"_Py_NoneStruct", "_Py_TrueStruct", "_Py_FalseStruct", "_Py_NotImplementedStruct", "_Py_EllipsisObject",
           "_Py_Dealloc", "_Py_BuildValue_SizeT", "_PyArg_ParseTuple_SizeT", "_PyObject_CallFunction_SizeT",
           "_PyObject_CallMethod_SizeT", "_PyObject_GC_New"}


def readelf(*words):
    return subprocess.run(["readelf", "-W", *map(str, words)], check=True, capture_output=True, encoding="utf-8").stdout


def problems(path):
    """Reasons why the file would not load with glibc 2.34 and any Python from 3.8 on, as sentences."""
    found = []
    for library in re.findall(r"\(NEEDED\).*\[(.*)\]", readelf("-d", path)):
        if library not in ALLOWED:
            found.append(f"{path.name} needs {library}")
    for line in readelf("--dyn-syms", path).splitlines():
        words = line.split()
        if len(words) < 8 or words[6] != "UND":
            continue
        name, _, version = words[7].partition("@")
        number = re.search(r"GLIBC_(\d+)\.(\d+)", version)
        if number and tuple(map(int, number.groups())) > MOST_GLIBC:
            found.append(f"{path.name} needs {words[7]}: above glibc {'.'.join(map(str, MOST_GLIBC))}")
        if FOREIGN.fullmatch(name) and name not in LIMITED:
            found.append(f"{path.name} needs {name}, which is not in the limited API")
    return found


def is_static(path):
    return "(NEEDED)" not in readelf("-d", path) and "INTERP" not in readelf("-l", path)
