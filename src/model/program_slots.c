/* What a program says of its slots. */
#include "model/program.h"

const char *pts_slot_name(const PtsProgram *program, PtsSlot slot)
{
    const char *name = program->slots[slot].name;
    return name == NULL || *name == '\0' ? "a tensor" : name;
}

PtsSlot pts_slot_root(const PtsProgram *program, PtsSlot slot)
{
    PtsSlot base = program->slots[slot].base;
    return base == PTS_SLOT_NONE ? slot : base;
}
