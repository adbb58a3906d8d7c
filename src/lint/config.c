/* Configuration: reading the file; what its keys mean is in config_schema.c. */
#include "lint/config.h"

#include "base/fence.h"
#include "base/path.h"
#include "lint/config_schema.h"
#include "lint/gitignore.h"
#include "operator/toml_value.h"

static bool is_project_file(Str path)
{
    return str_ends(path, STR(".toml"));
}

/* The settings of a TOML file are the table of the program, those of another file all of it. */
static YamlResult read_tree(Arena *arena, Str path, Str text)
{
    static const char *const table[] = {"tool", "pypto-lint", NULL};
    if (!is_project_file(path)) {
        return yaml_settings_read(arena, text);
    }
    if (!str_contains(text, STR("pypto-lint"))) {
        return (YamlResult){.ok = true}; /* whatever is in it, it is not for us */
    }
    return toml_settings_read(arena, text, table);
}

bool config_is_foreign(const ConfigFile *file)
{
    return is_project_file(file->path) &&
           (file->status == FILE_MISSING || file->status == FILE_NOT_REGULAR ||
            (file->status == FILE_OK && file->yaml.ok && file->yaml.value == NULL));
}

void config_open(ConfigFile *file, Arena *arena, Str path, bool fenced)
{
    *file = (ConfigFile){.path = path, .reason = STR("")};
    const char *name = str_dup(arena, path);
    size_t limit = is_project_file(path) ? CONFIG_MAX_PROJECT_BYTES : CONFIG_MAX_BYTES;
    Str text;
    if (fenced) {
        Str folder = path_folder(path);
        Str fence = file_exists(name) ? fence_of(arena, folder) : folder;
        file->status = fence_read(arena, fence, name, limit, &text, &file->reason);
    } else {
        file->status = file_read(arena, name, limit, &text, &file->reason);
    }
    if (file->status == FILE_OK) {
        file->yaml = read_tree(arena, path, text);
    }
}

/* Why a file has no text. */
static Str reading_error(Arena *arena, const ConfigFile *file, Lang lang)
{
    Text large = {"longer than 64 KiB", "超过 64 KiB"};
    if (is_project_file(file->path)) {
        large = (Text){"longer than 1 MiB", "超过 1 MiB"};
    }
    Text irregular = {"not a regular file", "不是普通文件"};
    Text failed = {"cannot read the settings", "无法读取设置"};
    Str reason = file->status == FILE_TOO_LARGE     ? str_from(text_in(lang, large))
                 : file->status == FILE_NOT_REGULAR ? str_from(text_in(lang, irregular))
                                                    : file->reason;
    return str_format(arena, "%s: %.*s", text_in(lang, failed), STR_ARG(reason));
}

bool config_read(Config *config, Arena *arena, const ConfigFile *file, Lang lang, Str *error)
{
    *config = (Config){.path = file->path, .folder = path_folder(path_absolute(arena, file->path))};
    uint32_t line = 1;
    Str message;
    if (file->status != FILE_OK) {
        message = reading_error(arena, file, lang);
    } else if (!file->yaml.ok) {
        line = file->yaml.line;
        message = lang == LANG_ZH ? file->yaml.error_zh : file->yaml.error;
    } else if (config_from_tree(config, arena, file->yaml.value, lang, &line, &message)) {
        return true;
    }
    *config = (Config){.path = file->path};
    *error = str_format(arena, "%.*s:%u: %.*s", STR_ARG(file->path), line, STR_ARG(message));
    return false;
}

/* Does the pattern match the file or one of the folders above it? */
static bool pattern_holds(Str pattern, Str path)
{
    IgnorePattern parsed;
    if (!ignore_pattern_read(&parsed, pattern)) {
        return false;
    }
    if (ignore_pattern_matches(&parsed, path, false)) {
        return true;
    }
    for (Str folder = path_folder(path); folder.length > 0; folder = path_folder(folder)) {
        if (ignore_pattern_matches(&parsed, folder, true)) {
            return true;
        }
    }
    return false;
}

bool config_path_ignores(const Config *config, Str path, const Rule *rule)
{
    Str relative;
    if (config->per_path.count == 0 || !path_below(config->folder, path, &relative)) {
        return false;
    }
    for (uint32_t i = 0; i < config->per_path.count; i++) {
        const PathRules *entry = &config->per_path.items[i];
        bool names_rule = false;
        for (uint32_t j = 0; j < entry->ignore.count && !names_rule; j++) {
            names_rule = selector_matches(entry->ignore.items[j], rule);
        }
        if (names_rule && pattern_holds(entry->pattern, relative)) {
            return true;
        }
    }
    return false;
}
