"""pypto.experimental"""
from . import _shaping as shaping
from ._emit import bool_argument, dim_argument, emit, symbols, tensor_argument
from ._matrix import matmul
from .error import FeError
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
    if tensor_a.dim != 3 or tensor_b.dim != 3:
        raise FeError(ValueError("transposed_batchmatmul() takes tensors with 3 axes"))
    return shaping.transpose(matmul(shaping.transpose(tensor_a, 0, 1), tensor_b, out_dtype), 0, 1)


def nop(in_tensors):
    if not isinstance(in_tensors, (list, tuple)):
        raise FeError(TypeError("nop() takes a list of tensors, not %s"
                                % type(in_tensors).__name__))
    return emit("nop", tuple(tensor_argument(tensor, "nop", "in_tensors")
                             for tensor in in_tensors))


online_softmax = _missing("experimental.online_softmax")
online_softmax_update = _missing("experimental.online_softmax_update")
shmem_store = _missing("experimental.shmem_store")
shmem_load = _missing("experimental.shmem_load")


def set_operation_options(*, combine_axis=None):
    """Performance only."""
    if combine_axis is not None:
        _options["combine_axis"] = bool_argument(combine_axis, "set_operation_options",
                                                 "combine_axis")


def get_operation_options():
    """What set_operation_options set."""
    return dict(_options)
