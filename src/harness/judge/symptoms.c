/* Symptoms: the table, and looking up a text in it; see symptoms.h. */
#include "harness/judge/symptoms.h"

#include "base/ascii.h"
#include "operator/text.h"

#define CANN_ENV "source <cann>/set_env.sh"

/* The first match counts, so special symptoms are before general ones. Patterns in lower case. */
static const Symptom symptoms[] = {
    {.id = "no_cann",
     .patterns = {"ascend_home_path is not set", "ascend_home_path unset",
                  "please source the set_env", "ascend_home_path environment variable"},
     .npu_only = true,
     .cause = {"CANN is not set up: ASCEND_HOME_PATH is not set",
               "CANN 未配置：ASCEND_HOME_PATH 未设置"},
     .recipe = {"install CANN, then run `" CANN_ENV "` in this shell",
                "安装 CANN，然后在当前 shell 中执行 `" CANN_ENV "`"}},
    {.id = "cann_library",
     .patterns = {"libascend_hal.so", "libhccl.so", "libatb.so", "libascendcl.so", "libruntime.so",
                  "libascend_protobuf", "libge_runner.so"},
     .early_only = true,
     .cause = {"a library of CANN or of the driver does not load",
               "CANN 或驱动的某个动态库无法加载"},
     .recipe = {"run `" CANN_ENV "` (for libatb.so that of nnal/atb too); on a host without an "
                "NPU set TORCH_DEVICE_BACKEND_AUTOLOAD=0",
                "执行 `" CANN_ENV "`（libatb.so 还需执行 nnal/atb 的脚本）；没有 NPU 的主机请设置 "
                "TORCH_DEVICE_BACKEND_AUTOLOAD=0"}},
    {.id = "driver_mismatch",
     .patterns = {"driver version mismatch", "version mismatch between driver",
                  "driver version is not", "driver is not compatible", "firmware version mismatch"},
     .npu_only = true,
     .early_only = true,
     .cause = {"the NPU driver does not fit CANN", "NPU 驱动与 CANN 版本不匹配"},
     .recipe = {"compare `npu-smi info` with the driver that this CANN asks for, and install that",
                "对照 `npu-smi info` 与该 CANN 要求的驱动版本，安装匹配的驱动"}},
    {.id = "no_permission",
     .patterns = {"permission denied: '/dev/davinci", "/dev/davinci_manager: permission denied",
                  "open /dev/davinci_manager failed", "drv permission"},
     .npu_only = true,
     .cause = {"this user may not open the NPU's device files", "当前用户无权打开 NPU 设备文件"},
     .recipe = {"add the user to the group of /dev/davinci* (HwHiAiUser), or pass the devices to "
                "the container",
                "将用户加入 /dev/davinci* 的属组（HwHiAiUser），或把设备映射进容器"}},
    {.id = "tile_library",
     .patterns = {"in namespace 'pto'", "in namespace 'pto::", "pto/pto-inst.hpp' file not found",
                  "pto-inst.hpp: no such file", "use of undeclared identifier 'pto'"},
     .npu_only = true,
     .decisive = true,
     .cause = {"the tile library (pto) that comes with CANN lacks an operation or a type that this "
               "pypto generates",
               "CANN 自带的 tile 库（pto）缺少该 pypto 生成的操作或类型"},
     .recipe = {"install the CANN or the pto-isa that fits this pypto; the kernel is not at fault",
                "安装与该 pypto 匹配的 CANN 或 pto-isa；与 kernel 无关"}},
    {.id = "missing_dtype",
     .patterns = {"unknown type name 'bfloat16_t'", "unknown type name 'hifloat8_t'",
                  "unknown type name 'float8_e4m3_t'", "unknown type name 'float8_e5m2_t'",
                  "unknown type name 'float8_e8m0_t'", "unknown type name 'float4_e2m1x2_t'",
                  "unknown type name 'float4_e1m2x2_t'"},
     .npu_only = true,
     .decisive = true,
     .cause = {"the device compiler of CANN does not know a data type that this pypto generates",
               "CANN 的设备编译器不认识该 pypto 生成的某个数据类型"},
     .recipe = {"install a CANN whose compiler has the type, or use another dtype for this chip",
                "安装编译器支持该类型的 CANN，或在该芯片上改用其他 dtype"}},
    {.id = "device_occupied",
     .patterns = {"device is occupied", "device or resource busy", "resource busy", "device busy",
                  "device is busy"},
     .npu_only = true,
     .decisive = true,
     .cause = {"the NPU is in use by another process", "NPU 已被其他进程占用"},
     .recipe = {"see `npu-smi info` for who uses it; choose another with TILE_FWK_DEVICE_ID",
                "用 `npu-smi info` 查看占用者；通过 TILE_FWK_DEVICE_ID 选择其他设备"}},
    {.id = "device_busy",
     .patterns = {"npu out of memory", "rtmalloc failed", "207001"},
     .npu_only = true,
     .early_only = true,
     .cause = {"the NPU is in use by another process", "NPU 已被其他进程占用"},
     .recipe = {"see `npu-smi info` for who uses it; choose another with TILE_FWK_DEVICE_ID",
                "用 `npu-smi info` 查看占用者；通过 TILE_FWK_DEVICE_ID 选择其他设备"}},
    {.id = "no_device",
     .patterns = {"rtsetdevice", "aclrtsetdevice", "invalid device id", "no npu device",
                  "torch.npu.is_available() is false", "507899", "107001"},
     .npu_only = true,
     .early_only = true,
     .cause = {"there is no NPU, or it cannot be opened", "没有 NPU，或无法打开"},
     .recipe = {"look at `npu-smi info`; choose a device that exists with TILE_FWK_DEVICE_ID",
                "查看 `npu-smi info`；通过 TILE_FWK_DEVICE_ID 选择存在的设备"}},
    {.id = "device_lost",
     .patterns = {"507899", "507010", "device heartbeat lost", "driver error:internal error"},
     .npu_only = true,
     .cause = {"the NPU's driver failed", "NPU 驱动出错"},
     .recipe = {"look at `npu-smi info -t health`; reset the device, then run again",
                "查看 `npu-smi info -t health`；复位设备后重试"}},
    {.id = "simulation_environment",
     .patterns = {"f91001", "f91007", "f94001", "f94002", "f94003", "f94005", "cannsim: not found"},
     .npu_only = true,
     .cause = {"the product's own simulation lacks a part of CANN", "产品自带的仿真缺少 CANN 组件"},
     .recipe = {"run `" CANN_ENV "` of a CANN with the simulator for this chip",
                "执行带有该芯片仿真器的 CANN 的 `" CANN_ENV "`"}},
    {.id = "no_torch_npu",
     .patterns = {"no module named 'torch_npu'"},
     .early_only = true,
     .cause = {"torch_npu is not installed for this interpreter", "该解释器未安装 torch_npu"},
     .recipe = {"install the torch_npu that fits torch and CANN, or name the interpreter that has "
                "it with --python",
                "安装与 torch、CANN 匹配的 torch_npu，或用 --python 指定已安装它的解释器"}},
    {.id = "no_pypto",
     .patterns = {"no module named 'pypto'", "no module named 'pypto.pypto_impl'"},
     .early_only = true,
     .cause = {"pypto is not installed for this interpreter", "该解释器未安装 pypto"},
     .recipe = {"install pypto, or name the interpreter that has it with --python",
                "安装 pypto，或用 --python 指定已安装它的解释器"}},
    {.id = "no_torch",
     .patterns = {"no module named 'torch'", "no module named 'numpy'",
                  "numpy.core.multiarray failed to import"},
     .early_only = true,
     .cause = {"torch or numpy is not installed for this interpreter",
               "该解释器未安装 torch 或 numpy"},
     .recipe = {"install torch (Debian: python3-torch), or name the interpreter that has it with "
                "--python",
                "安装 torch（Debian：python3-torch），或用 --python 指定已安装它的解释器"}},
    {.id = "no_simulator",
     .patterns = {"no module named '_ptosim'", "_ptosim.so: cannot open"},
     .early_only = true,
     .cause = {"the simulator's extension is missing", "缺少模拟器的扩展模块"},
     .recipe = {"build the target `runtime` with the interpreter that runs the kernels, or "
                "reinstall",
                "使用运行 kernel 的解释器构建 `runtime` 目标，或重新安装"}},
    {.id = "missing_library",
     .patterns = {"cannot open shared object file", "undefined symbol:", "version `glibc"},
     .early_only = true,
     .cause = {"a shared library does not load", "某个动态库无法加载"},
     .recipe = {"install the library that the log names, or run `" CANN_ENV "`",
                "安装日志中提到的库，或执行 `" CANN_ENV "`"}},
    {.id = "no_interpreter",
     .patterns = {"fatal python error: init_", "no module named 'encodings'",
                  "python path configuration:", "no module named pypto_lint_worker",
                  "no module named 'pypto_lint_worker'"},
     .early_only = true,
     .cause = {"the Python interpreter does not start", "Python 解释器无法启动"},
     .recipe = {"unset PYTHONHOME, look at PYTHONPATH, or name another interpreter with --python",
                "取消 PYTHONHOME、检查 PYTHONPATH，或用 --python 指定其他解释器"}},
    {.id = "small_memory",
     .patterns = {NULL},
     .cause = {"the memory limit is too small to load Python's packages",
               "内存上限过小，无法加载 Python 包"},
     .recipe = {"raise --mem-limit, or run fewer workers at a time with --jobs",
                "提高 --mem-limit，或用 --jobs 减少并行数"}},
    {.id = "late_start",
     .patterns = {NULL},
     .cause = {"loading Python's packages took all the time that a worker has",
               "加载 Python 包耗尽了工作进程的时限"},
     .recipe = {"raise --timeout, or run fewer workers at a time with --jobs",
                "提高 --timeout，或用 --jobs 减少并行数"}},
    {.id = "not_started",
     .patterns = {NULL},
     .cause = {"a worker could not be started", "无法启动工作进程"},
     .recipe = {"look at the limits of processes and memory of this host, or use fewer workers "
                "with --jobs",
                "检查本机的进程数与内存限制，或用 --jobs 减少并行数"}},
};

/* A number must not be part of another: 507899 in 0.1507899. */
static bool is_alone(Str text, size_t at, Str part)
{
    if (!is_digit(part.at[0])) {
        return true;
    }
    size_t end = at + part.length;
    char before = at == 0 ? ' ' : text.at[at - 1];
    char after = end >= text.length ? ' ' : text.at[end];
    return !is_digit(before) && before != '.' && !is_digit(after);
}

static bool holds(Str text, Str part)
{
    for (size_t at = 0; at < text.length; at++) {
        at = text_find_folded(text, part, at);
        if (at == SIZE_MAX) {
            return false;
        }
        if (is_alone(text, at, part)) {
            return true;
        }
    }
    return false;
}

static bool shows(const Symptom *symptom, Str text)
{
    const size_t most = sizeof symptom->patterns / sizeof *symptom->patterns;
    for (size_t i = 0; i < most && symptom->patterns[i] != NULL; i++) {
        if (holds(text, str_from(symptom->patterns[i]))) {
            return true;
        }
    }
    return false;
}

const Symptom *symptom_find(Str text, Mode mode, bool early)
{
    for (size_t i = 0; i < sizeof symptoms / sizeof *symptoms; i++) {
        const Symptom *symptom = &symptoms[i];
        bool applies = (!symptom->npu_only || mode == MODE_NPU) && (!symptom->early_only || early);
        if (applies && shows(symptom, text)) {
            return symptom;
        }
    }
    return NULL;
}

const Symptom *symptom_by_id(const char *id)
{
    for (size_t i = 0; i < sizeof symptoms / sizeof *symptoms; i++) {
        if (strcmp(symptoms[i].id, id) == 0) {
            return &symptoms[i];
        }
    }
    return NULL;
}
