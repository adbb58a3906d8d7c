/* Bubble logs: a line that names a core or thread, and after it lines or fields like
 * "Wait Schedule Time: 12.5us". The order and further fields do not matter. */
#include "perf/profile.h"

enum { LONGEST_KEY = 64 };

const char *wait_name(WaitFigure figure)
{
    static const char *const names[] = {
        [WAIT_TASKS] = "tasks",
        [WAIT_WORK] = "work_us",
        [WAIT_ALL] = "wait_us",
        [WAIT_SCHEDULE] = "wait_schedule_us",
        [WAIT_PREDECESSOR] = "wait_predecessor_us",
    };
    return names[figure];
}

static char lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}

static Str folded(Str text, char *room)
{
    size_t length = text.length < LONGEST_KEY ? text.length : LONGEST_KEY;
    for (size_t i = 0; i < length; i++) {
        room[i] = lower(text.at[i]);
    }
    return (Str){.at = room, .length = length};
}

/* "AIC_0", "AIV 12", "Thread-3": a kind of core and a number. */
static bool is_core(Str word)
{
    static const char *const kinds[] = {"aicpu", "aicore", "aic", "aiv", "core", "thread"};
    char room[LONGEST_KEY];
    Str name = folded(word, room);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!str_starts(name, str_from(kinds[i]))) {
            continue;
        }
        Str number = str_slice(name, strlen(kinds[i]), name.length);
        bool has_mark = number.length > 0 && (number.at[0] == '_' || number.at[0] == '-' ||
                                              number.at[0] == ' ' || number.at[0] == ':');
        number = str_slice(number, has_mark ? 1 : 0, number.length);
        size_t digits = 0;
        while (digits < number.length && number.at[digits] >= '0' && number.at[digits] <= '9') {
            digits++;
        }
        if (digits > 0 && digits == number.length) {
            return true;
        }
    }
    return false;
}

/* "Thread AIV_3", "core AIC_0": the line after its first word; any other line as it is. */
static Str without_kind(Str line)
{
    static const char *const words[] = {"thread ", "core "};
    char room[LONGEST_KEY];
    Str start = folded(line, room);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (str_starts(start, str_from(words[i]))) {
            return str_slice(line, strlen(words[i]), line.length);
        }
    }
    return line;
}

/* The core that a line begins with; `*rest` is what follows its name. Empty when there is none. */
static Str core_at(Str line, Str *rest)
{
    size_t begin = line.length > 0 && line.at[0] == '[' ? 1 : 0;
    for (size_t end = begin; end <= line.length; end++) {
        bool ends =
            end == line.length || strchr("]:,;\t", line.at[end]) != NULL || line.at[end] == ' ';
        Str name = str_trim(str_slice(line, begin, end));
        if (ends && is_core(name)) {
            *rest = str_slice(line, end + 1, line.length);
            return name;
        }
        if (end - begin > LONGEST_KEY) {
            break;
        }
    }
    return STR("");
}

static Str core_of(Str line, Str *rest)
{
    Str name = core_at(line, rest);
    return name.length > 0 ? name : core_at(without_kind(line), rest);
}

/* Which figure a key means; WAIT_FIGURES for none. The longer words come first. */
static WaitFigure figure_of(Str key)
{
    static const struct {
        const char *words;
        WaitFigure figure;
    } table[] = {
        {"wait schedule", WAIT_SCHEDULE},
        {"schedule wait", WAIT_SCHEDULE},
        {"wait predecessor", WAIT_PREDECESSOR},
        {"predecessor wait", WAIT_PREDECESSOR},
        {"total wait time", WAIT_ALL},
        {"work time", WAIT_WORK},
        {"task num", WAIT_TASKS},
        {"wait time", WAIT_ALL},
    };
    char room[LONGEST_KEY];
    Str name = folded(key, room);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (str_contains(name, str_from(table[i].words))) {
            return table[i].figure;
        }
    }
    return WAIT_FIGURES;
}

/* Converts to microseconds; false for units that do not measure time, such as cycles. */
static bool in_microseconds(Str unit, double *value)
{
    static const struct {
        const char *unit;
        double factor;
    } units[] = {{"", 1}, {"us", 1}, {"ns", 1e-3}, {"ms", 1e3}, {"s", 1e6}};
    size_t length = 0;
    while (length < unit.length && lower(unit.at[length]) >= 'a' && lower(unit.at[length]) <= 'z') {
        length++;
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (str_is(str_slice(unit, 0, length), units[i].unit)) {
            *value *= units[i].factor;
            return true;
        }
    }
    return false;
}

static void take_field(CoreTable *table, CoreFigures *core, Str field)
{
    size_t mark = str_find(field, STR(":"), 0);
    mark = mark == SIZE_MAX ? str_find(field, STR("="), 0) : mark;
    if (mark == SIZE_MAX) {
        return;
    }
    WaitFigure figure = figure_of(str_slice(field, 0, mark));
    double value = 0;
    Str unit = STR("");
    if (figure == WAIT_FIGURES) {
        return;
    }
    if (!profile_number(str_slice(field, mark + 1, field.length), &value, &unit) ||
        (figure != WAIT_TASKS && !in_microseconds(unit, &value))) {
        table->unread++;
        return;
    }
    core->value[figure] += value;
    core->has[figure] = true;
}

static void take_fields(CoreTable *table, CoreFigures *core, Str text)
{
    for (size_t at = 0; at < text.length;) {
        size_t end = str_find(text, STR(","), at);
        end = end == SIZE_MAX ? text.length : end;
        take_field(table, core, str_slice(text, at, end));
        at = end + 1;
    }
}

/* If a log gives only the parts, the whole is their sum. False when it gives neither. */
static bool complete(CoreFigures *core)
{
    bool has_part = core->has[WAIT_SCHEDULE] || core->has[WAIT_PREDECESSOR];
    if (!core->has[WAIT_ALL] && has_part) {
        core->value[WAIT_ALL] = core->value[WAIT_SCHEDULE] + core->value[WAIT_PREDECESSOR];
        core->has[WAIT_ALL] = true;
    }
    return core->has[WAIT_ALL];
}

bool waits_read(CoreTable *table, Arena *arena, Str text)
{
    *table = (CoreTable){.unread = 0};
    CoreFigures *core = NULL;
    Str line;
    for (size_t at = 0; profile_line(text, &at, &line);) {
        Str rest = line;
        Str name = core_of(line, &rest);
        if (name.length > 0) {
            core = profile_core(table, arena, name);
            table->unread += core == NULL;
            if (core != NULL) {
                core->rows++;
            }
        } else if (line.length > 0 && line.at[0] == '[') {
            /* What follows is not about a core. */
            table->unread += core != NULL;
            core = NULL;
        }
        if (core != NULL) {
            take_fields(table, core, rest);
        }
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < table->cores.count; i++) {
        if (complete(&table->cores.items[i])) {
            table->cores.items[kept++] = table->cores.items[i];
        } else {
            table->unread++;
        }
    }
    table->cores.count = kept;
    return kept > 0;
}
