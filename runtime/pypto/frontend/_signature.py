"""Parameters of kernels: what annotations require, and what calls pass."""
from .. import _host
from .._enums import StatusType, TileOpFormat, bytes_of
from ..error import FeError, ParserError
from ..symbolic_scalar import SymbolicScalar, plain
from ..tensor import Tensor

_VARARGS, _VARKEYWORDS = 0x04, 0x08


class Signature:
    """`tensors`: [(name, Tensor)], `others`: names of the non-tensor parameters. In a kernel
    the product wants these after the tensors; `nested` functions may have them in any order."""

    def __init__(self, function, nested=False, is_new=False):
        code = function.__code__
        annotations = dict(getattr(function, "__annotations__", None) or {})
        if code.co_flags & (_VARARGS | _VARKEYWORDS):
            raise ParserError(NotImplementedError(
                "*args and **kwargs are not supported in a kernel's signature"))
        if code.co_kwonlyargcount or code.co_posonlyargcount:
            raise ParserError(NotImplementedError(
                "keyword-only and positional-only parameters are not supported in a kernel's "
                "signature"))
        if "return" in annotations and not is_new:
            raise ParserError(NotImplementedError(
                "Return annotation is not allowed. Use an out parameter and out.move(...) inside "
                "the kernel instead."))
        self.names = code.co_varnames[:code.co_argcount]
        defaults = function.__defaults__ or ()
        self.defaults = dict(zip(self.names[len(self.names) - len(defaults):], defaults))
        self.tensors, self.others = [], []
        for name in self.names:
            annotation = annotations.get(name)
            if not hasattr(annotation, "to_tensor"):
                self.others.append(name)
                continue
            if self.others and not nested:
                raise ParserError(ValueError(
                    "Non-tensor parameters must come after all tensor parameters. '%s' comes "
                    "after '%s'." % (name, self.others[0])))
            if name in self.defaults:
                raise ParserError(ValueError(
                    "Default values are only allowed for non-tensor parameters. '%s' is a tensor "
                    "parameter." % name))
            if isinstance(annotation, type):
                raise ParserError(TypeError(
                    "the annotation of '%s' is the class %s; write pypto.Tensor(…) or "
                    "pypto.Tensor[…]" % (name, annotation.__name__)))
            self.tensors.append((name, annotation.to_tensor()))

    def split(self, args, keywords):
        """The tensor arguments, and the values of the other parameters by name."""
        count = len(self.tensors)
        if len(args) < count:
            raise FeError(RuntimeError("Expected at least %d tensor argument(s), got %d."
                                       % (count, len(args))))
        rest = args[count:]
        if len(rest) > len(self.others):
            raise FeError(RuntimeError("Expected at most %d argument(s), got %d."
                                       % (len(self.names), len(args))))
        values = dict(zip(self.others, rest))
        for name, value in keywords.items():
            if name not in self.others:
                raise FeError(RuntimeError("Unexpected keyword argument '%s'" % name))
            if name in values:
                raise FeError(RuntimeError("Multiple values for argument '%s'" % name))
            values[name] = value
        for name in self.others:
            if name not in values and name not in self.defaults:
                raise FeError(RuntimeError("Missing argument for non-tensor parameter '%s'" % name))
            values.setdefault(name, self.defaults.get(name))
            if _host.is_torch_tensor(values[name]):
                raise FeError(RuntimeError(
                    "Non-tensor parameter '%s' must not be a torch.Tensor; annotate it with "
                    "pypto.Tensor" % name))
        return args[:count], {name: values[name] for name in self.others}


def is_lower_bound(declared):
    """May a tensor have more axes than the list has entries? So it is when the list has STATIC,
    DYNAMIC or `...`, and integers beside them at most; the further axes are STATIC."""
    if declared[-1] is Ellipsis:
        return True
    return not all(isinstance(entry, int) for entry in declared) and all(
        isinstance(entry, (int, StatusType)) for entry in declared)


class Argument:
    """A tensor argument, matched with its annotation."""

    def __init__(self, index, name, spec, host, named):
        self.index, self.name, self.spec, self.host = index, name, spec, host
        self.dtype = _host.kernel_dtype(host, spec._dtype, index)
        self.is_nz = self._format()
        shape = list(host.shape)
        self.is_packed = self.dtype.name.startswith("DT_FP4")
        if self.is_packed:
            shape[-1] *= 2
        self.given, self.shape = shape, _whole_blocks(shape, self.dtype) if self.is_nz else shape
        # An int, None (dynamic) or a name for each axis.
        self.dims = [size if isinstance(dim, int) else dim
                     for dim, size in zip(self._dims(named), self.shape)]
        self.key = (self.dtype, tuple(self.dims), self.is_nz)

    def memory(self):
        """(address, dtype, shape) for a run, and what to call when it is over. Blocks of an NZ
        tensor are whole in the kernel; a tensor that does not fill them is copied."""
        shape = tuple(self.shape)
        if self.is_packed:
            elements = _host.unpacked(self.host.owner)
            return (elements.data_ptr(), int(self.dtype), shape), \
                lambda: _host.pack_into(self.host.owner, elements)
        if self.shape == self.given:
            return (self.host.address, int(self.dtype), shape), None
        inner = tuple(slice(0, size) for size in self.given)
        copy = _host.zeros_like(self.host.owner, shape)
        copy[inner] = self.host.owner
        return (copy.data_ptr(), int(self.dtype), shape), \
            lambda: self.host.owner.copy_(copy[inner])

    def _format(self):
        declared = self.spec._format
        actual = _host.format_of(self.host)
        if declared is None:
            return bool(actual)
        is_nz = declared is TileOpFormat.TILEOP_NZ
        if actual is not None and actual != is_nz and self.host.dtype.name != "DT_UINT8":
            raise self._mismatch("format", 29 if actual else 2, declared)
        return is_nz

    def _dims(self, named):
        declared, shape = list(self.spec._shape or []), self.given
        if not declared:
            return list(shape)
        if is_lower_bound(declared):
            declared = declared[:-1] if declared[-1] is Ellipsis else declared
            declared += [StatusType.STATIC] * (len(shape) - len(declared))
        if len(declared) != len(shape):
            raise self._mismatch("number of dimensions", list(shape), self._definition())
        dims = []
        for axis, (entry, size) in enumerate(zip(declared, shape)):
            entry = plain(entry)
            if isinstance(entry, SymbolicScalar):
                dims.append(self._named(entry, size, named))
            elif entry is StatusType.STATIC:
                dims.append(size)
            elif isinstance(entry, StatusType) or entry == -1:
                dims.append(None)
            elif entry != size:
                raise self._mismatch("shape", list(shape), self._definition(),
                                     " Axis %d is %d instead of %d." % (axis, size, entry))
            else:
                dims.append(size)
        return dims

    def _mismatch(self, what, given, declared, more=""):
        """The product's message, by which programs distinguish errors, and the parameter's name."""
        return FeError(ValueError(
            "The %s of %s input tensor %s does not match the %s of input tensor definition %s.%s "
            "(argument '%s')" % (what, _host.ordinal(self.index), given, what, declared, more,
                                 self.name)))

    def _definition(self):
        """The annotation's shape as it is written."""
        return "[%s]" % ", ".join("..." if entry is Ellipsis else str(entry)
                                  for entry in self.spec._shape or [])

    def _named(self, entry, size, named):
        if not entry.is_symbol():
            raise FeError(TypeError("Tensor %d: a shape takes symbols made by "
                                    "pypto.frontend.dynamic, not the expression %s"
                                    % (self.index, entry)))
        name = str(entry)
        if named.setdefault(name, size) != size:
            raise FeError(ValueError("Symbolic scalar %s has multiple concrete values: %d and %d"
                                     % (name, named[name], size)))
        return name


def _whole_blocks(shape, dtype):
    """NZ: the last axis in whole 32 bytes, the one before in whole 16."""
    units = [1] * (len(shape) - 2) + [16, 32 // max(1, bytes_of(dtype))][-len(shape):]
    return [-(-size // unit) * unit for size, unit in zip(shape, units)]


def match(signature, tensors):
    """The Arguments of a call."""
    named = {}
    names = [name for name, _ in signature.tensors]
    hosts = [_host.read(tensor, i, name) for i, (tensor, name) in enumerate(zip(tensors, names))]
    return [Argument(i, name, spec, host, named)
            for i, ((name, spec), host) in enumerate(zip(signature.tensors, hosts))]


def parameter_tensor(recording, argument, slot):
    """The tensor that the body sees."""
    tensor = Tensor._of(recording, slot)
    tensor._name = argument.name
    tensor._parameter = argument.index
    return tensor
