"""Outputs that launches leave unwritten. A later launch may write what one has left, so a finding waits until nothing
can come any more: the program ends, or the memory is given to another tensor."""
import atexit
import os
import sys

from . import _diagnose, _state

_waiting = []  # (begin and end of the memory that was left, what _diagnose.tell_once takes)
_listens = False


def look_at_outputs(kernel, program, descriptions):
    """After a launch over arguments that begin with (address, dtype, shape)."""
    if not _state.sanitizes():
        return
    if _waiting:
        _waiting[:] = [entry for entry in _waiting if not _wrote(program, descriptions, entry)]
    for parameter, is_unset, begin, end, message, filename, line in program.unwritten():
        address = descriptions[parameter][0]
        if is_unset:
            message += "; the memory holds what torch.empty left"
        _listen()
        _waiting.append((address + begin, address + end, (message, filename, line, kernel)))


def _wrote(program, descriptions, entry):
    """Did the launch write something of what an earlier one had left?"""
    return any(program.wrote(number, entry[0] - description[0], entry[1] - description[0])
               for number, description in enumerate(descriptions))


def _tell(entry):
    message, filename, line, kernel = entry[2]
    _diagnose.tell_once(1, 0xF74007, "unwritten-output", message, filename, line, kernel)


def tell_all():
    """Reports what has waited."""
    waited, _waiting[:] = list(_waiting), []
    for entry in waited:
        _tell(entry)


def _listen():
    """Once: the end of the program, and memory that gets another tensor's."""
    global _listens
    if _listens:
        return
    _listens = True
    owner = os.getpid()
    atexit.register(lambda: tell_all() if os.getpid() == owner else None)
    routes = sys.modules.get("torch_npu._routes")
    if routes is not None:
        routes.spoiled.append(_reused)


def _reused(tensor):
    """A new tensor without content was made: findings about its memory are about one that is gone."""
    begin = tensor.data_ptr()
    end = begin + tensor.numel() * tensor.element_size()
    for entry in [entry for entry in _waiting if entry[0] < end and begin < entry[1]]:
        _waiting.remove(entry)
        _tell(entry)
