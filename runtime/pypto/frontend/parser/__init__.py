"""pypto.frontend.parser: importable, for what programs take out of it."""
from . import entry

__all__ = ["entry"]
