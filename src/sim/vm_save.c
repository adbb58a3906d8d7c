/* pass_verify_save: the valid elements of a tensor, row by row, as a file of bytes; a second file
 * says what they are. */
#include "model/error.h"
#include "sim/vm_data.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { TENSOR = 0, CONDITION = 1, VALUES = 2, LONGEST_PATH = 4096 };

static bool operand_value(Vm *vm, const PtsOperand *operand, int64_t *value, PtsError *error)
{
    *value = operand->element.integer;
    return operand->kind != PTS_OPERAND_SYM || vm_evaluate(vm, operand->sym, value, error);
}

/* The label with $0, $1 … replaced by the values; false when it grows too long. */
static bool expand_name(Vm *vm, const PtsInstruction *instruction, const char *suffix, char *path,
                        PtsError *error)
{
    size_t length = 0;
    for (const char *at = instruction->label; *at != '\0' && length < LONGEST_PATH; at++) {
        int index = at[0] == '$' && at[1] >= '0' && at[1] <= '9' ? at[1] - '0' : -1;
        if (index < 0 || VALUES + index >= instruction->operand_count) {
            path[length++] = *at;
            continue;
        }
        int64_t value = 0;
        if (!operand_value(vm, &instruction->operands[VALUES + index], &value, error)) {
            return false;
        }
        length += (size_t)snprintf(path + length, LONGEST_PATH - length, "%lld", (long long)value);
        at++;
    }
    if (length + strlen(suffix) >= LONGEST_PATH) {
        return pts_fail(error, PTS_E_VALUE, "pass_verify_save: the name of the file is too long");
    }
    memcpy(path + length, suffix, strlen(suffix) + 1);
    return true;
}

static bool write_file(const char *path, const void *data, size_t size, PtsError *error)
{
    FILE *file = fopen(path, "wb");
    bool ok = file != NULL && fwrite(data, 1, size, file) == size;
    ok = file != NULL && fclose(file) == 0 && ok;
    return ok || pts_fail(error, PTS_E_RUNTIME, "pass_verify_save: %s: %s", path, strerror(errno));
}

static bool write_description(const char *path, const PtsTensor *tensor, PtsError *error)
{
    char text[256];
    int length = snprintf(text, sizeof text, "%s [", pts_dtype_name(tensor->dtype));
    for (int i = 0; i < tensor->rank; i++) {
        length += snprintf(text + length, sizeof text - (size_t)length, i == 0 ? "%lld" : ", %lld",
                           (long long)tensor->shape[i]);
    }
    length += snprintf(text + length, sizeof text - (size_t)length, "]\n");
    return write_file(path, text, (size_t)length, error);
}

/* The valid part on its own. */
static bool valid_part(Vm *vm, const RtValue *source, RtValue *part, PtsError *error)
{
    const PtsTensor from = rt_tensor(source);
    int64_t extent[PTS_MAX_RANK];
    for (int i = 0; i < from.rank; i++) {
        extent[i] = from.valid[i] < 0 ? 0 : from.valid[i];
    }
    if (!vm_new_for_copy(vm, from.dtype, from.rank, extent, extent, part, error)) {
        return false;
    }
    PtsTensor to = rt_tensor(part);
    rt_copy_region(&from, &to, extent);
    return true;
}

bool vm_run_save(Vm *vm, const PtsInstruction *instruction, PtsError *error)
{
    int64_t condition = 1;
    char path[LONGEST_PATH];
    RtValue part = {.declared = PTS_SLOT_NONE};
    if (instruction->operand_count > CONDITION &&
        !operand_value(vm, &instruction->operands[CONDITION], &condition, error)) {
        return false;
    }
    if (condition == 0) {
        return true;
    }
    const RtValue *source = vm_read(vm, instruction->operands[TENSOR].slot, error);
    if (source == NULL || !valid_part(vm, source, &part, error)) {
        return false;
    }
    const PtsTensor tensor = rt_tensor(&part);
    int64_t count = 0;
    rt_element_count(tensor.rank, tensor.shape, &count);
    size_t size = (size_t)count * pts_dtype_bytes(tensor.dtype);
    bool ok = expand_name(vm, instruction, ".data", path, error) &&
              write_file(path, tensor.data, size, error) &&
              expand_name(vm, instruction, ".txt", path, error) &&
              write_description(path, &tensor, error);
    rt_value_release(&vm->pool, &part);
    return ok;
}
