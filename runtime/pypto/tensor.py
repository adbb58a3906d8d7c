"""Tensor: a register of the recorded kernel, or the description of a parameter."""
from . import _state, _version
from ._enums import DTYPES, DataType, FORMATS, StatusType, TileOpFormat
from ._numbers import native
from ._recording import active
from .error import FeError
from .symbolic_scalar import SymbolicScalar, handle_of


class Tensor:
    """pypto.Tensor(shape, dtype, name="", format=TILEOP_ND).

    In a kernel: a local tensor, without a value until something is written into it. Elsewhere: the
    description of a parameter, whose shape may have DYNAMIC, STATIC and `...` entries.
    """

    __slots__ = ("_recording", "_slot", "_shape", "_dtype", "_format", "_name", "_policies",
                 "_host", "_parameter")
    __hash__ = None
    __iter__ = None  # not iterable: TypeError
    __array_ufunc__ = None

    def __init__(self, shape=None, dtype=None, name="", format=None, data_ptr=None, device=None,
                 ori_shape=None):
        # The last three describe the host memory behind what pypto.from_torch gives; a description
        # made by hand has none.
        del data_ptr, device, ori_shape
        self._set_spec(shape, dtype, name, format)
        recording = active()
        if recording is not None and self._shape is not None and dtype is not None:
            self._declare(recording)

    def _set_spec(self, shape, dtype, name, format):
        if shape is not None and not isinstance(shape, (list, tuple)):
            raise FeError(TypeError("Tensor(): 'shape' must be a list, not %s"
                                    % type(shape).__name__))
        if dtype is not None and not isinstance(dtype, DataType):
            raise FeError(TypeError("Tensor(): 'dtype' must be a data type (pypto.DT_…), not %s"
                                    % type(dtype).__name__))
        if format is not None and not isinstance(format, TileOpFormat):
            raise FeError(TypeError("Tensor(): 'format' must be a TileOpFormat, not %s"
                                    % type(format).__name__))
        if not isinstance(name, str):
            raise FeError(TypeError("Tensor(): 'name' must be a string, not %s"
                                    % type(name).__name__))
        shape = [native(entry) for entry in shape] if shape is not None else None
        for i, entry in enumerate(shape or []):
            last = entry is Ellipsis and i == len(shape) - 1
            if isinstance(entry, bool) or not (
                    last or isinstance(entry, (int, StatusType, SymbolicScalar))):
                raise FeError(TypeError("Tensor(): a shape has integers, DYNAMIC, STATIC and "
                                        "symbolic scalars, not %r" % (entry,)))
        self._recording = self._slot = self._host = None
        self._shape, self._dtype, self._format, self._name = shape, dtype, format, name
        self._policies = {}
        self._parameter = -1

    def _declare(self, recording):
        recording.check()
        handles = [handle_of(entry) for entry in self._shape]
        if None in handles:
            raise FeError(ValueError("a tensor made in a kernel takes integers and symbolic "
                                     "scalars as shape, not %s" % (self._shape,)))
        if len(handles) > 5:
            raise FeError(ValueError("a tensor has at most 5 axes, not %d" % len(handles)))
        file, line = _state.site()
        self._slot = recording.program.declare(
            int(self._dtype), handles, int(self._format == TileOpFormat.TILEOP_NZ),
            self._name or None, file, line)
        self._recording = recording

    def _take_form(self, source):
        """pypto.tensor(): the first value that is moved in gives shape and dtype."""
        recording = active()
        if recording is not None and self._slot is None and self._shape is None and \
                self._recording is None:
            self._shape, self._dtype = source.shape, source.dtype
            self._declare(recording)

    @classmethod
    def _of(cls, recording, slot):
        made = cls.__new__(cls)
        made._recording, made._slot = recording, slot
        made._shape = made._dtype = made._format = made._host = None
        made._name = ""
        made._policies = {}
        made._parameter = -1
        return made

    def _is_parameter(self):
        return self._parameter >= 0

    def __class_getitem__(cls, items):
        """Tensor[[…shape…], dtype, format]: entries are told apart by their types."""
        found = {}
        for item in items if isinstance(items, tuple) else (items,):
            if isinstance(item, dict):
                found.update(item)
            elif isinstance(item, (list, tuple)):
                found["shape"] = item
            elif isinstance(item, DataType):
                found["dtype"] = item
            elif isinstance(item, TileOpFormat):
                found["format"] = item
            elif isinstance(item, str):
                found["name"] = item
            # anything else, a lone `...` for one, says nothing
        unknown = set(found) - {"shape", "dtype", "format", "name"}
        if unknown:
            raise FeError(TypeError("Tensor[…] does not know %s" % ", ".join(sorted(unknown))))
        made = cls.__new__(cls)
        made._set_spec(found.get("shape"), found.get("dtype"), found.get("name", ""),
                       found.get("format"))
        return made

    def to_tensor(self):
        """Marks the annotation as that of a tensor."""
        return self

    # ---- in a kernel ----

    def _slot_in(self, recording):
        if self._recording is not recording or self._slot is None:
            if self._recording is not None:
                self._recording.check()
            raise FeError(RuntimeError("the tensor '%s' does not belong to kernel '%s'"
                                       % (self._name, recording.name)))
        return self._slot

    def _info(self):
        if self._recording is None:
            return None
        if self._recording.state == "dead":
            self._recording.check()
        return self._recording.program.info(self._slot)

    @property
    def shape(self):
        """A list of integers and symbolic scalars."""
        info = self._info()
        if info is None:
            return list(self._shape or [])
        return [SymbolicScalar._of(handle) if value is None else value
                for handle, value in zip(info[2], info[3])]

    @property
    def valid_shape(self):
        """The extents that hold data: a list of symbolic scalars."""
        info = self._info()
        if info is None:
            return [SymbolicScalar(entry) for entry in self._shape or []
                    if isinstance(entry, (int, SymbolicScalar))]
        return [SymbolicScalar._of(handle) for handle in info[4]]

    @property
    def dim(self):
        """The number of axes."""
        info = self._info()
        return len(self._shape or []) if info is None else len(info[2])

    @property
    def dtype(self):
        """The data type."""
        info = self._info()
        return self._dtype if info is None else DTYPES[info[0]]

    @property
    def format(self):
        """TILEOP_ND or TILEOP_NZ."""
        info = self._info()
        if info is None:
            return self._format or TileOpFormat.TILEOP_ND
        return FORMATS[info[1]]

    @property
    def name(self):
        """Shows in messages and traces."""
        return self._name

    @name.setter
    def name(self, name):
        if not isinstance(name, str):
            raise FeError(TypeError("a tensor's name is a string, not %s" % type(name).__name__))
        self._name = name
        recording = self._recording
        if recording is not None and recording.state == "recording":
            recording.program.set_name(self._slot, name)

    @property
    def id(self):
        """A number that is unique within the kernel."""
        return -1 if self._slot is None else self._slot

    def is_empty(self):
        """Was it made without a shape?"""
        return self._recording is None and self._shape is None

    def set_cache_policy(self, policy, value):
        """Performance only."""
        self._policies[policy] = bool(value)

    def get_cache_policy(self, policy):
        """What set_cache_policy set."""
        return self._policies.get(policy, False)

    # ---- handles of the product's binding: only to be passed back ----

    def base(self):
        """A handle."""
        return self

    logical_tensor = base

    @classmethod
    def from_base(cls, base):
        """The tensor of such a handle."""
        if not isinstance(base, Tensor):
            raise FeError(TypeError("Tensor.from_base() takes what Tensor.base() gave, not %s"
                                    % type(base).__name__))
        return base

    from_logical_tensor = from_base

    def copy(self, name=""):
        """A tensor with the same declaration, but without a value (9.2)."""
        if _version.is_9_1:
            raise AttributeError("'Tensor' object has no attribute 'copy'")
        return Tensor(self.shape, self.dtype, name or self._name, self.format)

    def set_logical_tensor(self, base):
        """The tensor that such a handle refers to replaces this one (9.2)."""
        other = Tensor.from_base(base)
        for attribute in Tensor.__slots__:
            setattr(self, attribute, getattr(other, attribute))

    def __len__(self):
        raise FeError(TypeError("object of type 'Tensor' has no len()"))

    def __bool__(self):
        raise FeError(TypeError("a tensor has no truth value"))

    def __repr__(self):
        try:
            return "Tensor(%s, %s%s)" % (self.shape, self.dtype,
                                         ", name='%s'" % self._name if self._name else "")
        except Exception:  # of a kernel that is gone: still something to print
            return "Tensor(?)"
