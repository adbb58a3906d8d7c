/* The hardware that kernels are evaluated for. */
#include "eval/drive.h"
#include "model/soc_files.h"

const char *eval_hardware(size_t index)
{
    return index < pts_soc_file_count ? pts_soc_files[index].name : NULL;
}

static bool read_chip(const char *name, PtsSoc *soc)
{
    PtsError error;
    for (size_t i = 0; i < pts_soc_file_count; i++) {
        if (strcmp(pts_soc_files[i].name, name) == 0) {
            return pts_soc_parse(name, pts_soc_files[i].text, soc, &error);
        }
    }
    return false;
}

const PtsSoc *chip_named(Eval *eval, const char *name)
{
    for (uint32_t i = 0; i < eval->chips.count; i++) {
        if (strcmp(eval->chips.items[i]->name, name) == 0) {
            return eval->chips.items[i];
        }
    }
    PtsSoc *soc = ARENA_NEW(eval->arena, PtsSoc);
    if (!read_chip(name, soc)) {
        return NULL;
    }
    VEC_PUSH(eval->arena, &eval->chips, soc);
    return soc;
}

const char *chip_first(const Eval *eval)
{
    return eval->soc.length > 0 ? eval->soc.at : "910B1";
}

const char *chip_second(const Eval *eval)
{
    return eval->soc.length > 0 ? NULL : "950PR";
}

Value chip_architecture(Eval *eval)
{
    if (eval->drive != NULL) {
        eval->drive->asked_chip = true;
        return value_text(eval->arena, str_from(pts_context_soc(eval->drive->context)->arch_name));
    }
    const PtsSoc *soc = eval->soc.length > 0 ? chip_named(eval, eval->soc.at) : NULL;
    return soc == NULL ? value_unknown() : value_text(eval->arena, str_from(soc->arch_name));
}
