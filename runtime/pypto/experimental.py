"""pypto.experimental"""
from . import _diagnose
from ._cook import cook
from ._emit import bool_argument
from .operation import _missing

__all__ = ["gather_in_ub", "gather_in_l1", "transposed_batchmatmul", "online_softmax",
           "online_softmax_update", "nop", "set_operation_options", "get_operation_options",
           "shmem_store", "shmem_load"]

_options = {}


def gather_in_ub(param, indices, block_table, block_size, axis):
    return cook("experimental.gather_in_ub", param, indices, block_table, block_size, axis)


def gather_in_l1(src, indices, block_table, block_size, size, is_b_matrix, is_trans):
    return cook("experimental.gather_in_l1", src, indices, block_table, block_size,
                size, is_b_matrix, is_trans)


def transposed_batchmatmul(tensor_a, tensor_b, out_dtype):
    return cook("experimental.transposed_batchmatmul", tensor_a, tensor_b, out_dtype)


def nop(in_tensors):
    return cook("experimental.nop", in_tensors)


def online_softmax(scores, scale):
    return cook("experimental.online_softmax", scores, scale)


def online_softmax_update(prev_max, prev_sum, prev_out, cur_max, cur_sum, cur_out):
    return cook("experimental.online_softmax_update", prev_max, prev_sum, prev_out, cur_max, cur_sum, cur_out)


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
