/* Fuzz driver: libsarif with texts of any bytes in every place. The input is a list of texts, NULs
 * between them. What must hold: the log is written, or refused by a status; it is valid JSON and
 * UTF-8, and the counts add up. */
#include "base/str.h"
#include "base/utf8.h"
#include "fuzz.h"

#include <jansson.h>
#include <sarif/sarif.h>

typedef struct Texts {
    const char *at;
    size_t size, next;
} Texts;

static SarifText take(Texts *texts)
{
    size_t start = texts->next;
    while (texts->next < texts->size && texts->at[texts->next] != '\0') {
        texts->next++;
    }
    SarifText text = {texts->at + start, texts->next - start};
    texts->next += texts->next < texts->size;
    return text;
}

static uint32_t number(Texts *texts)
{
    SarifText text = take(texts);
    uint32_t value = 0;
    for (size_t i = 0; i < text.size && i < 4; i++) {
        value = value << 8 | (unsigned char)text.data[i];
    }
    return value;
}

static SarifLocation location(Texts *texts)
{
    SarifLocation place = {.path = take(texts), .message = take(texts)};
    place.region = (SarifRegion){.start_line = number(texts),
                                 .start_column = number(texts),
                                 .end_line = number(texts),
                                 .end_column = number(texts),
                                 .snippet = take(texts)};
    place.logical_name = take(texts);
    return place;
}

static void check(const SarifRun *run, const SarifOptions *options)
{
    SarifOutput output;
    SarifStatus status = sarif_write(run, 1, options, &output);
    if (status != SARIF_OK) {
        REQUIRE(sarif_status_text(status)[0] != '\0');
        return;
    }
    json_error_t error;
    json_t *root = json_loadb(output.data, output.size, 0, &error);
    REQUIRE(json_is_object(root));
    json_decref(root);
    REQUIRE(utf8_first_error((Str){output.data, output.size}) == SIZE_MAX);
    REQUIRE(output.results_written + output.results_merged + output.results_suppressed +
                output.results_cut ==
            run->result_count);
    sarif_output_free(&output, &options->allocator);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { RESULTS = 3, RULES = 2 };
    Texts texts = {(const char *)data, size, 0};
    SarifText tag = take(&texts);
    SarifRule rules[RULES];
    for (int i = 0; i < RULES; i++) {
        rules[i] = (SarifRule){.id = take(&texts),
                               .name = take(&texts),
                               .short_description = take(&texts),
                               .help_markdown = take(&texts),
                               .help_uri = take(&texts),
                               .level = SARIF_ERROR,
                               .tags = &tag,
                               .tag_count = 1};
    }
    SarifLocation related = location(&texts);
    SarifReplacement replacement = {.path = take(&texts), .inserted = take(&texts)};
    replacement.deleted = related.region;
    SarifFix fix = {
        .description = take(&texts), .replacements = &replacement, .replacement_count = 1};
    SarifPair pair = {.key = take(&texts), .value = take(&texts)};
    SarifResult results[RESULTS];
    for (int i = 0; i < RESULTS; i++) {
        results[i] = (SarifResult){.rule = number(&texts) % RULES,
                                   .message = take(&texts),
                                   .location = location(&texts),
                                   .related = &related,
                                   .related_count = 1,
                                   .fingerprints = &pair,
                                   .fingerprint_count = 1,
                                   .fixes = &fix,
                                   .fix_count = 1,
                                   .line_hash = take(&texts)};
    }
    SarifNotification notification = {.message = take(&texts), .location = location(&texts)};
    SarifInvocation invocation = {.execution_successful = true,
                                  .working_directory = take(&texts),
                                  .notifications = &notification,
                                  .notification_count = 1};
    SarifUriBase base = {.id = take(&texts), .path = take(&texts)};
    SarifRun run = {.tool = {.name = SARIF_TEXT("fuzz"), .version = take(&texts)},
                    .rules = rules,
                    .rule_count = RULES,
                    .results = results,
                    .result_count = RESULTS,
                    .invocations = &invocation,
                    .invocation_count = 1,
                    .uri_bases = &base,
                    .uri_base_count = 1,
                    .automation_id = take(&texts)};
    check(&run, &(SarifOptions){.indent = (unsigned)(size % 3)});
    check(&run, &(SarifOptions){.separate_same_line = true, .max_results = 1});
    return 0;
}
