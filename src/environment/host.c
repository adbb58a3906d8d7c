/* Environment variables, disks and memory. */
#include "environment/environment.h"

#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* The variables that set_env.sh sets and that torch_npu, HCCL and PyPTO read. None contains a
 * secret. */
static const char *const variables[] = {"ASCEND_HOME_PATH",
                                        "ASCEND_TOOLKIT_HOME",
                                        "ASCEND_OPP_PATH",
                                        "ASCEND_AICPU_PATH",
                                        "ASCEND_CUSTOM_OPP_PATH",
                                        "ASCEND_RT_VISIBLE_DEVICES",
                                        "ASCEND_LAUNCH_BLOCKING",
                                        "ASCEND_GLOBAL_LOG_LEVEL",
                                        "ASCEND_PROCESS_LOG_PATH",
                                        "ASCEND_CACHE_PATH",
                                        "TILE_FWK_DEVICE_ID",
                                        "TILE_FWK_OUTPUT_DIR",
                                        "TORCH_DEVICE_BACKEND_AUTOLOAD",
                                        "HCCL_CONNECT_TIMEOUT",
                                        "HCCL_EXEC_TIMEOUT",
                                        "HCCL_IF_IP",
                                        "HCCL_SOCKET_IFNAME",
                                        "LD_LIBRARY_PATH",
                                        "PYTHONPATH"};

/* Adds the entries of a search path that do not exist. */
static void add_absent(Environment *environment, const char *name, Strs *absent)
{
    const char *value = getenv(name);
    Str text = value == NULL ? STR("") : str_from(value);
    for (size_t at = 0; at < text.length;) {
        size_t end = str_find(text, STR(":"), at);
        end = end == SIZE_MAX ? text.length : end;
        Str folder = str_slice(text, at, end);
        if (str_starts(folder, STR("/")) &&
            !rooted_is_folder(environment->root, environment->arena, folder) &&
            !rooted_is_file(environment->root, environment->arena, folder)) {
            Str line = str_format(environment->arena, "%s: %.*s", name, STR_ARG(folder));
            VEC_PUSH(environment->arena, absent, line);
        }
        at = end + 1;
    }
}

static void add_variables(Environment *environment)
{
    bool zh = environment->lang == LANG_ZH;
    Strs set = {0}, absent = {0};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        if (value != NULL) {
            Str line = str_format(environment->arena, "%s=%s", variables[i], value);
            VEC_PUSH(environment->arena, &set, line);
        }
    }
    /* A tree has no environment variables: those of this shell are checked against it, which the
     * text has to say. */
    const char *format = environment->root->is_system ? (zh ? "已设置 %u 个" : "%u set")
                         : zh ? "当前 shell 已设置 %u 个（不属于 --root）"
                              : "%u set in this shell, not in --root";
    Fact *fact = environment_add(environment, "variables", (Text){"Variables", "环境变量"},
                                 FACT_INFO, str_format(environment->arena, format, set.count));
    fact->details = set;
    add_absent(environment, "LD_LIBRARY_PATH", &absent);
    add_absent(environment, "PYTHONPATH", &absent);
    add_absent(environment, "ASCEND_OPP_PATH", &absent);
    if (absent.count > 0) {
        fact = environment_add(environment, "folders", (Text){"Folders", "目录"}, FACT_WARNING,
                               zh ? STR("变量指向不存在的目录")
                                  : STR("variables refer to folders that do not exist"));
        fact->details = absent;
        environment_recipe_in(
            environment, fact,
            (Text){"in a new shell, source the set_env.sh of the installed release",
                   "在新的 shell 中执行已安装版本的 set_env.sh"},
            (Text){
                "the examined root does not have what this shell's variables name: unset them, "
                "or set them as its programs have them, and run doctor again",
                "所检查的根目录中没有当前 shell 变量所指的目录：取消这些变量，或设为其中程序所用的值，"
                "再重新运行 doctor"});
    }
}

/* --- room */

static const uint64_t gib = (uint64_t)1 << 30;

static void add_disk(Environment *environment, const char *path)
{
    struct statvfs info;
    bool zh = environment->lang == LANG_ZH;
    if (path == NULL || statvfs(path, &info) != 0) {
        return;
    }
    uint64_t room = (uint64_t)info.f_bavail * info.f_frsize;
    Str value = str_format(environment->arena, zh ? "%s 剩余 %.1f GiB" : "%s: %.1f GiB free", path,
                           (double)room / (double)gib);
    Fact *fact = environment_add(environment, "disk", (Text){"Disk", "磁盘"},
                                 room < gib ? FACT_WARNING : FACT_OK, value);
    if (room < gib) {
        environment_recipe(
            environment, fact,
            (Text){
                "free some space: kernel caches, logs and shared memory need several GiB (--shm-size for a container's /dev/shm)",
                "清理空间：kernel 缓存、日志和共享内存需要数 GiB（容器的 /dev/shm 用 --shm-size）"});
    }
}

static uint64_t memory_of(Str text, Str key)
{
    char *end;
    Str value = environment_value(text, key);
    return value.length == 0 ? 0 : strtoull(value.at, &end, 10) * 1024;
}

static void add_memory(Environment *environment)
{
    enum { MOST_TEXT = 64 * 1024, LEAST_GIB = 8 };
    Str text;
    bool zh = environment->lang == LANG_ZH;
    if (!rooted_read(environment->root, environment->arena, STR("/proc/meminfo"), MOST_TEXT,
                     &text)) {
        return;
    }
    uint64_t all = memory_of(text, STR("MemTotal:")), room = memory_of(text, STR("MemAvailable:"));
    Fact *fact = environment_add(
        environment, "memory", (Text){"Memory", "内存"},
        room < LEAST_GIB * gib ? FACT_WARNING : FACT_OK,
        str_format(environment->arena,
                   zh ? "共 %.1f GiB，可用 %.1f GiB" : "%.1f GiB, %.1f GiB available",
                   (double)all / (double)gib, (double)room / (double)gib));
    if (fact->state == FACT_WARNING) {
        environment_recipe(
            environment, fact,
            (Text){
                "end other programs or use fewer workers (--jobs): torch and the compiler take several GiB each",
                "结束其他程序，减少并行（--jobs）：torch 和编译器各需数 GiB"});
    }
}

void environment_add_host(Environment *environment)
{
    add_variables(environment);
    if (environment->root->is_system) {
        add_disk(environment, getenv("HOME"));
        add_disk(environment, "/tmp");
        add_disk(environment, "/dev/shm");
    }
    add_memory(environment);
}
