"""Sums in other orders: torch's reductions, replaced while a reference runs.

Every addition of floating-point numbers rounds, so a sum depends on the order of its terms. An Order
computes sums, matrix products and running sums in one order. Within `active` all of torch's reductions
use it, below torch's functions, so that references need no change.
"""
import collections
import contextlib
import importlib

_MOST_STEPS = 512  # partial sums that are added one after the other
_MOST_HALVINGS = 5  # of a matrix product


class Order:
    """One order of summation. Terms are in F32 (16-bit floats are widened) or F64; the results are
    rounded once, to the dtype that torch gives."""

    def __init__(self, name, block=0, seed=None, doubled=False, divides=False, rounds=False):
        self.name, self.block, self.seed, self.doubled = name, block, seed, doubled
        # These two add up as torch does. `divides`: a quotient is a product with the reciprocal.
        # `rounds`: ties are rounded away from zero. Either may change a quantised element.
        self.divides, self.rounds = divides, rounds
        self.plain = doubled or divides or rounds

    def dtype(self, torch, given):
        """The dtype of its sums."""
        return torch.float64 if self.doubled or given == torch.float64 else torch.float32

    # The methods below take terms of that dtype, along the last axis.

    def total(self, terms):
        """Their sum."""
        count = terms.shape[-1]
        if count < 3 or self.plain:
            return terms.sum(-1)
        if self.block:
            return _added_up(terms[..., start:start + size].sum(-1)
                             for start, size in _blocks(count, self.block))
        if self.name == "pairwise":
            return _pairwise(terms)
        return terms.index_select(-1, self._places(terms, count)).sum(-1)

    def product(self, first, second):
        """first @ second, of rank 2 or 3."""
        count = first.shape[-1]
        if count < 3 or self.plain:
            return first @ second
        if self.block:
            return _added_up(first[..., start:start + size] @ second[..., start:start + size, :]
                             for start, size in _blocks(count, self.block))
        if self.name == "pairwise":
            return _halved(first, second, _MOST_HALVINGS)
        places = self._places(first, count)
        return first.index_select(-1, places) @ second.index_select(-2, places)

    def running(self, terms):
        """Their running sum."""
        count = terms.shape[-1]
        if self.plain:
            return terms.cumsum(-1)
        if not self.block:
            return _doubling(terms)
        parts, carried = [], None
        for start, size in _blocks(count, self.block):
            part = _doubling(terms[..., start:start + size])
            parts.append(part if carried is None else part + carried)
            carried = parts[-1][..., -1:]
        return _torch().cat(parts, -1) if parts else terms

    def _places(self, terms, count):
        torch = _torch()
        if self.seed is None:
            return torch.arange(count - 1, -1, -1, device=terms.device)
        generator = torch.Generator().manual_seed(self.seed * 1000003 + count)
        return torch.randperm(count, generator=generator).to(terms.device)


# torch's own order is not one of them: it may add 16-bit floats in 16 bits.
ORDERS = (Order("reversed"), Order("pairwise"), Order("one by one", block=1),
          Order("blocks of 16", block=16), Order("blocks of 128", block=128),
          Order("permuted 1", seed=1), Order("permuted 2", seed=2), Order("F64", doubled=True),
          Order("reciprocals", divides=True), Order("ties away", rounds=True))


def _torch():
    return importlib.import_module("torch")


def _blocks(count, size):
    size = max(size, -(-count // _MOST_STEPS))
    return [(start, min(size, count - start)) for start in range(0, count, size)]


def _added_up(parts):
    total = None
    for part in parts:
        total = part if total is None else total + part
    return total


def _pairwise(terms):
    while terms.shape[-1] > 1:
        half = terms.shape[-1] // 2
        rest = terms[..., 2 * half:]
        terms = terms[..., :half] + terms[..., half:2 * half]
        if rest.shape[-1]:
            terms = _torch().cat([terms, rest], -1)
    return terms.squeeze(-1)


def _halved(first, second, depth):
    count = first.shape[-1]
    if depth == 0 or count < 2:
        return first @ second
    half = count // 2
    return _halved(first[..., :half], second[..., :half, :], depth - 1) + \
        _halved(first[..., half:], second[..., half:, :], depth - 1)


def _doubling(terms):
    """The running sum in log2(count) steps in the dtype of the terms; torch adds in F64."""
    step, count = 1, terms.shape[-1]
    while step < count:
        terms = _torch().cat([terms[..., :step], terms[..., step:] + terms[..., :-step]], -1)
        step *= 2
    return terms


# ---- torch's reductions, by the names of its operators ----

class _Reductions:
    """A method for each operator, with its parameters. NotImplemented: torch's own is called."""

    def __init__(self, order):
        self.order = order

    def div(self, x, y, *, rounding_mode=None):
        if not self.order.divides or rounding_mode is not None or not _is_float(x) or \
                not _is_float(y):
            return NotImplemented
        return (self._wide(x) * self._wide(y).reciprocal()).to(
            _torch().promote_types(x.dtype, y.dtype) if x.dim() and y.dim() else
            x.dtype if x.dim() else y.dtype)

    def rsqrt(self, x):
        if not self.order.divides or not _is_float(x):
            return NotImplemented
        return self._wide(x).sqrt().reciprocal().to(x.dtype)

    def round(self, x, *, decimals=0):
        if not self.order.rounds or decimals or not _is_float(x):
            return NotImplemented
        return (x.abs() + 0.5).floor().copysign(x)

    def _wide(self, tensor):
        return tensor.to(self.order.dtype(_torch(), tensor.dtype))

    def _total(self, terms, dim, keepdim):
        """The sum over axes (None or [] = all)."""
        rank = terms.dim()
        if rank == 0:
            return terms
        dims = [dim] if isinstance(dim, int) else list(dim or range(rank))
        dims = sorted({axis % rank for axis in dims})
        kept = [axis for axis in range(rank) if axis not in dims]
        shape = [terms.shape[axis] for axis in kept]
        rows = terms.permute(kept + dims).reshape(shape + [-1] if terms.numel() else
                                                  shape + [_count(terms, dims)])
        total = self.order.total(rows)
        for axis in dims if keepdim else ():
            total = total.unsqueeze(axis)
        return total

    def sum(self, x, dim=None, keepdim=False, *, dtype=None):
        if not x.is_floating_point():
            return NotImplemented
        return self._total(self._wide(x), dim, keepdim).to(dtype or x.dtype)

    def nansum(self, x, dim=None, keepdim=False, *, dtype=None):
        return self.sum(x.nan_to_num(nan=0.0, posinf=float("inf"), neginf=float("-inf")), dim,
                        keepdim, dtype=dtype)

    def mean(self, x, dim=None, keepdim=False, *, dtype=None):
        if not x.is_floating_point():
            return NotImplemented
        total = self._total(self._wide(x), dim, keepdim)
        return (total / _count(x, dim)).to(dtype or x.dtype)

    def trace(self, x):
        return self.sum(x.diagonal())

    def mm(self, a, b):
        if not a.is_floating_point():
            return NotImplemented
        return self.order.product(self._wide(a), self._wide(b)).to(a.dtype)

    bmm = mm

    def mv(self, a, b):
        return self.mm(a, b.unsqueeze(-1)).squeeze(-1)

    def dot(self, a, b):
        return self.mm(a.unsqueeze(0), b.unsqueeze(-1)).reshape(())

    vdot = dot

    def addmm(self, c, a, b, *, beta=1, alpha=1):
        if not a.is_floating_point():
            return NotImplemented
        product = self.order.product(self._wide(a), self._wide(b))
        product = product if alpha == 1 else product * alpha
        if beta != 0:
            product = product + (self._wide(c) if beta == 1 else self._wide(c) * beta)
        return product.to(a.dtype)

    baddbmm = addmm

    def addmv(self, c, a, b, *, beta=1, alpha=1):
        column = c.unsqueeze(-1) if c.dim() else c
        return self.addmm(column, a, b.unsqueeze(-1), beta=beta, alpha=alpha).squeeze(-1)

    def addbmm(self, c, a, b, *, beta=1, alpha=1):
        rows, columns = a.shape[1], b.shape[2]
        return self.addmm(c, a.permute(1, 0, 2).reshape(rows, -1), b.reshape(-1, columns),
                          beta=beta, alpha=alpha)

    def cumsum(self, x, dim, *, dtype=None):
        if not x.is_floating_point() or x.dim() == 0:
            return NotImplemented
        terms = self._wide(x).movedim(dim, -1)
        return self.order.running(terms).movedim(-1, dim).to(dtype or x.dtype)

    def _exponentials(self, x, dim):
        x = self._wide(x)
        largest = x.amax(dim, keepdim=True) if x.numel() else x.sum(dim, keepdim=True)
        largest = largest.masked_fill(largest.abs() == float("inf"), 0.0)
        shifted = x - largest
        powers = shifted.exp()
        return powers, shifted, largest, self._total(powers, dim, True)

    def _softmax(self, x, dim, half_to_float=False):
        powers, _, _, total = self._exponentials(x, dim)
        return (powers / total).to(_torch().float32 if half_to_float else x.dtype)

    def _log_softmax(self, x, dim, half_to_float=False):
        _, shifted, _, total = self._exponentials(x, dim)
        return (shifted - total.log()).to(_torch().float32 if half_to_float else x.dtype)

    def logsumexp(self, x, dim, keepdim=False):
        if not x.is_floating_point() or x.dim() == 0:
            return NotImplemented
        _, _, largest, total = self._exponentials(x, dim)
        result = total.log() + largest
        if not keepdim:
            axes = [dim] if isinstance(dim, int) else dim
            for axis in sorted((a % x.dim() for a in axes), reverse=True):
                result = result.squeeze(axis)
        return result.to(x.dtype)

    def _moments(self, x, dim, correction, keepdim):
        """(variance, mean)"""
        wide, count = self._wide(x), _count(x, dim)
        mean = self._total(wide, dim, True) / count
        squares = (wide - mean) ** 2
        divisor = max(count - (1 if correction is None else correction), 0)
        variance = self._total(squares, dim, keepdim) / divisor
        mean = mean if keepdim else mean.reshape(variance.shape)
        return variance, mean

    def var(self, x, dim=None, *, correction=None, keepdim=False):
        return self._moments(x, dim, correction, keepdim)[0].to(x.dtype)

    def std(self, x, dim=None, *, correction=None, keepdim=False):
        return self._moments(x, dim, correction, keepdim)[0].sqrt().to(x.dtype)

    def var_mean(self, x, dim=None, *, correction=None, keepdim=False):
        variance, mean = self._moments(x, dim, correction, keepdim)
        return variance.to(x.dtype), mean.to(x.dtype)

    def std_mean(self, x, dim=None, *, correction=None, keepdim=False):
        variance, mean = self._moments(x, dim, correction, keepdim)
        return variance.sqrt().to(x.dtype), mean.to(x.dtype)

    def norm(self, x, p=2, dim=None, keepdim=False, *, dtype=None):
        p = 2 if p is None else p
        if not x.is_floating_point() or p <= 0 or p == float("inf"):
            return NotImplemented
        size = self._wide(x).abs()
        total = self._total(size if p == 1 else size ** p, dim, keepdim)
        root = total if p == 1 else total.sqrt() if p == 2 else total ** (1.0 / p)
        return root.to(dtype or x.dtype)

    linalg_vector_norm = norm

    def native_layer_norm(self, x, shape, weight, bias, eps):
        dims = list(range(x.dim() - len(shape), x.dim()))
        variance, mean = self._moments(x, dims, 0, True)
        rstd = (variance + eps).rsqrt()
        result = (self._wide(x) - mean) * rstd
        result = result if weight is None else result * self._wide(weight)
        result = result if bias is None else result + self._wide(bias)
        return result.to(x.dtype), mean.to(x.dtype), rstd.to(x.dtype)

    def native_group_norm(self, x, weight, bias, count, channels, _extent, groups, eps):
        rows = x.reshape(count, groups, -1)
        variance, mean = self._moments(rows, 2, 0, True)
        rstd = (variance + eps).rsqrt()
        result = ((self._wide(rows) - mean) * rstd).reshape(x.shape)
        shape = [1, channels] + [1] * (x.dim() - 2)
        result = result if weight is None else result * self._wide(weight).reshape(shape)
        result = result if bias is None else result + self._wide(bias).reshape(shape)
        return (result.to(x.dtype), mean.reshape(count, groups).to(x.dtype),
                rstd.reshape(count, groups).to(x.dtype))


def _is_float(value):
    return isinstance(value, _torch().Tensor) and value.is_floating_point()


def _count(tensor, dim):
    """How many elements a reduction over these axes combines."""
    shape = tensor.shape
    dims = range(len(shape)) if dim is None or dim == [] else [dim] if isinstance(dim, int) else dim
    count = 1
    for axis in dims:
        count *= shape[axis]
    return count


# Operators that also add up, but keep torch's order.
_KEPT = {"convolution", "_convolution", "native_batch_norm", "cudnn_batch_norm", "_cdist_forward",
         "_euclidean_dist", "prod", "cumprod", "logcumsumexp", "index_add", "scatter_add",
         "scatter_reduce", "_embedding_bag", "avg_pool2d", "avg_pool3d", "_adaptive_avg_pool2d",
         "addr", "_trilinear", "linalg_matrix_exp", "linalg_inv_ex", "linalg_lu_factor_ex",
         "_scaled_dot_product_flash_attention_for_cpu", "_scaled_dot_product_efficient_attention",
         "_fft_r2c", "_fft_c2c", "_fft_c2r", "_safe_softmax", "_fused_rms_norm"}


class Counts:
    """How often the reductions of a run were replaced, and which were not."""

    def __init__(self):
        self.replaced = collections.Counter()
        self.kept = set()


def _mode(order, counts):
    """A dispatch mode that computes reductions in that order."""
    from torch.utils._python_dispatch import TorchDispatchMode
    torch, table = _torch(), _Reductions(order)

    class Mode(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            kwargs = kwargs or {}
            name = func.overloadpacket.__name__
            # In-place operators write into their first argument; those with out= are not replaced.
            plain = name[:-1] if name.endswith("_") and not name.endswith("__") else name
            method = None if plain.startswith("__") else getattr(table, plain, None)
            if plain in _KEPT:
                counts.kept.add(plain.strip("_"))
            if method is None or func.namespace != "aten" or "out" in kwargs:
                return func(*args, **kwargs)
            with torch._C.DisableTorchFunction():
                result = method(*args, **kwargs)
                if result is NotImplemented:
                    return func(*args, **kwargs)
                counts.replaced[plain.strip("_")] += 1
                return result if plain == name else args[0].copy_(result)

    return Mode()


@contextlib.contextmanager
def active(order, counts):
    """Within the block torch adds up in that order, also for products that the simulator's stand-in
    otherwise computes like a device."""
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(importlib.import_module("torch_npu._routes").host_products())
        except (ImportError, AttributeError):
            pass  # the installed torch_npu
        stack.enter_context(_mode(order, counts))
        yield
