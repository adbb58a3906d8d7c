"""Matrix products, and the operations that pypto composes from others."""
from . import _diagnose
from ._config import L0_TILE, L1_TILE, get_conv_tile_shapes
from ._cook import cook
from ._emit import (bool_argument, dim_argument, dtype_argument, emit, enum_argument, real_argument,
                    symbols, tensor_argument)
from ._enums import ConvReLuType, ReLuType, TransMode
from .error import FeError

_EXTEND_KEYS = ("bias_tensor", "scale", "scale_tensor", "relu_type", "trans_mode")


def matmul(input, mat2, out_dtype, *, a_trans=False, b_trans=False, c_matrix_nz=False,
           extend_params=None):
    _note_keys("matmul", extend_params)
    return cook("matmul", input, mat2, out_dtype, a_trans, b_trans, c_matrix_nz, extend_params)


def _note_keys(name, params):
    for key in params if isinstance(params, dict) else ():
        if key not in _EXTEND_KEYS:  # the product asks for the keys that it knows
            _diagnose.unknown("%s(): extend_params" % name, key, _EXTEND_KEYS, 1)


def _extend(name, attributes, params):
    """What extend_params says; gives its tensors."""
    if not isinstance(params, dict):
        raise FeError(TypeError("%s(): 'extend_params' must be a dict, not %s"
                                % (name, type(params).__name__)))
    _note_keys(name, params)
    if params.get("scale") is not None:
        attributes["scale"] = real_argument(params["scale"], name, "scale")
        attributes["has_scale"] = True
    if params.get("relu_type") is not None:
        kind = ConvReLuType if isinstance(params["relu_type"], ConvReLuType) else ReLuType
        attributes["relu"] = enum_argument(params["relu_type"], kind, name, "relu_type")
    if params.get("trans_mode") is not None:
        attributes["trans_mode"] = enum_argument(params["trans_mode"], TransMode, name,
                                                 "trans_mode")
    tensors = [params.get("bias_tensor"), params.get("scale_tensor")]
    for key, tensor in zip(("bias_tensor", "scale_tensor"), tensors):
        if tensor is not None:
            tensor_argument(tensor, name, key)
    return tensors


def matmul_operator(a, b):
    """a @ b"""
    return cook("__matmul__", a, b)


def scaled_mm(mat_a, mat_b, out_dtype, scale_a, scale_b, *, a_trans=False, b_trans=False,
              scale_a_trans=False, scale_b_trans=False, c_matrix_nz=False, extend_params=None):
    _note_keys("scaled_mm", extend_params)
    return cook("scaled_mm", mat_a, mat_b, out_dtype, scale_a, scale_b, a_trans, b_trans,
                scale_a_trans, scale_b_trans, c_matrix_nz, extend_params)


def conv(input_conv, weight, out_dtype, strides, paddings, dilations, *, groups=1,
         transposed=False, output_paddings=None, extend_params=None):
    tensor_argument(input_conv, "conv", "input_conv")
    tensor_argument(weight, "conv", "weight")
    if bool_argument(transposed, "conv", "transposed") or output_paddings:
        raise FeError(ValueError("conv(): transposed convolutions are not supported"))
    tiles = get_conv_tile_shapes()
    if tiles == (None, None):
        raise FeError(RuntimeError("op [CONV]tile shape not set: call set_conv_tile_shapes first"))
    axes = input_conv.dim - 2
    steps = zip(_small_numbers(strides, axes, "strides"), _small_numbers(dilations, axes, "dilations"))
    if isinstance(paddings, (list, tuple)) and len(paddings) == axes:  # the same on both sides
        paddings = [side for padding in paddings for side in (padding, padding)]
    sides = _small_numbers(paddings, 2 * axes, "paddings")
    attributes = {"dtype": dtype_argument(out_dtype, "conv", "out_dtype"),
                  "shape": symbols([a * _UNIT + b for a, b in steps], "conv", "strides"),
                  "offsets": symbols([a * _UNIT + b for a, b in zip(sides[::2], sides[1::2])],
                                     "conv", "paddings"),
                  "count": dim_argument(groups, "conv", "groups"),
                  "valid": symbols(_tile_numbers(tiles), "conv", "tiles")}
    params = {} if extend_params is None else extend_params
    bias, scale_tensor = _extend("conv", attributes, params)
    return emit("conv", (input_conv, weight, bias, scale_tensor), **attributes)


_UNIT = 1024  # two numbers of an axis travel as one
_TILE_BITS = 20  # three numbers of the tiles do


def _tile_numbers(tiles):
    """The twelve numbers of both tiles, three in one; 0 for those that are not given."""
    numbers = []
    for tile, names in zip(tiles, (L1_TILE, L0_TILE)):
        for name in names:
            number = dim_argument(getattr(tile, name, 0), "set_conv_tile_shapes", name)
            if not 0 <= number < 1 << _TILE_BITS:
                raise FeError(ValueError("set_conv_tile_shapes(): '%s' is out of range: %d"
                                         % (name, number)))
            numbers.append(number)
    return [sum(number << _TILE_BITS * i for i, number in enumerate(numbers[at:at + 3]))
            for at in range(0, len(numbers), 3)]


def _small_numbers(values, count, what):
    """`count` integers from 0 to 1023; the core knows the real limits."""
    if not isinstance(values, (list, tuple)) or len(values) != count:
        raise FeError(ValueError("conv(): '%s' must be a list of %d, not %r" % (what, count, values)))
    numbers = [dim_argument(value, "conv", what) for value in values]
    for number in numbers:
        if not 0 <= number < _UNIT:
            raise FeError(ValueError("conv(): '%s' is out of range: %d" % (what, number)))
    return numbers


# ---- composed ----

def sigmoid(input):
    return cook("sigmoid", input)


def softmax(input, dim):
    return cook("softmax", input, dim)


def rms_norm(input, gamma=None, epsilon=1e-6):
    return cook("rms_norm", input, gamma, epsilon)
