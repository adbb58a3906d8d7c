/*
 * Characters that a reader of a text would not see, or see elsewhere. */
#ifndef SARIF_HIDDEN_H
#define SARIF_HIDDEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Control, formatting and reordering characters, fillers, tags, and variation selectors but that of
 * emoji. The linter uses the list, too; it is here so that libsarif needs nothing else. */
static inline bool sarif_is_hidden(uint32_t code_point)
{
    static const uint32_t ranges[][2] = {
        {0x0, 0x1F},        {0x7F, 0x9F},       {0xAD, 0xAD},       {0x34F, 0x34F},
        {0x61C, 0x61C},     {0x115F, 0x1160},   {0x17B4, 0x17B5},   {0x180B, 0x180F},
        {0x200B, 0x200F},   {0x2028, 0x202E},   {0x2060, 0x206F},   {0x3164, 0x3164},
        {0xFE00, 0xFE0E},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},   {0xFFF0, 0xFFFB},
        {0x13430, 0x1343F}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges && ranges[i][0] <= code_point; i++) {
        if (code_point <= ranges[i][1]) {
            return true;
        }
    }
    return false;
}

#endif
