"""pypto.ir: the product's compiler has its classes here; programs can name them, and that is all."""


class _Node:
    """Stands for a class of the compiler."""


def __getattr__(name):
    """A class of that name, without content."""
    if name.startswith("_"):
        raise AttributeError("module 'pypto.ir' has no attribute '%s'" % name)
    made = globals()[name] = type(name, (_Node,), {})
    return made
