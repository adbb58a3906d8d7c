/* OL30: a dtype that SPEC.md supports and the test never mentions.
 *
 * Looks at `supported_dtypes` in the front matter of SPEC.md, which must be complete, and at the
 * text of `test_<op>.py`, which need not parse. Only float32, float16 and bfloat16 are known. */
#include "operator/extract.h"
#include "rules/common.h"

/* The first item of `dtypes` that names each known dtype, or NULL. */
typedef struct Declared {
    const Value *items[DTYPE_COUNT];
    bool any;
} Declared;

static Declared read_declared(const Value *dtypes)
{
    Declared declared = {0};
    for (uint32_t i = 0; i < dtypes->count; i++) {
        const Value *item = dtypes->items[i];
        Dtype dtype = item->kind == VALUE_STRING ? dtype_parse(item->text) : DTYPE_UNKNOWN;
        if (dtype != DTYPE_UNKNOWN) {
            declared.any = true;
            if (declared.items[dtype] == NULL) {
                declared.items[dtype] = item;
            }
        }
    }
    return declared;
}

static void report_untested(RuleRun *run, const PyFile *test, const Document *spec, Dtype dtype,
                            uint32_t line)
{
    Str path = pyfile_path(test);
    const char *name = dtype_name(dtype);
    Finding *finding = report(
        run, STATUS_FAIL, at_file(path),
        "test file %.*s never uses %s, which SPEC.md lists in supported_dtypes",
        "测试文件 %.*s 从未使用 %s，而 SPEC.md 的 supported_dtypes 列出了它", STR_ARG(path), name);
    finding_hint(run, finding,
                 "Add a case with torch.%s to the test, or remove %s from supported_dtypes.",
                 "在测试中添加 torch.%s 的用例，或从 supported_dtypes 中删除 %s。", name, name);
    finding_related(run, finding, at_document_line(spec, line), "%s is promised here",
                    "此处声明支持 %s", name);
}

static void check(RuleRun *run)
{
    const Document *spec = operator_document(run->op, STR("SPEC.md"));
    if (!spec->exists) {
        rule_skip(run, "SPEC.md does not exist", "SPEC.md 不存在");
        return;
    }
    const PyFile *test = test_file(run);
    if (report_schema(run, SCHEMA_SPEC, spec) || skip_textless(run, test)) {
        return;
    }
    const FrontMatter *front = operator_front_matter(run->op, spec->path);
    Declared declared = read_declared(value_get(front->metadata, "supported_dtypes"));
    if (!declared.any) {
        rule_skip(run, "supported_dtypes of SPEC.md has no dtype that this rule knows",
                  "SPEC.md 的 supported_dtypes 中没有本规则认识的 dtype");
        return;
    }
    unsigned mentioned = dtypes_mentioned(test->parsed.source.text);
    for (Dtype dtype = 0; dtype < DTYPE_COUNT; dtype++) {
        const Value *item = declared.items[dtype];
        if (item != NULL && (mentioned & (1u << dtype)) == 0) {
            uint32_t key_line = front_matter_line(front, "supported_dtypes");
            report_untested(run, test, spec, dtype, item->line == 0 ? key_line : item->line);
        }
    }
}

const Rule ol30 = {
    .id = "OL30",
    .name = "untested-dtype",
    .order = 29,
    .severity = S2,
    .dimension = D5,
    .effort = E2,
    .stages = STAGE(5) | STAGE(6),
    .target = TARGET_GATE,
    .sets = IN(SET_CONSISTENCY),
    .fix = FIX_NONE,
    .hint = {"Add a case with this dtype to the test, or remove it from supported_dtypes.",
             "在测试中添加该 dtype 的用例，或从 supported_dtypes 中删除它。"},
    .check = check,
};
