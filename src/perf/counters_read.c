/* PMU tables: CSV with a line of column names, as CANN's profiler writes it: aicore_time(us),
 * total_cycles, vec_ratio, mac_ratio, scalar_ratio, mte1_ratio …, also with aic_ or aiv_ before a
 * name. A row without a column for the core counts for all of its kind. */
#include "perf/profile.h"

enum { MOST_COLUMNS = 256, LONGEST_NAME = 64 };

typedef enum CoreKind { KIND_NONE, KIND_AIC, KIND_AIV, KINDS } CoreKind;

typedef struct Column {
    bool is_core;
    bool is_percent;
    CoreKind kind;
    CounterFigure figure; /* COUNTER_FIGURES: not used */
} Column;

typedef struct Columns {
    Column items[MOST_COLUMNS];
    uint32_t count;
} Columns;

const char *counter_name(CounterFigure figure)
{
    static const char *const names[] = {
        [COUNTER_TIME] = "time_us",          [COUNTER_CYCLES] = "total_cycles",
        [COUNTER_VECTOR] = "vec_ratio",      [COUNTER_CUBE] = "mac_ratio",
        [COUNTER_SCALAR] = "scalar_ratio",   [COUNTER_MTE1] = "mte1_ratio",
        [COUNTER_MTE2] = "mte2_ratio",       [COUNTER_MTE3] = "mte3_ratio",
        [COUNTER_FIXPIPE] = "fixpipe_ratio", [COUNTER_ICACHE_MISS] = "icache_miss_rate",
    };
    return names[figure];
}

/* The field at `*at` without its quotes; false at the end of the line. Quotes within quotes stay
 * doubled: no name or number has any. */
static bool next_field(Str line, size_t *at, Str *field)
{
    if (*at > line.length) {
        return false;
    }
    size_t end = *at;
    bool is_quoted = false;
    while (end < line.length && (is_quoted || line.at[end] != ',')) {
        is_quoted = line.at[end] == '"' ? !is_quoted : is_quoted;
        end++;
    }
    Str text = str_trim(str_slice(line, *at, end));
    bool has_quotes = text.length >= 2 && text.at[0] == '"' && text.at[text.length - 1] == '"';
    *field = has_quotes ? str_trim(str_slice(text, 1, text.length - 1)) : text;
    *at = end + 1;
    return true;
}

/* A column's name in small letters, with _ for blanks, up to a bracket. */
static Str plain_name(Str name, char *room)
{
    size_t length = 0;
    for (size_t i = 0; i < name.length && length < LONGEST_NAME; i++) {
        char c = name.at[i];
        if (c == '(' || c == '[') {
            break;
        }
        room[length++] = (char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c == ' ' ? '_' : c);
    }
    while (length > 0 && room[length - 1] == '_') {
        length--;
    }
    return (Str){.at = room, .length = length};
}

static CounterFigure figure_of(Str name)
{
    static const struct {
        const char *name;
        CounterFigure figure;
    } more[] = {{"time", COUNTER_TIME},
                {"aicore_time", COUNTER_TIME},
                {"cube_ratio", COUNTER_CUBE},
                {"icache_miss", COUNTER_ICACHE_MISS},
                {"icache_miss_ratio", COUNTER_ICACHE_MISS}};
    for (int i = COUNTER_CYCLES; i < COUNTER_FIGURES; i++) {
        if (str_is(name, counter_name((CounterFigure)i))) {
            return (CounterFigure)i;
        }
    }
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        if (str_is(name, more[i].name)) {
            return more[i].figure;
        }
    }
    return COUNTER_FIGURES;
}

static Column column_of(Str field)
{
    static const char *const cores[] = {"core", "core_id", "coreid", "block_id", "core_name"};
    char room[LONGEST_NAME];
    Str name = plain_name(field, room);
    Column column = {.is_core = STR_IS_ANY(name, cores),
                     .is_percent = str_contains(field, STR("%"))};
    if (str_starts(name, STR("aic_")) || str_starts(name, STR("aiv_"))) {
        column.kind = name.at[2] == 'c' ? KIND_AIC : KIND_AIV;
        name = str_slice(name, strlen("aic_"), name.length);
    }
    column.figure = column.is_core ? COUNTER_FIGURES : figure_of(name);
    return column;
}

/* False without a column that only such tables have: a share. */
static bool read_columns(Columns *columns, Str line)
{
    bool has_share = false;
    Str field;
    for (size_t at = 0; columns->count < MOST_COLUMNS && next_field(line, &at, &field);) {
        Column column = column_of(field);
        has_share =
            has_share || (column.figure > COUNTER_CYCLES && column.figure < COUNTER_FIGURES);
        columns->items[columns->count++] = column;
    }
    return has_share;
}

/* The values of a row for one kind of core. */
typedef struct RowValues {
    double value[COUNTER_FIGURES];
    bool has[COUNTER_FIGURES];
    bool any;
} RowValues;

/* The weight of a row: its time, else its cycles; rows with neither weigh the same. */
static double weight_of(const RowValues *row)
{
    return row->has[COUNTER_TIME]     ? row->value[COUNTER_TIME]
           : row->has[COUNTER_CYCLES] ? row->value[COUNTER_CYCLES]
                                      : 1;
}

static void add_row(CoreFigures *core, const RowValues *row)
{
    core->rows++;
    for (int i = 0; i < COUNTER_FIGURES; i++) {
        if (!row->has[i]) {
            continue;
        }
        bool is_sum = i <= COUNTER_CYCLES;
        double weight = is_sum ? 1 : weight_of(row);
        core->has[i] = true;
        core->value[i] += row->value[i] * weight;
        core->weight[i] += weight;
    }
}

/* "3 AIC", in `room`: most rows name a core that is known, so nothing is kept. */
static Str joined(Str core, const char *kind, char *room)
{
    size_t length = core.length < LONGEST_NAME ? core.length : LONGEST_NAME;
    if (length > 0) {
        memcpy(room, core.at, length);
    }
    if (length > 0 && kind[0] != '\0') {
        room[length++] = ' ';
    }
    memcpy(room + length, kind, strlen(kind));
    return (Str){.at = room, .length = length + strlen(kind)};
}

static void read_row(CoreTable *table, Arena *arena, const Columns *columns, Str line)
{
    static const char *const kinds[KINDS] = {"", "AIC", "AIV"};
    RowValues rows[KINDS] = {{.any = false}};
    Str core = STR("");
    Str field, rest;
    uint32_t number = 0;
    for (size_t at = 0; number < columns->count && next_field(line, &at, &field); number++) {
        const Column *column = &columns->items[number];
        double value = 0;
        if (column->is_core) {
            core = field;
        } else if (column->figure < COUNTER_FIGURES && profile_number(field, &value, &rest)) {
            RowValues *row = &rows[column->kind];
            row->value[column->figure] = column->is_percent ? value / 100 : value;
            row->has[column->figure] = row->any = true;
        }
    }
    bool used = false;
    for (int kind = 0; kind < KINDS; kind++) {
        char room[LONGEST_NAME + 8];
        Str name = joined(core, kinds[kind], room);
        CoreFigures *figures = rows[kind].any ? profile_core(table, arena, name) : NULL;
        if (figures != NULL) {
            add_row(figures, &rows[kind]);
            used = true;
        }
    }
    table->unread += !used;
}

static void make_means(CoreTable *table)
{
    for (uint32_t i = 0; i < table->cores.count; i++) {
        CoreFigures *core = &table->cores.items[i];
        for (int k = COUNTER_CYCLES + 1; k < COUNTER_FIGURES; k++) {
            core->value[k] = core->weight[k] > 0 ? core->value[k] / core->weight[k] : 0;
            core->has[k] = core->weight[k] > 0;
        }
    }
}

bool counters_read(CoreTable *table, Arena *arena, Str text)
{
    Columns *columns = ARENA_NEW(arena, Columns);
    *table = (CoreTable){.unread = 0};
    size_t at = 0;
    Str line;
    if (str_starts(text, STR("\xEF\xBB\xBF"))) {
        at = 3;
    }
    if (!profile_line(text, &at, &line) || !read_columns(columns, line)) {
        return false;
    }
    while (profile_line(text, &at, &line)) {
        if (line.length > 0) {
            read_row(table, arena, columns, line);
        }
    }
    make_means(table);
    return table->cores.count > 0;
}
