/* The version for a project; see project_product.h. */
#include "lint/project_product.h"

#include "lint/settings.h"

ProjectProduct project_product(Arena *arena, Str folder, Str option, Str python, Lang lang)
{
    ProjectProduct made = {.error = STR("")};
    Config config = {0};
    Str absolute = settings_folder(arena, folder);
    if (!config_find(&config, arena, absolute, lang, &made.error)) {
        config = (Config){0};
    }
    made.installed = product_installed(arena, absolute, python);
    made.product = product_choose(option, config.pypto, config.path, made.installed);
    return made;
}

Str installed_remark(Arena *arena, const InstalledProduct *installed, Lang lang)
{
    if (installed == NULL || !installed->is_other) {
        return STR("");
    }
    Text text = {"the installed PyPTO is %.*s, which is not known here: it is taken for %s",
                 "已安装的 PyPTO 版本为 %.*s，本工具不了解该版本，按 %s 处理"};
    return str_format(arena, text_in(lang, text), STR_ARG(installed->number),
                      product_version_names[installed->version]);
}
