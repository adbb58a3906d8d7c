/* Fuzz driver: what a worker leaves behind. The first byte chooses how it ended, the next the mode
 * and the kind; a form feed parts its result, its log and the reference's source. Whatever bytes
 * they are, the report is JSON without a forbidden key, and its log shows no line of the
 * reference. */
#include "base/ascii.h"
#include "base/utf8.h"
#include "document/json.h"
#include "fuzz.h"
#include "harness/report/evaluation_report.h"
#include "operator/text.h"

static Str next_part(Str *rest)
{
    size_t end = str_find(*rest, STR("\f"), 0);
    Str part = str_slice(*rest, 0, end);
    *rest = end == SIZE_MAX ? STR("") : str_slice(*rest, end + 1, rest->length);
    return part;
}

/* Depth is that of the report, not of the input. */
static void check_keys(const json_t *root)
{
    static const char *const forbidden[] = {"golden_tensors", "golden_values", "golden_source",
                                            "raw_inputs",     "input_tensors", "truth",
                                            "truth_tuple"};
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++) {
        REQUIRE(json_object_get(root, forbidden[i]) == NULL);
    }
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)root, key, value)
    {
        check_keys(value);
    }
    for (size_t i = 0; i < json_array_size(root); i++) {
        check_keys(json_array_get(root, i));
    }
}

static bool has_line(Str text, Str wanted)
{
    Str line;
    for (size_t at = 0; text_next_line(text, &at, &line);) {
        if (str_equal(str_trim(line), wanted)) {
            return true;
        }
    }
    return false;
}

static void check_log(Str log, Str source)
{
    Str line;
    for (size_t at = 0; text_next_line(source, &at, &line);) {
        line = str_trim(line);
        size_t count = 0;
        for (size_t i = 0; i < line.length; i++) {
            count += !is_space(line.at[i]);
        }
        bool marker = str_starts(line, STR("[…")); /* ours look the same */
        REQUIRE(count < REDACTION_LEAST_CHARACTERS || marker || !has_line(log, line));
    }
}

static void check_case_result(const CaseResult *case_result)
{
    REQUIRE(utf8_first_error(case_result->log) == SIZE_MAX);
    REQUIRE(utf8_first_error(case_result->summary) == SIZE_MAX);
    bool failed = case_result->verdict == VERDICT_FAIL || case_result->verdict == VERDICT_ERROR;
    REQUIRE(!failed || (case_result->summary.length > 0 && case_result->category != CATEGORY_NONE));
    REQUIRE(case_result->verdict != VERDICT_PASS || case_result->category == CATEGORY_NONE);
    for (uint32_t i = 0; i < case_result->leaves.count; i++) {
        REQUIRE(case_result->verdict != VERDICT_PASS || case_result->leaves.items[i].all_close);
    }
}

static void run(Arena *arena, const uint8_t *data, size_t size)
{
    Str rest = {(const char *)data + 2, size - 2};
    WorkerOutcome outcome = {.end = (ProcessEnd)(data[0] % (PROCESS_CANCELLED + 1)),
                             .value = data[0] / (PROCESS_CANCELLED + 1),
                             .result = next_part(&rest),
                             .log = next_part(&rest),
                             .seconds = 1.0};
    Redaction redaction;
    redaction_init(&redaction, arena);
    redaction_hide(&redaction, rest);
    SuiteCase source = {.id = STR("L1"), .precision = (data[1] & 4) != 0, .atol = 1, .rtol = 1};
    Str names[] = {STR("y"), STR("z")};
    Strs outputs = {.items = names, .count = 2};
    CaseContext context = {(CaseKind)(data[1] / 8 % 3),
                           (Mode)(data[1] & 1),
                           &source,
                           &redaction,
                           1000,
                           1 << 20,
                           (data[1] & 0x40) != 0 ? &outputs : NULL};
    CaseModes result = {.source = &source};
    for (int mode = 0; mode < MODE_COUNT; mode++) {
        case_result_skip(&result.by_mode[mode], NULL);
        if (mode == (int)context.mode || (data[1] & 2) != 0) {
            case_result_read(arena, &context, &outcome, &result.by_mode[mode]);
            check_case_result(&result.by_mode[mode]);
            check_log(result.by_mode[mode].log, rest);
        }
    }
    Verification verification = {.arena = arena, .op_name = STR("x"), .module = 1};
    judge(arena, &result, 1, NULL, &verification.judgement);
    Str json = STR("");
    REQUIRE(evaluation_report(&verification, &json));
    json_t *root = json_loadb(json.at, json.length, JSON_ALLOW_NUL, NULL);
    REQUIRE(root != NULL);
    check_keys(root);
    json_decref(root);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Arena arena;
    static bool begun;
    if (!begun) {
        json_memory_begin();
        begun = true;
    }
    if (size < 2) {
        return 0;
    }
    jmp_buf env;
    arena_init(&arena, 0);
    REQUIRE(OOM_GUARD(&arena, env));
    run(&arena, data, size);
    arena_free(&arena);
    return 0;
}
