/* The map of differences: a grid over the rows and columns of a result, one letter a cell; see
 * sim/places.h. */
#include "sim/kernels/places.h"
#include "sim/rt.h"

#include <math.h>
#include <string.h>

/* The larger of two cells: what a reader must not overlook comes last. */
static const char ranks[] = ".123456789nu";

static int rank_of(char cell)
{
    return (int)(strchr(ranks, cell) - ranks);
}

/* How far beyond its tolerance an element is: '1' up to twice, '2' up to four times … '9'. */
static char level(const Compared *compared, size_t i)
{
    double candidate = number_at(compared, CANDIDATE, i);
    double reference = number_at(compared, REFERENCE, i);
    double allowed = compared->tolerance.atol + compared->tolerance.rtol * fabs(reference);
    double times = fabs(candidate - reference) / allowed;
    if (!isfinite(candidate) && !(isnan(candidate) && isnan(reference))) {
        return 'n';
    }
    if (!isfinite(times)) {
        return '9';
    }
    int steps = 1 + (int)log2(times < 1 ? 1 : times);
    return (char)('0' + (steps > 9 ? 9 : steps));
}

static bool is_unwritten(const char *element, const char *poison, size_t size, bool marked)
{
    return marked && memcmp(element, poison, size) == 0;
}

/* Only dtypes whose poison cannot be data by chance. */
static bool marks_unwritten(PtsDtype dtype)
{
    return pts_dtype_is_float(dtype) && pts_dtype_bytes(dtype) >= 2;
}

void pts_map_places(const Compared *compared, const void *candidate, PtsDtype dtype,
                    PtsPlaces *places)
{
    size_t columns = compared->extent[compared->rank - 1], size = pts_dtype_bytes(dtype);
    size_t rows = columns == 0 ? 0 : compared->count / columns;
    places->map_rows = rows < PTS_PLACES_MAP ? rows : PTS_PLACES_MAP;
    places->map_columns = columns < PTS_PLACES_MAP ? columns : PTS_PLACES_MAP;
    memset(places->map, '.', places->map_rows * places->map_columns);
    places->map[places->map_rows * places->map_columns] = '\0';
    char poison[16] = "";
    bool marked = marks_unwritten(dtype);
    if (marked) {
        rt_poison(poison, dtype, (int64_t)size);
    }
    for (size_t i = 0; i < compared->count; i++) {
        if (compared->mask[i] != 0) {
            continue;
        }
        size_t row = i / columns * places->map_rows / rows;
        size_t column = i % columns * places->map_columns / columns;
        char *cell = &places->map[row * places->map_columns + column];
        const char *element = (const char *)candidate + i * size;
        char now = is_unwritten(element, poison, size, marked) ? 'u' : level(compared, i);
        *cell = rank_of(now) > rank_of(*cell) ? now : *cell;
    }
}
