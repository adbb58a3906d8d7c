/* Logs beside a trace; see logs.h. */
#include "perf/logs.h"

#include "base/file.h"
#include "base/path.h"

bool perf_log_take(PerfLogs *logs, Arena *arena, Str file)
{
    Str text;
    Str error = STR("");
    if (file_read(arena, file.at, PROFILE_MOST_BYTES, &text, &error) != FILE_OK) {
        return false;
    }
    CoreTable table;
    if (logs->counters_file.length == 0 && counters_read(&table, arena, text)) {
        logs->counters_file = file;
        logs->counters = table;
        return true;
    }
    if (logs->waits_file.length == 0 && waits_read(&table, arena, text)) {
        logs->waits_file = file;
        logs->waits = table;
        return true;
    }
    return false;
}

/* Is one of two folders the other one, or in it? */
static bool is_near(Str a, Str b)
{
    Str shorter = a.length < b.length ? a : b;
    Str longer = a.length < b.length ? b : a;
    return str_starts(longer, shorter) &&
           (longer.length == shorter.length || longer.at[shorter.length] == '/');
}

static bool is_profile(Str file)
{
    Str name = path_name(file);
    return str_contains(name, STR("bubble")) || str_contains(name, STR("pmu")) ||
           str_contains(name, STR("prof"));
}

void perf_logs_take(PerfLogs *logs, Arena *arena, PerfFiles *files)
{
    Str anchor = files->trace;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < files->others.count; i++) {
        Str file = files->others.items[i];
        bool taken = is_profile(file) &&
                     (anchor.length == 0 || is_near(path_parent(anchor), path_parent(file))) &&
                     perf_log_take(logs, arena, file);
        if (taken && anchor.length == 0) {
            anchor = file;
        }
        if (!taken) {
            files->others.items[kept++] = file;
        }
    }
    files->others.count = kept;
}
