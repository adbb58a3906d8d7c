/* The ids of the rules; see rule_words.h. */
#include "cli/rule_words.h"

#include "lint/result.h"

void rule_words(Buf *out)
{
    buf_addf(out, "%s\n", rule_ol00.id);
    for (uint32_t i = 0; i < rule_registry_count; i++) {
        buf_addf(out, "%s\n", rule_registry[i]->id);
    }
}
