/* Tests of the device that commands are recommended for. */
#include "diagnose/device_number.h"

#include "log_fixture.h"

static void test_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        int number;
    } rows[] = {
        {"device 5 heart beat lost", 5},
        {"dev_id=7, ret 3", 7},
        {"(PID:9, Device:2, RankID:-1)", 2},
        {"tensor on npu:3", 3},
        {"Device:-1", -1},
        {"device memory 64 GiB", -1},
        {"910 devices", -1},
        {"device 507014", -1},
        {"device 1.5", -1},
        {"", -1},
        {"device lost, device_id = 12", 12},
    };
    CHECK_ROWS(rows, device_number(str_from(rows[i].line)) == rows[i].number);
    const char *text = "see `npu-smi info -t ecc -i 0` and `npu-smi info -t health -i 0`";
    assert_string_equal(device_fill(&arena, text, 5),
                        "see `npu-smi info -t ecc -i 5` and `npu-smi info -t health -i 5`");
    assert_string_equal(device_fill(&arena, text, -1),
                        "see `npu-smi info -t ecc -i N` and `npu-smi info -t health -i N`");
    assert_int_equal(device_of_command(STR("npu-smi info -t ecc -i 4 | head -12")), 4);
    assert_int_equal(device_of_command(STR("ssh n1 'hccn_tool -i 7 -link -g'")), 7);
    assert_int_equal(device_of_command(STR("grep -i 3 log")), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {LOG_TEST(test_numbers)};
    return RUN_LOG_TESTS(tests);
}
