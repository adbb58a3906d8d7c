/* Which operations the product's compiler runs in F32 when their tensors are of 16 bits: their
 * results stay unrounded for operations of the same kind in the same piece of a body. */
#include "sim/infer.h"

enum { BF16_A2 = 1, F16_A2 = 2, BF16_950 = 4, F16_950 = 8 };
enum { EVERYWHERE = BF16_A2 | F16_A2 | BF16_950 | F16_950, BF16_BOTH = BF16_A2 | BF16_950 };

static const uint8_t wide_ops[PTS_OP_COUNT] = {
    [PTS_OP_ADD] = EVERYWHERE,
    [PTS_OP_SUB] = EVERYWHERE,
    [PTS_OP_MUL] = EVERYWHERE,
    [PTS_OP_INDEX_ADD_] = EVERYWHERE,
    [PTS_OP_FMOD] = BF16_BOTH | F16_A2,
    [PTS_OP_DIV] = BF16_BOTH,
    [PTS_OP_REMAINDER] = BF16_BOTH,
    [PTS_OP_EXP] = BF16_BOTH,
    [PTS_OP_SQRT] = BF16_BOTH,
    [PTS_OP_RSQRT] = BF16_BOTH,
    [PTS_OP_RECIPROCAL] = BF16_BOTH,
    [PTS_OP_ABS] = BF16_BOTH,
    [PTS_OP_RELU] = BF16_BOTH,
    [PTS_OP_LRELU] = BF16_BOTH,
    [PTS_OP_PRELU] = BF16_BOTH,
    [PTS_OP_LOGICAL_NOT] = BF16_BOTH,
    [PTS_OP_LOGICAL_AND] = BF16_BOTH,
    [PTS_OP_EXPAND_EXP_DIF] = BF16_BOTH,
    [PTS_OP_SUM] = BF16_BOTH,
    [PTS_OP_AMAX] = BF16_BOTH,
    [PTS_OP_AMIN] = BF16_BOTH,
    [PTS_OP_PROD] = BF16_BOTH,
    [PTS_OP_ARGMAX] = BF16_BOTH,
    [PTS_OP_ARGMIN] = BF16_BOTH,
    [PTS_OP_MAXIMUM] = BF16_A2,
    [PTS_OP_MINIMUM] = BF16_A2,
    [PTS_OP_FLOOR_DIV] = BF16_A2,
    [PTS_OP_LOG] = BF16_A2,
    [PTS_OP_NEG] = BF16_A2,
    [PTS_OP_SIGN] = BF16_A2,
    [PTS_OP_SINH] = BF16_A2,
    [PTS_OP_COSH] = BF16_A2,
    [PTS_OP_COPYSIGN] = BF16_A2,
    [PTS_OP_WHERE] = BF16_A2,
    [PTS_OP_TRIL] = BF16_A2,
    [PTS_OP_TRIU] = BF16_A2,
};

static bool is_wide(const PtsEmit *emit, PtsDtype dtype)
{
    if (dtype != PTS_FP16 && dtype != PTS_BF16) {
        return false;
    }
    int place = emit->is_950 ? (dtype == PTS_BF16 ? BF16_950 : F16_950)
                             : (dtype == PTS_BF16 ? BF16_A2 : F16_A2);
    return (wide_ops[emit->op] & place) != 0;
}

bool pts_stays_wide(const PtsEmit *emit)
{
    bool wide = false;
    for (int i = 0; i < emit->operand_count && !wide; i++) {
        wide = emit->tensor[i] != NULL && is_wide(emit, emit->tensor[i]->dtype);
    }
    return wide;
}

uint8_t pts_wide_operands(const PtsEmit *emit)
{
    uint8_t mask = 0;
    const PtsRecorder *recorder = emit->program->recorder;
    if (emit->context->options.round_each || !pts_stays_wide(emit)) {
        return 0;
    }
    for (int i = 0; i < emit->operand_count && i < 8; i++) {
        if (emit->tensor[i] != NULL && emit->tensor[i]->wide != NULL &&
            emit->tensor[i]->wide_segment == recorder->segment) {
            mask |= (uint8_t)(1u << i);
        }
    }
    return mask;
}
