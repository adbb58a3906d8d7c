"""pypto.frontend.parser: importable, for the names that programs take from it."""
from . import entry

__all__ = ["entry"]
