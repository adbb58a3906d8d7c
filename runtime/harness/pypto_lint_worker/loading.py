"""Loads modules by path and looks up the names that they must have."""
import contextlib
import importlib.util
import linecache
import os
import sys
import types

import pypto_lint_sources as sources

from .failures import NO_FILE, NO_FUNCTION, NO_PYTHON, Contract

_REFERENCE = "_pypto_lint_reference"  # the implementation could import it by its own name


def prepare_path(op_dir):
    """Lets the operator's files import each other: puts modules/, the folder itself and eval/ before
    everything else on the path, as their own tests do."""
    sources.trust_only(op_dir)
    for folder in ("eval", "", "modules"):
        path = os.path.join(op_dir, folder) if folder else op_dir
        if path in sys.path:
            sys.path.remove(path)
        sys.path.insert(0, path)


def load_module(path, name=None):
    """The module of a file, under the file's name."""
    name = name or os.path.splitext(os.path.basename(path))[0]
    if not os.path.isfile(path):
        raise Contract(NO_FILE % os.path.basename(path))
    spec = importlib.util.spec_from_file_location(name, path,
                                                  loader=sources.loader_of(name, path))
    if spec is None or spec.loader is None:
        raise Contract(NO_PYTHON % os.path.basename(path))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return module


def load_text(path, name, text, names=()):
    """The module of a file that has this text instead of its own; `names`: (name, value) pairs that it has from the start."""
    linecache.cache[path] = (len(text), None, text.splitlines(True), path)  # what the recorder reads
    module = types.ModuleType(name)
    module.__file__ = path
    vars(module).update(names)
    sys.modules[name] = module
    try:
        exec(compile(text, path, "exec", dont_inherit=True), vars(module))
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return module


def function_of(module, name):
    """The function of that name, which the module must have."""
    function = getattr(module, name, None)
    if not callable(function):
        file = getattr(module, "__file__", None) or "the module"
        raise Contract(NO_FUNCTION % (os.path.basename(file), name))
    return function


class Reference:
    """A golden file that is loaded, but that the implementation cannot import."""

    def __init__(self, path, function):
        self.path = path
        self.name = function
        self.names = []  # of the inputs that it is called with
        self._module = load_module(path, _REFERENCE)
        sys.modules.pop(_REFERENCE, None)
        self.function = function_of(self._module, function)

    def has(self, name):
        """Does the file define the name?"""
        return hasattr(self._module, name)

    def other(self, name):
        """Another function of the file."""
        return function_of(self._module, name)

    @contextlib.contextmanager
    def present(self):
        """Makes its module importable while it runs, which pickle and dataclasses need."""
        sys.modules[_REFERENCE] = self._module
        try:
            yield
        finally:
            sys.modules.pop(_REFERENCE, None)


def load_inputs(path):
    """(PRIMARY_INPUT_ORDER, make_inputs) of eval/test_inputs.py."""
    module = load_module(path)
    order = getattr(module, "PRIMARY_INPUT_ORDER", None)
    if not isinstance(order, (list, tuple)) or not all(isinstance(n, str) for n in order):
        raise Contract("%s has no list PRIMARY_INPUT_ORDER of names" % os.path.basename(path))
    return list(order), function_of(module, "make_inputs")
