/* Strays; see strays.h. */
#include "lint/strays.h"

#include "base/fence.h"
#include "lint/kernel_probe.h"

/* Does the name alone say which part of the operator it is? */
static bool is_part(const Operator *op, Str name, bool in_modules)
{
    if (str_starts(name, STR(TEST_START)) || str_ends(name, STR(GOLDEN_END))) {
        return true;
    }
    if (in_modules) {
        return str_ends(name, STR(IMPL_END)) &&
               str_starts(name, artifact_base(op->arena, op->name, STR("")));
    }
    return str_equal(name, operator_artifact(op, KIND_IMPL));
}

static void note_folder(Notices *notices, Operator *op, Str folder)
{
    DirEntries entries;
    FileStatus status;
    size_t length;
    bool in_modules = folder.length > 0;
    Str full = in_modules ? path_join(op->arena, op->dir, folder) : op->dir;
    if (!directory_list(op->arena, str_dup(op->arena, full), &entries)) {
        return; /* whoever owns the work says so */
    }
    for (uint32_t i = 0; i < entries.count; i++) {
        Str name = entries.items[i].name;
        Str path = in_modules ? path_join(op->arena, folder, name) : name;
        if (entries.items[i].is_directory || !str_ends(name, STR(".py")) ||
            is_part(op, name, in_modules) ||
            !kernel_probe(op->arena, op->fence, path_join(op->arena, op->dir, path).at,
                          op->max_file, &status, &length)) {
            continue;
        }
        Text format =
            in_modules ? (Text){"not checked with the operator: it seems to contain a kernel, but "
                                "its name is not %.*s_module<k>_impl.py; rename it, or check "
                                "it by its path",
                                "未随算子检查：看来含有 kernel，但文件名不是 "
                                "%.*s_module<k>_impl.py；请改名，或直接指定该文件进行检查"}
                       : (Text){"not checked with the operator: it seems to contain a kernel, but "
                                "its name is not %.*s_impl.py; rename it, or check it by its "
                                "path",
                                "未随算子检查：看来含有 kernel，但文件名不是 %.*s_impl.py；"
                                "请改名，或直接指定该文件进行检查"};
        notice_add(notices, path, false, format.en, format.zh, STR_ARG(op->name));
    }
}

void note_strays(Notices *notices, Operator *op)
{
    op->fence = op->fence.length == 0 ? fence_of(op->arena, op->dir) : op->fence;
    note_folder(notices, op, STR(""));
    note_folder(notices, op, STR("modules"));
}
