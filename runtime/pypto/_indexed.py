"""Sorting, gather and scatter, quantisation; var."""
from ._cook import cook
from ._enums import DataType, DequantScaleRoundingMode, TopKAlgo


def var(input, dim=None, correction=1, keepdim=False):
    return cook("var", input, dim, correction, keepdim)


# ---- sorting ----

def topk(input, k, dim=None, largest=True, algo=TopKAlgo.MERGE_SORT):
    return cook("topk", input, k, dim, largest, algo)


def argsort(input, dim=None, descending=False):
    return cook("argsort", input, dim, descending)


def sort32(input, index=None):
    return cook("sort32", input, index)


# ---- gather and scatter ----

def gather(input, dim, index):
    return cook("gather", input, dim, index)


def index_select(input, dim, index):
    return cook("index_select", input, dim, index)


def scatter(input, dim, index, src, *, reduce=None):
    return cook("scatter", input, dim, index, src, reduce)


def scatter_(input, dim, index, src, *, reduce=None):
    return cook("scatter_", input, dim, index, src, reduce)


def scatter_update(input, dim, index, src):
    return cook("scatter_update", input, dim, index, src)


def index_add(input, dim, index, source, *, alpha=1):
    return cook("index_add", input, dim, index, source, alpha)


def index_add_(input, dim, index, source, *, alpha=1):
    return cook("index_add_", input, dim, index, source, alpha)


index_add_ub = index_add
index_add__ub = index_add_


def index_put_(input, indices, values, accumulate=False):
    return cook("index_put_", input, indices, values, accumulate)


# ---- quantisation ----

def quantize(input, scale, otype, axis, zero_points=None):
    return cook("quantize", input, scale, otype, axis, zero_points)


def dequantize(input, scale, otype, axis, zero_points=None):
    return cook("dequantize", input, scale, otype, axis, zero_points)


def quant_mx(input, quant_dtype=DataType.DT_FP8E4M3, mode=DequantScaleRoundingMode.ROUND_DOWN,
             axis=-1, performance_mode=True):
    return cook("quant_mx", input, quant_dtype, mode, axis, performance_mode)
