"""pypto.pil: marks helpers that the front end of 9.2 makes part of the kernels that call them."""

__all__ = ["compile", "function"]


def function(target=None, **options):
    """@function: helpers are part of their kernels with or without it."""
    return (lambda inner: inner) if target is None else target


def compile(target, *_args, **_options):  # pylint: disable=redefined-builtin
    """The product lowers a function separately; here it is recorded where a kernel calls it."""
    return target
