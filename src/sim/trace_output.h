/* What the writers of a trace share. Private to libptosim. */
#ifndef PTOSIM_TRACE_OUTPUT_H
#define PTOSIM_TRACE_OUTPUT_H

#include "sim/trace_events.h"

#include <stdio.h>

extern const char *const trace_pipe_names[TRACE_PIPES];

/* Text as a JSON string: control characters are escaped, bytes beyond ASCII stay as they are. */
void trace_write_string(FILE *file, const char *text);
/* A file's name, relative to `folder` where it lies below it. */
const char *trace_path(const PtsTrace *trace, uint32_t file, const char *folder);

/* trace_profile.c. False when memory ran out. */
bool trace_write_profile(const PtsTrace *trace, FILE *file, const char *folder);

#endif
