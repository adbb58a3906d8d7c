/* OL61: the experience preflight of MEMORY.md is missing, malformed or unresolved (A to E, U), or
 * the code has a known crash pattern (F1, F2, F4, F8; see crash_patterns.c).
 *
 * Looks at the "Experience Preflight" section of MEMORY.md and at every parsed file of the scan
 * set. */
#include "rules/common.h"
#include "rules/crash_patterns.h"
#include "rules/preflight.h"

enum { MAX_ITEMS = 20, MEMORY_STAGE = 5 };

static const char *const placeholders[] = {
    "This section is created by the preflight process",
    "no placeholder content needed here",
    "no specific preflight items found",
};

typedef struct Memory {
    const Document *document;
    Preflight preflight;
    uint32_t items, pending, notes; /* items: pending ones included; notes: of both kinds */
} Memory;

/* The section's heading, or line 1 of MEMORY.md. */
static Place at_section(const Memory *memory)
{
    uint32_t heading = memory->preflight.heading;
    return at_document_line(memory->document, heading == 0 ? 1 : heading);
}

static void read_memory(RuleRun *run, Memory *memory, const Document *document)
{
    memory->document = document;
    preflight_read(&memory->preflight, run->arena, document->text);
    for (uint32_t i = 0; i < memory->preflight.lines.count; i++) {
        PreflightKind kind = memory->preflight.lines.items[i].kind;
        memory->items += kind == PREFLIGHT_ITEM || kind == PREFLIGHT_PENDING;
        memory->pending += kind == PREFLIGHT_PENDING;
        memory->notes += kind == PREFLIGHT_TO_VERIFY || kind == PREFLIGHT_ACCEPTED;
    }
}

static void hint_scan(RuleRun *run, Finding *finding)
{
    finding_hint(run, finding,
                 "List the known pitfalls of PyPTO that apply to this operator in MEMORY.md under "
                 "\"## Experience Preflight\", one line each, as in \"- [x] no cast from BF16 to "
                 "FP16 without DT_FP32 between\" ([ ] to do, [x] done, [-] open question); the "
                 "preflight scan of the PyPTO workflow writes this list.",
                 "在 MEMORY.md 的 \"## Experience Preflight\" 章节列出适用于该算子的 PyPTO "
                 "已知问题，每项一行，例如 \"- [x] BF16 转 FP16 必须经过 DT_FP32\"（[ ] 待办，[x] "
                 "已完成，[-] 待确认）；PyPTO 工作流的 preflight 扫描会写出该清单。");
}

/* --- A */

/* True when the section is there and contains no placeholder; else reports A. */
static bool check_present(RuleRun *run, const Memory *memory)
{
    if (memory->preflight.is_empty) {
        bool missing = memory->preflight.heading == 0;
        const char *en = missing ? "missing" : "empty", *zh = missing ? "缺失" : "为空";
        hint_scan(run, report(run, STATUS_FAIL, at_section(memory),
                              "A: the \"Experience Preflight\" section of MEMORY.md is %s",
                              "A：MEMORY.md 的 \"Experience Preflight\" 章节%s",
                              run->lang == LANG_ZH ? zh : en));
        return false;
    }
    for (size_t i = 0; i < sizeof placeholders / sizeof *placeholders; i++) {
        if (str_contains(memory->preflight.text, str_from(placeholders[i]))) {
            hint_scan(run, report(run, STATUS_FAIL, at_section(memory),
                                  "A: the preflight section still contains the placeholder \"%s\"",
                                  "A：preflight 章节仍含占位文字 \"%s\"", placeholders[i]));
            return false;
        }
    }
    return true;
}

/* --- B to E */

/* One finding for each run of table lines. */
static void check_tables(RuleRun *run, const Memory *memory)
{
    const PreflightLines *lines = &memory->preflight.lines;
    for (uint32_t i = 0; i < lines->count; i++) {
        if (lines->items[i].kind != PREFLIGHT_TABLE ||
            (i > 0 && lines->items[i - 1].kind == PREFLIGHT_TABLE)) {
            continue;
        }
        Finding *finding =
            report(run, STATUS_FAIL, at_document_line(memory->document, lines->items[i].line),
                   "B: the preflight section contains a table; it must be a checklist",
                   "B：preflight 章节含表格；应使用检查清单");
        finding_hint(run, finding, "Write one \"- [ ] ...\" line per item instead of a table.",
                     "把表格改成每项一行 \"- [ ] ...\"。");
    }
}

static void check_counts(RuleRun *run, const Memory *memory)
{
    if (memory->items == 0) {
        hint_scan(run, report(run, STATUS_FAIL, at_section(memory),
                              "C: the preflight section has no checklist item",
                              "C：preflight 章节没有任何检查项"));
    }
    if (memory->items > MAX_ITEMS) {
        Finding *finding =
            report(run, STATUS_FAIL, at_section(memory),
                   "D: the preflight section has %u items, at most %d are allowed",
                   "D：preflight 章节有 %u 项，最多允许 %d 项", memory->items, (int)MAX_ITEMS);
        finding_hint(run, finding, "Drop items that do not apply and duplicates.",
                     "删除不适用和重复的条目。");
    }
}

static void hint_resolve(RuleRun *run, Finding *finding)
{
    finding_hint(run, finding,
                 "Settle the question and change [-] to [x], or accept the risk: put a line that "
                 "begins with \"> ✅ 已知风险\" (known risk), with the reason, directly below the "
                 "item.",
                 "确认后把 [-] 改为 [x]，或接受该风险：在该条目正下方写一行以 \"> ✅ 已知风险\" "
                 "开头的说明和理由。");
}

static void check_notes(RuleRun *run, const Memory *memory)
{
    if (memory->pending <= memory->notes) {
        return;
    }
    const PreflightLines *lines = &memory->preflight.lines;
    for (uint32_t i = 0; i < lines->count; i++) {
        PreflightKind next = preflight_next(&memory->preflight, i);
        if (lines->items[i].kind == PREFLIGHT_PENDING && next != PREFLIGHT_TO_VERIFY &&
            next != PREFLIGHT_ACCEPTED) {
            hint_resolve(
                run,
                report(run, STATUS_FAIL, at_document_line(memory->document, lines->items[i].line),
                       "E: the preflight section has too few notes: pending items %u, notes %u",
                       "E：preflight 章节有 %u 个待验证项，但只有 %u 条说明", memory->pending,
                       memory->notes));
            return;
        }
    }
}

/* --- U */

static void check_resolved(RuleRun *run, const Memory *memory)
{
    const PreflightLines *lines = &memory->preflight.lines;
    for (uint32_t i = 0; i < lines->count; i++) {
        if (lines->items[i].kind != PREFLIGHT_PENDING ||
            preflight_next(&memory->preflight, i) == PREFLIGHT_ACCEPTED) {
            continue;
        }
        Str text = lines->items[i].text;
        hint_resolve(run, report(run, STATUS_FAIL,
                                 at_document_line(memory->document, lines->items[i].line),
                                 "U: unresolved preflight item: %.*s",
                                 "U：preflight 条目未解决：%.*s", STR_ARG(text)));
    }
}

static void check_memory(RuleRun *run, const Document *design)
{
    const Document *document = operator_document(run->op, STR("MEMORY.md"));
    bool resolve = run->op->stage == MEMORY_STAGE && run->op->scope != SCOPE_FILE;
    if (!document->exists) {
        if (resolve) {
            hint_scan(run,
                      report(run, STATUS_FAIL, at_document_line(design, 0),
                             "U: MEMORY.md with its \"Experience Preflight\" section is missing",
                             "U：缺少 MEMORY.md 及其 \"Experience Preflight\" 章节"));
        }
        return;
    }
    Memory memory = {0};
    read_memory(run, &memory, document);
    if (check_present(run, &memory)) {
        check_tables(run, &memory);
        check_counts(run, &memory);
        check_notes(run, &memory);
    }
    /* A missing or empty section was reported as A. */
    if (resolve) {
        check_resolved(run, &memory);
    }
}

static void check(RuleRun *run)
{
    const Document *design = operator_document(run->op, STR("DESIGN.md"));
    /* The crash patterns of an implementation do not depend on a document. */
    bool nothing = run->op->upstream || run->op->scan.count == 0;
    if (!design->exists && run->op->scope != SCOPE_FILE && nothing) {
        rule_skip(run, "DESIGN.md does not exist", "DESIGN.md 不存在");
        return;
    }
    if (design->exists) {
        check_memory(run, design);
    }
    for (uint32_t i = 0; i < run->op->scan.count; i++) {
        if (pyfile_module(run->op->scan.items[i]) != NULL) {
            crash_patterns_check(run, run->op->scan.items[i]);
        }
    }
}

const Rule ol61 = {
    .id = "OL61",
    .name = "known-pitfall",
    .order = 58,
    .severity = S1,
    .dimension = D2,
    .effort = EFFORT_UNSET,
    .stages = STAGE(5) | STAGE(6),
    .target = TARGET_GATE,
    .sets = IN(SET_IMPL),
    .fix = FIX_SAFE,
    .hint =
        {"Complete the check list under \"## Experience Preflight\" in MEMORY.md and remove the "
         "known crash pattern.",
         "补全 MEMORY.md 中 \"## Experience Preflight\" 的检查清单，并消除已知的崩溃写法。"},
    .check = check,
};
