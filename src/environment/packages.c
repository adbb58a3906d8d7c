/* Python and its packages: their versions, taken from the names of metadata folders. */
#include "environment/environment.h"

#include "base/ascii.h"
#include "environment/fit.h"
#include "operator/python_run.h"
#include "operator/text.h"

enum {
    PYTHON_MS = 10000,
    PYTHON_MEMORY = 1 << 30,
    PYTHON_OUTPUT = 64 * 1024,
    PYTHON_PROCESSES = 8,
    MOST_METADATA = 256 * 1024,
};

/* Asks the interpreter for its version and import path. It imports nothing but sys. */
static bool ask_python(Environment *environment, Str *version)
{
    static const char *const arguments[] = {
        "-c",
        "import sys\nprint('%d.%d.%d' % sys.version_info[:3])\nprint('\\n'.join(sys.path[1:]))",
        NULL};
    const PythonJob job = {.named = {"", 0},
                           .arguments = arguments,
                           .milliseconds = PYTHON_MS,
                           .memory = PYTHON_MEMORY,
                           .file_size = 1,
                           .processes = PYTHON_PROCESSES,
                           .output = PYTHON_OUTPUT};
    PythonResult result = python_run(environment->arena, &job);
    size_t at = 0;
    Str line;
    environment->python = result.interpreter;
    if (result.end != PROCESS_EXITED || result.value != 0 ||
        !text_next_line(result.out, &at, version)) {
        return false;
    }
    while (text_next_line(result.out, &at, &line)) {
        if (str_starts(line, STR("/"))) {
            VEC_PUSH(environment->arena, &environment->sites, line);
        }
    }
    return true;
}

/* Searches the usual folders of a tree that is not this machine's, last names first. */
static bool search_python(Environment *environment, Str *version)
{
    static const char *const tops[] = {"/usr/local/lib", "/usr/lib"};
    static const char *const kinds[] = {"site-packages", "dist-packages"};
    Arena *arena = environment->arena;
    *version = STR("");
    for (size_t top = 0; top < 2; top++) {
        Strs names = rooted_names(environment->root, arena, str_from(tops[top]));
        for (uint32_t i = names.count; i-- > 0;) {
            for (size_t kind = 0; kind < 2 && str_starts(names.items[i], STR("python3")); kind++) {
                Str site = str_format(arena, "%s/%.*s/%s", tops[top], STR_ARG(names.items[i]),
                                      kinds[kind]);
                if (rooted_is_folder(environment->root, arena, site)) {
                    VEC_PUSH(arena, &environment->sites, site);
                    *version = version->length > 0
                                   ? *version
                                   : str_slice(names.items[i], STR("python").length, SIZE_MAX);
                }
            }
        }
    }
    return environment->sites.count > 0;
}

/* "2.1.0" for the name "torch-2.1.0.dist-info" and the package "torch"; `_` and `-` are the same.
 * Empty for names of other packages. */
static Str version_of_name(Str name, const char *package)
{
    size_t length = strlen(package);
    if (name.length <= length + 1 || name.at[length] != '-' || !is_digit(name.at[length + 1])) {
        return STR("");
    }
    for (size_t i = 0; i < length; i++) {
        char c = lower_case(name.at[i]) == '-' ? '_' : lower_case(name.at[i]);
        if (c != package[i]) {
            return STR("");
        }
    }
    Str rest = str_slice(name, length + 1, name.length);
    size_t info = str_find(rest, STR(".dist-info"), 0);
    size_t egg = str_find(rest, STR(".egg-info"), 0), tag = str_find(rest, STR("-py3"), 0);
    size_t end = info < egg ? info : tag < egg ? tag : egg;
    return end == SIZE_MAX ? STR("") : str_slice(rest, 0, end);
}

/* The version of the package that an import finds first; for PyPTO the product's version, if
 * stated. */
static Str installed(Environment *environment, const char *package)
{
    for (uint32_t i = 0; i < environment->sites.count; i++) {
        Strs names =
            rooted_names(environment->root, environment->arena, environment->sites.items[i]);
        for (uint32_t k = 0; k < names.count; k++) {
            Str version = version_of_name(names.items[k], package);
            Str metadata, product;
            if (version.length == 0) {
                continue;
            }
            Str path = str_format(environment->arena, "%.*s/%.*s/METADATA",
                                  STR_ARG(environment->sites.items[i]), STR_ARG(names.items[k]));
            if (strcmp(package, "pypto") == 0 &&
                rooted_read(environment->root, environment->arena, path, MOST_METADATA,
                            &metadata) &&
                (product = environment_value(metadata, STR("X-Run-Version:"))).length > 0) {
                return product;
            }
            return version;
        }
    }
    return STR("");
}

static void add_python(Environment *environment)
{
    static const Text label = {"Python", "Python"};
    Str version = STR("");
    bool zh = environment->lang == LANG_ZH, system = environment->root->is_system;
    bool found = system ? ask_python(environment, &version) : search_python(environment, &version);
    Str value =
        found ? str_format(environment->arena, "%.*s%s%.*s%s", STR_ARG(version), system ? " (" : "",
                           STR_ARG(environment->python), system ? ")" : "")
        : zh  ? STR("未找到，或无法运行")
              : STR("not found, or does not run");
    Fact *fact = environment_add(environment, "python", label, found ? FACT_OK : FACT_BAD, value);
    if (!found) {
        environment_recipe(environment, fact,
                           (Text){"install Python 3, or name one in PYPTO_LINT_PYTHON",
                                  "安装 Python 3，或用 PYPTO_LINT_PYTHON 指定"});
    }
}

typedef struct Package {
    const char *id;   /* also the name of the package */
    const char *name; /* as people write it */
    FactState without;
    Text recipe; /* when it is not installed */
} Package;

static Str add_package(Environment *environment, const Package *package)
{
    bool zh = environment->lang == LANG_ZH;
    Str version = installed(environment, package->id);
    bool found = version.length > 0;
    Fact *fact = environment_add(environment, package->id, (Text){package->name, package->name},
                                 found ? FACT_OK : package->without,
                                 found ? version
                                 : zh  ? STR("未安装")
                                       : STR("not installed"));
    if (!found) {
        environment_recipe(environment, fact, package->recipe);
    }
    return found ? fact->value : STR("");
}

void environment_add_packages(Environment *environment)
{
    static const Package torch = {
        "torch",
        "torch",
        FACT_BAD,
        {"pip install torch into this Python", "在该 Python 中安装 torch"}};
    static const Package torch_npu = {
        "torch_npu",
        "torch_npu",
        FACT_BAD,
        {"pip install the torch_npu that matches torch; without a device, pypto-lint run does not need it",
         "安装与 torch 版本对应的 torch_npu；没有设备时 pypto-lint run 不需要它"}};
    static const Package numpy = {
        "numpy",
        "numpy",
        FACT_WARNING,
        {"pip install numpy into this Python", "在该 Python 中安装 numpy"}};
    static const Package pypto = {
        "pypto",
        "pypto",
        FACT_BAD,
        {"install PyPTO into this Python; without a device pypto-lint run brings its own",
         "在该 Python 中安装 PyPTO；没有设备时使用自带模拟器的 pypto-lint run"}};
    add_python(environment);
    if (environment->sites.count == 0) {
        return;
    }
    environment->torch = add_package(environment, &torch);
    environment->torch_npu = add_package(environment, &torch_npu);
    environment->numpy = add_package(environment, &numpy);
    environment->pypto = add_package(environment, &pypto);
    environment_add_fit(environment);
}
