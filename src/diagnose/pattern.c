/* The tables of patterns, categories and code families; see pattern.h. */
#include "diagnose/pattern.h"

#include "harness/judge/advice_table.h"
#include "lint/product_codes.h"

#define NO_ROUTE ROUTE_OTHER

/* ORDER DIAGNOSIS_CATEGORY. `own`: the name of a category that `verify` does not have. */
static const struct {
    const char *own;
    VerdictCategory route;
    Category failure;
    Text turn;
} categories[DIAGNOSIS_CATEGORIES] = {
    {NULL, ROUTE_STRUCTURE, CATEGORY_STRUCTURAL, {"the kernel's author", "kernel 作者"}},
    {NULL, ROUTE_TILE_SHAPE, CATEGORY_RUNTIME, {"the kernel's author: tiles", "kernel 作者：tile"}},
    {NULL, ROUTE_LAYOUT, CATEGORY_STRUCTURAL, {"the kernel's author: layout", "kernel 作者：布局"}},
    {NULL,
     ROUTE_PRECISION,
     CATEGORY_PRECISION,
     {"the kernel's author: values", "kernel 作者：数值"}},
    {NULL, ROUTE_AICORE, CATEGORY_RUNTIME, {"debugging on the device", "设备侧调试"}},
    {NULL,
     ROUTE_WORKSPACE_OVERLAP,
     CATEGORY_RUNTIME,
     {"memory debugging on the device", "设备内存调试"}},
    {NULL, ROUTE_OOM, CATEGORY_RUNTIME, {"whoever chose the sizes", "确定规模的一方"}},
    {NULL, ROUTE_HOST_CRASH, CATEGORY_RUNTIME, {"debugging of the host process", "主机进程调试"}},
    {NULL, ROUTE_TIMEOUT, CATEGORY_RUNTIME, {"debugging of hangs", "卡死问题调试"}},
    {NULL, ROUTE_OTHER, CATEGORY_OTHER, {"whoever knows this program", "熟悉该程序的人"}},
    {"environment",
     NO_ROUTE,
     CATEGORY_INFRA,
     {"whoever installs the machine; the kernel is not judged", "环境维护者；不判定 kernel"}},
    {"device",
     NO_ROUTE,
     CATEGORY_INFRA,
     {"whoever runs the device; the kernel is not judged", "设备维护者；不判定 kernel"}},
    {"communication",
     NO_ROUTE,
     CATEGORY_INFRA,
     {"whoever runs the cluster; the kernel is not judged", "集群维护者；不判定 kernel"}},
};

const char *diagnosis_category_name(DiagnosisCategory category)
{
    const char *own = categories[category].own;
    return own != NULL ? own : verdict_category_name(categories[category].route);
}

const char *diagnosis_failure_name(DiagnosisCategory category)
{
    return category_name(categories[category].failure);
}

Text diagnosis_turn(DiagnosisCategory category)
{
    return categories[category].turn;
}

#define T(en, zh)                                                                                  \
    {                                                                                              \
        en, zh                                                                                     \
    }
enum { OPEN_CERTAIN, OPEN_NAMED, OPEN_LIKELY, OPEN_SYMPTOM };
#define PATTERN(id, category, strength, globs, page, cause, change, example)                       \
    {id,                                                                                           \
     DIAGNOSIS_##category,                                                                         \
     STRENGTH_##strength,                                                                          \
     globs,                                                                                        \
     page,                                                                                         \
     cause,                                                                                        \
     change,                                                                                       \
     LEVEL,                                                                                        \
     OPEN_##strength,                                                                              \
     NULL,                                                                                         \
     false},
#define CODE_PATTERN(id, category, strength, globs, page, example)                                 \
    {id,                                                                                           \
     DIAGNOSIS_##category,                                                                         \
     STRENGTH_##strength,                                                                          \
     globs,                                                                                        \
     page,                                                                                         \
     {NULL, NULL},                                                                                 \
     {NULL, NULL},                                                                                 \
     LEVEL,                                                                                        \
     OPEN_##strength,                                                                              \
     NULL,                                                                                         \
     false},
#define EVIDENCE(id, of, globs, cause, change, example)                                            \
    {id,     DIAGNOSIS_OTHER, STRENGTH_NONE, globs,      "",   cause,                              \
     change, ROW_EVIDENCE,    true,          " " of " ", false},
#define ROUTE_EVIDENCE(id, category, of, globs, cause, change, example)                            \
    {id,     DIAGNOSIS_##category, STRENGTH_NONE, globs,      "",  cause,                          \
     change, ROW_EVIDENCE,         true,          " " of " ", true},
const Pattern patterns[] = {
#include "diagnose/patterns.def"
};
#undef PATTERN
#undef EVIDENCE
#undef ROUTE_EVIDENCE
#undef CODE_PATTERN
const uint32_t pattern_count = sizeof patterns / sizeof *patterns;

#define FAMILY(prefix, meaning) {prefix, meaning},
static const CodeFamily families[] = {
#include "diagnose/code_families.def"
};

/* The code in the first glob of a row without texts. */
static Str code_of(const Pattern *pattern)
{
    enum { CODE_LENGTH = 6 };
    return str_slice(str_from(pattern->globs), 1, 1 + CODE_LENGTH);
}

Text pattern_cause(const Pattern *pattern)
{
    size_t at = 0;
    const ProductCode *code =
        pattern->cause.en == NULL ? product_code_find(code_of(pattern), &at) : NULL;
    return code == NULL ? pattern->cause : code->meaning;
}

Text pattern_change(const Pattern *pattern)
{
    const AdviceRow *row =
        pattern->change.en == NULL ? advice_row(ADVICE_CODE, code_of(pattern)) : NULL;
    return row == NULL ? pattern->change : row->advice;
}

const CodeFamily *code_family(Str code)
{
    const CodeFamily *best = NULL;
    size_t longest = 0;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        size_t length = strlen(families[i].prefix);
        if (length > longest && str_starts(code, str_from(families[i].prefix))) {
            best = &families[i];
            longest = length;
        }
    }
    return best;
}
