/* OL32: a test that compares with more than three times the tolerance of SPEC.md.
 *
 * Looks at `tolerance` in the front matter of SPEC.md, which must be complete, and at the numbers
 * that the text of `test_<op>.py` gives for its keys. The test need not parse. */
#include "operator/extract.h"
#include "rules/common.h"

static const RuleOption options[] = {
    {"factor",
     3,
     1,
     1000,
     {"how many times the tolerance of SPEC.md a test may allow",
      "测试可使用的容差是 SPEC.md 容差的多少倍"}},
    {0},
};

static void check_key(RuleRun *run, const PyFile *test, const Document *spec,
                      const ValueEntry *entry, const char *key)
{
    double promised;
    if (!value_to_real(entry->value, &promised)) {
        return;
    }
    double factor = rule_number(run, "factor");
    Str times = factor == 3 ? str_from(text_in(run->lang, (Text){"three", "三"}))
                            : str_format(run->arena, "%g", factor);
    Str shown = value_show(run->arena, entry->value, 40);
    ToleranceUses uses = tolerance_uses(run->arena, test->parsed.source.text, key);
    for (uint32_t i = 0; i < uses.count; i++) {
        const ToleranceUse *use = &uses.items[i];
        if (!(use->value > promised * factor)) {
            continue;
        }
        Place place = at_range(test, (uint32_t)use->start, (uint32_t)use->end);
        Finding *finding = report(
            run, STATUS_WARN, place,
            "test file %.*s compares with %s %.*s, more than %.*s times the %.*s of SPEC.md",
            "测试文件 %.*s 的 %s 为 %.*s，超过上限（%.*s倍 SPEC.md 容差 %.*s）",
            STR_ARG(pyfile_path(test)), key, STR_ARG(use->text), STR_ARG(times), STR_ARG(shown));
        finding_hint(run, finding, "Use the tolerance of SPEC.md in the comparison: %s=%.*s.",
                     "在比较中使用 SPEC.md 的容差：%s=%.*s。", key, STR_ARG(shown));
        Str exact = value_show(run->arena, entry->value, 400);
        if (str_equal(str_slice(test->parsed.source.text, use->start, use->end), use->text)) {
            finding_edit(run, finding, FIX_SUGGEST, (uint32_t)use->start, (uint32_t)use->end,
                         exact);
        }
        finding_related(run, finding, at_document_line(spec, entry->key->line),
                        "the tolerance is promised here", "此处声明容差");
    }
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
    const Value *tolerance = value_get(front->metadata, "tolerance");
    const ToleranceMode *mode = tolerance_mode(tolerance);
    for (size_t i = 0; mode != NULL && mode->keys[i] != NULL; i++) {
        check_key(run, test, spec, value_entry(tolerance, mode->keys[i]), mode->keys[i]);
    }
}

const Rule ol32 = {
    .id = "OL32",
    .name = "loose-tolerance",
    .order = 31,
    .severity = S2,
    .dimension = D5,
    .effort = E1,
    .stages = STAGE(5) | STAGE(6),
    .target = TARGET_GATE,
    .sets = IN(SET_CONSISTENCY),
    .fix = FIX_SUGGEST,
    .hint = {"Use the tolerance of SPEC.md in the comparison.", "在比较中使用 SPEC.md 的容差。"},
    .options = options,
    .check = check,
};
