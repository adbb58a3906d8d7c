/* Settings of a run. A report is in one language, so it is settled before the first message. */
#include "lint/settings.h"

#include "base/path.h"

Str settings_folder(Arena *arena, Str folder)
{
    Str real = path_real(arena, folder);
    return real.length > 0 ? real : path_absolute(arena, folder);
}

bool settings_read(Config *config, Arena *arena, const Request *request, Str folder, Str *error)
{
    *config = (Config){0};
    *error = STR("");
    if (request->no_config) {
        return true;
    }
    return request->config.length > 0
               ? config_read(config, arena, request->config, request->lang, error)
               : config_find(config, arena, settings_folder(arena, folder), request->lang, error);
}

Str settings_first_folder(Arena *arena, const Request *request)
{
    if (request->op_dir.length > 0) {
        return request->op_dir;
    }
    Str first = request->text != NULL ? request->text->path : STR("");
    for (uint32_t i = 0; i < request->paths.count; i++) {
        Str path = request->paths.items[i];
        if (first.length == 0 || str_compare(path, first) < 0) {
            first = path;
        }
    }
    if (first.length == 0 || file_is_directory(str_dup(arena, first))) {
        return first.length == 0 ? STR(".") : first;
    }
    Str folder = path_folder(first);
    return folder.length == 0 ? STR(".") : folder;
}

size_t settings_apply(Request *request, Arena *arena, Str folder)
{
    Config config;
    Str error;
    if (!settings_read(&config, arena, request, folder, &error)) {
        return CONFIG_DEFAULT_FILE_SIZE;
    }
    if (!request->has_lang && config.has_lang) {
        request->lang = config.lang;
        request->has_lang = true;
    }
    return config_file_limit(&config, request->hook != HOOK_NONE);
}
