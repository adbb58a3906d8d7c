/* Host code: the data types of torch. */
#include "eval/host.h"

static const struct {
    const char *full; /* "torch.float32" */
    PtsDtype dtype;
} dtypes[] = {
    {"torch.float32", PTS_FP32},  {"torch.float", PTS_FP32},    {"torch.float16", PTS_FP16},
    {"torch.half", PTS_FP16},     {"torch.bfloat16", PTS_BF16}, {"torch.float64", PTS_DOUBLE},
    {"torch.double", PTS_DOUBLE}, {"torch.int8", PTS_INT8},     {"torch.int16", PTS_INT16},
    {"torch.short", PTS_INT16},   {"torch.int32", PTS_INT32},   {"torch.int", PTS_INT32},
    {"torch.int64", PTS_INT64},   {"torch.long", PTS_INT64},    {"torch.uint8", PTS_UINT8},
    {"torch.bool", PTS_BOOL},     {"torch.uint16", PTS_UINT16}, {"torch.uint32", PTS_UINT32},
    {"torch.uint64", PTS_UINT64},
};

enum { OWNER_LENGTH = sizeof "torch." - 1 };

int host_dtype_named(Str name)
{
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
        if (str_is(name, dtypes[i].full + OWNER_LENGTH)) {
            return (int)dtypes[i].dtype;
        }
    }
    return -1;
}

int host_dtype(Value value)
{
    bool torch = value.kind == VALUE_OUTSIDE && str_starts(*value.as.text, STR("torch."));
    return torch ? host_dtype_named(str_slice(*value.as.text, OWNER_LENGTH, value.as.text->length))
                 : -1;
}

bool host_is_float(int dtype)
{
    return dtype == PTS_FP32 || dtype == PTS_FP16 || dtype == PTS_BF16 || dtype == PTS_DOUBLE;
}

bool host_is_dtype(Value value)
{
    return host_dtype(value) >= 0;
}

Value host_dtype_value(Eval *eval, int dtype)
{
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
        if ((int)dtypes[i].dtype == dtype) {
            Value value = value_text(eval->arena, str_from(dtypes[i].full));
            value.kind = VALUE_OUTSIDE;
            return value;
        }
    }
    return value_unknown();
}

/* --- torch.finfo, torch.iinfo */

Value host_limit(Str dtype, Str name)
{
    static const struct {
        PtsDtype dtype;
        double max, eps, tiny;
    } floats[] = {{PTS_FP32, 0x1.fffffep127, 0x1p-23, 0x1p-126},
                  {PTS_FP16, 65504.0, 0x1p-10, 0x1p-14},
                  {PTS_BF16, 0x1.fep127, 0x1p-7, 0x1p-126}};
    int number = host_dtype_named(dtype);
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) {
        if ((int)floats[i].dtype != number) {
            continue;
        }
        return str_is(name, "max")   ? value_float(floats[i].max)
               : str_is(name, "min") ? value_float(-floats[i].max)
               : str_is(name, "eps") ? value_float(floats[i].eps)
               : str_is(name, "tiny") || str_is(name, "smallest_normal")
                   ? value_float(floats[i].tiny)
                   : value_number();
    }
    int bits = number == PTS_INT8    ? 8
               : number == PTS_INT16 ? 16
               : number == PTS_INT32 ? 32
               : number == PTS_INT64 ? 64
                                     : 0;
    int64_t most = bits == 0 ? 0 : (int64_t)((UINT64_C(1) << (bits - 1)) - 1);
    return bits == 0              ? value_number()
           : str_is(name, "max")  ? value_int(most)
           : str_is(name, "min")  ? value_int(-most - 1)
           : str_is(name, "bits") ? value_int(bits)
                                  : value_number();
}
