/* Which operations the product's compiler runs in F32 when their tensors are of 16 bits: their
 * results stay unrounded for operations of the same kind in the same piece of a body. */
#include "model/infer.h"

static bool is_wide(const PtsEmit *emit, PtsDtype dtype)
{
    if (dtype != PTS_FP16 && dtype != PTS_BF16) {
        return false;
    }
    int place = emit->is_950 ? (dtype == PTS_BF16 ? PTS_WIDE_BF16_950 : PTS_WIDE_F16_950)
                             : (dtype == PTS_BF16 ? PTS_WIDE_BF16_A2 : PTS_WIDE_F16_A2);
    return (emit->info->wide & place) != 0;
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
