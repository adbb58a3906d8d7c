/* Checks of tiles and buffers that can be turned into warnings, each with an id, and what their
 * messages say about other hardware. */
#include "model/infer.h"
#include "model/name_list.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const check_ids[] = {
    "ub-capacity", "l0a-capacity", "l0b-capacity",   "l0c-capacity",
    "l1-capacity", "tile-rank",    "tile-aligned",   "topk-tile",
    "cube-tile",   "layout",       "read-assembled", "conv-capacity",
};

enum { CHECK_IDS = sizeof check_ids / sizeof *check_ids };

const char *pts_check_id(size_t index)
{
    return index < CHECK_IDS ? check_ids[index] : NULL;
}

const char *pts_unknown_check_id(const char *list, size_t *length)
{
    for (const char *entry = next_entry(list, length); *length > 0;
         entry = next_entry(entry + *length, length)) {
        bool known = false;
        for (size_t i = 0; i < CHECK_IDS && !known; i++) {
            known = is_entry(entry, *length, check_ids[i]);
        }
        if (!known) {
            return entry;
        }
    }
    return NULL;
}

bool pts_context_warns(const PtsContext *context, const char *id)
{
    const char *list = context->options.warn;
    size_t length = 0;
    if (list == NULL) {
        return false;
    }
    for (const char *entry = next_entry(list, &length); length > 0;
         entry = next_entry(entry + length, &length)) {
        if (is_entry(entry, length, id)) {
            return true;
        }
    }
    return false;
}

bool emit_limit(PtsEmit *emit, const char *id, uint32_t code, const char *symbol,
                const char *format, ...)
{
    char message[640];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    if (pts_context_warns(emit->context, id)) {
        return pts_record_warn(emit->program, code, id, emit->site, "%s", message);
    }
    return emit_fail(emit, PTS_CORE_ERROR, code, symbol, "%s [%s]", message, id);
}

/* "950DT_9581" is a variant of "950DT": the same buffers, another memory. */
static bool is_variant(const PtsEmit *emit, const PtsSoc *soc)
{
    for (int i = 0; i < emit->context->other_soc_count; i++) {
        const char *name = emit->context->other_socs[i].name;
        if (strcmp(name, soc->name) != 0 && strncmp(name, soc->name, strlen(name)) == 0) {
            return true;
        }
    }
    return false;
}

void emit_other_hardware(const PtsEmit *emit, int64_t (*size)(const PtsSoc *), double bytes,
                         char *text, size_t room)
{
    *text = '\0';
    for (int i = 0; i < emit->context->other_soc_count; i++) {
        const PtsSoc *soc = &emit->context->other_socs[i];
        size_t used = strlen(text);
        if (strcmp(soc->name, emit->context->soc.name) == 0 || bytes > (double)size(soc) ||
            is_variant(emit, soc)) {
            continue;
        }
        snprintf(text + used, room - used, used == 0 ? "; fits with --soc %s" : ", %s", soc->name);
    }
}
