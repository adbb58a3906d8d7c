/*
 * The log and its runs: the entry point of the library. */
#include "writer.h"

#include "limits.h"
#include "uri.h"

#include <string.h>

/* The schema's own address at the standard's publisher; validators compare it. */
#define SCHEMA_URI                                                                                 \
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

SarifText sarif_text(const char *string)
{
    return (SarifText){string, string == NULL ? 0 : strlen(string)};
}

const char *sarif_status_text(SarifStatus status)
{
    switch (status) {
    case SARIF_OK:
        return "The log was written.";
    case SARIF_NO_MEMORY:
        return "There is not enough memory for the log.";
    case SARIF_BAD_RULE_INDEX:
        return "A result names a rule that its run does not have.";
    case SARIF_DUPLICATE_RULE:
        return "Two rules of one run have the same id.";
    case SARIF_DUPLICATE_CATEGORY:
        return "Two runs have the same tool and category.";
    case SARIF_TOO_MANY_RUNS:
        return "There are more than 20 runs.";
    default:
        return "Unknown status.";
    }
}

/* A base without an absolute path only tells its name: a relative root would not be valid. */
static void write_uri_bases(const SarifWriter *writer)
{
    SarifJson *json = writer->json;
    const SarifRun *run = writer->run;
    if (run->uri_base_count == 0) {
        return;
    }
    sarif_json_member_open(json, "originalUriBaseIds", '{');
    for (size_t i = 0; i < run->uri_base_count; i++) {
        const SarifUriBase *base = &run->uri_bases[i];
        bool is_uri = sarif_uri_is_absolute(base->path);
        sarif_json_text_key(json, base->id);
        sarif_json_open(json, '{');
        if (is_uri || sarif_path_is_absolute(base->path)) {
            sarif_json_key(json, "uri");
            sarif_json_string_begin(json);
            if (is_uri) {
                bool slash = base->path.data[base->path.size - 1] == '/';
                sarif_uri_add(json, base->path);
                sarif_json_string_add(json, slash ? SARIF_TEXT("") : SARIF_TEXT("/"));
            } else {
                sarif_uri_add_path(json, base->path, true);
            }
            sarif_json_string_end(json);
        }
        sarif_json_member_message(json, "description", base->description);
        sarif_json_close(json, '}');
    }
    sarif_json_close(json, '}');
}

static void write_provenance(const SarifWriter *writer)
{
    SarifJson *json = writer->json;
    const SarifRun *run = writer->run;
    bool open = false;
    for (size_t i = 0; i < run->provenance_count; i++) {
        const SarifProvenance *provenance = &run->provenance[i];
        if (!sarif_uri_is_absolute(provenance->repository_uri)) {
            continue; /* the format requires it */
        }
        if (!open) {
            sarif_json_member_open(json, "versionControlProvenance", '[');
            open = true;
        }
        SarifText base = sarif_base_of(run, (SarifText){NULL, 0}, provenance->base_id);
        sarif_json_open(json, '{');
        sarif_json_member_uri(json, "repositoryUri", provenance->repository_uri);
        sarif_json_member(json, "revisionId", provenance->revision_id);
        sarif_json_member(json, "branch", provenance->branch);
        if (base.size > 0) {
            sarif_json_member_open(json, "mappedTo", '{');
            sarif_json_member(json, "uriBaseId", base);
            sarif_json_close(json, '}');
        }
        sarif_json_close(json, '}');
    }
    if (open) {
        sarif_json_close(json, ']');
    }
}

static void write_artifact(const SarifWriter *writer, const SarifArtifact *artifact)
{
    SarifJson *json = writer->json;
    sarif_json_open(json, '{');
    sarif_json_key(json, "location");
    sarif_write_artifact_location(writer, artifact->path, artifact->base_id);
    if (artifact->has_length) {
        sarif_json_member_unsigned(json, "length", artifact->length);
    }
    if (artifact->analysis_target) {
        sarif_json_member_texts(json, "roles", &SARIF_TEXT("analysisTarget"), 1);
    }
    sarif_json_member(json, "mimeType", artifact->mime_type);
    sarif_json_member(json, "encoding", artifact->encoding);
    sarif_json_member(json, "sourceLanguage", artifact->source_language);
    if (artifact->sha256.size > 0) {
        sarif_json_member_open(json, "hashes", '{');
        sarif_json_member(json, "sha-256", artifact->sha256);
        sarif_json_close(json, '}');
    }
    sarif_json_member_message(json, "contents", artifact->contents);
    sarif_json_close(json, '}');
}

static void write_artifacts(const SarifWriter *writer)
{
    if (writer->run->artifact_count == 0) {
        return;
    }
    sarif_json_member_open(writer->json, "artifacts", '[');
    for (size_t i = 0; i < writer->run->artifact_count; i++) {
        if (writer->plan->artifact_place[i] != SARIF_NO_INDEX) {
            write_artifact(writer, &writer->run->artifacts[i]);
        }
    }
    sarif_json_close(writer->json, ']');
}

static void write_run_settings(const SarifWriter *writer)
{
    static const SarifText newlines[] = {SARIF_TEXT_INIT("\r\n"), SARIF_TEXT_INIT("\n")};
    SarifJson *json = writer->json;
    const SarifRun *run = writer->run;
    bool given = run->newline_sequence_count > 0;
    sarif_json_member(json, "language", sarif_text_or(run->language, SARIF_TEXT("en-US")));
    sarif_json_member(json, "columnKind",
                      run->column_kind == SARIF_UTF16_UNITS ? SARIF_TEXT("utf16CodeUnits")
                                                            : SARIF_TEXT("unicodeCodePoints"));
    sarif_json_member_texts(json, "newlineSequences", given ? run->newline_sequences : newlines,
                            given ? run->newline_sequence_count : 2);
    sarif_json_member(json, "defaultEncoding", run->default_encoding);
    sarif_json_member(json, "defaultSourceLanguage", run->default_source_language);
    if (run->automation_id.size > 0) {
        sarif_json_member_open(json, "automationDetails", '{');
        sarif_json_member(json, "id", run->automation_id);
        sarif_json_close(json, '}');
    }
}

static void write_run(const SarifWriter *writer)
{
    SarifJson *json = writer->json;
    sarif_json_open(json, '{');
    sarif_write_tool(writer);
    write_run_settings(writer);
    write_provenance(writer);
    write_uri_bases(writer);
    sarif_write_invocations(writer);
    write_artifacts(writer);
    sarif_json_member_open(json, "results", '[');
    for (size_t i = 0; i < writer->plan->kept_count; i++) {
        sarif_write_result(writer, writer->plan->kept[i]);
    }
    sarif_json_close(json, ']');
    sarif_write_properties(writer, writer->run->properties);
    sarif_json_close(json, '}');
}

static SarifText category(const SarifRun *run)
{
    SarifText id = run->automation_id;
    while (id.size > 0 && id.data[id.size - 1] != '/') {
        id.size--;
    }
    return id;
}

/* At most SARIF_MAX_RUNS runs: comparing each with each is cheap. */
static SarifStatus check_runs(const SarifRun *runs, size_t count)
{
    if (count > SARIF_MAX_RUNS) {
        return SARIF_TOO_MANY_RUNS;
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t other = 0; other < i; other++) {
            if (sarif_text_equal(runs[i].tool.name, runs[other].tool.name) &&
                sarif_text_equal(category(&runs[i]), category(&runs[other]))) {
                return SARIF_DUPLICATE_CATEGORY;
            }
        }
    }
    return SARIF_OK;
}

static SarifStatus plan_and_write(SarifJson *json, const SarifRun *run, const SarifOptions *options,
                                  SarifOutput *counts)
{
    SarifPlan plan;
    SarifStatus status = sarif_plan_init(&plan, run, options);
    if (status != SARIF_OK) {
        return status;
    }
    sarif_limits_count(&plan);
    write_run(&(SarifWriter){json, run, &plan});
    counts->results_written += plan.kept_count;
    counts->results_merged += plan.merged;
    counts->results_suppressed += plan.suppressed;
    counts->results_cut += plan.cut[SARIF_CUT_RESULTS];
    sarif_plan_free(&plan);
    return json->failed ? SARIF_NO_MEMORY : SARIF_OK;
}

SarifStatus sarif_write(const SarifRun *runs, size_t run_count, const SarifOptions *options,
                        SarifOutput *output)
{
    static const SarifOptions defaults = {0};
    options = options == NULL ? &defaults : options;
    SarifJson json = {.allocator = &options->allocator, .indent = options->indent};
    SarifOutput counts = {0};
    memset(output, 0, sizeof *output);
    SarifStatus status = check_runs(runs, run_count);
    if (status != SARIF_OK) {
        return status;
    }
    sarif_json_open(&json, '{');
    sarif_json_member(&json, "$schema", SARIF_TEXT(SCHEMA_URI));
    sarif_json_member(&json, "version", SARIF_TEXT("2.1.0"));
    sarif_json_member_open(&json, "runs", '[');
    for (size_t i = 0; i < run_count && status == SARIF_OK; i++) {
        status = plan_and_write(&json, &runs[i], options, &counts);
    }
    sarif_json_close(&json, ']');
    sarif_json_close(&json, '}');
    sarif_json_finish(&json);
    if (status == SARIF_OK && json.failed) {
        status = SARIF_NO_MEMORY;
    }
    if (status != SARIF_OK) {
        sarif_release(&options->allocator, json.data);
        return status;
    }
    *output = counts;
    output->data = json.data;
    output->size = json.size;
    return SARIF_OK;
}

void sarif_output_free(SarifOutput *output, const SarifAllocator *allocator)
{
    sarif_release(allocator, output->data);
    memset(output, 0, sizeof *output);
}
