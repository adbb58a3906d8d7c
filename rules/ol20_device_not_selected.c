/* OL20: a test that does not select its device.
 *
 * Without the device id from the environment all tests run on device 0. Looks at the text of
 * `test_<op>.py`, which need not parse. */
#include "operator/python_facts.h"
#include "rules/common.h"
#include "rules/imports.h"

#define SELECTED "int(os.environ.get(\"TILE_FWK_DEVICE_ID\", \"0\"))"

/* Does some import at the top level bind this package under its own name? */
static bool is_imported(const Module *module, const char *package)
{
    return str_is(package_name(module, package), package);
}

static void import_os(RuleRun *run, Finding *finding, const Module *module)
{
    if (!is_imported(module, "os")) {
        uint32_t at;
        Str line = import_insertion(run->arena, module, STR("import os"), &at);
        finding_edit(run, finding, FIX_SUGGEST, at, at, line);
    }
}

/* `torch.npu.set_device(0)`: the number becomes that of the environment. */
static void replace_number(RuleRun *run, Finding *finding, const Module *module)
{
    NodeList calls = module_nodes(module, NODE_CALL);
    int64_t number;
    for (uint32_t i = 0; i < calls.count; i++) {
        NodeId argument = call_arg(module, calls.ids[i], 0);
        if (str_is(call_attribute(module, calls.ids[i]), "set_device") && argument != NO_NODE &&
            node_int(module, argument, true, &number)) {
            import_os(run, finding, module);
            finding_edit(run, finding, FIX_SUGGEST, node_at(module, argument)->start,
                         node_at(module, argument)->end, STR(SELECTED));
            return;
        }
    }
}

/* A call below the last import at the top level. `torch.npu` is there once torch_npu is
 * imported. */
static void add_call(RuleRun *run, Finding *finding, const Module *module)
{
    if (!is_imported(module, "torch") || !is_imported(module, "torch_npu")) {
        return;
    }
    uint32_t at;
    bool crlf = str_contains(module->source->text, STR("\r\n"));
    Str import = is_imported(module, "os") ? STR("")
                 : crlf                    ? STR("import os\r\n")
                                           : STR("import os\n");
    Str call = str_format(run->arena, "%.*storch.npu.set_device(" SELECTED ")", STR_ARG(import));
    Str text = import_insertion(run->arena, module, call, &at);
    finding_edit(run, finding, FIX_SUGGEST, at, at, text);
}

static void add_fix(RuleRun *run, const PyFile *file, Finding *finding, bool device)
{
    const Module *module = pyfile_module(file);
    if (module == NULL) {
        return;
    }
    if (device) {
        add_call(run, finding, module);
    } else {
        replace_number(run, finding, module);
    }
}

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
            Finding *finding =
                report(run, STATUS_FAIL, at_file(path), "test file %.*s lacks %s: %s",
                       "测试文件 %.*s 缺少 %s：%s", STR_ARG(path), items[i].wanted,
                       text_in(run->lang, items[i].why));
            finding_take_source(finding, &file->parsed.source);
            add_fix(run, file, finding, i == 1);
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
    .fix = FIX_SUGGEST,
    .needs = NEEDS_OWN_EDIT,
    .hint =
        {"Start with 'torch.npu.set_device(int(os.environ.get(\"TILE_FWK_DEVICE_ID\", \"0\")))'.",
         "先调用 'torch.npu.set_device(int(os.environ.get(\"TILE_FWK_DEVICE_ID\", \"0\")))'。"},
    .check = check,
};
