/* --diff, and --fix of standard input: fixes that are shown instead of written. */
#include "cli/command_check_options.h"

#include "base/path.h"
#include "init/line_diff.h"

/* Standard input with its fixes, or as it was, so that an editor may take the answer in any
 * case. */
static bool print_fixed(const CheckOptions *options, const FixedTexts *texts)
{
    Str text = options->request.what.text->text;
    for (uint32_t i = 0; i < texts->count; i++) {
        text = texts->items[i].after;
    }
    return print_all(text);
}

static bool print_diff(Arena *arena, const FixedTexts *texts)
{
    Buf out = {.arena = arena};
    buf_add(&out, STR(""));
    for (uint32_t i = 0; i < texts->count; i++) {
        const FixedText *one = &texts->items[i];
        line_diff(&out, path_from_here(arena, one->path), one->before, one->after, false, false);
    }
    return print_all(buf_str(&out));
}

int show_fixes(CheckOptions *options, Arena *arena, Plan *plan)
{
    FixedTexts texts = {0};
    Fixes fixes;
    options->request.what.fix = true;
    Run *run = run_fix_texts(&options->request, plan, &fixes, &texts);
    const RunResult *result = run_result(run);
    int status = result->exit_status;
    if (status == EXIT_ERROR) {
        print_errors(result);
    } else if (options->diff) {
        status = texts.count > 0 ? EXIT_FINDINGS : EXIT_CLEAN;
    }
    bool printed = options->diff ? print_diff(arena, &texts) : print_fixed(options, &texts);
    log_metrics(options->metrics, result);
    run_free(run);
    return printed ? status : EXIT_ERROR;
}
