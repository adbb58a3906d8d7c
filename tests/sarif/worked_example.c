#include <sarif/sarif.h>

#include <stdio.h>

int main(void)
{
    static const char source[] = "import torch\n\nx = torch.ones(2)\n";
    const SarifText tags[] = {SARIF_TEXT("correctness")};
    const SarifRule rule = {
        .id = SARIF_TEXT("EX01"),
        .name = SARIF_TEXT("no-ones"),
        .short_description = SARIF_TEXT("A tensor of ones is made on the host."),
        .help_text = SARIF_TEXT("Make it on the device."),
        .help_uri = SARIF_TEXT("https://example.org/rules/EX01"),
        .level = SARIF_ERROR,
        .precision = SARIF_HIGH,
        .tags = tags,
        .tag_count = 1,
    };

    /* The line hash is what lets an alert survive edits elsewhere in the file. */
    SarifLines *lines;
    char hash[SARIF_LINE_HASH_SIZE];
    if (sarif_lines_create(sarif_text(source), NULL, &lines) != SARIF_OK) {
        return 2;
    }
    size_t hash_size = sarif_lines_hash(lines, 3, hash);
    sarif_lines_free(lines);

    const SarifReplacement replacement = {
        .deleted = {3, 11, 3, 15, SARIF_TEXT("")},
        .inserted = SARIF_TEXT("zeros"),
    };
    const SarifFix fix = {SARIF_TEXT("Use zeros."), &replacement, 1};
    const SarifResult result = {
        .rule = 0,
        .message = SARIF_TEXT("'torch.ones' is called on the host."),
        .location =
            {
                .path = SARIF_TEXT("custom/add/add_impl.py"),
                .region = {3, 5, 3, 15, SARIF_TEXT("torch.ones")},
                .context = {2, 0, 3, 0, SARIF_TEXT("\nx = torch.ones(2)\n")},
            },
        .line_hash = {hash, hash_size},
        .fixes = &fix,
        .fix_count = 1,
    };
    const SarifUriBase root = {.id = SARIF_TEXT("SRCROOT")};
    const SarifInvocation invocation = {
        .execution_successful = true,
        .has_exit_code = true,
        .exit_code = 1,
    };
    const SarifRun run = {
        .tool =
            {
                .name = SARIF_TEXT("example-lint"),
                .version = SARIF_TEXT("1.0.0"),
                .information_uri = SARIF_TEXT("https://example.org/"),
            },
        .rules = &rule,
        .rule_count = 1,
        .results = &result,
        .result_count = 1,
        .invocations = &invocation,
        .invocation_count = 1,
        .uri_bases = &root,
        .uri_base_count = 1,
        .automation_id = SARIF_TEXT("example-lint/main/"),
    };

    SarifOutput output;
    SarifStatus status = sarif_write(&run, 1, &(SarifOptions){.indent = 2}, &output);
    if (status != SARIF_OK) {
        fprintf(stderr, "%s\n", sarif_status_text(status));
        return 2;
    }
    fwrite(output.data, 1, output.size, stdout);
    sarif_output_free(&output, NULL);
    return 0;
}
