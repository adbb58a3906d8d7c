/* The number of the device that a log is about, for commands that are recommended. */
#ifndef PYPTO_LINT_DIAGNOSE_DEVICE_NUMBER_H
#define PYPTO_LINT_DIAGNOSE_DEVICE_NUMBER_H

#include "base/arena.h"
#include "base/str.h"

/* The device that the line names ("device 5", "dev_id=5", "npu:5"); -1: none. */
int device_number(Str line);

/* The text with `-i 0` for that device; the text itself if the line names none. */
const char *device_fill(Arena *arena, const char *text, Str line);

#endif
