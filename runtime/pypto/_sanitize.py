"""Outputs that launches leave unwritten. A later launch, or torch, may write what one has left, so a finding waits until
nothing can come any more: the program ends, or the memory is given to another tensor."""
import atexit
import ctypes
import os
import sys
import weakref
import zlib

from . import _diagnose, _state

_waiting = []
_listens = False


class _Rest:
    """The part of an argument's memory that a launch left unwritten."""

    def __init__(self, begin, end, owner, finding):
        self.begin, self.end, self.finding = begin, end, finding
        self._content = self._sum()
        self._is_gone = False
        try:
            self._owner = weakref.ref(owner, self._forget)
        except TypeError:  # nobody says when it is gone
            self._owner = None

    def _sum(self):
        """A checksum of the bytes as they are now."""
        memory = (ctypes.c_char * (self.end - self.begin)).from_address(self.begin)
        return zlib.crc32(memory)

    def _forget(self, _owner):
        """The tensor is dropped; its memory still exists."""
        self._is_gone = True
        if self in _waiting and self._sum() != self._content:
            _waiting.remove(self)

    def is_left(self):
        """Has nobody written it since?"""
        return self._is_gone or self._owner is None or self._sum() == self._content


def look_at_outputs(kernel, program, descriptions, owners):
    """After a launch over arguments that begin with (address, dtype, shape); an owner of None is memory that nobody
    sees."""
    if not _state.sanitizes():
        return
    if _waiting:
        _waiting[:] = [rest for rest in _waiting if not _wrote(program, descriptions, rest)]
    for parameter, is_unset, begin, end, message, filename, line in program.unwritten():
        if owners[parameter] is None:
            continue
        address = descriptions[parameter][0]
        if is_unset:
            message += "; the memory holds what torch.empty left"
        _listen()
        _waiting.append(_Rest(address + begin, address + end, owners[parameter],
                              (message, filename, line, kernel)))


def _wrote(program, descriptions, rest):
    """Did the launch write part of what an earlier one had left unwritten?"""
    return any(program.wrote(number, rest.begin - description[0], rest.end - description[0])
               for number, description in enumerate(descriptions))


def _tell(rest):
    if rest.is_left():
        message, filename, line, kernel = rest.finding
        _diagnose.tell_once(1, 0xF74007, "unwritten-output", message, filename, line, kernel)


def tell_all():
    """Reports the findings that were held back."""
    waited, _waiting[:] = list(_waiting), []
    for rest in waited:
        _tell(rest)


def _listen():
    """Once: the end of the program, and memory that gets another tensor's."""
    global _listens
    if _listens:
        return
    _listens = True
    process = os.getpid()
    atexit.register(lambda: tell_all() if os.getpid() == process else None)
    routes = sys.modules.get("torch_npu._routes")
    if routes is not None:
        routes.spoiled.append(_reused)


def _reused(tensor):
    """Called for a new empty tensor: reports what waited about the tensor that had its memory before."""
    begin = tensor.data_ptr()
    end = begin + tensor.numel() * tensor.element_size()
    for rest in [rest for rest in _waiting if rest.begin < end and begin < rest.end]:
        _waiting.remove(rest)
        _tell(rest)
