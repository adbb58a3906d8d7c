/* Scan set: one file in file and phase scope, else the integrated implementation and its
 * modules. */
#include "operator/scan_set.h"

static void add(Operator *op, PyFiles *files, Str path)
{
    if (!operator_has_file(op, path)) {
        return;
    }
    PyFile *file = operator_python(op, path);
    if (!file->is_stub) {
        VEC_PUSH(op->arena, files, file);
    }
}

/* Documents and data of an operator directory are not Python, even when they are named. */
static bool is_document(Str path)
{
    static const char *const endings[] = {".md", ".yaml", ".yml", ".json", NULL};
    for (const char *const *ending = endings; *ending != NULL; ending++) {
        if (str_ends(path, str_from(*ending))) {
            return true;
        }
    }
    return false;
}

PyFiles operator_implementations(Operator *op)
{
    PyFiles files = {0};
    add(op, &files, operator_artifact(op, KIND_IMPL));
    Str prefix = artifact_base(op->arena, op->name, STR(""));
    Strs modules = operator_modules(op, prefix, STR(IMPL_END));
    for (uint32_t i = 0; i < modules.count; i++) {
        add(op, &files, modules.items[i]);
    }
    return files;
}

void scan_set_fill(Operator *op)
{
    op->scan.count = 0;
    if (op->scope == SCOPE_FILE) {
        if (!is_document(op->file)) {
            add(op, &op->scan, op->file);
        }
        return;
    }
    if (op->scope == SCOPE_PHASE) {
        Str suffix = phase_suffix(op->arena, op->phase);
        add(op, &op->scan, operator_module(op, KIND_IMPL, suffix));
        return;
    }
    op->scan = operator_implementations(op);
}
