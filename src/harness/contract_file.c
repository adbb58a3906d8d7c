/* The contract of an operator directory, from its file; see contract.h. */
#include "harness/contract.h"
#include "operator/artifact.h"

bool contract_load(Arena *arena, Str op_dir, Contract *contract, Str *error)
{
    Str text;
    Str reason = STR("");
    FileStatus status = artifact_read(arena, path_join(arena, op_dir, STR(INTERFACES_PATH)),
                                      CONTRACT_MAX_BYTES, &text, &reason);
    if (status == FILE_OK) {
        return contract_read(arena, text, contract, error);
    }
    *error = status == FILE_MISSING
                 ? STR(INTERFACES_PATH ": the file does not exist")
                 : str_format(arena, INTERFACES_PATH ": cannot be read: %.*s", STR_ARG(reason));
    return false;
}
