/* Run: from a request to units of work, over worker threads, to one sorted result. */
#include "base/io_error.h"
#include "base/path.h"
#include "lint/discover.h"
#include "lint/engine.h"
#include "lint/filter.h"
#include "lint/fix.h"
#include "lint/project_product.h"
#include "lint/suppress_add.h"
#include "lint/verdict.h"
#include "lint/workers.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

typedef VEC(Unit) Units;

struct Run {
    Request request; /* with the language of the run */
    Plan *plan;
    Arena *arena;    /* of the plan */
    size_t max_file; /* bytes, for discovery */
    Units units;
    RunResult result;
    VEC(const Settings *) told; /* settings with a notice in the result */
    OperatorResult loose;
    Filter filter;
    VEC(const InstalledProduct *) products; /* with a notice in the result */
};

/* --- units */

static void add_unit(Run *run, Unit unit)
{
    unit.request = &run->request;
    VEC_PUSH(run->arena, &run->units, unit);
}

static void add_loose(Run *run, Str given, bool named, const TextSource *text)
{
    Str path = path_from_here(run->arena, given);
    if (text == NULL && !filter_wants(&run->filter, path, false)) {
        return;
    }
    Unit unit = {.loose = true, .if_kernel = !named, .text = text};
    Str folder = path_parent(path);
    unit.dir = str_copy(run->arena, folder);
    unit.shown_dir = unit.dir;
    unit.file = path_basename(path);
    add_unit(run, unit);
}

static void add_operator_dir(Run *run, Str dir, Str file)
{
    Str clean = str_copy(run->arena, path_without_slash(dir));
    if (!file_is_directory(clean.at) && !run->request.who.upstream) {
        notice_add(&run->result.notices, clean, true, "no such directory", "没有这个目录");
        return;
    }
    Str place = file.length > 0 ? path_join(run->arena, clean, file) : clean;
    if (filter_wants(&run->filter, place, file.length == 0)) {
        bool absolute = run->request.who.hook != HOOK_NONE; /* editors' paths are */
        Str shown = absolute ? clean : path_from_here(run->arena, clean);
        add_unit(run, (Unit){.dir = clean, .shown_dir = shown, .file = file});
    }
}

/* Does the profile say that the folder of a text is in no operator directory? */
static bool is_plain_place(Run *run, Str path)
{
    DiscoverOptions options = {.plan = run->plan, .profile = run->request.what.profile};
    Str folder = path_folder(path);
    const Settings *settings = plan_settings(run->plan, folder, run->request.who.lang);
    return discover_is_plain(run->arena, options, &settings->config, folder);
}

/* Text from standard input belongs to the operator directory of its name, if that is one. */
static void add_text(Run *run, const TextSource *text)
{
    char cwd[4096];
    Str path = text->path;
    if (!path_is_absolute(path) && getcwd(cwd, sizeof cwd) != NULL) {
        path = path_join(run->arena, str_from(cwd), path);
    } else if (!path_is_absolute(path)) {
        io_error_note(NULL, errno);
    }
    Str dir = run->request.what.op_dir; /* for a text, only the harness gives it */
    Str name;
    bool given = dir.length > 0 && str_starts(path, dir) && path.at[dir.length] == '/';
    if ((given ||
         (operator_of_file(run->arena, path, &dir, &name) && !is_plain_place(run, path))) &&
        path.length > dir.length + 1) {
        Unit unit = {.dir = str_copy(run->arena, dir), .text = text};
        unit.file = str_slice(path, dir.length + 1, path.length);
        unit.shown_dir = unit.dir;
        Str shown =
            path_without_slash(str_slice(text->path, 0, text->path.length - unit.file.length));
        if (text->path.length >= unit.file.length && str_ends(text->path, unit.file)) {
            unit.shown_dir = shown.length == 0 ? STR(".") : shown;
        }
        add_unit(run, unit);
        return;
    }
    add_loose(run, text->path, true, text);
}

static void add_discovered(Run *run)
{
    const Question *what = &run->request.what;
    Discovered found;
    /* Git says what has changed; of the files that it ignores, it reports only tracked ones. */
    bool filtered = what->staged || what->changed_since.length > 0;
    DiscoverOptions options = {.max_file = run->max_file,
                               .whole = what->whole_operators,
                               .with_ignored = filtered,
                               .plan = run->plan,
                               .profile = what->profile};
    discover(&found, run->arena, what->paths, options, &run->result.notices);
    for (uint32_t i = 0; i < found.count; i++) {
        const DiscoveredItem *item = &found.items[i];
        if (item->kind == DISCOVERED_FILE) {
            add_loose(run, item->path, item->named, NULL);
        } else if (item->whole) {
            add_operator_dir(run, item->path, what->file);
        } else {
            for (uint32_t j = 0; j < item->files.count; j++) {
                add_operator_dir(run, item->path, item->files.items[j]);
            }
        }
    }
}

static void make_units(Run *run)
{
    const Question *what = &run->request.what;
    if (what->text != NULL) {
        add_text(run, what->text);
    }
    if (what->op_dir.length > 0 && what->text == NULL) {
        add_operator_dir(run, what->op_dir, what->file);
    } else if (what->paths.count > 0 || what->text == NULL) {
        add_discovered(run);
    }
}

/* Takes the language from the settings of a folder, unless the request has one or there is none; a
 * broken file is passed over, its units report it. */
static const Settings *take_language(Run *run, Str folder)
{
    Caller *who = &run->request.who;
    const Settings *settings = plan_settings(run->plan, folder, who->lang);
    if (!who->has_lang && settings->config.has_lang) {
        who->lang = settings->config.lang;
        who->has_lang = true;
    }
    run->result.notices.lang = who->lang;
    return settings;
}

/* Whose names exist. The Python linter asks the interpreter; where its verdicts are wanted, the
 * list that is built in stands for that. */
static const InstalledProduct *product_for(Run *run, Str folder)
{
    const Caller *who = &run->request.who;
    const InstalledProduct *installed =
        who->upstream ? NULL : plan_installed(run->plan, folder, who->python);
    Str remark = installed_remark(run->arena, installed, who->lang);
    for (uint32_t i = 0; i < run->products.count && remark.length > 0; i++) {
        remark = run->products.items[i] == installed ? STR("") : remark;
    }
    if (remark.length > 0) {
        VEC_PUSH(run->arena, &run->products, installed);
        notice_add_text(&run->result.notices, installed->place, false, remark);
    }
    return installed;
}

/* The first operator decides about the language when the first place named says nothing. */
static void settle_units(Run *run)
{
    Units *units = &run->units;
    uint32_t first = 0;
    while (first < units->count && units->items[first].loose) {
        first++;
    }
    if (units->count > 0) {
        take_language(run, units->items[first == units->count ? 0 : first].dir);
    }
    run->request.who.has_lang = true;
    for (uint32_t i = 0; i < units->count; i++) {
        Unit *unit = &units->items[i];
        unit->settings = plan_settings(run->plan, unit->dir, run->request.who.lang);
        unit->installed = product_for(run, unit->dir);
        unit->state = unit->loose ? NULL : plan_state(run->plan, unit->dir);
    }
}

/* --- the result */

static void merge_semantics(Run *run, const SemanticsSummary *one, Str dir)
{
    if (one == NULL) {
        return;
    }
    if (run->loose.semantics == NULL) {
        run->loose.semantics = ARENA_NEW(run->arena, SemanticsSummary);
    }
    SemanticsSummary *all = run->loose.semantics;
    all->kernels += one->kernels;
    all->launches += one->launches;
    all->operations += one->operations;
    all->dtype_known += one->dtype_known;
    all->rank_known += one->rank_known;
    all->shape_known += one->shape_known;
    for (uint32_t i = 0; i < one->unfinished.count; i++) {
        UnfinishedKernel kernel = one->unfinished.items[i];
        kernel.file = path_join(run->arena, dir, kernel.file);
        VEC_PUSH(run->arena, &all->unfinished, kernel);
    }
    for (uint32_t i = 0; i < one->types.count; i++) {
        ShownType type = one->types.items[i];
        type.file = path_join(run->arena, dir, type.file);
        VEC_PUSH(run->arena, &all->types, type);
    }
    for (uint32_t i = 0; i < one->tilings.count; i++) {
        ShownTiling tiling = one->tilings.items[i];
        tiling.file = path_join(run->arena, dir, tiling.file);
        VEC_PUSH(run->arena, &all->tilings, tiling);
    }
}

static void merge_loose(Run *run, const Unit *unit)
{
    OperatorResult *all = &run->loose;
    all->loose = true;
    all->op_name = STR("");
    all->op_dir = STR(".");
    all->settings = all->settings.at == NULL ? STR("") : all->settings;
    all->stage = unit->result.stage > all->stage ? unit->result.stage : all->stage;
    all->files += unit->result.files;
    all->plain = unit->result.plain;
    for (uint32_t i = 0; i < unit->result.paths.count; i++) {
        VEC_PUSH(run->arena, &all->paths, unit->result.paths.items[i]);
    }
    all->settings = unit->result.settings.length > 0 ? unit->result.settings : all->settings;
    merge_semantics(run, unit->result.semantics, unit->shown_dir);
    all->duration_ms += unit->result.duration_ms;
    for (uint32_t i = 0; i < unit->result.findings.count; i++) {
        Finding *finding = unit->result.findings.items[i];
        finding->file = path_join(run->arena, unit->shown_dir, finding->file);
        for (uint32_t j = 0; j < finding->related.count; j++) {
            finding->related.items[j].file =
                path_join(run->arena, unit->shown_dir, finding->related.items[j].file);
        }
        VEC_PUSH(run->arena, &all->findings, finding);
    }
    for (uint32_t i = 0; i < unit->result.rules.count; i++) {
        const RuleResult *rule = &unit->result.rules.items[i];
        uint32_t at = 0;
        while (at < all->rules.count && all->rules.items[at].rule->order != rule->rule->order) {
            at++;
        }
        if (at == all->rules.count) {
            VEC_PUSH(run->arena, &all->rules, *rule);
        } else if (rule->status > all->rules.items[at].status) {
            all->rules.items[at] = *rule;
        }
    }
}

static int by_order(const void *a, const void *b)
{
    const RuleResult *x = a;
    const RuleResult *y = b;
    return x->rule->order < y->rule->order ? -1 : x->rule->order > y->rule->order;
}

static int by_dir(const void *a, const void *b)
{
    const OperatorResult *x = *(OperatorResult *const *)a;
    const OperatorResult *y = *(OperatorResult *const *)b;
    if (x->loose != y->loose) {
        return x->loose ? 1 : -1;
    }
    return str_compare(x->op_dir, y->op_dir);
}

/* As far as the exit status is concerned. */
static Severity severity_of(const Request *request, const Rule *rule)
{
    bool holds =
        request->what.gate && !request->who.upstream && rule->holds_gate && rule->severity > S1;
    return holds ? S1 : rule->severity;
}

static bool is_failing(const Unit *unit)
{
    for (uint32_t i = 0; i < unit->result.findings.count && !unit->fail_never; i++) {
        const Finding *finding = unit->result.findings.items[i];
        if (finding->status == STATUS_FAIL &&
            severity_of(unit->request, finding->rule) <= unit->fail_on) {
            return true;
        }
    }
    return false;
}

/* What the settings have to say, once for all of their units. */
static void take_remarks(Run *run, const Settings *settings)
{
    const Strs *remarks = &settings->config.remarks;
    Notices *notices = &run->result.notices;
    if (settings->error.length == 0 && remarks->count == 0) {
        return;
    }
    for (uint32_t i = 0; i < run->told.count; i++) {
        if (run->told.items[i] == settings) {
            return;
        }
    }
    VEC_PUSH(run->arena, &run->told, settings);
    if (settings->error.length > 0) {
        notice_add_text(notices, STR(""), true, settings->error);
    }
    for (uint32_t i = 0; i < remarks->count; i++) {
        notice_add_text(notices, settings->config.path, false, remarks->items[i]);
    }
}

static void take_notices(Run *run, const Unit *unit)
{
    take_remarks(run, unit->settings);
    for (uint32_t i = 0; i < unit->notices.count; i++) {
        VEC_PUSH(run->arena, &run->result.notices, unit->notices.items[i]);
    }
    if (unit->out_of_memory) {
        notice_add(&run->result.notices, unit->shown_dir, true, "out of memory while checking this",
                   "检查时内存不足");
    }
}

/* An error that no finding shows decides the exit status. */
static void note_errors(RunResult *result)
{
    result->exit_status = notices_have_error(&result->notices) ? 2 : result->exit_status;
}

static void collect(Run *run)
{
    RunResult *result = &run->result;
    result->lang = run->request.who.lang;
    bool loose = false;
    for (uint32_t i = 0; i < run->units.count; i++) {
        Unit *unit = &run->units.items[i];
        take_notices(run, unit);
        if (unit->nothing) {
            continue;
        }
        if (is_failing(unit)) {
            result->exit_status = 1;
        }
        result->fail_on = unit->fail_on;
        result->fail_never = unit->fail_never;
        if (unit->loose) {
            merge_loose(run, unit);
            loose = true;
        } else {
            VEC_PUSH(run->arena, &result->operators, &unit->result);
        }
    }
    if (loose) {
        if (run->loose.rules.count > 1) {
            qsort(run->loose.rules.items, run->loose.rules.count, sizeof *run->loose.rules.items,
                  by_order);
        }
        VEC_PUSH(run->arena, &result->operators, &run->loose);
    }
    if (result->operators.count > 1) {
        qsort(result->operators.items, result->operators.count, sizeof *result->operators.items,
              by_dir);
    }
    note_errors(result);
}

Run *run_check(const Request *request, Plan *plan)
{
    Arena *arena = plan->arena;
    Run *run = ARENA_NEW(arena, Run);
    run->request = *request;
    run->plan = plan;
    run->arena = run->result.notices.arena = arena;
    request = &run->request;
    Str folder = plan_first_folder(arena, &request->what);
    const Settings *first = take_language(run, folder);
    run->max_file = config_file_limit(&first->config, request->who.hook != HOOK_NONE);
    bool good = filter_begin(&run->filter, request, &run->result.notices);
    if (good) {
        make_units(run);
        settle_units(run);
        notices_take_io_error(&run->result.notices);
        units_run(run->units.items, run->units.count, &run->request.who);
    }
    for (uint32_t i = 0; i < run->units.count; i++) {
        filter_unit(&run->filter, &run->units.items[i]);
    }
    if (good) {
        filter_end(&run->filter, run->units.count);
    }
    notices_take_io_error(&run->result.notices);
    collect(run);
    if (good && run->result.exit_status != 2) {
        filter_update(&run->filter);
        note_errors(&run->result);
    }
    if (!verdict_note(&run->result, arena, request)) {
        notice_add_text(&run->result.notices, STR(""), true, run->result.nothing);
        note_errors(&run->result);
    }
    return run;
}

/* Plans the comments of --add-suppressions; they are written like fixes. */
static uint32_t add_suppressions(Run *run)
{
    uint32_t refused = 0;
    for (uint32_t i = 0; i < run->units.count && run->request.what.add_suppressions; i++) {
        refused += suppressions_add(&run->units.items[i], run->request.what.reason);
    }
    return refused;
}

static bool fix_all(Fixing *fixing, Run *run)
{
    bool again = false;
    fixing->fixes.partial = false;
    for (uint32_t i = 0; i < run->units.count; i++) {
        again = fix_unit(fixing, &run->units.items[i]) || again;
    }
    return again;
}

Run *run_fix(const Request *request, Plan *plan, Fixes *fixes)
{
    Arena *arena = plan->arena;
    Fixing fixing = {.arena = arena, .request = request, .notices.arena = arena};
    Run *run = run_check(request, plan);
    fixing.notices.lang = run->result.lang;
    fixing.fixes.refused = add_suppressions(run);
    int round = 0;
    for (; round < FIX_ROUNDS && fix_all(&fixing, run); round++) {
        run_free(run);
        run = run_check(request, plan);
    }
    fixing.only_look = true;
    fixing.fixes.unfinished = round == FIX_ROUNDS && fix_all(&fixing, run);
    for (uint32_t i = 0; i < fixing.notices.count; i++) {
        VEC_PUSH(arena, &run->result.notices, fixing.notices.items[i]);
    }
    note_errors(&run->result);
    fixing_count_files(&fixing);
    *fixes = fixing.fixes;
    return run;
}

/* Further rounds for one text, whose first fixes are known; the operator around it is as on disk.
 * The result is that of the last lint. */
static Run *fix_text(Fixing *fixing, const Request *request, Plan *plan, FixedText *fixed)
{
    Request again = *request;
    TextSource text = {fixed->path, fixed->after};
    again.what.paths = (Strs){0};
    again.what.op_dir = again.what.file = STR("");
    again.what.text = &text;
    fixing->request = &again;
    Run *run = run_check(&again, plan);
    for (int round = 1; round < FIX_ROUNDS && fix_all(fixing, run); round++) {
        for (uint32_t i = 0; i < fixing->texts->count; i++) {
            const FixedText *one = &fixing->texts->items[i];
            text.text = str_equal(one->path, text.path) ? one->after : text.text;
        }
        run_free(run);
        run = run_check(&again, plan);
    }
    fixing->request = request;
    return run;
}

Run *run_fix_texts(const Request *request, Plan *plan, Fixes *fixes, FixedTexts *texts)
{
    Fixing fixing = {
        .arena = plan->arena, .request = request, .notices.arena = plan->arena, .texts = texts};
    Run *run = run_check(request, plan);
    fixing.notices.lang = run->result.lang;
    fix_all(&fixing, run);
    uint32_t first = texts->count;
    for (uint32_t i = 0; i < first; i++) {
        if (!str_ends(texts->items[i].path, STR(".py"))) {
            continue;
        }
        FixedText one = texts->items[i];
        Run *last = fix_text(&fixing, request, plan, &one);
        if (request->what.text != NULL) {
            run_free(run);
            run = last;
        } else {
            run_free(last);
        }
    }
    for (uint32_t i = 0; i < fixing.notices.count; i++) {
        VEC_PUSH(plan->arena, &run->result.notices, fixing.notices.items[i]);
    }
    note_errors(&run->result);
    fixing_count_files(&fixing);
    *fixes = fixing.fixes;
    return run;
}

const RunResult *run_result(const Run *run)
{
    return &run->result;
}

void run_free(Run *run)
{
    for (uint32_t i = 0; i < run->units.count; i++) {
        arena_free(&run->units.items[i].arena);
    }
}
