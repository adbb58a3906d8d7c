/*
 * What the tests of libsarif share. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#define T(literal) SARIF_TEXT_INIT(literal)

static const SarifText tags[] = {T("D1"), T("correctness")};
static const SarifPair messages[] = {{T("moved"), T("Loop '{0}' must move to '{1}'.")}};
static const SarifText arguments[] = {T("i"), T("tile")};
static const SarifText list[] = {T("one"), T("two")};
static const SarifProperty properties[] = {
    {.key = T("stage"), .kind = SARIF_PROPERTY_INTEGER, .integer = -5},
    {.key = T("fixable"), .kind = SARIF_PROPERTY_BOOLEAN, .boolean = true},
    {.key = T("dimension"), .kind = SARIF_PROPERTY_TEXT, .text = T("D1")},
    {.key = T("parts"), .kind = SARIF_PROPERTY_LIST, .list = list, .list_count = 2},
};

static const SarifRule rules[] = {
    {
        .id = T("OL48"),
        .name = T("vector-tile-order"),
        .short_description = T("Tiles are set after their use."),
        .full_description = T("A tile shape holds for the calls that follow it."),
        .help_text = T("Move the call up."),
        .help_markdown = T("Move the **call** up."),
        .help_uri = T("https://example.org/rules/OL48"),
        .level = SARIF_ERROR,
        .precision = SARIF_VERY_HIGH,
        .tags = tags,
        .tag_count = 2,
        .messages = messages,
        .message_count = 1,
        .properties = {properties, 1},
    },
    {
        .id = T("OL02"),
        .name = T("StyleRule"),
        .short_description = T("A matter of style."),
        .help_uri = T("https://example.org/rules/OL02"),
        .level = SARIF_NOTE,
        .precision = SARIF_MEDIUM,
    },
};

static const SarifRule kinds[] = {
    {
        .id = T("unreadable-file"),
        .name = T("UnreadableFile"),
        .short_description = T("A file could not be read."),
        .help_uri = T("https://example.org/notices"),
        .level = SARIF_ERROR,
    },
};

static const SarifLocation related[] = {
    {
        .path = T("b dir/中文.py"),
        .region = {2, 1, 2, 4, T("def")},
        .context = {1, 0, 3, 0, T("#\ndef f():\n    pass\n")},
        .message = T("The function is here."),
    },
};

static const SarifLocation flow[] = {
    {
        .path = T("a.py"),
        .region = {1, 1, 1, 2, T("x")},
        .context = {1, 0, 2, 0, T("x = 1\ny = 2\n")},
        .message = T("First."),
    },
    {
        .path = T("a.py"),
        .region = {3, 5, 3, 8, T("abc")},
        .context = {2, 0, 4, 0, T("y = 2\nz = abc\n\n")},
        .message = T("Then."),
    },
};

static const SarifReplacement replacements[] = {
    {.deleted = {3, 5, 3, 8, T("")}, .inserted = T("tile")},
    {.deleted = {4, 1, 4, 1, T("")}, .inserted = T("# moved\n")},
    {.path = T("b dir/中文.py"), .deleted = {2, 1, 3, 1, T("")}},
};
static const SarifFix fixes[] = {{T("Rename it."), replacements, 3}};
static const SarifSuppression suppressions[] = {{SARIF_IN_SOURCE, T("Known.")}};
static const SarifPair fingerprints[] = {{T("symbol/v1"), T("f.abc")}};

#define SAMPLE_PLACE                                                                               \
    {                                                                                              \
        .path = T("a.py"), .region = {3, 5, 3, 8, T("abc")},                                       \
        .context = {2, 0, 4, 0, T("y = 2\nz = abc\n\n")}, .logical_name = T("a.f"),                \
        .logical_kind = T("function")                                                              \
    }

static const SarifResult full_results[] = {
    {
        .rule = 0,
        .message = T("Loop 'i' must move to 'tile'. See [the function](1)."),
        .message_id = T("moved"),
        .message_arguments = arguments,
        .message_argument_count = 2,
        .location = SAMPLE_PLACE,
        .related = related,
        .related_count = 1,
        .flow = flow,
        .flow_count = 2,
        .line_hash = T("c129715d7a2bc9a3:1"),
        .fingerprints = fingerprints,
        .fingerprint_count = 1,
        .fixes = fixes,
        .fix_count = 1,
        .properties = {properties, 4},
    },
    {
        .rule = 1,
        .level = SARIF_WARNING,
        .message = T("The whole file is odd."),
        .location = {.path = T("./b dir//中文.py")},
        .line_hash = T("54703d4cd895b18:1"),
    },
    {
        .rule = 1,
        .message = T("Suppressed."),
        .location = SAMPLE_PLACE,
        .suppressions = suppressions,
        .suppression_count = 1,
    },
};

static const SarifArtifact artifacts[] = {
    {
        .path = T("a.py"),
        .analysis_target = true,
        .has_length = true,
        .length = 20,
        .mime_type = T("text/x-python"),
        .encoding = T("utf-8"),
        .source_language = T("python"),
        .sha256 = T("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        .contents = T("x = 1\ny = 2\nz = abc\n\n"),
    },
    {.path = T("b dir/中文.py"), .has_length = true, .length = 21},
    {.path = T("./a.py"), .has_length = true, .length = 20},
};

static const SarifText command[] = {T("check"), T("--op-dir"), T("")};
static const SarifNotification notifications[] = {
    {
        .level = SARIF_ERROR,
        .descriptor_id = T("unreadable-file"),
        .rule_id = T("OL02"),
        .message = T("c.py: permission denied."),
        .location = {.path = T("c.py"), .context = {1, 0, 1, 0, T("?\n")}},
    },
};
static const SarifInvocation invocations[] = {
    {
        .execution_successful = false,
        .has_exit_code = true,
        .exit_code = 2,
        .exit_code_description = T("A file could not be read."),
        .command_line = T("pypto-lint check --op-dir ''"),
        .arguments = command,
        .argument_count = 3,
        .working_directory = T("/home/me/my ops"),
        .start_time_utc = T("2025-01-31T10:00:00Z"),
        .end_time_utc = T("2025-01-31T10:00:01Z"),
        .notifications = notifications,
        .notification_count = 1,
    },
};
static const SarifUriBase bases[] = {{T("SRCROOT"), T("/home/me/my ops"), T("The repository.")}};
static const SarifProvenance provenance[] = {
    {T("https://example.org/ops.git"), T("0123456789abcdef"), T("main"), T("")}};
static const SarifText newlines[] = {T("\r\n"), T("\n"), T("\r")};

#define SAMPLE_TOOL                                                                                \
    {                                                                                              \
        .name = T("pypto-lint"), .full_name = T("pypto-lint 1.2.3"), .organization = T("PyPTO"),   \
        .version = T("1.2.3"), .semantic_version = T("1.2.3"),                                     \
        .information_uri = T("https://example.org/lint"), .notifications = kinds,                  \
        .notification_count = 1                                                                    \
    }

static const SarifRun full = {
    .tool = SAMPLE_TOOL,
    .rules = rules,
    .rule_count = 2,
    .results = full_results,
    .result_count = 3,
    .artifacts = artifacts,
    .artifact_count = 3,
    .invocations = invocations,
    .invocation_count = 1,
    .uri_bases = bases,
    .uri_base_count = 1,
    .provenance = provenance,
    .provenance_count = 1,
    .automation_id = T("pypto-lint/5/"),
    .language = T("en-US"),
    .newline_sequences = newlines,
    .newline_sequence_count = 3,
    .default_encoding = T("utf-8"),
    .default_source_language = T("python"),
    .properties = {properties, 4},
};

static const SarifResult small_results[] = {
    {.message = T("Bad."), .location = {.path = T("a.py"), .region = {3, 5, 3, 8, T("abc")}}}};

static const SarifRun small = {
    .tool = {.name = T("t")},
    .rules = rules,
    .rule_count = 2,
    .results = small_results,
    .result_count = 1,
};

SarifRun full_run(void)
{
    return full;
}

SarifRun small_run(void)
{
    return small;
}

static void *meter_reallocate(void *context, void *block, size_t size)
{
    Meter *meter = context;
    if (size == 0) {
        meter->live -= block != NULL ? 1 : 0;
        free(block);
        return NULL;
    }
    meter->calls++;
    if (meter->calls == meter->fail_at) {
        return NULL;
    }
    meter->live += block == NULL ? 1 : 0;
    return realloc(block, size);
}

SarifAllocator meter_allocator(Meter *meter)
{
    return (SarifAllocator){meter_reallocate, meter};
}

json_t *written(const SarifRun *run, const SarifOptions *options)
{
    SarifOutput output;
    json_error_t error;
    assert_int_equal(sarif_write(run, 1, options, &output), SARIF_OK);
    json_t *log =
        json_loadb(output.data, output.size, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error);
    if (log == NULL) {
        fail_msg("not JSON: %s at byte %d", error.text, error.position);
    }
    sarif_output_free(&output, options == NULL ? NULL : &options->allocator);
    return log;
}

static json_t *find(json_t *value, const char *path)
{
    while (value != NULL && *path != '\0') {
        const char *slash = strchr(path, '/');
        size_t size = slash == NULL ? strlen(path) : (size_t)(slash - path);
        char step[64];
        assert_true(size < sizeof step);
        memcpy(step, path, size);
        step[size] = '\0';
        value = json_is_array(value) ? json_array_get(value, (size_t)strtoul(step, NULL, 10))
                                     : json_object_get(value, step);
        path += size + (slash == NULL ? 0 : 1);
    }
    return value;
}

json_t *at(json_t *log, const char *path)
{
    json_t *value = find(log, path);
    if (value == NULL) {
        fail_msg("nothing at %s", path);
    }
    return value;
}

bool has(json_t *log, const char *path)
{
    return find(log, path) != NULL;
}

void assert_text(json_t *log, const char *path, const char *expected)
{
    json_t *value = at(log, path);
    assert_true(json_is_string(value));
    assert_string_equal(json_string_value(value), expected);
}

void assert_number(json_t *log, const char *path, json_int_t expected)
{
    json_t *value = at(log, path);
    assert_true(json_is_integer(value));
    assert_int_equal(json_integer_value(value), expected);
}

void assert_count(json_t *log, const char *path, size_t expected)
{
    json_t *value = at(log, path);
    assert_int_equal(json_is_object(value) ? json_object_size(value) : json_array_size(value),
                     expected);
}
