"""Standard output and error: silenced while inputs and references run, which print their values."""
import contextlib
import ctypes
import fcntl
import os
import sys

_libc = ctypes.CDLL(None)


def prepare():
    """Every line leaves at once: what was printed before a crash is in the log, in order."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(line_buffering=True, errors="backslashreplace")


def keep_stderr():
    """A descriptor of standard error that silence leaves alone."""
    return os.dup(2)


_HIGH = 10  # the user's code closes low numbers, and then they are given out again


def _nowhere():
    low = os.open(os.devnull, os.O_WRONLY)
    try:
        return fcntl.fcntl(low, fcntl.F_DUPFD_CLOEXEC, _HIGH)
    finally:
        os.close(low)


def _copy(descriptor):
    try:
        return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _HIGH)
    except OSError:  # the user's code has closed it
        return _nowhere()


def flush():
    """Python's buffers and those of the C library."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):  # the user's code may have closed or replaced it
            stream.flush()
    _libc.fflush(None)


@contextlib.contextmanager
def _redirected(out, error):
    """Descriptors 1 and 2 lead to those two; the objects in sys come back as they were."""
    objects = sys.stdout, sys.stderr
    flush()
    saved = [_copy(1), _copy(2)]
    os.dup2(out, 1)
    os.dup2(error, 2)
    try:
        yield saved
    finally:
        flush()
        sys.stdout, sys.stderr = objects
        flush()
        for number, descriptor in zip((1, 2), saved):
            os.dup2(descriptor, number)
            os.close(descriptor)


_heard = []  # the real descriptors, one pair for each silence


@contextlib.contextmanager
def silence():
    """What the block prints goes nowhere, whether Python, C or a child process prints it."""
    nowhere = _nowhere()
    try:
        with _redirected(nowhere, nowhere) as saved:
            _heard.append(saved)
            try:
                yield
            finally:
                _heard.pop()
    finally:
        os.close(nowhere)


@contextlib.contextmanager
def sound():
    """In a silence: what this block prints is heard."""
    if not _heard:
        yield
        return
    with _redirected(*_heard[0]):
        outer = _heard[:]
        del _heard[:]
        try:
            yield
        finally:
            _heard[:] = outer
