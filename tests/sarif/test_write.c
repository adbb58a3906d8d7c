/*
 * What libsarif writes for each feature: every member of the full run is looked up by its path in
 * the log, read back with jansson. */
#include "support.h"

#include <string.h>

static void test_head(void **state)
{
    (void)state;
    SarifRun run = full_run();
    json_t *log = written(&run, NULL);
    assert_text(log, "version", "2.1.0");
    assert_text(log, "runs/0/tool/driver/name", "pypto-lint");
    assert_text(log, "runs/0/tool/driver/fullName", "pypto-lint 1.2.3");
    assert_text(log, "runs/0/tool/driver/organization", "PyPTO");
    assert_text(log, "runs/0/tool/driver/semanticVersion", "1.2.3");
    assert_text(log, "runs/0/tool/driver/informationUri", "https://example.org/lint");
    assert_text(log, "runs/0/language", "en-US");
    assert_text(log, "runs/0/columnKind", "unicodeCodePoints");
    assert_count(log, "runs/0/newlineSequences", 3);
    assert_text(log, "runs/0/newlineSequences/2", "\r");
    assert_text(log, "runs/0/defaultEncoding", "utf-8");
    assert_text(log, "runs/0/defaultSourceLanguage", "python");
    assert_text(log, "runs/0/automationDetails/id", "pypto-lint/5/");
    assert_text(log, "runs/0/originalUriBaseIds/SRCROOT/uri", "file:///home/me/my%20ops/");
    assert_text(log, "runs/0/originalUriBaseIds/SRCROOT/description/text", "The repository.");
    assert_text(log, "runs/0/versionControlProvenance/0/repositoryUri",
                "https://example.org/ops.git");
    assert_text(log, "runs/0/versionControlProvenance/0/revisionId", "0123456789abcdef");
    assert_text(log, "runs/0/versionControlProvenance/0/branch", "main");
    assert_text(log, "runs/0/versionControlProvenance/0/mappedTo/uriBaseId", "SRCROOT");
    assert_number(log, "runs/0/properties/stage", -5);
    assert_true(json_is_true(at(log, "runs/0/properties/fixable")));
    assert_text(log, "runs/0/properties/dimension", "D1");
    assert_text(log, "runs/0/properties/parts/1", "two");
    json_decref(log);
}

static void test_rule(void **state)
{
    (void)state;
    SarifRun run = full_run();
    json_t *log = written(&run, NULL);
    json_t *rule = at(log, "runs/0/tool/driver/rules/0");
    assert_text(rule, "id", "OL48");
    assert_text(rule, "name", "VectorTileOrder");
    assert_text(rule, "shortDescription/text", "Tiles are set after their use.");
    assert_text(rule, "fullDescription/text", "A tile shape holds for the calls that follow it.");
    assert_text(rule, "help/text", "Move the call up.");
    assert_text(rule, "help/markdown", "Move the **call** up.");
    assert_text(rule, "helpUri", "https://example.org/rules/OL48");
    assert_text(rule, "defaultConfiguration/level", "error");
    assert_text(rule, "messageStrings/moved/text", "Loop '{0}' must move to '{1}'.");
    assert_text(rule, "properties/tags/1", "correctness");
    assert_text(rule, "properties/precision", "very-high");
    assert_text(rule, "properties/problem.severity", "error");
    assert_number(rule, "properties/stage", -5);
    json_t *poorer = at(log, "runs/0/tool/driver/rules/1");
    assert_text(poorer, "fullDescription/text", "A matter of style.");
    assert_text(poorer, "help/text", "A matter of style.");
    assert_false(has(poorer, "help/markdown"));
    assert_text(poorer, "properties/problem.severity", "recommendation");
    assert_text(log, "runs/0/tool/driver/notifications/0/id", "unreadable-file");
    json_decref(log);
}

static void test_result(void **state)
{
    (void)state;
    SarifRun run = full_run();
    json_t *log = written(&run, NULL);
    json_t *result = at(log, "runs/0/results/0");
    assert_text(result, "ruleId", "OL48");
    assert_number(result, "ruleIndex", 0);
    assert_text(result, "level", "error");
    assert_text(result, "message/text", "Loop 'i' must move to 'tile'. See [the function](1).");
    assert_text(result, "message/id", "moved");
    assert_text(result, "message/arguments/1", "tile");
    json_t *place = at(result, "locations/0/physicalLocation");
    assert_text(place, "artifactLocation/uri", "a.py");
    assert_text(place, "artifactLocation/uriBaseId", "SRCROOT");
    assert_number(place, "artifactLocation/index", 0);
    assert_number(place, "region/startLine", 3);
    assert_number(place, "region/startColumn", 5);
    assert_number(place, "region/endLine", 3);
    assert_number(place, "region/endColumn", 8);
    assert_text(place, "region/snippet/text", "abc");
    assert_number(place, "contextRegion/startLine", 2);
    assert_number(place, "contextRegion/endLine", 4);
    assert_text(place, "contextRegion/snippet/text", "y = 2\nz = abc\n\n");
    assert_text(result, "locations/0/logicalLocations/0/fullyQualifiedName", "a.f");
    assert_text(result, "locations/0/logicalLocations/0/kind", "function");
    assert_text(result, "partialFingerprints/primaryLocationLineHash", "c129715d7a2bc9a3:1");
    json_decref(log);
}

/* The key "symbol/v1" has a slash, which at() would take apart: looked up by hand. */
static void test_fingerprint_key(void **state)
{
    (void)state;
    SarifRun run = full_run();
    json_t *log = written(&run, NULL);
    json_t *prints = at(log, "runs/0/results/0/partialFingerprints");
    assert_string_equal(json_string_value(json_object_get(prints, "symbol/v1")), "f.abc");
    assert_int_equal(json_object_size(prints), 2);
    json_decref(log);
}

static void test_related_and_flow(void **state)
{
    (void)state;
    SarifRun run = full_run();
    json_t *log = written(&run, NULL);
    json_t *result = at(log, "runs/0/results/0");
    assert_count(result, "relatedLocations", 1);
    assert_number(result, "relatedLocations/0/id", 1);
    assert_text(result, "relatedLocations/0/message/text", "The function is here.");
    assert_text(result, "relatedLocations/0/physicalLocation/artifactLocation/uri",
                "b%20dir/%E4%B8%AD%E6%96%87.py");
    json_t *steps = at(result, "codeFlows/0/threadFlows/0/locations");
    assert_count(steps, "", 2);
    assert_text(steps, "1/location/message/text", "Then.");
    assert_number(steps, "1/location/physicalLocation/region/startLine", 3);
    json_decref(log);
}

static void test_fixes(void **state)
{
    (void)state;
    SarifRun run = full_run();
    json_t *log = written(&run, NULL);
    json_t *fix = at(log, "runs/0/results/0/fixes/0");
    assert_text(fix, "description/text", "Rename it.");
    assert_count(fix, "artifactChanges", 2);
    assert_text(fix, "artifactChanges/0/artifactLocation/uri", "a.py");
    assert_count(fix, "artifactChanges/0/replacements", 2);
    assert_number(fix, "artifactChanges/0/replacements/0/deletedRegion/endColumn", 8);
    assert_text(fix, "artifactChanges/0/replacements/0/insertedContent/text", "tile");
    assert_number(fix, "artifactChanges/0/replacements/1/deletedRegion/endColumn", 1);
    assert_false(has(fix, "artifactChanges/1/replacements/0/insertedContent"));
    assert_number(fix, "artifactChanges/1/replacements/0/deletedRegion/endLine", 3);
    json_decref(log);
}

static void test_artifacts(void **state)
{
    (void)state;
    SarifRun run = full_run();
    json_t *log = written(&run, NULL);
    assert_count(log, "runs/0/artifacts", 2); /* "./a.py" is "a.py" */
    json_t *artifact = at(log, "runs/0/artifacts/0");
    assert_text(artifact, "location/uri", "a.py");
    assert_number(artifact, "location/index", 0);
    assert_number(artifact, "length", 20);
    assert_text(artifact, "roles/0", "analysisTarget");
    assert_text(artifact, "mimeType", "text/x-python");
    assert_text(artifact, "encoding", "utf-8");
    assert_text(artifact, "sourceLanguage", "python");
    assert_count(artifact, "hashes", 1);
    assert_text(artifact, "contents/text", "x = 1\ny = 2\nz = abc\n\n");
    /* "./b dir//中文.py" of the result is found under its plain name. */
    assert_number(log, "runs/0/results/1/locations/0/physicalLocation/artifactLocation/index", 1);
    json_decref(log);
}

static void test_invocation(void **state)
{
    (void)state;
    SarifRun run = full_run();
    json_t *log = written(&run, NULL);
    json_t *invocation = at(log, "runs/0/invocations/0");
    assert_true(json_is_false(at(invocation, "executionSuccessful")));
    assert_number(invocation, "exitCode", 2);
    assert_text(invocation, "exitCodeDescription", "A file could not be read.");
    assert_text(invocation, "commandLine", "pypto-lint check --op-dir ''");
    assert_count(invocation, "arguments", 3);
    assert_text(invocation, "arguments/2", "");
    assert_text(invocation, "workingDirectory/uri", "file:///home/me/my%20ops/");
    assert_text(invocation, "startTimeUtc", "2025-01-31T10:00:00Z");
    assert_text(invocation, "endTimeUtc", "2025-01-31T10:00:01Z");
    assert_count(invocation, "toolExecutionNotifications", 1);
    json_t *note = at(invocation, "toolExecutionNotifications/0");
    assert_text(note, "level", "error");
    assert_text(note, "descriptor/id", "unreadable-file");
    assert_number(note, "descriptor/index", 0);
    assert_text(note, "associatedRule/id", "OL02");
    assert_number(note, "associatedRule/index", 1);
    assert_text(note, "message/text", "c.py: permission denied.");
    assert_text(note, "locations/0/physicalLocation/artifactLocation/uri", "c.py");
    json_decref(log);
}

static void test_absent_is_left_out(void **state)
{
    (void)state;
    SarifRun run = small_run();
    json_t *log = written(&run, NULL);
    json_t *result = at(log, "runs/0/results/0");
    assert_count(result, "", 5); /* ruleId ruleIndex level message locations */
    assert_count(result, "locations/0/physicalLocation", 2);
    assert_count(result, "locations/0/physicalLocation/artifactLocation", 1);
    /* tool language columnKind newlineSequences results */
    assert_count(log, "runs/0", 5);
    assert_text(log, "runs/0/language", "en-US");
    assert_text(log, "runs/0/newlineSequences/0", "\r\n");
    json_decref(log);
}

static void test_suppressed(void **state)
{
    (void)state;
    SarifRun run = full_run();
    SarifOptions keep = {.keep_suppressed = true};
    SarifOutput output;
    json_t *log = written(&run, NULL);
    assert_count(log, "runs/0/results", 2);
    json_decref(log);
    log = written(&run, &keep);
    assert_count(log, "runs/0/results", 3);
    assert_text(log, "runs/0/results/2/suppressions/0/kind", "inSource");
    assert_text(log, "runs/0/results/2/suppressions/0/justification", "Known.");
    json_decref(log);
    assert_int_equal(sarif_write(&run, 1, NULL, &output), SARIF_OK);
    assert_int_equal(output.results_written, 2);
    assert_int_equal(output.results_suppressed, 1);
    sarif_output_free(&output, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_head),
        cmocka_unit_test(test_rule),
        cmocka_unit_test(test_result),
        cmocka_unit_test(test_fingerprint_key),
        cmocka_unit_test(test_related_and_flow),
        cmocka_unit_test(test_fixes),
        cmocka_unit_test(test_artifacts),
        cmocka_unit_test(test_invocation),
        cmocka_unit_test(test_absent_is_left_out),
        cmocka_unit_test(test_suppressed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
