/* The verdict as SARIF: a result for each failing case, at the line that raised or at the wrapper,
 * and one for each warning of the simulator; see verify.h. */
#include "harness/verify.h"

#include "base/file.h"
#include "harness/judge/verify_advice.h"
#include "harness/plan/verify_source.h"
#include "operator/artifact.h"
#include "report/sarif_parts.h"
#include "report/terminal.h"

enum {
    CATEGORIES = CATEGORY_NONE,
    RULES = CATEGORIES + 1, /* the last one: what the simulator warns of */
    RULE_WARNING = CATEGORIES,
    PROPERTIES = 6,
    FINGERPRINTS = 1
};

typedef struct Logging {
    Arena *arena;
    const Verification *verification;
    const SarifAllocator *allocator;
    Lang lang;
    Str source; /* path of the file that was read last: its text and lines */
    Str text;
    SarifLines *lines;
    SarifText path; /* where results without a place of their own are */
    SarifRegion region, context;
    SarifText line_hash;
} Logging;

static SarifText say(const Logging *logging, Text text)
{
    return sarif_text(text_in(logging->lang, text));
}

/* Letters and digits, as code scanning expects ids to be. */
static const char *rule_id(Category category)
{
    static const char *const ids[CATEGORIES] = {
        [CATEGORY_STRUCTURAL] = "PLV01", [CATEGORY_RUNTIME] = "PLV02",
        [CATEGORY_PRECISION] = "PLV03",  [CATEGORY_OTHER] = "PLV04",
        [CATEGORY_INFRA] = "PLV05",
    };
    return ids[category];
}

/* Rules: the categories of failure, in the order of Category. */
static void describe_categories(const Logging *logging, SarifRule *rules)
{
    for (int i = 0; i < CATEGORIES; i++) {
        Category category = (Category)i;
        const char *name = category_name(category);
        rules[i] = (SarifRule){
            .id = sarif_text(rule_id(category)),
            .name = sarif_str(str_format(logging->arena, "verify-%s", name)),
            .short_description = say(logging, category_title(category)),
            .level = SARIF_ERROR,
        };
        if (PYPTO_LINT_HOME[0] != '\0') {
            rules[i].help_uri = SARIF_TEXT(
                PYPTO_LINT_HOME "/blob/main/docs/kernel-authors/verify-report.md#categories");
        }
    }
}

static void describe_warning(const Logging *logging, SarifRule *rule)
{
    *rule = (SarifRule){
        .id = SARIF_TEXT("PLV06"),
        .name = SARIF_TEXT("verify-warning"),
        .short_description = say(logging, (Text){"The simulator has a warning", "模拟器给出警告"}),
        .level = SARIF_WARNING,
    };
    if (PYPTO_LINT_HOME[0] != '\0') {
        rule->help_uri =
            SARIF_TEXT(PYPTO_LINT_HOME "/blob/main/docs/kernel-authors/verify.md#warnings");
    }
}

/* Reads a file of the operator; false when it cannot be read. */
static bool read_source(Logging *logging, Str path)
{
    if (logging->source.length > 0 && str_equal(logging->source, path)) {
        return logging->lines != NULL;
    }
    logging->source = path;
    logging->lines = NULL;
    return artifact_read(logging->arena, path, SOURCE_LIMIT, &logging->text, NULL) == FILE_OK &&
           sarif_lines_create(sarif_str(logging->text), logging->allocator, &logging->lines) ==
               SARIF_OK;
}

/* The hash of a line and what follows it, as code scanning makes it; in the file that was read. */
static SarifText hash_of(Logging *logging, uint32_t line)
{
    char *hash = ARENA_ARRAY(logging->arena, char, SARIF_LINE_HASH_SIZE);
    size_t length = sarif_lines_hash(logging->lines, line, hash);
    return (SarifText){hash, length};
}

/* The line and those around it, as they stand in the file. */
static SarifRegion context_of(Str text, uint32_t line)
{
    enum { AROUND = 2, MOST_BYTES = 4096 };
    uint32_t first = line > AROUND ? line - AROUND : 1;
    SarifRegion context = {.start_line = first, .end_line = first};
    size_t start = str_starts(text, STR("\xEF\xBB\xBF")) ? 3 : 0;
    for (uint32_t at = 1; at < first && start < text.length; at++) {
        size_t end = str_find(text, STR("\n"), start);
        start = end == SIZE_MAX ? text.length : end + 1;
    }
    size_t end = start;
    for (uint32_t at = first; at <= line + AROUND && end < text.length; at++) {
        size_t next = str_find(text, STR("\n"), end);
        end = next == SIZE_MAX ? text.length : next + 1;
        context.end_line = at;
    }
    if (line == 0 || end == start || end - start > MOST_BYTES) {
        return (SarifRegion){0};
    }
    context.snippet = sarif_str(str_slice(text, start, end));
    return context;
}

static SarifText relative(const Logging *logging, Str path)
{
    return sarif_str(path_from(logging->arena, logging->verification->asked.working_dir, path));
}

/* Where results without a line of their own are: the `def` of the wrapper, else its file; for a
 * self-test the golden. */
static void settle_place(Logging *logging)
{
    const Verification *plan = logging->verification;
    Str file = plan->impl.length > 0 ? plan->impl : plan->golden;
    logging->path = relative(logging, file);
    Region place = plan->impl.length > 0 ? plan->wrapper_place : (Region){0};
    logging->region = (SarifRegion){.start_line = place.line,
                                    .start_column = place.column,
                                    .end_line = place.end_line,
                                    .end_column = place.end_column};
    if (file.length == 0 || !read_source(logging, file)) {
        return;
    }
    if (place.line > 0) {
        logging->region.snippet = sarif_str(plan->wrapper);
        logging->context = context_of(logging->text, place.line);
    }
    logging->line_hash = hash_of(logging, place.line);
}

static SarifProperty text_property(const char *key, Str text)
{
    return (SarifProperty){.key = sarif_text(key), .text = sarif_str(text)};
}

/* The wrapper: for results whose line is not known. */
static SarifLocation location_of_wrapper(const Logging *logging)
{
    return (SarifLocation){.path = logging->path,
                           .region = logging->region,
                           .context = logging->context,
                           .logical_name = sarif_str(logging->verification->wrapper),
                           .logical_kind = SARIF_TEXT("function")};
}

/* `case_id` is empty for an error of the whole run. */
static SarifResult describe(const Logging *logging, Category category, VerdictCategory route,
                            Str case_id, Str message)
{
    const Verification *verification = logging->verification;
    const FirstFailure *first = &verification->judgement.first;
    SarifProperty *items = ARENA_ARRAY(logging->arena, SarifProperty, PROPERTIES);
    SarifPair *pairs = ARENA_ARRAY(logging->arena, SarifPair, FINGERPRINTS);
    size_t count = 0;
    items[count++] = text_property("operator", verification->op_name);
    items[count++] = text_property("failure_category", str_from(category_name(category)));
    items[count++] = text_property("verdict_category", str_from(verdict_category_name(route)));
    items[count++] = (SarifProperty){.key = SARIF_TEXT("failing_module_boundary"),
                                     .kind = SARIF_PROPERTY_INTEGER,
                                     .integer = verification->module};
    if (case_id.length > 0) {
        items[count++] = text_property("case_id", case_id);
    }
    if (first->result != NULL && str_equal(first->result->source->id, case_id)) {
        items[count++] =
            text_property("divergence_fingerprint", str_from(fingerprint_name(first->fingerprint)));
    }
    Str phase = str_format(logging->arena, "M%u/%.*s", verification->module, STR_ARG(case_id));
    pairs[0] = (SarifPair){.key = SARIF_TEXT("verifyCase/v1"), .value = sarif_str(phase)};
    return (SarifResult){.rule = category < CATEGORY_NONE ? (size_t)category : CATEGORY_OTHER,
                         .level = SARIF_ERROR,
                         .message = sarif_str(terminal_text(logging->arena, message)),
                         .location = location_of_wrapper(logging),
                         .line_hash = logging->line_hash,
                         .fingerprints = pairs,
                         .fingerprint_count = FINGERPRINTS,
                         .properties = {items, count}};
}

/* The case result of the most severe category; NULL when no mode failed. */
static const CaseResult *worst_result(const Check *check)
{
    const CaseResult *worst = NULL;
    for (Mode mode = 0; mode < MODE_COUNT; mode++) {
        const CaseResult *case_result = &check->result->by_mode[mode];
        if (case_result->verdict >= VERDICT_FAIL &&
            (worst == NULL || case_result->category < worst->category)) {
            worst = case_result;
        }
    }
    return worst;
}

static Str message_of(const Logging *logging, const Check *check)
{
    Buf message = {.arena = logging->arena};
    buf_addf(&message, "%.*s", STR_ARG(check->result->source->id));
    for (Mode mode = 0; mode < MODE_COUNT; mode++) {
        const CaseResult *case_result = &check->result->by_mode[mode];
        if (case_result->verdict >= VERDICT_FAIL) {
            buf_addf(&message, "; %s: %.*s", mode_name(mode), STR_ARG(case_result->summary));
        }
    }
    return buf_str(&message);
}

/* Moves a result to a line of the operator's files, if it exists. */
static void move_to(Logging *logging, SourcePlace place, SarifResult *result)
{
    Str path = path_join(logging->arena, logging->verification->op_dir, place.file);
    if (place.line == 0 || !file_exists(path.at)) {
        return;
    }
    result->location.path = relative(logging, path);
    result->location.region = (SarifRegion){.start_line = place.line, .end_line = place.line};
    result->location.context = (SarifRegion){0};
    result->line_hash = read_source(logging, path) ? hash_of(logging, place.line) : (SarifText){0};
}

/* The fingerprint has a hash of the line, not its number, so that edits above do not change it. */
static SarifResult describe_finding(Logging *logging, const SimFinding *finding)
{
    const Verification *plan = logging->verification;
    SarifProperty *items = ARENA_ARRAY(logging->arena, SarifProperty, PROPERTIES);
    SarifPair *pairs = ARENA_ARRAY(logging->arena, SarifPair, FINGERPRINTS);
    items[0] = text_property("operator", plan->op_name);
    items[1] = text_property("finding", finding->id);
    items[2] = (SarifProperty){
        .key = SARIF_TEXT("cases"), .kind = SARIF_PROPERTY_INTEGER, .integer = finding->count};
    Str text = sim_finding_text(logging->arena, finding, logging->lang);
    SarifResult result = {.rule = RULE_WARNING,
                          .level = finding->is_note ? SARIF_NOTE : SARIF_WARNING,
                          .message = sarif_str(text),
                          .location = location_of_wrapper(logging),
                          .line_hash = logging->line_hash,
                          .fingerprints = pairs,
                          .fingerprint_count = FINGERPRINTS,
                          .properties = {items, 3}};
    move_to(logging, finding->place, &result);
    Str line = {result.line_hash.data, result.line_hash.size};
    Str key = str_format(logging->arena, "M%u/%.*s/%.*s/%.*s", plan->module, STR_ARG(finding->id),
                         STR_ARG(finding->place.file), STR_ARG(line));
    pairs[0] = (SarifPair){.key = SARIF_TEXT("verifyWarning/v2"), .value = sarif_str(key)};
    return result;
}

/* Results into an array that has room for all cases and one more. */
static size_t describe_results(Logging *logging, SarifResult *results)
{
    const Judgement *judgement = &logging->verification->judgement;
    size_t count = 0;
    for (size_t i = 0; i < judgement->count; i++) {
        const Check *check = &judgement->checks[i];
        const CaseResult *case_result = worst_result(check);
        if (case_result != NULL) {
            results[count++] = describe(logging, case_result->category, case_result->route,
                                        check->result->source->id, message_of(logging, check));
            move_to(logging, case_result->raised_at, &results[count - 1]);
        }
    }
    const FirstFailure *first = &judgement->first;
    if (count == 0 && first->present) {
        results[count++] =
            describe(logging, first->category, first->route, STR(""), first->summary);
    }
    return count;
}

bool verify_sarif(Buf *out, const Verification *verification, Lang lang)
{
    Arena *arena = out->arena;
    SarifOptions settings = {
        .allocator = sarif_arena(arena), .indent = 2, .separate_same_line = true};
    Logging logging = {.arena = arena,
                       .verification = verification,
                       .allocator = &settings.allocator,
                       .lang = lang};
    Str working_dir = verification->asked.working_dir;
    settle_place(&logging);
    SarifRule rules[RULES];
    describe_categories(&logging, rules);
    describe_warning(&logging, &rules[RULE_WARNING]);
    SimFindings findings = verification_findings(arena, verification);
    SarifResult *results =
        ARENA_ARRAY(arena, SarifResult, verification->judgement.count + 1 + findings.count);
    size_t count = describe_results(&logging, results);
    for (uint32_t i = 0; i < findings.count; i++) {
        results[count++] = describe_finding(&logging, &findings.items[i]);
    }
    SarifUriBase base = {.id = SARIF_TEXT("%SRCROOT%"), .path = sarif_str(working_dir)};
    int status = judgement_exit_status(&verification->judgement);
    SarifInvocation invocation = {.execution_successful = status != 2,
                                  .has_exit_code = true,
                                  .exit_code = status,
                                  .working_directory = sarif_str(working_dir)};
    SarifRun run = {
        .tool = {.name = SARIF_TEXT("pypto-lint"),
                 .version = SARIF_TEXT(PYPTO_LINT_VERSION),
                 .semantic_version = SARIF_TEXT(PYPTO_LINT_VERSION),
                 .information_uri = SARIF_TEXT(PYPTO_LINT_HOME)},
        .rules = rules,
        .rule_count = RULES,
        .results = results,
        .result_count = count,
        .invocations = &invocation,
        .invocation_count = 1,
        .uri_bases = &base,
        .uri_base_count = 1,
        .automation_id =
            sarif_str(str_format(arena, "pypto-lint-verify/%.*s/M%u/",
                                 STR_ARG(verification->op_name), verification->module)),
        .language = lang == LANG_ZH ? SARIF_TEXT("zh-CN") : SARIF_TEXT("en-US"),
        .column_kind = SARIF_CODE_POINTS,
        .default_encoding = SARIF_TEXT("UTF-8"),
    };
    SarifOutput log;
    if (sarif_write(&run, 1, &settings, &log) != SARIF_OK) {
        return false;
    }
    buf_add(out, (Str){log.data, log.size});
    return true;
}
