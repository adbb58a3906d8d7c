/* Prints the width of every code point, for check_width.py. */
#include "report/terminal.h"

#include <inttypes.h>
#include <stdio.h>

int main(void)
{
    for (uint32_t code_point = 0; code_point < 0x110000; code_point++) {
        printf("%" PRIx32 " %u\n", code_point, code_point_width(code_point));
    }
    return 0;
}
