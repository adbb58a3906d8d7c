/* The cast op and pts_convert: all 65536 inputs of the 16-bit types, and F32 around every value and
 * midpoint of the 16-bit types, against rounding written here by searching a sorted table of all
 * values of the target. */
#include "kernel_fixture.h"

#include "sim/kernels/common.h"

/* Rounds an exactly known number to an integer, by the definitions of the modes. */
static long double round_by(long double value, int mode)
{
    long double down = floorl(value);
    long double rest = value - down;
    bool is_even = fmodl(down, 2) == 0;
    switch (mode) {
    case FLOOR:
        return down;
    case CEIL:
        return ceill(value);
    case RINT:
        return rest > 0.5L || (rest == 0.5L && !is_even) ? down + 1 : down;
    case ROUND:
        return rest > 0.5L || (rest == 0.5L && value > 0) ? down + 1 : down;
    default:
        return truncl(value);
    }
}

/* Clamped to 32 bits, then cut or clamped to `bits`; NaN gives 0. */
static int64_t expected_integer(double value, int mode, int saturation, int bits, bool is_signed)
{
    if (isnan(value)) {
        return 0;
    }
    long double rounded = isinf(value) ? (long double)value : round_by(value, mode);
    int64_t wide = rounded >= 2147483647.0L    ? INT32_MAX
                   : rounded <= -2147483648.0L ? INT32_MIN
                                               : (int64_t)rounded;
    int64_t least = is_signed ? -((int64_t)1 << (bits - 1)) : 0;
    int64_t most = is_signed ? ((int64_t)1 << (bits - 1)) - 1 : ((int64_t)1 << bits) - 1;
    if (saturation == ON || bits == 32) {
        return wide < least ? least : wide > most ? most : wide;
    }
    int64_t low = wide & (((int64_t)1 << bits) - 1);
    return is_signed && low > most ? low - ((int64_t)1 << bits) : low;
}

static void all_16_bit_floats_to_integers(void **unused)
{
    static const PtsDtype targets[] = {PTS_INT8, PTS_UINT8, PTS_INT16, PTS_UINT16, PTS_INT32};
    static const PtsDtype sources[] = {PTS_FP16, PTS_BF16};
    static uint16_t from[65536];
    static uint64_t to[65536];
    (void)unused;
    for (int i = 0; i < 65536; i++) {
        from[i] = (uint16_t)i;
    }
    for (size_t s = 0; s < 2; s++) {
        for (size_t t = 0; t < sizeof targets / sizeof *targets; t++) {
            for (int mode = 0; mode < MODES; mode++) {
                for (int saturation = ON; saturation <= OFF; saturation++) {
                    convert(from, sources[s], to, targets[t], 65536, mode, saturation);
                    size_t bytes = pts_dtype_bytes(targets[t]);
                    bool is_signed = targets[t] != PTS_UINT8 && targets[t] != PTS_UINT16;
                    for (int i = 0; i < 65536; i++) {
                        double value =
                            (double)(s == 0 ? half_value((uint16_t)i) : bfloat_value((uint16_t)i));
                        int64_t got = pts_load_integer((char *)to + (size_t)i * bytes, targets[t]);
                        assert_int_equal(got, expected_integer(value, mode, saturation,
                                                               (int)bytes * 8, is_signed));
                    }
                }
            }
        }
    }
}

static void all_16_bit_floats_widen_exactly(void **unused)
{
    (void)unused;
    for (int i = 0; i < 65536; i++) {
        uint16_t bits = (uint16_t)i;
        for (int mode = 0; mode < MODES; mode++) {
            float half;
            float bfloat;
            double wide;
            convert(&bits, PTS_FP16, &half, PTS_FP32, 1, mode, OFF);
            convert(&bits, PTS_BF16, &bfloat, PTS_FP32, 1, mode, OFF);
            convert(&bits, PTS_FP16, &wide, PTS_DOUBLE, 1, mode, OFF);
            float half_expected = half_value(bits);
            float bfloat_expected = bfloat_value(bits);
            if (isnan(half_expected)) {
                assert_true(isnan(half) && isnan(wide));
                assert_int_equal(signbit(half) != 0, bits >> 15);
            } else {
                assert_memory_equal(&half, &half_expected, 4);
                assert_true(wide == (double)half_expected);
            }
            if (isnan(bfloat_expected)) {
                assert_true(isnan(bfloat));
            } else {
                assert_memory_equal(&bfloat, &bfloat_expected, 4);
            }
        }
    }
}

/* ---- F32 → 16 bits ---- */

/* The finite magnitudes of a 16-bit type, ascending: the index is the code. */
typedef struct Table {
    PtsDtype dtype;
    int count; /* codes below this are finite; it is the code of infinity */
    double value[32768];
} Table;

static Table half_table = {.dtype = PTS_FP16};
static Table bfloat_table = {.dtype = PTS_BF16};

static void fill_table(Table *table)
{
    for (table->count = 0;; table->count++) {
        uint16_t code = (uint16_t)table->count;
        float value = table->dtype == PTS_FP16 ? half_value(code) : bfloat_value(code);
        if (isinf(value)) {
            break;
        }
        table->value[code] = (double)value;
    }
    /* Where the next value would be, had the exponent no limit. */
    table->value[table->count] =
        2 * table->value[table->count - 1] - table->value[table->count - 2];
}

static int expected_code(const Table *table, double value, int mode)
{
    int sign = signbit(value) ? 0x8000 : 0;
    double magnitude = fabs(value);
    if (magnitude >= table->value[table->count]) {
        return sign | table->count;
    }
    int low = 0;
    int high = table->count;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (table->value[middle] <= magnitude) {
            low = middle;
        } else {
            high = middle;
        }
    }
    if (table->value[low] == magnitude) {
        return sign | low;
    }
    long double below = (long double)magnitude - table->value[low];
    long double above = (long double)table->value[high] - magnitude;
    bool up = false;
    switch (mode) {
    case FLOOR:
        up = sign != 0;
        break;
    case CEIL:
        up = sign == 0;
        break;
    case TRUNC:
        break;
    case ROUND:
        up = above <= below;
        break;
    case ODD:
        up = low % 2 == 0;
        break;
    default:
        up = above < below || (above == below && low % 2 == 1);
    }
    return sign | (up ? high : low);
}

static void check_narrow(const Table *table, float value, int mode)
{
    uint16_t got;
    convert(&value, PTS_FP32, &got, table->dtype, 1, mode, OFF);
    /* ODD exists for F16 only; elsewhere it is the default. */
    int known = mode == ODD && table->dtype != PTS_FP16 ? NONE : mode;
    if (got != expected_code(table, (double)value, known)) {
        print_error("%a mode %d: %04x, expected %04x\n", (double)value, mode, got,
                    expected_code(table, (double)value, known));
    }
    assert_int_equal(got, expected_code(table, (double)value, known));
}

static void check_around(const Table *table, double value)
{
    float near[3] = {(float)value};
    near[1] = nextafterf(near[0], INFINITY);
    near[2] = nextafterf(near[0], 0);
    for (int mode = 0; mode < MODES; mode++) {
        for (int i = 0; i < 3; i++) {
            if (isfinite(near[i])) {
                check_narrow(table, near[i], mode);
                check_narrow(table, -near[i], mode);
            }
        }
    }
}

static void floats_narrow_as_the_table_says(void **unused)
{
    Table *const tables[] = {&half_table, &bfloat_table};
    (void)unused;
    for (int t = 0; t < 2; t++) {
        for (int code = 0; code < tables[t]->count; code++) {
            double value = tables[t]->value[code];
            check_around(tables[t], value);
            check_around(tables[t], (value + tables[t]->value[code + 1]) / 2);
        }
        for (int i = 0; i < 200000; i++) {
            uint32_t bits = next_random();
            float value;
            memcpy(&value, &bits, 4);
            if (isfinite(value)) {
                check_narrow(tables[t], value, i % MODES);
            }
        }
    }
}

/* Runs of the vector loops against single elements, per instruction set. */
static void runs_are_the_same_in_all_instruction_sets(void **unused)
{
    enum { COUNT = 100003 };
    static float from[COUNT];
    static uint16_t expected[2][COUNT];
    static uint16_t got[COUNT];
    static int32_t integers[2][COUNT];
    (void)unused;
    for (int i = 0; i < COUNT; i++) {
        uint32_t bits = i % 3 == 0 ? next_random() : (next_random() & 0x8FFFFFFF) | 0x40000000;
        memcpy(&from[i], &bits, 4);
    }
    from[0] = INFINITY;
    from[1] = -INFINITY;
    from[2] = NAN;
    from[3] = -0.0F;
    const char *const *names = isa_names();
    for (int n = 0; names[n] != NULL; n++) {
        assert_true(pts_loops_select(names[n]));
        for (int t = 0; t < 2; t++) {
            PtsDtype dtype = t == 0 ? PTS_FP16 : PTS_BF16;
            convert(from, PTS_FP32, got, dtype, COUNT, RINT, OFF);
            if (n == 0) {
                memcpy(expected[t], got, sizeof got);
            }
            assert_memory_equal(got, expected[t], sizeof got);
        }
        for (int mode = RINT; mode <= TRUNC; mode++) {
            convert(from, PTS_FP32, integers[1], PTS_INT32, COUNT, mode, OFF);
            for (int i = 0; i < COUNT; i++) {
                assert_int_equal(integers[1][i],
                                 expected_integer((double)from[i], mode, OFF, 32, true));
            }
        }
    }
}

/* ---- integers ---- */

static void values_from_the_documentation(void **unused)
{
    static const struct {
        float from;
        int saturation;
        int8_t expected;
    } cases[] = {{300, OFF, 44},   {-300, OFF, -44}, {300, ON, 127},
                 {-300, ON, -128}, {2.5F, OFF, 2},   {-2.5F, OFF, -2}};
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint16_t half;
        int8_t got;
        convert(&cases[i].from, PTS_FP32, &half, PTS_FP16, 1, NONE, OFF);
        convert(&half, PTS_FP16, &got, PTS_INT8, 1, NONE, cases[i].saturation);
        assert_int_equal(got, cases[i].expected);
    }
}

static void wide_integers(void **unused)
{
    (void)unused;
    float huge = 1e20F;
    int64_t wide;
    convert(&huge, PTS_FP32, &wide, PTS_INT64, 1, NONE, OFF);
    assert_true(wide == INT64_MAX);
    huge = -1e20F;
    convert(&huge, PTS_FP32, &wide, PTS_INT64, 1, NONE, OFF);
    assert_true(wide == INT64_MIN);
    huge = NAN;
    convert(&huge, PTS_FP32, &wide, PTS_INT64, 1, NONE, OFF);
    assert_true(wide == 0);
    /* 2^24 + 1 is a tie in F32; 2^24 + 3 too, the other way. */
    int32_t odd = 16777217;
    float real;
    convert(&odd, PTS_INT32, &real, PTS_FP32, 1, NONE, OFF);
    assert_true(real == 16777216.0F);
    convert(&odd, PTS_INT32, &real, PTS_FP32, 1, CEIL, OFF);
    assert_true(real == 16777218.0F);
    odd = -16777217;
    convert(&odd, PTS_INT32, &real, PTS_FP32, 1, FLOOR, OFF);
    assert_true(real == -16777218.0F);
    /* Through F32: 2049 · 2^14 + 1 rounds to the tie first, then to even. */
    int32_t twice = 2049 * 16384 + 1;
    uint16_t half;
    convert(&twice, PTS_INT32, &half, PTS_FP16, 1, NONE, OFF);
    assert_int_equal(half, 0x7C00);
    int32_t small = 2049 * 8 + 1;
    convert(&small, PTS_INT32, &half, PTS_FP16, 1, NONE, OFF);
    assert_true(half_value(half) == 16400.0F); /* exact in F32: one rounding, above the tie */
}

static void integers_to_narrower_integers(void **unused)
{
    static const int32_t values[] = {0,   1,   -1,   127,   128,   -128,      -129,     255,
                                     256, 300, -300, 65535, 65536, INT32_MAX, INT32_MIN};
    static const PtsDtype targets[] = {PTS_INT8, PTS_UINT8, PTS_INT16, PTS_UINT16};
    (void)unused;
    for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
        for (size_t t = 0; t < 4; t++) {
            for (int saturation = ON; saturation <= OFF; saturation++) {
                int bits = (int)pts_dtype_bytes(targets[t]) * 8;
                uint64_t got = 0;
                int64_t from = values[v];
                convert(&values[v], PTS_INT32, &got, targets[t], 1, NONE, saturation);
                int64_t expected =
                    expected_integer((double)values[v], NONE, saturation, bits, t == 0 || t == 2);
                assert_int_equal(pts_load_integer(&got, targets[t]), expected);
                convert(&from, PTS_INT64, &got, targets[t], 1, NONE, saturation);
                assert_int_equal(pts_load_integer(&got, targets[t]), expected);
            }
        }
    }
}

/* The op over a window of a larger tensor: only the valid part is written. */
static void valid_part_of_a_window(void **unused)
{
    float from[4 * 8];
    uint16_t to[3 * 5];
    PtsError error;
    (void)unused;
    for (int i = 0; i < 32; i++) {
        from[i] = (float)i;
    }
    memset(to, 0xEE, sizeof to);
    PtsTensor source = OVER(from, PTS_FP32, 4, 8);
    source.data = from + 9;
    source.shape[0] = 3;
    source.shape[1] = 5;
    PtsTensor result = OVER(to, PTS_BF16, 3, 5);
    result.valid[0] = 2;
    result.valid[1] = 4;
    PtsKernelAttributes attributes = {.saturation = OFF};
    PtsKernelOperand in = operand(&source);
    assert_true(run_kernel(PTS_OP_CAST, &attributes, 1, &in, &result, NULL, &error));
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 5; j++) {
            bool is_valid = i < 2 && j < 4;
            uint16_t got = to[i * 5 + j];
            assert_true(is_valid ? bfloat_value(got) == from[9 + i * 8 + j] : got == 0xEEEE);
        }
    }
}

static void numbers_beyond_the_last_dtype_name_none(void **state)
{
    static const PtsDtype none[] = {PTS_BOTTOM, PTS_DTYPE_COUNT + 1, (PtsDtype)-1};
    (void)state;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        assert_int_equal(pts_dtype_bytes(none[i]), 0);
        assert_string_equal(pts_dtype_name(none[i]), "DT_BOTTOM");
        assert_int_equal(pts_storage_lane(none[i]), -1);
        assert_false(pts_dtype_is_supported(none[i]));
    }
    for (int dtype = 0; dtype < PTS_DTYPE_COUNT; dtype++) {
        assert_true(pts_dtype_bytes((PtsDtype)dtype) > 0);
        assert_memory_equal(pts_dtype_name((PtsDtype)dtype), "DT_", 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_beyond_the_last_dtype_name_none),
        cmocka_unit_test(all_16_bit_floats_to_integers),
        cmocka_unit_test(all_16_bit_floats_widen_exactly),
        cmocka_unit_test(floats_narrow_as_the_table_says),
        cmocka_unit_test(runs_are_the_same_in_all_instruction_sets),
        cmocka_unit_test(values_from_the_documentation),
        cmocka_unit_test(wide_integers),
        cmocka_unit_test(integers_to_narrower_integers),
        cmocka_unit_test(valid_part_of_a_window),
    };
    fill_table(&half_table);
    fill_table(&bfloat_table);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
