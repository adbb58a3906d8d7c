"""The kernel that is being recorded, and the way operations get into it."""
import threading

from . import _state
from .error import FeError

RECORDING, DONE, DEAD = "recording", "done", "dead"
_local = threading.local()


class Recording:
    """A program and its loops. At most one records at a time in a thread."""

    def __init__(self, program, name):
        self.program = program
        self.name = name
        self.state = RECORDING
        self.loops = []      # open loops, outermost first
        self.branches = []   # scopes of the sides of `if` that we are in; None = of none
        self.was_symbolic = False  # the `if` that was left last
        self.is_new = False  # the front end of 9.2
        self.merging = None  # how it records conditions (frontend/_merge.py)
        self.regions = []    # of open conditions that are recorded so
        self.poisons = {}    # (frame, name) → why the name must not be read
        self.path = 0        # how many paths of the whole kernel have begun
        self.forms = {}      # what the sides of conditions left, outside of loops
        self.merged = {}     # how often each condition was left on this path
        self.while_tests = 0
        self.verify_options = None  # of the decorator
        self.failure = None  # an error that could not be raised where it happened
        self.depth = _state.context().scope_depth()

    def next_path(self):
        """Is there a further path of the kernel?"""
        self.count_path()
        self.merged = {}
        return self.program.next_path()

    def count_path(self, loop=None):
        """One more path of the body of a loop, or of the whole kernel."""
        body = self if loop is None else loop
        body.path += 1
        if self.merging is not None:
            self.merging.count(body.path)

    def body(self):
        """The innermost loop that is recorded, not walked by Python; None in the kernel's own body."""
        return next((loop for loop in reversed(self.loops) if loop.is_recorded), None)

    def check(self):
        """Raises if nothing can be recorded any more."""
        if self.state is not RECORDING:
            raise FeError(RuntimeError(
                "kernel '%s' is no longer being recorded: its tensors and loops cannot be used"
                % self.name))
        if self.failure is not None:
            raise self.failure

    def abandon(self):
        """Abandons the recording."""
        if self.state is RECORDING:
            self.state = DEAD
            self.program.close()  # the next kernel can be recorded then
        leave(self)

    def finish(self):
        """Ends the recording: the checks over the whole."""
        self.check()
        if self.loops:
            raise FeError(RuntimeError("a loop of kernel '%s' was not walked to its end"
                                       % self.name))
        self.program.end()
        self.state = DONE
        _local.last = self.name
        leave(self)


def enter(recording):
    """Makes it the recording that receives operations; an error if there is one already."""
    if getattr(_local, "current", None) is not None:
        raise FeError(RuntimeError(
            "kernel '%s' cannot be called while kernel '%s' is being recorded"
            % (recording.name, _local.current.name)))
    _local.current = recording


def leave(recording):
    """Ends that; settings that its body made are taken back."""
    if getattr(_local, "current", None) is recording:
        _local.current = None
        _state.context().scope_unwind(recording.depth)


def active():
    """The recording of this thread, or None."""
    return getattr(_local, "current", None)


def last_name():
    """The name of what was recorded last in this thread, or None."""
    return getattr(_local, "last", None)


def current(what="this call"):
    """The recording of this thread; an error without one."""
    recording = getattr(_local, "current", None)
    if recording is None:
        raise FeError(RuntimeError("%s is possible in a kernel only: call it in a function "
                                   "decorated with pypto.frontend.jit" % what))
    recording.check()
    return recording
