/* The ranges of options.def. */
#include "model/options.h"

#include <stddef.h>

const PtsOptionRange pts_option_ranges[] = {
#define OPTION(group, name, least, most) {#group, #name, least, most},
#include "model/options.def"
#undef OPTION
    {NULL, NULL, 0, 0},
};
