/* Fuzz driver: any bytes as a Python file, with all rules and every report.
 *
 * The first byte chooses the file's role and the language. What must hold: the run ends, findings
 * lie within the file, every report can be written, and a file that does not parse is never called
 * clean. */
#include "base/utf8.h"
#include "fuzz.h"
#include "lint/plan.h"
#include "report/report.h"

/* Folders that do not exist: the text is all there is. */
static const char *const names[] = {"/nowhere/soft/soft_impl.py", "/nowhere/soft/soft_golden.py",
                                    "/nowhere/soft/test_soft.py", "/nowhere/soft/kernel.py"};

static void check_finding(const Finding *finding)
{
    const Region *region = &finding->region;
    REQUIRE(finding->message.length > 0 &&
            memchr(finding->message.at, '\n', finding->message.length) == NULL);
    REQUIRE(region->line <= region->end_line);
    REQUIRE(region->line != region->end_line || region->column <= region->end_column);
    if (finding->source == NULL || region->line == 0) {
        return;
    }
    REQUIRE(finding->start <= finding->source->text.length);
    REQUIRE(region->end_line <= finding->source->line_count + finding->source->line_offset);
    for (uint32_t i = 0; i < finding->edits.count; i++) {
        const Edit *edit = &finding->edits.items[i];
        REQUIRE(edit->start <= edit->end && edit->end <= finding->source->text.length);
    }
}

static void check_result(const RunResult *result)
{
    for (uint32_t i = 0; i < result->operators.count; i++) {
        const Findings *findings = &result->operators.items[i]->findings;
        for (uint32_t j = 0; j < findings->count; j++) {
            check_finding(findings->items[j]);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Arena arena;
    static Run *run;
    if (size == 0) {
        return 0;
    }
    jmp_buf env;
    TextSource text = {str_from(names[data[0] % 4]), {(const char *)data + 1, size - 1}};
    Request request = {.what = {.text = &text, .stage = data[0] & 4 ? 6 : 5},
                       .who = {.no_config = true,
                               .no_exec = true,
                               .jobs = 1,
                               .lang = data[0] & 8 ? LANG_ZH : LANG_EN}};
    Plan plan;
    arena_init(&arena, 0);
    run = NULL;
    REQUIRE(OOM_GUARD(&arena, env));
    plan_begin(&plan, &arena, &request.who);
    run = run_check(&request, &plan);
    const RunResult *result = run_result(run);
    check_result(result);
    PyFile file;
    pyfile_init(&file, &arena, STR("again.py"), text.text);
    bool broken = file.parsed.status == PARSE_ERROR;
    REQUIRE(!broken || file.is_stub || result->exit_status != 0);
    REQUIRE(broken == (file.parsed.errors.count > 0));
    PyFile skimmed; /* what is left of a text without errors has none */
    pyfile_skim(&skimmed, &arena, STR("again.py"), text.text);
    REQUIRE(broken || skimmed.parsed.status == file.parsed.status);
    Buf out = {.arena = &arena};
    ReportOptions options = {.color = data[0] & 16,
                             .show_passed = true,
                             .statistics = true,
                             .working_dir = STR("/"),
                             .version = STR("0"),
                             .home_uri = STR("https://example.org/"),
                             .rules_uri = STR("https://example.org/rules/")};
    REQUIRE(report_formats[(data[0] >> 5) % REPORT_FORMAT_COUNT].write(&out, result, &options));
    REQUIRE(utf8_first_error(buf_str(&out)) == SIZE_MAX);
    run_free(run);
    arena_free(&arena);
    return 0;
}
