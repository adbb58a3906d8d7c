/* The hardware descriptions of src/model/soc, for programs that read no files of the
 * installation. */
#ifndef PTOSIM_SOC_FILES_H
#define PTOSIM_SOC_FILES_H

#include <stddef.h>

typedef struct PtsSocFile {
    const char *name; /* "910B1" */
    const char *text;
} PtsSocFile;

/* Sorted by name. */
extern const PtsSocFile pts_soc_files[];
extern const size_t pts_soc_file_count;

#endif
