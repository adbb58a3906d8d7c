/* Driver, firmware and CANN: where they are, and which versions their files state. */
#include "environment/environment.h"

#include "base/path.h"

#include <stdlib.h>

enum { MOST_FILE = 64 * 1024 };
static const char top[] = "/usr/local/Ascend";

static const Text source_set_env = {
    "install the CANN toolkit, or run `source <CANN>/set_env.sh` in this shell",
    "安装 CANN toolkit，或在当前 shell 中执行 `source <CANN>/set_env.sh`"};
static const Text install_in_root = {
    "install the CANN toolkit in the examined root; if it has one in another place, run doctor again "
    "with ASCEND_HOME_PATH set to that place",
    "在所检查的根目录中安装 CANN toolkit；若已装在别处，请把 ASCEND_HOME_PATH 设为该处后重新运行 doctor"};

/* The version that a file states ("Version=", "version=", "package_version="); empty without
 * one. */
static Str version_in(const Environment *environment, Str path)
{
    static const char *const keys[] = {"Version=", "version=", "package_version="};
    Str text, found = STR("");
    if (!rooted_read(environment->root, environment->arena, path, MOST_FILE, &text)) {
        return found;
    }
    for (size_t i = 0; i < sizeof keys / sizeof *keys && found.length == 0; i++) {
        found = environment_value(text, str_from(keys[i]));
    }
    return found;
}

static void add_part(Environment *environment, const char *id, Text label, const char *file,
                     Text recipe)
{
    Str version = version_in(environment, str_format(environment->arena, "%s/%s", top, file));
    bool zh = environment->lang == LANG_ZH;
    bool found = version.length > 0;
    Fact *fact = environment_add(environment, id, label, found ? FACT_OK : FACT_WARNING,
                                 found ? version
                                 : zh  ? STR("未找到")
                                       : STR("not found"));
    if (!found) {
        environment_recipe(environment, fact, recipe);
    }
}

/* --- the toolkit */

/* The version in the first file below the toolkit that has one. The file of the whole package comes
 * first, because its parts have version numbers of their own. */
static Str toolkit_version(const Environment *environment, Str home)
{
    static const char *const files[] = {"%.*s/%.*s-linux/ascend_toolkit_install.info",
                                        "%.*s/share/info/toolkit/version.info",
                                        "%.*s/share/info/runtime/version.info",
                                        "%.*s/toolkit/version.info",
                                        "%.*s/runtime/version.info",
                                        "%.*s/compiler/version.info"};
    Str version = STR("");
    for (size_t i = 0; i < sizeof files / sizeof *files && version.length == 0; i++) {
        Str path = i == 0 ? str_format(environment->arena, files[i], STR_ARG(home),
                                       STR_ARG(environment->machine))
                          : str_format(environment->arena, files[i], STR_ARG(home));
        version = version_in(environment, path);
    }
    Str text;
    if (version.length == 0 &&
        rooted_read(environment->root, environment->arena,
                    path_join(environment->arena, home, STR("version.cfg")), MOST_FILE, &text)) {
        version = environment_value(text, STR("toolkit_installed_version=["));
        size_t colon = str_find(version, STR(":"), 0), end = str_find(version, STR("]"), 0);
        version = str_slice(version, colon == SIZE_MAX ? 0 : colon + 1, end);
    }
    return version;
}

static Str variable(const char *name)
{
    const char *value = getenv(name);
    return value == NULL ? STR("") : path_without_slash(str_from(value));
}

/* The folder of the toolkit: from an environment variable (then `*named` is true), else the first
 * of the usual places that exists. */
static Str find_home(const Environment *environment, bool *named)
{
    static const char *const places[] = {"/usr/local/Ascend/ascend-toolkit/latest",
                                         "/usr/local/Ascend/cann", "/usr/local/Ascend/latest"};
    Str home = variable("ASCEND_HOME_PATH");
    home = home.length > 0 ? home : variable("ASCEND_TOOLKIT_HOME");
    *named = home.length > 0;
    for (size_t i = 0; i < sizeof places / sizeof *places && home.length == 0; i++) {
        bool there = rooted_is_folder(environment->root, environment->arena, str_from(places[i]));
        home = there ? str_from(places[i]) : home;
    }
    return home;
}

static void add_toolkit(Environment *environment)
{
    static const Text label = {"CANN", "CANN"};
    Arena *arena = environment->arena;
    bool named, zh = environment->lang == LANG_ZH;
    Str home = find_home(environment, &named);
    if (home.length == 0 || !rooted_is_folder(environment->root, arena, home)) {
        Str value = home.length == 0
                        ? (zh ? STR("未找到") : STR("not found"))
                        : str_format(arena, zh ? "%.*s：目录不存在" : "%.*s: no such folder",
                                     STR_ARG(home));
        Fact *fact = environment_add(environment, "cann", label, FACT_BAD, value);
        environment_recipe_in(environment, fact, source_set_env, install_in_root);
        return;
    }
    environment->home = home;
    environment->cann_version = toolkit_version(environment, home);
    Str version = environment->cann_version;
    bool known = version.length > 0;
    Str value =
        str_format(arena, "%.*s (%.*s)", STR_ARG(known ? version : STR("?")), STR_ARG(home));
    Fact *fact = environment_add(environment, "cann", label,
                                 !known  ? FACT_NOT_CHECKED
                                 : named ? FACT_OK
                                         : FACT_BAD,
                                 value);
    if (!named) {
        fact->state = FACT_BAD;
        environment_recipe_in(
            environment, fact,
            (Text){"ASCEND_HOME_PATH is not set: run `source <CANN>/set_env.sh`",
                   "未设置 ASCEND_HOME_PATH：执行 `source <CANN>/set_env.sh`"},
            (Text){
                "ASCEND_HOME_PATH is not set in this shell, whose variables are checked against "
                "the root: set them to what programs in that root use (`source "
                "<CANN>/set_env.sh`, a container's entry point) and run doctor again",
                "当前 shell 未设置 ASCEND_HOME_PATH（变量取自当前 shell）：请按该根目录中程序的环境"
                "（`source <CANN>/set_env.sh`、容器的入口脚本）设置后重新运行 doctor"});
    }
}

static void add_kernels(Environment *environment)
{
    static const Text label = {"Kernels", "算子包"};
    if (environment->home.length == 0) {
        return;
    }
    Str folder = path_join(environment->arena, environment->home,
                           STR("opp/built-in/op_impl/ai_core/tbe/kernel"));
    Strs names = rooted_names(environment->root, environment->arena, folder);
    Buf chips = {.arena = environment->arena};
    buf_add(&chips, STR(""));
    for (uint32_t i = 0; i < names.count; i++) {
        if (str_starts(names.items[i], STR("ascend")) || str_starts(names.items[i], STR("kirin"))) {
            buf_addf(&chips, "%s%.*s", chips.length > 0 ? ", " : "", STR_ARG(names.items[i]));
        }
    }
    bool zh = environment->lang == LANG_ZH, found = chips.length > 0;
    Fact *fact = environment_add(environment, "kernels", label, found ? FACT_OK : FACT_WARNING,
                                 found ? buf_str(&chips)
                                 : zh  ? STR("未找到")
                                       : STR("not found"));
    if (!found) {
        environment_recipe(
            environment, fact,
            (Text){
                "install the kernels package of the toolkit's release for this chip; operations of torch_npu need it",
                "安装与 toolkit 同版本、对应芯片的 kernels 包；torch_npu 的算子依赖它"});
    }
}

void environment_add_ascend(Environment *environment)
{
    add_part(environment, "driver", (Text){"Driver", "驱动"}, "driver/version.info",
             (Text){"install the driver, or mount /usr/local/Ascend/driver into the container",
                    "安装驱动，或把 /usr/local/Ascend/driver 挂载进容器"});
    add_part(
        environment, "firmware", (Text){"Firmware", "固件"}, "firmware/version.info",
        (Text){"its version is only known on the host: look there (a container need not have it)",
               "版本信息只在主机上：请在主机上查看（容器中可以没有）"});
    add_toolkit(environment);
    add_kernels(environment);
}
