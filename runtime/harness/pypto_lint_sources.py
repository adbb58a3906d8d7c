"""Runs the Python files of a project from their sources, never from compiled copies beside them.

Python loads `__pycache__/x.cpython-*.pyc` instead of `x.py`, without comparing them, when the copy says
that it need not be checked (PEP 552), and loads `x.pyc` where there is no `x.py`. Such files may come
with a clone, or a kernel may write them for later cases: then the code that runs is not the code that
was linted."""
import os
import sys
from importlib import machinery

_projects = set()  # folders, as they really are
_installed = []  # folders of Python's own and of installed packages, once the hook is there


class SourceLoader(machinery.SourceFileLoader):
    """Compiles the file each time."""

    def get_code(self, fullname):
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


def loader_of(name, path):
    """For importlib.util.spec_from_file_location; None: it chooses the loader."""
    return SourceLoader(name, path) if path.endswith(tuple(machinery.SOURCE_SUFFIXES)) else None


def trust_only(project):
    """From now on, modules below the folder `project`, and in folders that are put on the path later,
    are loaded from their sources. Must be called before such folders are put on the path."""
    project = os.path.realpath(project)
    if not _installed:
        _installed.extend(folder for folder in map(os.path.realpath, filter(None, sys.path))
                          if not _below(folder, project) or _below(folder, sys.prefix))
        sys.path_hooks.insert(0, _finder)
    if project in _projects:
        return
    _projects.add(project)
    for folder in list(sys.path_importer_cache):
        if _of_project(folder):
            del sys.path_importer_cache[folder]


def _below(folder, above):
    """Is `folder` inside `above`? `folder` is a real path."""
    return os.path.commonpath([folder, os.path.realpath(above)]) == os.path.realpath(above)


def _finder(folder):
    """A hook for sys.path_hooks."""
    if not os.path.isdir(folder or ".") or not _of_project(folder):
        raise ImportError("not below a project")
    return machinery.FileFinder(
        folder, (machinery.ExtensionFileLoader, machinery.EXTENSION_SUFFIXES),
        (SourceLoader, machinery.SOURCE_SUFFIXES))


def _of_project(folder):
    """Does the folder belong to the project? The nearest known folder above decides, because an
    environment may lie inside a project."""
    folder = os.path.realpath(folder or ".")
    while folder not in _projects:
        if folder in _installed:
            return False
        above = os.path.dirname(folder)
        if above == folder:
            return True
        folder = above
    return True
