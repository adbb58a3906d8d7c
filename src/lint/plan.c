/* Plan; see plan.h. */
#include "lint/plan.h"

#include "base/path.h"

Str plan_first_folder(Arena *arena, const Question *what)
{
    if (what->op_dir.length > 0) {
        return what->op_dir;
    }
    Str first = what->text != NULL ? what->text->path : STR("");
    for (uint32_t i = 0; i < what->paths.count; i++) {
        Str path = what->paths.items[i];
        if (first.length == 0 || str_compare(path, first) < 0) {
            first = path;
        }
    }
    if (first.length == 0 || file_is_directory(str_dup(arena, first))) {
        return first.length == 0 ? STR(".") : first;
    }
    return path_parent(first);
}

void plan_begin(Plan *plan, Arena *arena, const Caller *who)
{
    *plan = (Plan){.arena = arena, .no_config = who->no_config};
    if (who->config.length > 0 && !who->no_config) {
        plan->named = ARENA_NEW(arena, SettingsFile);
        config_open(&plan->named->file, arena, who->config, false);
    }
}

/* The file in this very folder, or NULL. */
static SettingsFile *open_in(Arena *arena, Str folder)
{
    SettingsFile *found = ARENA_NEW(arena, SettingsFile);
    config_open(&found->file, arena, path_join(arena, folder, STR(CONFIG_FILE_NAME)), true);
    if (found->file.status != FILE_MISSING) {
        return found;
    }
    config_open(&found->file, arena, path_join(arena, folder, STR(CONFIG_PROJECT_FILE)), true);
    return config_is_foreign(&found->file) ? NULL : found;
}

/* The nearest file from a folder (absolute) upwards; all folders on the way are known then. */
static SettingsFile *nearest(Plan *plan, Str folder)
{
    SettingsFile *found = NULL;
    uint32_t first = plan->files.count;
    for (Str at = folder; found == NULL && at.length > 0; at = path_folder(at)) {
        uint32_t number = map_find(&plan->folders, at);
        if (number != MAP_NONE) {
            found = plan->files.items[number];
            break;
        }
        map_add(&plan->folders, plan->arena, at);
        VEC_PUSH(plan->arena, &plan->files, NULL);
        found = open_in(plan->arena, at);
    }
    for (uint32_t i = first; i < plan->files.count; i++) {
        plan->files.items[i] = found;
    }
    return found;
}

static SettingsFile *file_of(Plan *plan, Str folder)
{
    if (plan->named != NULL) {
        return plan->named;
    }
    uint32_t number = map_find(&plan->folders, folder);
    if (number != MAP_NONE) {
        return plan->files.items[number];
    }
    SettingsFile *file = nearest(plan, path_resolved(plan->arena, folder));
    if (map_find(&plan->folders, folder) == MAP_NONE) {
        map_add(&plan->folders, plan->arena, folder);
        VEC_PUSH(plan->arena, &plan->files, file);
    }
    return file;
}

const Settings *plan_settings(Plan *plan, Str folder, Lang lang)
{
    static const Settings none = {0};
    SettingsFile *file = plan->no_config ? NULL : file_of(plan, folder);
    if (file == NULL) {
        return &none;
    }
    if (file->said[lang] == NULL) {
        Settings *settings = ARENA_NEW(plan->arena, Settings);
        settings->error = STR("");
        config_read(&settings->config, plan->arena, &file->file, lang, &settings->error);
        file->said[lang] = settings;
    }
    return file->said[lang];
}

const OperatorState *plan_state(Plan *plan, Str dir)
{
    uint32_t number = map_find(&plan->operators, dir);
    if (number == MAP_NONE) {
        OperatorState *state = ARENA_NEW(plan->arena, OperatorState);
        *state = state_read(plan->arena, dir);
        number = map_add(&plan->operators, plan->arena, dir);
        VEC_PUSH(plan->arena, &plan->states, state);
    }
    return plan->states.items[number];
}

void plan_forget_states(Plan *plan)
{
    plan->operators = (Map){0};
    plan->states.count = 0;
}

/* What a tree of projects can make us look at: beyond, environments of a folder do not count. */
enum { MAX_LOOKUPS = 16, MAX_LEVELS = 32 };

static ProjectPlace *project_at(Plan *plan, Str folder, ProjectPlace *above)
{
    uint32_t number = map_find(&plan->project_folders, folder);
    if (number != MAP_NONE) {
        return plan->projects.items[number];
    }
    Strs own = {0};
    product_environments(plan->arena, folder, &own);
    ProjectPlace *place = above;
    if (above == NULL || own.count > 0) {
        place = ARENA_NEW(plan->arena, ProjectPlace);
        for (uint32_t i = 0; above != NULL && i < above->environments.count; i++) {
            VEC_PUSH(plan->arena, &own, above->environments.items[i]);
        }
        place->environments = own;
    }
    map_add(&plan->project_folders, plan->arena, folder);
    VEC_PUSH(plan->arena, &plan->projects, place);
    return place;
}

/* From the root down to the folder, so that each one's environments are looked for once. */
static ProjectPlace *project_of(Plan *plan, Str folder)
{
    ProjectPlace *place = project_at(plan, STR("/"), NULL);
    size_t at = folder.length > 0 && folder.at[0] == '/' ? 1 : 0;
    for (int level = 1; level < MAX_LEVELS && at < folder.length; level++) {
        size_t end = str_find(folder, STR("/"), at);
        end = end == SIZE_MAX ? folder.length : end;
        place = project_at(plan, str_copy(plan->arena, str_slice(folder, 0, end)), place);
        at = end + 1;
    }
    return place;
}

const InstalledProduct *plan_installed(Plan *plan, Str folder, Str python)
{
    Str real = path_real(plan->arena, folder);
    Str absolute = real.length > 0 ? real : path_absolute(plan->arena, folder);
    ProjectPlace *place = project_of(plan, absolute);
    if (!place->installed_known && plan->lookups >= MAX_LOOKUPS) {
        place = project_at(plan, STR("/"), NULL);
    }
    if (!place->installed_known) {
        plan->lookups++;
        place->installed_known = true;
        place->installed = product_installed(plan->arena, &place->environments, python);
    }
    return place->installed;
}
