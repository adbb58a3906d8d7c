"""The exceptions of pypto, and how errors of the simulator's core become them.

Every error is a PyptoError whose text carries the product's code. The Python exception that the
text names ("ValueError") is `kind`; it is not a base class.
"""

__all__ = ["PyptoError", "PyptoGeneralError", "FeError", "InternalError", "ParserError",
           "RenderedParserError", "PyptoRtError", "PassError", "VerifyError"]

# The first that fits counts: NotImplementedError is a RuntimeError.
_CODES = (
    (NotImplementedError, 0xF00005),
    (TypeError, 0xF00001),
    (ValueError, 0xF00002),
    (RuntimeError, 0xF00003),
    (NameError, 0xF00004),
    (KeyError, 0xF00006),
    (IndexError, 0xF00008),
)
_OTHER = 0xF0FFFF
_CORE_KINDS = (None, "TypeError", "ValueError", "RuntimeError", "NotImplementedError", "IndexError",
               "KeyError", "MemoryError")


def code_of(error):
    """The number of the code that stands for a builtin exception."""
    for kind, number in _CODES:
        if isinstance(error, kind):
            return number
    return _OTHER


def _message_of(error):
    if isinstance(error, KeyError) and len(error.args) == 1:
        return repr(error.args[0])
    return str(error) or type(error).__name__


class PyptoError(Exception):
    """An error of the product: `code` ("F00002"), `kind` ("ValueError", None for errors of its
    core), `message`, and where known `filename` and `lineno`."""

    def __init__(self, error="", code=None):
        if isinstance(error, type) and issubclass(error, BaseException):
            error = error()
        wrapped = isinstance(error, BaseException)
        self.kind = type(error).__name__ if wrapped else type(self).__name__
        self.message = _message_of(error) if wrapped else str(error)
        number = code if code is not None else code_of(error) if wrapped else _OTHER
        self.code = "%06X" % number
        self.filename = None
        self.lineno = None
        self.prefix = ""   # lines before the text
        self.details = ""  # lines after it: the source line, the tensors
        self._text = None
        super().__init__(self.message)

    @property
    def text(self):
        """The error alone, without place and facts."""
        return self._text or "ErrCode: %s, %s: %s" % (self.code, self.kind, self.message)

    def __str__(self):
        return self.prefix + self.text + ("\n" + self.details if self.details else "")

    def __reduce__(self):
        return _restore, (type(self), self.__dict__.copy(), self.args)


def _restore(kind, state, args):
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(state)
    return error


class PyptoGeneralError(PyptoError):
    """All but those of the parser."""


class FeError(PyptoGeneralError):
    """An error of the interface: wrong arguments, wrong use."""


class InternalError(PyptoGeneralError):
    """What internal_check raises."""


class PyptoRtError(PyptoGeneralError):
    """An error while a kernel runs."""


class PassError(PyptoGeneralError):
    """A kernel was recorded, but cannot be compiled."""


class VerifyError(PyptoGeneralError):
    """A comparison with golden data failed."""


class ParserError(PyptoError):
    """A kernel's source has something that the product cannot read."""


class RenderedParserError(ParserError):
    """The same with the lines of the source that it is about."""


# By the first digit behind the F.
_CLASSES = {0x4: PassError, 0x7: PyptoRtError, 0xB: VerifyError}


# Numbers that are one higher in 9.2, by the name of the error.
_MOVED = {"ADDRESS_OUT_OF_RANGE": 0xF74006, "WORKSPACE_ITER_INVALID": 0xF74007,
          "WORKSPACE_CAPACITY": 0xF7400B}
_moves = False  # set by _version, when the user named 9.2


def number_of(code, symbol):
    """The number of an error of the core in the version that the user named."""
    return code + 1 if _moves and _MOVED.get(symbol) == code else code


def from_core(kind, code, symbol, message, filename, lineno, text):
    """The exception for an error of the simulator's core; the extension calls it."""
    number = number_of(code, symbol)
    error = _CLASSES.get(code >> 16 & 0xF, FeError)(message, number)
    if text is not None:
        text = text.replace("%06X" % code, "%06X" % number, 1)
    error.kind = _CORE_KINDS[kind] if 0 <= kind < len(_CORE_KINDS) else None
    error.symbol = symbol
    error.filename = filename
    error.lineno = lineno or None
    error._text = text
    return error


def wrap(error, kind=FeError):
    """The PyptoError for any exception; a PyptoError stays what it is."""
    if isinstance(error, PyptoError):
        return error
    wrapped = kind(error)
    wrapped.__cause__ = error
    return wrapped
