/* The version for a project; see project_product.h. */
#include "lint/project_product.h"

#include "lint/plan.h"

ProjectProduct project_product(Arena *arena, Str folder, Str option, Str python, Lang lang)
{
    Plan plan;
    plan_begin(&plan, arena, &(Caller){0});
    const Settings *settings = plan_settings(&plan, folder, lang);
    const InstalledProduct *installed = plan_installed(&plan, folder, python);
    const Config *config = &settings->config;
    return (ProjectProduct){product_choose(option, config->pypto, config->path, installed),
                            installed, settings->error};
}

Str installed_remark(Arena *arena, const InstalledProduct *installed, Lang lang)
{
    if (installed == NULL || !installed->is_other) {
        return STR("");
    }
    Text text = {"the installed PyPTO is %.*s, which is not known here: it is treated as %s",
                 "已安装的 PyPTO 版本为 %.*s，本工具不了解该版本，按 %s 处理"};
    return str_format(arena, text_in(lang, text), STR_ARG(installed->number),
                      product_version_names[installed->version]);
}
