"""Modules by path, and the names that they must have."""
import contextlib
import importlib.util
import os
import sys

import pypto_lint_sources as sources

from .failures import Contract

_REFERENCE = "_pypto_lint_reference"  # under its own name the implementation could import it


def prepare_path(op_dir):
    """What the operator's files import from each other is found: modules/, the folder itself and
    eval/, before everything else, as their own tests have it."""
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
        raise Contract("there is no file %s" % os.path.basename(path))
    spec = importlib.util.spec_from_file_location(name, path,
                                                  loader=sources.loader_of(name, path))
    if spec is None or spec.loader is None:
        raise Contract("%s is no Python file" % os.path.basename(path))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return module


def function_of(module, name):
    """The function that a module must have; no other name will do."""
    function = getattr(module, name, None)
    if not callable(function):
        raise Contract("%s has no function %s" % (
            os.path.basename(getattr(module, "__file__", None) or "the module"), name))
    return function


class Reference:
    """A golden file: loaded, and out of sight of the implementation."""

    def __init__(self, path, function):
        self.path = path
        self.name = function
        self.names = []  # of the inputs that it is called with
        self._module = load_module(path, _REFERENCE)
        sys.modules.pop(_REFERENCE, None)
        self.function = function_of(self._module, function)

    def other(self, name):
        """Another function of the file."""
        return function_of(self._module, name)

    @contextlib.contextmanager
    def present(self):
        """While it runs it finds its module, as pickle and dataclasses want it."""
        sys.modules[_REFERENCE] = self._module
        try:
            yield
        finally:
            sys.modules.pop(_REFERENCE, None)


def load_truth_golden(op_dir, op_name, suffix):
    """The reference of a phase, from <op_dir>/modules/<op>_module<suffix>_golden.py."""
    name = "%s_module%s_golden" % (op_name, suffix)
    return Reference(os.path.join(op_dir, "modules", name + ".py"), name).function


def resolve_impl_wrapper(impl_module, op_name, suffix):
    """<op>_module<suffix>_wrapper of the implementation; no other name will do."""
    return function_of(impl_module, "%s_module%s_wrapper" % (op_name, suffix))


def load_inputs(path):
    """(PRIMARY_INPUT_ORDER, make_inputs) of eval/test_inputs.py."""
    module = load_module(path)
    order = getattr(module, "PRIMARY_INPUT_ORDER", None)
    if not isinstance(order, (list, tuple)) or not all(isinstance(n, str) for n in order):
        raise Contract("%s has no list PRIMARY_INPUT_ORDER of names" % os.path.basename(path))
    return list(order), function_of(module, "make_inputs")
