"""Sorting, gather and scatter, quantisation; var."""
from ._emit import (bool_argument, dim_argument, dtype_argument, emit, enum_argument,
                    real_argument, symbols, tensor_argument)
from ._enums import DataType, DequantScaleRoundingMode, TopKAlgo
from ._indexing import move
from .error import FeError

_SCATTER_MODES = {None: 0, "add": 1, "multiply": 2}


def var(input, dim=None, correction=1, keepdim=False):
    tensor_argument(input, "var")
    rank = input.dim
    if dim is None or dim == [] or dim == ():
        dims = list(range(rank))
    else:
        dims = [dim_argument(d, "var") for d in (dim if isinstance(dim, (list, tuple)) else [dim])]
    return emit("var", (input,), shape=symbols([d + rank if d < 0 else d for d in dims], "var",
                                               "dim"),
                real=real_argument(correction, "var", "correction"),
                keepdim=bool_argument(keepdim, "var", "keepdim"))


# ---- sorting ----

def topk(input, k, dim=None, largest=True, algo=TopKAlgo.MERGE_SORT):
    tensor_argument(input, "topk")
    return emit("topk", (input,), count=dim_argument(k, "topk", "k"),
                dim=-1 if dim is None else dim_argument(dim, "topk"),
                largest=bool_argument(largest, "topk", "largest"),
                mode=enum_argument(algo, TopKAlgo, "topk", "algo"))


def argsort(input, dim=None, descending=False):
    tensor_argument(input, "argsort")
    return emit("argsort", (input,), dim=-1 if dim is None else dim_argument(dim, "argsort"),
                descending=bool_argument(descending, "argsort", "descending"))


def sort32(input, index=None):
    tensor_argument(input, "sort32")
    return emit("sort32", (input, index))


# ---- gather and scatter ----

def gather(input, dim, index):
    tensor_argument(index, "gather", "index")
    return emit("gather", (tensor_argument(input, "gather"), index),
                dim=dim_argument(dim, "gather"))


def index_select(input, dim, index):
    tensor_argument(index, "index_select", "index")
    return emit("index_select", (tensor_argument(input, "index_select"), index),
                dim=dim_argument(dim, "index_select"))


def scatter(input, dim, index, src, *, reduce=None):
    tensor_argument(input, "scatter")
    tensor_argument(index, "scatter", "index")
    if reduce not in _SCATTER_MODES:
        raise FeError(ValueError("scatter(): 'reduce' must be None, 'add' or 'multiply', not %r"
                                 % (reduce,)))
    return emit("scatter", (input, index, src), dim=dim_argument(dim, "scatter"),
                mode=_SCATTER_MODES[reduce])


def scatter_(input, dim, index, src, *, reduce=None):
    move(input, scatter(input, dim, index, src, reduce=reduce))
    return input


def scatter_update(input, dim, index, src):
    tensor_argument(input, "scatter_update")
    tensor_argument(index, "scatter_update", "index")
    tensor_argument(src, "scatter_update", "src")
    return emit("scatter_update", (input, index, src), dim=dim_argument(dim, "scatter_update"))


def index_add(input, dim, index, source, *, alpha=1):
    tensor_argument(input, "index_add_")
    tensor_argument(index, "index_add_", "index")
    tensor_argument(source, "index_add_", "source")
    return emit("index_add_", (input, index, source), dim=dim_argument(dim, "index_add_"),
                real=real_argument(alpha, "index_add_", "alpha"))


def index_add_(input, dim, index, source, *, alpha=1):
    move(input, index_add(input, dim, index, source, alpha=alpha))
    return input


index_add_ub = index_add
index_add__ub = index_add_


def index_put_(input, indices, values, accumulate=False):
    tensor_argument(input, "index_put_")
    tensor_argument(values, "index_put_", "values")
    if not isinstance(indices, (list, tuple)):
        raise FeError(TypeError("index_put_(): 'indices' must be a tuple of tensors, not %s"
                                % type(indices).__name__))
    for index in indices:
        tensor_argument(index, "index_put_", "indices")
    result = emit("index_put_", (input, values) + tuple(indices),
                  accumulate=bool_argument(accumulate, "index_put_", "accumulate"))
    move(input, result)


# ---- quantisation ----

def _quantisation(name, input, scale, otype, axis, zero_points):
    tensor_argument(input, name)
    tensor_argument(scale, name, "scale")
    if zero_points is not None:
        tensor_argument(zero_points, name, "zero_points")
    return emit(name, (input, scale, zero_points), dtype=dtype_argument(otype, name, "otype"),
                dim=dim_argument(axis, name, "axis"))


def quantize(input, scale, otype, axis, zero_points=None):
    return _quantisation("quantize", input, scale, otype, axis, zero_points)


def dequantize(input, scale, otype, axis, zero_points=None):
    return _quantisation("dequantize", input, scale, otype, axis, zero_points)


def quant_mx(input, quant_dtype=DataType.DT_FP8E4M3, mode=DequantScaleRoundingMode.ROUND_DOWN,
             axis=-1, performance_mode=True):
    tensor_argument(input, "quant_mx")
    return emit("quant_mx", (input,), dtype=dtype_argument(quant_dtype, "quant_mx", "quant_dtype"),
                mode=enum_argument(mode, DequantScaleRoundingMode, "quant_mx", "mode"),
                dim=dim_argument(axis, "quant_mx", "axis"),
                largest=bool_argument(performance_mode, "quant_mx", "performance_mode"))
