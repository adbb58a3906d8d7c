/* Every operation that ops.def calls built: it has a routine for its inference and a kernel, and
 * what the recorder accepts for it runs, for every dtype of its row and on both kinds of hardware.
 * Values are tested elsewhere. */
#include "record_fixture.h"

#include "model/infer.h"
#include "sim/kernels.h"
#include "sim/vm.h"

#include <stdio.h>

enum { ROWS = 16, COLUMNS = 32, MAX_PARAMETERS = 6 };

static void every_built_operation_has_its_parts(void **state)
{
    (void)state;
    int built = 0;
    for (int op = 0; op < PTS_OP_COUNT; op++) {
        const PtsOpInfo *info = &pts_op_table[op];
        assert_non_null(info->name);
        if (!info->built || info->kind == PTS_CLASS_PYTHON) {
            continue;
        }
        built++;
        assert_non_null(info->opcodes[0]);
        if (info->infer == NULL || (!pts_kernel_exists((PtsOp)op) && !vm_is_data_op((PtsOp)op))) {
            fail_msg("%s is built, but lacks a routine or a kernel", info->name);
        }
    }
    assert_true(built > 100);
}

/* One way to call an operation. */
typedef struct Call {
    Fixture f;
    PtsOperand operands[8];
    PtsAttributes attributes;
    int count;
    PtsDtype dtypes[MAX_PARAMETERS];
    int parameters;
} Call;

static PtsSlot tensor(Call *c, PtsDtype dtype)
{
    c->dtypes[c->parameters++] = dtype;
    return parameter(&c->f, dtype, "p", ROWS, COLUMNS, -1);
}

static void shape(Call *c, int64_t a, int64_t b)
{
    c->attributes.shape_rank = 2;
    c->attributes.shape[0] = number(&c->f, a);
    c->attributes.shape[1] = number(&c->f, b);
}

static void offsets(Call *c)
{
    c->attributes.offset_rank = 2;
    c->attributes.offsets[0] = c->attributes.offsets[1] = number(&c->f, 0);
}

/* Attributes that a class needs beside `dim` = 1. */
static void set_attributes(Call *c, PtsOpClass kind, PtsDtype dtype)
{
    PtsAttributes *at = &c->attributes;
    at->dim = kind != PTS_CLASS_TRANSPOSE;
    at->dim1 = kind == PTS_CLASS_TRANSPOSE;
    at->count = 4;
    at->mode = kind == PTS_CLASS_GATHERMASK ? 3 : kind == PTS_CLASS_TOPK ? dtype != PTS_FP32 : 0;
    at->dtype = kind == PTS_CLASS_VIEW_TYPE ? PTS_INT32
                : kind != PTS_CLASS_MATMUL  ? dtype
                : dtype == PTS_INT8         ? PTS_INT32
                                            : PTS_FP32;
    at->b_trans = kind == PTS_CLASS_MATMUL;
    if (kind == PTS_CLASS_VIEW) {
        shape(c, 8, 8);
    } else if (kind == PTS_CLASS_PERMUTE) {
        shape(c, 1, 0);
    } else if (kind == PTS_CLASS_PAD) {
        shape(c, 0, 3);
    } else if (kind == PTS_CLASS_RESHAPE || kind == PTS_CLASS_EXPAND || kind == PTS_CLASS_FULL) {
        shape(c, ROWS, COLUMNS);
    }
    if (kind == PTS_CLASS_VIEW || kind == PTS_CLASS_ASSEMBLE) {
        offsets(c);
    }
}

/* The operands of a class, a letter each: t = tensor of the dtype, b = BOOL, i = INT32, l = INT64,
 * n = a number. A class that is not listed takes one tensor. */
static const char *const operands_of[PTS_CLASS_COUNT] = {
    [PTS_CLASS_PAD] = "tn",
    [PTS_CLASS_FILLPAD] = "tn",
    [PTS_CLASS_ASSEMBLE] = "tt",
    [PTS_CLASS_MOVE] = "tt",
    [PTS_CLASS_CONCAT] = "ttt",
    [PTS_CLASS_BINARY] = "tt",
    [PTS_CLASS_COMPARE] = "tt",
    [PTS_CLASS_LOGICAL] = "tt",
    [PTS_CLASS_POW] = "tt",
    [PTS_CLASS_AXPY] = "tt",
    [PTS_CLASS_INTERLEAVE] = "tt",
    [PTS_CLASS_FULL] = "n",
    [PTS_CLASS_ARANGE] = "nnn",
    [PTS_CLASS_WHERE] = "btt",
    [PTS_CLASS_CLIP] = "ttt",
    [PTS_CLASS_GATHER] = "ti",
    [PTS_CLASS_SCATTER] = "tlt",
    [PTS_CLASS_MATMUL] = "tt",
    /* these need tensors of other shapes and are left to other tests */
    [PTS_CLASS_ELEMENT_WRITE] = "",
    [PTS_CLASS_PRELU] = "",
    [PTS_CLASS_INDEX_SELECT] = "",
    [PTS_CLASS_SCATTER_UPDATE] = "",
    [PTS_CLASS_INDEX_ADD] = "",
    [PTS_CLASS_INDEX_PUT] = "",
    [PTS_CLASS_GATHER_IN] = "",
    [PTS_CLASS_QUANTIZE] = "",
    [PTS_CLASS_BATCH_MATMUL] = "",
    [PTS_CLASS_SCALED_MM] = "",
    [PTS_CLASS_ONLINE_UPDATE] = "",
    [PTS_CLASS_QUANT_MX] = "",
    [PTS_CLASS_SORT32] = "",
    [PTS_CLASS_MRGSORT] = "",
    [PTS_CLASS_RANDOM] = "",
    [PTS_CLASS_CONV] = "",
};

/* Operands and attributes that the operation accepts when the first tensor is of `dtype`. False:
 * left to other tests. */
static bool prepare(Call *c, PtsOp op, PtsDtype dtype)
{
    PtsOpClass kind = pts_op_table[op].kind;
    const char *letters = operands_of[kind] == NULL ? "t" : operands_of[kind];
    set_attributes(c, kind, dtype);
    for (int i = 0; letters[i] != '\0'; i++) {
        PtsDtype own = letters[i] == 'b'   ? PTS_BOOL
                       : letters[i] == 'i' ? PTS_INT32
                       : letters[i] == 'l' ? PTS_INT64
                                           : dtype;
        c->operands[c->count++] = letters[i] == 'n' ? integer(kind == PTS_CLASS_ARANGE && i == 0 ? 0
                                                              : i == 1                           ? 8
                                                                       : 1)
                                                    : slot(tensor(c, own));
    }
    return c->count > 0;
}

static void run(Call *c)
{
    PtsArgument arguments[MAX_PARAMETERS];
    for (int i = 0; i < c->parameters; i++) {
        arguments[i] = (PtsArgument){.dtype = c->dtypes[i], .rank = 2, .shape = {ROWS, COLUMNS}};
        size_t bytes = pts_dtype_bytes(c->dtypes[i]) * ROWS * COLUMNS;
        arguments[i].data = calloc(bytes, 1);
        if (pts_dtype_is_integer(c->dtypes[i]) || c->dtypes[i] == PTS_BOOL) {
            for (size_t k = 0; k < bytes; k += pts_dtype_bytes(c->dtypes[i])) {
                ((uint8_t *)arguments[i].data)[k] = 1;
            }
        }
    }
    if (!pts_run(c->f.program, c->parameters, arguments, 1, NULL, &c->f.error)) {
        fail_msg("runs not: %s", c->f.error.message);
    }
    for (int i = 0; i < c->parameters; i++) {
        free(arguments[i].data);
    }
}

/* Records and runs the operation; false when there is no way to call it here. */
static bool try_call(const char *soc, PtsOp op, PtsDtype dtype)
{
    Call c = {.attributes = PTS_ATTRIBUTES};
    fixture_open(&c.f, soc, PTS_PROFILE_DEVICE);
    bool prepared = prepare(&c, op, dtype);
    while (prepared && next_path(&c.f)) {
        const int64_t tile[4] = {16, 32, 32, 32};
        PtsSlotInfo info = {.rank = 4}; /* transpose wants exactly as many entries as axes */
        if (op == PTS_OP_TRANSPOSE) {
            assert_true(pts_slot_info(c.f.program, c.operands[0].slot, &info, &c.f.error));
        }
        assert_true(pts_config_set_vector_tile(c.f.context, info.rank, tile, &c.f.error));
        PtsSlot results[PTS_MAX_RESULTS];
        int count;
        if (!pts_emit(c.f.program, op, c.count, c.operands, &c.attributes, here(5), results, &count,
                      &c.f.error) &&
            c.f.error.code != 0xF00005) { /* dtypes without numbers in the simulator */
            fail_msg("%s of %s on %s: F%05X %s", pts_op_table[op].name, pts_dtype_name(dtype), soc,
                     c.f.error.code, c.f.error.message);
        }
    }
    if (prepared && pts_program_end(c.f.program, &c.f.error)) {
        run(&c);
    }
    fixture_close(&c.f);
    return prepared;
}

static void what_is_accepted_runs(void **state)
{
    static const char *const socs[] = {"910B1", "950PR"};
    int calls = 0;
    (void)state;
    for (int op = 0; op < PTS_OP_COUNT; op++) {
        const PtsOpInfo *info = &pts_op_table[op];
        for (int dtype = 0; dtype < PTS_DTYPE_COUNT; dtype++) {
            for (int s = 0; s < 2; s++) {
                uint32_t allowed = info->dtypes | (s == 1 ? info->dtypes950 : 0);
                if (info->built && info->infer != NULL && (allowed >> dtype & 1) != 0) {
                    calls += try_call(socs[s], (PtsOp)op, (PtsDtype)dtype);
                }
            }
        }
    }
    assert_true(calls > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_built_operation_has_its_parts),
        cmocka_unit_test(what_is_accepted_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
