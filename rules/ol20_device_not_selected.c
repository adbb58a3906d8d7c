/* OL20: a test that does not select its device.
 *
 * Without the device id from the environment all tests meet on device 0. Looks at the text of
 * `test_<op>.py`, which need not parse. */
#include "rules/common.h"

static void check(RuleRun *run)
{
    static const struct {
        const char *wanted;
        Text why;
    } items[] = {
        {"TILE_FWK_DEVICE_ID",
         {"the device id is not read from the environment", "没有从环境变量读取设备号"}},
        {"set_device", {"no device is selected", "没有选择设备"}},
    };
    const PyFile *file = test_file(run);
    if (skip_textless(run, file)) {
        return;
    }
    Str text = file->parsed.source.text, path = pyfile_path(file);
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        if (!str_contains(text, str_from(items[i].wanted))) {
            report(run, STATUS_FAIL, at_file(path), "test file %.*s lacks %s: %s",
                   "测试文件 %.*s 缺少 %s：%s", STR_ARG(path), items[i].wanted,
                   text_in(run->lang, items[i].why));
        }
    }
}

const Rule ol20 = {
    .id = "OL20",
    .name = "device-not-selected",
    .order = 21,
    .severity = S1,
    .dimension = D4,
    .effort = E1,
    .stages = STAGE(5) | STAGE(6),
    .target = TARGET_TEST,
    .fix = FIX_NONE,
    .needs = NEEDS_OWN_EDIT,
    .hint =
        {"Start with 'torch.npu.set_device(int(os.environ.get(\"TILE_FWK_DEVICE_ID\", \"0\")))'.",
         "先调用 'torch.npu.set_device(int(os.environ.get(\"TILE_FWK_DEVICE_ID\", \"0\")))'。"},
    .check = check,
};
