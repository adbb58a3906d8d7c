/* The simulator's recorder over its C API: the bytes are a script of calls with any handles, kinds
 * and numbers. Nothing may crash, and a program that ends well must run (or fail with an error
 * value) on small arguments. */
#include "fuzz.h"
#include "sim/ptosim.h"

typedef struct Script {
    const uint8_t *at, *end;
    PtsContext *context;
    PtsProgram *program;
    PtsSym syms[32];
    PtsSlot slots[32];
    int sym_count, slot_count, depth;
    PtsError error;
} Script;

static uint32_t byte(Script *s)
{
    return s->at < s->end ? *s->at++ : 0;
}

/* Mostly small values, now and then an extreme one. */
static int64_t number(Script *s)
{
    static const int64_t odd[] = {0,         -1,       INT64_MAX, INT64_MIN, INT32_MAX,
                                  INT32_MIN, 1L << 40, 65536,     4096,      -16};
    uint32_t value = byte(s);
    return value < 246 ? value % 33 : odd[value - 246];
}

static void keep_sym(Script *s, PtsSym sym)
{
    s->syms[s->sym_count++ % 32] = sym;
}

static PtsSym sym(Script *s)
{
    uint32_t value = byte(s);
    if (value < 128) {
        return pts_sym_constant(s->context, number(s), &s->error);
    }
    return value == 255 ? value * 1000003u : s->syms[value % 32];
}

static void keep_slot(Script *s, PtsSlot slot)
{
    if (slot != PTS_SLOT_NONE) {
        s->slots[s->slot_count++ % 32] = slot;
    }
}

static PtsSlot slot(Script *s)
{
    uint32_t value = byte(s);
    return value == 255 ? value * 1000003u : s->slots[value % 32];
}

static PtsSite site(Script *s)
{
    return (PtsSite){"kernel.py", (int)(s->end - s->at)};
}

static PtsOperand operand(Script *s)
{
    uint32_t kind = byte(s);
    PtsOperand operand = {.kind = kind < 200 ? PTS_OPERAND_SLOT : (PtsOperandKind)(kind % 7)};
    operand.slot = slot(s);
    if (kind >= 200) {
        operand.element.dtype = (PtsDtype)(byte(s) % 26);
        operand.element.integer = number(s);
        operand.element.real = (double)operand.element.integer / 3;
        operand.sym = sym(s);
    }
    return operand;
}

static int list(Script *s, PtsSym *items)
{
    uint32_t count = byte(s) % 8;
    for (uint32_t i = 0; i < count && i < PTS_MAX_RANK; i++) {
        items[i] = sym(s);
    }
    return (int)count;
}

static PtsAttributes attributes(Script *s)
{
    PtsAttributes a = PTS_ATTRIBUTES;
    uint32_t given = byte(s);
    a.dtype = (PtsDtype)(byte(s) % 26);
    if ((given & 1) != 0) {
        a.shape_rank = list(s, a.shape);
    }
    if ((given & 2) != 0) {
        a.offset_rank = list(s, a.offsets);
    }
    if ((given & 4) != 0) {
        a.valid_rank = list(s, a.valid);
    }
    if ((given & 8) != 0) {
        a.dim = (int)number(s);
        a.dim1 = (int)number(s);
        a.count = (int)number(s);
        a.mode = (int)number(s);
        a.saturation = (int)byte(s) % 3;
        a.real = (double)number(s) / 2;
    }
    if ((given & 16) != 0) {
        uint32_t flags = byte(s);
        a.keepdim = flags & 1;
        a.inplace = (flags & 2) != 0;
        a.a_trans = (flags & 4) != 0;
        a.b_trans = (flags & 8) != 0;
        a.has_scale = (flags & 16) != 0;
        a.accumulate = (flags & 32) != 0;
        a.relu = (int)(flags >> 6);
    }
    if ((given & 32) != 0) {
        a.diagonal = sym(s);
    }
    return a;
}

static void emit(Script *s)
{
    PtsOp op = (PtsOp)(byte(s) % (PTS_OP_COUNT + 1));
    PtsOperand operands[5];
    int count = (int)byte(s) % 6;
    for (int i = 0; i < count; i++) {
        operands[i] = operand(s);
    }
    PtsAttributes a = attributes(s);
    PtsSlot results[PTS_MAX_RESULTS];
    int result_count;
    if (pts_emit(s->program, op, count, operands, &a, site(s), results, &result_count, &s->error)) {
        for (int i = 0; i < result_count; i++) {
            keep_slot(s, results[i]);
        }
    }
}

static void declare(Script *s)
{
    PtsSym shape[PTS_MAX_RANK] = {0};
    int rank = list(s, shape);
    PtsDtype dtype = (PtsDtype)(byte(s) % 26);
    keep_slot(s, pts_declare(s->program, dtype, rank, shape, (PtsFormat)(byte(s) % 3), "t", site(s),
                             &s->error));
}

static void loop(Script *s)
{
    PtsLoop loop = {.start = sym(s), .stop = sym(s), .step = sym(s), .site = site(s)};
    uint32_t flags = byte(s);
    loop.parallel = flags & 1;
    loop.submit_before = (flags & 2) != 0;
    loop.index_name = (flags & 4) != 0 ? "i" : NULL;
    PtsSym index;
    if (pts_loop_begin(s->program, &loop, &index, &s->error)) {
        keep_sym(s, index);
        s->depth++;
    }
}

static void arithmetic(Script *s)
{
    PtsSymOp op = (PtsSymOp)(byte(s) % 14);
    PtsSym a = sym(s), b = sym(s);
    keep_sym(s, pts_sym_binary(s->context, op, a, b, &s->error));
    char text[40];
    pts_sym_text(s->context, a, text, sizeof text);
}

static void settings(Script *s)
{
    int64_t tile[6] = {number(s), number(s), number(s), number(s), 1, 1};
    if (byte(s) % 2 == 0) {
        pts_config_set_vector_tile(s->context, (int)byte(s) % 6, tile, &s->error);
        return;
    }
    PtsCubeTile cube = {.m = {tile[0], tile[1]},
                        .k = {tile[2], tile[3], tile[3]},
                        .n = {number(s), number(s)},
                        .split_k = byte(s) % 2 == 0};
    pts_config_set_cube_tile(s->context, &cube, &s->error);
}

static void read_element(Script *s)
{
    PtsSym index[PTS_MAX_RANK] = {0};
    int rank = list(s, index);
    keep_sym(s, pts_element_read(s->program, slot(s), rank, index, site(s), &s->error));
}

/* One call. */
static void step(Script *s)
{
    switch (byte(s) % 12) {
    case 0:
        declare(s);
        break;
    case 1:
        loop(s);
        break;
    case 2:
        if (s->depth > 0 && !pts_loop_next_path(s->program)) {
            pts_loop_end(s->program, &s->error);
            s->depth--;
        }
        break;
    case 3:
        pts_condition(s->program, sym(s), site(s), &s->error);
        break;
    case 4:
        arithmetic(s);
        break;
    case 5:
        settings(s);
        break;
    case 6:
        read_element(s);
        break;
    case 7:
        keep_sym(s, pts_loop_edge(s->program, sym(s), byte(s) % 2 == 0, &s->error));
        break;
    default:
        emit(s);
        break;
    }
}

/* Loops that the script left open are walked to their ends. */
static void close_loops(Script *s)
{
    while (s->depth > 0) {
        while (pts_loop_next_path(s->program)) {
        }
        pts_loop_end(s->program, &s->error);
        s->depth--;
    }
}

/* What one run may compute: a long script, whose loops may contain hundreds of operations, gets
 * fewer iterations, so that no input keeps a round waiting. */
enum { MOST_BYTES = 1 << 18, MOST_TRIPS = 2000, MOST_STEPS = 1 << 19 };

static int64_t most_trips(size_t size)
{
    int64_t trips = MOST_STEPS / ((int64_t)size + 1);
    return trips < 1 ? 1 : trips < MOST_TRIPS ? trips : MOST_TRIPS;
}

static void run(Script *s, PtsDtype dtype, const int64_t *extents)
{
    int64_t bytes = (int64_t)pts_dtype_bytes(dtype);
    PtsArgument arguments[2];
    for (int i = 0; i < 2; i++) {
        arguments[i] = (PtsArgument){.dtype = dtype, .rank = 2, .shape = {extents[0], extents[1]}};
        arguments[i].data = calloc((size_t)(extents[0] * extents[1] * bytes) + 1, 1);
    }
    pts_run(s->program, 2, arguments, 1, NULL, &s->error);
    free(arguments[0].data);
    free(arguments[1].data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Script s = {.at = data, .end = data + size};
    PtsSoc soc = {.arch = byte(&s) % 2 == 0 ? 2201 : 3510,
                  .ub = 196608,
                  .l0a = 65536,
                  .l0b = 65536,
                  .l0c = 131072,
                  .l1 = 524288};
    PtsOptions options = {.profile = (PtsProfile)(byte(&s) % 2),
                          .max_paths = 16,
                          .max_trips = most_trips(size),
                          .max_bytes = MOST_BYTES};
    s.context = pts_context_new(&soc, &options);
    s.program = pts_program_begin(s.context, "kernel", (PtsSite){"kernel.py", 1}, &s.error);
    int64_t tile[4] = {16, 16, 16, 16};
    pts_config_set_vector_tile(s.context, 4, tile, &s.error);
    PtsCubeTile cube = {.m = {16, 16}, .k = {16, 16, 16}, .n = {16, 16}};
    pts_config_set_cube_tile(s.context, &cube, &s.error);

    const PtsDtype dtypes[] = {PTS_FP32, PTS_INT32, PTS_FP16, PTS_BF16, PTS_INT8, PTS_BOOL};
    PtsDtype dtype = dtypes[byte(&s) % 6];
    int64_t extents[2] = {byte(&s) % 20, 1 + byte(&s) % 20};
    for (int i = 0; i < 2; i++) {
        PtsSym shape[2] = {pts_sym_constant(s.context, extents[0], &s.error),
                           pts_sym_constant(s.context, extents[1], &s.error)};
        if (byte(&s) % 2 == 0) {
            shape[0] = pts_parameter_dim(s.program, i, 0, i == 0 ? NULL : "n", &s.error);
        }
        keep_slot(&s,
                  pts_parameter(s.program, dtype, 2, shape, PTS_ND, "p", (PtsSite){0}, &s.error));
    }
    const uint8_t *body = s.at;
    int paths = 0;
    while (pts_program_next_path(s.program) && paths++ < 20) {
        s.slot_count = 2; /* the same body again, so that it is replayed */
        s.sym_count = s.depth = 0;
        s.at = body;
        while (s.at < s.end) {
            step(&s);
        }
        close_loops(&s);
    }
    if (pts_program_end(s.program, &s.error)) {
        char text[200];
        pts_program_text(s.program, text, sizeof text);
        run(&s, dtype, extents);
    } else {
        char text[1200];
        pts_error_text(&s.error, text, sizeof text);
    }
    pts_program_free(s.program);
    pts_context_free(s.context);
    return 0;
}
