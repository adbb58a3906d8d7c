/* See record_fixture.h. */
#include "record_fixture.h"

#include <stdio.h>

static PtsSlot last_results[PTS_MAX_RESULTS];

void fixture_open(Fixture *f, const char *soc, PtsProfile profile)
{
    *f = (Fixture){0};
    char path[512];
    snprintf(path, sizeof path, "%s/%s.soc", SOC_FOLDER, soc);
    assert_true(pts_soc_load(path, &f->soc, &f->error));
    PtsOptions options = {.profile = profile};
    f->context = pts_context_new(&f->soc, &options);
    assert_non_null(f->context);
    int64_t tile[4] = {16, 16, 16, 16};
    assert_true(pts_config_set_vector_tile(f->context, 4, tile, &f->error));
    PtsCubeTile cube = {.set = true, .m = {32, 32}, .k = {32, 32, 32}, .n = {32, 32}};
    assert_true(pts_config_set_cube_tile(f->context, &cube, &f->error));
    begin(f);
}

void fixture_close(Fixture *f)
{
    pts_program_free(f->program);
    pts_context_free(f->context);
}

void begin(Fixture *f)
{
    f->program = pts_program_begin(f->context, "kernel", here(1), &f->error);
    assert_non_null(f->program);
}

void end(Fixture *f)
{
    if (!pts_program_end(f->program, &f->error)) {
        fail_msg("%s", f->error.message);
    }
}

void again(Fixture *f)
{
    pts_program_free(f->program);
    begin(f);
}

bool next_path(Fixture *f)
{
    return pts_program_next_path(f->program);
}

PtsSite here(int line)
{
    return (PtsSite){"kernel.py", line};
}

PtsSym number(Fixture *f, int64_t value)
{
    return pts_sym_constant(f->context, value, &f->error);
}

PtsSym add(Fixture *f, PtsSym a, int64_t b)
{
    return pts_sym_binary(f->context, PTS_SYM_ADD, a, number(f, b), &f->error);
}

PtsSym times(Fixture *f, PtsSym a, int64_t b)
{
    return pts_sym_binary(f->context, PTS_SYM_MUL, a, number(f, b), &f->error);
}

static int read_extents(Fixture *f, va_list args, PtsSym *shape)
{
    int rank = 0;
    for (int64_t extent = va_arg(args, int); extent != -1; extent = va_arg(args, int)) {
        shape[rank++] = number(f, extent);
    }
    return rank;
}

PtsSlot parameter(Fixture *f, PtsDtype dtype, const char *name, ...)
{
    PtsSym shape[PTS_MAX_RANK];
    va_list args;
    va_start(args, name);
    int rank = read_extents(f, args, shape);
    va_end(args);
    PtsSlot slot = pts_parameter(f->program, dtype, rank, shape, PTS_ND, name, here(2), &f->error);
    assert_int_not_equal(slot, PTS_SLOT_NONE);
    return slot;
}

PtsSlot declare(Fixture *f, PtsDtype dtype, ...)
{
    PtsSym shape[PTS_MAX_RANK];
    va_list args;
    va_start(args, dtype);
    int rank = read_extents(f, args, shape);
    va_end(args);
    PtsSlot slot = pts_declare(f->program, dtype, rank, shape, PTS_ND, "local", here(3), &f->error);
    if (slot == PTS_SLOT_NONE) {
        fail_msg("%s", f->error.message);
    }
    return slot;
}

PtsSlot dynamic_parameter(Fixture *f, PtsDtype dtype, const char *name, int64_t columns)
{
    static int count;
    PtsSym shape[2];
    shape[0] = pts_parameter_dim(f->program, count++ % 8, 0, "rows", &f->error);
    shape[1] = number(f, columns);
    PtsSlot slot = pts_parameter(f->program, dtype, 2, shape, PTS_ND, name, here(2), &f->error);
    assert_int_not_equal(slot, PTS_SLOT_NONE);
    return slot;
}

PtsOperand slot(PtsSlot slot)
{
    return (PtsOperand){.kind = PTS_OPERAND_SLOT, .slot = slot};
}

PtsOperand integer(int64_t value)
{
    return (PtsOperand){.kind = PTS_OPERAND_INT, .element = {PTS_INT64, value, 0}};
}

PtsOperand real(double value)
{
    return (PtsOperand){.kind = PTS_OPERAND_FLOAT, .element = {PTS_DOUBLE, 0, value}};
}

PtsOperand element(PtsDtype dtype, double value)
{
    return (PtsOperand){.kind = PTS_OPERAND_ELEMENT, .element = {dtype, (int64_t)value, value}};
}

PtsOperand symbol(PtsSym sym)
{
    return (PtsOperand){.kind = PTS_OPERAND_SYM, .sym = sym};
}

static bool emit_list(Fixture *f, PtsOp op, const PtsAttributes *attributes, int count,
                      va_list args)
{
    PtsOperand operands[PTS_MAX_OPERANDS];
    for (int i = 0; i < count; i++) {
        operands[i] = va_arg(args, PtsOperand);
    }
    int result_count;
    return pts_emit(f->program, op, count, operands, attributes, here(10), last_results,
                    &result_count, &f->error);
}

PtsSlot emit(Fixture *f, PtsOp op, const PtsAttributes *attributes, int count, ...)
{
    va_list args;
    va_start(args, count);
    bool ok = emit_list(f, op, attributes, count, args);
    va_end(args);
    if (!ok) {
        fail_msg("F%05X %s", f->error.code, f->error.message);
    }
    return last_results[0];
}

uint32_t emit_error(Fixture *f, PtsOp op, const PtsAttributes *attributes, int count, ...)
{
    va_list args;
    va_start(args, count);
    bool ok = emit_list(f, op, attributes, count, args);
    va_end(args);
    return ok ? 0 : f->error.code;
}

PtsSlot second_result(void)
{
    return last_results[1];
}

PtsSlot view(Fixture *f, PtsSlot input, int64_t rows, int64_t columns, PtsSym row, PtsSym column)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    attributes.shape_rank = attributes.offset_rank = 2;
    attributes.shape[0] = number(f, rows);
    attributes.shape[1] = number(f, columns);
    attributes.offsets[0] = row;
    attributes.offsets[1] = column;
    return emit(f, PTS_OP_VIEW, &attributes, 1, slot(input));
}

void assemble(Fixture *f, PtsSlot src, PtsSlot dst, PtsSym row, PtsSym column)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    attributes.offset_rank = 2;
    attributes.offsets[0] = row;
    attributes.offsets[1] = column;
    emit(f, PTS_OP_ASSEMBLE, &attributes, 2, slot(src), slot(dst));
}

void move(Fixture *f, PtsSlot src, PtsSlot dst)
{
    emit(f, PTS_OP_MOVE, NULL, 2, slot(src), slot(dst));
}

PtsSlot full(Fixture *f, PtsDtype dtype, double value, int64_t rows, int64_t columns)
{
    PtsAttributes attributes = PTS_ATTRIBUTES;
    attributes.dtype = dtype;
    attributes.shape_rank = 2;
    attributes.shape[0] = number(f, rows);
    attributes.shape[1] = number(f, columns);
    return emit(f, PTS_OP_FULL, &attributes, 1, real(value));
}

PtsSym loop(Fixture *f, PtsSym start, PtsSym stop, int64_t step)
{
    PtsLoop loop = {.start = start, .stop = stop, .step = number(f, step), .site = here(20)};
    PtsSym index;
    if (!pts_loop_begin(f->program, &loop, &index, &f->error)) {
        fail_msg("%s", f->error.message);
    }
    return index;
}

bool next_loop_path(Fixture *f)
{
    return pts_loop_next_path(f->program);
}

void end_loop(Fixture *f)
{
    if (!pts_loop_end(f->program, &f->error)) {
        fail_msg("F%05X %s", f->error.code, f->error.message);
    }
}

static size_t describe_list(Fixture *f, char *at, size_t size, int rank, const PtsSym *list)
{
    size_t length = (size_t)snprintf(at, size, "[");
    for (int i = 0; i < rank; i++) {
        length += (size_t)snprintf(at + length, size - length, i == 0 ? "" : ", ");
        length += pts_sym_text(f->context, list[i], at + length, size - length);
    }
    return length + (size_t)snprintf(at + length, size - length, "]");
}

const char *describe(Fixture *f, PtsSlot slot)
{
    static char text[1024];
    PtsSlotInfo info;
    assert_true(pts_slot_info(f->program, slot, &info, &f->error));
    size_t length = (size_t)snprintf(text, sizeof text, "%s ", pts_dtype_name(info.dtype));
    length += describe_list(f, text + length, sizeof text - length, info.rank, info.shape);
    if (memcmp(info.shape, info.valid, sizeof *info.shape * (size_t)info.rank) != 0) {
        length += (size_t)snprintf(text + length, sizeof text - length, " valid ");
        describe_list(f, text + length, sizeof text - length, info.rank, info.valid);
    }
    return text;
}
