/* Variables of workers; see worker_environment.h. */
#include "harness/pool/worker_environment.h"

#include "platform/platform.h"

#include "base/vec.h"
#include "harness/pool/python_home.h"

#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

typedef VEC(char *) Variables;

static void set(Arena *arena, Variables *list, const char *name, Str value)
{
    VEC_PUSH(arena, list, str_dup(arena, str_format(arena, "%s=%.*s", name, STR_ARG(value))));
}

static void set_number(Arena *arena, Variables *list, const char *name, unsigned value)
{
    set(arena, list, name, str_format(arena, "%u", value));
}

/* The number of the device; the first is TILE_FWK_DEVICE_ID. */
static void set_device(Arena *arena, Variables *list, const WorkerSettings *settings)
{
    const char *given = getenv("TILE_FWK_DEVICE_ID");
    Str first = str_from(given == NULL || *given == '\0' ? "0" : given);
    if (settings->mode == MODE_NPU && settings->devices > 1) {
        unsigned number = (unsigned)strtoul(first.at, NULL, 10);
        set_number(arena, list, "TILE_FWK_DEVICE_ID", number + settings->device);
    } else {
        set(arena, list, "TILE_FWK_DEVICE_ID", first);
    }
}

static void set_own(Arena *arena, Variables *list, const WorkerSettings *settings)
{
    Str sim = python_home(arena, "sim");
    Str path = python_path_with(arena, python_home(arena, "harness"));
    if (settings->mode == MODE_SIM) {
        path = str_format(arena, "%.*s:%.*s", STR_ARG(sim), STR_ARG(path));
        set(arena, list, "TORCH_DEVICE_BACKEND_AUTOLOAD", STR("0"));
    }
    set(arena, list, "PYTHONPATH", path);
    set(arena, list, "PTOSIM_RUN_MODE", str_from(settings->mode == MODE_SIM ? "SIM" : "NPU"));
    set_device(arena, list, settings);
    set_number(arena, list, "OMP_NUM_THREADS", settings->threads);
    if (settings->soc.length > 0) {
        set(arena, list, "PTOSIM_SOC", settings->soc);
    }
    if (settings->profile.length > 0) {
        set(arena, list, "PTOSIM_PROFILE", settings->profile);
    }
    if (settings->sanitize.length > 0) {
        set(arena, list, "PTOSIM_SANITIZE", settings->sanitize);
    }
    set(arena, list, "PYPTO_LINT_REDACT", STR("1"));
    set(arena, list, "PYPTO_LINT_SIM_HOME", sim);
    set(arena, list, "PYTHONDONTWRITEBYTECODE", STR("1"));
    /* The log must have everything that a worker wrote before a crash, in order. */
    set(arena, list, "PYTHONUNBUFFERED", STR("1"));
    set(arena, list, "PYTHONIOENCODING", STR("utf-8:backslashreplace"));
    /* Two runs must do the same, also where they iterate over sets of names. */
    set(arena, list, "PYTHONHASHSEED", STR("0"));
    /* A torch.py in the working directory is not torch. */
    set(arena, list, "PYTHONSAFEPATH", STR("1"));
}

/* Does `given` set the same variable ("NAME=") as `ours`? */
static bool names(Str ours, Str given)
{
    size_t end = str_find(ours, STR("="), 0);
    return str_starts(given, str_slice(ours, 0, end + 1));
}

char **worker_environment(Arena *arena, const WorkerSettings *settings)
{
    Variables list = {0};
    set_own(arena, &list, settings);
    uint32_t own = list.count;
    for (char **given = environ; given != NULL && *given != NULL; given++) {
        Str text = str_from(*given);
        bool replaced = str_starts(text, STR("PYTHONINSPECT=")); /* would wait at the end */
        for (uint32_t i = 0; i < own && !replaced; i++) {
            replaced = names(str_from(list.items[i]), text);
        }
        if (!replaced) {
            VEC_PUSH(arena, &list, str_dup(arena, text));
        }
    }
    VEC_PUSH(arena, &list, NULL);
    return list.items;
}

unsigned processors_now(void)
{
    return platform_processors();
}
