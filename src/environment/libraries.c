/* Libraries that the loader would not find when it loads torch, torch_npu, PyPTO and CANN. */
#include "environment/environment.h"

#include "base/path.h"
#include "environment/library_walk.h"

#include <stdlib.h>

/* Appends "FOLDER/NAME" for each name in the folder with this start and end. */
static void add_objects(const Environment *environment, Str folder, const char *start,
                        const char *end, Strs *objects)
{
    Strs names = rooted_names(environment->root, environment->arena, folder);
    for (uint32_t i = 0; i < names.count; i++) {
        if (str_starts(names.items[i], str_from(start)) &&
            str_ends(names.items[i], str_from(end))) {
            Str path = path_join(environment->arena, folder, names.items[i]);
            VEC_PUSH(environment->arena, objects, path);
        }
    }
}

/* In the order in which a program that runs kernels loads them. */
static Strs find_objects(const Environment *environment)
{
    Strs objects = {0};
    Arena *arena = environment->arena;
    static const struct {
        const char *folder, *start, *end;
    } kinds[] = {{"torch/lib", "libtorch_python", ".so"},
                 {"torch/lib", "libtorch_cpu", ".so"},
                 {"torch_npu/lib", "libtorch_npu", ".so"},
                 {"pypto", "pypto_impl", ".so"}};
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        uint32_t before = objects.count;
        for (uint32_t i = 0; i < environment->sites.count && objects.count == before; i++) {
            add_objects(environment,
                        path_join(arena, environment->sites.items[i], str_from(kinds[kind].folder)),
                        kinds[kind].start, kinds[kind].end, &objects);
        }
    }
    if (environment->home.length > 0) {
        Str folder = path_join(arena, environment->home, STR("lib64"));
        add_objects(environment, folder, "libascendcl", ".so", &objects);
        add_objects(environment, folder, "libhccl", ".so", &objects);
    }
    return objects;
}

/* Folders that set_env.sh puts on the search path, and those of torch. */
static Strs likely_folders(const Environment *environment)
{
    static const char *const driver[] = {"/usr/local/Ascend/driver/lib64",
                                         "/usr/local/Ascend/driver/lib64/common",
                                         "/usr/local/Ascend/driver/lib64/driver"};
    static const char *const own[] = {"lib64", "devlib", "runtime/lib64", "compiler/lib64"};
    Strs folders = {0};
    for (size_t i = 0; i < sizeof driver / sizeof *driver; i++) {
        VEC_PUSH(environment->arena, &folders, str_from(driver[i]));
    }
    for (size_t i = 0; i < sizeof own / sizeof *own && environment->home.length > 0; i++) {
        Str folder = path_join(environment->arena, environment->home, str_from(own[i]));
        VEC_PUSH(environment->arena, &folders, folder);
    }
    for (uint32_t i = 0; i < environment->sites.count; i++) {
        Str folder = path_join(environment->arena, environment->sites.items[i], STR("torch/lib"));
        VEC_PUSH(environment->arena, &folders, folder);
    }
    return folders;
}

static Str describe(const Environment *environment, const MissingLibrary *missing)
{
    bool zh = environment->lang == LANG_ZH;
    Str elsewhere = missing->elsewhere;
    Str why = elsewhere.length > 0
                  ? str_format(environment->arena,
                               zh ? "位于 %.*s，但加载器不搜索该目录"
                                  : "it is in %.*s, which the loader does not search",
                               STR_ARG(elsewhere))
              : missing->other_machine
                  ? (zh ? STR("只找到面向其他处理器的库") : STR("only found for another processor"))
                  : (zh ? STR("任何搜索目录中都没有") : STR("not in any searched folder"));
    return str_format(environment->arena,
                      zh ? "%.*s（%.*s 需要）：%.*s" : "%.*s, needed by %.*s: %.*s",
                      STR_ARG(missing->name), STR_ARG(missing->needed_by), STR_ARG(why));
}

static void add_missing(Environment *environment, const LibraryWalk *walk)
{
    static const Text label = {"Libraries", "库"};
    bool zh = environment->lang == LANG_ZH, elsewhere = false;
    uint32_t count = walk->missing.count;
    Fact *fact = environment_add(
        environment, "libraries", label,
        count > 0   ? FACT_BAD
        : walk->cut ? FACT_NOT_CHECKED
                    : FACT_OK,
        str_format(environment->arena, zh ? "查看 %u 个，缺少 %u 个%s" : "%u checked, %u missing%s",
                   walk->queue.count, count,
                   !walk->cut ? ""
                   : zh       ? "（未全部查看）"
                              : " (not all checked)"));
    for (uint32_t i = 0; i < count; i++) {
        Str line = describe(environment, &walk->missing.items[i]);
        VEC_PUSH(environment->arena, &fact->details, line);
        elsewhere = elsewhere || walk->missing.items[i].elsewhere.length > 0;
    }
    if (count > 0) {
        const Text install = {"install the packages that provide them, all of the same release",
                              "安装提供这些库的软件包，并保持版本一致"};
        const Text here = {
            "run `source <CANN>/set_env.sh`, or add these folders to LD_LIBRARY_PATH",
            "执行 `source <CANN>/set_env.sh`，或把这些目录加入 LD_LIBRARY_PATH"};
        const Text in_root = {
            "start programs in the examined root after `source <CANN>/set_env.sh`, or with these "
            "folders in LD_LIBRARY_PATH",
            "在所检查的根目录中，先执行 `source <CANN>/set_env.sh` 或把这些目录加入 LD_LIBRARY_PATH，"
            "再启动程序"};
        environment_recipe_in(environment, fact, elsewhere ? here : install,
                              elsewhere ? in_root : install);
    }
}

void environment_add_libraries(Environment *environment)
{
    LibraryWalk walk;
    const char *variable = getenv("LD_LIBRARY_PATH");
    Strs objects = find_objects(environment), hints = likely_folders(environment);
    bool zh = environment->lang == LANG_ZH, any = false;
    library_walk_begin(&walk, environment->root, environment->arena,
                       variable == NULL ? STR("") : str_from(variable), &hints);
    for (uint32_t i = 0; i < objects.count; i++) {
        any = library_walk_from(&walk, objects.items[i]) || any;
    }
    if (any) {
        add_missing(environment, &walk);
    } else {
        environment_add(environment, "libraries", (Text){"Libraries", "库"}, FACT_NOT_CHECKED,
                        zh ? STR("没有可查看的库") : STR("no library to check"));
    }
}
