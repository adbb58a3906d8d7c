"""Functions of torch 2 for programs that run with torch 1.13."""
import torch

_F32_FROM = (torch.float16, torch.bfloat16)


def _attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None,
               enable_gqa=False):
    """torch.nn.functional.scaled_dot_product_attention, computed in F32 for 16-bit tensors."""
    dtype = query.dtype
    wide = torch.float32 if dtype in _F32_FROM else dtype
    query, key, value = query.to(wide), key.to(wide), value.to(wide)
    if enable_gqa:
        repeats = query.shape[-3] // key.shape[-3]
        key, value = (t.repeat_interleave(repeats, -3) for t in (key, value))
    scores = query @ key.transpose(-1, -2) * (query.shape[-1] ** -0.5 if scale is None else scale)
    if is_causal:
        past = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
        scores = scores.masked_fill(~past, float("-inf"))
    if attn_mask is not None and attn_mask.dtype == torch.bool:
        scores = scores.masked_fill(~attn_mask, float("-inf"))
    elif attn_mask is not None:
        scores = scores + attn_mask.to(wide)
    weights = torch.nn.functional.dropout(torch.softmax(scores, -1), dropout_p)
    return (weights @ value).to(dtype)


def _rms_norm(input, normalized_shape, weight=None, eps=None):
    """torch.nn.functional.rms_norm, computed in F32 for 16-bit tensors."""
    wide = input.float() if input.dtype in _F32_FROM else input
    axes = tuple(range(-len(tuple(normalized_shape)), 0))
    least = torch.finfo(input.dtype).eps if eps is None else eps
    result = wide * torch.rsqrt(wide.pow(2).mean(axes, keepdim=True) + least)
    return (result if weight is None else result * weight).to(input.dtype)


class RMSNorm(torch.nn.Module):
    """torch.nn.RMSNorm"""

    def __init__(self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None):
        super().__init__()
        sizes = (normalized_shape,) if isinstance(normalized_shape, int) else normalized_shape
        self.normalized_shape, self.eps = tuple(sizes), eps
        self.elementwise_affine = elementwise_affine
        self.register_parameter("weight", torch.nn.Parameter(
            torch.ones(self.normalized_shape, device=device, dtype=dtype))
            if elementwise_affine else None)

    def forward(self, x):
        """x over the root of its mean square, times the weight."""
        return torch.nn.functional.rms_norm(x, self.normalized_shape, self.weight, self.eps)

    def reset_parameters(self):
        """Ones."""
        if self.weight is not None:
            torch.nn.init.ones_(self.weight)


class _CustomOperator:
    """What torch.library.custom_op gives: the function, and one more for each kind of device."""

    def __init__(self, name, function, device_types):
        self._qualname, self._function, self._kernels = name, function, {}
        self.__name__, self.__doc__ = function.__name__, function.__doc__
        if device_types is not None:
            self.register_kernel(device_types, function)
        namespace, _, own = name.partition("::")
        setattr(getattr(torch.ops, namespace), own, self)

    def __call__(self, *args, **kwargs):
        kinds = [value.device.type for value in (*args, *kwargs.values())
                 if isinstance(value, torch.Tensor)]
        return self._kernels.get(kinds[0] if kinds else None, self._function)(*args, **kwargs)

    @property
    def default(self):
        """Its only overload."""
        return self

    def register_kernel(self, device_types, function=None):
        """For tensors of these devices."""
        if function is None:
            return lambda inner: self.register_kernel(device_types, inner)
        for kind in [device_types] if isinstance(device_types, str) else device_types or []:
            self._kernels[kind] = function
        return function

    def register_fake(self, function):
        """Shapes for a compiler, which does not exist here."""
        return function

    register_torch_dispatch = register_vmap = register_fake

    def register_autograd(self, backward, *, setup_context=None):
        """There are no gradients through it here."""


def _custom_op(name, function=None, *, mutates_args=(), device_types=None, schema=None):
    """torch.library.custom_op"""
    del mutates_args, schema
    if function is None:
        return lambda inner: _CustomOperator(name, inner, device_types)
    return _CustomOperator(name, function, device_types)


def _register_fake(operator, function=None, **_others):
    """torch.library.register_fake"""
    del operator
    return (lambda inner: inner) if function is None else function


def _register_kernel(operator, device_types, function=None, **_others):
    """torch.library.register_kernel"""
    if isinstance(operator, str):
        namespace, _, own = operator.partition("::")
        operator = getattr(getattr(torch.ops, namespace), own)
    return operator.register_kernel(device_types, function)


def _define(qualname, schema, **_others):
    """torch.library.define("namespace::name", "(Tensor x) -> Tensor")"""
    namespace, _, own = qualname.partition("::")
    torch.library.Library(namespace, "FRAGMENT").define(own + schema)


def _impl(real, dispatch_key):
    """torch.library.impl, which also takes "namespace::name" and a kind of device."""
    def impl(operator, *args, **kwargs):
        if not isinstance(operator, str):
            return real(operator, *args, **kwargs)
        namespace, _, own = operator.partition("::")
        library = torch.library.Library(namespace, "FRAGMENT")
        types, function = (args + (None, None))[:2]
        types = kwargs.get("types", types)

        def register(inner):
            kinds = [types] if isinstance(types, str) else types
            keys = {"CompositeExplicitAutograd" if kind == "default" else dispatch_key(kind).upper()
                    for kind in kinds}
            for key in sorted(keys):
                library.impl(own, inner, key)
            return inner

        return register if function is None else register(function)
    return impl


def install(dispatch_key):
    """Adds what this torch lacks. `dispatch_key` gives torch's key for a device's."""
    functional, library, tensor = torch.nn.functional, torch.library, torch.Tensor
    for place, name, value in (
            (functional, "scaled_dot_product_attention", _attention),
            (functional, "rms_norm", _rms_norm), (torch.nn, "RMSNorm", RMSNorm),
            (tensor, "itemsize", property(lambda self: self.element_size())),
            (tensor, "nbytes", property(lambda self: self.element_size() * self.numel())),
            (tensor, "untyped_storage", lambda self: self.storage().untyped()),
            (library, "custom_op", _custom_op), (library, "register_fake", _register_fake),
            (library, "impl_abstract", _register_fake),
            (library, "register_kernel", _register_kernel)):
        if not hasattr(place, name):
            setattr(place, name, value)
    if not torch.__version__.startswith("1."):
        return
    library.define = _define
    library.impl = _impl(library.impl, dispatch_key)
