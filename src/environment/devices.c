/* Devices, and the processes that have them open; see environment.h. */
#include "environment/environment.h"

#include "base/ascii.h"
#include "base/program.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static bool is_number(Str text)
{
    bool good = text.length > 0;
    for (size_t i = 0; i < text.length; i++) {
        good = good && is_digit(text.at[i]);
    }
    return good;
}

static void add_devices(Environment *environment, Strs *devices)
{
    static const Text label = {"Devices", "设备"};
    static const Str stem = {"davinci", 7};
    bool zh = environment->lang == LANG_ZH, manager = false;
    Strs names = rooted_names(environment->root, environment->arena, STR("/dev"));
    Buf value = {.arena = environment->arena};
    buf_add(&value, STR(""));
    for (uint32_t i = 0; i < names.count; i++) {
        Str name = names.items[i];
        manager = manager || str_is(name, "davinci_manager");
        if (str_starts(name, stem) && is_number(str_slice(name, stem.length, name.length))) {
            buf_addf(&value, "%s%.*s", value.length > 0 ? ", " : "", STR_ARG(name));
            VEC_PUSH(environment->arena, devices, name);
        }
    }
    bool none = devices->count == 0;
    Fact *fact =
        environment_add(environment, "devices", label, none || !manager ? FACT_WARNING : FACT_OK,
                        none ? (zh ? STR("没有") : STR("none")) : buf_str(&value));
    if (none) {
        environment_recipe(
            environment, fact,
            (Text){
                "without a device, kernels run in the simulator (pypto-lint run); into a container, pass /dev/davinci*, /dev/davinci_manager, /dev/devmm_svm and /dev/hisi_hdc",
                "没有设备时 kernel 可在模拟器中运行（pypto-lint run）；容器需映射 /dev/davinci*、/dev/davinci_manager、/dev/devmm_svm 和 /dev/hisi_hdc"});
    } else if (!manager) {
        environment_recipe(
            environment, fact,
            (Text){"/dev/davinci_manager is missing: pass it to the container as well",
                   "缺少 /dev/davinci_manager：也需映射进容器"});
    }
}

/* Reports devices that this user may not open; only for this machine's own. */
static void add_rights(Environment *environment, const Strs *devices)
{
    Strs refused = {0};
    for (uint32_t i = 0; i < devices->count && environment->root->is_system; i++) {
        Str path = str_format(environment->arena, "/dev/%.*s", STR_ARG(devices->items[i]));
        if (access(path.at, R_OK | W_OK) != 0 && errno == EACCES) {
            VEC_PUSH(environment->arena, &refused, path);
        }
    }
    if (refused.count == 0) {
        return;
    }
    Fact *fact = environment_add(environment, "rights", (Text){"Rights", "权限"}, FACT_BAD,
                                 refused.items[0]);
    fact->details = refused;
    environment_recipe(
        environment, fact,
        (Text){
            "add this user to the driver's group: usermod -aG HwHiAiUser USER, then log in again",
            "将当前用户加入驱动用户组：usermod -aG HwHiAiUser 用户，然后重新登录"});
}

/* --- who uses them */

/* Adds "4711 python3: /dev/davinci0" for each device that the process has open. */
static void add_process(Environment *environment, Str process, Strs *users)
{
    enum { MOST_NAME = 64, MOST_TARGET = 64, MOST_DESCRIPTORS = 4096 };
    Arena *arena = environment->arena;
    Str folder = str_format(arena, "/proc/%.*s/fd", STR_ARG(process));
    int fd = rooted_fd(environment->root, arena, folder, O_DIRECTORY | O_PATH);
    Strs names = fd < 0 ? (Strs){0} : rooted_names(environment->root, arena, folder);
    Strs seen = {0};
    for (uint32_t i = 0; i < names.count && i < MOST_DESCRIPTORS; i++) {
        char target[MOST_TARGET];
        ssize_t length = readlinkat(fd, str_dup(arena, names.items[i]), target, sizeof target);
        Str path = {target, length < 0 ? 0 : (size_t)length};
        if (str_starts(path, STR("/dev/davinci")) && !strs_have(&seen, path)) {
            Str comm = STR(""), copy = str_copy(arena, path);
            (void)rooted_read(environment->root, arena,
                              str_format(arena, "/proc/%.*s/comm", STR_ARG(process)), MOST_NAME,
                              &comm);
            VEC_PUSH(arena, &seen, copy);
            Str line = str_format(arena, "%.*s %.*s: %.*s", STR_ARG(process),
                                  STR_ARG(str_trim(comm)), STR_ARG(path));
            VEC_PUSH(arena, users, line);
        }
    }
    if (fd >= 0) {
        close(fd);
    }
}

static void add_users(Environment *environment, bool has_devices)
{
    enum { MOST_PROCESSES = 20000 };
    static const Text label = {"In use by", "占用进程"};
    bool zh = environment->lang == LANG_ZH;
    Strs users = {0}, names = rooted_names(environment->root, environment->arena, STR("/proc"));
    if (!has_devices) {
        return;
    }
    if (names.count == 0) {
        environment_add(environment, "users", label, FACT_NOT_CHECKED,
                        zh ? STR("/proc 不可读") : STR("/proc cannot be read"));
        return;
    }
    for (uint32_t i = 0; i < names.count && i < MOST_PROCESSES; i++) {
        if (is_number(names.items[i])) {
            add_process(environment, names.items[i], &users);
        }
    }
    /* Without root, descriptors of other users and processes of other containers are not
     * visible. */
    Fact *fact = environment_add(
        environment, "users", label, users.count > 0 ? FACT_WARNING : FACT_INFO,
        str_format(environment->arena, zh ? "可见进程 %u 个" : "%u visible", users.count));
    fact->details = users;
    if (users.count > 0) {
        environment_recipe(
            environment, fact,
            (Text){
                "end processes left over from earlier runs, or choose another device (ASCEND_RT_VISIBLE_DEVICES)",
                "结束遗留进程，或改用其他设备（ASCEND_RT_VISIBLE_DEVICES）"});
    }
}

void environment_add_devices(Environment *environment)
{
    static const Text label = {"npu-smi", "npu-smi"};
    bool zh = environment->lang == LANG_ZH;
    Strs devices = {0};
    const char *tool =
        environment->root->is_system ? program_find(environment->arena, STR("npu-smi"))
        : rooted_is_file(environment->root, environment->arena, STR("/usr/local/bin/npu-smi"))
            ? "/usr/local/bin/npu-smi"
        : rooted_is_file(environment->root, environment->arena, STR("/usr/local/sbin/npu-smi"))
            ? "/usr/local/sbin/npu-smi"
            : NULL;
    environment_add(environment, "npu-smi", label, tool != NULL ? FACT_OK : FACT_INFO,
                    tool != NULL ? str_from(tool)
                    : zh         ? STR("未找到")
                                 : STR("not found"));
    add_devices(environment, &devices);
    add_rights(environment, &devices);
    add_users(environment, devices.count > 0);
}
