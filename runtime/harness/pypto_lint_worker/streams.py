"""Standard output and error: silenced while inputs and references run, which may print their
values."""
import contextlib
import ctypes
import faulthandler
import os
import signal
import sys

from . import channel

_libc = ctypes.CDLL(None)


def prepare():
    """Flushes every line, so that the log has everything that was printed before a crash, in order."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(line_buffering=True, errors="backslashreplace")


def show_crashes():
    """Lets a crash, and SIGTERM at the time limit, write a traceback. Returns the descriptor to which
    it goes: a copy of standard error that is never silenced."""
    log = os.dup(2)
    faulthandler.enable(log)
    faulthandler.register(signal.SIGTERM, log, chain=True)
    return log


def hide_crashes(log):
    """Undoes show_crashes."""
    faulthandler.disable()
    faulthandler.unregister(signal.SIGTERM)
    os.close(log)


_HIGH = 10  # lower numbers may be closed by the user's code and then used again


def _nowhere():
    return channel.move_up(os.open(os.devnull, os.O_WRONLY), _HIGH, close=True)


def _copy(descriptor):
    try:
        return channel.move_up(descriptor, _HIGH)
    except OSError:  # the user's code has closed it
        return _nowhere()


def flush():
    """Flushes the buffers of Python and of the C library."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):  # the user's code may have closed or replaced it
            stream.flush()
    _libc.fflush(None)


@contextlib.contextmanager
def _redirected(out, error):
    """Redirects descriptors 1 and 2; afterwards restores them and the objects in sys."""
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
    """Discards the output of the block, whether Python, C or a child process prints it."""
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
    """Inside a silence, lets this block print."""
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
