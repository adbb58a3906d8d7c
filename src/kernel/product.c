/* Product: which version counts; see product.h. */
#include "kernel/product.h"

#include "base/version.h"

#include <stdlib.h>

/* ORDER PRODUCT_VERSION: product.h. */
const char *const product_version_names[] = {"9.1", "9.2"};

bool product_version_read(Str text, ProductVersion *version)
{
    for (int i = PRODUCT_9_1; i <= PRODUCT_9_2; i++) {
        if (str_is(text, product_version_names[i])) {
            *version = (ProductVersion)i;
            return true;
        }
    }
    return false;
}

/* A number at `*at`, at most four digits. */
static bool read_number(Str text, size_t *at, unsigned *number)
{
    size_t start = *at;
    *number = 0;
    while (*at < text.length && *at - start < 4 && text.at[*at] >= '0' && text.at[*at] <= '9') {
        *number = *number * 10 + (unsigned)(text.at[(*at)++] - '0');
    }
    return *at > start;
}

bool product_version_nearest(Str number, ProductVersion *version, bool *is_other)
{
    size_t at = 0;
    unsigned major, minor = 0;
    if (!read_number(number, &at, &major)) {
        return false;
    }
    if (at < number.length && number.at[at] == '.') {
        at++;
        if (!read_number(number, &at, &minor)) {
            return false;
        }
    }
    *version = major > 9 || (major == 9 && minor >= 2) ? PRODUCT_9_2 : PRODUCT_9_1;
    *is_other = major != 9 || minor < 1 || minor > 2;
    return true;
}

Product product_choose(Str option, Str setting, Str settings, const InstalledProduct *installed)
{
    const char *variable = getenv("PTOSIM_PYPTO");
    Product product = {.version = PRODUCT_9_2};
    bool is_other;
    if (product_version_read(option, &product.version)) {
        product.source = PRODUCT_OPTION;
    } else if (variable != NULL &&
               product_version_nearest(str_from(variable), &product.version, &is_other)) {
        product.source = PRODUCT_VARIABLE;
    } else if (product_version_read(setting, &product.version)) {
        product.source = PRODUCT_SETTING;
        product.place = settings;
    } else if (installed != NULL) {
        product.version = installed->version;
        product.source = PRODUCT_INSTALLED;
        product.place = installed->place;
        product.old_front_end = installed->old_front_end;
    }
    return product;
}

Str product_text(Arena *arena, const Product *product, bool zh)
{
    const char *name = product_version_names[product->version];
    switch (product->source) {
    case PRODUCT_OPTION:
        return str_format(arena, zh ? "%s（--pypto）" : "%s (--pypto)", name);
    case PRODUCT_VARIABLE:
        return str_format(
            arena, zh ? "%s（环境变量 PTOSIM_PYPTO）" : "%s (PTOSIM_PYPTO in the environment)",
            name);
    case PRODUCT_SETTING:
        return str_format(arena, zh ? "%s（%.*s 中的 pypto）" : "%s (pypto in %.*s)", name,
                          STR_ARG(product->place));
    case PRODUCT_INSTALLED:
        return str_format(arena, zh ? "%s%s（已安装：%.*s）" : "%s%s (installed: %.*s)", name,
                          !product->old_front_end ? ""
                          : zh                    ? "，前端默认为 9.1"
                                                  : " with the front end of 9.1 by default",
                          STR_ARG(product->place));
    default:
        return str_format(arena,
                          zh ? "%s（未设置版本，也没有找到已安装的包：取最新的已知版本）"
                             : "%s (the newest one described: no version is set, no package found)",
                          name);
    }
}
