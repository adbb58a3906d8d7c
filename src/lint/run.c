/* Run: from a request to units of work, over worker threads, to one sorted result. */
#include "base/io_error.h"
#include "base/path.h"
#include "lint/discover.h"
#include "lint/project_product.h"
#include "lint/run_parts.h"
#include "lint/verdict.h"
#include "lint/workers.h"

#include <errno.h>
#include <unistd.h>

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

/* The installed package whose names count as existing. The Python linter asks the interpreter;
 * where its verdicts are wanted, the built-in list takes the place of that. */
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

/* --- the run */

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
    run_collect(run);
    if (good && run->result.exit_status != 2) {
        filter_update(&run->filter);
        run_note_errors(&run->result);
    }
    if (!verdict_note(&run->result, arena, request)) {
        notice_add_text(&run->result.notices, STR(""), true, run->result.nothing);
        run_note_errors(&run->result);
    }
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
