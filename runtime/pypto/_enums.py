"""The product's enumerations. Their values matter: programs store and compare them."""
import enum

import _ptosim


class _Enum(enum.Enum):
    """`repr` and `str` are Class.NAME; `int(member)` is the value."""

    def __repr__(self):
        return "%s.%s" % (type(self).__name__, self.name)

    __str__ = __repr__

    def __int__(self):
        return self.value

    __index__ = __int__

    def __hash__(self):
        return hash((type(self).__name__, self.value))


def _numbered(name, members):
    """An enumeration with the values 0, 1, 2, …"""
    return _Enum(name, [(member, i) for i, member in enumerate(members.split())],
                 module="pypto", qualname=name)


DataType = _numbered("DataType", """
    DT_INT4 DT_INT8 DT_INT16 DT_INT32 DT_INT64 DT_FP8 DT_FP16 DT_FP32 DT_BF16 DT_HF4 DT_HF8
    DT_UINT8 DT_UINT16 DT_UINT32 DT_UINT64 DT_BOOL DT_DOUBLE DT_FP8E4M3 DT_FP8E5M2 DT_FP8E8M0
    DT_FP4_E2M1X2 DT_FP4_E1M2X2 DT_FP4_E2M1 DT_FP4_E1M2 DT_BOTTOM""")
TileOpFormat = _numbered(
    "TileOpFormat",
    "TILEOP_ND TILEOP_NZ TILEOP_NC1HWC0 TILEOP_NDC1HWC0 TILEOP_FRACTAL_Z TILEOP_FRACTAL_Z_3D")
CachePolicy = _numbered("CachePolicy", "PREFETCH NONE_CACHEABLE")
CastMode = _numbered(
    "CastMode", "CAST_NONE CAST_RINT CAST_ROUND CAST_FLOOR CAST_CEIL CAST_TRUNC CAST_ODD")
SaturationMode = _numbered("SaturationMode", "ON OFF")
OpType = _numbered("OpType", "EQ NE LT LE GT GE")
OutType = _numbered("OutType", "BOOL BIT")
TopKAlgo = _numbered("TopKAlgo", "MERGE_SORT RADIX_SELECT")
ReLuType = _numbered("ReLuType", "NO_RELU RELU")
ConvReLuType = _numbered("ConvReLuType", "NO_RELU RELU")
TransMode = _numbered("TransMode", "CAST_NONE CAST_RINT CAST_ROUND")
ScatterMode = _numbered("ScatterMode", "NONE ADD MULTIPLY")
ReduceMode = _numbered("ReduceMode", "ATOMIC_ADD")
PrecisionType = _numbered("PrecisionType", "INTRINSIC HIGH_PRECISION")
DequantScaleRoundingMode = _numbered("DequantScaleRoundingMode", "ROUND_UP ROUND_DOWN")
AtomicType = _numbered("AtomicType", "SET ADD")
AtomicRMWMode = _numbered("AtomicRMWMode", "ADD MAX MIN")
StatusType = _numbered("StatusType", "DYN DYNAMIC STATIC")
SatStatus = _numbered("SatStatus", "SAT UNSAT UNKNOWN")
RunMode = _numbered("RunMode", "NPU SIM")
CompStage = _numbered(
    "CompStage", "ALL_COMPLETE TENSOR_GRAPH TILE_GRAPH EXECUTE_GRAPH CODEGEN_INSTRUCTION "
    "CODEGEN_BINARY")

DTYPES = tuple(DataType)
FORMATS = tuple(TileOpFormat)
FLOATS = frozenset(d for d in DTYPES if d.name in (
    "DT_FP16", "DT_FP32", "DT_BF16", "DT_DOUBLE", "DT_FP8", "DT_HF4", "DT_HF8", "DT_FP8E4M3",
    "DT_FP8E5M2", "DT_FP8E8M0", "DT_FP4_E2M1X2", "DT_FP4_E1M2X2", "DT_FP4_E2M1", "DT_FP4_E1M2"))


def bytes_of(dtype):
    """Bytes of one element."""
    return _ptosim.dtype_bytes(int(dtype))
