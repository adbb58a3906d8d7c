/* The number of the device that a log is about, for commands that are recommended. */
#ifndef PYPTO_LINT_DIAGNOSE_DEVICE_NUMBER_H
#define PYPTO_LINT_DIAGNOSE_DEVICE_NUMBER_H

#include "base/arena.h"
#include "base/str.h"

/* The device that the line names ("device 5", "dev_id=5", "npu:5"); -1: none. */
int device_number(Str line);

/* The device that a command queries (`npu-smi info -t ecc -i 4`); -1: none. */
int device_of_command(Str command);

/* The text with each `-i 0` replaced by the number of the device, or by `-i N` for -1. */
const char *device_fill(Arena *arena, const char *text, int number);

#endif
