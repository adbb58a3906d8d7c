"""Hooks that run while a module is loaded, whoever imports it."""
import importlib.abc
import importlib.util
import os
import sys


class Hooks(importlib.abc.MetaPathFinder):
    """Hooks by module name and by file. `hook(module)` is a context manager around the loading."""

    def __init__(self):
        self._names, self._files, self._busy = {}, [], set()

    def on_name(self, name, hook):
        """For modules of that name."""
        self._names[name] = hook

    def on_file(self, wanted, hook):
        """For modules for whose real path `wanted(path)` is true."""
        self._files.append((wanted, hook))

    def install(self):
        """Puts the hooks before all other finders."""
        sys.meta_path.insert(0, self)

    def find_spec(self, name, path=None, target=None):
        """Lets the other finders find the module, then puts the hook around its loader."""
        if name in self._busy:
            return None
        self._busy.add(name)
        try:
            spec = importlib.util.find_spec(name)
        except (ImportError, AttributeError, ValueError):
            return None  # the search continues, and fails with the usual message
        finally:
            self._busy.discard(name)
        hook = None if spec is None or spec.loader is None else self._hook(name, spec.origin)
        if hook is not None and hasattr(spec.loader, "exec_module"):
            spec.loader = _Loader(spec.loader, hook)
        return spec

    def _hook(self, name, origin):
        if name in self._names:
            return self._names[name]
        if not isinstance(origin, str) or not origin.endswith(".py"):
            return None
        path = os.path.realpath(origin)
        return next((hook for wanted, hook in self._files if wanted(path)), None)


class _Loader(importlib.abc.Loader):
    def __init__(self, inner, hook):
        self._inner, self._hook = inner, hook

    def __getattr__(self, name):
        return getattr(self._inner, name)

    def create_module(self, spec):
        return self._inner.create_module(spec)

    def exec_module(self, module):
        module.__loader__ = module.__spec__.loader = self._inner
        with self._hook(module):
            self._inner.exec_module(module)
