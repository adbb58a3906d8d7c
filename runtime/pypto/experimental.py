"""pypto.experimental"""
from . import _diagnose
from ._cook import cook
from ._emit import (bool_argument, dim_argument, dtype_argument, emit, real_argument, symbols,
                    tensor_argument)
from .operation import _missing

__all__ = ["gather_in_ub", "gather_in_l1", "transposed_batchmatmul", "online_softmax",
           "online_softmax_update", "nop", "set_operation_options", "get_operation_options",
           "shmem_store", "shmem_load"]

_options = {}


def gather_in_ub(param, indices, block_table, block_size, axis):
    for name, value in (("param", param), ("indices", indices), ("block_table", block_table)):
        tensor_argument(value, "gather_in_ub", name)
    return emit("gather_in_ub", (param, indices, block_table),
                count=dim_argument(block_size, "gather_in_ub", "block_size"),
                dim=dim_argument(axis, "gather_in_ub", "axis"))


def gather_in_l1(src, indices, block_table, block_size, size, is_b_matrix, is_trans):
    for name, value in (("src", src), ("indices", indices), ("block_table", block_table)):
        tensor_argument(value, "gather_in_l1", name)
    return emit("gather_in_l1", (src, indices, block_table),
                count=dim_argument(block_size, "gather_in_l1", "block_size"),
                shape=symbols([size], "gather_in_l1", "size"),
                b_trans=bool_argument(is_b_matrix, "gather_in_l1", "is_b_matrix"),
                a_trans=bool_argument(is_trans, "gather_in_l1", "is_trans"))


def transposed_batchmatmul(tensor_a, tensor_b, out_dtype):
    tensor_argument(tensor_a, "transposed_batchmatmul", "tensor_a")
    tensor_argument(tensor_b, "transposed_batchmatmul", "tensor_b")
    return emit("transposed_batchmatmul", (tensor_a, tensor_b),
                dtype=dtype_argument(out_dtype, "transposed_batchmatmul", "out_dtype"))


def nop(in_tensors):
    return cook("experimental.nop", in_tensors)


def online_softmax(scores, scale):
    tensor_argument(scores, "online_softmax", "scores")
    return emit("online_softmax", (scores,), real=real_argument(scale, "online_softmax", "scale"))


def online_softmax_update(prev_max, prev_sum, prev_out, cur_max, cur_sum, cur_out):
    names = ("prev_max", "prev_sum", "prev_out", "cur_max", "cur_sum", "cur_out")
    values = (prev_max, prev_sum, prev_out, cur_max, cur_sum, cur_out)
    return emit("online_softmax_update", tuple(
        tensor_argument(value, "online_softmax_update", name)
        for name, value in zip(names, values)))


shmem_store = _missing("experimental.shmem_store")
shmem_load = _missing("experimental.shmem_load")


def set_operation_options(*, combine_axis=None, **others):
    """Performance only."""
    for name in others:
        _diagnose.unknown("set_operation_options()", name, ("combine_axis",))
    if combine_axis is not None:
        _options["combine_axis"] = bool_argument(combine_axis, "set_operation_options",
                                                 "combine_axis")


def get_operation_options():
    """What set_operation_options set."""
    return dict(_options)
