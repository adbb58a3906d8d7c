/* Writes a trace as columns of numbers, for pages (src/page/run.js reads them).
 *
 *     {"soc", "mhz", "cycles", "launches", "dropped",
 *      "capacity": {"UB": bytes, …}, "pipes": [name, …], "busy": [cycles of each pipe],
 *      "rates": {"memory": bytes a cycle, "cube": FLOPs a cycle, "vector": the same},
 *      "names": [text, …], "files": [[name's number, path], …],
 *      "ops": [name of an operation by its number, …],
 *      "needs": [[bytes in UB, L1, L0A, L0B, L0C, BT, from, to memory, FLOPs, kept], …],
 *      "tensors": [[name, launch, dtype, extent, …], …],
 *      "lines": [[file, line, operations, cycles of each pipe…, bytes in, bytes out, FLOPs], …],
 *      "turns", "operations", "spans", "windows": tables}
 *
 * A table is {"count": rows, column: text, …}. The text of a column is the base64 form of its
 * numbers: the difference of each from the one before, zigzag, in groups of seven bits, lowest
 * first; after a difference of 0, how often it comes again. Numbers of operations, turns, names and
 * needs are indices; where there may be none, 1 is added and 0 means none. Cycles are rounded. A
 * span is what an operation does on one pipe, from its first tile to its last; extents of windows
 * follow their offsets, as many as the tensor has axes. "kept" is the bytes of an operation's
 * results, "until" how many cycles after its end the last operation takes them; "made0" to "made3"
 * are the operations whose results it takes. */
#include "base/base64.h"
#include "model/program.h"
#include "sim/trace_output.h"

static const char *const memory_names[PTS_CORE_MEMORIES] = {"UB", "L1", "L0A", "L0B", "L0C", "BT"};
/* Of the 16-bit types, a cycle. */
enum { FRACTAL_FLOPS = 2 * 16 * 16 * 16, VECTOR_FLOPS = 256 / 2 };

typedef struct Column {
    Buf bytes;
    int64_t last;
    uint64_t repeats; /* of the last number, not written yet */
} Column;

static void add_groups(Buf *bytes, uint64_t number)
{
    for (; number >= 0x80; number >>= 7) {
        buf_add_char(bytes, (char)(number | 0x80));
    }
    buf_add_char(bytes, (char)number);
}

static void end_repeats(Column *column)
{
    if (column->repeats > 0) {
        buf_add_char(&column->bytes, 0);
        add_groups(&column->bytes, column->repeats - 1);
        column->repeats = 0;
    }
}

static void add(Column *column, int64_t value)
{
    uint64_t step = (uint64_t)value - (uint64_t)column->last;
    if (step == 0) {
        column->repeats++;
        return;
    }
    end_repeats(column);
    column->last = value;
    uint64_t sign = step >> 63 == 0 ? 0 : UINT64_MAX;
    add_groups(&column->bytes, step << 1 ^ sign);
}

/* `none` becomes 0. */
static int64_t one_more(uint32_t number)
{
    return number == TRACE_NONE ? 0 : (int64_t)number + 1;
}

static void write_columns(FILE *file, const char *table, uint32_t rows, Column *columns,
                          const char *const *names, size_t count)
{
    fprintf(file, ",\n\"%s\":{\"count\":%u", table, rows);
    for (size_t i = 0; i < count; i++) {
        end_repeats(&columns[i]);
        Str text = base64_encode(columns[i].bytes.arena, buf_str(&columns[i].bytes));
        fprintf(file, ",\"%s\":\"%.*s\"", names[i], STR_ARG(text));
    }
    putc('}', file);
}
#define WRITE_COLUMNS(file, table, rows, columns, names)                                           \
    _Static_assert(sizeof(columns) / sizeof *(columns) == sizeof(names) / sizeof *(names),         \
                   "a name for each column");                                                      \
    write_columns(file, table, rows, columns, names, sizeof(names) / sizeof *(names))

static void start_columns(Arena *arena, Column *columns, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        columns[i] = (Column){.bytes = {.arena = arena}};
    }
}
#define START_COLUMNS(arena, columns)                                                              \
    start_columns(arena, columns, sizeof(columns) / sizeof *(columns))

static void write_turns(const PtsTrace *trace, FILE *file, Arena *arena)
{
    static const char *const names[] = {"parent", "name", "index", "start", "end"};
    Column columns[5];
    START_COLUMNS(arena, columns);
    for (uint32_t i = 0; i < trace->turns.count; i++) {
        const TraceTurn *turn = &trace->turns.items[i];
        add(&columns[0], one_more(turn->parent));
        add(&columns[1], turn->name);
        add(&columns[2], turn->index);
        add(&columns[3], (int64_t)turn->start);
        add(&columns[4], (int64_t)turn->end);
    }
    WRITE_COLUMNS(file, "turns", trace->turns.count, columns, names);
}

/* What an operation needs and moves: few operations differ in it. */
enum { SIZES = PTS_CORE_MEMORIES + 4 };

/* The number of an operation's sizes, among the different ones of all. */
static uint32_t needs_number(Map *needs, Arena *arena, const TraceOperation *operation)
{
    int64_t sizes[SIZES];
    memcpy(sizes, operation->needs, sizeof operation->needs);
    sizes[PTS_CORE_MEMORIES] = (int64_t)operation->in_bytes;
    sizes[PTS_CORE_MEMORIES + 1] = (int64_t)operation->out_bytes;
    sizes[PTS_CORE_MEMORIES + 2] = (int64_t)operation->flops;
    sizes[PTS_CORE_MEMORIES + 3] = (int64_t)operation->kept_bytes;
    Str key = {(const char *)sizes, sizeof sizes};
    uint32_t number = map_find(needs, key);
    return number == MAP_NONE ? map_add(needs, arena, str_copy(arena, key)) : number;
}

/* How long its results wait for the last operation that takes them. */
static int64_t kept_cycles(const TraceOperation *operation)
{
    double cycles = operation->last_use - operation->end;
    return cycles > 0 ? (int64_t)cycles : 0;
}

/* Not part of its caller, where gcc 14 would warn about the variables beside setjmp. */
__attribute__((noinline)) static void write_operations(const PtsTrace *trace, FILE *file,
                                                       Arena *arena, Map *needs)
{
    static const char *const names[] = {"op",    "label", "file",  "line", "target", "loads",
                                        "turn",  "wait",  "start", "end",  "needs",  "until",
                                        "made0", "made1", "made2", "made3"};
    Column columns[16];
    START_COLUMNS(arena, columns);
    for (uint32_t i = 0; i < trace->operations.count; i++) {
        const TraceOperation *operation = &trace->operations.items[i];
        const int64_t row[] = {operation->op,
                               operation->label,
                               operation->file,
                               operation->line,
                               operation->target,
                               operation->loads,
                               operation->turn,
                               one_more(operation->waits_for),
                               (int64_t)operation->start,
                               (int64_t)operation->end,
                               needs_number(needs, arena, operation),
                               kept_cycles(operation),
                               one_more(operation->producers[0]),
                               one_more(operation->producers[1]),
                               one_more(operation->producers[2]),
                               one_more(operation->producers[3])};
        for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
            add(&columns[k], row[k]);
        }
    }
    WRITE_COLUMNS(file, "operations", trace->operations.count, columns, names);
}

static void write_spans(const PtsTrace *trace, FILE *file, Arena *arena)
{
    static const char *const names[] = {"operation", "pipe", "start", "end"};
    Column columns[4];
    START_COLUMNS(arena, columns);
    uint32_t count = 0;
    for (uint32_t i = 0; i < trace->events.count;) {
        uint32_t operation = trace->events.items[i].operation, next = i;
        while (next < trace->events.count && trace->events.items[next].operation == operation) {
            next++;
        }
        for (int pipe = 0; pipe < TRACE_PIPES && operation < trace->operations.count; pipe++) {
            double start = -1, end = 0;
            for (uint32_t k = i; k < next; k++) {
                const TraceEvent *event = &trace->events.items[k];
                if ((int)event->pipe != pipe) {
                    continue;
                }
                start = start < 0 ? event->start : start;
                end = event->start + event->cycles;
            }
            if (start < 0) {
                continue;
            }
            const int64_t row[] = {operation, pipe, (int64_t)start, (int64_t)end};
            for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
                add(&columns[k], row[k]);
            }
            count++;
        }
        i = next;
    }
    WRITE_COLUMNS(file, "spans", count, columns, names);
}

static void write_windows(const PtsTrace *trace, FILE *file, Arena *arena)
{
    static const char *const names[] = {"operation", "tensor", "write", "box"};
    Column columns[4];
    START_COLUMNS(arena, columns);
    for (uint32_t i = 0; i < trace->windows.count; i++) {
        const TraceWindow *window = &trace->windows.items[i];
        add(&columns[0], window->operation);
        add(&columns[1], window->tensor);
        add(&columns[2], window->is_write);
        int rank = trace->tensors.items[window->tensor].rank;
        for (int k = 0; k < rank; k++) {
            add(&columns[3], window->offset[k]);
        }
        for (int k = 0; k < rank; k++) {
            add(&columns[3], window->extent[k]);
        }
    }
    WRITE_COLUMNS(file, "windows", trace->windows.count, columns, names);
}

static void write_hardware(const PtsTrace *trace, FILE *file)
{
    const PtsSoc *soc = pts_context_soc(trace->context);
    const int64_t sizes[PTS_CORE_MEMORIES] = {soc->ub,  soc->l1,  soc->l0a,
                                              soc->l0b, soc->l0c, soc->bt};
    fputs("{\"soc\":", file);
    trace_write_string(file, soc->name);
    fprintf(file, ",\"mhz\":%d,\"cycles\":%.0f,\"launches\":%d,\"dropped\":%zu,\n\"capacity\":{",
            soc->clock_mhz, trace->end, trace->runs, trace->dropped);
    for (int i = 0; i < PTS_CORE_MEMORIES; i++) {
        fprintf(file, "%s\"%s\":%lld", i == 0 ? "" : ",", memory_names[i], (long long)sizes[i]);
    }
    fprintf(file, "},\n\"rates\":{\"memory\":%.17g,\"cube\":%d,\"vector\":%d},\n\"pipes\":[",
            soc->rate_ddr, FRACTAL_FLOPS, VECTOR_FLOPS);
    for (int i = 0; i < TRACE_PIPES; i++) {
        fputs(i == 0 ? "" : ",", file);
        trace_write_string(file, trace_pipe_names[i]);
    }
    fputs("],\n\"busy\":[", file);
    for (int i = 0; i < TRACE_PIPES; i++) {
        fprintf(file, "%s%.0f", i == 0 ? "" : ",", trace->busy[i]);
    }
    putc(']', file);
}

static void write_names(const PtsTrace *trace, FILE *file, const char *folder)
{
    fputs(",\n\"names\":[", file);
    for (uint32_t i = 0; i < trace->names.keys.count; i++) {
        fputs(i == 0 ? "" : ",", file);
        trace_write_string(file, trace_path(trace, i, folder));
    }
    fputs("],\n\"ops\":[", file);
    for (int op = 0; op < PTS_OP_COUNT; op++) {
        fputs(op == 0 ? "" : ",", file);
        trace_write_string(file, pts_op_name((PtsOp)op));
    }
    putc(']', file);
}

static void write_tensors(const PtsTrace *trace, FILE *file)
{
    fputs(",\n\"tensors\":[", file);
    for (uint32_t i = 0; i < trace->tensors.count; i++) {
        const TraceTensor *tensor = &trace->tensors.items[i];
        fprintf(file, "%s[%u,%u,", i == 0 ? "" : ",", tensor->name, tensor->turn);
        trace_write_string(file, pts_dtype_name(tensor->dtype));
        for (int k = 0; k < tensor->rank; k++) {
            fprintf(file, ",%lld", (long long)tensor->shape[k]);
        }
        putc(']', file);
    }
    putc(']', file);
}

static void write_lines(const PtsTrace *trace, FILE *file)
{
    fputs(",\n\"lines\":[", file);
    for (uint32_t i = 0; i < trace->lines.count; i++) {
        const TraceLine *line = &trace->lines.items[i];
        fprintf(file, "%s[%u,%d,%u", i == 0 ? "" : ",", line->file, line->line, line->operations);
        for (int pipe = 0; pipe < TRACE_PIPES; pipe++) {
            fprintf(file, ",%.0f", line->busy[pipe]);
        }
        fprintf(file, ",%.0f,%.0f,%.0f]", line->in_bytes, line->out_bytes, line->flops);
    }
    putc(']', file);
}

static void write_needs(FILE *file, const Map *needs)
{
    fputs(",\n\"needs\":[", file);
    for (uint32_t i = 0; i < needs->keys.count; i++) {
        int64_t bytes[SIZES];
        memcpy(bytes, needs->keys.items[i].at, sizeof bytes);
        for (int k = 0; k < SIZES; k++) {
            fprintf(file, "%s%lld", k > 0 ? "," : i == 0 ? "[" : ",[", (long long)bytes[k]);
        }
        putc(']', file);
    }
    putc(']', file);
}

bool trace_write_profile(const PtsTrace *trace, FILE *file, const char *folder)
{
    Arena arena;
    jmp_buf env;
    arena_init(&arena, 0);
    if (!OOM_GUARD(&arena, env)) {
        arena_free(&arena);
        return false;
    }
    Map needs = {0};
    write_hardware(trace, file);
    write_names(trace, file, folder);
    write_tensors(trace, file);
    write_lines(trace, file);
    write_turns(trace, file, &arena);
    write_operations(trace, file, &arena, &needs);
    write_spans(trace, file, &arena);
    write_windows(trace, file, &arena);
    write_needs(file, &needs);
    fputs("}\n", file);
    arena_free(&arena);
    return true;
}
