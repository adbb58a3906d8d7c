"""Matrix products, and the operations that pypto composes from others."""
from . import _diagnose
from ._config import L0_TILE, L1_TILE, get_conv_tile_shapes
from ._cook import cook
from ._emit import dim_argument
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
    _note_keys("conv", extend_params)
    tiles = get_conv_tile_shapes()
    tiles = None if tiles == (None, None) else _tile_numbers(tiles)
    return cook("conv", input_conv, weight, out_dtype, strides, paddings, dilations, groups, transposed,
                output_paddings, extend_params, tiles)


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


# ---- composed ----

def sigmoid(input):
    return cook("sigmoid", input)


def softmax(input, dim):
    return cook("softmax", input, dim)


def rms_norm(input, gamma=None, epsilon=1e-6):
    return cook("rms_norm", input, gamma, epsilon)
