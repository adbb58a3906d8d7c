"""Matrix products of tensors on the virtual device, by the simulator's own kernel: the sums run in
the order in which a simulated kernel's do, and 16-bit results are rounded once."""
import math

import torch

import _ptosim

_DTYPES = {getattr(torch, name): _ptosim.TORCH_DTYPES[name]
           for name in ("float32", "float16", "bfloat16", "float64")}
# Axes of the two factors, where a function does not take others.
_RANKS = {"mm": (2, 2), "bmm": (3, 3), "mv": (2, 1), "dot": (1, 1), "addmm": (2, 2),
          "baddbmm": (3, 3)}


def _wants_gradient(*tensors):
    return torch.is_grad_enabled() and any(t.requires_grad for t in tensors)


def _fits(a, b):
    return (isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor) and a.dtype == b.dtype and
            a.dtype in _DTYPES and not _wants_gradient(a, b) and a.dim() > 0 and b.dim() > 0)


def _argument(matrix):
    return (matrix.data_ptr(), _DTYPES[matrix.dtype], tuple(matrix.shape))


def _two_axes(a, b, dtype):
    """[m, k] · [k, n], both dense."""
    out = torch.zeros(a.shape[0], b.shape[1], dtype=dtype)
    if out.numel() and a.shape[1]:
        _ptosim.matmul(_argument(a), False, _argument(b), False, _argument(out))
    return out


def _product(a, b, dtype=None):
    """torch.matmul's rules for shapes, over _two_axes; the result has the operands' dtype unless
    `dtype` says otherwise."""
    dtype = dtype or a.dtype
    if a.dim() == 1 and b.dim() == 1:
        return _product(a[None, :], b[:, None], dtype)[0, 0]
    if a.dim() == 1:
        return _product(a[None, :], b, dtype).squeeze(-2)
    if b.dim() == 1:
        return _product(a, b[:, None], dtype).squeeze(-1)
    if a.shape[-1] != b.shape[-2]:
        raise RuntimeError("mat1 and mat2 shapes cannot be multiplied (%s and %s)"
                           % (tuple(a.shape), tuple(b.shape)))
    if b.dim() == 2:
        rows = a.reshape(math.prod(a.shape[:-1]), a.shape[-1]).contiguous()
        return _two_axes(rows, b.contiguous(), dtype).reshape(*a.shape[:-1], b.shape[-1])
    batch = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    count = math.prod(batch)
    left = a.expand(*batch, *a.shape[-2:]).reshape(count, *a.shape[-2:])
    right = b.expand(*batch, *b.shape[-2:]).reshape(count, *b.shape[-2:])
    parts = [_two_axes(x.contiguous(), y.contiguous(), dtype) for x, y in zip(left, right)]
    shape = (*batch, a.shape[-2], b.shape[-1])
    return torch.stack(parts).reshape(shape) if parts else torch.zeros(shape, dtype=dtype)


def _ranks_fit(name, a, b):
    """Whether the operands have the axes that the function wants; else torch says what is wrong."""
    wanted = _RANKS.get(name)
    return (wanted is None or (a.dim(), b.dim()) == wanted and
            (wanted != (3, 3) or a.shape[0] == b.shape[0]))


def _matmul(func, args, kwargs):
    a = args[0] if args else kwargs.get("input")
    b = args[1] if len(args) > 1 else kwargs.get("other", kwargs.get("mat2", kwargs.get("tensor2")))
    if not _fits(a, b) or not _ranks_fit(func.__name__, a, b):
        return NotImplemented
    result = _product(a, b)
    out = kwargs.get("out")
    return result if out is None else out.copy_(result)


def _reversed_matmul(func, args, kwargs):
    del func, kwargs
    return _product(args[1], args[0]) if _fits(args[1], args[0]) else NotImplemented


def _linear(func, args, kwargs):
    del func
    x, weight = args[0], args[1] if len(args) > 1 else kwargs["weight"]
    bias = args[2] if len(args) > 2 else kwargs.get("bias")
    if not _fits(x, weight) or (bias is not None and _wants_gradient(bias)):
        return NotImplemented
    weight = weight.t() if weight.dim() == 2 else weight
    return _product(x, weight) if bias is None else _product_and(x, weight, bias)


def _product_and(a, b, other, beta=1, alpha=1):
    """beta·other + alpha·(a · b): added to the F32 sums, with one rounding, as a kernel's bias."""
    if a.dtype == torch.float64:
        return _product(a, b) * alpha + other * beta
    return (_product(a, b, torch.float32) * alpha + other.float() * beta).to(a.dtype)


def _addmm(func, args, kwargs):
    if len(args) < 3 or not _fits(args[1], args[2]) or _wants_gradient(args[0]):
        return NotImplemented
    if "out" in kwargs or not _ranks_fit(func.__name__, args[1], args[2]):
        return NotImplemented
    return _product_and(args[1], args[2], args[0], kwargs.get("beta", 1), kwargs.get("alpha", 1))


def _einsum_pair(labels_a, a, labels_b, b, labels_out):
    """Two operands without repeated labels, as one batched product; None when it is not one."""
    if len(set(labels_a)) != len(labels_a) or len(set(labels_b)) != len(labels_b):
        return None
    if not set(labels_out) <= set(labels_a) | set(labels_b):
        return None
    batch = [c for c in labels_a if c in labels_b and c in labels_out]
    inner = [c for c in labels_a if c in labels_b and c not in labels_out]
    only_a = [c for c in labels_a if c not in labels_b]
    only_b = [c for c in labels_b if c not in labels_a]
    if any(c not in labels_out for c in only_a + only_b):
        return None
    size = {**dict(zip(labels_a, a.shape)), **dict(zip(labels_b, b.shape))}
    shape = lambda labels: [size[c] for c in labels]  # noqa: E731
    count = lambda labels: math.prod(shape(labels))  # noqa: E731
    left = a.permute([labels_a.index(c) for c in batch + only_a + inner])
    right = b.permute([labels_b.index(c) for c in batch + inner + only_b])
    left = left.reshape(count(batch), count(only_a), count(inner))
    right = right.reshape(count(batch), count(inner), count(only_b))
    product = _product(left, right).reshape(shape(batch + only_a + only_b))
    order = batch + only_a + only_b
    return product.permute([order.index(c) for c in labels_out])


def _einsum(func, args, kwargs):
    del func, kwargs
    equation = args[0]
    operands = args[1] if len(args) == 2 and isinstance(args[1], (list, tuple)) else args[1:]
    if not isinstance(equation, str) or len(operands) != 2 or "." in equation:
        return NotImplemented
    if not _fits(*operands):
        return NotImplemented
    inputs, arrow, labels_out = equation.replace(" ", "").partition("->")
    labels = inputs.split(",")
    if not arrow:
        letters = "".join(labels)
        labels_out = "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
    if len(labels) != 2 or [len(part) for part in labels] != [t.dim() for t in operands]:
        return NotImplemented
    result = _einsum_pair(labels[0], operands[0], labels[1], operands[1], labels_out)
    return NotImplemented if result is None else result


ROUTES = {"matmul": _matmul, "mm": _matmul, "bmm": _matmul, "__matmul__": _matmul,
          "__rmatmul__": _reversed_matmul, "mv": _matmul, "dot": _matmul, "linear": _linear,
          "addmm": _addmm, "baddbmm": _addmm, "einsum": _einsum}
