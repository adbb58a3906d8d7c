"""pypto.frontend of the fake."""
from .. import jit  # noqa: F401
