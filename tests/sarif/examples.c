/*
 * Writes logs of every kind into a directory, for validate.py: what the library makes must pass the
 * official schema and validator, above all where the input is poor. The files whose names begin
 * with "clean" must pass with --strict as well. */
#include "support.h"

#include <stdio.h>
#include <string.h>

static bool save(const char *directory, const char *name, const SarifRun *runs, size_t count,
                 const SarifOptions *options)
{
    char path[4096];
    SarifOutput output;
    if (snprintf(path, sizeof path, "%s/%s.sarif", directory, name) >= (int)sizeof path ||
        sarif_write(runs, count, options, &output) != SARIF_OK) {
        return false;
    }
    FILE *file = fopen(path, "wb");
    bool saved = file != NULL && fwrite(output.data, 1, output.size, file) == output.size;
    if (file != NULL && fclose(file) != 0) {
        saved = false;
    }
    sarif_output_free(&output, NULL);
    return saved;
}

static bool save_full(const char *directory)
{
    SarifRun run = full_run();
    SarifRun chinese = full_run();
    SarifRun two[] = {full_run(), full_run()};
    SarifResult only = run.results[0];
    SarifRun clean = run;
    clean.results = &only;
    clean.result_count = 1;
    chinese.language = SARIF_TEXT("zh-CN");
    two[1].automation_id = SARIF_TEXT("pypto-lint/6/");
    return save(directory, "clean", &clean, 1, &(SarifOptions){.indent = 2}) &&
           save(directory, "full", &run, 1, NULL) &&
           save(directory, "full-suppressed", &run, 1,
                &(SarifOptions){.keep_suppressed = true, .indent = 4}) &&
           save(directory, "full-chinese", &chinese, 1, &(SarifOptions){.max_results = 1}) &&
           save(directory, "two-runs", two, 2, NULL);
}

/* Merged results with relations, fixes and links of their own. */
static bool save_merged(const char *directory)
{
    SarifRun run = full_run();
    SarifResult results[30];
    for (size_t i = 0; i < 30; i++) {
        results[i] = run.results[0];
        results[i].message_id = (SarifText){NULL, 0};
        results[i].message_argument_count = 0;
        results[i].location.region.start_column = (uint32_t)(5 + i);
        results[i].location.region.end_column = (uint32_t)(8 + i);
    }
    run.results = results;
    run.result_count = 30;
    return save(directory, "merged", &run, 1, NULL) &&
           save(directory, "separate", &run, 1, &(SarifOptions){.separate_same_line = true});
}

/* Almost nothing given, odd characters everywhere. */
static bool save_poor(const char *directory)
{
    SarifRun run = {.tool = {.name = SARIF_TEXT(""), .version = SARIF_TEXT("0")}};
    SarifRule rules[] = {
        {.help_uri = SARIF_TEXT("not a uri")},
        {.id = SARIF_TEXT("A"), .help_uri = SARIF_TEXT("https://example.org/a b%zz%20\"<>[x]#a#b")},
        {.id = SARIF_TEXT("NoEval"),
         .name = SARIF_TEXT("no-eval"),
         .short_description = SARIF_TEXT("\xC0\x80 \x01\x7F \\ \" \xED\xA0\x80")},
        {.id = SARIF_TEXT("规则"), .name = SARIF_TEXT("名字")},
        {.id = SARIF_TEXT("IO"), .name = SARIF_TEXT("IOErrorX")},
        {.id = SARIF_TEXT("7"), .name = SARIF_TEXT("7zip"), .level = SARIF_NONE},
    };
    SarifResult results[6] = {0};
    for (size_t i = 0; i < 6; i++) {
        results[i].rule = i;
    }
    results[0].location.path = SARIF_TEXT("");
    results[1].location.path = SARIF_TEXT("dir:x/a b%20#?\xFF.py");
    results[2].location.path = SARIF_TEXT("../up/./a.py");
    results[3].location.path = SARIF_TEXT("/tmp/x y.py");
    results[4].location.path = SARIF_TEXT("/");
    results[5].location.region = (SarifRegion){7, 9, 5, 0, SARIF_TEXT("")};
    results[5].location.path = SARIF_TEXT("a.py");
    results[5].location.context = (SarifRegion){6, 0, 8, 0, SARIF_TEXT("\n\n\n")};
    run.tool.information_uri = SARIF_TEXT("https://example.org/");
    run.rules = rules;
    run.rule_count = 6;
    run.results = results;
    run.result_count = 6;
    SarifRun empty = run;
    empty.rule_count = empty.result_count = 0;
    return save(directory, "noted-poor", &run, 1, NULL) &&
           save(directory, "noted-empty", &empty, 1, NULL) &&
           save(directory, "no-runs", &empty, 0, NULL);
}

/* Every kind of cut at once. */
static bool save_cut(const char *directory, const char *name, SarifText language)
{
    static char long_text[9000];
    static SarifText tags[30];
    static char tag_names[30][3];
    static SarifLocation related[1100];
    static SarifFix fixes[40];
    static SarifReplacement replacements[40];
    memset(long_text, 'x', sizeof long_text);
    SarifRun run = full_run();
    SarifRule rules[] = {run.rules[0], run.rules[1]};
    SarifResult results[] = {run.results[0], run.results[0], run.results[1]};
    for (size_t i = 0; i < 30; i++) {
        tag_names[i][0] = 't';
        tag_names[i][1] = (char)('A' + i);
        tags[i] = sarif_text(tag_names[i]);
    }
    for (size_t i = 0; i < 1100; i++) {
        related[i] = run.results[0].related[0];
    }
    for (size_t i = 0; i < 40; i++) {
        replacements[i].deleted = (SarifRegion){(uint32_t)i + 1, 1, (uint32_t)i + 1, 2, {NULL, 0}};
        fixes[i] = (SarifFix){SARIF_TEXT("Delete."), &replacements[i], 1};
    }
    rules[0].tags = tags;
    rules[0].tag_count = 30;
    rules[0].full_description = (SarifText){long_text, sizeof long_text};
    results[0].related = related;
    results[0].related_count = 1100;
    results[0].fixes = fixes;
    results[0].fix_count = 40;
    results[1].location.region.start_line = results[1].location.region.end_line = 8;
    results[1].location.context = (SarifRegion){7, 0, 9, 0, {long_text, sizeof long_text}};
    run.rules = rules;
    run.results = results;
    run.language = language;
    return save(directory, name, &run, 1, &(SarifOptions){.max_results = 2});
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: sarif_examples DIRECTORY\n", stderr);
        return 2;
    }
    bool saved = save_full(argv[1]) && save_merged(argv[1]) && save_poor(argv[1]) &&
                 save_cut(argv[1], "noted-cut", SARIF_TEXT("en-US")) &&
                 save_cut(argv[1], "noted-cut-chinese", SARIF_TEXT("zh-CN"));
    return saved ? 0 : 1;
}
