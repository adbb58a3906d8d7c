/* What the static evaluation knows of kernels, and how far it came: lines of text, members of
 * JSON. */
#include "report/report_kernels.h"

#include "report/terminal.h"

/* --- text */

static void add_type(Buf *out, const OperatorResult *op, const ShownType *type, Lang lang)
{
    place_add(out, full_path(out->arena, op, type->file), type->region);
    buf_add_char(out, ' ');
    terminal_add(out, type->name.length > 0 ? type->name : type->source);
    bool unknown = strcmp(type->kind, "unknown") == 0;
    buf_addf(out, ": %s", unknown ? words(lang, "unknown", "未知") : type->kind);
    if (strcmp(type->kind, "tensor") == 0) {
        Str unsaid = STR("?");
        buf_addf(out, " %.*s %.*s", STR_ARG((type->shape.length > 0 ? type->shape : unsaid)),
                 STR_ARG((type->dtype.length > 0 ? type->dtype : unsaid)));
    } else if (type->value.length > 0 && !str_is(type->value, type->kind)) {
        buf_add_char(out, ' ');
        terminal_add(out, type->value);
    }
    if (type->tile.length > 0) {
        buf_addf(out, "; tile %.*s", STR_ARG(type->tile));
    }
    if (type->ub > 0) {
        buf_addf(out, words(lang, "; UB %lld bytes", "；UB %lld 字节"), (long long)type->ub);
    }
    buf_add_char(out, '\n');
}

void kernel_types_add(Buf *out, const RunResult *result)
{
    for (uint32_t i = 0; i < result->operators.count; i++) {
        const OperatorResult *op = result->operators.items[i];
        for (uint32_t k = 0; op->semantics != NULL && k < op->semantics->types.count; k++) {
            add_type(out, op, &op->semantics->types.items[k], result->lang);
        }
    }
}

static unsigned percent(uint32_t part, uint32_t whole)
{
    return whole == 0 ? 0 : (unsigned)((uint64_t)part * 100 / whole);
}

static void add_unfinished(Buf *out, const OperatorResult *op, const UnfinishedKernel *kernel,
                           Lang lang)
{
    buf_add(out, STR("  "));
    place_add(out, full_path(out->arena, op, kernel->file), kernel->region);
    buf_addf(out,
             words(lang, ": kernel %.*s was not evaluated beyond this place: %s\n",
                   "：kernel %.*s 的求值止于此处：%s\n"),
             STR_ARG(kernel->name), text_in(lang, kernel->why));
}

void kernel_statistics_add(Buf *out, const RunResult *result)
{
    const KernelCounts sum = result_kernel_counts(result);
    if (sum.kernels + sum.unfinished == 0) {
        return;
    }
    Lang lang = result->lang;
    buf_addf(out,
             words(lang, "kernels: %u evaluated, %u of them ended early; %u launches known\n",
                   "kernel：求值 %u 个，其中 %u 个提前结束；已知调用 %u 个\n"),
             sum.kernels, sum.unfinished, sum.launches);
    buf_addf(out,
             words(lang,
                   "operations: %u; known of their tensors: dtype %u %%, rank %u %%, shape "
                   "%u %%\n",
                   "操作：%u 个；tensor 已知的比例：dtype %u %%，秩 %u %%，形状 %u %%\n"),
             sum.operations, percent(sum.dtype_known, sum.operations),
             percent(sum.rank_known, sum.operations), percent(sum.shape_known, sum.operations));
    for (uint32_t i = 0; i < result->operators.count; i++) {
        const OperatorResult *op = result->operators.items[i];
        for (uint32_t k = 0; op->semantics != NULL && k < op->semantics->unfinished.count; k++) {
            add_unfinished(out, op, &op->semantics->unfinished.items[k], lang);
        }
    }
}

/* --- JSON */

static void region_members(JsonTree *tree, json_t *object, Region region)
{
    json_put(tree, object, "line", json_integer(region.line));
    json_put(tree, object, "column", json_integer(region.column));
    json_put(tree, object, "end_line", json_integer(region.end_line));
    json_put(tree, object, "end_column", json_integer(region.end_column));
}

/* A text, or null for what is not known. */
static void known_member(JsonTree *tree, json_t *object, const char *key, Str text)
{
    json_put(tree, object, key, text.length > 0 ? json_text(text) : json_null());
}

static json_t *type_value(JsonTree *tree, const ShownType *type)
{
    json_t *object = json_object();
    json_put(tree, object, "file", json_text(type->file));
    region_members(tree, object, type->region);
    if (type->name.length > 0) {
        json_put(tree, object, "name", json_text(type->name));
    } else {
        json_put(tree, object, "call", json_text(type->source));
    }
    json_put(tree, object, "kind", json_string(type->kind));
    known_member(tree, object, "shape", type->shape);
    known_member(tree, object, "dtype", type->dtype);
    known_member(tree, object, "value", type->value);
    known_member(tree, object, "tile", type->tile);
    json_put(tree, object, "ub_bytes", type->ub > 0 ? json_integer(type->ub) : json_null());
    return object;
}

static json_t *unfinished_value(JsonTree *tree, const UnfinishedKernel *kernel, Lang lang)
{
    json_t *object = json_object();
    json_put(tree, object, "kernel", json_text(kernel->name));
    json_put(tree, object, "file", json_text(kernel->file));
    region_members(tree, object, kernel->region);
    json_put(tree, object, "reason", json_string(text_in(lang, kernel->why)));
    return object;
}

void kernel_json_add(JsonTree *tree, json_t *object, const SemanticsSummary *summary, Lang lang,
                     bool statistics)
{
    if (summary == NULL) {
        return;
    }
    if (statistics) {
        const KernelCounts *counts = &summary->counts;
        json_t *value = json_object();
        json_t *unfinished = json_array();
        json_put(tree, value, "kernels", json_integer(counts->kernels));
        json_put(tree, value, "ended_early", json_integer(counts->unfinished));
        json_put(tree, value, "launches", json_integer(counts->launches));
        json_put(tree, value, "operations", json_integer(counts->operations));
        json_put(tree, value, "dtype_known", json_integer(counts->dtype_known));
        json_put(tree, value, "rank_known", json_integer(counts->rank_known));
        json_put(tree, value, "shape_known", json_integer(counts->shape_known));
        for (uint32_t i = 0; i < summary->unfinished.count; i++) {
            json_append(tree, unfinished,
                        unfinished_value(tree, &summary->unfinished.items[i], lang));
        }
        json_put(tree, value, "unfinished", unfinished);
        json_put(tree, object, "semantics", value);
    }
    if (summary->types.count > 0) {
        json_t *types = json_array();
        for (uint32_t i = 0; i < summary->types.count; i++) {
            json_append(tree, types, type_value(tree, &summary->types.items[i]));
        }
        json_put(tree, object, "types", types);
    }
}
