"""Warnings of the simulator while the wrapper ran: ids, codes and places, each once with its count.
The texts are left out, because they may contain names that the kernel chose."""
import os
import sys

MOST = 200


def collect(folder):
    """[{severity, id, code, file, line, count}], in the order of their arrival. Paths in `folder` are
    relative to it; other paths are reduced to the name of the file."""
    sanitize = sys.modules.get("pypto._sanitize")
    if sanitize is not None:
        sanitize.tell_all()  # no further launch can change them
    diagnose = sys.modules.get("pypto._diagnose")
    found = {}
    for severity, code, name, filename, line in getattr(diagnose, "told", ()):
        file, line = place(filename, line, folder)
        key = (severity, str(name), "%06X" % code if code else None, file, line)
        if key in found or len(found) < MOST:
            found[key] = found.get(key, 0) + 1
    names = ("severity", "id", "code", "file", "line")
    return [dict(zip(names, key), count=count) for key, count in found.items()]


def place(filename, line, folder):
    """(file, line) for the result; (None, 0) where there is none."""
    if not isinstance(filename, str) or not isinstance(line, int) or line < 1:
        return None, 0
    real, root = os.path.realpath(filename), os.path.realpath(folder or os.curdir) + os.sep
    return (real[len(root):] if folder and real.startswith(root) else os.path.basename(real)), line
