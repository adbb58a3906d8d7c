/* SARIF: one run over all operators, for code scanning, written by libsarif.
 *
 * GitHub accepts one run of a tool and category in an upload, so the results of all operators share
 * one, with paths relative to the working directory. */
#include "report/sarif_parts.h"

#include "report/terminal.h"

enum { MAX_ORDERS = 256 /* values of Rule.order */, PAGE_TAGS = 4, NOTICE_KINDS = 2 };

/* --- rules */

/* First paragraph of a page behind its heading, on one line. */
static Str page_summary(Arena *arena, const char *markdown)
{
    Str text = str_trim(str_from(markdown));
    if (str_starts(text, STR("#"))) {
        text = str_trim(str_slice(text, str_find(text, STR("\n"), 0), text.length));
    }
    text = str_slice(text, 0, str_find(text, STR("\n\n"), 0));
    char *line = str_dup(arena, text);
    for (char *c = line; *c != '\0'; c++) {
        *c = *c == '\n' ? ' ' : *c;
    }
    return str_trim(str_from(line));
}

static SarifLevel sarif_level(Level level)
{
    return level == LEVEL_ERROR ? SARIF_ERROR : level == LEVEL_WARNING ? SARIF_WARNING : SARIF_NOTE;
}

static SarifRule describe_rule(Arena *arena, const Rule *rule, const RunResult *result,
                               const ReportOptions *options)
{
    const RulePage *page = rule_page(rule->id);
    const char *hint = words(result->lang, rule->hint.en, rule->hint.zh);
    SarifText *tags = ARENA_ARRAY(arena, SarifText, PAGE_TAGS);
    tags[0] = SARIF_TEXT("pypto");
    tags[1] = sarif_text(dimension_name(rule->dimension));
    tags[2] = sarif_text(severity_name(rule->severity));
    tags[3] = sarif_text(target_name(rule->target));
    SarifRule described = {
        .id = sarif_text(rule->id),
        .name = sarif_str(rule->name == NULL ? str_format(arena, "rule-%s", rule->id)
                                             : str_from(rule->name)),
        .short_description = sarif_str(rule_title(rule, result->lang)),
        .help_text = sarif_text(hint),
        .level = sarif_level(rule_level(rule)),
        .precision = SARIF_HIGH,
        .tags = tags,
        .tag_count = PAGE_TAGS,
    };
    if (page != NULL) {
        const char *markdown = page_markdown(page, result->lang);
        described.full_description = sarif_str(page_summary(arena, markdown));
        described.help_markdown = sarif_text(markdown);
    }
    if (options->rules_uri.length > 0) {
        described.help_uri =
            sarif_str(str_format(arena, "%.*s%s.md", STR_ARG(options->rules_uri), rule->id));
    }
    return described;
}

/* Every rule that was considered, once, in catalogue order; `place` gives the index by Rule.order.
 * Without any (no rule is about a file of this kind) it is OL00: whether the files parse was
 * checked all the same. */
static size_t describe_rules(Arena *arena, const RunResult *result, const ReportOptions *options,
                             SarifRule *rules, size_t *place)
{
    const Rule *by_order[MAX_ORDERS] = {NULL};
    for (uint32_t i = 0; i < result->operators.count; i++) {
        const OperatorResult *op = result->operators.items[i];
        for (uint32_t k = 0; k < op->rules.count; k++) {
            by_order[op->rules.items[k].rule->order] = op->rules.items[k].rule;
        }
        for (uint32_t k = 0; k < op->findings.count; k++) {
            by_order[op->findings.items[k]->rule->order] = op->findings.items[k]->rule;
        }
    }
    bool any = false;
    for (size_t i = 0; i < MAX_ORDERS; i++) {
        any = any || by_order[i] != NULL;
    }
    by_order[rule_ol00.order] = any ? by_order[rule_ol00.order] : &rule_ol00;
    size_t count = 0;
    for (size_t i = 0; i < MAX_ORDERS; i++) {
        if (by_order[i] != NULL) {
            place[i] = count;
            rules[count++] = describe_rule(arena, by_order[i], result, options);
        }
    }
    return count;
}

/* --- the run */

/* Results of all operators, and the files they are in. False when memory ran out. */
static bool describe_results(SarifBuilder *builder, const RunResult *result, SarifRun *run,
                             const size_t *place)
{
    size_t total = 0;
    for (uint32_t i = 0; i < result->operators.count; i++) {
        total += result->operators.items[i]->findings.count;
    }
    SarifResult *results = ARENA_ARRAY(builder->arena, SarifResult, total);
    SarifArtifact *files = ARENA_ARRAY(builder->arena, SarifArtifact, total);
    size_t count = 0;
    for (uint32_t i = 0; i < result->operators.count; i++) {
        const OperatorResult *op = result->operators.items[i];
        for (uint32_t k = 0; k < op->findings.count; k++) {
            const Finding *finding = op->findings.items[k];
            SarifResult *described = &results[count];
            if (!sarif_describe(builder, op, finding, described)) {
                return false;
            }
            described->rule = place[finding->rule->order];
            described->level = sarif_level(finding_level(finding));
            files[count++] = (SarifArtifact){
                .path = described->location.path,
                .analysis_target = true,
                .has_length = finding->source != NULL,
                .length = finding->source == NULL ? 0 : finding->source->text.length,
                .source_language =
                    str_ends(finding->file, STR(".py")) ? SARIF_TEXT("python") : SARIF_TEXT(""),
            };
        }
    }
    run->results = results;
    run->result_count = count;
    run->artifacts = files;
    run->artifact_count = count;
    return true;
}

/* "pypto-lint/M2/" or "pypto-lint/5/"; "pypto-lint/" when operators differ in that. */
static Str automation_id(Arena *arena, const RunResult *result)
{
    const OperatorResult *first = NULL;
    for (uint32_t i = 0; i < result->operators.count; i++) {
        const OperatorResult *op = result->operators.items[i];
        if (op->loose) {
            continue;
        }
        if (first == NULL) {
            first = op;
        } else if (op->stage != first->stage || !str_equal(op->phase, first->phase)) {
            return STR("pypto-lint/");
        }
    }
    if (first == NULL || (first->phase.length == 0 && first->stage == 0)) {
        return STR("pypto-lint/");
    }
    return first->phase.length > 0 ? str_format(arena, "pypto-lint/%.*s/", STR_ARG(first->phase))
                                   : str_format(arena, "pypto-lint/%d/", first->stage);
}

static SarifInvocation describe_invocation(SarifBuilder *builder, const RunResult *result)
{
    SarifNotification *notifications =
        ARENA_ARRAY(builder->arena, SarifNotification, result->notices.count);
    bool complete = true;
    for (uint32_t i = 0; i < result->notices.count; i++) {
        const Notice *notice = &result->notices.items[i];
        complete = complete && !notice->is_error;
        notifications[i] = (SarifNotification){
            .level = notice->is_error ? SARIF_ERROR : SARIF_NOTE,
            .descriptor_id = notice->is_error ? SARIF_TEXT("not-checked") : SARIF_TEXT("remark"),
            .message = sarif_str(terminal_text(builder->arena, notice->message)),
        };
        if (notice->file.length > 0) {
            notifications[i].location.path =
                sarif_str(path_from(builder->arena, builder->working_dir, notice->file));
        }
    }
    return (SarifInvocation){
        .execution_successful = complete && result->exit_status != 2,
        .has_exit_code = true,
        .exit_code = result->exit_status,
        .working_directory = sarif_str(builder->working_dir),
        .notifications = notifications,
        .notification_count = result->notices.count,
    };
}

static void describe_notices(SarifRule kinds[NOTICE_KINDS])
{
    kinds[0] = (SarifRule){
        .id = SARIF_TEXT("not-checked"),
        .name = SARIF_TEXT("incomplete-run"),
        .short_description = SARIF_TEXT("Something could not be checked"),
        .full_description = SARIF_TEXT("A file could not be read or a setting could not be used, "
                                       "so the run is not complete."),
        .help_text = SARIF_TEXT("Make the file readable, or correct the setting, and run again."),
        .level = SARIF_ERROR,
    };
    kinds[1] = (SarifRule){
        .id = SARIF_TEXT("remark"),
        .name = SARIF_TEXT("run-remark"),
        .short_description = SARIF_TEXT("Something to know about the run"),
        .full_description = SARIF_TEXT("Something that is not a finding of a rule, such as a "
                                       "suppression that suppresses nothing."),
        .help_text = SARIF_TEXT("Nothing has to be done; the text says what was noticed."),
        .level = SARIF_NOTE,
    };
}

bool report_sarif(Buf *out, const RunResult *result, const ReportOptions *options)
{
    Arena *arena = out->arena;
    SarifOptions settings = {.allocator = sarif_arena(arena), .indent = 2};
    SarifBuilder builder = {.arena = arena,
                            .allocator = &settings.allocator,
                            .working_dir = options->working_dir,
                            .lang = result->lang};
    SarifRule *rules = ARENA_ARRAY(arena, SarifRule, MAX_ORDERS);
    size_t place[MAX_ORDERS] = {0};
    SarifRule notice_kinds[NOTICE_KINDS];
    describe_notices(notice_kinds);
    SarifUriBase base = {.id = SARIF_TEXT("%SRCROOT%"), .path = sarif_str(options->working_dir)};
    SarifRun run = {
        .tool = {.name = SARIF_TEXT("pypto-lint"),
                 .version = sarif_str(options->version),
                 .semantic_version = sarif_str(options->version),
                 .information_uri = sarif_str(options->home_uri),
                 .notifications = notice_kinds,
                 .notification_count = NOTICE_KINDS},
        .rules = rules,
        .rule_count = describe_rules(arena, result, options, rules, place),
        .invocation_count = 1,
        .uri_bases = &base,
        .uri_base_count = 1,
        .automation_id = sarif_str(automation_id(arena, result)),
        .language = result->lang == LANG_ZH ? SARIF_TEXT("zh-CN") : SARIF_TEXT("en-US"),
        .column_kind = SARIF_CODE_POINTS,
        .default_encoding = SARIF_TEXT("UTF-8"),
    };
    SarifInvocation invocation = describe_invocation(&builder, result);
    run.invocations = &invocation;
    SarifOutput log;
    if (!describe_results(&builder, result, &run, place) ||
        sarif_write(&run, 1, &settings, &log) != SARIF_OK) {
        return false;
    }
    buf_add(out, (Str){log.data, log.size});
    return true;
}
