/* Results made by hand for the tests of the reports, and comparison with snapshot files. */
#include "report_fixture.h"

#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

const Rule fixture_ol02 = {.id = "OL02", .name = "parameter-rebinding", .order = 2, .severity = S1, .dimension = D1};
const Rule fixture_ol03 = {
    .id = "OL03", .name = "return-in-kernel",
    .order = 3,
    .severity = S1,
    .dimension = D1,
    .fix = FIX_SAFE,
    .hint = {"write the result into an output tensor", "把结果写入输出张量"}};
const Rule fixture_ol29 = {
    .id = "OL29", .name = "no-dynamic-dimension", .order = 29, .severity = S1, .dimension = D2, .target = TARGET_GATE};
const Rule fixture_ol48 = {.id = "OL48", .name = "tile-not-constant",
                           .order = 48,
                           .severity = S0,
                           .dimension = D1,
                           .fix = FIX_SUGGEST,
                           .hint = {"write integer literals", "写整数字面量"}};
const Rule fixture_ol56 = {.id = "OL56", .name = "multi-value-unroll", .order = 56, .severity = S2, .dimension = D3};
/* Has no page. */
const Rule fixture_ol57 = {.id = "OL57", .order = 57, .severity = S3, .dimension = D3};

/* The program's own pages change; those of the tests do not. */
static const RulePage pages[] = {
    {.id = "OL02",
     .name = "parameter-rebinding",
     .title = "Parameter bound again",
     .title_zh = "参数被重新绑定",
     .markdown = "# OL02\n\nReports parameters that are assigned to.\n"},
    {.id = "OL03",
     .name = "return-in-kernel",
     .title = "Return statement in a kernel",
     .title_zh = "kernel 中有 return 语句",
     .markdown = "# OL03: Return\n\nReports every `return`\nin a kernel.\n\n## What\nMore.\n"},
    {.id = "OL29",
     .name = "no-dynamic-dimension",
     .title = "No dynamic dimension",
     .title_zh = "没有动态维度",
     .markdown = "# OL29\n\nReports designs without a dynamic dimension.\n"},
    {.id = "OL48",
     .name = "tile-not-constant",
     .title = "Tile argument not a constant",
     .title_zh = "tile 参数不是常量",
     .markdown =
         "# OL48\n\nReports tile arguments that are no integers.\n\n## Why\nThey are needed "
         "early.\n"},
    {.id = "OL56",
     .name = "multi-value-unroll",
     .title = "Several unroll values",
     .title_zh = "多个展开值",
     .markdown = "# OL56\n\nReports loops with several unroll values.\n"},
};

const RulePage *rule_page(const char *id)
{
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++) {
        if (strcmp(pages[i].id, id) == 0) {
            return &pages[i];
        }
    }
    return NULL;
}

ReportOptions fixture_options(void)
{
    return (ReportOptions){
        .working_dir = STR("/home/dev/project"),
        .version = STR("1.2.3"),
        .home_uri = STR("https://example.org/pypto-lint"),
        .rules_uri = STR("https://example.org/pypto-lint/rules/"),
    };
}

const Source *fixture_source(Arena *arena, const char *path, const char *text)
{
    Source *source = ARENA_NEW(arena, Source);
    source_init(source, arena, str_from(path), str_from(text));
    return source;
}

static Region region_of(const Source *source, const char *needle, uint32_t *start)
{
    size_t at = str_find(source->text, str_from(needle), 0);
    assert_true(at != SIZE_MAX);
    *start = (uint32_t)at;
    uint32_t end = (uint32_t)(at + strlen(needle));
    return (Region){source_line(source, *start), source_column(source, *start),
                    source_line(source, end), source_column(source, end)};
}

Finding *fixture_finding(Arena *arena, const Rule *rule, Status status, const Source *source,
                         const char *needle, const char *message)
{
    Finding *finding = ARENA_NEW(arena, Finding);
    *finding = (Finding){
        .rule = rule, .status = status, .file = source->path, .message = str_from(message)};
    if (needle != NULL) {
        finding->source = source;
        finding->region = region_of(source, needle, &finding->start);
    }
    return finding;
}

static void relate(Arena *arena, Finding *finding, const Source *source, const char *needle,
                   const char *message)
{
    uint32_t start;
    Related related = {.file = source->path, .message = str_from(message)};
    if (needle != NULL) {
        related.region = region_of(source, needle, &start);
    }
    VEC_PUSH(arena, &finding->related, related);
}

static void replace(Arena *arena, Finding *finding, FixClass fix, const char *needle,
                    const char *text)
{
    uint32_t start;
    Region region = region_of(finding->source, needle, &start);
    Edit edit = {.start = start,
                 .end = start + (uint32_t)strlen(needle),
                 .region = region,
                 .text = str_from(text)};
    VEC_PUSH(arena, &finding->edits, edit);
    finding->fix = fix;
}

static OperatorResult *add_operator(Arena *arena, RunResult *result, const char *name,
                                    const char *dir)
{
    OperatorResult *op = ARENA_NEW(arena, OperatorResult);
    *op = (OperatorResult){.op_name = str_from(name), .op_dir = str_from(dir), .stage = 5};
    VEC_PUSH(arena, &result->operators, op);
    return op;
}

static void add_rule(Arena *arena, OperatorResult *op, const Rule *rule, Status status,
                     const char *reason)
{
    RuleResult entry = {.rule = rule, .status = status, .reason = str_from(reason)};
    VEC_PUSH(arena, &op->rules, entry);
}

static void add_finding(Arena *arena, OperatorResult *op, Finding *finding)
{
    VEC_PUSH(arena, &op->findings, finding);
}

static const char softmax_text[] = "import pypto\n"                                /* 1 */
                                   "\n"                                            /* 2 */
                                   "TILE = 64\n"                                   /* 3 */
                                   "\n"                                            /* 4 */
                                   "@pypto.frontend.jit\n"                         /* 5 */
                                   "def softmax_npu(x, rows):\n"                   /* 6 */
                                   "\tpypto.set_vec_tile_shapes(rows + 1, x.n)\n"  /* 7 */
                                   "    标量 = 形状(x, \"数据\"); y = bad(标量)\n" /* 8 */
                                   "    for i in pypto.loop(\n"                    /* 9 */
                                   "            0, 8,\n"                           /* 10 */
                                   "            1):\n"                             /* 11 */
                                   "        pass\n";                               /* 12 */

static void fill_softmax(Arena *arena, OperatorResult *op, Lang lang)
{
    bool zh = lang == LANG_ZH;
    const Source *source = fixture_source(arena, "softmax_impl.py", softmax_text);
    const Source *design = fixture_source(arena, "DESIGN.md", "");
    op->files = 4;
    op->duration_ms = 2.06;
    add_rule(arena, op, &fixture_ol02, STATUS_PASS, "");
    add_rule(arena, op, &fixture_ol03, STATUS_SKIP, zh ? "没有 kernel" : "no kernel");
    add_rule(arena, op, &fixture_ol29, STATUS_FAIL, "");
    add_rule(arena, op, &fixture_ol48, STATUS_FAIL, "");
    add_rule(arena, op, &fixture_ol56, STATUS_WARN, "");
    add_rule(arena, op, &fixture_ol57, STATUS_INFO, "");
    add_finding(arena, op,
                fixture_finding(arena, &fixture_ol29, STATUS_FAIL, design, NULL,
                                zh ? "缺少该文件" : "the file is missing"));
    Finding *tile = fixture_finding(arena, &fixture_ol48, STATUS_FAIL, source, "rows + 1",
                                    zh ? "`rows + 1` 不是整数" : "`rows + 1` is no integer");
    tile->hint = str_from(zh ? "用 TILE 代替" : "use TILE instead");
    relate(arena, tile, source, "rows", zh ? "参数" : "the parameter of shapes[0](1)");
    relate(arena, tile, design, NULL, zh ? "设计" : "the design");
    replace(arena, tile, FIX_SUGGEST, "rows + 1", "TILE");
    add_finding(arena, op, tile);
    add_finding(arena, op,
                fixture_finding(arena, &fixture_ol48, STATUS_FAIL, source, "x.n",
                                zh ? "`x.n` 不是整数" : "`x.n` is no integer"));
    add_finding(arena, op,
                fixture_finding(arena, &fixture_ol56, STATUS_WARN, source, "bad(标量)",
                                zh ? "`bad(标量)` 可疑" : "`bad(标量)` looks odd, f[0](1) too"));
    add_finding(arena, op,
                fixture_finding(arena, &fixture_ol57, STATUS_INFO, source,
                                "for i in pypto.loop(\n            0, 8,\n            1)",
                                zh ? "循环可以合并" : "the loop could be merged"));
}

RunResult fixture_mixed(Arena *arena, Lang lang)
{
    RunResult result = {.lang = lang, .fail_on = S1, .exit_status = 1};
    bool zh = lang == LANG_ZH;
    OperatorResult *gelu = add_operator(arena, &result, "gelu", "custom/gelu");
    gelu->files = 1;
    gelu->duration_ms = 3;
    add_rule(arena, gelu, &fixture_ol02, STATUS_WARN, "");
    add_rule(arena, gelu, &fixture_ol48, STATUS_PASS, "");
    const Source *source =
        fixture_source(arena, "modules/gelu_module1_impl.py", "\xEF\xBB\xBFx = y = 1\r\nz = x\r\n");
    add_finding(arena, gelu,
                fixture_finding(arena, &fixture_ol02, STATUS_WARN, source, "y = 1",
                                zh ? "参数 y 被赋值" : "parameter y is assigned"));
    fill_softmax(arena, add_operator(arena, &result, "softmax", "./custom/softmax"), lang);
    Notice unused = {.file = STR("custom/softmax/softmax_impl.py"),
                     .message = str_from(zh ? "第 3 行的抑制没有作用"
                                            : "the suppression in line 3 suppresses nothing")};
    VEC_PUSH(arena, &result.notices, unused);
    return result;
}

RunResult fixture_single(Arena *arena)
{
    RunResult result = {.lang = LANG_EN, .fail_on = S1, .exit_status = 1};
    OperatorResult *op = add_operator(arena, &result, "gelu", "/home/dev/project/custom/gelu");
    op->phase = STR("M2");
    op->files = 2;
    op->duration_ms = 12.25;
    add_rule(arena, op, &fixture_ol03, STATUS_FAIL, "");
    add_rule(arena, op, &fixture_ol48, STATUS_SKIP, "no implementation file");
    const Source *source =
        fixture_source(arena, "gelu_impl.py", "def gelu(x, y):\n    y[:] = x\n    return y\n");
    Finding *finding = fixture_finding(arena, &fixture_ol03, STATUS_FAIL, source, "return y",
                                       "kernel `gelu` returns a value");
    replace(arena, finding, FIX_SAFE, "    return y\n", "");
    add_finding(arena, op, finding);
    return result;
}

RunResult fixture_clean(Arena *arena, Lang lang)
{
    RunResult result = {.lang = lang, .fail_on = S1};
    OperatorResult *gelu = add_operator(arena, &result, "gelu", "custom/gelu");
    gelu->files = 3;
    add_rule(arena, gelu, &fixture_ol02, STATUS_PASS, "");
    add_rule(arena, gelu, &fixture_ol03, STATUS_PASS, "");
    add_rule(arena, gelu, &fixture_ol48, STATUS_SKIP,
             lang == LANG_ZH ? "没有实现文件" : "no implementation file");
    OperatorResult *softmax = add_operator(arena, &result, "softmax", "custom/softmax");
    softmax->stage = 4;
    softmax->files = 2;
    add_rule(arena, softmax, &fixture_ol02, STATUS_PASS, "");
    add_rule(arena, softmax, &fixture_ol29, STATUS_PASS, "");
    return result;
}

RunResult fixture_hostile(Arena *arena)
{
    RunResult result = {.lang = LANG_EN, .fail_on = S1, .exit_status = 1};
    OperatorResult *op = add_operator(arena, &result, "", ".");
    op->loose = true;
    op->stage = 0;
    op->files = 2;
    add_rule(arena, op, &fixture_ol48, STATUS_FAIL, "");
    const Source *source =
        fixture_source(arena, "::error file=a,line=1::x\x1b[31m\n::stop-commands::y%0A.py",
                       "a = '\x1b]0;title\x07' # ##[add-path]/tmp \xE2\x80\xAE\xC2\x9B"
                       "31m f(rows) \xFF end\n::set-output::x = rows\n");
    add_finding(arena, op,
                fixture_finding(arena, &fixture_ol48, STATUS_FAIL, source, "f(rows)",
                                "\x1b[2J100% wrong:\r\n::warning::'\x7f', ##[debug]\xFF"));
    Finding *second = fixture_finding(arena, &fixture_ol48, STATUS_FAIL, source, "::set-output::x",
                                      "::error::message");
    second->hint = STR("\n::error::hint");
    relate(arena, second, source, "rows", "::error::\x1brelated");
    add_finding(arena, op, second);
    Notice notice = {.file = STR("::debug::\x1b[1m\n"), .message = STR("::add-mask::\n::x")};
    VEC_PUSH(arena, &result.notices, notice);
    return result;
}

RunResult fixture_unreadable(Arena *arena)
{
    RunResult result = {.lang = LANG_EN, .fail_on = S1, .exit_status = 2};
    Notice notice = {.file = STR("custom/softmax/softmax_impl.py"),
                     .message = STR("cannot read the file: Permission denied"),
                     .is_error = true};
    VEC_PUSH(arena, &result.notices, notice);
    return result;
}

void assert_snapshot(const char *format, const char *name, Str text)
{
    Arena arena;
    arena_init(&arena, 0);
    Str path = str_format(&arena, "%s/%s/%s.txt", SNAPSHOT_DIR, format, name);
    Str error = STR("");
    const char *update = getenv("UPDATE_SNAPSHOTS");
    if (update != NULL && strcmp(update, "1") == 0) {
        assert_true(file_write_atomic(&arena, path.at, text, &error));
    } else {
        Str expected;
        if (file_read(&arena, path.at, 1 << 20, &expected, &error) != FILE_OK) {
            fail_msg("%s: %.*s", path.at, STR_ARG(error));
        }
        if (!str_equal(text, expected)) {
            fail_msg("%s differs; the report now is:\n%.*s", path.at, STR_ARG(text));
        }
    }
    arena_free(&arena);
}
