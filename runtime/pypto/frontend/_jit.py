"""pypto.frontend.jit: kernels, their recordings and their launches."""
import collections
import functools
import itertools
import os
import re
import sys
import threading
import types

import _ptosim

from .. import _config, _diagnose, _host, _recording, _sanitize, _state, _version
from .._enums import CompStage, RunMode
from ..error import FeError, ParserError, PyptoError
from ..symbolic_scalar import SymbolicScalar
from ..tensor import Tensor
from . import _body, _explain, _key, _merge, _output, _source
from ._signature import Signature, match, parameter_tensor

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]{4}")
_CACHE_SIZE = 64
_instances = itertools.count(1)
_cache = collections.OrderedDict()  # key → Compiled; the least recently used goes first


class Compiled:
    """A recorded kernel. It keeps what its key refers to by identity."""

    def __init__(self, program, diagnostics, keep):
        self.program, self.diagnostics, self.keep = program, diagnostics, keep


class JitCallable:
    """A decorated kernel. The first call with a signature records it, every call runs it."""

    def __init__(self, function, options, captured, is_new):
        functools.update_wrapper(self, function)
        self._original_func = function
        self._captured = captured
        self._is_new = is_new  # read by the front end of 9.2
        # One decorated in a function is the same kernel each time when it captures the same; one of
        # a module is another each time, as the globals that it uses may have changed.
        self._instance = 0 if captured else next(_instances)
        self._options = options
        given = options["runtime_options"]
        self._runtime_options = given  # not copied: it may be changed before the first call
        self._signature = None
        self._body = None
        self._cells = None
        self._kept = []
        self._left_folder = False

    def __repr__(self):
        return "<pypto kernel %s>" % self.__name__

    def __get__(self, instance, owner=None):
        return self if instance is None else functools.partial(self, instance)

    def __call__(self, *args, **keywords):
        outer = _recording.active()
        if outer is not None:
            raise FeError(RuntimeError("kernel '%s' cannot be called in kernel '%s'"
                                       % (self.__name__, outer.name)))
        with _state.lock:
            tensors, others = self._parse().split(args, keywords)
            arguments = match(self._signature, tensors)
            mode = self._run_mode()
            self._check_devices(arguments, mode)
            compiled = self._compile(arguments, others)
            if self._stage() is CompStage.ALL_COMPLETE:
                self._leave_folder()
                _launch(self.__name__, compiled, arguments)
                if _state.launch_log is not None:
                    _state.launch_log.append(
                        functools.partial(_launch, self.__name__, compiled, arguments))

    def compile(self, tensors, tensor_defs=None):
        """Records without running. `tensor_defs` are descriptions to use instead of the
        annotations."""
        with _state.lock:
            signature = self._parse()
            values, others = signature.split(tuple(tensors), {})
            if tensor_defs is not None:
                signature = Signature(self._original_func, is_new=self._is_new)
                signature.tensors = [(name, spec) for (name, _), spec
                                     in zip(signature.tensors, tensor_defs)]
            return self._compile(match(signature, values), others)

    def alloc(self, size):
        """Device memory of that many bytes, as a host tensor."""
        torch = sys.modules.get("torch")
        return bytearray(size) if torch is None else torch.empty(size, dtype=torch.uint8)

    # ---- the steps of a call ----

    def _parse(self):
        """Reads signature and body once. Errors appear at the first call, as in the product."""
        if self._signature is None:
            function = self._original_func
            try:
                signature = Signature(function, is_new=self._is_new)
                node = _source.function_node(function)
                self._body = _body.rewrite(function, node, [n for n, _ in signature.tensors],
                                           self._captured, self._is_new)
            except PyptoError as error:
                error.filename = error.filename or function.__code__.co_filename
                raise _explain.explain(error, self.__name__, ParserError) from None
            self._signature = signature
        return self._signature

    def _in_force(self):
        """The runtime options of the scope and the kernel's own."""
        return dict(_config.setting("runtime_options"), **(self._runtime_options or {}))

    def _run_mode(self):
        forced = _state.forced_run_mode()
        if forced in ("SIM", "NPU"):
            return RunMode[forced]
        options = self._in_force()
        _config.check_options("runtime_options", options)
        mode = options.get("run_mode")
        if mode is not None:
            return mode if isinstance(mode, RunMode) else RunMode(mode)
        if not os.environ.get("ASCEND_HOME_PATH"):
            return RunMode.SIM
        if not _host.npu_available():
            raise FeError(RuntimeError("NPU is not available."))
        return RunMode.NPU

    def _check_devices(self, arguments, mode):
        """Those that the options keep on the host may be there."""
        at_host = self._in_force().get("ready_on_host_tensors") or ()
        _host.check_devices([(argument.name, argument.host) for argument in arguments
                             if argument.name not in at_host], mode)

    def _leave_folder(self):
        """At the kernel's first launch, if the program itself has chosen the run mode SIM: makes the folder
        that a simulation by the product leaves behind."""
        if self._left_folder:
            return
        self._left_folder = True
        if self._in_force().get("run_mode") in (RunMode.SIM, 1):
            debug = dict(_config.setting("debug_options"), **(self._options["debug_options"] or {}))
            _output.leave(self.__name__, debug.get("runtime_debug_mode", 0))

    def _stage(self):
        options = dict(_config.setting("host_options"), **(self._options["host_options"] or {}))
        return options.get("compile_stage", CompStage.ALL_COMPLETE)

    def _compile(self, arguments, others):
        function = self._original_func
        keep = []
        if self._cells is None:  # what it captured counts as it was then
            self._cells = _key.of_cells(function, self._kept)
        key = (function.__code__, self._is_new, self._instance, id(function.__globals__), self._cells,
               tuple(argument.key for argument in arguments), _key.of(others, keep),
               _state.context().soc()["name"], _config.snapshot(self._options["verify_options"]))
        compiled = _cache.get(key)
        if compiled is None:
            _note_addresses(self.__name__, others)
            compiled = self._record(arguments, others, [keep, self._kept, function])
            _cache[key] = compiled
            if len(_cache) > _CACHE_SIZE:
                _cache.popitem(last=False)
        else:
            _cache.move_to_end(key)
        return compiled

    def _record(self, arguments, others, keep):
        """The front end of 9.2 merges what the sides of conditions leave; the paths of a kernel with few
        of them say the same and are recorded as they are."""
        if not self._is_new:
            return self._walk(arguments, others, keep, None)
        merging = _merge.Merging()
        while True:
            try:
                return self._walk(arguments, others, keep, merging)
            except _merge.WalkAgain:
                continue
            except PyptoError as error:
                if not merging.is_on:
                    raise
                try:  # as paths after all, which fails for the same reason if it is the kernel's
                    return self._walk(arguments, others, keep, _merge.Merging(_merge.SECOND_TRY))
                except (PyptoError, _merge.WalkAgain):
                    raise error from error.__cause__

    def _walk(self, arguments, others, keep, merging):
        function = self._original_func
        code = function.__code__
        program = _ptosim.Program(_state.context(), self.__name__, code.co_filename,
                                  code.co_firstlineno)
        recording = _recording.Recording(program, self.__name__)
        recording.verify_options = self._options["verify_options"]
        recording.is_new, recording.merging = self._is_new, merging
        settings = _config.mark()
        try:
            _recording.enter(recording)
            tensors = [_declare(recording, argument, code) for argument in arguments]
            while recording.next_path():
                _config.unwind(settings)
                del recording.branches[:]
                for tensor in tensors:
                    tensor._name = arguments[tensor._parameter].name
                self._body(*tensors, *others.values())
                recording.check()
            recording.finish()
        except Exception as error:
            made = _explain.explain(error, self.__name__, FeError)
            recording.abandon()
            raise made from made.__cause__
        except BaseException:
            recording.abandon()
            raise
        finally:
            _config.unwind(settings)
        _state.counters.compiled += 1
        return Compiled(program, _diagnose.report(self.__name__, program), keep)


def _note_addresses(kernel, others):
    """The product distinguishes values by their text: one with an address is new at every call."""
    for name, value in others.items():
        try:
            text = str(value)
        except Exception:  # the user's own; the product would fail here
            text = ""
        if _ADDRESS.search(text):
            _diagnose.tell_once(0, 0, "recompiles", (
                "str() of the argument '%s' contains an address, so that the product compiles the "
                "kernel anew at every call" % name), None, 0, kernel)


def _declare(recording, argument, code):
    """The parameter in the program."""
    program, context = recording.program, _state.context()
    dims = [context.constant(dim) if isinstance(dim, int) else
            program.parameter_dim(argument.index, axis, dim)
            for axis, dim in enumerate(argument.dims)]
    slot = program.parameter(int(argument.dtype), dims, int(argument.is_nz), argument.name,
                             code.co_filename, code.co_firstlineno)
    return parameter_tensor(recording, argument, slot)


def run(program, arguments):
    """Runs a recorded program over (address, dtype, shape) tuples; counts it."""
    main = threading.current_thread() is threading.main_thread()
    with _state.lock:
        ops, iterations, size, flops, seconds = program.run(arguments, _state.threads(), main)
    counters = _state.counters
    counters.launches += 1
    counters.ops += ops
    counters.iterations += iterations
    counters.bytes += size
    counters.flops += flops
    counters.seconds += seconds


def _launch(name, compiled, arguments):
    memory = [argument.memory() for argument in arguments]
    watcher = _state.launch_watcher
    descriptions = [description for description, _ in memory]
    try:
        if watcher is not None:
            descriptions = [description + (address,) for description, address
                            in zip(descriptions, watcher.begin(compiled.program, arguments))]
        run(compiled.program, descriptions)
        for _, write_back in memory:
            if write_back is not None:
                write_back()
        if watcher is not None:
            watcher.end(compiled.program, arguments)
        _sanitize.look_at_outputs(name, compiled.program, descriptions, [
            argument.host.owner if write_back is None else None
            for argument, (_, write_back) in zip(arguments, memory)])
        _diagnose.report(name, compiled.program)  # what only the run could see
    except PyptoError as error:
        if not error.prefix:
            error.prefix = "Failed to run kernel '%s'.\n" % name
            if error.filename and error.lineno:
                error.details = "\n".join(_explain.excerpt(error.filename, error.lineno, None,
                                                           None))
        raise


# ---- the decorators ----

def _captured_locals(depth):
    """The local names where the kernel is decorated, if that is inside a function."""
    frame = sys._getframe(depth)
    return dict(frame.f_locals) if frame.f_locals is not frame.f_globals else {}


def _check_function(function, what):
    if not isinstance(function, types.FunctionType):
        raise FeError(TypeError("%s decorates plain functions only, not %s"
                                % (what, type(function).__name__)))
    return function


def jit(function=None, *, host_options=None, codegen_options=None, pass_options=None,
        runtime_options=None, verify_options=None, debug_options=None, new_ir=None,
        create_new_logical_tensor=False, **others):
    """@jit, @jit(), @jit(runtime_options={…}, …). `new_ir` chooses the front end of 9.2 (True, the
    default there) or that of 9.1."""
    options = {"host_options": host_options, "codegen_options": codegen_options,
               "pass_options": pass_options, "runtime_options": runtime_options,
               "verify_options": verify_options, "debug_options": debug_options}
    for group, given in options.items():
        _config.check_options(group, given)
    for name in others:
        _diagnose.unknown("jit()", name, tuple(options) + ("new_ir",))
    if new_ir is not None and not isinstance(new_ir, bool):
        raise FeError(TypeError("jit(): 'new_ir' must be a bool, not %s" % type(new_ir).__name__))
    captured = _captured_locals(2)
    is_new = not _version.is_9_1 and (_version.new_front_end if new_ir is None else new_ir)

    def decorate(target):
        return JitCallable(_check_function(target, "pypto.frontend.jit"), options, captured, is_new)

    return decorate if function is None else decorate(function)


class InlineFunction:
    """A function that is part of the kernels that call it."""

    def __init__(self, function, captured):
        functools.update_wrapper(self, function)
        self._original_func = function
        self._captured = captured
        self._signature = None
        self._body = None

    def __call__(self, *args, **keywords):
        recording = _recording.current("a call of '%s'" % self.__name__)
        signature = self._parse()
        if keywords:
            raise ParserError(TypeError("'%s' takes positional arguments only" % self.__name__))
        if len(args) != len(signature.names):
            raise ParserError(TypeError("'%s' takes %d arguments, got %d" % (
                self.__name__, len(signature.names), len(args))))
        tensors, annotations = dict(signature.tensors), self._original_func.__annotations__
        for index, (name, value) in enumerate(zip(signature.names, args)):
            if name in tensors:
                _check_tensor(self.__name__, index, name, tensors[name], value)
            else:
                _check_scalar(self.__name__, name, annotations.get(name), value)
        context = _state.context()
        depth, settings = context.scope_depth(), _config.mark()
        context.scope_push()
        try:
            self._body(*args)
            recording.check()
        finally:
            _config.unwind(settings)
            context.scope_unwind(depth)

    def _parse(self):
        if self._signature is None:
            function = self._original_func
            signature = Signature(function, nested=True)
            if signature.defaults:
                raise ParserError(ValueError("'%s': all parameters are required, defaults are "
                                             "not allowed" % self.__name__))
            try:
                self._body = _body.rewrite(function, _source.function_node(function),
                                           [n for n, _ in signature.tensors], self._captured)
            except PyptoError as error:
                error.filename = error.filename or function.__code__.co_filename
                raise
            self._signature = signature
        return self._signature


def _check_tensor(function, index, name, spec, value):
    """The rank, known sizes and the dtype must be those of the annotation."""
    if not isinstance(value, Tensor):
        raise ParserError(TypeError("In nested function '%s': '%s' must be a tensor, not %s"
                                    % (function, name, type(value).__name__)))
    if spec._dtype is not None and value.dtype is not spec._dtype:
        raise _nested_mismatch(function, index, name, "dtype", value.dtype, spec._dtype)
    declared = list(spec._shape or [])
    if not declared:
        return
    shape = value.shape
    declared = declared[:-1] if declared[-1] is Ellipsis else declared
    if len(shape) < len(declared):  # it is a lower bound here, whatever the list has
        raise _nested_mismatch(function, index, name, "number of dimensions", shape, spec._shape)
    for entry, size in zip(declared, shape):
        if isinstance(entry, int) and isinstance(size, int) and entry not in (size, -1):
            raise _nested_mismatch(function, index, name, "shape", shape, spec._shape)


def _nested_mismatch(function, index, name, what, given, declared):
    def text(entries):
        return "[%s]" % ", ".join("..." if entry is Ellipsis else str(entry) for entry in entries) \
            if isinstance(entries, list) else entries
    return ParserError(ValueError(
        "In nested function '%s': The %s of %s parameter '%s' %s does not match the %s of parameter "
        "definition %s." % (function, what, _host.ordinal(index), name, text(given), what,
                            text(declared))))


def _check_scalar(function, name, annotation, value):
    if annotation in (int, bool) and not isinstance(value, annotation):
        if annotation is int and isinstance(value, SymbolicScalar):
            return
        raise ParserError(TypeError("'%s': '%s' must be %s, not %s" % (
            function, name, annotation.__name__, type(value).__name__)))


def function(target=None, **others):
    """@function: the body is recorded where it is called."""
    for name in others:
        _diagnose.unknown("function()", name)
    captured = _captured_locals(2)

    def decorate(inner):
        return InlineFunction(_check_function(inner, "pypto.frontend.function"), captured)

    return decorate if target is None else decorate(target)


__all__ = ["JitCallable", "InlineFunction", "jit", "function", "run"]
