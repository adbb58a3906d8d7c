/* Functions of the package: convolutions. */
#include "eval/compose.h"

/* Its tiles are not followed, so it is not recorded: a tensor about which nothing is known. */
Value compose_conv(Eval *eval, const Arguments *arguments)
{
    Value operands[] = {compose_argument(arguments, "input_conv", 0),
                        compose_argument(arguments, "weight", 1)};
    if (!compose_need_tensor(eval, "conv", "input_conv", operands[0]) ||
        !compose_need_tensor(eval, "conv", "weight", operands[1])) {
        return value_tensor();
    }
    return drive_emit(eval, PTS_OP_CONV, 2, operands, NULL);
}
