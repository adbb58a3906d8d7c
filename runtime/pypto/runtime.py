"""pypto.runtime, and the older way to record and run: pypto.function."""
import inspect
import os

import _ptosim

from . import _config, _diagnose, _host, _recording, _sanitize, _state
from ._emit import emit, tensor_argument
from ._enums import RunMode, StatusType, TileOpFormat, bytes_of
from .error import FeError, VerifyError
from .symbolic_scalar import SymbolicScalar, plain
from .tensor import Tensor

__all__ = ["RunMode", "verify", "pass_verify_print", "pass_verify_save", "set_verify_golden_data"]

_last = None  # the Function that ended last: the one that runs


class HostTensor:
    """What pypto.from_torch gives."""

    def __init__(self, host, name, dynamic_axis, tensor_format, dtype):
        self.owner, self.name, self.dynamic_axis, self.dtype = host.owner, name, dynamic_axis, dtype
        self.format = TileOpFormat.TILEOP_ND if tensor_format is None else tensor_format
        self.data_ptr, self.ori_shape = host.address, list(host.shape)
        self.shape = [StatusType.DYNAMIC if axis in (dynamic_axis or ()) else size
                      for axis, size in enumerate(host.shape)]
        self.dim = len(host.shape)

    @property
    def device(self):
        """The device that the tensor is on."""
        return getattr(self.owner, "device", "cpu")

    def __repr__(self):
        return "HostTensor(%s, %s%s)" % (self.ori_shape, self.dtype,
                                         ", name='%s'" % self.name if self.name else "")


def from_torch(tensor, name="", dynamic_axis=None, tensor_format=None, dtype=None):
    """A host tensor for _device_run_once_data_from_host."""
    host = _host.read(tensor, 0)
    if dynamic_axis is not None:
        dynamic_axis = [dynamic_axis] if isinstance(dynamic_axis, int) else list(dynamic_axis)
        dynamic_axis = [axis + len(host.shape) if axis < 0 else axis for axis in dynamic_axis]
    return HostTensor(host, name, dynamic_axis, tensor_format,
                      _host.kernel_dtype(host, dtype, 0))


def _flat(tensors):
    """Lists among the arguments stand for what is in them."""
    found = []
    for tensor in tensors:
        found.extend(tensor if isinstance(tensor, (list, tuple)) else [tensor])
    return tuple(found)


class Function:
    """`with pypto.function(name, *tensors) as f:` records the body, with the tensors as parameters.
    `for _ in f:` inside repeats it for each path."""

    def __init__(self, name, *tensors):
        if not isinstance(name, str):
            raise FeError(TypeError("function() takes a name first, not %s" % type(name).__name__))
        tensors = _flat(tensors)
        for tensor in tensors:
            if not isinstance(tensor, Tensor):
                raise FeError(TypeError("function() takes tensors, not %s"
                                        % type(tensor).__name__))
            if tensor._dtype is None or tensor._shape is None:
                raise FeError(ValueError("function(): the tensor '%s' needs shape and dtype"
                                         % tensor.name))
        self.name, self.tensors = name, tensors
        self.recording = None
        self.program = None
        self._walked = False

    def __enter__(self):
        file, line = _state.site()
        _state.lock.acquire()
        self.program = _ptosim.Program(_state.context(), self.name, file, line)
        self.program.lenient()  # tests record to look at shapes, and run nothing
        self.recording = _recording.Recording(self.program, self.name)
        self._settings = _config.mark()
        try:
            _recording.enter(self.recording)
            for i, tensor in enumerate(self.tensors):
                self._bind(i, tensor, file, line)
            self.program.next_path()
        except BaseException:
            self._leave(True)
            raise
        return self

    def _bind(self, index, tensor, file, line):
        dims = []
        for axis, entry in enumerate(tensor._shape):
            entry = plain(entry)
            if isinstance(entry, int) and entry != -1:
                dims.append(_state.context().constant(entry))
            elif isinstance(entry, (int, StatusType)):
                dims.append(self.program.parameter_dim(index, axis, None))
            elif isinstance(entry, SymbolicScalar) and entry.is_symbol():
                dims.append(self.program.parameter_dim(index, axis, str(entry)))
            else:
                raise FeError(TypeError("function(): '%s' has the axis %s" % (tensor.name, entry)))
        tensor._slot = self.program.parameter(
            int(tensor._dtype), dims, int(tensor.format), tensor._name or None, file, line)
        tensor._recording, tensor._parameter = self.recording, index

    def __iter__(self):
        if self.recording is None or self.recording.state != "recording" or self._walked:
            raise FeError(RuntimeError("for _ in function: once, inside its with statement"))
        self._walked = True
        yield self
        while self.program.next_path():
            _config.unwind(self._settings)
            yield self

    def __exit__(self, kind, error, trace):
        if kind is not None:
            self._leave(True)
            return False
        try:
            if not self._walked and self.program.next_path():
                raise FeError(RuntimeError(
                    "function '%s' has conditions: walk its paths by `for _ in f:`" % self.name))
            self.recording.finish()
            _diagnose.report(self.name, self.program)
        except BaseException:
            self._leave(True)
            raise
        self._leave(False)
        return False

    def _leave(self, failed):
        global _last
        if failed:
            self.recording.abandon()
        else:
            _last = self
        for tensor in self.tensors:
            tensor._recording = tensor._slot = None
        _config.unwind(self._settings)
        _state.lock.release()


def _device_init():
    """There is nothing to set up."""


def _device_fini():
    """There is nothing to take down."""


def _device_synchronize():
    """Runs end before they return."""


def _device_run_once_data_from_host(*tensors):
    """Runs the function recorded last over these tensors."""
    from .frontend import _jit
    if _last is None:
        raise FeError(RuntimeError("there is no recorded function to run"))
    tensors = _flat(tensors)
    if len(tensors) != len(_last.tensors):
        raise FeError(RuntimeError("function '%s' takes %d tensors, got %d"
                                   % (_last.name, len(_last.tensors), len(tensors))))
    arguments, owners = [], []
    for i, (given, declared) in enumerate(zip(tensors, _last.tensors)):
        owner = given.owner if isinstance(given, HostTensor) else given
        host = _host.read(owner, i)
        dtype = _host.kernel_dtype(host, declared._dtype, i)
        arguments.append((host.address, int(dtype), _recorded_shape(declared, host, dtype, i)))
        owners.append(owner)
    with _state.lock:
        _jit.run(_last.program, arguments)
        _sanitize.look_at_outputs(_last.name, _last.program, arguments, owners)
        _diagnose.report(_last.name, _last.program)  # what only the run could see


def _recorded_shape(declared, host, dtype, index):
    """The shape that the recording gives a host tensor. The product compares bytes only: the order of
    elements counts, not the axes."""
    entries = [plain(entry) for entry in declared._shape]
    known = [entry if isinstance(entry, int) and entry != -1 else None for entry in entries]
    if len(known) == len(host.shape) and all(
            size in (None, given) for size, given in zip(known, host.shape)):
        return host.shape
    given = 1
    for size in host.shape:
        given *= size
    wanted = 1
    for size in known:
        wanted *= 1 if size is None else size
    if None in known:
        if len(known) == len(host.shape):  # open axes are the tensor's own
            known = [given_size if size is None else size
                     for size, given_size in zip(known, host.shape)]
        elif known.count(None) == 1 and wanted:
            known[known.index(None)] = given // wanted
        else:
            raise FeError(ValueError("tensor %d: %s does not tell the open axes of %s"
                                     % (index, list(host.shape), declared._shape)))
        wanted = 1
        for size in known:
            wanted *= size
    if given < wanted:
        raise FeError(ValueError("tensor %d has %d bytes, the recorded one %s needs %d" % (
            index, given * bytes_of(dtype), known, wanted * bytes_of(dtype))))
    return tuple(known)


def set_verify_data(*_args, **_kwargs):
    """For the product's graph checking only."""


def pass_verify_print(*values, cond=1):
    """Prints only in the product's graph checking, which does not exist here."""


def _checks_graphs(recording):
    """The verify_options that apply if they ask for the product's graph checking; else None."""
    options = dict(_config.setting("verify_options"), **(recording.verify_options or {}))
    return options if options.get("enable_pass_verify") else None


def pass_verify_save(tensor, fname, cond=1, **kwargs):
    """Where the verify_options have enable_pass_verify, each run writes the valid elements to
    FNAME.data (their bytes, row by row) and their dtype and shape to FNAME.txt, in the folder
    pass_verify_save_tensor_dir (else output/verify). `$name` in it is the value of that keyword."""
    recording = _recording.current("pypto.pass_verify_save")
    if not isinstance(fname, str):
        raise FeError(TypeError("pass_verify_save(): 'fname' must be a string, not %s"
                                % type(fname).__name__))
    if len(kwargs) > 10:
        raise FeError(ValueError("pass_verify_save() takes at most 10 values for the file's name"))
    options = _checks_graphs(recording)
    if options is None:
        return
    folder = options.get("pass_verify_save_tensor_dir") or os.path.join(
        os.environ.get("TILE_FWK_OUTPUT_DIR") or "output", "verify")
    path = os.path.join(folder, fname)
    for index, name in enumerate(sorted(kwargs, key=len, reverse=True)):
        path = path.replace("$" + name, "$%d" % index)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    save(tensor_argument(tensor, "pass_verify_save", "tensor"), path, cond,
         [kwargs[name] for name in sorted(kwargs, key=len, reverse=True)])


def save(tensor, path, cond, values):
    """Records that each run writes the valid elements to a file, whose name has the values for $0, $1 …"""
    context = _state.context()
    depth = context.scope_depth()
    context.scope_push()
    try:
        context.set_label(path)
        emit("save", (tensor, plain(cond) if isinstance(cond, SymbolicScalar) else int(cond),
                      *[plain(value) for value in values]))
    finally:
        context.scope_unwind(depth)


def set_verify_golden_data(in_out_tensors=None, goldens=None):
    """For the product's graph checking only."""


def verify(func, inputs, outputs, goldens, *args, codegen_options=None, host_options=None,
           pass_options=None, verify_options=None, **kwargs):
    """Runs a function and compares its outputs with the goldens (None: with nothing); VerifyError where they
    differ by more than pass_verify_error_tol (relative, absolute; 1e-3 each). `func` is a kernel, or a
    function as pypto.function has it; it takes the tensors one by one, or as two lists."""
    from .frontend._jit import JitCallable
    inputs, outputs, goldens = list(inputs), list(outputs), list(goldens)
    if len(goldens) == len(inputs) + len(outputs):  # one for each tensor
        goldens = goldens[len(inputs):]
    if len(goldens) != len(outputs):
        raise FeError(ValueError("verify(): %d goldens for %d outputs" % (len(goldens), len(outputs))))
    groups = {"codegen_options": codegen_options, "host_options": host_options,
              "pass_options": pass_options,
              "verify_options": dict({"enable_pass_verify": True}, **(verify_options or {}))}
    with _config.Scope("verify", **groups):
        if isinstance(func, JitCallable):
            func(*[_owner(one) for one in inputs + outputs], *args, **kwargs)
        else:
            _verify_function(func, inputs, outputs, args, kwargs)
    tolerance = groups["verify_options"].get("pass_verify_error_tol", (1e-3, 1e-3))
    relative, absolute = tolerance if isinstance(tolerance, (list, tuple)) else (tolerance,) * 2
    for index, (output, golden) in enumerate(zip(outputs, goldens)):
        if golden is not None:
            _compare(index, _owner(output), _owner(golden), relative, absolute)


def _owner(tensor):
    return tensor.owner if isinstance(tensor, HostTensor) else tensor


def _verify_function(func, inputs, outputs, args, kwargs):
    hosts = [_host.read(_owner(one), index) for index, one in enumerate(inputs + outputs)]
    tensors = [Tensor(list(host.shape), host.dtype, "t%d" % index)
               for index, host in enumerate(hosts)]
    first, last = tensors[:len(inputs)], tensors[len(inputs):]
    signature = inspect.signature(func)
    by_lists = list(signature.parameters)[:2] == ["inputs", "outputs"]
    try:
        signature.bind(*tensors, *args, **kwargs)
    except TypeError:
        by_lists = True
    with Function(getattr(func, "__name__", "verify"), *tensors) as recorded:
        for _ in recorded:
            if by_lists:
                func(first, last, *args, **kwargs)
            else:
                func(*tensors, *args, **kwargs)
    _device_run_once_data_from_host(*[_owner(one) for one in inputs + outputs])


def _compare(index, output, golden, relative, absolute):
    found, wanted = _host.read(output, index), _host.read(golden, index)
    if found.shape != wanted.shape or found.dtype is not wanted.dtype:
        raise VerifyError("output %d is %s %s, its golden %s %s" % (
            index, found.dtype, list(found.shape), wanted.dtype, list(wanted.shape)), 0xFB0000)
    count = 1
    for size in found.shape:
        count *= size
    result = _ptosim.compare(found.address, wanted.address, count, int(found.dtype), absolute, relative)
    if not result["all_close"]:
        raise VerifyError("output %d differs from its golden in %d of %d elements; max_abs_diff %s" % (
            index, result["out_of_tolerance"], count, result["max_abs_diff"]), 0xFB0000)
