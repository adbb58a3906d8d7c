/* Why a tile costs less; see tiles_reason.h. */
#include "cli/tiles_reason.h"

#include "report/report_common.h"

const char *const tiles_memories[SHOWN_MEMORIES] = {"UB", "L1", "L0A", "L0B", "L0C", "BT"};

double tiles_share(int64_t bytes, int64_t size)
{
    return size > 0 ? 100.0 * (double)bytes / (double)size : 0;
}

static bool is_times(double now, double then, double times)
{
    return now >= then * times && now <= then * times;
}

/* What becomes of the number of transactions; formats take the numbers before and after. */
static Text verb(double now, double then)
{
    if (is_times(now, then, 1)) {
        return (Text){" leaves the MTE2 transactions at %.0f", " 时 MTE2 传输次数仍为 %.0f"};
    }
    if (is_times(now, then, 2)) {
        return (Text){" halves the MTE2 transactions (%.0f → %.0f)",
                      " 使 MTE2 传输次数减半（%.0f → %.0f）"};
    }
    if (is_times(now, then, 4)) {
        return (Text){" quarters the MTE2 transactions (%.0f → %.0f)",
                      " 使 MTE2 传输次数减为四分之一（%.0f → %.0f）"};
    }
    return now > then ? (Text){" reduces the MTE2 transactions (%.0f → %.0f)",
                               " 减少 MTE2 传输次数（%.0f → %.0f）"}
                      : (Text){" raises the MTE2 transactions (%.0f → %.0f)",
                               " 增加 MTE2 传输次数（%.0f → %.0f）"};
}

void tiles_reason_add(Buf *out, const ShownTiling *tiling, const ShownTile *option, Lang lang)
{
    const ShownTile *now = &tiling->now;
    const char *separator = words(lang, "; ", "；");
    buf_add(out, option->change);
    buf_addf(out, text_in(lang, verb(now->loads, option->loads)), now->loads, option->loads);
    if (!is_times(now->loaded, option->loaded, 1)) {
        buf_addf(out, "%s", separator);
        buf_addf(out, words(lang, "loads %.0f → %.0f bytes", "加载 %.0f → %.0f 字节"), now->loaded,
                 option->loaded);
    }
    if (is_times(now->loads, option->loads, 1) && !is_times(now->tiles, option->tiles, 1)) {
        buf_addf(out, "%s", separator);
        buf_addf(out, words(lang, "tiles %.0f → %.0f", "tile 数 %.0f → %.0f"), now->tiles,
                 option->tiles);
    }
    for (int i = 0; i < SHOWN_MEMORIES; i++) {
        if (option->needs[i] != now->needs[i] && tiling->capacity[i] > 0) {
            buf_addf(out, "%s%s %.1f %% → %.1f %%", separator, tiles_memories[i],
                     tiles_share(now->needs[i], tiling->capacity[i]),
                     tiles_share(option->needs[i], tiling->capacity[i]));
        }
    }
}
