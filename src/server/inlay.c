/* Inlay hints: the shape and data type of a tensor after the name that it is assigned to. */
#include "server/linting.h"

static void add_hint(Work *work, Buf *out, Position place, const ShownType *type)
{
    Buf label = {.arena = work->arena};
    buf_addf(&label, ": %.*s %.*s", STR_ARG(type->shape),
             STR_ARG(str_slice(type->dtype, str_starts(type->dtype, STR("DT_")) ? 3 : 0,
                               type->dtype.length)));
    buf_add(out, out->at[out->length - 1] == '[' ? STR("{") : STR(",{"));
    buf_addf(out, "\"position\":{\"line\":%u,\"character\":%u},\"kind\":1,\"label\":", place.line,
             place.character);
    json_add_string(out, str_trim(buf_str(&label)));
    buf_add_char(out, '}');
}

void inlay_job(Work *work)
{
    buf_add(work->out, STR("["));
    if (work->facts->inlay_hints) {
        Strs paths = {0};
        Linting linting;
        Range wanted = work_range(work->params, "range");
        VEC_PUSH(work->arena, &paths, work->path);
        Request request = linting_request(work, paths);
        request.what.show_types = true;
        linting_begin(&linting, work, &request);
        for (uint32_t i = 0; i < linting.result->operators.count; i++) {
            const OperatorResult *op = linting.result->operators.items[i];
            for (uint32_t k = 0; op->semantics != NULL && k < op->semantics->types.count; k++) {
                const ShownType *type = &op->semantics->types.items[k];
                Str path = linting_path(&linting, op, type->file);
                bool tensor = type->name.length > 0 && strcmp(type->kind, "tensor") == 0 &&
                              type->shape.length + type->dtype.length > 0 &&
                              !str_contains(type->shape, STR("?"));
                if (!tensor || !str_equal(path, work->path)) {
                    continue;
                }
                Range range = linting_range(&linting, path, type->region);
                if (ranges_meet(range, wanted)) {
                    add_hint(work, work->out, range.end, type);
                }
            }
        }
        linting_end(&linting);
    }
    buf_add(work->out, STR("]"));
}
