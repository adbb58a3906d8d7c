/* Configuration: finding and reading the file; what its keys mean is in config_schema.c. */
#include "lint/config.h"

#include "base/fence.h"
#include "base/path.h"
#include "lint/config_schema.h"
#include "lint/gitignore.h"
#include "operator/yaml_value.h"

static Str text_of(Lang lang, const char *en, const char *zh)
{
    return str_from(lang == LANG_ZH ? zh : en);
}

/* Reads and checks one text. */
static bool read_text(Config *config, Arena *arena, Str text, Lang lang, Str *error)
{
    YamlResult yaml = yaml_settings_read(arena, text);
    uint32_t line = yaml.line;
    Str message = lang == LANG_ZH ? yaml.error_zh : yaml.error;
    if (yaml.ok && config_from_tree(config, arena, yaml.value, lang, &line, &message)) {
        return true;
    }
    *error = str_format(arena, "%.*s:%u: %.*s", STR_ARG(config->path), line, STR_ARG(message));
    return false;
}

/* Reads the file at `path`, which must not leave `fence` when there is one. FILE_MISSING is for the
 * caller to judge; other failures are described. */
static FileStatus read_file(Config *config, Arena *arena, Str path, Str fence, Lang lang,
                            Str *error)
{
    Str text;
    Str reason = STR("");
    *config = (Config){.path = path, .folder = path_folder(path_absolute(arena, path))};
    const char *name = str_dup(arena, path);
    FileStatus status = fence.length == 0
                            ? file_read(arena, name, CONFIG_MAX_BYTES, &text, &reason)
                            : fence_read(arena, fence, name, CONFIG_MAX_BYTES, &text, &reason);
    if (status == FILE_OK) {
        return read_text(config, arena, text, lang, error) ? FILE_OK : FILE_ERROR;
    }
    if (status == FILE_TOO_LARGE) {
        reason = text_of(lang, "longer than 64 KiB", "超过 64 KiB");
    } else if (status == FILE_NOT_REGULAR) {
        reason = text_of(lang, "not a regular file", "不是普通文件");
    }
    *error =
        str_format(arena, "%.*s:1: %s: %.*s", STR_ARG(path),
                   lang == LANG_ZH ? "无法读取设置" : "cannot read the settings", STR_ARG(reason));
    return status;
}

bool config_find(Config *config, Arena *arena, Str dir, Lang lang, Str *error)
{
    for (Str folder = dir;; folder = path_folder(folder)) {
        Str path = path_join(arena, folder, STR(CONFIG_FILE_NAME));
        Str fence = file_exists(path.at) ? fence_of(arena, folder) : folder;
        FileStatus status = read_file(config, arena, path, fence, lang, error);
        if (status == FILE_OK) {
            return true;
        }
        if (status != FILE_MISSING) {
            return false;
        }
        if (folder.length <= 1) {
            break;
        }
    }
    *config = (Config){0};
    *error = STR("");
    return true;
}

bool config_read(Config *config, Arena *arena, Str path, Lang lang, Str *error)
{
    return read_file(config, arena, path, STR(""), lang, error) == FILE_OK;
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
