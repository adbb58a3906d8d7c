"""Storage formats: a mark on the tensor; the values and their order stay."""
import enum

_MARK = "_npu_format"


class Format(enum.IntEnum):
    """The numbers that torch_npu gives them."""

    UNDEFINED = -1
    NCHW = 0
    NHWC = 1
    ND = 2
    NC1HWC0 = 3
    FRACTAL_Z = 4
    FRACTAL_NZ = 29
    NDC1HWC0 = 32
    FRACTAL_Z_3D = 33


def npu_format_cast(tensor, acl_format):
    """The tensor in another format."""
    result = tensor.clone()
    setattr(result, _MARK, int(acl_format))
    return result


def get_npu_format(tensor):
    """2 (ND) unless it was cast to another."""
    return getattr(tensor, _MARK, int(Format.ND))
