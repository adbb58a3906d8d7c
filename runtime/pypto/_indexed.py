"""Sorting, gather and scatter, quantisation; var."""
from ._cook import cook
from ._emit import (bool_argument, dim_argument, dtype_argument, emit, enum_argument, tensor_argument)
from ._enums import DataType, DequantScaleRoundingMode, TopKAlgo


def var(input, dim=None, correction=1, keepdim=False):
    return cook("var", input, dim, correction, keepdim)


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
    return cook("scatter", input, dim, index, src, reduce)


def scatter_(input, dim, index, src, *, reduce=None):
    return cook("scatter_", input, dim, index, src, reduce)


def scatter_update(input, dim, index, src):
    tensor_argument(input, "scatter_update")
    tensor_argument(index, "scatter_update", "index")
    tensor_argument(src, "scatter_update", "src")
    return emit("scatter_update", (input, index, src), dim=dim_argument(dim, "scatter_update"))


def index_add(input, dim, index, source, *, alpha=1):
    return cook("index_add", input, dim, index, source, alpha)


def index_add_(input, dim, index, source, *, alpha=1):
    return cook("index_add_", input, dim, index, source, alpha)


index_add_ub = index_add
index_add__ub = index_add_


def index_put_(input, indices, values, accumulate=False):
    return cook("index_put_", input, indices, values, accumulate)


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
    return cook("quant_mx", input, quant_dtype, mode, axis, performance_mode)
