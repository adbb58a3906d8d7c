/* Conversions from and to types of eight and four bits: values of the documentation and those
 * worked out from each code. */
#include "kernel_fixture.h"

static void small_floats(void **unused)
{
    static const struct {
        PtsDtype dtype;
        uint8_t bits;
        double value;
    } known[] = {
        {PTS_FP8E4M3, 0x7E, 448},     {PTS_FP8E4M3, 0x01, 0x1p-9},   {PTS_FP8E4M3, 0x38, 1},
        {PTS_FP8E4M3, 0xB9, -1.125},  {PTS_FP8E4M3, 0x08, 0x1p-6},   {PTS_FP8E5M2, 0x7B, 57344},
        {PTS_FP8E5M2, 0x01, 0x1p-16}, {PTS_FP8E5M2, 0x3C, 1},        {PTS_FP8E5M2, 0xC5, -5},
        {PTS_FP8E8M0, 0x7F, 1},       {PTS_FP8E8M0, 0x00, 0x1p-127}, {PTS_FP8E8M0, 0x85, 64}};
    (void)unused;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_true(pts_load_real(&known[i].bits, known[i].dtype) == known[i].value);
    }
    for (int code = 0; code < 256; code++) {
        for (int t = 0; t < 2; t++) {
            PtsDtype dtype = t == 0 ? PTS_FP8E4M3 : PTS_FP8E5M2;
            uint8_t bits = (uint8_t)code;
            uint8_t back;
            float value;
            convert(&bits, dtype, &value, PTS_FP32, 1, NONE, OFF);
            convert(&value, PTS_FP32, &back, dtype, 1, NONE, OFF);
            if (isnan(value)) {
                assert_true(isnan(pts_load_real(&back, dtype)));
            } else {
                assert_int_equal(back, bits);
            }
        }
    }
    float big = 1000;
    uint8_t bits;
    convert(&big, PTS_FP32, &bits, PTS_FP8E4M3, 1, NONE, ON);
    assert_int_equal(bits, 0x7E);
    convert(&big, PTS_FP32, &bits, PTS_FP8E4M3, 1, NONE, OFF);
    assert_int_equal(bits, 0x7F);
}

/* HiFloat8: values worked out from the prefix code, then every float against the nearest value. */
static void hifloat8(void **unused)
{
    static const struct {
        uint8_t bits;
        double value;
    } known[] = {{0x00, 0},        {0x01, 0x1p-22},  {0x07, 0x1p-16}, {0x08, 1},
                 {0x0F, 1.875},    {0x10, 2},        {0x17, 3.75},    {0x18, 0.5},
                 {0x20, 4},        {0x2F, 15},       {0x30, 0.25},    {0x38, 0.125},
                 {0x40, 16},       {0x5F, 0x1.cp-7}, {0x60, 256},     {0x6E, 32768},
                 {0x6F, INFINITY}, {0x70, 0x1p-8},   {0x7E, 0x1p-15}, {0xEF, -INFINITY},
                 {0x89, -1.125}};
    double values[256];
    uint8_t byte;
    (void)unused;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_true(pts_load_real(&known[i].bits, PTS_HF8) == known[i].value);
    }
    for (int code = 0; code < 256; code++) {
        byte = (uint8_t)code;
        uint8_t back;
        float value;
        convert(&byte, PTS_HF8, &value, PTS_FP32, 1, NONE, OFF);
        values[code] = (double)value;
        convert(&value, PTS_FP32, &back, PTS_HF8, 1, FLOOR, OFF);
        assert_int_equal(back, byte);
    }
    assert_true(isnan(values[0x80]));
    for (int i = 0; i < 20000; i++) {
        float value =
            ldexpf(1 + (float)(next_random() % 4096) / 4096, (int)(next_random() % 42) - 26);
        if (value >= 40960) {
            continue; /* infinity */
        }
        convert(&value, PTS_FP32, &byte, PTS_HF8, 1, NONE, OFF);
        double distance = fabs(values[byte] - (double)value);
        for (int code = 0; code < 128; code++) {
            double other = fabs(values[code] - (double)value);
            bool is_better = other < distance || (other == distance && values[code] > values[byte]);
            if (is_better) {
                fail_msg("%a became %a, not %a", (double)value, values[byte], values[code]);
            }
        }
    }
    float big[] = {40959, 40960, -1e9F};
    uint8_t bits[3];
    convert(big, PTS_FP32, bits, PTS_HF8, 3, NONE, OFF);
    assert_true(bits[0] == 0x6E && bits[1] == 0x6F && bits[2] == 0xEF);
    convert(big, PTS_FP32, bits, PTS_HF8, 3, NONE, ON);
    assert_true(bits[1] == 0x6E && bits[2] == 0xEE);
}

static void types_without_a_format_are_refused(void **unused)
{
    uint8_t bits = 0;
    uint16_t half;
    PtsError error;
    (void)unused;
    assert_false(pts_convert(&bits, PTS_HF4, &half, PTS_FP16, 1, NONE, OFF, &error));
    assert_int_equal(error.kind, PTS_NOT_IMPLEMENTED);
}

/* Four bits, in the low half of a byte each. */
static void four_bits(void **unused)
{
    static const float e2m1[] = {0, 0.5F, 1, 1.5F, 2, 3, 4, 6};
    static const float e1m2[] = {0, 0.25F, 0.5F, 0.75F, 1, 1.25F, 1.5F, 1.75F};
    PtsError error;
    (void)unused;
    for (int code = 0; code < 16; code++) {
        const uint8_t bits = (uint8_t)code;
        float value;
        const float sign = code < 8 ? 1.0F : -1.0F;
        assert_true(pts_convert(&bits, PTS_FP4_E2M1X2, &value, PTS_FP32, 1, NONE, OFF, &error));
        assert_true(value == sign * e2m1[code % 8]);
        assert_true(pts_convert(&bits, PTS_FP4_E1M2X2, &value, PTS_FP32, 1, NONE, OFF, &error));
        assert_true(value == sign * e1m2[code % 8]);
        assert_true(pts_convert(&bits, PTS_INT4, &value, PTS_FP32, 1, NONE, OFF, &error));
        assert_true(value == (float)(code < 8 ? code : code - 16));
    }
    static const float given[] = {5.0F, 2.5F, -0.25F, 1e30F, -INFINITY, NAN};
    static const uint8_t codes[] = {0x6, 0x4, 0x8, 0x7, 0xF, 0};
    for (size_t i = 0; i < sizeof codes; i++) {
        uint8_t bits;
        assert_true(pts_convert(&given[i], PTS_FP32, &bits, PTS_FP4_E2M1X2, 1, NONE, OFF, &error));
        assert_int_equal(bits, codes[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_floats),
        cmocka_unit_test(hifloat8),
        cmocka_unit_test(types_without_a_format_are_refused),
        cmocka_unit_test(four_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
