/* Run: from a request to units of work, over worker threads, to one sorted result. */
#include "base/io_error.h"
#include "base/path.h"
#include "lint/discover.h"
#include "lint/engine.h"
#include "lint/filter.h"
#include "lint/fix.h"
#include "lint/project_product.h"
#include "lint/settings.h"
#include "lint/verdict.h"
#include "lint/workers.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

typedef VEC(Unit) Units;

struct Run {
    Request request; /* with the language of the run */
    Arena *arena;
    size_t max_file; /* bytes, for discovery */
    Units units;
    RunResult result;
    Notices shared; /* those about the configuration, each once */
    OperatorResult loose;
    Filter filter;
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
    unit.dir = (Str){str_dup(run->arena, folder), folder.length};
    unit.shown_dir = unit.dir;
    unit.file = path_basename(path);
    add_unit(run, unit);
}

static void add_error(Run *run, Str file, Str message)
{
    Notice notice = {file, message, true};
    VEC_PUSH(run->arena, &run->result.notices, notice);
}

/* What the system refused this thread, unless the run is known to have failed. */
static void note_io_error(Run *run)
{
    for (uint32_t i = 0; i < run->result.notices.count; i++) {
        if (run->result.notices.items[i].is_error) {
            io_error_drop();
        }
    }
    Str path;
    Str reason;
    if (io_error_take(run->arena, &path, &reason)) {
        add_error(run, path, reason);
    }
}

static Str without_slash(Str path)
{
    while (path.length > 1 && path.at[path.length - 1] == '/') {
        path.length--;
    }
    return path;
}

static void add_operator_dir(Run *run, Str dir, Str file)
{
    Str clean = without_slash(dir);
    clean = (Str){str_dup(run->arena, clean), clean.length};
    if (!file_is_directory(clean.at) && !run->request.upstream) {
        add_error(
            run, clean,
            str_from(text_in(run->request.lang, (Text){"no such directory", "没有这个目录"})));
        return;
    }
    Str place = file.length > 0 ? path_join(run->arena, clean, file) : clean;
    if (filter_wants(&run->filter, place, file.length == 0)) {
        bool absolute = run->request.hook != HOOK_NONE; /* editors' paths are */
        Str shown = absolute ? clean : path_from_here(run->arena, clean);
        add_unit(run, (Unit){.dir = clean, .shown_dir = shown, .file = file});
    }
}

/* Text from standard input belongs to the operator directory of its name, if that is one. */
static void add_text(Run *run, const TextSource *text)
{
    char cwd[4096];
    Str path = text->path;
    if (path.at[0] != '/' && getcwd(cwd, sizeof cwd) != NULL) {
        path = path_join(run->arena, str_from(cwd), path);
    } else if (path.at[0] != '/') {
        io_error_note(NULL, errno);
    }
    Str dir = run->request.op_dir; /* for a text, only the harness gives it */
    Str name;
    bool given = dir.length > 0 && str_starts(path, dir) && path.at[dir.length] == '/';
    if ((given || operator_of_file(run->arena, path, &dir, &name)) &&
        path.length > dir.length + 1) {
        Unit unit = {.dir = {str_dup(run->arena, dir), dir.length}, .text = text};
        unit.file = str_slice(path, dir.length + 1, path.length);
        unit.shown_dir = unit.dir;
        Str shown = without_slash(str_slice(text->path, 0, text->path.length - unit.file.length));
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
    const Request *request = &run->request;
    Discovered found;
    /* Git says what has changed; of the files that it ignores, it reports only tracked ones. */
    bool filtered = request->staged || request->changed_since.length > 0;
    DiscoverOptions options = {.lang = request->lang,
                               .max_file = run->max_file,
                               .whole = request->whole_operators,
                               .with_ignored = filtered};
    discover(&found, run->arena, request->paths, options, &run->result.notices);
    for (uint32_t i = 0; i < found.count; i++) {
        const DiscoveredItem *item = &found.items[i];
        if (item->kind == DISCOVERED_FILE) {
            add_loose(run, item->path, item->named, NULL);
        } else if (item->whole) {
            add_operator_dir(run, item->path, request->file);
        } else {
            for (uint32_t j = 0; j < item->files.count; j++) {
                add_operator_dir(run, item->path, item->files.items[j]);
            }
        }
    }
}

static void make_units(Run *run)
{
    const Request *request = &run->request;
    if (request->text != NULL) {
        add_text(run, request->text);
    }
    if (request->op_dir.length > 0 && request->text == NULL) {
        add_operator_dir(run, request->op_dir, request->file);
    } else if (request->paths.count > 0 || request->text == NULL) {
        add_discovered(run);
    }
}

/* The first operator decides when the first place named says nothing. */
static void settle_language(Run *run)
{
    uint32_t first = 0;
    while (first < run->units.count && run->units.items[first].loose) {
        first++;
    }
    first = first == run->units.count ? 0 : first;
    if (run->units.count > 0 && !run->request.has_lang) {
        Str dir = run->units.items[first].dir;
        if (!str_equal(dir, settings_first_folder(run->arena, &run->request))) {
            settings_apply(&run->request, run->arena, dir);
        }
    }
    run->request.has_lang = true;
}

/* --- the result */

static void merge_loose(Run *run, const Unit *unit)
{
    OperatorResult *all = &run->loose;
    all->loose = true;
    all->op_name = STR("");
    all->op_dir = STR(".");
    all->stage = unit->result.stage > all->stage ? unit->result.stage : all->stage;
    all->files += unit->result.files;
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
        while (at < all->rules.count && all->rules.items[at].rule != rule->rule) {
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
    bool holds = request->gate && !request->upstream && rule->holds_gate && rule->severity > S1;
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

static bool is_known(const Notices *notices, const Notice *notice)
{
    for (uint32_t i = 0; i < notices->count; i++) {
        if (str_equal(notices->items[i].message, notice->message) &&
            str_equal(notices->items[i].file, notice->file)) {
            return true;
        }
    }
    return false;
}

static void take_notices(Run *run, const Unit *unit)
{
    for (uint32_t i = 0; i < unit->notices.count; i++) {
        const Notice *notice = &unit->notices.items[i];
        bool shared = i < unit->shared_notices;
        if (shared && is_known(&run->shared, notice)) {
            continue;
        }
        if (shared) {
            VEC_PUSH(run->arena, &run->shared, *notice);
        }
        VEC_PUSH(run->arena, &run->result.notices, *notice);
    }
    if (unit->out_of_memory) {
        Text text = {"out of memory while checking this", "检查时内存不足"};
        add_error(run, unit->shown_dir, str_from(text_in(run->request.lang, text)));
    }
}

/* An error that no finding shows decides the exit status. */
static void note_errors(RunResult *result)
{
    for (uint32_t i = 0; i < result->notices.count; i++) {
        if (result->notices.items[i].is_error) {
            result->exit_status = 2;
        }
    }
}

static void collect(Run *run)
{
    RunResult *result = &run->result;
    result->lang = run->request.lang;
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

/* Whose names exist. The Python linter asks the interpreter; where its verdicts are wanted, the
 * list that is built in stands for that. */
static void find_product(Run *run, Str folder)
{
    if (run->request.upstream) {
        return;
    }
    Str absolute = settings_folder(run->arena, folder);
    run->request.installed = product_installed(run->arena, absolute, run->request.python);
    Str remark = installed_remark(run->arena, run->request.installed, run->request.lang);
    if (remark.length > 0) {
        Notice notice = {run->request.installed->place, remark, false};
        VEC_PUSH(run->arena, &run->result.notices, notice);
    }
}

Run *run_check(const Request *request, Arena *arena)
{
    Run *run = ARENA_NEW(arena, Run);
    run->request = *request;
    run->arena = arena;
    request = &run->request;
    Str first = settings_first_folder(arena, request);
    run->max_file = settings_apply(&run->request, arena, first);
    find_product(run, first);
    bool good = filter_begin(&run->filter, arena, request, &run->result.notices);
    if (good) {
        make_units(run);
        settle_language(run);
        note_io_error(run);
        units_run(run->units.items, run->units.count, run->request.jobs);
    }
    for (uint32_t i = 0; i < run->units.count; i++) {
        filter_unit(&run->filter, &run->units.items[i]);
    }
    if (good) {
        filter_end(&run->filter, run->units.count);
    }
    note_io_error(run);
    collect(run);
    if (good && run->result.exit_status != 2) {
        filter_update(&run->filter);
        note_errors(&run->result);
    }
    if (!verdict_note(&run->result, arena, request)) {
        add_error(run, STR(""), run->result.nothing);
        note_errors(&run->result);
    }
    return run;
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

Run *run_fix(const Request *request, Arena *arena, Fixes *fixes)
{
    Fixing fixing = {.arena = arena, .request = request};
    Run *run = run_check(request, arena);
    for (int round = 0; round < FIX_ROUNDS && fix_all(&fixing, run); round++) {
        run_free(run);
        run = run_check(request, arena);
    }
    fixing.only_look = true;
    fixing.fixes.unfinished = fix_all(&fixing, run);
    for (uint32_t i = 0; i < fixing.notices.count; i++) {
        VEC_PUSH(arena, &run->result.notices, fixing.notices.items[i]);
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
