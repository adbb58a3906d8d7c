/* Runs the linter for jobs and writes its findings as diagnostics; see linting.h. */
#include "server/linting.h"

#include "base/path.h"
#include "report/report_common.h"

Request linting_request(Work *work, Strs paths)
{
    return (Request){.what = {.paths = paths, .whole_operators = true},
                     .who = {.lang = work->facts->lang,
                             .has_lang = work->facts->has_lang,
                             .no_exec = true, /* no code of the project may run */
                             .jobs = 1}};
}

void linting_begin(Linting *linting, Work *work, const Request *request)
{
    *linting = (Linting){.work = work};
    linting->plan = ARENA_NEW(work->arena, Plan);
    plan_begin(linting->plan, work->arena, &request->who);
    linting->run = run_check(request, linting->plan);
    linting->result = run_result(linting->run);
}

void linting_end(Linting *linting)
{
    run_free(linting->run);
}

Str linting_path(Linting *linting, const OperatorResult *op, Str file)
{
    Arena *arena = linting->work->arena;
    return path_absolute(arena, full_path(arena, op, file));
}

const Source *linting_source(Linting *linting, Str path)
{
    uint32_t number = map_find(&linting->paths, path);
    if (number == MAP_NONE) {
        Source source;
        work_source(linting->work, path, &source);
        number = map_add(&linting->paths, linting->work->arena, path);
        VEC_PUSH(linting->work->arena, &linting->sources, source);
    }
    return &linting->sources.items[number];
}

Range linting_range(Linting *linting, Str path, Region region)
{
    if (region.line == 0) {
        return (Range){0};
    }
    return range_of(linting_source(linting, path), region, linting->work->facts->encoding);
}

/* --- diagnostics */

static bool ends_sentence(Str text)
{
    return str_ends(text, STR(".")) || str_ends(text, STR("!")) || str_ends(text, STR("?")) ||
           str_ends(text, STR("。")) || str_ends(text, STR("！")) || str_ends(text, STR("？"));
}

/* Some clients show only the message, so it contains the rule, what is wrong, and what to do. */
static Str full_message(Linting *linting, const Finding *finding)
{
    Lang lang = linting->result->lang;
    Buf out = {.arena = linting->work->arena};
    buf_addf(&out, "%s: %.*s", finding->rule->id, STR_ARG(finding->message));
    Str hint = finding_fix_hint(finding, lang);
    if (hint.length > 0) {
        const char *end = ends_sentence(finding->message) ? "" : lang == LANG_ZH ? "。" : ".";
        const char *gap = lang == LANG_ZH ? "" : " ";
        buf_addf(&out, "%s%s%.*s", end, gap, STR_ARG(hint));
    }
    return buf_str(&out);
}

static void add_related(Linting *linting, Buf *out, const OperatorResult *op,
                        const Finding *finding)
{
    buf_add(out, STR(",\"relatedInformation\":["));
    for (uint32_t i = 0; i < finding->related.count; i++) {
        const Related *related = &finding->related.items[i];
        Str path = linting_path(linting, op, related->file);
        Str message = related->message.length > 0
                          ? related->message
                          : str_from(words(linting->result->lang, "here", "此处"));
        buf_add(out, i == 0 ? STR("{\"location\":{\"uri\":") : STR(",{\"location\":{\"uri\":"));
        json_add_string(out, work_uri(linting->work, path));
        buf_add(out, STR(",\"range\":"));
        work_add_range(out, linting_range(linting, path, related->region));
        buf_add(out, STR("},\"message\":"));
        json_add_string(out, message);
        buf_add_char(out, '}');
    }
    buf_add_char(out, ']');
}

void diagnostic_add(Linting *linting, Buf *out, const OperatorResult *op, const Finding *finding)
{
    static const DiagnosticLevel levels[] = {[LEVEL_NOTE] = DIAGNOSTIC_INFORMATION,
                                             [LEVEL_WARNING] = DIAGNOSTIC_WARNING,
                                             [LEVEL_ERROR] = DIAGNOSTIC_ERROR};
    static const char *const fixes[] = {
        [FIX_NONE] = "none", [FIX_SUGGEST] = "suggestion", [FIX_SAFE] = "safe"};
    const ClientFacts *facts = linting->work->facts;
    const Rule *rule = finding->rule;
    Str path = linting_path(linting, op, finding->file);
    buf_add(out, STR("{\"range\":"));
    work_add_range(out, linting_range(linting, path, finding->region));
    buf_addf(out, ",\"severity\":%d,\"code\":\"%s\"", levels[finding_level(finding)], rule->id);
    if (facts->takes_code_description && facts->docs_uri.length > 0) {
        buf_addf(out, ",\"codeDescription\":{\"href\":\"%.*s%s.md\"}", STR_ARG(facts->docs_uri),
                 rule->id);
    }
    buf_add(out, STR(",\"source\":\"pypto-lint\",\"message\":"));
    json_add_string(out, full_message(linting, finding));
    if (facts->takes_related && finding->related.count > 0) {
        add_related(linting, out, op, finding);
    }
    if (facts->takes_data) {
        buf_addf(out, ",\"data\":{\"rule\":\"%s\",\"severity\":\"%s\",\"fix\":\"%s\"}", rule->id,
                 severity_name(rule->severity),
                 fixes[finding->edits.count > 0 ? finding->fix : FIX_NONE]);
    }
    buf_add_char(out, '}');
}

void plain_diagnostic_add(Buf *out, DiagnosticLevel level, Range range, Str code, Str message,
                          bool unnecessary)
{
    buf_add(out, STR("{\"range\":"));
    work_add_range(out, range);
    buf_addf(out,
             ",\"severity\":%d,\"code\":\"%.*s\",\"source\":\"pypto-lint\",\"message\":", level,
             STR_ARG(code));
    json_add_string(out, message);
    buf_add(out, unnecessary ? STR(",\"tags\":[1]}") : STR("}"));
}
