/* What `--sanitize` and PTOSIM_SANITIZE name. */
#include "model/name_list.h"
#include "sim/ptosim.h"

bool pts_sanitize_kinds(const char *list, unsigned *kinds, const char **unknown, size_t *length)
{
    static const struct {
        const char *name;
        unsigned kinds;
    } names[] = {
        {"init", PTS_SANITIZE_INIT},
        {"races", PTS_SANITIZE_RACES},
        {"bounds", PTS_SANITIZE_BOUNDS},
        {"all", PTS_SANITIZE_ALL},
        {"none", 0},
    };
    *kinds = 0;
    for (const char *entry = next_entry(list, length); *length > 0;
         entry = next_entry(entry + *length, length)) {
        bool known = false;
        for (size_t i = 0; i < sizeof names / sizeof *names && !known; i++) {
            known = is_entry(entry, *length, names[i].name);
            *kinds |= known ? names[i].kinds : 0;
        }
        if (!known) {
            *unknown = entry;
            return false;
        }
    }
    return true;
}
