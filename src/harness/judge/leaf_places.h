/* Leaf places: where an output differs from its reference and what it looks like there, as a worker
 * reports it (docs/internals/harness.md, "Places"): indices, counts and relations, no elements. */
#ifndef PYPTO_LINT_HARNESS_JUDGE_LEAF_PLACES_H
#define PYPTO_LINT_HARNESS_JUDGE_LEAF_PLACES_H

#include "harness/judge/advice_table.h"

#include "base/vec.h"
#include "document/json.h"

enum { PLACES_MOST_AXES = 8, PLACES_MOST_RANGES = 4, PLACES_MOST_CELLS = 64 * 64 };

/* The coordinates of one axis where elements differ. */
typedef struct AxisPlaces {
    uint64_t extent, hit, run, period, runs; /* period 0: no regular distance */
    uint64_t ranges[PLACES_MOST_RANGES][2];  /* the first of the runs, from and to */
    uint32_t range_count;
} AxisPlaces;

typedef struct LeafPlaces {
    uint32_t rank; /* 1 … PLACES_MOST_AXES */
    AxisPlaces axes[PLACES_MOST_AXES];
    uint64_t first[PLACES_MOST_AXES], last[PLACES_MOST_AXES], worst[PLACES_MOST_AXES];
    const AdviceRow *place, *likeness; /* likeness NULL: no known pattern */
    int32_t place_axis, axis, other;   /* −1 = none */
    int64_t diagonal, distance;
    double number;  /* a factor, an offset or a relative error */
    int32_t equals; /* the output whose reference it equals; −1 = none */
    /* The worst of each block, a letter each, row by row (sim/places.h); empty: not reported. */
    Str map;
    uint64_t map_columns;
} LeafPlaces;

/* NULL when the value has another form. In the arena. */
const LeafPlaces *leaf_places_read(Arena *arena, const json_t *from);

/* "only the last rows: rows 9..11 of 12, all 16 columns". */
void leaf_places_add_where(Buf *out, const LeafPlaces *places, Lang lang);
/* "first [9, 0], last [11, 15], worst [10, 3]". */
void leaf_places_add_indices(Buf *out, const LeafPlaces *places, Lang lang);
/* "it is the reference times 0.125"; nothing when there is no likeness. `equals`: the name of the
 * output whose reference it equals. */
void leaf_places_add_likeness(Buf *out, const LeafPlaces *places, Str equals, Lang lang);

/* The value of `where` in the report; NULL when memory ran out. */
json_t *leaf_places_json(JsonTree *tree, const LeafPlaces *places, Str equals);

#endif
