/* `diagnose --format json`; the members are described in docs/kernel-authors/diagnose.md. */
#include "cli/diagnose_print.h"
#include "cli/message.h"
#include "diagnose/device_number.h"
#include "report/terminal.h"

static json_t *place_value(JsonTree *tree, const DiagnoseReport *report, const Cause *cause)
{
    Str line, call;
    if (cause->place.rank == PLACE_NONE) {
        return json_null();
    }
    kernel_line(tree->arena, &report->kernel, &cause->place, &line, &call);
    json_t *object = json_object();
    json_put(tree, object, "file", json_text_or_null(str_from(cause->place.file)));
    json_put(tree, object, "line", json_integer(cause->place.line));
    json_put(tree, object, "function", json_text_or_null(str_from(cause->place.function)));
    json_put(tree, object, "elsewhere", json_boolean(cause->is_place_elsewhere));
    json_put(tree, object, "text", json_text_or_null(line));
    json_put(tree, object, "call", json_text_or_null(call));
    return object;
}

static json_t *log_value(JsonTree *tree, Str file, uint64_t line, uint64_t count, Str text)
{
    json_t *object = json_object();
    json_put(tree, object, "file", json_text_or_null(file));
    json_put(tree, object, "line", json_integer((json_int_t)line));
    json_put(tree, object, "count", json_integer((json_int_t)count));
    json_put(tree, object, "text", json_text(terminal_text(tree->arena, text)));
    return object;
}

static json_t *cause_value(JsonTree *tree, const DiagnoseReport *report, const Cause *cause,
                           Lang lang)
{
    const LogMatch *match = cause->match;
    const Pattern *pattern = match->pattern;
    json_t *object = json_object();
    json_put(tree, object, "id", json_string(pattern->id));
    json_put(tree, object, "category", json_string(diagnosis_category_name(cause_category(cause))));
    json_put(tree, object, "failure_category",
             json_string(diagnosis_failure_name(cause_category(cause))));
    json_put(tree, object, "confidence", json_string(cause->is_certain ? "certain" : "likely"));
    json_put(tree, object, "reason", json_string(text_in(lang, cause_reason_text(cause->reason))));
    json_put(tree, object, "cause", json_string(text_in(lang, cause_text(cause))));
    json_put(tree, object, "change",
             json_string(
                 device_fill(tree->arena, text_in(lang, cause_change(cause)), match->device - 1)));
    json_put(tree, object, "page", json_text_or_null(diagnose_page(tree->arena, pattern)));
    json_t *log = log_value(tree, match->file, match->line, match->count, match->text);
    json_put(tree, log, "at_least", json_boolean(match->at_least));
    json_put(tree, log, "message", json_text_or_null(terminal_text(tree->arena, match->message)));
    json_put(tree, object, "log", log);
    const LogSeen *seen = cause->evidence;
    json_put(tree, object, "evidence",
             seen == NULL ? json_null() : log_value(tree, seen->file, seen->line, 1, seen->text));
    json_put(tree, object, "kernel", place_value(tree, report, cause));
    return object;
}

static json_t *codes_value(JsonTree *tree, const LogDigest *digest, Lang lang)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < digest->code_count; i++) {
        const CodeFamily *family = code_family(str_from(digest->codes[i].name));
        json_t *object = json_object();
        json_put(tree, object, "code", json_string(digest->codes[i].name));
        json_put(tree, object, "count", json_integer((json_int_t)digest->codes[i].count));
        json_put(
            tree, object, "family",
            json_text_or_null(family == NULL ? STR("") : str_from(text_in(lang, family->meaning))));
        json_append(tree, array, object);
    }
    return array;
}

static json_t *digest_value(JsonTree *tree, const LogScan *scan, Lang lang)
{
    const LogDigest *digest = scan->digest;
    json_t *errors = json_array(), *stack = json_array(), *object = json_object();
    for (uint32_t i = 0; i < digest->error_count; i++) {
        const DigestLine *line = &digest->errors[i];
        json_append(
            tree, errors,
            log_value(tree, line->file, line->line, log_digest_count(digest, line), line->text));
    }
    for (uint32_t i = 0; i < digest->frame_count; i++) {
        json_append(tree, stack, json_text(digest->frames[i]));
    }
    json_put(tree, object, "errors", errors);
    json_put(tree, object, "error_lines", json_integer((json_int_t)digest->error_lines));
    json_put(tree, object, "exception",
             scan->exception_order == 0
                 ? json_null()
                 : log_value(tree, scan->exception_file, scan->exception_line, 1,
                             str_from(scan->exception)));
    json_put(tree, object, "stack", stack);
    json_put(tree, object, "codes", codes_value(tree, digest, lang));
    return object;
}

bool diagnose_print_json(Arena *arena, const DiagnoseReport *report, Lang lang)
{
    JsonTree tree = {.arena = arena};
    const Diagnosis *diagnosis = &report->diagnosis;
    json_t *root = json_object(), *causes = json_array(), *skipped = json_array();
    for (uint32_t i = 0; i < diagnosis->count; i++) {
        json_append(&tree, causes, cause_value(&tree, report, &diagnosis->causes[i], lang));
    }
    for (uint32_t i = 0; i < report->logs->skipped.count; i++) {
        json_append(&tree, skipped, json_text(report->logs->skipped.items[i]));
    }
    json_put(&tree, root, "schema_version", json_integer(1));
    json_put(&tree, root, "status", json_integer(diagnosis->status));
    json_put(&tree, root, "category",
             diagnosis->count == 0 || diagnosis->is_overcome
                 ? json_null()
                 : json_string(diagnosis_category_name(cause_category(&diagnosis->causes[0]))));
    json_put(&tree, root, "causes", causes);
    json_put(&tree, root, "more", json_integer(diagnosis->more));
    json_put(&tree, root, "digest",
             diagnosis->needs_digest ? digest_value(&tree, report->scan, lang) : json_null());
    json_put(&tree, root, "files", json_integer(report->scan->files));
    json_put(&tree, root, "bytes", json_integer((json_int_t)report->scan->bytes));
    json_put(&tree, root, "skipped", skipped);
    json_put(&tree, root, "complete",
             json_boolean(!report->logs->cut && report->scan->lines_cut == 0));
    return json_print(arena, &tree, root);
}
