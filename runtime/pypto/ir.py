"""pypto.ir: the classes of the product's compiler; programs can name them but not use them."""


class _Node:
    """Stands for a class of the compiler."""


def __getattr__(name):
    """Makes an empty class of that name."""
    if name.startswith("_"):
        raise AttributeError("module 'pypto.ir' has no attribute '%s'" % name)
    made = globals()[name] = type(name, (_Node,), {})
    return made
